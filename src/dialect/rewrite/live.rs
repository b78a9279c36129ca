//! Deltas: a message that comes piece by piece, converted event by event. Text with inline tags waits until it is
//! decided what it is, as it does for every other reader.

use super::chat;
use super::closer::{CLOSES, behind};
use super::held::{Slot, Value, holds};
use super::parse::kind;
use super::plan::{Members, Plan, copies, copy, text};
use super::said::{Block, Said, Shape};
use super::{Context, Form, Target, contained, escaped, respelled, unheld};
use crate::dialect::stream::{Outside, Streams};
use crate::dialect::walk::Draft;
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Note, Tags};
use crate::model::{Event, Facts, Kind, Lane, Loss, Piece, SNAPSHOT, Sink, Wants};
use crate::span::Span;
use std::collections::{BTreeMap, VecDeque};

/// Why a delta is refused whose reasoning stands only in an object of providers' members.
const BESIDE: &str = "reasoning of a delta that stands only in an object beside its members";

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
    /// What the deltas are converted to.
    target: Option<Target>,
}

/// What a lane has said so far.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Something visible, and whether that ended in white space.
    pub visible: bool,
    pub line: bool,
    pub reasoning: bool,
    /// The header or the end of a message came last.
    pub frame: bool,
    /// A block that gets other delimiters is open.
    pub block: bool,
    /// The message is written with headers.
    pub headed: bool,
    /// The last of the text that goes between delimiters, for one that stands in several deltas.
    pub tail: Vec<u8>,
    /// A delimiter that stands in front of the next text.
    pub pending: Option<String>,
}

/// Reasoning between delimiters, so far without the closing one.
#[derive(Debug, Default)]
struct Open {
    /// The last of it, for a closer in several deltas.
    tail: Vec<u8>,
    /// It was reported that content which was null or absent became text.
    null: bool,
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
        if contained::is_more(context.body.text, &said) {
            return Err(Error::new(delta.draft.object.start, BESIDE));
        }
        let content = said.content.map(|i| &delta.draft.members[i].value);
        let mut unheld = unheld::unheld(context.body.text, delta.draft, &said, target);
        // Tool calls of a delta are pieces of one, which stay beside its blocks.
        unheld.retain(|(at, _)| content.is_some_and(|content| content.contains(at)));
        if !unheld.is_empty() {
            plan.unheld.append(&mut unheld);
            return Ok(());
        }
        let before = plan.edits.len();
        match target.form {
            Form::Tagged | Form::Harmony => self.inline(&mut plain, delta, &said, target, plan)?,
            Form::Blocks => super::blocks::delta(&plain, delta.draft, &said, plan),
            Form::Field(_) => chat::write(&mut plain, delta.draft, &said, target, true, plan)?,
        }
        self.target.get_or_insert_with(|| target.clone());
        let edits = plan.edits.split_off(before);
        contained::take_out(&plain, &said, target, !edits.is_empty(), plan);
        match self.slot(&plain, delta.draft, &said, target) {
            Some(slot) => self.hold(Slot { plain: edits, ..slot }),
            None => plan.edits.extend(edits),
        }
        Ok(())
    }

    /// A place for the text of a delta, if it has one.
    fn slot(&self, context: &Context<'_, '_>, draft: &Draft, said: &Said, target: &Target) -> Option<Slot> {
        let body = context.body;
        let searched = draft.is_model() && said.shape == Shape::Chat;
        let member = &draft.members[said.content.filter(|_| searched)?];
        if !matches!(kind(body.text, &member.value), b'"' | b'[' | b'{') {
            return None;
        }
        let value = Value::new(context, said, &member.value, target.form);
        let texts = value.texts();
        let left = texts.iter().map(|text| text.len()).sum();
        if left == 0 {
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
        let (form, mixed, member) = (target.form, mixed.edits, body.span(member.at()));
        let (pieces, inner, losses, plain) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(Slot { texts, left, pieces, inner, losses, plain, mixed, member, name, before, value, form })
    }

    /// A delta whose reasoning goes between delimiters.
    fn inline(
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
            match behind(&mut state.tail, &plain, target) {
                None => prefix.append(&mut reasoning),
                Some(harmless) if target.escape => {
                    plan.losses.push(Loss::Closer);
                    state.tail = harmless.tail;
                    prefix.push(text(escaped(&harmless.text)));
                }
                Some(_) => {
                    // The event is not written, but what it goes on with is still open.
                    self.open.extend(open.take().filter(|_| prefix.is_empty()).map(|state| (name, state)));
                    return Err(Error::new(draft.object.start, CLOSES));
                }
            }
            state.around = (body.text[..draft.object.start].to_vec(), body.text[draft.object.end..].to_vec());
        }
        let reported = open.as_ref().is_some_and(|state| state.null);
        if let Some(state) = open {
            if visible || delta.last {
                prefix.push(text(target.close.clone()));
            } else {
                self.open.insert(name.clone(), state);
            }
        }
        // Most deltas of reasoning have no content: that is reported once a block.
        if chat::with_prefix(context, draft, said, prefix, target, plan)? && !reported {
            plan.losses.push(Loss::Null);
            self.open.get_mut(&name).into_iter().for_each(|state| state.null = true);
        }
        Ok(())
    }

    /// The open reasoning of a message. An event may lack the id that others of its response have.
    fn take_open(&mut self, name: &Name) -> Option<Open> {
        if let Some(open) = self.open.remove(name) {
            return Some(open);
        }
        if !name.0.is_empty() {
            return self.open.remove(&(Vec::new(), name.1));
        }
        let other = self.open.keys().find(|other| other.1 == name.1)?.clone();
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
        let noted = notes.len();
        let mut hear = Hear { live: self, sink };
        streams.delta(delta.id, delta.draft, facts, Outside { body, wants, sink: &mut hear, notes });
        if self.target.as_ref().is_some_and(|target| target.form != Form::Harmony) {
            let unknown = notes[noted..].iter().filter(|(_, note)| *note == Note::Channel);
            unknown.for_each(|_| sink.event(&Event::Loss(Loss::Channel)));
        }
    }

    /// A sink for what the reader of streams says.
    pub fn hear<'l>(&'l mut self, sink: &'l mut dyn Sink) -> impl Sink + 'l {
        Hear { live: self, sink }
    }
}

