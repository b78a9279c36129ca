//! The language in which a format is described: a state machine as data. In a state, a key of an object fills a slot of
//! the node that is read, or leads to another state; at the end of the object its slots decide what the node is.
//!
//! A key means nothing outside of its state. A member that the state does not name passes, and is searched for
//! reasoning ([`super::suspect`]).

mod slot;
mod table;
mod terms;
mod uses;

use crate::model::content::{Attribute, Stop};
use crate::model::{InstructionForm, Mark, Source, Step};

pub use slot::Slot;
use std::sync::OnceLock;
use table::Table;
pub use terms::{bit, case, each, into, is, lost, matches, one, pass, same, search, state, sure};
pub use uses::is_name_slot;

/// A state: how an object of a format is read. Made by [`state`].
#[derive(Debug)]
pub struct State {
    /// Its name, for error messages about a row of the table.
    pub name: &'static str,
    /// Its keys. A key may occur several times, for values of different types.
    pub keys: &'static [Key],
    /// Further lists of keys, which other states have as well. Its own keys come first.
    include: &'static [&'static [Key]],
    /// What a key means that is not listed: the keys of a map, which are identifiers.
    any: Option<To>,
    /// What a node in this state means: the first case that applies.
    pub cases: &'static [Case],
    /// All keys, compiled at first use.
    table: OnceLock<Table>,
}

impl State {
    /// With these lists of keys besides its own.
    pub const fn include(mut self, keys: &'static [&'static [Key]]) -> Self {
        self.include = keys;
        self
    }

    /// All its keys: its own, and those that it includes.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().chain(self.include.iter().copied().flatten())
    }

    /// The meaning of a key whose value has this type.
    #[inline]
    pub fn find(&self, key: &[u8], json: u8) -> Option<To> {
        let table = self.table.get_or_init(|| Table::new(self.all_keys()));
        table.find(key, json).or(self.any)
    }
}

/// A key of a state.
#[derive(Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The types of value that it is for: a sum of [`STRING`] and its kin.
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
    /// The same, and the object itself fills a slot: it says what the node is.
    Into(Slot, &'static State),
    /// Its object is a node of its own.
    One(Slot, &'static State),
    /// Its list holds nodes.
    Each(Slot, &'static State),
    /// Its value is ignored: settings, schemas, results of tools.
    Pass,
    /// The same, for a member that no other format has: it is lost where messages are built anew.
    Lost,
    /// Its value may hold anything: it is searched, and lost where messages are built anew.
    Search,
}

/// What a node means if all of these conditions apply.
#[derive(Debug)]
pub struct Case {
    /// The conditions, all of which must apply.
    pub when: &'static [When],
    /// The meaning.
    pub does: Does,
    /// Such nodes occur in this format only.
    pub sure: bool,
}

/// A condition on the slots of a node.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// [`Slot::Type`] is one of these patterns: `x*` fits types that begin with `x`, `*x` those that end with it.
    Type(&'static [&'static str]),
    /// The same for what follows the last dot of the type: the name of a class without its package.
    Class(&'static [&'static str]),
    /// The same for the type in lower case, with `/` between its words.
    Spelled(&'static [&'static str]),
    /// A word of [`Slot::Type`], or of the strings in it, names reasoning.
    Thinks,
    /// The slot holds one of these words.
    Is(Slot, &'static [&'static str]),
    /// The slot is filled.
    Has(Slot),
    /// The slot is filled by several members.
    Several(Slot),
    /// The slot is not filled.
    Lacks(Slot),
    /// The slot is filled, and only by members with this name.
    Under(Slot, &'static str),
    /// The node has only members that its state names.
    Named,
}

