//! Writes messages as OpenAI Responses. The events of a stream repeat every text when it is complete, and the whole
//! response at its end.

use super::events::{ItemPlace, event, head, names, numbered, piece, prefix};
use super::media::{mixed_item, mixed_result};
use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, SUMMARY, WrittenJson};

/// The writer of requests, responses and events.
pub(in crate::dialect) struct Responses;

/// A part of an item.
fn part(kind: &str, text: &Leaf) -> Vec<u8> {
    members(Json::object_for(text.unshared() + 64), kind, text).end()
}

/// Writes the members of a part.
fn members(json: Json, kind: &str, text: &Leaf) -> Json {
    let json = json.word("type", kind).leaf("text", text);
    if kind == "output_text" { json.raw("annotations", b"[]") } else { json }
}

/// A list with this part.
fn list_of(json: Json, name: &str, kind: &str, text: &Leaf) -> Json {
    json.list_of(name, |list| list.object_of(|json| members(json, kind, text)))
}

/// The ciphertext of a block, if it is this provider's.
fn encrypted(block: &Block) -> Option<&[u8]> {
    let own = sealer(block).is_some_and(|name| matches!(&*name, "openai" | "azure"));
    block.filled(Attribute::Ciphertext).filter(|_| own)
}

/// An item of reasoning.
fn thought(block: &Block, place: ItemPlace, text: &Leaf, is_summary: bool) -> Json {
    let json = Json::object_for(text.unshared() + 128);
    let json = json.word("type", "reasoning").some("id", place.id("rs").as_deref());
    let json = match (text.is_empty(), is_summary) {
        (true, _) => json.raw("summary", b"[]"),
        (false, true) => list_of(json, "summary", "summary_text", text),
        (false, false) => list_of(json.raw("summary", b"[]"), "content", "reasoning_text", text),
    };
    json.some("encrypted_content", encrypted(block))
}

/// A message of the assistant.
fn answer(text: &Leaf, place: ItemPlace, status: &str, written: bool) -> Json {
    let json = Json::object_for(text.unshared() + 160);
    let json = json.word("type", "message").some("id", place.id("msg").as_deref());
    let json = json.word("role", "assistant").word("status", status);
    if written { list_of(json, "content", "output_text", text) } else { json.raw("content", b"[]") }
}

/// A tool call.
fn call(block: &Block, place: ItemPlace, arguments: &Leaf, status: &str) -> Vec<u8> {
    let kind = if is_free(block) { "custom_tool_call" } else { "function_call" };
    let json = Json::object().word("type", kind).some("id", place.id(prefix(block)).as_deref());
    let json = json.raw("call_id", &short_call_id(block, Attribute::CallId, place.number));
    let json = json.raw("name", &call_name(block)).leaf(argument_key(block), arguments);
    if place.output { json.word("status", status).end() } else { json.end() }
}

/// The key of a call's arguments.
fn argument_key(block: &Block) -> &'static str {
    if is_free(block) { "input" } else { "arguments" }
}

