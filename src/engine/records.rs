//! Reads, counts and places frames.

use super::counts::Problem;
use super::lines::{DataLines, is_done};
use super::{Engine, EngineReader};
use crate::dialect::{DIALECTS, NotUnderstood, Suspect, UNCLOSED, remedy, unclosed};
use crate::error::{Error, ErrorKind};
use crate::frame::{Body, Frame, FrameKind, Framing, INCOMPLETE};
use crate::inline::{Note, Options};
use crate::model::Facts;
use crate::out::{FrameStatus, Output, Placed};
use crate::span::Span;
use std::ops::Range;

/// The error for a record that is longer than the limit.
const TOO_LONG: (ErrorKind, &str) = (ErrorKind::TooLong, "a record longer than --max-record");

impl<O: Output> Engine<O> {
    /// Handles a frame that is incomplete and too long to buffer.
    pub(super) fn too_long(&mut self) {
        let len = self.buffer.filled - self.buffer.at;
        if len <= self.rules.max_record {
            return;
        }
        if !self.progress.discarding {
            self.progress.discarding = true;
            let at = self.buffer.base + self.buffer.at as u64;
            self.begin_record(at);
            self.problem(at, TOO_LONG, true);
        }
        self.framer.forget(len);
        self.place(self.buffer.at..self.buffer.filled, FrameStatus::Bad, Facts::default());
    }

    /// Checks a raw text that is refused if it has an unclosed block: all of it is buffered before any of it is read.
    pub(super) fn must_close(&mut self, inline: Options) {
        let at = self.buffer.at..self.buffer.filled;
        if let Some(offset) = unclosed(&self.tags, inline, &self.buffer.bytes[at.clone()]) {
            self.found.counts.records = 1;
            self.stage.output.record(1);
            self.problem(self.buffer.base + (at.start + offset) as u64, (ErrorKind::Refused, UNCLOSED), true);
            self.framer.forget(at.len());
            self.place(at, FrameStatus::Bad, Facts::default());
        }
    }

    pub(super) fn frame(&mut self, frame: Frame, eof: bool) {
        let at = self.buffer.at..self.buffer.at + frame.len;
        let body = self.buffer.at + frame.body.start..self.buffer.at + frame.body.end;
        if std::mem::take(&mut self.progress.discarding) && frame.kind != FrameKind::Tail {
            return self.place(at, FrameStatus::Bad, Facts::default());
        }
        match frame.kind {
            FrameKind::Glue => {
                let fate = if self.hides_reasoning(&at) { FrameStatus::Bad } else { FrameStatus::Glue };
                self.place(at, fate, Facts::default());
            }
            FrameKind::Edge => {
                self.edge();
                self.place(at, FrameStatus::Glue, Facts::default());
            }
            FrameKind::Tail => self.place(at, FrameStatus::Tail, Facts::default()),
            FrameKind::Waste => self.place(at, FrameStatus::Bad, Facts::default()),
            FrameKind::Text => self.text(at, eof),
            FrameKind::Bad(error) => {
                self.begin_record(self.buffer.base + at.start as u64);
                self.misread(self.buffer.base + (at.start + error.offset) as u64, error);
                self.place(at, FrameStatus::Bad, Facts::default());
            }
            kind => {
                let element = match kind {
                    FrameKind::Element { comma } => Some(comma.map(|c| self.buffer.base + (self.buffer.at + c) as u64)),
                    _ => None,
                };
                if frame.len > self.rules.max_record {
                    self.found.counts.records += 1;
                    self.problem(self.buffer.base + body.start as u64, TOO_LONG, true);
                    return self.place(at, FrameStatus::Bad, Facts::default());
                }
                self.record(at, body, element, kind == FrameKind::Unfinished && eof);
            }
        }
    }

    /// Ends a raw text. Returns whether a part of it must be read a second time.
    pub(super) fn must_read_again(&mut self) -> bool {
        match &mut self.reader {
            Some(EngineReader::Raw(reader)) => reader.all_is_there(&mut self.stage),
            _ => false,
        }
    }

