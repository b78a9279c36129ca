//! Zed: the threads of its agent.
//!
//! Found in the program's own code (`crates/agent/src/thread.rs`); not specified. A message, and each part of it, is an object
//! with one member, whose key says what it is.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, ANY_KEY, BASE, Does, Kind, LIST, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each,
    into, is, one, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static THINKING: State =
    state("thinking", &[is("text", STRING, Slot::Text), is("signature", STRING, Slot::Signature)], &[]);
static CALL: State = state(
    "call",
    &[
        is("id", STRING, Slot::CallId),
        is("name", STRING, Slot::Name),
        is("input", ANY, Slot::Arguments),
        is("thought_signature", STRING, Slot::Seal),
    ],
    // In older versions calls stand in a list of their own.
    &[case(&[When::Has(Slot::Name)], Does::Block(Kind::Call))],
);

static PART: State = state(
    "part",
    &[
        into("Thinking", Slot::Flag, &THINKING),
        is("RedactedThinking", STRING, Slot::Ciphertext),
        is("Text", STRING, Slot::Text),
        into("ToolUse", Slot::Called, &CALL),
    ],
    &[
        sure(&[When::Has(Slot::Flag)], Does::Block(Kind::Reasoning("part"))),
        sure(&[When::Has(Slot::Ciphertext)], Does::Block(Kind::Sealed("part"))),
        sure(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
        sure(&[When::Has(Slot::Called)], Does::Block(Kind::Call)),
    ],
);

/// A part as older versions had them.
static SEGMENT: State = state(
    "segment",
    &[
        is("type", STRING, Slot::Type),
        is("text", STRING, Slot::Text),
        is("signature", STRING, Slot::Signature),
        is("data", STRING, Slot::Ciphertext),
    ],
    &[
        sure(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["redacted_thinking"])], Does::Block(Kind::Sealed("part"))),
        case(&[ty(&["text"])], Does::Block(Kind::Text)),
    ],
);

/// What a tool has given back: a text, or an object with one.
static GIVEN: State = state("content", &[is("Text", STRING, Slot::Result)], &[]);

static RESULT: State = state(
    "result",
    &[
        is("tool_use_id", STRING, Slot::CallId),
        is("tool_name", STRING, Slot::Name),
        is("content", STRING, Slot::Result),
        same("content", &GIVEN),
        is("is_error", TRUE, Slot::IsError),
    ],
    &[case(&[When::Has(Slot::CallId)], Does::Block(Kind::Result))],
);

/// The results of the calls of a message, by the identifier of the call.
static RESULTS: State = state("results", &[one(ANY_KEY, Slot::List, &RESULT)], &[]);

static CONTENT: State = state(
    "content",
    &[
        each("content", Slot::List, &PART),
        same("tool_results", &RESULTS),
        // What a provider has sent of its reasoning, to be sent back.
        is("reasoning_details", STRING | LIST | OBJECT, Slot::Shadow),
    ],
    &[],
);

static MESSAGE: State = state(
    "message",
    &[
        into("User", Slot::ByUser, &CONTENT),
        into("Agent", Slot::Flag, &CONTENT),
        is("role", STRING, Slot::Role),
        each("segments", Slot::List, &SEGMENT),
        each("tool_uses", Slot::List, &CALL),
    ],
    &[
        sure(&[When::Has(Slot::Flag)], Does::Message),
        sure(&[When::Has(Slot::ByUser)], Does::Message),
        case(&[When::Has(Slot::Role)], Does::Message),
    ],
);

static RECORD: State = state(
    "thread",
    &[each("messages", Slot::Messages, &MESSAGE)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("messages", &[]), ("", &["\"Agent\""])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"User\""])], sure: true },
        Recognition { has: &[("messages", &[]), ("version", &[]), ("", &["\"segments\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "zed",
    aliases: &["zed-thread"],
    about: "Zed: threads of its agent, with Thinking parts",
    products: &[Product {
        signs: &[Sign::Members(&["/messages/*/Agent"]), Sign::Members(&["/messages/*/User", "/version"])],
        examples: &[
            r#"{"version":"0.3.0","title":"Rain","messages":[{"User":{"id":"u1","content":[{"Text":"Will it rain?"}]}}]}"#,
            r#"{"messages":[{"Agent":{"content":[{"Text":"By noon."}]}}]}"#,
        ],
        ..product("Zed")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
