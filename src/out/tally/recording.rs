//! Messages that a recording takes back.

use super::Tally;

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
}
