//! What goes out, and when: code is tracked, decided text is sent, sent text is dropped from the buffer.

use super::*;
use crate::inline::headers::may_be_header;

impl TagScanner<'_> {
    /// Whether `i` is inside code; `None` while that cannot be known.
    pub(super) fn is_code(&mut self, i: usize, eof: bool) -> Option<bool> {
        self.look_at_code(i);
        if i < self.in_code {
            return Some(true);
        }
        // The result of an earlier search is of use for the same place only.
        let from = if self.look_of == i { self.look } else { i };
        match self.code.inside(&self.text, i, from, eof, &mut self.misses) {
            Inside::No => Some(false),
            Inside::Yes(end) => {
                self.in_code = end;
                Some(true)
            }
            Inside::Later { from, tick } => {
                (self.look, self.look_of) = (from, i);
                self.wait = Some(Wait::Code { tick, searched: self.text.len() });
                None
            }
        }
    }

    /// Whether the code that `i` is in ends before a message begins; otherwise the opener of the code was never
    /// closed, and must not hide what comes.
    pub(super) fn is_quoted(&mut self, i: usize) -> bool {
        if self.next_start <= i {
            let found = memmem::find(&self.text[i..self.in_code], b"<|start|>");
            self.next_start = found.map_or(self.in_code, |n| i + n);
        }
        self.next_start >= self.in_code
    }

    /// Feeds the visible text up to `i` to the code tracker.
    pub(super) fn look_at_code(&mut self, i: usize) {
        if self.coded < i {
            self.code.pass(&self.text[self.coded..i]);
            self.coded = i;
        }
    }

    /// Whether the message has been white space up to `i`.
    pub(super) fn is_blank_before(&self, i: usize) -> bool {
        !self.sent_text && !self.took_block && self.text[self.out.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    pub(super) fn blank_since(&self, i: usize) -> bool {
        self.code.margin() && self.text[self.out.min(i)..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Sends what no later byte can change.
    pub(super) fn release(&mut self, sink: &mut dyn FnMut(Found<'_>)) {
        match self.mode {
            Mode::Visible if self.open_start && !self.looks_ahead => (),
            // A closer behind white space makes that part of what it ends.
            Mode::Visible if self.buffers_leading_blank(self.scan) && self.blank_start(self.scan) => (),
            Mode::Visible | Mode::Other => self.visible(self.scan, sink),
            Mode::Call(_) if self.open_start => (),
            Mode::Call(Call { from, close: Some(_), .. }) => self.visible(from, sink),
            Mode::Call(call) => {
                self.followed(call, self.scan);
                self.send(Part::Tool, self.scan, sink);
            }
            Mode::Block(mut block) => {
                let unclosed = self.options.unclosed.unwrap_or(Unclosed::Reasoning);
                let undecided = block.row.is_none() && (unclosed != Unclosed::Reasoning || self.blank_start(self.scan));
                if block.tentative || undecided {
                    // What stands before it does not depend on what it is.
                    if block.row.is_some() && !self.open_start {
                        self.visible(block.open.0, sink);
                    }
                    return;
                }
                self.begin_block(&mut block, sink);
                let limit = block.close.map(|c| c.0).into_iter().chain(block.tool).min().unwrap_or(usize::MAX);
                let may_begin = block.row.is_none_or(|row| self.tags.rows()[row].headers.is_some());
                let header =
                    if may_begin { self.out + may_be_header(&self.text[self.out..self.scan]) } else { self.scan };
                self.send(Part::Reasoning, limit.min(header), sink);
                self.mode = Mode::Block(block);
            }
        }
    }

    /// Whether white space up to `i` is held back although streaming text is passed on at once. It is searched again
    /// with every piece, so there must not be much of it.
    pub(super) fn buffers_leading_blank(&self, i: usize) -> bool {
        self.options.start == Start::Streaming && self.base + i as u64 <= RECENT as u64
    }

    /// Only white space stands before `i`, and nothing has gone out.
    pub(super) fn blank_start(&self, i: usize) -> bool {
        self.base == 0 && self.out == 0 && self.text[..i].iter().all(u8::is_ascii_whitespace)
    }

    /// Visible text goes out up to `end`, and the stray delimiters in it.
    pub(super) fn visible(&mut self, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        for (from, to, part) in std::mem::take(&mut self.strays) {
            self.send(Part::Visible, from, sink);
            self.send(part, to, sink);
            if part == Part::Tool {
                self.call_over(sink);
            }
        }
        self.send(Part::Visible, end, sink);
    }

    pub(super) fn send(&mut self, part: Part, end: usize, sink: &mut dyn FnMut(Found<'_>)) {
        if matches!(part, Part::Visible | Part::Tool) && end <= self.out || end < self.out {
            return;
        }
        let Range { start, end } = self.out..end;
        if part == Part::Visible {
            let blank = self.text[start..end].iter().all(u8::is_ascii_whitespace);
            self.sent_text |= !blank;
            self.ended &= blank;
            self.look_at_code(end);
            if self.wrapper_of.is_some() && !self.text[start..end].iter().all(u8::is_ascii_whitespace) {
                self.wrapper_of = None;
            }
            remember(&mut self.recent, &self.text[start..end]);
        }
        if let Part::Tool = part {
            self.sent_text = true;
            // The text behind it may have been tracked already, where the start of the message was open.
            (self.wrapper_of, self.coded) = (None, self.coded.max(end));
            self.recent.clear();
        }
        self.look_for_lost(part, start, end);
        let part = match part {
            Part::Visible | Part::Commentary | Part::Tool if self.refused => Part::Refused,
            Part::Visible if self.commentary => Part::Commentary,
            part => part,
        };
        if part != Part::Reasoning || start < end {
            sink(Found { part, at: self.base + start as u64, text: &self.text[start..end] });
        }
        self.out = end;
    }

    /// The tokens of Harmony may be lost where a text begins like one of its channels.
    fn look_for_lost(&mut self, part: Part, start: usize, end: usize) {
        if !self.bare || self.found_header || part != Part::Visible {
            return;
        }
        let mut near = std::mem::take(&mut self.tail);
        near.extend_from_slice(&self.text[start..end]);
        if memmem::find(&near, LOST).is_some() {
            self.notes.push(Note::Lost);
            self.bare = false;
        }
        near.drain(..near.len().saturating_sub(LOST.len() - 1));
        self.tail = near;
    }

    /// Drops what has gone out, when that is most of the text.
    pub(super) fn compact(&mut self) {
        let n = self.out;
        if n < self.text.len() / 2 + 1 {
            return;
        }
        self.text.drain(..n);
        self.base += n as u64;
        self.out = 0;
        let shift = |at: &mut usize| *at = at.saturating_sub(n);
        [
            &mut self.scan,
            &mut self.coded,
            &mut self.in_code,
            &mut self.look,
            &mut self.look_of,
            &mut self.blank_to,
            &mut self.next_start,
        ]
        .into_iter()
        .for_each(shift);
        for (from, to, _) in &mut self.strays {
            shift(from);
            shift(to);
        }
        match &mut self.wait {
            Some(Wait::Attributes(at) | Wait::Code { searched: at, .. }) => shift(at),
            None => (),
        }
        self.misses.shift(n);
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
