//! One pass over a record by the shape of its format: makes nodes, each with its place and its meaning.
//!
//! The functions call each other as deep as the shape nests, and never deeper than [`MAX_NODE_DEPTH`].

mod meaning;
mod pairs;
mod paths;
mod values;

pub(in crate::dialect) use pairs::object as object_of_pairs;

use super::conditions::Siblings;
use super::known::OUTERMOST;
use super::searched::SearchedMembers;
use super::walked::{NO_ENTRY, Node, UnnamedMember, Walked};
use crate::dialect::shape::{Does, Found, Rows, Slot, State, To, bit};
use crate::dialect::suspect;
use crate::error::Error;
use crate::json::{Literal, Scanner, Token, members};
use std::ops::Range;

/// The most levels that nodes nest: some formats have each message in the one that it answers.
const MAX_NODE_DEPTH: usize = 64;

/// Walks `record`, which stands in an event of this name, into `out`. `plain`: no delimiter is made of letters and
/// digits alone. Members that are `searched` need not be searched again.
pub(in crate::dialect) fn walk(
    (record, event): (&[u8], &[u8]),
    state: &'static State,
    (plain, searched): (bool, &mut SearchedMembers),
    out: &mut Walked,
) -> Result<(), Error> {
    walk_as::<true>((record, event), state, (plain, searched), Rows::MAX, out)
}

/// The same by the keys of some of the rows that share the states. `ALIKE`: notes what is needed to recognise
/// and to compare records.
pub(in crate::dialect) fn walk_as<const ALIKE: bool>(
    (record, event): (&[u8], &[u8]),
    state: &'static State,
    (plain, searched): (bool, &mut SearchedMembers),
    rows: Rows,
    out: &mut Walked,
) -> Result<(), Error> {
    out.nodes.clear();
    out.entries.clear();
    out.free_values.clear();
    out.rest.clear();
    out.unknown.clear();
    out.outermost.clear();
    out.scattered.clear();
    (out.pairs, out.too_deep) = (None, None);
    out.sure = false;
    out.shape_hash = 0;
    let mut walk = Walk::<ALIKE> { s: Scanner::new(record)?, event, out, plain, searched, rows, twice: Vec::new() };
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
    out.scattered.sort_by_key(|(node, ..)| *node);
    Ok(())
}

struct Walk<'a, 'o, const ALIKE: bool> {
    s: Scanner<'a>,
    event: &'a [u8],
    out: &'o mut Walked,
    plain: bool,
    searched: &'o mut SearchedMembers,
    rows: Rows,
    /// Open nodes that have several types: the number of the node, once for each type behind the first.
    twice: Vec<u32>,
}

