//! The Agent Client Protocol: what an agent tells an editor, as JSON-RPC on lines.
//!
//! Specified by the protocol ("Prompt Turn", `session/update`). An update of the kind `agent_thought_chunk` is reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, pass, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

/// A part of what the user asks.
static ASKED: State = state(
    "part",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Text))],
);

static CONTENT: State = state("content", &[is("text", STRING, Slot::Text)], &[]);

static UPDATE: State = state(
    "update",
    &[
        is("sessionUpdate", STRING, Slot::ByUser).beside("sessionUpdate", &["user_message_chunk"]),
        is("sessionUpdate", STRING, Slot::Type),
        same("content", &CONTENT),
        is("toolCallId", STRING, Slot::CallId),
        pass("kind").beside("sessionUpdate", &["tool_call"]),
        is("rawInput", ANY, Slot::Arguments),
    ],
    &[],
);

static PARAMS: State = state(
    "parameters",
    &[is("sessionId", STRING, Slot::Id), same("update", &UPDATE), each("prompt", Slot::List, &ASKED)],
    &[],
);

static RESULT: State = state("result", &[is("stopReason", STRING, Slot::Stop)], &[]);

static RECORD: State = state(
    "message",
    &[
        is("method", STRING, Slot::ByUser).beside("method", &["session/prompt"]),
        same("params", &PARAMS),
        same("result", &RESULT),
        pass("jsonrpc"),
    ],
    &[
        sure(&[ty(&["agent_thought_chunk"]), When::Has(Slot::Text)], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["agent_message_chunk"]), When::Has(Slot::Text)], Does::Feed(Some(Kind::Text))),
        // The agent has called it itself.
        sure(&[ty(&["tool_call"])], Does::Feed(Some(Kind::Hosted))),
        sure(&[When::Has(Slot::ByUser)], Does::Message),
        sure(&[When::Has(Slot::Stop)], Does::End),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("jsonrpc", &[]), ("method", &["session/update"]), ("params", &[])], sure: true },
        Recognition { has: &[("jsonrpc", &[]), ("method", &["session/prompt"]), ("params", &[])], sure: true },
        Recognition { has: &[("jsonrpc", &[]), ("result", &[])], sure: true },
    ],
    by_id: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "acp",
    aliases: &["acp-session-update"],
    about: "the Agent Client Protocol: updates of a session, with thought chunks",
    products: &[Product {
        signs: &[Sign::Members(&["/params/update/sessionUpdate"])],
        examples: &[
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"By noon."}}}}"#,
        ],
        ..product("the Agent Client Protocol")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
