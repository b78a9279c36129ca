//! Converts deltas: a message that comes piece by piece is written event by event. Text that may hold inline tags is
//! buffered until these are read, as by every other reader.

use super::buffered::{BufferedDelta, DeltaContent, find};
use super::delimiters::{AGAIN, CLOSES, END, behind};
use super::delta::{as_blocks, from_blocks, is_visible, with_prefix};
use super::edits::{MemberEdits, Plan, copies, copy, text};
use super::message::{self, take_out, thoughts};
use super::owned::{role, speaker};
use super::reading::is_call;
use super::reading::{ContentPart, Layout, Reading};
use super::retag::{LaneState, retag};
use super::values::{inside, kind};
use super::{Context, ConversionTarget};
use crate::dialect::draft::Draft;
use crate::dialect::stream::{Outside, ResponseKey, Streams};
use crate::error::Error;
use crate::frame::Body;
use crate::inline::Note;
use crate::model::number::Numbers;
use crate::model::{Event, Facts, Lane, Loss, Losses, MessagePlace, Piece, PieceKind, Sink, Wants};
use crate::span::Span;
use std::collections::{BTreeMap, VecDeque};

/// The error for a delta whose reasoning stands only in an object that repeats reasoning.
const BESIDE: &str = "reasoning of a delta that stands only in an object beside its members";

/// How many messages are kept in `written`: more are not open at the same time.
pub(super) const WRITTEN: usize = 64;

/// Identifies a message of a stream: its response, and its choice.
pub(super) type StreamMessageId = (ResponseKey, u32);

/// Converts the deltas of an input.
#[derive(Debug, Default)]
pub(in crate::dialect) struct DeltaRewriter {
    buffered: VecDeque<BufferedDelta>,
    lanes: BTreeMap<Lane, LaneState>,
    /// Messages whose closing delimiter has not been written yet.
    pub(super) open: BTreeMap<StreamMessageId, Open>,
    /// Messages that have begun in the output, the latest first: reasoning that follows is a message of its own.
    written: VecDeque<StreamMessageId>,
    /// Messages of blocks with reasoning between delimiters, the latest first, and the last bytes of the text behind it.
    pub(super) behind: VecDeque<(StreamMessageId, Vec<u8>)>,
    /// The message whose open reasoning the last delta went on with, between delimiters.
    pub(super) going_on: Option<StreamMessageId>,
    /// What the text of the last delta waits with, if the next one may wait with the same.
    pub(super) last_text: Option<BufferedDelta>,
    /// The last response with a delta: a delta without an identifier belongs to it.
    last: ResponseKey,
    /// What the deltas are converted to.
    target: Option<ConversionTarget>,
    /// The numbers of messages, for the places of losses, and the message that began last.
    pub numbers: Numbers,
    pub current: MessagePlace,
}

/// Reasoning between delimiters, before the closing delimiter is written.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Its last bytes, to find a closing delimiter that spans several deltas.
    pub(super) tail: Vec<u8>,
    /// It has been reported that null or absent content became text.
    null: bool,
    /// The bytes of the last event before and behind its delta, to build an event with the closing delimiter.
    pub(super) around: (Vec<u8>, Vec<u8>),
}

/// A delta with its response.
pub(in crate::dialect) struct Delta<'a> {
    pub key: Option<ResponseKey<&'a [u8]>>,
    pub draft: &'a Draft,
    /// It is the last one of a list.
    pub last: bool,
}

impl DeltaRewriter {
    /// Converts a delta: its edits go into `plan`, except those that wait for more text.
    pub fn delta(
        &mut self,
        context: &mut Context<'_, '_>,
        delta: &Delta<'_>,
        target: &ConversionTarget,
        plan: &mut Plan,
    ) -> Result<(), Error> {
        (self.going_on, self.last_text) = (None, None);
        // Tags are searched for across deltas.
        let mut plain = context.without_tags();
        let (body, draft) = (plain.body, delta.draft);
        let reading = Reading::of(&mut plain, draft)?;
        if message::stands_apart(body.text, &reading) {
            return Err(Error::new(draft.object.start, BESIDE));
        }
        let mut unsupported = message::unsupported(body.text, &reading, target);
        if reading.layout != Layout::Chat {
            let calls = reading.parts.iter().filter(|part| is_call(body.text, part));
            let calls: Vec<usize> = calls.filter_map(ContentPart::start).collect();
            unsupported.retain(|(at, _)| !calls.contains(at));
        }
        if !unsupported.is_empty() {
            plan.unsupported.append(&mut unsupported);
            return Ok(());
        }
        let before = plan.edits.len();
        let mut alike = !delta.last;
        match target.placement {
            place if place.is_inline() => alike &= !self.inline(&mut plain, delta, &reading, target, plan)?,
            place if place.is_blocks() => as_blocks(&plain, draft, &reading, plan),
            _ if reading.layout == Layout::Chat => message::write(&mut plain, draft, &reading, target, true, plan)?,
            _ => from_blocks(&plain, draft, &reading, (Vec::new(), None), target, plan),
        }
        self.target.get_or_insert_with(|| target.clone());
        let edits = plan.edits.split_off(before);
        take_out(&plain, &reading, target, !edits.is_empty(), plan);
        match self.buffered_delta(&plain, draft, &reading, target) {
            Some(buffered) => {
                let buffered = BufferedDelta { plain: edits, ..buffered };
                self.last_text = (alike && buffered.is_one_text()).then(|| buffered.clone());
                self.buffer(buffered);
            }
            None => plan.edits.extend(edits),
        }
        Ok(())
    }

