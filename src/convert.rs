//! Builds records anew in another format, from the content of their messages. Records that need only edits are edited
//! in place ([`crate::strip::Splice`]). Both kinds may be in one input: what is built here is an edit, too, which replaces the
//! bytes of its record.

mod answer;
mod conversations;
mod frames;
mod grouped;
mod inner;
#[cfg(feature = "cli")]
mod lines;
mod open;
mod records;
mod run;
mod turns;

#[cfg(feature = "cli")]
pub use lines::LinesOutput;

use crate::agents::regroup::Regroup;
use crate::frame::Framing;
use crate::model::call_names::CallNames;
use crate::model::content::{
    Attribute, Block, BlockMessage, Envelope, HeadFact, RecordHead, Stop, Streamed, Values, Writer,
};
use crate::model::gather::{Gather, GatherStep};
use crate::model::number::Numbers;
use crate::model::steps;
use crate::model::{
    ContentEvent, ConversationEvent, Event, Lane, Loss, Losses, MessageFact, MessagePlace, Outgoing, Sink, Wants,
    WrittenJson,
};
use crate::out::{Output, Placed, Refusal, Sinks, SourceBytes};
use crate::span::Span;
use crate::strip::Splice;
use conversations::Conversations;
use frames::{begin, would_lose};
use open::{BegunMessages, EmitMessage, EmitRecord, PlacedRecord};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use turns::OpenTurns;

/// The output of `convert`.
pub struct Emit {
    splice: Splice,
    /// Turns sequences of reasoning into messages. It is taken out for each event, so that moving it must cost nothing.
    regroup: Option<Box<Regroup>>,
    /// Writes the records that are built anew.
    writer: Arc<dyn Writer>,
    /// Messages that have begun.
    begun: BegunMessages,
    record: EmitRecord,
    head: RecordHead,
    /// Complete messages of the current record.
    messages: Vec<BlockMessage>,
    /// The values that replace the current record.
    values: Values,
    turns: OpenTurns,
    conversations: Conversations,
    /// Calls of messages that are records.
    calls: CallNames,
    around: BetweenRecords,
    rules: Rules,
    refused: Vec<Refusal>,
    /// The numbers of messages, for the places of losses.
    numbers: Numbers,
}

/// The state around the records.
struct BetweenRecords {
    framing: Framing,
    /// Set inside of a top-level array: whether an element of it was written.
    array: Option<bool>,
    /// What goes behind the last frame; of raw text, its messages, which go as they come.
    tail: Outgoing,
    /// Some of that is written.
    ends: bool,
    /// The input is over.
    over: bool,
}

#[derive(Clone, Copy)]
struct Rules {
    /// Raw text is edited in place.
    edits_text: bool,
    /// A record with a loss is refused.
    strict: bool,
}

impl Emit {
    /// An output for one input. `edits_text`: the reader of raw text sends edits. `call_name`: the name of the tool that a
    /// call names.
    pub fn new(splice: Splice, writer: Arc<dyn Writer>, edits_text: bool, call_name: fn(&Block) -> Vec<u8>) -> Self {
        Self {
            rules: Rules { edits_text, strict: false },
            splice,
            regroup: Some(Box::new(Regroup::new(false, true))),
            writer,
            begun: BegunMessages::default(),
            record: EmitRecord::default(),
            head: RecordHead::default(),
            messages: Vec::new(),
            values: Vec::new(),
            turns: OpenTurns::default(),
            conversations: Conversations::default(),
            calls: CallNames::new(call_name),
            around: BetweenRecords {
                framing: Framing::Jsonl,
                array: None,
                tail: Outgoing::default(),
                ends: false,
                over: false,
            },
            refused: Vec::new(),
            numbers: Numbers::default(),
        }
    }

    /// Sets whether records with a loss are refused. Events of a stream are not, since those before them are written.
    #[cfg(feature = "cli")]
    pub fn strict(self, strict: bool) -> Self {
        Self { rules: Rules { strict, ..self.rules }, ..self }
    }

    /// The losses are reported by another output, which knows where they stand in the input of the user.
    pub(crate) fn hands_over_losses(self) -> Self {
        Self { splice: self.splice.hands_over_losses(), ..self }
    }

    /// Gives the losses to the output that reports them. `place`: where a byte that is read here stands in its input.
    pub(crate) fn hand_over_losses(&mut self, to: &mut Splice, place: impl Fn(u64) -> u64) {
        self.splice.hand_over_losses(to, place);
    }

    /// How often each loss occurred.
    pub fn losses(&self) -> &BTreeMap<Loss, u64> {
        self.splice.losses()
    }

