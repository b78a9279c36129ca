//! Qwen Code: the session files of the program, a line for each turn. They hold the content of Google's API.
//!
//! Found in the program's own code (`packages/core/src/services/chatRecordingService.ts`); not specified. A line refers to
//! the one before it, so that none goes.

use super::gemini;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, is, same, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static LINE: State = state(
    "line",
    &[same("message", &gemini::CONTENT), is("usageMetadata", OBJECT, Slot::Usage)],
    &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("sessionId", STRING, Slot::Conversation),
        is("timestamp", STRING, Slot::Created),
        is("model", STRING, Slot::Model),
        is("cwd", STRING, Slot::Project),
        is("gitBranch", STRING, Slot::Branch),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[Recognition {
        has: &[("parentUuid", &[]), ("sessionId", &[]), ("message", &[]), ("", &["\"parts\""])],
        sure: false,
    }],
    used: gemini::USED,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "qwen-code",
    aliases: &["qwen-code-session"],
    about: "Qwen Code: session files, with thought parts",
    products: &[Product {
        signs: &[Sign::Members(&["/parentUuid", "/sessionId", "/message/parts"])],
        examples: &[
            r#"{"uuid":"a","parentUuid":null,"sessionId":"s1","type":"user","message":{"role":"user","parts":[{"text":"Will it rain?"}]}}"#,
        ],
        ..product("Qwen Code")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
