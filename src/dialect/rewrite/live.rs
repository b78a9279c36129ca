//! Deltas: a message that comes piece by piece, converted event by event. Text with inline tags waits until it is
//! decided what it is, as it does for every other reader.

use super::chat;
use super::closer::{CLOSES, escaped_text};
use super::parse::{inside, kind};
use super::plan::{Members, Plan, copies, copy, text};
use super::said::{Block, Said, Shape};
use super::{Context, Form, Target};
use crate::dialect::stream::{Outside, Streams};
use crate::dialect::walk::Draft;
use crate::error::Error;
use crate::frame::Body;
use crate::inline::Tags;
use crate::json::text::decoded;
use crate::model::{Bit, Event, Facts, Kind, Lane, Loss, Piece, SNAPSHOT, Sink, Wants};
use crate::span::Span;
use std::collections::{BTreeMap, VecDeque};

/// Which message of a stream: the id of its response, and its choice.
type Name = (Vec<u8>, u32);

/// Converts the deltas of an input.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Live {
    slots: VecDeque<Slot>,
    lanes: BTreeMap<Lane, Heard>,
    /// Messages whose reasoning is open between delimiters.
    open: BTreeMap<Name, Open>,
    /// The response that spoke last: a delta without an id is its.
    spoke: Vec<u8>,
}

/// What a lane has said so far.
#[derive(Debug, Default)]
struct Heard {
    visible: bool,
    reasoning: bool,
}

/// The text of a delta, on its way through the tags.
#[derive(Debug)]
struct Slot {
    /// The inside of the string.
    at: Span,
    filled: u64,
    pieces: Vec<(Kind, bool, Span)>,
    /// The edits if it is all visible.
    plain: Vec<(Span, Vec<Bit>)>,
    /// The edits otherwise, but for the member that the text stands in.
    mixed: Vec<(Span, Vec<Bit>)>,
    /// That member, and what comes in front of its value, and of the reasoning.
    member: Span,
    name: Bit,
    before: Vec<Bit>,
    form: Form,
}

/// Reasoning between delimiters, so far without the closing one.
#[derive(Debug, Default)]
struct Open {
    /// The last of it, for a closer in several deltas.
    tail: Vec<u8>,
    /// An event like the last one, around its delta: for a closer of its own.
    around: (Vec<u8>, Vec<u8>),
}

/// A delta and where it stands.
pub(in crate::dialect) struct Delta<'a> {
    pub id: Option<&'a [u8]>,
    pub draft: &'a Draft,
    /// It is the last of a list.
    pub last: bool,
}

impl Live {
    /// A delta: its edits go into `plan`, but for those that wait.
    pub fn delta(
        &mut self,
        context: &mut Context<'_, '_>,
        delta: &Delta<'_>,
        target: &Target,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        // Tags are looked for over deltas, not in one of them.
        static NONE: std::sync::OnceLock<Tags> = std::sync::OnceLock::new();
        let none = NONE.get_or_init(|| Tags::new(Vec::new()));
        let mut plain = Context {
            tags: none,
            body: context.body,
            names: context.names,
            inline: context.inline,
            notes: context.notes,
        };
        let said = Said::read(&mut plain, delta.draft)?;
        match target.form {
            Form::Tagged => self.tagged(&mut plain, delta, &said, target, plan)?,
            _ => {
                let before = plan.edits.len();
                match target.form {
                    Form::Blocks => super::blocks::delta(&plain, delta.draft, &said, plan),
                    _ => chat::write(&mut plain, delta.draft, &said, target, true, plan)?,
                }
                let edits = plan.edits.split_off(before);
                match self.slot(&plain, delta.draft, &said, target) {
                    Some(slot) => self.slots.push_back(Slot { plain: edits, ..slot }),
                    None => plan.edits.extend(edits),
                }
            }
        }
        Ok(())
    }

    /// A place for the text of a delta, if it has one.
    fn slot(&self, context: &Context<'_, '_>, draft: &Draft, said: &Said, target: &Target) -> Option<Slot> {
        let body = context.body;
        let searched = draft.is_model() && said.shape == Shape::Chat;
        let member = &draft.members[said.content.filter(|_| searched)?];
        if kind(body.text, &member.value) != b'"' || inside(&member.value).is_empty() {
            return None;
        }
        let mut members = Members::new(body, draft);
        let mut mixed = Plan::default();
        said.voids.iter().chain(said.flats.iter().map(|(i, _)| i)).for_each(|i| members.drop(*i));
        if let Form::Field(key) = target.form {
            super::rebuild::role(context, draft, said, false, &mut members);
            let named = |i: &&usize| chat::is_named(body.text, draft, **i, key);
            said.structures.iter().map(|(i, _)| i).filter(named).for_each(|i| members.drop(*i));
        }
        let (mut name, mut before) = (copy(body, &(member.key.start - 1..member.value.start)), Vec::new());
        let flat = said.flats.first().and_then(|(_, thought)| thought.text.as_deref()).unwrap_or_default();
        copies(body, flat, &mut before);
        if target.form == Form::Blocks {
            super::blocks::speaker(context, draft, said, &mut members);
            name = text("\"blocks\":");
        }
        members.finish(body, &mut mixed);
        let (at, member) = (body.span(inside(&member.value)), body.span(member.at()));
        let (filled, pieces, plain) = (0, Vec::new(), Vec::new());
        Some(Slot { at, filled, pieces, plain, mixed: mixed.edits, member, name, before, form: target.form })
    }

