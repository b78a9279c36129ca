//! Recognises the delimiters of a set of rows at a place in text that may not be complete.
//!
//! Where several could match, the order of the table decides, and one that could still match with more text makes
//! the others wait: the answer does not depend on how much has arrived.

use super::tags::{Row, TAGS};
use memchr::{memchr, memchr2, memchr3};

/// What a delimiter does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Open,
    Close,
    WrapOpen(u8),
    WrapClose(u8),
    Tool,
}

/// A delimiter that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub row: usize,
    pub role: Role,
    pub len: usize,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    No,
    /// More text decides.
    Partial,
    /// Only `<` or `>` decides, and neither has arrived.
    Attributes,
    Yes(Mark),
}

/// How much white space may stand beside the name of a word tag.
const SPACES: usize = 8;

struct Spelling {
    row: usize,
    role: Role,
    bytes: Vec<u8>,
}

/// The rows that are looked for, ready for searching.
pub struct Tags {
    rows: Vec<Row>,
    /// Exact delimiters in table order.
    exact: Vec<Spelling>,
    /// Lower-case names of word tags with their row.
    words: Vec<(Vec<u8>, usize)>,
    /// The bytes a delimiter can begin with, at most three for the fast search.
    first: Vec<u8>,
}

impl Default for Tags {
    fn default() -> Self {
        Self::new(TAGS.to_vec())
    }
}

impl Tags {
    /// At most this many rows can be in force.
    pub const MAX_ROWS: usize = 64;

