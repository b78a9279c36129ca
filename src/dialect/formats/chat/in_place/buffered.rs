//! Buffers the text of a delta until every byte of it is known to be visible or reasoning, and then writes it.

use super::Placement;
use super::edits::{RangeEdits, copies, copy, move_bits, move_edits, text};
use super::reading::{ContentPart, Reading};
use super::thought::{RecordRange, Thought};
use super::values::{inside, kind};
use crate::dialect::formats::chat::thinking_block::thinking;
use crate::dialect::formats::write::quoted;
use crate::frame::Body;
use crate::model::content::{self, Attribute, Block};
use crate::model::{Bit, Event, Loss, Losses, Lost, MessagePlace, PieceKind, Sink, TAGS};
use crate::span::Span;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The texts of a delta while the tag scanner decides about them.
#[derive(Clone, Debug)]
pub(super) struct BufferedDelta {
    /// The insides of the text strings, in order.
    pub texts: Box<[Span]>,
    pub left: u64,
    pub pieces: Vec<(PieceKind, bool, Span)>,
    /// Edits inside of the texts.
    pub inner: RangeEdits,
    pub losses: Losses,
    /// Its message.
    pub message: Option<MessagePlace>,
    /// The edits if all text is visible, or if reasoning stays in it.
    pub plain: RangeEdits,
    /// The edits if reasoning moves, without the edit of the member that holds the text.
    pub mixed: RangeEdits,
    /// The member that holds the text.
    pub member: Span,
    pub name: Bit,
    pub before: Vec<Bit>,
    /// The value of that member.
    pub value: DeltaContent,
    pub placement: Placement,
}

/// The content of a delta.
#[derive(Clone, Debug)]
pub(super) struct DeltaContent {
    stretches: Vec<ContentStretch>,
    /// It is a list of parts.
    list: bool,
}

/// A stretch of the content.
#[derive(Clone, Debug)]
enum ContentStretch {
    /// A text, and the bytes to write before and behind it.
    Text(Span, Cow<'static, [Bit]>, Cow<'static, [Bit]>),
    /// The text of a block of reasoning.
    Thought(Vec<Bit>),
    /// Bytes that stay as they are.
    Other(Vec<Bit>),
}

/// The beginning and the end of a part with nothing but a text, and those of a text.
const TEXT: &str = "{\"type\":\"text\",\"text\":\"";
static PART: [[Bit; 1]; 2] = [literal(TEXT), literal("\"}")];
static STRING: [[Bit; 1]; 2] = [literal("\""), literal("\"")];

const fn literal(text: &'static str) -> [Bit; 1] {
    [Bit::Text(Cow::Borrowed(text.as_bytes()))]
}

impl DeltaContent {
    /// Splits the content of a delta into stretches, so that reasoning can be taken out of its texts.
    pub fn new(body: &Body<'_>, reading: &Reading, value: &RecordRange, placement: Placement) -> Self {
        let blocks = placement.is_blocks();
        if kind(body.text, value) == b'"' {
            // Thousands of deltas may wait: what is the same in all of them is no copy.
            let [before, behind] = if blocks { &PART } else { &STRING };
            let whole = ContentStretch::Text(body.span(inside(value)), Cow::Borrowed(before), Cow::Borrowed(behind));
            return Self { stretches: vec![whole], list: false };
        }
        let stretch = |part: &ContentPart| match part {
            ContentPart::Text(at, number) => {
                let literal = reading.texts[*number].literal;
                let inside = body.span(literal.start..literal.end);
                let [before, behind] = [at.start..literal.start, literal.end..at.end].map(|at| vec![copy(body, &at)]);
                ContentStretch::Text(inside, before.into(), behind.into())
            }
            ContentPart::Thought(number) if blocks => {
                ContentStretch::Other(block(body, &reading.thoughts[*number], false))
            }
            ContentPart::Thought(number) => {
                let mut bits = Vec::new();
                copies(body, reading.thoughts[*number].text.as_deref().unwrap_or_default(), &mut bits);
                ContentStretch::Thought(bits)
            }
            ContentPart::Other(at) => ContentStretch::Other(vec![copy(body, at)]),
        };
        Self { stretches: reading.parts.iter().map(stretch).collect(), list: kind(body.text, value) == b'[' }
    }

