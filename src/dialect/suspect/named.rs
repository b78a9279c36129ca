//! A key in a text that is no JSON, and what its name says of its value.

use super::keys::{Duty, Vocabulary};
use super::words::{Weight, may_name_reasoning};

/// The longest key, in bytes.
pub(super) const KEY: usize = 64;

/// A key with what may be reasoning. Offsets are in the text that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect) struct Quoted {
    /// Where the key begins.
    pub at: usize,
    pub key: String,
    /// Where its value ends, if that is known: a list or an object may end lines later.
    pub end: usize,
    /// The lines behind it that belong to its value.
    pub until: Until,
}

impl Quoted {
    /// The same, in a text with so many bytes before that which was searched.
    pub fn behind(self, before: usize) -> Self {
        Self { at: self.at + before, end: self.end + before, ..self }
    }
}

/// What a search found at the start of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Look {
    Nothing,
    Found(Quoted),
    /// The lines that follow decide.
    Open,
}

/// How the lines end that belong to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Until {
    /// With the line.
    Line,
    /// Before the next line that is not indented by more columns.
    Indent(usize),
    /// Before the line that begins another section of a log ([`super::Sections`]).
    Section,
    /// With the line that has this text.
    Text(Vec<u8>),
    /// Nobody knows: with the text.
    Rest,
}

pub(super) fn weight(name: &[u8]) -> Option<Weight> {
    let may = may_name_reasoning(name) || Vocabulary::get().has(name);
    let name = std::str::from_utf8(name).ok().filter(|_| may && name.len() <= KEY)?;
    Vocabulary::get().facts(name).weight
}

pub(super) fn is_part(name: &[u8], part: Duty) -> bool {
    // Few keys are as short as those of types.
    name.len() <= 16 && std::str::from_utf8(name).is_ok_and(|name| Vocabulary::get().facts(name).part == part)
}
