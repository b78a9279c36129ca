//! Raw model text: the whole input is one assistant message, its reasoning between inline tags (behaviour.md, section
//! 4).

use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "text",
    aliases: &["raw"],
    products: &["ollama run", "llama-cli", "SpecStory", "other text with tags"],
    about: "raw model text with inline tags",
    framings: &[Framing::Text],
    ..PLAIN
};
