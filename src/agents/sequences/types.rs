//! Sequences of reasoning, and the places of messages in them.

use super::Number;

/// A sequence that has not ended.
#[derive(Clone, Debug, Default)]
pub struct OpenSequence {
    /// The identifier of its start, or the name that its messages share.
    pub id: Vec<u8>,
    /// Another name; empty if it has none.
    pub name: Vec<u8>,
    /// The agent that reasons.
    pub agent: Vec<u8>,
    /// The identifiers of the messages that its start answers.
    pub triggers: Vec<Vec<u8>>,
    /// The sequence around it.
    pub parent: Option<Number>,
    /// The outermost sequence around it, which may have ended; or itself.
    pub root: Number,
    /// The names of the sequences around it and its own, with `/` between them.
    pub path: Vec<u8>,
    /// How many messages of it are reasoning.
    pub messages: u64,
    /// It has a conclusion or a cancellation.
    pub closed: bool,
    /// It has a cancellation.
    pub cancelled: bool,
    /// Its answer has come.
    pub answered: bool,
    /// The log has no start for it.
    pub implied: bool,
    /// The identifiers of its calls.
    pub(super) calls: Vec<Vec<u8>>,
}

/// The part that a message plays in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequencePart {
    /// Its start.
    Start,
    /// A thought.
    Thought,
    /// Its conclusion.
    Conclusion,
    /// Its cancellation.
    Cancellation,
    /// A message to others, in its context.
    Dialogue,
    /// A call of a tool.
    Call,
    /// Its answer.
    Answer,
    /// Another message in its context, or a message of no sequence.
    Other,
}

/// An inconsistency of a message with its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inconsistency {
    /// The message names a sequence that has not begun.
    Unknown,
    /// A start has the name of another sequence.
    Duplicate,
    /// The sequence had a conclusion or a cancellation before.
    Late,
    /// The message should name what it answers, and does not.
    MissingReference,
}

/// The place of a message among the sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedMessage {
    /// The sequence.
    pub sequence: Option<Number>,
    /// The outermost sequence around it.
    pub root: Option<Number>,
    /// Its part in the sequence.
    pub part: SequencePart,
    /// What is inconsistent, if anything.
    pub inconsistency: Option<Inconsistency>,
}
