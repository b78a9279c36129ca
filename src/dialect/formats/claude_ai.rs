//! Claude.ai: the conversations of an account export, and single conversations.
//!
//! Found in exported files (`conversations.json`); not specified. The blocks of a message are those of the Anthropic API, with
//! summaries of the reasoning in its blocks. `text` repeats the visible text of the blocks; older exports have it alone.

use super::anthropic;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, STRING, Shape, Slot, State, When, case, each, is, search, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static MESSAGE: State = state(
    "message",
    &[
        is("sender", STRING, Slot::Role),
        each("content", Slot::List, &anthropic::PART),
        // The same text again.
        search("text").beside("content", &[]),
        is("text", STRING, Slot::Text),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static RECORD: State = state(
    "conversation",
    &[each("chat_messages", Slot::Messages, &MESSAGE)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("uuid", STRING, Slot::Conversation),
        is("name", STRING, Slot::Title),
        is("model", STRING, Slot::Model),
        each("chat_messages", Slot::Messages, &ORIGIN_OF_MESSAGE),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State = state("origin", &[is("created_at", STRING, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("chat_messages", &[]), ("uuid", &[])], sure: false }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "claude-ai",
    aliases: &["claude-ai-export"],
    about: "Claude.ai: conversations of an account export",
    products: &[Product {
        signs: &[Sign::Members(&["/chat_messages/*/sender"]), Sign::Members(&["/chat_messages", "/account"])],
        examples: &[
            r#"[{"uuid":"c1","name":"Rain","account":{"uuid":"a1"},"chat_messages":[{"sender":"human","text":"Will it rain?"}]}]"#,
        ],
        ..product("Claude.ai")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
