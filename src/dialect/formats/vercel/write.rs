//! Writes messages as Vercel's AI SDK has them in a user interface, and their stream.

use crate::dialect::formats::write::*;
use crate::json::text::decoded;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, HeadFact, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::collections::HashMap;

/// The writer of conversations, messages and events.
pub(in crate::dialect) struct Vercel;

/// The end of an answer.
fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "stop",
        Stop::Calls => "tool-calls",
        Stop::Length => "length",
        Stop::Filter => "content-filter",
        Stop::Error => "error",
    }
}

/// The signature and the ciphertext of a block, under the keys that its provider's package has for them.
fn metadata(block: &Block, losses: &mut Losses) -> Option<Vec<u8>> {
    let provider = sealer(block).filter(|_| block.is_sealed());
    let (signature, ciphertext) = match provider.as_deref() {
        None => (None, None),
        Some("openai" | "azure") => (None, Some("reasoningEncryptedContent")),
        Some("google" | "vertex") => (Some("thoughtSignature"), None),
        Some(_) => (Some("signature"), Some("redactedData")),
    };
    seals(block, signature.is_some(), ciphertext.is_some(), losses);
    let mut json = Json::object();
    for (key, value) in
        [(signature, block.filled(Attribute::Signature)), (ciphertext, block.filled(Attribute::Ciphertext))]
    {
        if let Some(key) = key {
            json = json.some(key, value);
        }
    }
    let inner = json.end();
    provider.filter(|_| inner.len() > 2).map(|provider| Json::object().raw(&provider, &inner).end())
}

/// A file: its data, or its address.
fn media(media: &Media, _losses: &mut Losses) -> Option<Vec<u8>> {
    let json = Json::object().word("type", "file").text("mediaType", media.mime_or_any());
    let json = json.leaf("url", &media.data_url()?);
    Some(match &media.name {
        Some(name) => json.leaf("filename", name).end(),
        None => json.end(),
    })
}

/// The arguments of a call: any value. Those that are cut off or damaged stay a text.
fn input(block: &Block) -> Vec<u8> {
    arguments_value(block).unwrap_or_else(|| quoted(&arguments_text(block).decoded()))
}

/// What came of a call, in the words for the state of its part.
fn output(json: Json, result: &Block, losses: &mut Losses) -> Json {
    let (text, lossy) = result_text(result);
    if result.get(Attribute::IsError) == Some(b"true") {
        losses.push_if(lossy.is_some(), result.at, lossy.unwrap_or(Loss::Result));
        return json.leaf("errorText", &text);
    }
    match result_value(result).filter(|_| lossy.is_some()) {
        Some(value) => json.raw("output", value),
        None => json.leaf("output", &text),
    }
}

/// The beginning of the part of a call, whose type has the name of the tool.
fn tool(name: &[u8], id: &[u8], state: &str) -> Json {
    let name = decoded(name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or_default());
    let json = Json::object().text("type", &[b"tool-", name.as_slice()].concat());
    json.raw("toolCallId", id).word("state", state)
}

/// The state of a part with this result.
fn state(result: &Block) -> &'static str {
    if result.get(Attribute::IsError) == Some(b"true") { "output-error" } else { "output-available" }
}

/// A part of a turn.
enum UiPart<'m> {
    Made(WrittenJson),
    /// A call, its number, and what came of it, which may stand in a later message.
    Call(&'m BlockMessage, &'m Block, usize, Option<&'m Block>),
}

impl UiPart<'_> {
    fn written(self, losses: &mut Losses) -> WrittenJson {
        let (message, call, at, result) = match self {
            UiPart::Made(part) => return part,
            UiPart::Call(message, call, at, result) => (message, call, at, result),
        };
        losses.of(message);
        let state = result.map_or("input-available", state);
        let json = tool(&call_name(call), &call_id(call, Attribute::CallId, at), state).raw("input", &input(call));
        let json = json.some("callProviderMetadata", signature(call).as_deref());
        match result {
            Some(result) => output(json, result, losses).written(),
            None => json.written(),
        }
    }
}

/// What Google has signed a call with.
fn signature(call: &Block) -> Option<Vec<u8>> {
    let seal = call.filled(Attribute::CallSignature)?;
    Some(Json::object().object_in("google", |json| json.raw("thoughtSignature", seal)).end())
}

/// A result whose call is not known here.
fn lone(result: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    let name = result.filled(Attribute::Name).unwrap_or(b"\"\"");
    // The SDK demands the key.
    let json = tool(name, &call_id(result, Attribute::ResultOf, at), state(result)).raw("input", b"null");
    output(json, result, losses).end()
}

