//! Writes messages as Bedrock Converse. The events of a stream are written as programs log them: a JSON object each.

use crate::dialect::formats::anthropic::{is_own, twice_encoded};
use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};

/// The writer of requests, responses and events.
pub(in crate::dialect) struct Bedrock;

/// A block of a message as JSON, if the format has one for it; `at`: its number.
fn part(block: &Block, at: usize, losses: &mut Losses) -> Option<WrittenJson> {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => Some(Json::object().leaf("text", &block.text).written()),
        ContentKind::Reasoning => thought(block, losses),
        ContentKind::Other(Other::Call) => {
            let input = arguments_object(block, losses);
            let json = Json::object().raw("toolUseId", &short_plain_call_id(block, Attribute::CallId, at));
            let json = json.raw("name", &call_name(block)).raw("input", &input).end();
            Some(Json::object().raw("toolUse", &json).written())
        }
        ContentKind::Other(Other::Result) => {
            let json = Json::object().raw("toolUseId", &short_plain_call_id(block, Attribute::ResultOf, at));
            let json = json.list_of("content", |list| results(list, block, losses));
            let failed = block.get(Attribute::IsError) == Some(b"true");
            let json = if failed { json.word("status", "error") } else { json };
            Some(Json::object().raw("toolResult", &json.end()).written())
        }
        ContentKind::Other(Other::Media) => medium(block, losses, media).map(WrittenJson::from),
        ContentKind::Other(_) => None,
    }
}

/// An image, a document or a film with its data: the API takes addresses of its own storage only.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    let source = match &media.data {
        Data::Base64(data) => Json::object().leaf("bytes", data),
        Data::Text(text) => Json::object().leaf("text", text),
        Data::Url(_) => return None,
    };
    let word = if matches!(media.data, Data::Text(_)) { "txt" } else { media.word()? };
    let json = Json::object().word("format", word);
    let (kind, json) = match media.form {
        Form::Image | Form::Film => {
            media.lose_name(losses);
            (if media.form == Form::Image { "image" } else { "video" }, json)
        }
        Form::Document => ("document", json.text("name", &plain_name(media))),
        Form::Sound => return None,
    };
    Some(Json::object().raw(kind, &json.raw("source", &source.end()).end()).end())
}

/// The name of a document, with the characters that the API allows.
fn plain_name(media: &Media) -> Vec<u8> {
    let name = media.name.as_ref().map(|name| name.decoded().into_owned());
    let allowed = |b: u8| if b.is_ascii_alphanumeric() || b" -()[]".contains(&b) { b } else { b'-' };
    name.map_or_else(|| b"document".to_vec(), |name| name.into_iter().map(allowed).collect())
}

/// What came of a call: texts and media, or an object.
fn results(list: Json, block: &Block, losses: &mut Losses) -> Json {
    if let Some(value @ [b'{', ..]) = result_value(block).filter(|value| wrapped_text(value).is_none()) {
        return list.object_of(|json| json.raw("json", value));
    }
    let of_text = |text: &Leaf| Json::object().leaf("text", text).end();
    if let Some(parts) = result_media(block, losses, of_text, media) {
        return list.items(&parts);
    }
    let texts = result_texts(block).unwrap_or_else(|| {
        let (text, lossy) = result_text(block);
        losses.extend(lossy);
        vec![text]
    });
    // The API refuses an empty text.
    let filled = texts.iter().filter(|text| !text.is_empty());
    filled.fold(list, |list, text| list.object_of(|json| json.leaf("text", text)))
}

/// A block of reasoning. Models of other makers than Anthropic sign nothing.
fn thought(block: &Block, losses: &mut Losses) -> Option<WrittenJson> {
    let own = is_own(block);
    let data = block.filled(Attribute::Ciphertext).filter(|_| own && block.text.is_empty());
    seals(block, own && data.is_none(), data.is_some(), losses);
    let json = Json::object();
    let json = match data {
        Some(data) => json.object_in("reasoningContent", |json| json.raw("redactedContent", &twice_encoded(data))),
        None => {
            let signature = block.filled(Attribute::Signature).filter(|_| own);
            if block.text.is_empty() && signature.is_none() {
                losses.extend((!is_sealed_only(block)).then_some(Loss::Empty));
                return None;
            }
            let text = |json: Json| json.leaf("text", &block.text).some("signature", signature);
            json.object_in("reasoningContent", |json| json.object_in("reasoningText", text))
        }
    };
    Some(json.written())
}

