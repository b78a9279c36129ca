//! Where records of the family, and their messages, come from.

use crate::dialect::formats::shared::ORIGIN_OF_USAGE;
use crate::dialect::shape::{NUMBER, STRING, Slot, State, each, is, one, same, state};

/// Where a record or one of its messages comes from. The first line of a session says it for those behind it.
pub(in crate::dialect) static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        is("created", NUMBER, Slot::Created),
        is("created_at", STRING | NUMBER, Slot::Created),
        is("timestamp", STRING | NUMBER, Slot::Created),
        is("ts", STRING | NUMBER, Slot::Created),
        each("messages", Slot::Messages, &ORIGIN),
        each("history", Slot::Messages, &ORIGIN),
        one("payload", Slot::Wrapped, &ORIGIN_OF_SESSION).beside("type", &["session_start"]),
        same("payload", &ORIGIN),
        same("response", &ORIGIN),
        each("response", Slot::Wrapped, &ORIGIN),
        same("body", &ORIGIN),
        same("content", &ORIGIN),
        same("metadata", &ORIGIN_OF_ANSWER),
        same("usage", &ORIGIN_OF_USAGE),
    ],
    &[],
);

static ORIGIN_OF_SESSION: State =
    state("origin", &[is("sessionId", STRING, Slot::Conversation), is("model", STRING, Slot::Model)], &[]);
static ORIGIN_OF_ANSWER: State = state("origin", &[is("model", STRING, Slot::Model)], &[]);
