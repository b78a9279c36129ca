//! The facts of requests and batch lines, beside their messages.

use super::NodeFacts;
use crate::dialect::formats::shared::list_in;
use crate::dialect::read::Entry;
use crate::dialect::shape::Slot;
use crate::frame::Body;
use crate::json::{Token, is_empty};
use crate::model::content::Attribute;
use crate::model::{Event, Sink};
use std::borrow::Cow;

impl NodeFacts<'_> {
    /// Sends the key of the batch line that a node stands in.
    pub fn of_batch(&self, body: &Body<'_>, mut node: u32, sink: &mut dyn Sink) {
        let Self { walked, record, .. } = *self;
        let own = node;
        while let Some(found) = walked.nodes.get(node as usize) {
            if let Some(entry) = walked.get(node, Slot::Id).filter(|_| node != own) {
                let (name, value) = (Attribute::BatchId, &record[entry.value.clone()]);
                let at = Some(body.offset(entry.value.start));
                sink.event(&Event::of_record(name, b"", value, at));
            }
            if let Some(entry) = walked.get(node, Slot::Batch).filter(|entry| entry.literal().is_some()) {
                let (name, value) = (Attribute::Batch, &record[entry.value.clone()]);
                let at = Some(body.offset(entry.value.start));
                return sink.event(&Event::of_record(name, b"", value, at));
            }
            node = found.parent;
        }
    }

    /// Sends the facts of a request beside its messages.
    pub fn of_request(&self, body: &Body<'_>, node: u32, sink: &mut dyn Sink) {
        let Self { shape, walked, record } = *self;
        if shape.addressed {
            sink.event(&Event::of_record(Attribute::Addressed, b"", b"true", None));
        }
        let slots = [
            (Slot::Model, Attribute::Model),
            (Slot::System, Attribute::System),
            (Slot::Tools, Attribute::Tools),
            (Slot::Limit, Attribute::Limit),
            (Slot::Parameter, Attribute::Parameter),
            (Slot::Layout, Attribute::Parameter),
            (Slot::OwnParameter, Attribute::Parameter),
            (Slot::ForeignParameter, Attribute::Extra),
            (Slot::Template, Attribute::Extra),
            (Slot::Id, Attribute::Extra),
            // In a request, what is called as reasoning is a switch.
            (Slot::Thought, Attribute::Parameter),
        ];
        let named = slots.iter().flat_map(|(slot, name)| walked.all(node, *slot).map(move |entry| (*name, entry)));
        let is_other = |entry: &&Entry| {
            shape.inline && slots.iter().all(|(slot, _)| *slot != entry.slot) && !self.holds_messages(entry)
        };
        let named = named.chain(walked.all_of(node).filter(is_other).map(|entry| (Attribute::Extra, entry)));
        let named = named.map(|(name, entry)| {
            let value = Cow::Borrowed(&record[entry.value.clone()]);
            let (name, value) = match (entry.slot, entry.literal().map(|text| list_in(&text.decoded(record)))) {
                (Slot::Tools, Some(Some(list))) => (name, Cow::Owned(list)),
                (Slot::Tools, Some(None)) => (Attribute::Extra, value),
                _ => (name, value),
            };
            (name, entry.key, value, entry.value.start)
        });
        // Members around a request, such as those of a batch line, are written anew around it.
        let unknown = walked.unknown_of(node);
        let unknown = unknown.map(|(key, at)| (Attribute::Extra, key, Cow::Borrowed(&record[at.clone()]), at.start));
        // So is what the request has of a response, and what only this format has.
        let lost = walked.nodes[node as usize].lost.then(|| walked.nodes[node as usize].value.clone());
        let answered = [Slot::Usage, Slot::Stop].into_iter().filter_map(|slot| walked.get(node, slot));
        let lost = lost.into_iter().chain(answered.filter(|_| !shape.inline).map(|entry| entry.value.clone()));
        let no_key = crate::json::Literal { start: 0, end: 0, escaped: false };
        let lost = lost.map(|at| (Attribute::Parameter, no_key, Cow::Borrowed(&record[at.clone()]), at.start));
        let mut all: Vec<_> = named.chain(unknown).chain(lost).collect();
        if shape.inline {
            all.sort_by_key(|(_, key, ..)| key.start);
        }
        // No instructions are no empty ones.
        let some = |(name, _, value, _): &&(Attribute, _, Cow<'_, [u8]>, usize)| {
            *name != Attribute::System || !is_empty(value)
        };
        for (name, key, value, at) in all.iter().filter(some) {
            let at = Some(body.offset(*at));
            sink.event(&Event::of_record(*name, key.raw(record), value, at));
        }
    }

    /// Whether a member of a request is its messages: a list of objects, or an object that is a message or holds some.
    fn holds_messages(&self, entry: &Entry) -> bool {
        let Self { walked, record, .. } = *self;
        let mut nodes = walked.nodes_in(entry);
        match (entry.slot, entry.token) {
            // A message under its identifier, and what repeats messages.
            (Slot::Messages, Token::ObjectStart) => nodes.next().is_some(),
            (Slot::Messages | Slot::Again, Token::ArrayStart) => {
                entry.is_empty() || nodes.any(|node| record[walked.nodes[node as usize].value.start] == b'{')
            }
            (Slot::Wrapped | Slot::Inner, Token::ObjectStart | Token::ArrayStart) => {
                nodes.any(|node| [Slot::Role, Slot::Messages].into_iter().any(|slot| walked.get(node, slot).is_some()))
            }
            _ => false,
        }
    }
}
