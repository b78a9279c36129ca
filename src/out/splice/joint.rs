//! Two messages of one answer, with headers between them, must not run together where the headers are cut.

use super::*;

/// The visible text of a message so far, for two messages of one answer that a cut would join.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// There is some, and it does not end in white space.
    pub word: bool,
    /// A frame behind it goes, at once or with a decision.
    pub frame: Option<Option<Ticket>>,
}

impl Splice {
    /// The header or the end of a message, and what becomes of it.
    pub(super) fn headed(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if piece.kind == Kind::Frame {
            self.messages.joints.entry(piece.lane).or_default().frame = match verdict {
                Verdict::Keep => None,
                Verdict::Drop => Some(None),
                Verdict::Hold(ticket) => Some(Some(ticket)),
            };
        }
    }

    /// Visible text behind a frame that goes begins a line, as it was a message of its own, if nothing else parts the
    /// two.
    pub(super) fn joint(&mut self, piece: &Piece<'_>) {
        let (Some(first), Some(at)) = (piece.text.first(), piece.at.first()) else { return };
        let joint = self.messages.joints.entry(piece.lane).or_default();
        let frame = joint.frame.take().filter(|_| piece.fresh && joint.word && !first.is_ascii_whitespace());
        joint.word = piece.text.last().is_some_and(|b| !b.is_ascii_whitespace());
        if let Some(ticket) = frame {
            self.edit(Span::new(at.start, at.start), Act::Line(ticket));
        }
    }
}
