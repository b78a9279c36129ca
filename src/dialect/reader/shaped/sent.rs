//! Messages of a log in which several speak: each is a record with its sender, its place, and what it answers. A
//! message of reasoning is reasoning as a whole, and its record goes with it.

use super::{Begins, NodeReader};
use crate::dialect::draft::{Draft, Fact, FactKind, MessagePosition, SentDraft, Stretch};
use crate::dialect::formats::shared::role;
use crate::dialect::read::Walked;
use crate::dialect::shape::{Does, Slot};
use crate::dialect::stream::RestatedParts;
use crate::json::{Literal, Token, elements, is_empty, members, strings};
use crate::model::content::{self, Attribute, Envelope};
use crate::model::{Delivery, Role, SequenceStep, Source};
use std::ops::Range;

/// The source of reasoning that is a message by itself.
const SOURCE: Source = "part";

impl NodeReader<'_> {
    /// Reads a message of such a log.
    pub(super) fn sent(&mut self, node: u32, step: SequenceStep) {
        let walked = self.walked;
        let mut sent = names(walked, self.body.text, node, step);
        let outer = walked.nodes[node as usize].parent;
        sent.delivery = match walked.nodes.get(outer as usize).map(|outer| outer.does) {
            Some(Does::Undelivered) => Delivery::Never,
            Some(Does::Envelope) if self.open.delivered.has(&sent.id) => Delivery::Again,
            _ => Delivery::First,
        };
        self.begins = Some(Begins::Record(Envelope::Line));
        if self.setup.builds() && step == SequenceStep::Other {
            self.facts.payload = true;
            return;
        }
        let goes = step.is_reasoning();
        let mut draft = self.record.draft();
        draft.object = walked.nodes[node as usize].value.clone();
        draft.has.content = true;
        self.fill(node, step, &mut draft);
        draft.role = Some(match step {
            SequenceStep::Say => role(&sent.from).filter(|role| *role != Role::Tool).unwrap_or(Role::Assistant),
            SequenceStep::Result => Role::Tool,
            SequenceStep::Other => Role::System,
            _ => Role::Assistant,
        });
        let standing = if sent.delivery == Delivery::First {
            MessagePosition::Listed
        } else {
            MessagePosition::Snapshot(RestatedParts::ALL)
        };
        draft.shaped.sent = Some(Box::new(sent));
        self.placed(draft, standing);
        (self.facts.stream, self.facts.payload) = (goes, !goes);
    }

    /// Adds the content of the message to its draft.
    fn fill(&self, node: u32, step: SequenceStep, draft: &mut Draft) {
        let walked = self.walked;
        let payload = walked.children(node, Slot::Inner).next();
        let own = walked.literal(node, Slot::Text);
        if self.setup.builds() {
            sent_of(walked, self.body.text, (node, payload), step.is_reasoning(), draft);
        }
        match step {
            _ if step.is_reasoning() => {
                let texts = payload.map(|payload| thoughts(walked, self.body.text, payload)).unwrap_or_default();
                let list = walked.get(node, Slot::Text).filter(|entry| entry.token == Token::ArrayStart);
                let list = list.into_iter().flat_map(|list| strings(self.body.text, list.value.start));
                let filled = own.into_iter().chain(list).chain(texts).filter(|text| text.start < text.end);
                draft.units.extend(filled.map(|text| Stretch::Field(SOURCE, text)));
                if draft.units.is_empty() {
                    draft.units.push(Stretch::Void(SOURCE));
                }
                match element(walked, node).filter(|_| self.element) {
                    Some(at) => draft.shaped.items.push((true, at)),
                    None => draft.cuts.push(walked.nodes[0].value.clone()),
                }
            }
            SequenceStep::Say => {
                let texts = payload.into_iter().flat_map(|payload| walked.all(payload, Slot::Text));
                draft.units.extend(own.into_iter().chain(texts.filter_map(|text| text.literal())).map(Stretch::Text));
            }
            SequenceStep::Call => {
                draft.has.tool = true;
                let params = payload.and_then(|payload| walked.children(payload, Slot::Inner).next());
                let Some(params) = params.or(payload) else { return };
                let value = walked.nodes[params as usize].value.clone();
                draft.units.extend(self.setup.detail.usage.then_some(Stretch::Call(value)));
                if self.setup.detail.members {
                    call_of(walked, (node, payload, params), draft);
                }
            }
            SequenceStep::Result => {
                draft.has.results = true;
                let result = payload.and_then(|payload| walked.get(payload, Slot::Result));
                if self.setup.detail.members {
                    result_of(walked, self.body.text, (node, payload), draft);
                }
                let Some(value) = result.map(|result| result.value.clone()) else { return };
                draft.units.extend(self.setup.detail.usage.then_some(Stretch::Call(value)));
            }
            _ => (),
        }
    }
}

