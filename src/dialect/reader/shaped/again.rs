//! Reads events that go on with the text of the event before them: what that event did to its conversation stays done,
//! so that only the text is sent.

use super::{JsonReader, Shapes};
use crate::dialect::draft::{Item, Unit};
use crate::dialect::read::{Again, EventTemplate};
use crate::dialect::shape::{Does, Shape, Slot};
use crate::dialect::stream::Outside;
use crate::frame::Body;
use crate::model::{Event, Facts, Sink};
use std::ops::Range;

/// The last event, if another may go on with its text.
#[derive(Debug, Default)]
pub(super) struct LastEvent {
    again: Again,
    facts: Facts,
    /// It is reasoning, and no output asks for the text.
    silent: bool,
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

    /// Whether the next event is expected to go on with the one that was just read.
    fn is_worth_it(&mut self) -> bool {
        self.alone = self.alone.wrapping_add(1);
        self.alone <= TRIES || self.alone.is_multiple_of(EACH)
    }
}

impl JsonReader<'_> {
    /// Notes an event that fitted a template, and was sent. Its draft is the last one that was made.
    pub(super) fn learn_last(&mut self, body: &Body<'_>, shape: &'static Shape, at: usize, facts: &Facts) {
        let Shapes { alikes, last_event, .. } = &mut self.shapes;
        let template: &EventTemplate = alikes.template(at);
        let feeds = matches!(template.walked.nodes[0].does, Does::Feed(_)) && facts.stream && facts.messages == 0;
        let wants = self.options.wants;
        let builds = wants.content || wants.instructions.is_some() || self.options.to.is_some();
        if !feeds || builds || shape.delivery_words.is_some() || !last_event.is_worth_it() {
            return;
        }
        let Some([Item::Delta(draft)]) = self.room.record.as_ref().map(|record| record.items.as_slice()) else {
            return;
        };
        let [Unit::Text(text) | Unit::Field(_, text)] = draft.units.as_slice() else { return };
        if !draft.probabilities.is_empty() || !last_event.again.learn(template, body.text, *text) {
            return;
        }
        let errors = wants.failures && self.room.error;
        let asks = wants.text || wants.raw || wants.rest || wants.doubts || errors;
        last_event.silent = !facts.payload && !asks && self.tags.redactions().is_none();
        last_event.facts = *facts;
        let index = template.walked.get(0, Slot::Index).filter(|_| facts.payload && shape.follow.renumber);
        last_event.number = index.and_then(|entry| Some((entry.value.clone(), entry.number(body.text)?)));
    }

    /// Reads an event that goes on with the text of the last one. Any other record takes the place of that one.
    pub(in crate::dialect::reader) fn goes_on_with(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Option<Facts> {
        let read = self.go_on_with(body, sink);
        if read.is_none() {
            self.shapes.forget_last();
        }
        read
    }

    #[inline]
    fn go_on_with(&mut self, body: &Body<'_>, sink: &mut dyn Sink) -> Option<Facts> {
        let LastEvent { again, number, .. } = &mut self.shapes.last_event;
        let text = again.read(body.text)?;
        let record = self.room.record.as_mut()?;
        let [Item::Delta(draft)] = record.items.as_mut_slice() else { return None };
        let [Unit::Text(own) | Unit::Field(_, own)] = draft.units.as_mut_slice() else { return None };
        *own = text;
        let moved = |at: &mut Range<usize>| *at = again.moved(at.start)..again.moved(at.end);
        draft.cuts.iter_mut().for_each(moved);
        draft.facts.iter_mut().for_each(|fact| moved(&mut fact.at));
        number.iter_mut().for_each(|(at, _)| moved(at));
        again.accept();
        self.shapes.last_event.alone = 0;
        let LastEvent { facts, number, .. } = &self.shapes.last_event;
        let mut found = Facts { payload: false, ..*facts };
        let conversation = draft.shaped.conversation;
        let out = Outside { body, wants: self.options.wants, sink, notes: &mut self.notes };
        let id = self.shapes.conversations.message(conversation);
        self.streams.delta(Some(id), draft, &mut found, out);
        found.payload |= facts.payload;
        if let (Some((at, number)), Some(lane)) = (number, self.streams.lane_of(id)) {
            sink.event(&Event::Number { lane, at: body.span(at.clone()), number: *number, reasoning: false });
        }
        Some(found)
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
