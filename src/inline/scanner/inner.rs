//! Tags of its own row in a block, and behind it: reasoning may speak of the tag, and a second closing one may be the true
//! one.

use super::stands::Ending;
use super::types::{Close, Inline, Scanned};
use super::{Mode, Next, OpenTagBlock, TagScanner, bit};
use crate::inline::line::ends_sentence;
use crate::inline::marks::MarkRole;
use crate::inline::stand::{Around, Stand};

impl TagScanner {
    /// Counts a tag of its row in a block. `None` if the text behind it must come first.
    pub(super) fn count_in_block(
        &mut self,
        block: &mut OpenTagBlock,
        at: (usize, usize),
        role: MarkRole,
        eof: bool,
    ) -> Option<()> {
        match role {
            MarkRole::Open | MarkRole::Nested => self.opener_in_block(block, at, eof),
            MarkRole::Close => self.closer_in_block(block, at, eof),
            _ => Some(()),
        }
    }

    /// Counts an opening tag of its row in a block, unless it is only mentioned. One in the middle of a sentence counts only for
    /// closing tags that do not stand at the start of a line. `None` if the text behind it must come first.
    fn opener_in_block(&mut self, block: &mut OpenTagBlock, at: (usize, usize), eof: bool) -> Option<()> {
        let row = block.row.map(|row| &self.tags.rows()[row]);
        let asks = self.options.close == Close::Balanced && self.options.inline != Inline::Delimiter;
        if !asks || row.is_some_and(|row| row.strict || row.headers.is_some()) {
            block.depth.all += 1;
            return Some(());
        }
        if self.is_fenced(block, at, eof)? {
            self.blocks.last.spoke_inside = true;
            return Some(());
        }
        let mut line = self.inner_line(block, at.0);
        let (margin, messages) = (self.inner_margin(block, at.0), self.has_messages());
        let mut around = Around { line: &mut line, text: &self.text, at, margin, eof, messages };
        if around.is_alone_in_quotes()? {
            self.blocks.last.spoke_inside = true;
            return Some(());
        }
        block.depth.all += 1;
        block.depth.spoken += usize::from(!margin || matches!(around.opens()?, Stand::Undecided | Stand::Mention));
        Some(())
    }

    /// Counts a closing tag of its row in a block. `None` if the text behind it must come first.
    fn closer_in_block(&mut self, block: &mut OpenTagBlock, at: (usize, usize), eof: bool) -> Option<()> {
        let spoken = block.depth.spoken;
        if spoken > 0 && self.inner_margin(block, at.0) && self.stand_in_block(block, at, eof)?.is_closing() {
            (block.depth.all, block.depth.spoken) = (block.depth.all.saturating_sub(spoken), 0);
            self.blocks.last.spoke_inside = true;
        }
        block.depth.all = block.depth.all.saturating_sub(1);
        block.depth.spoken = spoken.saturating_sub(1).min(block.depth.spoken);
        Some(())
    }

    /// Whether a closing tag behind the last block may be the true one, where a text stands between: the block is empty, as that of
    /// a prompt, or an opening tag in it was taken for one that is spoken of, or the tag that closed it stood within a line and
    /// this one begins a line, or no tag has opened a block of this row in this turn. Closing tokens that are no words stray.
    pub(super) fn may_close_last(&mut self, at: (usize, usize), row: usize) -> bool {
        let asks = self.options.close == Close::Balanced && self.options.inline == Inline::Ask;
        if !asks || !self.blocks.took || self.code.tracker.follows_block() {
            return false;
        }
        let begins = self.blocks.last.closed_within && self.at_boundary(at.0) && self.ends_line(at.1);
        // The model was given the opening tags: the text before this one may be another thought.
        let of_row = |rows: u128| rows & bit(row) != 0;
        let unopened =
            !of_row(self.blocks.closers.openers) && (!of_row(self.blocks.closers.ended) || self.at_boundary(at.0));
        let given = self.tags.may_lack_open(row) && (unopened || self.is_turned(at.0));
        begins || given || self.tags.rows()[row].word && (self.blocks.last.blank || self.blocks.last.spoke_inside)
    }

