//! The colours of agents: an agent has one, whatever it works on.

use super::super::{Track, TrackKind};
use std::collections::BTreeMap;

/// How many colours there are.
const COLORS: usize = 8;

/// The agents so far, in order.
#[derive(Debug, Default)]
pub struct Colors {
    agents: BTreeMap<String, u8>,
}

impl Colors {
    /// The colour of an agent.
    pub fn of_agent(&mut self, agent: &str) -> u8 {
        let next = (self.agents.len() % COLORS) as u8;
        *self.agents.entry(agent.to_string()).or_insert(next)
    }

    /// The colour of the agent of a track. Side chains of one kind of agent are different agents.
    pub fn of_track(&mut self, track: &Track) -> u8 {
        match track.kind {
            TrackKind::Chain => self.of_agent(&format!("{}\0{}", track.agent, track.number)),
            _ if track.agent.is_empty() => (track.number % COLORS as u64) as u8,
            _ => self.of_agent(&track.agent),
        }
    }
}
