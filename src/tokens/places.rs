//! How messages stand in the delegations of their conversation.

use super::*;

impl Tally<'_> {
    /// Notes the place of a message in delegations: its visible text may be no answer.
    pub(super) fn stands(&mut self, lane: Lane) {
        let Some(standing) = self.delegations.standing(lane) else { return };
        let apart = Apart { delegated: standing.depth > 0, intermediate: standing.is_intermediate() };
        if let Some(open) = self.open.get_mut(&lane) {
            open.apart = apart;
        }
    }
}
