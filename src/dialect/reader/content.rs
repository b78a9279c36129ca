//! The facts of messages of the chat family, for outputs that build messages anew.

use super::JsonReader;
use super::sender::{envelope, record_inside, send_facts};
use super::shaped::NodeFacts;
use crate::dialect::draft::{Draft, Fact, FactKind, Item, Record, Stretch};
use crate::dialect::formats::chat::{self, row::FACTS};
use crate::dialect::formats::shared::{Holds, holds, signs_call};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{self, Does, Slot};
use crate::frame::Body;
use crate::json::{Token, elements};
use crate::model::content::{self, Attribute, Envelope};
use crate::model::{Event, Loss, Lost, Role, Sink};
use std::ops::Range;

impl JsonReader {
    /// A record of a chat stream that is only an error ends the open message. Returns whether the record is one.
    pub(super) fn chat_error(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> bool {
        let (true, Some(lane)) = (record.items.is_empty() && self.setup.builds(), self.sender.streams.lane(None))
        else {
            return false;
        };
        let walked = &self.chat;
        if walked.nodes.is_empty() || walked.get(0, Slot::Error).is_none_or(|error| error.token != Token::ObjectStart) {
            return false;
        }
        let mut error = Vec::new();
        NodeFacts { shape: &FACTS, walked, record: body.text }.of_end(0, &mut error);
        error.retain(|fact| matches!(fact.what, FactKind::Stop(_) | FactKind::Set(Attribute::Error)));
        envelope(body, Envelope::Stream, sink);
        send_facts(body, &error, lane, sink);
        self.finish(sink);
        true
    }

    /// Whether the record of the chat family stands in another object, which is no line of a batch: what is there stays.
    pub(super) fn is_wrapped(&self) -> bool {
        if self.chat.nodes.is_empty() {
            return false;
        }
        let mut node = chat::body(&self.chat);
        let wrapped = node > 0;
        while let Some(found) = self.chat.nodes.get(node as usize) {
            if self.chat.get(node, Slot::Batch).is_some() {
                return false;
            }
            node = found.parent;
        }
        wrapped
    }

    /// Whether another record may stand beside one that is wrapped: a request beside its response, which is a member to the keys of
    /// chat if it has no reasoning.
    pub(super) fn may_stand_beside(&self, body: &Body<'_>) -> bool {
        let Some(found) = self.chat.nodes.get(chat::body(&self.chat) as usize) else { return false };
        let (before, after) = (&body.text[..found.value.start], &body.text[found.value.end..]);
        self.recogniser.may_hold_records(before) || self.recogniser.may_hold_records(after)
    }

    /// Sends the losses of members around the record in this node, in a line of a batch, which is written anew.
    fn lost_of_batch(&self, body: &Body<'_>, node: u32, sink: &mut dyn Sink) {
        if self.is_wrapped() {
            return;
        }
        let mut around = self.chat.nodes.get(node as usize).map_or(u32::MAX, |found| found.parent);
        while let Some(found) = self.chat.nodes.get(around as usize) {
            let lost = |entry: &&Entry| !entry.is_empty() && !chat::is_of_batch(&entry.key.decoded(body.text));
            for entry in self.chat.all(around, Slot::Unnamed).filter(lost) {
                let at = Some(body.offset(entry.key.start));
                sink.event(&Event::Loss(Lost { loss: Loss::Parameter, at, message: None }));
            }
            around = found.parent;
        }
    }

    /// Which kind of record one of the chat family is, if it has anything of a message.
    fn kind(&self, body: &Body<'_>, record: &Record) -> Option<Envelope> {
        let (text, piece) = (body.text, body.is_event);
        let goes_on = || self.sender.streams.goes_on(record.id(text).as_deref());
        let whole = |draft: &Draft| draft.delta.completion && draft.delta.finished && !piece && !goes_on();
        // A list of messages in another record stays one, if it can.
        let listed = self.inside > 0 && text.trim_ascii_start().starts_with(b"[");
        let listed = listed && self.setup.options.to.as_ref().is_none_or(|to| to.writer.has_messages());
        record.items.iter().find_map(|item| match item {
            Item::Start if listed => Some(Envelope::List),
            Item::Start => Some(Envelope::Request),
            Item::Delta(draft) if whole(draft) => Some(Envelope::Response),
            Item::Choice(_) => Some(Envelope::Response),
            Item::Delta(_) => Some(Envelope::Stream),
            Item::Message(_) | Item::Chunk(_) => Some(Envelope::Message),
            _ => None,
        })
    }

    /// Finds the facts of the messages in a record of the chat family, and sends which kind of record
    /// it is. Returns whether it stands in an object that stays.
    pub(super) fn chat_facts(&self, body: &Body<'_>, record: &mut Record, sink: &mut dyn Sink) -> bool {
        let (text, walked) = (body.text, &self.chat);
        let facts = NodeFacts { shape: &FACTS, walked, record: text };
        let kind = self.kind(body, record);
        let stream = record.items.is_empty() && record.marks.known;
        let Some(kind) = kind.or(stream.then_some(Envelope::Stream)) else { return false };
        let node = chat::body(walked);
        // The messages of a log have lines around them, which are part of their format.
        let inside = matches!(kind, Envelope::Request | Envelope::Response) && self.is_wrapped();
        match inside {
            true => record_inside(body, kind, &walked.nodes[node as usize].value, sink),
            false => envelope(body, kind, sink),
        }
        if matches!(kind, Envelope::Request | Envelope::Response) && node > 0 {
            facts.of_batch(body, node, sink);
            self.lost_of_batch(body, node, sink);
        }
        // The last event of a response has no choice, but may have the token usage.
        if let Some(lane) = self.sender.streams.lane(record.id(text).as_deref()).filter(|_| stream) {
            let mut found = Vec::new();
            facts.of_end(node, &mut found);
            facts.of_response(node, &mut found);
            found.retain(|fact| !matches!(fact.what, FactKind::Stop(_)));
            send_facts(body, &found, lane, sink);
        }
        if kind == Envelope::Request {
            facts.of_request(body, node, sink);
        }
        let responds = matches!(kind, Envelope::Response | Envelope::Stream);
        // The facts that all choices of a response share.
        let (mut response, mut shared) = (None, Vec::new());
        for item in &mut record.items {
            let whole = matches!(item, Item::Message(_) | Item::Choice(_));
            let (Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft)) = item else {
                continue;
            };
            if whole {
                in_order(walked, text, draft);
            }
            if responds {
                let choice = around(walked, draft.node, &[Slot::Inner, Slot::Delta]);
                let node = around(walked, choice, &[Slot::Choices]);
                if response != Some(node) {
                    (response, shared) = (Some(node), Vec::new());
                    facts.of_head(node, &mut shared);
                    facts.of_response(node, &mut shared);
                    shared.extend(failed(walked, node, draft));
                }
                draft.facts.extend_from_slice(&shared);
                if choice != node {
                    facts.of_end(choice, &mut draft.facts);
                    facts.of_response(choice, &mut draft.facts);
                    let failed = failed(walked, choice, draft);
                    draft.facts.extend(failed);
                }
            }
            match record.answer {
                // The members beside it are in no message.
                Some(answer) => {
                    let beside = walked.all_of(0).filter(|entry| !entry.value.contains(&answer.start));
                    draft.facts.extend(beside.filter(|entry| !entry.is_empty()).map(|entry| Fact::member(entry.key)));
                }
                None if draft.delta.completion => (),
                None => of_chat(facts, draft),
            }
        }
        inside
    }
}