    /// A buffer for the text of a delta, if it has text.
    fn buffered_delta(
        &self,
        context: &Context<'_, '_>,
        draft: &Draft,
        reading: &Reading,
        target: &ConversionTarget,
    ) -> Option<BufferedDelta> {
        let body = context.body;
        let searched = draft.is_model() && reading.layout == Layout::Chat;
        let member = &draft.members.list[reading.content.filter(|_| searched)?];
        if !matches!(kind(body.text, &member.value), b'"' | b'[' | b'{') {
            return None;
        }
        let placement = target.placement;
        let value = DeltaContent::new(body, reading, &member.value, placement);
        let texts = value.texts();
        let left = texts.iter().map(|text| text.len()).sum();
        if left == 0 {
            return None;
        }
        let mut members = MemberEdits::new(body, draft);
        let mut mixed = Plan::default();
        reading.voids.iter().chain(&reading.flats).for_each(|i| members.drop(*i));
        if target.is_inline() && !reading.flats.is_empty() {
            members.drop_channel(body.text);
        }
        if let Some(key) = placement.field() {
            role(context, draft, reading, false, &mut members);
            let named = |i: &&usize| message::is_named(body.text, draft, **i, key);
            reading.structures.iter().filter(named).for_each(|i| members.drop(*i));
        }
        let mut name = copy(body, &(member.key.start - 1..member.value.start));
        let mut before = Vec::new();
        let flat = reading.flats.first().map(|i| inside(&draft.members.list[*i].value));
        copies(body, flat.as_slice(), &mut before);
        if placement.is_blocks() {
            speaker(context, draft, reading, false, &mut members);
            name = text("\"blocks\":");
        }
        members.finish(body, &mut mixed);
        Some(BufferedDelta {
            texts,
            left,
            pieces: Vec::new(),
            inner: Vec::new(),
            losses: Losses::default(),
            message: None,
            plain: Vec::new(),
            mixed: mixed.edits,
            member: body.span(member.at()),
            name,
            before,
            value,
            placement,
        })
    }

