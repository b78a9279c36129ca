//! Reads events that go on with the text of the event before them: what that event did to its conversation stays done,
//! so that only the text is sent.

use super::{JsonReader, Refused, Shapes};
use crate::dialect::draft::{Item, Record, Unit};
use crate::dialect::read::{Again, EventTemplate};
use crate::dialect::shape::{Does, Shape, Slot};
use crate::dialect::stream::Outside;
use crate::frame::Body;
use crate::model::{Event, Facts, Sink};
use std::borrow::Cow;
use std::ops::Range;

/// The last event, if another may go on with its text.
#[derive(Debug, Default)]
pub(super) struct LastEvent {
    again: Again,
    /// The name of the event that the record stands in.
    event: Vec<u8>,
    facts: Facts,
    /// It is reasoning, and no output asks for the text.
    silent: bool,
    /// The identifier of the response that it belongs to, if it names its response; otherwise it is of a conversation.
    response: Option<Option<Vec<u8>>>,
    /// Where the number of its block stands, if the number changes when reasoning goes.
    number: Option<(Range<usize>, u64)>,
    /// How many events have come since one went on with the last.
    alone: u32,
}

/// After so many events that none went on with, only each [`EACH`] is noted: events of several blocks take turns.
const TRIES: u32 = 4;
const EACH: u32 = 16;

impl LastEvent {
    /// Forgets the event: another record follows.
    pub fn clear(&mut self) {
        self.again.clear();
    }

    /// Notes the response that the event belongs to.
    pub fn of_response(&mut self, id: Option<&[u8]>) {
        if self.response.as_ref().is_none_or(|known| known.as_deref() != id) {
            self.response = Some(id.map(<[u8]>::to_vec));
        }
    }

    /// Whether the next event is expected to go on with the one that was just read.
    fn is_worth_it(&mut self) -> bool {
        self.alone = self.alone.wrapping_add(1);
        self.alone <= TRIES || self.alone.is_multiple_of(EACH)
    }
}

/// Whether a unit has no text, and nothing else.
fn is_empty(unit: &Unit) -> bool {
    match unit {
        Unit::Text(text) | Unit::Field(_, text) => text.start == text.end,
        Unit::Void(_) => true,
        _ => false,
    }
}

