//! Sequences of reasoning become messages before they are written, and what is lost of messages is counted.

use super::*;
use crate::model::regroup::{Grouped, Regroup};

impl Emit {
    /// Something of a message is lost.
    pub(super) fn lose_of(&mut self, lane: Lane, loss: Loss) {
        match self.open.get_mut(&lane) {
            // It may end in another record.
            Some(open) if open.envelope == Envelope::Line => {
                open.lost = open.lost.or(Some(loss));
                self.count(&[loss]);
            }
            _ => self.lose(&[loss]),
        }
    }

    /// A member of a response is lost: once, however many events have it.
    pub(super) fn lose_member(&mut self, lane: Lane, key: &[u8]) {
        let Some(open) = self.open.get_mut(&lane) else { return };
        let fact = (Attribute::Member, key.to_vec());
        if !open.gather.message.facts.contains(&fact) {
            open.gather.message.facts.push(fact);
            self.lose_of(lane, Loss::Parameter);
        }
    }

    pub(super) fn count(&mut self, losses: &[Loss]) {
        losses.iter().for_each(|loss| self.splice.event(&Event::Loss(*loss)));
    }

    /// Puts messages together.
    pub(super) fn grouping(&mut self, work: impl FnOnce(&mut Regroup, &mut dyn FnMut(Grouped<'_>))) {
        let mut regroup = std::mem::take(&mut self.regroup);
        work(&mut regroup, &mut |grouped| self.grouped(&grouped));
        self.regroup = regroup;
    }

    /// An event of messages that are put together.
    fn grouped(&mut self, grouped: &Grouped<'_>) {
        match grouped {
            Grouped::Event(event) => self.take(event),
            Grouped::Group(group) => {
                let known = self.record.value;
                self.record.value = known.or(Some((Envelope::Line, Span::new(0, 0))));
                group.events(|event| self.take(event));
                self.record.value = known;
            }
            // The record is a part of a message that is written elsewhere.
            Grouped::Waits => self.record.message = true,
        }
    }
}

impl Sink for Emit {
    fn event(&mut self, event: &Event<'_>) {
        let record = self.record.number;
        self.grouping(|regroup, out| regroup.event(record, event, out));
    }
}
