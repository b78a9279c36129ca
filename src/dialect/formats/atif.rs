//! ATIF, the Agent Trajectory Interchange Format of Harbor: a trajectory is a list of steps.
//!
//! Specified by its RFC ("Agent Trajectory Format"). What an agent thinks stands beside what it says, and what it observes beside
//! the calls that asked for it.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, pass, same, search,
    state,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[
        is("tool_call_id", STRING, Slot::CallId),
        is("function_name", STRING, Slot::Name),
        is("arguments", ANY, Slot::Arguments),
    ],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

static RESULT: State = state(
    "result",
    &[is("source_call_id", STRING, Slot::ResultOf), is("content", ANY, Slot::Result)],
    &[case(&[], Does::Block(Kind::Result))],
);

static OBSERVATION: State = state("observation", &[each("results", Slot::List, &RESULT)], &[]);

/// A part of a message that has images.
static PART: State = state(
    "part",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text), is("source", ANY, Slot::Media)],
    &[
        case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
        case(&[], Does::Unclear),
    ],
);

static STEP: State = state(
    "step",
    &[
        is("source", STRING, Slot::Role),
        is("message", STRING, Slot::Text),
        each("message", Slot::List, &PART),
        is("reasoning_content", STRING, Slot::Thought),
        each("tool_calls", Slot::List, &CALL),
        same("observation", &OBSERVATION),
        is("step_id", NUMBER, Slot::OwnParameter),
        is("timestamp", STRING, Slot::Created),
        is("model_name", STRING, Slot::Model),
        pass("metrics"),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static RECORD: State = state(
    "trajectory",
    &[
        each("steps", Slot::Messages, &STEP),
        search("schema_version").beside("steps", &[]),
        search("session_id").beside("steps", &[]),
        search("agent").beside("steps", &[]),
        search("notes").beside("steps", &[]),
        search("final_metrics").beside("steps", &[]),
    ],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[Recognition { has: &[("schema_version", &["ATIF-*"]), ("steps", &[])], sure: false }],
    keys: &["reasoning_content"],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "atif",
    aliases: &["harbor-trajectory"],
    about: "ATIF: trajectories of agents, with reasoning_content in their steps",
    products: &[Product {
        signs: &[Sign::Members(&["/schema_version=ATIF-*", "/steps/*/source"])],
        examples: &[
            r#"{"schema_version":"ATIF-v1.4","session_id":"s1","agent":{"name":"a"},"steps":[{"step_id":1,"source":"user","message":"Will it rain?"}]}"#,
        ],
        ..product("ATIF")
    }],
    framings: &[Framing::Json, Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
