//! Logs of coding agents: the lines of Claude Code, whose messages have a block a line, and the rollouts of Codex.
//!
//! Side chains are conversations of their own. Branches are judged together: any of them may be taken up again.

use super::conversation::{Conversation, Message, Origin};
use super::read::{blocks, conversation, message};
use super::targets::Shape;
use super::value::{Object, Value};
use std::collections::HashMap;

/// The conversations of a log so far.
#[derive(Default)]
pub struct Sessions<'a> {
    /// By side chain.
    chains: Vec<(Option<String>, Chain<'a>)>,
    items: Chain<'a>,
}

#[derive(Default)]
struct Chain<'a> {
    messages: Vec<Message<'a>>,
    /// Where the message with an identifier is.
    by_id: HashMap<String, usize>,
    record: u64,
    model: Option<String>,
}

impl<'a> Sessions<'a> {
    /// Adds a line, if it is one of a log.
    pub fn add(&mut self, line: &Object<'a>, number: usize, record: u64) -> bool {
        if let Some(payload) = line.inner("payload") {
            return self.rollout(line, payload, number, record);
        }
        if let Some(inner) = line.inner("message") {
            let says = |kind| line.says("type", kind);
            if says("user") || says("assistant") {
                self.chain(line).add(inner, number, record);
            }
            return true;
        }
        // The lines of an old rollout are the items themselves. Other lines of logs tell no message.
        let is_item = line.says("type", "reasoning") || line.has("call_id");
        if is_item || !self.items.messages.is_empty() && line.says("type", "message") {
            self.items.item(line.clone(), number, record);
            return true;
        }
        !line.has("role")
    }

    fn rollout(&mut self, line: &Object<'a>, payload: Object<'a>, number: usize, record: u64) -> bool {
        if line.says("type", "response_item") {
            self.items.item(payload, number, record);
        } else if line.says("type", "turn_context") {
            self.items.model = payload.get("model").map(|name| name.word().into_owned());
        }
        true
    }

    /// The chain of a line.
    fn chain(&mut self, line: &Object<'_>) -> &mut Chain<'a> {
        let aside = line.get("isSidechain").is_some_and(Value::is_true);
        let name = aside.then(|| line.get("agentId").map(|id| id.word().into_owned()).unwrap_or_default());
        let at = self.chains.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            self.chains.push((name, Chain::default()));
            self.chains.len() - 1
        });
        &mut self.chains[at].1
    }

    /// All conversations.
    pub fn finish(self) -> impl Iterator<Item = Conversation<'a>> {
        let chains = self.chains.into_iter().map(|(_, chain)| chain.finish(Shape::Blocks, Origin::ClaudeCode));
        chains.chain([self.items.finish(Shape::Items, Origin::Codex)]).flatten()
    }
}

impl<'a> Chain<'a> {
    /// Adds a message of Claude Code, or a piece of one.
    fn add(&mut self, object: Object<'a>, line: usize, record: u64) {
        self.begin(record);
        let said = object.get("model").filter(|_| object.says("role", "assistant"));
        if let Some(name) = said.map(Value::word).filter(|name| !name.starts_with('<')) {
            self.model = Some(name.into_owned());
        }
        let id = object.get("id").map(|id| id.word().into_owned()).filter(|id| !id.is_empty());
        let mut piece = message(object, Some(line));
        let known = id.as_ref().and_then(|id| self.by_id.get(id));
        if let Some(whole) = known.and_then(|at| self.messages.get_mut(*at)) {
            whole.blocks.extend(blocks(piece.parts[0].content));
            whole.parts.append(&mut piece.parts);
            return;
        }
        if let Some(id) = id {
            self.by_id.insert(id, self.messages.len());
        }
        self.messages.push(piece);
    }

    /// Adds an item of Codex.
    fn item(&mut self, object: Object<'a>, line: usize, record: u64) {
        self.begin(record);
        self.messages.push(message(object, Some(line)));
    }

    fn begin(&mut self, record: u64) {
        if self.messages.is_empty() {
            self.record = record;
        }
    }

    fn finish(self, shape: Shape, origin: Origin) -> Option<Conversation<'a>> {
        if self.messages.is_empty() {
            return None;
        }
        let mut found = conversation(Some(shape), origin, self.messages, self.record);
        found.model = self.model;
        Some(found)
    }
}
