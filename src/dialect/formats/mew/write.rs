//! Writes messages as MEW: a message with reasoning becomes a sequence of envelopes, and its answer refers to what it
//! answers. Identifiers are made anew, the same for the same seed.

use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The writer of envelopes.
pub(in crate::dialect) struct Mew {
    seed: u64,
    /// How many identifiers were made.
    made: AtomicU64,
    /// The identifier of the last message of another role: the next message of the assistant answers it.
    last: Mutex<Vec<u8>>,
    /// The envelopes of calls, by the calls' own identifiers, for the results to refer to.
    calls: Mutex<HashMap<Vec<u8>, Vec<u8>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many calls may wait for their results.
const CALLS: usize = 1 << 12;

impl Mew {
    /// A writer for one run.
    pub fn new(seed: u64) -> Self {
        Self { seed, made: AtomicU64::new(0), last: Mutex::default(), calls: Mutex::default() }
    }

    /// A new identifier. The function is a bijection (the finalizer of SplitMix64), so that no two are the same.
    fn id(&self) -> Vec<u8> {
        let n = self.made.fetch_add(1, Ordering::Relaxed);
        let mut z = self.seed.wrapping_add(n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        format!("\"env-{:016x}\"", z ^ (z >> 31)).into_bytes()
    }

    /// An envelope up to its payload.
    fn envelope(&self, id: &[u8], from: &str, kind: &str, (answers, context): (&[u8], Option<&[u8]>)) -> Json {
        let json = Json::object().word("protocol", "mew/v0.4").raw("id", id).word("from", from).word("kind", kind);
        let json = match answers {
            [] => json,
            _ => json.raw("correlation_id", &Json::list().item(answers).end()),
        };
        json.some("context", context)
    }

    /// The envelopes of a message.
    fn envelopes(&self, message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
        lost_parts(message, losses);
        // An envelope does not say that its answer failed.
        losses.extend((message.stop == Some(Stop::Error)).then_some(Loss::Stop));
        let before = losses.len();
        let out = match message.role {
            Role::Assistant => self.answer(message, losses),
            Role::Tool => self.results(message, losses),
            Role::User => self.words(message, "user"),
            Role::System => self.words(message, "system"),
        };
        if message.role != Role::Assistant {
            let thoughts = message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning);
            losses.push_each(thoughts.map(|block| block.at), Loss::Part);
        }
        losses.extend((out.is_empty() && losses.len() == before).then_some(Loss::Empty));
        out
    }

    fn words(&self, message: &BlockMessage, from: &str) -> Vec<WrittenJson> {
        let mut out = self.results(message, &mut Losses::default());
        let text = one_text(message);
        if !text.is_empty() {
            out.push(self.chat(from, &text, b""));
        }
        out
    }

    fn chat(&self, from: &str, text: &Leaf, answers: &[u8]) -> WrittenJson {
        let id = self.id();
        if answers.is_empty() {
            *locked(&self.last) = id.clone();
        }
        let json = self.envelope(&id, from, "chat", (answers, None));
        json.object_in("payload", |json| json.leaf("text", text)).written()
    }

    /// The envelopes of a message of the assistant.
    fn answer(&self, message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
        let mut out = Vec::new();
        let is_thought = |block: &Block| block.kind == ContentKind::Reasoning && !block.text.is_empty();
        let last = locked(&self.last).clone();
        let start = message.blocks.iter().any(is_thought).then(|| self.id());
        if let Some(id) = &start {
            let start = self.envelope(id, "assistant", "reasoning/start", (&last, None));
            out.push(start.raw("payload", b"{}").written());
        }
        for block in &message.blocks {
            match block.kind {
                ContentKind::Reasoning => {
                    seals(block, false, false, losses);
                    if !is_thought(block) {
                        losses.push_if(!is_sealed_only(block), block.at, Loss::Empty);
                        continue;
                    }
                    let thought = self.envelope(&self.id(), "assistant", "reasoning/thought", (b"", start.as_deref()));
                    out.push(thought.object_in("payload", |json| json.leaf("message", &block.text)).written());
                }
                ContentKind::Other(Other::Call) => out.push(self.call(block, start.as_deref(), losses).into()),
                _ => (),
            }
        }
        if start.is_some() {
            let end = self.envelope(&self.id(), "assistant", "reasoning/conclusion", (b"", start.as_deref()));
            out.push(end.raw("payload", b"{}").written());
        }
        let text = one_text(message);
        if !text.is_empty() {
            // Without a question before it, the answer refers to its own reasoning.
            let answers = if last.is_empty() { start.unwrap_or_default() } else { last };
            let id = self.id();
            let chat = self.envelope(&id, "assistant", "chat", (&answers, None));
            out.push(chat.object_in("payload", |json| json.leaf("text", &text)).written());
        }
        out
    }

