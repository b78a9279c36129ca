//! LiteLLM's proxy: rows of its spend log, and what its loggers get of a call.
//!
//! Specified by LiteLLM's documentation ("Spend Tracking", "Logging Payload Spec"). A row has the request and the response,
//! as objects or as strings of JSON: each is recognised anew.

use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, Shape, Slot, State, When, case, each, json, record, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ROW_OF_LOG: State = state(
    "row",
    &[
        record("messages"),
        record("response"),
        record("proxy_server_request"),
        json("messages"),
        json("response"),
        json("proxy_server_request"),
        each("data", Slot::Inner, &ROW_OF_LOG),
    ],
    &[
        case(&[When::Has(Slot::Inner)], Does::Envelope),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[], Does::Unread),
    ],
);

const SHAPE: Shape = Shape {
    record: &ROW_OF_LOG,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("request_id", &[]), ("call_type", &[])], sure: false },
        Recognition { has: &[("call_type", &[]), ("custom_llm_provider", &[])], sure: false },
        Recognition { has: &[("data", &[]), ("", &["\"request_id\"", "\"call_type\""])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "litellm-log",
    aliases: &["litellm-spend-log"],
    about: "LiteLLM's proxy: rows of its logs, with requests and responses as objects or as strings",
    products: &[Product {
        signs: &[Sign::Members(&["/request_id", "/spend", "/response"])],
        examples: &[
            r#"{"request_id":"r1","call_type":"acompletion","spend":0.0002,"messages":"{}","response":"{\"id\":\"r1\"}"}"#,
        ],
        ..product("LiteLLM spend logs")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
