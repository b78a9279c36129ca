//! Tool calls that stand in messages of their own in a text: they are no part of the answer.

use crate::agents::fold::OwnedPiece;
use crate::inline::is_message;
use crate::json::quote::quote;
use crate::json::text::utf8;
use crate::model::PieceKind;

/// Writes the member with the calls, as they are, if there are any.
pub(super) fn member(calls: &[Vec<u8>], name: &mut impl FnMut(&mut Vec<u8>, &str), out: &mut Vec<u8>) {
    if calls.is_empty() {
        return;
    }
    name(out, "calls");
    for (i, call) in calls.iter().enumerate() {
        out.push(if i == 0 { b'[' } else { b',' });
        quote(utf8(call).as_bytes(), out);
    }
    out.push(b']');
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
