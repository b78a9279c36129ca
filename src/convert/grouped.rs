//! Turns sequences of reasoning into messages before these are written, and counts the losses of messages.

use super::*;
use crate::agents::regroup::{Grouped, Regroup};

impl EmitMessage {
    /// Whether it may end in a later record than the one in which it began.
    pub(super) fn continues(&self) -> bool {
        matches!(self.envelope, Envelope::Stream | Envelope::Line)
    }
}

impl Emit {
    /// Notes a place in a message of which something may be lost when a later record has ended the message or a block.
    pub(super) fn may_lose(&mut self, lane: Lane, at: u64) {
        if self.begun.open.get(&lane).is_some_and(|open| open.continues()) {
            self.splice.may_lose(at);
        }
    }

    /// Counts a loss of a message.
    pub(super) fn lose_of(&mut self, lane: Lane, at: Option<u64>, loss: Loss) {
        let mut losses = Losses::default();
        let open = self.begun.open.get_mut(&lane);
        open.iter().for_each(|open| losses.of(&open.gather.message));
        losses.push_at(at, loss);
        match open {
            // The message may end in another record.
            Some(open) if open.envelope == Envelope::Line => {
                open.lost = open.lost.or(losses.first());
                self.count(&losses);
            }
            _ => self.lose(&losses),
        }
    }

    /// Counts a lost member of a response once, however many events have it.
    pub(super) fn lose_member(&mut self, lane: Lane, at: Option<u64>, key: &[u8]) {
        let Some(open) = self.begun.open.get_mut(&lane) else { return };
        if open.lost_members.insert(key.to_vec()) {
            self.lose_of(lane, at, Loss::Parameter);
        }
    }

    /// Counts losses of the current record.
    pub(super) fn lose(&mut self, losses: &Losses) {
        self.record.lost = self.record.lost.or(losses.first());
        self.count(losses);
    }

    pub(super) fn count(&mut self, losses: &Losses) {
        losses.list().iter().for_each(|lost| self.splice.lose(*lost));
    }

    /// Lets `work` change the grouping, and handles the events that come of it.
    pub(super) fn grouping(&mut self, work: impl FnOnce(&mut Regroup, &mut dyn FnMut(Grouped<'_>))) {
        let mut regroup = self.regroup.take().unwrap_or_default();
        work(&mut regroup, &mut |grouped| self.grouped(&grouped));
        self.regroup = Some(regroup);
    }

    /// Handles an event of the grouping.
    fn grouped(&mut self, grouped: &Grouped<'_>) {
        match grouped {
            Grouped::Event(event) => self.take(event),
            Grouped::Group(group) => {
                let known = self.record.value;
                self.record.value = known.or(Some((Envelope::Line, Span::new(0, 0))));
                group.events(|event| self.take(event));
                self.record.value = known;
            }
            // The record is part of a message that is written later.
            Grouped::Waits => self.record.message = true,
        }
    }
}

impl Sink for Emit {
    fn event(&mut self, event: &Event<'_>) {
        // Blocks get the numbers of the target.
        if matches!(event, Event::Number { .. }) || self.goes_on(event) {
            return;
        }
        self.ends_run();
        self.record.events += u32::from(!self.tells_again(event));
        let record = self.record.number;
        if matches!(event, Event::RecordOver) {
            self.grouping(|regroup, out| regroup.record(out));
            return self.inner_over();
        }
        self.grouping(|regroup, out| regroup.event(record, event, out));
    }
}
