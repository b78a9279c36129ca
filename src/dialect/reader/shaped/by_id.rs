//! Events that name the response that they belong to: several responses interleave, and each event goes to the open one
//! with its identifier, or without one to the latest.

use super::repeats::text_of;
use super::{JsonReader, Run, facts, members, nodes};
use crate::dialect::draft::{Draft, Fact, Item, Unit, What};
use crate::dialect::formats::shared::logged;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::reader::{MessagePosition, send_facts};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::dialect::stream::{Known, Outside};
use crate::frame::Body;
use crate::json::{Literal, Token, is_empty, text};
use crate::model::content::{self, Attribute, Stop};
use crate::model::{Event, Role, Sink};
use std::borrow::Cow;
use std::ops::Range;

impl JsonReader<'_> {
    /// Reads an event that names its response.
    pub(super) fn event_by_id(&mut self, body: &Body<'_>, run: &mut Run<'_>, node: u32, sink: &mut dyn Sink) {
        let (walked, does) = (run.walked, run.walked.nodes[node as usize].does);
        let id = identifier(walked, body.text, node);
        let id = id.as_deref();
        let mut draft = run.record.draft();
        draft.object = walked.nodes[node as usize].value.clone();
        draft.delta.restated = true;
        let (kind, spoken) = match does {
            Does::Feed(kind) | Does::Repeat(kind) => (kind, None),
            Does::EndWith => (Some(Kind::Text), last_text(walked, body.text, node)),
            _ => (None, None),
        };
        let thinks = kind.filter(|kind| kind.is_reasoning());
        units(run, body.text, node, kind, &mut draft);
        draft.delta.aside = kind == Some(Kind::Commentary);
        draft.has.tool = kind == Some(Kind::Call);
        if let Some(answer) = spoken {
            // The other texts of the event repeat it. Its reasoning goes before it, whatever the order of the members.
            draft.units.retain(|unit| !matches!(unit, Unit::Text(_)));
            draft.units.push(Unit::Text(answer));
        }
        if self.builds() {
            // Where the event stands identifies a call that has no number of its own.
            of_event(run, body.text, node, (kind, body.offset(0) as u32), &mut draft.facts);
        }
        let text_only = thinks.is_some() || matches!(kind, Some(Kind::Text | Kind::Commentary));
        let more = walked.get(node, Slot::Media).is_some();
        run.facts.payload = does == Does::EndWith || !text_only || more;
        match does {
            Does::Feed(_) => self.news(body, run, id, &draft, sink),
            Does::Repeat(_) => self.again(body, run, id, &draft, sink),
            Does::EndWith => {
                draft.role = Some(Role::Assistant);
                self.again(body, run, id, &draft, sink);
                let others = walked.all(node, Slot::Text).filter_map(Entry::literal);
                let others = others.filter(|text| spoken.is_none_or(|answer| answer.start != text.start));
                let others: Vec<(Literal, Option<Range<usize>>)> = others.map(|text| (text, None)).collect();
                if !others.is_empty() {
                    self.repeated_text(body, run, 0, others, sink);
                }
            }
            _ => (),
        }
        let over = matches!(does, Does::EndWith | Does::End);
        run.facts.stream = !matches!(does, Does::Amend);
        if let (Some(tokens), true) = (counted(walked, body.text, node), self.options.wants.rest) {
            sink.event(&Event::Logged { lane: self.streams.lane(id), tokens });
        }
        if over {
            self.streams.over(id, sink, &mut self.notes);
        }
        if let (Does::Amend, Some(lane)) = (does, self.streams.lane(id)) {
            send_facts(body, &draft.facts, lane, sink);
        }
        run.record.items.push(Item::Delta(draft));
    }

    /// More of a message.
    fn news(&mut self, body: &Body<'_>, run: &mut Run<'_>, id: Option<&[u8]>, draft: &Draft, sink: &mut dyn Sink) {
        run.facts.stream = true;
        let mut facts = *run.facts;
        let out = Outside { body, wants: self.options.wants, sink: &mut *sink, notes: &mut self.notes };
        self.streams.delta(id, draft, &mut facts, out);
        *run.facts = facts;
        self.shapes.last_event.of_response(id);
        if draft.has.tool && self.options.wants.visible {
            self.called(body, run, id, sink);
        }
    }

    /// Sends the members of a tool call, for outputs that show events.
    fn called(&mut self, body: &Body<'_>, run: &Run<'_>, id: Option<&[u8]>, sink: &mut dyn Sink) {
        let Some(lane) = self.streams.lane(id) else { return };
        let shown = |entry: &&Entry| matches!(entry.slot, Slot::Name | Slot::Arguments | Slot::OwnParameter);
        let member = |entry: &Entry| {
            let said = match entry.token {
                Token::String(word) => Some(text::utf8(&word.decoded(body.text)).into_owned()),
                Token::Null => None,
                _ => return None,
            };
            Some((text::utf8(&entry.key.decoded(body.text)).into_owned(), said))
        };
        let members: Vec<_> = run.walked.all_of(0).filter(shown).filter_map(member).collect();
        let kind = run.walked.get(0, Slot::Type).map_or(Cow::Borrowed(body.event), |kind| kind.word(body.text));
        sink.event(&Event::CallMembers { lane, name: &text::utf8(&kind), members: &members });
    }

    /// All of a message, or of its reasoning, again: what no event had before is new, and the rest is a copy with the
    /// same verdict.
    fn again(&mut self, body: &Body<'_>, run: &mut Run<'_>, id: Option<&[u8]>, draft: &Draft, sink: &mut dyn Sink) {
        run.facts.stream = true;
        let mut facts = *run.facts;
        let out = Outside { body, wants: self.options.wants, sink: &mut *sink, notes: &mut self.notes };
        let known = self.streams.restated(id, draft, &mut facts, out);
        self.answer(body, id, draft, known, sink);
        if draft.units.iter().any(|unit| known.has(unit)) {
            self.message(body, draft, &mut facts, MessagePosition::Snapshot(known), sink);
        }
        *run.facts = facts;
    }

    /// Sends the whole answer, if earlier events had text of it and it has no tag.
    fn answer(&mut self, body: &Body<'_>, id: Option<&[u8]>, draft: &Draft, known: Known, sink: &mut dyn Sink) {
        if !self.options.wants.visible {
            return;
        }
        let mut texts = draft.units.iter().filter(|unit| known.has(unit));
        let Some(Unit::Text(literal)) = texts.find(|unit| matches!(unit, Unit::Text(_))) else { return };
        let plain = literal.start < literal.end && !self.tags.may_hold(literal.raw(body.text), literal.escaped);
        if let Some(lane) = self.streams.lane(id).filter(|_| plain) {
            self.room.scratch.clear();
            text::decode(literal.raw(body.text), &mut self.room.scratch);
            sink.event(&Event::Answer { lane, text: &self.room.scratch });
        }
    }
}

