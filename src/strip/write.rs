//! Turns source and edits into bytes, and reports the steps for callers that compare the input with the output: a diff, or
//! a file that is rewritten.

use super::{Act, CutWhen, Edit, Splice, WaitingFrame};
use crate::model::{Bit, Element};
use crate::out::{FrameStatus, Placed, Sinks, SourceBytes, SpliceStep};
use crate::span::Span;
use std::borrow::Cow;
use std::sync::Arc;

impl Splice {
    /// Writes the first frame, or as much of it as is decided. Returns whether it is done.
    pub(super) fn write(&mut self, source: SourceBytes<'_>, undecided: u64, sinks: &mut Sinks) -> bool {
        let Some(WaitingFrame { placed, emptied, frames, .. }) = self.frames.queue.front() else {
            return false;
        };
        let (placed, emptied, frames) = (*placed, *emptied, *frames);
        let Span { start, end } = placed.span;
        let text = placed.fate == FrameStatus::Text;
        if undecided < end && !text {
            return false;
        }
        let from = self.edits.done;
        let count = self.edits.list[from..].iter().take_while(|e| e.span.start < end).count();
        let (mut limit, mut cut, mut visible) = (end.min(undecided.max(start)), false, false);
        for edit in &self.edits.list[from..from + count] {
            if self.is_open(edit) {
                if !text {
                    return false;
                }
                limit = limit.min(edit.span.start);
                break;
            }
            self.content(edit, &mut cut, &mut visible);
        }
        let whole = match (emptied, self.decisions.cuts(emptied)) {
            (_, None) => return false,
            (CutWhen::Always | CutWhen::If(_), Some(goes)) => goes,
            (CutWhen::Never, _) => placed.facts.stream && cut && !visible && !placed.facts.payload,
        };
        if whole {
            self.stats.dropped += frames;
        }
        let stays = !whole && self.frame_stays(&placed, source, sinks);
        if !stays {
            // Bits before the frame belong to earlier frames.
            for i in from..from + count {
                match self.edits.list[i] {
                    Edit { span, act: Act::Replace(at, to) } if span == Span::new(start, start) => {
                        self.write_bits(at..to, usize::MAX, source, sinks);
                    }
                    _ => break,
                }
            }
            let refused = matches!(placed.fate, FrameStatus::Bad | FrameStatus::BadElement | FrameStatus::Glue);
            let bytes = self.stats.bytes;
            self.skip(end, sinks);
            if refused {
                // Refused bytes are no reasoning that was removed.
                self.stats.bytes = bytes;
            }
        } else {
            self.before_element(&placed, source, sinks);
            // What has several edits is written at once, since some are read together.
            let parts = text || placed.fate == FrameStatus::Record && count == 1;
            let most = if parts { Sinks::ENOUGH } else { usize::MAX };
            if let Some(rest) = self.copy(from..from + count, (limit, most), source, sinks) {
                self.edits.done = rest;
                self.frames.behind = true;
                return false;
            }
        }
        if limit < end && stays {
            // Bits at the limit are not written yet.
            let done = |e: &&Edit| e.span.start < limit && e.span.end <= self.cursor;
            self.edits.done += self.edits.list[self.edits.done..].iter().take_while(done).count();
            return false;
        }
        self.lists.clear();
        self.edits.done = from + count;
        self.frames.last_went = !stays;
        self.frames.refused |= matches!(placed.fate, FrameStatus::Bad) && !stays;
        self.frames.stayed |= stays;
        true
    }

    /// Whether an edit cuts, or stands for visible content.
    fn content(&self, edit: &Edit, cut: &mut bool, visible: &mut bool) {
        match edit.act {
            Act::Cut => *cut = true,
            Act::Pending(ticket) => *cut |= self.decisions.goes(ticket) == Some(true),
            Act::Visible | Act::Emptied => *visible = true,
            Act::Redacted(_)
            | Act::Element(..)
            | Act::Stays(_)
            | Act::StreamEvent
            | Act::Replace(..)
            | Act::Line(..)
            | Act::Number(_) => (),
        }
    }

    /// Whether an event of a stream in a string has nothing but reasoning that goes.
    fn event_goes(&self, edits: &[Edit], at: Span) -> bool {
        let (mut cut, mut visible) = (false, false);
        let first = edits.partition_point(|edit| edit.span.start < at.start);
        let inside = edits[first..].iter().take_while(|edit| edit.span.start < at.end);
        inside.for_each(|edit| self.content(edit, &mut cut, &mut visible));
        cut && !visible
    }

