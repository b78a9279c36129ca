//! The result of a walk over a record: its nodes, and the values in their slots.

use crate::dialect::shape::{Does, PairWords, Slot};
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
    /// The number of the first node in it, or behind it.
    pub first_node: u32,
    /// The number of the next entry of its node; [`NO_ENTRY`] if it is the last.
    pub(super) next: u32,
    /// Its node has an entry in the same slot before it.
    pub(super) again: bool,
    /// It is searched: it is in a slot for names, numbers and switches, and looks like something else; or in one that no
    /// node of the chat family uses.
    pub odd: bool,
}

/// The number of no entry.
pub(super) const NO_ENTRY: u32 = u32::MAX;

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
    /// The numbers of its first and last entry. Between them stand those of its descendants.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The slots that it fills, a bit each: most questions are for slots that it does not.
    pub(super) filled: u128,
    /// It has members in [`Walked::unknown`].
    pub(super) unnamed: bool,
    /// It has a flag that says that it is reasoning, and that its state does not name.
    pub flagged: bool,
    /// It has members that other formats do not have. Set only if [`Walked::asks_lost`].
    pub lost: bool,
}

/// A member or an element that the format does not name.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct UnnamedMember {
    pub node: u32,
    pub key: Option<Literal>,
    pub value: usize,
    pub end: usize,
    /// The same member was searched in an earlier record ([`SearchedMembers`](super::SearchedMembers)).
    pub searched: bool,
}

/// A string or a number that the walk does not depend on: another value of its kind would give the same nodes and entries,
/// and the same members to search.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct FreeValue {
    /// The inside of the string, or the number.
    pub literal: Literal,
    pub kind: FreeKind,
}

/// What may stand in the place of a free value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum FreeKind {
    /// A whole number.
    Number,
    /// Any string.
    Text,
    /// A name, an identifier or a time: any other string would be searched.
    Name,
    /// One plain word, for the same reason.
    Word,
}

