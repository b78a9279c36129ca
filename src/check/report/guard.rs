//! Makes text harmless for the log of a CI system, which obeys some of what a job prints: lines that begin like a
//! command, and some words wherever they stand.

#[cfg(feature = "cli")]
use crate::printable::is_hidden;

/// Words that CI systems obey; the last character is their colon.
const WORDS: [&str; 4] = ["section_start:", "section_end:", "travis_fold:", "travis_time:"];

/// Beginnings of lines that CI systems obey: commands of GitHub, and groups of Buildkite.
#[cfg(feature = "cli")]
const BEGINNINGS: [&str; 5] = ["::", "---", "+++", "~~~", "^^^"];

/// The offsets of characters that must be escaped, so that no word of the text is obeyed: the second `#` of `##[`,
/// `##vso[` and the like, and the colon of [`WORDS`]. In ascending order.
pub fn obeyed(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    for at in memchr::memchr2_iter(b'#', b':', bytes) {
        if bytes[at] == b':' {
            if WORDS.iter().any(|word| bytes[..=at].ends_with(word.as_bytes())) {
                places.push(at);
            }
        } else if at > 0 && bytes[at - 1] == b'#' {
            let after = bytes[at + 1..].iter().find(|byte| !byte.is_ascii_alphabetic());
            if after == Some(&b'[') {
                places.push(at);
            }
        }
    }
    places
}

/// A line for people, in parts: hidden characters are shown by their numbers, and nothing is obeyed, even across two
/// parts. The first part begins the line.
#[cfg(feature = "cli")]
pub fn line<const N: usize>(parts: [&str; N]) -> [String; N] {
    let whole = parts.concat();
    let mut places = obeyed(&whole);
    let start = whole.trim_start();
    if BEGINNINGS.iter().any(|beginning| start.starts_with(beginning)) {
        places.insert(0, whole.len() - start.len());
    }
    let mut places = places.into_iter().peekable();
    let mut at = 0;
    parts.map(|part| {
        let mut out = String::with_capacity(part.len());
        for c in part.chars() {
            if places.next_if_eq(&at).is_some() || is_hidden(c) {
                out.extend(c.escape_unicode())
            } else {
                out.push(c)
            }
            at += c.len_utf8();
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_obeyed() {
        let cases = [
            ("answers.jsonl:1:2: UT102", "answers.jsonl:1:2: UT102"),
            ("::error::forged", "\\u{3a}:error::forged"),
            (" \u{a0}::error::forged", " \u{a0}\\u{3a}:error::forged"),
            ("a ::error::b", "a ::error::b"),
            (":", ":"),
            ("a##[error]b", "a#\\u{23}[error]b"),
            ("##vso[task.x]###[##teamcity[y", "#\\u{23}vso[task.x]##\\u{23}[#\\u{23}teamcity[y"),
            ("## Weather [today]", "## Weather [today]"),
            ("\u{1b}[0Ksection_start:1:x\r", "\\u{1b}[0Ksection_start\\u{3a}1:x\\u{d}"),
            ("travis_fold:start:x", "travis_fold\\u{3a}start:x"),
            ("--- :boom:", "\\u{2d}-- :boom:"),
            ("-n.jsonl", "-n.jsonl"),
            ("::##[x]", "\\u{3a}:#\\u{23}[x]"),
        ];
        for (text, shown) in cases {
            assert_eq!(line([text]).concat(), shown);
            assert_eq!(line([shown]).concat(), shown);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                assert_eq!(line([&text[..at], &text[at..]]).concat(), shown, "{at}");
            }
        }
    }
}
