//! Regroups the messages of a log in which several speak: a sequence of reasoning and its answer become one message.
//!
//! Texts of sequences that are not over wait. Other messages pass as they come.

use super::sequences::{Number, OpenSequence, SequencePart, Sequences};
use crate::model::content::Attribute;
use crate::model::{
    ContentEvent, ConversationEvent, Delivery, Event, Lane, Loss, MessageFact, OwnedPiece, Piece, PieceKind, Role,
    Sent, SequenceStep, Source,
};
use std::collections::{BTreeMap, BTreeSet};

/// The source of the reasoning of such a message.
const SOURCE: Source = "part";

/// A message to others in the context of a sequence.
#[derive(Clone, Debug, Default)]
pub struct Dialogue {
    /// The identifier of the message.
    pub id: Vec<u8>,
    /// Who has sent it.
    pub from: Vec<u8>,
    /// Its text.
    pub text: Vec<u8>,
}

/// A sequence of reasoning, with its texts and its answer.
#[derive(Clone, Debug, Default)]
pub struct SequenceGroup {
    /// The number of the record in which it began.
    pub record: u64,
    /// The sequence, in its final state.
    pub sequence: OpenSequence,
    /// The identifier of the sequence around it.
    pub parent: Option<Vec<u8>>,
    /// Its reasoning: for each message, its part in the sequence and its blocks.
    pub texts: Vec<(SequencePart, Vec<Vec<u8>>)>,
    /// The messages to others in its context, if these do not pass by themselves.
    pub dialogue: Vec<Dialogue>,
    /// The identifiers and the names of the tools that were called in it.
    pub tools: Vec<(Vec<u8>, Vec<u8>)>,
    /// The identifier of its answer, once that has come.
    pub response: Option<Vec<u8>>,
    /// The agent has a name, and not only a role.
    named: bool,
    /// The numbers of the sequences that it was made from.
    parts: BTreeSet<Number>,
    cancelled: u64,
    /// The text of the answer.
    answer: Vec<OwnedPiece>,
    facts: Vec<(Attribute, Vec<u8>)>,
}

impl SequenceGroup {
    /// The texts of one part of its reasoning: a text for each message.
    pub fn texts_of(&self, part: SequencePart) -> impl Iterator<Item = Vec<u8>> {
        self.texts.iter().filter(move |(own, _)| *own == part).map(|(_, blocks)| blocks.join(&b"\n"[..]))
    }

    /// The text of its start, if it has any.
    pub fn start(&self) -> Option<Vec<u8>> {
        self.texts_of(SequencePart::Start).next().filter(|text| !text.is_empty())
    }

    /// Its context: its name, or its path.
    pub fn context(&self) -> &[u8] {
        if self.sequence.name.is_empty() { &self.sequence.path } else { &self.sequence.name }
    }

    /// Sends the events of the message that the sequence becomes.
    pub fn events(&self, mut out: impl FnMut(&Event<'_>)) {
        let (lane, role) = (Lane::Sequence, Role::Assistant);
        out(&Event::start_of_text(lane, role));
        for (name, value) in &self.facts {
            out(&Event::of_message(lane, *name, value));
        }
        self.losses().for_each(|loss| out(&lost(lane, loss)));
        let piece = |kind, text| Piece { lane, kind, fresh: true, text, escaped: false, whole: false, at: &[] };
        for text in self.texts.iter().flat_map(|(_, blocks)| blocks) {
            out(&Event::Piece(piece(PieceKind::Reasoning(SOURCE), text)));
        }
        for OwnedPiece { kind, fresh, whole, text } in &self.answer {
            out(&Event::Piece(Piece { fresh: *fresh, whole: *whole, ..piece(*kind, text) }));
        }
        out(&Event::MessageEnd { lane, element: None });
    }

    /// What a message cannot say of the sequence.
    fn losses(&self) -> impl Iterator<Item = Loss> {
        let is_part =
            |(part, texts): &(SequencePart, Vec<Vec<u8>>)| *part != SequencePart::Thought && !texts.concat().is_empty();
        let structured = self.parts.len() > 1 || self.texts.iter().any(is_part);
        let losses = [(self.named, Loss::Agent), (structured, Loss::Sequence)];
        let losses = losses.into_iter().filter(|(is, _)| *is).map(|(_, loss)| loss);
        losses.chain((0..self.cancelled).map(|_| Loss::Cancelled))
    }

    /// How many bytes of text it has.
    fn size(&self) -> usize {
        let texts = self.texts.iter().flat_map(|(_, blocks)| blocks).map(Vec::len);
        let dialogue = self.dialogue.iter().map(|utterance| utterance.text.len());
        let answer = self.answer.iter().map(|piece| piece.text.len());
        texts.chain(dialogue).chain(answer).sum()
    }
}

/// Output of the regrouping.
pub enum Grouped<'a> {
    /// An event that passes.
    Event(&'a Event<'a>),
    /// A sequence that is complete.
    Group(&'a SequenceGroup),
    /// Nothing passes of the current record, since it belongs to a sequence or is a copy.
    Waits,
}

/// Where the pieces of a message of the log go.
#[derive(Clone, Copy, Debug)]
enum Route {
    Pass,
    Thought(Number),
    Answer(Number),
    Dialogue(Number),
    /// A call that is left out.
    Nowhere,
}

/// The event for a loss of a message.
fn lost(lane: Lane, loss: Loss) -> Event<'static> {
    Event::of_message(lane, Attribute::Lost(loss), b"")
}