    /// A set of rows.
    pub fn new(rows: Vec<Row>) -> Self {
        let (mut exact, mut words) = (Vec::new(), Vec::new());
        for (row, r) in rows.iter().enumerate().take(Self::MAX_ROWS) {
            let mut add = |role, text: &str| exact.push(Spelling { row, role, bytes: text.as_bytes().to_vec() });
            if r.word {
                words.push((r.open.trim_matches(['<', '>']).to_ascii_lowercase().into_bytes(), row));
            } else {
                add(Role::Open, &r.open);
                add(Role::Close, &r.close);
            }
            for (i, (open, close)) in r.wrappers.iter().enumerate() {
                add(Role::WrapOpen(i as u8), open);
                add(Role::WrapClose(i as u8), close);
            }
            r.tools.iter().for_each(|tool| add(Role::Tool, tool));
        }
        let mut first: Vec<u8> = exact.iter().filter_map(|s| s.bytes.first().copied()).collect();
        first.extend((!words.is_empty()).then_some(b'<'));
        first.sort_unstable();
        first.dedup();
        Self { rows, exact, words, first }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The first place from `at` on where a delimiter may begin.
    #[inline]
    pub(super) fn candidate(&self, text: &[u8], at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let found = match self.first.as_slice() {
            [] => None,
            [a] => memchr(*a, rest),
            [a, b] => memchr2(*a, *b, rest),
            [a, b, c] => memchr3(*a, *b, *c, rest),
            many => rest.iter().position(|b| many.contains(b)),
        };
        found.map(|n| at + n)
    }

    /// Whether `raw`, the inside of a JSON string, may hold a delimiter, escaped or not. Never misses one.
    pub fn may_hold(&self, raw: &[u8], escaped: bool) -> bool {
        if escaped && memchr::memmem::find(raw, b"\\u").is_some() {
            return true;
        }
        let mut at = 0;
        while let Some(n) = self.candidate(raw, at) {
            // With escapes about, only what no escape can hide is looked at: the first bytes.
            if escaped || self.at(raw, n, true) != Hit::No {
                return true;
            }
            at = n + 1;
        }
        false
    }

    /// What stands at `i`. `eof`: nothing comes after `text`.
    pub(super) fn at(&self, text: &[u8], i: usize, eof: bool) -> Hit {
        let rest = &text[i..];
        let word = if rest[0] == b'<' && !self.words.is_empty() { self.word(rest, eof) } else { Hit::No };
        let word_row = if let Hit::Yes(mark) = word { mark.row } else { 0 };
        for s in &self.exact {
            if matches!(word, Hit::Yes(_)) && word_row < s.row {
                break;
            }
            if rest.starts_with(&s.bytes) {
                return Hit::Yes(Mark { row: s.row, role: s.role, len: s.bytes.len() });
            }
            if !eof && s.bytes.starts_with(rest) {
                return Hit::Partial;
            }
        }
        word
    }

    /// A word tag: `<`, spaces, `/`, spaces, name, spaces or attributes, `>`.
    fn word(&self, rest: &[u8], eof: bool) -> Hit {
        let more = if eof { Hit::No } else { Hit::Partial };
        let mut at = 1 + blanks(&rest[1..]);
        let close = rest.get(at) == Some(&b'/');
        if close {
            at += 1;
            at += blanks(&rest[at..]);
        }
        if at > 2 + 2 * SPACES {
            return Hit::No;
        }
        let name = &rest[at..];
        let len = name.iter().take(32).take_while(|b| is_name(**b)).count();
        if at + len == rest.len() {
            let begun = self.words.iter().any(|(word, _)| starts_folded(word, &name[..len]));
            return if begun { more } else { Hit::No };
        }
        let Some(&(_, row)) = self.words.iter().find(|(word, _)| folded(word, &name[..len])) else {
            return Hit::No;
        };
        // `<REASONING>` with attributes or spaces is not the strict tag, and must not become its lower-case cousin.
        if name[..len] == *b"REASONING" && self.rows.iter().any(|r| r.strict) {
            return Hit::No;
        }
        let after = &name[len..];
        let role = if close { Role::Close } else { Role::Open };
        let spaces = blanks(after);
        match after.get(spaces) {
            None if spaces > SPACES => Hit::No,
            None => more,
            Some(b'>') => Hit::Yes(Mark { row, role, len: at + len + spaces + 1 }),
            Some(_) if close || !after[0].is_ascii_whitespace() => Hit::No,
            Some(_) => match memchr2(b'<', b'>', after) {
                Some(n) if after[n] == b'>' && attributes(&after[..n]) => {
                    Hit::Yes(Mark { row, role, len: at + len + n + 1 })
                }
                Some(_) => Hit::No,
                None if eof => Hit::No,
                None => Hit::Attributes,
            },
        }
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(SPACES + 1).take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.')
}

fn folded(word: &[u8], name: &[u8]) -> bool {
    word.eq_ignore_ascii_case(name)
}

fn starts_folded(word: &[u8], name: &[u8]) -> bool {
    word.get(..name.len()).is_some_and(|w| folded(w, name))
}

/// `name="value"` and its unquoted and single-quoted forms, any number of them. Bare words are prose.
fn attributes(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        if text.is_empty() {
            return true;
        }
        let name = text.iter().take_while(|b| is_name(**b)).count();
        let Some(value) = text[name..].trim_ascii_start().strip_prefix(b"=") else {
            return false;
        };
        let value = value.trim_ascii_start();
        let len = match value.first() {
            Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &value[1..]) {
                Some(n) => n + 2,
                None => return false,
            },
            _ => value.iter().take_while(|b| !b.is_ascii_whitespace()).count(),
        };
        if name == 0 || len == 0 {
            return false;
        }
        text = &value[len..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(text: &str, eof: bool) -> Hit {
        Tags::default().at(text.as_bytes(), 0, eof)
    }

    fn row(text: &str) -> Option<(String, Role, usize)> {
        let tags = Tags::default();
        match tags.at(text.as_bytes(), 0, true) {
            Hit::Yes(m) => Some((tags.rows()[m.row].name.to_string(), m.role, m.len)),
            _ => None,
        }
    }

    #[test]
    fn recognises() {
        for (text, name, role, len) in [
            ("<think>x", "think", Role::Open, 7),
            ("</think >", "think", Role::Close, 9),
            ("< think>", "think", Role::Open, 8),
            ("<ThInK>", "think", Role::Open, 7),
            ("<REASONING>", "REASONING", Role::Open, 11),
            ("<Reasoning>", "reasoning", Role::Open, 11),
            ("<think a='1' b = \"2\" c=3>", "think", Role::Open, 25),
            ("◁/think▷", "◁think▷", Role::Close, 12),
            ("<tool_call>", "think", Role::Tool, 11),
        ] {
            assert_eq!(row(text), Some((name.to_string(), role, len)), "{text}");
        }
        for text in [
            "<think",
            "<thin>",
            "<think/>",
            "<think about it>",
            "<REASONING >",
            "</think a=\"1\">",
            "<think a=\"x<y\">",
            "[think]",
        ] {
            assert_eq!(row(text), None, "{text}");
        }
    }

    #[test]
    fn waits_exactly_while_it_must() {
        for (text, want) in [
            ("<", Hit::Partial),
            ("</thi", Hit::Partial),
            ("<think", Hit::Partial),
            ("<think ", Hit::Partial),
            ("<think a", Hit::Attributes),
            ("<think-", Hit::No),
            ("<thinx", Hit::No),
            ("<b", Hit::No),
            ("[TH", Hit::Partial),
            ("<|START_", Hit::Partial),
            ("<REASONING", Hit::Partial),
        ] {
            assert_eq!(hit(text, false), want, "{text}");
            assert_eq!(hit(text, true), Hit::No, "{text} at the end");
        }
    }
}