    /// Its stretches, if no text has reasoning.
    pub fn whole(self) -> impl Iterator<Item = Vec<Bit>> {
        self.stretches.into_iter().map(|stretch| match stretch {
            ContentStretch::Text(at, before, behind) => {
                let mut bits = before.into_owned();
                bits.extend((!at.is_empty()).then_some(Bit::Copy(at)));
                bits.extend_from_slice(&behind);
                bits
            }
            ContentStretch::Thought(bits) | ContentStretch::Other(bits) => bits,
        })
    }

    /// The spans of its texts.
    pub fn texts(&self) -> Box<[Span]> {
        let text = |stretch: &ContentStretch| if let ContentStretch::Text(at, ..) = stretch { Some(*at) } else { None };
        self.stretches.iter().filter_map(text).collect()
    }
}

/// Merges two lists of edits. An inner edit inside of bytes that an outer edit copies is applied to the copy.
fn woven(outer: RangeEdits, mut inner: RangeEdits) -> RangeEdits {
    inner.sort_by_key(|(at, _)| at.start);
    let mut out: RangeEdits = Vec::new();
    let mut moved: Vec<Span> = Vec::new();
    for (at, with) in outer {
        let mut bits = Vec::new();
        for bit in with {
            let Bit::Copy(span) = bit else {
                bits.push(bit);
                continue;
            };
            let (mut from, first) = (span.start, inner.partition_point(|(at, _)| at.start < span.start));
            for (at, with) in inner[first..].iter().take_while(|(at, _)| at.end <= span.end) {
                bits.push(Bit::Copy(Span::new(from, at.start)));
                bits.extend(with.iter().cloned());
                from = at.end;
            }
            bits.push(Bit::Copy(Span::new(from, span.end)));
        }
        bits.retain(|bit| !matches!(bit, Bit::Copy(span) if span.is_empty()));
        moved.extend((!at.is_empty()).then_some(at));
        out.push((at, bits));
    }
    moved.sort_by_key(|at| at.start);
    let within = |at: &Span| {
        let next = moved.get(moved.partition_point(|moved| moved.end <= at.start));
        next.is_some_and(|moved| moved.start <= at.start && at.end <= moved.end)
    };
    out.extend(inner.into_iter().filter(|(at, _)| !within(at)));
    out.sort_by_key(|(at, _)| at.start);
    out
}

impl BufferedDelta {
    /// Where the first of the texts begins.
    pub fn start(&self) -> u64 {
        self.texts.first().map_or(0, |at| at.start)
    }

    /// Where the last of them ends.
    pub fn end(&self) -> u64 {
        self.texts.last().map_or(0, |at| at.end)
    }

    /// Whether the next delta may wait with the same: its content is one text.
    pub fn is_one_text(&self) -> bool {
        !self.value.list && matches!(self.value.stretches.as_slice(), [ContentStretch::Text(..)])
    }

    /// Moves it to another record, which must differ in the text only.
    pub fn shift(&mut self, shift: &impl Fn(&mut Span)) {
        self.texts.iter_mut().for_each(shift);
        self.left = self.texts.iter().map(|text| text.len()).sum();
        move_edits(&mut self.plain, shift);
        move_edits(&mut self.mixed, shift);
        shift(&mut self.member);
        move_bits(std::slice::from_mut(&mut self.name), shift);
        move_bits(&mut self.before, shift);
        if let [ContentStretch::Text(at, ..)] = self.value.stretches.as_mut_slice() {
            shift(at);
        }
    }

    /// Whether these bytes are in one of its texts.
    pub fn contains(&self, span: Span) -> bool {
        let at = self.texts.partition_point(|text| text.end < span.end);
        self.texts.get(at).is_some_and(|text| text.start <= span.start)
    }

