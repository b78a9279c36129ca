//! Sections of reasoning that are kept separately: `<REDACTED>` (behaviour.md, section 11.1).

use super::{Moves, Options, Scanned, Start, StretchKind, TagScanner, Tags};

/// Options for this search: reasoning is not visible text, so that only pairs of tags count.
pub const INSIDE: Options = Options {
    close: super::Close::Balanced,
    start: Start::Visible,
    unclosed: None,
    blocks: None,
    inline: super::Inline::Delimiter,
    apart: false,
    moves: Moves::NONE,
    keeps_start: false,
};

/// A text without its sections, and the sections.
pub fn apart(tags: &Tags, text: &str) -> (String, Vec<String>) {
    let (mut rest, mut sections) = (Vec::new(), Vec::<Vec<u8>>::new());
    let mut scanner = TagScanner::new(tags, INSIDE);
    let mut sink = |found: Scanned<'_>| match (found.part, sections.last_mut()) {
        (StretchKind::Open(_), _) => sections.push(Vec::new()),
        (StretchKind::Reasoning, Some(section)) => section.extend_from_slice(found.text),
        (StretchKind::Visible, _) => rest.extend_from_slice(found.text),
        _ => (),
    };
    scanner.feed(text.as_bytes(), &mut sink);
    scanner.finish(&mut sink);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(rest), sections.into_iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::Row;

    #[test]
    fn sections() {
        let tags = Tags::new(vec![Row::redacted()]);
        for (text, rest, sections) in [
            ("a", "a", vec![]),
            ("a <REDACTED>b</REDACTED> c", "a  c", vec!["b"]),
            ("<REDACTED>a</REDACTED><REDACTED>b</REDACTED>", "", vec!["a", "b"]),
            ("a <REDACTED>b", "a ", vec!["b"]),
            ("a</REDACTED>b", "a</REDACTED>b", vec![]),
            ("a <REDACTED></REDACTED>b", "a b", vec![""]),
            ("<REDACTED>a <REDACTED>b</REDACTED> c</REDACTED>d", "d", vec!["a <REDACTED>b</REDACTED> c"]),
            ("`<REDACTED>a</REDACTED>` <redacted>b</redacted>", "`` <redacted>b</redacted>", vec!["a"]),
        ] {
            assert_eq!(
                apart(&tags, text),
                (rest.to_string(), sections.iter().map(|s| s.to_string()).collect()),
                "{text}"
            );
        }
    }
}
