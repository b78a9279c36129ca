//! Cursor CLI: the transcripts of its agent.
//!
//! Found in files (`agent-transcripts`); not specified. A line has a role, and the blocks of the Anthropic API in an object
//! beside it.

use super::anthropic;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::shape::{BASE, Does, Recognition, STRING, Shape, Slot, State, When, each, is, same, state, sure};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

static CONTENT: State = state("message", &[each("content", Slot::List, &anthropic::PART)], &[]);

static LINE: State = state(
    "line",
    &[is("role", STRING, Slot::Role), same("message", &CONTENT)],
    &[sure(&[When::Has(Slot::Role), When::Has(Slot::List)], Does::Message)],
);

const SHAPE: Shape = Shape {
    record: &LINE,
    recognised_by: &[Recognition { has: &[("role", &[]), ("message", &[])], sure: true }],
    ..BASE
};

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "cursor-cli",
    aliases: &["cursor-cli-transcript"],
    about: "Cursor CLI: transcripts of its agent",
    products: &[Product {
        signs: &[Sign::Members(&["/role", "/message/content/*/type"])],
        examples: &[r#"{"role":"user","message":{"content":[{"type":"text","text":"Will it rain?"}]}}"#],
        ..product("Cursor CLI")
    }],
    framings: &[Framing::Jsonl],
    shape: Some(&SHAPE),
    ..PLAIN
};
