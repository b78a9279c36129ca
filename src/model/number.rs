//! Numbers records and messages, for reports.

use super::{ConversationEvent, Event};
use std::collections::BTreeMap;

/// Counts messages within their conversations.
#[derive(Debug, Default)]
pub struct Numbers {
    /// The number of the current record, from 1.
    pub record: u64,
    /// The input is one JSON value: messages that are elements of its array are one conversation, and count as one
    /// record.
    pub array: bool,
    /// The number of that record.
    together: Option<u64>,
    /// How many messages each conversation of the stream has so far.
    stream: BTreeMap<u32, u64>,
    /// How many messages the conversation of the record has so far.
    inner: Option<u64>,
}

impl Numbers {
    /// Follows an event. For the start of a message, returns the number of its record, and its own.
    pub fn event(&mut self, event: &Event<'_>) -> Option<(u64, u64)> {
        match event {
            Event::Conversation(ConversationEvent::StreamOver) => {
                self.stream.clear();
                self.together = None;
            }
            Event::Conversation(ConversationEvent::Start) => self.inner = Some(0),
            Event::Conversation(ConversationEvent::End) => self.inner = None,
            Event::MessageStart { bare, conversation, .. } => {
                let counter = self.inner.as_mut().unwrap_or_else(|| self.stream.entry(*conversation).or_default());
                *counter += 1;
                let number = *counter;
                let together = self.array && *bare;
                let record = if together { *self.together.get_or_insert(self.record) } else { self.record };
                return Some((record, number));
            }
            _ => (),
        }
        None
    }

    /// The number of the record that all elements of the array count as, if there is one.
    pub fn together(&self) -> Option<u64> {
        self.together
    }
}