/// The list element that holds a node.
fn element(walked: &Walked, mut node: u32) -> Option<(usize, std::ops::Range<usize>)> {
    while let Some(found) = walked.nodes.get(node as usize) {
        if found.element.is_some() {
            return walked.place(node);
        }
        node = found.parent;
    }
    None
}

/// All texts of an object of reasoning, in order, but not those of members with another meaning.
fn thoughts(walked: &Walked, record: &[u8], node: u32) -> Vec<Literal> {
    let named = walked.all_of(node).filter(|entry| entry.slot != Slot::Text);
    let mut named: Vec<usize> = named.map(|entry| entry.key.start).collect();
    named.sort_unstable();
    let start = walked.nodes[node as usize].value.start;
    let texts = members(record, start).filter(|(key, ..)| named.binary_search(&key.start).is_err());
    texts.flat_map(|(.., at)| strings(record, at.start)).collect()
}

/// The sender of a message, its place, and what it answers.
fn names(walked: &Walked, record: &[u8], node: u32, step: SequenceStep) -> SentDraft {
    let word = |slot| walked.get(node, slot).map(|entry| entry.word(record).into_owned()).unwrap_or_default();
    let mut sent = SentDraft { step, id: word(Slot::Id), from: word(Slot::Name), ..SentDraft::default() };
    if let Some(entry) = walked.get(node, Slot::ResultOf) {
        for word in strings(record, entry.value.start) {
            sent.answers.extend_from_slice(&word.decoded(record));
            sent.answers.push(0);
        }
    }
    let named = |name: Literal| name.start < name.end;
    let to = walked.get(node, Slot::Addressee);
    let addressed = to.is_some_and(|to| strings(record, to.value.start).any(named));
    sent.named = addressed || !sent.from.is_empty() && role(&sent.from).is_none();
    sent.context = context(walked, record, node);
    let word = |node, slot| walked.get(node, slot).map(|entry| entry.word(record).into_owned());
    let payload = walked.children(node, Slot::Inner).next();
    let inner = payload.map(|payload| context(walked, record, payload)).unwrap_or_default();
    match step {
        // If a start has no identifier, or names a context of its own, other messages refer to it by that context.
        SequenceStep::Begin if !inner.is_empty() => sent.name = inner,
        SequenceStep::Begin if sent.id.is_empty() => sent.name = std::mem::take(&mut sent.context),
        _ if sent.context.is_empty() => sent.context = inner,
        _ => (),
    }
    if let (SequenceStep::Call, Some(payload)) = (step, payload) {
        let params = walked.children(payload, Slot::Inner).next();
        let name = params.and_then(|params| word(params, Slot::Name)).or_else(|| word(payload, Slot::Type));
        sent.tool = name.unwrap_or_default();
    }
    sent
}

/// The context that an object names: a path, or an operation with a topic and an identifier.
fn context(walked: &Walked, record: &[u8], node: u32) -> Vec<u8> {
    if let Some(path) = walked.get(node, Slot::Conversation) {
        return path.word(record).into_owned();
    }
    let Some(operation) = walked.children(node, Slot::Operation).next() else { return Vec::new() };
    let topic = walked.get(operation, Slot::Topic).map(|entry| entry.word(record).into_owned());
    let mut path = topic.unwrap_or_default();
    if let Some(entry) = walked.get(operation, Slot::Conversation) {
        let topic = path.clone();
        for id in strings(record, entry.value.start).map(|id| id.decoded(record)).filter(|id| *id != topic) {
            path.extend_from_slice(if path.is_empty() { b"" } else { b"/" });
            path.extend_from_slice(&id);
        }
    }
    path
}

