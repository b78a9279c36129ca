//! One pass over a record by the shape of its format: makes nodes, each with its place and its meaning.
//!
//! The functions call each other as deep as the shape nests, and never deeper than [`DEEPEST`].

use super::alike::MOST;
use super::known::OUTERMOST;
use super::walked::{Entry, FreeValue, NO_ENTRY, Node, Rest, Walked};
use crate::dialect::shape::{Case, Does, Slot, State, To, When, bit, matches};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Literal, Scanner, Token, is_empty, strings};
use std::borrow::Cow;
use std::ops::Range;

/// The most levels that nodes nest.
const DEEPEST: usize = 8;

/// Walks `record` into `out`. `plain`: no delimiter is made of letters and digits alone.
pub(in crate::dialect) fn walk(
    record: &[u8],
    state: &'static State,
    plain: bool,
    out: &mut Walked,
) -> Result<(), Error> {
    out.nodes.clear();
    out.entries.clear();
    out.free_values.clear();
    out.rest.clear();
    out.unknown.clear();
    out.outermost.clear();
    out.sure = false;
    out.shape_hash = 0;
    let mut walk = Walk { s: Scanner::new(record)?, out, plain, twice: Vec::new() };
    match walk.s.token()? {
        Token::ObjectStart => walk.node(state, u32::MAX, Slot::Inner, None, 0)?,
        Token::ArrayStart => {
            let start = walk.s.at() - 1;
            let root = walk.open(u32::MAX, Slot::Inner, start, None);
            walk.list(root, Slot::List, state, 0)?;
            walk.close(root);
            walk.out.nodes[0].does = Does::Records;
        }
        token => walk.s.skip(token)?,
    }
    walk.s.token()?;
    // Those of a node stand together from here on.
    out.unknown.sort_by_key(|(node, ..)| *node);
    Ok(())
}

struct Walk<'a, 'o> {
    s: Scanner<'a>,
    out: &'o mut Walked,
    plain: bool,
    /// Open nodes that have several types: the number of the node, once for each type behind the first.
    twice: Vec<u32>,
}

impl Walk<'_, '_> {
    fn open(&mut self, parent: u32, slot: Slot, start: usize, element: Option<(usize, usize)>) -> u32 {
        let number = self.out.nodes.len() as u32;
        self.out.nodes.push(Node {
            parent,
            slot,
            value: start..start,
            element,
            does: Does::Rest,
            end: number + 1,
            first: NO_ENTRY,
            last: NO_ENTRY,
            filled: 0,
            unnamed: false,
            lost: false,
        });
        number
    }

    fn close(&mut self, number: u32) {
        let (end, at) = (self.out.nodes.len() as u32, self.s.at());
        let node = &mut self.out.nodes[number as usize];
        (node.end, node.value.end) = (end, at);
    }

    /// Walks an object whose `{` was scanned.
    fn node(
        &mut self,
        state: &'static State,
        parent: u32,
        slot: Slot,
        element: Option<(usize, usize)>,
        depth: usize,
    ) -> Result<(), Error> {
        let number = self.open(parent, slot, self.s.at() - 1, element);
        let rest = self.out.rest.len();
        self.members(state, number, depth)?;
        self.close(number);
        let mut found = state.cases.iter().find(|case| self.applies(number, case));
        if self.twice.last() == Some(&number) {
            // The nodes inside of this one are closed: theirs are gone from the list.
            while self.twice.pop_if(|node| *node == number).is_some() {}
            found = self.by_last_type(state, number, found);
        }
        self.out.sure |= found.is_some_and(|case| case.sure);
        let does = found.map_or(Does::Rest, |case| case.does);
        let case = found.map_or(0, |case| std::ptr::from_ref(case) as usize as u64);
        self.out.alike(case);
        self.out.alike(u64::from(parent) << 16 | (slot as u64) << 8 | u64::from(element.is_some()));
        let start = self.out.nodes[number as usize].value.start;
        self.out.nodes[number as usize].does = does;
        if does == Does::Rest && !state.cases.is_empty() {
            // The node has no meaning, so that it is searched as a whole instead of by its members.
            self.out.rest.truncate(rest);
            self.out.rest.push(Rest { node: number, key: None, value: start });
        }
        Ok(())
    }