/// The result of a walk. The first node is the record's outermost object.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct Walked {
    pub nodes: Vec<Node>,
    pub(super) entries: Vec<Entry>,
    /// The values that the walk does not depend on, up to a limit.
    pub(super) free_values: Vec<FreeValue>,
    pub rest: Vec<UnnamedMember>,
    /// Members of the outermost object, and of objects in [`Slot::Inner`], that the format does not name: node, key,
    /// value. In the order of the nodes. Only if [`Walked::asks_lost`].
    pub(super) unknown: Vec<(u32, Literal, Range<usize>)>,
    /// Members of nodes whose keys are paths: the node, where the key begins, and what is cut of the object around them if
    /// the member goes, so that what is left is JSON whichever of them go.
    pub(super) scattered: Vec<(u32, usize, Range<usize>)>,
    /// The first of the outermost members: the keys, and the values that are strings.
    pub(super) outermost: Vec<(Literal, Option<Literal>)>,
    /// Where messages stand in more messages than are walked.
    pub too_deep: Option<usize>,
    /// Some members are pairs with these words. The value of an entry that is an object is a list then.
    pub pairs: Option<&'static PairWords>,
    /// The walk notes which nodes have members that other formats do not have.
    pub asks_lost: bool,
    /// Others may be compared with the record, so that values that may differ are noted.
    pub compared: bool,
    /// No other format is read.
    pub only: bool,
    /// Unread members are searched whoever the author is.
    pub searches_all: bool,
    /// It has a node that only this format has.
    pub sure: bool,
    /// A hash of its nodes, of what they mean, and of their keys that the states list: records that are alike have the
    /// same.
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

    /// Whether it says nothing: null, false, or nothing between its quotes or brackets.
    pub fn is_empty(&self) -> bool {
        match self.token {
            Token::String(word) => word.start == word.end,
            Token::ObjectStart | Token::ArrayStart => self.value.len() == 2,
            token => matches!(token, Token::Null | Token::False),
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
        let again = |does, entry: &Entry| entry.again && entry.slot == Slot::Inner && !matches!(does, Does::Envelope);
        let unused = move |entry: &&Entry| {
            let node = &self.nodes[entry.node as usize];
            // A node that is searched as a whole needs no search of its entries.
            let whole = matches!(node.does, Does::Unread)
                || matches!(node.does, Does::Rest | Does::Nothing) && node.element.is_none();
            !whole && (!node.does.uses(entry.slot) || again(node.does, entry))
        };
        self.entries.iter().filter(unused)
    }

    /// Those of the values in the slots of nodes that are not searched as a whole that pass a test.
    pub fn read(&self, test: impl Fn(&Entry) -> bool) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| test(entry)).filter(|entry| {
            let node = &self.nodes[entry.node as usize];
            !matches!(node.does, Does::Rest | Does::Unread | Does::Nothing) || node.element.is_some()
        })
    }

    /// The values in [`Slot::Text`] of all nodes.
    pub fn texts(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.slot == Slot::Text)
    }

    /// Whether the outermost object has a member that the format does not name.
    pub fn has_unknown(&self) -> bool {
        self.nodes.first().is_some_and(|node| node.unnamed)
    }

    /// Whether the members of a node stand in the object around it, with paths as their keys.
    pub fn is_scattered(&self, node: u32) -> bool {
        self.scattered_of(node).next().is_some()
    }

    /// What is cut of the object around such a node if it goes, or if one member goes, whose key begins at `key`.
    pub fn cuts_of(&self, node: u32, key: Option<usize>) -> impl Iterator<Item = Range<usize>> {
        let is = move |(_, at, _): &&(u32, usize, _)| key.is_none_or(|key| key == *at);
        self.scattered_of(node).filter(is).map(|(.., cut)| cut.clone())
    }

    fn scattered_of(&self, node: u32) -> impl Iterator<Item = &(u32, usize, Range<usize>)> {
        // They stand in the order of the nodes.
        let from = self.scattered.partition_point(|(of, ..)| *of < node);
        self.scattered[from..].iter().take_while(move |(of, ..)| *of == node)
    }

    /// The members of a node in [`Walked::unknown`]: their keys and values.
    pub fn unknown_of(&self, node: u32) -> impl Iterator<Item = (Literal, &Range<usize>)> {
        let from = self.unknown.partition_point(|(of, ..)| *of < node);
        self.unknown[from..].iter().take_while(move |(of, ..)| *of == node).map(|(_, key, at)| (*key, at))
    }

    /// Where the records inside of it stand.
    pub fn records(&self) -> Vec<Range<usize>> {
        let holds = |node: &u32| matches!(self.nodes[*node as usize].does, Does::Envelope);
        let nodes = (0..self.nodes.len() as u32).filter(holds);
        nodes.flat_map(|node| self.all(node, Slot::Record)).map(|entry| entry.value.clone()).collect()
    }

    /// The first value in a slot of a node.
    pub fn get(&self, node: u32, slot: Slot) -> Option<&Entry> {
        self.all(node, slot).next()
    }

    /// All values in a slot of a node.
    pub fn all(&self, node: u32, slot: Slot) -> impl Iterator<Item = &Entry> {
        let first = if self.fills(node, slot) { self.nodes[node as usize].first } else { NO_ENTRY };
        self.from(first).filter(move |entry| entry.slot == slot)
    }

    /// Where the list of an element begins, and the range from the end of the element before to its own end.
    pub fn place(&self, node: u32) -> Option<(usize, Range<usize>)> {
        let node = &self.nodes[node as usize];
        node.element.map(|(list, from)| (list, from..node.value.end))
    }

    /// Whether a node has a value in a slot.
    #[inline]
    pub fn fills(&self, node: u32, slot: Slot) -> bool {
        self.nodes[node as usize].filled & slot_bit(slot) != 0
    }

    /// All values of a node, in all slots.
    pub fn all_of(&self, node: u32) -> impl Iterator<Item = &Entry> {
        self.from(self.nodes[node as usize].first)
    }

    /// Puts the last value in a slot of a node in the place of the first, and the first in its place. Done twice, all is
    /// as before.
    pub(super) fn swap_ends(&mut self, node: u32, slot: Slot) {
        let (mut ends, mut at) = (None, self.nodes[node as usize].first);
        while let Some(entry) = self.entries.get(at as usize) {
            if entry.slot == slot {
                ends = Some((ends.map_or(at, |(first, _)| first), at));
            }
            at = entry.next;
        }
        let Some((first, last)) = ends.filter(|(first, last)| first < last) else { return };
        let (before, behind) = self.entries.split_at_mut(last as usize);
        let (one, other) = (&mut before[first as usize], &mut behind[0]);
        std::mem::swap(&mut one.key, &mut other.key);
        std::mem::swap(&mut one.token, &mut other.token);
        std::mem::swap(&mut one.value, &mut other.value);
        std::mem::swap(&mut one.odd, &mut other.odd);
    }

    /// The entry with this number, and the later ones of its node.
    fn from(&self, entry: u32) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.entries.get(entry as usize), |entry| self.entries.get(entry.next as usize))
    }

    /// Adds a value. Returns its number.
    #[inline]
    pub(super) fn add(&mut self, node: u32, slot: Slot, (key, token): (Literal, Token), value: Range<usize>) -> usize {
        let (number, own) = (self.entries.len(), &mut self.nodes[node as usize]);
        match self.entries.get_mut(own.last as usize) {
            Some(last) => last.next = number as u32,
            None => own.first = number as u32,
        }
        let again = own.filled & slot_bit(slot) != 0;
        own.last = number as u32;
        own.filled |= slot_bit(slot);
        let first_node = self.nodes.len() as u32;
        self.entries.push(Entry { node, slot, key, token, value, first_node, next: NO_ENTRY, again, odd: false });
        number
    }

    /// The text in a slot, if it holds a string.
    pub fn literal(&self, node: u32, slot: Slot) -> Option<Literal> {
        self.get(node, slot).and_then(Entry::literal)
    }

    /// The nodes in the value of an entry, which is an object or a list.
    pub fn nodes_in(&self, entry: &Entry) -> impl Iterator<Item = u32> + use<'_> {
        self.nodes_from(entry.first_node, entry.value.end)
    }

    /// The nodes in a range that is such a value.
    pub fn nodes_within(&self, at: &Range<usize>) -> impl Iterator<Item = u32> + use<'_> {
        // They stand in the order in which they begin.
        self.nodes_from(self.nodes.partition_point(|node| node.value.start < at.start) as u32, at.end)
    }

    fn nodes_from(&self, mut at: u32, end: usize) -> impl Iterator<Item = u32> + use<'_> {
        std::iter::from_fn(move || {
            let (child, node) = (at, self.nodes.get(at as usize).filter(|node| node.value.start < end)?);
            at = node.end;
            Some(child)
        })
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

/// The bit of a slot. There are fewer than 128.
pub(super) fn slot_bit(slot: Slot) -> u128 {
    1 << slot as u128
}