    fn start(&mut self, lane: Lane, conversation: u32, joined: bool, message: BlockMessage) {
        self.record.message = true;
        let Some(envelope) = self.envelope() else { return };
        let stream = envelope == Envelope::Stream;
        if stream && !joined {
            // A response begins: messages that are complete are over, even without an event that ends them.
            let complete = |open: &EmitMessage| open.envelope == envelope && open.gather.message.stop.is_some();
            let over: Vec<Lane> =
                self.begun.open.iter().filter(|(_, open)| complete(open)).map(|(lane, _)| *lane).collect();
            over.into_iter().for_each(|lane| self.end(lane));
        }
        let keeps = !stream || self.writer.restates();
        // A further choice of a response belongs to the message of the first.
        self.begun.serial += u64::from(!joined);
        let serial = self.begun.serial;
        if joined {
            // A further choice of a response is lost: no message is opened for its events.
            let mut losses = Losses::default();
            losses.of(&message);
            losses.push(Loss::Choices);
            return self.lose(&losses);
        }
        let gather = Gather::new(message, stream, keeps);
        let gather = if self.around.framing == Framing::Text { gather.sharing() } else { gather };
        if stream && !self.writer.names_messages() {
            self.turns.begin(serial);
        }
        let record =
            PlacedRecord { number: self.record.number, offset: self.record.value.map_or(0, |(_, value)| value.start) };
        if envelope == Envelope::Line {
            self.conversations.begin(conversation);
        }
        let (streamed, lost, answer, lost_members) = (None, None, None, HashSet::new());
        let open = EmitMessage { gather, envelope, conversation, streamed, record, serial, lost, answer, lost_members };
        let at = open.gather.message.at;
        self.begun.open.insert(lane, Box::new(open));
        at.into_iter().for_each(|at| self.may_lose(lane, at));
    }

    /// Whether what goes behind the last frame is next.
    fn writes_tail(&self) -> bool {
        let next = self.around.framing == Framing::Text || self.around.over;
        next && !self.splice.is_behind() && !self.around.tail.is_empty()
    }

    /// Writes the steps of a streamed message; counts the losses of any.
    fn steps(&mut self, lane: Lane, steps: &mut Vec<GatherStep>, mut losses: Losses) {
        let Some(open) = self.begun.open.get_mut(&lane) else { return };
        if open.envelope == Envelope::Stream {
            let (writer, out) = (self.writer.as_ref(), self.turns.out(open.serial, &mut self.values));
            if !steps.is_empty() {
                begin(writer, open, out, &mut losses);
            }
            if let [GatherStep::Feed(at, _)] = steps.as_slice() {
                self.record.fed = Some((lane, *at));
            }
            let Some(streamed) = &mut open.streamed else { return };
            // The message moves to the writer's state and back, since it is in one place at a time.
            std::mem::swap(&mut streamed.message, &mut open.gather.message);
            for step in steps.drain(..) {
                let (GatherStep::Open(at) | GatherStep::Feed(at, _) | GatherStep::Close(at)) = step;
                losses.at(streamed.message.blocks[at].at.or(streamed.message.at));
                match step {
                    GatherStep::Open(at) => writer.open(streamed, at, out, &mut losses),
                    GatherStep::Feed(at, text) => writer.feed(streamed, at, &text, out, &mut losses),
                    GatherStep::Close(at) => writer.close(streamed, at, out, &mut losses),
                }
            }
            std::mem::swap(&mut streamed.message, &mut open.gather.message);
            self.turns.count(open.serial);
        }
        if open.envelope == Envelope::Line {
            // The message may end in another record.
            open.lost = open.lost.or(losses.first());
            return self.count(&losses);
        }
        self.lose(&losses);
    }

    fn change(
        &mut self,
        lane: Lane,
        at: Option<u64>,
        work: impl FnOnce(&mut Gather, &mut Vec<GatherStep>, &mut Losses),
    ) {
        self.record.message = true;
        let Some(open) = self.begun.open.get_mut(&lane) else { return };
        let (mut steps, mut losses) = (std::mem::take(&mut self.begun.steps), Losses::default());
        open.gather.at(at);
        let (before, continues) = (open.gather.message.blocks.len(), open.continues());
        losses.of(&open.gather.message);
        losses.at(at.or(open.gather.message.at));
        work(&mut open.gather, &mut steps, &mut losses);
        if let (Some(at), true) = (at, continues && open.gather.message.blocks.len() > before) {
            self.splice.may_lose(at);
        }
        if !steps.is_empty() || !losses.is_empty() {
            self.steps(lane, &mut steps, losses);
        }
        steps.clear();
        self.begun.steps = steps;
    }
}

/// The error for a record with several.
const SEVERAL: &str = "a record with several conversations, where the target has a place for one";

/// The error for a stream that is not complete.
const CUT_OFF: &str = "the stream is cut off: no event ends this message";

