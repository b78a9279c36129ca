//! Events that name the response that they belong to: several responses interleave, and each event goes to the open one
//! with its identifier, or without one to the latest.

use super::{NodeReader, members, nodes};
use crate::dialect::draft::{Draft, Fact, FactKind, Item, ResponseChange, Stretch};
use crate::dialect::formats::shared::logged;
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::json::{Literal, Token, is_empty, text};
use crate::model::Role;
use crate::model::content::{self, Attribute, Stop};
use std::borrow::Cow;

impl NodeReader<'_> {
    /// Reads an event that names its response.
    pub(super) fn event_by_id(&mut self, node: u32) {
        let (walked, does) = (self.walked, self.walked.nodes[node as usize].does);
        self.identify(node);
        let mut draft = self.record.draft();
        draft.object = walked.nodes[node as usize].value.clone();
        draft.delta.restated = true;
        let (kind, spoken) = match does {
            Does::Feed(kind) | Does::Repeat(kind) => (kind, None),
            Does::EndWith => (Some(Kind::Text), last_text(walked, self.body.text, node)),
            _ => (None, None),
        };
        let thinks = kind.filter(|kind| kind.is_reasoning());
        self.units(node, kind, &mut draft);
        draft.delta.aside = kind == Some(Kind::Commentary);
        draft.has.tool = matches!(kind, Some(Kind::Call | Kind::Hosted));
        if let Some(answer) = spoken {
            // The other texts of the event repeat it. Its reasoning goes before it, whatever the order of the members.
            draft.units.retain(|unit| !matches!(unit, Stretch::Text(_)));
            draft.units.push(Stretch::Text(answer));
        }
        if self.setup.builds() {
            // Where the event stands identifies a call that has no number of its own.
            let call = self.body.offset(0) as u32;
            self.facts_of_event(node, (kind, call), &mut draft.facts);
        }
        let text_only = thinks.is_some() || matches!(kind, Some(Kind::Text | Kind::Commentary));
        let more = walked.get(node, Slot::Media).is_some();
        // The text that an event repeats is sent once, and stays in each.
        let said = |unit: &Stretch| matches!(unit, Stretch::Text(text) if text.start < text.end);
        let repeats = matches!(does, Does::Repeat(_)) && draft.units.iter().any(said);
        self.facts.payload = does == Does::EndWith || !text_only || more || repeats;
        self.facts.stream = !matches!(does, Does::Amend);
        let tool = draft.has.tool;
        let change = |change| Item::Response(change);
        let mut amended = None;
        match does {
            Does::Feed(_) => {
                self.record.items.push(Item::Delta(draft));
                if tool && self.setup.options.wants.visible {
                    self.record.items.push(change(self.called()));
                }
            }
            Does::Repeat(_) => self.record.items.push(change(ResponseChange::Again(draft))),
            Does::EndWith => {
                draft.role = Some(Role::Assistant);
                self.record.items.push(change(ResponseChange::Again(draft)));
                let others = walked.all(node, Slot::Text).filter_map(Entry::literal);
                let others = others.filter(|text| spoken.is_none_or(|answer| answer.start != text.start));
                self.repeated_text(others.map(|text| (text, None)));
            }
            Does::Amend => amended = Some(draft),
            _ => (),
        }
        if let (Some(tokens), true) = (counted(walked, self.body.text, node), self.setup.options.wants.rest) {
            self.record.items.push(change(ResponseChange::Logged(tokens)));
        }
        if matches!(does, Does::EndWith | Does::End) {
            self.record.items.push(change(ResponseChange::Over));
        }
        self.record.items.extend(amended.map(|draft| change(ResponseChange::Amended(draft))));
    }

    /// Notes the identifier of the response that an event belongs to: a string, or several numbers together.
    pub(super) fn identify(&mut self, node: u32) {
        self.record.id = self.walked.literal(node, Slot::Id);
        if self.record.id.is_none() {
            let record = self.body.text;
            let part = |part: &Entry| (part.key.raw(record), &record[part.value.clone()]);
            let mut parts: Vec<(&[u8], &[u8])> = self.walked.all(node, Slot::IdPart).map(part).collect();
            // Events of one response may have them in any order.
            parts.sort_unstable_by_key(|(key, _)| *key);
            let parts: Vec<&[u8]> = parts.into_iter().map(|(_, value)| value).collect();
            self.record.joined_id = (parts.len() > 1).then(|| parts.join(&b":"[..]));
        }
    }

    /// The members of a tool call, for outputs that show events.
    fn called(&self) -> ResponseChange {
        let (walked, record) = (self.walked, self.body.text);
        let shown = |entry: &&Entry| matches!(entry.slot, Slot::Name | Slot::Arguments | Slot::OwnParameter);
        let member = |entry: &Entry| {
            let said = match entry.token {
                Token::String(word) => Some(text::utf8(&word.decoded(record)).into_owned()),
                Token::Null => None,
                _ => return None,
            };
            Some((text::utf8(&entry.key.decoded(record)).into_owned(), said))
        };
        let members = walked.all_of(0).filter(shown).filter_map(member).collect();
        let kind = walked.get(0, Slot::Type).map_or(Cow::Borrowed(self.body.event), |kind| kind.word(record));
        ResponseChange::Called { name: text::utf8(&kind).into_owned(), members }
    }

    /// Adds the units of an event in the order of its members, and cuts those that are reasoning, each as a member.
    fn units(&self, node: u32, kind: Option<Kind>, draft: &mut Draft) {
        let Some(kind) = kind else { return };
        let (mut gone, mut sealed, before) = (Vec::new(), false, draft.units.len());
        for entry in self.walked.all_of(node) {
            let unit = match (entry.slot, entry.token) {
                // There is no reasoning, and the member says so.
                (Slot::Thought, Token::Null | Token::False) => continue,
                (Slot::Thought, _) => members::thought(self.shape, self.body.text, entry),
                (Slot::Text, Token::String(text)) if kind.is_reasoning() => {
                    Some(Stretch::Field(nodes::source(kind), text))
                }
                (Slot::Text, Token::String(text)) => {
                    draft.units.push(Stretch::Text(text));
                    continue;
                }
                (Slot::Name | Slot::Arguments, _) if kind == Kind::Call => {
                    draft.units.push(Stretch::Call(entry.value.clone()));
                    continue;
                }
                (Slot::Signature | Slot::Ciphertext, _) if kind.is_reasoning() && !entry.is_empty() => {
                    sealed = true;
                    gone.push(entry.key.start - 1..entry.value.end);
                    continue;
                }
                _ => continue,
            };
            let Some(unit) = unit else { continue };
            draft.units.push(unit);
            gone.push(entry.key.start - 1..entry.value.end);
        }
        if sealed && draft.units.len() == before {
            draft.units.push(Stretch::Opaque(nodes::source(kind)));
        }
        draft.cut_members(self.body.text, gone);
    }

    /// Adds the facts of an event. `call`: a number for the call in it.
    fn facts_of_event(&self, node: u32, (kind, call): (Option<Kind>, u32), out: &mut Vec<Fact>) {
        let (walked, record) = (self.walked, self.body.text);
        let fact = |block, what, at| Fact { after: 0, block, what, at };
        self.node_facts().of_head(node, out);
        let ended =
            out.iter().any(|fact| matches!(fact.what, FactKind::Stop(_) | FactKind::Set(Attribute::StopDetail)));
        let answered = || self.text_of(node).is_some_and(|(text, _)| text.start < text.end);
        if walked.nodes[node as usize].does == Does::EndWith && !ended && answered() {
            // The answer ends all calls before it.
            out.push(fact(None, FactKind::Stop(Stop::End), 0..0));
        }
        if kind == Some(Kind::Call) {
            out.push(fact(Some(call), FactKind::Block(content::Other::Call), 0..0));
            for (slot, name) in [(Slot::Name, Attribute::Name), (Slot::Arguments, Attribute::Arguments)] {
                let member = walked.get(node, slot);
                out.extend(member.map(|entry| Fact::set(0, Some(call), name, &entry.value)));
            }
            out.push(fact(Some(call), FactKind::Over, 0..0));
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
}

/// The text of an event, if it has one. Under the same key the last one counts.
fn last_text(walked: &Walked, record: &[u8], node: u32) -> Option<Literal> {
    let texts = || walked.all(node, Slot::Text).filter(|entry| entry.literal().is_some());
    let key = texts().next()?.key.decoded(record);
    texts().filter(|entry| entry.key.decoded(record) == key).last()?.literal()
}

/// The count of reasoning tokens that an event states.
fn counted(walked: &Walked, record: &[u8], node: u32) -> Option<u64> {
    match walked.nodes[node as usize].does {
        Does::Amend => logged(&record[walked.nodes[node as usize].value.clone()]),
        _ => walked.get(node, Slot::Counts).and_then(|counts| logged(&record[counts.value.clone()])),
    }
}
