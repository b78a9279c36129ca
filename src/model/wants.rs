//! What outputs ask of readers, and what readers say of a whole frame.

use super::InstructionForm;

/// What a sink needs, so that a reader need not make the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// The text of pieces.
    pub text: bool,
    /// Visible pieces, [`Event::Other`](super::Event::Other) and [`Event::Stays`](super::Event::Stays).
    pub visible: bool,
    /// Messages without reasoning, conversations, tool calls.
    pub messages: bool,
    /// Text is not decoded where it stands in one piece.
    pub raw: bool,
    /// The text of messages that are not the assistant's, tool calls, and what the input logs of itself.
    pub rest: bool,
    /// Nothing at all: frames are passed on.
    pub nothing: bool,
    /// What records are written anew from.
    pub content: bool,
    /// The instructions of messages, in this form.
    pub instructions: Option<InstructionForm>,
}

/// The facts of a whole frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It has a conversation, a response, or a message, in this dialect.
    pub dialect: Option<&'static str>,
    /// It is an event of a stream: it goes whole when nothing but reasoning was in it.
    pub stream: bool,
    /// It carries something that is neither reasoning nor text, so that it stays.
    pub payload: bool,
    /// How many messages began in it.
    pub messages: u64,
    /// No dialect reads it.
    pub foreign: bool,
}
