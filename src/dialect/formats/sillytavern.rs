//! SillyTavern: chats, as they are stored and exported.
//!
//! Found in the program's own code (`public/scripts/reasoning.js`); not specified. Each line is a message, but the first.
//! The reasoning of a message stands in its `extra`. A message has other versions: their texts stand in one list, all else
//! that they have in another, and both lists have the shown version once more.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, NONE, OBJECT, Recognition, STRING, Shape, Slot, State, TRUE, When, case, each, is, pass,
    same, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// What is known of a message. A duration without a text is that of reasoning that the provider hides.
static EXTRA: State = state(
    "extra",
    &[
        is("reasoning", STRING | NONE, Slot::Thought),
        is("reasoning_duration", ANY, Slot::Shadow),
        is("reasoning_type", ANY, Slot::Shadow),
        // A translation of it, and what a provider asks for to go on with it.
        is("reasoning_display_text", ANY, Slot::Shadow),
        is("reasoning_signature", ANY, Slot::Shadow),
    ],
    &[],
);

static SWIPE: State = state("swipe", &[], &[]).or_string(Does::Block(Kind::Text));

static SWIPE_INFO: State = state("version", &[same("extra", &EXTRA)], &[case(&[], Does::Message)]);

static RECORD: State = state(
    "line",
    &[
        is("is_user", TRUE, Slot::ByUser),
        is("is_user", NONE, Slot::Role),
        is("mes", STRING, Slot::Text),
        same("extra", &EXTRA),
        each("swipes", Slot::Again, &SWIPE),
        each("swipe_info", Slot::Again, &SWIPE_INFO),
        // The first line.
        is("chat_metadata", OBJECT, Slot::Flag),
        pass("user_name"),
        pass("character_name"),
        pass("create_date"),
    ],
    &[
        sure(&[When::Has(Slot::Flag), When::Lacks(Slot::Text)], Does::Nothing),
        sure(&[When::Has(Slot::Role), When::Has(Slot::Text)], Does::Message),
        sure(&[When::Has(Slot::ByUser), When::Has(Slot::Text)], Does::Message),
    ],
);

static ORIGIN: State = state("origin", &[is("send_date", STRING, Slot::Created), same("extra", &ORIGIN_OF_EXTRA)], &[]);

static ORIGIN_OF_EXTRA: State = state("origin", &[is("model", STRING, Slot::Model)], &[]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("mes", &[]), ("is_user", &[])], sure: true },
        Recognition { has: &[("chat_metadata", &[])], sure: true },
    ],
    inline: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "sillytavern",
    aliases: &["sillytavern-chat"],
    about: "SillyTavern: chats, with reasoning beside the messages and in their versions",
    products: &[Product {
        signs: &[Sign::Members(&["/chat_metadata", "/character_name"]), Sign::Members(&["/mes", "/is_user"])],
        examples: &[
            r#"{"user_name":"User","character_name":"Bot","chat_metadata":{}}"#,
            r#"{"name":"User","is_user":true,"mes":"Will it rain?","extra":{}}"#,
        ],
        ..product("SillyTavern")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
