//! Events: what readers send. The grammar that every sequence of them obeys is in [`super::order`].

use super::content::{Attribute, Envelope, Other, Stop};
use super::{Bit, Cost, Element, Lane, Lost, Marked, Origin, Piece, Role, Sent};
use crate::span::Span;

/// An event: what a reader sends.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A conversation begins or ends, or messages of the one before are taken back.
    Conversation(ConversationEvent),
    /// A message begins.
    MessageStart {
        /// Its lane.
        lane: Lane,
        /// Its role.
        role: Role,
        /// It is a further choice of the response whose first choice has begun a message.
        joined: bool,
        /// It is a record by itself.
        bare: bool,
        /// The number of its conversation in the stream: not 0 only in a log in which several interleave.
        conversation: u32,
        /// The first byte of the object that is the message, or its first delta; `None` in a raw text.
        at: Option<u64>,
    },
    /// Something about the message in this lane that is no text of it.
    Fact(Lane, MessageFact<'a>),
    /// A piece of a message.
    Piece(Piece<'a>),
    /// A message ends.
    MessageEnd {
        /// Its lane.
        lane: Lane,
        /// Its place, if it is an element of a list.
        element: Option<Element>,
    },
    /// An element of a list of messages that is not a message.
    Stays(Element),
    /// A list element that is a block of reasoning, whose pieces have no bytes.
    Item {
        /// The lane of its message.
        lane: Lane,
        /// The element.
        element: Element,
    },
    /// Where the number of a block of a streamed message stands, each time. It changes when blocks with lower ones go.
    Number {
        /// The lane of the message.
        lane: Lane,
        /// The bytes of the number.
        at: Span,
        /// The number.
        number: u64,
        /// The block is reasoning.
        reasoning: bool,
    },
    /// Instructions or tools, as a JSON value beside messages. Only if the output asks for them ([`super::Wants::rest`]).
    Instructions(&'a [u8]),
    /// A count of reasoning tokens that the input states.
    Logged {
        /// The lane of the message that it is about. `None`: the current record.
        lane: Option<Lane>,
        /// The count.
        tokens: u64,
    },
    /// What a record says that something has cost. Only if the output asks for origins ([`super::Wants::origin`]).
    Cost(Cost<'a>),
    /// For outputs that build messages anew ([`super::Wants::content`]): what they are made of beside their texts.
    Content(ContentEvent<'a>),
    /// What follows stands in so many strings of the record, each inside of the one before: what is written there is escaped
    /// as often again.
    InStrings(u8),
    /// A record inside of another one is over: a conversion writes it in its place.
    RecordOver,
    /// An event of a stream in a string of the record. It goes whole if it has nothing but reasoning.
    Framed(Span),
    /// From a reader that edits records in place: these bytes are replaced.
    Edit {
        /// The bytes that are replaced; empty for an insertion.
        at: Span,
        /// The replacement.
        with: &'a [Bit],
    },
    /// From a reader that edits records in place: a loss.
    Loss(Lost),
}

/// What happens to conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationEvent {
    /// A record with a list of messages begins. Messages outside of such records belong to a conversation of the
    /// stream.
    Start,
    /// The conversation of a record ends.
    End,
    /// A record with a request and its response begins: they are one conversation, which begins here (`true`) or with its
    /// [`ConversationEvent::Start`].
    Exchange(bool),
    /// That record ends.
    ExchangeOver,
    /// The messages of the stream so far were a conversation of their own, and others follow in the input.
    StreamOver,
    /// The stream is a recording, in which a later record may take back earlier ones.
    Recording,
    /// This many messages before (or all) are taken back: they are no longer part of the conversation.
    Rewind(u64),
}

/// What is known of a message beside its pieces.
#[derive(Clone, Copy, Debug)]
pub enum MessageFact<'a> {
    /// Its marks, right after its start. Only if the output asks for all messages.
    Marks {
        /// The marks, at least one.
        marks: &'a [Marked],
        /// The range of its content, inside of the brackets or quotes.
        content: Span,
    },
    /// An instruction, as it is written if its form is known. Only if the output asks for them.
    Instruction(Option<&'a [u8]>),
    /// Its sender, in a log in which several speak. It follows the message's start.
    Sent {
        /// The sender, and what it says about the message.
        sent: Sent<'a>,
        /// The range of the message.
        at: Span,
    },
    /// Where it comes from. It follows the message's start. Only if the output asks for it ([`super::Wants::origin`]).
    Origin(&'a Origin),
    /// It is one of several strings that one pointer names, at this place, a JSON Pointer.
    Field(&'a str),
    /// It calls a tool.
    ToolCall,
    /// It has visible content that is neither text nor a tool call.
    Other,
    /// The block that a piece just began has no text, but is signed or encrypted. Only if the output asks for it.
    Sealed,
    /// The members of a typed event with a tool call. Only if the output asks for visible text.
    CallMembers {
        /// The name of the event.
        name: &'a str,
        /// Keys of members and their texts; `None` is null.
        members: &'a [(String, Option<String>)],
    },
    /// A later record will have its whole answer ([`MessageFact::Answer`]).
    AnswerFollows,
    /// Its whole answer, which its pieces had before. If the two differ, this one is right.
    Answer(&'a [u8]),
}

/// What records and messages that are built anew are made of, beside texts.
#[derive(Clone, Copy, Debug)]
pub enum ContentEvent<'a> {
    /// The kind of the current record, and where its value stands.
    Record {
        /// The kind of the record.
        envelope: Envelope,
        /// Its JSON value.
        value: Span,
    },
    /// A block begins that is neither text nor reasoning.
    Block {
        /// The lane of the message.
        lane: Lane,
        /// The number of the block, which identifies it in later events.
        number: u32,
        /// The type of the block.
        what: Other,
        /// Its first byte.
        at: Option<u64>,
    },
    /// Such a block of a stream ends. Without this event it ends where another begins.
    BlockOver {
        /// The lane of the message.
        lane: Lane,
        /// The number of the block.
        number: u32,
    },
    /// A fact of the record, of a message, or of a block.
    Set {
        /// The lane of the message, if the fact is not one of the record.
        lane: Option<Lane>,
        /// The number of the block; `None` for the last one.
        block: Option<u32>,
        /// The attribute.
        name: Attribute,
        /// The key in the input, if that says more than the attribute.
        key: &'a [u8],
        /// The value, as JSON.
        value: &'a [u8],
        /// The first byte of the value, if it stands in the input.
        at: Option<u64>,
    },
    /// The stop reason of a message.
    Stop {
        /// The lane of the message.
        lane: Lane,
        /// The stop reason.
        stop: Stop,
    },
}

impl<'a> Event<'a> {
    /// A fact of the record that is built anew.
    pub fn of_record(name: Attribute, key: &'a [u8], value: &'a [u8], at: Option<u64>) -> Self {
        Event::Content(ContentEvent::Set { lane: None, block: None, name, key, value, at })
    }

    /// A fact of a message that is built anew.
    pub fn of_message(lane: Lane, name: Attribute, value: &'a [u8]) -> Self {
        Event::Content(ContentEvent::Set { lane: Some(lane), block: None, name, key: b"", value, at: None })
    }

    /// The start of a message that is a text, and no object of a record.
    pub fn start_of_text(lane: Lane, role: Role) -> Self {
        Event::MessageStart { lane, role, joined: false, bare: false, conversation: 0, at: None }
    }
}
