//! Puts a line end between two messages of one answer, if the headers between them are cut and nothing else separates
//! them.

use super::*;

/// The end of a message's visible text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Joint {
    /// It has text, and does not end in white space.
    pub word: bool,
    /// A header behind it goes: always, or with this decision.
    pub frame: Option<Option<Ticket>>,
}

impl Splice {
    /// Notes the header or the end of a message, and its verdict.
    pub(super) fn headed(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        if piece.kind == PieceKind::Frame {
            self.messages.joints.entry(piece.lane).or_default().frame = match verdict {
                Verdict::Keep => None,
                Verdict::Drop => Some(None),
                Verdict::Hold(ticket) => Some(Some(ticket)),
            };
        }
    }

    /// Puts a line end before visible text behind a header that goes, if nothing else separates it from the text
    /// before.
    pub(super) fn joint(&mut self, piece: &Piece<'_>) {
        let (Some(first), Some(at)) = (piece.text.first(), piece.at.first()) else { return };
        let joint = self.messages.joints.entry(piece.lane).or_default();
        let frame = joint.frame.take().filter(|_| piece.fresh && joint.word && !first.is_ascii_whitespace());
        joint.word = piece.text.last().is_some_and(|b| !b.is_ascii_whitespace());
        if let Some(ticket) = frame {
            self.edit(Span::new(at.start, at.start), Act::Line(ticket, self.messages.strings));
        }
    }
}
