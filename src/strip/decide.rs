//! The decisions of the policy on edits.

use super::{Act, CutWhen, Edit, Splice};
use crate::model::Piece;
use crate::policy::{Ticket, Verdict};
use std::collections::VecDeque;

/// The decisions on edits, by ticket.
#[derive(Debug)]
pub(super) struct Decisions {
    list: VecDeque<MessageDecision>,
    /// The ticket of the first decision.
    first: Ticket,
}

#[derive(Clone, Copy, Debug, Default)]
struct MessageDecision {
    goes: Option<bool>,
    blocks: u64,
    /// How many messages are sealed by this decision: their reasoning would stay, but has a section to empty, and goes
    /// whole since it is signed.
    sealed: u64,
}

impl Default for Decisions {
    fn default() -> Self {
        Self { list: VecDeque::new(), first: 1 }
    }
}

impl Decisions {
    fn get_mut(&mut self, ticket: Ticket) -> &mut MessageDecision {
        let i = ticket.saturating_sub(self.first) as usize;
        if i >= self.list.len() {
            self.list.resize(i + 1, MessageDecision::default());
        }
        &mut self.list[i]
    }

    /// Adds messages whose reasoning goes whole if this decision is that it stays, since it is signed and has a section
    /// to empty.
    pub fn seal(&mut self, ticket: Ticket, messages: u64) {
        self.get_mut(ticket).sealed += messages;
    }

    /// Whether something is cut; `None` while that is open.
    pub fn cuts(&self, when: CutWhen) -> Option<bool> {
        match when {
            CutWhen::Never => Some(false),
            CutWhen::Always => Some(true),
            CutWhen::If(ticket) => self.goes(ticket),
        }
    }

    /// Whether what waits for `ticket` goes; `None` while that is open.
    pub fn goes(&self, ticket: Ticket) -> Option<bool> {
        self.list.get((ticket.checked_sub(self.first)?) as usize).and_then(|d| d.goes)
    }

    /// Drops the first decisions, as far as they are made.
    fn forget(&mut self) {
        while self.list.front().is_some_and(|d| d.goes.is_some()) {
            self.list.pop_front();
            self.first += 1;
        }
    }
}

impl Splice {
    pub(super) fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Keep => self.stats.kept += 1,
            Verdict::Drop => self.stats.removed += 1,
            Verdict::Hold(ticket) => self.decisions.get_mut(ticket).blocks += 1,
        }
    }

    /// Whether what waits for `ticket` goes.
    pub(super) fn decide(&mut self, ticket: Ticket, goes: bool) {
        let decision = self.decisions.get_mut(ticket);
        decision.goes = Some(goes);
        let (blocks, sealed) = (decision.blocks, decision.sealed);
        let verdict = if goes { Verdict::Drop } else { Verdict::Keep };
        let waits = |(_, pending): &&mut (u64, Verdict)| *pending == Verdict::Hold(ticket);
        self.messages.numbers.values_mut().flatten().filter(waits).for_each(|(_, pending)| *pending = verdict);
        *(if goes { &mut self.stats.removed } else { &mut self.stats.kept }) += blocks;
        self.stats.sealed += if goes { 0 } else { sealed };
    }

    /// Whether an edit waits for a decision.
    pub(super) fn is_open(&self, edit: &Edit) -> bool {
        match edit.act {
            Act::Pending(ticket) | Act::Redacted(Some(ticket)) => self.decisions.goes(ticket).is_none(),
            Act::Line(when, _) | Act::Element(_, when) => self.decisions.cuts(when).is_none(),
            Act::Number(renumber) => renumber.ticket().is_some_and(|ticket| self.decisions.goes(ticket).is_none()),
            _ => false,
        }
    }

    /// Notes a section that is emptied if the reasoning around it stays (`--redact`). `verdict`: that on this reasoning, with
    /// which it goes.
    pub(super) fn redacted(&mut self, piece: &Piece<'_>, verdict: Verdict) {
        let sealed = u64::from(piece.whole);
        let ticket = match verdict {
            Verdict::Drop => return,
            Verdict::Keep => {
                self.stats.sealed += sealed;
                None
            }
            Verdict::Hold(ticket) => {
                self.decisions.seal(ticket, sealed);
                Some(ticket)
            }
        };
        let filled = piece.at.iter().filter(|span| !span.is_empty());
        filled.for_each(|span| self.edit(*span, Act::Redacted(ticket)));
    }

    /// Whether the section with this decision is emptied; false while the decision is open.
    pub(super) fn empties(&self, ticket: Option<Ticket>) -> bool {
        ticket.is_none_or(|ticket| self.decisions.goes(ticket) == Some(false))
    }

    /// Drops edits and decisions that are done.
    pub(super) fn forget(&mut self) {
        if self.edits.done == self.edits.list.len() {
            self.edits.list.clear();
            self.edits.bits.clear();
            self.edits.unsorted = false;
            if self.frames.queue.is_empty() {
                self.decisions.forget();
            }
        } else if self.edits.done > self.edits.list.len() / 2 {
            self.edits.list.drain(..self.edits.done);
        } else {
            return;
        }
        self.edits.done = 0;
    }
}
