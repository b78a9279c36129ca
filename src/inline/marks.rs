//! Recognises the delimiters of a set of rows at a place in text that may not be complete.
//!
//! Where several could match, the order of the table decides, and one that could still match with more text makes
//! the others wait: the answer does not depend on how much has arrived.

use super::tags::{Row, TAGS};
use memchr::{memchr, memchr2, memchr3, memmem};
use wide::u8x16;

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

/// How far behind its first byte a delimiter may be spelled with an escape. Attributes go further, but begin sooner.
const NEAR: usize = 64;

struct Spelling {
    row: usize,
    role: Role,
    bytes: Vec<u8>,
}

impl Spelling {
    /// It opens or closes a block.
    fn is_block(&self) -> bool {
        matches!(self.role, Role::Open | Role::Close)
    }
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
    /// The ASCII bytes that an opener or a closer can begin with.
    block: Vec<u8>,
    /// What may follow `<` in an opener or a closer, in JSON.
    follow: Vec<bool>,
    /// What may follow `<` in a word tag.
    beside_word: Vec<bool>,
    /// Which of `exact` have this second byte.
    second: Vec<Vec<u16>>,
    /// Delimiters that begin with a byte that is frequent in text of other languages: their first characters.
    wide: Vec<memmem::Finder<'static>>,
    /// The code units of the first characters, without their last hexadecimal digit.
    units: Vec<u16>,
    escape: memmem::Finder<'static>,
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
        let mut second = vec![Vec::new(); 256];
        for (i, s) in exact.iter().enumerate() {
            // A delimiter of one byte is told by that byte alone.
            let bytes = s.bytes.get(1).map_or(0..=255, |b| *b..=*b);
            bytes.for_each(|b| second[usize::from(b)].push(i as u16));
        }
        let first_of_word = |b: u8| words.iter().any(|(w, _)| w[0] == b.to_ascii_lowercase());
        let beside_word = (0..=255).map(|b| matches!(b, b' ' | b'\t' | b'/') || first_of_word(b)).collect();
        let starts = |b: u8| {
            let exact = || exact.iter().any(|s| s.is_block() && s.bytes.get(1).is_none_or(|c| *c == b));
            let word = || matches!(b, b' ' | b'\t') || first_of_word(b);
            matches!(b, b'/' | b'\\') || exact() || word()
        };
        let follow = (0..=255).map(starts).collect();
        let firsts =
            exact.iter().filter(|s| s.is_block()).filter_map(|s| std::str::from_utf8(&s.bytes).ok()?.chars().next());
        let mut firsts: Vec<char> = firsts.chain((!words.is_empty()).then_some('<')).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let units = firsts.iter().map(|c| c.encode_utf16(&mut [0; 2])[0] >> 4).collect();
        let wide = firsts.iter().filter(|c| !c.is_ascii());
        let wide = wide.map(|c| memmem::Finder::new(c.encode_utf8(&mut [0; 4])).into_owned()).collect();
        let block = firsts.iter().filter(|c| c.is_ascii()).map(|c| *c as u8).collect();
        Self {
            beside_word,
            follow,
            block,
            rows,
            exact,
            words,
            first,
            second,
            wide,
            units,
            escape: memmem::Finder::new(b"\\u"),
        }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The first place from `at` on where a delimiter may begin.
    #[inline]
    pub(super) fn candidate(&self, text: &[u8], at: usize) -> Option<usize> {
        search(&self.first, text, at)
    }

    /// Whether `raw`, the inside of a JSON string, may hold a delimiter, escaped or not. Never misses one.
    pub fn may_hold(&self, raw: &[u8], escaped: bool) -> bool {
        let mut at = 0;
        while let Some(i) = search(&self.block, raw, at) {
            if self.may_begin(raw, i, escaped) {
                return true;
            }
            at = i + 1;
        }
        let mut wide = self.wide.iter().flat_map(|c| c.find_iter(raw));
        wide.any(|i| self.may_begin(raw, i, escaped)) || escaped && self.may_begin_escaped(raw)
    }

    /// Whether a delimiter may begin at `i`, where its first character stands as itself.
    fn may_begin(&self, raw: &[u8], i: usize, escaped: bool) -> bool {
        if raw[i] == b'<' && !raw.get(i + 1).is_some_and(|b| self.follow[usize::from(*b)]) {
            return false;
        }
        // Where an escape follows closely, what it spells is not looked at.
        let near = &raw[i..raw.len().min(i + NEAR)];
        (escaped && self.may_go_on(near))
            || matches!(self.at(raw, i, true), Hit::Yes(m) if matches!(m.role, Role::Open | Role::Close))
    }

