//! Sends decided text: follows code in it, and drops sent text from the buffer.

use super::calls::OpenToolCall;
use super::stands::INNER;
use super::types::{Doubt, Inline, Note, Scanned, Start, StretchKind};
use super::{MAX_RECENT_BYTES, Mode, TagScanner, Wait, remember};
use crate::inline::code::{CodeTracker, Inside};
use crate::inline::headers::may_be_header;
use crate::inline::line::LineTracker;
use crate::inline::marks::lost::{MAX_LOST_BYTES, has_lost};
use crate::inline::shown::ShownTracker;
use crate::inline::tags::Unclosed;
use memchr::memmem;
use std::ops::Range;

impl TagScanner {
    /// Whether `i` is inside of code; `None` while that is not known.
    pub(super) fn is_code(&mut self, i: usize, eof: bool) -> Option<bool> {
        self.look_at_code(i);
        if i < self.code.known {
            return Some(true);
        }
        // An earlier search helps only for the same place.
        let from = if self.code.look_of == i { self.code.look } else { i };
        match self.code.tracker.inside(&self.text, i, from, eof, &mut self.code.misses) {
            Inside::No => {
                self.code.torn = self.code.tracker.is_cut_off();
                Some(false)
            }
            Inside::Yes(end) => {
                self.code.torn = self.code.tracker.is_torn(&self.text[i..end.min(self.text.len())]);
                self.code.known = end;
                Some(true)
            }
            Inside::Later { from, tick } => {
                (self.code.look, self.code.look_of) = (from, i);
                self.wait = Some(Wait::Code { tick, searched: self.text.len() });
                None
            }
        }
    }

    /// Whether the code at `i` ends before the next message begins. If not, its opening was never closed, and must not
    /// hide delimiters.
    pub(super) fn is_quoted(&mut self, i: usize) -> bool {
        if self.messages.next_start <= i {
            let found = memmem::find(&self.text[i..self.code.known], b"<|start|>");
            self.messages.next_start = found.map_or(self.code.known, |n| i + n);
        }
        self.messages.next_start >= self.code.known
    }

    /// Follows code in the visible text up to `i`.
    pub(super) fn look_at_code(&mut self, i: usize) {
        if self.code.tracked < i {
            self.code.tracker.pass(&self.text[self.code.tracked..i]);
            self.code.line.pass(&self.text[self.code.tracked..i]);
            self.code.shown.pass(&self.text[self.code.tracked..i]);
            self.code.tracked = i;
        }
    }

    /// Begins a text that has no code and no line before it.
    pub(super) fn new_line(&mut self) {
        (self.code.tracker, self.code.line) = (CodeTracker::default(), LineTracker::default());
        self.code.shown = ShownTracker::default();
    }

    /// Whether the message is only white space up to `i`.
    pub(super) fn is_blank_before(&self, i: usize) -> bool {
        !self.visible.sent_text && !self.blocks.took && self.is_blank_to(i)
    }

    pub(super) fn blank_since(&self, i: usize) -> bool {
        self.code.tracker.margin() && self.is_blank_to(i)
    }

    /// Whether only white space was not sent before `i`, and delimiters that are no text.
    pub(super) fn is_blank_to(&self, i: usize) -> bool {
        let blank = |text: &[u8]| text.iter().all(u8::is_ascii_whitespace);
        let mut at = self.place.out.min(i);
        for (from, to, part) in self.start.strays.iter().filter(|stray| stray.1 <= i) {
            if matches!(part, StretchKind::Tool | StretchKind::Mention) || !blank(&self.text[at.min(*from)..*from]) {
                return false;
            }
            at = at.max(*to);
        }
        blank(&self.text[at..i])
    }

    /// Sends a delimiter that is text, by itself.
    pub(super) fn mention(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Scanned<'_>)) {
        if self.start.open {
            self.start.strays.push((at.0, at.1, StretchKind::Mention));
        } else {
            self.visible(at.0, sink);
            self.send(StretchKind::Mention, at.1, sink);
        }
        self.place.scan = at.1;
    }