/// The items of a message. `place`: that of the first item.
fn items(message: &BlockMessage, mut place: ItemPlace, losses: &mut Losses) -> Vec<WrittenJson> {
    losses.of(message);
    lost_by_user(message, losses);
    let mut out: Vec<WrittenJson> = Vec::new();
    let own = message.role == Role::Assistant;
    // A text and the images beside it are one message.
    let mixed = if own || media_in_results(message) { None } else { mixed_item(message, losses) };
    let is_mixed = mixed.is_some();
    for block in &message.blocks {
        place.number = out.len();
        losses.at(block.at.or(message.at));
        match block.kind {
            ContentKind::Text if own => out.push(answer(&block.text, place, "completed", true).written()),
            ContentKind::Text if is_mixed => (),
            ContentKind::Text => {
                let role = if is_system(message) { "developer" } else { "user" };
                let json = Json::object_for(block.text.unshared() + 128);
                let json = json.word("type", "message").word("role", role);
                out.push(list_of(json, "content", "input_text", &block.text).written());
            }
            ContentKind::Reasoning => {
                let own = encrypted(block).is_some();
                seals(block, false, own, losses);
                match block.text.is_empty() && !own {
                    true => losses.extend((!is_sealed_only(block)).then_some(Loss::Empty)),
                    // The provider shows no more than a summary of what it encrypts.
                    false => out.push(thought(block, place, &block.text, own || block.source == SUMMARY).written()),
                }
            }
            ContentKind::Other(Other::Call) => {
                out.push(call(block, place, &arguments_text(block), "completed").into());
            }
            ContentKind::Other(Other::Result) => {
                losses.extend((block.get(Attribute::IsError) == Some(b"true")).then_some(Loss::Extra));
                let id = short_call_id(block, Attribute::ResultOf, place.number);
                let kind = if is_free(block) { "custom_tool_call_output" } else { "function_call_output" };
                out.push(result(block, Json::object().word("type", kind).raw("call_id", &id), losses));
            }
            ContentKind::Other(_) => (),
        }
    }
    // Results come right behind their calls.
    out.extend(mixed);
    losses.at(message.at);
    // A message without items cannot stand among the others.
    losses.extend((message.blocks.is_empty() && !place.output).then_some(Loss::Empty));
    out
}

/// The item of a result, as far as it is written: with a text, or with parts.
fn result(block: &Block, item: Json, losses: &mut Losses) -> WrittenJson {
    let of_text = |text: &Leaf| part("input_text", text);
    let texts = || result_texts(block).map(|texts| texts.iter().map(of_text).collect::<Vec<_>>());
    let parts = mixed_result(block, losses, of_text).or_else(texts);
    if let Some(parts) = parts {
        return item.list_of("output", |list| list.items(&parts)).written();
    }
    let (text, lossy) = result_text(block);
    losses.extend(lossy);
    item.leaf("output", &text).written()
}

/// The whole response.
fn response(message: &BlockMessage, serial: u64, status: &str, output: &[WrittenJson], over: bool) -> Vec<u8> {
    let id = message.get(Attribute::Id).map_or_else(|| format!("\"resp_{serial}\"").into_bytes(), <[u8]>::to_vec);
    let json = Json::object()
        .raw("id", &id)
        .word("object", "response")
        .raw("created_at", &created(message))
        .word("status", status);
    let json = json
        .raw("model", message.get(Attribute::Model).unwrap_or(b"\"unknown\""))
        .list_of("output", |list| list.items(output));
    let json = json.raw("parallel_tool_calls", b"true").word("tool_choice", "auto").raw("tools", b"[]");
    let cut: &[u8] = if message.stop() == Stop::Length { b"max_output_tokens" } else { b"content_filter" };
    let details = Json::object().text("reason", cut).end();
    let json = json.raw("incomplete_details", if status == "incomplete" { &details } else { b"null" });
    let error = Json::object().word("code", "server_error").text("message", &error_text(message)).end();
    let json = json.raw("error", if status == "failed" { &error } else { b"null" });
    match used(message).filter(|_| over) {
        Some(used) => json.raw("usage", &usage(message, &used)).end(),
        None => json.end(),
    }
}

fn usage(message: &BlockMessage, (input, output, thought): &Used) -> Vec<u8> {
    let written = message.get(Attribute::CacheWrite).unwrap_or(b"0");
    let cached = Json::object().raw("cached_tokens", &cached(message)).raw("cache_write_tokens", written).end();
    let details = Json::object().raw("reasoning_tokens", thought.as_deref().unwrap_or(b"0")).end();
    let json = Json::object().raw("input_tokens", input).raw("input_tokens_details", &cached);
    let json = json.raw("output_tokens", output).raw("output_tokens_details", &details);
    json.raw("total_tokens", &sum(input, output)).end()
}

