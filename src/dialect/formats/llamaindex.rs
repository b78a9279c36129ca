//! LlamaIndex: chat messages with blocks.
//!
//! Found in the library's own code (`llama_index/core/base/llms/types.py`); not specified. `block_type` says what a block is:
//! `thinking` is reasoning, with a signature beside its text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ADDED: State = state("additional information", &[is("signature", STRING, Slot::Signature)], &[]);

static BLOCK: State = state(
    "block",
    &[
        is("block_type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("content", STRING, Slot::Text).beside("block_type", &["thinking"]),
        same("additional_information", &ADDED).beside("block_type", &["thinking"]),
        is("tool_call_id", STRING, Slot::CallId),
        is("tool_name", STRING, Slot::Name),
        is("tool_kwargs", ANY, Slot::Arguments),
    ],
    &[
        sure(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["text"])], Does::Block(Kind::Text)),
        sure(&[ty(&["tool_call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["image", "audio", "document", "video"])], Does::Block(Kind::Media)),
    ],
);

/// What a message of a tool answers.
static ANSWERS: State = state("additional arguments", &[is("tool_call_id", STRING, Slot::ResultOf)], &[]);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        same("additional_kwargs", &ANSWERS).beside("role", &["tool"]),
        each("blocks", Slot::List, &BLOCK),
    ],
    &[
        case(&[When::Has(Slot::ResultOf), When::Has(Slot::List)], Does::Turn(Kind::Result)),
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
    ],
);

const SHAPE: Shape = Shape {
    record: &MESSAGE,
    recognised_by: &[Recognition { has: &[("role", &[]), ("blocks", &[]), ("", &["\"block_type\""])], sure: true }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "llamaindex",
    aliases: &["llamaindex-messages"],
    about: "LlamaIndex: chat messages with thinking blocks",
    products: &[Product {
        signs: &[Sign::Members(&["/role", "/blocks/*/block_type"])],
        examples: &[r#"[{"role":"user","blocks":[{"block_type":"text","text":"Will it rain?"}]}]"#],
        ..product("LlamaIndex")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