    /// The case of a node with several types. Some readers take the first type and some the last, so that the node is
    /// reasoning if either makes it so.
    fn by_last_type(
        &mut self,
        state: &'static State,
        number: u32,
        first: Option<&'static Case>,
    ) -> Option<&'static Case> {
        let is_one = |case: &&'static Case| match case.does {
            Does::Block(kind) | Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) => kind.is_reasoning(),
            Does::Sent(step) => step.is_reasoning(),
            Does::Unclear => true,
            _ => false,
        };
        if first.as_ref().is_some_and(is_one) {
            return first;
        }
        self.out.swap_ends(number, Slot::Type);
        let found = state.cases.iter().find(|case| self.applies(number, case));
        if found.as_ref().is_some_and(is_one) {
            return found;
        }
        self.out.swap_ends(number, Slot::Type);
        first
    }

    /// Notes that a member would be lost in other formats. It was scanned, and its value began at `start`.
    fn lose(&mut self, number: u32, start: usize) {
        let value = &self.s.text()[start..self.s.at()];
        self.out.nodes[number as usize].lost |= self.out.asks_lost && !is_empty(value);
    }

    fn members(&mut self, state: &'static State, number: u32, depth: usize) -> Result<(), Error> {
        while let Token::Key(key) = self.s.token()? {
            let start = self.s.next_value();
            let token = self.s.token()?;
            if depth == 0 && self.out.outermost.len() < OUTERMOST {
                self.out.outermost.push((key, if let Token::String(word) = token { Some(word) } else { None }));
            }
            let Some(to) = state.find(&key.decoded(self.s.text()), bit(token)) else {
                self.pass(token, token == Token::Number)?;
                self.rest(number, Some(key), token, start);
                if self.out.nodes[number as usize].slot == Slot::Inner {
                    self.out.unknown.push((number, key, start..self.s.at()));
                    self.out.nodes[number as usize].unnamed = true;
                } else {
                    self.lose(number, start);
                }
                continue;
            };
            let inner = self.out.entries.len();
            let slot = match to {
                To::Pass => {
                    self.pass(token, true)?;
                    continue;
                }
                To::Search | To::Lost => {
                    self.pass(token, token == Token::Number)?;
                    self.rest(number, Some(key), token, start);
                    self.lose(number, start);
                    continue;
                }
                To::Into(slot, state) => {
                    self.entry(number, slot, key, token, start..start);
                    self.members(state, number, depth + 1)?;
                    self.out.entries[inner].value.end = self.s.at();
                    continue;
                }
                To::Same(inner) => {
                    self.members(inner, number, depth + 1)?;
                    continue;
                }
                To::Is(slot) => {
                    if slot == Slot::Type && self.out.fills(number, Slot::Type) {
                        self.twice.push(number);
                    }
                    // The walk depends on these values.
                    self.pass(token, !matches!(slot, Slot::Type | Slot::Object | Slot::Role))?;
                    slot
                }
                To::One(..) | To::Each(..) if depth >= DEEPEST => {
                    self.s.skip(token)?;
                    self.rest(number, Some(key), token, start);
                    continue;
                }
                To::One(slot, state) => {
                    self.entry(number, slot, key, token, start..start);
                    self.node(state, number, slot, None, depth + 1)?;
                    self.out.entries[inner].value.end = self.s.at();
                    continue;
                }
                To::Each(slot, state) => {
                    self.entry(number, slot, key, token, start..start);
                    self.list(number, slot, state, depth + 1)?;
                    self.out.entries[inner].value.end = self.s.at();
                    continue;
                }
            };
            self.entry(number, slot, key, token, start..self.s.at());
        }
        Ok(())
    }

    /// Scans the rest of a value. `free`: the walk does not depend on what it holds.
    #[inline]
    fn pass(&mut self, token: Token, free: bool) -> Result<(), Error> {
        if !free {
            return self.s.skip(token);
        }
        self.spot(token);
        if matches!(token, Token::ObjectStart | Token::ArrayStart) {
            let outside = self.s.depth() - 1;
            while self.s.depth() > outside {
                let token = self.s.token()?;
                self.spot(token);
            }
        }
        Ok(())
    }

    #[inline]
    fn spot(&mut self, token: Token) {
        let (literal, string) = match token {
            Token::String(word) => (word, true),
            Token::Number => (Literal { start: self.s.from(), end: self.s.at(), escaped: false }, false),
            _ => return,
        };
        // One value above the limit shows that there are too many.
        if self.out.free_values.len() <= MOST {
            self.out.free_values.push(FreeValue { literal, string });
        }
    }

    /// Walks the elements of a list whose `[` was scanned.
    fn list(&mut self, parent: u32, slot: Slot, state: &'static State, depth: usize) -> Result<(), Error> {
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        loop {
            match self.s.token()? {
                Token::ArrayEnd => return Ok(()),
                Token::ObjectStart => self.node(state, parent, slot, Some((list, last)), depth)?,
                token => {
                    let start = self.s.from();
                    let number = self.open(parent, slot, start, Some((list, last)));
                    self.s.skip(token)?;
                    self.close(number);
                    self.rest(number, None, token, start);
                }
            }
            last = self.s.at();
        }
    }

    fn entry(&mut self, node: u32, slot: Slot, key: Literal, token: Token, value: Range<usize>) {
        self.out.alike(u64::from(node) << 8 | slot as u64);
        self.out.add(node, slot, (key, token), value);
    }

    fn rest(&mut self, node: u32, key: Option<Literal>, token: Token, value: usize) {
        let some = match token {
            Token::String(word) => {
                let name = key.map_or(Cow::Borrowed(&b""[..]), |key| key.decoded(self.s.text()));
                word.start < word.end && !(self.plain && suspect::is_plain(&name, word.raw(self.s.text())))
            }
            Token::ObjectStart | Token::ArrayStart => true,
            _ => false,
        };
        if some {
            self.out.rest.push(Rest { node, key, value });
        }
    }

    fn is(&self, number: u32, slot: Slot, names: &[&str]) -> bool {
        self.out.get(number, slot).is_some_and(|entry| matches(&entry.word(self.s.text()), names))
    }

    fn applies(&self, number: u32, case: &Case) -> bool {
        let has = |slot| self.out.fills(number, slot);
        case.when.iter().all(|when| match when {
            When::Has(slot) => has(*slot),
            When::Lacks(slot) => !has(*slot),
            When::Several(slot) => self.out.all(number, *slot).nth(1).is_some(),
            When::Type(names) => self.is(number, Slot::Type, names),
            When::Class(names) => {
                let class = self.out.get(number, Slot::Type).map(|entry| entry.word(self.s.text()));
                class.is_some_and(|word| matches(word.rsplit(|b| *b == b'.').next().unwrap_or_default(), names))
            }
            When::Spelled(names) => {
                let kind = self.out.get(number, Slot::Type).map(|entry| spelled(&entry.word(self.s.text())));
                kind.is_some_and(|kind| matches(&kind, names))
            }
            When::Thinks => self.out.get(number, Slot::Type).is_some_and(|entry| thinks(entry, self.s.text())),
            When::Is(slot, names) => self.is(number, *slot, names),
            When::Under(slot, name) => {
                let named = |entry: &Entry| entry.key.is(self.s.text(), name);
                has(*slot) && self.out.all(number, *slot).all(named)
            }
            When::Named => !self.out.nodes[number as usize].unnamed,
        })
    }
}

/// A type in lower case, with `/` between its words: `ReasoningStart` and `reasoning.start` are `reasoning/start`.
fn spelled(kind: &[u8]) -> Vec<u8> {
    let (mut out, mut small) = (Vec::with_capacity(kind.len() + 4), false);
    for b in kind {
        let letter = b.is_ascii_alphanumeric() || !b.is_ascii();
        if (!letter || small && b.is_ascii_uppercase()) && out.last().is_some_and(|last| *last != b'/') {
            out.push(b'/');
        }
        out.extend(letter.then(|| b.to_ascii_lowercase()));
        small = b.is_ascii_lowercase();
    }
    out.pop_if(|last| *last == b'/');
    out
}

/// Whether a word of an entry's value, or of a string in it, names reasoning.
fn thinks(entry: &Entry, record: &[u8]) -> bool {
    strings(record, entry.value.start).any(|word| suspect::is_kind(&spelled(&word.decoded(record))))
}
