//! Draws a conversation for a person: the steps of a drawing, and the trait of painters, which draw them.
//!
//! [`crate::show::Draw`] makes the steps from the events of any dialect. Messages are drawn one after another, and so
//! are the blocks of each: those that interleave in the input are put in order before.

mod calls;
mod charts;
mod diff;
mod draw;
mod index;
mod lanes;
mod markup;
mod page;
mod pair;
mod pretty;
mod redact;
mod terminal;
mod words;

pub use charts::Charts;
pub use draw::{Draw, DrawOptions};
pub use index::{IndexEntry, PageIndex};
pub use page::{Page, PageOptions, PagePair};
pub use pair::{AFTER, PairLines};
pub use redact::{NamedPattern, RedactPattern, Redacted, Redactor};
pub use terminal::{BESIDE, Terminal, TerminalOptions, TerminalPair, Theme, ToolDetail};

/// Who wrote a message.
pub use crate::model::Role;

/// When it was written.
pub use crate::model::Time;

/// The kind of a block of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextBlockKind {
    /// Text of the answer, of the user, of instructions.
    Text,
    /// Text for the user before a tool is called.
    Commentary,
    /// Reasoning.
    Reasoning,
}

/// The part that a message plays in a sequence of reasoning or in a delegation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrackPart {
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
    /// It is the task that an agent works on for another one.
    Task,
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

/// What a track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackKind {
    /// A sequence of reasoning.
    Sequence,
    /// A conversation that was handed to another agent.
    Delegation,
    /// What an agent does for another one, beside the conversation.
    Chain,
}

/// A sequence of reasoning, a delegation or a side chain that is open while a message is drawn. Those that are open at the same time
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
    /// A label: the identifier of the sequence, the first line of the instructions for the agent, or its task.
    pub label: String,
    /// What it is.
    pub kind: TrackKind,
    /// Its change at this message.
    pub change: TrackChange,
}

/// Where the program worked, and what it calls the session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionFacts {
    /// The folder that the program worked in; empty if the input does not say.
    pub folder: String,
    /// The branch of that folder; empty if the input does not say.
    pub branch: String,
    /// What the program calls the session, if it says so at this message.
    pub title: String,
}

/// The head of a message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageHead {
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
    /// The model that was asked, as far as the records around it say.
    pub asked: String,
    /// When it was written, if the input says that.
    pub time: Option<Time>,
    /// Where the program worked, and what it calls the session.
    pub session: SessionFacts,
    /// Its part in a sequence or a delegation.
    pub part: TrackPart,
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
pub enum LineItem {
    /// A tool is called.
    Call {
        /// The identifier of the call; empty if it has none.
        id: String,
        /// Its name; empty if the input has none.
        name: String,
        /// The arguments: JSON, or free text.
        arguments: String,
    },
    /// The result of a call.
    Result {
        /// The identifier of the call that it answers; empty if the input does not say.
        id: String,
        /// The name of the tool; empty if that is not known.
        name: String,
        /// The result: its text, or JSON.
        text: String,
        /// The call failed.
        failed: bool,
        /// Images and the like in it.
        media: Vec<ShownMedia>,
    },
    /// An image, a document, a sound.
    Media(ShownMedia),
    /// How many tools the model may call.
    Tools(u64),
    /// A block of an unknown kind, or one that calls a tool of the provider's own.
    Other {
        /// Its type; empty if it has none.
        kind: String,
        /// All of it, as JSON.
        value: String,
    },
}

/// An image, a document, a sound or a film, as far as the input has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownMedia {
    /// What it is, in a word.
    pub what: &'static str,
    /// Its type (RFC 6838); empty if it is not known.
    pub mime: String,
    /// The name of its file; empty if it has none.
    pub name: String,
    /// Its bytes in base64; empty if the input does not have them.
    pub base64: String,
    /// Its address; empty if it has none.
    pub address: String,
}

