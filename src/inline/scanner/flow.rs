//! What goes out, and when: code is tracked, decided text is sent, sent text is dropped from the buffer.

use super::*;
use crate::inline::headers::may_be_header;

impl TagScanner<'_> {
    /// Whether `i` is inside code; `None` while that cannot be known.
    pub(super) fn is_code(&mut self, i: usize, eof: bool) -> Option<bool> {
        self.look_at_code(i);
        if i < self.code.known {
            return Some(true);
        }
        // The result of an earlier search is of use for the same place only.
        let from = if self.code.look_of == i { self.code.look } else { i };
        match self.code.tracker.inside(&self.text, i, from, eof, &mut self.code.misses) {
            Inside::No => Some(false),
            Inside::Yes(end) => {
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

    /// Whether the code that `i` is in ends before a message begins; otherwise the opener of the code was never
    /// closed, and must not hide what comes.
    pub(super) fn is_quoted(&mut self, i: usize) -> bool {
        if self.messages.next_start <= i {
            let found = memmem::find(&self.text[i..self.code.known], b"<|start|>");
            self.messages.next_start = found.map_or(self.code.known, |n| i + n);
        }
        self.messages.next_start >= self.code.known
    }

    /// Feeds the visible text up to `i` to the code tracker.
    pub(super) fn look_at_code(&mut self, i: usize) {
        if self.code.tracked < i {
            self.code.tracker.pass(&self.text[self.code.tracked..i]);
            self.code.tracked = i;
        }
    }

    /// Whether the message has been white space up to `i`.
    pub(super) fn is_blank_before(&self, i: usize) -> bool {
        !self.visible.sent_text
            && !self.blocks.took
            && self.text[self.place.out.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    pub(super) fn blank_since(&self, i: usize) -> bool {
        self.code.tracker.margin() && self.text[self.place.out.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Sends what no later byte can change.
    pub(super) fn release(&mut self, sink: &mut dyn FnMut(Found<'_>)) {
        match self.mode {
            Mode::Visible if self.start.open && !self.start.looks_ahead => (),
            // A closer behind white space makes that part of what it ends.
            Mode::Visible if self.buffers_leading_blank(self.place.scan) && self.blank_start(self.place.scan) => (),
            Mode::Visible | Mode::Other => self.visible(self.place.scan, sink),
            Mode::Call(_) if self.start.open => (),
            Mode::Call(Call { from, close: Some(_), .. }) => self.visible(from, sink),
            Mode::Call(call) => {
                self.followed(call, self.place.scan);
                self.send(Part::Tool, self.place.scan, sink);
            }
            Mode::Block(mut block) => {
                let unclosed = self.options.unclosed.unwrap_or(Unclosed::Reasoning);
                let undecided =
                    block.row.is_none() && (unclosed != Unclosed::Reasoning || self.blank_start(self.place.scan));
                if block.implied.is_some() && self.start.looks_ahead {
                    // Only where it ends is looked for.
                    self.place.out = self.place.scan;
                    return;
                }
                if block.tentative || undecided {
                    // What stands before it does not depend on what it is.
                    if block.row.is_some() && !self.start.open {
                        self.visible(block.open.0, sink);
                    }
                    return;
                }
                self.begin_block(&mut block, sink);
                let limit = block.close.map(|c| c.0).into_iter().chain(block.tool).min().unwrap_or(usize::MAX);
                let may_begin = block.row.is_none_or(|row| self.tags.rows()[row].headers.is_some());
                let header = if may_begin {
                    self.place.out + may_be_header(&self.text[self.place.out..self.place.scan])
                } else {
                    self.place.scan
                };
                self.send(Part::Reasoning, limit.min(header), sink);
                self.mode = Mode::Block(block);
            }
        }
    }

    /// Whether white space up to `i` is held back although streaming text is passed on at once. It is searched again
    /// with every piece, so there must not be much of it.
    pub(super) fn buffers_leading_blank(&self, i: usize) -> bool {
        self.options.start == Start::Streaming && self.place.base + i as u64 <= RECENT as u64
    }

    /// Only white space stands before `i`, and nothing has gone out.
    pub(super) fn blank_start(&self, i: usize) -> bool {
        self.place.base == 0 && self.place.out == 0 && self.text[..i].iter().all(u8::is_ascii_whitespace)
    }

    /// What stands before `at` is searched, and no code goes over that place.
    pub(super) fn go_on_at(&mut self, at: usize) {
        self.place.scan = at;
        (self.code.tracked, self.code.known, self.code.look) = (at, at, at);
    }

    /// Visible text goes out up to `end`, and the stray delimiters in it.
    pub(super) fn visible(&mut self, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        for (from, to, part) in std::mem::take(&mut self.start.strays) {
            self.send(Part::Visible, from, sink);
            self.send(part, to, sink);
            if part == Part::Tool {
                self.call_over(sink);
            }
        }
        self.send(Part::Visible, end, sink);
    }

    pub(super) fn send(&mut self, part: Part, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        if matches!(part, Part::Visible | Part::Tool) && end <= self.place.out || end < self.place.out {
            return;
        }
        let Range { start, end } = self.place.out..end;
        if part == Part::Visible {
            let blank = self.text[start..end].iter().all(u8::is_ascii_whitespace);
            self.visible.sent_text |= !blank;
            self.messages.ended &= blank;
            self.look_at_code(end);
            if self.blocks.wrapper_of.is_some() && !self.text[start..end].iter().all(u8::is_ascii_whitespace) {
                self.blocks.wrapper_of = None;
            }
            remember(&mut self.visible.recent, &self.text[start..end]);
        }
        if let Part::Tool = part {
            self.visible.sent_text = true;
            // The text behind it may have been tracked already, where the start of the message was open.
            (self.blocks.wrapper_of, self.code.tracked) = (None, self.code.tracked.max(end));
            self.visible.recent.clear();
        }
        self.look_for_lost(part, start, end);
        let part = match part {
            Part::Visible | Part::Commentary | Part::Tool if self.blocks.refused => Part::Refused,
            Part::Visible if self.visible.commentary => Part::Commentary,
            part => part,
        };
        if part != Part::Reasoning || start < end {
            sink(Found { part, at: self.place.base + start as u64, text: &self.text[start..end] });
        }
        self.place.out = end;
    }

    /// The tokens of Harmony may be lost where a text begins like one of its channels.
    fn look_for_lost(&mut self, part: Part, start: usize, end: usize) {
        if !self.messages.bare || self.messages.found_header || part != Part::Visible {
            return;
        }
        let mut near = std::mem::take(&mut self.messages.tail);
        near.extend_from_slice(&self.text[start..end]);
        if memmem::find(&near, LOST).is_some() {
            self.notes.push(Note::Lost);
            self.messages.bare = false;
        }
        near.drain(..near.len().saturating_sub(LOST.len() - 1));
        self.messages.tail = near;
    }

    /// Drops what has gone out, when that is most of the text.
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
            for at in b.close.iter_mut().flat_map(|(a, z)| [a, z]).chain(&mut b.tool) {
                shift(at);
            }
        }
    }
}