    /// A delta whose reasoning goes between delimiters.
    fn tagged(
        &mut self,
        context: &mut Context<'_, '_>,
        delta: &Delta<'_>,
        said: &Said,
        target: &Target,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let (body, draft) = (context.body, delta.draft);
        let id = delta.id.map_or_else(|| self.spoke.clone(), <[u8]>::to_vec);
        self.spoke = if delta.last { Vec::new() } else { id.clone() };
        let name = (id, draft.index);
        let (mut reasoning, mut visible) = (Vec::new(), draft.tool || draft.finished);
        let all = chat::thoughts(body.text, said, false);
        let texts = all.iter().filter(|(.., copy)| !copy).filter_map(|(_, thought, _)| thought.text.as_deref());
        texts.for_each(|ranges| copies(body, ranges, &mut reasoning));
        visible |= said.blocks.iter().any(speaks);
        let mut prefix = Vec::new();
        let mut open = self.take_open(&name);
        if !reasoning.is_empty() {
            if open.is_none() {
                prefix.push(text(target.open.clone()));
            }
            let state = open.get_or_insert_default();
            let plain: Vec<u8> = all.iter().flat_map(|(_, thought, _)| chat::plain(body.text, thought)).collect();
            match state.closes(&plain, &decoded(target.close.as_bytes())) {
                false => prefix.append(&mut reasoning),
                true if target.escape => {
                    plan.losses.push(Loss::Closer);
                    prefix.push(text(format!("\\\\{}", escaped_text(&plain, target))));
                }
                true => {
                    // The event is not written, but what it goes on with is still open.
                    self.open.extend(open.take().filter(|_| prefix.is_empty()).map(|state| (name, state)));
                    return Err(Error::new(draft.object.start, CLOSES));
                }
            }
            state.around = (body.text[..draft.object.start].to_vec(), body.text[draft.object.end..].to_vec());
        }
        if let Some(state) = open {
            if visible || delta.last {
                prefix.push(text(target.close.clone()));
            } else {
                self.open.insert(name, state);
            }
        }
        chat::with_prefix(context, draft, said, prefix, target, plan)
    }

    /// The open reasoning of a message. An event may lack the id that others of its response have.
    fn take_open(&mut self, name: &Name) -> Option<Open> {
        if let Some(open) = self.open.remove(name) {
            return Some(open);
        }
        let alike = |other: &&Name| other.1 == name.1 && (other.0.is_empty() || name.0.is_empty());
        let other = self.open.keys().find(alike)?.clone();
        self.open.remove(&other)
    }

    /// The stream says that it is over: reasoning that is still open is closed by an event of its own, in front of
    /// the one that says so.
    pub fn over(&mut self, body: &Body<'_>, target: &Target, sink: &mut dyn Sink) {
        let mut events = Vec::new();
        for (_, open) in std::mem::take(&mut self.open) {
            let line = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace('\n', " ");
            let (before, after) = (line(&open.around.0), line(&open.around.1));
            events.push(text(format!("{before}{{\"content\":\"{}\"}}{after}\n\ndata: ", target.close)));
        }
        if !events.is_empty() {
            sink.event(&Event::Edit { at: body.span(0..0), with: &events });
        }
    }

    /// Hands the deltas to the reader of streams, and takes back what it says of them.
    pub fn read(&mut self, streams: &mut Streams<'_>, delta: &Delta<'_>, facts: &mut Facts, out: Outside<'_, '_>) {
        let Outside { body, sink, notes, .. } = out;
        let wants = Wants::default();
        let mut hear = Hear { live: self, sink };
        streams.delta(delta.id, delta.draft, facts, Outside { body, wants, sink: &mut hear, notes });
    }

    /// A sink for what the reader of streams says.
    pub fn hear<'l>(&'l mut self, sink: &'l mut dyn Sink) -> impl Sink + 'l {
        Hear { live: self, sink }
    }
}

impl Open {
    /// Whether the text goes on to a closer.
    fn closes(&mut self, plain: &[u8], close: &[u8]) -> bool {
        self.tail.extend_from_slice(&plain.to_ascii_lowercase());
        let found = memchr::memmem::find(&self.tail, &close.to_ascii_lowercase()).is_some();
        let keep = if found { 0 } else { close.len().saturating_sub(1).min(self.tail.len()) };
        self.tail.drain(..self.tail.len() - keep);
        found
    }
}

/// Whether a block says something visible.
fn speaks(block: &Block) -> bool {
    match block {
        Block::Thought(_) => false,
        Block::Text { text, .. } => text.iter().any(|at| !at.is_empty()),
        _ => true,
    }
}

