//! Stage 4: decisions. Knows no dialect, no JSON and no offset: only roles, kinds of pieces and texts, in their order.

mod names;
mod narrow;
mod removal;
mod sequences;
mod strip;

pub use names::{Policy, PolicyError, Signatures, Unit};
pub use narrow::Narrow;
pub use removal::{MessageFate, Removal};
pub use strip::Strip;

use crate::model::{Event, Lane, PieceKind};

/// Decides which reasoning stays. The engine drives it: it sees every event before the output does.
pub trait Judge {
    /// Whether it needs the events of messages without reasoning, of conversations, and of tool calls.
    fn wants_messages(&self) -> bool;

    /// An event that holds no reasoning.
    fn event(&mut self, event: &Event<'_>);

    /// The verdict on a piece that is not visible text, in the open message of this lane. All reasoning of a message
    /// has the same verdict.
    fn judge(&mut self, lane: Lane, kind: PieceKind) -> Verdict;

    /// The next decision since the last call: its ticket, and whether the reasoning goes.
    fn settled(&mut self) -> Option<(Ticket, bool)>;

    /// Ends the stream: everything is decided.
    fn finish(&mut self);
}

/// Identifies a decision that is still to come.
pub type Ticket = u64;

/// Whether a piece stays or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// It goes.
    Drop,
    /// A later event decides.
    Hold(Ticket),
}