    /// Reads the next piece of that part. Returns whether there was one.
    pub(super) fn read_again(&mut self) -> bool {
        let Some(EngineReader::Raw(reader)) = &mut self.reader else { return false };
        let Some(span) = reader.behind() else { return false };
        let at = (span.start - self.buffer.base) as usize..(span.end - self.buffer.base) as usize;
        let facts = reader.again(&self.buffer.bytes[at], span.start, &mut self.stage);
        self.count(&facts);
        true
    }

    /// Begins the next record, which stands at this offset.
    pub(super) fn begin_record(&mut self, at: u64) {
        self.found.counts.records += 1;
        let number = self.source_map.as_ref().and_then(|map| map.record(at));
        self.stage.output.record(number.unwrap_or(self.found.counts.records));
    }

    /// Reads and places a record.
    pub(super) fn record(
        &mut self,
        at: Range<usize>,
        body: Range<usize>,
        element: Option<Option<u64>>,
        unfinished: bool,
    ) {
        self.found.payloads += 1;
        let start = self.buffer.base + at.start as u64;
        self.begin_record(start);
        self.found.starts.push_back((start, self.found.counts.records));
        if let Err(suspect) = self.other_lines(at.start) {
            self.suspect(suspect, true);
            return self.place(at, FrameStatus::Bad, Facts::default());
        }
        match self.read(at.start, body.clone(), (element.is_some(), unfinished)) {
            Ok(facts) => {
                self.look_for_misplaced(&at, &body, element.is_some(), &facts);
                self.count(&facts);
                if element.is_none() && !unfinished {
                    self.learn_frame(&at, &body, &facts);
                }
                self.place(at, element.map_or(FrameStatus::Record, FrameStatus::Element), facts);
                self.passed();
            }
            Err(NotUnderstood::Wrong(_)) if element.is_none() && !unfinished && self.several(&at, &body) => (),
            Err(NotUnderstood::Elements) => self.elements(&at, &body),
            Err(refused) => {
                match refused {
                    NotUnderstood::Wrong(e) if self.is_json(&body) => {
                        self.problem(e.offset as u64, (e.kind, e.what), true)
                    }
                    NotUnderstood::Wrong(e) => self.misread(e.offset as u64, e),
                    NotUnderstood::Suspect(suspect) => {
                        self.suspect(suspect, true);
                        self.advise(&body);
                    }
                    NotUnderstood::Elements => (),
                }
                let bad = if element.is_some() { FrameStatus::BadElement } else { FrameStatus::Bad };
                self.place(at, bad, Facts::default());
            }
        }
    }

