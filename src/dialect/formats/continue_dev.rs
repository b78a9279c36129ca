//! Continue: the session files of the editor extension.
//!
//! Found in the program's own code (`core/index.d.ts`, `core/util/history.ts`); not specified. A message in the role `thinking`
//! is the reasoning of the one behind it.

use super::shared::CALL;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Result).beside("role", &["tool"]),
        is("content", STRING, Slot::Text),
        is("toolCallId", STRING, Slot::CallId),
        each("toolCalls", Slot::List, &CALL),
        is("signature", STRING, Slot::Signature),
        is("redactedThinking", STRING, Slot::Ciphertext),
    ],
    &[],
);

/// The reasoning of a message, as the window shows it.
static REASONING: State = state(
    "reasoning",
    &[is("text", STRING, Slot::Text)],
    &[sure(&[When::Has(Slot::Text)], Does::Block(Kind::Reasoning("reasoning"))), case(&[], Does::Unclear)],
);

static ITEM: State = state(
    "item",
    &[same("message", &MESSAGE), one("reasoning", Slot::List, &REASONING)],
    &[
        sure(&[When::ThinksIn(Slot::Role)], Does::Block(Kind::Reasoning("part"))),
        case(&[When::Has(Slot::Result), When::Has(Slot::CallId)], Does::Block(Kind::Result)),
        case(&[When::Has(Slot::Role)], Does::Block(Kind::Message)),
    ],
);

static RECORD: State =
    state("session", &[each("history", Slot::List, &ITEM)], &[case(&[When::Has(Slot::List)], Does::Request)]);

static ORIGIN: State = state(
    "origin",
    &[is("sessionId", STRING, Slot::Conversation), is("workspaceDirectory", STRING, Slot::Project)],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("history", &[]), ("", &["\"contextItems\""])], sure: false }],
    items: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "continue",
    aliases: &["continue-session"],
    about: "Continue: session files of the editor extension",
    products: &[Product {
        signs: &[Sign::Members(&["/history/*/message", "/history/*/contextItems"])],
        examples: &[
            r#"{"sessionId":"s1","title":"Rain","history":[{"message":{"role":"user","content":"Will it rain?"},"contextItems":[]}]}"#,
        ],
        ..product("Continue")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
