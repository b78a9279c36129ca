//! Records written anew in another format, from the content of their messages. A record that needs no more than edits
//! is edited in its place ([`super::Splice`]), and so are both kinds in one input: what is built here takes the place
//! of the bytes that it was built from.

mod answer;
mod frames;
mod grouped;
mod records;
mod turns;

use super::{Output, Placed, Refusal, Sinks, Source, Splice};
use crate::frame::Framing;
use crate::model::call_names::CallNames;
use crate::model::content::{Attribute, Envelope, Head, Message, Stop, Streamed, Values, Writer};
use crate::model::gather::{Gather, Step};
use crate::model::regroup::Regroup;
use crate::model::{Event, Lane, Loss, Role, SNAPSHOT, Sink, Wants};
use crate::span::Span;
use answer::Sum;
use frames::{begin, would_lose};
use std::collections::BTreeMap;
use std::rc::Rc;
use turns::Turns;

/// A message that is open.
struct Open {
    gather: Gather,
    envelope: Envelope,
    /// A streamed message: what the writer knows of it, once it has begun.
    streamed: Option<Streamed>,
    /// Where the record stands in which it began.
    record: Place,
    /// Its number among the messages.
    serial: u64,
    /// The first loss of it as it was put together.
    lost: Option<Loss>,
    /// Its text so far, if a later record has the answer in full, and that answer.
    answer: Option<(Sum, Option<Sum>)>,
}

/// Which record, and where it stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    number: u64,
    offset: u64,
}

/// The output of `convert`.
pub struct Emit {
    splice: Splice,
    /// Puts sequences of reasoning together.
    regroup: Regroup,
    /// Writes what cannot be edited in its place.
    writer: Rc<dyn Writer>,
    open: BTreeMap<Lane, Open>,
    /// Messages that began.
    serial: u64,
    record: Record,
    head: Head,
    /// Messages of the record that are over.
    messages: Vec<Message>,
    /// What goes out in place of the record.
    values: Values,
    turns: Turns,
    /// Calls of messages that are records.
    calls: CallNames,
    around: Around,
    rules: Rules,
    refused: Vec<Refusal>,
}

/// What stands around the records.
struct Around {
    framing: Framing,
    /// The top-level array that is open; whether something of it was written.
    array: Option<bool>,
    /// What goes out behind the last frame.
    tail: Vec<u8>,
    /// The input is over.
    over: bool,
}

#[derive(Clone, Copy)]
struct Rules {
    /// A raw text is edited in its place.
    edits_text: bool,
    /// A record of which something is lost is refused.
    strict: bool,
}

/// The record that is read.
#[derive(Default)]
struct Record {
    number: u64,
    /// What it is, and where its value stands.
    value: Option<(Envelope, Span)>,
    /// Its frame was placed.
    over: bool,
    /// Why it is not written, if it is not.
    refusal: Option<String>,
    /// Its first loss.
    lost: Option<Loss>,
    /// It has a message, or a part of one.
    message: bool,
    /// So many of the values that wait are those of earlier records.
    earlier: usize,
}

impl Emit {
    /// An output for one input; `edits_text`: the reader of raw text sends edits.
    pub fn new(splice: Splice, writer: Rc<dyn Writer>, edits_text: bool) -> Self {
        Self {
            rules: Rules { edits_text, strict: false },
            splice,
            regroup: Regroup::new(false, true),
            writer,
            open: BTreeMap::new(),
            serial: 0,
            record: Record::default(),
            head: Head::default(),
            messages: Vec::new(),
            values: Vec::new(),
            turns: Turns::default(),
            calls: CallNames::default(),
            around: Around { framing: Framing::Jsonl, array: None, tail: Vec::new(), over: false },
            refused: Vec::new(),
        }
    }

    /// Refuses records of which something is lost. Events of a stream are written all the same: those before them are.
    pub fn strict(self, strict: bool) -> Self {
        Self { rules: Rules { strict, ..self.rules }, ..self }
    }

