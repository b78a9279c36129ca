//! Writes messages as Gemini Interactions.

use crate::dialect::formats::write::*;
use crate::model::content::{
    Attribute, Block, BlockMessage, ContentKind, Other, RecordHead, Stop, Streamed, Unwritten, Values, Writer,
};
use crate::model::{Leaf, Loss, Losses, Role, Time, WrittenJson};

/// The writer of requests, interactions and events.
pub(in crate::dialect) struct Interactions;

/// Where the settings of a request stand.
const SETTINGS: RequestSettings = RequestSettings {
    tools: Some((Tools::Typed, "tools")),
    limit: Some("generation_config/max_output_tokens"),
    names: &[
        (RequestSetting::Temperature, "generation_config/temperature"),
        (RequestSetting::TopP, "generation_config/top_p"),
        (RequestSetting::Seed, "generation_config/seed"),
        (RequestSetting::Stop, "generation_config/stop_sequences"),
        (RequestSetting::Effort, "generation_config/thinking_level"),
    ],
    efforts: &["minimal", "low", "medium", "high"],
    choice: Some((ChoiceStyle::Allowed, "generation_config/tool_choice")),
    layout: Some((LayoutStyle::MediaFormat, "response_mime_type")),
    beside: &["stream"],
    ..NO_SETTINGS
};

/// A part of what a step says.
fn text_part(json: Json, text: &Leaf) -> Json {
    json.word("type", "text").leaf("text", text)
}

/// An image, a document, a sound or a film, with its data or by its address.
fn media(media: &Media, losses: &mut Losses) -> Option<Vec<u8>> {
    media.lose_name(losses);
    let kind = match media.form {
        Form::Image => "image",
        Form::Document => "document",
        Form::Sound => "audio",
        Form::Film => "video",
    };
    let json = Json::object().word("type", kind);
    let json = if media.mime.is_empty() { json } else { json.text("mime_type", &media.mime) };
    match &media.data {
        Data::Base64(data) if !media.mime.is_empty() => Some(json.leaf("data", data).end()),
        Data::Url(url) => Some(json.leaf("uri", url).end()),
        _ => None,
    }
}

/// A step of the model, or the result of a call; `at`: the number of its block.
fn step(block: &Block, at: usize, losses: &mut Losses) -> Option<WrittenJson> {
    let json = Json::object();
    match block.kind {
        ContentKind::Text if block.text.is_empty() => None,
        ContentKind::Text => {
            let part = |list: Json| list.object_of(|json| text_part(json, &block.text));
            Some(json.word("type", "model_output").list_of("content", part).written())
        }
        ContentKind::Reasoning => {
            let own = seal_of(block, GOOGLE);
            seals(block, own.is_some(), own.is_some(), losses);
            if block.text.is_empty() && own.is_none() {
                losses.extend((!is_sealed_only(block)).then_some(Loss::Empty));
                return None;
            }
            let json = json.word("type", "thought").some("signature", own);
            let part = |list: Json| match block.text.is_empty() {
                true => list,
                false => list.object_of(|json| text_part(json, &block.text)),
            };
            Some(json.list_of("summary", part).written())
        }
        ContentKind::Other(Other::Call) => Some(call(block, at, Some(&arguments_object(block, losses))).into()),
        ContentKind::Other(Other::Result) => Some(result(block, at, losses).into()),
        ContentKind::Other(Other::Media) => {
            let part = medium(block, losses, media)?;
            Some(json.word("type", "model_output").list_of("content", |list| list.item(&part)).written())
        }
        ContentKind::Other(Other::Visible | Other::Step) => None,
    }
}

/// A call of a function; without arguments, if they come later.
fn call(block: &Block, at: usize, arguments: Option<&[u8]>) -> Vec<u8> {
    let json = Json::object().word("type", "function_call").raw("id", &call_id(block, Attribute::CallId, at));
    json.raw("name", &call_name(block)).raw("arguments", arguments.unwrap_or(b"{}")).end()
}

/// The result of a call: an object, or a text.
fn result(block: &Block, at: usize, losses: &mut Losses) -> Vec<u8> {
    let json = Json::object().word("type", "function_result");
    let json = json.raw("call_id", &call_id(block, Attribute::ResultOf, at));
    let json = json.some("name", block.filled(Attribute::Name));
    let json = match result_value(block).filter(|value| value.starts_with(b"{")) {
        Some(value) if wrapped_text(value).is_none() => json.raw("result", value),
        _ => {
            let (text, lossy) = result_text(block);
            losses.extend(lossy);
            json.leaf("result", &text)
        }
    };
    json.some("is_error", block.get(Attribute::IsError).filter(|value| *value == b"true")).end()
}

