//! Stage 2: the neutral model, a stream of events, each with the byte ranges it came from.
//!
//! A tree is folded from events only by outputs that need a whole message (`fold`); `order` is the grammar that every
//! event sequence obeys. Nothing here can be serialised: a model that can be written becomes one more dialect.

pub mod call_names;
pub mod content;
pub mod delegation;
pub mod fold;
pub mod gather;
mod loss;
pub mod number;
pub mod order;
pub mod regroup;
mod sent;
pub mod sequences;
mod wants;

pub use loss::{BlockProperty, Loss};
pub use sent::{Delivery, Sent, Step};
pub use wants::{Facts, Wants};

use crate::span::Span;
use std::borrow::Cow;

/// Who wrote a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The model. A message whose role is unknown counts as its own: what may hold reasoning is searched.
    #[default]
    Assistant,
    /// The person, who begins a new turn.
    User,
    /// Instructions.
    System,
    /// The result of a tool call.
    Tool,
}

/// Which of the messages that are open at the same time: the choice of a response.
pub type Lane = u32;

/// Lanes from here on are of snapshots: messages that repeat text of deltas. Their reasoning goes with the rest,
/// and they are not counted.
pub const SNAPSHOT: Lane = 1 << 31;

/// Where a record has its reasoning: the field's name, `part` for a content part, `tags` for inline tags. The same
/// text from two sources of one message is one text and a copy.
pub type Source = &'static str;

/// The source of a summary: it counts only where the message, or the item of reasoning that it belongs to
/// ([`Kind::NextItem`]), has no other reasoning with text.
pub const SUMMARY: Source = "summary";

/// The source of reasoning between inline tags.
pub const TAGS: Source = "tags";

/// The source of reasoning in messages with headers.
pub const HARMONY: Source = "harmony";

/// The source of reasoning before a marker.
pub const MARKER: Source = "marker";

/// Whether reasoning of that source stands in the text of the answer.
pub fn is_inline(source: Source) -> bool {
    matches!(source, TAGS | HARMONY | MARKER)
}

/// What a stretch of a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text of the answer.
    Visible,
    /// Text of the answer for the person before a tool is called.
    Commentary,
    /// A tool call that stands in the text of the answer, with its own delimiters.
    Tool,
    /// Text of the reasoning.
    Reasoning(Source),
    /// An empty place for reasoning: a field that is null.
    Void(Source),
    /// Between two items of reasoning, which have their sources each by itself: nothing behind it is a copy or a summary
    /// of what stands before it, nor the other way round. It has no text and no bytes.
    NextItem,
    /// A delimiter; it goes with its block.
    Delimiter,
    /// White space of the visible text that goes with the block before it when that is cut.
    Gap,
    /// A delimiter without a block.
    Stray,
    /// A delimiter between parts of the answer; it goes as far as reasoning goes.
    Frame,
    /// A delimiter with the role of what follows: it is no text, and always stays.
    Structure,
    /// The role of the text from here on. Only raw text has this, and no reader passes it on.
    Turn(Role),
    /// A section of the reasoning that goes though the reasoning stays: it has the verdict of that reasoning. Only if the
    /// output asks for it.
    Redacted,
    /// Text of a record that is refused: it goes nowhere, whatever the verdict.
    Refused,
    /// What a tool is called with, or gives back. Only if the output asks for it ([`Wants::rest`]).
    Call,
}

impl Kind {
    /// Whether it is text that a person may read, or stays with it.
    pub fn is_visible(self) -> bool {
        matches!(self, Kind::Visible | Kind::Commentary | Kind::Tool | Kind::Structure)
    }

    /// What it is in the turn of this role, in a text with several: text of other roles is no part of the message.
    pub fn of(self, speaker: Role) -> Kind {
        match self {
            Kind::Visible | Kind::Commentary | Kind::Gap if speaker != Role::Assistant => Kind::Structure,
            kind => kind,
        }
    }
}