/// The blocks of a message as JSON; results stand before text.
fn parts(message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
    lost_by_user(message, losses);
    let own = message.role == Role::Assistant;
    let told = own || media_in_results(message);
    let stays = |block: &&Block| !told || block.kind != ContentKind::Other(Other::Media);
    let results = |block: &&Block| block.kind == ContentKind::Other(Other::Result);
    let (first, rest): (Vec<&Block>, Vec<&Block>) = message.blocks.iter().filter(stays).partition(results);
    let all = first.into_iter().chain(rest).enumerate();
    all.filter_map(|(at, block)| losses.inside(block.at, |losses| part(block, at, losses))).collect()
}

fn content(json: Json, role: &str, parts: &[WrittenJson]) -> Json {
    json.word("role", role).list_of("content", |list| list.items(parts))
}

fn role(role: Role) -> &'static str {
    if role == Role::Assistant { "assistant" } else { "user" }
}

fn stop_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End | Stop::Error => "end_turn",
        Stop::Calls => "tool_use",
        Stop::Length => "max_tokens",
        Stop::Filter => "content_filtered",
    }
}

/// The token counts. Tokens in a cache are counted separately.
fn usage(message: &BlockMessage) -> Vec<u8> {
    let (input, output, _) = used(message).unwrap_or_else(|| (b"0".to_vec(), b"0".to_vec(), None));
    let (read, write) = (cached(message), message.get(Attribute::CacheWrite).unwrap_or(b"0"));
    let json = Json::object().raw("inputTokens", &less(&less(&input, &read), write)).raw("outputTokens", &output);
    let json = json.raw("totalTokens", &sum(&input, &output));
    match read != b"0" || write != b"0" {
        true => json.raw("cacheReadInputTokens", &read).raw("cacheWriteInputTokens", write).end(),
        false => json.end(),
    }
}

/// The facts of an answer that the format has no place for.
fn lost_facts(message: &BlockMessage, losses: &mut Losses) {
    let lost = [Attribute::Id, Attribute::Model, Attribute::Created].map(|name| message.get(name).is_some());
    losses.extend(lost.into_iter().filter(|lost| *lost).map(|_| Loss::Parameter));
}

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Specified, "toolConfig/tools")),
    limit: Some("inferenceConfig/maxTokens"),
    names: &[
        (RequestSetting::Temperature, "inferenceConfig/temperature"),
        (RequestSetting::TopP, "inferenceConfig/topP"),
        (RequestSetting::Stop, "inferenceConfig/stopSequences"),
    ],
    choice: Some((ChoiceStyle::Keyed, "toolConfig/toolChoice")),
    ..NO_SETTINGS
};

/// What the service sends in place of the rest of an answer that failed.
fn exception(message: &BlockMessage) -> Vec<u8> {
    let text = error_text(message);
    Json::object().object_in("internalServerException", |json| json.text("message", &text)).end()
}

/// An event under its name.
fn event(name: &str, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    out.push(("", Json::object().object_in(name, fill).end()));
}

/// A delta of the block with this number.
fn delta(number: usize, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    let inner = |json: Json| json.number("contentBlockIndex", number).object_in("delta", fill);
    event("contentBlockDelta", inner, out);
}

impl Writer for Bedrock {
    fn has_messages(&self) -> bool {
        false
    }

