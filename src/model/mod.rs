//! Stage 2: the neutral model, a stream of events, each with the byte ranges it came from.
//!
//! A tree is folded from events only by outputs that need a whole message ([`crate::agents`]); `order` is the grammar that every
//! event sequence obeys. Nothing here can be serialised: a model that can be written becomes one more dialect.

pub mod call_names;
pub mod content;
pub mod copies;
mod edit;
pub mod fnv;
pub mod gather;
mod leaf;
mod loss;
mod mark;
pub mod number;
pub mod order;
mod origin;
mod seals;
mod sent;
pub mod steps;
mod wants;

pub use edit::{Bit, Element};
pub use leaf::Leaf;
pub use loss::{BlockProperty, Loss, Losses, Lost, MessagePlace};
pub use mark::{InstructionForm, Mark, Marked};
pub use origin::{Cost, Origin, Time};
pub use seals::Seals;
pub use sent::{Delivery, Sent, SequenceStep};
pub use wants::{Facts, Wants};

use crate::span::Span;
use std::borrow::Cow;

/// The author of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The model. A message of an unknown role counts as the assistant's, so that it is searched for reasoning.
    #[default]
    Assistant,
    /// The user, who begins a new turn.
    User,
    /// Instructions.
    System,
    /// The result of a tool call.
    Tool,
}

/// Identifies a message among those that are open at the same time: the choice of a response.
pub type Lane = u32;

/// Lanes from here on are those of snapshots: messages that repeat text of deltas. Their reasoning gets the verdict of
/// the deltas', and they are not counted.
pub const SNAPSHOT: Lane = 1 << 31;

/// Where a record has its reasoning: the field's name, `part` for a content part, `tags` for inline tags. The same
/// text from two sources of one message is one text and a copy.
pub type Source = &'static str;

/// The source of a summary: it counts only if the message, or the item of reasoning that it belongs to
/// ([`PieceKind::NextItem`]), has no other reasoning with text.
pub const SUMMARY: Source = "summary";

/// The source of reasoning between inline tags.
pub const TAGS: Source = "tags";

/// The source of reasoning in messages with headers.
pub const HARMONY: Source = "harmony";

/// The source of reasoning before a marker.
pub const MARKER: Source = "marker";

/// Whether reasoning of this source stands in the text of the answer.
pub fn is_inline(source: Source) -> bool {
    matches!(source, TAGS | HARMONY | MARKER)
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Text of the answer.
    Visible,
    /// Text of the answer for the user before a tool is called.
    Commentary,
    /// A tool call that stands in the text of the answer, with its own delimiters.
    Tool,
    /// Text of the reasoning.
    Reasoning(Source),
    /// An empty reasoning field, or one that is null.
    Void(Source),
    /// The limit between two items of reasoning: sources of the one are no copies or summaries of sources of the other.
    /// Has no text and no bytes.
    NextItem,
    /// A delimiter of a block; it goes with the block.
    Delimiter,
    /// White space of the visible text that goes with the block before it.
    Gap,
    /// A delimiter without a block.
    Stray,
    /// A delimiter between parts of the answer; it goes if the policy removes reasoning there.
    Frame,
    /// A delimiter with the role of what follows: not text, but always stays.
    Structure,
    /// The role of the text from here on. Only in raw text; readers do not pass it on.
    Turn(Role),
    /// A section to empty in reasoning that stays; it has the verdict of that reasoning. Only if the output asks for
    /// it.
    Redacted,
    /// Text of a record that is refused: it is not written, whatever the verdict.
    Refused,
    /// A signature on a call or a text that goes, whatever becomes of the reasoning ([`Seals::Go`]).
    Seal,
    /// The arguments or the result of a tool call. Only if the output asks for it ([`Wants::rest`]).
    Call,
}

