//! Goose: the session files of Block's agent.
//!
//! Found in the program's own code (`crates/goose/src/conversation/message.rs`); not specified. A line is a message. Parts of
//! the types `thinking` and `redactedThinking` are reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, pass,
    same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static VALUE: State = state("call", &[is("name", STRING, Slot::Name), is("arguments", OBJECT, Slot::Arguments)], &[]);
static CALL: State = state("result of a call", &[same("value", &VALUE), pass("status")], &[]);
/// What a tool gave back, as its protocol (MCP) has it.
static SAID: State =
    state("result of a tool", &[is("content", LIST, Slot::Result), is("isError", TRUE, Slot::IsError)], &[]);
static RESULT: State = state(
    "result",
    &[
        is("value", LIST, Slot::Result),
        same("value", &SAID),
        is("error", STRING, Slot::Result),
        is("status", STRING, Slot::IsError).beside("status", &["error"]),
        pass("status"),
    ],
    &[],
);

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("data", STRING, Slot::Ciphertext).beside("type", &["redactedThinking"]),
        is("id", STRING, Slot::CallId).beside("type", &["toolRequest"]),
        is("id", STRING, Slot::ResultOf).beside("type", &["toolResponse"]),
        same("toolCall", &CALL),
        same("toolResult", &RESULT),
    ],
    &[
        case(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["redactedThinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        sure(&[ty(&["toolRequest"])], Does::Block(Kind::Call)),
        sure(&[ty(&["toolResponse"])], Does::Block(Kind::Result)),
    ],
);

static LINE: State = state(
    "line",
    &[is("role", STRING, Slot::Role), each("content", Slot::List, &PART)],
    &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

static ORIGIN: State =
    state("origin", &[is("created", NUMBER, Slot::Created), is("working_dir", STRING, Slot::Project)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("role", &[]), ("created", &[]), ("content", &[])], sure: true }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "goose",
    aliases: &["goose-session"],
    about: "Goose: session files, with thinking and redactedThinking parts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/working_dir", "/message_count"]),
            Sign::Members(&["/id", "/role", "/created", "/content/*/type"]),
        ],
        examples: &[
            r#"{"working_dir":"/w","description":"Rain","message_count":2,"total_tokens":40}"#,
            r#"{"id":"m1","role":"user","created":1785578400,"content":[{"type":"text","text":"Will it rain?"}]}"#,
        ],
        ..product("Goose")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
