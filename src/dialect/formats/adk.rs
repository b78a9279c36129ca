//! Google's Agent Development Kit: events of a session, one by one, in a stream, or in a session.
//!
//! Specified by the kit's documentation ("Events", "Session"), and found in its code (`google/adk/events/event.py`). An event
//! has a message of Gemini, and says who wrote it, in which run.

use super::gemini::CONTENT;
use super::shared::ORIGIN;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Key, Recognition, Shape, Slot, State, When, case, each, pass, same, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static OF_EVENT: &[Key] = &[same("content", &CONTENT), pass("invocationId"), pass("invocation_id")];

static EVENT: State = state("event", &[], &[case(&[When::Has(Slot::List)], Does::Message), case(&[], Does::Nothing)])
    .include(&[OF_EVENT]);

static RECORD: State = state(
    "record",
    &[each("events", Slot::Messages, &EVENT)],
    &[case(&[When::Has(Slot::Messages)], Does::Request), case(&[When::Has(Slot::List)], Does::Message)],
)
.include(&[OF_EVENT]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    origin: &ORIGIN,
    recognised_by: &[
        Recognition { has: &[("content", &[]), ("invocationId", &[]), ("author", &[])], sure: false },
        Recognition { has: &[("content", &[]), ("invocation_id", &[]), ("author", &[])], sure: false },
        Recognition { has: &[("appName", &[]), ("events", &[])], sure: false },
        Recognition { has: &[("app_name", &[]), ("events", &[])], sure: false },
    ],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "adk",
    aliases: &["google-adk"],
    about: "Google's Agent Development Kit: events and sessions, with thought parts",
    products: &[Product {
        signs: &[
            Sign::Members(&["/content/parts", "/author", "/invocationId"]),
            Sign::Members(&["/appName", "/events/*/author"]),
        ],
        examples: &[
            r#"{"content":{"parts":[{"text":"By noon."}],"role":"model"},"invocationId":"e-1","author":"weather","id":"1"}"#,
            r#"{"id":"s","appName":"weather","events":[{"author":"user","content":{"parts":[{"text":"Rain?"}]}}]}"#,
        ],
        ..product("Google ADK")
    }],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
