//! Sections of reasoning that are emptied while the rest of it stays: found in the text of a block, mapped back to
//! bytes.

use super::inline_text::{Noted, TextReader, decode};
use crate::frame::Body;
use crate::inline::{INSIDE, Part, TagScanner, Tags};
use crate::json::Literal;
use crate::model::{Kind, Piece};
use crate::span::Span;

/// The sections in the text of one inline block, which comes in pieces of its message's text.
pub(super) struct Within<'t> {
    tags: &'t Tags,
    /// The block that is open, and where its text begins in that of the message.
    block: Option<(TagScanner<'t>, u64)>,
}

impl<'t> Within<'t> {
    pub fn new(tags: &'t Tags) -> Self {
        Self { tags, block: None }
    }

    /// A block begins at this offset.
    pub fn begin(&mut self, at: u64) {
        self.block = Some((TagScanner::new(self.tags, INSIDE), at));
    }

    /// More of its text. `to` gets the ranges of what is in sections.
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

    /// Nothing is decided from here on, if a block is open.
    pub fn decided(&self) -> Option<u64> {
        self.block.as_ref().map(|(scanner, base)| base + scanner.decided())
    }
}

fn section(part: Part, at: u64, len: usize, to: &mut dyn FnMut(u64, u64)) {
    if part == Part::Reasoning && len > 0 {
        to(at, at + len as u64);
    }
}

/// The sections in the texts of one field, which may come in several deltas.
pub(super) struct Field<'t> {
    text_reader: TextReader<'t>,
    notes: Vec<Noted>,
}

impl<'t> Field<'t> {
    pub fn new(tags: &'t Tags) -> Self {
        Self { text_reader: TextReader::new(tags, INSIDE, false), notes: Vec::new() }
    }

    /// More of its text. `to` gets the bytes of what is in sections.
    pub fn feed(&mut self, body: &Body<'_>, literal: Literal, scratch: &mut Vec<u8>, to: &mut dyn FnMut(&[Span])) {
        let (input, map) = decode(body, literal, scratch);
        self.text_reader.feed(scratch, input, map, &mut self.notes, &mut |piece| inside(piece, to));
        self.notes.clear();
    }

    /// The text is over.
    pub fn finish(&mut self, to: &mut dyn FnMut(&[Span])) {
        self.text_reader.finish(&mut self.notes, &mut |piece| inside(piece, to));
    }

    /// The first byte about which nothing is decided.
    pub fn undecided(&self) -> Option<u64> {
        self.text_reader.undecided()
    }
}

fn inside(piece: &Piece<'_>, to: &mut dyn FnMut(&[Span])) {
    if matches!(piece.kind, Kind::Reasoning(_)) && !piece.fresh && !piece.at.is_empty() {
        to(piece.at);
    }
}