impl Emit {
    fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::MessageStart { lane, .. } if lane.is_snapshot() => (),
            Event::MessageStart { lane, role, joined, bare, conversation, at } => {
                let number = self.numbers.event(event).map_or(0, |(_, number)| number);
                let place = MessagePlace { number, bare: *bare };
                self.start(*lane, *conversation, *joined, BlockMessage { at: *at, place, ..BlockMessage::new(*role) });
            }
            Event::Fact(lane, MessageFact::AnswerFollows) => self.answer_follows(*lane),
            Event::Fact(lane, MessageFact::Answer(text)) => self.answer(*lane, text),
            Event::Piece(piece) => self.piece(piece),
            Event::Content(ContentEvent::Block { lane, number, what, at }) => {
                self.change(*lane, *at, |gather, steps, _| gather.block(*what, *number, steps));
            }
            Event::Content(ContentEvent::BlockOver { lane, number }) => {
                self.change(*lane, None, |gather, steps, _| gather.block_over(*number, steps));
            }
            Event::Content(ContentEvent::Set { lane: Some(lane), block, name, value, at, .. }) => {
                use Attribute::{Author, Created, Error, Id, Model, StopDetail};
                match name {
                    Attribute::Extra => return self.lose_of(*lane, *at, Loss::Extra),
                    Attribute::Identity if self.writer.names_blocks() => return,
                    Attribute::CallSignature if !self.writer.signs_calls() => {
                        return self.lose_of(*lane, *at, Loss::Signature);
                    }
                    Attribute::Lost(loss) => return self.lose_of(*lane, *at, *loss),
                    Attribute::Member => return self.lose_member(*lane, *at, value),
                    _ => (),
                }
                let of_message = name.is_usage() || matches!(name, Author | Created | Error | Id | Model | StopDetail);
                if let (true, Some(open)) = (of_message, self.begun.open.get_mut(lane)) {
                    let message = &mut open.gather.message;
                    let new = message.get(*name).is_none();
                    message.set(*name, value);
                    if *name == StopDetail && new {
                        self.lose_of(*lane, *at, Loss::Stop);
                    }
                    return;
                }
                if let (Attribute::Signature | Attribute::Ciphertext, Some(at)) = (name, at) {
                    self.may_lose(*lane, *at);
                }
                self.change(*lane, *at, |gather, steps, losses| gather.fact(*block, (*name, value), steps, losses));
            }
            Event::Content(ContentEvent::Set { lane: None, name, key, value, at, .. }) => {
                let (key, value) = (key.to_vec(), value.to_vec());
                self.head.facts.push(HeadFact { name: *name, key, value, at: *at });
            }
            Event::Content(ContentEvent::Stop { lane, stop }) => {
                if let Some(open) = self.begun.open.get_mut(lane) {
                    open.gather.message.stop = Some(*stop);
                }
            }
            Event::MessageEnd { lane, .. } => self.end(*lane),
            Event::Content(ContentEvent::Record { envelope, value }) => {
                // Each request of a list is written by itself.
                if let Some((before @ (Envelope::Request | Envelope::Response), _)) = self.record.value.take() {
                    self.write_record(before);
                }
                self.record.value = Some((*envelope, *value));
            }
            Event::Loss(lost) => {
                self.record.lost = self.record.lost.or(Some(*lost));
                self.splice.event(event);
            }
            Event::Edit { at, with } => self.edited(*at, with),
            Event::InStrings(count) => self.record.strings = *count,
            Event::Conversation(
                change @ (ConversationEvent::Start | ConversationEvent::End | ConversationEvent::StreamOver),
            ) => {
                let again = *change == ConversationEvent::Start && !self.messages.is_empty();
                self.record.refusal = self.record.refusal.take().or(again.then(|| SEVERAL.into()));
                self.numbers.event(event);
            }
            _ => (),
        }
    }
}

impl Output for Emit {
    fn wants(&self) -> Wants {
        Wants { text: true, visible: true, messages: true, raw: true, rest: true, content: true, ..Wants::default() }
    }

    fn buffered(&self) -> usize {
        self.turns.buffered()
    }

    fn framing(&mut self, framing: Framing) {
        self.around.framing = framing;
        self.splice.framing(framing);
    }

    fn record(&mut self, number: u64) {
        self.record = EmitRecord { number, earlier: self.values.len(), ..EmitRecord::default() };
        self.splice.record(number);
    }

    fn frame(&mut self, placed: Placed) {
        if self.put_more(placed) {
            return;
        }
        // A message whose start came last belongs to the record of this frame.
        self.grouping(|regroup, out| regroup.record(out));
        let fed = self.fed(&placed);
        let placed = self.put(placed);
        self.splice.frame(placed);
        fed.into_iter().for_each(|(block, name)| self.learn_fed(block, name));
    }

    fn finish(&mut self) {
        self.grouping(|regroup, out| regroup.finish(out));
        self.splice.finish();
        self.around.over = true;
        self.put_tail();
    }

    fn drain(&mut self, source: SourceBytes<'_>, undecided: Option<u64>, sinks: &mut Sinks) -> u64 {
        let needed = self.splice.drain(source, undecided, sinks);
        if self.writes_tail() {
            let first = !std::mem::replace(&mut self.around.ends, true);
            if first && frames::must_end_line(self.around.framing, &sinks.out, source) {
                sinks.out.push(b'\n');
            }
            self.around.tail.write(Sinks::ENOUGH, &mut sinks.out);
        }
        needed
    }

    fn is_behind(&self) -> bool {
        self.splice.is_behind() || self.writes_tail()
    }

    fn refused(&mut self) -> Vec<Refusal> {
        let mut refused = self.splice.refused();
        refused.append(&mut self.refused);
        refused
    }
}
