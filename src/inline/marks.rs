//! Recognises the delimiters of a set of rows at a place in a text, whose end may not have arrived.
//!
//! If several could match, the order of the table decides. One that could still match with more text makes the others
//! wait, so that the result does not depend on how much text has arrived.

pub(super) mod label;
pub(super) mod lost;
mod need;
mod set;
mod spelling;
mod stands;
mod word;

pub use self::set::Tags;
use self::spelling::{Fit, Spelling, by_byte};
use super::headers::{self, HeaderHit, MessageKind};
use super::tags::{Headers, Missing, Row, SharedKinds};
use memchr::{memchr, memchr2, memchr3, memmem};
use std::sync::Arc;
use wide::u8x16;

/// The effect of a delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkRole {
    Open,
    Close,
    WrapOpen(u8),
    WrapClose(u8),
    /// A token that frames the answer. True: the beginning of a part of it.
    Marker(bool),
    Tool(u8),
    /// The header of a message.
    Header(MessageKind),
    /// The end of a message.
    End,
    /// The end of a header.
    Message,
    /// A tag that opens no block; inside of a block it nests.
    Nested,
}

impl MarkRole {
    /// Whether it stays wherever it stands in visible text.
    pub fn is_kept(self) -> bool {
        matches!(
            self,
            MarkRole::Tool(_) | MarkRole::WrapOpen(_) | MarkRole::WrapClose(_) | MarkRole::Message | MarkRole::Nested
        )
    }
}

/// A delimiter that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundMark {
    pub row: usize,
    pub role: MarkRole,
    pub len: usize,
    /// A hash of the suffix in the name of a word tag; 0 if there is none.
    pub suffix: u32,
}

/// What was found at a place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkHit {
    No,
    /// More text decides.
    Partial,
    /// The next `<` or `>` decides, and neither has arrived.
    Attributes,
    Yes(FoundMark),
}

/// The most white space beside the name of a word tag, in bytes.
const SPACES: usize = 8;

/// How far behind its first byte a delimiter may hold an escape, in bytes. Attributes are longer, but begin sooner.
const MAX_BYTES_TO_ESCAPE: usize = 64;

/// The bytes by which places are found where a delimiter may stand.
#[derive(Clone)]
struct DelimiterBytes {
    /// The first bytes of delimiters: at most three allow the fast search.
    first: Vec<u8>,
    /// The first ASCII bytes of opening and closing delimiters.
    block: Vec<u8>,
    /// For each byte, whether it may follow `<` in an opening or closing delimiter, in JSON.
    follow: Vec<bool>,
    /// For each byte, whether it may follow `<` in a word tag.
    beside_word: Vec<bool>,
    /// For each second byte, the indices of delimiters in `exact`.
    second: Vec<Vec<u16>>,
    /// For each first byte, the indices of opening delimiters in `prose`.
    start: Vec<Vec<u16>>,
    /// The first characters of delimiters whose first byte is frequent in text of other languages.
    wide: Vec<memmem::Finder<'static>>,
    /// The first byte of all of them, if it is one.
    wide_byte: Option<u8>,
    /// For each code unit without its last hexadecimal digit: whether these characters have it, or those of ASCII that are
    /// seen, with which the lines of a terminal may be spelled.
    units: Vec<bool>,
}

/// What a set of rows is searched by.
#[derive(Clone)]
pub struct TagTable {
    rows: Vec<Row>,
    /// For each row, whether its opening delimiter may be missing.
    lacks: Vec<bool>,
    /// Exact delimiters in table order.
    exact: Vec<Spelling>,
    /// Delimiters of phrase rows: they are searched for at the start of a message, and elsewhere only once one was
    /// found.
    prose: Vec<Spelling>,
    /// The first bytes of delimiters where phrases count, too.
    prose_first: Vec<u8>,
    /// Rows whose delimiters are headers of messages.
    headers: Vec<(usize, Headers)>,
    /// Lower-case names of word tags with their row.
    words: Vec<(Vec<u8>, usize)>,
    /// The indices of those whose name may have a suffix.
    suffixed: Vec<usize>,
    /// The bytes by which places are found where a delimiter may stand.
    bytes: DelimiterBytes,
    escape: memmem::Finder<'static>,
    /// The delimiters of sections inside of reasoning.
    redactions: Option<Tags>,
}

impl Tags {
    /// The most rows that can be in force.
    pub const MAX_ROWS: usize = 128;