/// A part other than calls and results.
fn part(block: &Block, losses: &mut Losses) -> Option<WrittenJson> {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => Some(Json::object().word("type", "text").leaf("text", &block.text).written()),
        ContentKind::Reasoning => {
            let json = Json::object().word("type", "reasoning").leaf("text", &block.text);
            Some(json.some("providerMetadata", metadata(block, losses).as_deref()).written())
        }
        ContentKind::Other(Other::Media) => medium(block, losses, media).map(WrittenJson::from),
        ContentKind::Other(_) => None,
    }
}

/// A message of the user interface.
struct UiMessage<'m> {
    role: &'static str,
    id: Vec<u8>,
    parts: Vec<UiPart<'m>>,
    /// The places of the calls that have no result so far, by their identifiers.
    waiting: HashMap<&'m [u8], usize>,
    /// Results have come for its calls: more of the assistant is the next step.
    answered: bool,
}

impl<'m> UiMessage<'m> {
    fn new(message: &BlockMessage, role: &'static str) -> Self {
        let id = message.get(Attribute::Id);
        let id = id.map_or_else(|| format!("\"message-{}\"", message.place.number).into_bytes(), <[u8]>::to_vec);
        Self { role, id, parts: Vec::new(), waiting: HashMap::new(), answered: false }
    }

    /// Adds what the assistant says, or another does.
    fn extend(&mut self, parts: Vec<UiPart<'m>>) {
        for part in parts {
            let id = if let UiPart::Call(_, call, ..) = part { call.filled(Attribute::CallId) } else { None };
            if let Some(id) = id {
                self.waiting.entry(id).or_insert(self.parts.len());
            }
            self.parts.push(part);
        }
    }

    /// Gives a result to its call, if that stands here and has none. Returns whether it does.
    fn answers(&mut self, result: &'m Block) -> bool {
        self.answered = true;
        let call = result.filled(Attribute::ResultOf).and_then(|id| self.waiting.remove(id));
        match call.and_then(|at| self.parts.get_mut(at)) {
            Some(UiPart::Call(.., answer)) => answer.replace(result).is_none(),
            _ => false,
        }
    }

    fn written(self, losses: &mut Losses) -> WrittenJson {
        let json = Json::object().raw("id", &self.id).word("role", self.role);
        let parts: Vec<WrittenJson> = self.parts.into_iter().map(|part| part.written(losses)).collect();
        let room = parts.iter().map(|part| part.room() + 1).sum::<usize>() + 32;
        json.with_room(room).list_of("parts", |list| list.items(&parts)).written()
    }
}

/// The messages of a conversation: all steps of an answer are one.
#[derive(Default)]
struct UiMessages<'m> {
    all: Vec<UiMessage<'m>>,
    calls: usize,
}

impl<'m> UiMessages<'m> {
    fn add(&mut self, message: &'m BlockMessage, losses: &mut Losses) {
        losses.of(message);
        lost_others(message, losses);
        let is_result = |block: &&Block| block.kind == ContentKind::Other(Other::Result);
        for result in message.blocks.iter().filter(is_result) {
            self.calls += 1;
            if self.all.last().is_none_or(|turn| turn.role != "assistant") {
                self.all.push(UiMessage::new(message, "assistant"));
            }
            let Some(turn) = self.all.last_mut() else { continue };
            if !turn.answers(result) {
                let part = losses.inside(result.at, |losses| lone(result, self.calls, losses));
                turn.parts.push(UiPart::Made(part.into()));
            }
        }
        let role = match message.role {
            Role::Assistant => "assistant",
            Role::System => "system",
            Role::User | Role::Tool => "user",
        };
        let mut parts: Vec<UiPart<'m>> = Vec::new();
        let told = media_in_results(message);
        let stays = |block: &&Block| !(is_result(block) || told && block.kind == ContentKind::Other(Other::Media));
        for block in message.blocks.iter().filter(stays) {
            if block.kind == ContentKind::Other(Other::Call) {
                self.calls += 1;
                parts.push(UiPart::Call(message, block, self.calls, None));
            } else {
                parts.extend(losses.inside(block.at, |losses| part(block, losses)).map(UiPart::Made));
            }
        }
        if parts.is_empty() && (message.is_foreign() || message.blocks.iter().any(|block| is_result(&block))) {
            return;
        }
        match self.all.last_mut().filter(|turn| turn.answered && role == turn.role) {
            Some(turn) => {
                turn.answered = false;
                turn.parts.push(UiPart::Made(b"{\"type\":\"step-start\"}".to_vec().into()));
                turn.extend(parts);
            }
            None => {
                let mut turn = UiMessage::new(message, role);
                turn.extend(parts);
                self.all.push(turn);
            }
        }
    }

    fn written(self, losses: &mut Losses) -> Vec<WrittenJson> {
        self.all.into_iter().map(|turn| turn.written(losses)).collect()
    }
}

/// The facts of an answer that the format has no place for.
const LOST: &[Attribute] = &[Attribute::Model, Attribute::Created, Attribute::Output];

fn event(name: &'static str) -> Json {
    Json::object().word("type", name)
}