/// Finds the facts of a whole message, in the order in which it is built anew.
pub(super) fn facts_of_message(walked: &Walked, record: &[u8], draft: &mut Draft) {
    in_order(walked, record, draft);
    of_chat(NodeFacts { shape: &FACTS, walked, record }, draft);
}

/// Puts the units of a whole message in the order in which it is built anew.
fn in_order(walked: &Walked, record: &[u8], draft: &mut Draft) {
    blocks_apart(walked, record, draft);
    // Reasoning in a field goes before the answer, whatever the order of the members.
    draft.units.sort_by_key(|unit| in_content(unit).is_some());
}

/// Makes a unit of each block of reasoning in a list, so that each keeps its own signature. An object with the number of
/// the one before, and no text, is a part of that block. Lists in which a text goes on in the next object stay as they are.
fn blocks_apart(walked: &Walked, record: &[u8], draft: &mut Draft) {
    let has = |node: u32, what: fn(Holds) -> bool| {
        let mut all = walked.all_of(node).filter(|entry| !entry.is_empty());
        all.any(|entry| holds(&entry.key.decoded(record)).is_some_and(what))
    };
    let is_block = |node: u32| has(node, |holds| matches!(holds, Holds::Text | Holds::Ciphertext));
    let index = |node: u32| walked.get(node, Slot::Index).and_then(|entry| entry.number(record));
    let same = |one: u32, next: u32| index(one).is_some() && index(one) == index(next);
    let goes_on = |two: &[u32]| same(two[0], two[1]) && has(two[1], |holds| matches!(holds, Holds::Text));
    if !draft.units.iter().any(|unit| matches!(unit, Stretch::Deep(..))) {
        return;
    }
    let mut out = Vec::with_capacity(draft.units.len());
    for unit in draft.units.drain(..) {
        let Stretch::Deep(source, at) = &unit else {
            out.push(unit);
            continue;
        };
        let nodes: Vec<u32> = walked.nodes_within(at).collect();
        match nodes.len() > 1 && nodes.iter().all(|node| is_block(*node)) && !nodes.windows(2).any(goes_on) {
            true => {
                let begins = |at: &usize| *at == 0 || !same(nodes[at - 1], nodes[*at]);
                let value = |at: usize| walked.nodes[nodes[at] as usize].value.clone();
                out.extend((0..nodes.len()).filter(begins).map(|at| Stretch::Deep(source, value(at))));
            }
            false => out.push(unit),
        }
    }
    draft.units = out;
}

