//! Events of a stream that open, feed and close the blocks of a message.

use super::blocks::{Block, BlockKey, Place, SEALS, is_sealed};
use super::nodes::{kind, reasoning, source};
use super::{JsonReader, Run, empty, facts, members, nodes, repeats};
use crate::dialect::draft::{Draft, Fact, Unit, What};
use crate::dialect::formats::shared::logged;
use crate::dialect::shape::{Does, Kind, Slot};
use crate::frame::Body;
use crate::json::{Literal, Token};
use crate::model::content::{self, Attribute};
use crate::model::{Event, Sink};

impl JsonReader<'_> {
    /// Reads an event of a stream.
    pub(super) fn event(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) {
        let (walked, does) = (run.walked, run.walked.nodes[node as usize].does);
        let number = self.conversation(body, run.walked, log);
        let inner = walked.children(node, Slot::Inner).next();
        let place = self.place(body, run.walked, number, node);
        run.facts.stream = true;
        match does {
            // Without an object in it, the event itself is the message.
            Does::Begin => self.begin(body, run, number, inner.unwrap_or(node), sink),
            Does::Open => {
                let kind = inner.and_then(|inner| kind(run, inner));
                self.block_opens(body, run, (number, place), (node, inner, kind), sink);
            }
            Does::OpenAs(kind) => self.block_opens(body, run, (number, place), (node, Some(node), Some(kind)), sink),
            Does::Feed(kind) => {
                let kind = self.kind_of(run, number, place, kind, inner);
                let text = repeats::event_text(run, node, inner).map(|(text, _)| text);
                self.feed(body, run, (number, place), (node, inner), (kind, text), sink);
            }
            Does::Repeat(kind) => {
                let kind = self.kind_of(run, number, place, kind, inner);
                self.repeat(body, run, (number, place), (node, inner), kind, sink);
            }
            Does::Grow(kind) => {
                let kind = self.kind_of(run, number, place, kind, inner);
                self.grow(body, run, (number, place), (node, inner), kind, sink);
            }
            Does::Close => {
                let block = self.shapes.conversations[number].blocks.get(&place.index).map(|block| block.kind);
                self.close(body, run, (number, place), (node, None), block, sink);
            }
            Does::CloseAs(kind) => self.close(body, run, (number, place), (node, Some(node)), Some(kind), sink),
            Does::CloseWith => {
                let kind = inner.and_then(|inner| kind(run, inner));
                if let Some(inner) = inner {
                    self.restate(body, run, (number, place), inner, sink);
                    self.leave_parts(body, run, number, inner, sink);
                }
                self.close(body, run, (number, place), (node, inner), kind, sink);
            }
            Does::Amend => {
                self.usage(body, run, number, node, sink);
                self.ends(body, run, number, node, sink);
                inner.into_iter().for_each(|inner| self.ends(body, run, number, inner, sink));
                run.facts.payload = true;
            }
            Does::End => {
                run.facts.payload = true;
                self.over_message(number, sink);
            }
            Does::EndWith => {
                self.end_with(body, run, number, inner, sink);
                self.repeated_text(body, run, number, repeats::text_of(run, node), sink);
                run.facts.payload = true;
                self.over_message(number, sink);
            }
            _ => run.facts.payload = true,
        }
    }

    /// Sends the count of reasoning tokens in an event.
    pub(super) fn usage(&mut self, body: &Body<'_>, run: &Run<'_>, number: u32, node: u32, sink: &mut dyn Sink) {
        let Some(usage) = run.walked.get(node, Slot::Usage).filter(|_| self.options.wants.rest) else { return };
        let Some(tokens) = logged(&body.text[usage.value.clone()]) else { return };
        let lane = self.lane_of(number);
        sink.event(&Event::Logged { lane, tokens });
    }

    pub(super) fn begin(&mut self, body: &Body<'_>, run: &mut Run<'_>, number: u32, inner: u32, sink: &mut dyn Sink) {
        let walked = run.walked;
        run.facts.payload = true;
        let id = walked.get(inner, Slot::Id).map(|id| id.word(body.text).into_owned()).unwrap_or_default();
        let streamed = self.shapes.conversations[number].streamed;
        if self.open_message(number, &id, sink) && (streamed && run.shape.items || run.shape.log) {
            self.shapes.conversations.set_streamed(number, true);
            let children: Vec<u32> = walked.children(inner, Slot::List).collect();
            self.leave(body, run, number, &children, sink);
            return;
        }
        if streamed && !self.shapes.conversations[number].message.is_empty() {
            // The same identifier begins again: it is another message.
            self.over_message(number, sink);
            self.open_message(number, &id, sink);
        }
        self.shapes.conversations.set_streamed(number, true);
        let mut draft = empty(run.record);
        if self.builds() {
            facts::of_message(run.shape, walked, body.text, inner, &mut draft);
        }
        self.more(body, run, number, draft, sink);
        // The blocks that the message begins with, if it is not empty.
        let children: Vec<u32> = walked.children(inner, Slot::List).collect();
        for (index, child) in children.iter().enumerate() {
            self.restate_whole(
                body,
                run,
                (number, Place { index: BlockKey::Number(index as u64), part: 0 }),
                *child,
                sink,
            );
        }
        self.leave(body, run, number, &children, sink);
        run.facts.payload = true;
    }

    /// Adds the stop reason and the token usage to the message, for outputs that build messages anew.
    pub(super) fn ends(&mut self, body: &Body<'_>, run: &mut Run<'_>, number: u32, node: u32, sink: &mut dyn Sink) {
        if self.builds() {
            let mut draft = empty(run.record);
            facts::of_end(run.shape, run.walked, body.text, node, &mut draft.facts);
            if matches!(run.walked.nodes[node as usize].does, Does::Amend | Does::Nothing) {
                facts::lost(run.walked, node, draft.units.len(), &mut draft.facts);
            }
            self.more(body, run, number, draft, sink);
        }
    }

    /// For outputs that build messages anew: an error event ends the open message. If no message is open, the event
    /// stays. Returns whether the event is an error.
    pub(super) fn fails(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        node: u32,
        log: Option<u32>,
        sink: &mut dyn Sink,
    ) -> bool {
        let Some(error) = run.walked.get(node, Slot::Error).filter(|_| self.builds()) else { return false };
        let number = self.conversation(body, run.walked, log);
        if self.lane_of(number).is_some() {
            self.envelope(body, content::Envelope::Stream, sink);
            let mut draft = empty(run.record);
            let fact = |what, at| Fact { after: 0, block: None, what, at };
            draft.facts.push(fact(What::Stop(content::Stop::Error), 0..0));
            // An event that is itself the error has the error's text beside its type.
            let whole = error.token != Token::ObjectStart;
            let at = if whole { run.walked.nodes[node as usize].value.clone() } else { error.value.clone() };
            draft.facts.push(fact(What::Set(Attribute::Error), at));
            self.more(body, run, number, draft, sink);
        }
        true
    }

    pub(super) fn block_opens(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        (node, inner, kind): (u32, Option<u32>, Option<Kind>),
        sink: &mut dyn Sink,
    ) {
        let Some(inner) = inner else { return };
        // An output that builds messages anew counts a block of an unknown type as lost.
        let Some(kind) = kind.or(self.builds().then_some(Kind::Other)) else {
            run.facts.payload = true;
            return self.numbered(body, run, number, node, false, sink);
        };
        self.open_front(number, sink);
        let conversation = &mut self.shapes.conversations[number];
        // A block without text may be sealed where it begins.
        let filled = matches!(kind, Kind::Sealed(_)) || inner == node && is_sealed(run, inner);
        let arguments = [Slot::Arguments, Slot::Input].iter().filter_map(|slot| run.walked.get(inner, *slot));
        let whole =
            kind == Kind::Call && arguments.into_iter().any(|entry| !comes_later(&body.text[entry.value.clone()]));
        let parts = if whole { vec![(0, false)] } else { Vec::new() };
        conversation.blocks.insert(place.index, Block { parts, filled, named: true, ..Block::new(kind) });
        conversation.last = None;
        if !conversation.message.is_empty() {
            self.next_block(body, number, kind.is_reasoning(), sink);
        }
        let mut draft = empty(run.record);
        match kind {
            _ if kind.is_reasoning() => {
                reasoning(run.walked, inner, kind, &mut draft);
                if matches!(kind, Kind::Reasoning(_)) && !has_text(&draft) && !filled {
                    // Its text and its signature come in pieces.
                    draft.units = vec![Unit::Void(source(kind))];
                }
                if run.shape.items {
                    self.item_goes_on(number, place.index, sink);
                }
                // An item has its final ciphertext only when it is done.
                self.seals(body, run, Some(inner).filter(|_| !run.shape.items), kind, &mut draft);
                self.goes(body, run, number, draft, sink);
                return self.numbered(body, run, number, node, true, sink);
            }
            Kind::Call => draft.has.tool = true,
            Kind::Text | Kind::Refusal => draft.units.extend(run.walked.literal(inner, Slot::Text).map(Unit::Text)),
            Kind::Media | Kind::Other => draft.has.other = true,
            Kind::Hosted => draft.has.tool = true,
            _ => (),
        }
        draft.delta.payload = true;
        if self.builds() {
            facts::of_block(run.walked, inner, kind, &mut draft);
            draft.facts.retain(|fact| !comes_later(&body.text[fact.at.clone()]) || matches!(fact.what, What::Block(_)));
            draft.facts.iter_mut().for_each(|fact| fact.block = fact.block.map(|_| place.index.fact()));
        }
        if matches!(kind, Kind::Call | Kind::Hosted | Kind::Result) && self.options.wants.rest {
            // A result is whole when its block begins; arguments come in pieces.
            let whole = run.walked.get(inner, Slot::Result).map(|_| run.walked.nodes[inner as usize].value.clone());
            let name = || run.walked.get(inner, Slot::Name).map(|name| name.value.clone());
            draft.units.extend(whole.or_else(name).map(Unit::Call));
        }
        if inner == node {
            members::seals(run.walked, body.text, [node], &mut draft);
        }
        self.more(body, run, number, draft, sink);
        if kind == Kind::Message && run.walked.children(inner, Slot::List).next().is_some() {
            self.opens_with(body, run, (number, place), inner, sink);
        }
        self.numbered(body, run, number, node, false, sink);
        run.facts.payload = true;
    }

    /// Reads an event of nothing but reasoning: all of it goes with the block.
    pub(super) fn goes(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        number: u32,
        mut draft: Box<Draft>,
        sink: &mut dyn Sink,
    ) {
        if !run.element {
            draft.cuts.clear();
            draft.cuts.push(run.walked.nodes[0].value.clone());
        }
        self.more(body, run, number, draft, sink);
        run.gone = self.lane_of(number);
    }

    /// Sends where an event has the number of a block, which changes if reasoning goes.
    pub(super) fn numbered(
        &mut self,
        body: &Body<'_>,
        run: &Run<'_>,
        number: u32,
        node: u32,
        reasoning: bool,
        sink: &mut dyn Sink,
    ) {
        if !run.shape.follow.renumber {
            return;
        }
        let Some(entry) = run.walked.get(node, Slot::Index) else { return };
        let (Some(lane), Some(index)) = (self.lane_of(number), entry.number(body.text)) else { return };
        sink.event(&Event::Number { lane, at: body.span(entry.value.clone()), number: index, reasoning });
    }

    /// Reads more of a block: `text`, and what stands in other slots of the event and the object in it.
    pub(super) fn feed(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        (node, inner): (u32, Option<u32>),
        (kind, text): (Option<Kind>, Option<Literal>),
        sink: &mut dyn Sink,
    ) {
        let walked = run.walked;
        let find = |slot| inner.and_then(|inner| walked.get(inner, slot)).or_else(|| walked.get(node, slot));
        let mut draft = empty(run.record);
        let Some(kind) = kind else {
            run.facts.payload = true;
            return self.numbered(body, run, number, node, false, sink);
        };
        self.open_front(number, sink);
        if kind.is_reasoning() {
            if run.shape.items {
                self.item_goes_on(number, place.index, sink);
            }
            let sealed = |slot| find(slot).and_then(|entry| entry.literal()).is_some_and(|s| s.start < s.end);
            let signed = SEALS.into_iter().any(sealed);
            let block = self.shapes.conversations[number].blocks.get(&place.index);
            let signed = signed && block.is_none_or(|block| block.parts.is_empty());
            self.mark(number, place, kind, text);
            self.remember(body, number, place, text);
            if signed || text.is_some_and(|text| text.start < text.end) {
                let blocks = &mut self.shapes.conversations[number].blocks;
                blocks.entry(place.index).or_insert_with(|| Block::new(kind)).filled = true;
            }
            let signature = find(Slot::Signature).filter(|_| self.builds());
            draft.facts.extend(signature.map(|entry| Fact::set(1, None, Attribute::Signature, &entry.value)));
            draft.units.push(match text {
                Some(text) if text.start < text.end => Unit::Field(source(kind), text),
                _ if signed => Unit::Opaque(source(kind)),
                _ => Unit::Void(source(kind)),
            });
            self.part_begins(body, number, place, kind, sink);
            self.goes(body, run, number, draft, sink);
            return;
        }
        self.mark(number, place, kind, text);
        draft.delta.aside = kind == Kind::Commentary;
        self.remember(body, number, place, text);
        let mut nodes = inner.into_iter().chain([node]);
        let probabilities = nodes.find_map(|node| nodes::probabilities(walked, node));
        draft.probabilities.extend(probabilities.map(|list| (None, list)));
        if let (false, Some(entry)) = (draft.probabilities.is_empty() || !self.builds(), find(Slot::Probabilities)) {
            draft.facts.push(Fact::member(entry.key));
        }
        match kind {
            Kind::Text | Kind::Refusal | Kind::Commentary => draft.units.extend(text.map(Unit::Text)),
            Kind::Call if self.options.wants.rest => {
                draft.units.extend(
                    find(Slot::Arguments).or_else(|| find(Slot::Text)).map(|entry| Unit::Call(entry.value.clone())),
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
            let entry = entry.filter(|_| self.builds());
            draft.facts.extend(entry.map(|entry| Fact::set(1, block, name, &entry.value)));
        }
        draft.delta.payload = !matches!(kind, Kind::Text | Kind::Refusal | Kind::Commentary);
        members::seals(walked, body.text, inner.into_iter().chain([node]), &mut draft);
        self.more(body, run, number, draft, sink);
        self.numbered(body, run, number, node, false, sink);
        run.facts.payload = true;
    }
}

/// Whether a value is empty because its content comes in later events.
pub(super) fn comes_later(value: &[u8]) -> bool {
    matches!(value, b"{}" | b"\"\"")
}

/// Whether a draft has a text.
pub(super) fn has_text(draft: &Draft) -> bool {
    draft.units.iter().any(|unit| matches!(unit, Unit::Field(_, text) if text.start < text.end))
}
