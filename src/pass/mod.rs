//! Stage 4: decisions. Knows no dialect, no JSON and no offset: only roles, kinds of pieces and texts, in their order.

pub mod leak;
mod postproc;
mod rules;
mod strip;

pub use postproc::{
    Channel, Postproc, PostprocInput, PostprocOptions, PostprocOutput, PostprocSummary, Process, ratio,
};
pub use rules::{RULES, Rule};
pub use strip::{Policy, PolicyError, Strip, Unit};

/// Names a decision that is still to come.
pub type Ticket = u64;

/// What happens to a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// It goes.
    Drop,
    /// Something that comes later decides.
    Hold(Ticket),
}
