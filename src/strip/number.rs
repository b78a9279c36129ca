//! What else changes when a block of reasoning goes: the numbers of later blocks, and the commas of a list.

use super::{Act, Splice};
use crate::model::{Element, Lane};
use crate::policy::{Ticket, Verdict};
use crate::span::Span;

/// How many blocks before this one go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Renumber {
    /// Its own number.
    number: u64,
    /// How many go in any case.
    gone: u64,
    /// How many go with this decision.
    pending: Option<(Ticket, u64)>,
}

impl Renumber {
    /// The decision that it waits for.
    pub fn ticket(self) -> Option<Ticket> {
        self.pending.map(|(ticket, _)| ticket)
    }
}

impl Splice {
    /// Notes where a block's number stands. `reasoning`: the block is reasoning, with this verdict.
    pub(super) fn number(&mut self, lane: Lane, at: Span, number: u64, reasoning: Option<Verdict>) {
        if let Some(verdict) = reasoning {
            let numbers = self.messages.numbers.entry(lane).or_default();
            if !numbers.iter().any(|(other, _)| *other == number) {
                numbers.push((number, verdict));
            }
            return;
        }
        let Some(numbers) = self.messages.numbers.get(&lane) else { return };
        let mut renumber = Renumber { number, ..Renumber::default() };
        for (_, verdict) in numbers.iter().filter(|(other, _)| *other < number) {
            match verdict {
                Verdict::Keep => (),
                Verdict::Drop => renumber.gone += 1,
                // All reasoning of a message waits for the same decision.
                Verdict::Hold(ticket) => renumber.pending = Some((*ticket, renumber.pending.map_or(0, |(_, n)| n) + 1)),
            }
        }
        if renumber.gone > 0 || renumber.pending.is_some() {
            self.edit(at, Act::Number(renumber));
        }
    }

    /// The new number, if it changes.
    pub(super) fn renumbered(&self, renumber: Renumber) -> Option<u64> {
        let Renumber { number, gone, pending } = renumber;
        let pending = pending.filter(|(ticket, _)| self.decisions.goes(*ticket) == Some(true)).map_or(0, |(_, n)| n);
        Some(number - gone - pending).filter(|new| *new != number)
    }

    /// Cuts a list element that is a block of reasoning.
    pub(super) fn item(&mut self, element: Element, verdict: Verdict) {
        let act = match verdict {
            Verdict::Keep => Act::Stays(element),
            verdict => Act::Element(element, verdict.into()),
        };
        self.edit(element.span, act);
    }
}
