//! Writes messages as Anthropic Messages.

use super::ciphertext::once_encoded;
use crate::dialect::formats::write::*;
use crate::dialect::shape::matches;
use crate::json::text::decoded;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson};

/// The writer of requests, responses and events.
pub(in crate::dialect) struct Anthropic;

/// Adds a block of a message to a list, if the format has a type for it; `at`: its number.
fn part(list: Json, (block, at): (&Block, usize), losses: &mut Losses) -> Json {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => list,
        ContentKind::Text => list.object_of(|json| json.word("type", "text").leaf("text", &block.text)),
        ContentKind::Reasoning => thought(list, block, losses),
        ContentKind::Other(Other::Call) => {
            let input = arguments_object(block, losses);
            let id = plain_call_id(block, Attribute::CallId, at);
            let call = |json: Json| json.word("type", "tool_use").raw("id", &id).raw("name", &call_name(block));
            list.object_of(|json| call(json).raw("input", &input))
        }
        ContentKind::Other(Other::Result) => list.object_of(|json| result(json, (block, at), losses)),
        ContentKind::Other(Other::Media) => match medium(block, losses, media) {
            Some(medium) => list.item(&medium),
            None => list,
        },
        ContentKind::Other(_) => list,
    }
}

/// Writes the members of a result; `at`: its number.
fn result(json: Json, (block, at): (&Block, usize), losses: &mut Losses) -> Json {
    let id = plain_call_id(block, Attribute::ResultOf, at);
    let json = json.word("type", "tool_result").raw("tool_use_id", &id);
    let of_text = |text: &Leaf| Json::object().word("type", "text").leaf("text", text).end();
    let json = match result_media(block, losses, of_text, media) {
        Some(parts) => json.list_of("content", |list| list.items(&parts)),
        None => match result_parts(block, losses) {
            Some(parts) => json.raw("content", &parts),
            None => {
                let (text, lossy) = result_text(block);
                losses.extend(lossy);
                json.leaf("content", &text)
            }
        },
    };
    json.some("is_error", block.get(Attribute::IsError).filter(|value| *value == b"true"))
}

/// Where the settings of a request stand. Of what a program notes about it, the API takes the user's identifier.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Schema, "tools")),
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "top_p"),
        (RequestSetting::TopK, "top_k"),
        (RequestSetting::Stop, "stop_sequences"),
        (RequestSetting::Effort, "output_config/effort"),
        (RequestSetting::Budget, "thinking/budget_tokens"),
        (RequestSetting::Mode, "thinking"),
        (RequestSetting::User, "metadata/user_id"),
    ],
    efforts: &["low", "medium", "high", "xhigh"],
    least_budget: Some(1024),
    choice: Some((ChoiceStyle::Typed, "tool_choice")),
    layout: Some((LayoutStyle::Closed, "output_config/format")),
    beside: &["stream"],
    own: &["container", "context_management"],
    ..NO_SETTINGS
};

/// The types of images that the API takes.
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// An image, or a document: PDF, or plain text.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    let (kind, known) = match media.form {
        Form::Image => ("image", IMAGES.iter().any(|mime| mime.as_bytes() == media.mime)),
        Form::Document => ("document", media.mime == b"application/pdf"),
        Form::Sound | Form::Film => return None,
    };
    let source = match &media.data {
        Data::Base64(data) if known => {
            Json::object().word("type", "base64").text("media_type", &media.mime).leaf("data", data)
        }
        Data::Url(url) => Json::object().word("type", "url").leaf("url", url),
        Data::Text(text) => Json::object().word("type", "text").word("media_type", "text/plain").leaf("data", text),
        Data::Base64(_) => return None,
    };
    let json = Json::object().word("type", kind).raw("source", &source.end());
    if let (Some(name), "document") = (&media.name, kind) {
        return Some(json.leaf("title", name).end());
    }
    media.lose_name(losses);
    Some(json.end())
}

/// What says that this provider has made a signature or a ciphertext: the format in an object of OpenRouter's details,
/// and the key under which LiteLLM has the blocks as they came.
const OWN: &[&str] = &["anthropic*", "thinking_blocks"];