/// The steps of a message. What the user says is one step, behind the results of calls.
fn steps(message: &BlockMessage, losses: &mut Losses) -> Vec<WrittenJson> {
    losses.of(message);
    lost_others(message, losses);
    let own = message.role == Role::Assistant;
    let said = |block: &Block| matches!(block.kind, ContentKind::Text | ContentKind::Other(Other::Media));
    let mut out: Vec<WrittenJson> = Vec::new();
    for (at, block) in message.blocks.iter().enumerate().filter(|(_, block)| own || !said(block)) {
        out.extend(losses.inside(block.at, |losses| step(block, at, losses)));
    }
    let part = |block: &Block| match block.kind {
        ContentKind::Text if !block.text.is_empty() => Some(text_part(Json::object(), &block.text).written()),
        ContentKind::Other(Other::Media) => {
            losses.inside(block.at, |losses| medium(block, losses, media)).map(WrittenJson::from)
        }
        _ => None,
    };
    let parts: Vec<WrittenJson> = message.blocks.iter().filter(|_| !own).filter_map(part).collect();
    if !parts.is_empty() {
        out.push(Json::object().word("type", "user_input").list_of("content", |list| list.items(&parts)).written());
    }
    losses.extend(message.blocks.is_empty().then_some(Loss::Empty));
    out
}

/// How an interaction stands. The format has no word for a filter.
fn status(stop: Stop, losses: &mut Losses) -> &'static str {
    losses.extend((stop == Stop::Filter).then_some(Loss::Stop));
    match stop {
        Stop::End | Stop::Filter => "completed",
        Stop::Calls => "requires_action",
        Stop::Length => "incomplete",
        Stop::Error => "failed",
    }
}

/// The token counts. Those of reasoning are not in those of the answer.
fn usage(message: &BlockMessage) -> Option<Vec<u8>> {
    let (input, output, thought) = used(message)?;
    let answer = thought.as_ref().map_or_else(|| output.clone(), |thought| less(&output, thought));
    let json = Json::object().raw("total_tokens", &sum(&input, &output)).raw("total_input_tokens", &input);
    let json = json.raw("total_cached_tokens", &cached(message)).raw("total_output_tokens", &answer);
    Some(json.some("total_thought_tokens", thought.as_deref()).end())
}

/// The members of an interaction, but for its steps.
fn interaction(json: Json, message: &BlockMessage, serial: u64, status: &str) -> Json {
    let id = message.get(Attribute::Id).map_or_else(|| format!("\"v1_{serial}\"").into_bytes(), <[u8]>::to_vec);
    let json = json.raw("id", &id).word("object", "interaction").word("status", status);
    let json = json.raw("model", message.get(Attribute::Model).unwrap_or(b"\"unknown\""));
    match message.get(Attribute::Created).and_then(Time::parse) {
        Some(time) => json.word("created", &time.to_string()),
        None => json,
    }
}

/// An event of this type.
fn event(name: &'static str, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    out.push((name, fill(Json::object()).word("event_type", name).end()));
}

/// An error, as the event that it is.
fn error(message: &BlockMessage) -> (&'static str, Vec<u8>) {
    let text = error_text(message);
    let error = |json: Json| json.word("code", "internal").text("message", &text);
    ("error", Json::object().object_in("error", error).word("event_type", "error").end())
}

/// More of the step with this number.
fn delta(number: usize, fill: impl FnOnce(Json) -> Json, out: &mut Values) {
    event("step.delta", |json| json.number("index", number).object_in("delta", fill), out);
}

