//! Cohere v2: requests, responses, and the events of a response that is streamed.
//!
//! Specified by Cohere's API reference ("Chat", v2; "Chat with streaming"). A part of the type `thinking` is reasoning;
//! `tool_plan` is what the model thinks before it calls tools, under a key of the message. Events have names with hyphens,
//! and the new part under `delta.message`.

mod write;

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, NUMBER, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is,
    one, pass, same, search, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use crate::model::content::{Attribute, Stop};
use write::Cohere;

/// The source of a plan, which stands under a key of its own.
const PLAN: &str = "tool_plan";

/// A part of a message's content, or the new piece of one.
static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Text),
        is("image_url", OBJECT, Slot::Media),
    ],
    &[
        case(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["image_url"])], Does::Block(Kind::Media)),
        // The new piece of a part says by its key what it is.
        case(&[When::Lacks(Slot::Type), When::Under(Slot::Text, "thinking")], Does::Block(Kind::Reasoning("part"))),
        case(&[When::Lacks(Slot::Type), When::Under(Slot::Text, "text")], Does::Block(Kind::Text)),
    ],
);

static FUNCTION: State =
    state("function", &[is("name", STRING, Slot::Name), is("arguments", STRING, Slot::Arguments)], &[]);

static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), pass("type"), same("function", &FUNCTION)],
    &[case(&[], Does::Block(Kind::Call))],
);

/// A message of a request, or the answer.
static MESSAGE_KEYS: &[Key] = &[
    is("role", STRING, Slot::Role),
    is("content", STRING, Slot::Text),
    each("content", Slot::List, &PART),
    is("tool_plan", STRING, Slot::Thought).beside("role", &["assistant"]),
    each("tool_calls", Slot::Calls, &CALL),
    is("tool_call_id", STRING, Slot::ResultOf),
    search("citations"),
];

/// Only its plan tells a message from one of the chat family.
static MESSAGE: State = state(
    "message",
    MESSAGE_KEYS,
    &[
        sure(&[When::Has(Slot::Thought)], Does::Message),
        case(&[When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
);

/// The answer in a response.
static ANSWER: State = state("answer", &[], &[]).include(&[MESSAGE_KEYS]);

/// The message in an event: how it begins, or what is new of it.
static NEWS: State = state(
    "new part",
    &[
        one("content", Slot::Inner, &PART),
        is("tool_plan", STRING, Slot::Text),
        one("tool_calls", Slot::Inner, &CALL),
        search("citations"),
    ],
    &[],
);

static DELTA: State = state(
    "delta",
    &[
        same("message", &NEWS),
        is("finish_reason", STRING, Slot::Stop),
        is("usage", OBJECT, Slot::Usage),
        is("error", STRING, Slot::Error),
    ],
    &[],
);

static RECORD: State = state(
    "record",
    &[
        is("type", STRING, Slot::Type),
        is("id", STRING, Slot::Id),
        is("index", NUMBER, Slot::Index),
        same("delta", &DELTA),
        // A response.
        same("message", &ANSWER),
        is("finish_reason", STRING, Slot::Stop),
        is("usage", OBJECT, Slot::Usage),
        // A request.
        each("messages", Slot::Messages, &MESSAGE),
        is("model", STRING, Slot::Model),
        is("tools", LIST, Slot::Tools),
        is("max_tokens", NUMBER, Slot::Limit),
        is("temperature", NUMBER, Slot::Parameter),
        is("p", NUMBER, Slot::Parameter),
        is("stream", ANY, Slot::Parameter),
    ],
    &[
        sure(&[ty(&["message-start"])], Does::Begin),
        sure(&[ty(&["content-start", "tool-call-start"]), When::Has(Slot::Inner)], Does::Open),
        sure(&[ty(&["content-delta", "tool-call-delta"]), When::Has(Slot::Inner)], Does::Feed(None)),
        sure(&[ty(&["content-end", "tool-call-end"])], Does::Close),
        sure(&[ty(&["tool-plan-delta"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Reasoning(PLAN)))),
        sure(&[ty(&["message-end"])], Does::Amend),
        sure(&[ty(&["citation-start", "citation-end"])], Does::Amend),
        sure(&[ty(&["debug"])], Does::Nothing),
        sure(&[When::Has(Slot::Role), When::Has(Slot::Stop), When::Lacks(Slot::Type)], Does::Response),
        case(&[When::Has(Slot::Messages), When::Lacks(Slot::Type)], Does::Request),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["message-*", "content-*", "tool-call-*"])], sure: true },
        Recognition { has: &[("type", &["tool-plan-delta", "citation-*"])], sure: true },
        Recognition {
            has: &[("finish_reason", &["COMPLETE", "TOOL_CALL", "STOP_SEQUENCE"]), ("message", &[])],
            sure: true,
        },
        Recognition { has: &[("finish_reason", &["MAX_TOKENS", "ERROR", "TIMEOUT"]), ("message", &[])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"tool_plan\""])], sure: true },
    ],
    stops: &[
        ("COMPLETE", Stop::End),
        ("STOP_SEQUENCE", Stop::End),
        ("TOOL_CALL", Stop::Calls),
        ("MAX_TOKENS", Stop::Length),
        ("ERROR", Stop::Error),
        ("TIMEOUT", Stop::Error),
    ],
    keys: &[PLAN],
    used: &[
        ("input_tokens", Attribute::Input),
        ("output_tokens", Attribute::Output),
        ("cached_tokens", Attribute::Cached),
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "cohere",
    aliases: &["cohere-v2"],
    kin: &["command"],
    about: "Cohere v2: responses and events with thinking parts and tool plans",
    products: &[Product {
        signs: &[
            Sign::Members(&["/type=content-*", "/delta/message"]),
            Sign::Members(&["/type=message-start", "/delta/message"]),
            Sign::Members(&["/finish_reason", "/message/content/*/type", "/usage/billed_units"]),
        ],
        examples: &[
            r#"{"type":"message-start","id":"c1","delta":{"message":{"role":"assistant","content":[]}}}"#,
            r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"By noon."}}}}"#,
            r#"{"id":"c1","finish_reason":"COMPLETE","message":{"role":"assistant","content":[{"type":"text","text":"By noon."}]},"usage":{"billed_units":{"input_tokens":3}}}"#,
        ],
        ..product("Cohere v2")
    }],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    write: Some(|_| std::sync::Arc::new(Cohere)),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