impl PieceKind {
    /// Whether it is visible text, or a delimiter that stays with it.
    pub fn is_visible(self) -> bool {
        matches!(self, PieceKind::Visible | PieceKind::Commentary | PieceKind::Tool | PieceKind::Structure)
    }

    /// The kind under the current role of a text with several: text of other roles is no part of the message.
    pub fn of(self, speaker: Role) -> PieceKind {
        match self {
            Self::Visible | Self::Commentary | Self::Gap if speaker != Role::Assistant => Self::Structure,
            kind => kind,
        }
    }
}

/// A stretch of a message.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The lane of its message.
    pub lane: Lane,
    /// Its kind.
    pub kind: PieceKind,
    /// It begins a block. If false, it continues the last block of its lane and source. Visible text is fresh if it
    /// begins a text of its own, if the output asks for all text, and behind a [`PieceKind::Frame`] or [`PieceKind::Structure`].
    pub fresh: bool,
    /// Its text, decoded, as WTF-8. Empty if the output does not ask for text ([`Wants`]).
    pub text: &'a [u8],
    /// The text is not decoded: it is the inside of a JSON string with escapes. Only if the output asks for that.
    pub escaped: bool,
    /// It is all of its block, and no other source of its message can repeat it. Of a tool call in text: it ends the
    /// call, and has no text. Of a [`PieceKind::Redacted`]: it is all reasoning of its message, which is signed or encrypted
    /// and has a section to empty.
    pub whole: bool,
    /// The bytes to cut when its block goes, with commas; for visible text, the bytes where it stands. The first piece
    /// has the cuts of all fields and parts of a message, since these go or stay together.
    pub at: &'a [Span],
}

impl Piece<'_> {
    /// Its text, decoded.
    pub fn decoded(&self) -> Cow<'_, [u8]> {
        if self.escaped { Cow::Owned(crate::json::text::decoded(self.text)) } else { Cow::Borrowed(self.text) }
    }

    /// Its text, as it came.
    pub fn own_text(&self) -> Leaf {
        Leaf::of(self.text, self.escaped)
    }
}

/// Whether two messages of one answer need a line end between them, so that their words do not run together: `before`
/// is the text so far, `text` begins the next.
pub fn is_glued(before: &[u8], text: &[u8]) -> bool {
    let blank = |b: Option<&u8>| b.is_none_or(u8::is_ascii_whitespace);
    !blank(before.last()) && !blank(text.first())
}

