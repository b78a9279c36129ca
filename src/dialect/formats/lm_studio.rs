//! LM Studio: the files of its conversations, and the events of its own API.
//!
//! The files are found in the program, and not specified; the events are those of its documentation ("Streaming events" of the
//! REST API, version 1). A whole answer of that API is read as one of Responses. A message has versions, of which one is
//! selected, and the version of an answer has steps. A step in the style of thinking is reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, flat, is, one, pass, same, state,
    sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

static PART: State = state(
    "part",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Text))],
);

static STYLE: State = state("style", &[is("type", STRING, Slot::Subtype)], &[]);

static STEP: State = state(
    "step",
    &[is("type", STRING, Slot::Type), same("style", &STYLE), each("content", Slot::List, &PART)],
    &[
        sure(&[ty(&["contentBlock"]), When::Is(Slot::Subtype, &["thinking"])], Does::Block(THOUGHT)),
        // Of another style it is not known whether it is reasoning.
        case(&[ty(&["contentBlock"]), When::Has(Slot::Subtype)], Does::Unclear),
        sure(&[ty(&["contentBlock"])], Does::Block(Kind::Message)),
    ],
);

static VERSION: State = state(
    "version",
    &[is("role", STRING, Slot::Role), each("content", Slot::List, &PART), each("steps", Slot::List, &STEP)],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static TURN: State = state("turn", &[each("versions", Slot::Messages, &VERSION), pass("currentlySelected")], &[]);

/// A part of an answer of the server.
static OUTPUT: State = state(
    "output",
    &[is("type", STRING, Slot::Type), is("content", STRING, Slot::Text), is("output", ANY, Slot::Result)],
    &[
        case(&[ty(&["reasoning"])], Does::Block(THOUGHT)),
        case(&[ty(&["message"])], Does::Block(Kind::Message)),
        case(&[ty(&["tool_call"])], Does::Block(Kind::Answered)),
    ],
);
static RESULT: State =
    state("result", &[each("output", Slot::List, &OUTPUT)], &[case(&[When::Has(Slot::List)], Does::Response)]);

static RECORD: State = state(
    "record",
    &[
        flat("messages", &TURN),
        // An event of an answer.
        is("type", STRING, Slot::Type),
        is("content", STRING, Slot::Text).beside("type", &["reasoning.delta", "message.delta"]),
        one("result", Slot::Inner, &RESULT).beside("type", &["chat.end"]),
        is("tool", STRING, Slot::Name).beside("type", CALLS),
        is("arguments", ANY, Slot::Arguments).beside("type", CALLS),
        pass("output").beside("type", CALLS),
    ],
    &[
        case(&[When::Has(Slot::Messages)], Does::Request),
        sure(&[ty(&["chat.start"])], Does::Begin),
        sure(&[ty(&["reasoning.start"])], Does::OpenAs(THOUGHT)),
        sure(&[ty(&["reasoning.delta"])], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["reasoning.end"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["message.start"])], Does::OpenAs(Kind::Text)),
        sure(&[ty(&["message.delta"])], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["message.end"])], Does::CloseAs(Kind::Text)),
        sure(&[ty(&["tool_call.start"]), When::Has(Slot::Name)], Does::OpenAs(Kind::Call)),
        sure(&[ty(&["tool_call.arguments"])], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["tool_call.success", "tool_call.failure"])], Does::CloseAs(Kind::Call)),
        sure(&[ty(&["chat.end"]), When::Has(Slot::Inner)], Does::EndWith),
    ],
);

/// Events about a call.
const CALLS: &[&str] = &["tool_call.start", "tool_call.arguments", "tool_call.success", "tool_call.failure"];

/// The types of events that only this server has.
const EVENTS: &[&str] = &[
    "chat.start",
    "chat.end",
    "reasoning.start",
    "reasoning.delta",
    "reasoning.end",
    "message.start",
    "message.delta",
    "message.end",
];

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("messages", &[]), ("", &["\"versions\"", "\"currentlySelected\""])], sure: false },
        Recognition { has: &[("type", EVENTS)], sure: true },
        Recognition { has: &[("type", CALLS), ("tool", &[])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "lm-studio",
    aliases: &["lmstudio-conversation", "lmstudio"],
    about: "LM Studio: conversations with steps of thinking, and events of its own API",
    products: &[Product {
        signs: &[Sign::Members(&["/messages/*/versions", "/messages/*/currentlySelected"])],
        examples: &[
            r#"{"name":"Rain","messages":[{"currentlySelected":0,"versions":[{"type":"singleStep","role":"user","content":[]}]}]}"#,
        ],
        ..product("LM Studio")
    }],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
