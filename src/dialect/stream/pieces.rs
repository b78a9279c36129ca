//! Sends the units of a delta as pieces.

use super::*;
use crate::dialect::draft::{Fact, FactKind};
use crate::dialect::formats::shared::{block_numbers, deep_blocks};
use crate::dialect::reader::{next_facts, send_facts};
use crate::json::scan::has_key;
use crate::json::text::Needle;

impl Streams {
    /// Before a message begins: an output that writes messages in order gets the buffered texts of the open ones first.
    pub(super) fn texts_before(&mut self, but: usize, out: &mut Outside<'_, '_>) {
        if !out.wants.content {
            return;
        }
        let others = self.responses.iter_mut().enumerate().filter(|(at, _)| *at != but);
        for choice in others.flat_map(|(_, response)| response.choices.values_mut()) {
            choice.text_before(out);
            choice.count_buffered(&mut self.buffered);
        }
    }
}

impl StreamChoice {
    /// Sends the units of a delta, without those that are known.
    pub(super) fn units(
        &mut self,
        tags: &Tags,
        options: Options,
        (draft, known): (&Draft, RestatedParts),
        (scratch, mut cuts): (&mut Vec<u8>, &[Span]),
        out: &mut Outside<'_, '_>,
    ) {
        let reasons = draft.units.iter().any(is_reasoning);
        let apart = self.apart || draft.has.place_for_reasoning || reasons;
        let moves = if reasons { options.moves } else { self.moves };
        if (apart, moves) != (self.apart, self.moves) {
            (self.apart, self.moves) = (apart, moves);
            if let Some(reader) = &mut self.text.reader {
                reader.set_apart(moves);
            }
        }
        let of_text = Options { apart, moves, ..options };
        self.numbered(draft, out);
        let mut facts = draft.facts.as_slice();
        // A model thinks before it speaks, also where an event has the end of the one and the start of the other.
        let sorts = reasons && out.wants.content && !draft.shaped.apart && thinks_behind(&draft.units);
        let passes: &[Option<bool>] = if sorts { &[Some(true), Some(false)] } else { &[None] };
        let all = |thoughts: &Option<bool>| {
            let thoughts = *thoughts;
            let is = move |unit: &Stretch| thoughts.is_none_or(|thoughts| is_reasoning(unit) == thoughts);
            draft.units.iter().enumerate().filter(move |(_, unit)| is(unit))
        };
        for (at, unit) in passes.iter().flat_map(all).filter(|(_, unit)| !known.has(unit)) {
            self.facts(next_facts(&mut facts, at), out);
            let aside = draft.delta.aside;
            if !aside || !matches!(unit, Stretch::Text(_)) {
                self.known.add(unit);
            }
            if let Stretch::Text(literal) = unit {
                let probabilities = draft.probabilities_of(at).map(|list| out.body.span(list));
                let text = out.body.span(literal.start..literal.end);
                self.text.probabilities.extend(probabilities.map(|list| (text, list)));
                self.text((*literal, aside), (tags, of_text), scratch, out);
                if draft.shaped.apart {
                    self.end_text(tags, of_text, out);
                }
                continue;
            }
            if draft.shaped.apart {
                // Each unit is a block, or a part, by itself.
                self.open.clear();
            }
            if is_filled(unit) {
                self.text_before(out);
            }
            if let Some(tags) = tags.redactions() {
                self.redact(unit, tags, scratch, out);
            }
            // If an event announces a call, later events continue it.
            let fresh = match unit {
                Stretch::Call(value) if !draft.shaped.announced && !draft.delta.restated => {
                    names_call(&out.body.text[value.clone()])
                }
                _ => draft.has.tool || !draft.shaped.announced,
            };
            self.unit(self.lane, (unit, fresh), &mut cuts, scratch, out);
        }
        self.facts(facts, out);
        if draft.has.tool {
            out.sink.event(&Event::Fact(self.lane, MessageFact::ToolCall));
        }
    }
}

impl StreamChoice {
    fn facts(&mut self, facts: &[Fact], out: &mut Outside<'_, '_>) {
        if facts.iter().any(|fact| matches!(fact.what, FactKind::Block(_))) {
            self.text_before(out);
        }
        send_facts(out.body, facts, self.lane, out.sink);
    }

    /// Before a block that is not text: an output that writes blocks in order gets the text before it first, so that no
    /// later delimiter decides what that text begins with.
    pub(super) fn text_before(&mut self, out: &mut Outside<'_, '_>) {
        if out.wants.content && self.text.begun {
            self.read(out, |reader, notes, to| reader.begins_visible(notes, to));
        }
    }