/// Regroups the messages of a log.
#[derive(Debug, Default)]
pub struct Regroup {
    /// Nested sequences become objects of their own, with their dialogue. If false, nested sequences become part of the
    /// outer message, and dialogue passes as messages.
    objects: bool,
    /// Tool calls pass.
    calls: bool,
    sequences: Sequences,
    waiting: BTreeMap<Number, SequenceGroup>,
    /// The start of a message whose sender is not known yet.
    start: Option<Event<'static>>,
    ways: BTreeMap<Lane, Route>,
    buffered: usize,
}

impl Regroup {
    /// A regrouping of one log. `objects`: sequences become objects, not messages of a conversation. `calls`: tool
    /// calls pass.
    pub fn new(objects: bool, calls: bool) -> Self {
        Self { objects, calls, ..Self::default() }
    }

    /// How many bytes of text wait.
    pub fn buffered(&self) -> usize {
        self.buffered
    }

    /// Reads an event of record `record`.
    pub fn event(&mut self, record: u64, event: &Event<'_>, out: &mut dyn FnMut(Grouped<'_>)) {
        if let (Some(_), Event::Fact(lane, MessageFact::Sent { sent, .. })) = (&self.start, event) {
            let (way, inside) = self.way(record, sent);
            self.ways.insert(*lane, way);
            let copy = sent.delivery == Delivery::Again;
            match self.start.take() {
                Some(start) if matches!(way, Route::Pass) => {
                    out(Grouped::Event(&start));
                    if copy {
                        out(Grouped::Waits);
                    }
                    let losses = [(sent.named, Loss::Agent), (inside, Loss::Sequence)];
                    let counts = !self.objects && sent.delivery == Delivery::First;
                    for (_, loss) in losses.into_iter().filter(|(is, _)| counts && *is) {
                        out(Grouped::Event(&lost(*lane, loss)));
                    }
                }
                _ => out(Grouped::Waits),
            }
            return;
        }
        if let Some(start) = self.start.take() {
            out(Grouped::Event(&start));
        }
        match event {
            Event::MessageStart { lane, role, joined, bare, conversation, at } => {
                let (lane, role, joined, bare, conversation, at) = (*lane, *role, *joined, *bare, *conversation, *at);
                self.start = Some(Event::MessageStart { lane, role, joined, bare, conversation, at });
            }
            Event::Piece(piece) if self.goes_on(piece.lane) => self.piece(piece),
            Event::Content(ContentEvent::Set { lane: Some(lane), name, value, .. }) if self.goes_on(*lane) => {
                let extra = *name == Attribute::Extra;
                if let Some(Route::Answer(number) | Route::Thought(number)) = self.ways.get(lane)
                    && let Some(group) = self.waiting.get_mut(number)
                    && (extra || matches!(self.ways.get(lane), Some(Route::Answer(_))))
                {
                    group.facts.push((*name, value.to_vec()));
                }
            }
            Event::Fact(lane, MessageFact::ToolCall | MessageFact::Other | MessageFact::Sealed)
            | Event::Content(ContentEvent::Block { lane, .. })
                if self.goes_on(*lane) => {}
            Event::MessageEnd { lane, .. } => match self.ways.remove(lane) {
                Some(Route::Pass) | None => {
                    out(Grouped::Event(event));
                    self.release(out);
                }
                Some(_) => self.release(out),
            },
            Event::Conversation(ConversationEvent::StreamOver) => {
                self.finish(out);
                out(Grouped::Event(event));
            }
            _ => out(Grouped::Event(event)),
        }
    }

    /// Begins another record: a message that began in this one has no known sender.
    pub fn record(&mut self, out: &mut dyn FnMut(Grouped<'_>)) {
        if let Some(start) = self.start.take() {
            out(Grouped::Event(&start));
        }
    }

    /// Ends the log.
    pub fn finish(&mut self, out: &mut dyn FnMut(Grouped<'_>)) {
        self.record(out);
        self.sequences.finish();
        self.release(out);
    }

    /// Whether a message is part of a sequence.
    fn goes_on(&self, lane: Lane) -> bool {
        self.ways.get(&lane).is_some_and(|way| !matches!(way, Route::Pass))
    }

    /// Where a message goes, and whether it stands inside of a sequence.
    fn way(&mut self, record: u64, sent: &Sent<'_>) -> (Route, bool) {
        if sent.delivery != Delivery::First {
            return (Route::Pass, false);
        }
        let placed = self.sequences.take(sent);
        let call = if sent.step == SequenceStep::Call && !self.calls { Route::Nowhere } else { Route::Pass };
        let Some(number) = placed.sequence else { return (call, false) };
        let own = number;
        let root = placed.root.filter(|root| self.waiting.contains_key(root));
        let number = if self.objects { number } else { root.unwrap_or(number) };
        let group = self.waiting.entry(number).or_insert_with(|| SequenceGroup { record, ..SequenceGroup::default() });
        let way = match placed.part {
            part if sent.step.is_reasoning() => {
                group.texts.push((part, Vec::new()));
                group.named |= sent.named;
                group.parts.insert(own);
                group.cancelled += u64::from(part == SequencePart::Cancellation);
                Route::Thought(number)
            }
            SequencePart::Answer => {
                group.response = Some(sent.id.to_vec());
                group.named |= sent.named;
                Route::Answer(number)
            }
            SequencePart::Dialogue if self.objects => {
                let (id, from) = (sent.id.to_vec(), sent.from.to_vec());
                group.dialogue.push(Dialogue { id, from, text: Vec::new() });
                Route::Dialogue(number)
            }
            SequencePart::Call if self.objects => {
                group.tools.push((sent.id.to_vec(), sent.tool.to_vec()));
                call
            }
            _ => call,
        };
        (way, true)
    }

    fn piece(&mut self, piece: &Piece<'_>) {
        let Some(way) = self.ways.get(&piece.lane) else { return };
        let Some(group) = (match way {
            Route::Thought(number) | Route::Answer(number) | Route::Dialogue(number) => self.waiting.get_mut(number),
            Route::Pass | Route::Nowhere => None,
        }) else {
            return;
        };
        let text = piece.decoded();
        self.buffered += text.len();
        match (way, piece.kind) {
            (Route::Thought(_), PieceKind::Reasoning(_)) => {
                let Some((_, blocks)) = group.texts.last_mut() else { return };
                match blocks.last_mut() {
                    Some(block) if !piece.fresh => block.extend_from_slice(&text),
                    _ => blocks.push(text.into_owned()),
                }
            }
            (Route::Answer(_), kind) => {
                let (fresh, whole, text) = (piece.fresh, piece.whole, text.into_owned());
                group.answer.push(OwnedPiece { kind, fresh, whole, text });
            }
            (Route::Dialogue(_), kind) if kind.is_visible() => {
                group.dialogue.iter_mut().next_back().into_iter().for_each(|utterance| {
                    utterance.text.extend_from_slice(&text);
                });
            }
            _ => (),
        }
    }

    /// Sends complete sequences.
    fn release(&mut self, out: &mut dyn FnMut(Grouped<'_>)) {
        for (number, sequence) in self.sequences.over() {
            let Some(mut group) = self.waiting.remove(&number) else { continue };
            self.buffered = if self.waiting.is_empty() { 0 } else { self.buffered.saturating_sub(group.size()) };
            group.parent = sequence.path.len().checked_sub(sequence.id.len() + 1).map(|end| {
                let above = &sequence.path[..end];
                above.rsplit(|b| *b == b'/').next().unwrap_or_default().to_vec()
            });
            group.sequence = sequence;
            out(Grouped::Group(&group));
        }
    }
}
