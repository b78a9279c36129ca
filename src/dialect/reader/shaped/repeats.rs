//! Events that repeat the content of a message: parts that are done, blocks that are whole, and the message at its end.
//! What has not come in pieces is news, and the rest goes or stays with the pieces.

use super::NodeReader;
use super::nodes::{is_summary, source};
use super::values::probabilities;
use crate::dialect::draft::{FactKind, MessageChange, MessagePosition, Stretch};
use crate::dialect::reader::open::{BlockKey, Place, StreamBlock};
use crate::dialect::shape::{Kind, Slot};
use crate::dialect::stream::RestatedParts;
use crate::json::{Literal, text};
use crate::model::content::Attribute;
use std::ops::Range;

/// A text, and what stands in the list of its token probabilities.
type RepeatedText = (Literal, Option<Range<usize>>);

impl NodeReader<'_> {
    /// The kind of a block of reasoning that an event opened: all events of the block are reasoning, whatever their
    /// types.
    pub(super) fn opened_as_reasoning(&self, place: Place) -> Option<Kind> {
        let block = self.open[self.number].blocks.get(&place.index)?;
        Some(block.kind).filter(|kind| block.named && kind.is_reasoning())
    }

    /// An event without content, or of an unknown type, goes with the block of reasoning that it belongs to. Returns
    /// whether it does.
    pub(super) fn goes_with_block(&mut self, node: u32, log: Option<u32>) -> bool {
        if self.walked.get(node, Slot::Index).is_none() {
            return false;
        }
        self.enter(log);
        let place = self.place(node);
        let Some(kind) = self.opened_as_reasoning(place) else { return false };
        let mut draft = self.empty();
        draft.units.push(Stretch::Void(source(kind)));
        self.facts.stream = true;
        self.goes(draft);
        true
    }

    /// Reads an event that repeats a part. It is read as new content if the part has not come in pieces.
    pub(super) fn repeat(&mut self, place: Place, (node, inner): (u32, Option<u32>), kind: Option<Kind>) {
        let known = |kind: Kind| {
            let block = self.open[self.number].blocks.get(&place.index);
            block.is_some_and(|block| block.parts.contains(&(place.part, is_summary(kind))))
        };
        match kind {
            Some(kind) if !known(kind) => {
                let text = self.event_text(node, inner).map(|(text, _)| text);
                self.feed(place, (node, inner), (Some(kind), text));
            }
            Some(kind) if kind.is_reasoning() => {
                let mut draft = self.empty();
                draft.units.push(Stretch::Void(source(kind)));
                self.goes(draft);
            }
            _ => {
                let text = self.event_text(node, inner);
                self.repeated_text(text);
                let mut draft = self.empty();
                self.leave_seals(inner.into_iter().chain([node]), &mut draft);
                if draft.says_something() {
                    self.more(draft);
                }
                self.facts.payload = true;
            }
        }
    }

    /// Reads an event that has all of a part's text so far. What has not come before is more of it.
    pub(super) fn grow(&mut self, place: Place, (node, inner): (u32, Option<u32>), kind: Option<Kind>) {
        let whole = self.event_text(node, inner).map(|(text, _)| text);
        let (Some(kind), Some(whole)) = (kind, whole.filter(|_| kind.is_some_and(has_text))) else {
            return self.repeat(place, (node, inner), kind);
        };
        self.open_front();
        let blocks = &mut self.open[self.number].blocks;
        let block = blocks.entry(place.index).or_insert_with(|| StreamBlock::new(kind));
        let so_far = std::mem::take(block.text.get_or_insert_default());
        let (mut now, mut map) = (Vec::new(), text::Map::default());
        text::decode_with_map(whole.raw(self.body.text), &mut now, &mut map);
        let known = now.starts_with(&so_far);
        let more = whole.start + if known { map.raw(so_far.len()) } else { 0 };
        let tagged = !so_far.is_empty() && self.setup.tags.may_hold(whole.raw(self.body.text), whole.escaped);
        let news = more < whole.end && (kind.is_reasoning() || !tagged);
        // What has come by now; `feed` adds the rest.
        block.text = Some(match (news, known) {
            (false, _) => now,
            (true, true) => so_far,
            (true, false) => Vec::new(),
        });
        if !news {
            return self.repeat(place, (node, inner), Some(kind));
        }
        let more = Literal { start: more, ..whole };
        self.feed(place, (node, inner), (Some(kind), Some(more)));
    }

    /// Reads texts that repeat those of deltas: tags in them get the verdict of those in the deltas.
    pub(super) fn repeated_text(&mut self, texts: impl IntoIterator<Item = RepeatedText>) {
        let texts: Vec<RepeatedText> = texts.into_iter().collect();
        let tagged = |text: &Literal| self.setup.tags.may_hold(text.raw(self.body.text), text.escaped);
        if !texts.iter().any(|(text, _)| tagged(text)) {
            return;
        }
        let mut draft = self.empty();
        for (text, probabilities) in texts {
            draft.probabilities.extend(probabilities.map(|list| (Some(draft.units.len()), list)));
            draft.units.push(Stretch::Text(text));
        }
        self.placed(draft, MessagePosition::Snapshot(RestatedParts::ALL));
    }

    /// Reads a block that an event holds whole. What has not come in pieces is sent as new; its bytes are not cut.
    pub(super) fn restate(&mut self, place: Place, inner: u32) {
        let Some(kind) = self.kind(inner) else { return };
        self.open_front();
        let known = self.open[self.number].blocks.get(&place.index);
        let repeated = known.is_some_and(|block| !block.parts.is_empty());
        let mut draft = self.empty();
        if repeated && matches!(kind, Kind::Message | Kind::Text | Kind::Refusal) {
            let texts = self.texts_of(inner);
            return self.repeated_text(texts);
        }
        if kind == Kind::Call {
            return self.restated_call(place, inner);
        }
        if repeated || kind == Kind::Hosted {
            return;
        }
        self.block(inner, &mut draft);
        draft.units.retain(|unit| !matches!(unit, Stretch::Call(_)));
        if kind.is_reasoning() {
            let conversation = &mut self.open[self.number];
            conversation.reasoning |= !draft.units.is_empty();
            if let Some(block) = conversation.blocks.get_mut(&place.index) {
                block.filled |= !draft.units.is_empty();
            }
            draft.shaped.apart = true;
            if self.shape.items {
                self.item_goes_on(place.index);
            }
        }
        let parts: Vec<Stretch> = draft.units.drain(..).collect();
        let whole = draft;
        for (at, unit) in parts.into_iter().enumerate() {
            let mut draft = self.empty();
            draft.units.push(unit);
            draft.probabilities.extend(whole.probabilities_of(at).map(|list| (None, list)));
            self.next_block(kind.is_reasoning());
            self.more(draft);
        }
        self.open[self.number].text |= !kind.is_reasoning();
    }

    /// The same for a block in a list, whose signature or ciphertext no other event has.
    pub(super) fn restate_whole(&mut self, place: Place, inner: u32) {
        self.restate(place, inner);
        let Some(kind) = self.kind(inner).filter(|kind| kind.is_reasoning()) else { return };
        let mut draft = self.empty();
        self.block(inner, &mut draft);
        let silent = draft.units.is_empty();
        (draft.units, draft.facts) = (Vec::new(), Vec::new());
        self.seals(Some(inner), kind, &mut draft);
        if draft.facts.is_empty() {
            return;
        }
        if silent {
            self.next_block(true);
            draft.units.push(Stretch::Void(source(kind)));
            draft.facts.iter_mut().for_each(|fact| fact.after = 1);
        }
        self.more(draft);
    }

    /// Reads a call that an event holds whole. New are its arguments if they have not come in pieces, and all of it if
    /// no event had its name.
    pub(super) fn restated_call(&mut self, place: Place, inner: u32) {
        let mut draft = self.empty();
        if self.setup.builds() {
            self.node_facts().of_block(inner, Kind::Call, &mut draft);
        }
        let blocks = &mut self.open[self.number].blocks;
        let block = blocks.entry(place.index).or_insert_with(|| StreamBlock::new(Kind::Call));
        let named = std::mem::replace(&mut block.named, true);
        if named && !block.parts.is_empty() {
            return;
        }
        block.parts.push((0, false));
        draft.has.tool = !named;
        if self.setup.options.wants.rest {
            // The name was counted when the block began.
            let arguments = || self.walked.get(inner, Slot::Arguments).or(self.walked.get(inner, Slot::Input));
            let whole = Some(self.walked.nodes[inner as usize].value.clone()).filter(|_| !named);
            draft.units.extend(whole.or_else(|| Some(arguments()?.value.clone())).map(Stretch::Call));
        }
        draft.facts.retain(|fact| !named || fact.what == FactKind::Set(Attribute::Arguments));
        draft.facts.iter_mut().for_each(|fact| fact.block = Some(place.index.fact()));
        self.more(draft);
    }

    /// Reads an event that ends the message and holds all of it again.
    pub(super) fn end_with(&mut self, inner: Option<u32>) {
        let walked = self.walked;
        let Some(inner) = inner else { return };
        self.ends(inner);
        let (text, thought, called) = {
            let conversation = &self.open[self.number];
            let called = conversation.blocks.values().any(|block| block.kind == Kind::Call && block.named);
            (conversation.text, conversation.reasoning, called)
        };
        let children: Vec<u32> = walked.children(inner, Slot::List).collect();
        for (index, child) in children.iter().enumerate() {
            let Some(kind) = self.kind(*child) else { continue };
            let news = match kind {
                _ if kind.is_reasoning() => !thought,
                Kind::Call => !called,
                _ => !text && kind == Kind::Message,
            };
            if news {
                // Not the keys of the events, which name the same items.
                self.restate_whole(Place { index: BlockKey::Listed(index as u32), part: 0 }, *child);
            } else if kind == Kind::Message {
                let texts = self.texts_of(*child);
                self.repeated_text(texts);
            }
        }
        if self.open[self.number].message.is_none() {
            let draft = self.empty();
            self.more(draft);
        }
        self.repeated_text(self.text_of(inner));
        // Where no event came before this one, the message has begun with it.
        self.usage(inner);
        self.leave(&children);
    }

    /// Reasoning leaves the list of parts of a message that stands in an event.
    pub(super) fn leave_parts(&mut self, item: u32) {
        if self.kind(item) == Some(Kind::Message) {
            let parts: Vec<u32> = self.walked.children(item, Slot::List).collect();
            self.leave(&parts);
        }
    }

    /// A message that an event opens has content already: what events repeat of it later is known.
    pub(super) fn opens_with(&mut self, place: Place, item: u32) {
        self.restate(place, item);
        for (at, part) in self.walked.children(item, Slot::List).enumerate() {
            if let Some(kind) = self.kind(part) {
                let place = Place { part: at as u64, ..place };
                self.mark(place, kind, self.walked.literal(part, Slot::Text));
            }
        }
        self.leave_parts(item);
    }

    /// Reasoning leaves the list of blocks that stands in an event, and the parts of the messages among them.
    pub(super) fn leave(&mut self, children: &[u32]) {
        let walked = self.walked;
        for child in children {
            self.leave_parts(*child);
        }
        if !children.iter().any(|child| self.kind(*child).is_some_and(Kind::is_reasoning)) {
            return;
        }
        for child in children.iter().copied() {
            let goes = self.kind(child).is_some_and(Kind::is_reasoning);
            if let Some(at) = walked.place(child) {
                self.change(MessageChange::Element { at, goes });
            }
        }
    }

    /// The text of a node.
    pub(super) fn text_of(&self, node: u32) -> Option<RepeatedText> {
        Some((self.walked.literal(node, Slot::Text)?, probabilities(self.walked, node)))
    }

    /// The text of an event, or of the part in it.
    pub(super) fn event_text(&self, node: u32, inner: Option<u32>) -> Option<RepeatedText> {
        inner.and_then(|inner| self.text_of(inner)).or_else(|| self.text_of(node))
    }

    /// The texts of a message that stands in an event.
    fn texts_of(&self, node: u32) -> Vec<RepeatedText> {
        let parts = self.walked.children(node, Slot::List).filter_map(|part| self.text_of(part));
        self.text_of(node).into_iter().chain(parts).collect()
    }
}

/// Whether blocks of this kind have a text.
fn has_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Refusal | Kind::Reasoning(_))
}
