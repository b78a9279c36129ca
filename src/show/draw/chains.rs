//! Agents that work for another one, in the same log: which call each works for, and what it is called.
//!
//! Some logs say the call with each message of the agent. In others the agent is known by an identifier only, and its
//! first message is the prompt of the call.

use crate::model::Origin;
use serde_json::Value;
use std::collections::{HashMap, VecDeque};

/// The key of a chain: its session, and what the agent is known by there.
pub(super) type ChainKey = (Vec<u8>, Vec<u8>);

/// A call that may hand a task to an agent.
#[derive(Debug)]
struct Task {
    /// The identifier of the call.
    id: String,
    agent: String,
    label: String,
    prompt: String,
}

/// A chain that has begun.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SideChain {
    /// Its number, from 0.
    pub number: u64,
    /// The call that it works for, if that is known.
    pub call: String,
    pub agent: String,
    pub label: String,
}

/// The chains of an input.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// The latest calls whose arguments have a prompt.
    tasks: VecDeque<Task>,
    known: HashMap<ChainKey, SideChain>,
    /// The numbers of those whose call is known, by its identifier: the first one of each.
    by_call: HashMap<String, u64>,
    /// How many have begun.
    began: u64,
}

/// A message is in a chain, and the log does not say in which.
const FLAG: &[u8] = b"true";

/// How many calls are kept.
const TASKS: usize = 256;

/// The key of the chain that a message belongs to, if it belongs to one.
pub(super) fn key(origin: &Origin) -> Option<ChainKey> {
    let own = if origin.chain.is_empty() || origin.chain == FLAG && !origin.call.is_empty() {
        &origin.call
    } else {
        &origin.chain
    };
    (!own.is_empty()).then(|| (origin.session.clone(), own.clone()))
}

impl Chains {
    /// Notes a call with these arguments.
    pub fn called(&mut self, id: &str, arguments: &str) {
        // Few calls have a prompt: most are not parsed.
        let is_known = || self.tasks.iter().any(|task| task.id == id);
        if id.is_empty() || !arguments.contains("\"prompt\"") || is_known() {
            return;
        }
        let Ok(Value::Object(members)) = serde_json::from_str(arguments) else { return };
        let word = |key: &str| members.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
        let prompt = word("prompt");
        if self.tasks.len() == TASKS {
            self.tasks.pop_front();
        }
        let label = Some(word("description")).filter(|text| !text.is_empty());
        let label = label.unwrap_or_else(|| prompt.lines().next().unwrap_or_default().to_string());
        self.tasks.push_back(Task { id: id.to_string(), agent: word("subagent_type"), label, prompt });
    }

    /// The chain of a message, and whether the message begins it. `text`: the first text of the message.
    pub fn of(&mut self, key: &ChainKey, call: &[u8], text: &[u8]) -> (SideChain, bool) {
        let said = |task: &&Task| !task.prompt.is_empty() && task.prompt.trim().as_bytes() == text.trim_ascii();
        let taken = |task: &&Task| self.by_call.contains_key(&task.id);
        let known = self.known.get(key);
        // If a log says no more than that there is a chain, the next task begins the next one.
        let task = match known {
            Some(_) if key.1 != FLAG => None,
            _ => self.tasks.iter().find(|task| said(task) && !taken(task)),
        };
        if let (Some(chain), None) = (known, task) {
            return (chain.clone(), false);
        }
        let task = self.tasks.iter().find(|task| !call.is_empty() && task.id.as_bytes() == call).or(task);
        let number = self.began;
        let chain = match task {
            Some(task) => {
                let agent = if task.agent.is_empty() { "agent".to_string() } else { task.agent.clone() };
                SideChain { number, call: task.id.clone(), agent, label: task.label.clone() }
            }
            None => {
                let call = String::from_utf8_lossy(call).into_owned();
                let own = String::from_utf8_lossy(&key.1);
                let own = if key.1 == FLAG || key.1 == call.as_bytes() { String::new() } else { format!(" {own}") };
                SideChain { number, call, agent: format!("agent{own}"), label: String::new() }
            }
        };
        self.began += 1;
        if !chain.call.is_empty() {
            self.by_call.entry(chain.call.clone()).or_insert(number);
        }
        self.known.insert(key.clone(), chain.clone());
        (chain, true)
    }

    /// The chain that works for this call.
    pub fn for_call(&self, id: &str) -> Option<u64> {
        self.by_call.get(id).copied()
    }

    /// The stream is over: others may follow.
    pub fn clear(&mut self) {
        self.tasks.clear();
    }
}
