//! How messages stand in the delegations of their conversation.

use super::*;

impl Tally<'_> {
    /// Notes the place of a message in delegations: its visible text may be no answer.
    pub(super) fn stands(&mut self, lane: Lane) {
        let Some(standing) = self.delegations.standing(lane) else { return };
        let apart = Apart { delegated: standing.depth > 0, intermediate: standing.is_intermediate() };
        let open = self.open.iter_mut().find(|(open, _)| *open == lane);
        open.into_iter().for_each(|(_, open)| open.apart = apart);
    }
}