/// The totals of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// The estimate of the tokens of its visible text.
    pub visible: u64,
    /// Those of them that are an answer of the assistant.
    pub answers: u64,
    /// The estimate of the tokens of calls of tools, and of their results.
    pub tools: u64,
    /// The estimate of the tokens of its reasoning, hidden or not.
    pub reasoning: u64,
    /// How many blocks of reasoning have no text, but are signed or encrypted: their size is not known.
    pub sealed: u64,
    /// The count of reasoning tokens that the input states.
    pub logged: Option<u64>,
    /// Its reasoning is hidden from this drawing.
    pub hidden: bool,
    /// How many blocks of reasoning are hidden.
    pub hidden_blocks: u64,
    /// The reason why it ended, if that is unusual.
    pub stop: Option<&'static str>,
    /// What it has cost, in US dollars, as far as the input says.
    pub cost: Option<f64>,
}

/// A step of the drawing. Between [`Step::Open`] and [`Step::Close`] come blocks and items; between [`Step::Begin`] and
/// [`Step::End`] comes the text of one block.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The following steps are of the input with this name. Only if there are several inputs.
    Input(&'a str),
    /// A conversation begins, or goes on behind messages of another one.
    Conversation {
        /// Its number in the input, from 1.
        number: u64,
        /// It goes on.
        again: bool,
    },
    /// A message begins.
    Open(&'a MessageHead),
    /// A block of text begins.
    Begin(TextBlockKind),
    /// What programs show of the block in a line, as Markdown, before its text. It is no part of that, and not counted.
    Heading(&'a str),
    /// More text of the block, unescaped: control characters, escape sequences and markup are as in the input.
    Text(&'a str),
    /// The block is over.
    End(BlockEnd),
    /// A block that is drawn in one line.
    Item(&'a LineItem),
    /// The message is over.
    Close(&'a Totals),
    /// What the input has cost beside what its messages say, in US dollars.
    Cost(f64),
    /// Records that were not understood, or are in no format that is read, one after the other.
    Unread {
        /// The number of the first one, from 1.
        first: u64,
        /// The number of the last one.
        last: u64,
        /// The error, which is the same for all.
        what: &'a str,
    },
    /// Records that are no messages, and are beside the conversation.
    Aside {
        /// The number of the first one, from 1.
        first: u64,
        /// The number of the last one.
        last: u64,
        /// How many they are.
        count: u64,
        /// What they say; empty if that is not drawn.
        text: &'a str,
    },
}

/// Draws steps as bytes.
pub trait Painter {
    /// Draws the next step, and writes the result to `out`.
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>);

    /// The input pauses: writes everything that can be drawn by now.
    fn flush(&mut self, _out: &mut Vec<u8>) {}

    /// Says how often each pattern was taken out of what was drawn ([`Redacted`]).
    fn redacted(&mut self, _counts: &[(String, u64)], _out: &mut Vec<u8>) {}

    /// What a list of drawings says of this one.
    fn card(&self) -> PageCard {
        PageCard::default()
    }

    /// Ends the drawing, after all inputs.
    fn finish(&mut self, out: &mut Vec<u8>);
}

/// What a list of drawings says of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageCard {
    /// What the conversation is about; empty if that is not known.
    pub title: String,
    /// When it begins.
    pub begun: Option<Time>,
    /// The models that wrote in it.
    pub models: Vec<String>,
    /// How many messages it has.
    pub messages: u64,
    /// The estimate of all its tokens.
    pub tokens: u64,
    /// The estimate of the tokens of what the model answered.
    pub answers: u64,
    /// The estimate of the tokens of its reasoning.
    pub reasoning: u64,
    /// There is more than what could be counted.
    pub is_least: bool,
    /// How often each pattern was taken out.
    pub redacted: Vec<(String, u64)>,
}

impl Painter for Box<dyn Painter> {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        (**self).step(step, out);
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        (**self).flush(out);
    }

    fn redacted(&mut self, counts: &[(String, u64)], out: &mut Vec<u8>) {
        (**self).redacted(counts, out);
    }

    fn card(&self) -> PageCard {
        (**self).card()
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        (**self).finish(out);
    }
}
