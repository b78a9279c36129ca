//! Deltas: a message that comes piece by piece, converted event by event. Text with inline tags waits until it is
//! decided what it is, as it does for every other reader.

use super::buffered::{BufferedDelta, Value, find};
use super::chat;
use super::closing::{CLOSES, behind};
use super::harmony::{AGAIN, END};
use super::parse::kind;
use super::parsed::{Block, Layout, ParsedMessage};
use super::plan::{Members, Plan, copies, copy, text};
use super::{Context, Placement, Target, contained, escaped, retag, unsupported};
use crate::dialect::draft::Draft;
use crate::dialect::stream::{Outside, Streams};
use crate::error::Error;
use crate::frame::Body;
use crate::inline::{Note, Tags};
use crate::model::{Event, Facts, Kind, Lane, Loss, Piece, SNAPSHOT, Sink, Wants};
use crate::span::Span;
use std::collections::{BTreeMap, VecDeque};

/// Why a delta is refused whose reasoning stands only in an object of providers' members.
const BESIDE: &str = "reasoning of a delta that stands only in an object beside its members";

/// So many messages are remembered of which something was written: more are not open side by side.
const WRITTEN: usize = 64;

/// Which message of a stream: the id of its response, and its choice.
type Name = (Vec<u8>, u32);

/// Converts the deltas of an input.
#[derive(Debug, Default)]
pub(in crate::dialect) struct DeltaRewriter {
    buffered: VecDeque<BufferedDelta>,
    lanes: BTreeMap<Lane, LaneState>,
    /// Messages whose reasoning is open between delimiters.
    open: BTreeMap<Name, Open>,
    /// The messages that something was written of, the latest first: reasoning behind it is a message of its own.
    written: VecDeque<Name>,
    /// The id of the response that had a delta last: one without an id belongs to it.
    last_id: Vec<u8>,
    /// What the deltas are converted to.
    target: Option<Target>,
}

/// The state of a lane after the pieces so far.
#[derive(Debug, Default)]
pub(super) struct LaneState {
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
    /// The last of it, for a closing delimiter in several deltas.
    tail: Vec<u8>,
    /// It was reported that content which was null or absent became text.
    null: bool,
    /// The last event, before and behind its delta: for an event with the closing delimiter.
    around: (Vec<u8>, Vec<u8>),
}

/// A delta and where it stands.
pub(in crate::dialect) struct Delta<'a> {
    pub id: Option<&'a [u8]>,
    pub draft: &'a Draft,
    /// It is the last of a list.
    pub last: bool,
}

