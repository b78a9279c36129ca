//! The facts of nodes, for outputs that build messages anew.

mod request;

use super::NodeReader;
use super::values::{comes_later, has_number, has_word, probabilities};
use crate::dialect::draft::{Draft, Fact, FactKind};
use crate::dialect::formats::shared::{Holds, failure_in, holds, is_call, signs_call};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, PairWords, Shape, Slot};
use crate::json::{Literal, Scanner, Token, is_empty, members};
use crate::model::content::{self, Attribute};
use std::ops::Range;

/// Finds the facts of the nodes of a record.
#[derive(Clone, Copy)]
pub(in crate::dialect::reader) struct NodeFacts<'a> {
    pub shape: &'a Shape,
    pub walked: &'a Walked,
    pub record: &'a [u8],
}

impl NodeReader<'_> {
    /// Finds the facts of its nodes.
    pub(super) fn node_facts(&self) -> NodeFacts<'_> {
        NodeFacts { shape: self.shape, walked: self.walked, record: self.body.text }
    }

    /// Adds the signature and the ciphertext of a block of reasoning, for outputs that build messages anew.
    pub(super) fn seals(&self, node: Option<u32>, kind: Kind, draft: &mut Draft) {
        if let Some(node) = node.filter(|_| self.setup.builds()) {
            self.node_facts().of_block(node, kind, draft);
            draft.facts.retain(|fact| !comes_later(&self.body.text[fact.at.clone()]));
        }
    }
}

