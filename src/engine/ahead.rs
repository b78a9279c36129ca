//! Reading ahead: the next records may decide what a record means.

use super::{Engine, EngineReader};
use crate::dialect::{AHEAD_BYTES, AHEAD_RECORDS};
use crate::frame::{Frame, FrameStep, Framing};
use crate::out::Output;
use memchr::{memchr, memchr_iter};
use std::ops::Range;

impl<O: Output> Engine<O> {
    /// The next frame, unless it can be read only after more of the input has come.
    pub(super) fn step(&mut self, eof: bool) -> FrameStep {
        let step = match self.buffer.waiting.take() {
            Some(frame) => FrameStep::Frame(frame),
            None => self.framer.step(&self.buffer.bytes[self.buffer.at..self.buffer.filled], eof),
        };
        match step {
            FrameStep::Frame(frame) if !eof && self.must_look_ahead(&frame) => {
                self.buffer.waiting = Some(frame);
                FrameStep::Need
            }
            step => step,
        }
    }

    /// Whether more of the input must come before a record is read.
    fn must_look_ahead(&mut self, frame: &Frame) -> bool {
        let body = self.buffer.at + frame.body.start..self.buffer.at + frame.body.end;
        let (record, end) = (self.buffer.base + body.end as u64, self.buffer.base + self.buffer.filled as u64);
        // The answer can change only with another line end, or with enough bytes.
        let seen = self.buffer.waits.take().filter(|(before, _)| *before == record);
        let seen = seen.map(|(_, seen)| (seen - self.buffer.base) as usize);
        let news = seen.is_none_or(|seen| memchr(b'\n', &self.buffer.bytes[seen..self.buffer.filled]).is_some());
        let enough = end - record >= AHEAD_BYTES.min(self.rules.max_record) as u64;
        if (news || enough) && (!self.looks_ahead(&body) || self.ahead(body.end).1) {
            return false;
        }
        self.buffer.waits = Some((record, end));
        true
    }

    /// Whether reading a record takes a look at the records behind it.
    fn looks_ahead(&self, record: &Range<usize>) -> bool {
        match &self.reader {
            Some(EngineReader::Json(reader)) if self.framing == Some(Framing::Jsonl) => {
                reader.looks_ahead(&self.buffer.bytes[record.clone()])
            }
            _ => false,
        }
    }

    /// The range behind a record that is looked at to read it: lines, or if it is an element of a list on a line, the
    /// rest of the line.
    pub(super) fn looked_at(&self, record: &Range<usize>, element: bool) -> Range<usize> {
        if !self.looks_ahead(record) {
            return 0..0;
        }
        if !element {
            return self.ahead(record.end).0;
        }
        let rest = &self.buffer.bytes[record.end..self.buffer.filled];
        let rest = &rest[..rest.len().min(AHEAD_BYTES)];
        record.end..record.end + memchr(b'\n', rest).unwrap_or(rest.len())
    }

    /// The range behind the line at `from` that is looked at, up to a number of lines or of bytes, and whether it is
    /// complete.
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
