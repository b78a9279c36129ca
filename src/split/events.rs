//! The event streams of `split`: the text of a message is written word by word, and its summary at its end, as JSON
//! lines or as server-sent events; or only the totals of all summaries, as metrics.

mod metrics;

pub use metrics::{Metrics, page};

use crate::agents::sequences::Sequences;
use crate::frame::Framing;
use crate::inline::call;
use crate::json::object::{MemberWriter, object};
use crate::json::text::utf8;
use crate::model::number::Numbers;
use crate::model::{ConversationEvent, Event, Lane, MessageFact, Piece, PieceKind, Role, Sent, Sink, Wants, is_inline};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::postproc::{Channel, Postproc, PostprocInput, PostprocOptions, PostprocOutput, PostprocSummary};
use crate::span::Span;
use std::sync::{Mutex, PoisonError};

/// How events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wire {
    /// A JSON object a line.
    #[default]
    Lines,
    /// Server-sent events, whose data are the same objects.
    Sse,
    /// Not at all: only the metrics are kept.
    Metrics,
}

/// What is written, and how.
#[derive(Clone, Debug, Default)]
pub struct EventsOptions {
    /// How events are written.
    pub wire: Wire,
    /// How messages are processed.
    pub postproc: PostprocOptions,
    /// The last event of a message has no text of its reasoning.
    pub drop_reasoning: bool,
    /// Records that were not understood are written unchanged. If false, they are rejects.
    pub pass_bad: bool,
    /// The names of the fields that were asked for. They replace message numbers.
    pub fields: Vec<String>,
}

/// An assistant message that is open.
struct EventsMessage {
    lane: Lane,
    /// Its number in the input.
    serial: u64,
    /// The members that all of its events begin with.
    head: Vec<u8>,
    message: Postproc,
    /// The sources of its reasoning.
    modes: Vec<&'static str>,
    /// It is refused.
    refused: bool,
}

/// The output of `split -o events`, `sse` and `prometheus`.
pub struct Events<'m> {
    options: EventsOptions,
    metrics: &'m Mutex<Metrics>,
    open: Vec<EventsMessage>,
    serial: u64,
    /// Messages that were written.
    written: u64,
    /// The input is one text.
    whole: bool,
    numbers: Numbers,
    /// The sequences of a log in which several speak.
    sequences: Sequences,
    end: u64,
    /// Bytes to write, and the records that were not understood with their positions among these bytes.
    out: Vec<u8>,
    bad: Vec<(usize, Span)>,
    /// Events of the current frame, written when it is understood; and, for each message, where its events end.
    frame: Vec<u8>,
    ends: Vec<(u64, usize)>,
}

