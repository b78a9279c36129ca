//! What is open while records are built anew: messages, and the current record.

use super::answer::TextDigest;
use super::run::LastFed;
use crate::model::content::{Envelope, Streamed};
use crate::model::gather::{Gather, GatherStep};
use crate::model::{Lane, Lost};
use crate::span::Span;
use std::collections::{BTreeMap, HashSet};

/// A message that is open.
pub(super) struct EmitMessage {
    pub gather: Gather,
    pub envelope: Envelope,
    /// The number of its conversation, in a log of several.
    pub conversation: u32,
    /// Of a streamed message that has begun in the output: the writer's state.
    pub streamed: Option<Streamed>,
    /// The record in which it began.
    pub record: PlacedRecord,
    /// Its number among the messages.
    pub serial: u64,
    /// The first loss while it was gathered.
    pub lost: Option<Lost>,
    /// If a later record repeats its answer: the sum of its pieces so far, and that of the whole answer.
    pub answer: Option<(TextDigest, Option<TextDigest>)>,
    /// The keys of its members that were lost: events of a stream repeat them.
    pub lost_members: HashSet<Vec<u8>>,
}

/// A record, and where it stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PlacedRecord {
    pub number: u64,
    pub offset: u64,
}

/// Messages that have begun.
#[derive(Default)]
pub(super) struct BegunMessages {
    /// Boxed, since a message is large, and a map moves what is in it.
    pub open: BTreeMap<Lane, Box<EmitMessage>>,
    /// How many messages began.
    pub serial: u64,
    /// The block of which events say more and more.
    pub last_fed: LastFed,
    /// Room for the steps of one event.
    pub steps: Vec<GatherStep>,
}

/// The current record.
#[derive(Default)]
pub(super) struct EmitRecord {
    pub number: u64,
    /// Its kind, and where its value stands.
    pub value: Option<(Envelope, Span)>,
    /// Its frame has been placed.
    pub over: bool,
    /// Why it is not written, if it is refused.
    pub refusal: Option<String>,
    /// Its first loss.
    pub lost: Option<Lost>,
    /// It has a message, or a part of one.
    pub message: bool,
    /// How many of the waiting values belong to earlier records.
    pub earlier: usize,
    /// Records inside of it were written in their places, so that it stays.
    pub inner: bool,
    /// In how many strings what follows stands.
    pub strings: u8,
    /// How many events came of it.
    pub events: u32,
    /// The block of a streamed message to which the last of them added text, and nothing else.
    pub fed: Option<(Lane, usize)>,
}
