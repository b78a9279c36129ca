//! Reads a member of a request as the setting that it is, whatever format it is of.

use super::super::{is_word, member};
use super::RequestSetting;
use super::choice::ToolChoice;
use super::layout::AnswerLayout;
use crate::json::{Token, elements, members};
use crate::model::{Loss, Losses};

/// A setting that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KnownSetting {
    One(RequestSetting, Vec<u8>),
    Choice(ToolChoice),
    Layout(AnswerLayout),
}

/// The settings with one value under all their names.
const NAMES: &[(RequestSetting, &[&str])] = &[
    (RequestSetting::Temperature, &["temperature"]),
    (RequestSetting::TopP, &["top_p", "topP", "p"]),
    (RequestSetting::TopK, &["top_k", "topK", "k"]),
    (RequestSetting::Seed, &["seed", "random_seed"]),
    (RequestSetting::Frequency, &["frequency_penalty", "frequencyPenalty"]),
    (RequestSetting::Presence, &["presence_penalty", "presencePenalty"]),
    (RequestSetting::Stop, &["stop", "stop_sequences", "stopSequences"]),
    (RequestSetting::Parallel, &["parallel_tool_calls"]),
    (RequestSetting::Effort, &["reasoning_effort", "thinking_level", "effort"]),
    (RequestSetting::Verbosity, &["verbosity"]),
    (RequestSetting::User, &["user", "user_id"]),
];

/// A setting with one value, if it has one that all formats take.
fn one(setting: RequestSetting, value: &[u8]) -> Option<Vec<u8>> {
    let is_text = value.starts_with(b"\"");
    match setting {
        RequestSetting::Stop if is_text => Some([b"[", value, b"]"].concat()),
        RequestSetting::Stop => {
            let texts = elements(value, 0).all(|(token, _)| matches!(token, Token::String(_)));
            (texts && value.starts_with(b"[")).then(|| value.to_vec())
        }
        RequestSetting::Parallel => matches!(value, b"true" | b"false").then(|| value.to_vec()),
        // One format has its words in capital letters.
        RequestSetting::Effort => is_text.then(|| value.to_ascii_lowercase()),
        RequestSetting::Verbosity | RequestSetting::User => is_text.then(|| value.to_vec()),
        RequestSetting::Temperature | RequestSetting::TopP | RequestSetting::Mode => Some(value.to_vec()),
        RequestSetting::Budget => value.first().is_some_and(|b| (b'1'..=b'9').contains(b)).then(|| value.to_vec()),
        _ => value.first().is_some_and(|b| b.is_ascii_digit() || *b == b'-').then(|| value.to_vec()),
    }
}

/// Reads a member inside of a setting that is an object.
fn inside(outer: &str, key: &[u8], value: &[u8]) -> Option<KnownSetting> {
    let setting = |setting| Some(KnownSetting::One(setting, one(setting, value)?));
    let layout = || AnswerLayout::read(value).map(KnownSetting::Layout);
    match (outer, key) {
        ("text" | "output_config", b"format") => layout(),
        ("metadata", b"user_id") => setting(RequestSetting::User),
        ("text", b"verbosity") => setting(RequestSetting::Verbosity),
        ("reasoning" | "output_config", b"effort") => setting(RequestSetting::Effort),
        ("thinkingConfig" | "thinking_config", b"thinkingLevel" | b"thinking_level") => setting(RequestSetting::Effort),
        ("thinkingConfig" | "thinking_config", b"thinkingBudget" | b"thinking_budget")
        | ("reasoning", b"max_tokens")
        | ("thinking", b"budget_tokens" | b"token_budget") => setting(RequestSetting::Budget),
        _ => None,
    }
}

/// Reads a setting that is an object with several in it. Its other members are lost.
fn several(outer: &str, value: &[u8], losses: &mut Losses) -> Option<Vec<KnownSetting>> {
    let kind = if outer == "thinking" { member(value, "type") } else { None };
    if is_word(kind.as_deref(), "adaptive") {
        return Some(vec![KnownSetting::One(RequestSetting::Mode, value.to_vec())]);
    }
    if is_word(kind.as_deref(), "disabled") {
        // Some providers have more in it.
        losses.extend((members(value, 0).count() > 1).then_some(Loss::Parameter));
        return Some(vec![KnownSetting::One(RequestSetting::Mode, br#"{"type":"disabled"}"#.to_vec())]);
    }
    let mut found = Vec::new();
    for (key, token, at) in members(value, 0).decoded() {
        // That it thinks at all is said by how much it may.
        let enabled = outer == "thinking" && is_word(Some(&value[at.clone()]), "enabled");
        if token == Token::Null || enabled {
            continue;
        }
        match inside(outer, &key, &value[at]) {
            Some(one) => found.push(one),
            None => losses.push(Loss::Parameter),
        }
    }
    value.starts_with(b"{").then_some(found)
}

/// Reads which tool is to be called, and whether several may be.
fn choice(value: &[u8], losses: &mut Losses) -> Option<Vec<KnownSetting>> {
    let mut found = vec![KnownSetting::Choice(ToolChoice::read(value)?)];
    match member(value, "disable_parallel_tool_use").as_deref() {
        Some(b"true") => found.push(KnownSetting::One(RequestSetting::Parallel, b"false".to_vec())),
        Some(b"false") => found.push(KnownSetting::One(RequestSetting::Parallel, b"true".to_vec())),
        _ => (),
    }
    let configured =
        ["functionCallingConfig", "function_calling_config"].iter().any(|key| member(value, key).is_some());
    losses.extend((configured && members(value, 0).count() > 1).then_some(Loss::Parameter));
    Some(found)
}

/// Reads a member of a request. `None`: it is none of these settings, or says what no other format has.
pub(super) fn known(key: &[u8], value: &[u8], losses: &mut Losses) -> Option<Vec<KnownSetting>> {
    let key = std::str::from_utf8(key).ok()?;
    if let Some((setting, _)) = NAMES.iter().find(|(_, names)| names.contains(&key)) {
        return match value {
            // It is not set.
            b"null" => Some(Vec::new()),
            _ => Some(vec![KnownSetting::One(*setting, one(*setting, value)?)]),
        };
    }
    let layout = |found: Option<AnswerLayout>| Some(vec![KnownSetting::Layout(found?)]);
    match key {
        "tool_choice" | "toolChoice" | "toolConfig" | "tool_config" | "function_call" => choice(value, losses),
        "response_format" | "format" | "output_format" => layout(AnswerLayout::read(value)),
        "responseSchema" | "response_schema" | "responseJsonSchema" | "response_json_schema" => {
            layout(AnswerLayout::of_schema(value))
        }
        "responseMimeType" | "response_mime_type" => layout(AnswerLayout::of_media(value)),
        "metadata" | "text" | "reasoning" | "output_config" | "thinking" | "thinkingConfig" | "thinking_config" => {
            several(key, value, losses)
        }
        "think" => Some(vec![KnownSetting::One(RequestSetting::Effort, one(RequestSetting::Effort, value)?)]),
        _ => None,
    }
}