impl<'m> Events<'m> {
    /// An output for one input; the summaries of its messages are added to `metrics`.
    pub fn new(options: EventsOptions, metrics: &'m Mutex<Metrics>) -> Self {
        Self {
            options,
            metrics,
            open: Vec::new(),
            serial: 0,
            written: 0,
            whole: false,
            numbers: Numbers::default(),
            sequences: Sequences::default(),
            end: 0,
            out: Vec::new(),
            bad: Vec::new(),
            frame: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// How many messages were written.
    pub fn written(&self) -> u64 {
        self.written
    }

    fn start(&mut self, lane: Lane, role: Role, (record, number): (u64, u64)) {
        if role != Role::Assistant {
            return;
        }
        let mut head = Vec::new();
        if !self.whole || number > 1 {
            let mut members = MemberWriter::behind(&mut head);
            members.number("record", record);
            match lane.pointer().and_then(|n| self.options.fields.get(n)) {
                Some(pointer) => members.string("field", pointer),
                None => members.number("message", number),
            }
        }
        self.serial += 1;
        let message = Postproc::new(&self.options.postproc);
        self.open.push(EventsMessage { lane, serial: self.serial, head, message, modes: Vec::new(), refused: false });
    }

    /// Notes the sender of a message: its events name the agent, and the context of its sequence.
    fn sent(&mut self, lane: Lane, sent: &Sent<'_>) {
        let context = self.sequences.path(sent);
        let Some(open) = self.open.iter_mut().find(|open| open.lane == lane) else { return };
        for (name, text) in [("agent", sent.from), ("context", &context)] {
            if !text.is_empty() {
                MemberWriter::behind(&mut open.head).bytes(name, text);
            }
        }
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let Some(at) = self.open.iter().position(|open| open.lane == piece.lane) else { return };
        let open = &mut self.open[at];
        let mut inline = false;
        match piece.kind {
            PieceKind::Refused => open.refused = true,
            PieceKind::Reasoning(source) => {
                inline = is_inline(source);
                let mode = if inline { source } else { "field" };
                if !open.modes.contains(&mode) {
                    open.modes.push(mode);
                }
            }
            _ => (),
        }
        if open.refused {
            self.withdraw(at);
            return;
        }
        let input =
            PostprocInput { kind: piece.kind, fresh: piece.fresh, inline, whole: piece.whole, text: piece.text };
        let (wire, serial, whole) = (self.options.wire, open.serial, self.whole);
        let Self { out, frame, ends, .. } = self;
        open.message.feed(&input, &mut |output| write(wire, &open.head, output, frame));
        expose(whole, serial, out, frame, ends);
    }

    /// Writes the event of a tool call, with its members.
    fn call_members(&mut self, lane: Lane, name: &str, members: &[(String, Option<String>)]) {
        let Some(open) = self.open.iter().find(|open| open.lane == lane && !open.refused) else { return };
        let (wire, serial, whole) = (self.options.wire, open.serial, self.whole);
        let Self { out, frame, ends, .. } = self;
        let write_members = |object: &mut MemberWriter<'_>| {
            members.iter().for_each(|(name, text)| object.string_or_null(name, text.as_deref()));
        };
        event(wire, &open.head, name, write_members, frame);
        expose(whole, serial, out, frame, ends);
    }

    fn finish_message(&mut self, lane: Lane) {
        let Some(at) = self.open.iter().position(|open| open.lane == lane) else { return };
        let open = self.open.remove(at);
        if open.refused {
            return;
        }
        self.written += 1;
        let (wire, whole) = (self.options.wire, self.whole);
        let Self { out, frame, ends, .. } = self;
        let summary = open.message.finish(&mut |output| write(wire, &open.head, output, frame));
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner).add(&summary, &open.modes);
        last(wire, &open.head, &summary, self.options.drop_reasoning, frame);
        expose(whole, open.serial, out, frame, ends);
    }

    /// Refuses a message: its events of this frame are removed.
    fn withdraw(&mut self, at: usize) {
        let serial = self.open[at].serial;
        if self.ends.iter().all(|(whose, _)| *whose != serial) {
            return;
        }
        let (mut kept, mut ends, mut from) = (Vec::new(), Vec::new(), 0);
        for (whose, end) in std::mem::take(&mut self.ends) {
            if whose != serial {
                kept.extend_from_slice(&self.frame[from..end]);
                ends.push((whose, kept.len()));
            }
            from = end;
        }
        (self.frame, self.ends) = (kept, ends);
    }

    /// Ends the frame: its events can be written.
    fn settle(&mut self) {
        self.out.append(&mut self.frame);
        self.ends.clear();
    }
}

/// Writes events of raw text at once, all others with their frame.
fn expose(whole: bool, serial: u64, out: &mut Vec<u8>, frame: &mut Vec<u8>, ends: &mut Vec<(u64, usize)>) {
    if whole {
        out.append(frame);
    } else if ends.last().map_or(0, |(_, end)| *end) < frame.len() {
        ends.push((serial, frame.len()));
    }
}

