//! Copies of reasoning: texts that are removed from a record, and stand elsewhere in it once more.

use crate::json::{Scanner, Token, text};
use std::collections::{BTreeMap, HashSet};

/// The shortest text that counts, in bytes, with each run of white space as one.
const MIN_COPY_BYTES: usize = 16;

/// The most bytes of a text that must stand elsewhere: of a shorter text, all of it.
const MAX_COMPARED_BYTES: usize = 48;

/// How many bytes of a string are decoded first: most texts are longer than what is compared of them.
const START: usize = 64;

/// Texts of reasoning, prepared to be found in other texts. The time for a search does not depend on their number.
#[derive(Debug)]
pub(in crate::dialect) struct CopySearch {
    /// Their beginnings, by length, with a hash of each.
    beginnings: BTreeMap<usize, (HashSet<u64>, HashSet<Vec<u8>>)>,
    /// The length of the longest text that they are looked for in, in bytes: what is longer need not be known.
    longest: usize,
}

impl Default for CopySearch {
    fn default() -> Self {
        Self { beginnings: BTreeMap::new(), longest: usize::MAX }
    }
}

impl CopySearch {
    /// Texts that are looked for in others of so many bytes at the most. None if no text may stand in these.
    pub fn within(longest: usize) -> Option<Self> {
        (longest >= MIN_COPY_BYTES).then(|| Self { longest, ..Self::default() })
    }

    /// Whether there is no text to find.
    pub fn is_empty(&self) -> bool {
        self.beginnings.is_empty()
    }

    /// Adds a text of reasoning: the inside of a JSON string.
    pub fn add_raw(&mut self, raw: &[u8]) {
        if is_longer(raw, self.longest) {
            return;
        }
        // No escape has a space in it.
        let start = raw.get(..START).and_then(|start| Some(&start[..memchr::memrchr(b' ', start)?]));
        if let Some(start) = start {
            let folded = folded(&text::decoded(start), self.most());
            if folded.len() >= self.most() {
                return self.add_folded(folded);
            }
        }
        self.add(&text::decoded(raw));
    }

    /// Adds a text of reasoning.
    pub fn add(&mut self, plain: &[u8]) {
        self.add_folded(folded(plain, self.most()));
    }

    /// How many bytes of a text must be known.
    fn most(&self) -> usize {
        MAX_COMPARED_BYTES.min(self.longest.saturating_add(1))
    }

    fn add_folded(&mut self, mut folded: Vec<u8>) {
        if folded.len() < MIN_COPY_BYTES || folded.len() > self.longest {
            return;
        }
        folded.truncate(MAX_COMPARED_BYTES);
        let (hashes, texts) = self.beginnings.entry(folded.len()).or_default();
        hashes.insert(folded.iter().fold(0, |sum, b| one_more(sum, *b)));
        texts.insert(folded);
    }

    /// The first string in the value that begins at `start` that has one of the texts in it, or begins a list whose strings
    /// together have it, as lists of tokens do: where its quote stands.
    pub fn first_in(&self, record: &[u8], start: usize) -> Option<usize> {
        let mut s = Scanner::within(record, start);
        let (mut depth, mut list, mut key) = (0_usize, None, None);
        let mut texts = ListTexts::default();
        loop {
            let token = s.token().ok()?;
            match token {
                Token::ObjectStart | Token::ArrayStart => {
                    list = list.or((token == Token::ArrayStart).then_some(depth));
                    (depth, key) = (depth + 1, None);
                }
                Token::ObjectEnd | Token::ArrayEnd => depth = depth.saturating_sub(1),
                Token::String(literal) => {
                    let plain = text::decoded(literal.raw(record));
                    if self.are_in(&plain) {
                        return Some(literal.start - 1);
                    }
                    if list.is_some() {
                        texts.add(key, &plain, literal.start - 1);
                    }
                }
                Token::End => return None,
                Token::Key(name) => {
                    key = list.map(|_| name.raw(record));
                    continue;
                }
                _ => (),
            }
            if list == Some(depth) && token == Token::ArrayEnd {
                let joined = std::mem::take(&mut texts).first(|text| self.are_in(text));
                if joined.is_some() {
                    return joined;
                }
                list = None;
            }
            if depth == 0 {
                return None;
            }
        }
    }

    /// Whether one of the texts stands in this one.
    pub fn are_in(&self, plain: &[u8]) -> bool {
        let folded = folded(plain, usize::MAX);
        self.beginnings.iter().any(|(len, (hashes, texts))| {
            let power = (1..*len).fold(1_u64, |power, _| power.wrapping_mul(BASE));
            let mut sum: u64 = 0;
            folded.iter().enumerate().any(|(i, b)| {
                if i >= *len {
                    sum = sum.wrapping_sub(u64::from(folded[i - len]).wrapping_add(1).wrapping_mul(power));
                }
                sum = one_more(sum, *b);
                i + 1 >= *len && hashes.contains(&sum) && texts.contains(&folded[i + 1 - len..=i])
            })
        })
    }
}

/// The strings of a list, put together: those under each key, and those that are elements.
#[derive(Default)]
struct ListTexts<'a>(Vec<ListText<'a>>);

struct ListText<'a> {
    key: Option<&'a [u8]>,
    /// Where the first string stands, and how many there are.
    at: usize,
    strings: usize,
    /// One behind the other, and with a space between them, as sentences have it.
    glued: Vec<u8>,
    spaced: Vec<u8>,
}

