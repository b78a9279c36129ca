//! Sections of reasoning that `--redact` empties while the rest stays: found in the text of a block, and mapped back to
//! bytes of the input.

use super::inline_text::{Noted, TextReader, decode};
use crate::frame::Body;
use crate::inline::{INSIDE, Tags};
use crate::json::Literal;
use crate::model::{Piece, PieceKind};
use crate::span::Span;

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
