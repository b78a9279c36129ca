//! The language in which a format is described: a state machine as data. In a state, a key of an object fills a slot of
//! the node that is read, or leads to another state; at the end of the object its slots decide what the node is.
//!
//! A key means nothing outside of its state. A member that the state does not name passes, and is searched for
//! reasoning ([`super::suspect`]).

mod kind;
#[cfg(test)]
pub mod mutation;
mod row;
mod slot;
mod table;
mod telling;
mod terms;
mod uses;

use crate::model::{Mark, SequenceStep};

pub use kind::Kind;
pub use row::{BASE, Follow, KeyMarks, Recognition, Shape, WITHOUT, mark, numbers};
pub use slot::Slot;
use std::sync::OnceLock;
use table::KeyTable;
pub use telling::{NodeNeed, telling_needs};
pub use terms::{
    bit, case, each, either, flat, into, is, json, lost, matches, one, others, pairs, pass, record, same, search,
    state, sure, text, ty,
};
#[cfg(test)]
pub use uses::USES;
pub use uses::{Meaning, is_name_slot};

/// A state: how an object of a format is read. Made by [`state`].
#[derive(Debug)]
pub struct State {
    /// Its name, for error messages about a row of the table.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    pub name: &'static str,
    /// Its keys. A key may occur several times, for values of different types.
    pub keys: &'static [Key],
    /// Further lists of keys, which other states have as well. Its own keys come first.
    include: &'static [&'static [Key]],
    /// What a node in this state means: the first case that applies.
    pub cases: &'static [Case],
    /// What a string means in place of an object, in a list or under a key of its own: its text.
    pub string: Option<Does>,
    /// An element of a list that is a list holds elements, too.
    pub nested: bool,
    /// Keys may be paths: `a.0.b` is the member `b` of the first element of the list `a`.
    pub paths: bool,
    /// All keys, compiled at first use: without those that count only where messages are built anew, and with them.
    tables: [OnceLock<KeyTable>; 2],
}

impl State {
    /// With these lists of keys besides its own.
    pub const fn include(mut self, keys: &'static [&'static [Key]]) -> Self {
        self.include = keys;
        self
    }

    /// In a list, an element may also be a string: it is the text of a node with this meaning.
    pub const fn or_string(mut self, does: Does) -> Self {
        self.string = Some(does);
        self
    }

    /// In a list, an element may also be a list of such elements.
    pub const fn or_list(mut self) -> Self {
        self.nested = true;
        self
    }

    /// Keys may be paths through its lists: `a.0.b` is the member `b` of the first element of the list `a`.
    pub const fn paths(mut self) -> Self {
        self.paths = true;
        self
    }

    /// All its keys: its own, and those that it includes.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> + Clone {
        self.keys.iter().chain(self.include.iter().copied().flatten())
    }

    /// The cases that may apply to a node of this type, if it has one.
    #[inline]
    pub fn cases_of(&'static self, kind: Option<&[u8]>) -> impl Iterator<Item = &'static Case> {
        let lens = &self.table(false).type_lens;
        // The last bit stands for all longer types.
        let bit = kind.map_or(0, |kind| 1 << kind.len().min(63));
        self.cases
            .iter()
            .zip(lens)
            .filter(move |(_, lens)| **lens == u64::MAX || **lens & bit != 0)
            .map(|(case, _)| case)
    }

    #[inline]
    fn table(&self, anew: bool) -> &KeyTable {
        self.tables[usize::from(anew)].get_or_init(|| KeyTable::new(self.keys_for(anew), self.cases))
    }

    /// The meaning of a key whose value has this type, if one of these rows has it. `stands`: whether a condition on the
    /// members beside it is met.
    #[inline]
    pub fn find(&self, key: &[u8], json: u8, rows: Rows, stands: impl FnMut(&Beside) -> bool) -> Option<&Found> {
        self.table(rows & ANEW != 0).find(key, json, rows, stands)
    }

    /// The keys that count where messages are built anew, or elsewhere.
    fn keys_for(&self, anew: bool) -> impl Iterator<Item = &'static Key> + Clone {
        self.all_keys().filter(move |key| anew || !key.anew)
    }
}

/// What a state says of a key.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// What it means.
    pub to: To,
    /// What other keys beside it mean depends on its value.
    pub chooses: bool,
    /// What its node means may depend on its value ([`Slot::decides`]), or what other keys mean.
    pub decides: bool,
    /// It fills a slot for names, numbers and switches ([`is_name_slot`]).
    pub name: bool,
    /// It stands for all keys that are not listed ([`ANY_KEY`]).
    pub any: bool,
}

impl Found {
    fn new(to: To, (chooses, any): (bool, bool)) -> Self {
        let slot = match to {
            To::Is(slot) | To::Into(slot, _) | To::One(slot, _) | To::Either(slot, ..) | To::Each(slot, _) => {
                Some(slot)
            }
            _ => None,
        };
        let decides = chooses || slot.is_some_and(Slot::decides);
        Self { to, chooses, decides, name: slot.is_some_and(is_name_slot), any }
    }
}

/// A key of a state.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The key.
    pub name: &'static str,
    /// The types of value that it is for: a sum of [`STRING`] and its kin.
    pub json: u8,
    /// What it means.
    pub to: To,
    /// A member that must stand beside it, in the same object.
    pub beside: Option<Beside>,
    /// The rows that have it, if several share the state.
    pub rows: Rows,
    /// It counts only where messages are built anew.
    pub anew: bool,
}

