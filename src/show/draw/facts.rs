//! Facts of messages, of their blocks, and of the request that they stand in.

use super::Draw;
use super::slots::DrawSlot;
use crate::model::content::{Attribute, HeadFact};
use crate::model::{ContentEvent, Cost, Event, Loss};

/// What an input has cost so far, in US dollars.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Costs {
    /// Messages say what they have cost: the sums of their sessions say nothing more.
    pub by_message: bool,
    /// The latest sum of a session.
    total: f64,
    /// What is not in the totals of a message.
    pub beside: f64,
}

/// An amount of money, if it is one.
pub(super) fn dollars(number: &[u8]) -> Option<f64> {
    let amount = std::str::from_utf8(number).ok()?.parse().ok()?;
    Some(amount).filter(|amount: &f64| amount.is_finite() && *amount > 0.0)
}

impl Draw {
    /// Notes what a record says that something has cost.
    pub(super) fn cost(&mut self, Cost { lane, dollars: number, total }: Cost<'_>) {
        let Some(amount) = dollars(number) else { return };
        let message = lane.or(self.queue.latest).and_then(|lane| self.open.get_mut(&lane)).filter(|_| !total);
        if let Some(open) = message {
            self.sums.costs.by_message = true;
            // Events of a stream may repeat it, and it grows.
            open.totals.cost = Some(open.totals.cost.map_or(amount, |before| before.max(amount)));
            return;
        }
        if total && self.sums.costs.by_message {
            return;
        }
        let mut more = amount;
        if total {
            let before = std::mem::replace(&mut self.sums.costs.total, amount);
            // A sum that is less than the one before it is of a session that begins anew.
            more -= if amount < before { 0.0 } else { before };
        }
        self.sums.costs.beside += more;
    }

    /// Notes a fact.
    pub(super) fn set(&mut self, event: &Event<'_>) {
        let Event::Content(ContentEvent::Set { lane, block, name, key, value, at, .. }) = event else { return };
        match lane {
            // A signature of reasoning on a call or a text stands for reasoning that is not in the input.
            Some(lane) if *name == Attribute::Lost(Loss::Signature) => {
                self.open.get_mut(lane).into_iter().for_each(|open| open.counted.sealed += 1);
            }
            Some(lane) => self.change(*lane, |open, rules, names| {
                use Attribute::{Created, Error, Extra, Id, Member, Model, StopDetail};
                match name {
                    Created | Error | Extra | Id | Member | Model | StopDetail => open.fact(*name, value),
                    name if name.is_usage() => open.fact(*name, value),
                    _ => open.change(rules, names, |gather, steps, losses| {
                        gather.fact(*block, (*name, value), steps, losses);
                    }),
                }
            }),
            None => {
                // Requests before this one may still wait to be drawn.
                let request = self.queue.slots.iter_mut().rev().find(|slot| matches!(slot, DrawSlot::Request(_)));
                if let (Some(DrawSlot::Request(head)), true) = (request, self.record.request) {
                    head.facts.push(HeadFact { name: *name, key: key.to_vec(), value: value.to_vec(), at: *at });
                }
            }
        }
    }
}
