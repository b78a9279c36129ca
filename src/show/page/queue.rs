//! Messages that wait to be written: the result of a call comes in a later message, and stands with its call.

use super::super::{LineItem, Totals};
use super::call::CallResult;
use super::message::PageMessage;
use std::collections::VecDeque;

/// The most messages that wait for the results of a call before them.
const MAX_WAITING_MESSAGES: usize = 100;

#[derive(Debug)]
enum Queued {
    Message(Box<PageMessage>, Totals),
    Html(String),
}

/// What waits, in order.
#[derive(Debug, Default)]
pub struct Queue {
    queued: VecDeque<Queued>,
}

impl Queue {
    /// Adds the result of a call to the call, if that waits here or stands in this message. Returns whether it does.
    pub fn answer(&mut self, own: &mut PageMessage, item: &LineItem) -> bool {
        let LineItem::Result { id, text, failed, media, .. } = item else { return false };
        if id.is_empty() {
            return false;
        }
        // Where a track begins or ends, there is a card, and the result is in it.
        let is_apart = own.changes_tracks();
        let (place, number) = if own.has_anchor() { (0, 0) } else { (own.place, own.head().number) };
        let (text, media) = if is_apart { (String::new(), Vec::new()) } else { (text.clone(), media.clone()) };
        let answer = CallResult { text, failed: *failed, media, place, number, time: own.head().time, is_apart };
        let waiting = self.queued.iter_mut().rev().filter_map(|queued| match queued {
            Queued::Message(message, _) => Some(&mut **message),
            Queued::Html(_) => None,
        });
        let mut answer = Some(answer);
        for message in waiting {
            if message.answer(id, &mut answer) {
                if !is_apart {
                    own.joined();
                }
                return !is_apart;
            }
        }
        if is_apart {
            return false;
        }
        // A tool of the provider's own answers in the message of its call.
        own.answer(id, &mut answer.map(|answer| CallResult { place: 0, number: 0, ..answer }))
    }

    /// Adds a message that is over.
    pub fn push(&mut self, message: PageMessage, totals: Totals, out: &mut String) {
        self.queued.push_back(Queued::Message(Box::new(message), totals));
        self.flush(false, out);
    }

    /// Adds HTML that stands between messages.
    pub fn html(&mut self, html: String, out: &mut String) {
        if self.queued.is_empty() {
            out.push_str(&html);
        } else {
            self.queued.push_back(Queued::Html(html));
        }
    }

    /// Writes what waits for no result any more; or `all`.
    pub fn flush(&mut self, all: bool, out: &mut String) {
        self.write(all, false, out);
    }

    /// Writes all that waits: no more results come.
    pub fn end(&mut self, out: &mut String) {
        self.write(true, true, out);
    }

    fn write(&mut self, all: bool, is_end: bool, out: &mut String) {
        while let Some(first) = self.queued.front() {
            let waits = matches!(first, Queued::Message(message, _) if message.waits());
            if waits && !all && self.queued.len() <= MAX_WAITING_MESSAGES {
                return;
            }
            match self.queued.pop_front() {
                Some(Queued::Message(mut message, totals)) => {
                    if !is_end {
                        message.leaves();
                    }
                    message.write(&totals, out);
                }
                Some(Queued::Html(html)) => out.push_str(&html),
                None => return,
            }
        }
    }
}
