//! The messages of a log in which several speak, put together: a sequence of reasoning and its answer become one message.
//!
//! What waits are the texts of sequences that are not over. Other messages pass as they come.

use super::fold::OwnedPiece;
use super::sequences::{Number, Part, Sequence, Sequences};
use super::{Delivery, Event, Kind, Lane, Loss, Piece, Role, Sent, Source, Step};
use crate::model::content::Attribute;
use std::collections::{BTreeMap, BTreeSet};

/// The source of the reasoning of such a message.
const SOURCE: Source = "part";

/// Lanes of messages that were put together.
const LANE: Lane = (1 << 30) - 1;

/// Words in the context of a sequence.
#[derive(Clone, Debug, Default)]
pub struct Dialogue {
    /// The identifier of the message.
    pub id: Vec<u8>,
    /// Who has sent it.
    pub from: Vec<u8>,
    /// Its text.
    pub text: Vec<u8>,
}

/// A sequence, with its texts and its answer.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The number of the record in which it began.
    pub record: u64,
    /// The sequence, as it was when it was over.
    pub sequence: Sequence,
    /// The identifier of the sequence that it stands in.
    pub parent: Option<Vec<u8>>,
    /// Its reasoning: what each message is, and its blocks.
    pub texts: Vec<(Part, Vec<Vec<u8>>)>,
    /// The messages of others and of the agent in its context, if that is not passed on.
    pub dialogue: Vec<Dialogue>,
    /// The identifiers and the names of the tools that were called in it.
    pub tools: Vec<(Vec<u8>, Vec<u8>)>,
    /// The identifier of its answer, if that has come.
    pub response: Option<Vec<u8>>,
    /// Who reasons has a name and not only a role.
    named: bool,
    /// The sequences that it was put together from, and how many of them were cancelled.
    parts: BTreeSet<Number>,
    cancelled: u64,
    /// The text of the answer.
    answer: Vec<OwnedPiece>,
    facts: Vec<(Attribute, Vec<u8>)>,
}

