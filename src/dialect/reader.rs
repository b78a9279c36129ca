//! The reader for JSON records: walks a record, then says what it holds as events.

mod convert;
mod fields;
mod options;
mod redact;
mod refuse;
mod seen;
mod suspect;
mod told;

pub(super) use self::fields::NAMED;
pub use self::suspect::{Refused, Suspect};
pub use self::{
    options::Foreign, options::Hindsight, options::ReadOptions, refuse::UNCLOSED, refuse::unclosed, seen::Seen,
};
use super::emit::{Noted, Script, decode};
use super::names::Names;
use super::rewrite::Live;
use super::stream::{Known, Outside, Streams};
use super::suspect::Search;
use super::template::Template;
use super::walk::{Detail, Draft, Item, Record, Unit, call_text, deep_text};
use crate::frame::Body;
use crate::inline::{Note, Options, Start, Tags};
use crate::json::{Literal, text};
use crate::model::{Element, Event, Facts, Kind, Lane as LaneId, Piece, Role, SNAPSHOT, Sink};
use crate::span::Span;
use std::ops::Range;

/// Reads the records of one input.
pub struct JsonReader<'t> {
    tags: &'t Tags,
    names: Names,
    options: ReadOptions,
    streams: Streams<'t>,
    notes: Vec<Noted>,
    scratch: Vec<u8>,
    spans: Vec<Span>,
    cuts: Vec<Span>,
    /// Room for the next record. It is large, so that moving it would cost.
    record: Option<Box<Record>>,
    detail: Detail,
    template: Option<Template>,
    live: Live,
    seen: Seen,
    /// Looks for reasoning where no dialect does, if anything is looked for.
    search: Option<Search<'t>>,
    /// Suspect records that pass.
    suspects: Vec<Suspect>,
}

impl<'t> JsonReader<'t> {
    /// A reader at the start of an input.
    pub fn new(tags: &'t Tags, options: ReadOptions) -> Self {
        Self {
            tags,
            names: Names::new(&options.dialects),
            streams: Streams::new(tags, options.in_stream(tags)),
            detail: Detail {
                members: options.to.is_some(),
                usage: options.wants.rest,
                plain: !tags.has_plain_delimiter(),
            },
            search: (options.foreign != Foreign::Unwatched).then(|| Search::new(tags)),
            suspects: Vec::new(),
            options,
            notes: Vec::new(),
            scratch: Vec::new(),
            spans: Vec::new(),
            cuts: Vec::new(),
            record: None,
            template: None,
            live: Live::default(),
            seen: Seen::default(),
        }
    }