fn status(stop: Stop) -> &'static str {
    match stop {
        Stop::End | Stop::Calls => "completed",
        Stop::Length | Stop::Filter => "incomplete",
        Stop::Error => "failed",
    }
}

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Flat, "tools")),
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "top_p"),
        (RequestSetting::Parallel, "parallel_tool_calls"),
        (RequestSetting::Effort, "reasoning/effort"),
        (RequestSetting::Verbosity, "text/verbosity"),
        (RequestSetting::User, "user"),
    ],
    efforts: EFFORTS,
    choice: Some((ChoiceStyle::Flat, "tool_choice")),
    layout: Some((LayoutStyle::Flat, "text/format")),
    beside: CHAT_SETTINGS.beside,
    ..NO_SETTINGS
};

impl Writer for Responses {
    fn names_messages(&self) -> bool {
        false
    }

    fn restates(&self) -> bool {
        true
    }

    fn fails(&self) -> bool {
        true
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        let json = Json::object().word("type", "error").word("code", "server_error");
        let json = json.text("message", &error_text(message)).raw("param", b"null");
        Some(("error", json.raw("sequence_number", b"0").end()))
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut system = system_texts(head);
        let mut input = Vec::new();
        let mut front = true;
        for message in messages {
            // Instructions among the messages are written as messages of the developer.
            front &= is_system(message);
            if front {
                system.extend(texts(message).into_iter().cloned());
                continue;
            }
            let place = ItemPlace { serial: 0, number: 0, output: false };
            input.append(&mut items(message, place, losses));
        }
        system.retain(|text| !text.is_empty());
        let room = input.iter().map(|item| item.room() + 1).sum::<usize>() + 256;
        let mut json = Json::object_for(room).some("model", head.get(Attribute::Model));
        if !system.is_empty() {
            json = json.leaf("instructions", &Leaf::joined(&system, b"\n"));
        }
        json = json.list_of("input", |list| list.items(&input)).some("max_output_tokens", head.get(Attribute::Limit));
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let items = items(message, ItemPlace { serial, number: 0, output: true }, losses);
        Ok(response(message, serial, status(message.stop()), &items, true))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(items(message, ItemPlace { serial: 0, number: 0, output: false }, losses))
    }

