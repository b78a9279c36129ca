//! What a walk found in a record: its nodes, and the values in their slots.

use crate::dialect::shape::{Does, Slot};
use crate::json::{Literal, Token};
use std::borrow::Cow;
use std::ops::Range;

/// A value in a slot of a node.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Entry {
    pub node: u32,
    pub slot: Slot,
    pub key: Literal,
    pub token: Token,
    pub value: Range<usize>,
}

/// An object of the format, or an element of one of its lists.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Node {
    pub parent: u32,
    /// In which slot of the parent it stands.
    pub slot: Slot,
    pub value: Range<usize>,
    /// If it is an element: where the list begins, and where the element before it ends.
    pub element: Option<(usize, usize)>,
    pub does: Does,
    /// The number behind its last descendant.
    pub end: u32,
    /// Its entries and those of its descendants.
    pub(super) entries: Range<usize>,
    /// It has members that other formats do not have, if that is asked for.
    pub lost: bool,
}

/// A member or an element for which the format has no word.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct Rest {
    pub node: u32,
    pub key: Option<Literal>,
    pub value: usize,
}

/// A string or a number on which nothing depends that a walk finds: with another value it would find the same.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct Spot {
    /// The inside of the string, or the number.
    pub literal: Literal,
    pub string: bool,
}

/// A record that was walked. The first node is its outermost object.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct Walked {
    pub nodes: Vec<Node>,
    pub(super) entries: Vec<Entry>,
    /// The first of such values.
    pub(super) spots: Vec<Spot>,
    pub rest: Vec<Rest>,
    /// The members of the outermost object, and of records in it, that the format does not name: key and value.
    pub unknown: Vec<(u32, Literal, Range<usize>)>,
    /// It is asked for members that other formats do not have.
    pub asks_lost: bool,
    /// It has a node that only this format has.
    pub sure: bool,
    /// What its nodes and their slots come to: records that are alike have the same.
    pub likeness: u64,
}

impl Entry {
    /// Its value, if that is a string: the text.
    pub fn word<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        match self.token {
            Token::String(word) => word.decoded(record),
            _ => Cow::Borrowed(b""),
        }
    }

    /// Its value, to compare it: a string decoded, any other as it stands.
    pub fn plain<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        match self.token {
            Token::String(word) => word.decoded(record),
            _ => Cow::Borrowed(&record[self.value.clone()]),
        }
    }

    /// Its value, if that is a string that is not empty.
    pub fn literal(&self) -> Option<Literal> {
        match self.token {
            Token::String(word) => Some(word),
            _ => None,
        }
    }

    /// Its value, if that is a number.
    pub fn number(&self, record: &[u8]) -> Option<u64> {
        let digits = &record[self.value.clone()];
        if digits.len() > 18 {
            return std::str::from_utf8(digits).ok()?.parse().ok();
        }
        // As many digits as these are no number too large.
        digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + u64::from(b - b'0')))
    }
}

impl Walked {
    /// One more thing of it.
    pub(super) fn alike(&mut self, thing: u64) {
        self.likeness = (self.likeness ^ thing).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    /// The values that are not used by what their nodes are: of several in [`Slot::Inner`] but the first, too.
    pub fn unused(&self, uses: impl Fn(Does, Slot) -> bool) -> impl Iterator<Item = &Entry> {
        let again = |at: usize, entry: &Entry| {
            let does = self.nodes[entry.node as usize].does;
            let same = |other: &Entry| other.node == entry.node && other.slot == entry.slot;
            entry.slot == Slot::Inner && does != Does::Envelope && self.entries[..at].iter().any(same)
        };
        let unused = move |(at, entry): &(usize, &Entry)| {
            let node = &self.nodes[entry.node as usize];
            // What is searched as a whole needs no second look.
            let whole = matches!(node.does, Does::Rest | Does::Nothing) && node.element.is_none();
            !whole && (!uses(node.does, entry.slot) || again(*at, entry))
        };
        self.entries.iter().enumerate().filter(unused).map(|(_, entry)| entry)
    }

    /// The values in the slot for a text, of all nodes.
    pub fn texts(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.slot == Slot::Text)
    }

    /// Whether the outermost object has a member that the format does not name.
    pub fn has_unknown(&self) -> bool {
        self.unknown.iter().any(|(node, ..)| *node == 0)
    }

    /// The first value in a slot of a node.
    pub fn get(&self, node: u32, slot: Slot) -> Option<&Entry> {
        self.all(node, slot).next()
    }

    /// All values in a slot of a node.
    pub fn all(&self, node: u32, slot: Slot) -> impl Iterator<Item = &Entry> {
        let at = self.nodes[node as usize].entries.clone();
        let end = if at.is_empty() { self.entries.len() } else { at.end };
        self.entries[at.start..end].iter().filter(move |entry| entry.node == node && entry.slot == slot)
    }

    /// The slot that a member of a node fills, by its key.
    pub fn slot_of(&self, node: u32, key: Literal) -> Option<Slot> {
        let is = |entry: &&Entry| entry.node == node && entry.key.start == key.start;
        self.entries.iter().find(is).map(|entry| entry.slot)
    }

    /// The text in a slot, if it holds a string.
    pub fn literal(&self, node: u32, slot: Slot) -> Option<Literal> {
        self.get(node, slot).and_then(Entry::literal)
    }

    /// The nodes in a slot of a node.
    pub fn children(&self, node: u32, slot: Slot) -> impl Iterator<Item = u32> {
        let (mut at, end) = (node + 1, self.nodes[node as usize].end);
        std::iter::from_fn(move || {
            while at < end {
                let child = at;
                at = self.nodes[child as usize].end;
                if self.nodes[child as usize].slot == slot {
                    return Some(child);
                }
            }
            None
        })
    }
}
