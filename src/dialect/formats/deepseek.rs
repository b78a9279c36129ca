//! DeepSeek: the conversations of an account export, and what the website loads.
//!
//! Found in exported files; not specified. A message has fragments: those of the type `THINK` are reasoning, `REQUEST` is what
//! the user says. In an export the messages are the nodes of a tree, under their identifiers.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY_KEY, BASE, Does, Key, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, one, same, state,
    sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const fn ty(names: &'static [&'static str]) -> When {
    When::Type(names)
}

const OF_FRAGMENT: &[Key] = &[is("type", STRING, Slot::Type), is("content", STRING, Slot::Text)];

/// A fragment of a message that has a role.
static FRAGMENT: State = state(
    "fragment",
    OF_FRAGMENT,
    &[
        sure(&[ty(&["THINK"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["RESPONSE", "REQUEST"])], Does::Block(Kind::Text)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[is("role", STRING, Slot::Role), each("fragments", Slot::List, &FRAGMENT)],
    &[case(&[When::Has(Slot::List)], Does::Message)],
);

/// The same in an export, where no role says that the user asks.
static EXPORTED_FRAGMENT: State = state(
    "exported fragment",
    OF_FRAGMENT,
    &[
        sure(&[ty(&["THINK"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["RESPONSE"])], Does::Block(Kind::Text)),
        sure(&[ty(&["REQUEST"])], Does::Quotes(&["content"])),
    ],
);

static EXPORTED: State = state("message", &[each("fragments", Slot::List, &EXPORTED_FRAGMENT)], &[]);

static NODE: State = state("node", &[same("message", &EXPORTED)], &[case(&[When::Has(Slot::List)], Does::Message)]);

static MAPPING: State = state("mapping", &[one(ANY_KEY, Slot::Messages, &NODE)], &[]);

static BUSINESS: State = state("data", &[each("chat_messages", Slot::Messages, &MESSAGE)], &[]);
static DATA: State = state("data", &[same("biz_data", &BUSINESS)], &[]);

static RECORD: State = state(
    "conversation",
    &[same("mapping", &MAPPING), same("data", &DATA)],
    &[case(&[When::Has(Slot::Messages)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("mapping", &[]), ("", &["\"fragments\""])], sure: true },
        Recognition { has: &[("data", &[]), ("", &["\"biz_data\"", "\"fragments\""])], sure: true },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "deepseek",
    aliases: &["deepseek-export", "deepseek-web"],
    about: "DeepSeek: conversations of an account export and of the website",
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
    framings: &[Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