    /// Writes a delta whose reasoning goes between delimiters. Returns whether something stands before its text now, as the
    /// closing delimiter in the first delta behind reasoning.
    fn inline(
        &mut self,
        context: &mut Context<'_, '_>,
        delta: &Delta<'_>,
        reading: &Reading,
        target: &ConversionTarget,
        plan: &mut Plan,
    ) -> Result<bool, Error> {
        let (body, draft) = (context.body, delta.draft);
        let key = delta.key.map_or_else(|| self.last.clone(), ResponseKey::owned);
        self.last = if delta.last { ResponseKey::default() } else { key.clone() };
        let name = (key, draft.delta.index);
        let (mut reasoning, mut visible) = (Vec::new(), draft.has.tool || draft.delta.finished);
        let all = thoughts(body.text, reading, false);
        let texts = all.iter().filter(|(_, copy)| !copy).filter_map(|(thought, _)| thought.text.as_deref());
        texts.for_each(|ranges| copies(body, ranges, &mut reasoning));
        visible |= is_visible(reading);
        let said = self.said(body, &name, reading, (!reasoning.is_empty(), target), plan);
        let said = said.map_err(|refused| Error::new(draft.object.start, refused))?;
        let mut prefix = Vec::new();
        let mut open = self.take_open(&name);
        let begins = open.is_none();
        if !reasoning.is_empty() {
            if open.is_none() {
                let later = target.placement.is_headed() && self.written.contains(&name);
                prefix.extend(later.then(|| text([END, AGAIN].concat())));
                prefix.push(text(target.open.clone()));
            }
            let state = open.get_or_insert_default();
            let plain: Vec<u8> = all.iter().flat_map(|(thought, _)| thought.plain(body.text)).collect();
            match behind(&mut state.tail, &plain, target, false) {
                None => {
                    self.going_on = (!begins && !visible && !delta.last).then(|| name.clone());
                    prefix.append(&mut reasoning);
                }
                Some(harmless) if target.escape => {
                    plan.losses.push(Loss::Escaped);
                    prefix.push(harmless.bit());
                    state.tail = harmless.tail;
                }
                Some(_) => {
                    // This event is not written, but the reasoning that it continues is still open.
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
        // Most deltas of reasoning have no content, so that this loss is reported once for each block.
        let prefixed = !prefix.is_empty() || said.is_some();
        if with_prefix(context, draft, reading, (prefix, begins, said), target, plan) && !reported {
            plan.losses.push(Loss::Null);
            self.open.get_mut(&name).into_iter().for_each(|state| state.null = true);
        }
        Ok(prefixed)
    }

    /// Takes the open reasoning of a message. An event may lack the id that others of its response have.
    fn take_open(&mut self, name: &StreamMessageId) -> Option<Open> {
        if let Some(open) = self.open.remove(name) {
            return Some(open);
        }
        if !name.0.is_nameless() {
            return self.open.remove(&(ResponseKey::default(), name.1));
        }
        let other = self.open.keys().find(|other| other.1 == name.1)?.clone();
        self.open.remove(&other)
    }

    /// Whether reasoning is open whose closing delimiter is still to be written.
    pub fn leaves_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Ends the stream: reasoning that is still open is closed by an extra event before the one that ends the stream.
    pub fn over(&mut self, body: &Body<'_>, target: &ConversionTarget, sink: &mut dyn Sink) {
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

    /// Gives a delta to the reader of streams, and collects the pieces that it finds.
    pub fn read(&mut self, streams: &mut Streams, delta: &Delta<'_>, facts: &mut Facts, out: Outside<'_, '_>) {
        let Outside { body, sink, notes, .. } = out;
        let wants = Wants::default();
        let noted = notes.len();
        let mut delta_sink = DeltaSink { deltas: self, sink };
        streams.delta(
            delta.key,
            delta.draft,
            facts,
            Outside { body, wants, sink: &mut delta_sink, notes, origins: None },
        );
        if self.target.as_ref().is_some_and(|target| !target.placement.is_headed()) {
            let unknown = notes[noted..].iter().filter(|(_, note)| *note == Note::Channel);
            let mut losses = Losses::default();
            losses.of_message(Some(body.offset(delta.draft.object.start)), self.current);
            losses.extend(unknown.map(|_| Loss::Channel));
            losses.send(sink);
        }
    }

    /// A sink for the events of the reader of streams.
    pub fn delta_sink<'l>(&'l mut self, sink: &'l mut dyn Sink) -> impl Sink + 'l {
        DeltaSink { deltas: self, sink }
    }
}

/// A sink that collects pieces for the texts that wait.
struct DeltaSink<'a> {
    deltas: &'a mut DeltaRewriter,
    sink: &'a mut dyn Sink,
}

impl Sink for DeltaSink<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Piece(piece) => self.deltas.piece(piece),
            Event::MessageStart { lane, .. } => {
                let number = self.deltas.numbers.event(event).map_or(0, |(_, number)| number);
                self.deltas.current = MessagePlace { number, bare: false };
                self.deltas.lanes.entry(*lane).or_default().message = self.deltas.current;
            }
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
        if piece.lane.is_snapshot() {
            return;
        }
        let state = self.lanes.entry(piece.lane).or_default();
        let again = state.reasoning;
        let mut losses = Losses::default();
        losses.of_message(piece.at.first().map(|span| span.start), state.message);
        if let Some(target) = self.target.as_ref().filter(|target| target.is_inline()) {
            let edits = retag(state, piece, target, &mut losses);
            for (span, bits) in edits {
                find(&mut self.buffered, span)
                    .into_iter()
                    .for_each(|buffered| buffered.inner.push((span, bits.clone())));
            }
        }
        let joins = state.add(piece);
        let commentary = piece.kind == PieceKind::Commentary && piece.fresh;
        let unsupported = commentary && self.target.as_ref().is_some_and(|target| !target.placement.is_headed());
        losses.extend(unsupported.then_some(Loss::Channel));
        // An opening tag stands where its block begins; a line end joins a second block to the first.
        let kind = match piece.kind {
            PieceKind::Reasoning(_) if piece.fresh => PieceKind::Delimiter,
            PieceKind::Frame => PieceKind::Delimiter,
            PieceKind::Mention | PieceKind::Commentary | PieceKind::Tool | PieceKind::Structure => PieceKind::Visible,
            PieceKind::Stray if !again => PieceKind::Visible,
            kind => kind,
        };
        for (i, span) in piece.at.iter().enumerate() {
            if let Some(buffered) = find(&mut self.buffered, *span) {
                buffered.losses.append(&mut losses);
                buffered.message = Some(state.message);
                if buffered.pieces.is_empty() {
                    buffered.pieces.reserve_exact(1);
                }
                buffered.pieces.push((kind, joins && i == 0, *span));
                buffered.left = buffered.left.saturating_sub(span.len());
            }
        }
        let last = piece.at.last().map_or(0, |span| span.end);
        let at = Span::new(last, last);
        let second = matches!(kind, PieceKind::Delimiter) && piece.fresh && again;
        if let Some(buffered) = find(&mut self.buffered, at).filter(|_| second) {
            buffered.pieces.push((piece.kind, true, at));
        }
    }

    /// Adds a text that waits, in the order of the input.
    pub(super) fn buffer(&mut self, buffered: BufferedDelta) {
        let at = self.buffered.partition_point(|other| other.start() < buffered.start());
        self.buffered.insert(at, buffered);
    }
}
