//! A row: a format as data.

use super::{State, state};
use crate::json::text::Needle;
use crate::model::content::{Attribute, Stop};
use crate::model::{InstructionForm, Role};

/// A format that is described by a shape.
#[derive(Debug)]
pub struct Shape {
    /// The state of a record.
    pub record: &'static State,
    /// Where a record says where its messages come from: read beside `record`, and only if the output asks for it.
    pub origin: &'static State,
    /// How a record of this format is recognised: by any of these.
    pub recognised_by: &'static [Recognition],
    /// Names of events: a record in one of them is recognised if it has a node that only this format has.
    pub events: &'static [&'static str],
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
    /// The keys of the token usage in [`super::Slot::Usage`].
    pub used: &'static [(&'static str, Attribute)],
    /// What else changes when a block goes.
    pub follow: Follow,
    /// Items are the blocks of a message: a run of them makes one.
    pub items: bool,
    /// Several records have the same reasoning: all of a message's is compared, whatever item it is of.
    pub retold: bool,
    /// Events name the response that they belong to, and several responses interleave. An event that names none belongs
    /// to the latest one.
    pub by_id: bool,
    /// It has no place for reasoning but between tags in its texts. What a record has beside its messages stays.
    pub inline: bool,
    /// The model stands in the address of a request: any request is one to a provider, and no conversation in a file.
    pub addressed: bool,
    /// Who speaks in a message of a request that has no role and no reasoning, if that is not the assistant.
    pub unnamed: Option<Role>,
    /// A message may span several records (lines of a log), and none of these may go.
    pub log: bool,
    /// Its records are not built anew: a conversation of them would lack what they have beside their messages.
    pub fixed: bool,
    /// Each record is a line around another record, and goes with it if that is nothing but reasoning.
    pub carrier: bool,
    /// It reads any object that holds records, whatever its keys are: it is tried if no other row reads the object, and one of
    /// these words stands in it, or something in it may be reasoning.
    pub holder: &'static [Needle],
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
    origin: &NOTHING,
    recognised_by: &[],
    events: &[],
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
    by_id: false,
    inline: false,
    addressed: false,
    unnamed: None,
    log: false,
    fixed: false,
    carrier: false,
    holder: &[],
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
    /// In a message, the object of the block stays, with an empty text: others refer to it, or count it.
    pub keep_shell: bool,
}

impl Follow {
    /// Nothing: numbers and identifiers keep the hole.
    pub const HOLE: Self = Self { renumber: false, drop_ids: false, keep_shell: false };
}

/// Recognises a record by its outermost members.
#[derive(Debug)]
pub struct Recognition {
    /// Keys, each with the values that it may have: none for any value. A value that ends with `*` is a prefix.
    /// Under the empty key stand bytes that the record must have anywhere, and under [`WITHOUT`] those that it must not have:
    /// a quick check before it is walked.
    pub has: &'static [(&'static str, &'static [&'static str])],
    /// The record must also have a node that only this format has ([`super::Case::sure`]).
    pub sure: bool,
}

impl Recognition {
    /// The marks of the keys that it asks for.
    pub fn marks(&self) -> KeyMarks {
        let names = self.has.iter().map(|(name, _)| name).filter(|name| !matches!(**name, "" | WITHOUT));
        names.fold(0, |marks, name| marks | mark(name.as_bytes()))
    }
}

/// The key of bytes that a record must not have ([`Recognition::has`]): no member has it.
pub const WITHOUT: &str = "\0";

/// The marks of some keys.
pub type KeyMarks = u128;

/// The mark of a key, two bits: a record whose keys do not have them does not have the key.
pub fn mark(key: &[u8]) -> KeyMarks {
    let sum = key.iter().fold(key.len() as u64, |sum, b| sum.wrapping_mul(31).wrapping_add(u64::from(*b)));
    1 << (sum % 127) | 1 << (sum / 127 % 113)
}

/// The numbers of marks.
pub fn numbers(marks: KeyMarks) -> impl Iterator<Item = usize> {
    let next = |marks: &KeyMarks| Some(marks & (marks - 1)).filter(|rest| *rest != 0);
    std::iter::successors(Some(marks).filter(|marks| *marks != 0), next).map(|marks| marks.trailing_zeros() as usize)
}
