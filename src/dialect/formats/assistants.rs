//! Messages of a thread, as OpenAI's Assistants API lists them, and as Jan keeps them on disk.
//!
//! Specified by OpenAI's API reference ("The message object"). A text stands under `text.value`, beside what it refers to.
//! There is no place for reasoning: models that run locally leave it between tags.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static TEXT: State = state("text", &[is("value", STRING, Slot::Text)], &[]);

static PART: State = state(
    "part",
    &[is("type", STRING, Slot::Type), same("text", &TEXT)],
    &[
        sure(&[ty(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        // Jan's.
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["image_*"])], Does::Block(Kind::Media)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("thread_id", STRING, Slot::Conversation),
        each("content", Slot::List, &PART),
        each("data", Slot::Messages, &MESSAGE),
    ],
    &[
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
        // A list of them.
        case(&[When::Has(Slot::Messages)], Does::Request),
    ],
);

const SHAPE: Shape = Shape {
    record: &MESSAGE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("object", &["thread.message"]), ("content", &[])], sure: true },
        Recognition { has: &[("object", &["list"]), ("", &["\"thread.message\""])], sure: true },
    ],
    signs: &[&["\"thread.message\""]],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "assistants",
    aliases: &["openai-assistants", "jan", "thread"],
    about: "messages of a thread: OpenAI's Assistants API, and Jan's files",
    products: &[Product {
        signs: &[Sign::Members(&["/object=thread.message", "/thread_id", "/content/*/text/value"])],
        examples: &[
            r#"{"id":"m1","object":"thread.message","thread_id":"t1","role":"user","content":[{"type":"text","text":{"value":"Will it rain?","annotations":[]}}]}"#,
        ],
        ..product("Jan")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