    /// Whether the frame stays. A frame that is bad goes to the rejects.
    pub(super) fn frame_stays(&self, placed: &Placed, source: SourceBytes<'_>, sinks: &mut Sinks) -> bool {
        match placed.fate {
            FrameStatus::Bad | FrameStatus::BadElement => {
                if !self.options.pass_bad && !self.options.verbatim {
                    sinks.rejects.extend_from_slice(source.get(placed.span));
                    return false;
                }
                true
            }
            FrameStatus::Tail => !self.frames.last_went,
            // The line end of a JSON value that was refused is not output by itself.
            FrameStatus::Glue if self.document && self.frames.is_all_refused() => {
                let blank = source.get(placed.span).trim_ascii().is_empty();
                sinks.rejects.extend_from_slice(if blank { source.get(placed.span) } else { b"" });
                !blank
            }
            _ => true,
        }
    }

    /// Writes the comma of an element of the top-level array: the first one that stays has none.
    pub(super) fn before_element(&mut self, placed: &Placed, source: SourceBytes<'_>, sinks: &mut Sinks) {
        match placed.fate {
            FrameStatus::Element(comma) => {
                if let (false, Some(comma), false) = (self.frames.in_array, comma, self.options.verbatim) {
                    self.copy_to(comma, source, sinks);
                    self.skip(comma + 1, sinks);
                }
                self.frames.in_array = true;
            }
            FrameStatus::BadElement => self.frames.in_array = true,
            FrameStatus::Glue => self.frames.in_array = false,
            _ => (),
        }
    }

    /// Copies the source up to `limit` without the cuts. At most about `most` bytes replace others at once: if there are
    /// more, returns the edit whose bits are not all written.
    pub(super) fn copy(
        &mut self,
        edits: std::ops::Range<usize>,
        (limit, most): (u64, usize),
        source: SourceBytes<'_>,
        sinks: &mut Sinks,
    ) -> Option<usize> {
        // The end of the last event in a string that went.
        let mut gone = 0;
        for i in edits.clone() {
            let edit = self.edits.list[i];
            if edit.span.start >= limit {
                break;
            }
            if edit.span.start < gone {
                continue;
            }
            let goes = match edit.act {
                Act::Cut | Act::Emptied => true,
                Act::Pending(ticket) => self.decisions.goes(ticket) == Some(true),
                Act::Visible => false,
                Act::Redacted(ticket) => {
                    if self.empties(ticket) {
                        self.empty(edit.span, source, sinks);
                    }
                    false
                }
                Act::Line(when, strings) => {
                    if self.decisions.cuts(when) == Some(true) {
                        self.copy_to(edit.span.start, source, sinks);
                        let escapes = if self.raw { 0 } else { 1 << strings };
                        sinks.out.extend(std::iter::repeat_n(b'\\', escapes));
                        sinks.out.push(if self.raw { b'\n' } else { b'n' });
                    }
                    false
                }
                Act::Element(element, when) => {
                    let goes = self.decisions.cuts(when) == Some(true);
                    self.stats.dropped += u64::from(goes);
                    self.list_comma(element, !goes, source, sinks);
                    goes
                }
                Act::StreamEvent => {
                    let goes = self.event_goes(&self.edits.list[edits.clone()], edit.span);
                    self.stats.dropped += u64::from(goes);
                    gone = if goes { edit.span.end } else { gone };
                    goes
                }
                Act::Stays(element) => {
                    self.list_comma(element, true, source, sinks);
                    false
                }
                Act::Number(renumber) => {
                    if let Some(number) = self.renumbered(renumber) {
                        self.copy_to(edit.span.start, source, sinks);
                        sinks.out.extend_from_slice(number.to_string().as_bytes());
                        self.pass(edit.span.end, sinks);
                    }
                    false
                }
                Act::Replace(from, to) => {
                    self.copy_to(edit.span.start, source, sinks);
                    let rest = self.write_bits(from..to, most, source, sinks);
                    if rest < to {
                        self.edits.list[i].act = Act::Replace(rest, to);
                        return Some(i);
                    }
                    self.pass(edit.span.end, sinks);
                    false
                }
            };
            if goes && edit.span.end > self.cursor {
                self.copy_to(edit.span.start, source, sinks);
                self.skip(edit.span.end, sinks);
            }
        }
        self.copy_to(limit, source, sinks);
        None
    }

