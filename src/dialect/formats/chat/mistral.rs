//! Mistral's chat: requests, responses and chunks, as they are written. They are read as what they are, messages of the
//! chat family.
//!
//! Specified by Mistral's API reference ("Chat") and its guide "Reasoning". A part of the type `thinking` is reasoning; it
//! holds a list of texts. The texts of a chunk are a list of such parts, or a string where it has no reasoning.

mod write;

use super::row::Guest;
use super::rows::CHAT;
use crate::dialect::product::product;
use crate::dialect::{Dialect, OwnRecords, PLAIN};
use crate::frame::Framing;
use crate::model::BlockProperty;
use write::Mistral;

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "mistral",
    aliases: &["magistral"],
    about: "Mistral's chat: requests, responses and chunks with lists of thinking parts",
    products: &[product("Mistral API")],
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    family: Some(Guest { row: CHAT, native: &[] }),
    anew: Some(OwnRecords { reasoning: &["part"], id: "" }),
    write: Some(|_| std::sync::Arc::new(Mistral)),
    properties: Some(&[BlockProperty::Blocks]),
    ..PLAIN
};
