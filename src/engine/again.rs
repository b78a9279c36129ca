//! Events that say more of the reasoning, or of the answer, of the event before them: their frames are counted, and neither
//! framed nor read.

use super::{Engine, EngineReader};
use crate::dialect::NextRecord;
use crate::frame::Framing;
use crate::json::Literal;
use crate::model::content::Envelope;
use crate::model::{ContentEvent, Event, Facts, Lane, Piece, PieceKind, Sink, Source};
use crate::out::{FrameStatus, Output};
use crate::span::Span;
use std::ops::Range;

/// The last frame, if the next one may be like it.
#[derive(Default)]
pub(super) struct LastFrame {
    /// What stands before and behind its record.
    head: Vec<u8>,
    tail: Vec<u8>,
    facts: Facts,
    set: bool,
}

impl LastFrame {
    /// Forgets the last frame: another one follows, or bytes of which the framer has seen the first.
    pub fn clear(&mut self) {
        self.set = false;
    }
}

impl<O: Output> Engine<O> {
    /// Notes the frame of a record that was read.
    pub(super) fn learn_frame(&mut self, at: &Range<usize>, body: &Range<usize>, facts: &Facts) {
        let Some(EngineReader::Json(reader)) = &self.reader else { return };
        let lines = matches!(self.framing, Some(Framing::Jsonl | Framing::Sse));
        // What stands before the record in a line of a log is looked at.
        let log = self.framing == Some(Framing::Jsonl) && body.start > at.start;
        if !lines || log || !(reader.may_go_on() || reader.may_think_on()) || self.stage.removal.is_some() {
            return;
        }
        let tail = &self.buffer.bytes[body.end..at.end];
        // A CR at the end may belong to an LF behind it. What stands in other lines is searched.
        if tail.last() != Some(&b'\n') || self.framer.lines().len() > 1 || !self.framer.others().is_empty() {
            return;
        }
        let last = &mut self.last;
        last.head.clear();
        last.head.extend_from_slice(&self.buffer.bytes[at.start..body.start]);
        last.tail.clear();
        last.tail.extend_from_slice(tail);
        (last.facts, last.set) = (*facts, true);
    }

    /// Takes the next frame, if it says more of the reasoning of the last one and all of it is there.
    pub(super) fn again(&mut self) -> bool {
        if !self.last.set {
            return false;
        }
        let Some(FrameAgain { record, end, thought }) = self.frame_again() else {
            self.last.clear();
            return false;
        };
        let (begin, facts) = (self.buffer.base + self.buffer.at as u64, self.last.facts);
        let span = Span::new(begin, self.buffer.base + end as u64);
        let noted = if thought.is_some() { Some(true) } else { self.goes_on(span) };
        let Some(noted) = noted else {
            self.last.clear();
            return false;
        };
        self.found.payloads += 1;
        self.begin_record(begin);
        if noted {
            self.found.starts.push_back((begin, self.found.counts.records));
        }
        if let Some(thought) = thought {
            self.think(record, thought);
        }
        self.count(&facts);
        match thought {
            Some(_) => self.place(self.buffer.at..end, FrameStatus::Record, facts),
            None => self.buffer.at = end,
        }
        true
    }

    /// Gives the output a frame that goes on with the last one. Returns whether notes may refer to it later, since it says more of
    /// the answer; none if the output does not take it so.
    fn goes_on(&mut self, frame: Span) -> Option<bool> {
        let Some(EngineReader::Json(reader)) = &mut self.reader else { return None };
        let more = reader.said();
        let speaks = more.is_some();
        if !self.stage.output.again(frame, more) {
            return None;
        }
        if speaks {
            reader.said_more();
        }
        Some(speaks)
    }

    /// Sends more of a block of reasoning, which stands in this record.
    fn think(&mut self, record: Range<usize>, (lane, source, literal): (Lane, Source, Literal)) {
        let Self { buffer, stage, .. } = self;
        let (text, from) = (&buffer.bytes[record.clone()], buffer.base + record.start as u64);
        let at = |range: Range<usize>| Span::new(from + range.start as u64, from + range.end as u64);
        let start = text.len() - text.trim_ascii_start().len();
        let value = at(start..start + text.trim_ascii().len());
        stage.event(&Event::Content(ContentEvent::Record { envelope: Envelope::Stream, value }));
        let (kind, escaped) = (PieceKind::Reasoning(source), literal.escaped);
        let at = &[at(literal.start..literal.end)];
        let text = literal.raw(text);
        stage.event(&Event::Piece(Piece { lane, kind, fresh: false, text, escaped, whole: false, at }));
    }

    /// Reads that frame.
    fn frame_again(&mut self) -> Option<FrameAgain> {
        let LastFrame { head, tail, .. } = &self.last;
        let Some(EngineReader::Json(reader)) = &mut self.reader else { return None };
        // Whether it is a JSON value that stands on one line is told by the one before it.
        let bytes = self.buffer.bytes[self.buffer.at..self.buffer.filled].strip_prefix(head.as_slice())?;
        let at = self.buffer.at + head.len();
        let most = self.rules.max_record.checked_sub(head.len() + tail.len())?;
        let next = NextRecord { bytes, from: self.buffer.base + at as u64, head: head.len(), tail, most };
        let (len, thought) = match reader.may_think_on() {
            true => reader.thinks_on(&next).map(|(len, thought)| (len, Some(thought)))?,
            false => (reader.goes_on(&next)?, None),
        };
        let record = at..at + len;
        Some(FrameAgain { end: record.end + tail.len(), record, thought })
    }
}

/// A frame that says more of the reasoning of the last one.
struct FrameAgain {
    /// Where its record stands in the buffer, and where it ends itself.
    record: Range<usize>,
    end: usize,
    /// What it says, if the output asks for that.
    thought: Option<(Lane, Source, Literal)>,
}
