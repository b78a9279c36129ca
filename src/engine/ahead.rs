//! A look at the next records: what is in them may decide what a record is.

use super::*;
use crate::dialect::{AHEAD_BYTES, AHEAD_RECORDS};
use memchr::{memchr, memchr_iter};

impl<O: Output> Engine<'_, O> {
    /// Whether the next record cannot be read before more of the input has come.
    pub(super) fn must_look_ahead(&self) -> bool {
        let next = &self.buffer.bytes[self.buffer.at..self.buffer.filled];
        let line = memchr(b'\n', next).map_or(next.len(), |n| n);
        match &self.reader {
            Some(Reader::Json(reader)) if self.framing == Some(Framing::Jsonl) => {
                reader.looks_ahead(&next[..line]) && !self.ahead(self.buffer.at + line).1
            }
            _ => false,
        }
    }

    /// What is looked at to read the record at this place.
    pub(super) fn looked_at(&self, record: &Range<usize>) -> Range<usize> {
        match &self.reader {
            Some(Reader::Json(reader))
                if self.framing == Some(Framing::Jsonl) && reader.looks_ahead(&self.buffer.bytes[record.clone()]) =>
            {
                self.ahead(record.end).0
            }
            _ => 0..0,
        }
    }

    /// What is looked at behind the line of this place, and whether it is all there: so many lines, or so many bytes,
    /// whatever is less.
    fn ahead(&self, from: usize) -> (Range<usize>, bool) {
        let rest = &self.buffer.bytes[from..self.buffer.filled];
        let from = from + memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
        let most = AHEAD_BYTES.min(self.rules.max_record);
        let next = &self.buffer.bytes[from..self.buffer.filled.min(from + most)];
        match memchr_iter(b'\n', next).nth(AHEAD_RECORDS - 1) {
            Some(end) => (from..from + end + 1, true),
            None => (from..from + next.len(), next.len() == most),
        }
    }
}
