//! Events that repeat the content of a message: parts that are done, blocks that are whole, and the message at its end. What has not
//! come in pieces is news, and the rest goes or stays with the pieces.

use super::blocks::{Block, BlockKey, Place};
use super::nodes;
use super::nodes::{is_summary, kind, source};
use super::{JsonReader, Run, empty, facts, members};
use crate::dialect::draft::{Item, Unit, What};
use crate::dialect::reader::MessagePosition;
use crate::dialect::shape::{Kind, Slot};
use crate::dialect::stream::Known;
use crate::frame::Body;
use crate::json::{Literal, text};
use crate::model::content::Attribute;
use crate::model::{Element, Event, Sink};
use std::ops::Range;

impl JsonReader<'_> {
    /// The kind of a block of reasoning that an event opened: all events of the block are reasoning, whatever their
    /// types.
    pub(super) fn opened_as_reasoning(&self, number: u32, place: Place) -> Option<Kind> {
        let block = self.shapes.conversations[number].blocks.get(&place.index)?;
        Some(block.kind).filter(|kind| block.named && kind.is_reasoning())
    }

    /// An event without content, or of an unknown type, goes with the block of reasoning that it belongs to. Returns
    /// whether it does.
    pub(super) fn goes_with_block(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) -> bool {
        if run.walked.get(node, Slot::Index).is_none() {
            return false;
        }
        let number = self.conversation(body, run.walked, log);
        let place = self.place(body, run.walked, number, node);
        let Some(kind) = self.opened_as_reasoning(number, place) else { return false };
        let mut draft = empty(run.record);
        draft.units.push(Unit::Void(source(kind)));
        run.facts.stream = true;
        self.goes(body, run, number, draft, sink);
        true
    }

    /// Reads an event that repeats a part. It is read as new content if the part has not come in pieces.
    pub(super) fn repeat(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        (node, inner): (u32, Option<u32>),
        kind: Option<Kind>,
        sink: &mut dyn Sink,
    ) {
        let known = |kind: Kind| {
            let block = self.shapes.conversations[number].blocks.get(&place.index);
            block.is_some_and(|block| block.parts.contains(&(place.part, is_summary(kind))))
        };
        match kind {
            Some(kind) if !known(kind) => {
                let text = event_text(run, node, inner).map(|(text, _)| text);
                self.feed(body, run, (number, place), (node, inner), (Some(kind), text), sink);
            }
            Some(kind) if kind.is_reasoning() => {
                let mut draft = empty(run.record);
                draft.units.push(Unit::Void(source(kind)));
                self.goes(body, run, number, draft, sink);
            }
            _ => {
                let text = event_text(run, node, inner);
                self.repeated_text(body, run, number, text, sink);
                let mut draft = empty(run.record);
                members::seals(run.walked, body.text, inner.into_iter().chain([node]), &mut draft);
                if !draft.units.is_empty() {
                    self.more(body, run, number, draft, sink);
                }
                run.facts.payload = true;
            }
        }
    }

    /// Reads an event that has all of a part's text so far. What has not come before is more of it.
    pub(super) fn grow(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        (node, inner): (u32, Option<u32>),
        kind: Option<Kind>,
        sink: &mut dyn Sink,
    ) {
        let whole = event_text(run, node, inner).map(|(text, _)| text);
        let (Some(kind), Some(whole)) = (kind, whole.filter(|_| kind.is_some_and(has_text))) else {
            return self.repeat(body, run, (number, place), (node, inner), kind, sink);
        };
        self.open_front(number, sink);
        let blocks = &mut self.shapes.conversations[number].blocks;
        let block = blocks.entry(place.index).or_insert_with(|| Block::new(kind));
        let so_far = std::mem::take(block.text.get_or_insert_default());
        let (mut now, mut map) = (Vec::new(), text::Map::default());
        text::decode_with_map(whole.raw(body.text), &mut now, &mut map);
        let known = now.starts_with(&so_far);
        let more = whole.start + if known { map.raw(so_far.len()) } else { 0 };
        let tagged = !so_far.is_empty() && self.tags.may_hold(whole.raw(body.text), whole.escaped);
        let news = more < whole.end && (kind.is_reasoning() || !tagged);
        // What has come by now; `feed` adds the rest.
        block.text = Some(match (news, known) {
            (false, _) => now,
            (true, true) => so_far,
            (true, false) => Vec::new(),
        });
        if !news {
            return self.repeat(body, run, (number, place), (node, inner), Some(kind), sink);
        }
        let more = Literal { start: more, ..whole };
        self.feed(body, run, (number, place), (node, inner), (Some(kind), Some(more)), sink);
    }

    /// Reads texts that repeat those of deltas: tags in them get the verdict of those in the deltas.
    pub(super) fn repeated_text(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        number: u32,
        texts: impl IntoIterator<Item = (Literal, Option<Range<usize>>)>,
        sink: &mut dyn Sink,
    ) {
        let mut draft = empty(run.record);
        draft.shaped.conversation = number;
        for (text, probabilities) in texts {
            draft.probabilities.extend(probabilities.map(|list| (Some(draft.units.len()), list)));
            draft.units.push(Unit::Text(text));
        }
        let tagged = |unit: &Unit| matches!(unit, Unit::Text(s) if self.tags.may_hold(s.raw(body.text), s.escaped));
        if draft.units.iter().any(tagged) {
            self.whole_message(body, run, &draft, MessagePosition::Snapshot(Known::ALL), sink);
        }
        run.record.items.push(Item::Message(draft));
    }

    /// Reads a block that an event holds whole. What has not come in pieces is sent as new; its bytes are not cut.
    pub(super) fn restate(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        inner: u32,
        sink: &mut dyn Sink,
    ) {
        let Some(kind) = kind(run, inner) else { return };
        self.open_front(number, sink);
        let known = self.shapes.conversations[number].blocks.get(&place.index);
        let repeated = known.is_some_and(|block| !block.parts.is_empty());
        let mut draft = empty(run.record);
        if repeated && matches!(kind, Kind::Message | Kind::Text | Kind::Refusal) {
            let texts = texts_of(run, inner);
            return self.repeated_text(body, run, number, texts, sink);
        }
        if kind == Kind::Call {
            return self.restated_call(body, run, (number, place), inner, sink);
        }
        if repeated || kind == Kind::Hosted {
            return;
        }
        nodes::block(run.shape, run.walked, body.text, inner, &mut draft, self.detail);
        draft.units.retain(|unit| !matches!(unit, Unit::Call(_)));
        if kind.is_reasoning() {
            let conversation = &mut self.shapes.conversations[number];
            conversation.reasoning |= !draft.units.is_empty();
            if let Some(block) = conversation.blocks.get_mut(&place.index) {
                block.filled |= !draft.units.is_empty();
            }
            draft.shaped.apart = true;
            if run.shape.items {
                self.item_goes_on(number, place.index, sink);
            }
        }
        let parts: Vec<Unit> = draft.units.drain(..).collect();
        let whole = draft;
        for (at, unit) in parts.into_iter().enumerate() {
            let mut draft = empty(run.record);
            draft.units.push(unit);
            draft.probabilities.extend(whole.probabilities_of(at).map(|list| (None, list)));
            self.next_block(body, number, kind.is_reasoning(), sink);
            self.more(body, run, number, draft, sink);
        }
        self.shapes.conversations[number].text |= !kind.is_reasoning();
    }

    /// The same for a block in a list, whose signature or ciphertext no other event has.
    pub(super) fn restate_whole(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        inner: u32,
        sink: &mut dyn Sink,
    ) {
        self.restate(body, run, (number, place), inner, sink);
        let Some(kind) = kind(run, inner).filter(|kind| kind.is_reasoning()) else { return };
        let mut draft = empty(run.record);
        nodes::block(run.shape, run.walked, body.text, inner, &mut draft, self.detail);
        let silent = draft.units.is_empty();
        (draft.units, draft.facts) = (Vec::new(), Vec::new());
        self.seals(body, run, Some(inner), kind, &mut draft);
        if draft.facts.is_empty() {
            return;
        }
        if silent {
            self.next_block(body, number, true, sink);
            draft.units.push(Unit::Void(source(kind)));
            draft.facts.iter_mut().for_each(|fact| fact.after = 1);
        }
        self.more(body, run, number, draft, sink);
    }

    /// Reads a call that an event holds whole. New are its arguments if they have not come in pieces, and all of it if
    /// no event had its name.
    fn restated_call(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        inner: u32,
        sink: &mut dyn Sink,
    ) {
        let mut draft = empty(run.record);
        if self.builds() {
            facts::of_block(run.walked, inner, Kind::Call, &mut draft);
        }
        let blocks = &mut self.shapes.conversations[number].blocks;
        let block = blocks.entry(place.index).or_insert_with(|| Block::new(Kind::Call));
        let named = std::mem::replace(&mut block.named, true);
        if named && !block.parts.is_empty() {
            return;
        }
        block.parts.push((0, false));
        draft.has.tool = !named;
        if self.options.wants.rest {
            // The name was counted when the block began.
            let arguments = || run.walked.get(inner, Slot::Arguments).or(run.walked.get(inner, Slot::Input));
            let whole = Some(run.walked.nodes[inner as usize].value.clone()).filter(|_| !named);
            draft.units.extend(whole.or_else(|| Some(arguments()?.value.clone())).map(Unit::Call));
        }
        draft.facts.retain(|fact| !named || fact.what == What::Set(Attribute::Arguments));
        draft.facts.iter_mut().for_each(|fact| fact.block = Some(place.index.fact()));
        self.more(body, run, number, draft, sink);
    }

    /// Reads an event that ends the message and holds all of it again.
    pub(super) fn end_with(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        number: u32,
        inner: Option<u32>,
        sink: &mut dyn Sink,
    ) {
        let walked = run.walked;
        let Some(inner) = inner else { return };
        self.ends(body, run, number, inner, sink);
        let (text, thought, called) = {
            let conversation = &self.shapes.conversations[number];
            let called = conversation.blocks.values().any(|block| block.kind == Kind::Call && block.named);
            (conversation.text, conversation.reasoning, called)
        };
        let children: Vec<u32> = walked.children(inner, Slot::List).collect();
        for (index, child) in children.iter().enumerate() {
            let Some(kind) = kind(run, *child) else { continue };
            let news = match kind {
                _ if kind.is_reasoning() => !thought,
                Kind::Call => !called,
                _ => !text && kind == Kind::Message,
            };
            if news {
                // Not the keys of the events, which name the same items.
                self.restate_whole(
                    body,
                    run,
                    (number, Place { index: BlockKey::Listed(index as u32), part: 0 }),
                    *child,
                    sink,
                );
            } else if kind == Kind::Message {
                let texts = texts_of(run, *child);
                self.repeated_text(body, run, number, texts, sink);
            }
        }
        if self.shapes.conversations[number].message.is_empty() {
            let draft = empty(run.record);
            self.more(body, run, number, draft, sink);
        }
        self.repeated_text(body, run, number, text_of(run, inner), sink);
        // Where no event came before this one, the message has begun with it.
        self.usage(body, run, number, inner, sink);
        self.leave(body, run, number, &children, sink);
    }

    /// Reasoning leaves the list of parts of a message that stands in an event.
    pub(super) fn leave_parts(&mut self, body: &Body<'_>, run: &Run<'_>, number: u32, item: u32, sink: &mut dyn Sink) {
        if kind(run, item) == Some(Kind::Message) {
            let parts: Vec<u32> = run.walked.children(item, Slot::List).collect();
            self.leave(body, run, number, &parts, sink);
        }
    }

    /// A message that an event opens has content already: what events repeat of it later is known.
    pub(super) fn opens_with(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        item: u32,
        sink: &mut dyn Sink,
    ) {
        self.restate(body, run, (number, place), item, sink);
        for (at, part) in run.walked.children(item, Slot::List).enumerate() {
            if let Some(kind) = kind(run, part) {
                let place = Place { part: at as u64, ..place };
                self.mark(number, place, kind, run.walked.literal(part, Slot::Text));
            }
        }
        self.leave_parts(body, run, number, item, sink);
    }

    /// Reasoning leaves the list of blocks that stands in an event, and the parts of the messages among them.
    pub(super) fn leave(&mut self, body: &Body<'_>, run: &Run<'_>, number: u32, children: &[u32], sink: &mut dyn Sink) {
        let walked = run.walked;
        for child in children {
            self.leave_parts(body, run, number, *child, sink);
        }
        if !children.iter().any(|child| kind(run, *child).is_some_and(Kind::is_reasoning)) {
            return;
        }
        let Some(lane) = self.lane_of(number) else { return };
        for child in children.iter().copied() {
            let node = &walked.nodes[child as usize];
            let Some((list, from)) = node.element else { continue };
            let element: Element = super::super::element(body, &(list, from..node.value.end));
            sink.event(&match kind(run, child) {
                Some(kind) if kind.is_reasoning() => Event::Item { lane, element },
                _ => Event::Stays(element),
            });
        }
    }
}

/// Whether blocks of this kind have a text.
fn has_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text | Kind::Refusal | Kind::Reasoning(_))
}

/// The text of a node, and what stands in the list of its token probabilities.
pub(super) fn text_of(run: &Run<'_>, node: u32) -> Option<(Literal, Option<Range<usize>>)> {
    Some((run.walked.literal(node, Slot::Text)?, nodes::probabilities(run.walked, node)))
}

/// The text of an event, or of the part in it.
pub(super) fn event_text(run: &Run<'_>, node: u32, inner: Option<u32>) -> Option<(Literal, Option<Range<usize>>)> {
    inner.and_then(|inner| text_of(run, inner)).or_else(|| text_of(run, node))
}

/// The texts of a message that stands in an event.
fn texts_of(run: &Run<'_>, node: u32) -> Vec<(Literal, Option<Range<usize>>)> {
    let parts = run.walked.children(node, Slot::List).filter_map(|part| text_of(run, part));
    text_of(run, node).into_iter().chain(parts).collect()
}
