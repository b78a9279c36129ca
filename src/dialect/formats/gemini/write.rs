//! Writes messages as Gemini generateContent.

use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};
use std::collections::{HashMap, HashSet};

/// The writer of requests, responses and responses in pieces.
pub(in crate::dialect) struct Gemini;

/// A part of a message as JSON, if the format has one for it; `at`: its number.
fn part(block: &Block, at: usize, losses: &mut Losses) -> Option<WrittenJson> {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => Some(Json::object().leaf("text", &block.text).written()),
        ContentKind::Reasoning => {
            let own = seal_of(block, GOOGLE);
            seals(block, own.is_some(), own.is_some(), losses);
            if block.text.is_empty() && own.is_none() {
                losses.extend((!is_sealed_only(block)).then_some(Loss::Empty));
                return None;
            }
            Some(thought(block, own))
        }
        ContentKind::Other(Other::Result) => {
            let id = call_id(block, Attribute::ResultOf, at);
            // The API matches a result with its call by name, too.
            let name = block.filled(Attribute::Name).unwrap_or(b"\"\"");
            let json = Json::object().raw("id", &id).raw("name", name).raw("response", &response_of(block, losses));
            Some(Json::object().raw("functionResponse", &json.end()).written())
        }
        ContentKind::Other(Other::Media) => medium(block, losses, media).map(WrittenJson::from),
        ContentKind::Other(_) => None,
    }
}

/// A part of reasoning, with its signature if it has one.
fn thought(block: &Block, signature: Option<&[u8]>) -> WrittenJson {
    let json = Json::object().leaf("text", &block.text).raw("thought", b"true");
    json.some("thoughtSignature", signature).written()
}

/// An image, a document, a sound or a film, with its data or by its address. Its name has no place.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    media.lose_name(losses);
    let typed = |json: Json| if media.mime.is_empty() { json } else { json.text("mimeType", &media.mime) };
    match &media.data {
        Data::Base64(data) if !media.mime.is_empty() => {
            Some(Json::object().object_in("inlineData", |json| typed(json).leaf("data", data)).end())
        }
        Data::Url(url) => Some(Json::object().object_in("fileData", |json| typed(json).leaf("fileUri", url)).end()),
        _ => None,
    }
}

/// A call of a function, with its signature if it has one of its own.
fn call(block: &Block, at: usize, signature: Option<&[u8]>, losses: &mut Losses) -> Vec<u8> {
    let args = arguments_object(block, losses);
    let json = Json::object().raw("id", &call_id(block, Attribute::CallId, at)).raw("name", &call_name(block));
    let json = Json::object().raw("functionCall", &json.raw("args", &args).end());
    json.some("thoughtSignature", signature).end()
}

/// A part with a signature and no text.
fn empty_thought(signature: Option<&[u8]>) -> Vec<u8> {
    Json::object().word("text", "").raw("thought", b"true").some("thoughtSignature", signature).end()
}

/// The identifier and the signature of a block of reasoning. If it is that of a call, the signature is of this call: OpenRouter has it
/// among the reasoning.
fn named_seal(block: &Block) -> Option<(&[u8], &[u8])> {
    let id = block.filled(Attribute::BlockId).filter(|_| block.kind == ContentKind::Reasoning)?;
    Some((id, seal_of(block, GOOGLE)?))
}

/// The identifier of a call.
fn id_of_call(block: &Block) -> Option<&[u8]> {
    block.filled(Attribute::CallId).filter(|_| block.kind == ContentKind::Other(Other::Call))
}

/// How far before its call such a block stands in a stream.
const MAX_BLOCKS_BEFORE_CALL: usize = 16;

/// The signature of a streamed call: its own, or one that came before it.
fn signature_before(blocks: &[Block], call: usize) -> Option<&[u8]> {
    if let Some(own) = blocks[call].filled(Attribute::CallSignature) {
        return Some(own);
    }
    let id = id_of_call(&blocks[call])?;
    let near = &blocks[call.saturating_sub(MAX_BLOCKS_BEFORE_CALL)..call];
    near.iter().filter_map(named_seal).find(|(of, _)| *of == id).map(|(_, seal)| seal)
}

/// The signatures in a stream whose calls did not come behind them.
fn lone_seals(blocks: &[Block]) -> impl Iterator<Item = &[u8]> {
    blocks.iter().enumerate().filter_map(|(at, block)| {
        let (id, seal) = named_seal(block)?;
        let near = blocks[at..].iter().take(MAX_BLOCKS_BEFORE_CALL + 1);
        (!near.filter_map(id_of_call).any(|of| of == id)).then_some(seal)
    })
}

