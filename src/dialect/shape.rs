//! The language in which a format is described: a state machine as data. In a state, a key of an object fills a slot of
//! the node that is read, or leads to another state; at the end of the object its slots decide what the node is.
//!
//! A key means nothing outside of its state. What no key of a state names is rest: it passes, and is searched for
//! reasoning ([`super::suspect`]).

mod terms;

use crate::model::content::{Attribute, Stop};
use crate::model::{InstructionForm, Mark, Source, Step};

pub use terms::{bit, case, each, is, lost, matches, one, pass, same, search, sure};

/// An object of a format.
#[derive(Debug)]
pub struct State {
    /// Its name, for messages about a row.
    pub name: &'static str,
    /// Its keys. A key may stand several times, for values of different types.
    pub keys: &'static [Key],
    /// What a node in this state is: the first case that holds.
    pub cases: &'static [Case],
}

/// A key of a state.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The types of its value: a sum of [`STRING`] and its kin.
    pub json: u8,
    /// What it means.
    pub to: To,
}

/// A value that is a string.
pub const STRING: u8 = 1;
/// A value that is an object.
pub const OBJECT: u8 = 2;
/// A value that is a list.
pub const LIST: u8 = 4;
/// A value that is a number.
pub const NUMBER: u8 = 8;
/// A value that is `true`.
pub const TRUE: u8 = 16;
/// A value that is `null` or `false`.
pub const NONE: u8 = 32;
/// Any value.
pub const ANY: u8 = 63;

/// What a key means.
#[derive(Clone, Copy, Debug)]
pub enum To {
    /// Its value fills a slot of the node.
    Is(Slot),
    /// The members of its object belong to the same node.
    Same(&'static State),
    /// Its object is a node of its own.
    One(Slot, &'static State),
    /// Its list holds nodes.
    Each(Slot, &'static State),
    /// It is never looked at: settings, schemas, results of tools.
    Pass,
    /// The same, of a member that no other format has: it is lost where messages are built anew.
    Lost,
    /// Nobody knows what it holds: it is searched, and likewise lost.
    Search,
}

/// A place of a node for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// What only another format has in its messages.
    Guest,
    /// Of what kind the object is.
    Type,
    /// The same under a second key.
    Object,
    /// Who wrote it.
    Role,
    /// Its identifier.
    Id,
    /// Its text.
    Text,
    /// The signature of its text.
    Signature,
    /// Its text as a ciphertext.
    Ciphertext,
    /// The identifier of a tool call.
    CallId,
    /// The name of a tool.
    Name,
    /// What a tool is called with.
    Arguments,
    /// The sources that a text names.
    Citations,
    /// The tokens of a text once more, with their probabilities.
    Probabilities,
    /// The key that joins a line of a batch with the line that it answers.
    Batch,
    /// Which call is answered.
    ResultOf,
    /// What a tool gives back, or a whole run of a program.
    Result,
    /// Whether a result is an error.
    IsError,
    /// An image, a document, a sound.
    Media,
    /// The number of a block in a stream.
    Index,
    /// The number of a part in such a block.
    Part,
    /// Why the message ended.
    Stop,
    /// The details of why it ended early.
    StopDetails,
    /// The text behind which it ended.
    StopText,
    /// Which model wrote it.
    Model,
    /// When it was made.
    Created,
    /// How many tokens were used.
    Usage,
    /// An object that holds a message, a block or a piece of one.
    Inner,
    /// A list of messages, blocks or parts.
    List,
    /// Another such list: the summary of a reasoning item.
    Summary,
    /// The text of the user in place of a list of items; the input of a tool of free form.
    Input,
    /// Instructions that stand beside the messages.
    System,
    /// The tools that may be called.
    Tools,
    /// The most tokens that the answer may have.
    Limit,
    /// A parameter of a request that all providers have under the same name.
    Parameter,
    /// A parameter that only requests of this format have: it tells them from others that look alike.
    Own,
    /// A member that only requests of another format have, which look alike otherwise.
    Others,
    /// A template that the provider keeps, and what fills it in.
    Template,
    /// The conversation that a record of a log belongs to.
    Conversation,
    /// The record of a log belongs to a side chain: a conversation of its own.
    SideChain,
    /// The record of a log is no turn of the user.
    Meta,
    /// In which channel or phase the message is written.
    Phase,
    /// An error that the provider reports.
    Error,
    /// What a message does beside what it says.
    Marks,
    /// What an agent writes to which the conversation is handed is no step on the way: it is the answer.
    Answers,
}

/// What a node is when these conditions hold.
#[derive(Debug)]
pub struct Case {
    /// All of them.
    pub when: &'static [When],
    /// What it is.
    pub does: Does,
    /// Only this format has such nodes.
    pub sure: bool,
}

/// A condition on the slots of a node.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// [`Slot::Type`] is one of these; one that ends with `*` is the beginning of a type, one that begins with it the end.
    Type(&'static [&'static str]),
    /// The same of what follows the last dot in it: the name of a class, whatever package it is in.
    Class(&'static [&'static str]),
    /// The same of [`Slot::Type`] in small letters, with `/` between its words, whatever parts them.
    Spelled(&'static [&'static str]),
    /// A word of [`Slot::Type`], or of the values in it, names reasoning.
    Thinks,
    /// The slot holds one of these words.
    Is(Slot, &'static [&'static str]),
    /// The slot is filled.
    Has(Slot),
    /// The slot is not filled.
    Lacks(Slot),
    /// The slot is filled, and by members of this name only.
    Under(Slot, &'static str),
    /// It has no member that its state does not name.
    Named,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Nobody knows: it is searched as a whole.
    Rest,
    /// Its type may be one of reasoning that nobody knows: its record is refused.
    Unclear,
    /// Nothing of it is used.
    Nothing,
    /// The same; what stands under these keys is text of somebody else: of the user, a file, a tool, the program.
    Quotes(&'static [&'static str]),
    /// It has the text of the last message again; without a message before it, it is the only one.
    Answer,
    /// It holds a list of messages, or of items.
    Request,
    /// It holds the answer to a request, as a message or as items.
    Response,
    /// A message.
    Message,
    /// A block of a message, an item, or a part of one.
    Block(Kind),
    /// What the message does that it stands in; the instructions of an agent are in [`Slot::System`].
    Mark(Mark),
    /// It holds a record in [`Slot::Inner`].
    Envelope,
    /// The same, of a record that nobody has received.
    Undelivered,
    /// It holds a list of records.
    Records,
    /// A message of a log in which several speak, by itself: its text, or all texts of its reasoning, stand in the object
    /// in [`Slot::Inner`].
    Sent(Step),
    /// An event: the message in [`Slot::Inner`] begins.
    Begin,
    /// An event: a block begins.
    Open,
    /// An event: more of a block. Without a kind, that of the object in [`Slot::Inner`] or of the block.
    Feed(Option<Kind>),
    /// An event: all of a part, again.
    Repeat(Option<Kind>),
    /// An event: a block is over.
    Close,
    /// An event: a block is over, and stands in [`Slot::Inner`] again.
    CloseWith,
    /// An event: why the message ended, and how much was used.
    Amend,
    /// An event: the message is over.
    End,
    /// An event: the message is over, and stands in [`Slot::Inner`] again.
    EndWith,
}

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text for the reader.
    Text,
    /// The same: the model refuses to answer.
    Refusal,
    /// A message of a provider that lists its blocks beside its messages.
    Message,
    /// Reasoning. The source distinguishes several texts of the same reasoning.
    Reasoning(Source),
    /// Reasoning without text: a ciphertext.
    Sealed(Source),
    /// A tool is called.
    Call,
    /// The result of such a call.
    Result,
    /// A tool that the provider itself runs is called.
    Hosted,
    /// An image, a document, a sound.
    Media,
    /// Something else that is visible.
    Other,
}