/// What a stream says, heard for the texts that wait.
struct Hear<'a> {
    live: &'a mut Live,
    sink: &'a mut dyn Sink,
}

impl Sink for Hear<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Piece(piece) => self.live.piece(piece),
            Event::MessageEnd { lane, .. } => drop(self.live.lanes.remove(lane)),
            _ => (),
        }
        while self.live.slots.front().is_some_and(|slot| slot.filled == slot.at.len()) {
            if let Some(slot) = self.live.slots.pop_front() {
                slot.say(self.sink);
            }
        }
    }
}

impl Live {
    fn piece(&mut self, piece: &Piece<'_>) {
        if piece.lane >= SNAPSHOT {
            return;
        }
        let heard = self.lanes.entry(piece.lane).or_default();
        let again = heard.reasoning;
        heard.reasoning |= matches!(piece.kind, Kind::Reasoning(_));
        heard.visible |= piece.kind == Kind::Visible && !piece.text.trim_ascii().is_empty();
        // An opener stands where its block begins; a second block is joined to the first with a line end.
        let kind = match piece.kind {
            Kind::Reasoning(_) if piece.fresh => Kind::Delimiter,
            Kind::Frame | Kind::Structure => Kind::Delimiter,
            Kind::Commentary | Kind::Tool => Kind::Visible,
            Kind::Stray if !again => Kind::Visible,
            kind => kind,
        };
        for span in piece.at {
            let slot = self.slots.iter_mut().find(|slot| slot.at.start <= span.start && span.end <= slot.at.end);
            if let Some(slot) = slot {
                slot.pieces.push((kind, false, *span));
                slot.filled += span.len();
            }
        }
        let last = piece.at.last().map_or(0, |span| span.end);
        let slot = self.slots.iter_mut().find(|slot| slot.at.start <= last && last <= slot.at.end);
        if let (true, Some(slot)) = (matches!(kind, Kind::Delimiter) && piece.fresh && again, slot) {
            slot.pieces.push((piece.kind, true, Span::new(last, last)));
        }
    }
}

impl Slot {
    fn say(self, sink: &mut dyn Sink) {
        let of_block = |kind: &Kind| matches!(kind, Kind::Reasoning(_) | Kind::Delimiter | Kind::Stray);
        let reasoning = self.pieces.iter().any(|(kind, ..)| of_block(kind));
        if !reasoning {
            return self.plain.iter().for_each(|(at, with)| sink.event(&Event::Edit { at: *at, with }));
        }
        let mut bits = vec![self.name.clone()];
        match self.form {
            Form::Blocks => self.blocks(sink, &mut bits),
            Form::Field(key) => self.field(key, sink, &mut bits),
            Form::Tagged => (),
        }
        for (at, with) in &self.mixed {
            sink.event(&Event::Edit { at: *at, with });
        }
        sink.event(&Event::Edit { at: self.member, with: &bits });
    }

    fn field(&self, key: &str, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let mut reasoning = self.before.clone();
        bits.push(text("\""));
        for (kind, again, span) in &self.pieces {
            match kind {
                Kind::Reasoning(_) => {
                    if *again {
                        reasoning.push(text("\\n"));
                        sink.event(&Event::Loss(Loss::Blocks));
                    }
                    reasoning.push(Bit::Copy(*span));
                }
                Kind::Delimiter => (),
                Kind::Stray => sink.event(&Event::Loss(Loss::Stray)),
                _ => bits.push(Bit::Copy(*span)),
            }
        }
        bits.push(text("\""));
        if !reasoning.is_empty() {
            bits.push(text(format!(",\"{key}\":\"")));
            bits.extend(reasoning);
            bits.push(text("\""));
        }
    }

    fn blocks(&self, sink: &mut dyn Sink, bits: &mut Vec<Bit>) {
        let mut list: Vec<(bool, Vec<Bit>)> = Vec::new();
        if !self.before.is_empty() {
            list.push((true, self.before.clone()));
        }
        for (kind, _, span) in &self.pieces {
            let thought = match kind {
                Kind::Delimiter => continue,
                Kind::Stray => {
                    sink.event(&Event::Loss(Loss::Stray));
                    continue;
                }
                kind => matches!(kind, Kind::Reasoning(_)),
            };
            match list.last_mut() {
                Some((last, bits)) if *last == thought => bits.push(Bit::Copy(*span)),
                _ => list.push((thought, vec![Bit::Copy(*span)])),
            }
        }
        if list.is_empty() {
            *bits = vec![text("\"content\":\"\"")];
            return;
        }
        bits.push(text("["));
        for (i, (thought, inside)) in list.into_iter().enumerate() {
            bits.push(text(if i > 0 { "," } else { "" }));
            bits.push(text(if thought {
                "{\"type\":\"thinking\",\"thought\":\""
            } else {
                "{\"type\":\"text\",\"text\":\""
            }));
            bits.extend(inside);
            bits.push(text(if thought { "\",\"sourceField\":\"think_tags\"}" } else { "\"}" }));
        }
        bits.push(text("]"));
    }
}
