//! The blocks of a streamed message, and how events name them.

use super::nodes::{is_summary, kind, source};
use super::{JsonReader, Run, empty, members};
use crate::dialect::draft::{Fact, Unit, What};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::{Does, Kind, Shape, Slot};
use crate::frame::Body;
use crate::json::{Literal, text};
use crate::model::Sink;
use std::collections::HashSet;

/// What a block of a streamed message is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BlockKey {
    /// Its number. 0 where events have none.
    Number(u64),
    /// Its identifier, by the number of that. If events say themselves what kind of block they belong to: whether that is
    /// reasoning. Programs count the blocks of each kind for themselves, so that an identifier may be used twice.
    Named(u32, Option<bool>),
    /// Its place in a list that repeats the blocks of a message.
    Listed(u32),
}

impl BlockKey {
    /// The block in facts about it.
    pub(super) fn fact(self) -> u32 {
        match self {
            Self::Number(number) => number as u32,
            Self::Named(name, _) => name,
            Self::Listed(place) => place,
        }
    }
}

/// The block and the part of it that an event belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) index: BlockKey,
    pub(super) part: u64,
}

/// A block of a streamed message.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The parts that have come in pieces, each with whether it is a summary.
    pub(super) parts: Vec<(u64, bool)>,
    /// Some of its content has been sent.
    pub(super) filled: bool,
    /// For a call: an event with its name and its identifier has come.
    pub(super) named: bool,
    /// The text so far, if events repeat it and add to it.
    pub(super) text: Option<Vec<u8>>,
}

impl Block {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, parts: Vec::new(), filled: false, named: false, text: None }
    }
}

/// Slots whose value seals a block of reasoning.
pub(super) const SEALS: [Slot; 3] = [Slot::Signature, Slot::Ciphertext, Slot::Seal];

/// Whether a node has a signature or a ciphertext.
pub(super) fn is_sealed(run: &Run<'_>, node: u32) -> bool {
    let filled = |slot| run.walked.literal(node, slot).is_some_and(|literal| literal.start < literal.end);
    SEALS.into_iter().any(filled)
}

/// The number or the identifier of the block that an event belongs to: its own, or that of the object in it.
fn index_of(walked: &Walked, node: u32) -> Option<&Entry> {
    let inner = || walked.get(walked.children(node, Slot::Inner).next()?, Slot::Index);
    walked.get(node, Slot::Index).or_else(inner)
}

/// The kind that an event, or the object in it, says itself.
fn kind_of(walked: &Walked, node: u32) -> Option<Kind> {
    let inner = || walked.nodes[walked.children(node, Slot::Inner).next()? as usize].does.kind();
    walked.nodes[node as usize].does.kind().or_else(inner)
}

