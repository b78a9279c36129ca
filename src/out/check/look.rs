//! Applies the rules to messages that are over.

use super::gather::Gathered;
use super::place::{Found, Places};
use super::{Check, Source};
use crate::check::{Examinee, Hits, Shown, examine};
use crate::json::text::utf8;
use crate::model::Role;

/// A message that is over, and its hits if it was examined.
pub(super) struct Done {
    pub message: Gathered,
    pub hits: Option<Hits>,
}

impl Check {
    /// Ends a message. If nothing about it is undecided, it is examined now: a long record has many messages, which
    /// need not be kept until its end.
    pub(super) fn end(&mut self, mut message: Gathered) {
        self.later |= !message.is_settled();
        let hits = if self.later { None } else { Some(self.examine(&message)) };
        if !message.handovers.is_empty() || hits.as_ref().is_none_or(|hits| !hits.is_empty()) {
            message.shrink();
            self.done.push(Done { message, hits });
        }
    }

    /// Applies the rules to a message.
    pub(super) fn examine(&mut self, message: &Gathered) -> Hits {
        let hits = self.look(message);
        self.leave(message);
        hits
    }

    fn look(&mut self, message: &Gathered) -> Hits {
        let conversation = message.conversation;
        if message.anew {
            self.conversations.over();
            self.present = false;
        }
        if message.begins {
            self.conversations.start();
        }
        for text in &message.instructions {
            self.conversations.public_once(conversation, text);
        }
        if message.role != Role::Assistant {
            self.conversations.public(conversation, &message.visible());
            self.publish(conversation, &message.rest(), &message.visible());
            return Hits::new();
        }
        self.messages += 1;
        let shown = Shown::of(&message.stretches());
        let (number, joined) = (message.number, message.joined);
        let removed = message.removed.is_some() && !(message.is_snapshot && self.present && !message.is_alone);
        let is_answer = message.is_answer;
        let examinee = Examinee { shown: &shown, number, conversation, joined, removed, is_answer };
        let hits = match message.is_snapshot {
            // The text of a snapshot was examined when it came the first time.
            true => crate::check::only_removed(&self.options, removed),
            false => examine(&mut self.conversations, &examinee),
        };
        self.publish(conversation, &message.rest(), "");
        self.present |= removed && !hits.is_empty();
        hits
    }

    /// Gives the hits in a message their places.
    pub(super) fn place(&mut self, message: &Gathered, hits: Hits, source: Source<'_>, found: &mut Vec<Found>) {
        if hits.is_empty() {
            return;
        }
        let shown = Shown::of(&message.stretches());
        let mut places = Places::new(message, &shown, source, self.raw, self.options.excerpts);
        for (rule, hit) in hits {
            found.push(places.found(rule, hit));
            self.report_if_many(found, source);
        }
    }

    /// Notes tool input and results as public text, of which a leak is none. If they may be JSON, they are noted
    /// decoded, too.
    fn publish(&mut self, conversation: Option<u32>, rest: &str, visible: &str) {
        if !rest.is_empty() {
            self.conversations.public(conversation, rest);
        }
        for text in [rest, visible].into_iter().filter(|text| text.contains('\\')) {
            let mut decoded = Vec::new();
            crate::json::text::decode(text.as_bytes(), &mut decoded);
            self.conversations.public(conversation, &utf8(&decoded));
        }
    }
}
