//! Writes messages for Ollama's own API.

use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, Time, WrittenJson};
use memchr::memmem;

/// The writer of requests, answers, and answers as lines.
pub(in crate::dialect) struct Ollama;

/// The end of an answer. The format has no word for one that calls tools.
fn done_reason(stop: Stop, losses: &mut Losses) -> &'static str {
    losses.extend(matches!(stop, Stop::Filter).then_some(Loss::Stop));
    if stop == Stop::Length { "length" } else { "stop" }
}

/// A call, whose arguments are an object.
fn call(block: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    let arguments = arguments_object(block, losses);
    let inner = Json::object().raw("name", &call_name(block)).raw("arguments", &arguments).end();
    Json::object().raw("id", &call_id(block, Attribute::CallId, at)).raw("function", &inner).end()
}

/// Writes what the assistant says: its text, its reasoning as one text, its calls.
fn answer(message: &BlockMessage, json: Json, losses: &mut Losses) -> Json {
    let thoughts: Vec<&Block> = message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning).collect();
    thoughts.iter().for_each(|block| seals(block, false, false, losses));
    let filled: Vec<&&Block> = thoughts.iter().filter(|block| !block.text.is_empty()).collect();
    let order = message.blocks.iter().skip_while(|block| block.kind == ContentKind::Reasoning);
    let late = order.filter(|block| block.kind == ContentKind::Reasoning && !block.text.is_empty());
    losses.push_each(late.map(|block| block.at), Loss::Order);
    losses.push_each(filled.iter().skip(1).map(|block| block.at), Loss::Blocks);
    // An empty text is left out, as the API does.
    losses.push_each(thoughts.iter().filter(|b| b.text.is_empty() && !is_sealed_only(b)).map(|b| b.at), Loss::Empty);
    let json = json.leaf("content", &joined_text(message, losses));
    let json = match filled.is_empty() {
        true => json,
        false => json.leaf("thinking", &Leaf::joined(filled.iter().map(|block| &block.text), b"\n")),
    };
    let calls: Vec<Vec<u8>> = others(message, Other::Call).enumerate().map(|(at, b)| call(b, at, losses)).collect();
    if calls.is_empty() { json } else { json.list_of("tool_calls", |list| list.items(&calls)) }
}

/// An image, of which the format has only the data.
fn image(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    media.lose_name(losses);
    let data = media.base64().filter(|_| media.form == Form::Image)?;
    let mut out = Vec::with_capacity(data.len() + 2);
    data.quote(&mut out);
    Some(out)
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
    let mut out = Vec::new();
    for (at, block) in others(message, Other::Result).enumerate() {
        let (text, lossy) = result_text(block);
        losses.inside(block.at, |losses| {
            losses.extend(lossy);
            losses.extend((block.get(Attribute::IsError) == Some(b"true")).then_some(Loss::Extra));
        });
        let json = Json::object().word("role", "tool").leaf("content", &text);
        let json = json.some("tool_name", block.filled(Attribute::Name));
        out.push(json.raw("tool_call_id", &call_id(block, Attribute::ResultOf, at)).written());
    }
    let image = |block: &Block| losses.inside(block.at, |losses| medium(block, losses, image));
    let images: Vec<Vec<u8>> = others(message, Other::Media).filter_map(image).collect();
    if out.is_empty() || !images.is_empty() || message.blocks.iter().any(|block| block.kind == ContentKind::Text) {
        let role = if is_system(message) { "system" } else { "user" };
        let json = Json::object().word("role", role).leaf("content", &one_text(message));
        let json = if images.is_empty() { json } else { json.list_of("images", |list| list.items(&images)) };
        out.push(json.written());
    }
    out
}

/// The time of a message by RFC 3339: the API's clients demand one.
fn created(message: &BlockMessage) -> String {
    message.get(Attribute::Created).and_then(Time::parse).unwrap_or(Time(0)).to_string()
}

/// JSON on a line, without the line and paragraph separators of Unicode: clients that read lines end one there, and the
/// API escapes them.
fn on_a_line(value: Vec<u8>) -> Vec<u8> {
    if memmem::find(&value, &SEPARATORS).is_none() {
        return value;
    }
    let (mut out, mut rest) = (Vec::with_capacity(value.len() + 16), value.as_slice());
    while let Some(at) = memmem::find(rest, &SEPARATORS) {
        out.extend_from_slice(&rest[..at]);
        let word: &[u8] = match rest.get(at + 2) {
            Some(0xa8) => b"\\u2028",
            Some(0xa9) => b"\\u2029",
            _ => &rest[at..rest.len().min(at + 3)],
        };
        out.extend_from_slice(word);
        rest = &rest[rest.len().min(at + 3)..];
    }
    out.extend_from_slice(rest);
    out
}

/// What both begin with.
const SEPARATORS: [u8; 2] = [0xe2, 0x80];

