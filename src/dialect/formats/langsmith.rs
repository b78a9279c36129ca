//! LangSmith: exported runs.
//!
//! Specified by LangSmith's documentation ("Run data format"). The inputs and the outputs of a run are what a program has
//! given it: requests and answers of a provider. Each is recognised anew. Dumps of LangChain's messages are not read.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, Shape, Slot, State, When, case, each, json, record, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static RUN: State = state(
    "run",
    &[
        record("inputs"),
        record("outputs"),
        json("inputs"),
        json("outputs"),
        each("child_runs", Slot::Inner, &RUN),
        // A page of the API, a batch that a program sends.
        each("runs", Slot::Inner, &RUN),
        each("post", Slot::Inner, &RUN),
        each("patch", Slot::Inner, &RUN),
    ],
    &[
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[], Does::Unread),
    ],
);

const SHAPE: Shape = Shape {
    record: &RUN,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("run_type", &[]), ("dotted_order", &[])], sure: false },
        Recognition { has: &[("run_type", &[]), ("inputs", &[])], sure: false },
        Recognition { has: &[("runs", &[]), ("", &["\"run_type\""])], sure: false },
        Recognition { has: &[("post", &[]), ("", &["\"run_type\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "langsmith",
    aliases: &["langsmith-run"],
    about: "LangSmith: runs, with the inputs and outputs of providers",
    products: &[Product {
        signs: &[Sign::Members(&["/run_type", "/dotted_order"]), Sign::Members(&["/run_type", "/inputs", "/outputs"])],
        examples: &[r#"{"id":"r1","run_type":"llm","inputs":{},"outputs":{},"dotted_order":"20260801T100000Z"}"#],
        ..product("LangSmith")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
