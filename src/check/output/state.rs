//! What the output of `check` knows of the input so far.

use super::kept::Kept;
use super::look::ExaminedMessage;
use crate::check::RuleFinding;
use crate::policy::Ticket;
use std::collections::BTreeMap;

/// Where the next message stands in its list or stream.
#[derive(Default)]
pub(super) struct ListPlace {
    /// The events belong to a record with a list of messages.
    pub inside: bool,
    /// That list has had no message yet.
    pub first: bool,
    /// The stream ended, and no message has begun since.
    pub after_stream: bool,
    /// Instructions beside the messages, for the next message.
    pub instructions: Vec<String>,
}

/// Messages that are over.
#[derive(Default)]
pub(super) struct EndedMessages {
    /// Messages that are over, and have findings or were not examined yet.
    pub done: Vec<ExaminedMessage>,
    /// One of them was not examined yet.
    pub has_unexamined: bool,
}

/// Findings, and what decides about them.
#[derive(Default)]
pub(super) struct FoundSoFar {
    pub findings: Kept,
    /// Findings that count only if the policy removes the reasoning, by the ticket of that decision.
    pub waiting: BTreeMap<Ticket, Vec<(u128, RuleFinding)>>,
    /// Delegations that ended before a finding about them was made: whether control never came back.
    pub left: BTreeMap<Ticket, bool>,
    /// The stream has reasoning that the policy removes, and a finding says so.
    pub present: bool,
}

/// What the input is.
#[derive(Default)]
pub(super) struct CheckedInput {
    /// The input is over.
    pub over: bool,
    /// The input is one text.
    pub raw: bool,
    /// The input is a table: a message is a cell, and a record is not JSON.
    pub table: bool,
}
