//! Data lines of an event stream that were captured without the blank lines between its events.

use super::{Engine, EngineReader};
use crate::dialect::{JsonReader, NotUnderstood, Suspect};
use crate::frame::{Body, sse};
use crate::model::{Facts, Sink};
use crate::out::Output;
use std::ops::Range;

impl<O: Output> Engine<O> {
    /// Searches the lines of an event, or between two events, that are no data: clients ignore them, but they are written.
    ///
    /// # Errors
    /// When there may be reasoning in them, and suspect records do not pass.
    pub(super) fn other_lines(&mut self, from: usize) -> Result<(), Suspect> {
        let (Some(EngineReader::Json(reader)), others @ [_, ..]) = (&mut self.reader, self.framer.others()) else {
            return Ok(());
        };
        let (mut text, mut starts) = (Vec::new(), Vec::new());
        for line in others {
            starts.push((text.len(), self.buffer.base + (from + line.start) as u64));
            text.extend_from_slice(&self.buffer.bytes[from + line.start..from + line.end]);
            text.push(b'\n');
        }
        reader.search_text(&Body::new(&text, b"", &starts))
    }

    /// Whether the lines of an event stream between two events may hold reasoning, and must not pass. They are a record
    /// then.
    pub(super) fn hides_reasoning(&mut self, at: &Range<usize>) -> bool {
        let found = self.other_lines(at.start);
        if found.is_err() {
            self.begin_record(self.buffer.base + at.start as u64);
        }
        found.map_err(|suspect| self.suspect(suspect, true)).is_err()
    }
}

/// Whether this is the data line that ends an event stream.
pub(super) fn is_done(text: &[u8]) -> bool {
    text.trim_ascii() == b"[DONE]"
}

/// Data lines that were captured without the blank lines between them: each is a record.
pub(super) struct DataLines<'a> {
    /// Where each line begins: in the joined text, and in the input.
    pub starts: &'a [(usize, u64)],
    /// The event in the input, from this offset on.
    pub raw: &'a [u8],
    pub base: u64,
}

impl<'a> DataLines<'a> {
    fn text<'b>(&self, body: &Body<'b>, i: usize) -> &'b [u8] {
        let end = self.starts.get(i + 1).map_or(body.text.len(), |next| next.0 - 1);
        &body.text[self.starts[i].0..end]
    }

    /// The event's name before a line.
    fn name(&self, body: &Body<'_>, i: usize) -> &'a [u8] {
        let before = i.checked_sub(1).map_or(0, |last| self.at(last) + self.text(body, last).len());
        sse::name(&self.raw[before..self.at(i)])
    }

    fn at(&self, i: usize) -> usize {
        (self.starts[i].1 - self.base) as usize
    }

    /// Reads the lines one by one, if each is a whole record.
    pub fn read<S: Sink>(
        &self,
        reader: &mut JsonReader,
        body: &Body<'_>,
        sink: &mut S,
    ) -> Option<Result<Facts, NotUnderstood>> {
        let whole = |text: &[u8]| is_done(text) || crate::json::scan::validate(text).is_ok();
        if !(0..self.starts.len()).all(|i| whole(self.text(body, i))) {
            return None;
        }
        for i in (0..self.starts.len()).filter(|i| !is_done(self.text(body, *i))) {
            let start = [(0, self.starts[i].1)];
            if let Err(refused) = reader.examine(&Body::new(self.text(body, i), self.name(body, i), &start)) {
                return Some(Err(refused));
            }
        }
        let mut all = Facts { foreign: true, ..Facts::default() };
        for i in 0..self.starts.len() {
            let (text, start) = (self.text(body, i), [(0, self.starts[i].1)]);
            let line = Body::new(text, self.name(body, i), &start);
            if is_done(text) {
                reader.plain(&line, sink);
                (all.payload, all.foreign) = (true, false);
                continue;
            }
            let facts = match reader.read(&line, sink) {
                Ok(facts) => facts,
                Err(refused) => return Some(Err(refused)),
            };
            all.dialect = all.dialect.or(facts.dialect);
            all.stream |= facts.stream;
            all.payload |= facts.payload || !facts.stream;
            all.messages += facts.messages;
            all.foreign &= facts.foreign;
        }
        Some(Ok(all))
    }
}
