//! Raw model text: the whole input is one assistant message, its reasoning between inline tags (SPEC section 4).

use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "text",
    aliases: &["raw"],
    about: "raw model text with inline tags",
    framings: &[Framing::Text],
    ..PLAIN
};
