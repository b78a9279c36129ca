//! Sequences, and what is known of their messages.

use super::Number;

/// A sequence that is not over.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// The identifier of its start, or the name that its messages have in common.
    pub id: Vec<u8>,
    /// Another name of it; empty if it has none.
    pub name: Vec<u8>,
    /// Who reasons.
    pub agent: Vec<u8>,
    /// What its start answers.
    pub triggers: Vec<Vec<u8>>,
    /// The sequence that it stands in.
    pub parent: Option<Number>,
    /// The outermost sequence that it stands in: itself, or one that may be over.
    pub root: Number,
    /// The names of those that it stands in and its own, with `/` between them.
    pub path: Vec<u8>,
    /// How many messages of it are reasoning.
    pub messages: u64,
    /// It has ended.
    pub closed: bool,
    /// It has ended without a conclusion.
    pub cancelled: bool,
    /// Its answer has come.
    pub answered: bool,
    /// No start of it was seen.
    pub implied: bool,
    /// The identifiers of its calls.
    pub(super) calls: Vec<Vec<u8>>,
}

/// What a message is in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its start.
    Start,
    /// A thought.
    Thought,
    /// Its conclusion.
    Conclusion,
    /// Its end without one.
    Cancellation,
    /// Words to others, in its context.
    Dialogue,
    /// A call of a tool.
    Call,
    /// Its answer.
    Answer,
    /// Something else in its context, or a message of no sequence.
    Other,
}

/// What is wrong with a message of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No sequence that it names has begun.
    Unknown,
    /// A start has the name of another sequence.
    Duplicate,
    /// The sequence has ended before.
    Late,
    /// It should say what it answers.
    Unanswering,
}

/// Where a message belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The sequence.
    pub sequence: Option<Number>,
    /// The outermost sequence around it.
    pub root: Option<Number>,
    /// What it is there.
    pub part: Part,
    /// What is wrong with it.
    pub trouble: Option<Trouble>,
}
