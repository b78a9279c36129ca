//! The output of `show`: draws messages one after another, in the order in which they began, as steps of a drawing
//! ([`crate::show`]).
//!
//! The first open message is drawn as it comes; the steps of the others wait until those before them are over.

mod asides;
mod chains;
mod costs;
mod facts;
mod items;
mod message;
mod play;
mod slots;
mod tracks;

use crate::error::ErrorKind;
use crate::frame::Framing;
use crate::model::content::{Envelope, FactTexts, RecordHead, Stop};
use crate::model::number::Numbers;
use crate::model::{ContentEvent, ConversationEvent, Event, Lane, MessageFact, Sink, Wants};
use crate::out::{FrameStatus, Output, Placed, Sinks, SourceBytes};
use crate::show::{PageCard, Painter};
use costs::Costs;
use items::RecentCalls;
use message::DrawMessage;
use slots::DrawSlot;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;
use tracks::Tracks;

/// How an input is drawn.
#[derive(Clone, Debug)]
pub struct DrawOptions {
    /// Reasoning is drawn. If false, only its tokens are counted.
    pub reasoning: bool,
    /// Reads the texts that formats write as JSON values.
    pub texts: FactTexts,
    /// The name of the input, if it is one of several.
    pub input: Option<String>,
}

/// How messages are drawn.
#[derive(Clone, Copy, Debug)]
struct DrawRules {
    /// Reasoning is drawn.
    reasoning: bool,
    texts: FactTexts,
}

/// What is to be drawn, in order.
#[derive(Default)]
struct SlotQueue {
    slots: VecDeque<DrawSlot>,
    /// How many slots were drawn and removed.
    gone: u64,
    /// How many bytes of text wait.
    buffered: usize,
    /// The message that began last: facts about the record itself belong to it.
    latest: Option<Lane>,
}

/// What the current record has said so far.
struct RecordSoFar {
    /// The kind of the current record.
    envelope: Option<Envelope>,
    request: bool,
    /// The current record has said nothing so far.
    quiet: bool,
}

/// The conversations of the input.
#[derive(Default)]
struct DrawnConversations {
    /// A conversation of the stream ended before the next message.
    after_end: bool,
    /// How many conversations began.
    count: u64,
    /// The conversation of a record is open.
    inside: bool,
    /// The conversations of a log by their sessions, and that of the last message, with its number in the stream.
    sessions: BTreeMap<Vec<u8>, u64>,
    session: (Vec<u8>, u32),
}

/// The input that is drawn.
struct DrawnInput {
    /// The name of the input, before it is drawn.
    input: Option<String>,
    framing: Framing,
    /// The input is over.
    over: bool,
    /// The drawing ends with this input.
    is_whole: bool,
}

/// What was drawn so far.
#[derive(Default)]
struct DrawnSums {
    messages: u64,
    costs: Costs,
}

/// The output of `show`.
pub struct Draw {
    rules: DrawRules,
    painter: Rc<RefCell<dyn Painter>>,
    /// The input that is drawn.
    source: DrawnInput,
    numbers: Numbers,
    tracks: Tracks,
    names: RecentCalls,
    open: BTreeMap<Lane, DrawMessage>,
    /// Messages of a stream that have a stop reason, but that no event has ended.
    complete: BTreeSet<Lane>,
    /// What is to be drawn, in order.
    queue: SlotQueue,
    /// The head of the first open message was drawn.
    begun: bool,
    /// What the current record has said so far.
    record: RecordSoFar,
    /// The conversations of the input.
    conversations: DrawnConversations,
    /// What was drawn so far.
    sums: DrawnSums,
    end: u64,
    out: Vec<u8>,
}

impl Draw {
    /// An output for one input. Several inputs may share a painter, one after another.
    pub fn new(options: DrawOptions, painter: Rc<RefCell<dyn Painter>>) -> Self {
        Self {
            rules: DrawRules { reasoning: options.reasoning, texts: options.texts },
            painter,
            source: DrawnInput { input: options.input, framing: Framing::Text, over: false, is_whole: false },
            numbers: Numbers::default(),
            tracks: Tracks::default(),
            names: RecentCalls::default(),
            open: BTreeMap::new(),
            complete: BTreeSet::new(),
            queue: SlotQueue::default(),
            begun: false,
            record: RecordSoFar { envelope: None, request: false, quiet: true },
            conversations: DrawnConversations::default(),
            sums: DrawnSums::default(),
            end: 0,
            out: Vec::new(),
        }
    }

    /// The drawing is of this input alone, and ends with it.
    pub fn whole(mut self) -> Self {
        self.source.is_whole = true;
        self
    }

    /// What a list of drawings says of this one.
    pub fn card(&self) -> PageCard {
        self.painter.borrow().card()
    }

    /// How many messages began.
    pub fn messages(&self) -> u64 {
        self.sums.messages
    }

    /// Notes why a message ended. That of a stream is complete then.
    fn stop(&mut self, lane: Lane, stop: Stop) {
        self.change(lane, |open, _, _| open.stop(stop));
        let streams = self.open.get(&lane).is_some_and(|open| open.envelope == Some(Envelope::Stream));
        self.complete.extend(streams.then_some(lane));
    }
}

