//! TextLines of raw text that hold another format: a line that is by itself a JSON record may stand there because a log was
//! cut off in front, or was glued to a text. The rest of a text is text, whatever it looks like.

use super::ReadOptions;
use super::names::Names;
use super::reader::Suspect;
use super::suspect::{Search, names_reasoning, pointer, reads_as_text};
use super::walk::{Detail, Record, walk};
use crate::inline::Tags;
use memchr::{memchr, memchr2_iter, memrchr};

/// What is wrong with such a line.
const LINE: &str = "a line of this text is JSON that may hold reasoning (--framing jsonl reads lines as records)";

/// Looks at the lines of a text.
pub struct TextLines<'t> {
    search: Search<'t>,
    names: Names,
    record: Record,
    /// The line that is not complete yet, as far as it came.
    line: Vec<u8>,
    /// Where that line begins, in the input.
    start: u64,
    /// Nothing more is looked for: a place was found, or nobody asks.
    found: bool,
}

/// The longest line in which another format is looked for, in bytes.
const LONGEST: usize = 1 << 20;

impl<'t> TextLines<'t> {
    /// A look at the lines of one text.
    pub fn new(tags: &'t Tags, options: &ReadOptions) -> Self {
        let (search, names, record) = (Search::new(tags), Names::new(&options.dialects), Record::default());
        Self { search, names, record, line: Vec::new(), start: 0, found: false }
    }

    /// Whether a line is by itself a record: a dialect reads it, or it may hold reasoning.
    pub fn is_record(&mut self, line: &[u8]) -> bool {
        let detail = Detail { plain: true, ..Detail::default() };
        let walked = walk(line, b"", &self.names, detail, &mut self.record).is_ok();
        walked && (!self.record.is_hollow() || self.search.record(line).is_some())
    }

    /// What may be reasoning in a line that stands at `offset`, if the line is JSON.
    pub fn suspect(&mut self, line: &[u8], offset: u64) -> Option<Suspect> {
        crate::json::scan::validate(line).ok()?;
        let at = self.search.record(line)?;
        Some(Suspect { offset: offset + at as u64, pointer: pointer(line, at), what: LINE })
    }

    /// More of the text, which stands at `offset`. Where it first has a line with reasoning in another format: JSON
    /// behind a prefix, or a key of YAML with a text.
    pub fn look(&mut self, text: &[u8], offset: u64) -> Option<u64> {
        if self.found {
            return None;
        }
        let Some(end) = memrchr(b'\n', text) else {
            self.keep(text, offset);
            return None;
        };
        let found = if self.line.is_empty() {
            self.block(&text[..end], offset)
        } else {
            let first = memchr(b'\n', text).unwrap_or(end);
            let (mut line, start) = (std::mem::take(&mut self.line), self.start);
            line.extend_from_slice(&text[..first]);
            let joined = if line.len() <= LONGEST { self.block(&line, start) } else { None };
            joined.or_else(|| self.block(text.get(first + 1..end).unwrap_or_default(), offset + first as u64 + 1))
        };
        self.line.clear();
        self.keep(&text[end + 1..], offset + end as u64 + 1);
        self.found = found.is_some();
        found
    }

    /// The text is over: its last line may have no end.
    pub fn finish(&mut self) -> Option<u64> {
        let line = std::mem::take(&mut self.line);
        if self.found || line.len() > LONGEST { None } else { self.block(&line, self.start) }
    }

    /// Keeps the start of a line.
    fn keep(&mut self, text: &[u8], offset: u64) {
        if self.line.is_empty() {
            self.start = offset;
        }
        // One byte more than is looked at says that it is too long.
        let room = (LONGEST + 1).saturating_sub(self.line.len());
        self.line.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// The first line of whole lines in which there is reasoning in another format.
    fn block(&mut self, block: &[u8], offset: u64) -> Option<u64> {
        let mut done = 0;
        for at in memchr2_iter(b'{', b':', block) {
            if at < done {
                continue;
            }
            let start = memrchr(b'\n', &block[..at]).map_or(0, |n| n + 1);
            let found = match block[at] {
                b'{' => {
                    done = memchr(b'\n', &block[at..]).map_or(block.len(), |n| at + n);
                    block[at + 1..done].trim_ascii_start().starts_with(b"\"")
                        && self.search.record(&block[at..done]).is_some()
                }
                _ => is_key(&block[start..at]) && is_value(&block[at + 1..]),
            };
            if found {
                return Some(offset + start as u64);
            }
        }
        None
    }
}

/// Whether the start of a line, up to a colon, is a key of YAML that names reasoning.
fn is_key(text: &[u8]) -> bool {
    let key = text.trim_ascii_start();
    let key = key.strip_prefix(b"- ").unwrap_or(key).trim_ascii();
    let word = |b: &u8| b.is_ascii_lowercase() || matches!(b, b'_' | b'-');
    key.len() <= 64 && key.iter().all(word) && std::str::from_utf8(key).is_ok_and(names_reasoning)
}

/// Whether a text follows a key of YAML: a block on the next lines, or words in quotes.
fn is_value(rest: &[u8]) -> bool {
    let line = rest[..memchr(b'\n', rest).unwrap_or(rest.len())].trim_ascii();
    match line.first() {
        Some(b'|' | b'>') => line[1..].iter().all(|b| matches!(b, b'+' | b'-' | b'0'..=b'9')),
        Some(b'"' | b'\'') => std::str::from_utf8(line).is_ok_and(|text| reads_as_text(text.trim_matches(['"', '\'']))),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasoning_in_other_formats_is_found() {
        let tags = Tags::default();
        for (text, want) in [
            ("", None),
            ("a {\"a\":1}\nb\n", None),
            ("2026-01-01 INFO {\"reasoning\":\"Add them up.\"}\n", Some(0)),
            ("a\nx {\"a\":{\"thinking\":\"Add them up.\"}} y", Some(2)),
            ("x {\"reasoning\":{\"effort\":\"high\"}}\n", None),
            ("x {reasoning: \"Add them up.\"}\n", None),
            ("data: {\"reasoning_content\":\"Add them up.\"}\n", Some(0)),
            ("a: 1\nthinking: |\n  Add them.\n", Some(5)),
            ("- reasoning: >-\n  Add them.\n", Some(0)),
            ("  thinking: \"Add them up.\"\n", Some(0)),
            ("thinking: high\nreasoning: \"on\"\nthinking:\n  budget: 1\n", None),
            ("My reasoning: it is so.\nthinking: it is so\n", None),
        ] {
            for piece in [1, 2, 5, 1000] {
                let mut lines = TextLines::new(&tags, &ReadOptions::default());
                let pieces = text.as_bytes().chunks(piece).enumerate();
                let mut found: Vec<u64> = pieces.filter_map(|(i, text)| lines.look(text, (i * piece) as u64)).collect();
                found.extend(lines.finish());
                assert_eq!(found.first().copied(), want, "{text:?} in pieces of {piece}");
                assert!(found.len() < 2, "{text:?}");
            }
        }
    }
}
