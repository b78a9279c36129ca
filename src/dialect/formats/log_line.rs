//! Lines of programs' logs: objects that hold records of other formats, under whatever keys the program has.
//!
//! There is no specification. A line is read so if no other format reads it and one of its values is a record: a request
//! beside a response, a conversation under a key of its own, JSON in a string. Each value is recognised anew, and what is
//! no record is searched.

use super::shared::ORIGIN;
use crate::dialect::shape::{ANY_KEY, BASE, Does, Shape, Slot, State, When, case, json, record, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::json::text::Needle;

static RECORD: State =
    state("line", &[record(ANY_KEY), json(ANY_KEY)], &[case(&[When::Has(Slot::Record)], Does::Envelope)]).or_list();

const SHAPE: Shape = Shape { record: &RECORD, origin: &ORIGIN, holder: &WORDS, ..BASE };

/// Keys of messages and of responses, also in a string.
static WORDS: [Needle; 8] = [
    Needle::new("\"role\""),
    Needle::new("role\\"),
    Needle::new("\"content\""),
    Needle::new("content\\"),
    Needle::new("\"choices\""),
    Needle::new("choices\\"),
    Needle::new("\"mes\""),
    Needle::new("\"mes\\"),
];

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "log-line",
    aliases: &["envelope"],
    about: "lines of programs' logs: objects with records of other formats under any key",
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    shape: Some(&SHAPE),
    ..PLAIN
};