    /// Sends all text that no later byte can change.
    pub(super) fn release(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) {
        match self.mode {
            Mode::Visible if self.start.open && !self.start.looks_ahead => (),
            // White space at the start belongs to the reasoning that a closing tag behind it would end.
            Mode::Visible if self.buffers_leading_blank(self.place.scan) && self.blank_start(self.place.scan) => (),
            Mode::Visible | Mode::Other => self.visible(self.place.scan, sink),
            Mode::Call(_) if self.start.open => (),
            Mode::Call(OpenToolCall { from, close: Some(_), .. }) => self.visible(from, sink),
            Mode::Call(call) => {
                self.followed(call, self.place.scan);
                self.send(StretchKind::Tool, self.place.scan, sink);
            }
            Mode::Block(mut block) => {
                let unclosed = self.options.unclosed.unwrap_or(Unclosed::Reasoning);
                let undecided =
                    block.row.is_none() && (unclosed != Unclosed::Reasoning || self.blank_start(self.place.scan));
                if block.implied.is_some() && self.start.looks_ahead {
                    // In a first pass only the end of the reasoning matters.
                    self.place.out = self.place.scan;
                    return;
                }
                if block.tentative || undecided {
                    // The text before the block is visible, whether the block counts or not.
                    if block.row.is_some() && !self.start.open {
                        self.visible(block.open.0, sink);
                    }
                    return;
                }
                self.begin_block(&mut block, sink);
                let limit = block.may_end().unwrap_or(usize::MAX);
                let may_begin = block.row.is_none_or(|row| self.tags.rows()[row].headers.is_some());
                let header = if may_begin {
                    self.place.out + may_be_header(&self.text[self.place.out..self.place.scan])
                } else {
                    self.place.scan
                };
                self.send(StretchKind::Reasoning, limit.min(header), sink);
                self.mode = Mode::Block(block);
            }
        }
    }

    /// Whether white space at the start is buffered in streaming. It is scanned again with every piece, so that its
    /// length is limited.
    pub(super) fn buffers_leading_blank(&self, i: usize) -> bool {
        self.options.start == Start::Streaming && self.place.base + i as u64 <= MAX_RECENT_BYTES as u64
    }

