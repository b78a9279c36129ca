//! Writes messages as Gromozeka: a request as its provider would get it, a response, and messages as in the database. A
//! streamed message is written when it is complete, since the format has no events.

use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, HeadFact, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// The writer of requests, responses and messages.
#[derive(Default)]
pub(in crate::dialect) struct Gromozeka {
    /// How many messages got an identifier.
    named: AtomicU64,
}

/// The names of tools by the identifiers of their calls.
type ToolNames = HashMap<Vec<u8>, Vec<u8>>;

/// The type of an item, which is the name of its class.
fn class(name: &str) -> Json {
    Json::object().word("type", &format!("com.gromozeka.domain.model.Conversation.Message.ContentItem.{name}"))
}

/// An item of the content as JSON, if there is a type for it.
fn item(block: &Block, at: usize, own: bool, names: &ToolNames, losses: &mut Losses) -> Option<WrittenJson> {
    Some(match block.kind {
        ContentKind::Text if own => {
            let json = Json::object().word("type", "IntermediateMessage");
            json.object_in("structured", |json| json.leaf("fullText", &block.text)).written()
        }
        ContentKind::Text => Json::object().word("type", "Message").leaf("text", &block.text).written(),
        ContentKind::Reasoning => {
            let signature = block.filled(Attribute::Signature);
            sealed(block, losses);
            let seal = signature.or_else(|| block.filled(Attribute::Ciphertext));
            class("Thinking").leaf("thinking", &block.text).some("signature", seal).written()
        }
        ContentKind::Other(Other::Call) => {
            let input = arguments_value(block).unwrap_or_else(|| quoted(&arguments_text(block).decoded()));
            let call = Json::object().raw("name", &call_name(block)).raw("input", &input).end();
            class("ToolCall").raw("id", &call_id(block, Attribute::CallId, at)).raw("call", &call).written()
        }
        ContentKind::Other(Other::Result) => {
            let id = call_id(block, Attribute::ResultOf, at);
            let name = names.get(&id).map_or(&b"\"\""[..], Vec::as_slice);
            let (text, lossy) = result_text(block);
            losses.extend(lossy);
            let texts = result_texts(block).unwrap_or_else(|| vec![text]);
            let data = |all: Json, text: &Leaf| all.item(&class("ToolResult.Data.Text").leaf("content", text).end());
            let texts = texts.iter().fold(Json::list(), data).end();
            let json = class("ToolResult").raw("toolUseId", &id).raw("toolName", name).raw("result", &texts);
            json.some("isError", block.get(Attribute::IsError).filter(|value| *value == b"true")).written()
        }
        ContentKind::Other(_) => return None,
    })
}

/// A ciphertext is written as a signature: nothing tells the two apart any more.
fn sealed(block: &Block, losses: &mut Losses) {
    let signed = block.filled(Attribute::Signature).is_some();
    let encrypted = block.filled(Attribute::Ciphertext).is_some();
    losses.extend(encrypted.then_some(if signed { Loss::Encrypted } else { Loss::Ciphertext }));
}

/// Adds the content of a message to a list.
fn content(list: Json, message: &BlockMessage, names: &ToolNames, losses: &mut Losses) -> Json {
    lost_parts(message, losses);
    let own = message.role == Role::Assistant;
    let items = message.blocks.iter().enumerate().filter_map(|(at, block)| item(block, at, own, names, losses));
    list.items(&items.collect::<Vec<_>>())
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Assistant => "ASSISTANT",
        Role::User | Role::Tool => "USER",
        Role::System => "SYSTEM",
    }
}

fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End | Stop::Calls => "completed",
        Stop::Length => "incomplete",
        Stop::Filter => "content_filter",
        Stop::Error => "failed",
    }
}

