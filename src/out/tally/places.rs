//! How messages stand in their conversation: in delegations, or taken back.

use super::*;

impl Tally<'_> {
    /// How a message stands in delegations: its text may be no answer.
    pub(super) fn stands(&mut self, lane: Lane) {
        let Some(standing) = self.delegations.standing(lane) else { return };
        let apart = Apart { delegated: standing.depth > 0, intermediate: standing.is_intermediate() };
        let open = self.open.iter_mut().find(|(open, _)| *open == lane);
        open.into_iter().for_each(|(_, open)| open.apart = apart);
    }

    /// Messages that a recording takes back: nothing of them is left.
    pub(super) fn rewind(&mut self, n: u64) {
        let Some(recording) = self.recording.as_mut().filter(|_| n > 0) else { return };
        let mut left = n;
        while let Some(last) = recording.pop() {
            // A message is one row, or several.
            left -= u64::from(recording.last().is_none_or(|before| before.message != last.message));
            let row = &mut self.rows[(last.row - self.gone) as usize];
            row.stays -= last.kept;
            row.taken += last.rest;
            if left == 0 {
                break;
            }
        }
    }
}
