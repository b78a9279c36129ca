//! Gemini CLI: the session files under its project folders, whole or as lines.
//!
//! Found in the program's own code (`packages/core/src/services/chatRecordingService.ts`); not specified. `thoughts` is a list
//! of summaries of the reasoning, each with a subject. A call stands in the message with its result.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Key, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, pass, same, search,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static PART: State = state(
    "part",
    &[is("text", STRING, Slot::Text), is("inlineData", ANY, Slot::Media), is("fileData", ANY, Slot::Media)],
    &[
        case(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
        case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
    ],
);

/// What an agent does that a call has begun. Its thoughts are shown, and not read.
static ACTIVITY: State =
    state("activity", &[is("type", STRING, Slot::Type)], &[sure(&[ty(&["thought"])], Does::Unclear)]);
static DISPLAY: State = state("display", &[each("recentActivity", Slot::List, &ACTIVITY)], &[]);

static CALL: State = state(
    "call",
    &[
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("args", ANY, Slot::Arguments),
        is("result", ANY, Slot::Result),
        same("resultDisplay", &DISPLAY).beside("name", &[]),
        pass("resultDisplay"),
        is("status", STRING, Slot::IsError).beside("status", &["error", "cancelled"]),
    ],
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Answered))],
);

static THOUGHT: State = state(
    "thought",
    &[is("subject", STRING, Slot::Heading)],
    // Its texts go with the list, under whatever key.
    &[case(&[], Does::Block(Kind::Reasoning("part")))],
)
.or_string(Does::Block(Kind::Reasoning("part")));

/// What a message has, in a session and in a line of its own.
static OF_MESSAGE: &[Key] = &[
    is("type", STRING, Slot::Role),
    each("thoughts", Slot::Thought, &THOUGHT),
    is("content", STRING, Slot::Text),
    each("content", Slot::List, &PART),
    each("toolCalls", Slot::List, &CALL),
];

/// What the program says itself.
const NOTES: &[&str] = &["info", "error", "warning"];

static MESSAGE: State = state(
    "message",
    &[],
    &[
        sure(&[When::Is(Slot::Role, &["user", "gemini"])], Does::Message),
        case(&[When::Is(Slot::Role, NOTES)], Does::Stranger),
    ],
)
.include(&[OF_MESSAGE]);

static RECORD: State = state(
    "record",
    &[
        each("messages", Slot::Messages, &MESSAGE),
        // What the program keeps of the session is no part of a request.
        search("sessionId").beside("messages", &[]),
        search("projectHash").beside("messages", &[]),
        search("startTime").beside("messages", &[]),
        search("lastUpdated").beside("messages", &[]),
        search("summary").beside("messages", &[]),
    ],
    &[
        case(&[When::Has(Slot::Messages)], Does::Request),
        sure(&[When::Is(Slot::Role, &["user", "gemini"])], Does::Message),
        case(&[When::Is(Slot::Role, NOTES)], Does::Quotes(&["content"])),
    ],
)
.include(&[OF_MESSAGE]);

static ORIGIN: State = state(
    "origin",
    &[
        is("sessionId", STRING, Slot::Conversation),
        is("model", STRING, Slot::Model),
        is("summary", STRING, Slot::Title),
        is("timestamp", STRING, Slot::Created),
        each("messages", Slot::Messages, &ORIGIN_OF_MESSAGE),
    ],
    &[],
);

static ORIGIN_OF_MESSAGE: State =
    state("origin", &[is("timestamp", STRING, Slot::Created), is("model", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("sessionId", &[]), ("projectHash", &[]), ("messages", &[])], sure: true },
        Recognition { has: &[("sessionId", &[]), ("messages", &[]), ("", &["\"gemini\""])], sure: true },
        Recognition {
            has: &[("id", &[]), ("timestamp", &[]), ("type", &["user", "gemini"]), ("content", &[])],
            sure: true,
        },
        Recognition { has: &[("id", &[]), ("timestamp", &[]), ("type", NOTES), ("content", &[])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "gemini-cli",
    aliases: &["gemini-cli-session"],
    about: "Gemini CLI: session files, with thoughts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/sessionId", "/projectHash"]),
            Sign::Members(&["/type=gemini", "/id", "/content"]),
            Sign::Members(&["/sessionId", "/messages/*/type=gemini"]),
        ],
        examples: &[
            r#"{"sessionId":"s1","projectHash":"a1","startTime":"2026-08-01T10:00:00Z","messages":[{"id":"m1","type":"user","content":"Will it rain?"}]}"#,
            r#"{"id":"m2","timestamp":"2026-08-01T10:00:00Z","type":"gemini","content":"By noon.","thoughts":[]}"#,
        ],
        ..product("Gemini CLI")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