/// The node that this one stands in, if it is in one of these slots; else itself.
fn around(walked: &Walked, node: u32, slots: &[Slot]) -> u32 {
    let found = &walked.nodes[node as usize];
    if slots.contains(&found.slot) && found.parent != u32::MAX { found.parent } else { node }
}

/// The error of a completion, or of a choice of one, which has no place in a message.
fn failed(walked: &Walked, node: u32, draft: &Draft) -> Option<Fact> {
    let error = walked.get(node, Slot::Error).filter(|entry| draft.delta.completion && !entry.is_empty());
    error.map(|entry| Fact::member(entry.key))
}

/// Where a unit begins, if it is content of its message. Reasoning in a field is none.
fn in_content(unit: &Stretch) -> Option<usize> {
    match unit {
        Stretch::Text(text) => Some(text.start),
        Stretch::Call(at) | Stretch::Deep("part", at) => Some(at.start),
        _ => None,
    }
}

/// Adds the facts of a message of the chat family.
fn of_chat(facts: NodeFacts<'_>, draft: &mut Draft) {
    let NodeFacts { walked, record, .. } = facts;
    let signed = without_signatures_of_calls(walked, record, draft);
    let (node, behind, mut out) = (draft.node, draft.units.len(), Vec::new());
    for (number, unit) in draft.units.iter().enumerate() {
        let Stretch::Deep(_, at) = unit else { continue };
        let under =
            walked.all(node, Slot::Thought).find(|entry| entry.value.start <= at.start && at.end <= entry.value.end);
        // Behind its first object may stand others of its list, which have no unit of their own.
        let next = draft.units[number + 1..].first().map(|next| match next {
            Stretch::Deep(_, next) => next.start,
            _ => 0,
        });
        let end =
            under.map_or(at.end, |under| under.value.end).min(next.filter(|next| *next > at.end).unwrap_or(usize::MAX));
        let under = under.map(|entry| entry.key);
        let own = at.start..end.max(at.end);
        walked.nodes_within(&own).for_each(|node| facts.of_reasoning((node, under), number + 1, &mut out));
    }
    // How many units stand before a part.
    let mut before = 0;
    for (place, part) in walked.children(node, Slot::Content).enumerate() {
        let start = walked.nodes[part as usize].value.start;
        before += draft.units[before..].iter().take_while(|unit| in_content(unit).is_none_or(|at| at < start)).count();
        let Does::Block(kind) = walked.nodes[part as usize].does else { continue };
        if matches!(draft.units.get(before), Some(Stretch::Deep("part", at)) if at.start == start) {
            continue;
        }
        let after = before + usize::from(matches!(kind, shape::Kind::Text | shape::Kind::Refusal));
        facts.block((part, kind), (after, place as u32), &mut out);
        let is_lost = |entry: &&Entry| match kind {
            shape::Kind::Text => !matches!(entry.slot, Slot::Type | Slot::Text | Slot::Shown),
            shape::Kind::Call | shape::Kind::Result => entry.slot == Slot::Unnamed,
            _ => false,
        };
        let lost = walked.all_of(part).filter(is_lost).find(|entry| !entry.is_empty());
        out.extend(lost.map(|entry| Fact::set(after, None, Attribute::Extra, &entry.value)));
    }
    for calls in walked.all(node, Slot::Calls) {
        for (place, call) in walked.nodes_in(calls).enumerate() {
            // Clients record a call that they did not get as an object of empty values.
            if walked.all_of(call).all(Entry::is_empty) {
                continue;
            }
            let number = walked.get(call, Slot::Index).and_then(|entry| entry.number(record));
            let number = number.map_or(place as u32, |number| number as u32);
            facts.block((call, shape::Kind::Call), (behind, number), &mut out);
            let signature = signatures(walked, record, call).into_iter().next();
            out.extend(signature.map(|at| Fact::set(behind, Some(number), Attribute::CallSignature, &at.value)));
            let inner = [Slot::Function, Slot::Called].into_iter().flat_map(|slot| walked.children(call, slot));
            let members = std::iter::once(call).chain(inner).flat_map(|node| walked.all_of(node));
            let lost = members.filter(|entry| entry.slot == Slot::Unnamed && !entry.is_empty());
            out.extend(lost.map(|entry| Fact::member(entry.key)));
        }
    }
    // Some formats have them beside the text.
    for (place, at) in media_beside(walked, record, node).enumerate() {
        let block = Some(place as u32);
        out.push(Fact { after: behind, block, what: FactKind::Block(content::Other::Media), at: at.clone() });
        out.push(Fact::set(behind, block, Attribute::Media, &at));
    }
    let refusal = walked.get(node, Slot::Shown).filter(|entry| entry.literal().is_some() && !entry.is_empty());
    out.extend(refusal.map(|entry| Fact::set(behind, None, Attribute::Refusal, &entry.value)));
    let is_result = draft.role == Some(Role::Tool) && !out.iter().any(Fact::is_result);
    if let Some(content) = chat::content(walked, record, node).filter(|_| is_result) {
        let start = content.value.start;
        out.push(Fact { after: 0, block: Some(0), what: FactKind::Block(content::Other::Result), at: start..start });
        for (slot, name) in [(Slot::ResultOf, Attribute::ResultOf), (Slot::Name, Attribute::Name)] {
            out.extend(walked.get(node, slot).map(|entry| Fact::set(0, Some(0), name, &entry.value)));
        }
        out.push(Fact::set(0, Some(0), Attribute::Result, &content.value));
    }
    // A signature of no text has no place elsewhere.
    let opaque = draft.units.iter().filter(|unit| matches!(unit, Stretch::Opaque(_))).count() > signed;
    let lost = walked.all_of(node).any(|entry| is_lost(walked, entry));
    out.extend((opaque || lost).then(|| Fact::set(behind, None, Attribute::Extra, &draft.object)));
    out.sort_by_key(|fact| fact.after);
    draft.facts.append(&mut out);
}

