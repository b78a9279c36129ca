//! Cursor CLI: the transcripts of its agent, and what `cursor-agent -p --output-format stream-json` writes.
//!
//! Transcripts (`agent-transcripts`) are found in files, and not specified: a line has a role, and the blocks of the
//! Anthropic API in an object beside it. The lines of a run are specified by Cursor's documentation ("Output format"),
//! but for their reasoning. They look like those of Claude Code, whose messages name themselves and its lines, so that a
//! line with such a name is not read here. With `--stream-partial-output` the text of the model comes in pieces, and once
//! more as a whole before a call and at the end.

use super::anthropic;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, ANY_KEY, BASE, Does, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, flat, is, pass,
    same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

static CONTENT: State =
    state("message", &[is("id", ANY, Slot::ForeignMember), each("content", Slot::List, &anthropic::PART)], &[]);

/// What the model says in a line of a run.
static SAID: State = state("message", &[is("id", ANY, Slot::ForeignMember), flat("content", &SAID_PART)], &[]);
static SAID_PART: State = state("part", &[is("text", STRING, Slot::Text)], &[]);

/// A call stands under a key that names its kind.
static CALLED: State = state("call", &[same(ANY_KEY, &CALL)], &[]);
static CALL: State = state(
    "call",
    &[
        is("args", ANY, Slot::Arguments),
        is("result", ANY, Slot::Result),
        // A tool that the program has no kind for.
        is("name", STRING, Slot::Name),
        is("arguments", STRING, Slot::Arguments),
    ],
    &[],
);

const OWN: When = When::Lacks(Slot::ForeignMember);

static LINE: State = state(
    "line",
    &[
        is("role", STRING, Slot::Role),
        is("type", STRING, Slot::Type),
        is("subtype", STRING, Slot::Subtype),
        // Only the pieces of a text have a time and no call that they lead to.
        is("timestamp_ms", NUMBER, Slot::Flag),
        is("model_call_id", STRING, Slot::Over),
        is("text", STRING, Slot::Text).beside("type", &["thinking"]),
        same("message", &SAID).beside("type", &["assistant"]),
        same("message", &CONTENT),
        is("call_id", STRING, Slot::Index),
        // The runs of a session follow each other, and of each the blocks are counted by their kinds.
        is("session_id", STRING, Slot::Index).beside("type", &["thinking", "assistant"]),
        same("tool_call", &CALLED),
        is("result", STRING, Slot::Result).beside("type", &["result"]),
        pass("usage"),
        is("uuid", ANY, Slot::ForeignMember),
        is("tools", ANY, Slot::ForeignMember),
        is("parent_tool_use_id", ANY, Slot::ForeignMember),
    ],
    &[
        sure(&[ty(&["thinking"]), When::Is(Slot::Subtype, &["delta"])], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["thinking"]), When::Is(Slot::Subtype, &["completed"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["assistant"]), When::Several(Slot::Text), OWN], Does::Unclear),
        sure(
            &[ty(&["assistant"]), When::Has(Slot::Text), When::Has(Slot::Flag), When::Lacks(Slot::Over), OWN],
            Does::Feed(Some(Kind::Text)),
        ),
        sure(&[ty(&["assistant"]), When::Has(Slot::Text), OWN], Does::Repeat(Some(Kind::Text))),
        sure(&[ty(&["user"]), When::Has(Slot::List), OWN], Does::Message),
        sure(&[ty(&["tool_call"]), When::Is(Slot::Subtype, &["completed"])], Does::Block(Kind::Result)),
        sure(&[ty(&["tool_call"]), When::Is(Slot::Subtype, &["started"])], Does::OpenAs(Kind::Call)),
        case(&[ty(&["result"]), When::Has(Slot::Result)], Does::Answer),
        sure(&[ty(&["system"]), When::Is(Slot::Subtype, &["init"]), OWN], Does::Nothing),
        sure(&[When::Has(Slot::Role), When::Has(Slot::List), When::Lacks(Slot::Type)], Does::Message),
    ],
);

/// Where a line of a run comes from.
static ORIGIN: State =
    state("origin", &[is("session_id", STRING, Slot::Conversation), is("timestamp_ms", NUMBER, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("role", &[]), ("message", &[])], sure: true },
        Recognition { has: &[("type", &["thinking"]), ("subtype", &["delta", "completed"])], sure: true },
        Recognition { has: &[("type", &["user", "assistant"]), ("message", &[]), ("session_id", &[])], sure: true },
        Recognition { has: &[("type", &["tool_call"]), ("subtype", &[]), ("tool_call", &[])], sure: true },
        Recognition { has: &[("type", &["system"]), ("subtype", &["init"]), ("session_id", &[])], sure: true },
        Recognition { has: &[("type", &["result"]), ("request_id", &[]), ("session_id", &[])], sure: false },
    ],
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "cursor-cli",
    aliases: &["cursor-cli-transcript", "cursor-stream"],
    about: "Cursor CLI: transcripts of its agent, and the lines of stream-json, with thinking",
    products: &[
        Product {
            signs: &[Sign::Members(&["/role", "/message/content/*/type"])],
            examples: &[r#"{"role":"user","message":{"content":[{"type":"text","text":"Will it rain?"}]}}"#],
            ..product("Cursor CLI")
        },
        Product {
            signs: &[
                Sign::Members(&["/type=thinking", "/subtype", "/session_id"]),
                Sign::Members(&["/type=tool_call", "/subtype", "/tool_call", "/model_call_id"]),
            ],
            examples: &[
                r#"{"type":"thinking","subtype":"completed","session_id":"c1"}"#,
                r#"{"type":"tool_call","subtype":"started","call_id":"t1","tool_call":{},"model_call_id":"m1"}"#,
            ],
            ..product("cursor-agent (stream-json)")
        },
    ],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