/// Whether a signature or a ciphertext of a block would be this provider's.
pub(in crate::dialect) fn is_own(block: &Block) -> bool {
    match block.filled(Attribute::SealedBy) {
        Some(by) => matches(&decoded(&by[1..by.len() - 1]), OWN),
        None => block.source == "part",
    }
}

/// Adds a block of reasoning to a list. Signatures and ciphertexts of other providers are left out: they mean nothing here.
fn thought(list: Json, block: &Block, losses: &mut Losses) -> Json {
    let own = is_own(block);
    // A block has a text and its signature, or a ciphertext.
    let data = block.filled(Attribute::Ciphertext).filter(|_| own && block.text.is_empty());
    seals(block, own && data.is_none(), data.is_some(), losses);
    if let Some(data) = data {
        return list.object_of(|json| json.word("type", "redacted_thinking").raw("data", &once_encoded(data)));
    }
    let signature = block.filled(Attribute::Signature).filter(|_| own);
    if block.text.is_empty() && signature.is_none() && !own {
        losses.extend((!is_sealed_only(block)).then_some(Loss::Empty));
        return list;
    }
    losses.extend(signature.is_none().then_some(Loss::Unsigned));
    let signature = signature.unwrap_or(b"\"\"");
    list.object_of(|json| json.word("type", "thinking").leaf("thinking", &block.text).raw("signature", signature))
}

/// Adds the blocks of a message to a list.
fn parts(list: Json, message: &BlockMessage, losses: &mut Losses) -> Json {
    lost_by_user(message, losses);
    let own = message.role == Role::Assistant;
    // Results stand before the user's text.
    let of = |results: bool| {
        message.blocks.iter().filter(move |block| (block.kind == ContentKind::Other(Other::Result)) == results)
    };
    let told = own || media_in_results(message);
    let stays = |block: &&Block| !told || block.kind != ContentKind::Other(Other::Media);
    let room = message.blocks.iter().map(|block| block.text.len() + PART_BYTES).sum();
    of(true).chain(of(false)).filter(stays).enumerate().fold(list.with_room(room), |list, (at, block)| {
        losses.inside(block.at, |losses| part(list, (block, at), losses))
    })
}

/// About how many bytes a part has besides its text.
const PART_BYTES: usize = 64;

fn role(role: Role) -> &'static str {
    if role == Role::Assistant { "assistant" } else { "user" }
}

fn stop_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "end_turn",
        Stop::Calls => "tool_use",
        Stop::Length => "max_tokens",
        Stop::Filter => "refusal",
        Stop::Error => "error",
    }
}

/// The token usage. Tokens in a cache are counted separately.
fn usage(message: &BlockMessage) -> Vec<u8> {
    let (input, output, thought) = used(message).unwrap_or_else(|| (b"0".to_vec(), b"0".to_vec(), None));
    let (read, write) = (cached(message), message.get(Attribute::CacheWrite).unwrap_or(b"0"));
    let mut json = Json::object().raw("input_tokens", &less(&less(&input, &read), write));
    if read != b"0" || write != b"0" {
        json = json.raw("cache_creation_input_tokens", write).raw("cache_read_input_tokens", &read);
    }
    let details = thought.map(|thought| Json::object().raw("thinking_tokens", &thought).end());
    json.raw("output_tokens", &output).some("output_tokens_details", details.as_deref()).end()
}

/// The instructions of a request. If they have several parts, they keep them.
fn instructions(system: &[Vec<Leaf>]) -> Option<Vec<u8>> {
    let all: Vec<Leaf> = system.iter().flatten().filter(|text| !text.is_empty()).cloned().collect();
    if all.is_empty() {
        return None;
    }
    let in_parts = system.iter().any(|texts| texts.len() > 1);
    if in_parts {
        return Some(text_parts(&all));
    }
    let mut out = Vec::new();
    Leaf::joined(&all, b"\n").quote(&mut out);
    Some(out)
}

/// A response, without its content.
fn envelope(message: &BlockMessage, serial: u64) -> Json {
    let id = message.get(Attribute::Id).map_or_else(|| format!("\"msg_{serial}\"").into_bytes(), <[u8]>::to_vec);
    let json = Json::object().raw("id", &id).word("type", "message").word("role", "assistant");
    json.raw("model", message.get(Attribute::Model).unwrap_or(b"\"unknown\""))
}

