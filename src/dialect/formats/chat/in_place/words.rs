//! Splits a text of the content into visible stretches and reasoning, which stands between inline tags or in messages
//! with headers.

use super::Context;
use super::reading::{ContentText, Reading, TextStretch};
use super::thought::{ReasoningPlace, RecordRange, Thought};
use crate::dialect::inline_text::{TextReader, decode};
use crate::inline::{Note, Start};
use crate::json::{Literal, text};
use crate::model::{HARMONY, Piece, PieceKind};
use std::borrow::Cow;

/// A piece of a text: its kind, whether it begins a block or a text, its range, and whether its text begins and ends
/// with white space.
type TextPiece = (PieceKind, bool, RecordRange, (bool, bool));

impl Reading {
    /// Reads a text. `searched`: it may hold tags.
    pub(super) fn text(&mut self, context: &mut Context<'_, '_>, literal: Literal, searched: bool) {
        let record = context.body.text;
        // The first text of a message may be said to begin with reasoning, whatever is in it.
        let seeded = searched && context.inline.start == Start::Reasoning && literal.start < literal.end;
        let mut stretches = Vec::new();
        if searched && (seeded || context.tags.may_hold(literal.raw(record), literal.escaped)) {
            let noted = context.notes.len();
            let found = find(context, literal, seeded);
            self.channels += unknown_channels(&context.notes[noted..]);
            let taken = found.iter().any(|(kind, ..)| matches!(kind, PieceKind::Reasoning(_)));
            let mut split = TextSplit { reading: self, record, stretches: &mut stretches, taken, framed: false };
            found.into_iter().for_each(|found| split.piece(found));
        } else {
            let at = literal.start..literal.end;
            stretches.push(TextStretch { kind: PieceKind::Visible, begins: false, at, thought: None, joins: false });
            self.line = None;
        }
        self.texts.push(ContentText { literal, stretches });
    }
}

/// The pieces of a text. What is implied has the empty range at its start.
fn find(context: &mut Context<'_, '_>, literal: Literal, seeded: bool) -> Vec<TextPiece> {
    let mut decoded = Vec::new();
    let (input, map) = decode(context.body, literal, &mut decoded);
    let mut reader = TextReader::new(context.tags, context.inline, false);
    if seeded {
        context.inline.start = Start::Hindsight;
    }
    let mut found: Vec<TextPiece> = Vec::new();
    let mut to = |p: &Piece<'_>| {
        let at = |span: &crate::span::Span| {
            let start = literal.start + (span.start - input) as usize;
            start..start + span.len() as usize
        };
        let blank = |b: Option<&u8>| b.is_some_and(u8::is_ascii_whitespace);
        let line = (blank(p.text.first()), blank(p.text.last()));
        found.extend(p.at.iter().map(|span| (p.kind, p.fresh, at(span), line)));
        if p.at.is_empty() && p.fresh {
            found.push((p.kind, true, literal.start..literal.start, line));
        }
    };
    reader.feed(&decoded, input, map, context.notes, &mut to);
    reader.finish(context.notes, &mut to);
    found
}

/// The state while a text is split.
struct TextSplit<'a> {
    reading: &'a mut Reading,
    record: &'a [u8],
    stretches: &'a mut Vec<TextStretch>,
    /// The text has reasoning.
    taken: bool,
    /// The next text is a message of its own.
    framed: bool,
}

impl TextSplit<'_> {
    fn piece(&mut self, (kind, fresh, at, line): TextPiece) {
        let last = || self.reading.thoughts.len().checked_sub(1);
        let (mut thought, mut joins, mut begins) = (None, false, false);
        // A tag without a block means nothing beside blocks; alone it is text.
        let kind = if kind == PieceKind::Stray && !self.taken { PieceKind::Visible } else { kind };
        match kind {
            PieceKind::Reasoning(source) if fresh => {
                let (headed, implied) = (source == HARMONY, at.is_empty());
                thought = Some(self.reading.thoughts.len());
                begins = true;
                self.reading.framed |= headed;
                self.reading.thoughts.push(Thought {
                    origin: ReasoningPlace::Inline,
                    text: Some(Vec::new()),
                    source: Some(Cow::Borrowed("think_tags")),
                    implied,
                    headed,
                    ..Thought::default()
                });
            }
            PieceKind::Reasoning(_) => {
                thought = last();
                if let Some(Thought { text: Some(text), .. }) = self.reading.thoughts.last_mut() {
                    text.push(at.clone());
                }
            }
            PieceKind::Delimiter => thought = last(),
            PieceKind::Frame => {
                self.framed = true;
                self.reading.framed = true;
            }
            PieceKind::Stray => self.reading.strays += 1,
            kind if kind.is_visible() || kind == PieceKind::Gap => {
                self.reading.channels += usize::from(kind == PieceKind::Commentary && fresh);
                if kind == PieceKind::Structure {
                    self.framed = false;
                } else if fresh && std::mem::take(&mut self.framed) && !line.0 {
                    joins = !self.is_at_line();
                }
                self.reading.line = Some(line.1);
            }
            _ => return,
        }
        self.stretches.push(TextStretch { kind, begins, at, thought, joins });
    }

    /// Whether the visible text needs no line end before what follows.
    fn is_at_line(&self) -> bool {
        self.reading.line.unwrap_or_else(|| {
            let texts = self.reading.texts.iter().flat_map(|words| &words.stretches);
            let last = { texts }.rfind(|stretch| is_shown(stretch) && !stretch.at.is_empty());
            last.is_none_or(|stretch| {
                text::decoded(&self.record[stretch.at.clone()]).last().is_some_and(u8::is_ascii_whitespace)
            })
        })
    }
}

/// Whether a stretch is text of the answer, which stays.
pub(super) fn is_shown(stretch: &TextStretch) -> bool {
    stretch.kind.is_visible() || stretch.kind == PieceKind::Gap
}

/// How many of the notes say that a channel has an unknown name.
pub(super) fn unknown_channels(notes: &[crate::dialect::inline_text::Noted]) -> usize {
    notes.iter().filter(|(_, note)| *note == Note::Channel).count()
}
