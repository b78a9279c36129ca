//! Raw text, and the lines of it that hold another format; lines of a log.

use super::{Engine, EngineReader};
use crate::dialect::{Foreign, NextLine, Suspect};
use crate::error::ErrorKind;
use crate::frame::{Body, Framing};
use crate::model::Facts;
use crate::out::{FrameStatus, Output};
use std::ops::Range;

impl<O: Output> Engine<O> {
    /// Reads a piece of raw text. What holds reasoning in another format is refused.
    pub(super) fn text(&mut self, at: Range<usize>, eof: bool) {
        self.begin_text();
        let watched = self.found.counts.guessed && self.rules.foreign != Foreign::Unwatched;
        let nul = self.framer.marks().iter().find(|mark| self.buffer.bytes[at.start + **mark] == 0).copied();
        match nul {
            Some(0) if watched => {
                let what = "a NUL byte: this is not text (--framing text takes it as text); the rest was left out";
                self.give_up(self.buffer.base + at.start as u64, (ErrorKind::Invalid, what));
            }
            // What stands before it is read first, as if it had come by itself.
            Some(nul) if watched => {
                self.framer.back(at.len() - nul);
                self.lines_of_text(at.start..at.start + nul, true);
            }
            _ => {
                let ends = eof && at.end == self.buffer.filled;
                self.lines_of_text(at, ends);
            }
        }
    }

    /// Reads text, in which lines that may be records are looked for. `ends`: nothing comes behind it.
    fn lines_of_text(&mut self, at: Range<usize>, ends: bool) {
        if self.lines.is_none() || self.rules.ignores {
            return self.give_text(at);
        }
        let last = ends || self.framer.is_full();
        let mut from = at.start;
        while from < at.end && !self.progress.over {
            let rest = from..at.end;
            let offset = self.buffer.base + from as u64;
            let Some(lines) = &mut self.lines else { return };
            match lines.next(&self.buffer.bytes[rest.clone()], offset, last) {
                NextLine::Need => return self.framer.wait(rest.len()),
                NextLine::Turn(n) => {
                    let Some(EngineReader::Raw(reader)) = &mut self.reader else { return };
                    // What is read again behind its end may be reasoning only because it ends there.
                    let thinks = !lines.turns_at(offset) && reader.thinks();
                    if !thinks && reader.all_is_there(&mut self.stage) {
                        lines.turn_at(offset);
                        return self.framer.back(rest.len());
                    }
                    lines.begin_turn(offset + n as u64);
                    match thinks {
                        true => self.give_text(from..from + n),
                        false => self.begin_turn(from..from + n),
                    }
                    from += n;
                }
                NextLine::Clear(n) => {
                    self.give_text(from..from + n);
                    from += n;
                }
                NextLine::Refused(n, suspect) => {
                    let thinks = matches!(&self.reader, Some(EngineReader::Raw(reader)) if reader.thinks());
                    if thinks {
                        lines.stand_in_reasoning();
                        self.give_text(from..from + n);
                    } else {
                        self.refuse_line(from..from + n, suspect);
                    }
                    from += n;
                }
            }
            // What is read a second time is read before what follows it.
            if from < at.end && matches!(&self.reader, Some(EngineReader::Raw(reader)) if reader.behind().is_some()) {
                return self.framer.back(at.end - from);
            }
        }
    }

    /// Begins a turn of a recorded terminal, whose colours go with its reasoning.
    fn begin_turn(&mut self, colours: Range<usize>) {
        let offset = self.buffer.base + colours.start as u64;
        let Some(EngineReader::Raw(reader)) = &mut self.reader else { return };
        let facts = reader.turn(offset, colours.len(), &mut self.stage);
        self.count(&facts);
        self.place(colours, FrameStatus::Text, facts);
    }

    /// Refuses lines of a text, unless suspect records pass.
    fn refuse_line(&mut self, at: Range<usize>, suspect: Option<Suspect>) {
        let skipped = self.rules.foreign == Foreign::Refuse;
        if let Some(suspect) = suspect {
            self.found.counts.records += 1;
            self.suspect(suspect, skipped);
        }
        match skipped {
            true => self.place(at, FrameStatus::Bad, Facts::default()),
            false => self.give_text(at),
        }
    }

    /// Tells the output where a record that was read has reasoning, if its place is none for reasoning.
    #[inline]
    pub(super) fn look_for_misplaced(&mut self, at: &Range<usize>, body: &Range<usize>, element: bool, facts: &Facts) {
        let log = self.framing == Some(Framing::Jsonl) && !element && body.start > at.start;
        let events = element && facts.dialect == Some(crate::dialect::MIA);
        if log || events {
            self.misplaced(at, body, events);
        }
    }

    /// A log is no place for reasoning, nor is a list of MIA's events: they are written to be dropped, one by one.
    #[cold]
    fn misplaced(&mut self, at: &Range<usize>, body: &Range<usize>, events: bool) {
        // White space and the mark of a record are no prefix.
        let prefix = &self.buffer.bytes[at.start..body.start];
        if !events && !prefix.iter().any(u8::is_ascii_alphanumeric) {
            return;
        }
        let what = if events { "reasoning in a list of events" } else { "reasoning in a line of a log" };
        let start = [(0, self.buffer.base + body.start as u64)];
        let Some(EngineReader::Json(reader)) = &mut self.reader else { return };
        if let Some((offset, pointer)) = reader.reasoning_in(&Body::new(&self.buffer.bytes[body.clone()], b"", &start))
        {
            // A list is told once.
            if !events || !std::mem::replace(&mut self.found.listed, true) {
                self.stage.output.misplaced(self.found.counts.records, offset, what, &pointer);
            }
        }
    }

    /// Counts the text as a record, once.
    fn begin_text(&mut self) {
        if self.found.counts.records == 0 {
            self.found.counts.records = 1;
            self.stage.output.record(1);
        }
    }

    /// Gives text to its reader.
    fn give_text(&mut self, at: Range<usize>) {
        let offset = self.buffer.base + at.start as u64;
        let Some(EngineReader::Raw(reader)) = &mut self.reader else {
            return;
        };
        if self.rules.ignores {
            let first = self.found.counts.messages == 0;
            let facts = Facts { dialect: first.then_some("text"), messages: u64::from(first), ..Facts::default() };
            self.count(&facts);
            return self.place(at, FrameStatus::Text, facts);
        }
        if let Some(utf8) = &mut self.found.utf8 {
            utf8.feed(&self.buffer.bytes[at.clone()], offset);
        }
        let facts = reader.read(&self.buffer.bytes[at.clone()], offset, &mut self.stage);
        self.count(&facts);
        self.place(at, FrameStatus::Text, facts);
    }
}