impl JsonReader<'_> {
    /// Where a record has more of a block whose kind neither the event nor an earlier one says, so that it may be
    /// reasoning.
    pub(super) fn unopened(&mut self, body: &Body<'_>, walked: &Walked, shape: &Shape) -> Option<usize> {
        let (mut node, mut log) = (0, None);
        while walked.nodes[node as usize].does == Does::Envelope {
            log = log.or(shape.log.then_some(node));
            node = walked.children(node, Slot::Inner).next()?;
        }
        if walked.nodes[node as usize].does != Does::Records {
            return self.is_unopened(body, walked, (node, log), &HashSet::new());
        }
        let mut opened = HashSet::new();
        for child in walked.children(node, Slot::List) {
            let opens = match walked.nodes[child as usize].does {
                Does::Open | Does::Repeat(_) | Does::Grow(_) => kind_of(walked, child).is_some(),
                Does::OpenAs(_) => true,
                _ => false,
            };
            if opens {
                opened.insert(index_of(walked, child).map(|entry| entry.plain(body.text).into_owned()));
            }
            let found = self.is_unopened(body, walked, (child, None), &opened);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The same for one event. `opened`: the blocks that earlier events of the record have opened.
    fn is_unopened(
        &mut self,
        body: &Body<'_>,
        walked: &Walked,
        (node, log): (u32, Option<u32>),
        opened: &HashSet<Option<Vec<u8>>>,
    ) -> Option<usize> {
        let (Does::Feed(None) | Does::Repeat(None) | Does::Grow(None)) = walked.nodes[node as usize].does else {
            return None;
        };
        if kind_of(walked, node).is_some() {
            return None;
        }
        // An object without a meaning is searched.
        let inner = walked.children(node, Slot::Inner).filter(|inner| walked.nodes[*inner as usize].does != Does::Rest);
        let mut nodes = inner.chain([node]);
        let text = nodes.find_map(|node| walked.literal(node, Slot::Text).filter(|text| text.start < text.end))?;
        let index = index_of(walked, node).map(|entry| entry.plain(body.text).into_owned());
        let number = self.conversation(body, walked, log);
        let place = self.place(body, walked, number, node);
        let known = opened.contains(&index) || self.shapes.conversations[number].blocks.contains_key(&place.index);
        (!known).then(|| text.start - 1)
    }

    /// The block and the part that an event belongs to.
    pub(super) fn place(&mut self, body: &Body<'_>, walked: &Walked, number: u32, node: u32) -> Place {
        let part = walked.get(node, Slot::Part).and_then(|entry| entry.number(body.text)).unwrap_or(0);
        let Some(entry) = index_of(walked, node) else { return Place { index: BlockKey::Number(0), part } };
        if entry.literal().is_none() {
            return Place { index: BlockKey::Number(entry.number(body.text).unwrap_or(0)), part };
        }
        let conversation = &mut self.shapes.conversations[number];
        let next = conversation.names.len() as u32;
        let name = *conversation.names.entry(entry.word(body.text).into_owned()).or_insert(next);
        let is_open = |of: &Option<bool>| conversation.blocks.contains_key(&BlockKey::Named(name, *of));
        let of = match walked.nodes[node as usize].does {
            Does::OpenAs(kind) => Some(kind.is_reasoning()),
            Does::Feed(Some(kind)) | Does::Repeat(Some(kind)) | Does::Grow(Some(kind)) | Does::CloseAs(kind) => {
                let own = Some(kind.is_reasoning());
                [own, None].into_iter().find(is_open).unwrap_or(own)
            }
            Does::Open | Does::Repeat(None) | Does::Grow(None) => None,
            _ => [None, Some(true), Some(false)].into_iter().find(is_open).flatten(),
        };
        Place { index: BlockKey::Named(name, of), part }
    }

    /// The kind of a piece: that of the event, of the object in it, or of the block.
    pub(super) fn kind_of(
        &self,
        run: &Run<'_>,
        number: u32,
        place: Place,
        named: Option<Kind>,
        inner: Option<u32>,
    ) -> Option<Kind> {
        let named = named.or_else(|| inner.and_then(|inner| kind(run, inner)));
        if let Some(opened) = self.opened_as_reasoning(number, place) {
            return named.filter(|kind| kind.is_reasoning()).or(Some(opened));
        }
        named.or_else(|| self.shapes.conversations[number].blocks.get(&place.index).map(|block| block.kind))
    }

    /// Begins a new block when reasoning comes from another block, part or source than before.
    pub(super) fn part_begins(&mut self, body: &Body<'_>, number: u32, place: Place, kind: Kind, sink: &mut dyn Sink) {
        let conversation = &mut self.shapes.conversations[number];
        let now = (place.index, place.part, source(kind));
        let before = conversation.last.replace(now);
        if before.is_some_and(|before| before != now) {
            self.next_block(body, number, true, sink);
        }
    }

    /// Notes that a part of a block has come in pieces.
    pub(super) fn mark(&mut self, number: u32, place: Place, kind: Kind, text: Option<Literal>) {
        if text.is_none_or(|text| text.start == text.end) {
            return;
        }
        let conversation = &mut self.shapes.conversations[number];
        let reasoning = kind.is_reasoning();
        conversation.text |= matches!(kind, Kind::Text | Kind::Refusal);
        conversation.reasoning |= reasoning;
        let block = conversation.blocks.entry(place.index).or_insert_with(|| Block::new(kind));
        let part = (place.part, is_summary(kind));
        if !block.parts.contains(&part) {
            block.parts.push(part);
        }
    }

    /// Keeps more of the text of a block whose events repeat it.
    pub(super) fn remember(&mut self, body: &Body<'_>, number: u32, place: Place, text: Option<Literal>) {
        let block = self.shapes.conversations[number].blocks.get_mut(&place.index);
        if let (Some(so_far), Some(text)) = (block.and_then(|block| block.text.as_mut()), text) {
            text::decode(text.raw(body.text), so_far);
        }
    }

    /// Reads an event that ends a block. `inner`: the object that has the block again.
    pub(super) fn close(
        &mut self,
        body: &Body<'_>,
        run: &mut Run<'_>,
        (number, place): (u32, Place),
        (node, inner): (u32, Option<u32>),
        kind: Option<Kind>,
        sink: &mut dyn Sink,
    ) {
        let block = self.shapes.conversations[number].blocks.get_mut(&place.index);
        let filled = block.is_none_or(|block| std::mem::replace(&mut block.filled, true) || !block.parts.is_empty());
        let own = inner == Some(node);
        if let Some(kind) = kind.filter(|kind| kind.is_reasoning()) {
            let mut draft = empty(run.record);
            // A block without text is a block, too.
            let root = run.walked.nodes[node as usize].value.clone();
            draft.units.push(match filled {
                true => Unit::Void(source(kind)),
                false if own && is_sealed(run, node) => Unit::Opaque(source(kind)),
                false => Unit::Deep(source(kind), root),
            });
            self.seals(body, run, inner, kind, &mut draft);
            return self.goes(body, run, number, draft, sink);
        }
        let mut draft = empty(run.record);
        if kind == Some(Kind::Call) && self.builds() {
            let at = run.walked.nodes[node as usize].value.start;
            let over = Fact { after: 0, block: Some(place.index.fact()), what: What::Over, at: at..at };
            draft.facts.push(over);
        }
        if own {
            members::seals(run.walked, body.text, [node], &mut draft);
        }
        if !draft.facts.is_empty() || !draft.units.is_empty() {
            self.more(body, run, number, draft, sink);
        }
        self.next_block(body, number, false, sink);
        self.numbered(body, run, number, node, false, sink);
        run.facts.payload = true;
    }
}
