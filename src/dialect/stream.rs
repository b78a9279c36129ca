//! Deltas: one message per response and choice, put together from the events of a stream or from JSON lines.

use super::emit::{Noted, Script, decode};
use super::walk::{Draft, Unit, deep_text};
use crate::frame::Body;
use crate::inline::{Options, Tags};
use crate::json::text;
use crate::model::{Event, Facts, Kind, Lane, Piece, Role, Sink, Source};
use crate::span::Span;
use std::collections::BTreeMap;

/// The responses of a stream. ADVICE: a response is over at `[DONE]`, at another id, and where the input ends; one
/// of its choices also at its `finish_reason`.
pub(super) struct Streams<'t> {
    tags: &'t Tags,
    options: Options,
    /// Id of the response, raw.
    id: Vec<u8>,
    choices: BTreeMap<u32, Choice<'t>>,
    /// The response has begun a message.
    begun: bool,
    scratch: Vec<u8>,
}

struct Choice<'t> {
    script: Script<'t>,
    /// Sources whose block goes on with the next delta.
    open: Vec<Source>,
}

/// What the streams need of a reader.
pub(super) struct Outside<'a, 'b> {
    pub body: &'a Body<'b>,
    pub text: bool,
    pub sink: &'a mut dyn Sink,
    pub notes: &'a mut Vec<Noted>,
}

impl<'t> Streams<'t> {
    pub fn new(tags: &'t Tags, options: Options) -> Self {
        Self { tags, options, id: Vec::new(), choices: BTreeMap::new(), begun: false, scratch: Vec::new() }
    }

    /// An event of the response with this id, if it has one.
    pub fn response(&mut self, id: Option<&[u8]>, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(id) = id.filter(|id| *id != self.id) {
            if !self.id.is_empty() {
                self.finish(sink, notes);
            }
            self.id = id.to_vec();
        }
    }

    /// A delta of one choice.
    pub fn delta(&mut self, draft: &Draft, facts: &mut Facts, mut out: Outside<'_, '_>) {
        let index = draft.index;
        let says = |unit: &Unit| match unit {
            Unit::Text(s) | Unit::Field(_, s) => s.start < s.end,
            Unit::Deep(..) => true,
            Unit::Void(_) => false,
        };
        let new = !self.choices.contains_key(&index);
        facts.payload |= draft.payload || (new && draft.role.is_some());
        if new {
            if draft.role.is_none() && !draft.tool && !draft.units.iter().any(says) {
                return void(draft, out);
            }
            let joined = std::mem::replace(&mut self.begun, true);
            facts.messages += u64::from(!joined);
            let role = draft.role.unwrap_or(Role::Assistant);
            out.sink.event(&Event::MessageStart { lane: index, role, joined, bare: false });
        }
        let choice = self
            .choices
            .entry(index)
            .or_insert_with(|| Choice { script: Script::new(self.tags, self.options, false), open: Vec::new() });
        let mut cuts: Vec<Span> = draft.cuts.iter().map(|c| out.body.span(c.clone())).collect();
        for unit in &draft.units {
            choice.unit(index, unit, &mut cuts, &mut self.scratch, &mut out);
        }
        if draft.tool {
            out.sink.event(&Event::ToolCall(index));
        }
        if draft.finished {
            self.finish_choice(index, out.sink, out.notes);
        }
    }

    /// The response is over.
    pub fn finish(&mut self, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        while let Some(index) = self.choices.keys().next().copied() {
            self.finish_choice(index, sink, notes);
        }
        self.begun = false;
        self.id.clear();
    }

    fn finish_choice(&mut self, index: Lane, sink: &mut dyn Sink, notes: &mut Vec<Noted>) {
        if let Some(mut choice) = self.choices.remove(&index) {
            let mut to = |p: &Piece<'_>| sink.event(&Event::Piece(Piece { lane: index, ..*p }));
            choice.script.finish(notes, &mut to);
            sink.event(&Event::MessageEnd { lane: index, element: None });
        }
        if self.choices.is_empty() && self.id.is_empty() {
            self.begun = false;
        }
    }

    /// The first byte about which nothing is decided.
    pub fn undecided(&self) -> Option<u64> {
        self.choices.values().filter_map(|c| c.script.undecided()).min()
    }
}

impl Choice<'_> {
    fn unit(
        &mut self,
        lane: Lane,
        unit: &Unit,
        cuts: &mut Vec<Span>,
        scratch: &mut Vec<u8>,
        out: &mut Outside<'_, '_>,
    ) {
        let at = if matches!(unit, Unit::Text(_)) { Vec::new() } else { std::mem::take(cuts) };
        scratch.clear();
        let (source, kind) = match unit {
            Unit::Text(literal) if literal.start == literal.end => return,
            Unit::Text(literal) => {
                let (input, map) = decode(out.body, *literal, scratch);
                let (open, sink) = (&mut self.open, &mut *out.sink);
                let mut to = |p: &Piece<'_>| {
                    if p.kind == Kind::Visible && !p.text.is_empty() {
                        open.clear();
                    }
                    sink.event(&Event::Piece(Piece { lane, ..*p }));
                };
                return self.script.feed(scratch, input, map, out.notes, &mut to);
            }
            Unit::Field(source, literal) if literal.start == literal.end => (*source, Kind::Void(source)),
            Unit::Field(source, literal) => {
                if out.text {
                    text::decode(literal.raw(out.body.text), scratch);
                }
                (*source, Kind::Reasoning(source))
            }
            Unit::Deep(source, value) => {
                if out.text {
                    deep_text(&out.body.text[value.clone()], scratch);
                }
                (*source, Kind::Reasoning(source))
            }
            Unit::Void(source) => (*source, Kind::Void(source)),
        };
        let fresh = matches!(kind, Kind::Reasoning(_)) && !self.open.contains(&source);
        if fresh {
            self.open.push(source);
        }
        out.sink.event(&Event::Piece(Piece { lane, kind, fresh, text: scratch, at: &at }));
    }
}

/// An event that repeats empty fields outside of any message.
fn void(draft: &Draft, out: Outside<'_, '_>) {
    let cuts: Vec<Span> = draft.cuts.iter().map(|c| out.body.span(c.clone())).collect();
    let source = draft.units.iter().find_map(|unit| match unit {
        Unit::Void(source) | Unit::Field(source, _) => Some(*source),
        _ => None,
    });
    if let Some(source) = source {
        let kind = Kind::Void(source);
        out.sink.event(&Event::Piece(Piece { lane: draft.index, kind, fresh: false, text: b"", at: &cuts }));
    }
}