    /// Prepares a set of rows.
    pub fn new(rows: Vec<Row>) -> Self {
        let alone = rows.len() == 1;
        let may_lack = |r: &Row| r.missing_open == Missing::Yes || r.missing_open == Missing::Alone && alone;
        let (mut exact, mut words, mut prose, mut headers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (row, r) in rows.iter().enumerate().take(Self::MAX_ROWS) {
            let mut add = |role, text: &str| match text.is_empty() {
                true => (),
                false if r.phrase && (role == MarkRole::Open || role == MarkRole::Close && !may_lack(r)) => {
                    prose.push(Spelling::new(&rows, row, role, text));
                    // Programs may end their lines with a carriage return, too.
                    if text.contains('\n') {
                        prose.push(Spelling::new(&rows, row, role, &text.replace('\n', "\r\n")));
                    }
                }
                false => exact.push(Spelling::new(&rows, row, role, text)),
            };
            if r.word {
                words.push((r.element().0.to_ascii_lowercase().into_bytes(), row));
            } else if let Some(kind) = r.headers {
                headers.push((row, kind));
            } else {
                r.open_spellings().iter().for_each(|open| add(MarkRole::Open, open));
                r.close_spellings().iter().for_each(|close| add(MarkRole::Close, close));
            }
            for (i, (open, close)) in r.wrappers.iter().enumerate() {
                add(MarkRole::WrapOpen(i as u8), open);
                add(MarkRole::WrapClose(i as u8), close);
            }
            for (open, close) in r.markers.iter() {
                add(MarkRole::Marker(true), open);
                add(MarkRole::Marker(false), close);
            }
            r.tools.iter().enumerate().for_each(|(i, (open, _))| add(MarkRole::Tool(i as u8), open));
        }
        let mut first: Vec<u8> = exact.iter().filter_map(|s| s.bytes.first().copied()).collect();
        first.extend((!words.is_empty() || !headers.is_empty()).then_some(b'<'));
        first.sort_unstable();
        first.dedup();
        let mut prose_first: Vec<u8> = prose.iter().map(|s| s.bytes[0]).chain(first.iter().copied()).collect();
        prose_first.sort_unstable();
        prose_first.dedup();
        // A delimiter of one byte matches with any second byte.
        let second = by_byte(&exact, |s| Some(s.bytes.get(1).map_or(0..=255, |b| *b..=*b)));
        let start = by_byte(&prose, |s| (s.role == MarkRole::Open).then(|| s.bytes[0]..=s.bytes[0]));
        let suffixed = (0..words.len()).filter(|i| rows[words[*i].1].suffix).collect();
        let first_of_word = |b: u8| words.iter().any(|(w, _)| w[0] == b.to_ascii_lowercase());
        let beside_word = (0..=255).map(|b| matches!(b, b' ' | b'\t' | b'/') || first_of_word(b)).collect();
        let starts = |b: u8| {
            let exact = || exact.iter().any(|s| s.is_block() && s.bytes.get(1).is_none_or(|c| *c == b));
            let word = || matches!(b, b' ' | b'\t') || first_of_word(b);
            matches!(b, b'/' | b'\\') || exact() || word() || !headers.is_empty() && b == b'|'
        };
        let follow = (0..=255).map(starts).collect();
        let firsts =
            exact.iter().filter(|s| s.is_block()).filter_map(|s| std::str::from_utf8(&s.bytes).ok()?.chars().next());
        let mut firsts: Vec<char> = firsts.chain((!words.is_empty() || !headers.is_empty()).then_some('<')).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let (wide, wide_byte) = wide_of(&firsts);
        let units = units_of(&firsts);
        let block = firsts.iter().filter(|c| c.is_ascii()).map(|c| *c as u8).collect();
        let bytes = DelimiterBytes { start, first, block, follow, beside_word, second, wide, wide_byte, units };
        Self(Arc::new(TagTable {
            bytes,
            lacks: lacks(&rows),
            rows,
            exact,
            prose_first,
            prose,
            headers,
            suffixed,
            words,
            escape: memmem::Finder::new(b"\\u"),
            redactions: None,
        }))
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether the opening delimiter of a row may be missing.
    pub(super) fn may_lack_open(&self, row: usize) -> bool {
        self.lacks[row]
    }

    /// Whether any delimiter consists of letters, digits and name characters only.
    pub fn has_plain_delimiter(&self) -> bool {
        let plain = |s: &Spelling| s.bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"_-.:".contains(b));
        self.exact.iter().chain(&self.prose).any(plain)
    }

    /// Whether the closing delimiter of a row is text if no block is open.
    pub(super) fn is_text_alone(&self, row: usize) -> bool {
        let tag = &self.rows[row];
        (tag.phrase || tag.word && tag.element().1.is_some()) && !self.lacks[row]
    }

    /// Whether there is a row of the marker form, in which nothing is decided before the marker.
    pub fn has_marker(&self) -> bool {
        self.rows.iter().any(|row| row.open.is_empty())
    }

    /// The first place from `at` on where a delimiter may begin. `prose`: also one of this phrase row.
    #[inline]
    pub(super) fn candidate(&self, text: &[u8], at: usize, prose: Option<usize>) -> Option<usize> {
        search(if prose.is_some() { &self.prose_first } else { &self.bytes.first }, text, at)
    }

    /// The phrase delimiter at `i`. `prose`: the phrase row that was found before.
    pub(super) fn at_prose(&self, text: &[u8], i: usize, eof: bool, prose: usize) -> MarkHit {
        self.first_fit(self.prose.iter().filter(|s| s.row == prose), &text[i..], eof)
    }

    /// A delimiter that counts only at the start of a message, at `i`, its first character.
    pub(super) fn at_start(&self, text: &[u8], i: usize, eof: bool) -> MarkHit {
        if i == text.len() && !eof && !self.prose.is_empty() {
            return MarkHit::Partial;
        }
        let hit = self.first_fit(self.opening(text.get(i)), &text[i..], eof);
        let harmony = self.headers.iter().find(|(_, kind)| *kind == Headers::Harmony);
        match (hit, harmony) {
            (MarkHit::No, Some((row, _))) => hit_of(headers::at_start(&text[i..], eof), *row),
            (hit, _) => hit,
        }
    }

    /// The phrases that open a block and begin with this byte.
    fn opening(&self, first: Option<&u8>) -> impl Iterator<Item = &Spelling> {
        let opens = first.map_or(&[][..], |first| &self.bytes.start[usize::from(*first)]);
        opens.iter().map(|i| &self.prose[usize::from(*i)])
    }

    fn first_fit<'a>(&self, all: impl Iterator<Item = &'a Spelling>, rest: &[u8], eof: bool) -> MarkHit {
        for s in all {
            match s.fit(rest, eof) {
                Fit::Whole(len) => return MarkHit::Yes(s.mark(len)),
                Fit::Partial => return MarkHit::Partial,
                Fit::No => (),
            }
        }
        MarkHit::No
    }