/// The identifier of the response that an event belongs to: a string, or several numbers together.
fn identifier<'r>(walked: &Walked, record: &'r [u8], node: u32) -> Option<Cow<'r, [u8]>> {
    if let Some(id) = walked.get(node, Slot::Id).filter(|id| id.literal().is_some()) {
        return Some(id.word(record));
    }
    let parts: Vec<&[u8]> = walked.all(node, Slot::IdPart).map(|part| &record[part.value.clone()]).collect();
    (parts.len() > 1).then(|| Cow::Owned(parts.join(&b":"[..])))
}

/// The text of an event, if it has one. Under the same key the last one counts.
fn last_text(walked: &Walked, record: &[u8], node: u32) -> Option<Literal> {
    let texts = || walked.all(node, Slot::Text).filter(|entry| entry.literal().is_some());
    let key = texts().next()?.key.decoded(record);
    texts().filter(|entry| entry.key.decoded(record) == key).last()?.literal()
}

/// Adds the units of an event in the order of its members, and cuts those that are reasoning, each as a member.
fn units(run: &Run<'_>, record: &[u8], node: u32, kind: Option<Kind>, draft: &mut Draft) {
    let Some(kind) = kind else { return };
    let mut gone = Vec::new();
    for entry in run.walked.all_of(node) {
        let unit = match (entry.slot, entry.token) {
            // There is no reasoning, and the member says so.
            (Slot::Thought, Token::Null | Token::False) => continue,
            (Slot::Thought, _) => members::thought(run.shape, record, entry),
            (Slot::Text, Token::String(text)) if kind.is_reasoning() => Some(Unit::Field(nodes::source(kind), text)),
            (Slot::Text, Token::String(text)) => {
                draft.units.push(Unit::Text(text));
                continue;
            }
            (Slot::Name | Slot::Arguments, _) if kind == Kind::Call => {
                draft.units.push(Unit::Call(entry.value.clone()));
                continue;
            }
            _ => continue,
        };
        let Some(unit) = unit else { continue };
        draft.units.push(unit);
        gone.push(entry.key.start - 1..entry.value.end);
    }
    members::cuts(record, &gone, &mut draft.cuts);
}

/// The count of reasoning tokens that an event states.
fn counted(walked: &Walked, record: &[u8], node: u32) -> Option<u64> {
    match walked.nodes[node as usize].does {
        Does::Amend => logged(&record[walked.nodes[node as usize].value.clone()]),
        _ => walked.get(node, Slot::Counts).and_then(|counts| logged(&record[counts.value.clone()])),
    }
}

/// Adds the facts of an event. `call`: a number for the call in it.
fn of_event(run: &Run<'_>, record: &[u8], node: u32, (kind, call): (Option<Kind>, u32), out: &mut Vec<Fact>) {
    let walked = run.walked;
    let fact = |block, what, at| Fact { after: 0, block, what, at };
    facts::of_head(run.shape, walked, record, node, out);
    let ended = out.iter().any(|fact| matches!(fact.what, What::Stop(_) | What::Set(Attribute::StopDetail)));
    let answered = || text_of(run, node).is_some_and(|(text, _)| text.start < text.end);
    if walked.nodes[node as usize].does == Does::EndWith && !ended && answered() {
        // The answer ends all calls before it.
        out.push(fact(None, What::Stop(Stop::End), 0..0));
    }
    if kind == Some(Kind::Call) {
        out.push(fact(Some(call), What::Block(content::What::Call), 0..0));
        for (slot, name) in [(Slot::Name, Attribute::Name), (Slot::Arguments, Attribute::Arguments)] {
            let member = walked.get(node, slot);
            out.extend(member.map(|entry| Fact::set(0, Some(call), name, &entry.value)));
        }
        out.push(fact(Some(call), What::Over, 0..0));
    }
    let is_lost = |entry: &&Entry| match entry.slot {
        Slot::Counts | Slot::OwnParameter | Slot::ForeignMember | Slot::Media => true,
        Slot::Name | Slot::Arguments => kind != Some(Kind::Call),
        Slot::Text => kind.is_none(),
        _ => false,
    };
    let own = walked.all_of(node).filter(is_lost);
    let own = own.map(|entry| (entry.key, &entry.value));
    let mut lost: Vec<_> =
        own.chain(walked.unknown_of(node)).filter(|(_, at)| !is_empty(&record[(*at).clone()])).collect();
    lost.sort_unstable_by_key(|(key, _)| key.start);
    out.extend(lost.into_iter().map(|(key, _)| Fact::member(key)));
}
