//! OpenCode: what `opencode export` and `opencode run --format json` write, and the files of parts in its storage.
//!
//! Found in the program's own code (`packages/opencode/src/session/message-v2.ts`, `cli/cmd/export.ts`, `cli/cmd/run.ts`);
//! not specified. A message has its role in an object `info` beside its parts. A part of the type `reasoning` is reasoning;
//! what the provider has signed or encrypted of it stands in `metadata`, by provider. A line of `run` wraps one part.

use super::shared::{PROVIDER_METADATA, PROVIDER_SEALS};
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const THOUGHT: Kind = Kind::Reasoning("part");

/// The state of a call: what was asked, and what came of it.
static CALLED: State = state(
    "state of a call",
    &[
        is("input", ANY, Slot::Arguments),
        is("output", STRING, Slot::Result),
        is("error", STRING, Slot::Result),
        is("status", STRING, Slot::IsError).beside("status", &["error"]),
    ],
    &[],
);

/// What a part has, in a message and in a file of its own.
static PART_KEYS: &[Key] = &[
    is("type", STRING, Slot::Type),
    is("text", STRING, Slot::Text),
    is("messageID", STRING, Slot::Part),
    same("metadata", &PROVIDER_METADATA).beside("type", &["reasoning"]),
    same("metadata", &PROVIDER_SEALS).beside("type", &["text", "tool"]),
    is("callID", STRING, Slot::CallId),
    is("tool", STRING, Slot::Name),
    same("state", &CALLED).beside("type", &["tool"]),
];

static PART: State = state(
    "part",
    &[],
    &[
        sure(&[ty(&["reasoning"])], Does::Block(THOUGHT)),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
        case(&[ty(&["tool"])], Does::Block(Kind::Answered)),
        case(&[ty(&["file"])], Does::Block(Kind::Media)),
        case(&[ty(&["step-start"])], Does::Block(Kind::Step)),
        case(&[ty(STEPS)], Does::Nothing),
    ],
)
.include(&[PART_KEYS]);

/// Parts that say how far the program is.
const STEPS: &[&str] = &["step-start", "step-finish", "snapshot", "patch", "agent", "retry", "compaction", "subtask"];

/// What is said of a message.
static INFO: State = state("information", &[is("role", STRING, Slot::Role)], &[]);

static MESSAGE: State = state(
    "message",
    &[same("info", &INFO), each("parts", Slot::List, &PART)],
    &[sure(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

static RECORD: State = state(
    "record",
    &[
        // An export: a session with its messages.
        each("messages", Slot::Messages, &MESSAGE),
        // A line of a run.
        one("part", Slot::Inner, &PART),
    ],
    &[
        case(&[When::Has(Slot::Messages), When::Lacks(Slot::Type)], Does::Request),
        sure(&[ty(&["reasoning", "text", "tool_use", "step_*"]), When::Has(Slot::Inner)], Does::Envelope),
        // A part in a file of its own.
        sure(&[ty(&["reasoning"]), When::Has(Slot::Part)], Does::Block(THOUGHT)),
        sure(&[ty(&["text"]), When::Has(Slot::Part)], Does::Block(Kind::Text)),
        sure(&[ty(&["tool"]), When::Has(Slot::Part)], Does::Block(Kind::Answered)),
        sure(&[ty(&["file"]), When::Has(Slot::Part)], Does::Block(Kind::Media)),
        sure(&[ty(STEPS), When::Has(Slot::Part)], Does::Nothing),
    ],
)
.include(&[PART_KEYS]);

/// Where messages come from.
static ORIGIN: State = state(
    "origin",
    &[
        same("info", &ORIGIN_OF_INFO),
        each("messages", Slot::Messages, &ORIGIN),
        same("part", &ORIGIN_OF_STEP),
        is("timestamp", NUMBER, Slot::Created),
        is("sessionID", STRING, Slot::Conversation),
    ],
    &[],
);

static ORIGIN_OF_INFO: State = state(
    "origin",
    &[
        is("sessionID", STRING, Slot::Conversation),
        is("modelID", STRING, Slot::Model),
        is("directory", STRING, Slot::Project),
        is("title", STRING, Slot::Title),
        is("cost", NUMBER, Slot::Cost),
        same("time", &ORIGIN_OF_TIME),
    ],
    &[],
);

/// The end of a step, which is no part of a message.
static ORIGIN_OF_STEP: State = state("origin", &[is("cost", NUMBER, Slot::Cost).beside("type", &["step-finish"])], &[]);

static ORIGIN_OF_TIME: State = state("origin", &[is("created", NUMBER, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("info", &[]), ("messages", &[]), ("", &["\"parts\""])], sure: true },
        Recognition { has: &[("sessionID", &[]), ("part", &[]), ("type", &[])], sure: true },
        Recognition { has: &[("sessionID", &[]), ("messageID", &[]), ("type", &[])], sure: true },
    ],
    items: true,
    log: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "opencode",
    aliases: &["opencode-export", "opencode-run"],
    about: "OpenCode: exported sessions, the lines of opencode run, and stored parts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/info", "/messages/*/info", "/messages/*/parts"]),
            Sign::Members(&["/sessionID", "/part/messageID", "/part/type"]),
            Sign::Members(&["/id", "/sessionID", "/messageID", "/type"]),
        ],
        examples: &[
            r#"{"info":{"id":"ses_1"},"messages":[{"info":{"id":"msg_1","role":"user"},"parts":[{"type":"text","text":"Will it rain?"}]}]}"#,
            r#"{"type":"text","timestamp":1785578403000,"sessionID":"ses_1","part":{"id":"prt_4","messageID":"msg_2","type":"text","text":"By noon."}}"#,
            r#"{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"By noon."}"#,
        ],
        ..product("OpenCode")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
