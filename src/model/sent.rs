//! What is known of a message of a log in which several speak: who has sent it, in which context, and in answer to what.

/// What a message does in a sequence of reasoning: a start, thoughts, and an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It begins a sequence.
    Begin,
    /// It goes on with one.
    Think,
    /// It ends one with a conclusion.
    End,
    /// It ends one without.
    Cancel,
    /// It is no reasoning: words for others.
    Say,
    /// It is no reasoning: it calls a tool, or proposes to.
    Call,
    /// It is no reasoning: what a tool gave back.
    Result,
    /// It is no reasoning, but something else of the protocol.
    Other,
}

impl Step {
    /// Whether the message is reasoning.
    pub fn is_reasoning(self) -> bool {
        matches!(self, Step::Begin | Step::Think | Step::End | Step::Cancel)
    }
}

/// Whether a message of a log counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// It does.
    #[default]
    First,
    /// An earlier record has the same message.
    Again,
    /// Nobody has received it.
    Never,
}

/// What is known of such a message. All texts are decoded.
#[derive(Clone, Copy, Debug)]
pub struct Sent<'a> {
    /// What it does.
    pub step: Step,
    /// Its identifier; empty if it has none.
    pub id: &'a [u8],
    /// Of a start: another name by which the messages of its sequence know it; empty if it has none.
    pub name: &'a [u8],
    /// Who has sent it; empty if that is unknown.
    pub from: &'a [u8],
    /// The sequences that it belongs to, the outermost first, with `/` between them; empty at top level.
    pub context: &'a [u8],
    /// The identifiers of the messages that it answers, each with a NUL behind it.
    pub answers: &'a [u8],
    /// The name of the tool that it calls; empty if it calls none.
    pub tool: &'a [u8],
    /// Its sender has a name and not only a role, or it is addressed to somebody.
    pub named: bool,
    /// Whether it counts.
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
