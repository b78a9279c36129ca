//! AG-UI: the events between an agent and a user interface.
//!
//! Specified by the protocol's documentation ("Events"). Events of the types `REASONING_…` and, before, `THINKING_…` are
//! reasoning.

use super::shared::CALL;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, pass, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

/// A message in a snapshot of all messages.
static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Result).beside("role", &["tool"]),
        is("content", STRING, Slot::Text),
        is("toolCallId", STRING, Slot::CallId),
        each("toolCalls", Slot::List, &CALL),
        is("encryptedValue", STRING, Slot::Ciphertext).beside("role", &["reasoning"]),
        is("encryptedValue", STRING, Slot::Seal),
    ],
    &[
        case(&[When::ThinksIn(Slot::Role)], Does::Block(THOUGHT)),
        case(&[When::Has(Slot::Result), When::Has(Slot::CallId)], Does::Block(Kind::Result)),
        case(&[When::Has(Slot::Role)], Does::Block(Kind::Message)),
    ],
);

static RECORD: State = state(
    "event",
    &[
        each("messages", Slot::List, &MESSAGE),
        is("type", STRING, Slot::Type),
        is("messageId", STRING, Slot::Index),
        is("entityId", STRING, Slot::Index),
        is("toolCallId", STRING, Slot::Index),
        is("toolCallName", STRING, Slot::Name),
        is("delta", STRING, Slot::Text),
        is("encryptedValue", STRING, Slot::Ciphertext),
        pass("threadId"),
        pass("runId"),
    ],
    &[
        sure(&[ty(&["MESSAGES_SNAPSHOT"]), When::Has(Slot::List)], Does::Request),
        sure(&[ty(&["RUN_STARTED"])], Does::Begin),
        sure(&[ty(&["REASONING_START", "THINKING_START"])], Does::OpenAs(THOUGHT)),
        sure(&[ty(&["REASONING_MESSAGE_START", "THINKING_TEXT_MESSAGE_START"])], Does::OpenAs(THOUGHT)),
        sure(
            &[ty(&["REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_CHUNK", "THINKING_TEXT_MESSAGE_CONTENT"])],
            Does::Feed(Some(THOUGHT)),
        ),
        sure(&[ty(&["REASONING_ENCRYPTED_VALUE"])], Does::Feed(Some(THOUGHT))),
        sure(&[ty(&["REASONING_MESSAGE_END", "THINKING_TEXT_MESSAGE_END"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["REASONING_END", "THINKING_END"])], Does::CloseAs(THOUGHT)),
        sure(&[ty(&["TEXT_MESSAGE_START"])], Does::OpenAs(Kind::Text)),
        sure(&[ty(&["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK"])], Does::Feed(Some(Kind::Text))),
        sure(&[ty(&["TEXT_MESSAGE_END"])], Does::CloseAs(Kind::Text)),
        sure(&[ty(&["RUN_FINISHED", "RUN_ERROR"])], Does::End),
        sure(&[ty(&["TOOL_CALL_START"])], Does::OpenAs(Kind::Call)),
        sure(&[ty(&["TOOL_CALL_ARGS", "TOOL_CALL_CHUNK"])], Does::Feed(Some(Kind::Call))),
        sure(&[ty(&["TOOL_CALL_END"])], Does::CloseAs(Kind::Call)),
        sure(&[ty(&["TOOL_CALL_*"])], Does::OpenAs(Kind::Hosted)),
        sure(&[ty(&["STEP_STARTED", "STEP_FINISHED"])], Does::Nothing),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("type", &["RUN_*", "STEP_*", "MESSAGES_SNAPSHOT"])], sure: true },
        Recognition { has: &[("type", &["REASONING_*", "THINKING_*", "TEXT_MESSAGE_*", "TOOL_CALL_*"])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "ag-ui",
    aliases: &["ag-ui-events"],
    about: "AG-UI: events between an agent and a user interface, with reasoning events",
    products: &[Product {
        signs: &[
            Sign::Members(&["/type=RUN_*"]),
            Sign::Members(&["/type=TEXT_MESSAGE_*"]),
            Sign::Members(&["/type=REASONING_*"]),
            Sign::Members(&["/type=THINKING_*"]),
            Sign::Members(&["/type=MESSAGES_SNAPSHOT", "/messages"]),
        ],
        examples: &[
            r#"[{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}]"#,
            "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"By noon.\"}\n\n",
        ],
        ..product("AG-UI")
    }],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
