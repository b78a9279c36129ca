//! Chatbox: sessions, as they are stored and exported.
//!
//! Found in the program's own code (`src/shared/types/session.ts`); not specified. A part of the type `reasoning` is reasoning;
//! older messages have it in `reasoningContent`.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("toolCallId", STRING, Slot::CallId),
        is("toolName", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
        is("result", ANY, Slot::Result),
    ],
    &[
        case(&[ty(&["reasoning"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool-call"])], Does::Block(Kind::Answered)),
        case(&[ty(&["image"])], Does::Block(Kind::Media)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        each("contentParts", Slot::List, &PART),
        is("reasoningContent", STRING, Slot::Thought),
        is("content", STRING, Slot::Text),
    ],
    &[
        sure(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
);

static RECORD: State = state(
    "session",
    &[each("messages", Slot::Messages, &MESSAGE)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("id", STRING, Slot::Conversation),
        is("name", STRING, Slot::Title),
        each("messages", Slot::Messages, &ORIGIN_OF_MESSAGE),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("timestamp", NUMBER, Slot::Created), is("model", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("messages", &[]), ("", &["\"contentParts\""])], sure: true }],
    keys: &["reasoningContent"],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "chatbox",
    aliases: &["chatbox-session"],
    about: "Chatbox: sessions, with reasoning parts",
    products: &[Product {
        signs: &[Sign::Members(&["/messages/*/contentParts"])],
        examples: &[
            r#"{"id":"s1","type":"chat","messages":[{"role":"user","contentParts":[{"type":"text","text":"Will it rain?"}]}]}"#,
        ],
        ..product("Chatbox")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
