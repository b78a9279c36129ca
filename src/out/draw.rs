//! The output of `show`: draws messages one after another, in the order in which they began, as steps of a drawing
//! ([`crate::show`]).
//!
//! The first open message is drawn as it comes; the steps of the others wait until those before them are over.

mod message;
mod tracks;

use super::{Output, Placed, Sinks, Source};
use crate::count::estimate;
use crate::error::ErrorKind;
use crate::frame::Framing;
use crate::json::text::utf8;
use crate::model::content::{Attribute, Envelope, FactTexts, Head, HeadFact};
use crate::model::number::Numbers;
use crate::model::{Event, Lane, Role, SNAPSHOT, Sink, Wants};
use crate::show::{self, BlockEnd, BlockKind, Item, Painter, Step, Totals};
use message::{Drawn, Names, Open, Rules};
use serde_json::value::RawValue;
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

/// What is drawn next, in order.
enum Slot {
    /// A message that is open, in this lane.
    Open(Lane),
    /// A message that is over.
    Over(Box<Open>),
    /// Instructions and tools beside the messages of the current request.
    Request(Head),
    Conversation,
    Unread(u64, String),
}

/// The output of `show`.
pub struct Draw {
    rules: Rules,
    painter: Rc<RefCell<dyn Painter>>,
    /// The name of the input, before it is drawn.
    input: Option<String>,
    framing: Framing,
    numbers: Numbers,
    tracks: Tracks,
    names: Names,
    open: BTreeMap<Lane, Open>,
    /// Messages of a stream that have a stop reason, but that no event has ended.
    complete: BTreeSet<Lane>,
    slots: VecDeque<Slot>,
    /// How many slots were drawn and removed.
    gone: u64,
    /// How many bytes of text wait.
    buffered: usize,
    /// The head of the first open message was drawn.
    begun: bool,
    /// The kind of the current record.
    envelope: Option<Envelope>,
    request: bool,
    /// The message that began last: facts about the record itself belong to it.
    latest: Option<Lane>,
    /// A conversation of the stream ended before the next message.
    anew: bool,
    messages: u64,
    end: u64,
    out: Vec<u8>,
}

impl Draw {
    /// An output for one input. Several inputs may share a painter, one after another.
    pub fn new(options: DrawOptions, painter: Rc<RefCell<dyn Painter>>) -> Self {
        Self {
            rules: Rules { reasoning: options.reasoning, texts: options.texts },
            painter,
            input: options.input,
            framing: Framing::Text,
            numbers: Numbers::default(),
            tracks: Tracks::default(),
            names: Names::default(),
            open: BTreeMap::new(),
            complete: BTreeSet::new(),
            slots: VecDeque::new(),
            gone: 0,
            buffered: 0,
            begun: false,
            envelope: None,
            request: false,
            latest: None,
            anew: false,
            messages: 0,
            end: 0,
            out: Vec::new(),
        }
    }

    /// How many messages began.
    pub fn messages(&self) -> u64 {
        self.messages
    }

    fn start(&mut self, event: &Event<'_>, place: Option<(u64, u64)>) {
        let Event::MessageStart { lane, role, joined, .. } = event else { return };
        let streams = self.framing == Framing::Text || self.envelope == Some(Envelope::Stream);
        if self.envelope == Some(Envelope::Stream) && !joined {
            // A response begins: messages that are complete are over, even without an event that ends them.
            std::mem::take(&mut self.complete).into_iter().for_each(|lane| self.over(lane));
        }
        if std::mem::take(&mut self.anew) {
            self.slots.push_back(Slot::Conversation);
        }
        let (record, number) = place.unwrap_or_default();
        let head = show::Head { record, number, role: *role, ..show::Head::default() };
        self.over(*lane);
        let slot = self.gone + self.slots.len() as u64;
        self.open.insert(*lane, Open::new(head, self.envelope, streams, slot));
        self.slots.push_back(Slot::Open(*lane));
        self.latest = Some(*lane);
        self.messages += 1;
    }

    /// Ends the message in this lane.
    fn over(&mut self, lane: Lane) {
        let Some(mut open) = self.open.remove(&lane) else { return };
        self.complete.remove(&lane);
        self.place(lane, &mut open);
        open.finish(&self.rules, &mut self.names);
        let is = |slot: &Slot| matches!(slot, Slot::Open(other) if *other == lane);
        let at = (open.slot - self.gone) as usize;
        // A message that is refused before anything of it was drawn is none.
        open.drawn &= !open.refused || !open.steps.is_empty() || at == 0 && self.begun;
        if self.slots.get(at).is_some_and(is) {
            self.slots[at] = Slot::Over(Box::new(open));
        }
        self.play();
    }

