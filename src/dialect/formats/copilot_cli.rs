//! Copilot CLI: the events of a session, a line each.
//!
//! Found in recorded sessions; not specified. The reasoning of a message stands beside its text, and in an event of its own
//! before it. What the service has encrypted of it stands beside the text, too. An event refers to the one before it, so that
//! none goes.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CALL: State = state(
    "call",
    &[is("toolCallId", STRING, Slot::CallId), is("name", STRING, Slot::Name), is("arguments", ANY, Slot::Arguments)],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Call))],
);

static RESULT: State = state("result", &[is("content", ANY, Slot::Result)], &[]);

/// Why a tool failed.
static FAILURE: State = state("error", &[is("message", STRING, Slot::Result), is("code", STRING, Slot::IsError)], &[]);

static DATA: State = state(
    "data",
    &[
        is("content", STRING, Slot::Text),
        is("reasoningText", STRING, Slot::Thought),
        is("reasoningOpaque", STRING, Slot::Shadow),
        is("encryptedContent", STRING, Slot::Shadow),
        each("toolRequests", Slot::Calls, &CALL),
        is("toolCallId", STRING, Slot::CallId),
        is("parentToolCallId", STRING, Slot::SideChain),
        same("result", &RESULT),
        same("error", &FAILURE).beside("toolCallId", &[]),
        // The call again.
        is("arguments", ANY, Slot::Arguments),
    ],
    &[],
);

static REASONING: State = state("reasoning", &[is("content", STRING, Slot::Thought)], &[]);

static LINE: State = state(
    "line",
    &[
        is("type", STRING, Slot::Type),
        same("data", &REASONING).beside("type", &["assistant.reasoning"]),
        same("data", &DATA),
    ],
    &[
        sure(&[ty(&["assistant.message", "assistant.reasoning", "user.message", "system.message"])], Does::Message),
        sure(&[ty(&["tool.execution_complete"])], Does::Block(Kind::Result)),
        case(&[When::Thinks], Does::Unclear),
        case(
            &[ty(&["session.*", "hook.*", "tool.*", "assistant.*", "subagent.*", "system.*", "abort"])],
            Does::Nothing,
        ),
    ],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("timestamp", STRING, Slot::Created),
        one("data", Slot::Inner, &ORIGIN_OF_SESSION).beside("type", &["session.start"]),
        same("data", &ORIGIN_OF_EVENT),
    ],
    &[],
);

static ORIGIN_OF_SESSION: State =
    state("origin", &[is("sessionId", STRING, Slot::Conversation), same("context", &ORIGIN_OF_PLACE)], &[]);
static ORIGIN_OF_PLACE: State = state("origin", &[is("cwd", STRING, Slot::Project)], &[]);
static ORIGIN_OF_EVENT: State = state("origin", &[is("model", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &LINE,
    origin: &ORIGIN,
    recognised_by: &[Recognition {
        has: &[
            ("type", &["assistant.*", "user.*", "system.*", "tool.*", "session.*", "hook.*", "subagent.*", "abort"]),
            ("data", &[]),
            ("parentId", &[]),
        ],
        sure: false,
    }],
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "copilot-cli",
    aliases: &["copilot-events"],
    about: "Copilot CLI: the events of its sessions",
    products: &[Product {
        signs: &[
            Sign::Members(&["/type=session.start", "/data/copilotVersion"]),
            Sign::Members(&["/type=assistant.message", "/data/content", "/parentId"]),
        ],
        examples: &[
            r#"{"type":"session.start","data":{"sessionId":"s1","copilotVersion":"1.0.77"},"id":"e1","parentId":null}"#,
            r#"{"type":"assistant.message","data":{"content":"By noon."},"id":"e2","parentId":"e1"}"#,
        ],
        ..product("Copilot CLI")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
