//! Haystack: its messages, as `ChatMessage.to_dict` writes them.
//!
//! Found in the framework's own code (`haystack/dataclasses/chat_message.py`); not specified. A part of a message is an object
//! with one member, whose key says what it is. From version 2.9 to 2.11, the members of a message have a line in front of their
//! names.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    ANY, BASE, Does, Kind, OBJECT, Recognition, STRING, Shape, Slot, State, When, case, each, into, is, same, state,
    sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static EXTRA: State = state("extra", &[is("signature", STRING, Slot::Signature)], &[]);
static REASONING: State = state("reasoning", &[is("reasoning_text", STRING, Slot::Text), same("extra", &EXTRA)], &[]);
static CALL: State = state(
    "call",
    &[is("id", STRING, Slot::CallId), is("tool_name", STRING, Slot::Name), is("arguments", ANY, Slot::Arguments)],
    &[],
);

/// The call that a result is of.
static CALLED: State = state("origin", &[is("id", STRING, Slot::ResultOf)], &[]);
static RESULT: State = state("result", &[is("result", ANY, Slot::Result), same("origin", &CALLED)], &[]);

static PART: State = state(
    "part",
    &[
        is("text", STRING, Slot::Text),
        into("reasoning", Slot::Flag, &REASONING),
        into("tool_call", Slot::Called, &CALL),
        into("tool_call_result", Slot::Answered, &RESULT),
        is("image", OBJECT, Slot::Media),
    ],
    &[
        sure(&[When::Has(Slot::Flag)], Does::Block(Kind::Reasoning("part"))),
        sure(&[When::Has(Slot::Called)], Does::Block(Kind::Call)),
        sure(&[When::Has(Slot::Answered)], Does::Block(Kind::Result)),
        case(&[When::Has(Slot::Text)], Does::Block(Kind::Text)),
        case(&[When::Has(Slot::Media)], Does::Block(Kind::Media)),
    ],
);

static MESSAGE: State = state(
    "message",
    &[
        is("role", STRING, Slot::Role),
        each("content", Slot::List, &PART),
        is("_role", STRING, Slot::Role),
        each("_content", Slot::List, &PART),
    ],
    &[case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

static RECORD: State = state(
    "record",
    &[
        is("role", STRING, Slot::Role),
        each("content", Slot::List, &PART),
        is("_role", STRING, Slot::Role),
        each("_content", Slot::List, &PART),
        // What a component has given, and what it takes.
        each("replies", Slot::Messages, &MESSAGE),
        each("messages", Slot::Messages, &MESSAGE),
    ],
    &[
        case(&[When::Has(Slot::Messages)], Does::Request),
        sure(&[When::Under(Slot::Role, "_role"), When::Has(Slot::List)], Does::Message),
        case(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[
        Recognition { has: &[("role", &[]), ("content", &[]), ("meta", &[])], sure: true },
        Recognition { has: &[("_role", &[]), ("_content", &[])], sure: true },
        Recognition { has: &[("replies", &[]), ("", &["\"content\"", "\"meta\""])], sure: true },
        Recognition { has: &[("replies", &[]), ("", &["\"_content\""])], sure: false },
        Recognition { has: &[("messages", &[]), ("", &["\"reasoning_text\"", "\"meta\""])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"tool_call\"", "\"tool_name\"", "\"meta\""])], sure: true },
        Recognition { has: &[("messages", &[]), ("", &["\"_content\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "haystack",
    aliases: &["haystack-messages"],
    about: "Haystack: messages as it dumps them, with reasoning parts",
    products: &[Product {
        signs: &[Sign::Members(&["/_role", "/_content"]), Sign::Members(&["/role", "/meta", "/content/*/reasoning"])],
        examples: &[
            r#"{"_role":"assistant","_content":[{"text":"By noon."}],"_name":null,"_meta":{}}"#,
            r#"{"role":"assistant","meta":{},"name":null,"content":[{"reasoning":{"reasoning_text":"Low."}},{"text":"By noon."}]}"#,
        ],
        ..product("Haystack")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