impl Group {
    /// The events of the message that it becomes.
    pub fn events(&self, mut out: impl FnMut(&Event<'_>)) {
        let (lane, role) = (LANE, Role::Assistant);
        out(&Event::MessageStart { lane, role, joined: false, bare: false, conversation: 0 });
        for (name, value) in &self.facts {
            out(&Event::Set { lane: Some(lane), block: None, name: *name, key: b"", value });
        }
        self.losses().for_each(|loss| out(&lost(lane, loss)));
        let piece = |kind, text| Piece { lane, kind, fresh: true, text, escaped: false, whole: false, at: &[] };
        for text in self.texts.iter().flat_map(|(_, blocks)| blocks) {
            out(&Event::Piece(piece(Kind::Reasoning(SOURCE), text)));
        }
        for OwnedPiece { kind, fresh, whole, text } in &self.answer {
            out(&Event::Piece(Piece { fresh: *fresh, whole: *whole, ..piece(*kind, text) }));
        }
        out(&Event::MessageEnd { lane, element: None });
    }

    /// What a message does not say of it.
    fn losses(&self) -> impl Iterator<Item = Loss> {
        let is_part = |(part, texts): &(Part, Vec<Vec<u8>>)| *part != Part::Thought && !texts.concat().is_empty();
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

/// What comes out.
pub enum Grouped<'a> {
    /// An event that passes.
    Event(&'a Event<'a>),
    /// A sequence that is over.
    Group(&'a Group),
    /// A record of which nothing passes, since it is a part of a sequence or a copy.
    Waits,
}

/// Where the pieces of a message go.
#[derive(Clone, Copy, Debug)]
enum Way {
    Pass,
    Thought(Number),
    Answer(Number),
    Dialogue(Number),
    /// A call, of which nothing is shown.
    Nowhere,
}

/// Something of a message that no other format has a place for.
fn lost(lane: Lane, loss: Loss) -> Event<'static> {
    Event::Set { lane: Some(lane), block: None, name: Attribute::Lost(loss), key: b"", value: b"" }
}

/// Puts them together.
#[derive(Debug, Default)]
pub struct Regroup {
    /// Sequences inside others are objects of their own, and dialogue is a part of them; otherwise the one is a part of
    /// the message, and the other passes.
    objects: bool,
    /// Calls of tools pass.
    calls: bool,
    sequences: Sequences,
    waiting: BTreeMap<Number, Group>,
    /// The start of a message of which it is not known yet who has sent it.
    start: Option<Event<'static>>,
    ways: BTreeMap<Lane, Way>,
    buffered: usize,
}

impl Regroup {
    /// For one log; `objects`: sequences become objects, not messages of a conversation; `calls`: calls of tools pass.
    pub fn new(objects: bool, calls: bool) -> Self {
        Self { objects, calls, ..Self::default() }
    }

    /// How many bytes of text are waiting.
    pub fn buffered(&self) -> usize {
        self.buffered
    }

    /// The next event, of this record.
    pub fn event(&mut self, record: u64, event: &Event<'_>, out: &mut dyn FnMut(Grouped<'_>)) {
        if let (Some(_), Event::Sent { lane, sent, .. }) = (&self.start, event) {
            let (way, inside) = self.way(record, sent);
            self.ways.insert(*lane, way);
            let copy = sent.delivery == Delivery::Again;
            match self.start.take() {
                Some(start) if matches!(way, Way::Pass) => {
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
            Event::MessageStart { lane, role, joined, bare, conversation } => {
                let (lane, role, joined, bare, conversation) = (*lane, *role, *joined, *bare, *conversation);
                self.start = Some(Event::MessageStart { lane, role, joined, bare, conversation });
            }
            Event::Piece(piece) if self.goes_on(piece.lane) => self.piece(piece),
            Event::Set { lane: Some(lane), name, value, .. } if self.goes_on(*lane) => {
                let extra = *name == Attribute::Extra;
                if let Some(Way::Answer(number) | Way::Thought(number)) = self.ways.get(lane)
                    && let Some(group) = self.waiting.get_mut(number)
                    && (extra || matches!(self.ways.get(lane), Some(Way::Answer(_))))
                {
                    group.facts.push((*name, value.to_vec()));
                }
            }
            Event::ToolCall(lane) | Event::Other(lane) | Event::Sealed(lane) | Event::Block { lane, .. }
                if self.goes_on(*lane) => {}
            Event::MessageEnd { lane, .. } => match self.ways.remove(lane) {
                Some(Way::Pass) | None => {
                    out(Grouped::Event(event));
                    self.release(out);
                }
                Some(_) => self.release(out),
            },
            Event::StreamOver => {
                self.finish(out);
                out(Grouped::Event(event));
            }
            _ => out(Grouped::Event(event)),
        }
    }

    /// Another record begins: nothing of this one is known any more about a message that has begun in it.
    pub fn record(&mut self, out: &mut dyn FnMut(Grouped<'_>)) {
        if let Some(start) = self.start.take() {
            out(Grouped::Event(&start));
        }
    }

    /// The log is over.
    pub fn finish(&mut self, out: &mut dyn FnMut(Grouped<'_>)) {
        self.record(out);
        self.sequences.finish();
        self.release(out);
    }

    /// Whether a message is a part of a sequence.
    fn goes_on(&self, lane: Lane) -> bool {
        self.ways.get(&lane).is_some_and(|way| !matches!(way, Way::Pass))
    }

    /// Where a message goes, and whether it stands inside of a sequence.
    fn way(&mut self, record: u64, sent: &Sent<'_>) -> (Way, bool) {
        if sent.delivery != Delivery::First {
            return (Way::Pass, false);
        }
        let placed = self.sequences.take(sent);
        let call = if sent.step == Step::Call && !self.calls { Way::Nowhere } else { Way::Pass };
        let Some(number) = placed.sequence else { return (call, false) };
        let own = number;
        let root = placed.root.filter(|root| self.waiting.contains_key(root));
        let number = if self.objects { number } else { root.unwrap_or(number) };
        let group = self.waiting.entry(number).or_insert_with(|| Group { record, ..Group::default() });
        let way = match placed.part {
            part if sent.step.is_reasoning() => {
                group.texts.push((part, Vec::new()));
                group.named |= sent.named;
                group.parts.insert(own);
                group.cancelled += u64::from(part == Part::Cancellation);
                Way::Thought(number)
            }
            Part::Answer => {
                group.response = Some(sent.id.to_vec());
                group.named |= sent.named;
                Way::Answer(number)
            }
            Part::Dialogue if self.objects => {
                let (id, from) = (sent.id.to_vec(), sent.from.to_vec());
                group.dialogue.push(Dialogue { id, from, text: Vec::new() });
                Way::Dialogue(number)
            }
            Part::Call if self.objects => {
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
            Way::Thought(number) | Way::Answer(number) | Way::Dialogue(number) => self.waiting.get_mut(number),
            Way::Pass | Way::Nowhere => None,
        }) else {
            return;
        };
        self.buffered += piece.text.len();
        match (way, piece.kind) {
            (Way::Thought(_), Kind::Reasoning(_)) => {
                let Some((_, blocks)) = group.texts.last_mut() else { return };
                match blocks.last_mut() {
                    Some(block) if !piece.fresh => block.extend_from_slice(piece.text),
                    _ => blocks.push(piece.text.to_vec()),
                }
            }
            (Way::Answer(_), kind) => {
                let (fresh, whole, text) = (piece.fresh, piece.whole, piece.text.to_vec());
                group.answer.push(OwnedPiece { kind, fresh, whole, text });
            }
            (Way::Dialogue(_), kind) if kind.is_visible() => {
                group.dialogue.iter_mut().next_back().into_iter().for_each(|utterance| {
                    utterance.text.extend_from_slice(piece.text);
                });
            }
            _ => (),
        }
    }

    /// Sequences that are over go out.
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