    /// Whether only white space stands before `i`, and nothing was sent.
    pub(super) fn blank_start(&self, i: usize) -> bool {
        self.place.base == 0 && self.place.out == 0 && self.text[..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Continues scanning at `at`, outside of code.
    pub(super) fn go_on_at(&mut self, at: usize) {
        self.place.scan = at;
        (self.code.tracked, self.code.known, self.code.look) = (at, at, at);
    }

    /// Sends visible text up to `end`, with the stray delimiters in it.
    pub(super) fn visible(&mut self, end: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        for (from, to, part) in std::mem::take(&mut self.start.strays) {
            self.send(StretchKind::Visible, from, sink);
            self.send(part, to, sink);
            if part == StretchKind::Tool {
                self.call_over(sink);
            }
        }
        self.send(StretchKind::Visible, end, sink);
    }

    pub(super) fn send(&mut self, part: StretchKind, end: usize, sink: &mut dyn FnMut(Scanned<'_>)) {
        if matches!(part, StretchKind::Visible | StretchKind::Tool) && end <= self.place.out || end < self.place.out {
            return;
        }
        if self.start.looks_ahead && self.start.open && part == StretchKind::Visible {
            self.look_for_turns(end);
        }
        let Range { start, end } = self.place.out..end;
        if self.start.looks_ahead && self.start.open {
            remember(&mut self.messages.passed, &self.text[start..end]);
        }
        if matches!(part, StretchKind::Visible | StretchKind::Mention) {
            let blank = self.text[start..end].iter().all(u8::is_ascii_whitespace);
            self.visible.sent_text |= !blank;
            self.messages.ended &= blank;
            self.look_at_code(end);
            self.blocks.last.turned = self.is_turned(end);
            self.blocks.last.sent = self.blocks.last.sent.saturating_add(end - start);
            if self.blocks.wrapper_of.is_some() && !self.text[start..end].iter().all(u8::is_ascii_whitespace) {
                self.blocks.wrapper_of = None;
            }
            remember(&mut self.visible.recent, &self.text[start..end]);
        }
        if part == StretchKind::Reasoning {
            self.blocks.last.blank &= self.text[start..end].iter().all(u8::is_ascii_whitespace);
            let inner = &mut self.blocks.inner;
            inner.extend_from_slice(&self.text[start..end][(end - start).saturating_sub(INNER)..]);
            inner.drain(..inner.len().saturating_sub(INNER));
            self.blocks.fences.pass(&self.text[start..end], self.place.base + start as u64);
        }
        if let StretchKind::Open(_) = part {
            self.blocks.last.blank = start < end;
            self.blocks.inner.clear();
        }
        if let StretchKind::Tool = part {
            self.visible.sent_text = true;
            // Code may have been followed beyond this text before, while the start of the message was undecided.
            (self.blocks.wrapper_of, self.code.tracked) = (None, self.code.tracked.max(end));
            self.visible.recent.clear();
        }
        self.look_for_lost(part, start, end);
        let part = match part {
            StretchKind::Visible | StretchKind::Commentary | StretchKind::Tool if self.blocks.refused => {
                StretchKind::Refused
            }
            StretchKind::Visible if self.visible.commentary => StretchKind::Commentary,
            part => part,
        };
        if part != StretchKind::Reasoning || start < end {
            sink(Scanned { part, at: self.place.base + start as u64, text: &self.text[start..end] });
        }
        self.place.out = end;
    }

    /// Whether a text that comes next is visible, whatever follows it: nothing waits, and no delimiter begins in it.
    pub fn passes(&self, text: &[u8]) -> bool {
        let (start, visible, messages) = (&self.start, &self.visible, &self.messages);
        let waits = !self.text.is_empty() || self.wait.is_some() || !self.notes.is_empty() || self.place.base == 0;
        let begins = start.open || !start.examined || start.looks_ahead || start.implied.is_some();
        let settled = visible.join.is_empty() && !visible.commentary && !visible.awaits_template;
        let refuses = self.blocks.doubted || self.blocks.refused || messages.bare && !messages.found_header;
        matches!(self.mode, Mode::Visible)
            && !(waits || begins || refuses)
            && settled
            && start.strays.is_empty()
            && self.tags.candidate(text, 0, messages.prose).is_none()
    }

    /// Reads such a text.
    pub fn pass(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.place.scan = text.len();
        self.release(&mut |_| ());
        self.compact();
    }

    /// Notes a text that begins like a channel of Harmony without its tokens.
    fn look_for_lost(&mut self, part: StretchKind, start: usize, end: usize) {
        if !self.messages.bare || self.messages.found_header || part != StretchKind::Visible {
            return;
        }
        let mut near = std::mem::take(&mut self.messages.tail);
        near.extend_from_slice(&self.text[start..end]);
        if has_lost(&near) {
            self.messages.bare = false;
            self.lost(start);
        }
        near.drain(..near.len().saturating_sub(MAX_LOST_BYTES - 1));
        self.messages.tail = near;
    }

    /// Handles a text whose tokens of Harmony were lost: nobody knows where its reasoning ends. `at`: where the stretch begins that
    /// says so.
    fn lost(&mut self, at: usize) {
        let passed = self.options.start == Start::Streaming;
        if self.options.inline != Inline::Ask {
            return self.notes.push(Note::Lost);
        }
        let at = self.place.base + at as u64;
        self.notes.push(Note::Undecided { at, doubt: Doubt::Lost, passed });
        self.blocks.refused |= !passed;
    }

    /// Drops sent text from the buffer, if that is most of it.
    pub(super) fn compact(&mut self) {
        let n = self.place.out;
        if n < self.text.len() / 2 + 1 {
            return;
        }
        self.text.drain(..n);
        self.place.base += n as u64;
        self.place.out = 0;
        let shift = |at: &mut usize| *at = at.saturating_sub(n);
        [
            &mut self.place.scan,
            &mut self.code.tracked,
            &mut self.code.known,
            &mut self.code.look,
            &mut self.code.look_of,
            &mut self.visible.blank_to,
            &mut self.messages.next_start,
        ]
        .into_iter()
        .for_each(shift);
        for (from, to, _) in &mut self.start.strays {
            shift(from);
            shift(to);
        }
        match &mut self.wait {
            Some(Wait::Attributes(at) | Wait::Code { searched: at, .. }) => shift(at),
            None => (),
        }
        self.code.misses.shift(n);
        if let Mode::Call(call) = &mut self.mode {
            call.shift(n);
        }
        if let Mode::Block(b) = &mut self.mode {
            shift(&mut b.open.0);
            shift(&mut b.open.1);
            let other = b.others.close.as_mut().map(|(at, _)| at);
            for at in b.close.iter_mut().chain(other).flat_map(|(a, z)| [a, z]).chain(&mut b.tool) {
                shift(at);
            }
        }
    }
}