    /// Reads one record. No event goes out unless all of it was understood.
    ///
    /// # Errors
    /// When it is not JSON, holds a block that should have been closed, or may hold reasoning that no dialect reads.
    pub fn read(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Result<Facts, Refused> {
        if self.options.is_named() {
            return Ok(self.fields(body, sink)?);
        }
        let mut record = self.record.take().unwrap_or_default();
        let alike = self.template.as_mut().is_some_and(|t| t.fits(body, &mut record));
        let read = if alike { Ok(()) } else { self.understand(body, &mut record) };
        if !alike {
            let worth_it = read.is_ok() && self.options.templates && self.options.to.is_none();
            self.template = worth_it.then(|| Template::of(body, &record)).flatten();
        }
        let foreign = record.is_hollow();
        let facts = read.and_then(|()| match self.options.to.is_some() {
            true => Ok(self.convert(body, &record, sink)?),
            false => Ok(self.say(body, &record, sink)),
        });
        self.record = Some(record);
        facts.map(|facts| Facts { foreign, ..facts })
    }

    /// Says what a record holds.
    fn say(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> Facts {
        let mut facts = Facts { payload: record.payload, ..Facts::default() };
        let mut first_choice = true;
        if record.enveloped && self.options.wants.messages {
            sink.event(&Event::Recording);
            record.rewind.iter().for_each(|n| sink.event(&Event::Rewind(*n)));
        }
        for item in &record.items {
            facts.dialect = facts.dialect.or_else(|| Some(record.dialect()));
            let id = record.id.map(|id| id.raw(body.text));
            if let Item::Delta(draft) = item
                && draft.completion
                && draft.finished
                && !facts.stream
                && !self.streams.goes_on(id)
            {
                let joined = !std::mem::replace(&mut first_choice, false);
                let standing = if joined { Standing::Joined } else { Standing::Listed };
                self.message(body, draft, &mut facts, standing, sink);
                continue;
            }
            if let Item::Delta(draft) | Item::Chunk(draft) = item {
                let chunk = matches!(item, Item::Chunk(_));
                facts.stream |= !chunk;
                let out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
                self.streams.delta(if chunk { Some(CHUNKS) } else { id }, draft, &mut facts, out);
                self.called(body, id, draft, sink);
                continue;
            }
            if let (Item::Choice(draft), true) = (item, facts.stream || self.streams.repeats(id)) {
                self.message(body, draft, &mut facts, Standing::Snapshot(Known::ALL), sink);
                continue;
            }
            match item {
                Item::Told(draft) => self.told(body, record, draft, &mut facts, sink),
                Item::Over => self.over(body, record, &mut facts, sink),
                Item::ChunksEnd => self.streams.end(CHUNKS, sink, &mut self.notes),
                Item::Start if self.options.wants.messages => sink.event(&Event::ConversationStart),
                Item::End if self.options.wants.messages => sink.event(&Event::ConversationEnd),
                Item::Stays(at) if self.options.wants.visible => sink.event(&Event::Stays(element(body, at))),
                Item::Message(draft) => self.message(
                    body,
                    draft,
                    &mut facts,
                    if draft.element.is_none() { Standing::Bare } else { Standing::Listed },
                    sink,
                ),
                Item::Choice(draft) => {
                    let joined = !std::mem::replace(&mut first_choice, false);
                    let standing = if joined { Standing::Joined } else { Standing::Listed };
                    self.message(body, draft, &mut facts, standing, sink);
                }
                _ => (),
            }
        }
        if !matches!(record.items.last(), Some(Item::Over)) {
            self.logged(body, record, &facts, sink);
        }
        if facts.dialect.is_some() && !facts.stream {
            self.streams.other(sink, &mut self.notes);
        }
        facts
    }

    /// A frame that is not JSON and is no error either: `[DONE]` ends a response.
    pub fn plain(&mut self, body: &Body<'_>, sink: &mut dyn Sink) {
        if body.text.trim_ascii() != b"[DONE]" {
            return;
        }
        if let Some(target) = &self.options.to {
            self.live.over(body, target, sink);
        }
        self.finish(sink);
    }

    /// The input is over.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        match self.options.to.is_some() {
            true => self.streams.finish(&mut self.live.hear(sink), &mut self.notes),
            false => self.streams.finish(sink, &mut self.notes),
        }
    }

    /// How many bytes of text are held, of messages that are not decided.
    pub fn held(&self) -> usize {
        self.streams.held()
    }

    /// The first byte about which nothing is decided.
    pub fn undecided(&self) -> Option<u64> {
        self.streams.undecided()
    }

    /// What was noticed since the last call, with its place in the input where it has one.
    pub fn notes(&mut self) -> Vec<(u64, Note)> {
        std::mem::take(&mut self.notes)
    }

    /// What was seen that nothing could be done about.
    pub fn seen(&self) -> Seen {
        self.seen
    }

