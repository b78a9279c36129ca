//! LibreChat: exported conversations, as JSON.
//!
//! Found in the program's own code (`packages/data-provider`, `client/src/hooks/Conversations/useExportConversation.ts`); not
//! specified. A part of the type `think` is reasoning; messages without parts have a text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, search, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
        is("output", STRING, Slot::Result),
    ],
    &[],
);

/// A text or a thought that has a place of its own.
static VALUE: State = state("value", &[is("value", STRING, Slot::Text)], &[]);

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("think", STRING, Slot::Text),
        same("think", &VALUE),
        is("text", STRING, Slot::Text),
        same("text", &VALUE),
        same("tool_call", &CALL),
    ],
    &[
        sure(&[ty(&["think"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool_call"])], Does::Block(Kind::Answered)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("sender", STRING, Slot::Role),
        // An export may be a tree: what answers a message stands in it.
        each("children", Slot::Messages, &MESSAGE),
        each("content", Slot::List, &PART),
        // The same text again, or none.
        search("text").beside("content", &[]),
        is("text", STRING, Slot::Text),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

/// What the user has chosen for a conversation, instructions among it.
static OPTIONS: State =
    state("options", &[is("promptPrefix", STRING, Slot::System), is("system", STRING, Slot::System)], &[]);

static RECORD: State = state(
    "conversation",
    &[
        each("messages", Slot::Messages, &MESSAGE),
        each("messagesTree", Slot::Messages, &MESSAGE),
        same("options", &OPTIONS),
    ],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("conversationId", STRING, Slot::Conversation),
        is("title", STRING, Slot::Title),
        each("messages", Slot::Messages, &ORIGIN_OF_MESSAGE),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("createdAt", STRING, Slot::Created), is("model", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("messages", &[]), ("conversationId", &[]), ("", &["\"isCreatedByUser\""])], sure: false },
        Recognition {
            has: &[("messagesTree", &[]), ("conversationId", &[]), ("", &["\"isCreatedByUser\""])],
            sure: false,
        },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "librechat",
    aliases: &["librechat-export"],
    about: "LibreChat: exported conversations, with think parts",
    products: &[Product {
        signs: &[Sign::Members(&["/conversationId", "/exportAt"]), Sign::Members(&["/messages/*/isCreatedByUser"])],
        examples: &[r#"{"conversationId":"c1","endpoint":"anthropic","exportAt":"10:00:00","messages":[]}"#],
        ..product("LibreChat")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
