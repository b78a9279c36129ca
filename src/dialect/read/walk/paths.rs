//! Members whose keys are paths, as programs flatten lists: `a.0.b` is the member `b` of the first element of the list `a`.
//! They are read as the elements of that list, by the state of its elements.

use super::{MAX_NODE_DEPTH, Walk};
use crate::dialect::read::walked::{UnnamedMember, slot_bit};
use crate::dialect::shape::{Does, Kind, LIST, Rows, Slot, State, To, bit};
use crate::dialect::suspect;
use crate::json::{Literal, Token};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The members of an object whose keys are paths.
#[derive(Default)]
pub(super) struct Paths {
    all: Vec<PathMember>,
    /// Some lead through lists that the state does not have: what they mean is known only together.
    strange: bool,
}

/// Such a member.
pub(super) struct PathMember {
    /// What is left of its path.
    pub path: Vec<u8>,
    pub key: Literal,
    pub token: Token,
    pub value: Range<usize>,
    /// All of it, with its key.
    pub whole: Range<usize>,
}

impl Paths {
    /// Whether a member of this name is to be added: it is a path through a list of the state.
    pub fn has(&mut self, state: &'static State, rows: Rows, name: &[u8]) -> bool {
        let Some((list, ..)) = split(name) else { return false };
        let known = elements_of(state, rows, list).is_some();
        self.strange |= !known;
        known
    }

    /// Adds a member.
    pub fn add(&mut self, member: PathMember) {
        self.all.push(member);
    }

    /// Where the value of the last member ends.
    pub fn ends(&mut self, at: usize) {
        let last = self.all.iter_mut().next_back().into_iter();
        last.for_each(|member| (member.value.end, member.whole.end) = (at, at));
    }
}