/// A stretch of a message.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Which message.
    pub lane: Lane,
    /// What it is.
    pub kind: Kind,
    /// It begins a block; otherwise it goes on with the block that its lane and source had last. Visible text that
    /// begins a text of its own, if the output asks for all text, and behind a [`Kind::Frame`] or [`Kind::Structure`].
    pub fresh: bool,
    /// Its text, decoded, as WTF-8. Empty if the output does not ask for text ([`Wants`]).
    pub text: &'a [u8],
    /// The text is not decoded: it is the inside of a JSON string with escapes. Only if the output asks for it.
    pub escaped: bool,
    /// It is all of its block, and no other source of its message can repeat it. Of a tool call in text: the call is
    /// over, and this piece has nothing else. Of a [`Kind::Redacted`]: it is all reasoning of its message, which is
    /// signed or encrypted and has a section to empty.
    pub whole: bool,
    /// The bytes to cut, commas and all, when its block goes; for visible text, the bytes it stands in. The cuts of
    /// all fields and parts of a message come with the first of them, since they go or stay together.
    pub at: &'a [Span],
}

/// Whether two messages of one answer need a line end between them, so that their words do not run together: `before`
/// is the text so far, `text` begins the next.
pub fn is_glued(before: &[u8], text: &[u8]) -> bool {
    let blank = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
    !blank(before.last()) && !blank(text.first())
}

/// What a message does beside what it says: conversations that several agents lead have such messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It hands the conversation to another agent; `intermediate`: all that this agent writes is a step on the way.
    Delegates {
        /// See there.
        intermediate: bool,
    },
    /// It hands the conversation back.
    Returns,
    /// It is a step on the way to the answer.
    Intermediate,
}

/// How the instructions of a message are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionForm {
    /// As a line of a prompt.
    Xml,
    /// In the short form of their program.
    Short,
}

/// A mark of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// What it says.
    pub mark: Mark,
    /// The instructions of the agent that the conversation is handed to, decoded, as WTF-8.
    pub prompt: Vec<u8>,
    /// Where it stands.
    pub at: Span,
}

/// The place of a message in a list, for taking it out whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Which list: the offset of its first byte.
    pub list: u64,
    /// From the end of the element before it to its own end.
    pub span: Span,
    /// The comma before it.
    pub comma: Option<u64>,
}

/// A stretch of what a writer puts in place of input bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// These bytes.
    Text(Cow<'static, [u8]>),
    /// The bytes of the input that stand here, in the same record.
    Copy(Span),
}