impl Sink for Draw {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::MessageStart { lane, .. } if lane.is_snapshot()) {
            return;
        }
        self.record.quiet &= matches!(event, Event::Content(ContentEvent::Record { .. }) | Event::Cost(_));
        if let Event::MessageEnd { lane, .. } = event {
            self.over(*lane);
        }
        let place = self.numbers.event(event);
        self.tracks.event(event, place);
        match event {
            Event::MessageStart { .. } => self.start(event, place),
            Event::Fact(lane, MessageFact::Sent { sent, .. }) => {
                if let Some(open) = self.open.get_mut(lane) {
                    (open.place.drawn, open.place.placed) = (self.tracks.sent(sent, &mut open.head), true);
                }
            }
            Event::Fact(lane, MessageFact::Origin(origin)) => self.origin(*lane, origin),
            Event::Fact(lane, MessageFact::Sealed) => {
                self.open.get_mut(lane).into_iter().for_each(|open| open.counted.sealed += 1);
            }
            Event::Piece(piece) => {
                if let Some(open) = self.open.get_mut(&piece.lane) {
                    open.place.buffered += piece.text.len();
                    self.queue.buffered += piece.text.len();
                }
                self.change(piece.lane, |open, rules, names| open.piece(piece, rules, names));
            }
            Event::Content(ContentEvent::Block { lane, number, what, .. }) => {
                self.change(*lane, |open, rules, names| {
                    open.change(rules, names, |gather, steps, _| gather.block(*what, *number, steps));
                })
            }
            Event::Content(ContentEvent::BlockOver { lane, number }) => self.change(*lane, |open, rules, names| {
                open.change(rules, names, |gather, steps, _| gather.block_over(*number, steps));
            }),
            Event::Content(ContentEvent::Set { .. }) => self.set(event),
            Event::Content(ContentEvent::Stop { lane, stop }) => self.stop(*lane, *stop),
            Event::Fact(lane, MessageFact::Field(pointer)) => {
                self.change(*lane, |open, _, _| open.head.place = (*pointer).to_string())
            }
            Event::Fact(lane, MessageFact::AnswerFollows) => self.change(*lane, |open, _, _| open.wait()),
            Event::Fact(lane, MessageFact::Answer(text)) => {
                self.change(*lane, |open, _, _| open.answer = Some(text.to_vec()))
            }
            Event::Logged { lane, tokens } => {
                if let Some(lane) = lane.or(self.queue.latest) {
                    self.change(lane, |open, _, _| open.totals.logged = Some(*tokens));
                }
            }
            Event::Cost(cost) => self.cost(*cost),
            Event::Content(ContentEvent::Record { envelope, .. }) => {
                self.end_record();
                self.record.envelope = Some(*envelope);
                if *envelope == Envelope::Request {
                    self.record.request = true;
                    self.queue.slots.push_back(DrawSlot::Request(RecordHead::default()));
                }
            }
            Event::Conversation(ConversationEvent::Start) => {
                self.conversations.inside = true;
                let conversation = self.conversation();
                match self.queue.slots.back() {
                    Some(DrawSlot::Request(_)) if self.record.request => {
                        self.queue.slots.insert(self.queue.slots.len() - 1, conversation);
                    }
                    _ => self.queue.slots.push_back(conversation),
                }
            }
            Event::Conversation(ConversationEvent::End) => self.conversations.inside = false,
            Event::Conversation(ConversationEvent::StreamOver) => {
                self.conversations.after_end = true;
                self.names.chains.clear();
            }
            _ => (),
        }
    }
}

impl Output for Draw {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, rest: true, content: true, origin: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.source.framing = framing;
        self.numbers.array = framing == Framing::Json;
    }

    fn not_understood(&mut self, record: u64, _offset: u64, (_, what): (ErrorKind, &str), _suspect: Option<&str>) {
        self.record.quiet = false;
        match self.queue.slots.back_mut() {
            Some(DrawSlot::Unread(_, last, before)) if before == what && record > *last => *last = record,
            _ => self.queue.slots.push_back(DrawSlot::Unread(record, record, what.to_string())),
        }
        self.play();
    }

    fn record(&mut self, number: u64) {
        self.end_record();
        self.record.quiet = true;
        self.numbers.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        self.end_record();
        let is_record =
            matches!(placed.fate, FrameStatus::Record | FrameStatus::Element(_)) && self.source.framing != Framing::Sse;
        if std::mem::take(&mut self.record.quiet) && is_record && !placed.facts.stream {
            self.aside(placed.span);
        }
    }

    fn finish(&mut self) {
        self.end_record();
        let open: Vec<Lane> = self.open.keys().copied().collect();
        open.into_iter().for_each(|lane| self.over(lane));
        self.source.over = true;
        self.queue.slots.extend((self.sums.costs.beside > 0.0).then_some(DrawSlot::Cost(self.sums.costs.beside)));
        self.play();
    }

    fn buffered(&self) -> usize {
        self.queue.buffered
    }

    fn drain(&mut self, source: SourceBytes<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let mut some = false;
        for slot in &mut self.queue.slots {
            if let DrawSlot::Aside(aside) = slot {
                some = true;
                std::mem::take(&mut aside.spans).into_iter().for_each(|span| aside.push(source.get(span)));
            }
        }
        if some {
            self.play();
        }
        self.painter.borrow_mut().flush(&mut self.out);
        if self.source.over && std::mem::take(&mut self.source.is_whole) {
            self.painter.borrow_mut().finish(&mut self.out);
        }
        sinks.out.append(&mut self.out);
        self.end
    }
}
