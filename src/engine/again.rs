//! Events that say more of the reasoning of the event before them: their frames are counted, and neither framed nor read.

use super::{Engine, EngineReader};
use crate::frame::Framing;
use crate::json::Literal;
use crate::model::content::Envelope;
use crate::model::{ContentEvent, Event, Facts, Lane, Piece, PieceKind, Sink, Source};
use crate::out::{FrameStatus, Output};
use crate::span::Span;
use memchr::{memchr, memchr2};
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
        if thought.is_none() && !self.stage.output.again(span) {
            self.last.clear();
            return false;
        }
        self.found.payloads += 1;
        self.begin_record(begin);
        self.found.starts.push_back((begin, self.found.counts.records));
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
        let rest = self.buffer.bytes[self.buffer.at..self.buffer.filled].strip_prefix(head.as_slice())?;
        let end = match self.framing {
            // A CR ends a line of a stream.
            Some(Framing::Sse) => memchr2(b'\n', b'\r', rest)?,
            _ => memchr(b'\n', rest)?,
        };
        let len = head.len() + end + tail.len();
        if len > self.rules.max_record || !rest[end..].starts_with(tail) {
            return None;
        }
        let text = &rest[..end];
        let thought = match reader.may_think_on() {
            true => Some(reader.thinks_on(text)?),
            false => reader.goes_on_thinking(text).then_some(None)?,
        };
        let from = self.buffer.at + head.len();
        Some(FrameAgain { record: from..from + end, end: self.buffer.at + len, thought })
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
