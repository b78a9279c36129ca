//! HAR: what a browser or a proxy has recorded of HTTP.
//!
//! Specified by "HTTP Archive 1.2". The bodies of requests and responses are strings: one of JSON is recognised anew, and so is
//! each event of a stream, or line of JSON. Base64 is not read, unless it is an image or the like: what is cut out of it would
//! move the bounds of all that follows.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{
    BASE, Does, NUMBER, Recognition, STRING, Shape, Slot, State, When, case, each, is, json, one, state,
};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

/// A body. Its text is neither JSON nor a stream if it is a member that nothing here names.
static BODY: State = state(
    "body",
    &[
        is("mimeType", STRING, Slot::Type),
        is("encoding", STRING, Slot::Subtype),
        is("size", NUMBER, Slot::Index),
        is("compression", NUMBER, Slot::Index),
        json("text"),
    ],
    &[
        case(
            &[
                When::Is(Slot::Subtype, &["base64"]),
                When::Type(&["image/*", "font/*", "audio/*", "video/*", "application/font*", "application/wasm*"]),
            ],
            Does::Unread,
        ),
        case(&[When::Is(Slot::Subtype, &["base64"]), When::Beyond(HEAD)], Does::Unclear),
        case(&[When::Has(Slot::Record)], Does::Envelope),
        case(&[When::Type(&["text/event-stream*"]), When::Beyond(HEAD)], Does::Unclear),
        case(&[], Does::Unread),
    ],
);

/// The slots of what says what a body is.
const HEAD: &[Slot] = &[Slot::Type, Slot::Subtype, Slot::Index];

static MESSAGE: State = state(
    "message",
    &[one("postData", Slot::Inner, &BODY), one("content", Slot::Inner, &BODY)],
    &[case(&[When::Has(Slot::Inner)], Does::Envelope), case(&[], Does::Unread)],
);

static ENTRY: State = state(
    "entry",
    &[one("request", Slot::Inner, &MESSAGE), one("response", Slot::Inner, &MESSAGE)],
    &[case(&[], Does::Envelope)],
);

static LOG: State = state("log", &[each("entries", Slot::Inner, &ENTRY)], &[case(&[], Does::Envelope)]);

static RECORD: State = state("archive", &[one("log", Slot::Inner, &LOG)], &[case(&[], Does::Envelope)]);

const SHAPE: Shape = Shape {
    record: &RECORD,
    recognised_by: &[Recognition { has: &[("log", &[]), ("", &["\"entries\"", "\"request\""])], sure: false }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "har",
    aliases: &["http-archive"],
    about: "HAR: recorded requests and responses, whose bodies are strings",
    products: &[Product {
        signs: &[Sign::Members(&["/log/creator", "/log/entries"])],
        examples: &[r#"{"log":{"version":"1.2","creator":{"name":"Firefox"},"entries":[]}}"#],
        ..product("HAR (a browser's log)")
    }],
    framings: &[Framing::Json, Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
