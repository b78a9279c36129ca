//! The sections of reasoning in one inline block, which `--redact` empties.

use crate::inline::{INSIDE, StretchKind, TagScanner, Tags};

/// Finds the sections in one inline block, whose text comes in pieces of the message's text.
pub(super) struct Within {
    tags: Tags,
    /// The scanner of the open block, and where the block's text begins in the message's text.
    block: Option<(TagScanner, u64)>,
}

impl Within {
    pub fn new(tags: &Tags) -> Self {
        Self { tags: tags.clone(), block: None }
    }

    /// A block begins at this offset of the message's text.
    pub fn begin(&mut self, at: u64) {
        self.block = Some((TagScanner::new(&self.tags, INSIDE), at));
    }

    /// Reads more of the block's text. `to` gets the ranges of sections, as offsets in the message's text.
    pub fn feed(&mut self, text: &[u8], to: &mut dyn FnMut(u64, u64)) {
        if let Some((scanner, base)) = &mut self.block {
            scanner.feed(text, &mut |found| section(found.part, *base + found.at, found.text.len(), to));
        }
    }

    /// The block is over.
    pub fn end(&mut self, to: &mut dyn FnMut(u64, u64)) {
        if let Some((mut scanner, base)) = self.block.take() {
            scanner.finish(&mut |found| section(found.part, base + found.at, found.text.len(), to));
        }
    }

    /// If a block is open: the offset up to which its sections are known.
    pub fn decided(&self) -> Option<u64> {
        self.block.as_ref().map(|(scanner, base)| base + scanner.decided())
    }
}

fn section(part: StretchKind, at: u64, len: usize, to: &mut dyn FnMut(u64, u64)) {
    if part == StretchKind::Reasoning && len > 0 {
        to(at, at + len as u64);
    }
}
