//! Crush: the rows of its data base, whose parts are a list in a string of JSON.
//!
//! Found in the program's own code (`internal/message/message.go`, `content.go`); not specified. A part has its members in
//! `data`. What Google and OpenAI have signed or encrypted of reasoning stands beside its text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, is, json, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// What the Responses API has said of a block.
static RESPONSES: State = state("responses data", &[is("encrypted_content", STRING, Slot::Ciphertext)], &[]);

static DATA: State = state(
    "data",
    &[
        is("thinking", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("thought_signature", STRING, Slot::Signature),
        same("responses_data", &RESPONSES),
        is("text", STRING, Slot::Text),
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("input", ANY, Slot::Arguments),
        is("tool_call_id", STRING, Slot::ResultOf),
        is("content", ANY, Slot::Result),
    ],
    &[],
);

static RECORD: State = state(
    "row",
    &[json("parts").beside("role", &["assistant"]), is("type", STRING, Slot::Type), same("data", &DATA)],
    &[
        case(&[When::Has(Slot::Record)], Does::Envelope),
        sure(&[ty(&["reasoning"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool_call"])], Does::Block(Kind::Call)),
        case(&[ty(&["tool_result"])], Does::Block(Kind::Result)),
        case(&[ty(&["image_url", "binary"])], Does::Block(Kind::Media)),
        case(&[ty(&["finish"])], Does::Nothing),
        // A part of another kind, or a row of somebody else.
        case(&[], Does::Unread),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("session_id", &[]), ("role", &[]), ("parts", &[])], sure: false },
        Recognition {
            has: &[
                ("type", &["reasoning", "text", "tool_call", "tool_result", "image_url", "binary", "finish"]),
                ("data", &[]),
            ],
            sure: false,
        },
    ],
    items: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "crush",
    aliases: &["crush-rows"],
    about: "Crush: rows of its data base, with the parts of a message in a string",
    products: &[Product {
        signs: &[Sign::Members(&["/session_id", "/role", "/parts"])],
        examples: &[
            r#"{"id":"m1","session_id":"s1","role":"user","parts":"[{\"type\":\"text\",\"data\":{\"text\":\"Will it rain?\"}}]"}"#,
        ],
        ..product("Crush (rows)")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
