//! Grok: the export of an account.
//!
//! Found in files of the service (`prod-grok-backend.json`), and in programs that read them; not specified. The reasoning of an answer
//! stands beside its text, and once more in steps.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, LIST, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static RESPONSE: State = state(
    "response",
    &[
        is("sender", STRING, Slot::Role),
        is("message", STRING, Slot::Text),
        is("thinking_trace", STRING, Slot::Thought),
        is("steps", LIST | OBJECT, Slot::Shadow),
        is("agent_thinking_traces", LIST | OBJECT, Slot::Shadow),
    ],
    &[],
);

static TURN: State = state(
    "turn",
    &[same("response", &RESPONSE)],
    &[sure(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Message)],
);

static CONVERSATION: State = state(
    "conversation",
    &[each("responses", Slot::Messages, &TURN)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static RECORD: State = state(
    "export",
    &[each("conversations", Slot::Sessions, &CONVERSATION), each("responses", Slot::Messages, &TURN)],
    &[case(&[When::Has(Slot::Sessions)], Does::Request), case(&[When::Has(Slot::Messages)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("conversations", &[]), ("", &["\"responses\"", "\"sender\""])], sure: true },
        Recognition { has: &[("conversation", &[]), ("responses", &[])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "grok-export",
    aliases: &["grok"],
    about: "Grok: exports of an account, with traces of thinking",
    products: &[Product {
        signs: &[
            Sign::Members(&["/conversations/*/responses/*/response/sender"]),
            Sign::Members(&["/conversation", "/responses/*/response/sender"]),
        ],
        examples: &[
            r#"{"conversations":[{"conversation":{"id":"c"},"responses":[{"response":{"sender":"human","message":"Will it rain?"}}]}]}"#,
            r#"{"conversation":{"id":"c"},"responses":[{"response":{"sender":"human","message":"Will it rain?"}}]}"#,
        ],
        ..product("Grok")
    }],
    framings: &[Framing::Json, Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