    /// Whether a `\u` escape may be the first character of a delimiter.
    fn may_begin_escaped(&self, raw: &[u8]) -> bool {
        let mut at = 0;
        while let Some(n) = self.escape.find(&raw[at..]) {
            at += n;
            // In text that is not ASCII escapes stand back to back.
            while let Some([b'\\', b'u', a, b, c, _]) = raw.get(at..at + 6) {
                let unit = [a, b, c].iter().fold(0, |unit, digit| unit << 4 | hex_digit(**digit));
                if self.units.contains(&unit) {
                    return true;
                }
                at += 6;
            }
            at = at.max(raw.len().min(at + 1));
        }
        false
    }

    /// Whether what begins like a delimiter goes on with an escape that may spell the rest of it.
    fn may_go_on(&self, near: &[u8]) -> bool {
        let Some(n) = memchr(b'\\', near) else { return false };
        let exact = || self.exact.iter().any(|s| s.is_block() && s.bytes.starts_with(&near[..n]));
        match near.get(n + 1) {
            None | Some(b'u' | b'/') => exact() || self.word_at(&near[..n], false) != Hit::No,
            // White space and quotes stand beside a name and in attributes.
            Some(b't' | b'n' | b'r' | b'"') => self.word_at(&near[..n], false) != Hit::No,
            _ => false,
        }
    }

    /// What stands at `i`. `eof`: nothing comes after `text`.
    pub(super) fn at(&self, text: &[u8], i: usize, eof: bool) -> Hit {
        let rest = &text[i..];
        if let Some(b) = rest.get(1).map(|b| usize::from(*b))
            && self.second[b].is_empty()
            && !(rest[0] == b'<' && self.beside_word[b])
        {
            return Hit::No;
        }
        let word = self.word_at(rest, eof);
        let word_row = if let Hit::Yes(mark) = word { mark.row } else { 0 };
        let all: Vec<u16>;
        let second = match rest.get(1) {
            Some(b) => self.second[usize::from(*b)].as_slice(),
            None => {
                all = (0..self.exact.len() as u16).collect();
                &all
            }
        };
        for s in second.iter().map(|i| &self.exact[usize::from(*i)]) {
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

    fn word_at(&self, rest: &[u8], eof: bool) -> Hit {
        if rest.first() == Some(&b'<') && !self.words.is_empty() { self.word(rest, eof) } else { Hit::No }
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

#[inline]
fn search(bytes: &[u8], text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let found = match bytes {
        [] => None,
        [a] => memchr(*a, rest),
        [a, b] => memchr2(*a, *b, rest),
        [a, b, c] => memchr3(*a, *b, *c, rest),
        many => any_of(many, rest),
    };
    found.map(|n| at + n)
}

/// As `memchr`, for more than three bytes.
fn any_of(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let (blocks, rest) = text.as_chunks::<16>();
    for (i, block) in blocks.iter().enumerate() {
        let block = u8x16::new(*block);
        let found = bytes.iter().fold(u8x16::splat(0), |found, b| found | block.simd_eq(u8x16::splat(*b)));
        let found = found.to_bitmask();
        if found != 0 {
            return Some(i * 16 + found.trailing_zeros() as usize);
        }
    }
    rest.iter().position(|b| bytes.contains(b)).map(|n| blocks.len() * 16 + n)
}

fn hex_digit(b: u8) -> u16 {
    char::from(b).to_digit(16).unwrap_or(0) as u16
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
    fn no_delimiter_is_overlooked_in_escapes() {
        let tags = Tags::default();
        for (raw, want) in [
            ("plain <b>text</b> <table> a < b", false),
            (r#"say \"hi\" <b>\n</b> \u00e9 \u4e2d <a href=\"x\">"#, false),
            ("<think>", true),
            (r"\u003cthink>", true),
            (r"\u003Cthink>", true),
            (r"<\u0074hink>", true),
            (r"<\/think>", true),
            (r"< \/ think>", true),
            (r#"<think a=\"b\">"#, true),
            (r"\u25c1think", true),
            (r"\u25C1think", true),
            (r"<|START\u005f", true),
            (r"\u005bTHINK]", true),
            ("◁think▷", true),
        ] {
            assert_eq!(tags.may_hold(raw.as_bytes(), raw.contains('\\')), want, "{raw}");
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
