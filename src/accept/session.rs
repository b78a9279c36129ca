//! Logs of coding agents: the lines of Claude Code, whose messages have a block a line, and the rollouts of Codex.
//!
//! Each session is a conversation of its own, and so is each side chain. Branches are judged together: any of them may be taken up again.

use super::conversation::{RequestConversation, RequestMessage, RequestOrigin};
use super::message::{conversation, is_item, message_of};
use super::parse::{Inner, Parsed};
use super::targets::RequestShape;
use super::value::{Object, Value};
use std::borrow::Cow;
use std::collections::HashMap;

/// What a chain is named by: the session, and the agent of a side chain.
type ChainName<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

/// The name of a chain, as its words are written.
type WrittenName<'a> = (&'a [u8], Option<&'a [u8]>);

/// The conversations of a log so far.
#[derive(Default)]
pub struct Sessions<'a> {
    chains: Vec<MessageChain<'a>>,
    /// Where the chain of a session is, and of a side chain of it.
    by_name: HashMap<ChainName<'a>, usize>,
    /// The session and the agent of the last line, as they are written, and where their chain is.
    last: Option<(WrittenName<'a>, usize)>,
    items: MessageChain<'a>,
}

#[derive(Default)]
struct MessageChain<'a> {
    messages: Vec<RequestMessage<'a>>,
    /// Where the message with an identifier is.
    by_id: HashMap<Cow<'a, [u8]>, usize>,
    record: u64,
    model: Option<Value<'a>>,
}

impl<'a> Sessions<'a> {
    /// Adds a line, if it is one of a log.
    pub fn add(&mut self, parsed: &mut Parsed<'a>, number: usize, record: u64) -> bool {
        if let Some(payload) = parsed.inner("payload") {
            return self.rollout(&parsed.object, payload, number, record);
        }
        let message = parsed.inner("message");
        let line = &parsed.object;
        if let Some(inner) = message {
            let says = |kind| line.says("type", kind);
            if says("user") || says("assistant") {
                self.chain(line).add(inner, number, record);
            }
            return true;
        }
        // Other lines of logs tell no message.
        !line.has("role") && !is_item(line)
    }

    fn rollout(&mut self, line: &Object<'a>, payload: Inner<'a>, number: usize, record: u64) -> bool {
        if line.says("type", "response_item") {
            self.items.item(payload, number, record);
        } else if line.says("type", "turn_context") {
            self.items.model = payload.object.get("model");
        }
        true
    }

    /// The chain of a line.
    fn chain(&mut self, line: &Object<'a>) -> &mut MessageChain<'a> {
        let aside = line.get("isSidechain").is_some_and(Value::is_true);
        let raw = |key: &str| line.get(key).map_or(b"".as_slice(), Value::raw);
        let name = (raw("sessionId"), aside.then(|| raw("agentId")));
        if let Some((_, at)) = self.last.filter(|(last, _)| *last == name) {
            return &mut self.chains[at];
        }
        let word = |key: &str| line.get(key).map(Value::word).unwrap_or_default();
        let at = *self.by_name.entry((word("sessionId"), aside.then(|| word("agentId")))).or_insert_with(|| {
            self.chains.push(MessageChain::default());
            self.chains.len() - 1
        });
        self.last = Some((name, at));
        &mut self.chains[at]
    }

    /// All conversations.
    pub fn finish(self) -> impl Iterator<Item = RequestConversation<'a>> {
        let chains = self.chains.into_iter().map(|chain| chain.finish(RequestShape::Blocks, RequestOrigin::ClaudeCode));
        chains.chain([self.items.finish(RequestShape::Items, RequestOrigin::Codex)]).flatten()
    }
}

impl<'a> MessageChain<'a> {
    /// Adds a message of Claude Code, or a piece of one.
    fn add(&mut self, inner: Inner<'a>, line: usize, record: u64) {
        self.begin(record);
        let object = &inner.object;
        let said = object.get("model").filter(|_| object.says("role", "assistant"));
        if let Some(name) = said.filter(|name| !name.bytes().starts_with(b"<")) {
            self.model = Some(name);
        }
        let id = object.get("id").map(Value::bytes).filter(|id| !id.is_empty());
        let piece = message_of(inner, line);
        let known = id.as_ref().and_then(|id| self.by_id.get(id));
        if let Some(whole) = known.and_then(|at| self.messages.get_mut(*at)) {
            whole.blocks.append(piece.blocks);
            whole.parts.append(piece.parts);
            return;
        }
        if let Some(id) = id {
            self.by_id.insert(id, self.messages.len());
        }
        self.messages.push(piece);
    }

    /// Adds an item of Codex.
    fn item(&mut self, inner: Inner<'a>, line: usize, record: u64) {
        self.begin(record);
        self.messages.push(message_of(inner, line));
    }

    fn begin(&mut self, record: u64) {
        if self.messages.is_empty() {
            self.record = record;
        }
    }

    fn finish(self, shape: RequestShape, origin: RequestOrigin) -> Option<RequestConversation<'a>> {
        if self.messages.is_empty() {
            return None;
        }
        let mut found = conversation(Some(shape), origin, self.messages, self.record);
        found.model = self.model.map(|name| name.word().into_owned());
        Some(found)
    }
}
