//! What the input says that its messages and its sessions have cost.

use super::Draw;
use crate::model::Cost;

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
}
