//! The blocks of a streamed message, and how events name them.

use super::NodeReader;
use super::nodes::{is_summary, source};
use crate::dialect::draft::{Fact, FactKind, Stretch};
use crate::dialect::reader::open::{Place, StreamBlock};
use crate::dialect::shape::{Kind, Slot};
use crate::json::{Literal, text};

/// Slots whose value seals a block of reasoning.
pub(super) const SEALS: [Slot; 3] = [Slot::Signature, Slot::Ciphertext, Slot::Seal];

impl NodeReader<'_> {
    /// Whether a node has a signature or a ciphertext.
    pub(super) fn is_sealed(&self, node: u32) -> bool {
        let filled = |slot| self.walked.literal(node, slot).is_some_and(|literal| literal.start < literal.end);
        SEALS.into_iter().any(filled)
    }

    /// The kind of a piece: that of the event, of the object in it, or of the block.
    pub(super) fn kind_of(&self, place: Place, named: Option<Kind>, inner: Option<u32>) -> Option<Kind> {
        let named = named.or_else(|| inner.and_then(|inner| self.kind(inner)));
        if let Some(opened) = self.opened_as_reasoning(place) {
            return named.filter(|kind| kind.is_reasoning()).or(Some(opened));
        }
        named.or_else(|| self.open[self.number].blocks.get(&place.index).map(|block| block.kind))
    }

    /// Begins a new block when reasoning comes from another block, part or source than before.
    pub(super) fn part_begins(&mut self, place: Place, kind: Kind) {
        let conversation = &mut self.open[self.number];
        let now = (place.index, place.part, source(kind));
        let before = conversation.last.replace(now);
        if before.is_some_and(|before| before != now) {
            self.next_block(true);
        }
    }

    /// Notes that a part of a block has come in pieces.
    pub(super) fn mark(&mut self, place: Place, kind: Kind, text: Option<Literal>) {
        if text.is_none_or(|text| text.start == text.end) {
            return;
        }
        let conversation = &mut self.open[self.number];
        let reasoning = kind.is_reasoning();
        conversation.text |= matches!(kind, Kind::Text | Kind::Refusal);
        conversation.reasoning |= reasoning;
        let block = conversation.blocks.entry(place.index).or_insert_with(|| StreamBlock::new(kind));
        let part = (place.part, is_summary(kind));
        if !block.parts.contains(&part) {
            block.parts.push(part);
        }
    }

    /// Keeps more of the text of a block whose events repeat it.
    pub(super) fn remember(&mut self, place: Place, text: Option<Literal>) {
        let block = self.open[self.number].blocks.get_mut(&place.index);
        if let (Some(so_far), Some(text)) = (block.and_then(|block| block.text.as_mut()), text) {
            text::decode(text.raw(self.body.text), so_far);
        }
    }

    /// Reads an event that ends a block. `inner`: the object that has the block again.
    pub(super) fn close(&mut self, place: Place, (node, inner): (u32, Option<u32>), kind: Option<Kind>) {
        let block = self.open[self.number].blocks.get_mut(&place.index);
        let filled = block.is_none_or(|block| std::mem::replace(&mut block.filled, true) || !block.parts.is_empty());
        let own = inner == Some(node);
        if let Some(kind) = kind.filter(|kind| kind.is_reasoning()) {
            let mut draft = self.empty();
            // A block without text is a block, too.
            let root = self.walked.nodes[node as usize].value.clone();
            draft.units.push(match filled {
                true => Stretch::Void(source(kind)),
                false if own && self.is_sealed(node) => Stretch::Opaque(source(kind)),
                false => Stretch::Deep(source(kind), root),
            });
            self.seals(inner, kind, &mut draft);
            return self.goes(draft);
        }
        let mut draft = self.empty();
        if kind == Some(Kind::Call) && self.setup.builds() {
            let at = self.walked.nodes[node as usize].value.start;
            let over = Fact { after: 0, block: Some(place.index.fact()), what: FactKind::Over, at: at..at };
            draft.facts.push(over);
        }
        if own {
            self.leave_seals([node], &mut draft);
        }
        if draft.says_something() {
            self.more(draft);
        }
        self.next_block(false);
        self.numbered(node, false);
        self.facts.payload = true;
    }
}
