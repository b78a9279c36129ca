//! The name that was probably meant, for error messages that suggest it.

/// The most characters that are compared. No name is nearly as long.
const LONGEST: usize = 100;

/// The name that the wrong one was probably meant to be; empty if there are no names.
pub fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    names.into_iter().min_by_key(|name| (cost(wrong, name), name.len().abs_diff(wrong.len()))).unwrap_or_default()
}

/// How unlikely it is that `name` was meant, in half typing mistakes. A part of a name counts little more than one
/// mistake, however much is missing.
fn cost(wrong: &str, name: &str) -> usize {
    let typed = 2 * distance(wrong, name);
    let (wrong, name) = (wrong.to_lowercase(), name.to_lowercase());
    let part = |wrong: &str, name: &str, least: usize, cost: usize| {
        let fits = wrong.chars().count() >= least && name.starts_with(wrong);
        if fits { cost } else { usize::MAX }
    };
    let words = name.match_indices(['.', '-', '_']).map(|(at, separator)| &name[at + separator.len()..]);
    let word = words.map(|rest| part(&wrong, rest, 3, 4)).min().unwrap_or(usize::MAX);
    typed.min(part(&wrong, &name, 2, 3)).min(word).min(part(&name, &wrong, 3, 5))
}

/// How many characters have to be changed, added, removed or swapped with the next one (optimal string alignment).
/// Letter case is ignored.
pub fn distance(a: &str, b: &str) -> usize {
    let lower = |text: &str| -> Vec<char> { text.chars().take(LONGEST).flat_map(char::to_lowercase).collect() };
    let (a, b) = (lower(a), lower(b));
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut here = (row[j] + usize::from(x != y)).min(next[j] + 1).min(row[j + 1] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                here = here.min(before[j - 1] + 1);
            }
            next.push(here);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
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
            assert_eq!(nearest(wrong, names.iter().copied()), want, "{wrong}");
        }
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
        assert_eq!(distance(&"x".repeat(1 << 20), "y"), LONGEST);
    }
}
