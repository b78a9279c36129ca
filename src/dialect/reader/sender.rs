//! Sends what was read of a record as events. Nothing is decided here that needs more than the drafts of the record, and
//! what is open of earlier ones.

mod instructions;
mod message;
mod redact;

use super::options::Setup;
use super::refuse::TagCheck;
use crate::dialect::draft::{
    Draft, Fact, FactKind, Item, MessageChange, MessagePosition, Record, ResponseChange, Stretch,
};
use crate::dialect::formats::chat;
use crate::dialect::formats::shared::{call_text, deep_blocks};
use crate::dialect::inline_text::{Noted, TextReader, as_it_came, decode};
use crate::dialect::read::{Origins, object_of_pairs};
use crate::dialect::stream::{OpenMessage, Outside, ResponseKey, RestatedParts, Streams};
use crate::frame::Body;
use crate::inline::{Note, Options, Start};
use crate::json::{Literal, text};
use crate::model::content::{Attribute, Envelope};
use crate::model::{
    ContentEvent, ConversationEvent, Element, Event, Facts, Lane, MessageFact, Piece, PieceKind, Role, Sink,
};
use crate::span::Span;
use std::ops::Range;
use std::sync::Arc;

/// Sends drafts as events.
pub(super) struct Sender {
    setup: Arc<Setup>,
    pub streams: Streams,
    pub notes: Vec<Noted>,
    /// Where messages come from, if the output asks for it.
    pub origins: Option<Origins>,
    /// The last text that was decoded to see whether its tags are certain: it is read next.
    pub tagged: TagCheck,
    scratch: Vec<u8>,
    spans: Vec<Span>,
    cuts: Vec<Span>,
    /// There was reasoning in the last text.
    reasons: bool,
    /// The texts that are sent have the reasoning of their message once more.
    retold: bool,
}

impl Sender {
    /// A sender at the start of an input.
    pub fn new(setup: Arc<Setup>) -> Self {
        Self {
            streams: setup.streams(),
            origins: setup.options.wants.origin.then(|| Origins::new(&chat::states::ORIGIN)),
            setup,
            notes: Vec::new(),
            tagged: TagCheck::default(),
            scratch: Vec::new(),
            spans: Vec::new(),
            cuts: Vec::new(),
            reasons: false,
            retold: false,
        }
    }