/// A result as an object, which the API demands: a text stands under the key that Google's guide names.
fn response_of(block: &Block, losses: &mut Losses) -> Vec<u8> {
    let failed = block.get(Attribute::IsError) == Some(b"true");
    match result_value(block) {
        Some(value @ [b'{', ..]) if !failed => value.to_vec(),
        _ => {
            let (text, lossy) = result_text(block);
            losses.extend(lossy);
            Json::object().leaf(if failed { "error" } else { "output" }, &text).end()
        }
    }
}

/// The parts of a message as JSON.
fn parts(message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
    lost_others(message, losses);
    let seals: HashMap<&[u8], &[u8]> = message.blocks.iter().filter_map(named_seal).collect();
    let calls: HashSet<&[u8]> = match seals.is_empty() {
        true => HashSet::new(),
        false => message.blocks.iter().filter_map(id_of_call).collect(),
    };
    let one = |(at, block): (usize, &Block)| {
        losses.inside(block.at, |losses| match block.kind {
            ContentKind::Reasoning if named_seal(block).is_some_and(|(id, _)| calls.contains(id)) => {
                (!block.text.is_empty()).then(|| thought(block, None))
            }
            ContentKind::Other(Other::Call) => {
                let seal = block.filled(Attribute::CallSignature);
                let seal = seal.or_else(|| id_of_call(block).and_then(|id| seals.get(id)).copied());
                Some(call(block, at, seal, losses).into())
            }
            _ => part(block, at, losses),
        })
    };
    message.blocks.iter().enumerate().filter_map(one).collect()
}

fn content(json: Json, role: &str, parts: &[impl Made]) -> Json {
    json.word("role", role).list_of("parts", |list| list.items(parts))
}

fn role(role: Role) -> &'static str {
    if role == Role::Assistant { "model" } else { "user" }
}

/// The reason for the end of an answer. The format has no word for one that calls functions.
fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End | Stop::Calls => "STOP",
        Stop::Length => "MAX_TOKENS",
        Stop::Filter => "SAFETY",
        Stop::Error => "OTHER",
    }
}

/// The token counts. Those of reasoning are not in those of the answer.
fn usage(message: &BlockMessage) -> Option<Vec<u8>> {
    let (input, output, thought) = used(message)?;
    let answer = thought.as_ref().map_or_else(|| output.clone(), |thought| less(&output, thought));
    let json = Json::object().raw("promptTokenCount", &input).raw("candidatesTokenCount", &answer);
    let json = json.some("thoughtsTokenCount", thought.as_deref()).raw("totalTokenCount", &sum(&input, &output));
    let read = cached(message);
    Some(json.some("cachedContentTokenCount", Some(read.as_slice()).filter(|read| *read != b"0")).end())
}

/// A response, or a piece of one, with these parts.
fn response(message: &BlockMessage, serial: u64, parts: &[impl Made], stop: Option<Stop>) -> Vec<u8> {
    let candidate = |json: Json| {
        let json = json.object_in("content", |json| content(json, "model", parts));
        match stop {
            Some(stop) => json.word("finishReason", finish_reason(stop)).raw("index", b"0"),
            None => json.raw("index", b"0"),
        }
    };
    let room = parts.iter().map(|part| part.room() + 1).sum::<usize>() + 256;
    let json = Json::object_for(room).list_of("candidates", |list| list.object_of(candidate));
    let used = usage(message).filter(|_| stop.is_some());
    let json = json.some("usageMetadata", used.as_deref());
    let json = json.raw("modelVersion", message.get(Attribute::Model).unwrap_or(b"\"unknown\""));
    let id = message.get(Attribute::Id).map_or_else(|| format!("\"response-{serial}\"").into_bytes(), <[u8]>::to_vec);
    json.raw("responseId", &id).end()
}

/// An error in place of a response.
fn error(message: &BlockMessage) -> Vec<u8> {
    let error = Json::object().raw("code", b"500").text("message", &error_text(message)).word("status", "INTERNAL");
    Json::object().raw("error", &error.end()).end()
}

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Declared, "tools")),
    limit: Some("generationConfig/maxOutputTokens"),
    names: &[
        (RequestSetting::Temperature, "generationConfig/temperature"),
        (RequestSetting::TopP, "generationConfig/topP"),
        (RequestSetting::TopK, "generationConfig/topK"),
        (RequestSetting::Seed, "generationConfig/seed"),
        (RequestSetting::Frequency, "generationConfig/frequencyPenalty"),
        (RequestSetting::Presence, "generationConfig/presencePenalty"),
        (RequestSetting::Stop, "generationConfig/stopSequences"),
        (RequestSetting::Effort, "generationConfig/thinkingConfig/thinkingLevel"),
        (RequestSetting::Budget, "generationConfig/thinkingConfig/thinkingBudget"),
    ],
    efforts: &["minimal", "low", "medium", "high"],
    choice: Some((ChoiceStyle::Mode, "toolConfig/functionCallingConfig")),
    layout: Some((LayoutStyle::Media, "generationConfig/responseMimeType")),
    ..NO_SETTINGS
};