    fn message(&mut self, body: &Body<'_>, draft: &Draft, facts: &mut Facts, standing: Standing, sink: &mut dyn Sink) {
        let wants = self.options.wants;
        let joined = matches!(standing, Standing::Joined | Standing::Snapshot(_));
        let bare = matches!(standing, Standing::Bare);
        facts.messages += u64::from(!joined);
        // Lanes of whole messages are never open while those of deltas are told apart from them by an offset.
        let repeated = if let Standing::Snapshot(known) = standing { known } else { Known::ALL };
        let lane = if matches!(standing, Standing::Snapshot(_)) { SNAPSHOT } else { WHOLE } + draft.index;
        let role = draft.speaker();
        let search = draft.is_model();
        // Where a message begins with reasoning, one without delimiters is all reasoning.
        let mut start = self.options.inline.start;
        let seeded = start == Start::Reasoning;
        let interesting = |unit: &Unit| match unit {
            Unit::Text(s) => search && (wants.visible || seeded || self.tags.may_hold(s.raw(body.text), s.escaped)),
            _ => true,
        };
        if !wants.messages && !wants.visible && !wants.rest && !draft.units.iter().any(interesting) {
            return;
        }
        sink.event(&Event::MessageStart { lane, role, joined, bare });
        // Alone means that no text holds a tag.
        let alone = wants.rest && self.is_alone(body, draft);
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.extend(draft.cuts.iter().map(|c| body.span(c.clone())));
        for unit in draft.units.iter().filter(|unit| repeated.has(unit)) {
            match unit {
                Unit::Text(literal) if search && alone && start != Start::Reasoning => {
                    self.plain_text(body, lane, *literal, sink)
                }
                Unit::Text(literal) if search => start = self.text(body, lane, *literal, start, sink),
                Unit::Text(literal) if wants.rest => self.plain_text(body, lane, *literal, sink),
                Unit::Text(_) => (),
                Unit::Call(value) => self.call(body, lane, value, sink),
                _ => {
                    self.reasoning(body, (lane, alone), unit, &cuts, sink);
                    cuts.clear();
                }
            }
        }
        cuts.clear();
        self.cuts = cuts;
        self.redact(body, draft, lane, sink);
        if draft.tool {
            sink.event(&Event::ToolCall(lane));
        }
        if draft.other && wants.visible {
            sink.event(&Event::Other(lane));
        }
        if let (Some(tokens), true) = (draft.logged, wants.rest) {
            sink.event(&Event::Logged { lane: Some(lane), tokens });
        }
        let element = draft.element.as_ref().filter(|_| wants.visible).map(|e| element(body, e));
        sink.event(&Event::MessageEnd { lane, element });
    }

    /// Whether a message says its reasoning in one place only.
    fn is_alone(&self, body: &Body<'_>, draft: &Draft) -> bool {
        let says = |unit: &&Unit| match unit {
            Unit::Text(literal) => self.tags.may_hold(literal.raw(body.text), literal.escaped),
            Unit::Field(..) | Unit::Deep(..) | Unit::Opaque(_) => true,
            Unit::Void(_) | Unit::Call(_) => false,
        };
        let several = draft.units.iter().filter(|unit| !matches!(unit, Unit::Text(_))).filter(says).count();
        several == 1 && draft.units.iter().filter(says).count() == 1
    }

    fn call(&mut self, body: &Body<'_>, lane: u32, value: &Range<usize>, sink: &mut dyn Sink) {
        self.scratch.clear();
        call_text(&body.text[value.clone()], &mut self.scratch);
        let (kind, text) = (Kind::Call, self.scratch.as_slice());
        sink.event(&Event::Piece(Piece { lane, kind, fresh: false, text, escaped: false, whole: false, at: &[] }));
    }

    /// Text in which no tag is looked for.
    fn plain_text(&mut self, body: &Body<'_>, lane: u32, literal: Literal, sink: &mut dyn Sink) {
        let (raw, wants) = (literal.raw(body.text), self.options.wants);
        self.scratch.clear();
        if wants.text && !wants.raw {
            text::decode(raw, &mut self.scratch);
        }
        self.spans.clear();
        self.spans.push(body.span(literal.start..literal.end));
        let text = if wants.raw { raw } else { &self.scratch };
        let (escaped, at) = (literal.escaped && wants.raw, self.spans.as_slice());
        sink.event(&Event::Piece(Piece {
            lane,
            kind: Kind::Visible,
            fresh: wants.rest,
            text,
            escaped,
            whole: true,
            at,
        }));
    }