impl NodeFacts<'_> {
    /// Adds the facts of a message itself.
    pub fn of_message(&self, node: u32, draft: &mut Draft) {
        let Self { walked, .. } = *self;
        let mut facts = Vec::new();
        self.of_head(node, &mut facts);
        if matches!(walked.nodes[node as usize].does, Does::Response | Does::Piece) {
            self.of_response(node, &mut facts);
        }
        draft.facts.splice(0..0, facts);
        self.lost(node, draft.units.len(), &mut draft.facts);
    }

    /// Adds the facts of the block that was added to a draft last.
    pub fn of_block(&self, node: u32, kind: Kind, draft: &mut Draft) {
        let place = (draft.units.len(), draft.facts.len() as u32);
        if kind != Kind::Answered {
            return self.block((node, kind), place, &mut draft.facts);
        }
        self.block((node, Kind::Call), place, &mut draft.facts);
        if self.walked.get(node, Slot::Result).is_some() {
            let place = (draft.units.len(), draft.facts.len() as u32);
            self.block((node, Kind::Result), place, &mut draft.facts);
        }
    }

    /// Adds the facts of a block. `after`: how many units of its message stand before the facts.
    pub fn block(&self, (node, kind): (u32, Kind), (after, number): (usize, u32), out: &mut Vec<Fact>) {
        let Self { walked, .. } = *self;
        let start = walked.nodes[node as usize].value.start;
        self.facts_beside((node, kind), after, out);
        if kind.is_reasoning() {
            self.headings(node, walked.nodes[node as usize].lost, after, out);
        }
        let begins = match kind {
            Kind::Text | Kind::Refusal | Kind::Commentary | Kind::Message => return self.lost(node, after, out),
            Kind::Reasoning(_) | Kind::Sealed(_) => None,
            Kind::Call | Kind::Answered => Some(content::Other::Call),
            Kind::Result => Some(content::Other::Result),
            Kind::Media => Some(content::Other::Media),
            Kind::Hosted | Kind::Other => Some(content::Other::Visible),
            Kind::Step => Some(content::Other::Step),
        };
        // What is lost of a call is not lost of its result again.
        let answers = kind == Kind::Result && self.walked.nodes[node as usize].does == Does::Block(Kind::Answered);
        let block = begins.map(|_| number);
        out.extend(begins.map(|what| Fact { after, block, what: FactKind::Block(what), at: start..start }));
        match kind {
            // Its writer knows what of it is lost.
            Kind::Media => out.push(Fact::set(after, block, Attribute::Media, &walked.nodes[node as usize].value)),
            _ if answers => (),
            Kind::Hosted | Kind::Other => {
                self.lost(node, after, out);
                let kind = walked.get(node, Slot::Type).map(|entry| &entry.value);
                out.extend(kind.map(|kind| Fact::set(after, block, Attribute::Tool, kind)));
                out.push(Fact::set(after, block, Attribute::Media, &walked.nodes[node as usize].value));
            }
            _ => self.lost(node, after, out),
        }
        // Some of it may stand in an object inside. That for another kind of call may be there, and empty.
        let inside = [Slot::Function, Slot::Called, Slot::Answered].into_iter().flat_map(|slot| walked.all(node, slot));
        let mut inside = inside.flat_map(|entry| walked.nodes_in(entry));
        let inner = inside.find(|inner| !walked.all_of(*inner).all(Entry::is_empty));
        let all = |slot| std::iter::once(node).chain(inner).flat_map(move |node| walked.all(node, slot));
        let has = |slot| all(slot).next().is_some();
        if kind == Kind::Call && !has(Slot::Name) && !has(Slot::CallId) {
            let text = all(Slot::Arguments)
                .find(|entry| entry.literal().is_some_and(|text| is_call(&text.decoded(self.record))));
            out.extend(text.map(|text| Fact::set(after, block, Attribute::CallText, &text.value)));
        }
        for (slot, name) in slots_of(kind) {
            let names = matches!(slot, Slot::CallId | Slot::Name);
            let Some(entry) = all(*slot).find(|entry| !names || !entry.is_empty()) else { continue };
            if *name == Attribute::CallSignature && !signs_call(self.record, entry) {
                continue;
            }
            let at = match name {
                // The type of a part of a text says no more than that it is a call.
                Attribute::Tool
                    if all(Slot::Name).next().is_some() || walked.nodes[node as usize].slot == Slot::Content =>
                {
                    continue;
                }
                Attribute::CallId if *slot != Slot::CallId && all(Slot::CallId).any(|entry| !entry.is_empty()) => {
                    continue;
                }
                // A number says which block an event is of, and nothing else.
                Attribute::CallId if *slot == Slot::Index && entry.literal().is_none() => continue,
                Attribute::SealedBy if *slot == Slot::SealedBy => entry.value.clone(),
                Attribute::Free | Attribute::SealedBy => entry.key.start - 1..entry.key.end + 1,
                // Where the object around it says that it is a result, nothing else says that it failed.
                Attribute::Result if walked.get(node, Slot::Answered).is_some() => {
                    let error = failure_in(self.record, entry.value.start);
                    out.extend(error.clone().map(|at| Fact { after, block, what: FactKind::Failed, at }));
                    error.unwrap_or_else(|| entry.value.clone())
                }
                _ => entry.value.clone(),
            };
            let what = match (name, self.pairs_of(entry)) {
                // A word for it.
                (Attribute::IsError, _) if entry.literal().is_some() => FactKind::Failed,
                (_, Some(words)) => FactKind::Pairs(*name, words),
                _ => FactKind::Set(*name),
            };
            out.push(Fact { after, block, what, at });
        }
    }

    /// Adds what a block has beside its text.
    fn facts_beside(&self, (node, kind): (u32, Kind), after: usize, out: &mut Vec<Fact>) {
        for (slot, name, counts) in [
            (Slot::Citations, Attribute::Citations, true),
            (Slot::Text, Attribute::Refusal, kind == Kind::Refusal),
            (Slot::Shown, Attribute::Refusal, kind == Kind::Refusal),
            (Slot::Phase, Attribute::Extra, kind == Kind::Message),
        ] {
            let entry = self.walked.get(node, slot).filter(|_| counts);
            out.extend(entry.map(|entry| Fact::set(after, None, name, &entry.value)));
        }
    }

    /// The words of the pairs that an object is written as, if it is.
    fn pairs_of(&self, entry: &Entry) -> Option<&'static PairWords> {
        let is_list = entry.token == Token::ObjectStart && self.record[entry.value.start] == b'[';
        self.walked.pairs.filter(|_| is_list)
    }

    /// Adds what programs show of a block of reasoning beside its text. It has no place in other formats. `lost`: the facts
    /// say already that something of the block has none.
    pub fn headings(&self, node: u32, lost: bool, after: usize, out: &mut Vec<Fact>) {
        let filled = self.walked.all(node, Slot::Heading).filter(|entry| !entry.is_empty());
        let before = out.len();
        out.extend(filled.map(|entry| Fact::set(after, None, Attribute::Heading, &entry.value)));
        if out.len() > before && !lost {
            out.push(Fact::set(after, None, Attribute::Extra, &self.walked.nodes[node as usize].value));
        }
    }

    /// Adds the facts of an object of reasoning: what stands beside its text. `under`: the key that it stands under.
    pub fn of_reasoning(&self, (node, under): (u32, Option<Literal>), after: usize, out: &mut Vec<Fact>) {
        let Self { walked, record, .. } = *self;
        let (mut lost, mut sealed) = (None, false);
        let aside = |slot: Slot| matches!(slot, Slot::Type | Slot::Index | Slot::SealedBy | Slot::Id);
        let says = |entry: &&Entry| !entry.is_empty() && !aside(entry.slot);
        for entry in walked.all_of(node).filter(says) {
            let name = match (holds(&entry.key.decoded(record)), entry.token) {
                // Its text, or the flag that it is one.
                (Some(Holds::Text), _) => continue,
                (Some(Holds::Signature), Token::String(_)) => Attribute::Signature,
                (Some(Holds::Ciphertext), Token::String(_)) => Attribute::Ciphertext,
                (Some(Holds::Hidden), Token::True) => Attribute::Hidden,
                (Some(Holds::SourceField), Token::String(_)) => Attribute::SourceField,
                _ => {
                    lost = lost.or(Some(&entry.value));
                    continue;
                }
            };
            sealed |= matches!(name, Attribute::Signature | Attribute::Ciphertext);
            out.push(Fact::set(after, None, name, &entry.value));
        }
        let filled = |slot: Slot| walked.get(node, slot).filter(|entry| !entry.is_empty()).map(|entry| &entry.value);
        let (by, id) = (filled(Slot::SealedBy), filled(Slot::Id));
        let under = under.map(|key| key.start - 1..key.end + 1).filter(|_| sealed);
        out.extend(by.or(under.as_ref()).map(|at| Fact::set(after, None, Attribute::SealedBy, at)));
        out.extend(id.map(|at| Fact::set(after, None, Attribute::BlockId, at)));
        // The format of a sealed block is known to the targets that have a place for the seal.
        let own = id.or(by.filter(|_| !sealed)).map(|at| (Attribute::Identity, at));
        let lost = lost.map(|at| (Attribute::Extra, at)).or(own);
        out.extend(lost.map(|(name, at)| Fact::set(after, None, name, at)));
    }

    /// Adds what identifies a message, how it ended and what it cost.
    pub fn of_head(&self, node: u32, out: &mut Vec<Fact>) {
        let Self { walked, record, .. } = *self;
        for (slot, name) in [(Slot::Id, Attribute::Id), (Slot::Model, Attribute::Model)] {
            if let Some(entry) = walked.get(node, slot).filter(|entry| entry.literal().is_some()) {
                out.push(Fact::set(0, None, name, &entry.value));
            }
        }
        if let Some(entry) = walked.get(node, Slot::Created).filter(|entry| &record[entry.value.clone()] != b"0") {
            out.push(Fact::set(0, None, Attribute::Created, &entry.value));
        }
        self.of_end(node, out);
    }

    /// Adds members of a response, or of one of its choices, beside its message that other formats do not have.
    pub fn of_response(&self, node: u32, out: &mut Vec<Fact>) {
        use Slot::{ForeignParameter, Limit, OwnParameter, Parameter, Probabilities, System, Template, Tools, Unnamed};
        let Self { shape, walked, record } = *self;
        let slots = [OwnParameter, Parameter, Limit, System, Tools, Template, ForeignParameter, Probabilities, Unnamed];
        let named = slots.into_iter().flat_map(|slot| walked.all(node, slot)).map(|entry| (entry.key, &entry.value));
        // Some providers have the stop reason of another one beside it, which often is the same.
        let stop = walked.get(node, Slot::Stop).map(|stop| &record[stop.value.clone()]);
        let outer =
            |node: &u32| walked.nodes.get(*node as usize).map(|found| found.parent).filter(|at| *at != u32::MAX);
        let all = std::iter::successors(Some(node), outer);
        // The objects around it do not stay, either; a line of a batch is written anew.
        let batch = all.clone().any(|node| walked.get(node, Slot::Batch).is_some());
        let unknown = all.take(if batch { 1 } else { usize::MAX }).flat_map(|node| walked.unknown_of(node));
        for (key, at) in named.chain(unknown).filter(|(_, at)| Some(&record[(*at).clone()]) != stop) {
            let value: Vec<u8> = record[at.clone()].iter().filter(|b| !b.is_ascii_whitespace()).copied().collect();
            let is_usual = |(name, values): &(&str, &[&str])| {
                let says_nothing = values.is_empty() || values.iter().any(|usual| usual.as_bytes() == value);
                key.is(record, name) && says_nothing
            };
            out.extend((!is_empty(&value) && !shape.usual.iter().any(is_usual)).then(|| Fact::member(key)));
        }
    }

    /// Adds members of the token usage that other formats do not have.
    fn billed(&self, at: Range<usize>, out: &mut Vec<Fact>) {
        let Self { shape, record, .. } = *self;
        if shape.billed.is_empty() {
            return;
        }
        for (key, _, at) in members(record, at.start) {
            let known = shape.billed.iter().find(|(name, _)| key.is(record, name));
            let value = &record[at];
            let counts = |(_, word): &&(&str, &str)| match value.first() {
                Some(b'"') => &value[1..value.len() - 1] != word.as_bytes(),
                _ => has_number(value),
            };
            out.extend(known.filter(counts).map(|_| Fact::member(key)));
        }
    }

    /// Notes that a node has members that other formats do not have.
    pub fn lost(&self, node: u32, after: usize, out: &mut Vec<Fact>) {
        let Self { walked, .. } = *self;
        let instructed = walked.children(node, Slot::Marks).next().is_some() || probabilities(walked, node).is_some();
        let node = &walked.nodes[node as usize];
        if node.lost || instructed {
            out.push(Fact::set(after, None, Attribute::Extra, &node.value));
        }
    }

    /// Adds the stop reason of a message and its token usage.
    pub fn of_end(&self, node: u32, out: &mut Vec<Fact>) {
        let Self { shape, walked, record } = *self;
        if let Some(entry) = walked.get(node, Slot::Stop) {
            let word = entry.word(record);
            let stop = shape.stops.iter().find(|(name, _)| name.as_bytes() == &*word);
            let details = walked.get(node, Slot::StopDetails).map_or(&b""[..], |entry| &record[entry.value.clone()]);
            let filters = shape.stops.iter().filter(|(_, stop)| *stop == content::Stop::Filter);
            let filtered = filters.into_iter().any(|(word, _)| has_word(details, word));
            let named = stop.is_some() || shape.states.iter().any(|state| state.as_bytes() == &*word);
            // In lines of a log, an unknown stop reason is no loss: they have no place for one.
            let unknown = !named && !word.is_empty() && !shape.log;
            let stop = stop.map(|(_, stop)| if filtered { content::Stop::Filter } else { *stop });
            out.extend(stop.map(|stop| Fact { after: 0, block: None, what: FactKind::Stop(stop), at: 0..0 }));
            let fact = |at| Fact::set(0, None, Attribute::StopDetail, at);
            out.extend(Some(entry).filter(|_| unknown).map(|entry| fact(&entry.value)));
            let text = walked.get(node, Slot::StopText).filter(|entry| !comes_later(&record[entry.value.clone()]));
            out.extend(text.map(|entry| fact(&entry.value)));
        }
        let error = walked.get(node, Slot::Error).filter(|error| match error.token {
            Token::String(_) => !error.is_empty(),
            token => token == Token::ObjectStart,
        });
        if let Some(error) = error {
            // A stop reason beside it says more.
            if walked.get(node, Slot::Stop).is_none() {
                out.push(Fact { after: 0, block: None, what: FactKind::Stop(content::Stop::Error), at: 0..0 });
            }
            out.push(Fact::set(0, None, Attribute::Error, &error.value));
        }
        for usage in walked.all(node, Slot::Usage).filter(|entry| entry.token == Token::Number) {
            let name = shape.used.iter().find(|(known, _)| usage.key.is(record, known)).map(|(_, name)| *name);
            out.extend(name.map(|name| Fact::set(0, None, name, &usage.value)));
        }
        if let Some(usage) = walked.get(node, Slot::Usage).filter(|entry| entry.token != Token::Number) {
            self.used(usage.value.clone(), out);
            self.billed(usage.value.clone(), out);
        }
    }

    /// Adds the token counts of an object, at any depth. Of several, the outermost counts, and the largest of these: parts of a
    /// count stand inside of the whole, and what is billed beside what was used.
    fn used(&self, at: Range<usize>, out: &mut Vec<Fact>) {
        let Self { shape, record, .. } = *self;
        let mut s = Scanner::within(record, at.start);
        let (mut name, mut depth) = (None, 0_usize);
        let mut found: Vec<(Attribute, usize, Range<usize>)> = Vec::new();
        let count = |at: &Range<usize>| String::from_utf8_lossy(&record[at.clone()]).parse().unwrap_or(0.0_f64);
        loop {
            match s.token() {
                Ok(Token::Key(key)) => {
                    name = shape.used.iter().find(|(known, _)| key.is(record, known)).map(|(_, name)| *name);
                }
                Ok(Token::Number) => {
                    let (Some(name), at) = (name.take(), s.from()..s.at()) else { continue };
                    match found.iter_mut().find(|(known, ..)| *known == name) {
                        Some((_, of, known)) if depth < *of || depth == *of && count(&at) > count(known) => {
                            (*of, *known) = (depth, at);
                        }
                        Some(_) => (),
                        None => found.push((name, depth, at)),
                    }
                }
                Ok(Token::ObjectStart | Token::ArrayStart) => depth += 1,
                Ok(Token::ObjectEnd | Token::ArrayEnd) => depth = depth.saturating_sub(1),
                Ok(Token::End) | Err(_) => break,
                Ok(_) => (),
            }
        }
        out.extend(found.into_iter().map(|(name, _, at)| Fact::set(0, None, name, &at)));
    }
}