impl<const ALIKE: bool> Walk<'_, '_, ALIKE> {
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
            flagged: false,
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
        self.settle(state, number, rest);
        Ok(())
    }

    /// Says what a node means whose members were walked. `rest`: how many members were to be searched before.
    fn settle(&mut self, state: &'static State, number: u32, rest: usize) {
        if !ALIKE && state.cases.is_empty() {
            // What its nodes are is decided by who reads them.
            while self.twice.pop_if(|node| *node == number).is_some() {}
            return;
        }
        let (found, does) = self.meaning(state, number);
        self.out.sure |= found.is_some_and(|case| case.sure);
        if ALIKE {
            let case = found.map_or(0, |case| std::ptr::from_ref(case) as usize as u64);
            self.out.alike(case);
            let Node { parent, slot, ref element, .. } = self.out.nodes[number as usize];
            self.out.alike(u64::from(parent) << 16 | (slot as u64) << 8 | u64::from(element.is_some()));
        }
        let start = self.out.nodes[number as usize].value.start;
        self.out.nodes[number as usize].does = does;
        if matches!(does, Does::Rest | Does::Unread) && !state.cases.is_empty() {
            // The node has no meaning, so that it is searched as a whole instead of by its members.
            self.out.rest.truncate(rest);
            self.out.rest.push(UnnamedMember {
                node: number,
                key: None,
                value: start,
                end: self.s.at(),
                searched: false,
            });
        }
    }

    fn members(&mut self, state: &'static State, number: u32, depth: usize) -> Result<(), Error> {
        let object = self.s.from();
        let (mut siblings, mut paths) = (Siblings::new(self.s.text(), object), paths::Paths::default());
        let mut places = Vec::new();
        while let Some((key, start, token)) = self.s.member()? {
            if ALIKE && depth == 0 && self.out.outermost.len() < OUTERMOST {
                self.out.outermost.push((key, if let Token::String(word) = token { Some(word) } else { None }));
            }
            let name = key.decoded(self.s.text());
            if state.paths {
                places.push(key.start - 1);
                if paths.has(state, self.rows, &name) {
                    let (value, whole) = (start..start, key.start - 1..start);
                    paths.add(paths::PathMember { path: name.to_vec(), key, token, value, whole });
                    self.pass(token, false)?;
                    paths.ends(self.s.at());
                    continue;
                }
            }
            let Some(found) = state.find(&name, bit(token), self.rows, |beside| siblings.has(beside)) else {
                self.unnamed(number, (key, token), start)?;
                continue;
            };
            if let To::Is(slot) = found.to {
                if slot == Slot::Type && self.out.fills(number, Slot::Type) {
                    self.twice.push(number);
                }
                // The walk depends on these values.
                let free = !found.decides;
                let odd = match found.name {
                    true => self.name(token, free)?,
                    false => self.pass(token, free).map(|()| self.is_unread(slot, (key, token)))?,
                };
                let entry = self.entry((number, slot), found, (key, token), start..self.s.at());
                self.out.entries[entry].odd = odd;
                continue;
            }
            self.inner(found, number, (key, token, start), depth)?;
        }
        if state.paths {
            self.paths((state, number), object, (paths, places), depth);
        }
        Ok(())
    }

    /// Notes a value that stands deeper than nodes are walked.
    fn deeper(&mut self, number: u32, (key, token, start): (Literal, Token, usize)) -> Result<(), Error> {
        self.s.skip(token)?;
        self.rest(number, Some(key), token, start);
        let holds = matches!(token, Token::ObjectStart | Token::ArrayStart);
        self.out.too_deep = self.out.too_deep.or(holds.then_some(start));
        Ok(())
    }

    /// Walks the value of a member that fills no slot with it alone.
    fn inner(
        &mut self,
        found: &Found,
        number: u32,
        (key, token, start): (Literal, Token, usize),
        depth: usize,
    ) -> Result<(), Error> {
        let inner = self.out.entries.len();
        match found.to {
            To::Pass => return self.pass(token, !found.chooses),
            To::Record => {
                // What stands under the name of reasoning is reasoning, whatever it looks like.
                let named = found.any && suspect::names_reasoning(&key.decoded(self.s.text()));
                if named || !may_be_record(token, self.s.text()) {
                    return self.unnamed(number, (key, token), start);
                }
                self.pass(token, false)?;
                self.entry((number, Slot::Record), found, (key, token), start..self.s.at());
                return Ok(());
            }
            To::Lost => {
                self.pass(token, !found.chooses)?;
                self.lose(number, start);
                return Ok(());
            }
            To::Search => {
                self.pass(token, token == Token::Number && !found.chooses)?;
                self.rest(number, Some(key), token, start);
                self.lose(number, start);
                return Ok(());
            }
            To::Pairs(words, inner) => return self.pairs(words, (inner, number), depth),
            To::Same(_) if depth >= MAX_NODE_DEPTH => return self.deeper(number, (key, token, start)),
            To::Same(inner) if token == Token::ArrayStart => return self.flat(inner, number, depth),
            To::Same(inner) => return self.members(inner, number, depth + 1),
            To::One(..) | To::Each(..) | To::Either(..) if depth >= MAX_NODE_DEPTH => {
                return self.deeper(number, (key, token, start));
            }
            To::Is(slot) | To::Into(slot, _) | To::One(slot, _) | To::Either(slot, ..) | To::Each(slot, _) => {
                self.entry((number, slot), found, (key, token), start..start);
            }
        }
        match found.to {
            To::Into(_, state) => self.members(state, number, depth + 1)?,
            To::One(slot, state) if matches!(token, Token::String(_)) => {
                self.said(state, (number, slot), token, None)?;
            }
            To::One(slot, state) => self.node(state, number, slot, None, depth + 1)?,
            To::Either(slot, with_role, without) => {
                let state = if self.has_role(start, with_role) { with_role } else { without };
                self.node(state, number, slot, None, depth + 1)?;
            }
            To::Each(slot, state) => self.list(number, slot, state, depth + 1)?,
            _ => (),
        }
        let entry = &mut self.out.entries[inner];
        entry.value.end = self.s.at();
        // The members of an object that is walked into are looked at one by one.
        let walked = matches!(found.to, To::Into(..));
        if ALIKE && found.name && !walked {
            entry.odd = !suspect::is_counts(&self.s.text()[entry.value.clone()]);
            self.only_words(start);
        }
        Ok(())
    }

    /// Walks the objects of a list whose `[` was scanned, each as more of the same node.
    fn flat(&mut self, state: &'static State, number: u32, depth: usize) -> Result<(), Error> {
        while let Some(token) = self.s.element()? {
            let start = self.s.from();
            match token {
                Token::ObjectStart => self.members(state, number, depth + 1)?,
                token => {
                    self.s.skip(token)?;
                    self.rest(number, None, token, start);
                }
            }
        }
        Ok(())
    }

    /// Whether the object that begins here has a member in [`Slot::Role`] of this state.
    fn has_role(&self, at: usize, state: &'static State) -> bool {
        let text = self.s.text();
        members(text, at).any(|(key, token, _)| {
            let found = state.find(&key.decoded(text), bit(token), self.rows, |_| false);
            found.is_some_and(|found| matches!(found.to, To::Is(Slot::Role)))
        })
    }

    /// Walks the elements of a list whose `[` was scanned.
    fn list(&mut self, parent: u32, slot: Slot, state: &'static State, depth: usize) -> Result<(), Error> {
        let (list, mut last) = (self.s.at() - 1, self.s.at());
        while let Some(token) = self.s.element()? {
            match token {
                Token::ObjectStart => self.node(state, parent, slot, Some((list, last)), depth)?,
                Token::ArrayStart if state.nested && depth < MAX_NODE_DEPTH => {
                    self.list(parent, slot, state, depth + 1)?
                }
                token @ Token::String(_) if state.string.is_some() => {
                    self.said(state, (parent, slot), token, Some((list, last)))?;
                }
                token => {
                    let start = self.s.from();
                    let number = self.open(parent, slot, start, Some((list, last)));
                    self.s.skip(token)?;
                    self.close(number);
                    self.alike_element(parent, slot);
                    self.rest(number, None, token, start);
                }
            }
            last = self.s.at();
        }
        Ok(())
    }

    /// Adds a string as a node, with the meaning that strings have in this state.
    fn said(
        &mut self,
        state: &'static State,
        (parent, slot): (u32, Slot),
        token: Token,
        element: Option<(usize, usize)>,
    ) -> Result<(), Error> {
        let (start, does) = (self.s.from(), state.string.unwrap_or(Does::Rest));
        let number = self.open(parent, slot, start, element);
        self.pass(token, true)?;
        self.close(number);
        self.out.nodes[number as usize].does = does;
        // It has no key of its own.
        let key = Literal { start, end: start, escaped: false };
        self.out.add(number, Slot::Text, (key, token), start..self.s.at());
        self.alike_element(parent, slot);
        Ok(())
    }

    /// Adds a value. Returns its number.
    #[inline(always)]
    fn entry(
        &mut self,
        (node, slot): (u32, Slot),
        found: &Found,
        (key, token): (Literal, Token),
        value: Range<usize>,
    ) -> usize {
        if ALIKE {
            // What is searched of a record depends on its keys, too.
            self.out.alike((std::ptr::from_ref(found) as usize as u64) << 8 | u64::from(bit(token)));
            self.out.alike(u64::from(node));
            if found.any {
                key.raw(self.s.text()).iter().for_each(|b| self.out.alike(u64::from(*b)));
            }
        }
        self.out.add(node, slot, (key, token), value)
    }

    /// Notes an element that is no object.
    fn alike_element(&mut self, parent: u32, slot: Slot) {
        if ALIKE {
            self.out.alike(u64::from(parent) << 16 | (slot as u64) << 8 | 2);
        }
    }
}