/// An error, as the event that it is.
fn error(message: &BlockMessage) -> (&'static str, Vec<u8>) {
    let error = Json::object().word("type", "api_error").text("message", &error_text(message)).end();
    ("error", Json::object().word("type", "error").raw("error", &error).end())
}

impl Writer for Anthropic {
    fn names_messages(&self) -> bool {
        false
    }

    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, messages: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let mut system = vec![system_texts(head)];
        // Turns alternate: consecutive messages of the user and of tools are merged into one.
        let mut turns: Vec<(&'static str, Json)> = Vec::new();
        for message in answered(messages).iter() {
            losses.of(message);
            if is_system(message) {
                losses.extend((!turns.is_empty()).then_some(Loss::System));
                lost_parts(message, losses);
                system.push(texts(message).into_iter().cloned().collect());
                continue;
            }
            let (role, found) = (role(message.role), without_blanks(message, losses));
            let (turn, list) = match turns.pop() {
                Some((last, list)) if last == role && role == "user" => (last, list),
                last => {
                    turns.extend(last);
                    (role, Json::list())
                }
            };
            let before = list.room();
            let list = parts(list, &found, losses);
            // A message without content is lost: the API refuses it.
            losses.extend((list.room() == before && message.blocks.is_empty()).then_some(Loss::Empty));
            turns.extend((!list.is_empty()).then_some((turn, list)));
        }
        let room = turns.iter().map(|(_, list)| PART_BYTES + list.room()).sum();
        let mut json = Json::object_for(room).some("model", head.get(Attribute::Model));
        let asks = is_request(head) || head.get(Attribute::Addressed).is_some();
        if let Some(limit) = head.get(Attribute::Limit).or(asks.then_some(DEFAULT_LIMIT)) {
            json = json.raw("max_tokens", limit);
        }
        json = json.some("system", instructions(&system).as_deref());
        json = json.list_of("messages", |all| {
            let turn = |all: Json, (role, list): (&str, Json)| {
                all.object_of(|turn| turn.word("role", role).value("content", &list.written()))
            };
            turns.into_iter().fold(all, turn)
        });
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let json = envelope(message, serial).list_of("content", |list| parts(list, message, losses));
        losses.extend(message.get(Attribute::Created).map(|_| Loss::Parameter));
        let json = json.word("stop_reason", stop_reason(message.stop())).raw("stop_sequence", b"null");
        Ok(json.raw("usage", &usage(message)).end())
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(error(message))
    }

