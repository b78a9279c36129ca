//! White space at the ends of a text that comes in pieces, which may cut a character in two.

use crate::json::text::incomplete;

/// Where the white space at the start of a text ends. Up to `from` it is known to be white space.
pub(super) fn lead(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(len) = first(&text[at..]) {
        at += len;
    }
    at
}

/// Where the white space at the end of a text begins, or an incomplete character. Up to `from` all text is known to be
/// white space.
pub(super) fn solid(text: &[u8], from: usize) -> usize {
    let mut end = text.len() - incomplete(&text[from..]);
    while end > from {
        let start = (1..=3.min(end - from)).map(|n| end - n).find(|at| text[*at] & 0xC0 != 0x80);
        match start.filter(|at| first(&text[*at..end]) == Some(end - at)) {
            Some(start) => end = start,
            None => return end,
        }
    }
    end
}

/// The length of the first character of a text, if it is white space: at most three bytes.
fn first(text: &[u8]) -> Option<usize> {
    let len = match text.first()? {
        0x00..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => return None,
    };
    let c = std::str::from_utf8(text.get(..len)?).ok()?.chars().next()?;
    c.is_whitespace().then_some(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_texts() {
        for (text, want) in [
            (&b""[..], (0, 0, 0)),
            (b"  ", (2, 0, 0)),
            (b" a ", (1, 2, 0)),
            ("\u{3000}a\u{a0}\u{2003}\n".as_bytes(), (3, 4, 0)),
            (b"a \xe3\x80", (0, 1, 2)),
            (b"\xe3\x80", (0, 0, 2)),
            (b"a \xed\xa0\x80", (0, 1, 3)),
            (b"a\xed\xa0\x80\xed", (0, 1, 4)),
            (b"a\xed\xa0\x80\xed\xb0", (0, 1, 5)),
            (b"a\xff ", (0, 2, 0)),
            (b"\x80\x80 \x80", (0, 4, 0)),
            ("\u{1f600} ".as_bytes(), (0, 4, 0)),
            (b"\xf0\x9f\x98", (0, 0, 3)),
        ] {
            assert_eq!((lead(text, 0), solid(text, 0), incomplete(text)), want, "{text:?}");
        }
    }
}