/// Adds the facts of a call that is a message by itself. The identifier stands in the message; the name of the tool and
/// its arguments stand in an object inside of the message.
fn call_of(walked: &Walked, (node, payload, params): (u32, Option<u32>, u32), draft: &mut Draft) {
    let block = Some(draft.facts.len() as u32);
    let start = walked.nodes[node as usize].value.start;
    let name = walked.get(params, Slot::Name).or_else(|| payload.and_then(|payload| walked.get(payload, Slot::Type)));
    let arguments = walked.get(params, Slot::Arguments).map(|entry| entry.value.clone());
    let whole = walked.get(params, Slot::Name).is_none().then(|| walked.nodes[params as usize].value.clone());
    let set = |name, at| Fact { after: 0, block, what: FactKind::Set(name), at };
    let begins = Fact { after: 0, block, what: FactKind::Block(content::Other::Call), at: start..start };
    draft.facts.push(begins);
    draft.facts.extend(walked.get(node, Slot::Id).map(|id| set(Attribute::CallId, id.value.clone())));
    draft.facts.extend(name.map(|name| set(Attribute::Name, name.value.clone())));
    draft.facts.extend(arguments.or(whole).map(|at| set(Attribute::Arguments, at)));
}

/// Adds the facts of a result that is a message by itself.
fn result_of(walked: &Walked, record: &[u8], (node, payload): (u32, Option<u32>), draft: &mut Draft) {
    let block = Some(draft.facts.len() as u32);
    let start = walked.nodes[node as usize].value.start;
    let set = |name, at| Fact { after: 0, block, what: FactKind::Set(name), at };
    let begins = Fact { after: 0, block, what: FactKind::Block(content::Other::Result), at: start..start };
    draft.facts.push(begins);
    // Of several identifiers, the first is that of the call.
    let call = walked.get(node, Slot::ResultOf).and_then(|call| {
        let (word, at) = match call.token {
            Token::ArrayStart => elements(record, call.value.start).next()?,
            word => (word, call.value.clone()),
        };
        matches!(word, Token::String(_)).then_some(at)
    });
    draft.facts.extend(call.map(|at| set(Attribute::ResultOf, at)));
    let result = payload.and_then(|payload| walked.get(payload, Slot::Result).or(walked.get(payload, Slot::Error)));
    draft.facts.extend(result.map(|result| set(Attribute::Result, result.value.clone())));
    if payload.is_some_and(|payload| has_failed(walked, record, payload)) {
        draft.facts.push(Fact { after: 0, block, what: FactKind::Failed, at: start..start });
    }
}

/// Whether the payload of a result, or the result in it, says that the tool has failed.
fn has_failed(walked: &Walked, record: &[u8], payload: u32) -> bool {
    let says = |node: u32| {
        let unsuccessful =
            walked.get(node, Slot::Outcome).is_some_and(|entry| &record[entry.value.clone()] == b"false");
        unsuccessful || walked.get(node, Slot::IsError).is_some()
    };
    let no_result = walked.get(payload, Slot::Result).is_none() && walked.get(payload, Slot::Error).is_some();
    no_result || says(payload) || walked.children(payload, Slot::Result).any(says)
}

/// Adds members of a message of such a log, and of its payload, that other formats do not have. Of reasoning, texts in
/// unknown members are content, and not lost.
fn sent_of(walked: &Walked, record: &[u8], (node, payload): (u32, Option<u32>), thinks: bool, draft: &mut Draft) {
    let own = payload.into_iter().flat_map(|payload| walked.all(payload, Slot::OwnParameter)).map(|entry| &entry.value);
    let carried = |of: u32, at: &Range<usize>| thinks && of != node && matches!(record[at.start], b'"' | b'{' | b'[');
    let nodes = std::iter::once(node).chain(payload);
    let unknown = nodes.flat_map(|of| walked.unknown_of(of).filter(move |(_, at)| !carried(of, at)));
    let mut unknown: Vec<&Range<usize>> = unknown.map(|(_, at)| at).collect();
    unknown.sort_unstable_by_key(|at| at.start);
    for at in own.chain(unknown).filter(|at| !is_empty(&record[at.start..at.end])) {
        draft.facts.push(Fact::set(0, None, Attribute::Extra, at));
    }
}
