//! The result of a walk over a record: its nodes, and the values in their slots.

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
    /// The slot of the parent that holds it.
    pub slot: Slot,
    pub value: Range<usize>,
    /// If it is an element: where the list begins, and where the element before it ends.
    pub element: Option<(usize, usize)>,
    pub does: Does,
    /// The number after that of its last descendant.
    pub end: u32,
    /// The range of its entries and those of its descendants.
    pub(super) entries: Range<usize>,
    /// It has members that other formats do not have. Set only if [`Walked::asks_lost`].
    pub lost: bool,
}

/// A member or an element that the format does not name.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct Rest {
    pub node: u32,
    pub key: Option<Literal>,
    pub value: usize,
}

/// A string or a number that the walk does not depend on: another value would give the same nodes and entries.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct FreeValue {
    /// The inside of the string, or the number.
    pub literal: Literal,
    pub string: bool,
}

/// The result of a walk. The first node is the record's outermost object.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct Walked {
    pub nodes: Vec<Node>,
    pub(super) entries: Vec<Entry>,
    /// The values that the walk does not depend on, up to a limit.
    pub(super) free_values: Vec<FreeValue>,
    pub rest: Vec<Rest>,
    /// Members of the outermost object, and of objects in [`Slot::Inner`], that the format does not name: node, key,
    /// value.
    pub unknown: Vec<(u32, Literal, Range<usize>)>,
    /// The walk notes which nodes have members that other formats do not have.
    pub asks_lost: bool,
    /// It has a node that only this format has.
    pub sure: bool,
    /// A hash of its nodes and their slots: records that are alike have the same.
    pub shape_hash: u64,
}

impl Entry {
    /// Its string, decoded; empty if it is not a string.
    pub fn word<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        match self.token {
            Token::String(word) => word.decoded(record),
            _ => Cow::Borrowed(b""),
        }
    }

    /// Its value in a form to compare: a string decoded, any other as it stands.
    pub fn plain<'a>(&self, record: &'a [u8]) -> Cow<'a, [u8]> {
        match self.token {
            Token::String(word) => word.decoded(record),
            _ => Cow::Borrowed(&record[self.value.clone()]),
        }
    }

    /// Its string, if it is one.
    pub fn literal(&self) -> Option<Literal> {
        match self.token {
            Token::String(word) => Some(word),
            _ => None,
        }
    }

    /// Its number, if it is a whole one.
    pub fn number(&self, record: &[u8]) -> Option<u64> {
        let digits = &record[self.value.clone()];
        if digits.len() > 18 {
            return std::str::from_utf8(digits).ok()?.parse().ok();
        }
        // Up to 18 digits cannot overflow.
        digits.iter().try_fold(0, |sum, b| b.is_ascii_digit().then(|| sum * 10 + u64::from(b - b'0')))
    }
}

impl Walked {
    /// Adds one more property to the hash.
    pub(super) fn alike(&mut self, thing: u64) {
        self.shape_hash = (self.shape_hash ^ thing).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    /// The values that their nodes do not use. Of several values in [`Slot::Inner`], only the first is used.
    pub fn unused(&self) -> impl Iterator<Item = &Entry> {
        let again = |at: usize, entry: &Entry| {
            let does = self.nodes[entry.node as usize].does;
            let same = |other: &Entry| other.node == entry.node && other.slot == entry.slot;
            entry.slot == Slot::Inner && does != Does::Envelope && self.entries[..at].iter().any(same)
        };
        let unused = move |(at, entry): &(usize, &Entry)| {
            let node = &self.nodes[entry.node as usize];
            // A node that is searched as a whole needs no search of its entries.
            let whole = matches!(node.does, Does::Rest | Does::Nothing) && node.element.is_none();
            !whole && (!node.does.uses(entry.slot) || again(*at, entry))
        };
        self.entries.iter().enumerate().filter(unused).map(|(_, entry)| entry)
    }

    /// The values in the slots of nodes that are not searched as a whole.
    pub fn read(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| {
            let node = &self.nodes[entry.node as usize];
            !matches!(node.does, Does::Rest | Does::Nothing) || node.element.is_some()
        })
    }

    /// The values in [`Slot::Text`] of all nodes.
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

    /// The slot that the member with this key fills.
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
