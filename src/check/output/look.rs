//! Applies the rules to messages that are over.

use super::gather::GatheredMessage;
use super::place::{self, FindingPlaces, UnplacedFinding};
use super::{Check, SourceBytes, UnreadRecord};
use crate::check::{Examinee, Hits, Rule, VisibleMessage, examine};
use crate::error::ErrorKind;
use crate::json::text::utf8;
use crate::model::Role;

/// A message that is over, and its hits if it was examined.
pub(super) struct ExaminedMessage {
    pub message: GatheredMessage,
    pub hits: Option<Hits>,
}

impl Check {
    /// Ends a message. If nothing about it is undecided, it is examined now: a long record has many messages, which
    /// need not be kept until its end.
    pub(super) fn end(&mut self, mut message: GatheredMessage) {
        message.copy.is_told = message.copy.is_snapshot && self.streams_reasoning();
        self.ended.has_unexamined |= !message.is_settled();
        let hits = if self.ended.has_unexamined { None } else { Some(self.examine(&message)) };
        if !message.handovers.is_empty() || hits.as_ref().is_none_or(|hits| !hits.is_empty()) {
            message.shrink();
            self.ended.done.push(ExaminedMessage { message, hits });
        }
    }

    /// Applies the rules to a message.
    pub(super) fn examine(&mut self, message: &GatheredMessage) -> Hits {
        let hits = self.look(message);
        self.leave(message);
        hits
    }

    fn look(&mut self, message: &GatheredMessage) -> Hits {
        let conversation = message.conversation;
        if message.start.after_stream {
            self.conversations.over();
            self.found.present = false;
        }
        if message.start.is_first {
            self.conversations.start();
        }
        for text in &message.start.instructions {
            self.conversations.public_once(conversation, text);
        }
        if message.role != Role::Assistant {
            self.conversations.public(conversation, &message.visible());
            self.publish(conversation, &message.rest(), &message.visible());
            return Hits::new();
        }
        self.messages += 1;
        let shown = VisibleMessage::of(&message.stretches());
        let (number, joined) = (message.number, message.joined);
        let told =
            message.copy.is_snapshot && !message.copy.is_undelivered && (self.found.present || message.copy.is_told);
        let removed = message.removed.is_some() && !told;
        let is_answer = message.copy.is_answer;
        let examinee = Examinee { shown: &shown, number, conversation, joined, removed, is_answer };
        let hits = match message.copy.is_snapshot {
            // The text of a snapshot was examined when it came the first time.
            true => crate::check::only_removed(&self.options, removed),
            false => examine(&mut self.conversations, &examinee),
        };
        self.publish(conversation, &message.rest(), "");
        self.found.present |= removed && !hits.is_empty();
        hits
    }

    /// Whether a streamed message that was not examined yet has reasoning that the policy removes: an event that repeats it
    /// before its end is no further finding.
    fn streams_reasoning(&self) -> bool {
        let done = self.ended.done.iter().filter(|done| done.hits.is_none()).map(|done| &done.message);
        let streams = |message: &GatheredMessage| !message.copy.is_snapshot && message.removed.is_some();
        self.open.values().chain(done).any(streams)
    }

    /// Gives the hits in a message their places.
    pub(super) fn place(
        &mut self,
        message: &GatheredMessage,
        hits: Hits,
        source: SourceBytes<'_>,
        found: &mut Vec<UnplacedFinding>,
    ) {
        if hits.is_empty() {
            return;
        }
        let shown = VisibleMessage::of(&message.stretches());
        let mut places = FindingPlaces::new(message, &shown, source, self.input.raw, self.options.excerpts);
        for (rule, hit) in hits {
            let new = places.found(rule, hit);
            // The reader may have told of the tag.
            if rule.search.of_errors().is_empty() || self.doubts.insert(new.finding.bytes.start) {
                found.push(new);
                self.report_if_many(found, source);
            }
        }
    }

    /// Makes findings of the records that were not understood.
    pub(super) fn unread(&mut self, found: &mut Vec<UnplacedFinding>) {
        let is_open = !self.open.is_empty();
        // What a message has of an undecided tag is known at its end.
        let waits = |unread: &UnreadRecord| is_open && unread.kind == ErrorKind::Undecided;
        let (later, now): (Vec<_>, Vec<_>) = std::mem::take(&mut self.unread).into_iter().partition(waits);
        self.unread = later;
        for unread in now {
            let is_it = |rule: &&&'static Rule| rule.search.of_errors().contains(&unread.kind);
            let is_known = unread.kind == ErrorKind::Undecided && !self.doubts.insert(unread.offset);
            if is_known {
                continue;
            }
            if let Some(rule) = self.options.rules.iter().find(is_it) {
                found.push(place::unread(rule, &unread));
            }
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
