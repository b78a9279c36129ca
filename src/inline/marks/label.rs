//! Labels before a phrase at the start of a message: `Reasoning: Here is my thought process:`.

/// Words that say, before a colon, who speaks, or that reasoning follows.
const LABELS: [&[u8]; 10] = [
    b"Reasoning",
    b"Thinking",
    b"Thoughts",
    b"Thought",
    b"Assistant",
    b"Response",
    b"Output",
    b"Answer",
    b"Model",
    b"AI",
];

/// The most white space behind such a label.
const MAX_LABEL_BLANKS: usize = 8;

/// The most marks of emphasis beside its colon, with it.
const MAX_LABEL_SIGNS: usize = 4;

/// How long the label is that a text begins with, with the white space behind it: 0 if there is none. `None` if more text must come
/// first.
pub(in crate::inline) fn label(text: &[u8], eof: bool) -> Option<usize> {
    let stars = stars(text);
    let word = &text[stars..];
    for label in LABELS {
        let Some(rest) = word.strip_prefix(label) else {
            if !eof && label.starts_with(word) {
                return None;
            }
            continue;
        };
        let (signs, colon) = colon(rest);
        let blanks = rest[signs..].iter().take(MAX_LABEL_BLANKS).take_while(|b| b.is_ascii_whitespace()).count();
        if signs + blanks == rest.len() && !eof && blanks < MAX_LABEL_BLANKS {
            return None;
        }
        return Some(if colon { stars + label.len() + signs + blanks } else { 0 });
    }
    Some(0)
}

/// The text behind the label that the inside of a JSON string begins with: the string itself if there is none. `None` if an escape
/// stands in what may be one.
pub(super) fn behind_label(raw: &[u8]) -> Option<&[u8]> {
    let word = &raw[stars(raw)..];
    // Most texts begin with the first letter of none.
    if !word.first().is_some_and(|first| *first == b'\\' || LABELS.iter().any(|label| label[0] == *first)) {
        return Some(raw);
    }
    for label in LABELS {
        let same = label.iter().zip(word).take_while(|(a, b)| a == b).count();
        match (same == label.len(), word.get(same)) {
            (false, Some(b'\\')) => return None,
            (false, _) => continue,
            (true, _) => (),
        }
        let (signs, colon) = colon(&word[same..]);
        let rest = &word[same + signs..];
        return match (colon, rest.first()) {
            (false, Some(b'\\')) => None,
            (false, _) => Some(raw),
            (true, _) => Some(rest),
        };
    }
    Some(raw)
}

/// How many marks of emphasis a text begins with.
fn stars(text: &[u8]) -> usize {
    text.iter().take(2).take_while(|b| **b == b'*').count()
}

/// How many bytes a colon and marks of emphasis beside it have, and whether it is there.
fn colon(text: &[u8]) -> (usize, bool) {
    let signs = text.iter().take(MAX_LABEL_SIGNS).take_while(|b| matches!(b, b':' | b'*')).count();
    (signs, text[..signs].iter().filter(|b| **b == b':').count() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels() {
        for (text, want) in [
            ("Reasoning: x", 11),
            ("**Reasoning:**\n\nx", 16),
            ("Assistant:x", 10),
            ("Thinking x", 0),
            ("Thinking::x", 0),
            ("Re", 0),
            ("x", 0),
            ("", 0),
        ] {
            assert_eq!(label(text.as_bytes(), true), Some(want), "{text}");
            // More text may only turn what is not known.
            for end in 0..text.len() {
                let found = label(&text.as_bytes()[..end], false);
                assert!(found.is_none_or(|found| found == want), "{text} {end}");
            }
        }
        assert_eq!(behind_label(br"Reasoning:\nx"), Some(&br"\nx"[..]));
        assert_eq!(behind_label(br"Reason\u0069ng:\nx"), None);
        assert_eq!(behind_label(b"So x"), Some(&b"So x"[..]));
    }
}
