//! Spans over one JSON value (RFC 8259): no tree is built, and nothing is written anew.
//!
//! `scan` finds tokens and validates; `cursor` reads the members of an object and the elements of a list; `text` decodes
//! literals, and maps offsets in the text to raw offsets; `quote` writes a text as a literal, `object` an object of our own; `cut` decides which commas
//! go with members that are cut. Nothing here knows about reasoning.

mod cursor;
pub mod cut;
pub mod lint;
pub mod object;
pub mod quote;
pub mod scan;
mod string;
pub mod text;
mod units;

pub use cursor::{Members, elements, is_empty, is_filled, member, members, strings};
pub use cut::with_commas;
pub use scan::{Literal, Scanner, Token};
pub(crate) use string::end as string_end;