    /// Writes the bits that replace bytes, but not many more than `most` bytes. Returns the first that is not written, or
    /// not to its end.
    fn write_bits(
        &mut self,
        bits: std::ops::Range<usize>,
        most: usize,
        source: SourceBytes<'_>,
        sinks: &mut Sinks,
    ) -> usize {
        let full = sinks.out.len().saturating_add(most);
        for at in bits.clone() {
            if sinks.out.len() >= full {
                return at;
            }
            match &mut self.edits.bits[at] {
                Bit::Text(text) => {
                    sinks.out.extend_from_slice(text);
                    if text.len() >= most {
                        *text = Cow::Borrowed(b"");
                    }
                }
                Bit::Part(written, at) => {
                    sinks.out.extend_from_slice(&written[at.clone()]);
                    if at.len() >= most {
                        (*written, *at) = (Arc::default(), 0..0);
                    }
                }
                Bit::Copy(span) => {
                    let end = span.end.min(span.start.saturating_add((full - sinks.out.len()) as u64));
                    sinks.out.extend_from_slice(source.get(Span::new(span.start, end)));
                    if end < span.end {
                        span.start = end;
                        return at;
                    }
                }
            }
        }
        bits.end
    }

    /// Writes the comma of a list element: the first one that stays has none.
    pub(super) fn list_comma(&mut self, element: Element, stays: bool, source: SourceBytes<'_>, sinks: &mut Sinks) {
        let first = !self.lists.contains(&element.list);
        if stays {
            // Where something stands before it that sent no event, nothing went there.
            let hole = |comma: u64| {
                let from = self.cursor.max(element.list + 1);
                from >= comma || source.get(Span::new(from, comma)).trim_ascii().is_empty()
            };
            if let (true, Some(comma)) = (first, element.comma.filter(|comma| hole(*comma))) {
                // White space before the first element that went is kept for this one.
                let blank = |at: u64| {
                    let bytes = source.get(Span::new(at, element.span.end));
                    &bytes[..bytes.len() - bytes.trim_ascii_start().len()]
                };
                self.skip(comma, sinks);
                sinks.out.extend_from_slice(blank(element.list + 1));
                self.skip(comma + 1 + blank(comma + 1).len() as u64, sinks);
            }
            if first {
                self.lists.push(element.list);
            }
        }
    }

    pub(super) fn copy_to(&mut self, end: u64, source: SourceBytes<'_>, sinks: &mut Sinks) {
        if end > self.cursor {
            self.step(SpliceStep::Keep(end - self.cursor), sinks);
            sinks.out.extend_from_slice(source.get(Span::new(self.cursor, end)));
            self.cursor = end;
        }
    }

    pub(super) fn skip(&mut self, end: u64, sinks: &mut Sinks) {
        self.stats.bytes += end.saturating_sub(self.cursor);
        self.pass(end, sinks);
    }

    /// Moves the cursor behind bytes that were replaced.
    pub(super) fn pass(&mut self, end: u64, sinks: &mut Sinks) {
        if end > self.cursor {
            self.step(SpliceStep::Cut(end - self.cursor), sinks);
            self.cursor = end;
        }
    }
}

impl Splice {
    /// Leaves out the bytes of a section. They are counted apart from removed blocks.
    pub(super) fn empty(&mut self, at: Span, source: SourceBytes<'_>, sinks: &mut Sinks) {
        if at.end > self.cursor {
            self.copy_to(at.start, source, sinks);
            self.stats.emptied += at.end - self.cursor;
            self.pass(at.end, sinks);
        }
    }
}

impl Splice {
    /// Reports a step. Bytes written since the step before are reported as put in.
    pub(super) fn step(&mut self, step: SpliceStep, sinks: &mut Sinks) {
        if !self.options.steps {
            return;
        }
        self.report_put(sinks);
        step.add_to(&mut sinks.steps);
        if let SpliceStep::Keep(n) = step {
            // The bytes of this step are written next.
            self.reported += n as usize;
        }
    }

    /// Reports bytes that were written and are not from the input.
    pub(super) fn report_put(&mut self, sinks: &mut Sinks) {
        if self.options.steps && sinks.out.len() > self.reported {
            SpliceStep::Put((sinks.out.len() - self.reported) as u64).add_to(&mut sinks.steps);
            self.reported = sinks.out.len();
        }
    }
}
