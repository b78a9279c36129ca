//! What edits of a record consist of: elements of its lists, and bytes that replace others.

use crate::span::Span;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// An element of a list, as it is cut with its comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The list: the offset of its first byte.
    pub list: u64,
    /// From the end of the element before to its own end.
    pub span: Span,
    /// The offset of the comma before it.
    pub comma: Option<u64>,
}

/// Bytes that replace bytes of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// These bytes.
    Text(Cow<'static, [u8]>),
    /// A part of what was written, which several share.
    Part(Arc<Vec<u8>>, Range<usize>),
    /// A copy of these bytes of the input, in the same record.
    Copy(Span),
}

impl Bit {
    /// Its bytes. `copied` gives those of the input.
    pub fn bytes<'t>(&'t self, copied: impl FnOnce(Span) -> &'t [u8]) -> &'t [u8] {
        match self {
            Bit::Text(text) => text,
            Bit::Part(written, at) => &written[at.clone()],
            Bit::Copy(span) => copied(*span),
        }
    }
}
