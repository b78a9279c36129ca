//! Logs of proxies: a request beside its response, as programs write them that pass calls on.
//!
//! There is no specification. The bodies are objects, or strings of JSON: each is recognised anew, as are a request and a
//! response that are not inside of anything else. What they say of HTTP, as headers, is searched.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{ANY, BASE, Does, Recognition, Shape, Slot, State, When, is, json, record, state, sure};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static RECORD: State = state(
    "call",
    &[
        is("custom_id", ANY, Slot::Batch),
        record("request"),
        record("response"),
        record("body"),
        record("request_body"),
        record("response_body"),
        json("request"),
        json("response"),
        json("body"),
        json("request_body"),
        json("response_body"),
    ],
    // A line of a batch has a method and a body, too.
    &[sure(&[When::Has(Slot::Record), When::Lacks(Slot::Batch)], Does::Envelope)],
);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("request_body", &[])], sure: false },
        Recognition { has: &[("response_body", &[])], sure: false },
        Recognition { has: &[("request", &[]), ("response", &[]), ("", &["\"body\""])], sure: false },
        Recognition { has: &[("request", &[]), ("response", &[]), ("", &["\\\"body\\\""])], sure: false },
        Recognition { has: &[("request", &[]), ("response", &[]), ("", &["\\\"choices\\\":"])], sure: false },
        // One side of them.
        Recognition { has: &[("headers", &[]), ("body", &[])], sure: false },
        Recognition { has: &[("method", &[]), ("body", &[])], sure: true },
        Recognition { has: &[("status", &[]), ("body", &[])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "proxy-log",
    aliases: &["http-log"],
    about: "logs of proxies: requests beside responses, with bodies as objects or as strings",
    products: &[Product {
        signs: &[
            Sign::Members(&["/request/body", "/response/body"]),
            Sign::Members(&["/request_body", "/response_body"]),
        ],
        examples: &[r#"{"request":{"method":"POST","body":{}},"response":{"status":200,"body":{}}}"#],
        ..product("Logs of proxies")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