    fn reasoning(
        &mut self,
        body: &Body<'_>,
        (lane, whole): (u32, bool),
        unit: &Unit,
        at: &[Span],
        sink: &mut dyn Sink,
    ) {
        self.scratch.clear();
        let (wants, mut raw) = (self.options.wants, None);
        let wants_text = wants.text || wants.raw;
        let kind = match unit {
            Unit::Field(source, literal) => {
                if wants.raw {
                    raw = Some(*literal);
                } else if wants_text {
                    text::decode(literal.raw(body.text), &mut self.scratch);
                }
                Kind::Reasoning(source)
            }
            Unit::Deep(source, value) => {
                if wants_text {
                    deep_text(&body.text[value.clone()], &mut self.scratch);
                }
                Kind::Reasoning(source)
            }
            Unit::Opaque(source) => Kind::Reasoning(source),
            Unit::Void(source) => Kind::Void(source),
            Unit::Text(_) | Unit::Call(_) => return,
        };
        let fresh = matches!(kind, Kind::Reasoning(_));
        let escaped = raw.is_some_and(|literal| literal.escaped);
        let text = raw.map_or(self.scratch.as_slice(), |literal| literal.raw(body.text));
        sink.event(&Event::Piece(Piece { lane, kind, fresh, text, escaped, whole, at }));
        if wants.rest && fresh && text.is_empty() && unit.is_sealed(body.text) {
            sink.event(&Event::Sealed(lane));
        }
    }

    /// Text of the assistant that is all there. What the next one of the message begins with, if that is said.
    fn text(&mut self, body: &Body<'_>, lane: u32, literal: Literal, start: Start, sink: &mut dyn Sink) -> Start {
        let raw = literal.raw(body.text);
        if !self.tags.may_hold(raw, literal.escaped) && start != Start::Reasoning {
            if self.options.wants.visible {
                self.plain_text(body, lane, literal, sink);
            }
            return start;
        }
        let noted = self.notes.len();
        let mut decoded = std::mem::take(&mut self.scratch);
        let (input, map) = decode(body, literal, &mut decoded);
        let mut script = Script::new(self.tags, Options { start, ..self.options.inline }, false);
        let (mut first, mut turn) = (self.options.wants.rest, Role::Assistant);
        let mut to = |p: &Piece<'_>| {
            match p.kind {
                Kind::Turn(role) => return turn = role,
                Kind::Tool => sink.event(&Event::ToolCall(lane)),
                _ => (),
            }
            let kind = p.kind.of(turn);
            let fresh = p.fresh || kind.is_visible() && std::mem::take(&mut first);
            sink.event(&Event::Piece(Piece { lane, kind, fresh, ..*p }));
        };
        script.feed(&decoded, input, map, &mut self.notes, &mut to);
        script.finish(&mut self.notes, &mut to);
        self.scratch = decoded;
        let open = self.notes[noted..].iter().any(|(_, note)| matches!(note, Note::Unclosed(_)));
        if start == Start::Reasoning && !open && literal.start < literal.end { Start::Hindsight } else { start }
    }
}

/// How a message stands in its record.
#[derive(Clone, Copy, Debug)]
enum Standing {
    /// It is the record.
    Bare,
    /// In a list, or the first choice of a response.
    Listed,
    /// Another choice.
    Joined,
    /// So much of it repeats what deltas have said.
    Snapshot(Known),
}

/// The id of a response whose deltas are a list in one record. No record can have it.
const CHUNKS: &[u8] = b"\0";

/// Lanes of whole messages begin here, those of deltas at 0.
const WHOLE: LaneId = 1 << 30;

fn element(body: &Body<'_>, (list, at): &(usize, Range<usize>)) -> Element {
    let comma = body.text[at.clone()].iter().position(|b| !b.is_ascii_whitespace());
    let comma = comma.map(|n| at.start + n).filter(|n| body.text[*n] == b',');
    Element { list: body.offset(*list), span: body.span(at.clone()), comma: comma.map(|n| body.offset(n)) }
}
