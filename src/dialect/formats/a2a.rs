//! A2A: messages and tasks of agents that speak to one another.
//!
//! Specified by the protocol ("Message", "Task", "TaskStatusUpdateEvent", "TaskArtifactUpdateEvent"), which has no place for reasoning:
//! agents mark a part in its metadata, each with a word of its own (`adk_thought` of Google's ADK, `kagent_thought`, or a type).

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Key, Kind, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, one, same, state, sure,
    ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static METADATA: State = state(
    "metadata",
    &[
        is("adk_thought", TRUE, Slot::Flag),
        is("kagent_thought", TRUE, Slot::Flag),
        is("thought", TRUE, Slot::Flag),
        is("type", STRING, Slot::Subtype),
        is("kind", STRING, Slot::Subtype),
    ],
    &[],
);

/// It is marked as reasoning.
const MARKED: When = When::Has(Slot::Flag);
const NAMED: When = When::ThinksIn(Slot::Subtype);

const BARE: When = When::Lacks(Slot::Type);

static PART: State = state(
    "part",
    &[is("kind", STRING, Slot::Type), is("text", STRING, Slot::Text), same("metadata", &METADATA)],
    &[
        sure(&[ty(&["text"]), When::Has(Slot::Text), MARKED], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["text"]), When::Has(Slot::Text), NAMED], Does::Block(Kind::Reasoning("part"))),
        // In version 1, a part has no kind.
        sure(&[BARE, When::Has(Slot::Text), MARKED], Does::Block(Kind::Reasoning("part"))),
        sure(&[BARE, When::Has(Slot::Text), NAMED], Does::Block(Kind::Reasoning("part"))),
        case(&[MARKED], Does::Unclear),
        case(&[NAMED], Does::Unclear),
        case(&[BARE, When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[ty(&["text"]), When::Has(Slot::Text)], Does::Block(Kind::Text)),
    ],
);

/// What Gemini CLI says of a message, or of what has one. Its thoughts have a subject and a description, and no text.
static CODER: State = state("coder", &[is("kind", STRING, Slot::Subtype)], &[]);
static ABOUT: State = state("metadata", &[same("coderAgent", &CODER)], &[]);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::ByUser).beside("role", &["ROLE_USER"]),
        is("role", STRING, Slot::Role),
        each("parts", Slot::List, &PART),
        same("metadata", &ABOUT),
    ],
    &[sure(&[NAMED], Does::Unclear), case(&[When::Has(Slot::List)], Does::Message)],
);

/// How far a task has come.
static STATUS: State = state("status", &[one("message", Slot::Messages, &MESSAGE)], &[]);

/// A task, or an event of one.
static OF_TASK: &[Key] = &[
    each("history", Slot::Messages, &MESSAGE),
    same("status", &STATUS),
    each("artifacts", Slot::Messages, &MESSAGE),
    one("artifact", Slot::Messages, &MESSAGE),
    same("metadata", &ABOUT),
];

static TASK: State = state("task", &[], &[]).include(&[OF_TASK]);

/// The same, or a message.
static OF_RESULT: &[Key] = &[
    is("role", STRING, Slot::Role),
    each("parts", Slot::List, &PART),
    // In version 1, each of them stands under a name of its own.
    one("message", Slot::Messages, &MESSAGE),
    same("task", &TASK),
    same("statusUpdate", &TASK),
    same("artifactUpdate", &TASK),
];

static RESULT: State = state(
    "result",
    &[],
    &[
        sure(&[NAMED], Does::Unclear),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
    ],
)
.include(&[OF_RESULT, OF_TASK]);

static RECORD: State = state(
    "record",
    &[one("result", Slot::Inner, &RESULT)],
    &[
        sure(&[NAMED], Does::Unclear),
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Messages)], Does::Request),
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
    ],
)
.include(&[OF_RESULT, OF_TASK]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("jsonrpc", &[]), ("result", &[]), ("", &["\"parts\""])], sure: true },
        Recognition { has: &[("kind", &["message"]), ("messageId", &[]), ("parts", &[])], sure: true },
        Recognition {
            has: &[("kind", &["task", "status-update", "artifact-update"]), ("", &["\"parts\""])],
            sure: true,
        },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "a2a",
    aliases: &["agent2agent"],
    about: "A2A: messages and tasks of agents, with parts that their metadata marks as thoughts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/jsonrpc", "/result/parts/*/kind"]),
            Sign::Members(&["/jsonrpc", "/result/artifacts/*/parts/*/kind"]),
        ],
        examples: &[
            r#"{"jsonrpc":"2.0","id":1,"result":{"kind":"message","role":"agent","parts":[{"kind":"text","text":"By noon."}]}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"kind":"task","artifacts":[{"parts":[{"kind":"text","text":"By noon."}]}]}}"#,
        ],
        ..product("A2A")
    }],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
