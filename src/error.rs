//! Errors in the input, as values. The binary turns them into messages and an exit status.

use std::borrow::Cow;
use std::fmt;

/// The reason why a record cannot be understood.
///
/// The text never quotes the input: it may contain the very reasoning that is to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The offset of the first wrong byte, in the slice that was examined; the engine makes it an offset in the input.
    pub offset: usize,
    /// A plain sentence without its full stop.
    pub what: Cow<'static, str>,
}

impl Error {
    /// An error at `offset`.
    pub fn new(offset: usize, what: impl Into<Cow<'static, str>>) -> Self {
        Self { offset, what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.what)
    }
}

impl std::error::Error for Error {}
