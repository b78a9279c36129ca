//! `llm`, by Simon Willison: what `llm logs --json` prints, an object for each prompt and its answer.
//!
//! Found in the program's own code (`llm/cli.py`, `llm/logs.py`); not specified. The provider's own response stands beside the
//! answer: reasoning goes from it, too.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Recognition, STRING, Shape, Slot, State, When, case, is, same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// The provider's response, in one of chat's layouts.
static RAW: State =
    state("raw response", &[is("reasoning_content", STRING, Slot::Shadow), is("reasoning", STRING, Slot::Shadow)], &[]);

static ROW_OF_LOG: State = state(
    "row",
    &[
        is("response", STRING, Slot::Text),
        is("reasoning", STRING, Slot::Thought),
        same("response_json", &RAW),
        is("prompt", STRING, Slot::Input),
        is("system", STRING, Slot::System),
    ],
    &[sure(&[When::Has(Slot::Text)], Does::Message), case(&[], Does::Unclear)],
);

const SHAPE: Shape = Shape {
    record: &ROW_OF_LOG,
    origin: &ORIGIN,
    recognised_by: &[Recognition {
        has: &[("conversation_id", &[]), ("prompt", &[]), ("response", &[]), ("model", &[])],
        sure: false,
    }],
    ..BASE
};

/// Where messages come from.
static ORIGIN: State = state(
    "origin",
    &[
        is("model", STRING, Slot::Model),
        is("conversation_id", ANY, Slot::Conversation),
        is("datetime_utc", STRING, Slot::Created),
    ],
    &[],
);

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "llm",
    aliases: &["llm-logs"],
    about: "llm (Simon Willison): its logs as JSON",
    products: &[Product {
        signs: &[Sign::Members(&["/conversation_id", "/prompt", "/response", "/model"])],
        examples: &[
            r#"[{"id":"r1","model":"gpt-5","prompt":"Will it rain?","response":"By noon.","conversation_id":"c1"}]"#,
        ],
        ..product("llm (simonw)")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
