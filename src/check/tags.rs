//! Finds tags in an answer: plain, escaped for HTML, or with white space or zero-width characters in them.

use crate::inline::TAGS;
use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::OnceLock;

/// The names of elements that hold reasoning, without names that have other uses.
fn names() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let elements = TAGS.iter().filter(|row| row.word && row.default).map(|row| row.element());
        let mut names: Vec<String> =
            elements.filter(|(_, attribute)| attribute.is_none()).map(|(name, _)| name.to_ascii_lowercase()).collect();
        names.sort();
        names.dedup();
        names
    })
}

/// Delimiters that are no word tags, and whether they close.
fn delimiters() -> &'static [(Finder<'static>, bool)] {
    static DELIMITERS: OnceLock<Vec<(Finder<'static>, bool)>> = OnceLock::new();
    DELIMITERS.get_or_init(|| {
        let rows = TAGS.iter().filter(|row| !row.word && row.default && row.headers.is_none() && !row.phrase);
        let mut all: Vec<(&str, bool)> =
            rows.flat_map(|row| [(row.open.as_ref(), false), (row.close.as_ref(), true)]).collect();
        all.retain(|(text, _)| !text.contains(char::is_whitespace) && !text.starts_with('/'));
        all.sort_unstable();
        all.dedup_by_key(|(text, _)| *text);
        all.into_iter().map(|(text, closes)| (Finder::new(text), closes)).collect()
    })
}

/// A tag in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub at: Range<usize>,
    /// It is a closing one.
    pub closes: bool,
    /// It is escaped, or broken by white space or characters that nobody sees.
    pub disguised: bool,
}

/// The longest tag, in characters, with those that disguise it.
const MAX_TAG_CHARS: usize = 96;

/// The tags of a text, in order.
pub(super) fn tags(text: &str) -> Vec<Tag> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    for (delimiter, closes) in delimiters() {
        let at = delimiter.find_iter(bytes).map(|at| at..at + delimiter.needle().len());
        found.extend(at.map(|at| Tag { at, closes: *closes, disguised: false }));
    }
    let mut at = 0;
    let begins = |b: &u8| matches!(b, b'<' | b'&' | b'\\' | b'%' | 0xEF);
    while let Some(n) = bytes[at..].iter().position(begins) {
        at += n;
        let end = if text.is_char_boundary(at) { tag(&text[at..]) } else { None };
        match end {
            Some((len, closes)) => {
                let plain = |b: u8| b.is_ascii_alphanumeric() || b"<>/_-:".contains(&b);
                let disguised = !bytes[at..at + len].iter().all(|b| plain(*b));
                found.push(Tag { at: at..at + len, closes, disguised });
                at += len;
            }
            None => at += 1,
        }
    }
    found.sort_by_key(|tag| (tag.at.start, tag.at.end));
    found.dedup_by(|next, last| next.at.start < last.at.end);
    found
}

/// Spellings of an opening bracket, by programs that escape it.
pub(super) const OPEN_BRACKETS: [&str; 9] = ["<", "&lt;", "&amp;lt;", "&#60;", "&#x3c;", "\\u003c", "\\<", "%3c", "＜"];
pub(super) const CLOSE: [&str; 9] = [">", "&gt;", "&amp;gt;", "&#62;", "&#x3e;", "\\u003e", "\\>", "%3e", "＞"];

/// The length of the tag that a text begins with, and whether it closes.
fn tag(text: &str) -> Option<(usize, bool)> {
    let mut name = String::new();
    let (mut at, mut closes) = (angle(text, &OPEN_BRACKETS)?, false);
    while at < MAX_TAG_CHARS {
        let rest = text.get(at..)?;
        let c = rest.chars().next()?;
        if let Some(len) = angle(rest, &CLOSE) {
            let known = names().iter().any(|known| known.len() == name.len() && known.eq_ignore_ascii_case(&name));
            return known.then_some((at + len, closes));
        }
        match c {
            '/' | '\\' if name.is_empty() => closes = true,
            '%' if name.is_empty() && rest.get(..3).is_some_and(|hex| hex.eq_ignore_ascii_case("%2f")) => {
                closes = true;
                at += 2;
            }
            '/' if closes => return None,
            c if c.is_whitespace() || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}') => (),
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':') => name.push(c),
            _ => return None,
        }
        at += c.len_utf8();
    }
    None
}

/// The length of the bracket in one of these spellings at the start of a text.
pub(super) fn angle(text: &str, spellings: &[&str]) -> Option<usize> {
    let is = |spelling: &&&str| text.get(..spelling.len()).is_some_and(|head| head.eq_ignore_ascii_case(spelling));
    spellings.iter().find(is).map(|spelling| spelling.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_tag() {
        for (text, want) in [
            ("a &lt;think&gt; b", vec!["&lt;think&gt;"]),
            ("a &lt;/THINK&gt;", vec!["&lt;/THINK&gt;"]),
            ("< / think >", vec!["< / think >"]),
            ("<th\u{200B}ink> x </th\u{200B}ink>", vec!["<th\u{200B}ink>", "</th\u{200B}ink>"]),
            ("＜think＞", vec!["＜think＞"]),
            ("&#60;thinking&#62;", vec!["&#60;thinking&#62;"]),
            ("&amp;lt;think&amp;gt; \\u003c/think\\u003e", vec!["&amp;lt;think&amp;gt;", "\\u003c/think\\u003e"]),
            ("\\<think\\> %3C%2Fthink%3E", vec!["\\<think\\>", "%3C%2Fthink%3E"]),
            ("a <think> b</THINK>", vec!["<think>", "</THINK>"]),
            ("[THINK] ◁/think▷", vec!["[THINK]", "◁/think▷"]),
            ("<|inner_prefix|>a<|inner_suffix|><|end|>", vec!["<|inner_prefix|>", "<|inner_suffix|>"]),
            ("a < b > c", vec![]),
            ("&lt;b&gt; <thinker> <think", vec![]),
            ("Vec<think, u8>", vec![]),
            ("&amp; < & <", vec![]),
        ] {
            let found: Vec<&str> = tags(text).into_iter().map(|tag| &text[tag.at]).collect();
            assert_eq!(found, want, "{text:?}");
            for Tag { at, closes, disguised } in tags(text) {
                let tag = &text[at];
                assert_eq!(closes, tag.contains('/') || tag.contains("%2F") || tag.contains("_suffix"), "{tag:?}");
                assert_eq!(
                    disguised,
                    !["<think>", "</THINK>", "[THINK]", "◁/think▷"].contains(&tag) && !tag.contains('|')
                );
            }
        }
    }
}
