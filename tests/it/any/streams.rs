//! The same for responses that are streamed: events put together, and what they say twice compared.

use super::read::{Call, Said, arguments, text_of};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The values of an input: its lines, its document, or the data of its events with their names.
pub fn values(input: &[u8]) -> Result<Vec<(String, Value)>, String> {
    let text = std::str::from_utf8(input).map_err(|e| e.to_string())?.trim_start_matches('\u{feff}');
    // Numbers and halves of surrogate pairs, which JSON may hold, are none for this parser.
    let apart = text.replace("1E400", "1");
    let text = if serde_json::Deserializer::from_str(&apart).into_iter::<Value>().any(|value| value.is_err()) {
        apart
            .replace("\\ud83d\"", "\"")
            .replace("\\ud83dPUBL1C", "PUBL1C")
            .replace("\\udfff", "")
            .replace("\\ud800", "")
    } else {
        apart
    };
    let text = text.as_str();
    let json = |line: &str| serde_json::from_str(line).map_err(|e| format!("{e}: {line}"));
    let head = text.trim_start();
    let sse = ["data", "event", ":", "id", "retry"].iter().any(|start| head.starts_with(start));
    if !sse {
        let mut all = Vec::new();
        for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
            all.push((String::new(), value.map_err(|e| format!("{e}: {}", &text[..text.len().min(300)]))?));
        }
        return Ok(all);
    }
    let (mut all, mut name, mut data) = (Vec::new(), String::new(), String::new());
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        if let Some(more) = line.strip_prefix("data:") {
            data.push_str(more);
        } else if let Some(word) = line.strip_prefix("event:") {
            name = word.trim().to_string();
        } else if line.is_empty() {
            let (name, data) = (std::mem::take(&mut name), std::mem::take(&mut data));
            match data.trim() {
                "" => (),
                "[DONE]" => all.push((name, "[DONE]".into())),
                data => all.push((name, json(data)?)),
            }
        }
    }
    Ok(all)
}