/// A record of an answer; `over`: it is the last one.
fn record(message: &BlockMessage, inner: impl FnOnce(Json) -> Json, over: Option<&str>) -> Vec<u8> {
    let json = Json::object().raw("model", message.get(Attribute::Model).unwrap_or(b"\"unknown\""));
    let json = json.word("created_at", &created(message)).object_in("message", inner);
    let Some(reason) = over else { return on_a_line(json.raw("done", b"false").end()) };
    let json = json.raw("done", b"true").word("done_reason", reason);
    on_a_line(match used(message) {
        Some((input, output, _)) => json.raw("prompt_eval_count", &input).raw("eval_count", &output).end(),
        None => json.end(),
    })
}

/// What no answer has a place for.
fn lost_facts(message: &BlockMessage, losses: &mut Losses) {
    losses.extend(message.get(Attribute::Id).map(|_| Loss::Parameter));
}

fn error(message: &BlockMessage) -> Vec<u8> {
    Json::object().text("error", &error_text(message)).end()
}

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Function, "tools")),
    limit: Some("options/num_predict"),
    names: &[
        (RequestSetting::Temperature, "options/temperature"),
        (RequestSetting::TopP, "options/top_p"),
        (RequestSetting::TopK, "options/top_k"),
        (RequestSetting::Seed, "options/seed"),
        (RequestSetting::Frequency, "options/frequency_penalty"),
        (RequestSetting::Presence, "options/presence_penalty"),
        (RequestSetting::Stop, "options/stop"),
        (RequestSetting::Effort, "think"),
    ],
    efforts: &["low", "medium", "high"],
    layout: Some((LayoutStyle::Bare, "format")),
    beside: &["stream"],
    ..NO_SETTINGS
};

impl Writer for Ollama {
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

    fn response(&self, message: &BlockMessage, _serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        lost_parts(message, losses);
        lost_facts(message, losses);
        let reason = done_reason(message.stop(), losses);
        Ok(record(message, |json| answer(message, json.word("role", "assistant"), losses), Some(reason)))
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(("", error(message)))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        Ok(messages(message, losses))
    }

    fn begin(&self, stream: &mut Streamed, _out: &mut Values, losses: &mut Losses) {
        lost_facts(&stream.message, losses);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let blocks = &stream.message.blocks;
        match blocks[block].kind {
            ContentKind::Other(Other::Media) => losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible) => losses.push(Loss::Part),
            // Readers join all pieces of the reasoning, whatever stands between them.
            ContentKind::Reasoning if blocks[block].fed && blocks[..block].iter().any(has_text) => {
                losses.push(Loss::Blocks);
                self.feed(stream, block, &b"\n"[..].into(), out, losses);
            }
            _ => (),
        }
    }

    /// Separators in a text are escaped.
    fn feeds_as_it_is(&self, _block: &Block) -> bool {
        false
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let kind = stream.message.blocks[block].kind;
        let inner = |json: Json| match kind {
            ContentKind::Reasoning => json.word("role", "assistant").word("content", "").leaf("thinking", text),
            _ => json.word("role", "assistant").leaf("content", text),
        };
        // A call is written whole.
        if !matches!(kind, ContentKind::Other(_)) {
            out.push(("", record(&stream.message, inner, None)));
        }
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        match found.kind {
            ContentKind::Reasoning => {
                seals(found, false, false, losses);
                losses.extend((!found.fed && !is_sealed_only(found)).then_some(Loss::Empty));
            }
            ContentKind::Other(Other::Call) => {
                let calls = [call(found, block, losses)];
                let inner = |json: Json| {
                    let json = json.word("role", "assistant").word("content", "");
                    json.list_of("tool_calls", |list| list.items(&calls))
                };
                out.push(("", record(&stream.message, inner, None)));
            }
            _ => (),
        }
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let stop = stream.message.stop();
        if stop == Stop::Error {
            return out.push(("", error(&stream.message)));
        }
        let inner = |json: Json| json.word("role", "assistant").word("content", "");
        let reason = done_reason(stop, losses);
        out.push(("", record(&stream.message, inner, Some(reason))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_end_no_line() {
        for (value, want) in [
            ("{\"a\":\"b\"}", "{\"a\":\"b\"}"),
            ("\"\u{2028}b\u{2029}\"", "\"\\u2028b\\u2029\""),
            ("\"\u{2014}\u{2026}\u{2028}\u{3000}\"", "\"\u{2014}\u{2026}\\u2028\u{3000}\""),
        ] {
            assert_eq!(String::from_utf8(on_a_line(value.into())).unwrap(), want);
        }
    }

    #[test]
    fn times_are_dates() {
        for (seconds, want) in [
            (None, "1970-01-01T00:00:00Z"),
            (Some("0"), "1970-01-01T00:00:00Z"),
            (Some("1785578400"), "2026-08-01T10:00:00Z"),
            (Some("1785578400.5"), "2026-08-01T10:00:00Z"),
        ] {
            let mut message = BlockMessage::new(Role::Assistant);
            message.facts.extend(seconds.map(|seconds| (Attribute::Created, seconds.into())));
            assert_eq!(created(&message), want, "{seconds:?}");
        }
    }
}