    /// Whether a sentence ends right before a place in a block.
    fn follows_sentence(&self, block: &OpenTagBlock, i: usize) -> bool {
        let mut line = self.inner_line(block, i);
        line.catch_up();
        line.last()[0].is_some_and(ends_sentence)
    }

    /// Whether nothing but white space stands here on the line, as far as it has come.
    fn ends_line(&self, from: usize) -> bool {
        let rest = &self.text[from..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        line.trim_ascii().is_empty()
    }

    /// How a closing tag of its row ends a block, if not as any. An error says what to do if it does not end it, or if the text
    /// behind it must come first.
    pub(super) fn closer(
        &mut self,
        block: &mut OpenTagBlock,
        at: (usize, usize),
        eof: bool,
    ) -> Result<Option<Ending>, Next> {
        if let Some(doubt) = self.fenced_closer(block, at, eof)? {
            return Ok(Some(Ending::Doubt(doubt)));
        }
        let Some(spoken) = self.is_spoken_inside(block, at, eof) else { return Err(Next::Wait) };
        // One behind a sentence, which an opening tag that is spoken of seemed to have, ends the block before one that is itself
        // spoken of.
        let before = spoken && block.depth.fence.is_none() && !block.depth.closer;
        let ended = before && block.close.is_some_and(|close| self.follows_sentence(block, close.0));
        (block.depth.closer, block.depth.fence) = (spoken && !ended, None);
        if spoken && !ended {
            // It counts if no other one follows.
            block.close = Some(at);
            block.implied = block.implied.map(|_| self.place.base + at.1 as u64);
        }
        match if spoken { Some(Ending::Mention) } else { self.ending(block, at, eof) } {
            None => Err(Next::Wait),
            Some(Ending::Mention) => {
                block.mentions |= !spoken;
                self.mode = Mode::Block(*block);
                self.place.scan = at.1;
                Err(Next::Go)
            }
            Some(Ending::Closes) => Ok(None),
            Some(ending) => Ok(Some(ending)),
        }
    }

    /// Ends a block at a closing tag that seemed to be spoken of, if this tag opens another block at the start of a line. Returns
    /// whether it does. `None` if the text behind it must come first.
    pub(super) fn was_closed(
        &mut self,
        block: &OpenTagBlock,
        at: (usize, usize),
        (role, eof): (MarkRole, bool),
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Option<bool> {
        let close = block.close.filter(|_| block.depth.closer && role == MarkRole::Open);
        let Some(close) = close.filter(|_| self.inner_margin(block, at.0)) else { return Some(false) };
        if block.depth.fence.is_some() {
            return self.begins_behind_fence(block, at, eof, sink);
        }
        self.close_block(*block, close, sink);
        Some(true)
    }

    /// Whether a closing tag in a block stands in a quotation or in code with other text, so that the reasoning only speaks of
    /// it. `None` if the text behind it must come first.
    fn is_spoken_inside(&mut self, block: &mut OpenTagBlock, at: (usize, usize), eof: bool) -> Option<bool> {
        let row = block.row.map(|row| &self.tags.rows()[row]);
        let asks = self.options.close == Close::Balanced && self.options.inline != Inline::Delimiter;
        if !asks || row.is_some_and(|row| row.strict || row.headers.is_some()) {
            return Some(false);
        }
        // Most closing tags stand at the start of a line.
        if self.inner_margin(block, at.0) {
            return Some(false);
        }
        let (mut line, messages) = (self.inner_line(block, at.0), self.has_messages());
        let mut around = Around { line: &mut line, text: &self.text, at, margin: false, eof, messages };
        let spoken = around.is_within_quotes()?;
        if spoken && block.depth.spoken > 0 {
            // It belongs to an opening one that is spoken of.
            (block.depth.all, block.depth.spoken) = (block.depth.all.saturating_sub(1), block.depth.spoken - 1);
        }
        Some(spoken)
    }
}
