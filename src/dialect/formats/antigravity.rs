//! Antigravity: the transcripts of Google's agent.
//!
//! Found in files (`transcript.jsonl`); not specified. A line of the type `PLANNER_RESPONSE` is a message of the model, with its
//! reasoning under a key beside the text; other lines are what tools, the user and the program say.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[is("name", STRING, Slot::Name), is("args", ANY, Slot::Arguments)],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::ByUser).beside("type", &["USER_INPUT"]),
        is("type", STRING, Slot::Type),
        is("source", STRING, Slot::Object),
        is("thinking", STRING, Slot::Thought),
        is("content", STRING, Slot::Text),
        each("tool_calls", Slot::List, &CALL),
    ],
    &[
        sure(&[ty(&["PLANNER_RESPONSE"])], Does::Message),
        case(&[When::Has(Slot::ByUser)], Does::Message),
        case(&[When::Thinks], Does::Unclear),
        case(&[When::Has(Slot::Object)], Does::Quotes(&["content"])),
    ],
);

static ORIGIN: State = state("origin", &[is("created_at", STRING, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[Recognition {
        has: &[("step_index", &[]), ("source", &[]), ("type", &[]), ("status", &[])],
        sure: false,
    }],
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "antigravity",
    aliases: &["antigravity-transcript"],
    about: "Antigravity: transcripts of Google's agent",
    products: &[Product {
        signs: &[Sign::Members(&["/step_index", "/source", "/status"])],
        examples: &[
            r#"{"step_index":0,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","content":"By noon."}"#,
        ],
        ..product("Antigravity")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
