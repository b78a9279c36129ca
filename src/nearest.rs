//! The name that was probably meant, for error messages that suggest it. A name that is not near is not suggested.

use strsim::osa_distance;

/// The most characters that are compared. No name is nearly as long.
const MAX_COMPARED_CHARS: usize = 100;

/// The name that the wrong one was probably meant to be, if one is near: it has a part of it, or no more than one typing
/// mistake in three characters.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().filter_map(|name| Some((cost(wrong, name)?, name)));
    near.min_by_key(|(cost, name)| (*cost, name.len().abs_diff(wrong.len()))).map(|(_, name)| name)
}

/// The question whether the nearest name was meant, to stand behind a message; empty if no name is near.
pub fn meant<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wrong, names).map(|name| format!("; did you mean {name}?")).unwrap_or_default()
}

/// How unlikely it is that `name` was meant, in half typing mistakes; `None` if it is not near. A part of a name counts
/// little more than one mistake, however much is missing.
fn cost(wrong: &str, name: &str) -> Option<usize> {
    let mistakes = distance(wrong, name);
    let typed = (3 * mistakes <= wrong.chars().count().max(name.chars().count())).then_some(2 * mistakes);
    let (wrong, name) = (wrong.to_lowercase(), name.to_lowercase());
    let part = |wrong: &str, name: &str, least: usize, cost: usize| {
        (wrong.chars().count() >= least && name.starts_with(wrong)).then_some(cost)
    };
    let words = name.match_indices(['.', '-', '_']).map(|(at, separator)| &name[at + separator.len()..]);
    let word = words.filter_map(|rest| part(&wrong, rest, 3, 4)).min();
    [typed, part(&wrong, &name, 2, 3), word, part(&name, &wrong, 3, 5)].into_iter().flatten().min()
}

/// How many characters have to be changed, added, removed or swapped with the next one. Letter case is ignored.
pub fn distance(a: &str, b: &str) -> usize {
    let lower = |text: &str| -> String { text.chars().take(MAX_COMPARED_CHARS).flat_map(char::to_lowercase).collect() };
    osa_distance(&lower(a), &lower(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        let settings = ["reasoning.enabled", "reasoning.effort", "reasoning.includeInContext", "llm.postproc.enabled"];
        for (wrong, names, want) in [
            ("thnik", &["think", "thought", "reason"][..], "think"),
            ("Thinking", &["think", "thinking"], "thinking"),
            ("x", &[], ""),
            // What is far is not suggested.
            ("foo", &["思考", "think", "for-all"], ""),
            ("x", &["o", "思"], ""),
            ("gemini", &["mew", "meup", "harmony"], ""),
            // Swapped characters are one mistake.
            ("abdc", &["abxx", "abcd"], "abcd"),
            ("caht", &["cat", "chat"], "chat"),
            // A part of a name: its beginning, or that of a word in it.
            ("reasoning.include", &settings, "reasoning.includeInContext"),
            ("effort", &settings, "reasoning.effort"),
            ("postproc", &settings, "llm.postproc.enabled"),
            ("claude", &["llxprt", "claude-code", "chat"], "claude-code"),
            ("o2", &["words", "o200k", "cl100k"], "o200k"),
            ("thin", &["thinking", "think"], "think"),
            // More than a name.
            ("reasoning.effort.level", &settings, "reasoning.effort"),
            // What is nearly right is nearer than a part.
            ("chats", &["chats-of-old-times", "chat"], "chat"),
        ] {
            assert_eq!(nearest(wrong, names.iter().copied()).unwrap_or_default(), want, "{wrong}");
        }
    }

    #[test]
    fn questions() {
        assert_eq!(meant("stirp", ["strip", "split"]), "; did you mean strip?");
        assert_eq!(meant("gzip", ["strip", "split"]), "");
    }

    #[test]
    fn distances() {
        for (a, b, want) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("kitten", "SITTING", 3),
            ("◁x", "◁", 1),
            ("ab", "ba", 1),
            ("hihg", "high", 1),
            ("abc", "ca", 3),
        ] {
            assert_eq!(distance(a, b), want, "{a} {b}");
        }
        assert_eq!(distance(&"x".repeat(1 << 20), "y"), MAX_COMPARED_CHARS);
    }
}
