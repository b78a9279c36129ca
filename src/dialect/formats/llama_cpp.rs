//! llama.cpp: the answers of its server's own `/completion`, whole or as events, each a piece of the answer.
//!
//! Specified by the server's documentation ("POST /completion"). The text is what the model wrote, with its reasoning
//! between tags. The same text may stand beside it as the numbers of its tokens, or with their probabilities (`n_probs`): both go
//! with reasoning.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, LIST, NONE, NUMBER, Recognition, STRING, Shape, Slot, State, TRUE, When, is, pass, state, sure,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::model::content::{Attribute, Stop};

/// A piece says whether it is the last one.
const SAYS: When = When::Has(Slot::Text);

static RECORD: State = state(
    "record",
    &[
        is("content", STRING, Slot::Text),
        is("stop", TRUE, Slot::Over),
        is("stop", NONE, Slot::Flag),
        is("model", STRING, Slot::Model),
        is("stop_type", STRING, Slot::Stop),
        is("stopping_word", STRING, Slot::StopText),
        is("tokens_evaluated", NUMBER, Slot::Usage),
        is("tokens_predicted", NUMBER, Slot::Usage),
        is("tokens", LIST, Slot::Shadow),
        is("completion_probabilities", LIST, Slot::Probabilities),
        pass("generation_settings"),
    ],
    &[
        sure(&[SAYS, When::Has(Slot::Over), When::Has(Slot::Usage)], Does::Piece),
        sure(&[SAYS, When::Has(Slot::Flag)], Does::Piece),
    ],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("content", &[]), ("stop", &[])], sure: true }],
    stops: &[("eos", Stop::End), ("limit", Stop::Length), ("word", Stop::End)],
    states: &["none"],
    used: &[("tokens_evaluated", Attribute::Input), ("tokens_predicted", Attribute::Output)],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "llama-cpp",
    aliases: &["llama-completion", "llamacpp"],
    about: "llama.cpp: answers of its server's /completion, whole or as events, with inline tags",
    products: &[Product {
        signs: &[
            Sign::Members(&["/content", "/stop", "/generation_settings"]),
            Sign::Members(&["/content", "/stop", "/id_slot"]),
        ],
        examples: &[
            r#"{"content":"By noon.","stop":true,"generation_settings":{},"tokens_predicted":3}"#,
            "data: {\"index\":0,\"content\":\"By noon.\",\"stop\":false,\"id_slot\":0}\n\n",
        ],
        ..product("llama.cpp server (/completion)")
    }],
    framings: &[Framing::Sse, Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
