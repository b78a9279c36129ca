//! Values on one line that are several records: one behind the other, or in an array.

use super::{Engine, EngineReader};
use crate::frame::{FrameKind, FrameStep, Framer, Framing, value_ends};
use crate::model::{ConversationEvent, Event, Facts, Sink};
use crate::out::{FrameStatus, Output};
use std::ops::Range;

impl<O: Output> Engine<O> {
    /// Reads the elements of an array on a line as records, as those of an array over several lines are read.
    #[cold]
    pub(super) fn elements(&mut self, at: &Range<usize>, body: &Range<usize>) {
        // The line itself was counted as one record: undone.
        self.uncount();
        let mut framer = Framer::new(Framing::Json, false);
        self.buffer.at = at.start;
        self.edge();
        // What stands before the array, as in a log, is not part of it.
        let start = body.start + memchr::memchr(b'[', &self.buffer.bytes[body.clone()]).unwrap_or(0);
        if start > at.start {
            self.place(at.start..start, FrameStatus::Glue, Facts::default());
        }
        while let FrameStep::Frame(frame) = framer.step(&self.buffer.bytes[self.buffer.at..at.end], true) {
            let placed = self.buffer.at..self.buffer.at + frame.len;
            let body = placed.start + frame.body.start..placed.start + frame.body.end;
            match frame.kind {
                FrameKind::Element { comma } => {
                    let comma = comma.map(|comma| self.buffer.base + (placed.start + comma) as u64);
                    self.record(placed, body, Some(comma), false);
                }
                FrameKind::Edge => {
                    self.edge();
                    self.place(placed, FrameStatus::Glue, Facts::default());
                }
                FrameKind::Bad(_) => self.place(placed, FrameStatus::Bad, Facts::default()),
                _ => self.place(placed, FrameStatus::Glue, Facts::default()),
            }
            self.notes();
            if self.progress.over {
                return;
            }
        }
    }

    /// Reads each of several values on one line as a record. Returns whether the line has several.
    #[cold]
    pub(super) fn several(&mut self, at: &Range<usize>, body: &Range<usize>) -> bool {
        let text = &self.buffer.bytes[body.clone()];
        let ends = if self.framing == Some(Framing::Jsonl) { value_ends(text) } else { Vec::new() };
        let mut from = 0;
        let whole = |end: &usize| {
            let value = std::mem::replace(&mut from, *end)..*end;
            crate::json::scan::validate(&text[value]).is_ok()
        };
        if ends.len() < 2 || !ends.iter().all(whole) {
            return false;
        }
        // The line itself was counted as one record: undone.
        self.uncount();
        let (mut start, last) = (at.start, ends.len() - 1);
        for (i, end) in ends.iter().enumerate() {
            let end = body.start + end;
            self.record(start..if i == last { at.end } else { end }, start.max(body.start)..end, None, false);
            start = end;
        }
        true
    }

    /// Takes back that a line was counted as one record.
    fn uncount(&mut self) {
        self.found.payloads -= 1;
        self.found.counts.records -= 1;
        self.found.starts.pop_back();
    }

    /// Ends the messages of an array, or those before one: records behind a bracket belong to another conversation.
    pub(super) fn edge(&mut self) {
        self.found.listed = false;
        if let Some(EngineReader::Json(reader)) = &mut self.reader {
            reader.end_array(&mut self.stage);
        }
        self.notes();
        self.stage.event(&Event::Conversation(ConversationEvent::StreamOver));
    }
}
