//! What outputs ask of readers, and what readers report about a frame.

use super::InstructionForm;

/// What an output needs, so that readers can leave out the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// The text of pieces.
    pub text: bool,
    /// Visible pieces, [`MessageFact::Other`](super::MessageFact::Other) and [`Event::Stays`](super::Event::Stays).
    pub visible: bool,
    /// Messages without reasoning, conversations, tool calls.
    pub messages: bool,
    /// Text is sent undecoded, if all of it stands in one place.
    pub raw: bool,
    /// Text of other roles than the assistant, tool calls, and counts that the input states.
    pub rest: bool,
    /// Errors that a provider wrote in place of an answer: they are reported.
    pub failures: bool,
    /// Nothing: frames are passed on unread.
    pub nothing: bool,
    /// Tags of which it is not certain whether they are used, as text, each with a note.
    pub doubts: bool,
    /// The content of messages, from which records are built anew.
    pub content: bool,
    /// The origin of messages: the model, the time, the session.
    pub origin: bool,
    /// The instructions of messages, in this form.
    pub instructions: Option<InstructionForm>,
}

impl Wants {
    /// Whether texts in which tags are looked for are sent with their escapes, too. Where messages are built anew, a text
    /// that is not decoded is written as it came. For other outputs such a text is decoded already, and they count or
    /// print what they get.
    pub fn texts_as_they_came(self) -> bool {
        self.raw && self.content
    }

    /// Whether calls of tools are sent as text, which is counted. Where messages are built anew, what is known of a call has its
    /// parts.
    pub fn calls_as_text(self) -> bool {
        self.rest && !self.texts_as_they_came()
    }
}

/// What a reader reports about a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It has a conversation, a response or a message, in the dialect of this name.
    pub dialect: Option<&'static str>,
    /// It is an event of a stream: it goes whole if it had nothing but reasoning.
    pub stream: bool,
    /// It has something besides reasoning and text, so that it stays.
    pub payload: bool,
    /// How many messages began in it.
    pub messages: u64,
    /// No dialect reads it.
    pub foreign: bool,
}
