//! LLaMA-Factory: data sets in the form of its version 1.
//!
//! Specified by the program's guide to data ("Data format", version 1). A part has its text in `value`, and one of the type
//! `reasoning` is reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, LIST, Recognition, STRING, Shape, Slot, State, When, case, each, is, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("value", STRING, Slot::Arguments).beside("type", &["tool_call"]),
        is("value", STRING, Slot::Text),
    ],
    &[
        sure(&[ty(&["reasoning"]), When::Has(Slot::Text)], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[ty(&["tool_call"]), When::Has(Slot::Arguments)], Does::Block(Kind::Call)),
        sure(&[ty(&["image_url", "video_url", "audio_url"]), When::Has(Slot::Text)], Does::Block(Kind::Media)),
    ],
);

/// A part of what came of a call, which has no identifier: it answers the call before it.
static RESULT: State = state(
    "result",
    &[is("type", STRING, Slot::Type), is("value", STRING, Slot::Result)],
    &[
        case(&[ty(&["reasoning"])], Does::Unclear),
        case(&[ty(&["text"]), When::Has(Slot::Result)], Does::Block(Kind::Result)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        each("content", Slot::List, &RESULT).beside("role", &["tool"]),
        each("content", Slot::List, &PART),
    ],
    &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

static RECORD: State = state(
    "sample",
    &[
        each("messages", Slot::Messages, &MESSAGE),
        each("chosen_messages", Slot::Messages, &MESSAGE),
        each("rejected_messages", Slot::Messages, &MESSAGE),
        is("tools", STRING | LIST, Slot::Tools),
    ],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("messages", &[]), ("", &["\"value\""])], sure: true },
        Recognition { has: &[("chosen_messages", &[]), ("rejected_messages", &[]), ("", &["\"value\""])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "llama-factory",
    aliases: &["dataset-llamafactory", "llamafactory"],
    about: "LLaMA-Factory: data sets of version 1, with reasoning parts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/messages/*/content/*/value"]),
            Sign::Members(&["/chosen_messages/*/content/*/value"]),
        ],
        examples: &[
            r#"{"messages":[{"role":"user","content":[{"type":"text","value":"2+2?"}]}]}"#,
            r#"{"chosen_messages":[{"role":"user","content":[{"type":"text","value":"2+2?"}]}],"rejected_messages":[]}"#,
        ],
        ..product("LLaMA-Factory data set")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