/// Writes an event: its name, and its members.
fn event(wire: Wire, head: &[u8], name: &str, members: impl FnOnce(&mut MemberWriter<'_>), out: &mut Vec<u8>) {
    match wire {
        Wire::Metrics => return,
        Wire::Sse => out.extend_from_slice(format!("event: {name}\ndata: ").as_bytes()),
        Wire::Lines => (),
    }
    object(out, |event| {
        event.members(head);
        event.string("type", name);
        members(event);
    });
    out.extend_from_slice(if wire == Wire::Sse { b"\n\n" } else { b"\n" });
}

fn write(wire: Wire, head: &[u8], output: PostprocOutput<'_>, out: &mut Vec<u8>) {
    let bytes = match output {
        PostprocOutput::Text(channel, text) => {
            let name = match channel {
                Channel::Analysis => "analysis",
                Channel::Delta => "delta",
                Channel::Commentary => "commentary",
            };
            return event(wire, head, name, |event| event.string("text", text), out);
        }
        PostprocOutput::Call(bytes) => bytes,
    };
    let text = utf8(bytes);
    match call(&text) {
        Some((recipient, constrain, args)) => {
            let members = |event: &mut MemberWriter<'_>| {
                event.string("recipient", recipient);
                event.string("args_text", args);
                event.string_or_null("constrain", constrain);
            };
            event(wire, head, "tool_call", members, out);
        }
        None => event(wire, head, "tool_channel_raw", |event| event.string("raw", &text), out),
    }
}

/// Writes the last event of a message, with its summary.
fn last(wire: Wire, head: &[u8], summary: &PostprocSummary, drop: bool, out: &mut Vec<u8>) {
    let members = |event: &mut MemberWriter<'_>| {
        event.object("stats", |stats| {
            stats.number("reasoning_tokens", summary.reasoning_tokens);
            stats.number("final_tokens", summary.final_tokens);
            stats.name("reasoning_ratio").extend_from_slice(summary.ratio().to_string().as_bytes());
        });
        let reasoning = Some(summary.reasoning.as_str()).filter(|text| !drop && !text.is_empty());
        event.string_or_null("reasoning_text", reasoning);
        event.string("final_text", &summary.answer);
        if summary.leaked {
            event.flag("leak_detected", true);
        }
    };
    event(wire, head, "final", members, out);
}

impl Sink for Events<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::MessageStart { lane, .. } if lane.is_snapshot()) {
            return;
        }
        if let Event::Fact(lane, MessageFact::Sent { sent, .. }) = event {
            return self.sent(*lane, sent);
        }
        let place = self.numbers.event(event);
        match event {
            Event::MessageStart { lane, role, .. } => self.start(*lane, *role, place.unwrap_or_default()),
            Event::Conversation(ConversationEvent::StreamOver) => self.sequences.finish(),
            Event::Piece(piece) => self.piece(piece),
            Event::Fact(lane, MessageFact::CallMembers { name, members }) => self.call_members(*lane, name, members),
            Event::MessageEnd { lane, .. } => self.finish_message(*lane),
            _ => (),
        }
    }
}

impl Output for Events<'_> {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, failures: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.whole = framing == Framing::Text;
        self.numbers.array = framing == Framing::Json;
    }

    fn record(&mut self, number: u64) {
        self.numbers.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        self.settle();
        if matches!(placed.fate, FrameStatus::Bad | FrameStatus::BadElement) {
            self.bad.push((self.out.len(), placed.span));
        }
    }

    fn finish(&mut self) {
        self.settle();
    }

    fn drain(&mut self, source: SourceBytes<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let pass = self.options.pass_bad && self.options.wire != Wire::Metrics;
        let mut from = 0;
        for (at, span) in self.bad.drain(..) {
            sinks.out.extend_from_slice(&self.out[from..at]);
            from = at;
            let to = if pass { &mut sinks.out } else { &mut sinks.rejects };
            to.extend_from_slice(source.get(span));
        }
        sinks.out.extend_from_slice(&self.out[from..]);
        self.out.clear();
        self.end
    }
}
