//! How tags are read, and what is found: the public types of the scanner.

use crate::inline::tags::{Blocks, Unclosed};
use crate::model::Role as Speaker;

/// Where a block ends (SPEC section 4, rule 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Close {
    /// At the first closer.
    First,
    /// At the closer that brings the depth to zero, or else the last one.
    #[default]
    Balanced,
    /// At the last closer of the message.
    Last,
}

/// What a message begins with (SPEC section 4, rule 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The first delimiter decides, with hindsight.
    #[default]
    Hindsight,
    /// Visible text, since what has been passed on cannot be called back; a closer that comes first is an error.
    Streaming,
    /// Visible text.
    Visible,
    /// Reasoning.
    Reasoning,
}

/// How tags are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where a block ends.
    pub close: Close,
    /// What a message begins with.
    pub start: Start,
    /// What an opener without a closer means, where it differs from the row.
    pub unclosed: Option<Unclosed>,
    /// How many blocks count, where it differs from the row.
    pub blocks: Option<Blocks>,
}

/// What kind of delimiters a block has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiters {
    /// A pair of tags.
    Tags,
    /// Headers of messages.
    Headers,
    /// The marker behind it.
    Marker,
}

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text of the answer.
    Visible,
    /// Text of the answer in front of a tool call.
    Commentary,
    /// A tool call that stands in the text, with its own delimiters. An empty one ends the call.
    Tool,
    /// The header or the end of a message: the text before it and the text after it are two.
    Header,
    /// The same in a text with messages of other roles: without it, the role would be unknown.
    Structure,
    /// From here on, another role speaks.
    Turn(Speaker),
    /// A delimiter that opens a block of that form. An implied one is empty.
    Open(Delimiters),
    /// Text of the reasoning.
    Reasoning,
    /// A delimiter that closes a block. Empty where the input does not close it.
    Close,
    /// A closer without a block, or the wrapper of an answer.
    Stray,
    /// What stands behind an opener that should have been closed ([`Note::UnclosedError`]).
    Refused,
}

/// A decided stretch of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// What it is.
    pub part: Part,
    /// Offset of its first byte in the message's text.
    pub at: u64,
    /// Its bytes.
    pub text: &'a [u8],
}

/// Something that the user may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A closer without a block was removed, of so many bytes.
    Stray(u64),
    /// A token that frames the answer was removed.
    Marker,
    /// A block was never closed; it has so many bytes.
    Unclosed(u64),
    /// The text began with reasoning that a closer ended and nothing opened, so many bytes with the closer.
    Unopened(u64),
    /// The user wanted an error for a block that is never closed; it opens at this offset of the text.
    UnclosedError(u64),
    /// A message in an unknown channel was taken as reasoning.
    Channel,
    /// The text looks like Harmony without its tokens: reasoning may be visible.
    Lost,
    /// A closer came when the text before it had been passed on as visible; its offset.
    LateClose(u64),
}
