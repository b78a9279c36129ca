//! OpenAI Agents SDK: the rows of its sessions.
//!
//! Found in the SDK's own code (`agents/memory/sqlite_session.py`); not specified. A row of the table `agent_messages` has an item
//! of the Responses API, or a message of chat, as JSON in a string: each is recognised anew. A row with nothing but an item of
//! reasoning goes, since the SDK would have no item in it to read.

use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, STRING, Shape, Slot, State, When, case, is, json, record, state};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static ROW_OF_TABLE: State = state(
    "row",
    &[
        is("session_id", STRING, Slot::Conversation),
        json("message_data"),
        // Where the table was unpacked before.
        record("message_data"),
    ],
    &[case(&[When::Has(Slot::Record)], Does::Envelope)],
);

static ORIGIN: State =
    state("origin", &[is("session_id", STRING, Slot::Conversation), is("created_at", STRING, Slot::Created)], &[]);

const SHAPE: Shape = Shape {
    record: &ROW_OF_TABLE,
    origin: &ORIGIN,
    recognised_by: &[Recognition { has: &[("session_id", &[]), ("message_data", &[])], sure: false }],
    carrier: true,
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "openai-agents",
    aliases: &["openai-agents-session"],
    about: "OpenAI Agents SDK: rows of its sessions, with items as strings",
    products: &[Product {
        signs: &[Sign::Members(&["/session_id", "/message_data"])],
        examples: &[
            r#"{"id":1,"session_id":"s","message_data":"{\"content\": \"Will it rain?\", \"role\": \"user\"}"}"#,
        ],
        ..product("OpenAI Agents SDK")
    }],
    framings: &[Framing::Jsonl, Framing::Json],
    shape: Some(&SHAPE),
    ..PLAIN
};