    /// Sends the edits, once every byte of the text is known.
    pub fn send(mut self, sink: &mut dyn Sink) {
        self.losses.send(sink);
        if self.placement.is_inline() {
            self.plain = woven(std::mem::take(&mut self.plain), std::mem::take(&mut self.inner));
        }
        let of_block =
            |kind: &PieceKind| matches!(kind, PieceKind::Reasoning(_) | PieceKind::Delimiter | PieceKind::Stray);
        let reasoning = self.pieces.iter().any(|(kind, joins, _)| of_block(kind) || *joins);
        if !reasoning || self.placement.is_inline() {
            return self.plain.iter().for_each(|(at, with)| sink.event(&Event::Edit { at: *at, with }));
        }
        let mut bits = vec![self.name.clone()];
        match self.placement.field() {
            Some(key) => self.field(key, sink, &mut bits),
            None => self.blocks(sink, &mut bits),
        }
        for (at, with) in &self.mixed {
            sink.event(&Event::Edit { at: *at, with });
        }
        sink.event(&Event::Edit { at: self.member, with: &bits });
    }

    fn lost(&self, loss: Loss, at: Span) -> Event<'static> {
        Event::Loss(Lost { loss, at: Some(at.start), message: self.message })
    }

    /// Takes the pieces of a text off `rest`.
    fn pieces_of<'s>(at: Span, rest: &mut &'s [(PieceKind, bool, Span)]) -> &'s [(PieceKind, bool, Span)] {
        let (pieces, others) = rest.split_at(rest.partition_point(|(_, _, span)| span.end <= at.end));
        *rest = others;
        pieces
    }

    fn field(&self, key: &str, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let (mut reasoning, mut visible) = (self.before.clone(), false);
        let (mut parts, mut rest): (Vec<Vec<Bit>>, _) = (Vec::new(), self.pieces.as_slice());
        for stretch in &self.value.stretches {
            let (at, before, behind) = match stretch {
                ContentStretch::Text(at, before, behind) => (*at, before, behind),
                ContentStretch::Thought(inside) => {
                    reasoning.extend((!reasoning.is_empty()).then(|| text("\\n")));
                    reasoning.extend(inside.iter().cloned());
                    continue;
                }
                ContentStretch::Other(whole) => {
                    visible = true;
                    parts.push(whole.clone());
                    continue;
                }
            };
            let mut part = before.to_vec();
            for (kind, again, span) in Self::pieces_of(at, &mut rest) {
                match kind {
                    PieceKind::Reasoning(_) => {
                        if *again {
                            reasoning.push(text("\\n"));
                            sink.event(&self.lost(Loss::Blocks, *span));
                        }
                        // Events keep their order, but blocks inside of one event need not.
                        if std::mem::take(&mut visible) {
                            sink.event(&self.lost(Loss::Order, *span));
                        }
                        reasoning.push(Bit::Copy(*span));
                    }
                    PieceKind::Delimiter => (),
                    PieceKind::Stray => sink.event(&self.lost(Loss::Stray, *span)),
                    _ => {
                        visible |= !span.is_empty();
                        part.extend(again.then(|| text("\\n")));
                        part.push(Bit::Copy(*span));
                    }
                }
            }
            part.extend(behind.iter().cloned());
            parts.push(part);
        }
        self.value.enclose(parts, bits);
        if !reasoning.is_empty() {
            bits.push(text(format!(",\"{key}\":\"")));
            bits.extend(reasoning);
            bits.push(text("\""));
        }
    }

    fn blocks(&self, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let mut list = List::default();
        if !self.before.is_empty() {
            list.thought(self.before.iter().cloned());
        }
        let mut rest = self.pieces.as_slice();
        for stretch in &self.value.stretches {
            let (at, before, behind) = match stretch {
                ContentStretch::Text(at, before, behind) => (*at, before, behind),
                ContentStretch::Thought(whole) | ContentStretch::Other(whole) => {
                    list.block(whole.clone(), Vec::new());
                    continue;
                }
            };
            // If a text stands in a part, the part is written once, with the first stretch of its text.
            let mut part = Some((before.to_vec(), behind.to_vec()));
            if at.is_empty() {
                list.text(&mut part, []);
            }
            for (kind, again, span) in Self::pieces_of(at, &mut rest) {
                match kind {
                    PieceKind::Delimiter => (),
                    PieceKind::Stray => sink.event(&self.lost(Loss::Stray, *span)),
                    PieceKind::Reasoning(_) => list.thought([Bit::Copy(*span)]),
                    _ => {
                        let line = again.then(|| text("\\n"));
                        list.text(&mut part, line.into_iter().chain([Bit::Copy(*span)]));
                    }
                }
            }
            list.end();
        }
        if list.blocks.is_empty() {
            *bits = vec![text("\"content\":\"\"")];
            return;
        }
        let blocks = list.blocks.into_iter().map(|(mut block, behind)| {
            block.extend(behind);
            block
        });
        DeltaContent { stretches: Vec::new(), list: true }.enclose(blocks.collect(), bits);
    }
}

