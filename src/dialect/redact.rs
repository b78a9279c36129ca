//! Sections of reasoning that `--redact` empties while the rest stays: found in the text of a block, and mapped back to
//! bytes of the input.

use super::inline_text::{Noted, TextReader, decode};
use crate::frame::Body;
use crate::inline::{INSIDE, StretchKind, TagScanner, Tags};
use crate::json::Literal;
use crate::model::{Piece, PieceKind};
use crate::span::Span;

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

/// Finds the sections in the text of one field, which may come in several deltas.
pub(super) struct FieldSections {
    text_reader: TextReader,
    notes: Vec<Noted>,
}

impl FieldSections {
    pub fn new(tags: &Tags) -> Self {
        Self { text_reader: TextReader::new(tags, INSIDE, false), notes: Vec::new() }
    }

    /// Reads more of the field's text. `to` gets the spans of sections in the input.
    pub fn feed(&mut self, body: &Body<'_>, literal: Literal, scratch: &mut Vec<u8>, to: &mut dyn FnMut(&[Span])) {
        let (input, map) = decode(body, literal, scratch);
        self.text_reader.feed(scratch, input, map, &mut self.notes, &mut |piece| inside(piece, to));
        self.notes.clear();
    }

    /// The text of the field ends.
    pub fn finish(&mut self, to: &mut dyn FnMut(&[Span])) {
        self.text_reader.finish(&mut self.notes, &mut |piece| inside(piece, to));
    }

    /// The first byte of the input that is not decided yet.
    pub fn undecided(&self) -> Option<u64> {
        self.text_reader.undecided()
    }
}

fn inside(piece: &Piece<'_>, to: &mut dyn FnMut(&[Span])) {
    if matches!(piece.kind, PieceKind::Reasoning(_)) && !piece.fresh && !piece.at.is_empty() {
        to(piece.at);
    }
}
