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

/// The numbers of the blocks of reasoning in a streamed message, with the verdicts on them.
#[derive(Debug, Default)]
pub(super) struct BlockNumbers {
    all: Vec<(u64, Verdict)>,
    /// They do not stand in their order, or have different verdicts.
    mixed: bool,
}

impl BlockNumbers {
    fn has(&self, number: u64) -> bool {
        match self.mixed {
            true => self.all.iter().any(|(other, _)| *other == number),
            false => self.all.binary_search_by_key(&number, |(other, _)| *other).is_ok(),
        }
    }

    fn add(&mut self, number: u64, verdict: Verdict) {
        if self.has(number) {
            return;
        }
        self.mixed |= self.all.last().is_some_and(|(last, other)| *last > number || *other != verdict);
        self.all.push((number, verdict));
    }

    /// Sets the verdict on those that wait for this decision.
    pub fn decide(&mut self, ticket: Ticket, verdict: Verdict) {
        let waits = |(_, pending): &&mut (u64, Verdict)| *pending == Verdict::Hold(ticket);
        self.all.iter_mut().filter(waits).for_each(|(_, pending)| *pending = verdict);
    }

    /// What becomes of a number behind them.
    fn renumber(&self, number: u64) -> Renumber {
        let mut renumber = Renumber { number, ..Renumber::default() };
        let mut count = |verdict: Verdict, n: u64| match verdict {
            Verdict::Keep => (),
            Verdict::Drop => renumber.gone += n,
            // All reasoning of a message waits for the same decision.
            Verdict::Hold(ticket) => renumber.pending = Some((ticket, renumber.pending.map_or(0, |(_, n)| n) + n)),
        };
        match (self.mixed, self.all.first()) {
            (false, Some((_, verdict))) => {
                count(*verdict, self.all.partition_point(|(other, _)| *other < number) as u64)
            }
            _ => self.all.iter().filter(|(other, _)| *other < number).for_each(|(_, verdict)| count(*verdict, 1)),
        }
        renumber
    }
}

impl Splice {
    /// Notes where a block's number stands. `reasoning`: the block is reasoning, with this verdict.
    pub(super) fn number(&mut self, lane: Lane, at: Span, number: u64, reasoning: Option<Verdict>) {
        if let Some(verdict) = reasoning {
            return self.messages.numbers.entry(lane).or_default().add(number, verdict);
        }
        let Some(numbers) = self.messages.numbers.get_mut(&lane) else { return };
        if numbers.has(number) {
            // What had this number was reasoning: another response has begun.
            *numbers = BlockNumbers::default();
        }
        let renumber = numbers.renumber(number);
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