/// An event: what a reader sends.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A record with a list of messages begins. Messages outside of one belong to the conversation that is the stream.
    ConversationStart,
    /// A message begins.
    MessageStart {
        /// Which.
        lane: Lane,
        /// Who wrote it.
        role: Role,
        /// It is one more choice of the response whose first choice was a message already.
        joined: bool,
        /// It is a record of its own.
        bare: bool,
        /// The conversation of the stream that it belongs to: 0, but in a log in which several interleave.
        conversation: u32,
    },
    /// What it does beside what it says, right behind its start. Only if the output asks for all messages.
    Marks {
        /// Which message.
        lane: Lane,
        /// Its marks, at least one.
        marks: &'a [Marked],
        /// Where its content stands: what is inside of its brackets or quotes.
        content: Span,
    },
    /// An instruction that belongs to it. Only if the output asks for them.
    Instruction {
        /// Which message.
        lane: Lane,
        /// How it is written, if that is known.
        line: Option<&'a [u8]>,
    },
    /// Who has sent it, where and in answer to what, in a log in which several speak. It comes behind its start.
    Sent {
        /// Which message.
        lane: Lane,
        /// What is known of it.
        sent: Sent<'a>,
        /// Where it stands.
        at: Span,
    },
    /// A stretch of it.
    Piece(Piece<'a>),
    /// It calls a tool.
    ToolCall(Lane),
    /// It has something visible that is neither text nor a tool call.
    Other(Lane),
    /// The message is a string at one of several places that one pointer names.
    Field {
        /// Which message.
        lane: Lane,
        /// The place, as a JSON Pointer.
        pointer: &'a str,
    },
    /// It is over.
    MessageEnd {
        /// Which.
        lane: Lane,
        /// Where it stands in its list, if it does.
        element: Option<Element>,
    },
    /// An element of a list of messages that is none.
    Stays(Element),
    /// An element of a list that is a block of reasoning of this message, whose pieces have no bytes.
    Item {
        /// Which message.
        lane: Lane,
        /// Where it stands in its list.
        element: Element,
    },
    /// The number of a block of a streamed message, at each place where it stands. When blocks with lower numbers go,
    /// it closes the gap.
    Number {
        /// Which message.
        lane: Lane,
        /// Where the number stands.
        at: Span,
        /// The number.
        number: u64,
        /// The block is reasoning, and goes with it.
        reasoning: bool,
    },
    /// The record's conversation is over.
    ConversationEnd,
    /// Words for the model that stand beside the messages of a conversation or a response: instructions, descriptions
    /// of tools. A JSON value. Only if the output asks for it ([`Wants::rest`]).
    Instructions(&'a [u8]),
    /// A count of tokens of reasoning that stands in the input: in the message of a lane, or in this record.
    Logged {
        /// Which message, if it is one.
        lane: Option<Lane>,
        /// How many.
        tokens: u64,
    },
    /// The messages of the stream so far were a conversation of their own: others follow in the same input.
    StreamOver,
    /// The stream is a recording, in which a later record may take back earlier ones.
    Recording,
    /// So many messages before, or all there are, are no longer part of the conversation.
    Rewind(u64),
    /// The block that a piece just began has no text, but is signed or encrypted. Only if the output asks for it.
    Sealed(Lane),
    /// The members of the typed event of a tool call. Only if the output asks for visible text.
    CallMembers {
        /// Which message.
        lane: Lane,
        /// The name.
        name: &'static str,
        /// Names of members and their texts; `None` is null.
        members: &'a [(&'static str, Option<String>)],
    },
    /// A later record has the answer of this message in full ([`Event::Answer`]).
    AnswerFollows(Lane),
    /// The answer of a message in full, which its pieces had already: where the two differ, this is the better.
    Answer {
        /// Which message.
        lane: Lane,
        /// The answer.
        text: &'a [u8],
    },
    /// For outputs that build messages anew ([`Wants::content`]): what the record is that is read, and where its value
    /// stands.
    Record {
        /// What it is.
        envelope: content::Envelope,
        /// Its JSON value.
        value: Span,
    },
    /// Likewise: a block begins that is neither text nor reasoning.
    Block {
        /// Which message.
        lane: Lane,
        /// Its number, by which pieces of it are known.
        number: u32,
        /// What it is.
        what: content::What,
    },
    /// Likewise: such a block of a stream is over. Without this event it is over where another begins.
    BlockOver {
        /// Which message.
        lane: Lane,
        /// Its number.
        number: u32,
    },
    /// Likewise: a fact of the record, of a message, or of a block of it.
    Set {
        /// Which message, if it is one's.
        lane: Option<Lane>,
        /// Which block; none is the last.
        block: Option<u32>,
        /// Which fact.
        name: content::Attribute,
        /// The key that it stood under, if that adds to its kind.
        key: &'a [u8],
        /// A JSON value.
        value: &'a [u8],
    },
    /// Likewise: why a message ended.
    Stop {
        /// Which message.
        lane: Lane,
        /// Why.
        stop: content::Stop,
    },
    /// A reader that converts: these bytes give way to others.
    Edit {
        /// Which bytes; nothing for an insertion.
        at: Span,
        /// What takes their place.
        with: &'a [Bit],
    },
    /// A reader that converts: something of a message is lost.
    Loss(Loss),
}

/// Takes in events.
pub trait Sink {
    /// The next event.
    fn event(&mut self, event: &Event<'_>);
}
