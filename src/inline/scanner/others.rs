//! Tags of other rows in a block: a model may close `<think>` with `</thinking>`.

use super::types::{Note, Scanned};
use super::{Next, OpenTagBlock, TagScanner, bit};
use crate::inline::marks::{FoundMark, MarkRole};
use crate::inline::stand::Stand;

impl TagScanner {
    /// Notes a tag of another row in a block. A closing one belongs to an opening one of its row in the block, or may end the
    /// block. Returns what to do if it ends the block now, or if the text behind it must come first.
    pub(super) fn other_in_block(
        &mut self,
        block: &mut OpenTagBlock,
        at: (usize, usize),
        mark: FoundMark,
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Option<Next> {
        if matches!(mark.role, MarkRole::Open | MarkRole::Close) {
            match self.is_fenced(block, at, eof) {
                None => return Some(Next::Wait),
                Some(true) => return None,
                Some(false) => (),
            }
        }
        match mark.role {
            MarkRole::Open => block.others.opened |= bit(mark.row),
            MarkRole::Close if block.others.opened & bit(mark.row) != 0 => block.others.opened &= !bit(mark.row),
            MarkRole::Close if block.others.close.is_none() && self.is_pair(mark.row) => {
                if block.row.is_some_and(|row| !self.is_pair(row)) {
                    return None;
                }
                match self.stand_in_block(block, at, eof) {
                    None => return Some(Next::Wait),
                    Some(Stand::Mention) => return None,
                    Some(stand) => block.others.close = Some((at, stand.is_closing())),
                }
                let used = block.others.close.is_some_and(|(_, used)| used);
                if used && block.tool.is_none() && self.misses_close(block) {
                    // With nothing behind it, it is the end of a block that is never closed.
                    match self.text[at.1..].trim_ascii().is_empty() {
                        true if eof => return None,
                        true => return Some(Next::Wait),
                        false => (),
                    }
                    self.close_by_other(*block, at, sink);
                    return Some(Next::Go);
                }
            }
            _ => (),
        }
        None
    }

    /// Notes a call of a tool, at which a block ends that nothing else ends. Returns what to do if it ends the block now, or if
    /// the text behind it must come first.
    pub(super) fn tool_in_block(
        &mut self,
        block: &mut OpenTagBlock,
        at: (usize, usize),
        mark: FoundMark,
        eof: bool,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> Option<Next> {
        let calls = if matches!(mark.role, MarkRole::Tool(_)) { self.begins_call(at.1, eof) } else { Some(true) };
        let Some(calls) = calls else {
            self.place.scan = at.0;
            return Some(Next::Wait);
        };
        block.tool = Some(at.0).filter(|_| calls);
        if !calls || !self.ends_at_tool(block) {
            return None;
        }
        self.cut_off(*block, self.text.len(), sink);
        Some(Next::Go)
    }

    /// Whether the delimiters of a row are a pair of tags of their own.
    fn is_pair(&self, row: usize) -> bool {
        let tag = &self.tags.rows()[row];
        let own = !tag.strict && !tag.phrase && tag.headers.is_none() && !tag.open.is_empty();
        own && !self.tags.is_text_alone(row)
    }

    /// Whether no closing tag of the block's row is known to follow.
    fn misses_close(&self, block: &OpenTagBlock) -> bool {
        let closers = &self.blocks.closers;
        block.row.is_some_and(|row| (closers.no_close | closers.no_close_here) & bit(row) != 0)
    }

    /// Ends a block at a closing tag of another row.
    pub(super) fn close_by_other(
        &mut self,
        block: OpenTagBlock,
        at: (usize, usize),
        sink: &mut dyn FnMut(Scanned<'_>),
    ) {
        let opened = if block.begun { self.blocks.opened } else { self.place.base + block.open.0 as u64 };
        self.notes.push(Note::OtherClose((self.place.base + at.1 as u64).saturating_sub(opened)));
        self.close_block(block, at, sink);
    }
}