/// The most keys whose strings are put together.
const MAX_KEYS: usize = 8;

impl<'a> ListTexts<'a> {
    fn add(&mut self, key: Option<&'a [u8]>, plain: &[u8], at: usize) {
        let known = self.0.iter().position(|text| text.key == key);
        let number = known.unwrap_or(self.0.len());
        if number == MAX_KEYS {
            return;
        }
        if known.is_none() {
            self.0.push(ListText { key, at, strings: 0, glued: Vec::new(), spaced: Vec::new() });
        }
        let text = &mut self.0[number];
        text.strings += 1;
        text.glued.extend_from_slice(plain);
        text.spaced.extend_from_slice(plain);
        text.spaced.push(b' ');
    }

    /// Where the first text of several strings stands of which this is true.
    fn first(self, is: impl Fn(&[u8]) -> bool) -> Option<usize> {
        let mut several = self.0.into_iter().filter(|text| text.strings > 1);
        several.find(|text| is(&text.glued) || is(&text.spaced)).map(|text| text.at)
    }
}

/// Whether a text, the inside of a JSON string, is longer than this for sure: a quick check.
fn is_longer(raw: &[u8], than: usize) -> bool {
    // What an escape stands for is not looked at, nor is white space, of which a run counts as one byte.
    let plain = raw.iter().take_while(|b| **b != b'\\').filter(|b| !b.is_ascii_whitespace());
    plain.take(than.saturating_add(1)).count() > than
}

const BASE: u64 = 0x0000_0100_0000_01B3;

/// The hash of a stretch that is one byte longer.
fn one_more(sum: u64, b: u8) -> u64 {
    sum.wrapping_mul(BASE).wrapping_add(u64::from(b) + 1)
}

/// A text with each run of white space as one space, and without the escapes of one more level, so that a copy in JSON
/// in a string is found, too. It ends soon after `most` bytes.
fn folded(plain: &[u8], most: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(plain.len().min(most));
    let mut bytes = plain.iter().copied().peekable();
    while let Some(b) = bytes.next()
        && out.len() < most
    {
        let next = bytes.peek().copied();
        let blank = b.is_ascii_whitespace() || b == b'\\' && matches!(next, Some(b'n' | b'r' | b't'));
        if b == b'\\' && blank {
            bytes.next();
        }
        match blank {
            true if out.last().is_none_or(|last| *last == b' ') => (),
            true => out.push(b' '),
            false if b == b'\\' => (),
            false => out.push(b),
        }
    }
    let len = out.trim_ascii_end().len();
    out.truncate(len);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_again() {
        let mut copies = CopySearch::default();
        copies.add(b"  Two and two\n\nare four.");
        copies.add(b"too short");
        for (record, want) in [
            (r#"{"a":"He said: Two and two are four. So."}"#, Some(5)),
            (r#"{"a":["x",{"b":"Two and\n two are\tfour."}]}"#, Some(15)),
            (r#"{"a":"{\"b\":\"Two and two\\n\\nare four.\"}"}"#, Some(5)),
            (r#"{"a":"Two and two are five.","b":"too short"}"#, None),
            (r#"{"a":["Two"," and two are"," four."]}"#, Some(6)),
            (r#"{"a":["Two and two","are four."]}"#, Some(6)),
            (r#"{"a":{"b":[[1,"Two "],[2,"and two are "],[3,"four."]]}}"#, Some(14)),
            (r#"[{"id":"1","token":"Two and "},{"id":"2","token":"two are four."}]"#, Some(19)),
            (r#"{"a":["Two and"],"b":["two are four."]}"#, None),
            (r#"[{"a":"Two and"},{"b":"two are four."}]"#, None),
            (r#"{"Two and two are four.":1}"#, None),
        ] {
            assert_eq!(copies.first_in(record.as_bytes(), 0), want, "{record}");
        }
    }

    #[test]
    fn what_is_longer_than_all_texts_is_not_looked_for() {
        assert!(CopySearch::within(MIN_COPY_BYTES - 1).is_none());
        let long = "a".repeat(20) + &" and b".repeat(100);
        for (text, longest, want) in [("Two and two are four.", 21, true), ("Two and two are four.", 20, false)] {
            let mut copies = CopySearch::within(longest).unwrap();
            copies.add_raw(text.as_bytes());
            copies.add_raw(long.as_bytes());
            assert_eq!((copies.are_in(b"Two and two are four."), copies.are_in(long.as_bytes())), (want, false));
        }
        let (mut raw, mut plain) = (CopySearch::default(), CopySearch::default());
        let escaped = format!(r"  \u0041\n{long}\\").replace(r"\\", r"\");
        raw.add_raw(escaped.as_bytes());
        plain.add(&text::decoded(escaped.as_bytes()));
        assert_eq!(raw.beginnings, plain.beginnings);
    }

    #[test]
    fn of_a_long_text_its_beginning_counts() {
        let mut copies = CopySearch::default();
        let long = "First I add the numbers of the left column, then those of the right one.";
        copies.add(long.as_bytes());
        assert!(copies.are_in(format!("x {}", &long[..48]).as_bytes()));
        assert!(!copies.are_in(&long.as_bytes()[..47]));
    }
}
