//! MIA's event streams: what its adapters say of a model's output, as JSON lines, and what its server sends of it, as
//! events of a stream.
//!
//! Specified by MIA's `HarmonyChannelAdapter` (`{"type":"delta","text"}`, …, one `final` a message) and by the route
//! `/generate` of its API (`event: token`, …, one `final` and one `end` a request), where an event's kind stands in its
//! `event` line only.

use crate::dialect::{Dialect, Events, PLAIN, Says, Told};
use crate::frame::Framing;

const fn told(name: &'static str, typed: bool, says: Says, texts: &'static [&'static str]) -> Told {
    let beside: &[&str] = match says {
        Says::Call => &["constrain"],
        _ => &["model_id", "seq", "tokens_out"],
    };
    Told { name, typed, says, texts, beside }
}

const EVENTS: Events = Events {
    kinds: &[
        told("analysis", true, Says::Reasoning, &["text"]),
        told("delta", true, Says::Answer, &["text"]),
        told("token", false, Says::Answer, &["text"]),
        told("commentary", true, Says::Commentary, &["text"]),
        told("tool_call", true, Says::Call, &["recipient", "args_text"]),
        told("tool_channel_raw", true, Says::Call, &["raw"]),
        told("reasoning", false, Says::Reasons, &["reasoning_text"]),
        told("final", true, Says::Message, &["final_text", "text"]),
        told("usage", false, Says::Usage, &[]),
        told("end", false, Says::End, &[]),
    ],
    response: "request_id",
    numbers: ["record", "message"],
    reasoning: "reasoning_text",
    stats: "stats",
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mia",
    aliases: &["mia-events"],
    about: "MIA's event streams: analysis, delta or token, commentary, and a final that repeats them",
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    events: Some(&EVENTS),
    ..PLAIN
};