    /// Reads a record. Errors have their offset in the input.
    pub(super) fn read(
        &mut self,
        from: usize,
        body: Range<usize>,
        (element, unfinished): (bool, bool),
    ) -> Result<Facts, NotUnderstood> {
        if let Some(EngineReader::Cells(reader)) = &mut self.reader {
            let offset = self.buffer.base + body.start as u64;
            return reader.read(&self.buffer.bytes[body], offset, &mut self.stage);
        }
        let Some(EngineReader::Json(reader)) = &mut self.reader else {
            return Ok(Facts::default());
        };
        let one = body.start - from..body.end - from;
        let ranges = match self.framer.lines() {
            several @ [_, _, ..] => several,
            _ => std::slice::from_ref(&one),
        };
        self.buffer.lines.clear();
        self.buffer.joined.clear();
        for (i, range) in ranges.iter().enumerate().filter(|_| ranges.len() > 1) {
            self.buffer.joined.extend_from_slice(if i > 0 { b"\n" } else { b"" });
            self.buffer.lines.push((self.buffer.joined.len(), self.buffer.base + (from + range.start) as u64));
            self.buffer.joined.extend_from_slice(&self.buffer.bytes[from + range.start..from + range.end]);
        }
        let text = if ranges.len() > 1 {
            self.buffer.joined.as_slice()
        } else {
            self.buffer.lines.push((0, self.buffer.base + body.start as u64));
            &self.buffer.bytes[body]
        };
        let name = self.framer.name();
        let body = Body::new(text, &self.buffer.bytes[from + name.start..from + name.end], &self.buffer.lines)
            .apart(matches!(self.framing, Some(Framing::Jsonl | Framing::Json)) && !element)
            .of_event(self.framing == Some(Framing::Sse));
        let wrong = |e: NotUnderstood| match e {
            NotUnderstood::Wrong(e) => {
                let (kind, what) = if unfinished { (ErrorKind::CutOff, INCOMPLETE.into()) } else { (e.kind, e.what) };
                NotUnderstood::Wrong(Error::of(kind, body.offset(e.offset) as usize, what))
            }
            other => other,
        };
        if self.framing == Some(Framing::Sse) && !matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
            || is_done(text)
        {
            if unfinished && !is_done(text) {
                return Err(wrong(Error::new(0, "").into()));
            }
            if !is_done(text) {
                reader.search_text(&body).map_err(NotUnderstood::Suspect)?;
            }
            reader.plain(&body, &mut self.stage);
            return Ok(Facts { foreign: !is_done(text), ..Facts::default() });
        }
        match reader.read(&body, &mut self.stage) {
            Ok(facts) => {
                if let Some((offset, what)) = reader.failure(&body) {
                    self.problem(offset, (ErrorKind::Refused, what), false);
                }
                Ok(facts)
            }
            Err(e) if ranges.len() > 1 => {
                let lines = DataLines {
                    starts: &self.buffer.lines,
                    raw: &self.buffer.bytes[from..],
                    base: self.buffer.base + from as u64,
                };
                lines.read(reader, &body, &mut self.stage).unwrap_or_else(|| Err(wrong(e)))
            }
            Err(e) => Err(wrong(e)),
        }
    }

    pub(super) fn count(&mut self, facts: &Facts) {
        if let Some(name) = facts.dialect {
            // Most records are of the same format as the one before them.
            let is = |row: &&crate::dialect::Dialect| std::ptr::eq(row.name, name) || row.name == name;
            let last = self.found.row;
            let row = if is(&&DIALECTS[last]) { Some(last) } else { DIALECTS.iter().position(|row| is(&row)) };
            if let Some(i) = row {
                self.found.counts.known.0[i] += 1;
                self.found.row = i;
            }
        }
        self.found.counts.messages += facts.messages;
        self.found.counts.foreign += u64::from(facts.foreign);
    }

    /// Reports the suspect records that passed.
    fn passed(&mut self) {
        let suspects = match &mut self.reader {
            Some(EngineReader::Json(reader)) => reader.suspects(),
            Some(EngineReader::Cells(reader)) => reader.suspects(),
            _ => return,
        };
        for suspect in suspects {
            self.found.counts.foreign -= self.found.counts.foreign.min(1);
            self.suspect(suspect, false);
        }
    }

    /// Reports the last record as suspect: it may hold reasoning, and is in no format that is read.
    pub(super) fn suspect(&mut self, suspect: Suspect, skipped: bool) {
        self.found.counts.suspect += 1;
        self.found.counts.refused += u64::from(skipped);
        self.found.counts.refused_suspect += u64::from(skipped);
        let record = self.found.counts.records.max(1);
        let Suspect { offset, pointer, what } = suspect;
        let what = remedy::with_product(what, &pointer);
        self.stage.output.not_understood(record, offset, (ErrorKind::Suspect, &what), Some(&pointer));
        self.found.problems.push(Problem {
            record,
            offset,
            kind: ErrorKind::Suspect,
            what,
            skipped,
            suspect: Some(pointer),
            misread: false,
            again: false,
        });
        self.progress.over |= self.rules.stop && skipped;
    }

    pub(super) fn place(&mut self, at: Range<usize>, fate: FrameStatus, facts: Facts) {
        let span = Span::new(self.buffer.base + at.start as u64, self.buffer.base + at.end as u64);
        self.buffer.at = at.end;
        self.stage.output.frame(Placed { span, fate, facts });
    }