impl DeltaRewriter {
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
        let parsed = ParsedMessage::read(&mut plain, delta.draft)?;
        if contained::is_more(context.body.text, &parsed) {
            return Err(Error::new(delta.draft.object.start, BESIDE));
        }
        let content = parsed.content.map(|i| &delta.draft.members.list[i].value);
        let mut unsupported = unsupported::unsupported(context.body.text, delta.draft, &parsed, target);
        // Tool calls of a delta are pieces of one, which stay beside its blocks.
        unsupported.retain(|(at, _)| content.is_some_and(|content| content.contains(at)));
        if !unsupported.is_empty() {
            plan.unsupported.append(&mut unsupported);
            return Ok(());
        }
        let before = plan.edits.len();
        match target.placement {
            Placement::Tagged | Placement::Harmony => self.inline(&mut plain, delta, &parsed, target, plan)?,
            Placement::Blocks => super::blocks::delta(&plain, delta.draft, &parsed, plan),
            Placement::Field(_) => chat::write(&mut plain, delta.draft, &parsed, target, true, plan)?,
        }
        self.target.get_or_insert_with(|| target.clone());
        let edits = plan.edits.split_off(before);
        contained::take_out(&plain, &parsed, target, !edits.is_empty(), plan);
        match self.buffered_delta(&plain, delta.draft, &parsed, target) {
            Some(buffered) => self.buffer(BufferedDelta { plain: edits, ..buffered }),
            None => plan.edits.extend(edits),
        }
        Ok(())
    }

    /// A place for the text of a delta, if it has one.
    fn buffered_delta(
        &self,
        context: &Context<'_, '_>,
        draft: &Draft,
        parsed: &ParsedMessage,
        target: &Target,
    ) -> Option<BufferedDelta> {
        let body = context.body;
        let searched = draft.is_model() && parsed.layout == Layout::Chat;
        let member = &draft.members.list[parsed.content.filter(|_| searched)?];
        if !matches!(kind(body.text, &member.value), b'"' | b'[' | b'{') {
            return None;
        }
        let value = Value::new(context, parsed, &member.value, target.placement);
        let texts = value.texts();
        let left = texts.iter().map(|text| text.len()).sum();
        if left == 0 {
            return None;
        }
        let mut members = Members::new(body, draft);
        let mut mixed = Plan::default();
        parsed.voids.iter().chain(parsed.flats.iter().map(|(i, _)| i)).for_each(|i| members.drop(*i));
        if let Placement::Field(key) = target.placement {
            super::rebuild::role(context, draft, parsed, false, &mut members);
            let named = |i: &&usize| chat::is_named(body.text, draft, **i, key);
            parsed.structures.iter().map(|(i, _)| i).filter(named).for_each(|i| members.drop(*i));
        }
        let (mut name, mut before) = (copy(body, &(member.key.start - 1..member.value.start)), Vec::new());
        let flat = parsed.flats.first().and_then(|(_, thought)| thought.text.as_deref()).unwrap_or_default();
        copies(body, flat, &mut before);
        if target.placement == Placement::Blocks {
            super::blocks::speaker(context, draft, parsed, &mut members);
            name = text("\"blocks\":");
        }
        members.finish(body, &mut mixed);
        let (placement, mixed, member) = (target.placement, mixed.edits, body.span(member.at()));
        let (pieces, inner, losses, plain) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Some(BufferedDelta { texts, left, pieces, inner, losses, plain, mixed, member, name, before, value, placement })
    }

    /// A delta whose reasoning goes between delimiters.
    fn inline(
        &mut self,
        context: &mut Context<'_, '_>,
        delta: &Delta<'_>,
        parsed: &ParsedMessage,
        target: &Target,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        let (body, draft) = (context.body, delta.draft);
        let id = delta.id.map_or_else(|| self.last_id.clone(), <[u8]>::to_vec);
        self.last_id = if delta.last { Vec::new() } else { id.clone() };
        let name = (id, draft.delta.index);
        let (mut reasoning, mut visible) = (Vec::new(), draft.has.tool || draft.delta.finished);
        let all = chat::thoughts(body.text, parsed, false);
        let texts = all.iter().filter(|(.., copy)| !copy).filter_map(|(_, thought, _)| thought.text.as_deref());
        texts.for_each(|ranges| copies(body, ranges, &mut reasoning));
        visible |= parsed.blocks.iter().any(is_visible);
        let mut prefix = Vec::new();
        let mut open = self.take_open(&name);
        if !reasoning.is_empty() {
            if open.is_none() {
                let later = target.placement == Placement::Harmony && self.written.contains(&name);
                prefix.extend(later.then(|| text([END, AGAIN].concat())));
                prefix.push(text(target.open.clone()));
            }
            let state = open.get_or_insert_default();
            let plain: Vec<u8> = all.iter().flat_map(|(_, thought, _)| chat::plain(body.text, thought)).collect();
            match behind(&mut state.tail, &plain, target) {
                None => prefix.append(&mut reasoning),
                Some(harmless) if target.escape => {
                    plan.losses.push(Loss::Escaped);
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
        if !self.written.contains(&name) && (visible || !prefix.is_empty()) {
            self.written.truncate(WRITTEN - 1);
            self.written.push_front(name.clone());
        }
        // Most deltas of reasoning have no content: that is reported once a block.
        if chat::with_prefix(context, draft, parsed, prefix, target, plan)? && !reported {
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

    /// The stream is over: reasoning that is still open is closed by an event of its own, in front of the one that
    /// ends the stream.
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

    /// Hands the deltas to the reader of streams, and takes in the pieces that it finds in them.
    pub fn read(&mut self, streams: &mut Streams<'_>, delta: &Delta<'_>, facts: &mut Facts, out: Outside<'_, '_>) {
        let Outside { body, sink, notes, .. } = out;
        let wants = Wants::default();
        let noted = notes.len();
        let mut delta_sink = DeltaSink { deltas: self, sink };
        streams.delta(delta.id, delta.draft, facts, Outside { body, wants, sink: &mut delta_sink, notes });
        if self.target.as_ref().is_some_and(|target| target.placement != Placement::Harmony) {
            let unknown = notes[noted..].iter().filter(|(_, note)| *note == Note::Channel);
            unknown.for_each(|_| sink.event(&Event::Loss(Loss::Channel)));
        }
    }

    /// A sink for the events of the reader of streams.
    pub fn delta_sink<'l>(&'l mut self, sink: &'l mut dyn Sink) -> impl Sink + 'l {
        DeltaSink { deltas: self, sink }
    }
}

/// Whether a block has something visible.
fn is_visible(block: &Block) -> bool {
    match block {
        Block::Thought(_) => false,
        Block::Frame(_) => false,
        Block::Text { text, .. } => text.iter().any(|run| !run.is_empty()),
        _ => true,
    }
}

/// Takes in the events of a stream, for the texts that wait.
struct DeltaSink<'a> {
    deltas: &'a mut DeltaRewriter,
    sink: &'a mut dyn Sink,
}

impl Sink for DeltaSink<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Piece(piece) => self.deltas.piece(piece),
            Event::MessageEnd { lane, .. } => drop(self.deltas.lanes.remove(lane)),
            _ => (),
        }
        while self.deltas.buffered.front().is_some_and(|buffered| buffered.left == 0) {
            if let Some(buffered) = self.deltas.buffered.pop_front() {
                buffered.send(self.sink);
            }
        }
    }
}

