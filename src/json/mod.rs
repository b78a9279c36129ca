//! Spans over one JSON value (RFC 8259): never a tree, never a second spelling.
//!
//! `scan` finds tokens and validates, `text` turns literals into text and back into positions, `cut` knows where
//! commas go when members leave. Nothing here knows what reasoning is.

pub mod cut;
pub mod lint;
pub mod scan;
mod string;
pub mod text;
mod units;

pub use cut::Cuts;
pub use scan::{Literal, Scanner, Token};
pub(crate) use string::end as string_end;