    pub(super) fn problem(&mut self, offset: u64, (kind, what): (ErrorKind, impl Into<String>), skipped: bool) {
        let record = if skipped { self.found.counts.records.max(1) } else { self.record_of(offset) };
        let doubts = kind == ErrorKind::Undecided;
        // A record with several such tags is one record.
        let again = doubts && std::mem::replace(&mut self.found.doubted, record) == record;
        self.found.counts.refused += u64::from(!again);
        let declined = !again && matches!(kind, ErrorKind::Refused | ErrorKind::Undecided);
        self.found.counts.declined += u64::from(declined);
        let what = what.into();
        self.stage.output.not_understood(record, offset, (kind, &what), None);
        let (suspect, misread) = (None, false);
        self.found.problems.push(Problem { record, offset, kind, what, skipped, suspect, misread, again });
        self.progress.over |= self.rules.stop;
    }

    /// The number of the record at this offset: a late note may refer to an earlier one.
    fn record_of(&self, offset: u64) -> u64 {
        let n = self.found.starts.partition_point(|(start, _)| *start <= offset);
        n.checked_sub(1).map_or(self.found.counts.records.max(1), |i| self.found.starts[i].1)
    }

    /// Reports a record that is not valid in the framing of the input.
    fn misread(&mut self, offset: u64, error: Error) {
        self.problem(offset, (error.kind, error.what), true);
        self.found.problems.iter_mut().last().into_iter().for_each(|problem| problem.misread = true);
    }

    /// Whether the record that was read last is JSON, whatever else is wrong with it.
    fn is_json(&self, body: &Range<usize>) -> bool {
        let several = self.framer.lines().len() > 1;
        let text = if several { self.buffer.joined.as_slice() } else { &self.buffer.bytes[body.clone()] };
        matches!(self.reader, Some(EngineReader::Json(_))) && crate::json::scan::validate(text).is_ok()
    }

    /// Whether the reader may have notes since the last call of [`Engine::notes`].
    #[inline]
    pub(super) fn has_notes(&self) -> bool {
        match &self.reader {
            Some(EngineReader::Json(reader)) => reader.has_notes(),
            Some(EngineReader::Raw(_) | EngineReader::Cells(_)) => true,
            None => false,
        }
    }

    /// Counts and reports the notes of the reader.
    pub(super) fn notes(&mut self) {
        let notes = match &mut self.reader {
            Some(EngineReader::Json(reader)) => reader.notes(),
            Some(EngineReader::Raw(reader)) => reader.notes(),
            Some(EngineReader::Cells(reader)) => reader.notes(),
            None => return,
        };
        for (offset, note) in notes {
            match note {
                Note::Stray(bytes) => {
                    self.found.counts.tags.strays += 1;
                    self.found.counts.tags.stray_bytes += bytes;
                }
                Note::Marker => self.found.counts.tags.markers += 1,
                Note::Unopened(bytes) => {
                    self.found.counts.tags.unopened += 1;
                    self.found.counts.tags.unpaired_bytes += bytes;
                }
                Note::Channel => self.found.counts.tags.unknown_channels += 1,
                Note::Lost => self.found.counts.tags.lost_tokens += 1,
                Note::Unclosed(bytes) | Note::OtherClose(bytes) => {
                    self.found.counts.tags.unclosed += 1;
                    self.found.counts.tags.unpaired_bytes += bytes;
                }
                Note::LateClose(_) => {
                    let what = "a closer without an opener, when the text before it was already passed on as visible \
                                (--start reasoning says that the message begins with reasoning)";
                    self.problem(offset, (ErrorKind::Refused, what), false);
                }
                Note::UnclosedError(_) => self.problem(offset, (ErrorKind::Refused, UNCLOSED), true),
                // When it is known depends on how a text came: it is told behind the lines of the text.
                Note::Undecided { doubt, passed, .. } if self.framing == Some(Framing::Text) => {
                    self.stage.output.doubted(offset);
                    self.found.doubts.push((offset, doubt.what(), !passed));
                }
                Note::Undecided { doubt, passed, .. } => {
                    self.problem(offset, (ErrorKind::Undecided, doubt.what()), !passed)
                }
            }
        }
    }
}
