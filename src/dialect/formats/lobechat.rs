//! LobeChat: exports of its data base.
//!
//! Found in exported files; not specified. The reasoning of a message is an object beside its text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, state,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), is("apiName", STRING, Slot::Name), is("arguments", STRING, Slot::Arguments)],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Call))],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        is("reasoning", OBJECT, Slot::Thought),
        each("tools", Slot::Calls, &CALL),
        is("tool_call_id", STRING, Slot::ResultOf),
    ],
    &[
        case(&[When::Has(Slot::ResultOf), When::Has(Slot::Text)], Does::Turn(Kind::Result)),
        case(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Message),
    ],
);

static DATA: State = state("data", &[each("messages", Slot::Messages, &MESSAGE)], &[]);

static RECORD: State =
    state("export", &[same("data", &DATA), same("state", &DATA)], &[case(&[When::Has(Slot::Messages)], Does::Request)]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("data", &[]), ("schemaHash", &[]), ("mode", &[])], sure: false },
        // Before the data base.
        Recognition { has: &[("exportType", &[]), ("state", &[]), ("version", &[])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "lobechat",
    aliases: &["lobechat-export"],
    about: "LobeChat: exports of its data base",
    products: &[Product {
        signs: &[
            Sign::Members(&["/data/messages/*/topicId"]),
            Sign::Members(&["/data/messages", "/data/sessions", "/data/topics"]),
        ],
        examples: &[
            r#"{"data":{"messages":[{"role":"user","content":"Will it rain?"}],"sessions":[],"topics":[]},"mode":"postgres"}"#,
        ],
        ..product("LobeChat")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
