//! Rows of single messages and of their blocks, and where messages come from.

use super::Tally;
use super::row::{Apart, CountedBlock, TallyMessage, TallyRow};
use crate::model::{Lane, Origin};

impl Tally<'_> {
    /// A row of a message, or of a part of it.
    pub(super) fn row_of_message(&self, open: &TallyMessage) -> TallyRow {
        let (message, role) = (Some(open.number), Some(open.role));
        TallyRow { record: open.record, message, role, over: true, origin: open.origin.clone(), ..TallyRow::default() }
    }

    /// Adds a row for each block of a message.
    pub(super) fn block_rows(&mut self, mut open: TallyMessage, blocks: &[CountedBlock]) {
        for (n, block) in blocks.iter().enumerate() {
            let what = Some((n as u64 + 1, open.apart.what(*block)));
            self.rows.push_back(TallyRow { block: what, ..self.row_of_message(&open) });
            open.sealed = block.sealed;
            self.fill(self.rows.len() - 1, &open, std::slice::from_ref(block));
            open.logged = None;
        }
    }

    /// Notes where a message comes from. One that an earlier file has, too, is not counted again.
    pub(super) fn comes_from(&mut self, lane: Lane, origin: &Origin) {
        let Some(open) = self.open.get_mut(&lane) else { return };
        open.origin.clone_from(origin);
        let mut shared = self.shared.borrow_mut();
        if self.options.file.is_some() && shared.had(&origin.id, self.input) {
            open.refused = true;
            shared.repeated += 1;
            self.counted.repeated += 1;
        }
    }

    /// Notes the place of a message in delegations: its visible text may be no answer.
    pub(super) fn stands(&mut self, lane: Lane) {
        let Some(standing) = self.delegations.standing(lane) else { return };
        let apart = Apart { delegated: standing.depth > 0, intermediate: standing.is_intermediate() };
        if let Some(open) = self.open.get_mut(&lane) {
            open.apart = apart;
        }
    }
}
