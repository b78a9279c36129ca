//! Whole answers, which some streams send behind their pieces. The pieces are written already, so that a whole answer
//! that differs from them is counted as a loss.

use super::Emit;
use crate::model::{Lane, Loss, Piece, PieceKind, fnv};

/// A checksum of a text without white space: its length and a hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TextDigest(u64, u64);

impl TextDigest {
    const EMPTY: TextDigest = TextDigest(0, fnv::BASIS);

    fn add(&mut self, text: &[u8]) {
        for byte in text.iter().filter(|byte| !byte.is_ascii_whitespace()) {
            self.0 += 1;
            self.1 = fnv::with(self.1, *byte);
        }
    }
}

impl Emit {
    /// A later record will have the whole answer.
    pub(super) fn answer_follows(&mut self, lane: Lane) {
        if let Some(open) = self.begun.open.get_mut(&lane) {
            open.answer = Some((TextDigest::EMPTY, None));
        }
    }

    /// Notes the whole answer. Its last pieces may still come: text waits for a tag.
    pub(super) fn answer(&mut self, lane: Lane, text: &[u8]) {
        if let Some((_, whole)) = self.begun.open.get_mut(&lane).and_then(|open| open.answer.as_mut()) {
            whole.insert(TextDigest::EMPTY).add(text);
        }
    }

    /// Ends the message: a loss if its pieces differ from its whole answer.
    pub(super) fn compare_answer(&mut self, lane: Lane) {
        let Some((pieces, Some(whole))) = self.begun.open.get(&lane).and_then(|open| open.answer) else { return };
        if pieces != whole {
            self.lose_of(lane, None, Loss::Correction);
        }
    }

    pub(super) fn piece(&mut self, piece: &Piece<'_>) {
        let spoken = matches!(piece.kind, PieceKind::Visible | PieceKind::Mention | PieceKind::Tool);
        let answer = self.begun.open.get_mut(&piece.lane).and_then(|open| open.answer.as_mut());
        if let Some((pieces, _)) = answer.filter(|_| spoken) {
            pieces.add(&piece.decoded());
        }
        self.change(piece.lane, piece.at.first().map(|span| span.start), |gather, steps, losses| {
            gather.piece(piece, steps, losses)
        });
    }
}
