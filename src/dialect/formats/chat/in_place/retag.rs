//! Replaces the delimiters in the text of deltas, piece by piece.

use super::ConversionTarget;
use super::content::inside as tag;
use super::delimiters::{AGAIN, END, behind};
use super::edits::{RangeEdits, text};
use crate::model::{Bit, Loss, Losses, MessagePlace, Piece, PieceKind, Source};
use crate::model::{HARMONY, is_inline};
use crate::span::Span;

/// Adds the edits for one piece.
pub(super) fn retag(
    state: &mut LaneState,
    piece: &Piece<'_>,
    target: &ConversionTarget,
    losses: &mut Losses,
) -> RangeEdits {
    let mut edits = Vec::new();
    if let (Some(delimiter), Some(at)) = (&state.pending, piece.at.first()) {
        edits.push((Span::new(at.start, at.start), vec![text(delimiter.clone())]));
        state.pending = None;
    }
    match piece.kind {
        PieceKind::Reasoning(source) if !is_inline(source) => {
            state.headed |= target.placement.is_headed();
        }
        PieceKind::Reasoning(source) if piece.fresh => {
            state.block = is_foreign(source, target);
            if state.block {
                state.tail.clear();
                state.headed |= target.placement.is_headed();
                losses.extend((state.visible && target.placement.is_headed()).then_some(Loss::Order));
                let later = target.placement.is_headed() && (state.visible || state.reasoning);
                // A header ends the message before it, unless the end token came already.
                let end = if state.frame { "" } else { END };
                let open = if later { format!("{end}{AGAIN}{}", target.open) } else { target.open.clone() };
                put(piece, open, state, &mut edits);
            }
        }
        PieceKind::Reasoning(_) if state.block => harmless(state, piece, target, losses, &mut edits),
        PieceKind::Delimiter if std::mem::take(&mut state.block) => {
            state.tail.clear();
            put(piece, target.close.clone(), state, &mut edits);
        }
        PieceKind::Frame if target.placement.is_tagged() => edits.extend(piece.at.iter().map(|at| (*at, Vec::new()))),
        PieceKind::Mention => {
            losses.push(Loss::Escaped);
            replace(piece, tag(&piece.escaped_tag()), &mut edits);
        }
        PieceKind::Visible | PieceKind::Commentary if target.placement.is_tagged() => {
            if let Some(at) = piece.at.first().filter(|_| state.joins(piece)) {
                edits.push((Span::new(at.start, at.start), vec![text("\\n")]));
            }
        }
        _ => (),
    }
    if piece.kind.is_visible() && state.headed {
        harmless(state, piece, target, losses, &mut edits);
    }
    edits
}

/// Whether reasoning with this source has delimiters that are replaced.
pub(super) fn is_foreign(source: Source, target: &ConversionTarget) -> bool {
    if target.placement.is_headed() { source != HARMONY } else { source == HARMONY || target.retag }
}

/// Replaces a delimiter. One that is only implied is written before the next piece.
fn put(piece: &Piece<'_>, delimiter: String, state: &mut LaneState, edits: &mut RangeEdits) {
    match piece.at {
        [] => state.pending = Some(delimiter),
        [first, rest @ ..] => {
            edits.push((*first, vec![text(delimiter)]));
            edits.extend(rest.iter().map(|at| (*at, Vec::new())));
        }
    }
}

/// Escapes a delimiter inside of the text, since the message cannot be refused any more.
fn harmless(
    state: &mut LaneState,
    piece: &Piece<'_>,
    target: &ConversionTarget,
    losses: &mut Losses,
    edits: &mut RangeEdits,
) {
    let Some(harmless) = behind(&mut state.tail, piece.text, target, piece.kind.is_visible()) else { return };
    losses.push(Loss::Escaped);
    replace(piece, harmless.bit(), edits);
    state.tail = harmless.tail;
}

/// Replaces the text of a piece, which may stand in several deltas.
fn replace(piece: &Piece<'_>, with: Bit, edits: &mut RangeEdits) {
    if let [first, rest @ ..] = piece.at {
        edits.push((*first, vec![with]));
        edits.extend(rest.iter().map(|at| (*at, Vec::new())));
    }
}

impl LaneState {
    /// Whether a line end is written before a piece, since it is a message of its own.
    pub(super) fn joins(&self, piece: &Piece<'_>) -> bool {
        piece.fresh
            && self.frame
            && self.visible
            && !self.line
            && piece.kind.is_visible()
            && !piece.text.first().is_some_and(u8::is_ascii_whitespace)
    }

    /// Notes a piece. Returns whether a line end is to be written before it.
    pub(super) fn add(&mut self, piece: &Piece<'_>) -> bool {
        let joins = self.joins(piece);
        self.reasoning |= matches!(piece.kind, PieceKind::Reasoning(_));
        match piece.kind {
            PieceKind::Frame => self.frame = true,
            kind if kind.is_visible() || kind == PieceKind::Gap => {
                self.frame &= !piece.fresh;
                self.frame &= kind != PieceKind::Structure;
                if !piece.text.is_empty() {
                    (self.visible, self.line) = (true, piece.text.last().is_some_and(u8::is_ascii_whitespace));
                }
            }
            _ => (),
        }
        joins
    }
}

/// The state of a lane after the pieces so far.
#[derive(Debug, Default)]
pub(super) struct LaneState {
    /// Visible text has come; `line`: it ends in white space. `reasoning`: reasoning has come.
    pub visible: bool,
    pub line: bool,
    pub reasoning: bool,
    /// The last piece was the header or the end of a message.
    pub frame: bool,
    /// A block is open whose delimiters are replaced.
    pub block: bool,
    /// The message is written with headers.
    pub headed: bool,
    /// The last bytes between the delimiters, to find a delimiter that spans several deltas.
    pub tail: Vec<u8>,
    /// Which message it is.
    pub message: MessagePlace,
    /// A delimiter to write before the next text.
    pub pending: Option<String>,
}
