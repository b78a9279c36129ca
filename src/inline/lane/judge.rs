//! What a delimiter does where it stands.

use super::*;

impl Lane<'_> {
    pub(super) fn mark(&mut self, i: usize, mark: Mark, eof: bool, sink: &mut dyn FnMut(Found<'_>)) -> Next {
        let end = i + mark.len;
        if let Mode::Block(block) = self.mode {
            self.mark_in_block(block, (i, end), mark, sink);
            return Next::Go;
        }
        let row = &self.tags.rows()[mark.row];
        let strict = row.strict && matches!(mark.role, Role::Open | Role::Close);
        if !strict && !matches!(mark.role, Role::Tool) {
            match self.is_code(i, eof) {
                None => return Next::Wait,
                Some(true) => {
                    self.scan = i + 1;
                    return Next::Go;
                }
                Some(false) => (),
            }
        }
        match mark.role {
            Role::Tool => self.scan = end,
            Role::WrapOpen(n) if self.wrapper_of == Some(mark.row) && self.blank_since(i) => {
                self.wrapped = Some((mark.row, n));
                self.stray((i, end), sink);
                self.wrapper_of = None;
            }
            Role::WrapClose(n) if self.wrapped == Some((mark.row, n)) => {
                self.wrapped = None;
                self.stray((i, end), sink);
            }
            Role::WrapOpen(_) | Role::WrapClose(_) => self.scan = end,
            Role::Open => self.opener((i, end), mark.row, sink),
            Role::Close if strict => self.scan = end,
            // Nothing stood before the closer: the block is empty, and nothing was passed on too soon.
            Role::Close if self.options.start == Start::Live && row.missing_open && self.is_blank_before(i) => {
                self.visible(i, sink);
                self.implied((i, end), mark.row, sink);
            }
            Role::Close if self.open_start && row.missing_open => self.implied((i, end), mark.row, sink),
            Role::Close => {
                let late = self.options.start == Start::Live && row.missing_open && !self.seen;
                let note = if late { Note::LateCloser(self.base + i as u64) } else { Note::Stray };
                self.notes.push(note);
                self.stray((i, end), sink);
            }
        }
        Next::Go
    }

    /// A closer at the end of reasoning whose opener is not in the text.
    pub(super) fn implied(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Found<'_>)) {
        self.strays.clear();
        self.emit(Part::Open, self.out, sink);
        self.emit(Part::Reasoning, at.0, sink);
        self.emit(Part::Close, at.1, sink);
        self.code = Code::default();
        self.block_ended(Some(row), at.1);
    }

    pub(super) fn opener(&mut self, at: (usize, usize), row: usize, sink: &mut dyn FnMut(Found<'_>)) {
        let tag = &self.tags.rows()[row];
        let blocks = self.options.blocks.unwrap_or(tag.blocks);
        if blocks == Blocks::One && (self.seen_strict || self.seen && !tag.strict) {
            self.scan = at.1;
            return;
        }
        let unclosed = self.options.unclosed.unwrap_or(tag.unclosed);
        let place = if tag.strict { unclosed != Unclosed::Visible } else { self.at_boundary(at.0) };
        let tentative = !place || unclosed != Unclosed::Reasoning;
        if tentative && self.dead & bit(row) != 0 {
            if place && unclosed == Unclosed::Error {
                self.visible(at.0, sink);
                self.refuse(at.0);
            }
            self.scan = at.1;
            return;
        }
        let mut block = Block::new(Some(row), at, tentative);
        if !tentative {
            self.open_start = false;
            self.begin_block(&mut block, sink);
        }
        self.mode = Mode::Block(block);
        self.scan = at.1;
    }

    /// Rule 6: the start of the message, of a line, or right after a block.
    pub(super) fn at_boundary(&mut self, i: usize) -> bool {
        self.look_at_code(i);
        self.code.margin()
    }

    pub(super) fn mark_in_block(
        &mut self,
        mut block: Block,
        at: (usize, usize),
        mark: Mark,
        sink: &mut dyn FnMut(Found<'_>),
    ) {
        self.scan = at.1;
        let mine = match block.row {
            Some(row) => row == mark.row,
            None => self.tags.rows()[mark.row].missing_open || self.tags.rows().len() == 1,
        };
        // An opener that stands where an implied one was assumed is the real one.
        let first = block.row.is_none() && !block.marked && self.blank_start(at.0);
        block.marked = true;
        match mark.role {
            Role::Open if first => {
                (block.row, block.open) = (Some(mark.row), at);
                self.begin_block(&mut block, sink);
            }
            Role::Open if mine => block.depth += 1,
            Role::Close if mine => {
                block.depth = block.depth.saturating_sub(1);
                block.closer = Some(at);
                let done = match self.options.close {
                    Close::First => true,
                    Close::Balanced => block.depth == 0,
                    Close::Last => false,
                };
                if done {
                    return self.close_block(block, at, sink);
                }
            }
            Role::Tool if mine && block.tool.is_none() => block.tool = Some(at.0),
            _ => (),
        }
        self.mode = Mode::Block(block);
    }

    /// The block ends with the closer at `at`.
    pub(super) fn close_block(&mut self, mut block: Block, at: (usize, usize), sink: &mut dyn FnMut(Found<'_>)) {
        self.begin_block(&mut block, sink);
        self.emit(Part::Reasoning, at.0, sink);
        self.emit(Part::Close, at.1, sink);
        self.block_ended(block.row, at.1);
    }

    /// The block is one: its opener goes out, and what was held back in front of it.
    pub(super) fn begin_block(&mut self, block: &mut Block, sink: &mut dyn FnMut(Found<'_>)) {
        if !std::mem::replace(&mut block.begun, true) {
            self.visible(block.open.0, sink);
            self.emit(Part::Open, block.open.1, sink);
        }
    }

    pub(super) fn block_ended(&mut self, row: Option<usize>, end: usize) {
        self.open_start = false;
        self.seen = true;
        self.seen_strict |= row.is_some_and(|row| self.tags.rows()[row].strict);
        self.mode = Mode::Visible;
        self.wrapper_of = row.or_else(|| self.tags.rows().iter().position(|r| r.missing_open));
        self.code.after_block();
        self.cut_at(end);
    }

    /// Text goes on at `end` after a cut: a delimiter may be put together there.
    pub(super) fn cut_at(&mut self, end: usize) {
        (self.scan, self.coded, self.in_code, self.look) = (end, end, end, end);
        let recent = std::mem::take(&mut self.recent);
        self.join.clear();
        let begun = |i: &usize| matches!(self.tags.at(&recent, *i, false), Hit::Partial | Hit::Attributes);
        let mut from = 0;
        while let Some(i) = self.tags.candidate(&recent, from) {
            if begun(&i) {
                self.join = recent[i..].to_vec();
                break;
            }
            from = i + 1;
        }
        self.recent = recent;
    }

    /// Whether the beginning of a delimiter before a cut is settled: with the text after the cut it makes one, whose
    /// second half then goes as well, or it does not.
    pub(super) fn joined(&mut self, eof: bool, sink: &mut dyn FnMut(Found<'_>)) -> bool {
        while !self.join.is_empty() {
            let rest = &self.text[self.scan..];
            let mut text = self.join.clone();
            text.extend_from_slice(&rest[..rest.len().min(4 * RECENT)]);
            let whole = eof || rest.len() > 4 * RECENT;
            match self.tags.at(&text, 0, whole) {
                Hit::Yes(Mark { role: Role::Open | Role::Close, len, .. }) if len > self.join.len() => {
                    self.notes.push(Note::Stray);
                    self.stray((self.scan, self.scan + len - self.join.len()), sink);
                }
                Hit::Partial | Hit::Attributes => return false,
                _ => self.join.clear(),
            }
        }
        true
    }

    /// A delimiter that is no part of a block leaves visible text.
    pub(super) fn stray(&mut self, at: (usize, usize), sink: &mut dyn FnMut(Found<'_>)) {
        if self.open_start {
            self.look_at_code(at.0);
            let from = self.strays.last().map_or(self.out, |s| s.1);
            remember(&mut self.recent, &self.text[from..at.0]);
            self.strays.push(at);
        } else {
            self.visible(at.0, sink);
            self.emit(Part::Stray, at.1, sink);
        }
        self.cut_at(at.1);
    }

    /// The end of the message inside a block. Whether there is something left to search.
    pub(super) fn end(&mut self, sink: &mut dyn FnMut(Found<'_>)) -> bool {
        let Mode::Block(mut block) = self.mode else {
            return false;
        };
        let row = block.row.map(|row| &self.tags.rows()[row]);
        if let Some(row) = block.row {
            self.dead |= bit(row);
        }
        if let Some(at) = block.closer {
            self.close_block(block, at, sink);
            return true;
        }
        let unclosed = self.options.unclosed.or(row.map(|r| r.unclosed)).unwrap_or(Unclosed::Reasoning);
        let place = match (row, block.tentative) {
            (_, false) => true,
            (Some(r), true) if r.strict => true,
            _ => unclosed != Unclosed::Reasoning && self.at_boundary(block.open.0),
        };
        if unclosed == Unclosed::Error && place {
            self.visible(block.open.0, sink);
            self.refuse(block.open.0);
        }
        if block.tentative || unclosed == Unclosed::Visible {
            // The opener is text; what stands after it is searched again.
            self.mode = Mode::Visible;
            self.scan = block.open.1;
            return true;
        }
        self.notes.push(Note::Unclosed);
        self.begin_block(&mut block, sink);
        let end = block.tool.unwrap_or(self.text.len());
        self.emit(Part::Reasoning, end, sink);
        self.emit(Part::Close, end, sink);
        self.block_ended(block.row, end);
        true
    }

    pub(super) fn refuse(&mut self, at: usize) {
        if !std::mem::replace(&mut self.refused, true) {
            self.notes.push(Note::UnclosedError(self.base + at as u64));
        }
    }
}
