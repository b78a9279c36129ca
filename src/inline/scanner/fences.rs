//! Tags in the fences of reasoning (`crate::inline::thought`): they end and open nothing, if another closing tag follows.

use super::stands::Ending;
use super::types::{Close, Doubt, Inline, Scanned};
use super::{Mode, Next, OpenTagBlock, TagScanner, Wait};

impl TagScanner {
    /// Whether a tag in a block stands in a fence of the reasoning that is closed behind it. `None` if the text behind it must come
    /// first.
    pub(super) fn is_fenced(&mut self, block: &OpenTagBlock, at: (usize, usize), eof: bool) -> Option<bool> {
        let row = block.row.map(|row| &self.tags.rows()[row]);
        let asks = self.options.close == Close::Balanced && self.options.inline != Inline::Delimiter;
        if !asks || row.is_some_and(|row| row.strict || row.headers.is_some()) {
            return Some(false);
        }
        let base = self.place.base;
        let from = self.place.out.min(at.0).max(if block.begun { 0 } else { block.open.1.min(at.0) });
        self.blocks.fences.pass(&self.text[from..at.0], base + from as u64);
        let found = self.blocks.fences.enclose(&self.text, at.1, base, eof);
        if found.is_none() {
            self.wait = Some(Wait::Code { tick: false, searched: self.text.len() });
        }
        found
    }

    /// Notes a closing tag of its row in such a fence, where the block ends if no other one follows. An error says what to do then, or
    /// if the text behind it must come first. For any other tag: whether it is in doubt, since a fence seems to be open in which one
    /// stands.
    pub(super) fn fenced_closer(
        &mut self,
        block: &mut OpenTagBlock,
        at: (usize, usize),
        eof: bool,
    ) -> Result<Option<Doubt>, Next> {
        match self.is_fenced(block, at, eof) {
            None => Err(Next::Wait),
            Some(true) => {
                (block.close, block.depth.fence) = (Some(at), self.blocks.fences.open());
                block.implied = block.implied.map(|_| self.place.base + at.1 as u64);
                block.depth.closer = true;
                self.mode = Mode::Block(*block);
                self.place.scan = at.1;
                Err(Next::Go)
            }
            Some(false) => {
                let open = block.depth.fence.is_some() && self.blocks.fences.open().is_some();
                Ok((open && self.options.inline == Inline::Ask).then_some(Doubt::Contested))
            }
        }
    }

    /// Decides an opening tag of its row behind a closing one in a fence: the block may have ended there, with a fence that was never
    /// closed. Returns whether it ends. `None` if the text behind it must come first.
    pub(super) fn begins_behind_fence(
        &mut self,
        block: &OpenTagBlock,
        at: (usize, usize),
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Option<bool> {
        let (Some(close), Some(fence)) = (block.close, block.depth.fence) else { return Some(false) };
        if self.is_fenced(block, at, eof)? {
            return Some(false);
        }
        let closed = fence.is_closed_in(&self.text[close.1..at.0]);
        let doubt = (closed && self.options.inline == Inline::Ask).then_some(Ending::Doubt(Doubt::Contested));
        self.end_block(*block, close, doubt, sink);
        Some(true)
    }

    /// Whether the last closing tag of a block that ends here stands in a fence of the reasoning, and none is open here: it may have
    /// been spoken of.
    pub(super) fn ends_in_fence(&self, block: &OpenTagBlock, end: usize) -> bool {
        let (Some(close), Some(fence)) = (block.close, block.depth.fence) else { return false };
        fence.is_closed_in(&self.text[close.1..end.max(close.1)])
    }
}
