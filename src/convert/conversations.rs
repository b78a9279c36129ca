//! Orders the messages of a log whose conversations interleave: lines of another format do not say which conversation
//! they belong to, so that each conversation is written in one piece.

use crate::model::content::Values;
use std::collections::BTreeMap;

/// The conversations of a log. The first is written as it comes; the others follow behind it.
#[derive(Default)]
pub(super) struct Conversations {
    first: Option<u32>,
    /// The messages of the others so far, and how many bytes these are.
    waiting: BTreeMap<u32, Values>,
    bytes: usize,
}

/// How many bytes of messages wait at most.
const MAX_WAITING_BYTES: usize = 16 << 20;

impl Conversations {
    /// A message of this conversation begins.
    pub fn begin(&mut self, conversation: u32) {
        self.first.get_or_insert(conversation);
    }

    /// A message of this conversation is written: to `now`, or behind the conversations before it. Beyond the limit,
    /// what waits is written where it stands.
    pub fn write(&mut self, conversation: u32, message: Values, now: &mut Values) {
        if self.first == Some(conversation) {
            return now.extend(message);
        }
        self.bytes += message.iter().map(|(_, value)| value.len()).sum::<usize>();
        self.waiting.entry(conversation).or_default().extend(message);
        if self.bytes > MAX_WAITING_BYTES {
            self.flush(now);
        }
    }

    /// Writes what waits.
    pub fn flush(&mut self, now: &mut Values) {
        self.bytes = 0;
        std::mem::take(&mut self.waiting).into_values().for_each(|messages| now.extend(messages));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_written_in_one_piece() {
        let (mut conversations, mut now) = (Conversations::default(), Values::new());
        let value = |text: &str| vec![("", text.as_bytes().to_vec())];
        conversations.begin(3);
        conversations.begin(1);
        for (conversation, text) in [(3, "a"), (1, "x"), (3, "b"), (7, "m"), (1, "y"), (3, "c")] {
            conversations.write(conversation, value(text), &mut now);
        }
        let written = |values: &Values| values.iter().flat_map(|(_, value)| value.clone()).collect::<Vec<u8>>();
        assert_eq!(written(&now), b"abc");
        conversations.flush(&mut now);
        assert_eq!(written(&now), b"abcxym");
        // No more waits than the limit allows.
        conversations.write(1, value(&"z".repeat(MAX_WAITING_BYTES)), &mut now);
        assert_eq!(now.len(), 6);
        conversations.write(1, value("z"), &mut now);
        assert_eq!(now.len(), 8);
        conversations.flush(&mut now);
        assert_eq!(now.len(), 8);
    }
}
