//! What the policy has decided of the edits that wait for it.

use super::*;

impl Splice {
    pub(super) fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Keep => self.stats.kept += 1,
            Verdict::Drop => self.stats.removed += 1,
            Verdict::Hold(ticket) => self.decision(ticket).blocks += 1,
        }
    }

    pub(super) fn decision(&mut self, ticket: Ticket) -> &mut Decision {
        let i = ticket.saturating_sub(self.first) as usize;
        if i >= self.decisions.len() {
            self.decisions.resize(i + 1, Decision::default());
        }
        &mut self.decisions[i]
    }

    /// Whether what waits for `ticket` goes.
    pub(super) fn decide(&mut self, ticket: Ticket, goes: bool) {
        let decision = self.decision(ticket);
        decision.goes = Some(goes);
        let blocks = decision.blocks;
        let verdict = if goes { Verdict::Drop } else { Verdict::Keep };
        let waits = |(_, pending): &&mut (u64, Verdict)| *pending == Verdict::Hold(ticket);
        self.numbers.values_mut().flatten().filter(waits).for_each(|(_, pending)| *pending = verdict);
        *(if goes { &mut self.stats.removed } else { &mut self.stats.kept }) += blocks;
    }

    /// Whether what waits for `ticket` goes; `None` while that is open.
    pub(super) fn goes(&self, ticket: Option<Ticket>) -> Option<bool> {
        let Some(ticket) = ticket else {
            return Some(true);
        };
        self.decisions.get((ticket.checked_sub(self.first)?) as usize).and_then(|d| d.goes)
    }

    /// Whether an edit waits for a decision.
    pub(super) fn is_open(&self, edit: &Edit) -> bool {
        match edit.act {
            Act::Pending(ticket) | Act::Line(Some(ticket)) | Act::Element(_, Some(ticket)) => {
                self.goes(Some(ticket)).is_none()
            }
            Act::Number(renumber) => renumber.ticket().is_some_and(|ticket| self.goes(Some(ticket)).is_none()),
            _ => false,
        }
    }

    /// Forgets edits and decisions that are done.
    pub(super) fn forget(&mut self) {
        if self.done == self.edits.len() {
            self.edits.clear();
            self.bits.clear();
            self.sorted = true;
            if self.frames.is_empty() {
                while self.decisions.front().is_some_and(|d| d.goes.is_some()) {
                    self.decisions.pop_front();
                    self.first += 1;
                }
            }
        } else if self.done > self.edits.len() / 2 {
            self.edits.drain(..self.done);
        } else {
            return;
        }
        self.done = 0;
    }
}
