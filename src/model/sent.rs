//! The sender of a message, in a log in which several speak: who has sent it, in which context, and in answer to what.

/// What a message does in a sequence of reasoning, which is a start, thoughts, and an end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SequenceStep {
    /// It begins a sequence.
    Begin,
    /// It continues a sequence.
    Think,
    /// It ends one with a conclusion.
    End,
    /// It ends one without a conclusion.
    Cancel,
    /// No reasoning: a message to others.
    Say,
    /// No reasoning: it calls a tool, or proposes to.
    Call,
    /// No reasoning: the result of a tool.
    Result,
    /// No reasoning: something else of the protocol.
    #[default]
    Other,
}

impl SequenceStep {
    /// Whether the message is reasoning.
    pub fn is_reasoning(self) -> bool {
        matches!(self, SequenceStep::Begin | SequenceStep::Think | SequenceStep::End | SequenceStep::Cancel)
    }
}

/// Whether a message was delivered, and is no copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// It was delivered, for the first time: it counts.
    #[default]
    First,
    /// It is a copy of a message in an earlier record.
    Again,
    /// It was delivered to nobody.
    Never,
}

/// The sender of a message, and its place in the log. All texts are decoded.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// What the message does.
    pub step: SequenceStep,
    /// Its identifier; empty if it has none.
    pub id: &'a [u8],
    /// For a start: another name by which later messages refer to its sequence; empty if it has none.
    pub name: &'a [u8],
    /// The name of the sender; empty if it is unknown.
    pub from: &'a [u8],
    /// The sequences that it belongs to, the outermost first, with `/` between them; empty at top level.
    pub context: &'a [u8],
    /// The identifiers of the messages that it answers, each with a NUL behind it.
    pub answers: &'a [u8],
    /// The name of the tool that it calls; empty if it calls none.
    pub tool: &'a [u8],
    /// Its sender has a name and not only a role, or it is addressed to somebody.
    pub named: bool,
    /// Whether the message was delivered, and is no copy.
    pub delivery: Delivery,
}

impl<'a> Sent<'a> {
    /// The identifiers of the messages that it answers.
    pub fn answered(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.answers.split(|b| *b == 0).filter(|id| !id.is_empty())
    }

    /// The sequences that it belongs to, the innermost first: the last name of its context, and those before it.
    pub fn contexts(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.context.rsplit(|b| *b == b'/').filter(|name| !name.is_empty())
    }
}
