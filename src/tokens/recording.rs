//! Messages that do not count: a recording takes them back, or they are refused.

use super::row::TallyMessage;
use super::{By, Tally};

impl Tally<'_> {
    /// Takes back the last `n` messages of a recording: their tokens leave the rows.
    pub(super) fn rewind(&mut self, n: u64) {
        let Some(recording) = self.recording.as_mut().filter(|_| n > 0) else { return };
        let mut left = n;
        while let Some(last) = recording.pop() {
            // A message may have several rows.
            left -= u64::from(recording.last().is_none_or(|before| before.message != last.message));
            let row = &mut self.rows[(last.row - self.gone) as usize];
            row.stays -= last.kept;
            row.taken += last.rest;
            if left == 0 {
                break;
            }
        }
    }

    /// Leaves out a message that is over, and its row if the row has nothing else.
    pub(super) fn leave_out(&mut self, open: &TallyMessage) {
        self.counted.messages -= 1;
        self.shared.borrow_mut().messages -= 1;
        if self.options.unit() != Some(By::Record) {
            return;
        }
        let at = self.row_of(open.record);
        let row = &mut self.rows[at];
        row.open -= 1;
        let empty = row.open == 0 && row.reasoning + row.visible + row.rest + row.sealed == 0 && row.logged.is_none();
        // Decisions refer to rows by their numbers: only the last one may go.
        if empty && at + 1 == self.rows.len() {
            self.rows.pop_back();
            self.shared.borrow_mut().records -= 1;
        }
    }
}