/// Takes out what calls of a message are signed with, unless it has more without a text: it is a fact of each call, and no block of
/// reasoning. Returns how many such signatures there are.
fn without_signatures_of_calls(walked: &Walked, record: &[u8], draft: &mut Draft) -> usize {
    let calls = walked.all(draft.node, Slot::Calls).flat_map(|calls| walked.nodes_in(calls));
    let signed = calls.map(|call| signatures(walked, record, call).len()).sum();
    let is_opaque = |unit: &Stretch| matches!(unit, Stretch::Opaque(_));
    if signed > 0 && draft.units.iter().filter(|unit| is_opaque(unit)).count() == signed {
        draft.units.retain(|unit| !is_opaque(unit));
    }
    signed
}

/// What Google has signed a call with, where objects beside its function have it.
fn signatures<'a>(walked: &'a Walked, record: &[u8], call: u32) -> Vec<&'a Entry> {
    let inner = walked.children(call, Slot::Copies).flat_map(|node| signatures(walked, record, node));
    let own = walked.all(call, Slot::Thought).filter(|entry| signs_call(record, entry));
    own.chain(inner).collect()
}

/// The images of a message that stand in a list beside its text.
fn media_beside<'a>(walked: &'a Walked, record: &'a [u8], node: u32) -> impl Iterator<Item = Range<usize>> + 'a {
    let lists = walked.all(node, Slot::Media).filter(|entry| entry.token == Token::ArrayStart);
    lists.flat_map(|list| elements(record, list.value.start).map(|(_, at)| at))
}

/// Whether a member of a message has no place in other formats.
fn is_lost(walked: &Walked, entry: &Entry) -> bool {
    use Slot::{Calls, Channel, Content, Copies, Id, Media, Notes, ResultOf, Role, Shown, Thought, Type};
    let node = &walked.nodes[entry.node as usize];
    let record = node.parent == u32::MAX || matches!(node.slot, Slot::Wrapped | Slot::List);
    match entry.slot {
        Calls | Channel | Content | Copies | ResultOf | Role | Shown | Thought | Type => false,
        Id => record && !entry.is_empty(),
        // Counts that programs keep beside each message of a conversation.
        Notes => (record || entry.token == Token::ObjectStart) && !entry.is_empty(),
        Media if entry.token == Token::ArrayStart => false,
        _ => !entry.is_empty(),
    }
}