    fn call(&self, block: &Block, context: Option<&[u8]>, losses: &mut Losses) -> Vec<u8> {
        let id = self.id();
        let mut calls = locked(&self.calls);
        if let Some(known) = block.filled(Attribute::CallId).filter(|_| calls.len() < CALLS) {
            calls.insert(known.to_vec(), id.clone());
        }
        let params = Json::object().raw("name", &call_name(block));
        let params = params.raw("arguments", &arguments_object(block, losses)).end();
        let payload = Json::object().word("method", "tools/call").raw("params", &params).end();
        self.envelope(&id, "assistant", "mcp/request", (b"", context)).raw("payload", &payload).end()
    }

    /// The results of calls.
    fn results(&self, message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
        let mut out = Vec::new();
        for block in others(message, Other::Result) {
            let known = block.filled(Attribute::ResultOf);
            let call = known.and_then(|known| locked(&self.calls).remove(known).or(Some(known.to_vec())));
            losses.push_if(block.get(Attribute::IsError) == Some(b"true"), block.at, Loss::Extra);
            let payload = Json::object().raw("result", result_value(block).unwrap_or(b"null")).end();
            let id = self.id();
            let answers = call.unwrap_or_default();
            out.push(self.envelope(&id, "tool", "mcp/response", (&answers, None)).raw("payload", &payload).written());
            *locked(&self.last) = id;
        }
        out
    }
}

/// Envelopes, a line each.
fn lines(envelopes: Vec<WrittenJson>) -> Vec<u8> {
    envelopes.into_iter().map(WrittenJson::into_bytes).collect::<Vec<_>>().join(&b'\n')
}

impl Writer for Mew {
    fn remembers(&self) -> bool {
        true
    }

    fn restates(&self) -> bool {
        // An envelope is written when its text is complete.
        true
    }

    fn is_log(&self) -> bool {
        true
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let system = system_texts(head);
        let mut out: Vec<WrittenJson> = system.iter().map(|text| self.chat("system", text, b"")).collect();
        let lost = [Attribute::Tools, Attribute::Limit, Attribute::Parameter, Attribute::Extra, Attribute::Model];
        for fact in head.facts.iter().filter(|fact| lost.contains(&fact.name)) {
            losses.outside(fact.at);
            losses.push(Loss::Parameter);
        }
        for message in messages {
            losses.of(message);
            out.extend(self.envelopes(message, losses));
        }
        Ok(lines(out))
    }

    fn response(&self, message: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        // Envelopes have no place for the model, the token usage, or a stop reason.
        let member = message.get(Attribute::Model).is_some();
        losses.extend(member.then_some(Loss::Parameter));
        losses.extend(used(message).map(|_| Loss::Parameter));
        losses.extend(matches!(message.stop(), Stop::Length | Stop::Filter).then_some(Loss::Stop));
        Ok(lines(self.envelopes(message, losses)))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(self.envelopes(message, losses))
    }

    fn begin(&self, _stream: &mut Streamed, _out: &mut Values, _losses: &mut Losses) {}

    fn open(&self, _stream: &mut Streamed, _block: usize, _out: &mut Values, _losses: &mut Losses) {}

    fn feed(&self, _stream: &mut Streamed, _block: usize, _text: &Leaf, _out: &mut Values, _losses: &mut Losses) {}

    fn close(&self, _stream: &mut Streamed, _block: usize, _out: &mut Values, _losses: &mut Losses) {}

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let values = self.envelopes(&stream.message, losses);
        out.extend(values.into_iter().map(|value| ("", value.into_bytes())));
    }
}
