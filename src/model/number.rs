//! The numbers of records and messages, as reports give them.

use super::Event;
use std::collections::BTreeMap;

/// Counts messages within their conversations.
#[derive(Debug, Default)]
pub struct Numbers {
    /// The record that is read, from 1.
    pub record: u64,
    /// The input is one value: messages that are elements of its array are one conversation, its first record.
    pub array: bool,
    /// The number of the record that the elements of the array are together.
    together: Option<u64>,
    /// Messages of the conversations of the stream.
    stream: BTreeMap<u32, u64>,
    /// Messages of the record's own conversation.
    inner: Option<u64>,
}

impl Numbers {
    /// The next event. Of the start of a message: the number of its record, and its own.
    pub fn event(&mut self, event: &Event<'_>) -> Option<(u64, u64)> {
        match event {
            Event::StreamOver => {
                self.stream.clear();
                self.together = None;
            }
            Event::ConversationStart => self.inner = Some(0),
            Event::ConversationEnd => self.inner = None,
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

    /// The record that the elements of the array are together, if there is one.
    pub fn together(&self) -> Option<u64> {
        self.together
    }
}