impl Kind {
    /// Whether a block of this kind is reasoning.
    pub fn is_reasoning(self) -> bool {
        matches!(self, Kind::Reasoning(_) | Kind::Sealed(_))
    }
}

/// A format that is described by a shape.
#[derive(Debug)]
pub struct Shape {
    /// A record.
    pub record: &'static State,
    /// A record is of this format if one of these holds.
    pub knows: &'static [Knows],
    /// Keys whose text is reasoning wherever they stand, where the words of the name do not show it.
    pub keys: &'static [&'static str],
    /// Types of objects that are reasoning, likewise.
    pub kinds: &'static [&'static str],
    /// Words that stand together in a request of the format, also where its messages are plain texts.
    pub signs: &'static [&'static [&'static str]],
    /// The words for why a message ended. Another word is one that only this format has.
    pub stops: &'static [(&'static str, Stop)],
    /// The words that do not say why: it is complete, or not over.
    pub states: &'static [&'static str],
    /// Members of a response that are no loss where messages are built anew, each with the values that every response
    /// may have without saying anything: none is any value.
    pub usual: &'static [(&'static str, &'static [&'static str])],
    /// Members of what was used that are one, unless all their numbers are zero or they are this word.
    pub billed: &'static [(&'static str, &'static str)],
    /// The keys of what was used, in [`Slot::Usage`].
    pub used: &'static [(&'static str, Attribute)],
    /// What follows when a block goes.
    pub follow: Follow,
    /// Items are blocks of the message that a run of them makes.
    pub items: bool,
    /// Several records make one message, and none of them may go.
    pub log: bool,
    /// The words of [`Slot::Phase`] in a record of a message that may turn out to have reached nobody, and in the later
    /// record of the same message that says so.
    pub fates: Option<[&'static str; 2]>,
    /// Whether a line is a frame of a stream, which is no JSON and is not read.
    pub framed: Option<fn(&[u8]) -> bool>,
    /// How an instruction of a message is written, if messages have instructions.
    pub instruction: Option<WriteInstruction>,
}

/// Writes an instruction, an object of JSON, in a form, if that is known.
pub type WriteInstruction = fn(InstructionForm, &[u8]) -> Option<Vec<u8>>;

/// What follows when a block of reasoning goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The numbers of later blocks in a stream close the gap.
    Close,
    /// Numbers stay; in a request the identifiers of the items behind it go.
    Holes,
}

/// What the members of a record must be for it to be of a format.
#[derive(Debug)]
pub struct Knows {
    /// Keys, each with the values that it may have: none is any. A value that ends with `*` is a beginning.
    pub has: &'static [(&'static str, &'static [&'static str])],
    /// A node in it must be one that only this format has ([`Case::sure`]).
    pub sure: bool,
}
