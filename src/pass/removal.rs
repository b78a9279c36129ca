//! Which messages go whole: steps on the way to an answer. A delegation is never left with one of its ends: a message that
//! begins or ends one stays without its content, unless all of the delegation goes.

use crate::model::delegation::Delegations;
use crate::model::{Event, Lane};

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It stays.
    Stays,
    /// Its content goes, and what it does beside that stays.
    Emptied,
    /// It goes.
    Goes,
}

/// Decides which messages go.
#[derive(Debug)]
pub struct Removal {
    /// What is written in a delegation goes, too, if it says that all of it is a step on the way.
    delegations: bool,
    follows: Delegations,
}

impl Removal {
    /// Messages that are marked as steps on the way go; `delegations`: and those of agents that the conversation is handed
    /// to for such steps.
    pub fn new(delegations: bool) -> Self {
        Self { delegations, follows: Delegations::default() }
    }

    /// The next event.
    pub fn event(&mut self, event: &Event<'_>) {
        self.follows.event(event, None);
    }

    /// What becomes of a message that is open, once its marks are known.
    pub fn fate(&self, lane: Lane) -> Fate {
        let Some(standing) = self.follows.standing(lane) else { return Fate::Stays };
        let is_step = standing.marked || self.delegations && standing.within;
        let is_edge = !standing.begins.is_empty() || !standing.ends.is_empty();
        match is_step {
            false => Fate::Stays,
            // Both of its ends are inside of another delegation that goes.
            true if is_edge && !(self.delegations && standing.within_another) => Fate::Emptied,
            true => Fate::Goes,
        }
    }
}
