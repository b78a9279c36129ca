//! LM Studio: the files of its conversations.
//!
//! Found in files of the program; not specified. A message has versions, of which one is selected, and the version of an answer
//! has steps. A step in the style of thinking is reasoning.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, flat, is, pass, same, state, sure, ty,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static PART: State = state(
    "part",
    &[is("type", STRING, Slot::Type), is("text", STRING, Slot::Text)],
    &[case(&[ty(&["text"])], Does::Block(Kind::Text))],
);

static STYLE: State = state("style", &[is("type", STRING, Slot::Subtype)], &[]);

static STEP: State = state(
    "step",
    &[is("type", STRING, Slot::Type), same("style", &STYLE), each("content", Slot::List, &PART)],
    &[
        sure(&[ty(&["contentBlock"]), When::Is(Slot::Subtype, &["thinking"])], Does::Block(Kind::Reasoning("part"))),
        // Of another style it is not known whether it is reasoning.
        case(&[ty(&["contentBlock"]), When::Has(Slot::Subtype)], Does::Unclear),
        sure(&[ty(&["contentBlock"])], Does::Block(Kind::Message)),
    ],
);

static VERSION: State = state(
    "version",
    &[is("role", STRING, Slot::Role), each("content", Slot::List, &PART), each("steps", Slot::List, &STEP)],
    &[case(&[When::Has(Slot::Role)], Does::Message)],
);

static TURN: State = state("turn", &[each("versions", Slot::Messages, &VERSION), pass("currentlySelected")], &[]);

static RECORD: State =
    state("conversation", &[flat("messages", &TURN)], &[case(&[When::Has(Slot::Messages)], Does::Request)]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[Recognition {
        has: &[("messages", &[]), ("", &["\"versions\"", "\"currentlySelected\""])],
        sure: false,
    }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "lm-studio",
    aliases: &["lmstudio-conversation", "lmstudio"],
    about: "LM Studio: conversations, with steps of thinking",
    products: &[Product {
        signs: &[Sign::Members(&["/messages/*/versions", "/messages/*/currentlySelected"])],
        examples: &[
            r#"{"name":"Rain","messages":[{"currentlySelected":0,"versions":[{"type":"singleStep","role":"user","content":[]}]}]}"#,
        ],
        ..product("LM Studio")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