    fn batch(&self, key: &[u8], value: &[u8], request: bool) -> Option<Vec<u8>> {
        Some(openai_batch(key, value, request, "/v1/responses"))
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        for name in ["response.created", "response.in_progress"] {
            let inner = response(&stream.message, stream.serial, "in_progress", &[], false);
            event(stream, name, |json| json.raw("response", &inner), out);
        }
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let kind = found.kind;
        match kind {
            ContentKind::Other(Other::Media) => return losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible) => return losses.push(Loss::Part),
            // A block without text has no item, unless it is encrypted.
            ContentKind::Reasoning if !found.fed && encrypted(found).is_none() => {
                losses.extend((!is_sealed_only(found)).then_some(Loss::Empty));
                return seals(found, false, false, losses);
            }
            _ => (),
        }
        let (serial, output) = (stream.serial, true);
        let number = stream.place(block);
        let place = ItemPlace { serial, number, output };
        let found = stream.message.blocks[block].clone();
        let item = match kind {
            ContentKind::Text => answer(&Leaf::default(), place, "in_progress", false).end(),
            ContentKind::Reasoning => thought(&found, place, &Leaf::default(), false).end(),
            ContentKind::Other(_) => call(&found, place, &Leaf::default(), "in_progress"),
        };
        event(stream, "response.output_item.added", |json| numbered(json, number).raw("item", &item), out);
        let (name, empty) = match kind {
            ContentKind::Reasoning if !found.fed => return,
            ContentKind::Text => ("response.content_part.added", part("output_text", &Leaf::default())),
            ContentKind::Reasoning if found.source == SUMMARY => {
                ("response.reasoning_summary_part.added", part("summary_text", &Leaf::default()))
            }
            ContentKind::Reasoning => ("response.content_part.added", part("reasoning_text", &Leaf::default())),
            ContentKind::Other(_) => {
                if let Some(arguments) = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{')) {
                    let text = arguments.into();
                    stream.message.blocks[block].text.append(&text);
                    self.feed(stream, block, &text, out, losses);
                }
                return;
            }
        };
        event(stream, name, |json| piece(json, &found, place).raw("part", &empty), out);
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let Some(number) = stream.placed(block) else { return };
        let found = head(&stream.message.blocks[block]);
        let place = ItemPlace { serial: stream.serial, number, output: true };
        let (name, _) = names(&found);
        let logprobs = Some(&b"[]"[..]).filter(|_| found.kind == ContentKind::Text);
        event(stream, name, |json| piece(json, &found, place).leaf("delta", text).some("logprobs", logprobs), out);
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let Some(number) = stream.placed(block) else { return };
        let found = &stream.message.blocks[block];
        if found.kind == ContentKind::Other(Other::Call) && found.text.is_empty() && !is_free(found) {
            let whole = arguments_text(found);
            stream.message.blocks[block].text.clone_from(&whole);
            self.feed(stream, block, &whole, out, losses);
        }
        let found = stream.message.blocks[block].clone();
        let place = ItemPlace { serial: stream.serial, number, output: true };
        let (_, done) = names(&found);
        let text =
            if matches!(found.kind, ContentKind::Other(_)) { arguments_text(&found) } else { found.text.clone() };
        let sealed = found.kind == ContentKind::Reasoning && !found.fed;
        let inner = |json: Json| {
            let json = piece(json, &found, place);
            match found.kind {
                ContentKind::Text => json.leaf("text", &text).raw("logprobs", b"[]"),
                ContentKind::Reasoning => json.leaf("text", &text),
                ContentKind::Other(_) if is_free(&found) => json.leaf("input", &text),
                ContentKind::Other(_) => json.raw("name", &call_name(&found)).leaf("arguments", &text),
            }
        };
        if !sealed {
            event(stream, done, inner, out);
        }
        let part_done = match found.kind {
            ContentKind::Reasoning if sealed => None,
            ContentKind::Text => Some(("response.content_part.done", part("output_text", &text))),
            ContentKind::Reasoning if found.source == SUMMARY => {
                Some(("response.reasoning_summary_part.done", part("summary_text", &text)))
            }
            ContentKind::Reasoning => Some(("response.content_part.done", part("reasoning_text", &text))),
            ContentKind::Other(_) => None,
        };
        if let Some((name, whole)) = part_done {
            event(stream, name, |json| piece(json, &found, place).raw("part", &whole), out);
        }
        if found.kind == ContentKind::Reasoning {
            seals(&found, false, encrypted(&found).is_some(), losses);
        }
        let item = item(&found, place).into_bytes();
        event(stream, "response.output_item.done", |json| numbered(json, number).raw("item", &item), out);
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        let mut items: Vec<(usize, WrittenJson)> = Vec::new();
        for (at, block) in stream.message.blocks.iter().enumerate() {
            if let Some(number) = stream.placed(at) {
                items.push((number, item(block, ItemPlace { serial: stream.serial, number, output: true })));
            }
        }
        items.sort_by_key(|(number, _)| *number);
        let items: Vec<WrittenJson> = items.into_iter().map(|(_, item)| item).collect();
        let status = status(stream.message.stop());
        let inner = response(&stream.message, stream.serial, status, &items, true);
        let name = match status {
            "completed" => "response.completed",
            "failed" => "response.failed",
            _ => "response.incomplete",
        };
        event(stream, name, |json| json.raw("response", &inner), out);
    }
}

/// A finished item.
fn item(block: &Block, place: ItemPlace) -> WrittenJson {
    match block.kind {
        ContentKind::Text => answer(&block.text, place, "completed", true).written(),
        ContentKind::Reasoning => thought(block, place, &block.text, block.source == SUMMARY).written(),
        ContentKind::Other(_) => call(block, place, &arguments_text(block), "completed").into(),
    }
}
