//! `llm`, by Simon Willison: what `llm logs --json` prints, an object for each prompt and its answer.
//!
//! Found in the program's own code (`llm/cli.py`, `llm/logs.py`); not specified. The provider's own response stands beside the
//! answer: reasoning goes from it, too.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, LIST, Recognition, STRING, Shape, Slot, State, When, case, each, flat, is, same, state,
    sure, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A block of the response of Anthropic. What its texts say, the log says beside it.
static BLOCK: State = state(
    "block",
    &[
        is("type", STRING, Slot::Type),
        is("thinking", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("data", STRING, Slot::Ciphertext).beside("type", &["redacted_thinking"]),
    ],
    &[
        case(&[When::Type(&["thinking"])], Does::Block(Kind::Reasoning("raw"))),
        case(&[When::Type(&["redacted_thinking"])], Does::Block(Kind::Sealed("raw"))),
        case(&[When::Thinks], Does::Unclear),
        case(&[], Does::Nothing),
    ],
);

/// The text of the answer once more.
static AGAIN: State = state("text", &[], &[]).or_string(Does::Block(Kind::Text));

/// Keys of a message of chat, which some models' logs have without the response around it.
static OF_MESSAGE: &[Key] = &[is("reasoning_content", STRING, Slot::Shadow), is("reasoning", STRING, Slot::Shadow)];

static MESSAGE: State = state(
    "message",
    &[
        is("reasoning_content", STRING, Slot::Thought),
        is("reasoning", STRING, Slot::Shadow),
        is("reasoning_details", LIST, Slot::Shadow),
        text("content", Slot::Again, &AGAIN),
    ],
    &[],
);

static CHOICE: State = state("choice", &[same("message", &MESSAGE)], &[]);

/// The provider's response.
static RAW: State =
    state("raw response", &[each("content", Slot::List, &BLOCK), flat("choices", &CHOICE)], &[]).include(&[OF_MESSAGE]);

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
    // What the response says of the reasoning is a copy beside that of the log.
    keys: &["reasoning_content"],
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