    /// The delimiter at `i`. `eof`: no text follows.
    pub(super) fn at(&self, text: &[u8], i: usize, eof: bool) -> MarkHit {
        let rest = &text[i..];
        if let Some(b) = rest.get(1).map(|b| usize::from(*b))
            && self.bytes.second[b].is_empty()
            && self.headers.is_empty()
            && !(rest[0] == b'<' && self.bytes.beside_word[b])
        {
            return MarkHit::No;
        }
        let word = self.word_at(rest, eof);
        let word_row = if let MarkHit::Yes(mark) = word { mark.row } else { 0 };
        let all: Vec<u16>;
        let second = match rest.get(1) {
            Some(b) => self.bytes.second[usize::from(*b)].as_slice(),
            None => {
                all = (0..self.exact.len() as u16).collect();
                &all
            }
        };
        for s in second.iter().map(|i| &self.exact[usize::from(*i)]) {
            if matches!(word, MarkHit::Yes(_)) && word_row < s.row {
                break;
            }
            match s.fit(rest, eof) {
                // The incomplete word tag may be of a row that comes first.
                Fit::Whole(_) if matches!(word, MarkHit::Partial | MarkHit::Attributes) => return word,
                Fit::Whole(len) => return MarkHit::Yes(s.mark(len)),
                Fit::Partial => return MarkHit::Partial,
                Fit::No => (),
            }
        }
        match word {
            MarkHit::No if rest[0] == b'<' => self.header_at(rest, eof),
            word => word,
        }
    }

    /// The header or the end of a message at the start of `rest`.
    fn header_at(&self, rest: &[u8], eof: bool) -> MarkHit {
        let hits = self.headers.iter().map(|(row, kind)| hit_of(headers::at(*kind, rest, eof), *row));
        hits.into_iter().find(|hit| *hit != MarkHit::No).unwrap_or(MarkHit::No)
    }
}

/// For each code unit without its last hexadecimal digit: whether one of these characters has it, or one of ASCII that is
/// seen.
fn units_of(firsts: &[char]) -> Vec<bool> {
    let mut units = vec![false; 1 << 12];
    let of_firsts = firsts.iter().map(|c| c.encode_utf16(&mut [0; 2])[0] >> 4);
    of_firsts.chain(0x2..=0x7).for_each(|unit| units[usize::from(unit)] = true);
    units
}

/// Searches for the characters that are no ASCII, and their first byte, if it is one.
fn wide_of(firsts: &[char]) -> (Vec<memmem::Finder<'static>>, Option<u8>) {
    let wide: Vec<String> = firsts.iter().filter(|c| !c.is_ascii()).map(char::to_string).collect();
    let byte = wide.first().map(|c| c.as_bytes()[0]);
    let byte = byte.filter(|byte| wide.iter().all(|c| c.as_bytes()[0] == *byte));
    (wide.iter().map(|c| memmem::Finder::new(c).into_owned()).collect(), byte)
}

