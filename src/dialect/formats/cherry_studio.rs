//! Cherry Studio: backups of its data base.
//!
//! Found in the program's own code (`src/renderer/src/types/newMessage.ts`); not specified. The blocks of all messages stand
//! in one list; a message has their identifiers. Older messages have their text and their reasoning themselves.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

const TOOL: &[&str] = &["tool"];

static BLOCK: State = state(
    "block",
    &[
        is("id", STRING, Slot::Id),
        is("messageId", STRING, Slot::PartOf),
        is("type", STRING, Slot::Type),
        // A call, and what came of it.
        is("content", ANY, Slot::Result).beside("type", TOOL),
        is("metadata", ANY, Slot::Result).beside("type", TOOL),
        is("arguments", ANY, Slot::Arguments).beside("type", TOOL),
        is("toolId", STRING, Slot::CallId),
        is("toolName", STRING, Slot::Name),
        is("content", STRING, Slot::Text),
    ],
    &[
        sure(&[ty(&["thinking"])], Does::Block(Kind::Reasoning("part"))),
        sure(&[ty(&["main_text", "code"])], Does::Block(Kind::Text)),
        sure(&[ty(TOOL)], Does::Block(Kind::Answered)),
        case(&[ty(&["image", "file", "video"])], Does::Block(Kind::Media)),
    ],
);

static BLOCK_ID: State = state("identifier", &[], &[]).or_string(Does::Nothing);

static MESSAGE: State = state(
    "message",
    &[
        is("id", STRING, Slot::Id),
        is("role", STRING, Slot::Role),
        each("blocks", Slot::Parts, &BLOCK_ID),
        // Before blocks stood apart.
        is("reasoning_content", STRING, Slot::Thought),
        is("content", STRING, Slot::Text),
    ],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static TOPIC: State =
    state("topic", &[each("messages", Slot::Messages, &MESSAGE)], &[case(&[When::Has(Slot::Messages)], Does::Request)]);

static DATA_BASE: State =
    state("data base", &[each("topics", Slot::Sessions, &TOPIC), each("message_blocks", Slot::Apart, &BLOCK)], &[]);

static RECORD: State = state(
    "backup",
    &[same("indexedDB", &DATA_BASE)],
    &[case(&[When::Has(Slot::Sessions)], Does::Request), case(&[When::Has(Slot::Apart)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("indexedDB", &[]), ("", &["\"message_blocks\""])], sure: false },
        Recognition { has: &[("indexedDB", &[]), ("", &["\"topics\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "cherry-studio",
    aliases: &["cherry-studio-backup"],
    about: "Cherry Studio: backups of its data base, with thinking blocks",
    products: &[Product {
        signs: &[Sign::Members(&["/indexedDB/message_blocks"]), Sign::Members(&["/indexedDB/topics/*/messages"])],
        examples: &[
            r#"{"time":1785578400000,"indexedDB":{"topics":[],"message_blocks":[{"type":"main_text","content":"Will it rain?"}]}}"#,
            r#"{"time":1785578400000,"version":4,"indexedDB":{"topics":[{"id":"t1","messages":[]}]}}"#,
        ],
        ..product("Cherry Studio")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
