//! Writes messages as Cohere v2.

use super::PLAN;
use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};

/// The writer of requests, responses and events.
pub(in crate::dialect) struct Cohere;

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Function, "tools")),
    limit: Some("max_tokens"),
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "p"),
        (RequestSetting::TopK, "k"),
        (RequestSetting::Seed, "seed"),
        (RequestSetting::Frequency, "frequency_penalty"),
        (RequestSetting::Presence, "presence_penalty"),
        (RequestSetting::Stop, "stop_sequences"),
        (RequestSetting::Budget, "thinking/token_budget"),
    ],
    choice: Some((ChoiceStyle::Capital, "tool_choice")),
    layout: Some((LayoutStyle::Typed, "response_format")),
    beside: &["stream"],
    own: &["documents", "safety_mode", "citation_options"],
    ..NO_SETTINGS
};

/// The end of an answer. The format has no word for a filter.
fn finish_reason(stop: Stop, losses: &mut Losses) -> &'static str {
    losses.extend((stop == Stop::Filter).then_some(Loss::Stop));
    match stop {
        Stop::End | Stop::Filter => "COMPLETE",
        Stop::Calls => "TOOL_CALL",
        Stop::Length => "MAX_TOKENS",
        Stop::Error => "ERROR",
    }
}

/// Whether a block is what the model thinks before it calls tools: its text stands under a key of the message.
fn is_plan(block: &Block) -> bool {
    block.source == PLAN
}

/// A call, whose arguments are a text.
fn call(block: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    let inner = Json::object().raw("name", &call_name(block)).leaf("arguments", &arguments_of_function(block, losses));
    let json = Json::object().raw("id", &short_call_id(block, Attribute::CallId, at)).word("type", "function");
    json.raw("function", &inner.end()).end()
}

/// A part of what the assistant says.
fn part(block: &Block, losses: &mut Losses) -> Option<WrittenJson> {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => Some(Json::object().word("type", "text").leaf("text", &block.text).written()),
        ContentKind::Reasoning => {
            seals(block, false, false, losses);
            if block.text.is_empty() || is_plan(block) {
                losses.extend((block.text.is_empty() && !is_sealed_only(block)).then_some(Loss::Empty));
                return None;
            }
            Some(Json::object().word("type", "thinking").leaf("thinking", &block.text).written())
        }
        ContentKind::Other(_) => None,
    }
}

/// Writes what the assistant says: its texts and its reasoning in order, its plan, its calls.
fn answer(message: &BlockMessage, json: Json, losses: &mut Losses) -> Json {
    let one = |block: &Block| losses.inside(block.at, |losses| part(block, losses));
    let parts: Vec<WrittenJson> = message.blocks.iter().filter_map(one).collect();
    let plans: Vec<&Block> = message.blocks.iter().filter(|block| is_plan(block) && !block.text.is_empty()).collect();
    losses.push_each(plans.iter().skip(1).map(|block| block.at), Loss::Blocks);
    let json = if parts.is_empty() { json } else { json.list_of("content", |list| list.items(&parts)) };
    let json = match plans.is_empty() {
        true => json,
        false => json.leaf("tool_plan", &Leaf::joined(plans.iter().map(|block| &block.text), b"\n")),
    };
    lost_order(message, losses);
    let calls: Vec<Vec<u8>> = others(message, Other::Call).enumerate().map(|(at, b)| call(b, at, losses)).collect();
    if calls.is_empty() { json } else { json.list_of("tool_calls", |list| list.items(&calls)) }
}

/// An image. The format has no other media in messages.
fn image(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    if media.form == Form::Image { chat_part(media, losses) } else { None }
}

/// The messages that one message becomes: each result of a call is a message of its own.
fn messages(message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
    losses.of(message);
    lost_by_user(message, losses);
    if message.is_foreign() {
        return Vec::new();
    }
    if message.role == Role::Assistant {
        let json = answer(message, Json::object().word("role", "assistant"), losses);
        losses.extend(message.blocks.is_empty().then_some(Loss::Empty));
        return if message.blocks.is_empty() { Vec::new() } else { vec![json.written()] };
    }
    let thoughts = message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning);
    losses.push_each(thoughts.map(|block| block.at), Loss::Part);
    let results = others(message, Other::Result).enumerate();
    let mut out: Vec<WrittenJson> = results.map(|(at, block)| tool_message(block, at, losses).into()).collect();
    let parts = mixed_parts(message, "text", image, losses);
    if out.is_empty() || parts.is_some() || message.blocks.iter().any(|block| block.kind == ContentKind::Text) {
        let role = if is_system(message) { "system" } else { "user" };
        out.push(said(message, role, parts));
    }
    out
}

/// The token counts: those of the reasoning are among those of the answer.
fn usage(message: &BlockMessage) -> Option<Vec<u8>> {
    let (input, output, _) = used(message)?;
    let tokens = |json: Json| json.raw("input_tokens", &input).raw("output_tokens", &output);
    let json = Json::object().object_in("tokens", tokens);
    let read = cached(message);
    Some(json.some("cached_tokens", Some(read.as_slice()).filter(|read| *read != b"0")).end())
}

/// The facts of an answer that the format has no place for.
const LOST: &[Attribute] = &[Attribute::Model, Attribute::Created];

fn id(message: &BlockMessage, serial: u64) -> Vec<u8> {
    message.get(Attribute::Id).map_or_else(|| format!("\"response-{serial}\"").into_bytes(), <[u8]>::to_vec)
}

