//! The grammar of event sequences:
//!
//! ```text
//! stream       := (conversation | message)*
//! conversation := ConversationStart (message | Stays)* ConversationEnd
//! message      := MessageStart Marks? (Piece | ToolCall | Other)* MessageEnd     (messages of different lanes interleave,
//!                                                                      those of deltas over conversations too)
//! ```
//!
//! The first piece of a source in a message is fresh. A void piece may stand outside of any message: an event of a
//! stream can repeat an empty field after its message is over.

use super::{ConversationEvent, Event, Lane, PieceKind, Sink};
use std::collections::BTreeMap;

/// Checks that a sequence of events obeys the grammar.
#[derive(Debug, Default)]
pub struct Order {
    conversation: bool,
    /// Open messages of the stream, while a conversation of a record is open.
    outside: usize,
    open: BTreeMap<Lane, Vec<&'static str>>,
    /// The first rule that was broken.
    pub broken: Option<&'static str>,
}

impl Order {
    fn must(&mut self, kept: bool, rule: &'static str) {
        if !kept && self.broken.is_none() {
            self.broken = Some(rule);
        }
    }

    /// Ends the stream.
    pub fn finish(&mut self) {
        let closed = self.open.is_empty() && !self.conversation;
        self.must(closed, "something is open at the end");
    }
}

impl Sink for Order {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Conversation(ConversationEvent::Start) => {
                self.must(!self.conversation, "a conversation inside another");
                self.conversation = true;
                self.outside = self.open.len();
            }
            Event::Conversation(ConversationEvent::End) => {
                let closed = self.conversation && self.open.len() == self.outside;
                self.must(closed, "a conversation ends that is not open, or with a message open");
                self.conversation = false;
            }
            Event::MessageStart { lane, .. } => {
                let new = self.open.insert(*lane, Vec::new()).is_none();
                self.must(new, "a message begins in a lane that has one");
            }
            Event::MessageEnd { lane, .. } => {
                let open = self.open.remove(lane).is_some();
                self.must(open, "a message ends that is not open");
            }
            Event::Fact(lane, _) => {
                let open = self.open.contains_key(lane);
                self.must(open, "a fact of a message that is not open");
            }
            Event::Conversation(_)
            | Event::Content(_)
            | Event::Item { .. }
            | Event::Number { .. }
            | Event::Stays(_)
            | Event::Framed(_)
            | Event::InStrings(_)
            | Event::RecordOver
            | Event::Edit { .. }
            | Event::Loss(_)
            | Event::Instructions(_)
            | Event::Logged { .. }
            | Event::Cost(_) => (),
            Event::Piece(piece) => {
                let Some(sources) = self.open.get_mut(&piece.lane) else {
                    return self.must(matches!(piece.kind, PieceKind::Void(_)), "a piece outside of a message");
                };
                if let PieceKind::Reasoning(source) = piece.kind {
                    let known = sources.contains(&source);
                    if piece.fresh && !known {
                        sources.push(source);
                    }
                    self.must(piece.fresh || known, "a block goes on that has not begun");
                }
            }
        }
    }
}
