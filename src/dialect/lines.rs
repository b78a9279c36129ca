//! Lines of raw text that are in another format: a line that is a JSON record by itself may be the rest of a log whose
//! front was cut off, or was glued to a text. All other lines are text, whatever they look like.

use super::reader::{JsonReader, Refused, Suspect};
use super::suspect::{Search, names_reasoning, pointer, reads_as_text};
use super::{Foreign, ReadOptions};
use crate::frame::Body;
use crate::inline::Tags;
use crate::model::{Event, Sink};
use memchr::{memchr, memrchr};

/// The message about such a line.
const LINE: &str = "a line of this text is JSON that may hold reasoning (--framing jsonl reads lines as records)";

/// Looks at the lines of a text.
pub struct TextLines<'t> {
    search: Search<'t>,
    tags: &'t Tags,
    /// How records are read, and what reads them once there is a line that may be one.
    options: ReadOptions,
    reader: Option<Box<JsonReader<'t>>>,
    /// The tests by which frames of streams are recognised.
    framed: Vec<fn(&[u8]) -> bool>,
    /// The bytes so far of the line that is not complete yet.
    line: Vec<u8>,
    /// Where that line begins in the input, and whether it has a `{` or a `:`.
    start: u64,
    marked: bool,
    /// The search is over: a line was found, or none is searched for.
    found: bool,
}

/// A line of a text that is in another format and may hold reasoning. Both are offsets in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// Where it begins.
    pub line: u64,
    /// Where its line end stands, or its last byte if it has none.
    pub end: u64,
}

/// Nobody is interested in what a record has.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event<'_>) {}
}

/// The longest line that is searched for another format, in bytes.
const LONGEST: usize = 1 << 20;

impl<'t> TextLines<'t> {
    /// A search over the lines of one text.
    pub fn new(tags: &'t Tags, options: &ReadOptions) -> Self {
        // What a line is does not depend on what is done with it.
        let (dialects, foreign) = (options.dialects.clone(), Foreign::Refuse);
        let (search, options) = (Search::new(tags), ReadOptions { dialects, foreign, ..ReadOptions::default() });
        let framed = options.dialects.iter().filter_map(|dialect| dialect.shape?.framed).collect();
        Self { search, tags, options, reader: None, framed, line: Vec::new(), start: 0, marked: false, found: false }
    }

    /// Whether a line is by itself a record: a dialect reads it, or it may hold reasoning.
    pub fn is_record(&mut self, line: &[u8]) -> bool {
        if self.framed.iter().any(|is| is(line)) {
            return true;
        }
        let reader = self.reader.get_or_insert_with(|| Box::new(JsonReader::new(self.tags, self.options.clone())));
        match reader.read(&Body::new(line, b"", &[(0, 0)]), &mut Nobody) {
            Ok(facts) => !facts.foreign,
            Err(refused) => matches!(refused, Refused::Suspect(_)),
        }
    }

    /// The part of a line at `offset` that may be reasoning, if the line is JSON.
    pub fn suspect(&mut self, line: &[u8], offset: u64) -> Option<Suspect> {
        crate::json::scan::validate(line).ok()?;
        let at = self.search.record(line)?;
        Some(Suspect { offset: offset + at as u64, pointer: pointer(line, at), what: LINE })
    }

