//! Writes messages as Mistral's chat.

use crate::dialect::formats::chat::write::{Chat, envelope, usage};
use crate::dialect::formats::write::*;
use crate::json::text::decoded;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, WrittenJson, fnv};

/// The writer of requests, responses and chunks.
pub(in crate::dialect) struct Mistral;

/// The end of an answer. The format has no word for a filter.
fn finish_reason(stop: Stop, losses: &mut Losses) -> &'static str {
    losses.extend((stop == Stop::Filter).then_some(Loss::Stop));
    match stop {
        Stop::End | Stop::Filter => "stop",
        Stop::Calls => "tool_calls",
        Stop::Length => "length",
        Stop::Error => "error",
    }
}

/// How many letters and digits an identifier of a call has: the API refuses any other.
const ID_LEN: usize = 9;

/// The identifier of a call, or of the call that a result answers. One of another form becomes one of this form, and the same
/// one wherever it stands; `at` is the number of the block, if it has none.
fn id(block: &Block, name: Attribute, at: usize) -> Vec<u8> {
    const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let own = call_id(block, name, at);
    if is_short(&own) {
        return own;
    }
    let text = match &own[..] {
        [b'"', text @ .., b'"'] => decoded(text),
        _ => own,
    };
    let hash = text.iter().fold(fnv::BASIS, |hash, b| fnv::with(hash, *b));
    let digits = std::iter::successors(Some(hash ^ hash >> 32), |rest| Some(rest / 62)).take(ID_LEN);
    let mut out = vec![b'"'];
    out.extend(digits.map(|rest| LETTERS[(rest % 62) as usize]));
    out.push(b'"');
    out
}

/// Whether a value is an identifier that the API takes.
fn is_short(value: &[u8]) -> bool {
    matches!(value, [b'"', text @ .., b'"'] if text.len() == ID_LEN && text.iter().all(u8::is_ascii_alphanumeric))
}

/// A part of reasoning.
fn thought(json: Json, text: &Leaf) -> Json {
    let inner = |list: Json| list.object_of(|json| json.word("type", "text").leaf("text", text));
    json.word("type", "thinking").list_of("thinking", inner)
}

/// A part of what the assistant says.
fn part(block: &Block, losses: &mut Losses) -> Option<WrittenJson> {
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => Some(Json::object().word("type", "text").leaf("text", &block.text).written()),
        ContentKind::Reasoning => {
            seals(block, false, false, losses);
            losses.extend((block.text.is_empty() && !is_sealed_only(block)).then_some(Loss::Empty));
            (!block.text.is_empty()).then(|| thought(Json::object(), &block.text).written())
        }
        ContentKind::Other(_) => None,
    }
}

/// A call, whose arguments are a text; `at`: its number.
fn call(json: Json, block: &Block, at: usize, losses: &mut Losses) -> Json {
    let inner = Json::object().raw("name", &call_name(block)).leaf("arguments", &arguments_of_function(block, losses));
    let renamed = block.filled(Attribute::CallId).is_some_and(|id| !is_short(id));
    losses.push_each(renamed.then_some(block.at).into_iter(), Loss::Extra);
    let json = json.raw("id", &id(block, Attribute::CallId, at)).word("type", "function");
    json.raw("function", &inner.end())
}

/// Writes what the assistant says: a text, or a list of texts and reasoning in order; its calls.
fn answer(message: &BlockMessage, json: Json, losses: &mut Losses) -> Json {
    let thinks = message.blocks.iter().any(|block| block.kind == ContentKind::Reasoning);
    let one = |block: &Block| losses.inside(block.at, |losses| part(block, losses));
    let parts: Vec<WrittenJson> = message.blocks.iter().filter_map(one).collect();
    let json = match thinks && !parts.is_empty() {
        true => json.list_of("content", |list| list.items(&parts)),
        false => json.leaf("content", &joined_text(message, losses)),
    };
    lost_order(message, losses);
    let one = |(at, block): (usize, &Block)| call(Json::object(), block, at, losses).end();
    let calls: Vec<Vec<u8>> = others(message, Other::Call).enumerate().map(one).collect();
    if calls.is_empty() { json } else { json.list_of("tool_calls", |list| list.items(&calls)) }
}

/// The result of a call, as a message.
fn result(block: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    tool_message_for(block, &id(block, Attribute::ResultOf, at), losses)
}

/// An image, a document or a sound.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    let json = Json::object();
    match media.form {
        Form::Image => chat_part(media, losses),
        Form::Document => {
            let json = json.word("type", "document_url").leaf("document_url", &media.data_url()?);
            Some(match &media.name {
                Some(name) => json.leaf("document_name", name).end(),
                None => json.end(),
            })
        }
        Form::Sound => Some(json.word("type", "input_audio").leaf("input_audio", media.base64()?).end()),
        Form::Film => None,
    }
}