    /// What is lost in the format that was asked for, and how often.
    pub fn losses(&self) -> &BTreeMap<Loss, u64> {
        self.splice.losses()
    }

    fn lose(&mut self, losses: &[Loss]) {
        self.record.lost = self.record.lost.or(losses.first().copied());
        self.count(losses);
    }

    /// What kind of record it is. A raw text is a message.
    fn envelope(&self) -> Option<Envelope> {
        match self.around.framing {
            Framing::Text => (!self.rules.edits_text).then_some(Envelope::Message),
            _ => self.record.value.map(|(envelope, _)| envelope),
        }
    }

    fn start(&mut self, lane: Lane, role: Role, joined: bool) {
        self.record.message = true;
        let Some(envelope) = self.envelope() else { return };
        let stream = envelope == Envelope::Stream;
        if stream && !joined {
            // A response begins when the one before it is complete, even without an event that ends it.
            let complete = |open: &Open| open.envelope == envelope && open.gather.message.stop.is_some();
            let over: Vec<Lane> = self.open.iter().filter(|(_, open)| complete(open)).map(|(lane, _)| *lane).collect();
            over.into_iter().for_each(|lane| self.end(lane));
        }
        let keeps = !stream || self.writer.restates();
        let gather = Gather::new(Message::new(role), stream, keeps);
        if joined {
            // Another choice of the response: its events find no message.
            return self.lose(&[Loss::Choices]);
        }
        self.serial += 1;
        let serial = self.serial;
        if stream && !self.writer.names_messages() {
            self.turns.begin(serial);
        }
        let record =
            Place { number: self.record.number, offset: self.record.value.map_or(0, |(_, value)| value.start) };
        self.open.insert(lane, Open { gather, envelope, streamed: None, record, serial, lost: None, answer: None });
    }

    /// The steps of a message, written at once if it is streamed.
    fn steps(&mut self, lane: Lane, steps: Vec<Step>, mut losses: Vec<Loss>) {
        let Some(open) = self.open.get_mut(&lane) else { return };
        if open.envelope == Envelope::Stream {
            let (writer, out) = (self.writer.as_ref(), self.turns.out(open.serial, &mut self.values));
            if !steps.is_empty() {
                begin(writer, open, out, &mut losses);
            }
            let Some(streamed) = &mut open.streamed else { return };
            // The message is in one place at a time.
            std::mem::swap(&mut streamed.message, &mut open.gather.message);
            for step in steps {
                match step {
                    Step::Open(at) => writer.open(streamed, at, out, &mut losses),
                    Step::Feed(at, text) => writer.feed(streamed, at, &text, out, &mut losses),
                    Step::Close(at) => writer.close(streamed, at, out, &mut losses),
                }
            }
            std::mem::swap(&mut streamed.message, &mut open.gather.message);
            self.turns.count(open.serial);
        }
        if open.envelope == Envelope::Line {
            // It may end in another record.
            open.lost = open.lost.or(losses.first().copied());
            return self.count(&losses);
        }
        self.lose(&losses);
    }

    fn change(&mut self, lane: Lane, work: impl FnOnce(&mut Gather, &mut Vec<Step>, &mut Vec<Loss>)) {
        self.record.message = true;
        let Some(open) = self.open.get_mut(&lane) else { return };
        let (mut steps, mut losses) = (Vec::new(), Vec::new());
        work(&mut open.gather, &mut steps, &mut losses);
        if !steps.is_empty() || !losses.is_empty() {
            self.steps(lane, steps, losses);
        }
    }

    fn end(&mut self, lane: Lane) {
        self.change(lane, Gather::finish);
        self.compare_answer(lane);
        let Some(mut open) = self.open.remove(&lane) else { return };
        match open.envelope {
            Envelope::Stream => {
                self.end_streamed(&mut open);
                self.turns.end(open.serial, &mut self.values);
            }
            Envelope::Line | Envelope::Message | Envelope::List => {
                self.calls.complete(std::slice::from_mut(&mut open.gather.message));
                self.write_message(&open);
            }
            Envelope::Request | Envelope::Response => self.messages.push(open.gather.message),
        }
    }
}

