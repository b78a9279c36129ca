//! Kimi CLI: the wire files of its sessions, a line for each event.
//!
//! Found in the program's own code (`packages/kosong/src/kosong/message.py`, the wire protocol); not specified. A part of the
//! type `think` is reasoning; what its service has encrypted of it stands beside the text.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, either, into, is, one, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static PART: State = state(
    "part",
    &[
        is("type", STRING, Slot::Type),
        is("think", STRING, Slot::Text),
        is("encrypted", STRING, Slot::Ciphertext),
        is("text", STRING, Slot::Text),
    ],
    &[
        sure(&[ty(&["think"])], Does::Block(Kind::Reasoning("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["image_url", "audio_url", "video_url"])], Does::Block(Kind::Media)),
    ],
);

/// A message that is added as a whole.
static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        is("content", STRING, Slot::Text),
        each("content", Slot::List, &PART),
        is("toolCallId", STRING, Slot::ResultOf),
    ],
    &[case(&[When::Has(Slot::ResultOf)], Does::Turn(Kind::Result)), case(&[When::Has(Slot::Role)], Does::Message)],
);

/// An event of the loop in which the model and its tools take turns.
static EVENT: State = state(
    "event",
    &[
        is("type", STRING, Slot::Type),
        one("part", Slot::Inner, &PART),
        is("toolCallId", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
        is("result", ANY, Slot::Result),
    ],
    &[],
);

static FUNCTION: State =
    state("function", &[is("name", STRING, Slot::Name), is("arguments", STRING, Slot::Arguments)], &[]);

/// A call in the first version of the protocol.
static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), same("function", &FUNCTION)],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

static RESULT: State = state(
    "result",
    &[is("tool_call_id", STRING, Slot::CallId), is("return_value", ANY, Slot::Result)],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Result))],
);

/// What the user says.
static TURN: State = state("turn", &[is("user_input", STRING, Slot::Text), each("user_input", Slot::List, &PART)], &[]);

/// What an agent sends that a call has begun.
static AGENT: State =
    state("agent", &[one("event", Slot::Inner, &SENT)], &[case(&[When::Has(Slot::Inner)], Does::Envelope)]);

/// A message of the first version of the protocol, with what it is about as its payload.
static SENT: State = state(
    "sent",
    &[
        is("type", STRING, Slot::Type),
        one("payload", Slot::Inner, &PART).beside("type", &["ContentPart"]),
        one("payload", Slot::Inner, &CALL).beside("type", &["ToolCall"]),
        one("payload", Slot::Inner, &RESULT).beside("type", &["ToolResult"]),
        one("payload", Slot::Inner, &AGENT).beside("type", &["SubagentEvent"]),
        into("payload", Slot::ByUser, &TURN).beside("type", &["TurnBegin"]),
    ],
    &[
        sure(
            &[ty(&["ContentPart", "ToolCall", "ToolResult", "SubagentEvent"]), When::Has(Slot::Inner)],
            Does::Envelope,
        ),
        sure(&[ty(&["TurnBegin"]), When::Has(Slot::ByUser)], Does::Message),
    ],
);

static LINE: State = state(
    "line",
    &[
        either("message", Slot::Inner, &MESSAGE, &SENT),
        same("event", &EVENT),
        // The context file of a session has messages as those of chat, and notes between them.
        is("role", STRING, Slot::Type),
    ],
    &[
        sure(&[ty(&["_checkpoint", "_usage"])], Does::Nothing),
        sure(&[ty(&["tool.call"])], Does::Block(Kind::Call)),
        sure(&[ty(&["tool.result"])], Does::Block(Kind::Result)),
        sure(&[ty(&["step.*"])], Does::Nothing),
        case(&[When::Has(Slot::Inner)], Does::Envelope),
    ],
);

const SHAPE: Shape = Shape {
    record: &LINE,
    recognised_by: &[
        Recognition { has: &[("type", &["context.append_message"]), ("message", &[])], sure: false },
        Recognition { has: &[("type", &["context.append_loop_event"]), ("event", &[])], sure: false },
        Recognition { has: &[("role", &["_checkpoint", "_usage"])], sure: false },
        Recognition { has: &[("timestamp", &[]), ("message", &[]), ("", &["\"payload\""])], sure: true },
    ],
    items: true,
    log: true,
    // Chat would take these notes for messages without content.
    signs: &[&["\"_checkpoint\""], &["\"_usage\""]],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "kimi-cli",
    aliases: &["kimi-wire"],
    about: "Kimi CLI: wire files of its sessions, with think parts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/type=context.*", "/event"]),
            Sign::Members(&["/type=context.*", "/message"]),
            Sign::Members(&["/type=metadata", "/protocol_version"]),
            Sign::Members(&["/timestamp", "/message/type", "/message/payload"]),
        ],
        examples: &[
            r#"{"type":"metadata","protocol_version":"1.4","created_at":1785615359837}"#,
            r#"{"type":"context.append_loop_event","event":{"type":"content.part","part":{"type":"text","text":"Hi"}}}"#,
        ],
        ..product("Kimi CLI")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