    fn names_messages(&self) -> bool {
        false
    }

    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut system = system_texts(head);
        // Turns alternate: consecutive messages of one side are one.
        let mut turns: Vec<(&'static str, Vec<WrittenJson>)> = Vec::new();
        for message in answered(messages).iter() {
            losses.of(message);
            if is_system(message) {
                losses.extend((!turns.is_empty()).then_some(Loss::System));
                lost_parts(message, losses);
                system.extend(texts(message).into_iter().cloned());
                continue;
            }
            let (role, mut parts) = (role(message.role), parts(&without_blanks(message, losses), losses));
            match turns.last_mut() {
                // A message without content is lost: the API refuses it.
                _ if parts.is_empty() => losses.extend(message.blocks.is_empty().then_some(Loss::Empty)),
                Some((last, all)) if *last == role => all.append(&mut parts),
                _ => turns.push((role, parts)),
            }
        }
        system.retain(|text| !text.is_empty());
        let room = turns.iter().flat_map(|(_, parts)| parts).map(|part| part.room() + 64).sum();
        let json = Json::object_for(room).some("modelId", head.get(Attribute::Model));
        let mut json = json.list_of("messages", |list| {
            turns.iter().fold(list, |list, (role, parts)| list.object_of(|json| content(json, role, parts)))
        });
        if !system.is_empty() {
            let part = |list: Json, text: &Leaf| list.object_of(|json| json.leaf("text", text));
            json = json.list_of("system", |list| system.iter().fold(list, part));
        }
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let parts = parts(message, losses);
        lost_facts(message, losses);
        let output = |json: Json| json.object_in("message", |json| content(json, "assistant", &parts));
        let json = Json::object().object_in("output", output).word("stopReason", stop_reason(message.stop()));
        Ok(json.raw("usage", &usage(message)).end())
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", exception(message)))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        let parts = parts(&without_blanks(message, losses), losses);
        if parts.is_empty() {
            losses.extend(message.blocks.is_empty().then_some(Loss::Empty));
            return Ok(Vec::new());
        }
        let role = if is_system(message) { "system" } else { role(message.role) };
        Ok(vec![content(Json::object(), role, &parts).written()])
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        lost_facts(&stream.message, losses);
        event("messageStart", |json| json.word("role", "assistant"), out);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        match found.kind {
            ContentKind::Other(Other::Media) => return losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible) => return losses.push(Loss::Part),
            ContentKind::Reasoning if !(found.fed || is_own(found) && found.is_sealed()) => {
                losses.extend((!is_sealed_only(found)).then_some(Loss::Empty));
                return seals(found, false, false, losses);
            }
            _ => (),
        }
        let call = (found.kind == ContentKind::Other(Other::Call)).then(|| {
            let json = Json::object().raw("toolUseId", &short_plain_call_id(found, Attribute::CallId, block));
            json.raw("name", &call_name(found)).end()
        });
        let whole = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{')).map(Leaf::from);
        let number = stream.place(block);
        if let Some(call) = call {
            let start = |json: Json| json.object_in("start", |json| json.raw("toolUse", &call));
            event("contentBlockStart", |json| start(json.number("contentBlockIndex", number)), out);
        }
        if let Some(arguments) = whole {
            self.feed(stream, block, &arguments, out, losses);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let Some(number) = stream.placed(block) else { return };
        let fill = |json: Json| match stream.message.blocks[block].kind {
            ContentKind::Text => json.leaf("text", text),
            ContentKind::Reasoning => json.object_in("reasoningContent", |json| json.leaf("text", text)),
            ContentKind::Other(_) => json.object_in("toolUse", |json| json.leaf("input", text)),
        };
        delta(number, fill, out);
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let Some(number) = stream.placed(block) else { return };
        let found = &stream.message.blocks[block];
        if found.kind == ContentKind::Reasoning {
            let own = is_own(found);
            let data = found.filled(Attribute::Ciphertext).filter(|_| own && !found.fed);
            seals(found, own, data.is_some(), losses);
            let signature = found.filled(Attribute::Signature).filter(|_| own);
            if let Some(data) = data {
                let data = twice_encoded(data);
                delta(
                    number,
                    |json| json.object_in("reasoningContent", |json| json.raw("redactedContent", &data)),
                    out,
                );
            }
            if let Some(signature) = signature {
                delta(number, |json| json.object_in("reasoningContent", |json| json.raw("signature", signature)), out);
            }
        }
        if found.kind == ContentKind::Other(Other::Call) {
            let broken = arguments_value(found).is_none() && !found.text.is_blank();
            losses.extend(broken.then_some(Loss::Arguments));
        }
        event("contentBlockStop", |json| json.number("contentBlockIndex", number), out);
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        let stop = stream.message.stop();
        if stop == Stop::Error {
            return out.push(("", exception(&stream.message)));
        }
        event("messageStop", |json| json.word("stopReason", stop_reason(stop)), out);
        let used = usage(&stream.message);
        event("metadata", |json| json.raw("usage", &used), out);
    }
}