/// A response: a list with one message.
fn response(message: &BlockMessage, losses: &mut Losses) -> Vec<u8> {
    let lost = [Attribute::Model, Attribute::Created].into_iter().filter(|name| message.get(*name).is_some());
    losses.extend(lost.map(|_| Loss::Parameter));
    let content = |list: Json| content(list, message, &ToolNames::new(), losses);
    let inner = Json::object().list_of("content", content).raw("metadata", b"{}").end();
    let json = Json::object().raw("messages", &Json::list().item(&inner).end());
    let used = used(message).map(|(_, output, thought)| {
        let (read, write) = (cached(message), message.get(Attribute::CacheWrite).unwrap_or(b"0"));
        let input = message.get(Attribute::Input).unwrap_or(b"0");
        let input = if message.get(Attribute::Cached).is_some() { less(input, &read) } else { input.to_vec() };
        let thought = thought.unwrap_or_else(|| b"0".to_vec());
        let json = Json::object().raw("promptTokens", &input).raw("completionTokens", &less(&output, &thought));
        let json = json.raw("thinkingTokens", &thought).raw("cacheCreationTokens", write);
        json.raw("cacheReadTokens", &read).end()
    });
    let json = json.some("usage", used.as_deref()).word("finishReason", finish_reason(message.stop()));
    let id = message.get(Attribute::Id).map(|id| Json::object().raw("responseId", id).end());
    json.some("providerMetadata", id.as_deref()).end()
}

impl Writer for Gromozeka {
    fn remembers(&self) -> bool {
        true
    }

    fn restates(&self) -> bool {
        true
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let calls = messages.iter().flat_map(|message| &message.blocks);
        let calls = calls.filter(|block| block.kind == ContentKind::Other(Other::Call));
        let named = |block: &Block| Some((block.filled(Attribute::CallId)?.to_vec(), call_name(block)));
        let names: ToolNames = calls.filter_map(named).collect();
        let prompts = system_texts(head);
        let json = Json::object().list_of("systemPrompts", |all| {
            prompts.iter().filter(|text| !text.is_empty()).fold(all, |all, text| all.item(&quoted(&text.decoded())))
        });
        let mut all = Json::list();
        for message in messages.iter().filter(|message| !message.is_foreign()) {
            losses.of(message);
            let content = |list: Json| content(list, message, &names, losses);
            all = all.object_of(|json| json.word("role", role(message.role)).list_of("content", content));
        }
        messages.iter().filter(|message| message.is_foreign()).for_each(|message| {
            losses.of(message);
            lost_parts(message, losses);
        });
        let mut json = json.raw("messages", &all.end());
        if let Some(limit) = head.get(Attribute::Limit) {
            json = json.raw("options", &Json::object().raw("maxTokens", limit).end());
        }
        let is_request = head.get(Attribute::Model).is_some();
        for HeadFact { name, key, value, at } in &head.facts {
            losses.outside(*at);
            match name {
                Attribute::Extra if !is_request => {
                    json = json.raw(&String::from_utf8_lossy(key), value);
                }
                Attribute::Parameter | Attribute::Extra | Attribute::Tools | Attribute::Model => {
                    losses.push(Loss::Parameter);
                }
                _ => (),
            }
        }
        Ok(json.end())
    }

    fn response(&self, message: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        Ok(response(message, losses))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        if message.is_foreign() {
            lost_parts(message, losses);
            return Ok(Vec::new());
        }
        let n = self.named.fetch_add(1, Ordering::Relaxed) + 1;
        let id = format!("\"message-{n}\"").into_bytes();
        let id = message.get(Attribute::Id).unwrap_or(&id);
        // The program does not read a message without these.
        let json = Json::object().raw("id", id).word("conversationId", "conversation-1");
        let content = |list: Json| content(list, message, &ToolNames::new(), losses);
        let json = json.word("role", role(message.role)).list_of("content", content);
        Ok(vec![json.word("createdAt", "1970-01-01T00:00:00Z").written()])
    }

    fn begin(&self, _stream: &mut Streamed, _out: &mut Values, _losses: &mut Losses) {}

    fn open(&self, _stream: &mut Streamed, _block: usize, _out: &mut Values, _losses: &mut Losses) {}

    fn feed(&self, _stream: &mut Streamed, _block: usize, _text: &Leaf, _out: &mut Values, _losses: &mut Losses) {}

    fn close(&self, _stream: &mut Streamed, _block: usize, _out: &mut Values, _losses: &mut Losses) {}

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        out.push(("", response(&stream.message, losses)));
    }
}