impl Key {
    /// Of these rows only.
    pub const fn of(mut self, rows: Rows) -> Self {
        self.rows = rows;
        self
    }

    /// Only where messages are built anew. For all other outputs the state does not list the key here.
    pub const fn anew(mut self) -> Self {
        self.anew = true;
        self
    }

    /// For objects only that have a member with the name `key` and one of these words as its value: none for any value.
    pub const fn beside(mut self, key: &'static str, words: &'static [&'static str]) -> Self {
        self.beside = Some(Beside { key, words });
        self
    }
}

/// Rows that share a state, a bit each: real records mix their keys, and a user may name one of them.
pub type Rows = u16;

/// Among the rows that a record is read by: its messages are built anew, so that keys and cases count that only say what
/// a message has besides its text.
pub const ANEW: Rows = 1 << 15;

/// A condition on another member of the same object.
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// The key of the other member.
    pub key: &'static str,
    /// The patterns for its value. Without any, it may have any value.
    pub words: &'static [&'static str],
}

/// The name of a key that stands for all keys that a state does not list: those of a map, which are identifiers.
pub const ANY_KEY: &str = "*";

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
    /// The members of its object, or of the objects in its list, belong to the same node.
    Same(&'static State),
    /// The same, and the object itself fills a slot: it says what the node is.
    Into(Slot, &'static State),
    /// Its object, or its string, is a node of its own.
    One(Slot, &'static State),
    /// Its object is a node of its own: in the first state if it has a role there, else in the second.
    Either(Slot, &'static State, &'static State),
    /// Its list holds nodes.
    Each(Slot, &'static State),
    /// Its list holds pairs of a key and a value, which are members of the same node.
    Pairs(&'static PairWords, &'static State),
    /// Its value is a record of any format, or a string that holds one: it is recognised anew.
    Record,
    /// Its value is ignored: settings, schemas, results of tools.
    Pass,
    /// The same, for a member that no other format has: it is lost where messages are built anew.
    Lost,
    /// Its value may hold anything: it is searched, and lost where messages are built anew.
    Search,
}

/// The words of members that a list holds as pairs, `{KEY:"…","VALUE":{TYPE:…}}`, where the type of a value says what it is.
#[derive(Debug, PartialEq, Eq)]
pub struct PairWords {
    /// The key of the member.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The type of a map, whose members are pairs.
    pub map: &'static str,
    /// The type of a list of values.
    pub list: &'static str,
    /// The elements of a map or a list.
    pub values: &'static str,
    /// The type of a number that is written as a string.
    pub number: &'static str,
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
    /// The rows that have it, if several share the state.
    pub rows: Rows,
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
    /// The same for another slot.
    ThinksIn(Slot),
    /// A member that the state does not name is `true`, and its name says that the node is reasoning.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Flagged,
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
    /// The type, or in a record without a type the name of the event that it stands in, is one of these patterns.
    Kind(&'static [&'static str]),
    /// The name of the event that the record stands in is one of these patterns.
    Event(&'static [&'static str]),
    /// A slot other than these is filled, or there is a member that the state does not name.
    Beyond(&'static [Slot]),
    /// Other formats are read as well: the user has not said which one the input is in.
    Shared,
}

/// The meaning of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Unknown: the node is searched as a whole.
    Rest,
    /// Its type is unknown and may be one of reasoning: its record is refused.
    Unclear,
    /// Unknown as well, and searched as a whole; but the record around it is known, whatever its other elements are.
    Unread,
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
    /// A message whose text is one block of this kind: a call with its name in the text, or the result of one.
    Turn(Kind),
    /// A message by someone whose role is not known. Its text is not the model's, and is searched.
    Stranger,
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
    Sent(SequenceStep),
    /// An event: the message in [`Slot::Inner`] begins.
    Begin,
    /// An event: a block begins, which the object in [`Slot::Inner`] is.
    Open,
    /// An event: a block of this kind begins. It has no object of its own.
    OpenAs(Kind),
    /// An event: more of a block. Without a kind here, the kind is that of the object in [`Slot::Inner`] or of the
    /// block.
    Feed(Option<Kind>),
    /// An event: it repeats a whole part.
    Repeat(Option<Kind>),
    /// An event: a part as it is by now. It repeats the text so far, and may add to it.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Grow(Option<Kind>),
    /// An event: a block is over.
    Close,
    /// An event: a block of this kind is over.
    CloseAs(Kind),
    /// An event: a block is over; [`Slot::Inner`] holds it again.
    CloseWith,
    /// An event: the stop reason and the token usage.
    Amend,
    /// An event: the message is over.
    End,
    /// An event: the message is over; [`Slot::Inner`], or the event itself, holds it again.
    EndWith,
}

impl Does {
    /// Whether the node is a message, or a text for the reader.
    pub fn is_spoken(self) -> bool {
        match self.kind() {
            Some(kind) => matches!(kind, Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message),
            None => matches!(self, Does::Message | Does::Response | Does::Piece | Does::Turn(_)),
        }
    }

    /// The kind of the block that the node itself says that it is, or belongs to.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Does::Block(kind) | Does::OpenAs(kind) | Does::CloseAs(kind) => Some(kind),
            Does::Feed(kind) | Does::Repeat(kind) | Does::Grow(kind) => kind,
            _ => None,
        }
    }
}
