//! Decides which messages go whole: steps on the way to an answer. A delegation never loses only one of its ends: a
//! message that begins or ends one stays without its content, unless the whole delegation goes.

use crate::agents::delegation::Delegations;
use crate::model::{Event, Lane};

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageFate {
    /// It stays.
    Stays,
    /// Its content goes; its marks and instructions stay.
    Emptied,
    /// It goes.
    Goes,
}

/// Decides which messages go.
#[derive(Debug)]
pub struct Removal {
    /// Messages in a delegation go, too, if it says that all of them are steps on the way.
    delegations: bool,
    follows: Delegations,
}

impl Removal {
    /// Messages that are marked as steps on the way go. `delegations`: so do those in delegations for such steps.
    pub fn new(delegations: bool) -> Self {
        Self { delegations, follows: Delegations::default() }
    }

    /// Follows an event.
    pub fn event(&mut self, event: &Event<'_>) {
        self.follows.event(event, None);
    }

    /// What happens to an open message, once its marks are known.
    pub fn fate(&self, lane: Lane) -> MessageFate {
        let Some(standing) = self.follows.standing(lane) else { return MessageFate::Stays };
        let is_step = standing.marked || self.delegations && standing.within;
        let is_edge = !standing.begins.is_empty() || !standing.ends.is_empty();
        match is_step {
            false => MessageFate::Stays,
            // The delegation that it begins or ends stands inside of another one that goes.
            true if is_edge && !(self.delegations && standing.within_another) => MessageFate::Emptied,
            true => MessageFate::Goes,
        }
    }
}
