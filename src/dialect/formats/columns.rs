//! Data sets whose columns are texts: an answer, or several, beside what was asked, with reasoning between tags.
//!
//! Specified by the guides to data of LLaMA-Factory ("Alpaca Format") and TRL ("Dataset formats"), and by the data sets of Open-R1.
//! The names are common words, so that each counts beside another one only. A column of reasoning is not read: `reasoning` is a
//! switch in some data sets, and a category in others. What was asked is not by the model. A `response` is read as one of chat.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, LIST, Recognition, Shape, Slot, State, When, case, each, is, pass, state, text,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ANSWER: State = state("answer", &[], &[]).or_string(Does::Message);

static SAMPLE: State = state(
    "sample",
    &[
        text("output", Slot::Messages, &ANSWER).beside("instruction", &[]),
        pass("input").beside("instruction", &[]),
        text("completion", Slot::Messages, &ANSWER).beside("prompt", &[]),
        text("chosen", Slot::Messages, &ANSWER).beside("rejected", &[]),
        text("rejected", Slot::Messages, &ANSWER).beside("chosen", &[]),
        each("generations", Slot::Messages, &ANSWER),
        // Such a record is of the chat family.
        is("messages", LIST, Slot::ForeignMember),
    ],
    &[case(&[When::Has(Slot::Messages), When::Lacks(Slot::ForeignMember)], Does::Request)],
);

const SHAPE: Shape = Shape {
    record: &SAMPLE,
    recognised_by: &[
        Recognition { has: &[("instruction", &[]), ("output", &[])], sure: false },
        Recognition { has: &[("prompt", &[]), ("completion", &[])], sure: false },
        Recognition { has: &[("chosen", &[]), ("rejected", &[])], sure: false },
        Recognition { has: &[("problem", &[]), ("generations", &[])], sure: false },
    ],
    inline: true,
    fixed: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "columns",
    aliases: &["dataset-columns"],
    kin: &["alpaca", "preference", "openr1"],
    about: "data sets whose columns are texts, with inline tags in the answers",
    products: &[
        Product {
            signs: &[Sign::Members(&["/instruction", "/output"])],
            examples: &[r#"{"instruction":"2+2?","input":"","output":"4"}"#],
            ..product("Alpaca data set")
        },
        Product {
            signs: &[Sign::Members(&["/problem", "/generations"])],
            examples: &[r#"{"problem":"2+2?","solution":"4","generations":["4"],"correctness_math_verify":[true]}"#],
            ..product("OpenR1 data set")
        },
        Product {
            signs: &[Sign::Members(&["/prompt", "/chosen", "/rejected"])],
            examples: &[r#"{"prompt":"2+2?","chosen":"4","rejected":"5"}"#],
            ..product("preference data set")
        },
        Product {
            signs: &[Sign::Members(&["/prompt", "/completion"])],
            examples: &[r#"{"prompt":"2+2?","completion":"4"}"#],
            ..product("prompt and completion data set")
        },
    ],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
