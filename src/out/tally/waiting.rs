//! What a count waits for: the decisions of the policy, and the frames of the input.

use crate::pass::Ticket;
use crate::span::Span;
use std::collections::BTreeMap;

/// What waits for the policy.
#[derive(Default)]
pub(super) struct Waiting {
    /// Rows that wait for a verdict: which row, counted from the first ever, and how many tokens.
    pub rows: BTreeMap<Ticket, Vec<(u64, u64)>>,
    /// What was decided while a message that waits for it was still open.
    pub decided: BTreeMap<Ticket, bool>,
}

/// The frames of the input.
#[derive(Default)]
pub(super) struct Records {
    /// Messages are elements of the input: they are the first record together.
    pub bare: bool,
    /// The last frame ends here.
    pub end: u64,
    /// Those that were not understood.
    pub bad: Vec<Span>,
}