impl DeltaContent {
    /// Adds its parts, written as a list or a text.
    fn enclose(&self, parts: Vec<Vec<Bit>>, bits: &mut Vec<Bit>) {
        bits.extend(self.list.then(|| text("[")));
        for (i, part) in parts.into_iter().enumerate() {
            bits.extend((i > 0).then(|| text(",")));
            bits.extend(part);
        }
        bits.extend(self.list.then(|| text("]")));
    }
}

/// The blocks written so far.
#[derive(Default)]
struct List {
    /// The bits of each block, and the bits that end it.
    blocks: Vec<(Vec<Bit>, Vec<Bit>)>,
    /// Whether the last block is open; then, whether it is reasoning.
    open: Option<bool>,
}

impl List {
    fn block(&mut self, bits: Vec<Bit>, behind: Vec<Bit>) {
        self.blocks.push((bits, behind));
        self.open = None;
    }

    /// Ends an open block of text. An open block of reasoning goes on.
    fn end(&mut self) {
        self.open = self.open.filter(|thought| *thought);
    }

    /// Adds text, in the part that it stood in or in a block of its own.
    fn text(&mut self, part: &mut Option<(Vec<Bit>, Vec<Bit>)>, inside: impl IntoIterator<Item = Bit>) {
        if self.open != Some(false) {
            let (before, behind) = part.take().unwrap_or_else(|| (vec![text(TEXT)], vec![text("\"}")]));
            self.block(before, behind);
            self.open = Some(false);
        }
        self.more(inside);
    }

    fn more(&mut self, inside: impl IntoIterator<Item = Bit>) {
        if let Some((bits, _)) = self.blocks.last_mut() {
            bits.extend(inside);
        }
    }

    fn thought(&mut self, inside: impl IntoIterator<Item = Bit>) {
        if self.open != Some(true) {
            let (before, behind) = thinking(&Block::new(content::ContentKind::Reasoning, TAGS, 0));
            self.block(vec![text(before)], vec![text(behind)]);
            self.open = Some(true);
        }
        self.more(inside);
    }
}

/// The waiting delta that these bytes stand in. Several deltas of one message may wait.
pub(super) fn find(buffered: &mut VecDeque<BufferedDelta>, span: Span) -> Option<&mut BufferedDelta> {
    let at = buffered.partition_point(|delta| delta.end() < span.end);
    buffered.get_mut(at).filter(|delta| delta.contains(span))
}

/// A piece of reasoning as a block. `first`: its field stands before the content.
pub(super) fn block(body: &Body<'_>, thought: &Thought, first: bool) -> Vec<Bit> {
    let mut block = Block::new(content::ContentKind::Reasoning, "", 0);
    let facts = [
        (Attribute::SourceField, thought.source.as_ref().map(|name| quoted(name.as_bytes()))),
        (Attribute::Signature, thought.signature.clone().map(|at| body.text[at].to_vec())),
        (Attribute::Hidden, thought.hidden.clone().map(|at| body.text[at].to_vec())),
        (Attribute::Ciphertext, thought.encrypted.clone().map(|at| body.text[at].to_vec())),
    ];
    block.facts.extend(facts.into_iter().filter_map(|(name, value)| Some((name, value?))));
    block.facts.extend((first || thought.first).then(|| (Attribute::SourceFirst, b"true".to_vec())));
    let (before, behind) = thinking(&block);
    let mut bits = vec![text(before)];
    copies(body, thought.text.as_deref().unwrap_or_default(), &mut bits);
    bits.push(text(behind));
    bits
}