    pub(super) fn unit(
        &mut self,
        lane: Lane,
        (unit, fresh): (&Stretch, bool),
        cuts: &mut &[Span],
        scratch: &mut Vec<u8>,
        out: &mut Outside<'_, '_>,
    ) {
        let at = if matches!(unit, Stretch::Call(_)) { &[][..] } else { std::mem::take(cuts) };
        scratch.clear();
        let mut raw = None;
        let (source, kind) = match unit {
            Stretch::Call(_) => return self.call((unit, fresh), lane, scratch, out),
            Stretch::Text(_) => return,
            Stretch::Field(source, literal) if literal.start == literal.end => (*source, PieceKind::Void(source)),
            Stretch::Field(source, literal) => {
                match out.wants {
                    Wants { raw: true, .. } => raw = Some(*literal),
                    Wants { text: true, .. } => text::decode(literal.raw(out.body.text), scratch),
                    _ => (),
                }
                (*source, PieceKind::Reasoning(source))
            }
            Stretch::Deep(source, value) => {
                let list = &out.body.text[value.clone()];
                let decodes = out.wants.text || out.wants.raw;
                let starts = if decodes { deep_blocks(list, false, scratch) } else { Vec::new() };
                if starts.len() > 1 {
                    return self.blocks(source, (scratch, &starts), at, out);
                }
                if decodes {
                    self.only_new(list, scratch);
                }
                (*source, PieceKind::Reasoning(source))
            }
            Stretch::Opaque(source) => (*source, PieceKind::Reasoning(source)),
            Stretch::Void(source) => (*source, PieceKind::Void(source)),
        };
        let fresh = matches!(kind, PieceKind::Reasoning(_)) && !self.open.contains(&source);
        if fresh {
            self.open.push(source);
        }
        let escaped = raw.is_some_and(|literal| literal.escaped);
        let text = raw.map_or(scratch.as_slice(), |literal| literal.raw(out.body.text));
        out.sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped, whole: false, at }));
        if out.wants.rest && text.is_empty() && unit.is_sealed(out.body.text) {
            out.sink.event(&Event::Fact(lane, MessageFact::Sealed));
        }
    }
}

impl StreamChoice {
    /// Notes the numbers of the blocks in the lists of a delta. Another one than the last begins a block of its own, of which a
    /// field beside the list may have the text, too.
    fn numbered(&mut self, draft: &Draft, out: &Outside<'_, '_>) {
        for unit in &draft.units {
            let Stretch::Deep(source, value) = unit else { continue };
            let Some((first, last)) = block_numbers(&out.body.text[value.clone()]) else { continue };
            let before = self.numbers.insert(source, last.to_vec());
            if before.is_some_and(|before| before != first) {
                self.open.retain(|open| !out.wants.content && open != source);
            }
        }
    }

    /// Sends several blocks in a list, each of which begins in the text at one of these places.
    fn blocks(&mut self, source: Source, (text, starts): (&[u8], &[usize]), at: &[Span], out: &mut Outside<'_, '_>) {
        for (number, from) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(text.len());
            let fresh = number > 0 || !self.open.contains(&source);
            let (lane, kind, at) = (self.lane, PieceKind::Reasoning(source), if number > 0 { &[][..] } else { at });
            let text = if number > 0 { &text[*from..end] } else { &text[..end] };
            out.sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped: false, whole: false, at }));
            self.open.extend((!self.open.contains(&source)).then_some(source));
        }
    }

    /// A block that repeats its earlier text: `text` is reduced to the new part.
    fn only_new(&mut self, block: &[u8], text: &mut Vec<u8>) {
        if !repeats(block) {
            return;
        }
        let whole = text.clone();
        if text.starts_with(&self.cumulative) {
            text.drain(..self.cumulative.len());
        }
        self.cumulative = whole;
    }

    fn call(&self, (unit, fresh): (&Stretch, bool), lane: Lane, scratch: &mut Vec<u8>, out: &mut Outside<'_, '_>) {
        if let (Stretch::Call(value), true) = (unit, out.wants.calls_as_text()) {
            call_text(&out.body.text[value.clone()], scratch);
            let (kind, text) = (PieceKind::Call, scratch.as_slice());
            out.sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped: false, whole: false, at: &[] }));
        }
    }
}

/// Reads an event with nothing but empty reasoning fields, outside of any message.
pub(super) fn void(draft: &Draft, out: Outside<'_, '_>) {
    let cuts: Vec<Span> = draft.cuts.iter().map(|c| out.body.span(c.clone())).collect();
    let source = draft.units.iter().find_map(|unit| match unit {
        Stretch::Void(source) | Stretch::Field(source, _) => Some(*source),
        _ => None,
    });
    if let Some(source) = source {
        let kind = PieceKind::Void(source);
        out.sink.event(&Event::Piece(Piece {
            lane: Lane::Pieces(draft.delta.index),
            kind,
            fresh: false,
            text: b"",
            escaped: false,
            whole: false,
            at: &cuts,
        }));
    }
}

/// Whether a block with a `streamId` repeats its earlier text.
pub(in crate::dialect) fn repeats(block: &[u8]) -> bool {
    static STREAM: Needle = Needle::new("streamId");
    has_key(block, &STREAM)
}

/// Whether a unit is reasoning in a place of its own.
fn is_reasoning(unit: &Stretch) -> bool {
    matches!(unit, Stretch::Field(_, text) if text.start < text.end) || matches!(unit, Stretch::Deep(..))
}

/// Whether reasoning stands behind a text.
fn thinks_behind(units: &[Stretch]) -> bool {
    let text = units.iter().position(|unit| matches!(unit, Stretch::Text(text) if text.start < text.end));
    text.is_some_and(|at| units[at..].iter().any(is_reasoning))
}

/// Sends the bytes of a section that is to be emptied.
pub(super) fn redacted(lane: Lane, at: &[Span], sink: &mut dyn Sink) {
    let kind = PieceKind::Redacted;
    sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text: b"", escaped: false, whole: false, at }));
}

/// Whether a unit of a delta has content.
pub(super) fn is_filled(unit: &Stretch) -> bool {
    match unit {
        Stretch::Text(s) | Stretch::Field(_, s) => s.start < s.end,
        Stretch::Deep(..) | Stretch::Opaque(_) => true,
        Stretch::Void(_) | Stretch::Call(_) => false,
    }
}