/// Whether a block says something visible.
fn speaks(block: &Block) -> bool {
    match block {
        Block::Thought(_) => false,
        Block::Frame(_) => false,
        Block::Text { text, .. } => text.iter().any(|run| !run.is_empty()),
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
        while self.live.slots.front().is_some_and(|slot| slot.left == 0) {
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
        let mut losses = Vec::new();
        if let Some(target) = self.target.as_ref().filter(|target| target.is_inline()) {
            let edits = respelled::respell(heard, piece, target, &mut losses);
            for (span, bits) in edits {
                holds(&mut self.slots, span).into_iter().for_each(|slot| slot.inner.push((span, bits.clone())));
            }
        }
        let joins = heard.hear(piece);
        let commentary = piece.kind == Kind::Commentary && piece.fresh;
        let unheld = commentary && self.target.as_ref().is_some_and(|target| target.form != Form::Harmony);
        losses.extend(unheld.then_some(Loss::Channel));
        // An opener stands where its block begins; a second block is joined to the first with a line end.
        let kind = match piece.kind {
            Kind::Reasoning(_) if piece.fresh => Kind::Delimiter,
            Kind::Frame => Kind::Delimiter,
            Kind::Commentary | Kind::Tool | Kind::Structure => Kind::Visible,
            Kind::Stray if !again => Kind::Visible,
            kind => kind,
        };
        for (i, span) in piece.at.iter().enumerate() {
            if let Some(slot) = holds(&mut self.slots, *span) {
                slot.losses.append(&mut losses);
                slot.pieces.push((kind, joins && i == 0, *span));
                slot.left = slot.left.saturating_sub(span.len());
            }
        }
        let last = piece.at.last().map_or(0, |span| span.end);
        let at = Span::new(last, last);
        let second = matches!(kind, Kind::Delimiter) && piece.fresh && again;
        if let Some(slot) = holds(&mut self.slots, at).filter(|_| second) {
            slot.pieces.push((piece.kind, true, at));
        }
    }

    /// Texts wait in the order in which they stand in the input.
    fn hold(&mut self, slot: Slot) {
        let at = self.slots.partition_point(|other| other.start() < slot.start());
        self.slots.insert(at, slot);
    }
}