impl Writer for Interactions {
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
        let (mut system, mut input) = (system_texts(head), Vec::new());
        for message in answered(messages).iter() {
            losses.of(message);
            if is_system(message) {
                losses.extend((!input.is_empty()).then_some(Loss::System));
                lost_parts(message, losses);
                system.extend(texts(message).into_iter().cloned());
                continue;
            }
            input.append(&mut steps(message, losses));
        }
        system.retain(|text| !text.is_empty());
        let room = input.iter().map(|step: &WrittenJson| step.room() + 1).sum();
        let json = Json::object_for(room).some("model", head.get(Attribute::Model));
        let json = json.list_of("input", |list| list.items(&input));
        let json = match system.is_empty() {
            true => json,
            false => json.leaf("system_instruction", &Leaf::joined(&system, b"\n")),
        };
        losses.outside(None);
        Ok(settings(json, head, &SETTINGS, losses).end())
    }

    fn response(&self, message: &BlockMessage, serial: u64, losses: &mut Losses) -> Result<Vec<u8>, Unwritten> {
        let steps = steps(message, losses);
        let status = status(message.stop(), losses);
        let json = interaction(Json::object(), message, serial, status).word("role", "model");
        Ok(json.list_of("steps", |list| list.items(&steps)).some("usage", usage(message).as_deref()).end())
    }

    fn failure(&self, message: &BlockMessage) -> Option<(&'static str, Vec<u8>)> {
        Some(error(message))
    }

    fn message(&self, message: &BlockMessage, losses: &mut Losses) -> Result<Vec<WrittenJson>, Unwritten> {
        // No record of the format is a message by itself: each is a request of one.
        if is_system(message) {
            losses.of(message);
            lost_parts(message, losses);
            let json = Json::object().raw("input", b"[]").leaf("system_instruction", &one_text(message));
            return Ok(vec![json.written()]);
        }
        let steps = steps(message, losses);
        if steps.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![Json::object().list_of("input", |list| list.items(&steps)).written()])
    }

    fn begin(&self, stream: &mut Streamed, out: &mut Values, _losses: &mut Losses) {
        let inner = |json: Json| interaction(json, &stream.message, stream.serial, "in_progress");
        event("interaction.created", |json| json.object_in("interaction", inner), out);
    }

    fn open(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        let step = match found.kind {
            ContentKind::Text => Json::object().word("type", "model_output").end(),
            ContentKind::Reasoning if !found.fed && seal_of(found, GOOGLE).is_none() => return,
            ContentKind::Reasoning => Json::object().word("type", "thought").end(),
            ContentKind::Other(Other::Call) => call(found, block, None),
            ContentKind::Other(Other::Media) => return losses.push(Loss::Media),
            ContentKind::Other(Other::Result | Other::Visible | Other::Step) => return losses.push(Loss::Part),
        };
        let whole = found.get(Attribute::Arguments).filter(|value| value.first() == Some(&b'{')).map(Leaf::from);
        let number = stream.place(block);
        event("step.start", |json| json.number("index", number).raw("step", &step), out);
        if let Some(arguments) = whole {
            self.feed(stream, block, &arguments, out, losses);
        }
    }

    fn feed(&self, stream: &mut Streamed, block: usize, text: &Leaf, out: &mut Values, _losses: &mut Losses) {
        let Some(number) = stream.placed(block) else { return };
        let found = &stream.message.blocks[block];
        match found.kind {
            ContentKind::Text => delta(number, |json| text_part(json, text), out),
            ContentKind::Reasoning => {
                let part = |json: Json| json.word("type", "thought_summary");
                delta(number, |json| part(json).object_in("content", |json| text_part(json, text)), out);
            }
            // Free text is written when it is complete.
            ContentKind::Other(_) if is_free(found) => (),
            ContentKind::Other(_) => {
                delta(number, |json| json.word("type", "arguments_delta").leaf("arguments", text), out)
            }
        }
    }

    fn close(&self, stream: &mut Streamed, block: usize, out: &mut Values, losses: &mut Losses) {
        let found = &stream.message.blocks[block];
        if found.kind == ContentKind::Reasoning {
            let own = seal_of(found, GOOGLE);
            seals(found, own.is_some(), own.is_some(), losses);
            losses.extend((own.is_none() && !found.fed && !is_sealed_only(found)).then_some(Loss::Empty));
        }
        let Some(number) = stream.placed(block) else { return };
        if let Some(own) = seal_of(found, GOOGLE).filter(|_| found.kind == ContentKind::Reasoning) {
            delta(number, |json| json.word("type", "thought_signature").raw("signature", own), out);
        }
        if matches!(found.kind, ContentKind::Other(_)) {
            if is_free(found) {
                let whole = arguments_of_function(found, losses);
                delta(number, |json| json.word("type", "arguments_delta").leaf("arguments", &whole), out);
            }
            let broken = arguments_value(found).is_none() && !is_free(found) && !found.text.is_blank();
            losses.extend(broken.then_some(Loss::Arguments));
        }
        event("step.stop", |json| json.number("index", number), out);
    }

    fn end(&self, stream: &mut Streamed, out: &mut Values, losses: &mut Losses) {
        let stop = stream.message.stop();
        if stop == Stop::Error {
            return out.push(error(&stream.message));
        }
        let (status, used) = (status(stop, losses), usage(&stream.message));
        let inner =
            |json: Json| interaction(json, &stream.message, stream.serial, status).some("usage", used.as_deref());
        event("interaction.completed", |json| json.object_in("interaction", inner), out);
    }
}