/// The meaning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Unknown: the node is searched as a whole.
    Rest,
    /// Its type is unknown and may be one of reasoning: its record is refused.
    Unclear,
    /// It is recognised, and not used.
    Nothing,
    /// It is recognised, and not used. Texts under these keys are by another author: the user, a file, a tool, the
    /// program.
    Quotes(&'static [&'static str]),
    /// It repeats the text of the last message. Without a message before it, it is the only one.
    Answer,
    /// A request: it holds a list of messages or items.
    Request,
    /// A response: it holds a message or items.
    Response,
    /// A message.
    Message,
    /// A response, or a piece of one that looks like the whole: it is a message,
    /// or holds several in [`Slot::Choices`]. A message is over when it has a stop reason.
    Piece,
    /// A block of a message, an item, or a part of one.
    Block(Kind),
    /// A mark of the message that it stands in. Instructions for an agent are in [`Slot::System`].
    Mark(Mark),
    /// It holds a record in [`Slot::Inner`].
    Envelope,
    /// An envelope whose record was delivered to nobody.
    Undelivered,
    /// It holds a list of records.
    Records,
    /// A message by itself in a log in which several speak. Its text, or all texts of its reasoning, stand in the
    /// object in [`Slot::Inner`].
    Sent(Step),
    /// An event: the message in [`Slot::Inner`] begins.
    Begin,
    /// An event: a block begins.
    Open,
    /// An event: more of a block. Without a kind here, the kind is that of the object in [`Slot::Inner`] or of the
    /// block.
    Feed(Option<Kind>),
    /// An event: it repeats a whole part.
    Repeat(Option<Kind>),
    /// An event: a block is over.
    Close,
    /// An event: a block is over; [`Slot::Inner`] holds it again.
    CloseWith,
    /// An event: the stop reason and the token usage.
    Amend,
    /// An event: the message is over.
    End,
    /// An event: the message is over; [`Slot::Inner`] holds it again.
    EndWith,
}

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text for the reader.
    Text,
    /// Text in which the model refuses to answer.
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
    /// A call of a tool that the provider runs.
    Hosted,
    /// An image, a document, a sound.
    Media,
    /// Visible content of another kind.
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
    /// The state of a record.
    pub record: &'static State,
    /// How a record of this format is recognised: by any of these.
    pub recognised_by: &'static [Recognition],
    /// Keys of reasoning whose names have no word for it: their text is reasoning wherever they stand.
    pub keys: &'static [&'static str],
    /// Types of reasoning objects whose names have no word for it.
    pub kinds: &'static [&'static str],
    /// Groups of words that occur together in a request of the format, also if its messages are plain texts.
    pub signs: &'static [&'static [&'static str]],
    /// The stop reasons. Another word is a stop reason that only this format has.
    pub stops: &'static [(&'static str, Stop)],
    /// Words in the place of a stop reason that are none: the message is complete, or not over.
    pub states: &'static [&'static str],
    /// Members of a response that are no loss where messages are built anew, if their value is one of these, or if no
    /// values are listed.
    pub usual: &'static [(&'static str, &'static [&'static str])],
    /// Members of the token usage that are lost, unless their value is this word or all numbers in it are zero.
    pub billed: &'static [(&'static str, &'static str)],
    /// The keys of the token usage in [`Slot::Usage`].
    pub used: &'static [(&'static str, Attribute)],
    /// What else changes when a block goes.
    pub follow: Follow,
    /// Items are the blocks of a message: a run of them makes one.
    pub items: bool,
    /// Several records have the same reasoning: all of a message's is compared, whatever item it is of.
    pub retold: bool,
    /// A message may span several records (lines of a log), and none of these may go.
    pub log: bool,
    /// The words of [`Slot::Delivery`] that mark a message as received and as rejected: a later record may reject it.
    pub delivery_words: Option<[&'static str; 2]>,
    /// Whether a line is a frame of a stream, which is not JSON and is not read.
    pub framed: Option<fn(&[u8]) -> bool>,
    /// Writes an instruction of a message, if messages of this format have instructions.
    pub instruction: Option<WriteInstruction>,
}

/// Writes an instruction, which is a JSON object, in a form. None if that form cannot express it.
pub type WriteInstruction = fn(InstructionForm, &[u8]) -> Option<Vec<u8>>;

/// A shape without anything, for the others to fill in.
pub const BASE: Shape = Shape {
    record: &NOTHING,
    recognised_by: &[],
    keys: &[],
    kinds: &[],
    signs: &[],
    stops: &[],
    states: &[],
    usual: &[],
    billed: &[],
    used: &[],
    follow: Follow::HOLE,
    items: false,
    retold: false,
    log: false,
    delivery_words: None,
    framed: None,
    instruction: None,
};

static NOTHING: State = state("nothing", &[], &[]);

/// What else changes when a block of reasoning goes, each by itself.
#[derive(Clone, Copy, Debug)]
pub struct Follow {
    /// The numbers of later blocks of a stream move up, to close the gap.
    pub renumber: bool,
    /// In a list of items, the identifiers of the items behind it are dropped: each asks for the item before it.
    pub drop_ids: bool,
}

impl Follow {
    /// Nothing: numbers and identifiers keep the hole.
    pub const HOLE: Self = Self { renumber: false, drop_ids: false };
}

/// Recognises a record by its outermost members.
#[derive(Debug)]
pub struct Recognition {
    /// Keys, each with the values that it may have: none for any value. A value that ends with `*` is a prefix.
    /// Under the empty key stand bytes that the record must have anywhere: a quick check before it is walked.
    pub has: &'static [(&'static str, &'static [&'static str])],
    /// The record must also have a node that only this format has ([`Case::sure`]).
    pub sure: bool,
}
