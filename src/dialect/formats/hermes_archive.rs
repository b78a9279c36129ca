//! Hermes: the archives that Nous Research's agent writes of its sessions.
//!
//! Found in an archive that an importer has among its tests (`archival_export/v1`); not specified. One object is a session.
//! The reasoning of a message stands under a key beside its text; calls and results stand in lists of their own. The files of
//! running sessions have messages of the chat family, and are read as those.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, state,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[
        is("action_id", STRING, Slot::CallId),
        is("tool_name", STRING, Slot::Name),
        is("arguments_json", STRING, Slot::Arguments),
    ],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

static RESULT: State = state(
    "result",
    &[
        is("action_id", STRING, Slot::ResultOf),
        is("is_error", ANY, Slot::IsError),
        is("output_preview", STRING, Slot::Result),
    ],
    &[case(&[When::Has(Slot::ResultOf)], Does::Block(Kind::Result))],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("text", STRING, Slot::Text),
        is("reasoning", STRING, Slot::Thought),
        each("tool_calls", Slot::Calls, &CALL),
        each("tool_results", Slot::List, &RESULT),
        // A message of chat, as of an archive that was converted.
        is("content", ANY, Slot::ForeignMember),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static RECORD: State = state(
    "archive",
    &[each("messages", Slot::Messages, &MESSAGE)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("session_id", STRING, Slot::Conversation),
        is("repository_cwd", STRING, Slot::Project),
        each("messages", Slot::Messages, &ORIGIN_OF_MESSAGE),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("message_id", STRING, Slot::Id), is("timestamp", STRING, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("producer", &["hermes*"]), ("messages", &[])], sure: false }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "hermes-archive",
    aliases: &["hermes"],
    about: "Hermes: archives of its sessions, with reasoning beside the text",
    products: &[Product {
        signs: &[
            Sign::Members(&["/producer=hermes*"]),
            // Running sessions, whose messages are of the chat family.
            Sign::Members(&["/session_id", "/platform", "/session_start"]),
        ],
        examples: &[
            r#"{"schema_version":1,"producer":"hermes/0.9.0","session_id":"s1","messages":[]}"#,
            r#"{"session_id":"s1","platform":"telegram","session_start":"2026-04-29T20:05:00Z","messages":[]}"#,
        ],
        ..product("Hermes")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
