//! Tool calls that stand in messages of their own in a text: they are no part of the answer.

use crate::inline::is_message;
use crate::json::object::MemberWriter;
use crate::model::OwnedPiece;
use crate::model::PieceKind;

/// Writes the member with the calls, as they are, if there are any.
pub(super) fn member(calls: &[Vec<u8>], object: &mut MemberWriter<'_>) {
    if !calls.is_empty() {
        object.strings("calls", calls);
    }
}

/// The pieces without those of such calls.
pub(super) fn without(pieces: &[OwnedPiece]) -> impl Iterator<Item = &OwnedPiece> {
    let mut is_own = None;
    pieces.iter().filter(move |piece| {
        if piece.kind != PieceKind::Tool {
            return true;
        }
        let goes = *is_own.get_or_insert_with(|| is_message(&piece.text));
        is_own = is_own.filter(|_| !piece.whole);
        !goes
    })
}