/// Whether a value may be a record: an object, a list, or a string that begins like one of them or like a stream of events. A
/// text in brackets is none.
fn may_be_record(token: Token, record: &[u8]) -> bool {
    let Token::String(word) = token else { return true };
    let text = word.decoded(record);
    if crate::frame::sse::is_stream(&text) {
        return true;
    }
    let mut bytes = text.iter().filter(|b| !b.is_ascii_whitespace());
    match (bytes.next(), bytes.next()) {
        (Some(b'{'), next) => matches!(next, None | Some(b'"' | b'}')),
        (Some(b'['), next) => matches!(next, None | Some(b'{' | b'[' | b'"' | b']')),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::shape::{ANY, STRING, When, case, is, one, state, sure};

    static RECORD: State = state(
        "record",
        &[
            is("type", STRING, Slot::Type),
            is("id", STRING, Slot::Id),
            is("text", STRING, Slot::Text),
            is("seq", ANY, Slot::Index),
            one("inner", Slot::Inner, &RECORD),
        ],
        &[
            case(&[When::Shared, When::Lacks(Slot::Id), When::Beyond(&[Slot::Type, Slot::Text])], Does::Unclear),
            sure(&[When::Kind(&["token", "del*"])], Does::Feed(None)),
            case(&[], Does::Nothing),
        ],
    );

    fn does(record: &str, event: &str, only: bool) -> Vec<Does> {
        let mut walked = Walked { only, ..Walked::default() };
        let searched = &mut SearchedMembers::default();
        walk((record.as_bytes(), event.as_bytes()), &RECORD, (true, searched), &mut walked).unwrap();
        walked.nodes.iter().map(|node| node.does).collect()
    }

    #[test]
    fn the_name_of_an_event_is_the_type_of_a_record_without_one() {
        for (record, event, want) in [
            (r#"{"type":"token"}"#, "", Does::Feed(None)),
            (r#"{"type":"delta"}"#, "", Does::Feed(None)),
            (r#"{"text":"a"}"#, "token", Does::Feed(None)),
            (r#"{"text":"a"}"#, "delta", Does::Feed(None)),
            (r#"{"text":"a"}"#, "", Does::Nothing),
            (r#"{"type":"other"}"#, "token", Does::Nothing),
            (r#"{"type":5}"#, "token", Does::Unclear),
        ] {
            assert_eq!(does(record, event, false), [want], "{record} in {event}");
        }
        // The event is not that of what the record holds.
        assert_eq!(does(r#"{"id":"a","inner":{"text":"b"}}"#, "token", false), [Does::Feed(None), Does::Nothing]);
    }

    #[test]
    fn members_beyond_those_that_are_expected() {
        for (record, want) in [
            (r#"{"type":"token","text":"a"}"#, Does::Feed(None)),
            (r#"{"type":"token","text":"a","seq":1}"#, Does::Unclear),
            (r#"{"type":"token","text":"a","more":1}"#, Does::Unclear),
            (r#"{"type":"token","text":"a","more":1,"id":"x"}"#, Does::Feed(None)),
        ] {
            assert_eq!(does(record, "", false), [want], "{record}");
            assert_eq!(does(record, "", true), [Does::Feed(None)], "{record}, if only this format is read");
        }
    }
}