/// The identifier of a call in a stream.
fn id_of(block: &Block, at: usize) -> Vec<u8> {
    call_id(block, Attribute::CallId, at)
}

/// An error in place of an answer.
fn error(message: &BlockMessage) -> Vec<u8> {
    event("error").text("errorText", &error_text(message)).end()
}

impl Writer for Vercel {
    fn restates(&self) -> bool {
        // The arguments of a call are repeated as a value.
        true
    }

    fn names_messages(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut all = UiMessages::default();
        messages.iter().for_each(|message| all.add(message, losses));
        let mut all = all.written(losses);
        let system = system_texts(head);
        if !system.is_empty() {
            let json = Json::object().word("id", "message-system").word("role", "system");
            all.insert(0, json.raw("parts", &text_parts(&system)).written());
        }
        // A user interface knows neither the model nor its settings.
        let is_setting = |fact: &HeadFact| {
            use Attribute::{Limit, Model, Parameter, Tools};
            matches!(fact.name, Model | Tools | Limit | Parameter)
        };
        for fact in head.facts.iter().filter(|fact| is_setting(fact)) {
            losses.outside(fact.at);
            losses.push(Loss::Parameter);
        }
        losses.outside(None);
        let room = all.iter().map(|one| one.room() + 1).sum();
        let json = Json::object_for(room).list_of("messages", |list| list.items(&all));
        let others = RecordHead { facts: head.facts.iter().filter(|fact| !is_setting(fact)).cloned().collect() };
        Ok(settings(json, &others, &NO_SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        lost_facts(message, LOST, losses);
        losses.extend((!matches!(message.stop(), Stop::End | Stop::Calls)).then_some(Loss::Stop));
        let mut all = UiMessages::default();
        all.add(message, losses);
        let empty = || UiMessage::new(message, "assistant").written(&mut Losses::default());
        Ok(all.written(losses).pop().unwrap_or_else(empty).into_bytes())
    }

    fn signs_calls(&self) -> bool {
        true
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", error(message)))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        let mut all = UiMessages::default();
        all.add(message, losses);
        Ok(all.written(losses))
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        lost_facts(&stream.message, LOST, losses);
        let id = stream.message.get(Attribute::Id);
        let id = id.map_or_else(|| format!("\"message-{}\"", stream.serial).into_bytes(), <[u8]>::to_vec);
        out.push(("", event("start").raw("messageId", &id).end()));
        out.push(("", event("start-step").end()));
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let json = match found.kind {
            ContentKind::Other(Other::Media) => {
                out.extend(medium(found, losses, media).map(|part| ("", part)));
                return;
            }
            ContentKind::Other(Other::Result | Other::Visible | Other::Step) => return losses.push(Loss::Part),
            ContentKind::Other(Other::Call) => {
                let json = event("tool-input-start").raw("toolCallId", &id_of(found, block));
                json.raw("toolName", &call_name(found))
            }
            ContentKind::Reasoning => event("reasoning-start").text("id", stream.next.to_string().as_bytes()),
            ContentKind::Text => event("text-start").text("id", stream.next.to_string().as_bytes()),
        };
        out.push(("", json.end()));
        stream.place(block);
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let (found, place) = (&stream.message.blocks[block], stream.placed(block));
        let json = match (found.kind, place) {
            (ContentKind::Other(Other::Call), Some(_)) if !is_free(found) => {
                event("tool-input-delta").raw("toolCallId", &id_of(found, block)).leaf("inputTextDelta", text)
            }
            (ContentKind::Reasoning, Some(place)) => {
                event("reasoning-delta").text("id", place.to_string().as_bytes()).leaf("delta", text)
            }
            (ContentKind::Text, Some(place)) => {
                event("text-delta").text("id", place.to_string().as_bytes()).leaf("delta", text)
            }
            _ => return,
        };
        out.push(("", json.end()));
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let Some(place) = stream.placed(block) else { return };
        let json = match found.kind {
            ContentKind::Other(_) => {
                let json = event("tool-input-available").raw("toolCallId", &id_of(found, block));
                let json = json.raw("toolName", &call_name(found)).raw("input", &input(found));
                json.some("providerMetadata", signature(found).as_deref())
            }
            ContentKind::Reasoning => {
                let json = event("reasoning-end").text("id", place.to_string().as_bytes());
                json.some("providerMetadata", metadata(found, losses).as_deref())
            }
            ContentKind::Text => event("text-end").text("id", place.to_string().as_bytes()),
        };
        out.push(("", json.end()));
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        // Token counts come at the end.
        losses.extend(used(&stream.message).map(|_| Loss::Parameter));
        let stop = stream.message.stop();
        if stop == Stop::Error {
            out.push(("", error(&stream.message)));
        } else {
            out.push(("", event("finish-step").end()));
            out.push(("", event("finish").word("finishReason", finish_reason(stop)).end()));
        }
        out.push(("", b"[DONE]".to_vec()));
    }
}