/// A streamed message as it comes.
#[derive(Default)]
struct Streams {
    /// The blocks of a message of Anthropic's.
    blocks: BTreeMap<u64, Value>,
    /// The names of blocks, where these are strings.
    names: BTreeMap<String, u64>,
    /// The items of a response.
    items: BTreeMap<u64, Value>,
    /// The deltas of a response, by item: what is fed, what is said at its end.
    fed: BTreeMap<(u64, &'static str), String>,
    /// The message of chunks: its identifier, its members, its calls.
    id: Option<Value>,
    chunk: Option<Value>,
    calls: BTreeMap<u64, Call>,
    /// Those of its blocks that are over.
    over: BTreeSet<u64>,
    /// The parts of Gemini's answer.
    parts: Vec<Value>,
    /// A message of Anthropic's is not over.
    open: bool,
    /// What does not agree.
    wrong: Vec<String>,
}

/// What an input says, and what of it contradicts itself.
pub fn read(input: &[u8]) -> Result<(Said, Vec<String>), String> {
    let (mut said, mut streams) = (Said::default(), Streams::default());
    for (_, value) in values(input)? {
        let all = match &value {
            Value::Array(all) if all.iter().any(is_event) => all.clone(),
            _ => vec![value],
        };
        for value in all {
            let value = if value["type"] == "stream_event" { value["event"].clone() } else { value };
            if !streams.event(&value, &mut said) {
                let mut alone = Said::default();
                alone.record(&value);
                // What says nothing may stand between the events of a stream.
                if !alone.turns.is_empty() {
                    streams.flush(&mut said);
                    said.record(&value);
                }
            }
        }
    }
    streams.flush(&mut said);
    Ok((said, streams.wrong))
}

/// Events without their numbers, and with the deltas of one text put together.
pub fn folded(events: &[Value]) -> Vec<(Value, String)> {
    const AT: [&str; 22] = [
        "/delta/message/content/text",
        "/delta/message/content/thinking",
        "/delta/message/tool_plan",
        "/delta/message/tool_calls/function/arguments",
        "/delta/content/text",
        "/delta/arguments",
        "/choices/0/delta/content/0/thinking/0/text",
        "/message/content",
        "/message/thinking",
        "/candidates/0/content/parts/0/text",
        "/contentBlockDelta/delta/text",
        "/contentBlockDelta/delta/reasoningContent/text",
        "/contentBlockDelta/delta/toolUse/input",
        "/delta",
        "/delta/text",
        "/delta/thinking",
        "/delta/partial_json",
        "/choices/0/delta/content",
        "/choices/0/delta/reasoning",
        "/choices/0/delta/reasoning_content",
        "/choices/0/delta/blocks/0/text",
        "/choices/0/delta/blocks/0/thought",
    ];
    let mut all: Vec<(Value, String)> = Vec::new();
    for event in events {
        let (mut event, mut text) = (event.clone(), String::new());
        if event["sequence_number"].is_number() {
            event["sequence_number"] = 0.into();
        }
        for at in AT {
            if let Some(place) = event.pointer_mut(at).filter(|place| place.is_string()) {
                text += place.as_str().unwrap();
                *place = "".into();
            }
        }
        match all.last_mut() {
            Some((last, whole)) if *last == event => *whole += &text,
            _ => all.push((event, text)),
        }
    }
    all
}

fn is_event(value: &Value) -> bool {
    const BEGINNINGS: [&str; 4] = ["response.", "content_block_", "content-", "start-step"];
    value["type"].as_str().is_some_and(|kind| BEGINNINGS.iter().any(|begin| kind.starts_with(begin)))
        || value["choices"][0]["delta"].is_object()
        || value["candidates"].is_array()
        || value["done"].is_boolean()
        || value["messageStart"].is_object()
        || value["event_type"].is_string()
}

/// Adds a part of a text, which goes on with the one before it.
fn goes_on(all: &mut Vec<Value>, part: Value) {
    match all.last_mut().filter(|last| last["type"] == "text" && part["type"] == "text") {
        Some(last) => append(last, "text", &part["text"]),
        None => all.push(part),
    }
}

fn append(value: &mut Value, key: &str, more: &Value) {
    if !value.is_object() {
        return;
    }
    let whole = value[key].as_str().unwrap_or_default().to_string() + more.as_str().unwrap_or_default();
    value[key] = whole.into();
}

impl Streams {
    /// Whether it is an event of a stream.
    fn event(&mut self, value: &Value, said: &mut Said) -> bool {
        let kind = value["type"].as_str().unwrap_or_default();
        if value == "[DONE]" || kind == "message_start" || kind == "response.created" {
            // Events of Anthropic's and of a response name no message: what is open when one begins never ends.
            if value != "[DONE]" && kind == "message_start" && self.open {
                self.wrong.push("a message begins in another".into());
            }
            self.open = kind == "message_start" && value["message"].is_object();
            self.flush(said);
            return true;
        }
        self.open &= kind != "message_stop";
        if let Some(all) = value["candidates"].as_array() {
            self.named(&value["responseId"], said);
            let candidate = all.first().unwrap_or(&Value::Null);
            self.parts.extend(candidate["content"]["parts"].as_array().into_iter().flatten().cloned());
            if candidate["finishReason"].is_string() {
                self.flush(said);
            }
            return true;
        }
        if value["done"].is_boolean() {
            let generated = serde_json::json!({"content": value["response"], "thinking": value["thinking"]});
            self.delta(if value["message"].is_object() { &value["message"] } else { &generated });
            if value["done"] == true {
                self.flush(said);
            }
            return true;
        }
        if let Some(done) = self.converse(value, said) {
            return done;
        }
        if self.hyphens(kind, value, said) || self.steps(value, said) || self.parts(kind, value, said) {
            return true;
        }
        if kind.starts_with("content_block_") {
            self.block(kind, value);
        } else if let Some(kind) = kind.strip_prefix("response.") {
            self.response(kind, value, said);
        } else if let Some(chunks) = value["chunks"].as_array() {
            self.flush(said);
            chunks.iter().for_each(|chunk| self.delta(chunk));
            self.flush(said);
        } else if value["delta"].is_object() && value["type"].is_null() {
            self.named(&value["id"], said);
            self.delta(&value["delta"]);
        } else if let Some(choices) =
            value["choices"].as_array().filter(|all| all.iter().all(|c| c["message"].is_null()))
        {
            self.named(&value["id"], said);
            for choice in choices.iter().filter(|choice| choice["index"].as_u64().unwrap_or(0) == 0) {
                self.delta(&choice["delta"]);
            }
        } else {
            return matches!(kind, "message_delta" | "message_stop" | "ping" | "error");
        }
        true
    }

