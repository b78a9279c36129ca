//! What can be wrong with input, as a value. Turning it into a message and an exit status is the binary's work.

use std::borrow::Cow;
use std::fmt;

/// Why a record cannot be understood.
///
/// The text never quotes the input: it may contain the very reasoning that is to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Byte offset of the first byte that is wrong. Relative to the slice that was examined; the engine makes it
    /// absolute before anybody outside sees it.
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