/// The messages that one message becomes: each result of a call is a message of its own.
fn messages(message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
    losses.of(message);
    lost_by_user(message, losses);
    if message.is_foreign() {
        return Vec::new();
    }
    if message.role == Role::Assistant {
        return vec![answer(message, Json::object().word("role", "assistant"), losses).written()];
    }
    let thoughts = message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning);
    losses.push_each(thoughts.map(|block| block.at), Loss::Part);
    let results = others(message, Other::Result).enumerate();
    let mut out: Vec<WrittenJson> = results.map(|(at, block)| result(block, at, losses).into()).collect();
    let parts = mixed_parts(message, "text", media, losses);
    if out.is_empty() || parts.is_some() || message.blocks.iter().any(|block| block.kind == ContentKind::Text) {
        let role = if is_system(message) { "system" } else { "user" };
        out.push(said(message, role, parts));
    }
    out
}

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Function, "tools")),
    names: &[
        (RequestSetting::Temperature, "temperature"),
        (RequestSetting::TopP, "top_p"),
        (RequestSetting::Seed, "random_seed"),
        (RequestSetting::Frequency, "frequency_penalty"),
        (RequestSetting::Presence, "presence_penalty"),
        (RequestSetting::Stop, "stop"),
        (RequestSetting::Parallel, "parallel_tool_calls"),
    ],
    choice: Some((ChoiceStyle::NestedAny, "tool_choice")),
    layout: Some((LayoutStyle::Nested, "response_format")),
    beside: &["stream", "metadata", "n", "prediction"],
    own: &["safe_prompt", "prompt_mode"],
    ..NO_SETTINGS
};

impl Writer for Mistral {
    fn restates(&self) -> bool {
        false
    }

    fn request(&self, head: &RecordHead, all: &[BlockMessage], losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let json = conversation((head, all), losses, messages);
        let json = json.some("max_tokens", head.get(Attribute::Limit));
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        lost_parts(message, losses);
        let reason = finish_reason(message.stop(), losses);
        let inner = |json: Json| answer(message, json.word("role", "assistant"), losses);
        let choice = Json::object().number("index", 0).object_in("message", inner).word("finish_reason", reason).end();
        let json = envelope(message, (serial, "chat.completion"), choice.len() + 512);
        Ok(json.list_of("choices", |list| list.item(&choice)).some("usage", usage(message).as_deref()).end())
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", Chat::error(message)))
    }

    fn batch(&self, key: &[u8], value: &[u8], request: bool) -> Option<Vec<u8>> {
        Some(openai_batch(key, value, request, "/v1/chat/completions"))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(messages(message, losses))
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        Chat::chunk(stream, &Json::object().word("role", "assistant").word("content", "").end(), None, out);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let blocks = &stream.message.blocks;
        match blocks[block].kind {
            ContentKind::Other(Other::Media) => losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible) => losses.push(Loss::Part),
            // Readers join pieces of reasoning with nothing between them, whatever stands there.
            ContentKind::Reasoning if blocks[block].fed && blocks[..block].iter().any(has_text) => {
                losses.push(Loss::Blocks);
                self.feed(stream, block, &b"\n"[..].into(), out, losses);
            }
            _ => (),
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let json = Json::object_for(text.unshared() + 96);
        let delta = match stream.message.blocks[block].kind {
            ContentKind::Text => json.leaf("content", text),
            ContentKind::Reasoning => json.list_of("content", |list| list.object_of(|json| thought(json, text))),
            // A call is written whole.
            ContentKind::Other(_) => return,
        };
        Chat::chunk(stream, &delta.end(), None, out);
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        match found.kind {
            ContentKind::Reasoning => {
                seals(found, false, false, losses);
                losses.extend((!found.fed && !is_sealed_only(found)).then_some(Loss::Empty));
            }
            ContentKind::Other(Other::Call) => {
                let number = stream.place(block);
                let found = &stream.message.blocks[block];
                let one = |json: Json| call(json.number("index", number), found, block, losses);
                let delta = Json::object().list_of("tool_calls", |list| list.object_of(one)).end();
                Chat::chunk(stream, &delta, None, out);
            }
            _ => (),
        }
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let stop = stream.message.stop();
        if stop == Stop::Error {
            return out.push(("", Chat::error(&stream.message)));
        }
        let reason = finish_reason(stop, losses);
        let choice = |json: Json| json.number("index", 0).raw("delta", b"{}").word("finish_reason", reason);
        let json = envelope(&stream.message, (stream.serial, "chat.completion.chunk"), 512);
        let json = json.list_of("choices", |list| list.object_of(choice));
        out.push(("", json.some("usage", usage(&stream.message).as_deref()).end()));
        out.push(("", b"[DONE]".to_vec()));
    }
}
