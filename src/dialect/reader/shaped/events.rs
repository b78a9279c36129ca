//! Events of a stream that open, feed and close the blocks of a message.

use super::blocks::SEALS;
use super::nodes::source;
use super::values::{comes_later, probabilities};
use super::{Begins, NodeReader};
use crate::dialect::draft::{Draft, Fact, FactKind, Item, MessageChange, Stretch};
use crate::dialect::formats::shared::logged;
use crate::dialect::reader::open::{BlockKey, Place, StreamBlock};
use crate::dialect::shape::{Does, Kind, Slot};
use crate::json::{Literal, Token};
use crate::model::content::{self, Attribute, Envelope};

impl NodeReader<'_> {
    /// Reads an event of a stream.
    pub(super) fn event(&mut self, node: u32, log: Option<u32>) {
        let (walked, does) = (self.walked, self.walked.nodes[node as usize].does);
        self.enter(log);
        let inner = walked.children(node, Slot::Inner).next();
        let place = self.place(node);
        self.facts.stream = true;
        match does {
            // Without an object in it, the event itself is the message.
            Does::Begin => self.begin(inner.unwrap_or(node)),
            Does::Open => {
                let kind = inner.and_then(|inner| self.kind(inner));
                self.block_opens(place, (node, inner, kind));
            }
            Does::OpenAs(kind) => self.block_opens(place, (node, Some(node), Some(kind))),
            Does::Feed(kind) => {
                let kind = self.kind_of(place, kind, inner);
                // A chunk may begin its call.
                let named = kind == Some(Kind::Call) && inner.is_none() && walked.get(node, Slot::Name).is_some();
                if named && !self.open[self.number].blocks.contains_key(&place.index) {
                    self.block_opens(place, (node, Some(node), kind));
                }
                let text = self.event_text(node, inner).map(|(text, _)| text);
                self.feed(place, (node, inner), (kind, text));
            }
            Does::Repeat(kind) => {
                let kind = self.kind_of(place, kind, inner);
                self.repeat(place, (node, inner), kind);
            }
            Does::Grow(kind) => {
                let kind = self.kind_of(place, kind, inner);
                self.grow(place, (node, inner), kind);
            }
            Does::Close => {
                let block = self.open[self.number].blocks.get(&place.index).map(|block| block.kind);
                self.close(place, (node, None), block);
            }
            Does::CloseAs(kind) => {
                if kind == Kind::Call && walked.get(node, Slot::Arguments).is_some() {
                    self.restated_call(place, node);
                }
                self.close(place, (node, Some(node)), Some(kind));
            }
            Does::CloseWith => {
                let kind = inner.and_then(|inner| self.kind(inner));
                if let Some(inner) = inner {
                    self.restate(place, inner);
                    self.leave_parts(inner);
                }
                self.close(place, (node, inner), kind);
            }
            Does::Amend => {
                self.usage(node);
                self.ends(node);
                inner.into_iter().for_each(|inner| self.ends(inner));
                self.facts.payload = true;
            }
            Does::End => {
                if walked.get(node, Slot::Stop).is_some() {
                    self.ends(node);
                }
                self.facts.payload = true;
                self.over_message();
            }
            Does::EndWith => {
                self.end_with(inner);
                self.repeated_text(self.text_of(node));
                self.facts.payload = true;
                self.over_message();
            }
            _ => self.facts.payload = true,
        }
    }

    /// Sends the count of reasoning tokens in an event.
    pub(super) fn usage(&mut self, node: u32) {
        let Some(usage) = self.walked.get(node, Slot::Usage).filter(|_| self.setup.options.wants.rest) else { return };
        let Some(tokens) = logged(&self.body.text[usage.value.clone()]) else { return };
        self.record.items.push(Item::Logged(self.open[self.number].message, tokens));
    }

    pub(super) fn begin(&mut self, inner: u32) {
        let walked = self.walked;
        self.facts.payload = true;
        let id = walked.get(inner, Slot::Id).map(|id| id.word(self.body.text).into_owned()).unwrap_or_default();
        let streamed = self.open[self.number].streamed;
        if self.open_message(&id) && (streamed && self.shape.items || self.shape.log) {
            self.open.set_streamed(self.number, true);
            let children: Vec<u32> = walked.children(inner, Slot::List).collect();
            self.leave(&children);
            return;
        }
        if streamed && self.open[self.number].message.is_some() {
            // The same identifier begins again: it is another message.
            self.over_message();
            self.open_message(&id);
        }
        self.open.set_streamed(self.number, true);
        let mut draft = self.empty();
        if self.setup.builds() {
            self.node_facts().of_message(inner, &mut draft);
        }
        self.more(draft);
        // The blocks that the message begins with, if it is not empty.
        let children: Vec<u32> = walked.children(inner, Slot::List).collect();
        for (index, child) in children.iter().enumerate() {
            self.restate_whole(Place { index: BlockKey::Number(index as u64), part: 0 }, *child);
        }
        self.leave(&children);
        self.facts.payload = true;
    }

    /// Adds the stop reason and the token usage to the message, for outputs that build messages anew.
    pub(super) fn ends(&mut self, node: u32) {
        if self.setup.builds() {
            let mut draft = self.empty();
            self.node_facts().of_end(node, &mut draft.facts);
            if matches!(self.walked.nodes[node as usize].does, Does::Amend | Does::Nothing) {
                self.node_facts().lost(node, draft.units.len(), &mut draft.facts);
            }
            self.more(draft);
        }
    }

    /// For outputs that build messages anew: an error event ends the open message. If no message is open, it stands in
    /// place of an answer; lines of a log have no place for one. Returns whether the event is such an error.
    pub(super) fn fails(&mut self, node: u32, log: Option<u32>) -> bool {
        let Some(error) = self.walked.get(node, Slot::Error).filter(|_| self.setup.builds()) else { return false };
        self.enter(log);
        let open = self.open[self.number].message.and_then(|message| self.streams.lane_of(message)).is_some();
        if !open && self.shape.log {
            return false;
        }
        let mut draft = self.empty();
        let fact = |what, at| Fact { after: 0, block: None, what, at };
        draft.facts.push(fact(FactKind::Stop(content::Stop::Error), 0..0));
        // An event that is itself the error has the error's text beside its type.
        let whole = error.token != Token::ObjectStart;
        let at = if whole { self.walked.nodes[node as usize].value.clone() } else { error.value.clone() };
        draft.facts.push(fact(FactKind::Set(Attribute::Error), at));
        if open {
            self.begins = Some(Begins::Event);
            self.more(draft);
        } else {
            self.begins = Some(Begins::Record(Envelope::Response));
            self.record.items.push(Item::Choice(draft));
        }
        true
    }

    pub(super) fn block_opens(&mut self, place: Place, (node, inner, kind): (u32, Option<u32>, Option<Kind>)) {
        let Some(inner) = inner else { return };
        // An output that builds messages anew counts a block of an unknown type as lost.
        let Some(kind) = kind.or(self.setup.builds().then_some(Kind::Other)) else {
            self.facts.payload = true;
            return self.numbered(node, false);
        };
        self.open_front();
        // A block without text may be sealed where it begins.
        let filled = matches!(kind, Kind::Sealed(_)) || inner == node && self.is_sealed(inner);
        let arguments = [Slot::Arguments, Slot::Input].iter().filter_map(|slot| self.walked.get(inner, *slot));
        let whole =
            kind == Kind::Call && arguments.into_iter().any(|entry| !comes_later(&self.body.text[entry.value.clone()]));
        let parts = if whole { vec![(0, false)] } else { Vec::new() };
        let conversation = &mut self.open[self.number];
        conversation.blocks.insert(place.index, StreamBlock { parts, filled, named: true, ..StreamBlock::new(kind) });
        conversation.last = None;
        self.next_block(kind.is_reasoning());
        let mut draft = self.empty();
        match kind {
            _ if kind.is_reasoning() => {
                self.reasoning(inner, kind, &mut draft);
                if matches!(kind, Kind::Reasoning(_)) && !has_text(&draft) && !filled {
                    // Its text and its signature come in pieces.
                    draft.units = vec![Stretch::Void(source(kind))];
                }
                if self.shape.items {
                    self.item_goes_on(place.index);
                }
                // An item has its final ciphertext only when it is done.
                self.seals(Some(inner).filter(|_| !self.shape.items), kind, &mut draft);
                self.goes(draft);
                return self.numbered(node, true);
            }
            Kind::Call => draft.has.tool = true,
            Kind::Text | Kind::Refusal => draft.units.extend(self.walked.literal(inner, Slot::Text).map(Stretch::Text)),
            Kind::Media | Kind::Other => draft.has.other = true,
            Kind::Hosted => draft.has.tool = true,
            _ => (),
        }
        draft.delta.payload = true;
        if self.setup.builds() {
            self.node_facts().of_block(inner, kind, &mut draft);
            draft.facts.retain(|fact| {
                !comes_later(&self.body.text[fact.at.clone()]) || matches!(fact.what, FactKind::Block(_))
            });
            draft.facts.iter_mut().for_each(|fact| fact.block = fact.block.map(|_| place.index.fact()));
        }
        if matches!(kind, Kind::Call | Kind::Hosted | Kind::Result) && self.setup.options.wants.rest {
            // A result is whole when its block begins; arguments come in pieces.
            let whole = self.walked.get(inner, Slot::Result).map(|_| self.walked.nodes[inner as usize].value.clone());
            let name = || self.walked.get(inner, Slot::Name).map(|name| name.value.clone());
            draft.units.extend(whole.or_else(name).map(Stretch::Call));
        }
        if inner == node {
            self.leave_seals([node], &mut draft);
        }
        self.more(draft);
        if kind == Kind::Message && self.walked.children(inner, Slot::List).next().is_some() {
            self.opens_with(place, inner);
        }
        self.numbered(node, false);
        self.facts.payload = true;
    }

    /// Reads an event of nothing but reasoning: all of it goes with the block.
    pub(super) fn goes(&mut self, mut draft: Box<Draft>) {
        if !self.element {
            draft.cuts.clear();
            draft.cuts.push(self.walked.nodes[0].value.clone());
        }
        self.more(draft);
        self.gone = self.open[self.number].message;
    }

    /// Sends where an event has the number of a block, which changes if reasoning goes.
    pub(super) fn numbered(&mut self, node: u32, reasoning: bool) {
        if !self.shape.follow.renumber {
            return;
        }
        let Some(entry) = self.walked.get(node, Slot::Index) else { return };
        if let Some(number) = entry.number(self.body.text) {
            self.change(MessageChange::Number { at: entry.value.clone(), number, reasoning });
        }
    }

    /// Reads more of a block: `text`, and what stands in other slots of the event and the object in it.
    pub(super) fn feed(
        &mut self,
        place: Place,
        (node, inner): (u32, Option<u32>),
        (kind, text): (Option<Kind>, Option<Literal>),
    ) {
        let walked = self.walked;
        let find = |slot| inner.and_then(|inner| walked.get(inner, slot)).or_else(|| walked.get(node, slot));
        let mut draft = self.empty();
        let Some(kind) = kind else {
            self.facts.payload = true;
            return self.numbered(node, false);
        };
        self.open_front();
        if kind.is_reasoning() {
            if self.shape.items {
                self.item_goes_on(place.index);
            }
            let sealed = |slot| find(slot).and_then(|entry| entry.literal()).is_some_and(|s| s.start < s.end);
            let signed = SEALS.into_iter().any(sealed);
            let block = self.open[self.number].blocks.get(&place.index);
            let signed = signed && block.is_none_or(|block| block.parts.is_empty());
            self.mark(place, kind, text);
            self.remember(place, text);
            if signed || text.is_some_and(|text| text.start < text.end) {
                let blocks = &mut self.open[self.number].blocks;
                blocks.entry(place.index).or_insert_with(|| StreamBlock::new(kind)).filled = true;
            }
            for (slot, name) in [(Slot::Signature, Attribute::Signature), (Slot::Ciphertext, Attribute::Ciphertext)] {
                let seal = find(slot).filter(|_| self.setup.builds());
                draft.facts.extend(seal.map(|entry| Fact::set(1, None, name, &entry.value)));
            }
            draft.units.push(match text {
                Some(text) if text.start < text.end => Stretch::Field(source(kind), text),
                _ if signed => Stretch::Opaque(source(kind)),
                _ => Stretch::Void(source(kind)),
            });
            self.part_begins(place, kind);
            self.goes(draft);
            return;
        }
        self.mark(place, kind, text);
        draft.delta.aside = kind == Kind::Commentary;
        self.remember(place, text);
        let mut nodes = inner.into_iter().chain([node]);
        let probabilities = nodes.find_map(|node| probabilities(walked, node));
        draft.probabilities.extend(probabilities.map(|list| (None, list)));
        if let (false, Some(entry)) =
            (draft.probabilities.is_empty() || !self.setup.builds(), find(Slot::Probabilities))
        {
            draft.facts.push(Fact::member(entry.key));
        }
        match kind {
            Kind::Text | Kind::Refusal | Kind::Commentary => draft.units.extend(text.map(Stretch::Text)),
            Kind::Call if self.setup.options.wants.rest => {
                draft.units.extend(
                    find(Slot::Arguments).or_else(|| find(Slot::Text)).map(|entry| Stretch::Call(entry.value.clone())),
                );
            }
            _ => (),
        }
        let arguments = find(Slot::Arguments).or_else(|| find(Slot::Text));
        for (entry, block, name) in [
            (arguments.filter(|_| kind == Kind::Call), Some(place.index.fact()), Attribute::Arguments),
            (find(Slot::Citations), None, Attribute::Citations),
            (find(Slot::Text).filter(|_| kind == Kind::Refusal), None, Attribute::Refusal),
        ] {
            let entry = entry.filter(|_| self.setup.builds());
            draft.facts.extend(entry.map(|entry| Fact::set(1, block, name, &entry.value)));
        }
        draft.delta.payload = !matches!(kind, Kind::Text | Kind::Refusal | Kind::Commentary);
        self.leave_seals(inner.into_iter().chain([node]), &mut draft);
        self.more(draft);
        self.numbered(node, false);
        self.facts.payload = true;
    }
}

/// Whether a draft has a text.
pub(super) fn has_text(draft: &Draft) -> bool {
    draft.units.iter().any(|unit| matches!(unit, Stretch::Field(_, text) if text.start < text.end))
}
