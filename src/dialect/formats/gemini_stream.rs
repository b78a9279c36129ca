//! Gemini CLI: what `gemini --output-format stream-json` writes, an event a line. Forks of the program write the same.
//!
//! Specified by the program's documentation ("Headless mode"). The text of the model comes in pieces, which say that they are
//! some; a model that thinks between tags has them there.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, TRUE, When, is, pass, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::Type),
        is("role", STRING, Slot::Role),
        is("delta", TRUE, Slot::Flag),
        is("content", STRING, Slot::Text),
        is("tool_id", STRING, Slot::Index),
        is("tool_name", STRING, Slot::Name),
        is("parameters", ANY, Slot::Arguments),
        is("output", ANY, Slot::Result),
        // What a tool or the service says of its failure is not the model's.
        pass("error").beside("type", &["tool_result", "result"]),
        is("status", STRING, Slot::Stop).beside("type", &["result"]),
    ],
    &[
        sure(
            &[ty(&["message"]), When::Is(Slot::Role, &["assistant"]), When::Has(Slot::Flag), When::Has(Slot::Text)],
            Does::Feed(Some(Kind::Text)),
        ),
        sure(&[ty(&["tool_use"]), When::Has(Slot::Name)], Does::OpenAs(Kind::Call)),
        sure(&[ty(&["tool_result"]), When::Has(Slot::Index)], Does::Block(Kind::Result)),
        sure(&[ty(&["init", "error"])], Does::Nothing),
        sure(&[ty(&["result"])], Does::End),
    ],
);

const SHAPE: Shape = Shape {
    record: &LINE,
    recognised_by: &[
        Recognition {
            has: &[("type", &["message"]), ("role", &["assistant"]), ("delta", &[]), ("timestamp", &[])],
            sure: true,
        },
        Recognition { has: &[("type", &["tool_use"]), ("tool_id", &[]), ("parameters", &[])], sure: true },
        Recognition { has: &[("type", &["tool_result"]), ("tool_id", &[]), ("output", &[])], sure: true },
        Recognition { has: &[("type", &["tool_result"]), ("tool_id", &[]), ("error", &[])], sure: true },
        Recognition { has: &[("type", &["init"]), ("session_id", &[]), ("timestamp", &[])], sure: true },
        Recognition { has: &[("type", &["result"]), ("timestamp", &[]), ("stats", &[])], sure: true },
    ],
    log: true,
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "gemini-stream",
    aliases: &["gemini-cli-stream"],
    kin: &["gemini-cli", "qwen-code"],
    about: "Gemini CLI: the lines of stream-json, with inline tags",
    products: &[Product {
        signs: &[
            Sign::Members(&["/type=message", "/role", "/delta", "/timestamp"]),
            Sign::Members(&["/type=tool_use", "/tool_id", "/timestamp"]),
        ],
        examples: &[
            r#"{"type":"message","timestamp":"2026-08-01T10:00:00Z","role":"assistant","content":"By noon.","delta":true}"#,
        ],
        ..product("gemini (stream-json)")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