/// An event, with this in the message of its delta. `number`: that of its block.
fn event(name: &'static str, number: Option<usize>, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    let json = Json::object().word("type", name);
    let json = if let Some(number) = number { json.number("index", number) } else { json };
    out.push((name, json.object_in("delta", |json| json.object_in("message", fill)).end()));
}

/// The number of a block among its kin: calls are counted by themselves.
fn number(stream: &Streamed, block: usize) -> Option<usize> {
    stream.placed(block)?;
    let is_call = |at: usize| matches!(stream.message.blocks[at].kind, ContentKind::Other(_));
    let kin = |at: &usize| is_call(*at) == is_call(block) && stream.placed(*at).is_some();
    Some((0..block).filter(kin).count())
}

impl Writer for Cohere {
    fn names_messages(&self) -> bool {
        false
    }

    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, all: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let json = conversation((head, all), losses, messages);
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        lost_parts(message, losses);
        lost_facts(message, LOST, losses);
        let reason = finish_reason(message.stop(), losses);
        let json = Json::object().raw("id", &id(message, serial)).word("finish_reason", reason);
        let json = json.object_in("message", |json| answer(message, json.word("role", "assistant"), losses));
        Ok(json.some("usage", usage(message).as_deref()).end())
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(messages(message, losses))
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        lost_facts(&stream.message, LOST, losses);
        let id = id(&stream.message, stream.serial);
        let message = |json: Json| {
            let json = json.word("role", "assistant").raw("content", b"[]").word("tool_plan", "");
            json.raw("tool_calls", b"[]").raw("citations", b"[]")
        };
        let json = Json::object().raw("id", &id).word("type", "message-start");
        let json = json.object_in("delta", |json| json.object_in("message", message));
        out.push(("message-start", json.end()));
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let (name, key) = match found.kind {
            ContentKind::Other(Other::Media) => return losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible | Other::Step) => return losses.push(Loss::Part),
            ContentKind::Other(Other::Call) => ("tool-call-start", "tool_calls"),
            ContentKind::Reasoning if !found.fed => return,
            ContentKind::Reasoning if is_plan(found) => {
                // Clients join all pieces of the plan, whatever stands between them.
                if stream.message.blocks[..block].iter().any(|other| is_plan(other) && other.fed) {
                    losses.push(Loss::Blocks);
                    self.feed(stream, block, &b"\n"[..].into(), out, losses);
                }
                return;
            }
            ContentKind::Reasoning | ContentKind::Text => ("content-start", "content"),
        };
        let part = match found.kind {
            ContentKind::Reasoning => Json::object().word("type", "thinking").word("thinking", "").end(),
            ContentKind::Text => Json::object().word("type", "text").word("text", "").end(),
            ContentKind::Other(_) => {
                let inner = Json::object().raw("name", &call_name(found)).word("arguments", "").end();
                let json = Json::object().raw("id", &short_call_id(found, Attribute::CallId, block));
                json.word("type", "function").raw("function", &inner).end()
            }
        };
        let whole = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{')).map(Leaf::from);
        stream.place(block);
        event(name, number(stream, block), |json| json.raw(key, &part), out);
        if let Some(arguments) = whole {
            self.feed(stream, block, &arguments, out, losses);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        if is_plan(found) {
            return event("tool-plan-delta", None, |json| json.leaf("tool_plan", text), out);
        }
        let Some(number) = number(stream, block) else { return };
        match found.kind {
            // Free text and arguments that are cut off are written when they are complete.
            ContentKind::Other(_) if is_free(found) => (),
            ContentKind::Other(_) => {
                let arguments = |json: Json| json.leaf("arguments", text);
                let calls = |json: Json| json.object_in("tool_calls", |json| json.object_in("function", arguments));
                event("tool-call-delta", Some(number), calls, out);
            }
            kind => {
                let key = if kind == ContentKind::Reasoning { "thinking" } else { "text" };
                let content = |json: Json| json.object_in("content", |json| json.leaf(key, text));
                event("content-delta", Some(number), content, out);
            }
        }
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        if found.kind == ContentKind::Reasoning {
            seals(found, false, false, losses);
            losses.extend((!found.fed && !is_sealed_only(found)).then_some(Loss::Empty));
        }
        let Some(number) = number(stream, block) else { return };
        let is_call = matches!(found.kind, ContentKind::Other(_));
        if is_call && (is_free(found) || !found.fed && found.get(Attribute::Arguments).is_none()) {
            let whole = arguments_of_function(found, losses);
            let arguments = |json: Json| json.leaf("arguments", &whole);
            let calls = |json: Json| json.object_in("tool_calls", |json| json.object_in("function", arguments));
            event("tool-call-delta", Some(number), calls, out);
        }
        let name = if is_call { "tool-call-end" } else { "content-end" };
        out.push((name, Json::object().word("type", name).number("index", number).end()));
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let (stop, used) = (stream.message.stop(), usage(&stream.message));
        let reason = finish_reason(stop, losses);
        let error = (stop == Stop::Error).then(|| error_text(&stream.message));
        let delta = |json: Json| {
            let json = if let Some(error) = &error { json.text("error", error) } else { json };
            json.word("finish_reason", reason).some("usage", used.as_deref())
        };
        out.push(("message-end", Json::object().word("type", "message-end").object_in("delta", delta).end()));
    }
}