/// For each row, whether its opening delimiter may be missing. A closing delimiter that two rows share serves both.
fn lacks(rows: &[Row]) -> Vec<bool> {
    let may = |row: &Row| match row.missing_open {
        Missing::Yes => true,
        Missing::Alone => rows.len() == 1,
        Missing::No => false,
    };
    let plain = |row: &Row| row.headers.is_none() && !row.strict && !row.open.is_empty();
    let lacking: Vec<&Row> = rows.iter().filter(|row| may(row) && plain(row)).collect();
    let shares = |row: &Row| {
        let mut closes = std::iter::once(&row.close).chain(row.closes.iter());
        closes.any(|close| lacking.iter().any(|other| other.shares(SharedKinds::Close, close)))
    };
    rows.iter().map(|row| may(row) || plain(row) && shares(row)).collect()
}

fn hit_of(hit: HeaderHit, row: usize) -> MarkHit {
    let (role, len) = match hit {
        HeaderHit::No => return MarkHit::No,
        HeaderHit::Partial => return MarkHit::Partial,
        HeaderHit::Header { len, kind } => (MarkRole::Header(kind), len),
        HeaderHit::End { len } => (MarkRole::End, len),
        HeaderHit::Message { len } => (MarkRole::Message, len),
    };
    MarkHit::Yes(FoundMark { row, role, len, suffix: 0 })
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

/// As `memchr`, for any number of bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(text: &str, eof: bool) -> MarkHit {
        Tags::default().at(text.as_bytes(), 0, eof)
    }

    fn row(text: &str) -> Option<(String, MarkRole, usize)> {
        let tags = Tags::default();
        match tags.at(text.as_bytes(), 0, true) {
            MarkHit::Yes(m) => Some((tags.rows()[m.row].name.to_string(), m.role, m.len)),
            _ => None,
        }
    }

    #[test]
    fn recognises() {
        for (text, name, role, len) in [
            ("<think>x", "think", MarkRole::Open, 7),
            ("</think >", "think", MarkRole::Close, 9),
            ("< think>", "think", MarkRole::Open, 8),
            ("<ThInK>", "think", MarkRole::Open, 7),
            ("<REASONING>", "REASONING", MarkRole::Open, 11),
            ("<Reasoning>", "reasoning", MarkRole::Open, 11),
            ("<think a='1' b = \"2\" c=3>", "think", MarkRole::Open, 25),
            ("◁/think▷", "◁think▷", MarkRole::Close, 12),
            ("<tool_call>", "think", MarkRole::Tool(0), 11),
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
            (r"a\n\u0054hinking...", true),
            (r"a\n\u001b Thinking...\n", false),
            (r"\u25C1think", true),
            (r"<|START\u005f", true),
            (r"\u005bTHINK]", true),
            ("◁think▷", true),
        ] {
            assert_eq!(tags.may_hold(raw.as_bytes(), raw.contains('\\')), want, "{raw}");
        }
    }

    /// Every spelling, plain and with each of its characters escaped, behind a text and in front of one.
    #[test]
    fn no_spelling_is_overlooked() {
        let tags = Tags::default();
        for s in tags.exact.iter().filter(|s| s.is_block()) {
            let text: Vec<char> = std::str::from_utf8(&s.bytes).unwrap().chars().collect();
            for escaped in 0..=text.len() {
                let escape = |(i, c): (usize, &char)| match i == escaped {
                    true => c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
                    false => {
                        let quoted = serde_json::to_string(c).unwrap();
                        quoted[1..quoted.len() - 1].to_string()
                    }
                };
                let raw: String = text.iter().enumerate().map(escape).collect();
                for raw in [format!("a {raw} b"), raw.clone()] {
                    assert!(tags.may_hold(raw.as_bytes(), raw.contains('\\')), "{raw}");
                }
            }
        }
    }

    #[test]
    fn waits_exactly_while_it_must() {
        for (text, want) in [
            ("<", MarkHit::Partial),
            ("</thi", MarkHit::Partial),
            ("<think", MarkHit::Partial),
            ("<think ", MarkHit::Partial),
            ("<think a", MarkHit::Attributes),
            ("<think-", MarkHit::No),
            ("<thinx", MarkHit::No),
            ("<z", MarkHit::No),
            ("[TH", MarkHit::Partial),
            ("<|START_", MarkHit::Partial),
            ("<REASONING", MarkHit::Partial),
        ] {
            assert_eq!(hit(text, false), want, "{text}");
            assert_eq!(hit(text, true), MarkHit::No, "{text} at the end");
        }
    }
}
