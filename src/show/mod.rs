//! Draws a conversation for a person: the steps of a drawing, and the trait of painters, which draw them.
//!
//! [`crate::out::Draw`] makes the steps from the events of any dialect. Messages are drawn one after another, and so
//! are the blocks of each: those that interleave in the input are put in order before.

mod charts;
mod markup;
mod page;
mod terminal;
mod words;

pub use charts::Charts;
pub use page::{Page, PageOptions};
pub use terminal::{Terminal, TerminalOptions, Theme};

/// Who wrote a message.
pub use crate::model::Role;

/// The kind of a block of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Text of the answer, of the user, of instructions.
    Text,
    /// Text for the user before a tool is called.
    Commentary,
    /// Reasoning.
    Reasoning,
}

/// The part that a message plays in a sequence of reasoning or in a delegation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// It belongs to none.
    #[default]
    None,
    /// It starts a sequence of reasoning.
    Start,
    /// It is a thought of the sequence.
    Thought,
    /// It is the conclusion of the sequence.
    Conclusion,
    /// It ends the sequence without a conclusion.
    Cancellation,
    /// It is a message to other agents, in the context of a sequence.
    Dialogue,
    /// It calls a tool, in a sequence.
    Call,
    /// It is the answer of a sequence.
    Answer,
    /// It hands the conversation to another agent.
    Delegates,
    /// It hands the conversation back.
    Returns,
    /// It is a step on the way to the answer.
    Intermediate,
}

/// A change of a track at a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackChange {
    /// It begins with this message.
    Begins,
    /// It is open.
    Open,
    /// It ends with this message.
    Ends,
    /// It begins and ends with this message.
    Whole,
}

/// A sequence of reasoning or a delegation that is open while a message is drawn. Those that are open at the same time
/// have different columns, and keep them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// Its column, from 0.
    pub column: usize,
    /// Its number in the input, from 1.
    pub number: u64,
    /// The number of the track around it, if there is one.
    pub parent: Option<u64>,
    /// The name of its agent; empty if it has none.
    pub agent: String,
    /// A label: the identifier of the sequence, or the first line of the instructions for the agent.
    pub label: String,
    /// It is a delegation. If false, a sequence of reasoning.
    pub delegation: bool,
    /// Its change at this message.
    pub change: TrackChange,
}

/// The head of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The number of the record in which it began, from 1.
    pub record: u64,
    /// Its number in its conversation, from 1; 0 for instructions that stand beside the messages.
    pub number: u64,
    /// Its role.
    pub role: Role,
    /// The name of its agent or author; empty if the input has none.
    pub agent: String,
    /// Its identifier in the input; empty if it has none.
    pub id: String,
    /// The model that wrote it; empty if the input does not say.
    pub model: String,
    /// Its part in a sequence or a delegation.
    pub part: Part,
    /// The number of the track that it belongs to, if it belongs to one.
    pub track: Option<u64>,
    /// The tracks that are open at this message, by column: those in the first 32 columns, and those that change here.
    pub tracks: Vec<Track>,
    /// How many further tracks are open.
    pub more_tracks: usize,
    /// It was rejected, and delivered to nobody.
    pub rejected: bool,
    /// If it is one of several texts in a table or a record: its place, as a JSON Pointer or a number. Empty if not.
    pub place: String,
}

/// The end of a block of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockEnd {
    /// The estimate of its tokens (behaviour.md, section 11.1): a quarter of the UTF-16 length of the trimmed text,
    /// rounded up.
    pub tokens: u64,
    /// It is signed or encrypted.
    pub sealed: bool,
}

/// A block that is drawn in a single line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A tool is called.
    Call {
        /// Its name; empty if the input has none.
        name: String,
        /// The arguments: JSON, or free text.
        arguments: String,
    },
    /// The result of a call.
    Result {
        /// The name of the tool; empty if that is not known.
        name: String,
        /// The result: its text, or JSON.
        text: String,
        /// The call failed.
        failed: bool,
    },
    /// An image, a document, a sound.
    Media,
    /// How many tools the model may call.
    Tools(u64),
    /// A block of an unknown kind.
    Other,
}

/// The totals of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The estimate of the tokens of its visible text.
    pub visible: u64,
    /// The estimate of the tokens of its reasoning, hidden or not.
    pub reasoning: u64,
    /// The count of reasoning tokens that the input states.
    pub logged: Option<u64>,
    /// Its reasoning is hidden from this drawing.
    pub hidden: bool,
    /// The reason why it ended, if that is unusual.
    pub stop: Option<&'static str>,
}

/// A step of the drawing. Between [`Step::Open`] and [`Step::Close`] come blocks and items; between [`Step::Begin`] and
/// [`Step::End`] comes the text of one block.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The following steps are of the input with this name. Only if there are several inputs.
    Input(&'a str),
    /// A conversation begins.
    Conversation,
    /// A message begins.
    Open(&'a Head),
    /// A block of text begins.
    Begin(BlockKind),
    /// More text of the block, unescaped: control characters, escape sequences and markup are as in the input.
    Text(&'a str),
    /// The block is over.
    End(BlockEnd),
    /// A block that is drawn in one line.
    Item(&'a Item),
    /// The message is over.
    Close(&'a Totals),
    /// A record that was not understood, or is in no format that is read.
    Unread {
        /// Its number, from 1.
        record: u64,
        /// The error.
        what: &'a str,
    },
}

/// Draws steps as bytes.
pub trait Painter {
    /// Draws the next step, and writes the result to `out`.
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>);

    /// The input pauses: writes everything that can be drawn by now.
    fn flush(&mut self, _out: &mut Vec<u8>) {}

    /// Ends the drawing, after all inputs.
    fn finish(&mut self, out: &mut Vec<u8>);
}
