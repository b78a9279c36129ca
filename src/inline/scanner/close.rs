//! Ends blocks: at their closing tag, or with the message.

use super::stands::{Ending, INNER};
use super::types::{Delimiters, Doubt, Inline, Note, Scanned, StretchKind};
use super::{Mode, OpenTagBlock, TagScanner, bit};
use crate::inline::headers::MessageKind;
use crate::inline::last_close::LastClose;
use crate::inline::marks::{FoundMark, MarkRole};
use crate::inline::stand::Opens;
use crate::inline::tags::{SharedKinds, Unclosed};

impl TagScanner {
    /// Ends a block at the closing tag `at`.
    pub(super) fn close_block(
        &mut self,
        mut block: OpenTagBlock,
        at: (usize, usize),
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        self.begin_block(&mut block, sink);
        self.blocks.last.closed_within = !self.inner_margin(&block, at.0);
        self.send(StretchKind::Reasoning, at.0, sink);
        self.send(StretchKind::Close, at.1, sink);
        self.block_ended(block.row, block.open.0, at.1);
    }

    /// Confirms a block: sends its opening tag, and the text that waited before it.
    pub(super) fn begin_block(&mut self, block: &mut OpenTagBlock, sink: &mut dyn FnMut(Scanned<'_>)) {
        if !std::mem::replace(&mut block.begun, true) {
            self.blocks.opened = self.place.base + block.open.0 as u64;
            self.blocks.closers.openers |= block.row.map_or(0, bit);
            self.visible(block.open.0, sink);
            self.blocks.last.below = self.separator(block.open.0);
            self.send(StretchKind::Open(self.delimiters(block.row)), block.open.1, sink);
        }
    }

    pub(super) fn delimiters(&self, row: Option<usize>) -> Delimiters {
        match row.map(|row| &self.tags.rows()[row]) {
            Some(row) if row.headers.is_some() => Delimiters::Headers,
            Some(row) if row.open.is_empty() => Delimiters::Marker,
            Some(row) if row.quoted => Delimiters::Quoted,
            _ => Delimiters::Tags,
        }
    }

    pub(super) fn block_ended(&mut self, row: Option<usize>, from: usize, end: usize) {
        self.start.open = false;
        self.blocks.took = true;
        self.blocks.closers.ended |= row.map_or(u128::MAX, bit);
        (self.blocks.last.sent, self.blocks.last.turned) = (0, false);
        self.blocks.took_strict |= row.is_some_and(|row| self.tags.rows()[row].strict);
        self.mode = Mode::Visible;
        self.blocks.wrapper_of = row.or_else(|| (0..self.tags.rows().len()).find(|row| self.tags.may_lack_open(*row)));
        self.code.tracker.after_block();
        self.cut_at(from, end);
    }

    /// Ends the message inside of a block. Returns whether there is text left to scan.
    pub(super) fn end(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        let Mode::Block(block) = self.mode else {
            return self.end_outside(sink);
        };
        self.cut_off(block, self.text.len(), sink)
    }

    /// Ends a block at a closing delimiter, or makes its pair text, or refuses it.
    pub(super) fn end_block(
        &mut self,
        block: OpenTagBlock,
        at: (usize, usize),
        doubt: Option<Ending>,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        match doubt {
            Some(Ending::Empty) => self.is_text(&block, Some(at.0)),
            Some(Ending::Doubt(doubt)) if !self.closes_in_doubt(&block, at, doubt) => {
                self.doubt(block.open, doubt, sink);
            }
            _ => self.close_block(block, at, sink),
        }
    }

    /// Whether a block is open that counts only if a closing tag follows.
    pub fn awaits_close(&self) -> bool {
        // `LastClose` does not search for closing phrases, which count only after their opening ones.
        let waits = matches!(self.mode, Mode::Block(block) if block.tentative && block.close.is_none());
        waits && self.wait.is_none() && self.messages.prose.is_none()
    }

    /// The end of the text that may be an incomplete delimiter.
    pub fn partial_delimiter(&self) -> &[u8] {
        &self.text[self.place.scan.min(self.text.len())..]
    }

    /// The offset from which on nothing can close a block, if that is known.
    pub fn no_close_from(&self) -> Option<u64> {
        self.blocks.closers.no_close_from
    }

    /// Decides that nothing in the rest of the text can close a block, so that an open one that needs it is none.
    pub fn no_close_follows(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) {
        let mut last = LastClose::new(&self.tags);
        last.feed(&self.text);
        self.blocks.closers.no_close_from = Some(self.place.base + last.finish().0);
        if let Mode::Block(block) = self.mode {
            self.cut_off(block, self.text.len(), sink);
        }
        self.run(false, sink);
    }

    /// Whether a delimiter ends the message of the open block: a block between tags does not go on in the next message,
    /// whatever its role.
    pub(super) fn ends_message(&self, block: OpenTagBlock, mark: &FoundMark) -> bool {
        let headers = |row: usize| self.tags.rows()[row].headers.is_some();
        let tags = block.row.is_some_and(|row| !headers(row));
        let ends = match mark.role {
            MarkRole::End => true,
            MarkRole::Header(kind) => kind != MessageKind::Prompt,
            _ => false,
        };
        self.messages.found_header && tags && ends && headers(mark.row)
    }

    /// Ends the message at `at`, and the open block with it. Returns whether there is text left to scan.
    pub(super) fn cut_off(&mut self, mut block: OpenTagBlock, at: usize, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        let tags = self.tags.clone();
        let row = block.row.map(|row| &tags.rows()[row]);
        if let Some(row) = block.row {
            let rows = if at == self.text.len() {
                &mut self.blocks.closers.no_close
            } else {
                &mut self.blocks.closers.no_close_here
            };
            *rows |= bit(row);
        }
        if let (Some(close), Some(end), Some(row)) = (block.close, block.implied, block.row) {
            self.was_last(close, end, row, sink);
            return true;
        }
        let unclosed = self.options.unclosed.or(row.map(|r| r.unclosed)).unwrap_or(Unclosed::Reasoning);
        if self.is_contested(&block, (at, unclosed), sink) {
            return true;
        }
        if let Some(close) = block.close {
            // A closing tag of another row may have ended it, and the last one another block.
            if block.others.close.is_some_and(|(other, used)| used && other.0 < close.0) {
                self.passes_doubt(&block);
            }
            let hugs = matches!(block.opens, Some(Opens::Hugs | Opens::HugsApart));
            match block.begun || !hugs || self.options.inline != Inline::Mention {
                true => self.close_block(block, close, sink),
                false => self.is_text(&block, None),
            }
            return true;
        }
        // With nothing behind it, a tag that is used is the end of a block that is never closed.
        let ends = |(other, used): &((usize, usize), bool)| {
            let last = || self.text[other.1..at].trim_ascii().is_empty();
            block.tool.is_none_or(|tool| other.0 < tool) && !(*used && last())
        };
        if let Some((other, used)) = block.others.close.filter(ends) {
            if used && !matches!(block.opens, Some(Opens::Loose | Opens::Labelled | Opens::Hugs | Opens::HugsApart)) {
                self.close_by_other(block, other, sink);
                return true;
            }
            if self.options.unclosed.is_none() {
                self.passes_doubt(&block);
            }
        }
        if block.row.is_none() && self.place.base == 0 && self.text.is_empty() {
            // Without any text there is no block.
            self.mode = Mode::Visible;
            return false;
        }
        let place = match (row, block.tentative) {
            (_, false) => true,
            (Some(r), true) if r.strict => true,
            _ => unclosed != Unclosed::Reasoning && (block.sure || self.at_boundary(block.open.0)),
        };
        if unclosed == Unclosed::Error && place {
            self.visible(block.open.0, sink);
            self.refuse(block.open.0);
        }
        if block.tentative || unclosed != Unclosed::Reasoning {
            // The opening tag is text; the text behind it is scanned again. No phrase counts behind one that is text, so that
            // nothing depends on whether the beginning was read once or twice.
            self.mode = Mode::Visible;
            self.messages.prose.take_if(|prose| block.row == Some(*prose));
            self.place.scan = block.open.1;
            return true;
        }
        self.begin_block(&mut block, sink);
        let end = block.tool.unwrap_or(at);
        if self.options.unclosed.is_none() && self.ends_with_answer(block.row, end) {
            self.passes_doubt(&block);
        }
        self.notes.push(Note::Unclosed((self.place.base + end as u64).saturating_sub(self.blocks.opened)));
        self.send(StretchKind::Reasoning, end, sink);
        self.send(StretchKind::Close, end, sink);
        self.block_ended(block.row, block.open.0, end);
        true
    }

    /// Whether a block whose opening tag may be a mention is none, since no text of it was given out. If some was, its doubt
    /// passes.
    fn is_contested(
        &mut self,
        block: &OpenTagBlock,
        (end, unclosed): (usize, Unclosed),
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> bool {
        let doubtful = self.ends_in_fence(block, end)
            || matches!(block.opens, Some(Opens::Loose | Opens::Labelled | Opens::Hugs | Opens::HugsApart))
            || block.mentions && block.close.is_none();
        let decides = block.close.is_some() || unclosed == Unclosed::Reasoning;
        if !doubtful || !decides || self.options.inline != Inline::Ask {
            return false;
        }
        match block.begun {
            false => self.doubt(block.open, Doubt::Contested, sink),
            true => self.passes_doubt(block),
        }
        !block.begun
    }

    /// Whether what was read of a block that is never closed ends with the tag that ends an answer: the answer may stand in it.
    fn ends_with_answer(&self, row: Option<usize>, end: usize) -> bool {
        let Some(row) = row.map(|row| &self.tags.rows()[row]) else { return false };
        let waits = &self.text[self.place.out.min(end)..end];
        let tail = [&self.blocks.inner, &waits[waits.len().saturating_sub(INNER)..]].concat();
        let tail = tail.trim_ascii_end();
        row.wrappers.iter().any(|(_, close)| tail.ends_with(close.as_bytes()))
    }

    /// Notes that it is not certain where a block ends that was begun.
    fn passes_doubt(&mut self, block: &OpenTagBlock) {
        if block.begun && self.options.inline == Inline::Ask {
            self.notes.push(Note::Undecided { at: self.blocks.opened, doubt: Doubt::Contested, passed: true });
        }
    }

    /// Ends the message outside of reasoning.
    fn end_outside(&mut self, sink: &mut dyn FnMut(Scanned<'_>)) -> bool {
        match (self.mode, self.messages.marker.take()) {
            (Mode::Call(_), _) => {
                self.send(StretchKind::Tool, self.text.len(), sink);
                self.call_over(sink);
                self.mode = Mode::Visible;
                false
            }
            (Mode::Visible, None) if self.start.open && self.tags.has_marker() && !self.messages.no_marker => {
                self.messages.no_marker = true;
                self.start.examined = false;
                self.go_on_at(0);
                self.new_line();
                true
            }
            (Mode::Visible, Some((from, end, row))) if self.start.open => {
                self.implied((from, end), row, sink);
                true
            }
            _ => false,
        }
    }

    pub(super) fn refuse(&mut self, at: usize) {
        if !std::mem::replace(&mut self.blocks.refused, true) {
            self.notes.push(Note::UnclosedError(self.place.base + at as u64));
        }
    }

    /// Whether a delimiter in a block is one of the block's row.
    pub(super) fn is_mine(&self, block: OpenTagBlock, at: (usize, usize), mark: FoundMark) -> bool {
        let rows = self.tags.rows();
        let headers = rows[mark.row].headers;
        // In capitals, the closing tag of the strict row closes this row, too.
        let capital = |row: usize| rows[row].word && rows[row].close.eq_ignore_ascii_case(&rows[mark.row].close);
        let own = match block.row {
            Some(row) => row == mark.row || headers.is_some() && rows[row].headers == headers,
            None => self.tags.may_lack_open(mark.row) || rows.len() == 1 || headers.is_some(),
        };
        own || rows[mark.row].strict && mark.role == MarkRole::Close && block.row.is_some_and(capital)
            || self.is_shared(block, at, mark)
    }

    /// Whether nothing behind a call of a tool can end a block, since another one of its row was read to the end of the text.
    pub(super) fn ends_at_tool(&self, block: &OpenTagBlock) -> bool {
        block.close.is_none() && block.row.is_some_and(|row| self.blocks.closers.no_close & bit(row) != 0)
    }

    /// Whether a delimiter that was found for another row is one of the block's row, too.
    fn is_shared(&self, block: OpenTagBlock, at: (usize, usize), mark: FoundMark) -> bool {
        let role = match mark.role {
            MarkRole::Open => SharedKinds::Open,
            MarkRole::Close => SharedKinds::Close,
            MarkRole::Tool(_) => SharedKinds::Tool,
            _ => return false,
        };
        let Ok(text) = std::str::from_utf8(&self.text[at.0..at.1]) else { return false };
        let rows = self.tags.rows();
        let alike = |row: usize| rows[row].headers.is_none() && !rows[row].strict;
        let shares = |row: usize| alike(row) && alike(mark.row) && mark.suffix == 0 && rows[row].shares(role, text);
        match block.row {
            Some(row) => shares(row),
            None => (0..rows.len()).any(|row| self.tags.may_lack_open(row) && shares(row)),
        }
    }
}