/// Why a stream is not complete.
const CUT_OFF: &str = "the stream is cut off: no event ends this message";

impl Emit {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::MessageStart { lane, .. } if *lane >= SNAPSHOT => (),
            Event::MessageStart { lane, role, joined, .. } => self.start(*lane, *role, *joined),
            Event::AnswerFollows(lane) => self.answer_follows(*lane),
            Event::Answer { lane, text } => self.answer(*lane, text),
            Event::Piece(piece) => self.piece(piece),
            Event::Block { lane, number, what } => {
                self.change(*lane, |gather, steps, _| gather.block(*what, *number, steps));
            }
            Event::BlockOver { lane, number } => {
                self.change(*lane, |gather, steps, _| gather.block_over(*number, steps));
            }
            Event::Set { lane: Some(lane), block, name, value, .. } => {
                use Attribute::{Created, Error, Id, Model, StopDetail};
                match name {
                    Attribute::Extra => return self.lose_of(*lane, Loss::Extra),
                    Attribute::Lost(loss) => return self.lose_of(*lane, *loss),
                    Attribute::Member => return self.lose_member(*lane, value),
                    _ => (),
                }
                let of_message = name.is_usage() || matches!(name, Created | Error | Id | Model | StopDetail);
                if let (true, Some(open)) = (of_message, self.open.get_mut(lane)) {
                    let message = &mut open.gather.message;
                    let known = message.get(*name).map(|known| known == *value);
                    // Every event of a stream repeats some of them.
                    message.facts.extend((known != Some(true)).then(|| (*name, value.to_vec())));
                    return self.lose(if *name == StopDetail && known.is_none() { &[Loss::Stop] } else { &[] });
                }
                self.change(*lane, |gather, steps, losses| gather.fact(*block, (*name, value), steps, losses));
            }
            Event::Set { lane: None, name, key, value, .. } => {
                self.head.facts.push((*name, key.to_vec(), value.to_vec()));
            }
            Event::Stop { lane, stop } => {
                if let Some(open) = self.open.get_mut(lane) {
                    open.gather.message.stop = Some(*stop);
                }
            }
            Event::MessageEnd { lane, .. } => self.end(*lane),
            Event::Record { envelope, value } => {
                // Of a list of requests each is written by itself.
                if let Some((before @ (Envelope::Request | Envelope::Response), _)) = self.record.value.take() {
                    self.write_record(before);
                }
                self.record.value = Some((*envelope, *value));
            }
            Event::Loss(loss) => self.lose(&[*loss]),
            Event::Edit { .. } => self.splice.event(event),
            _ => (),
        }
    }
}

impl Output for Emit {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, rest: true, content: true, ..Wants::default() }
    }

    fn buffered(&self) -> usize {
        self.turns.buffered()
    }

    fn framing(&mut self, framing: Framing) {
        self.around.framing = framing;
        self.splice.framing(framing);
    }

    fn record(&mut self, number: u64) {
        self.grouping(|regroup, out| regroup.record(out));
        self.record = Record { number, earlier: self.values.len(), ..Record::default() };
        self.splice.record(number);
    }

    fn frame(&mut self, placed: Placed) {
        let placed = self.put(placed);
        self.splice.frame(placed);
    }

    fn finish(&mut self) {
        self.grouping(|regroup, out| regroup.finish(out));
        self.splice.finish();
        self.around.over = true;
        self.put_tail();
    }

    fn drain(&mut self, source: Source<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let needed = self.splice.drain(source, undecided, sinks);
        if self.around.over && !self.splice.is_behind() {
            if frames::must_end_line(self.around.framing, &sinks.out, source, &self.around.tail) {
                sinks.out.push(b'\n');
            }
            sinks.out.append(&mut self.around.tail);
        }
        needed
    }

    fn is_behind(&self) -> bool {
        self.splice.is_behind()
    }

    fn refused(&mut self) -> Vec<Refusal> {
        let mut refused = self.splice.refused();
        refused.append(&mut self.refused);
        refused
    }
}