    fn batch(&self, key: &[u8], value: &[u8], request: bool) -> Option<Vec<u8>> {
        let json = Json::object().raw("custom_id", key);
        if request {
            return Some(json.raw("params", value).end());
        }
        let result = Json::object().word("type", "succeeded").raw("message", value).end();
        Some(json.raw("result", &result).end())
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        let role = if is_system(message) { "system" } else { role(message.role) };
        let found = without_blanks(message, losses);
        let json = Json::object().word("role", role).list_of("content", |list| parts(list, &found, losses));
        Ok(if message.is_foreign() { Vec::new() } else { vec![json.written()] })
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let message = &stream.message;
        losses.extend(message.get(Attribute::Created).map(|_| Loss::Parameter));
        let inner = envelope(message, stream.serial).raw("content", b"[]").raw("stop_reason", b"null");
        let inner = inner.raw("stop_sequence", b"null").raw("usage", &usage(message)).end();
        out.push(("message_start", Json::object().word("type", "message_start").raw("message", &inner).end()));
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let part = match found.kind {
            ContentKind::Text => br#"{"type":"text","text":""}"#.to_vec(),
            // A signature or ciphertext of another provider means nothing without its text.
            ContentKind::Reasoning if !is_own(found) && !found.fed => {
                losses.extend((!is_sealed_only(found)).then_some(Loss::Empty));
                return seals(found, false, false, losses);
            }
            ContentKind::Reasoning => {
                let redacted = found.text.is_empty() && is_own(found);
                match found.filled(Attribute::Ciphertext).filter(|_| redacted) {
                    Some(data) => {
                        Json::object().word("type", "redacted_thinking").raw("data", &once_encoded(data)).end()
                    }
                    None => br#"{"type":"thinking","thinking":"","signature":""}"#.to_vec(),
                }
            }
            ContentKind::Other(Other::Call) => {
                let id = plain_call_id(found, Attribute::CallId, block);
                let json = Json::object().word("type", "tool_use").raw("id", &id);
                json.raw("name", &call_name(found)).raw("input", b"{}").end()
            }
            ContentKind::Other(Other::Media) => return losses.push(Loss::Media),
            ContentKind::Other(_) => return losses.push(Loss::Part),
        };
        let index = stream.place(block).to_string();
        let json = Json::object().word("type", "content_block_start").raw("index", index.as_bytes());
        out.push(("content_block_start", json.raw("content_block", &part).end()));
        let found = &stream.message.blocks[block];
        if let Some(arguments) = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{')) {
            let text = arguments.into();
            self.feed(stream, block, &text, out, losses);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let Some(index) = stream.placed(block) else { return };
        let (kind, key) = match stream.message.blocks[block].kind {
            ContentKind::Text => ("text_delta", "text"),
            ContentKind::Reasoning => ("thinking_delta", "thinking"),
            // Arguments that are not an object are written when they are complete.
            ContentKind::Other(_) if !is_object(&stream.message.blocks[block]) => return,
            ContentKind::Other(_) => ("input_json_delta", "partial_json"),
        };
        delta(index, text.len(), |inner| inner.word("type", kind).leaf(key, text), out);
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let Some(index) = stream.placed(block) else { return };
        let found = &stream.message.blocks[block];
        let own = is_own(found);
        let silent = found.text.is_blank() && found.get(Attribute::Arguments).is_none();
        if found.kind == ContentKind::Other(Other::Call) && !is_object(found) && !silent {
            let whole = arguments_object(found, losses);
            let inner = |inner: Json| inner.word("type", "input_json_delta").text("partial_json", &whole);
            delta(index, whole.len(), inner, out);
        } else if found.kind == ContentKind::Other(Other::Call) && arguments_value(found).is_none() && !silent {
            // Arguments that are cut off were written as they came, as the API does: its clients read partial JSON.
            losses.push(Loss::Arguments);
        }
        if found.kind == ContentKind::Reasoning {
            seals(found, own, own && !found.fed, losses);
            let redacted = own && !found.fed && found.filled(Attribute::Ciphertext).is_some();
            let signed = own && found.filled(Attribute::Signature).is_some();
            losses.extend((!signed && !redacted).then_some(Loss::Unsigned));
        }
        if let Some(signature) =
            found.filled(Attribute::Signature).filter(|_| own && found.kind == ContentKind::Reasoning)
        {
            let inner = |inner: Json| inner.word("type", "signature_delta").raw("signature", signature);
            delta(index, signature.len(), inner, out);
        }
        let json = Json::object().word("type", "content_block_stop").raw("index", index.to_string().as_bytes());
        out.push(("content_block_stop", json.end()));
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        if stream.message.stop() == Stop::Error {
            return out.push(error(&stream.message));
        }
        let inner = Json::object().word("stop_reason", stop_reason(stream.message.stop()));
        let inner = inner.raw("stop_sequence", b"null").end();
        let json = Json::object().word("type", "message_delta").raw("delta", &inner);
        let json = json.raw("usage", &usage(&stream.message));
        out.push(("message_delta", json.end()));
        out.push(("message_stop", br#"{"type":"message_stop"}"#.to_vec()));
    }
}

/// Whether the arguments of a call begin with a JSON object.
fn is_object(call: &Block) -> bool {
    let text = call.text.decoded();
    let own = call.get(Attribute::Arguments).unwrap_or(&text);
    !is_free(call) && own.trim_ascii_start().first() == Some(&b'{')
}

/// Writes a delta of a block; `len`: about how many bytes `fill` writes.
fn delta(index: usize, len: usize, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    let json = Json::object_for(len + len / 8 + 128).word("type", "content_block_delta");
    let json = json.number("index", index).object_in("delta", fill);
    out.push(("content_block_delta", json.end()));
}
