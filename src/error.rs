//! Errors in the input, as values. The binary turns them into messages and an exit status.

use std::borrow::Cow;
use std::fmt;

/// What kind of an error it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorKind {
    /// The record is valid, and is refused for what it means.
    #[default]
    Refused,
    /// The record is not valid in its framing: no JSON, or no event of a stream.
    Invalid,
    /// The end of the record is missing, or that of the input.
    CutOff,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// The record, or what would have to be held until it is decided, is longer than the limit.
    TooLong,
    /// The record may hold reasoning that no dialect reads.
    Suspect,
    /// It is not certain whether a tag is used or only spoken of.
    Undecided,
}

/// The reason why a record cannot be understood.
///
/// The text never quotes the input: it may contain the very reasoning that is to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The offset of the first wrong byte, in the slice that was examined; the engine makes it an offset in the input.
    pub offset: usize,
    /// Its kind.
    pub kind: ErrorKind,
    /// A plain sentence without its full stop.
    pub what: Cow<'static, str>,
}

impl Error {
    /// A record that is refused for what stands at `offset`.
    pub fn new(offset: usize, what: impl Into<Cow<'static, str>>) -> Self {
        Self::of(ErrorKind::Refused, offset, what)
    }

    /// An error of another kind.
    pub fn of(kind: ErrorKind, offset: usize, what: impl Into<Cow<'static, str>>) -> Self {
        Self { offset, kind, what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.what)
    }
}

impl std::error::Error for Error {}
