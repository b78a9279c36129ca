//! What responses and chunks have around their choices.

use crate::dialect::formats::write::*;
use crate::model::content::{Attribute, BlockMessage, Stop};
use std::borrow::Cow;

/// The members of a response before its choices; `room`: about how many bytes come with these and behind them.
pub(in crate::dialect) fn envelope(message: &BlockMessage, (serial, object): (u64, &str), room: usize) -> Json {
    let made = || Cow::Owned(format!("\"chatcmpl_{serial}\"").into_bytes());
    let id = message.get(Attribute::Id).map_or_else(made, Cow::Borrowed);
    let created = created(message);
    let json = Json::object_for(id.len() + room).raw("id", &id).word("object", object).raw("created", &created);
    json.raw("model", message.get(Attribute::Model).unwrap_or(b"\"unknown\""))
}

/// The token counts.
pub(in crate::dialect) fn usage(message: &BlockMessage) -> Option<Vec<u8>> {
    let (input, output, thought) = used(message)?;
    let json = Json::object().raw("prompt_tokens", &input).raw("completion_tokens", &output);
    let json = json.raw("total_tokens", &sum(&input, &output));
    let read = cached(message);
    let read = (read != b"0").then(|| Json::object().raw("cached_tokens", &read).end());
    let json = json.some("prompt_tokens_details", read.as_deref());
    let details = thought.map(|thought| Json::object().raw("reasoning_tokens", &thought).end());
    Some(json.some("completion_tokens_details", details.as_deref()).end())
}

/// Why a choice ended, in the words of the format.
pub(super) fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::End => "stop",
        Stop::Calls => "tool_calls",
        Stop::Length => "length",
        Stop::Filter => "content_filter",
        Stop::Error => "error",
    }
}
