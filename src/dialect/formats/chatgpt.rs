//! ChatGPT: the conversations of an account export.
//!
//! Found in exported files (`conversations.json`); not specified. The messages are the nodes of a tree, under their identifiers.
//! Content of the type `thoughts` is a list of summaries of the reasoning. A message refers to the one before it, so that none
//! goes.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY_KEY, BASE, Does, Kind, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, pass, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static THOUGHT: State = state(
    "thought",
    &[is("content", STRING, Slot::Text), is("summary", STRING, Slot::Heading)],
    &[sure(&[When::Has(Slot::Text)], Does::Block(Kind::Reasoning("part")))],
);

static PART: State = state("part", &[], &[]).or_string(Does::Block(Kind::Text));

/// Some exports have the texts of thoughts as parts.
static THOUGHT_PART: State = state("part of a thought", &[], &[]).or_string(Does::Block(Kind::Reasoning("part")));

/// The types of content that are of reasoning. How long it took (`reasoning_recap`) says nothing of it, and stays.
const THOUGHTS: &[&str] = &["thoughts"];

/// What the model has a tool run, and what this has answered.
const CALLS: &[&str] = &["code", "execution_output"];

static CONTENT: State = state(
    "content",
    &[
        each("thoughts", Slot::List, &THOUGHT),
        each("parts", Slot::List, &THOUGHT_PART).beside("content_type", THOUGHTS),
        each("parts", Slot::List, &PART),
        is("text", STRING, Slot::Text).beside("content_type", CALLS),
        is("content_type", STRING, Slot::Type).beside("content_type", CALLS),
        is("content", STRING, Slot::Thought).beside("content_type", THOUGHTS),
        is("text", STRING, Slot::Thought).beside("content_type", THOUGHTS),
        pass("content_type").beside("content_type", &["thoughts", "reasoning_recap"]),
    ],
    &[],
);

static AUTHOR: State = state("author", &[is("role", STRING, Slot::Role)], &[]);

/// What the website shows of the reasoning in one line.
static METADATA: State =
    state("metadata", &[is("reasoning_title", STRING, Slot::Shadow), pass("skip_reasoning_title")], &[]);

static MESSAGE: State = state(
    "message",
    &[
        same("author", &AUTHOR),
        same("content", &CONTENT),
        same("metadata", &METADATA),
        // The tool that is called.
        is("recipient", STRING, Slot::Name),
    ],
    &[],
);

static NODE: State = state(
    "node",
    &[same("message", &MESSAGE), is("parent", STRING, Slot::Before)],
    &[
        sure(&[When::Has(Slot::Role), ty(&["code"])], Does::Turn(Kind::Call)),
        sure(&[When::Has(Slot::Role), ty(&["execution_output"])], Does::Turn(Kind::Result)),
        sure(&[When::Has(Slot::Role)], Does::Message),
    ],
);

static MAPPING: State = state("mapping", &[one(ANY_KEY, Slot::Messages, &NODE)], &[]);

static RECORD: State = state(
    "conversation",
    &[same("mapping", &MAPPING), is("current_node", STRING, Slot::Latest)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

static ORIGIN: State = state(
    "origin",
    &[
        is("conversation_id", STRING, Slot::Conversation),
        is("create_time", NUMBER, Slot::Created),
        is("title", STRING, Slot::Title),
    ],
    &[],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("mapping", &[]), ("", &["\"author\""])], sure: true }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "chatgpt",
    aliases: &["chatgpt-export"],
    about: "ChatGPT: conversations of an account export",
    products: &[Product {
        signs: &[
            Sign::Members(&["/mapping/*/message/author"]),
            Sign::Members(&["/mapping/*/children", "/current_node"]),
        ],
        examples: &[
            r#"[{"title":"Rain","mapping":{"r":{"id":"r","message":null,"children":["u"]}},"current_node":"u"}]"#,
            r#"{"mapping":{"u":{"message":{"author":{"role":"user"},"content":{"content_type":"text","parts":["Will it rain?"]}}}}}"#,
        ],
        ..product("ChatGPT")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