    /// Sends the content of a record. It stands at its place among the other records of the input if it has more than
    /// events of a stream.
    pub fn send(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> Facts {
        let mut facts = Facts { payload: record.marks.payload, ..Facts::default() };
        let wants = self.setup.options.wants;
        if record.style.enveloped && wants.messages {
            sink.event(&Event::Conversation(ConversationEvent::Recording));
            record.rewind.iter().for_each(|n| sink.event(&Event::Conversation(ConversationEvent::Rewind(*n))));
        }
        if !matches!(record.items.first(), Some(Item::Start)) {
            self.instructions(body, record, sink);
        }
        let exchange = wants.messages && record.is_exchange();
        exchange.then(|| sink.event(&Event::Conversation(ConversationEvent::Exchange(record.marks.answers))));
        let id = record.id(body.text);
        let (mut joined, mut listed) = (false, false);
        for (number, item) in record.items.iter().enumerate() {
            facts.dialect = facts.dialect.or_else(|| Some(record.dialect()));
            if number == 0 && matches!(item, Item::Start) && wants.messages {
                sink.event(&Event::Conversation(ConversationEvent::Start));
                self.instructions(body, record, sink);
                listed = true;
                continue;
            }
            listed |= self.item(body, (item, id.as_deref()), &mut joined, &mut facts, sink);
        }
        exchange.then(|| sink.event(&Event::Conversation(ConversationEvent::ExchangeOver)));
        if let (Some(tokens), true) = (record.logged, wants.rest) {
            let delta = facts.stream || facts.dialect.is_none();
            let lane = delta.then(|| self.streams.lane(id.as_deref())).flatten();
            sink.event(&Event::Logged { lane, tokens });
        }
        if listed && !facts.stream {
            self.streams.other(sink, &mut self.notes);
        }
        facts
    }

    /// Sends one thing in a record whose response has this identifier. `joined`: a choice was sent before. Returns whether
    /// it is more than an event of a stream.
    pub fn item(
        &mut self,
        body: &Body<'_>,
        (item, id): (&Item, Option<&[u8]>),
        joined: &mut bool,
        facts: &mut Facts,
        sink: &mut dyn Sink,
    ) -> bool {
        let wants = self.setup.options.wants;
        let choice = |joined: &mut bool| match std::mem::replace(joined, true) {
            true => MessagePosition::Joined,
            false => MessagePosition::Listed,
        };
        // An output that builds messages anew writes a stream for a stream, also if all of it came in one event.
        let piece = body.is_event && wants.content;
        let whole = |draft: &Draft| draft.delta.completion && draft.delta.finished && !piece;
        match item {
            Item::Delta(draft) if whole(draft) && !facts.stream && !self.streams.goes_on(id) => {
                self.message(body, draft, facts, choice(joined), sink);
            }
            Item::Delta(draft) => {
                facts.stream = true;
                self.delta(body, id.map(ResponseKey::Named), draft, facts, sink);
            }
            Item::Chunk(draft) => self.delta(body, Some(ResponseKey::Chunks), draft, facts, sink),
            Item::ChunksEnd => self.streams.end_chunks(sink, &mut self.notes),
            Item::Choice(draft) if facts.stream || self.streams.repeats(id) => {
                self.message(body, draft, facts, MessagePosition::Snapshot(RestatedParts::ALL), sink);
            }
            Item::Choice(draft) => self.message(body, draft, facts, choice(joined), sink),
            Item::Message(draft) => {
                let bare = draft.element.is_none();
                let position = if bare { MessagePosition::Bare } else { MessagePosition::Listed };
                self.message(body, draft, facts, position, sink);
            }
            Item::Start if wants.messages => sink.event(&Event::Conversation(ConversationEvent::Start)),
            Item::End if wants.messages => sink.event(&Event::Conversation(ConversationEvent::End)),
            Item::Stays(at) if wants.visible => sink.event(&Event::Stays(element(body, at))),
            Item::Kept(at) => sink.event(&Event::Stays(element(body, at))),
            Item::Start | Item::End | Item::Stays(_) => (),
            Item::Placed(draft, position) => {
                self.message(body, draft, facts, *position, sink);
                return false;
            }
            Item::More(draft, message) => {
                self.delta(body, Some(ResponseKey::Open(*message)), draft, facts, sink);
                return false;
            }
            Item::Open(message, change) => {
                self.change(body, *message, change, sink);
                return false;
            }
            Item::Logged(message, tokens) => {
                let lane = message.and_then(|message| self.streams.lane_of(message));
                sink.event(&Event::Logged { lane, tokens: *tokens });
                return false;
            }
            Item::Response(change) => {
                self.response(body, id, change, facts, sink);
                return false;
            }
        }
        true
    }

    /// Sends more of a response.
    pub fn delta(
        &mut self,
        body: &Body<'_>,
        key: Option<ResponseKey<&[u8]>>,
        draft: &Draft,
        facts: &mut Facts,
        sink: &mut dyn Sink,
    ) {
        let out = Outside {
            body,
            wants: self.setup.options.wants,
            sink,
            notes: &mut self.notes,
            origins: self.origins.as_mut(),
        };
        self.streams.delta(key, draft, facts, out);
    }

    /// Sends what happens to the open message of a conversation.
    fn change(&mut self, body: &Body<'_>, message: OpenMessage, change: &MessageChange, sink: &mut dyn Sink) {
        match change {
            MessageChange::NextBlock { reasoning } => {
                let mut out = Outside {
                    body,
                    wants: self.setup.options.wants,
                    sink,
                    notes: &mut self.notes,
                    origins: self.origins.as_mut(),
                };
                return self.streams.next_block(message, *reasoning, &mut out);
            }
            MessageChange::Over => return self.streams.over(Some(ResponseKey::Open(message)), sink, &mut self.notes),
            _ => (),
        }
        let Some(lane) = self.streams.lane_of(message) else { return };
        match change {
            MessageChange::NextItem => {
                let (kind, at) = (PieceKind::NextItem, &[][..]);
                let piece = Piece { lane, kind, fresh: false, text: b"", escaped: false, whole: false, at };
                sink.event(&Event::Piece(piece));
            }
            MessageChange::Number { at, number, reasoning } => {
                let (at, number, reasoning) = (body.span(at.clone()), *number, *reasoning);
                sink.event(&Event::Number { lane, at, number, reasoning });
            }
            MessageChange::Element { at, goes: true } => sink.event(&Event::Item { lane, element: element(body, at) }),
            MessageChange::Element { at, goes: false } => sink.event(&Event::Stays(element(body, at))),
            MessageChange::NextBlock { .. } | MessageChange::Over => (),
        }
    }

    /// Sends what happens to the response with this identifier, or without one to the latest.
    fn response(
        &mut self,
        body: &Body<'_>,
        id: Option<&[u8]>,
        change: &ResponseChange,
        facts: &mut Facts,
        sink: &mut dyn Sink,
    ) {
        match change {
            ResponseChange::Again(draft) => {
                facts.stream = true;
                let out = Outside {
                    body,
                    wants: self.setup.options.wants,
                    sink: &mut *sink,
                    notes: &mut self.notes,
                    origins: self.origins.as_mut(),
                };
                let known = self.streams.restated(id, draft, facts, out);
                self.answer(body, id, draft, known, sink);
                if draft.units.iter().any(|unit| known.has(unit)) {
                    self.message(body, draft, facts, MessagePosition::Snapshot(known), sink);
                }
            }
            ResponseChange::Called { name, members } => {
                if let Some(lane) = self.streams.lane(id) {
                    sink.event(&Event::Fact(lane, MessageFact::CallMembers { name, members }));
                }
            }
            ResponseChange::Logged(tokens) => {
                sink.event(&Event::Logged { lane: self.streams.lane(id), tokens: *tokens });
            }
            ResponseChange::Over => self.streams.over(id.map(ResponseKey::Named), sink, &mut self.notes),
            ResponseChange::Amended(draft) => {
                if let Some(lane) = self.streams.lane(id) {
                    send_facts(body, &draft.facts, lane, sink);
                }
            }
        }
    }

    /// Sends the whole answer, if earlier events had text of it and it has no tag.
    fn answer(&mut self, body: &Body<'_>, id: Option<&[u8]>, draft: &Draft, known: RestatedParts, sink: &mut dyn Sink) {
        if !self.setup.options.wants.visible {
            return;
        }
        let mut texts = draft.units.iter().filter(|unit| known.has(unit));
        let Some(Stretch::Text(literal)) = texts.find(|unit| matches!(unit, Stretch::Text(_))) else { return };
        let plain = literal.start < literal.end && !self.setup.tags.may_hold(literal.raw(body.text), literal.escaped);
        if let Some(lane) = self.streams.lane(id).filter(|_| plain) {
            self.scratch.clear();
            text::decode(literal.raw(body.text), &mut self.scratch);
            sink.event(&Event::Fact(lane, MessageFact::Answer(&self.scratch)));
        }
    }
}

/// Sends where a record stands and what it is: a request, a response, an event of a stream, and so on.
pub(super) fn envelope(body: &Body<'_>, envelope: Envelope, sink: &mut dyn Sink) {
    let text = body.text;
    let start = text.len() - text.trim_ascii_start().len();
    let value = body.span(start..start + text.trim_ascii().len());
    sink.event(&Event::Content(ContentEvent::Record { envelope, value }));
}

/// The same for a record that stands in the object that was read.
pub(super) fn record_inside(body: &Body<'_>, envelope: Envelope, at: &Range<usize>, sink: &mut dyn Sink) {
    sink.event(&Event::Content(ContentEvent::Record { envelope, value: body.span(at.clone()) }));
}

/// An element of a list, which begins at an offset, and its range from the end of the element before it.
pub(super) fn element(body: &Body<'_>, (list, at): &(usize, Range<usize>)) -> Element {
    let comma = body.text[at.clone()].iter().position(|b| !b.is_ascii_whitespace());
    let comma = comma.map(|n| at.start + n).filter(|n| body.text[*n] == b',');
    Element { list: body.offset(*list), span: body.span(at.clone()), comma: comma.map(|n| body.offset(n)) }
}

/// Adds what is cut with the reasoning of a draft to `cuts`, and sends the bytes of signatures that go in any case.
pub(in crate::dialect) fn send_cuts(
    body: &Body<'_>,
    draft: &Draft,
    lane: Lane,
    cuts: &mut Vec<Span>,
    sink: &mut dyn Sink,
) {
    if draft.seals.is_empty() {
        return cuts.extend(draft.cuts.iter().map(|at| body.span(at.clone())));
    }
    let (own, seals) = draft.apart(body.text);
    cuts.extend(own.into_iter().map(|at| body.span(at)));
    for at in seals {
        let (kind, at) = (PieceKind::Seal, &[body.span(at)][..]);
        sink.event(&Event::Piece(Piece { lane, kind, fresh: true, text: b"", escaped: false, whole: false, at }));
    }
}

/// Sends facts of a message.
pub(in crate::dialect) fn send_facts(body: &Body<'_>, facts: &[Fact], lane: Lane, sink: &mut dyn Sink) {
    for fact in facts {
        let value = &body.text[fact.at.clone()];
        let start = Some(body.offset(fact.at.start)).filter(|_| fact.at.end > 0);
        let at = start.filter(|_| !fact.at.is_empty());
        sink.event(&match fact.what {
            FactKind::Block(what) => {
                Event::Content(ContentEvent::Block { lane, number: fact.block.unwrap_or(0), what, at: start })
            }
            FactKind::Set(name) => {
                Event::Content(ContentEvent::Set { lane: Some(lane), block: fact.block, name, key: b"", value, at })
            }
            FactKind::Pairs(name, words) => {
                let object = object_of_pairs(body.text, fact.at.start, words).unwrap_or_default();
                let (key, value, block): (&[u8], _, _) = (b"", object.as_slice(), fact.block);
                sink.event(&Event::Content(ContentEvent::Set { lane: Some(lane), block, name, key, value, at }));
                continue;
            }
            FactKind::Stop(stop) => Event::Content(ContentEvent::Stop { lane, stop }),
            FactKind::Failed => {
                let (name, block) = (Attribute::IsError, fact.block);
                Event::Content(ContentEvent::Set { lane: Some(lane), block, name, key: b"", value: b"true", at })
            }
            FactKind::Over => Event::Content(ContentEvent::BlockOver { lane, number: fact.block.unwrap_or(0) }),
        });
    }
}

/// Takes the facts off `rest` that stand before the unit with this number.
pub(in crate::dialect) fn next_facts<'f>(rest: &mut &'f [Fact], unit: usize) -> &'f [Fact] {
    let count = rest.iter().take_while(|fact| fact.after <= unit).count();
    let (now, later) = rest.split_at(count);
    *rest = later;
    now
}