impl Writer for Gemini {
    fn has_messages(&self) -> bool {
        false
    }

    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut system = system_texts(head);
        // The results of the calls of one message stand in one message.
        let mut turns: Vec<(Role, Vec<WrittenJson>)> = Vec::new();
        for message in media_behind(answered(messages), Role::Tool, losses).iter() {
            losses.of(message);
            if is_system(message) {
                losses.extend((!turns.is_empty()).then_some(Loss::System));
                lost_parts(message, losses);
                system.extend(texts(message).into_iter().cloned());
                continue;
            }
            let mut parts = parts(message, losses);
            match turns.last_mut() {
                // A message without content is lost: the API refuses it.
                _ if parts.is_empty() => losses.extend(message.blocks.is_empty().then_some(Loss::Empty)),
                Some((Role::Tool, all)) if message.role == Role::Tool => all.append(&mut parts),
                _ => turns.push((message.role, parts)),
            }
        }
        system.retain(|text| !text.is_empty());
        let room = turns.iter().flat_map(|(_, parts)| parts).map(|part| part.room() + 64).sum();
        let mut json = Json::object_for(room).some("model", head.get(Attribute::Model));
        if !system.is_empty() {
            let part = |list: Json, text: &Leaf| list.object_of(|json| json.leaf("text", text));
            json = json
                .object_in("systemInstruction", |json| json.list_of("parts", |list| system.iter().fold(list, part)));
        }
        json = json.list_of("contents", |list| {
            turns.iter().fold(list, |list, (of, parts)| list.object_of(|json| content(json, role(*of), parts)))
        });
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let parts = parts(message, losses);
        losses.extend(message.get(Attribute::Created).map(|_| Loss::Parameter));
        Ok(response(message, serial, &parts, Some(message.stop())))
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", error(message)))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        let parts = parts(message, losses);
        if parts.is_empty() {
            losses.extend(message.blocks.is_empty().then_some(Loss::Empty));
            return Ok(Vec::new());
        }
        let role = if is_system(message) { "system" } else { role(message.role) };
        Ok(vec![content(Json::object(), role, &parts).written()])
    }

    fn signs_calls(&self) -> bool {
        true
    }

    fn begin(&self, stream: &mut Streamed, _out: &mut Values, losses: &mut Losses) {
        losses.extend(stream.message.get(Attribute::Created).map(|_| Loss::Parameter));
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let blocks = &stream.message.blocks;
        let lost = matches!(blocks[block].kind, ContentKind::Other(Other::Result | Other::Visible));
        losses.extend(lost.then_some(Loss::Part));
        // Readers join all pieces of the reasoning, whatever stands between them.
        if has_text(&blocks[block]) && blocks[..block].iter().any(has_text) {
            losses.push(Loss::Blocks);
            self.feed(stream, block, &b"\n"[..].into(), out, losses);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let json = Json::object_for(text.unshared() + 32).leaf("text", text);
        let part = match stream.message.blocks[block].kind {
            ContentKind::Text => json.end(),
            ContentKind::Reasoning => json.raw("thought", b"true").end(),
            // A call is a single part.
            ContentKind::Other(_) => return,
        };
        out.push(("", response(&stream.message, stream.serial, &[part], None)));
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let part = match found.kind {
            ContentKind::Reasoning => {
                let own = seal_of(found, GOOGLE);
                seals(found, own.is_some(), own.is_some(), losses);
                // Its call may still come.
                if named_seal(found).is_some() {
                    return;
                }
                if own.is_none() {
                    losses.extend((!found.fed && !is_sealed_only(found)).then_some(Loss::Empty));
                    return;
                }
                empty_thought(own)
            }
            ContentKind::Other(Other::Call) => {
                call(found, block, signature_before(&stream.message.blocks, block), losses)
            }
            ContentKind::Other(Other::Media) => match medium(found, losses, media) {
                Some(part) => part,
                None => return,
            },
            _ => return,
        };
        out.push(("", response(&stream.message, stream.serial, &[part], None)));
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        for seal in lone_seals(&stream.message.blocks) {
            out.push(("", response(&stream.message, stream.serial, &[empty_thought(Some(seal))], None)));
        }
        out.push((
            "",
            match stream.message.stop() {
                Stop::Error => error(&stream.message),
                stop => response(&stream.message, stream.serial, &[] as &[WrittenJson], Some(stop)),
            },
        ));
    }
}
