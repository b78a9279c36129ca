//! MIA's event streams: what its adapters write of a model's output, as JSON lines, and what its server sends of it, as
//! events of a stream.
//!
//! Specified by MIA's `HarmonyChannelAdapter` (`{"type":"delta","text"}`, …, one `final` a message) and by the route
//! `/generate` of its API (`event: token`, …, one `final` and one `end` a request), where an event's kind stands in its
//! `event` line only.

use super::row::{EventContent, Keys, NO_KEYS, TypedEvent, TypedEvents};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::Attribute;

const fn event(name: &'static str, typed: bool, content: EventContent, texts: &'static [&'static str]) -> TypedEvent {
    let beside: &[&str] = match content {
        EventContent::Call => &["constrain"],
        _ => &["model_id", "seq", "tokens_out"],
    };
    TypedEvent { name, typed, content, texts, beside }
}

const EVENTS: TypedEvents = TypedEvents {
    kinds: &[
        event("analysis", true, EventContent::Reasoning, &["text"]),
        event("delta", true, EventContent::Answer, &["text"]),
        event("token", false, EventContent::Answer, &["text"]),
        event("commentary", true, EventContent::Commentary, &["text"]),
        event("tool_call", true, EventContent::Call, &["recipient", "args_text"]),
        event("tool_channel_raw", true, EventContent::Call, &["raw"]),
        event("reasoning", false, EventContent::WholeReasoning, &["reasoning_text"]),
        event("final", true, EventContent::WholeMessage, &["final_text", "text"]),
        event("usage", false, EventContent::Usage, &[]),
        event("end", false, EventContent::End, &[]),
    ],
    response: "request_id",
    numbers: ["record", "message"],
    reasoning: "reasoning_text",
    stats: "stats",
    model: "model_id",
    stop: "stop_reason",
    usage: &[
        ("prompt_tokens", Attribute::Input),
        ("output_tokens", Attribute::Output),
        ("reasoning_tokens", Attribute::Thought),
    ],
    silent: &["seq", "tokens_out", "status"],
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mia",
    aliases: &["mia-events"],
    about: "MIA's event streams: analysis, delta or token, commentary, and a final that repeats them",
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    keys: Some(&Keys { events: Some(&EVENTS), ..NO_KEYS }),
    ..PLAIN
};
