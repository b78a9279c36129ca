//! AutoGen AgentChat: the messages and events of a run, as programs dump them (`model_dump`), and the result of a task.
//!
//! Found in the library's own code (`autogen_agentchat/messages.py`); not specified. Each has who it is from, and a type.
//! A `ThoughtEvent` is reasoning. What agents say is by the model, and only the source `user` is the user; the messages of
//! several agents that follow each other are read as one.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, pass, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), is("name", STRING, Slot::Name), is("arguments", STRING, Slot::Arguments)],
    &[case(&[When::Has(Slot::Arguments)], Does::Block(Kind::Call))],
);

static RESULT: State = state(
    "result",
    &[is("call_id", STRING, Slot::CallId), is("content", STRING, Slot::Result), is("is_error", TRUE, Slot::IsError)],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Result))],
);

/// A part of a message of several: a text, or an image.
static PART: State =
    state("part", &[is("data", STRING, Slot::Media)], &[case(&[When::Has(Slot::Media)], Does::Block(Kind::Media))])
        .or_string(Does::Block(Kind::Text));

/// Messages with a text.
const TEXTS: &[&str] = &["TextMessage", "StopMessage", "HandoffMessage", "ToolCallSummaryMessage"];

static RECORD: State = state(
    "record",
    &[
        is("type", STRING, Slot::Type),
        is("source", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        each("content", Slot::Inner, &CALL).beside("type", &["ToolCallRequestEvent"]),
        each("content", Slot::Inner, &RESULT).beside("type", &["ToolCallExecutionEvent"]),
        each("content", Slot::List, &PART).beside("type", &["MultiModalMessage"]),
        // What events had before.
        pass("results"),
        pass("models_usage"),
        // The result of a task.
        each("messages", Slot::List, &RECORD),
    ],
    &[
        sure(
            &[ty(&["ThoughtEvent"]), When::Has(Slot::Role), When::Has(Slot::Text)],
            Does::Block(Kind::Reasoning("part")),
        ),
        sure(&[ty(TEXTS), When::Has(Slot::Role), When::Has(Slot::Text)], Does::Block(Kind::Message)),
        sure(&[ty(&["MultiModalMessage"]), When::Has(Slot::Role), When::Has(Slot::List)], Does::Block(Kind::Message)),
        sure(&[ty(&["ToolCallRequestEvent", "ToolCallExecutionEvent"]), When::Has(Slot::Inner)], Does::Envelope),
        sure(&[ty(&["ModelClientStreamingChunkEvent"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Text))),
        case(&[When::Has(Slot::List), When::Lacks(Slot::Type)], Does::Records),
        case(&[When::Has(Slot::Type)], Does::Unread),
    ],
);

/// Where a message comes from.
static ORIGIN: State = state(
    "origin",
    &[is("id", STRING, Slot::Id), is("created_at", STRING, Slot::Created), each("messages", Slot::List, &ORIGIN)],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("source", &[]), ("type", &[]), ("content", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"source\"", "\"models_usage\""])], sure: true },
    ],
    kinds: &["ThoughtEvent"],
    items: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "autogen",
    aliases: &["autogen-agentchat"],
    about: "AutoGen AgentChat: messages and events of a run, with thought events",
    products: &[Product {
        signs: &[
            Sign::Members(&["/source", "/models_usage", "/type"]),
            Sign::Members(&["/messages/*/source", "/messages/*/models_usage"]),
        ],
        examples: &[
            r#"{"source":"user","models_usage":null,"metadata":{},"content":"Will it rain?","type":"TextMessage"}"#,
            r#"{"messages":[{"source":"user","models_usage":null,"content":"Will it rain?","type":"TextMessage"}],"stop_reason":null}"#,
        ],
        ..product("AutoGen AgentChat")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
