//! A conversation drawn for a person: the steps that a drawing is made of, and the interface of what draws them.
//!
//! [`crate::out::Draw`] makes the steps from the events of any dialect. One message is drawn at a time, and one block of
//! it: messages and blocks that interleave in the input are put in order before they get here.

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

/// What a block of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Text of the answer, of the user, of instructions.
    Text,
    /// Text for the user before a tool is called.
    Commentary,
    /// Reasoning.
    Reasoning,
}

/// What a message is in a sequence of reasoning or in a delegation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// It belongs to none.
    #[default]
    None,
    /// It starts a sequence of reasoning.
    Start,
    /// A thought of it.
    Thought,
    /// Its conclusion.
    Conclusion,
    /// It ends the sequence without a conclusion.
    Cancellation,
    /// Words to other agents, in the context of a sequence.
    Dialogue,
    /// A tool is called in a sequence.
    Call,
    /// The answer of a sequence.
    Answer,
    /// It hands the conversation to another agent.
    Delegates,
    /// It hands the conversation back.
    Returns,
    /// A step on the way to the answer.
    Intermediate,
}

/// What happens to a track at a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
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
    /// The number of the track that it stands in; none if it stands in no other.
    pub parent: Option<u64>,
    /// The name of its agent; empty if it has none.
    pub agent: String,
    /// What the track is about: the identifier of the sequence, or the first line of the instructions for the agent.
    pub label: String,
    /// It is a delegation; otherwise a sequence of reasoning.
    pub delegation: bool,
    /// What happens to it at this message.
    pub moment: Moment,
}

/// The beginning of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The record that it began in, from 1.
    pub record: u64,
    /// Its number in its conversation, from 1; 0 for instructions that stand beside the messages.
    pub number: u64,
    /// Who wrote it.
    pub role: Role,
    /// The name of its agent or author; empty if the input has none.
    pub agent: String,
    /// Its identifier in the input; empty if it has none.
    pub id: String,
    /// The model that wrote it; empty if the input does not say.
    pub model: String,
    /// What it is in a sequence or a delegation.
    pub part: Part,
    /// The number of the track that it belongs to, if it belongs to one.
    pub track: Option<u64>,
    /// The tracks that are open at this message, by column: the first 32 columns, and those to which something happens.
    pub tracks: Vec<Track>,
    /// So many more are open.
    pub more_tracks: usize,
    /// Nobody has received it: it was rejected.
    pub rejected: bool,
    /// In a table or a record with several texts: where its text stands, as a JSON Pointer or a number; empty otherwise.
    pub place: String,
}

/// The end of a block of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockEnd {
    /// The estimate of its tokens (SPEC section 11.1): a quarter of the UTF-16 length of the trimmed text, rounded up.
    pub tokens: u64,
    /// It is signed or encrypted.
    pub sealed: bool,
}

/// A block that is drawn in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A tool is called.
    Call {
        /// Its name; empty if the input has none.
        name: String,
        /// The arguments: JSON, or a text of free form.
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
    /// Tools that the model may call: how many.
    Tools(u64),
    /// A block of a kind that is not known.
    Other,
}

/// What a message came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The estimate of the tokens of its visible text.
    pub visible: u64,
    /// The estimate of the tokens of its reasoning, hidden or not.
    pub reasoning: u64,
    /// The count of its tokens of reasoning that the input has.
    pub logged: Option<u64>,
    /// Its reasoning is hidden from this drawing.
    pub hidden: bool,
    /// Why it ended, if that is worth a word.
    pub stop: Option<&'static str>,
}

/// A step of the drawing. Between [`Step::Open`] and [`Step::Close`] come blocks and items; between [`Step::Begin`] and
/// [`Step::End`] comes the text of one block.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// An input with this name is drawn from here on. Only with several inputs.
    Input(&'a str),
    /// A conversation begins.
    Conversation,
    /// A message begins.
    Open(&'a Head),
    /// A block of text begins.
    Begin(BlockKind),
    /// More of its text. It was not made safe: control characters, escape sequences and markup are as in the input.
    Text(&'a str),
    /// The block is over.
    End(BlockEnd),
    /// A block that is drawn in one line.
    Item(&'a Item),
    /// The message is over.
    Close(&'a Totals),
    /// A record was not understood, or is in no format that is read.
    Unread {
        /// Its number, from 1.
        record: u64,
        /// What is wrong.
        what: &'a str,
    },
}

/// Draws steps.
pub trait Painter {
    /// The next step; what it comes to goes to `out`.
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>);

    /// Nothing more can be had of the input at the moment: what can be drawn of a live stream is drawn.
    fn flush(&mut self, _out: &mut Vec<u8>) {}

    /// All inputs are over.
    fn finish(&mut self, out: &mut Vec<u8>);
}