    /// An event of Bedrock's, under its name.
    fn converse(&mut self, value: &Value, said: &mut Said) -> Option<bool> {
        if value["messageStart"].is_object() || value["messageStop"].is_object() {
            self.flush(said);
            return Some(true);
        }
        value.as_object().filter(|members| members.len() == 1)?;
        let name = ["contentBlockStart", "contentBlockDelta", "contentBlockStop", "metadata"]
            .into_iter()
            .find(|name| value[name].is_object())?;
        let event = &value[name];
        let index = event["contentBlockIndex"].as_u64().unwrap_or(0);
        let (call, delta) = (&event["start"]["toolUse"], &event["delta"]);
        if call.is_object() {
            let block =
                serde_json::json!({"type": "tool_use", "id": call["toolUseId"], "name": call["name"], "input": ""});
            self.blocks.insert(index, block);
        }
        if delta["text"].is_string() {
            append(self.blocks.entry(index).or_insert(serde_json::json!({"type": "text"})), "text", &delta["text"]);
        }
        if delta["reasoningContent"].is_object() {
            let block = self.blocks.entry(index).or_insert(serde_json::json!({"type": "thinking"}));
            append(block, "thinking", &delta["reasoningContent"]["text"]);
        }
        if let (Some(block), true) = (self.blocks.get_mut(&index), delta["toolUse"].is_object()) {
            append(block, "input", &delta["toolUse"]["input"]);
        }
        Some(true)
    }

    /// An event of Cohere's. Its calls are counted by themselves.
    fn hyphens(&mut self, kind: &str, value: &Value, said: &mut Said) -> bool {
        let (index, message) = (value["index"].as_u64().unwrap_or(0), &value["delta"]["message"]);
        const CALLS: u64 = 1000;
        match kind {
            "message-start" | "message-end" => self.flush(said),
            "content-start" => drop(self.blocks.insert(index, message["content"].clone())),
            "content-delta" => {
                for key in ["text", "thinking"].into_iter().filter(|key| message["content"][key].is_string()) {
                    append(self.blocks.entry(index).or_default(), key, &message["content"][key]);
                }
            }
            "tool-plan-delta" => {
                let plan = self.blocks.entry(CALLS - 1).or_insert(serde_json::json!({"type": "thinking"}));
                append(plan, "thinking", &message["tool_plan"]);
            }
            "tool-call-start" => {
                let call = &message["tool_calls"];
                let (id, function) = (&call["id"], &call["function"]);
                let block = serde_json::json!({"type": "tool_use", "id": id, "name": function["name"], "input": ""});
                self.blocks.insert(CALLS + index, block);
            }
            "tool-call-delta" => {
                let more = &message["tool_calls"]["function"]["arguments"];
                append(self.blocks.entry(CALLS + index).or_default(), "input", more);
            }
            "content-end" | "tool-call-end" => (),
            _ => return false,
        }
        true
    }