    /// Gives a message its place among sequences and delegations, which the events right after its start determine.
    fn place(&mut self, lane: Lane, open: &mut Open) {
        if std::mem::replace(&mut open.placed, true) {
            return;
        }
        match self.tracks.standing(lane).cloned() {
            Some(standing) => self.tracks.delegated(&standing, &mut open.head),
            None => self.tracks.beside(&mut open.head),
        }
    }

    /// Changes the message in a lane.
    fn change(&mut self, lane: Lane, work: impl FnOnce(&mut Open, &Rules, &mut Names)) {
        let Some(mut open) = self.open.remove(&lane) else { return };
        self.place(lane, &mut open);
        work(&mut open, &self.rules, &mut self.names);
        let some = !open.steps.is_empty();
        self.open.insert(lane, open);
        if some && matches!(self.slots.front(), Some(Slot::Open(first)) if *first == lane) {
            self.play();
        }
    }

    /// Draws the slots that wait for no other message.
    fn play(&mut self) {
        let painter = Rc::clone(&self.painter);
        let mut painter = painter.borrow_mut();
        while let Some(slot) = self.slots.front() {
            if let (Slot::Request(_), true) = (slot, self.request) {
                return;
            }
            if let (Some(name), out) = (self.input.take(), &mut self.out) {
                painter.step(Step::Input(&name), out);
            }
            if let Slot::Open(lane) = slot {
                if let Some(open) = self.open.get_mut(lane).filter(|open| !open.steps.is_empty()) {
                    self.buffered -= std::mem::take(&mut open.buffered);
                    draw(open, &mut self.begun, &mut *painter, &mut self.out);
                }
                return;
            }
            self.gone += 1;
            match self.slots.pop_front() {
                Some(Slot::Over(mut open)) => {
                    self.buffered -= open.buffered;
                    if open.drawn {
                        draw(&mut open, &mut self.begun, &mut *painter, &mut self.out);
                        painter.step(Step::Close(&open.totals), &mut self.out);
                    }
                    self.begun = false;
                }
                Some(Slot::Conversation) => painter.step(Step::Conversation, &mut self.out),
                Some(Slot::Request(head)) => request(&head, &self.rules, &mut *painter, &mut self.out),
                Some(Slot::Unread(record, what)) => {
                    painter.step(Step::Unread { record, what: &what }, &mut self.out);
                }
                Some(Slot::Open(_)) | None => return,
            }
        }
    }

    /// Ends the current record.
    fn end_record(&mut self) {
        self.envelope = None;
        self.latest = None;
        if std::mem::take(&mut self.request) {
            self.play();
        }
    }
}

/// Draws the steps that a message has so far.
fn draw(open: &mut Open, begun: &mut bool, painter: &mut dyn Painter, out: &mut Vec<u8>) {
    if !std::mem::replace(begun, true) {
        painter.step(Step::Open(&open.head), out);
    }
    for step in open.steps.drain(..) {
        match &step {
            Drawn::Begin(kind) => painter.step(Step::Begin(*kind), out),
            Drawn::Text(text) => painter.step(Step::Text(text), out),
            Drawn::End(end) => painter.step(Step::End(*end), out),
            Drawn::Item(item) => painter.step(Step::Item(item), out),
        }
    }
}

/// Draws what stands beside the messages of a request: the instructions, and how many tools there are.
fn request(head: &Head, rules: &Rules, painter: &mut dyn Painter, out: &mut Vec<u8>) {
    let texts = (rules.texts.system)(head);
    let tools = head.get(Attribute::Tools).and_then(|value| serde_json::from_slice::<Vec<&RawValue>>(value).ok());
    let tools = tools.map_or(0, |tools| tools.len() as u64);
    if texts.is_empty() && tools == 0 {
        return;
    }
    painter.step(Step::Open(&show::Head { role: Role::System, ..show::Head::default() }), out);
    let mut totals = Totals::default();
    for text in &texts {
        let text = utf8(text);
        let tokens = estimate(text.trim());
        totals.visible += tokens;
        painter.step(Step::Begin(BlockKind::Text), out);
        painter.step(Step::Text(&text), out);
        painter.step(Step::End(BlockEnd { tokens, sealed: false }), out);
    }
    if tools > 0 {
        painter.step(Step::Item(&Item::Tools(tools)), out);
    }
    painter.step(Step::Close(&totals), out);
}

