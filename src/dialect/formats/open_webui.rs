//! Open WebUI: exported chats.
//!
//! Found in exported files, and in the program's own code (`backend/open_webui/utils/middleware.py`); not specified. The
//! messages stand under their identifiers, and those of the shown branch once more in a list. The content of a message has its
//! reasoning between tags; since 2026 the items that the content is made of stand beside it. A message refers to the one
//! before it, so that none goes.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, ANY_KEY, BASE, Does, Key, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, one,
    same, state, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::SUMMARY;

// The parts of an item of reasoning have the type of a text.
static PART: State = state("part", TEXT, &[case(&[When::Has(Slot::Text)], Does::Block(Kind::Text))]);

static THOUGHT: State = state("thought", TEXT, &[case(&[When::Has(Slot::Text)], Does::Block(Kind::Reasoning("part")))]);

static SUMMARY_PART: State =
    state("summary", TEXT, &[case(&[When::Has(Slot::Text)], Does::Block(Kind::Reasoning(SUMMARY)))]);

static TEXT: &[Key] = &[is("text", STRING, Slot::Text)];

const REASONING: &[&str] = &["reasoning"];

static ITEM: State = state(
    "item",
    &[
        is("type", STRING, Slot::Type),
        each("content", Slot::List, &THOUGHT).beside("type", REASONING),
        each("summary", Slot::Summary, &SUMMARY_PART).beside("type", REASONING),
        each("content", Slot::List, &PART),
        // A call, and what came of it.
        is("arguments", ANY, Slot::Arguments),
        is("code", STRING, Slot::Arguments),
        is("output", ANY, Slot::Result),
    ],
    &[
        case(&[ty(REASONING)], Does::Block(Kind::Reasoning(SUMMARY))),
        case(&[ty(&["message"])], Does::Block(Kind::Message)),
        case(&[ty(&["*_call", "*code_interpreter"])], Does::Block(Kind::Answered)),
        case(&[ty(&["*_call_output"])], Does::Block(Kind::Result)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("id", STRING, Slot::Id),
        is("parentId", STRING, Slot::Before),
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        each("output", Slot::MadeOf, &ITEM),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static MAP: State = state("messages", &[one(ANY_KEY, Slot::Messages, &MESSAGE)], &[]);

static HISTORY: State = state("history", &[same("messages", &MAP), is("currentId", STRING, Slot::Latest)], &[]);

static PARAMETERS: State = state("params", &[is("system", STRING, Slot::System)], &[]);

static CHAT: &[Key] =
    &[same("history", &HISTORY), each("messages", Slot::Again, &MESSAGE), same("params", &PARAMETERS)];

static INNER: State = state("chat", CHAT, &[]);

static RECORD: State = state(
    "export",
    &[same("chat", &INNER)],
    &[case(&[When::Has(Slot::Messages)], Does::Request), case(&[When::Has(Slot::Again)], Does::Request)],
)
.include(&[CHAT]);

static ORIGIN: State = state(
    "origin",
    &[is("id", STRING, Slot::Conversation), is("title", STRING, Slot::Title), is("created_at", NUMBER, Slot::Created)],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("chat", &[]), ("", &["\"history\""])], sure: false },
        Recognition { has: &[("history", &[]), ("", &["\"currentId\""])], sure: false },
    ],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "open-webui",
    aliases: &["openwebui-export", "openwebui"],
    about: "Open WebUI: exported chats, with reasoning between tags and in items",
    products: &[Product {
        signs: &[Sign::Members(&["/chat/history/messages"]), Sign::Members(&["/history/messages/*/childrenIds"])],
        examples: &[
            r#"[{"id":"c1","chat":{"history":{"messages":{"u1":{"role":"user","content":"Will it rain?"}},"currentId":"u1"}}}]"#,
            r#"{"title":"Rain","history":{"messages":{"u1":{"role":"user","childrenIds":[],"content":"Will it rain?"}},"currentId":"u1"}}"#,
        ],
        ..product("Open WebUI")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