/// The list of a path, the number of its element, and the rest of the path.
fn split(name: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let mut from = 0;
    loop {
        let dot = from + name.get(from..)?.iter().position(|b| *b == b'.')?;
        let digits = name[dot + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && name.get(dot + 1 + digits) == Some(&b'.') {
            return Some((&name[..dot], &name[dot + 1..dot + 1 + digits], &name[dot + digits + 2..]));
        }
        from = dot + 1;
    }
}

/// The slot and the state of the elements of a list.
fn elements_of(state: &'static State, rows: Rows, list: &[u8]) -> Option<(Slot, &'static State)> {
    match state.find(list, LIST, rows, |_| false).filter(|found| !found.any)?.to {
        To::Each(slot, inner) => Some((slot, inner)),
        _ => None,
    }
}

impl<const ALIKE: bool> Walk<'_, '_, ALIKE> {
    /// Makes nodes of the members of the object or the list at `object` whose keys are paths. `places`: where the keys of all
    /// of its members begin.
    pub(super) fn paths(
        &mut self,
        (state, number): (&'static State, u32),
        object: usize,
        (paths, places): (Paths, Vec<usize>),
        depth: usize,
    ) {
        let own = self.out.scattered.len();
        let strange = self.elements((state, number), paths.all, depth) || paths.strange;
        if strange {
            let rest = UnnamedMember { node: number, key: None, value: object, end: self.s.at(), searched: false };
            self.out.rest.push(rest);
        }
        self.commas(object, &places, own);
    }

    /// Makes a node of each element. Returns whether some are not understood.
    fn elements(&mut self, (state, parent): (&'static State, u32), all: Vec<PathMember>, depth: usize) -> bool {
        let mut groups: Vec<(Slot, &'static State, Vec<PathMember>)> = Vec::new();
        let (mut strange, mut numbers) = (false, HashMap::new());
        for mut member in all {
            let path = std::mem::take(&mut member.path);
            let found = split(&path).and_then(|(list, index, rest)| {
                let (slot, inner) = elements_of(state, self.rows, list)?;
                Some((path[..list.len() + 1 + index.len()].to_vec(), slot, inner, rest.to_vec()))
            });
            let Some((name, slot, inner, rest)) = found.filter(|_| depth < MAX_NODE_DEPTH) else {
                strange = true;
                continue;
            };
            member.path = rest;
            let group = *numbers.entry(name).or_insert(groups.len());
            match groups.get_mut(group) {
                Some((.., own)) => own.push(member),
                None => groups.push((slot, inner, vec![member])),
            }
        }
        for (slot, inner, own) in groups {
            strange |= self.element((inner, parent), slot, own, depth);
        }
        strange
    }

    /// Makes a node of the members of one element.
    fn element(
        &mut self,
        (state, parent): (&'static State, u32),
        slot: Slot,
        all: Vec<PathMember>,
        depth: usize,
    ) -> bool {
        let (start, end) = (all.iter().map(|m| m.whole.start).min(), all.iter().map(|m| m.whole.end).max());
        self.out.nodes[parent as usize].filled |= slot_bit(slot);
        let number = self.open(parent, slot, start.unwrap_or(0), None);
        let (mut inner, mut twice) = (Vec::new(), false);
        for member in all {
            let at = member.key.start - 1;
            self.out.scattered.push((number, at, member.whole.clone()));
            if split(&member.path).is_some() {
                inner.push(member);
                continue;
            }
            let PathMember { path, key, token, value, .. } = member;
            match state.find(&path, bit(token), self.rows, |_| false).map(|found| (found, found.to)) {
                Some((found, To::Is(slot))) => {
                    twice |= slot == Slot::Type && self.out.fills(number, slot);
                    self.entry((number, slot), found, (key, token), value);
                }
                _ if suspect::may_hold(self.s.text(), Some(key), token, self.plain) => {
                    let (value, end) = (value.start, value.end);
                    self.out.rest.push(UnnamedMember { node: number, key: Some(key), value, end, searched: false });
                }
                _ => (),
            }
        }
        let mut strange = self.elements((state, number), inner, depth + 1);
        let (found, does) = self.meaning(state, number);
        self.out.sure |= found.is_some_and(|case| case.sure);
        let does = if twice { Does::Unclear } else { does };
        strange |= matches!(does, Does::Rest | Does::Unread);
        let last = self.out.nodes.len() as u32;
        let node = &mut self.out.nodes[number as usize];
        (node.does, node.end, node.value.end) = (does, last, end.unwrap_or(0));
        strange
    }

    /// Gives each member that may go, behind number `own` of the list, a comma of the object: the one behind it if no member
    /// that stays stands before it, and else the one before it. So no two of them take the same one. `object`: where that
    /// object, or list of pairs, begins.
    pub(super) fn commas(&mut self, object: usize, places: &[usize], own: usize) {
        if self.out.scattered.len() == own {
            return;
        }
        let text = self.s.text();
        let nodes = &self.out.nodes;
        // Entries of an object come behind those of all that stands before it.
        let inside = self.out.entries.iter().rev().take_while(|entry| entry.key.start > object);
        let seals = inside.filter(|entry| entry.slot == Slot::Seal).map(|entry| entry.key.start - 1);
        let reasons = |node: u32| nodes[node as usize].does.kind().is_some_and(Kind::is_reasoning);
        let blocks = self.out.scattered[own..].iter().filter(|(node, ..)| reasons(*node)).map(|(_, key, _)| *key);
        let may_go: HashSet<usize> = blocks.chain(seals).collect();
        let stays = places.iter().copied().find(|key| !may_go.contains(key));
        let stray = stays.is_none().then(|| self.out.scattered[own].0);
        for (_, key, cut) in &mut self.out.scattered[own..] {
            if stays.is_some_and(|stays| stays < *key) {
                let before = text[..cut.start].trim_ascii_end();
                cut.start = before.strip_suffix(b",").map_or(cut.start, |rest| rest.trim_ascii_end().len());
            } else {
                let behind = text[cut.end..].trim_ascii_start();
                let next = behind.strip_prefix(b",").map(|next| text.len() - next.trim_ascii_start().len());
                cut.end = next.unwrap_or(cut.end);
            }
        }
        // Of an object of nothing but such members, a part may go: which comma is left cannot be said beforehand.
        if let Some(node) = stray {
            self.out.nodes[node as usize].does = Does::Unclear;
        }
    }
}