    /// Searches more of the text, which stands at `offset` and has a `{` or a `:` at each of the `marks`. Returns the
    /// first line with reasoning in another format: JSON behind a prefix, or a YAML key with a text.
    pub fn look(&mut self, text: &[u8], marks: &[usize], offset: u64) -> Option<Other> {
        if self.found {
            return None;
        }
        let mut from = 0;
        // The line that began in an earlier piece is searched when it ends, if it has a mark.
        if !self.line.is_empty() || self.marked {
            let end = memchr(b'\n', text).map(|n| n + 1);
            from = end.unwrap_or(text.len());
            self.marked |= marks.first().is_some_and(|mark| *mark < from);
            self.keep(&text[..from], offset);
            end?;
            if let Some(found) = self.finish() {
                return Some(found);
            }
        }
        let mut done = from;
        let tail = memrchr(b'\n', &text[from..]).map_or(from, |n| from + n + 1);
        for mark in marks.iter().filter(|mark| (from..tail).contains(*mark)) {
            if *mark < done {
                continue;
            }
            // Most colons are followed by no value that counts.
            let next = text[mark + 1..].iter().find(|b| !matches!(b, b' ' | b'\t'));
            if !matches!(next, Some(b'"' | b'\'' | b'|' | b'>')) {
                continue;
            }
            let start = memrchr(b'\n', &text[..*mark]).map_or(0, |n| n + 1);
            if text[*mark] == b'{' || is_key(&text[start..*mark]) {
                let end = start + memchr(b'\n', &text[start..]).unwrap_or(text.len() - start);
                done = end;
                if self.matches(&text[start..end]) {
                    self.found = true;
                    return Some(Other { line: offset + start as u64, end: offset + end as u64 });
                }
            }
        }
        self.keep(&text[tail..], offset + tail as u64);
        self.marked = marks.last().is_some_and(|mark| *mark >= tail);
        None
    }

    /// The text ends, and with it the line that is not complete yet.
    pub fn finish(&mut self) -> Option<Other> {
        let line = std::mem::take(&mut self.line);
        let looks = std::mem::take(&mut self.marked) && !self.found && line.len() <= LONGEST;
        self.found |= looks && self.matches(line.strip_suffix(b"\n").unwrap_or(&line));
        let end = self.start + (line.len() as u64).saturating_sub(1);
        (looks && self.found).then_some(Other { line: self.start, end })
    }

    /// Buffers the start of a line.
    fn keep(&mut self, text: &[u8], offset: u64) {
        if self.line.is_empty() {
            self.start = offset;
        }
        // One byte more than the limit marks the line as too long.
        let room = (LONGEST + 1).saturating_sub(self.line.len());
        self.line.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// Whether a line has reasoning in another format.
    fn matches(&mut self, line: &[u8]) -> bool {
        if memchr(b':', line).is_some_and(|at| is_key(&line[..at]) && is_value(&line[at + 1..])) {
            return true;
        }
        let Some(at) = memchr(b'{', line) else { return false };
        line[at + 1..].trim_ascii_start().starts_with(b"\"") && self.search.record(&line[at..]).is_some()
    }
}

/// Whether the start of a line, up to a colon, is a key of YAML or JSON that names reasoning.
fn is_key(text: &[u8]) -> bool {
    let key = text.trim_ascii_start();
    let key = key.strip_prefix(b"- ").unwrap_or(key).trim_ascii();
    // A line of JSON over several lines whose front was cut off.
    let key = key.strip_prefix(b"\"").and_then(|key| key.strip_suffix(b"\"")).unwrap_or(key);
    let word = |b: &u8| b.is_ascii_lowercase() || matches!(b, b'_' | b'-');
    key.len() <= 64 && key.iter().all(word) && std::str::from_utf8(key).is_ok_and(names_reasoning)
}

/// Whether the rest of a line after a YAML key is a text: a block on the next lines, or words in quotes.
fn is_value(rest: &[u8]) -> bool {
    let line = rest.trim_ascii();
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
                let look = |(i, text): (usize, &[u8])| {
                    let marks: Vec<usize> = memchr::memchr2_iter(b'{', b':', text).collect();
                    lines.look(text, &marks, (i * piece) as u64)
                };
                let mut found: Vec<Other> = pieces.filter_map(look).collect();
                found.extend(lines.finish());
                assert_eq!(found.first().map(|other| other.line), want, "{text:?} in pieces of {piece}");
                assert!(found.len() < 2, "{text:?}");
            }
        }
    }
}
