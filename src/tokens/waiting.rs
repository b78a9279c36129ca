//! What rows wait for: the decisions of the policy, and the frames of the input.

use crate::policy::Ticket;
use crate::span::Span;
use std::collections::BTreeMap;

/// Counts that wait for a decision.
#[derive(Default)]
pub(super) struct Waiting {
    /// For each ticket, the rows that wait for it (counted from the first row of the input), with how many tokens.
    pub rows: BTreeMap<Ticket, Vec<(u64, u64)>>,
    /// Decisions on reasoning whose message is still open.
    pub decided: BTreeMap<Ticket, bool>,
}

/// The frames of the input.
#[derive(Default)]
pub(super) struct Records {
    /// Messages are elements of a top-level array: together they are the first record.
    pub bare: bool,
    /// The last frame ends here.
    pub end: u64,
    /// The frames that were not understood.
    pub bad: Vec<Span>,
}
