//! Langfuse: exported observations and traces.
//!
//! Specified by Langfuse's API reference ("Observations", "Traces", "Ingestion") and its export formats. The input and the
//! output of an observation are what a program has given it: requests and answers of a provider, as values or as strings of
//! JSON. Each is recognised anew.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, Shape, Slot, State, When, case, each, json, one, record, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static OBSERVATION: State = state(
    "observation",
    &[
        record("input"),
        record("output"),
        json("input"),
        json("output"),
        // A trace, a page of the API, a batch of events.
        each("observations", Slot::Inner, &OBSERVATION),
        each("data", Slot::Inner, &OBSERVATION),
        each("batch", Slot::Inner, &OBSERVATION),
        one("body", Slot::Inner, &OBSERVATION),
    ],
    &[
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[], Does::Unread),
    ],
);

/// The types of observations.
const TYPES: &[&str] =
    &["GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"];

const SHAPE: Shape = Shape {
    record: &OBSERVATION,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("traceId", &[]), ("type", TYPES)], sure: false },
        Recognition { has: &[("trace_id", &[]), ("type", TYPES)], sure: false },
        Recognition { has: &[("observations", &[]), ("", &["\"traceId\""])], sure: false },
        Recognition { has: &[("data", &[]), ("", &["\"traceId\""])], sure: false },
        Recognition { has: &[("batch", &[]), ("", &["-create\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "langfuse",
    aliases: &["langfuse-export"],
    about: "Langfuse: observations and traces, with the inputs and outputs of providers",
    products: &[Product {
        signs: &[Sign::Members(&["/type=GENERATION", "/traceId"]), Sign::Members(&["/observations/*/traceId"])],
        examples: &[r#"{"id":"o1","traceId":"t1","type":"GENERATION","input":{},"output":{}}"#],
        ..product("Langfuse")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