/// The slots of a block whose values are facts, each with what it is.
fn slots_of(kind: Kind) -> &'static [(Slot, Attribute)] {
    match kind {
        Kind::Reasoning(_) | Kind::Sealed(_) => &[
            (Slot::Signature, Attribute::Signature),
            (Slot::Seal, Attribute::Signature),
            (Slot::Ciphertext, Attribute::Ciphertext),
            (Slot::SealedUnder, Attribute::SealedBy),
            (Slot::SealedBy, Attribute::SealedBy),
        ],
        // The arguments may be one of several pieces, so that all else goes before them.
        Kind::Call => &[
            (Slot::Type, Attribute::Tool),
            (Slot::CallId, Attribute::CallId),
            // Some calls have it under the key of their result.
            (Slot::ResultOf, Attribute::CallId),
            // Some events name their block by the identifier of the call.
            (Slot::Index, Attribute::CallId),
            (Slot::Name, Attribute::Name),
            (Slot::Input, Attribute::Free),
            (Slot::Seal, Attribute::CallSignature),
            (Slot::Arguments, Attribute::Arguments),
            (Slot::Input, Attribute::Arguments),
        ],
        Kind::Result => &[
            (Slot::ResultOf, Attribute::ResultOf),
            (Slot::CallId, Attribute::ResultOf),
            // Some results have the identifier of their call in place of their own.
            (Slot::Id, Attribute::ResultOf),
            (Slot::Name, Attribute::Name),
            (Slot::Result, Attribute::Result),
            (Slot::List, Attribute::Result),
            (Slot::IsError, Attribute::IsError),
        ],
        _ => &[],
    }
}
