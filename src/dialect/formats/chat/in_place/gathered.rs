//! A message that is gathered from its events, to be written in another layout.

use super::words::unknown_channels;
use crate::dialect::formats::chat::fields::field_of;
use crate::dialect::inline_text::Noted;
use crate::model::content::{Attribute, BlockMessage};
use crate::model::gather::{Gather, GatherStep};
use crate::model::{ContentEvent, Event, Loss, Losses, MessagePlace, Piece, PieceKind, Role, Sink};

/// A message that is gathered from its events.
pub(in crate::dialect) struct Gathered {
    gather: Gather,
    /// What its blocks do, which matters only in a stream.
    steps: Vec<GatherStep>,
    losses: Losses,
    place: MessagePlace,
    /// White space behind a block was the last text.
    gap: bool,
    /// Tags without a block.
    pub(super) strays: usize,
    /// Messages in a channel whose name is not known.
    pub(super) unknown: usize,
}

impl Gathered {
    /// Nothing yet of the message with this place.
    pub fn new(place: MessagePlace) -> Self {
        let gather = Gather::new(BlockMessage::new(Role::Assistant), false, true);
        Self { gather, steps: Vec::new(), losses: Losses::default(), place, gap: false, strays: 0, unknown: 0 }
    }

    /// Reads what the reader of its texts noted.
    pub fn note(&mut self, notes: &[Noted]) {
        self.unknown += unknown_channels(notes);
    }

    /// The message, and what it has lost so far.
    pub(super) fn finish(mut self) -> (BlockMessage, Losses) {
        self.gather.finish(&mut self.steps, &mut self.losses);
        (self.gather.message, self.losses)
    }
}

impl Sink for Gathered {
    fn event(&mut self, event: &Event<'_>) {
        let Self { gather, steps, losses, place, gap, strays, .. } = self;
        steps.clear();
        match *event {
            Event::MessageStart { role, at, .. } => {
                *gather = Gather::new(BlockMessage { at, place: *place, ..BlockMessage::new(role) }, false, true);
                losses.of(&gather.message);
            }
            // A signature of a call is lost; that of a message is a member of it, which stays.
            Event::Piece(Piece { kind: PieceKind::Reasoning(source), .. }) if is_opaque(source) => {
                losses.extend((source == "thoughtSignature").then_some(Loss::Signature));
            }
            Event::Piece(Piece { kind: PieceKind::Stray, .. }) => *strays += 1,
            Event::Piece(piece) => {
                // White space behind a block stays, so that the message can be converted back.
                let piece = match piece.kind {
                    PieceKind::Gap => {
                        *gap = true;
                        Piece { kind: PieceKind::Visible, ..piece }
                    }
                    PieceKind::Visible => Piece { fresh: piece.fresh && !std::mem::take(gap), ..piece },
                    _ => piece,
                };
                let at = piece.at.first().map(|span| span.start);
                gather.at(at);
                losses.inside(at, |losses| gather.piece(&piece, steps, losses));
            }
            Event::Content(ContentEvent::Block { what, number, at, .. }) => {
                gather.at(at);
                gather.block(what, number, steps);
            }
            Event::Content(ContentEvent::BlockOver { number, .. }) => gather.block_over(number, steps),
            // Members of the message itself stay. Those of its calls are counted with the call (`Graft::lost_of_calls`).
            Event::Content(ContentEvent::Set {
                name: Attribute::Refusal | Attribute::Member | Attribute::CallSignature,
                ..
            }) => (),
            Event::Content(ContentEvent::Set { name: Attribute::Extra, at, .. }) if at == gather.message.at => (),
            Event::Content(ContentEvent::Set { lane: Some(_), block, name, value, at, .. }) => match name {
                Attribute::Extra => losses.push_at(at, Loss::Extra),
                Attribute::Lost(loss) => losses.push_at(at, loss),
                Attribute::Author => gather.message.facts.push((name, value.to_vec())),
                _ => {
                    gather.at(at);
                    losses.inside(at, |losses| gather.fact(block, (name, value), steps, losses));
                }
            },
            _ => (),
        }
    }
}

/// Whether a source is no text, but a signature or a ciphertext.
fn is_opaque(source: &str) -> bool {
    field_of(source.strip_prefix("copy of ").unwrap_or(source).as_bytes()).is_some_and(|field| field.opaque)
}
