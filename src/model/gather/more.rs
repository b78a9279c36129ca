//! Pieces that only say more of the open block.

use super::facts::KeptTexts;
use super::{ContentKind, Gather, Piece, PieceKind, Role, last};

impl Gather {
    /// Adds a piece of a streamed message, if all it does is to say more of this block. Returns whether it does.
    pub fn says_more(&mut self, piece: &Piece<'_>, at: usize) -> bool {
        if !self.stream || self.framed || piece.text.is_empty() || self.open != Some((at, true)) {
            return false;
        }
        let block = &self.message.blocks[at];
        match piece.kind {
            PieceKind::Visible => {
                let text = block.kind == ContentKind::Text && block.source.is_empty();
                if !text || self.message.role == Role::Tool {
                    return false;
                }
                self.last = last(piece);
            }
            PieceKind::Reasoning(source) => {
                let thought = block.kind == ContentKind::Reasoning && block.source == source;
                if !thought || piece.fresh || self.fresh || self.sources.first != Some(source) {
                    return false;
                }
                self.sources.copies.piece(source, false, &piece.decoded());
            }
            _ => return false,
        }
        if self.keeps != KeptTexts::None {
            self.message.blocks[at].text.push(piece.text, piece.escaped);
        }
        self.message.blocks[at].fed = true;
        true
    }
}
