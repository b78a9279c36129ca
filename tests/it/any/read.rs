//! What a person would read in a file, by serde_json alone: who speaks, what is visible, the reasoning, the tool calls and
//! their results. It knows the shapes of every format that is written, and of those that are only read what they share.

use crate::support::*;
use serde_json::Value;

/// A tool call: its identifier, its name, its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub id: String,
    pub name: String,
    pub arguments: Value,
}

/// What one side says in a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    pub role: String,
    pub visible: String,
    pub reasoning: String,
    pub calls: Vec<Call>,
    /// Which call, and what came of it.
    pub results: Vec<(String, String)>,
    /// The data or the address of each image, document, sound.
    pub media: Vec<String>,
}

/// What is put together.
#[derive(Default)]
pub struct Said {
    pub turns: Vec<Turn>,
    /// Where the list began that is read: instructions stand in front of it.
    from: usize,
}

/// Text without its white space, which the joints of blocks may have or not.
pub fn tight(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

pub fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text_of).collect(),
        Value::Object(all) => all.get("text").map(text_of).unwrap_or_default(),
        _ => String::new(),
    }
}

/// The data or the address of an image, a document or a sound, wherever its format has it.
fn medium(part: &Value) -> Option<String> {
    const AT: [&str; 21] = [
        "",
        "/url",
        "/source/data",
        "/source/url",
        "/image_url/url",
        "/image_url",
        "/file_data",
        "/file_url",
        "/file/file_data",
        "/input_audio/data",
        "/input_audio",
        "/document_url",
        "/inlineData/data",
        "/inline_data/data",
        "/fileData/fileUri",
        "/file_data/file_uri",
        "/image/source/bytes",
        "/document/source/bytes",
        "/video/source/bytes",
        "/data",
        "/uri",
    ];
    const TYPES: [&str; 12] = [
        "image",
        "document",
        "image_url",
        "input_image",
        "input_file",
        "file",
        "input_audio",
        "document_url",
        "audio",
        "video",
        "media",
        "",
    ];
    let kind = part["type"].as_str().unwrap_or_default();
    // The texts of some formats stand in objects without a type.
    if !TYPES.contains(&kind) || part["functionResponse"].is_object() {
        return None;
    }
    let text = AT.iter().find_map(|at| part.pointer(at).and_then(Value::as_str))?;
    Some(text.split_once(";base64,").map_or(text, |(_, data)| data).to_string())
}

/// A result as a text, if it is one.
fn result_of(value: &Value) -> String {
    match value {
        Value::String(_) | Value::Null => text_of(value),
        Value::Array(all) if all.iter().all(|part| part.is_string() || part["text"].is_string()) => text_of(value),
        _ => value.to_string(),
    }
}