    /// An event of a user interface. Strings name its blocks.
    fn parts(&mut self, kind: &str, value: &Value, said: &mut Said) -> bool {
        let id = ["id", "toolCallId"].iter().find_map(|key| value[key].as_str()).unwrap_or_default().to_string();
        let (next, known) = (self.names.len() as u64, self.names.get(&id).copied());
        let begins = match kind {
            "start" | "finish" | "abort" => {
                self.names.clear();
                self.flush(said);
                return true;
            }
            "reasoning-start" => serde_json::json!({"type": "thinking"}),
            "text-start" => serde_json::json!({"type": "text"}),
            "tool-input-start" => {
                serde_json::json!({"type": "tool_use", "id": id, "name": value["toolName"], "input": ""})
            }
            "tool-input-available" if known.is_none() => {
                serde_json::json!({"type": "tool_use", "id": id, "name": value["toolName"], "input": value["input"]})
            }
            "file" => value.clone(),
            _ => {
                let key = match kind {
                    "reasoning-delta" => "thinking",
                    "text-delta" => "text",
                    "tool-input-delta" => "input",
                    "reasoning-end" | "text-end" | "tool-input-available" | "start-step" | "finish-step" => "",
                    _ => return false,
                };
                if kind == "tool-input-available" {
                    // A call without pieces is whole here.
                    let block =
                        known.and_then(|known| self.blocks.get_mut(&known)).filter(|block| block["input"] == "");
                    block.into_iter().for_each(|block| block["input"] = value["input"].clone());
                }
                let more = if key == "input" { &value["inputTextDelta"] } else { &value["delta"] };
                match known.and_then(|known| self.blocks.get_mut(&known)) {
                    Some(block) if !key.is_empty() => append(block, key, more),
                    Some(block) if kind == "tool-input-available" && arguments(&block["input"]) != value["input"] => {
                        self.wrong.push(format!("{} of a call, and {}", block["input"], value["input"]));
                    }
                    None if !id.is_empty() => self.wrong.push(format!("block {id} did not begin")),
                    _ => (),
                }
                return true;
            }
        };
        self.blocks.insert(next, begins);
        self.names.insert(id, next);
        true
    }

    /// An event of an interaction.
    fn steps(&mut self, value: &Value, said: &mut Said) -> bool {
        let Some(kind) = value["event_type"].as_str() else { return false };
        let (index, step, delta) = (value["index"].as_u64().unwrap_or(0), &value["step"], &value["delta"]);
        match kind {
            "step.start" => {
                let block = match step["type"].as_str().unwrap_or_default() {
                    "thought" => serde_json::json!({"type": "thinking"}),
                    "function_call" => {
                        serde_json::json!({"type": "tool_use", "id": step["id"], "name": step["name"], "input": ""})
                    }
                    _ => serde_json::json!({"type": "text"}),
                };
                self.blocks.insert(index, block);
            }
            "step.delta" => {
                let Some(block) = self.blocks.get_mut(&index) else {
                    self.wrong.push(format!("step {index} did not begin"));
                    return true;
                };
                match delta["type"].as_str().unwrap_or_default() {
                    "thought_summary" => append(block, "thinking", &delta["content"]["text"]),
                    "text" => append(block, "text", &delta["text"]),
                    "arguments_delta" => append(block, "input", &delta["arguments"]),
                    _ => (),
                }
            }
            "interaction.created" | "interaction.completed" => self.flush(said),
            _ => (),
        }
        true
    }

    /// A chunk of the response of this name: another one is over.
    fn named(&mut self, id: &Value, said: &mut Said) {
        if self.id.as_ref().is_some_and(|last| last != id) {
            self.flush(said);
        }
        self.id = Some(id.clone());
    }

    fn block(&mut self, kind: &str, value: &Value) {
        let index = value["index"].as_u64().unwrap_or(0);
        if kind == "content_block_start" {
            self.blocks.insert(index, value["content_block"].clone());
        }
        let Some(block) = self.blocks.get_mut(&index) else {
            return self.wrong.push(format!("block {index} did not begin"));
        };
        if kind == "content_block_start" {
            self.over.remove(&index);
        } else if !self.over.insert(index) {
            self.wrong.push(format!("more of block {index}, which is over"));
        } else if kind != "content_block_stop" {
            self.over.remove(&index);
        }
        let delta = &value["delta"];
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => append(block, "text", &delta["text"]),
            "thinking_delta" => append(block, "thinking", &delta["thinking"]),
            "input_json_delta" => append(block, "input", &delta["partial_json"]),
            _ => (),
        }
    }