/// An event: what a reader sends.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A record with a list of messages begins. Messages outside of such records belong to a conversation of the
    /// stream.
    ConversationStart,
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
    /// The marks of a message, right after its start. Only if the output asks for all messages.
    Marks {
        /// The lane of the message.
        lane: Lane,
        /// Its marks, at least one.
        marks: &'a [Marked],
        /// The range of its content, inside of the brackets or quotes.
        content: Span,
    },
    /// An instruction of a message. Only if the output asks for them.
    Instruction {
        /// The lane of the message.
        lane: Lane,
        /// The written instruction, if its form is known.
        line: Option<&'a [u8]>,
    },
    /// The sender of a message, in a log in which several speak. It follows the message's start.
    Sent {
        /// The lane of the message.
        lane: Lane,
        /// The sender, and what it says about the message.
        sent: Sent<'a>,
        /// The range of the message.
        at: Span,
    },
    /// The origin of a message. It follows the message's start. Only if the output asks for it ([`Wants::origin`]).
    Origin {
        /// The lane of the message.
        lane: Lane,
        /// Where it comes from.
        origin: &'a Origin,
    },
    /// A piece of a message.
    Piece(Piece<'a>),
    /// The message in this lane calls a tool.
    ToolCall(Lane),
    /// The message in this lane has visible content that is neither text nor a tool call.
    Other(Lane),
    /// The message is one of several strings that one pointer names.
    Field {
        /// The lane of the message.
        lane: Lane,
        /// Its place, as a JSON Pointer.
        pointer: &'a str,
    },
    /// A message ends.
    MessageEnd {
        /// Its lane.
        lane: Lane,
        /// Its place, if it is an element of a list.
        element: Option<Element>,
    },
    /// An element of a list of messages that is not a message.
    Stays(Element),
    /// What follows stands in so many strings of the record, each inside of the one before: what is written there is escaped
    /// as often again.
    InStrings(u8),
    /// An event of a stream in a string of the record. It goes whole if it has nothing but reasoning.
    StreamEvent(Span),
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
    /// The conversation of a record ends.
    ConversationEnd,
    /// Instructions or tools, as a JSON value beside messages. Only if the output asks for them ([`Wants::rest`]).
    Instructions(&'a [u8]),
    /// A count of reasoning tokens that the input states.
    Logged {
        /// The lane of the message that it is about. `None`: the current record.
        lane: Option<Lane>,
        /// The count.
        tokens: u64,
    },
    /// What a record says that something has cost. Only if the output asks for origins ([`Wants::origin`]).
    Cost(Cost<'a>),
    /// The messages of the stream so far were a conversation of their own, and others follow in the input.
    StreamOver,
    /// The stream is a recording, in which a later record may take back earlier ones.
    Recording,
    /// This many messages before (or all) are taken back: they are no longer part of the conversation.
    Rewind(u64),
    /// The block that a piece just began in this lane has no text, but is signed or encrypted. Only if the output asks
    /// for it.
    Sealed(Lane),
    /// The members of a typed event with a tool call. Only if the output asks for visible text.
    CallMembers {
        /// The lane of the message.
        lane: Lane,
        /// The name of the event.
        name: &'a str,
        /// Keys of members and their texts; `None` is null.
        members: &'a [(String, Option<String>)],
    },
    /// A later record will have the whole answer of the message in this lane ([`Event::Answer`]).
    AnswerFollows(Lane),
    /// The whole answer of a message, which its pieces had before. If the two differ, this one is right.
    Answer {
        /// The lane of the message.
        lane: Lane,
        /// The whole answer.
        text: &'a [u8],
    },
    /// For outputs that build messages anew ([`Wants::content`]): the kind of the current record, and where its value
    /// stands.
    Record {
        /// The kind of the record.
        envelope: content::Envelope,
        /// Its JSON value.
        value: Span,
    },
    /// For the same outputs: a block begins that is neither text nor reasoning.
    Block {
        /// The lane of the message.
        lane: Lane,
        /// The number of the block, which identifies it in later events.
        number: u32,
        /// The type of the block.
        what: content::Other,
        /// Its first byte.
        at: Option<u64>,
    },
    /// For the same outputs: such a block of a stream ends. Without this event it ends where another begins.
    BlockOver {
        /// The lane of the message.
        lane: Lane,
        /// The number of the block.
        number: u32,
    },
    /// For the same outputs: a fact of the record, of a message, or of a block.
    Set {
        /// The lane of the message, if the fact is not one of the record.
        lane: Option<Lane>,
        /// The number of the block; `None` for the last one.
        block: Option<u32>,
        /// The attribute.
        name: content::Attribute,
        /// The key in the input, if that says more than the attribute.
        key: &'a [u8],
        /// The value, as JSON.
        value: &'a [u8],
        /// The first byte of the value, if it stands in the input.
        at: Option<u64>,
    },
    /// For the same outputs: the stop reason of a message.
    Stop {
        /// The lane of the message.
        lane: Lane,
        /// The stop reason.
        stop: content::Stop,
    },
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

impl Event<'_> {
    /// The start of a message that is a text, and no object of a record.
    pub fn start_of_text(lane: Lane, role: Role) -> Self {
        Event::MessageStart { lane, role, joined: false, bare: false, conversation: 0, at: None }
    }
}

/// Takes in events.
pub trait Sink {
    /// The next event.
    fn event(&mut self, event: &Event<'_>);
}
