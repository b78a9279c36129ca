//! pi: the session files of the coding agent pi, and those of Factory's Droid, which are alike.
//!
//! Found in the programs' own code (`packages/coding-agent`, `packages/ai`; `FactoryDroidMessage` of Factory's SDK for Python);
//! not specified. A line wraps a message. Blocks of the type `thinking` are reasoning; later lines refer to earlier ones, so
//! that no line may go.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, pass, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A key that has no word for reasoning.
const ENCRYPTED: &str = "openaiEncryptedContent";

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("thinking", STRING, Slot::Text),
        is("thinkingSignature", STRING, Slot::Signature),
        is("textSignature", STRING, Slot::Seal),
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("arguments", ANY, Slot::Arguments),
        is("data", STRING, Slot::Ciphertext).beside("type", &["redacted_thinking"]),
        is("input", ANY, Slot::Arguments).beside("type", &["tool_use"]),
        is("thoughtSignature", STRING, Slot::Seal).beside("type", &["tool_use", "toolCall"]),
    ],
    &[
        case(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["redacted_thinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["tool_use"])], Does::Block(Kind::Call)),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["toolCall"])], Does::Block(Kind::Call)),
        case(&[ty(&["image"])], Does::Block(Kind::Media)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        each("content", Slot::List, &PART),
        is("toolCallId", STRING, Slot::ResultOf),
        is("isError", TRUE, Slot::IsError),
        is("errorMessage", STRING, Slot::Error),
        // Droid keeps what a provider has beside its blocks.
        is(ENCRYPTED, STRING, Slot::Shadow),
        is("openaiReasoningId", STRING, Slot::Shadow),
        is("openaiReasoningSummary", STRING, Slot::Thought),
        is("geminiThoughtSignature", STRING, Slot::Shadow),
        is("chatCompletionReasoningContent", STRING, Slot::Thought),
        pass("chatCompletionReasoningField"),
    ],
    &[],
);

static LINE: State = state(
    "line",
    &[is("type", STRING, Slot::Type), same("message", &MESSAGE)],
    &[
        sure(&[ty(&["message"]), When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)),
        sure(&[ty(&["message"]), When::Has(Slot::Role)], Does::Message),
        case(&[ty(&["session", "model_change", "thinking_level_change"])], Does::Nothing),
    ],
);

static ORIGIN: State =
    state("origin", &[is("timestamp", STRING, Slot::Created), same("message", &ORIGIN_OF_MESSAGE)], &[]);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("model", STRING, Slot::Model), same("usage", &ORIGIN_OF_USAGE)], &[]);
static ORIGIN_OF_USAGE: State = state("origin", &[same("cost", &ORIGIN_OF_COST)], &[]);
static ORIGIN_OF_COST: State = state("origin", &[is("total", NUMBER, Slot::Cost)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("type", &["message"]), ("message", &[]), ("timestamp", &[])], sure: true },
        Recognition {
            has: &[("type", &["session", "model_change", "thinking_level_change"]), ("timestamp", &[])],
            sure: false,
        },
    ],
    keys: &[ENCRYPTED],
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "pi",
    aliases: &["pi-session"],
    about: "pi: session files of the coding agent",
    products: &[
        Product {
            signs: &[
                Sign::Members(&["/type=message", "/timestamp", "/message/role"]),
                Sign::Members(&["/type=session", "/cwd", "/timestamp"]),
            ],
            examples: &[
                r#"{"type":"session","id":"s1","timestamp":"2026-08-01T10:00:00Z","cwd":"/w"}"#,
                r#"{"type":"message","timestamp":"2026-08-01T10:00:00Z","message":{"role":"user","content":[]}}"#,
            ],
            ..product("pi")
        },
        Product {
            signs: &[Sign::Members(&["/type=session_start", "/id", "/title", "/owner"])],
            examples: &[r#"{"type":"session_start","id":"s1","title":"Rain","owner":"me","version":2,"cwd":"/w"}"#],
            ..product("Droid")
        },
    ],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