    fn response(&mut self, kind: &str, value: &Value, said: &mut Said) {
        let index = value["output_index"].as_u64().unwrap_or(0);
        let slot = match kind.split('.').next().unwrap_or_default() {
            "reasoning_text" | "reasoning" | "reasoning_summary_text" | "reasoning_summary" => "reasoning",
            "output_text" => "text",
            "function_call_arguments" | "custom_tool_call_input" => "arguments",
            _ => "",
        };
        if kind.ends_with(".delta") && !slot.is_empty() {
            let more = value["delta"].as_str().unwrap_or_default();
            self.fed.entry((index, slot)).or_default().push_str(more);
        }
        match kind {
            "output_item.done" => {
                let whole = |item: &Value| match item["type"].as_str() {
                    Some("function_call") => text_of(&item["arguments"]),
                    Some("reasoning") => text_of(&item["content"]) + &text_of(&item["summary"]),
                    _ => text_of(&item["content"]),
                };
                let fed: String =
                    self.fed.iter().filter(|((at, _), _)| *at == index).map(|(_, t)| t.as_str()).collect();
                if fed != whole(&value["item"]) {
                    self.wrong.push(format!("item {index}: fed {fed:?}, done {:?}", whole(&value["item"])));
                }
                self.items.insert(index, value["item"].clone());
            }
            "completed" | "incomplete" | "failed" | "done" => {
                let items: Vec<Value> = std::mem::take(&mut self.items).into_values().collect();
                let output = value["response"]["output"].as_array().cloned().unwrap_or_default();
                if output != items && !items.is_empty() && !output.is_empty() {
                    self.wrong.push(format!("output {output:?}, items {items:?}"));
                }
                let all = if items.is_empty() { output } else { items };
                all.iter().for_each(|item| said.message(item, false));
                self.fed.clear();
            }
            _ => (),
        }
    }

    fn delta(&mut self, delta: &Value) {
        let Value::Object(_) = delta else { return };
        let message = self.chunk.get_or_insert_with(|| serde_json::json!({"role": "assistant"}));
        for key in ["content", "reasoning_content", "reasoning", "reasoning_text", "thinking", "refusal"] {
            match &delta[key] {
                Value::Array(parts) => {
                    let more = parts.clone();
                    match &mut message[key] {
                        Value::Array(all) => more.into_iter().for_each(|part| goes_on(all, part)),
                        Value::String(text) => {
                            let before = serde_json::json!({"type": "text", "text": text});
                            message[key] = std::iter::once(before).chain(more).collect();
                        }
                        other => *other = Value::Array(more),
                    }
                }
                Value::String(text) if key == "content" && message["blocks"].is_array() => {
                    let part = serde_json::json!({"type": "text", "text": text});
                    message["blocks"].as_array_mut().unwrap().push(part);
                }
                Value::String(text) if message[key].is_array() => {
                    goes_on(message[key].as_array_mut().unwrap(), serde_json::json!({"type": "text", "text": text}));
                }
                Value::String(_) => append(message, key, &delta[key]),
                _ => (),
            }
        }
        for key in ["blocks", "reasoning_details"] {
            if let Some(more) = delta[key].as_array() {
                let mut all = message[key].as_array().cloned().unwrap_or_default();
                all.extend(more.iter().cloned());
                message[key] = all.into();
            }
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            let at = call["index"].as_u64().unwrap_or(self.calls.len() as u64);
            let text = |value: &Value| match value {
                Value::Object(_) => value.to_string(),
                other => other.as_str().unwrap_or_default().to_string(),
            };
            let found =
                self.calls.entry(at).or_insert(Call { id: String::new(), name: String::new(), arguments: "".into() });
            found.id += &text(&call["id"]);
            found.name += &text(&call["function"]["name"]);
            found.arguments = (text(&found.arguments) + &text(&call["function"]["arguments"])).into();
        }
    }

    /// What is open is over.
    fn flush(&mut self, said: &mut Said) {
        let blocks: Vec<Value> = std::mem::take(&mut self.blocks).into_values().collect();
        if !blocks.is_empty() {
            said.message(&serde_json::json!({"role": "assistant", "content": blocks}), false);
        }
        for item in std::mem::take(&mut self.items).into_values() {
            said.message(&item, false);
        }
        let parts = std::mem::take(&mut self.parts);
        if !parts.is_empty() {
            said.message(&serde_json::json!({"role": "model", "parts": parts}), false);
        }
        self.fed.clear();
        self.over.clear();
        self.id = None;
        if let Some(message) = self.chunk.take() {
            said.message(&message, false);
            for call in std::mem::take(&mut self.calls).into_values() {
                let arguments = arguments(&call.arguments);
                said.turn("assistant").calls.push(Call { arguments, ..call });
            }
        }
    }
}