impl Sink for Draw {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::MessageStart { lane, .. } if *lane >= SNAPSHOT) {
            return;
        }
        if let Event::MessageEnd { lane, .. } = event {
            self.over(*lane);
        }
        let place = self.numbers.event(event);
        self.tracks.event(event, place);
        match event {
            Event::MessageStart { .. } => self.start(event, place),
            Event::Sent { lane, sent, .. } => {
                if let Some(open) = self.open.get_mut(lane) {
                    (open.drawn, open.placed) = (self.tracks.sent(sent, &mut open.head), true);
                }
            }
            Event::Piece(piece) => {
                if let Some(open) = self.open.get_mut(&piece.lane) {
                    open.buffered += piece.text.len();
                    self.buffered += piece.text.len();
                }
                self.change(piece.lane, |open, rules, names| open.piece(piece, rules, names));
            }
            Event::Block { lane, number, what, .. } => self.change(*lane, |open, rules, names| {
                open.change(rules, names, |gather, steps, _| gather.block(*what, *number, steps));
            }),
            Event::BlockOver { lane, number } => self.change(*lane, |open, rules, names| {
                open.change(rules, names, |gather, steps, _| gather.block_over(*number, steps));
            }),
            Event::Set { lane: Some(lane), block, name, value, .. } => self.change(*lane, |open, rules, names| {
                use Attribute::{Created, Error, Extra, Id, Member, Model, StopDetail};
                match name {
                    Created | Error | Extra | Id | Member | Model | StopDetail => open.fact(*name, value),
                    name if name.is_usage() => open.fact(*name, value),
                    _ => open.change(rules, names, |gather, steps, losses| {
                        gather.fact(*block, (*name, value), steps, losses);
                    }),
                }
            }),
            Event::Set { lane: None, name, key, value, at, .. } => {
                if let (Some(Slot::Request(head)), true) =
                    (self.slots.iter_mut().find(|slot| matches!(slot, Slot::Request(_))), self.request)
                {
                    head.facts.push(HeadFact { name: *name, key: key.to_vec(), value: value.to_vec(), at: *at });
                }
            }
            Event::Stop { lane, stop } => {
                self.change(*lane, |open, _, _| open.stop(*stop));
                let streams = self.open.get(lane).is_some_and(|open| open.envelope == Some(Envelope::Stream));
                self.complete.extend(streams.then_some(*lane));
            }
            Event::Field { lane, pointer } => self.change(*lane, |open, _, _| open.head.place = (*pointer).to_string()),
            Event::AnswerFollows(lane) => self.change(*lane, |open, _, _| open.wait()),
            Event::Answer { lane, text } => self.change(*lane, |open, _, _| open.answer = Some(text.to_vec())),
            Event::Logged { lane, tokens } => {
                if let Some(lane) = lane.or(self.latest) {
                    self.change(lane, |open, _, _| open.totals.logged = Some(*tokens));
                }
            }
            Event::Record { envelope, .. } => {
                self.end_record();
                self.envelope = Some(*envelope);
                if *envelope == Envelope::Request {
                    self.request = true;
                    self.slots.push_back(Slot::Request(Head::default()));
                }
            }
            Event::ConversationStart => match self.slots.back() {
                Some(Slot::Request(_)) if self.request => self.slots.insert(self.slots.len() - 1, Slot::Conversation),
                _ => self.slots.push_back(Slot::Conversation),
            },
            Event::StreamOver => self.anew = true,
            _ => (),
        }
    }
}

impl Output for Draw {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, rest: true, content: true, ..Wants::default() }
    }

    fn framing(&mut self, framing: Framing) {
        self.framing = framing;
        self.numbers.array = framing == Framing::Json;
    }

    fn not_understood(&mut self, record: u64, _offset: u64, (_, what): (ErrorKind, &str), _suspect: Option<&str>) {
        self.slots.push_back(Slot::Unread(record, what.to_string()));
        self.play();
    }

    fn record(&mut self, number: u64) {
        self.end_record();
        self.numbers.record = number;
    }

    fn frame(&mut self, placed: Placed) {
        self.end = placed.span.end;
        self.end_record();
    }

    fn finish(&mut self) {
        self.end_record();
        let open: Vec<Lane> = self.open.keys().copied().collect();
        open.into_iter().for_each(|lane| self.over(lane));
        self.play();
    }

    fn buffered(&self) -> usize {
        self.buffered
    }

    fn drain(&mut self, _source: Source<'_>, _undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        self.painter.borrow_mut().flush(&mut self.out);
        sinks.out.append(&mut self.out);
        self.end
    }
}