impl DeltaRewriter {
    fn piece(&mut self, piece: &Piece<'_>) {
        if piece.lane >= SNAPSHOT {
            return;
        }
        let state = self.lanes.entry(piece.lane).or_default();
        let again = state.reasoning;
        let mut losses = Vec::new();
        if let Some(target) = self.target.as_ref().filter(|target| target.is_inline()) {
            let edits = retag::retag(state, piece, target, &mut losses);
            for (span, bits) in edits {
                find(&mut self.buffered, span)
                    .into_iter()
                    .for_each(|buffered| buffered.inner.push((span, bits.clone())));
            }
        }
        let joins = state.add(piece);
        let commentary = piece.kind == Kind::Commentary && piece.fresh;
        let unsupported =
            commentary && self.target.as_ref().is_some_and(|target| target.placement != Placement::Harmony);
        losses.extend(unsupported.then_some(Loss::Channel));
        // An opening tag stands where its block begins; a second block is joined to the first with a line end.
        let kind = match piece.kind {
            Kind::Reasoning(_) if piece.fresh => Kind::Delimiter,
            Kind::Frame => Kind::Delimiter,
            Kind::Commentary | Kind::Tool | Kind::Structure => Kind::Visible,
            Kind::Stray if !again => Kind::Visible,
            kind => kind,
        };
        for (i, span) in piece.at.iter().enumerate() {
            if let Some(buffered) = find(&mut self.buffered, *span) {
                buffered.losses.append(&mut losses);
                buffered.pieces.push((kind, joins && i == 0, *span));
                buffered.left = buffered.left.saturating_sub(span.len());
            }
        }
        let last = piece.at.last().map_or(0, |span| span.end);
        let at = Span::new(last, last);
        let second = matches!(kind, Kind::Delimiter) && piece.fresh && again;
        if let Some(buffered) = find(&mut self.buffered, at).filter(|_| second) {
            buffered.pieces.push((piece.kind, true, at));
        }
    }

    /// Texts wait in the order in which they stand in the input.
    fn buffer(&mut self, buffered: BufferedDelta) {
        let at = self.buffered.partition_point(|other| other.start() < buffered.start());
        self.buffered.insert(at, buffered);
    }
}