/// Arguments, which are a value or the text of one.
pub fn arguments(value: &Value) -> Value {
    match value {
        Value::String(text) if text.trim().is_empty() => serde_json::json!({}),
        Value::String(text) => serde_json::from_str(text).unwrap_or_else(|_| value.clone()),
        Value::Null => serde_json::json!({}),
        _ => value.clone(),
    }
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// What stands in the content of the assistant, whose reasoning may stand there too.
fn inline(text: &str) -> (String, String) {
    if !text.contains(['<', '[', '◁', ':']) {
        return (text.to_string(), String::new());
    }
    let record = serde_json::json!({"role": "assistant", "content": text}).to_string();
    let found = messages(record.as_bytes(), Setup::default());
    let visible = found.iter().map(|(visible, _)| visible.as_str()).collect();
    (visible, found.iter().filter_map(|(_, reasoning)| reasoning.as_deref()).collect())
}

/// Whether a part is a call with its result, or says that a step begins.
fn is_step(part: &Value) -> bool {
    part["toolCallId"].is_string() || part["type"] == "step-start"
}

impl Said {
    /// The turn of that role that goes on or begins.
    pub fn turn(&mut self, role: &str) -> &mut Turn {
        if self.turns.len() <= self.from || self.turns.last().is_none_or(|last| last.role != role) {
            self.turns.push(Turn { role: role.to_string(), ..Turn::default() });
        }
        self.turns.last_mut().unwrap()
    }

    /// Instructions stand in front, wherever they were given.
    fn system(&mut self, text: &str, hoisted: bool) {
        if text.is_empty() {
            return;
        }
        if !hoisted {
            self.turn("system").visible.push_str(text);
        } else if self.turns.get(self.from).is_some_and(|turn| turn.role == "system") {
            self.turns[self.from].visible.push_str(text);
        } else {
            let turn = Turn { role: "system".into(), visible: text.into(), ..Turn::default() };
            self.turns.insert(self.from, turn);
        }
    }

    /// A record that is no event of a stream.
    pub fn record(&mut self, value: &Value) {
        if let Value::Array(all) = value {
            let lists = ["messages", "conversations", "input", "contents"];
            if all.iter().any(|element| lists.iter().any(|key| element[key].is_array())) {
                return all.iter().for_each(|element| self.record(element));
            }
            return self.list(all);
        }
        let lists = [
            "messages",
            "history",
            "clientHistory",
            "conversations",
            "chat_messages",
            "contents",
            "input",
            "output",
            "steps",
        ];
        for key in lists {
            if let Some(all) = value[key].as_array().filter(|_| value["type"] != "function_call_output") {
                self.from = self.turns.len();
                for key in ["system", "instructions", "systemPrompts"].iter().filter(|_| key != "output") {
                    self.system(&text_of(&value[key]), true);
                }
                for key in ["systemInstruction", "system_instruction"] {
                    self.system(&text_of(&value[key]), true);
                    self.system(&text_of(&value[key]["parts"]), true);
                }
                return self.list(all);
            }
        }
        if value["canonicalRequest"].is_object() {
            ["canonicalRequest", "debugRequest"].iter().for_each(|key| self.record(&value[key]));
            return value["responses"].as_array().into_iter().flatten().for_each(|response| self.record(response));
        }
        if let (Some(text), true) = (value["input"].as_str(), value["model"].is_string()) {
            self.from = self.turns.len();
            ["instructions", "system_instruction"].iter().for_each(|key| self.system(&text_of(&value[key]), true));
            return self.turn("user").visible.push_str(text);
        }
        if let Some(all) = value["choices"].as_array() {
            return all.iter().take(1).for_each(|choice| self.message(&choice["message"], false));
        }
        if value["output"]["message"].is_object() {
            return self.message(&value["output"]["message"], false);
        }
        // A message in an envelope.
        for key in ["body", "response", "result", "message", "payload", "summary"] {
            if value[key].is_object() || key == "response" && value[key].is_array() {
                return self.record(&value[key]);
            }
        }
        if value["content"].is_object() {
            return self.record(&value["content"]);
        }
        self.message(value, false);
    }

    fn list(&mut self, all: &[Value]) {
        self.from = self.turns.len();
        all.iter().for_each(|message| self.message(message, true));
    }

    /// A message, or an item.
    pub fn message(&mut self, value: &Value, hoisted: bool) {
        match value["type"].as_str().unwrap_or_default() {
            "reasoning" => return self.part("assistant", value),
            "thought" if value["summary"].is_array() || value["signature"].is_string() => {
                return self.turn("assistant").reasoning.push_str(&text_of(&value["summary"]));
            }
            "model_output" | "user_input" => {
                let role = if value["type"] == "user_input" { "user" } else { "assistant" };
                let message = serde_json::json!({"role": role, "content": value["content"]});
                return self.message(&message, hoisted);
            }
            "function_result" => return self.result(&value["call_id"], &value["result"]),
            "function_call" | "custom_tool_call" => {
                let id = if value["call_id"].is_null() { &value["id"] } else { &value["call_id"] };
                return self.call(value, id, &value["arguments"]);
            }
            "function_call_output" | "custom_tool_call_output" => {
                return self.result(&value["call_id"], &value["output"]);
            }
            _ => (),
        }
        let said = ["role", "speaker", "from", "sender"].iter().find_map(|key| value[key].as_str());
        let role = match said.unwrap_or("").to_lowercase().as_str() {
            "ai" | "model" | "gpt" | "chatgpt" | "bing" | "bard" | "assistant" => "assistant",
            "system" | "developer" => "system",
            "tool" | "function" | "observation" => "tool",
            "" if value["blocks"].is_array() || value["content"].is_array() => "assistant",
            "" => return,
            _ => "user",
        };
        let content = ["content", "blocks", "parts", "value"].iter().map(|key| &value[key]).find(|c| !c.is_null());
        let content = content.unwrap_or(&Value::Null);
        let id = &value["tool_call_id"];
        let block = content.as_array().is_some_and(|all| all.iter().any(|part| part["type"] == "tool_response"));
        if role == "tool" && !block {
            return self.result(id, content);
        }
        if role == "system" {
            return self.system(&text_of(content), hoisted);
        }
        if content.as_array().is_some_and(|parts| parts.iter().any(is_step)) {
            return self.steps(content.as_array().unwrap());
        }
        self.turn(role);
        let before = self.turn(role).reasoning.len();
        if content.is_string() {
            value["blocks"].as_array().into_iter().flatten().for_each(|part| self.part(role, part));
        }
        match content {
            Value::String(text) if role == "assistant" => {
                let (visible, reasoning) = inline(text);
                self.turn(role).visible.push_str(&visible);
                self.turn(role).reasoning.push_str(&reasoning);
            }
            Value::String(text) => self.turn(role).visible.push_str(text),
            Value::Array(parts) => parts.iter().for_each(|part| self.part(role, part)),
            _ => (),
        }
        if role == "assistant" {
            let said = self.turn(role).reasoning.get(before..).unwrap_or_default().to_string();
            self.fields(value, &said);
        }
        self.turn(role).visible.push_str(value["refusal"].as_str().unwrap_or_default());
        for image in value["images"].as_array().into_iter().flatten().filter_map(medium) {
            self.turn(role).media.push(image);
        }
        let legacy = &value["function_call"];
        if legacy.is_object() {
            self.call(legacy, &Value::Null, &legacy["arguments"]);
        }
        for call in value["tool_calls"].as_array().into_iter().flatten() {
            let inner = if call["function"].is_object() { &call["function"] } else { call };
            self.call(inner, &call["id"], &inner["arguments"]);
        }
    }

    /// The reasoning that stands in members of a message: each text once; `said`: what stands in its content.
    fn fields(&mut self, value: &Value, said: &str) {
        let mut found: Vec<String> = vec![said.to_string()];
        const KEYS: [&str; 7] = [
            "reasoning_content",
            "reasoning",
            "reasoning_text",
            "thinking",
            "thought",
            "reasoning_details",
            "tool_plan",
        ];
        for key in KEYS {
            let text = match &value[key] {
                Value::Array(all) => {
                    let of =
                        |part: &Value| ["text", "summary"].iter().map(|key| text_of(&part[key])).collect::<String>();
                    all.iter().map(of).collect()
                }
                other => string(other),
            };
            found.extend((!text.is_empty() && !found.iter().any(|other| tight(other) == tight(&text))).then_some(text));
        }
        self.turn("assistant").reasoning.push_str(&found[1..].concat());
    }

    fn part(&mut self, role: &str, part: &Value) {
        if let Value::String(text) = part {
            return self.turn(role).visible.push_str(text);
        }
        if let Some(medium) = medium(part) {
            return self.turn(role).media.push(medium);
        }
        match part["type"].as_str().unwrap_or_default().rsplit('.').next().unwrap_or_default() {
            "text" | "output_text" | "input_text" if role == "assistant" => {
                let (visible, reasoning) = inline(&text_of(part));
                self.turn(role).visible.push_str(&visible);
                self.turn(role).reasoning.push_str(&reasoning);
            }
            "text" | "output_text" | "input_text" => self.turn(role).visible.push_str(&text_of(part)),
            "thinking" | "thought" => {
                let text = ["thinking", "thought", "text"].iter().map(|key| text_of(&part[key])).collect::<String>();
                self.turn("assistant").reasoning.push_str(&text);
            }
            "reasoning" => {
                let (raw, summary) = (text_of(&part["content"]), text_of(&part["summary"]));
                let text = if raw.is_empty() { summary + &text_of(&part["text"]) } else { raw };
                self.turn("assistant").reasoning.push_str(&text);
            }
            "refusal" => self.turn(role).visible.push_str(part["refusal"].as_str().unwrap_or_default()),
            "tool_use" => self.call(part, &part["id"], &part["input"]),
            "tool_call" => self.call(part, &part["id"], &part["parameters"]),
            "tool_result" => self.result(&part["tool_use_id"], &part["content"]),
            "tool_response" => self.result(&part["callId"], &part["result"]),
            "Message" => self.turn(role).visible.push_str(&text_of(part)),
            "IntermediateMessage" => {
                let (visible, reasoning) = inline(&text_of(&part["structured"]["fullText"]));
                self.turn(role).visible.push_str(&visible);
                self.turn(role).reasoning.push_str(&reasoning);
            }
            "Thinking" => self.turn("assistant").reasoning.push_str(&text_of(&part["thinking"])),
            "ToolCall" => self.call(&part["call"], &part["id"], &part["call"]["input"]),
            "ToolResult" => {
                let texts = part["result"].as_array().into_iter().flatten().map(|data| text_of(&data["content"]));
                self.result(&part["toolUseId"], &texts.collect::<String>().into());
            }
            "" if part["functionCall"].is_object() || part["function_call"].is_object() => {
                let call =
                    if part["functionCall"].is_object() { &part["functionCall"] } else { &part["function_call"] };
                self.call(call, &call["id"], &call["args"]);
            }
            "" if part["functionResponse"].is_object() => {
                let (inner, response) = (&part["functionResponse"], &part["functionResponse"]["response"]);
                let text = ["output", "error"].iter().map(|key| &response[key]).find(|text| text.is_string());
                self.result(&inner["id"], text.unwrap_or(response));
            }
            "" if part["toolUse"].is_object() => {
                let call = &part["toolUse"];
                self.call(call, &call["toolUseId"], &call["input"]);
            }
            "" if part["toolResult"].is_object() => {
                let content = &part["toolResult"]["content"];
                let object = Some(&content[0]["json"]).filter(|value| !value.is_null());
                self.result(&part["toolResult"]["toolUseId"], object.unwrap_or(content));
            }
            "" if part["reasoningContent"].is_object() => {
                let text = text_of(&part["reasoningContent"]["reasoningText"]);
                self.turn("assistant").reasoning.push_str(&text);
            }
            "" if part["text"].is_string() && part["thought"] == true => {
                self.turn(role).reasoning.push_str(&text_of(part));
            }
            "" if part["text"].is_string() && role == "assistant" => {
                let (visible, reasoning) = inline(&text_of(part));
                self.turn(role).visible.push_str(&visible);
                self.turn(role).reasoning.push_str(&reasoning);
            }
            "" if part["text"].is_string() => self.turn(role).visible.push_str(&text_of(part)),
            _ => (),
        }
    }

    /// The steps of an answer, whose calls have their results beside them.
    fn steps(&mut self, parts: &[Value]) {
        let mut results = Vec::new();
        for part in parts {
            let kind = part["type"].as_str().unwrap_or_default();
            let Some(name) = kind.strip_prefix("tool-").or_else(|| part["toolName"].as_str()) else {
                results.drain(..).for_each(|(id, value)| self.result(id, value));
                if kind != "step-start" {
                    self.part("assistant", part);
                }
                continue;
            };
            let id = &part["toolCallId"];
            if !part["input"].is_null() {
                self.call(&serde_json::json!({"name": name}), id, &part["input"]);
            }
            let result = ["output", "errorText"].iter().map(|key| &part[key]).find(|value| !value.is_null());
            results.extend(result.map(|value| (id, value)));
        }
        results.drain(..).for_each(|(id, value)| self.result(id, value));
    }

    pub fn call(&mut self, value: &Value, id: &Value, given: &Value) {
        let call = Call { id: string(id), name: string(&value["name"]), arguments: arguments(given) };
        self.turn("assistant").calls.push(call);
    }

    fn result(&mut self, id: &Value, value: &Value) {
        let result = (string(id), result_of(value));
        self.turn("tool").results.push(result);
    }
}
