//! Frames: each is read, counted and placed.

use super::lines::Lines;
use super::*;

impl<O: Output> Engine<'_, O> {
    /// The frame at the start is not complete and too long to buffer.
    pub(super) fn too_long(&mut self) {
        let len = self.filled - self.at;
        if len <= self.max_record {
            return;
        }
        if !self.discarding {
            self.discarding = true;
            self.counts.records += 1;
            self.output.record(self.counts.records);
            self.problem(self.base + self.at as u64, "a record longer than --max-record", true);
        }
        self.framer.forget(len);
        self.place(self.at..self.filled, Fate::Bad, Facts::default());
    }

    /// A raw text that may be refused is searched before anything of it is read: all of it is buffered.
    pub(super) fn must_close(&mut self, inline: Options) {
        let at = self.at..self.filled;
        if let Some(offset) = unclosed(self.tags, inline, &self.buf[at.clone()]) {
            self.counts.records = 1;
            self.output.record(1);
            self.problem(self.base + (at.start + offset) as u64, UNCLOSED, true);
            self.framer.forget(at.len());
            self.place(at, Fate::Bad, Facts::default());
        }
    }

    pub(super) fn frame(&mut self, frame: Frame, eof: bool) {
        let at = self.at..self.at + frame.len;
        let body = self.at + frame.body.start..self.at + frame.body.end;
        if std::mem::take(&mut self.discarding) && frame.kind != Kind::Tail {
            return self.place(at, Fate::Bad, Facts::default());
        }
        match frame.kind {
            Kind::Glue => self.place(at, Fate::Glue, Facts::default()),
            Kind::Edge => {
                if let Some(Reader::Json(reader)) = &mut self.reader {
                    reader.end_array(&mut Stage { judge: &mut self.judge, output: &mut self.output });
                }
                self.notes();
                Stage { judge: &mut self.judge, output: &mut self.output }.event(&Event::StreamOver);
                self.place(at, Fate::Glue, Facts::default());
            }
            Kind::Tail => self.place(at, Fate::Tail, Facts::default()),
            Kind::Waste => self.place(at, Fate::Bad, Facts::default()),
            Kind::Text => self.text(at),
            Kind::Line => self.line(at),
            Kind::Bad(error) => {
                self.counts.records += 1;
                self.output.record(self.counts.records);
                self.problem(self.base + (at.start + error.offset) as u64, error.what, true);
                self.place(at, Fate::Bad, Facts::default());
            }
            kind => {
                let element = match kind {
                    Kind::Element { comma } => Some(comma.map(|c| self.base + (self.at + c) as u64)),
                    _ => None,
                };
                if frame.len > self.max_record {
                    self.counts.records += 1;
                    self.problem(self.base + body.start as u64, "a record longer than --max-record", true);
                    return self.place(at, Fate::Bad, Facts::default());
                }
                self.record(at, body, element, kind == Kind::Unfinished && eof);
            }
        }
    }

    /// A line of raw text that may be JSON. One that may contain reasoning is no text, unless the text marks it as part
    /// of its own reasoning.
    fn line(&mut self, at: Range<usize>) {
        let offset = self.base + at.start as u64;
        let found = match &mut self.reader {
            Some(Reader::Raw(reader)) if !reader.thinks() => reader.suspect(&self.buf[at.clone()], offset),
            _ => None,
        };
        let Some(suspect) = found else { return self.text(at) };
        self.begin_text();
        self.counts.records += 1;
        let skipped = self.foreign == Foreign::Refuse;
        self.suspect(suspect, skipped);
        match skipped {
            true => self.place(at, Fate::Bad, Facts::default()),
            false => self.text(at),
        }
    }

    /// A text is a record.
    fn begin_text(&mut self) {
        if self.counts.records == 0 {
            self.counts.records = 1;
            self.output.record(1);
        }
    }

    /// The input is over, so that it is known what a text begins with: whether it is to be read a second time.
    pub(super) fn must_read_again(&mut self) -> bool {
        match &mut self.reader {
            Some(Reader::Raw(reader)) => {
                reader.all_is_there(&mut Stage { judge: &mut self.judge, output: &mut self.output })
            }
            _ => false,
        }
    }

    /// Reads the next piece of such a text. Whether there was one.
    pub(super) fn read_again(&mut self) -> bool {
        let Some(Reader::Raw(reader)) = &mut self.reader else { return false };
        let Some(span) = reader.behind() else { return false };
        let at = (span.start - self.base) as usize..(span.end - self.base) as usize;
        let facts =
            reader.again(&self.buf[at], span.start, &mut Stage { judge: &mut self.judge, output: &mut self.output });
        self.count(&facts);
        true
    }

    /// A piece of raw text.
    pub(super) fn text(&mut self, at: Range<usize>) {
        self.begin_text();
        let offset = self.base + at.start as u64;
        let watched = self.counts.guessed && self.foreign != Foreign::Unwatched;
        if let (true, Some(nul)) = (watched, self.framer.marks().iter().find(|mark| self.buf[at.start + **mark] == 0)) {
            let what = "a NUL byte: this is not text (--framing text takes it as text); the rest was left out";
            return self.give_up(offset + *nul as u64, what);
        }
        let Some(Reader::Raw(reader)) = &mut self.reader else {
            return;
        };
        if self.ignores {
            let first = self.counts.messages == 0;
            let facts = Facts { dialect: first.then_some("text"), messages: u64::from(first), ..Facts::default() };
            self.count(&facts);
            return self.place(at, Fate::Text, facts);
        }
        if let Some(utf8) = &mut self.utf8 {
            utf8.feed(&self.buf[at.clone()], self.base + at.start as u64);
        }
        let facts = reader.read(
            &self.buf[at.clone()],
            self.framer.marks(),
            offset,
            &mut Stage { judge: &mut self.judge, output: &mut self.output },
        );
        self.count(&facts);
        self.place(at, Fate::Text, facts);
    }

    /// A record: reads and places it.
    pub(super) fn record(
        &mut self,
        at: Range<usize>,
        body: Range<usize>,
        element: Option<Option<u64>>,
        unfinished: bool,
    ) {
        self.payloads += 1;
        self.counts.records += 1;
        self.output.record(self.counts.records);
        self.starts.push_back((self.base + at.start as u64, self.counts.records));
        match self.read(at.start, body.clone(), unfinished) {
            Ok(facts) => {
                self.count(&facts);
                self.place(at, element.map_or(Fate::Record, Fate::Element), facts);
                self.passed();
            }
            Err(Refused::Wrong(_)) if element.is_none() && !unfinished && self.several(&at, &body) => (),
            Err(refused) => {
                match refused {
                    Refused::Wrong(e) => self.problem(e.offset as u64, e.what, true),
                    Refused::Suspect(suspect) => self.suspect(suspect, true),
                }
                let bad = if element.is_some() { Fate::BadElement } else { Fate::Bad };
                self.place(at, bad, Facts::default());
            }
        }
    }

    /// Reads the values of a line that contains several, one behind the other, each as a record. Whether it does.
    #[cold]
    fn several(&mut self, at: &Range<usize>, body: &Range<usize>) -> bool {
        let text = &self.buf[body.clone()];
        let ends = if self.framing == Some(Framing::Jsonl) { value_ends(text) } else { Vec::new() };
        let mut from = 0;
        let whole = |end: &usize| {
            let value = std::mem::replace(&mut from, *end)..*end;
            crate::json::scan::validate(&text[value]).is_ok()
        };
        if ends.len() < 2 || !ends.iter().all(whole) {
            return false;
        }
        // The line was counted as one record.
        self.payloads -= 1;
        self.counts.records -= 1;
        self.starts.pop_back();
        let (mut start, last) = (at.start, ends.len() - 1);
        for (i, end) in ends.iter().enumerate() {
            let end = body.start + end;
            self.record(start..if i == last { at.end } else { end }, start.max(body.start)..end, None, false);
            start = end;
        }
        true
    }

    /// Reads a record. The offset of an error is that in the input.
    pub(super) fn read(&mut self, from: usize, body: Range<usize>, unfinished: bool) -> Result<Facts, Refused> {
        if let Some(Reader::Cells(reader)) = &mut self.reader {
            let offset = self.base + body.start as u64;
            return reader.read(
                &self.buf[body],
                offset,
                &mut Stage { judge: &mut self.judge, output: &mut self.output },
            );
        }
        let Some(Reader::Json(reader)) = &mut self.reader else {
            return Ok(Facts::default());
        };
        let one = body.start - from..body.end - from;
        let ranges = match self.framer.lines() {
            several @ [_, _, ..] => several,
            _ => std::slice::from_ref(&one),
        };
        self.lines.clear();
        self.joined.clear();
        for (i, range) in ranges.iter().enumerate().filter(|_| ranges.len() > 1) {
            self.joined.extend_from_slice(if i > 0 { b"\n" } else { b"" });
            self.lines.push((self.joined.len(), self.base + (from + range.start) as u64));
            self.joined.extend_from_slice(&self.buf[from + range.start..from + range.end]);
        }
        let text = if ranges.len() > 1 {
            self.joined.as_slice()
        } else {
            self.lines.push((0, self.base + body.start as u64));
            &self.buf[body]
        };
        let name = self.framer.name();
        let body = Body::new(text, &self.buf[from + name.start..from + name.end], &self.lines);
        let wrong = |e: Refused| match e {
            Refused::Wrong(e) => {
                let what = if unfinished { "an incomplete event at the end of the input".into() } else { e.what };
                Refused::Wrong(Error::new(body.offset(e.offset) as usize, what))
            }
            suspect => suspect,
        };
        if self.framing == Some(Framing::Sse) && !matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
            || is_done(text)
        {
            if unfinished && !is_done(text) {
                return Err(wrong(Error::new(0, "").into()));
            }
            if !is_done(text) {
                reader.plain_text_event(&body)?;
            }
            reader.plain(&body, &mut Stage { judge: &mut self.judge, output: &mut self.output });
            return Ok(Facts { foreign: !is_done(text), ..Facts::default() });
        }
        match reader.read(&body, &mut Stage { judge: &mut self.judge, output: &mut self.output }) {
            Ok(facts) => Ok(facts),
            Err(e) if ranges.len() > 1 => {
                let lines = Lines { starts: &self.lines, raw: &self.buf[from..], base: self.base + from as u64 };
                lines
                    .read(reader, &body, &mut Stage { judge: &mut self.judge, output: &mut self.output })
                    .unwrap_or_else(|| Err(wrong(e)))
            }
            Err(e) => Err(wrong(e)),
        }
    }

    pub(super) fn count(&mut self, facts: &Facts) {
        if let Some(name) = facts.dialect {
            // Most often it is the very name in the row, which a look at where it stands tells.
            let row = DIALECTS.iter().position(|row| std::ptr::eq(row.name, name));
            if let Some(i) = row.or_else(|| DIALECTS.iter().position(|row| row.name == name)) {
                self.counts.known[i] += 1;
            }
        }
        self.counts.messages += facts.messages;
        self.counts.foreign += u64::from(facts.foreign);
    }

    /// Suspect records that pass are reported.
    fn passed(&mut self) {
        let suspects = match &mut self.reader {
            Some(Reader::Json(reader)) => reader.suspects(),
            Some(Reader::Cells(reader)) => reader.suspects(),
            _ => return,
        };
        for suspect in suspects {
            self.counts.foreign -= self.counts.foreign.min(1);
            self.suspect(suspect, false);
        }
    }

    /// The record that was read last may contain reasoning, and is in no format that is read.
    fn suspect(&mut self, suspect: Suspect, skipped: bool) {
        self.counts.suspect += 1;
        self.counts.bad += u64::from(skipped);
        self.counts.refused += u64::from(skipped);
        let record = self.counts.records.max(1);
        let Suspect { offset, pointer, what } = suspect;
        let what = what.to_string();
        self.problems.push(Problem { record, offset, what, skipped, suspect: Some(pointer) });
        self.over |= self.stop && skipped;
    }

    pub(super) fn place(&mut self, at: Range<usize>, fate: Fate, facts: Facts) {
        let span = Span::new(self.base + at.start as u64, self.base + at.end as u64);
        self.at = at.end;
        self.output.frame(Placed { span, fate, facts });
    }

    pub(super) fn problem(&mut self, offset: u64, what: impl Into<String>, skipped: bool) {
        self.counts.bad += 1;
        // What is noticed late may lie in an earlier record.
        let n = self.starts.partition_point(|(start, _)| *start <= offset);
        let late = n.checked_sub(1).map(|i| self.starts[i].1).filter(|_| !skipped);
        let record = late.unwrap_or(self.counts.records.max(1));
        self.problems.push(Problem { record, offset, what: what.into(), skipped, suspect: None });
        self.over |= self.stop;
    }

    /// What the readers noticed.
    pub(super) fn notes(&mut self) {
        let notes = match &mut self.reader {
            Some(Reader::Json(reader)) => reader.notes(),
            Some(Reader::Raw(reader)) => reader.notes(),
            Some(Reader::Cells(reader)) => reader.notes(),
            None => return,
        };
        if let Some(Reader::Json(reader)) = &self.reader {
            self.counts.redaction = reader.redaction();
        }
        for (offset, note) in notes {
            match note {
                Note::Stray(bytes) => {
                    self.counts.strays += 1;
                    self.counts.stray_bytes += bytes;
                }
                Note::Marker => self.counts.markers += 1,
                Note::Unopened(bytes) => {
                    self.counts.unopened += 1;
                    self.counts.unpaired_bytes += bytes;
                }
                Note::Channel => self.counts.channels += 1,
                Note::Lost => self.counts.lost += 1,
                Note::Unclosed(bytes) => {
                    self.counts.unclosed += 1;
                    self.counts.unpaired_bytes += bytes;
                }
                Note::LateClose(_) => {
                    let what = "a closer without an opener, when the text before it was already passed on as visible \
                                (--start reasoning says that the message begins with reasoning)";
                    self.problem(offset, what, false);
                }
                Note::UnclosedError(_) => self.problem(offset, UNCLOSED, true),
            }
        }
    }
}

pub(super) fn is_done(text: &[u8]) -> bool {
    text.trim_ascii() == b"[DONE]"
}