impl JsonReader<'_> {
    /// Notes an event whose draft is the only one of its record and was sent, if it went on with a message. All of it but
    /// its text must be the same in the next one.
    pub(in crate::dialect::reader) fn learn_delta(&mut self, body: &Body<'_>, record: &Record, facts: &Facts) {
        let [Item::Delta(draft)] = record.items.as_slice() else { return };
        let went_on = facts.stream && facts.messages == 0 && record.logged.is_none() && !record.style.enveloped;
        if !went_on || draft.delta.finished || self.builds() || !self.options.templates {
            return;
        }
        let mut texts = draft.units.iter().filter(|unit| !is_empty(unit));
        let (Some(unit @ (Unit::Text(text) | Unit::Field(_, text))), None) = (texts.next(), texts.next()) else {
            return;
        };
        let thinks = matches!(unit, Unit::Field(..));
        let last_event = &mut self.shapes.last_event;
        if !draft.probabilities.is_empty()
            || !last_event.is_worth_it()
            || !last_event.again.learn_text(body.text, *text)
        {
            return;
        }
        let quiet = self.options.in_place().is_none() && self.asks_nothing();
        let last_event = &mut self.shapes.last_event;
        last_event.silent = !facts.payload && thinks && quiet;
        last_event.response = Some(record.id(body.text).map(Cow::into_owned));
        (last_event.facts, last_event.number) = (*facts, None);
        last_event.event.clear();
        last_event.event.extend_from_slice(body.event);
    }

    /// Whether no output asks for the text of reasoning.
    fn asks_nothing(&self) -> bool {
        let wants = self.options.wants;
        let errors = wants.failures && self.room.error;
        let asks = wants.text || wants.raw || wants.rest || wants.doubts || errors;
        !asks && self.tags.redactions().is_none()
    }

    /// Notes an event that fitted a template, and was sent. Its draft is the last one that was made.
    pub(super) fn learn_last(&mut self, body: &Body<'_>, shape: &'static Shape, at: usize, facts: &Facts) {
        let Shapes { alikes, last_event, .. } = &mut self.shapes;
        let template: &EventTemplate = alikes.template(at);
        // Counts in an event are told with each.
        let counts = shape.by_id && template.walked.get(0, Slot::Counts).is_some();
        let feeds = matches!(template.walked.nodes[0].does, Does::Feed(_)) && !counts;
        let feeds = feeds && facts.stream && facts.messages == 0;
        let wants = self.options.wants;
        let builds = wants.content || wants.instructions.is_some() || self.options.to.is_some();
        if !feeds || builds || shape.delivery_words.is_some() || !last_event.is_worth_it() {
            return;
        }
        let Some([Item::Delta(draft)]) = self.room.record.as_ref().map(|record| record.items.as_slice()) else {
            return;
        };
        let [unit @ (Unit::Text(text) | Unit::Field(_, text))] = draft.units.as_slice() else { return };
        let thinks = matches!(unit, Unit::Field(..));
        if !draft.probabilities.is_empty() || !last_event.again.learn(template, body.text, *text) {
            return;
        }
        let silent = !facts.payload && thinks && self.asks_nothing();
        let Shapes { alikes, last_event, .. } = &mut self.shapes;
        let template: &EventTemplate = alikes.template(at);
        (last_event.silent, last_event.facts) = (silent, *facts);
        last_event.event.clear();
        last_event.event.extend_from_slice(body.event);
        if !shape.by_id {
            last_event.response = None;
        }
        let index = template.walked.get(0, Slot::Index).filter(|_| facts.payload && shape.follow.renumber);
        last_event.number = index.and_then(|entry| Some((entry.value.clone(), entry.number(body.text)?)));
    }

    /// Reads an event that goes on with the text of the last one. Any other record takes the place of that one.
    pub(in crate::dialect::reader) fn goes_on_with(
        &mut self,
        body: &Body<'_>,
        sink: &mut dyn Sink,
    ) -> Option<Result<Facts, Refused>> {
        let read = self.go_on_with(body, sink);
        if !matches!(read, Some(Ok(_))) {
            self.shapes.forget_last();
        }
        read
    }

    #[inline]
    fn go_on_with(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Option<Result<Facts, Refused>> {
        let LastEvent { again, number, event, .. } = &mut self.shapes.last_event;
        let text = again.read(body.text).filter(|_| *event == body.event)?;
        let record = self.room.record.as_mut()?;
        let [Item::Delta(draft)] = record.items.as_mut_slice() else { return None };
        let moved = |at: &mut Range<usize>| *at = again.moved(at.start)..again.moved(at.end);
        for unit in &mut draft.units {
            match unit {
                Unit::Text(own) | Unit::Field(_, own) if own.start < own.end => *own = text,
                Unit::Text(own) | Unit::Field(_, own) => {
                    (own.start, own.end) = (again.moved(own.start), again.moved(own.end));
                }
                Unit::Deep(_, at) | Unit::Call(at) => moved(at),
                Unit::Opaque(_) | Unit::Void(_) => (),
            }
        }
        draft.cuts.iter_mut().for_each(moved);
        draft.facts.iter_mut().for_each(|fact| moved(&mut fact.at));
        number.iter_mut().for_each(|(at, _)| moved(at));
        again.accept();
        self.shapes.last_event.alone = 0;
        if self.options.in_place().is_some() {
            let record = self.room.record.take()?;
            let facts = self.convert(body, &record, sink);
            self.room.record = Some(record);
            return Some(facts.map_err(Refused::from));
        }
        let LastEvent { facts, number, response, .. } = &self.shapes.last_event;
        let mut found = Facts { payload: false, ..*facts };
        let conversation = draft.shaped.conversation;
        let out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
        let id = match response {
            Some(id) => id.as_deref(),
            None => Some(self.shapes.conversations.message(conversation)),
        };
        self.streams.delta(id, draft, &mut found, out);
        found.payload |= facts.payload;
        if let (Some((at, number)), Some(lane)) = (number, self.streams.lane(id)) {
            sink.event(&Event::Number { lane, at: body.span(at.clone()), number: *number, reasoning: false });
        }
        Some(Ok(found))
    }

    /// Whether the last record was reasoning that the next one may go on with, while no output asks for its text.
    pub fn may_go_on(&self) -> bool {
        self.shapes.last_event.silent && self.shapes.last_event.again.is_set()
    }

    /// Whether a record goes on with that reasoning. It need not be read then: it changes nothing, and goes or stays as
    /// the last record does.
    #[inline]
    pub fn goes_on_thinking(&mut self, text: &[u8]) -> bool {
        let fits = self.shapes.last_event.again.fits(text);
        if fits {
            self.shapes.last_event.alone = 0;
        }
        fits
    }
}
