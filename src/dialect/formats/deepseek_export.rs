//! DeepSeek: the history of the website, and exports of an account.
//!
//! Found in exported files; not specified. A message has fragments, and those of the type `THINK` are reasoning. A message
//! refers to the one before it, so that none goes. An export does not say who speaks: the request is a fragment, too.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY_KEY, BASE, Case, Does, Key, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same,
    state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::Role;

static OF_FRAGMENT: &[Key] = &[is("type", STRING, Slot::Type), is("content", STRING, Slot::Text)];

const THOUGHT: Case = sure(&[ty(&["THINK"])], Does::Block(Kind::Reasoning("part")));
const ANSWER: Case = sure(&[ty(&["RESPONSE"])], Does::Block(Kind::Text));

/// A fragment of a message that says who speaks.
static FRAGMENT: State =
    state("fragment", OF_FRAGMENT, &[THOUGHT, ANSWER, sure(&[ty(&["REQUEST"])], Does::Block(Kind::Text))]);

/// A fragment of one that does not: what the user asked is no answer.
/// In a message that does not say whose it is.
static BARE: State = state(
    "fragment",
    &[is("type", STRING, Slot::ByUser).beside("type", &["REQUEST"])],
    &[THOUGHT, ANSWER, sure(&[When::Has(Slot::ByUser)], Does::Block(Kind::Text))],
)
.include(&[OF_FRAGMENT]);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        each("fragments", Slot::List, &FRAGMENT),
        // Before there were fragments.
        is("thinking_content", STRING, Slot::Thought),
        is("content", STRING, Slot::Text),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static NODE_MESSAGE: State = state("message", &[each("fragments", Slot::List, &BARE)], &[]);

static NODE: State = state(
    "node",
    &[same("message", &NODE_MESSAGE), is("parent", STRING, Slot::Before)],
    &[case(&[When::Has(Slot::List)], Does::Message)],
);

static MAPPING: State = state("mapping", &[one(ANY_KEY, Slot::Messages, &NODE)], &[]);

static RECORD: State = state(
    "conversation",
    &[same("data", &RECORD_INSIDE), each("chat_messages", Slot::Messages, &MESSAGE), same("mapping", &MAPPING)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

/// What the website wraps its answers in.
static RECORD_INSIDE: State =
    state("answer", &[same("biz_data", &RECORD_INSIDE), each("chat_messages", Slot::Messages, &MESSAGE)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("data", &[]), ("", &["\"biz_data\"", "\"chat_messages\""])], sure: false },
        Recognition { has: &[("chat_messages", &[]), ("", &["\"fragments\""])], sure: true },
        Recognition { has: &[("mapping", &[]), ("", &["\"fragments\""])], sure: true },
    ],
    unnamed: Some(Role::Assistant),
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "deepseek-export",
    about: "DeepSeek: the history of the website, and account exports, with THINK fragments",
    products: &[Product {
        signs: &[
            Sign::Members(&["/mapping/*/message/fragments", "/inserted_at"]),
            Sign::Members(&["/data/biz_data/chat_messages"]),
            Sign::Members(&["/chat_messages/*/fragments"]),
        ],
        examples: &[
            r#"[{"id":"c1","inserted_at":"2026-08-01T10:00:00Z","mapping":{"1":{"message":{"fragments":[{"type":"REQUEST","content":"Will it rain?"}]}}}}]"#,
            r#"{"code":0,"data":{"biz_data":{"chat_session":{},"chat_messages":[]}}}"#,
        ],
        ..product("DeepSeek")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
