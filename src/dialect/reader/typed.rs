//! Typed events that restate a message or end it.

use super::{JsonReader, MessagePosition};
use crate::dialect::draft::{Draft, Record, Unit};
use crate::dialect::formats::chat::row::EventContent;
use crate::dialect::formats::chat::walk::said;
use crate::dialect::stream::{Known, Outside};
use crate::frame::Body;
use crate::json::text;
use crate::model::{Event, Facts, Sink};

impl JsonReader<'_> {
    /// Reads an event that restates the message: text that no delta had is new; the rest is a copy with the same
    /// verdict.
    pub(super) fn restated(
        &mut self,
        body: &Body<'_>,
        record: &Record,
        draft: &Draft,
        facts: &mut Facts,
        sink: &mut dyn Sink,
    ) {
        facts.stream = true;
        let id = record.id(body.text);
        let id = id.as_deref();
        let out = Outside { body, wants: self.options.wants, sink: &mut *sink, notes: &mut self.notes };
        let known = self.streams.restated(id, draft, facts, out);
        self.answer(body, id, draft, known, sink);
        if draft.units.iter().any(|unit| known.has(unit)) {
            self.message(body, draft, facts, MessagePosition::Snapshot(known), sink);
        }
    }

    /// Sends the members of a tool call, for outputs that show events.
    pub(super) fn called(&mut self, body: &Body<'_>, id: Option<&[u8]>, draft: &Draft, sink: &mut dyn Sink) {
        let row = draft.delta.event.filter(|event| event.content == EventContent::Call && self.options.wants.visible);
        let Some(row) = row else { return };
        if let Some(lane) = self.streams.lane(id) {
            let members = said(body.text, row);
            sink.event(&Event::CallMembers { lane, name: row.name, members: &members });
        }
    }

    /// Sends the whole answer, if deltas had text of it and it has no tag.
    fn answer(&mut self, body: &Body<'_>, id: Option<&[u8]>, draft: &Draft, known: Known, sink: &mut dyn Sink) {
        let message = draft.delta.event.is_some_and(|event| event.content == EventContent::WholeMessage);
        if !message || !self.options.wants.visible {
            return;
        }
        let mut texts = draft.units.iter().filter(|unit| known.has(unit));
        let Some(Unit::Text(literal)) = texts.find(|unit| matches!(unit, Unit::Text(_))) else { return };
        let plain = literal.start < literal.end && !self.tags.may_hold(literal.raw(body.text), literal.escaped);
        if let Some(lane) = self.streams.lane(id).filter(|_| plain) {
            self.room.scratch.clear();
            text::decode(literal.raw(body.text), &mut self.room.scratch);
            sink.event(&Event::Answer { lane, text: &self.room.scratch });
        }
    }

    /// Reads an event that ends the message.
    pub(super) fn over(&mut self, body: &Body<'_>, record: &Record, facts: &mut Facts, sink: &mut dyn Sink) {
        facts.stream = true;
        self.logged(body, record, facts, sink);
        self.streams.over(record.id(body.text).as_deref(), sink, &mut self.notes);
    }

    /// Sends the count of reasoning tokens that the record states.
    pub(super) fn logged(&mut self, body: &Body<'_>, record: &Record, facts: &Facts, sink: &mut dyn Sink) {
        if let (Some(tokens), true) = (record.logged, self.options.wants.rest) {
            let delta = facts.stream || facts.dialect.is_none();
            let lane = delta.then(|| self.streams.lane(record.id(body.text).as_deref())).flatten();
            sink.event(&Event::Logged { lane, tokens });
        }
    }
}
