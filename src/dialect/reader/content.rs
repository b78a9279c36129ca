//! The facts of messages, sent between their pieces, for outputs that build messages anew.

use super::{Item, JsonReader, Record};
use crate::dialect::draft::{Draft, Fact, Unit, What};
use crate::dialect::formats::chat;
use crate::frame::Body;
use crate::model::content::Envelope;
use crate::model::{Event, Lane, Sink};

impl JsonReader<'_> {
    /// Whether the output builds messages anew.
    pub(super) fn builds(&self) -> bool {
        self.options.wants.content
    }

    /// Sends where a record stands and what it is: a request, a response, an event of a stream, and so on.
    pub(super) fn envelope(&self, body: &Body<'_>, envelope: Envelope, sink: &mut dyn Sink) {
        let text = body.text;
        let start = text.len() - text.trim_ascii_start().len();
        let value = body.span(start..start + text.trim_ascii().len());
        sink.event(&Event::Record { envelope, value });
    }

    /// A record of a chat stream that is only an error ends the open message. Returns whether the record is one.
    pub(super) fn chat_error(&mut self, body: &Body<'_>, record: &Record, sink: &mut dyn Sink) -> bool {
        let (true, Some(lane)) = (record.items.is_empty() && self.builds(), self.streams.lane(None)) else {
            return false;
        };
        let error = chat::of_error(body.text);
        if error.is_empty() {
            return false;
        }
        self.envelope(body, Envelope::Stream, sink);
        send_facts(body, &error, lane, sink);
        self.finish(sink);
        true
    }

    /// Finds the facts of the messages in a record of the chat family, and sends which kind of record it is.
    pub(super) fn chat_facts(&self, body: &Body<'_>, record: &mut Record, sink: &mut dyn Sink) {
        let whole = |draft: &Draft| {
            let id = record.id(body.text);
            draft.delta.completion && draft.delta.finished && !self.streams.goes_on(id.as_deref())
        };
        let envelope = record.items.iter().find_map(|item| match item {
            Item::Start => Some(Envelope::Request),
            Item::Delta(draft) if whole(draft) => Some(Envelope::Response),
            Item::Choice(_) => Some(Envelope::Response),
            Item::Delta(_) => Some(Envelope::Stream),
            Item::Message(_) | Item::Chunk(_) => Some(Envelope::Message),
            Item::Stays(_) | Item::Kept(_) | Item::ChunksEnd | Item::End => None,
        });
        let stream = record.items.is_empty() && record.marks.known;
        let Some(envelope) = envelope.or(stream.then_some(Envelope::Stream)) else { return };
        self.envelope(body, envelope, sink);
        let text = body.text;
        let responds = matches!(envelope, Envelope::Response | Envelope::Stream);
        let start = if responds || envelope == Envelope::Request { chat::body(text) } else { 0 };
        if matches!(envelope, Envelope::Request | Envelope::Response) {
            for (name, at) in chat::of_batch(text, start) {
                sink.event(&Event::Set { lane: None, block: None, name, key: b"", value: &text[at] });
            }
        }
        // The last event of a response has no choice, but may have the token usage.
        let id = record.id(text);
        if let Some(lane) = self.streams.lane(id.as_deref()).filter(|_| stream) {
            send_facts(body, &chat::of_usage(text, start), lane, sink);
        }
        if envelope == Envelope::Request {
            let mut messages: Vec<usize> = record.items.iter().filter_map(begins).collect();
            let mut elements: Vec<(usize, usize)> = record.items.iter().filter_map(element).collect();
            messages.sort_unstable();
            elements.sort_unstable();
            for (name, key, value) in chat::of_request(text, start, (&messages, &elements)) {
                let (key, value) = (&text[key], &*value);
                sink.event(&Event::Set { lane: None, block: None, name, key, value });
            }
        }
        let (mut response, mut beside) = (None, None);
        for item in &mut record.items {
            let whole = matches!(item, Item::Message(_) | Item::Choice(_));
            let (Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft)) = item else {
                continue;
            };
            if whole {
                // Reasoning in a field goes before the answer, whatever the order of the members.
                let behind = |unit: &Unit| matches!(unit, Unit::Text(_) | Unit::Call(_) | Unit::Deep("part", _));
                draft.units.sort_by_key(behind);
            }
            let mut facts = Vec::new();
            if responds {
                let response = response.get_or_insert_with(|| chat::Response::of(text, start));
                facts = response.facts(draft.delta.index);
            }
            if let Some(answer) = record.answer {
                facts.extend_from_slice(beside.get_or_insert_with(|| chat::beside_answer(text, answer.start)));
            }
            if draft.delta.completion {
                let response = response.get_or_insert_with(|| chat::Response::of(text, start));
                facts.extend(response.beside_completion(draft.delta.index));
            }
            facts.extend(chat::of_message(text, draft));
            draft.facts = facts;
        }
    }
}

/// Where the first member or part of a message begins.
fn begins(item: &Item) -> Option<usize> {
    let Item::Message(draft) = item else { return None };
    let members = draft.members.list.iter().map(|member| member.value.start);
    members
        .chain(draft.members.parts.iter().map(|part| part.at.start))
        .next()
        .or(Some(draft.object.start).filter(|at| *at > 0))
}

/// Where the list of an element begins, and where the element ends.
fn element(item: &Item) -> Option<(usize, usize)> {
    let at = match item {
        Item::Message(draft) => draft.element.as_ref()?,
        Item::Stays(at) => at,
        _ => return None,
    };
    Some((at.0, at.1.end))
}

/// Sends facts of a message.
pub(in crate::dialect) fn send_facts(body: &Body<'_>, facts: &[Fact], lane: Lane, sink: &mut dyn Sink) {
    for fact in facts {
        let value = &body.text[fact.at.clone()];
        sink.event(&match fact.what {
            What::Block(what) => Event::Block { lane, number: fact.block.unwrap_or(0), what },
            What::Set(name) => Event::Set { lane: Some(lane), block: fact.block, name, key: b"", value },
            What::Stop(stop) => Event::Stop { lane, stop },
            What::Over => Event::BlockOver { lane, number: fact.block.unwrap_or(0) },
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
