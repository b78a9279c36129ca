//! The conditions of cases, and of keys that stand beside others.

use super::walked::{Entry, Walked, slot_bit};
#[cfg(test)]
use crate::dialect::shape::mutation;
use crate::dialect::shape::{Beside, Case, Rows, Slot, State, When, matches};
use crate::dialect::suspect;
use crate::json::{Literal, Token, members, strings};
use std::borrow::Cow;

/// The nodes of a record, and what the conditions of their cases look at besides.
pub(super) struct Conditions<'a> {
    record: &'a [u8],
    /// The name of the event that the record stands in.
    event: &'a [u8],
    walked: &'a Walked,
    number: u32,
    /// The type of the node, which most cases ask for.
    kind: Option<&'a Entry>,
    word: Option<Cow<'a, [u8]>>,
}

impl<'a> Conditions<'a> {
    /// For the node with this number.
    pub fn new((record, event): (&'a [u8], &'a [u8]), walked: &'a Walked, number: u32) -> Self {
        let kind = walked.get(number, Slot::Type);
        Self { record, event, walked, number, kind, word: kind.map(|entry| entry.word(record)) }
    }

    /// The first case of a state that applies to the node, and that one of these rows has.
    pub fn case(&self, state: &'static State, rows: Rows) -> Option<&'static Case> {
        let applies = |case: &&'static Case| {
            let applies = case.rows & rows != 0 && self.apply(case);
            #[cfg(test)]
            let applies = applies && mutation::stands(mutation::RowPart::case(state, case));
            applies
        };
        state.cases_of(self.word.as_deref()).find(applies)
    }

    fn is(&self, slot: Slot, names: &[&str]) -> bool {
        match slot {
            Slot::Type => self.word.as_ref().is_some_and(|word| matches(word, names)),
            _ => self.walked.get(self.number, slot).is_some_and(|entry| matches(&entry.word(self.record), names)),
        }
    }

    /// Whether all conditions of a case are met.
    fn apply(&self, case: &Case) -> bool {
        let number = self.number;
        let has = |slot| self.walked.fills(number, slot);
        case.when.iter().all(|when| match when {
            When::Has(slot) => has(*slot),
            When::Lacks(slot) => !has(*slot),
            When::Several(slot) => self.walked.all(number, *slot).nth(1).is_some(),
            When::Type(names) => self.is(Slot::Type, names),
            When::Class(names) => {
                let class = self.word.as_ref();
                class.is_some_and(|word| matches(word.rsplit(|b| *b == b'.').next().unwrap_or_default(), names))
            }
            When::Spelled(names) => {
                let kind = self.word.as_ref().map(|word| spelled(word));
                kind.is_some_and(|kind| matches(&kind, names))
            }
            When::Thinks => self.kind.is_some_and(|entry| thinks(entry, self.record)),
            When::ThinksIn(slot) => self.walked.all(number, *slot).any(|entry| thinks(entry, self.record)),
            When::Flagged => self.walked.nodes[number as usize].flagged,
            When::Is(slot, names) => self.is(*slot, names),
            When::Under(slot, name) => {
                let named = |entry: &Entry| entry.key.is(self.record, name);
                has(*slot) && self.walked.all(number, *slot).all(named)
            }
            When::Named => !self.walked.nodes[number as usize].unnamed,
            When::Kind(names) if has(Slot::Type) => self.is(Slot::Type, names),
            // The event is that of the record, and not of what is in it.
            When::Kind(names) | When::Event(names) => {
                self.walked.nodes[number as usize].parent == u32::MAX && matches(self.event, names)
            }
            When::Beyond(slots) => {
                let node = &self.walked.nodes[number as usize];
                node.unnamed || node.filled & slots.iter().fold(!0, |rest, slot| rest & !slot_bit(*slot)) != 0
            }
            When::Shared => !self.walked.only,
        })
    }
}

/// The members of an object, for conditions on those beside a key.
pub(super) struct Siblings<'a> {
    text: &'a [u8],
    /// Where the object begins.
    object: usize,
    /// The keys that were asked for: each with its value, if that is a string, and how often the key stands there.
    known: Vec<(&'static str, Option<Literal>, usize)>,
}

impl<'a> Siblings<'a> {
    /// The members of the object that begins at `object`.
    pub fn new(text: &'a [u8], object: usize) -> Self {
        Self { text, object, known: Vec::new() }
    }

    /// Whether the object has the member, once, with one of the words. Readers differ in which of two they take.
    pub fn has(&mut self, beside: &Beside) -> bool {
        let text = self.text;
        let known = self.known.iter().position(|(key, ..)| *key == beside.key).unwrap_or_else(|| {
            let own = members(text, self.object).filter(|(key, ..)| key.is(text, beside.key));
            let found = own.fold((beside.key, None, 0), |(name, _, n), (_, token, _)| match token {
                Token::String(word) => (name, Some(word), n + 1),
                _ => (name, None, n + 1),
            });
            self.known.push(found);
            self.known.len() - 1
        });
        let (_, word, times) = self.known[known];
        times == 1 && (beside.words.is_empty() || word.is_some_and(|word| matches(&word.decoded(text), beside.words)))
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
    // Most types are one word.
    let is_word = |name: &[u8]| name.iter().all(|b| b.is_ascii_lowercase());
    let names = |name: &[u8]| suspect::is_kind(name) || !is_word(name) && suspect::is_kind(&spelled(name));
    strings(record, entry.value.start).any(|word| names(&word.decoded(record)))
}
