//! Errors of the functions. No error quotes the input, which may hold the very reasoning that is to be removed.

use std::fmt;

/// The reason why a call has no complete result. `P` is the partial result: what the call would have returned.
///
/// ```
/// use unthink::{Error, InputOptions, StripOptions, strip};
///
/// let strange = StripOptions::default().input(InputOptions::default().dialect("shargpt"));
/// match strip(b"", &strange) {
///     Err(Error::Option(e)) => assert_eq!(e.option, "dialect"),
///     Err(Error::Incomplete(e)) => panic!("{} of {} records are missing", e.count, e.records),
///     Err(e) => panic!("{e}"),
///     Ok(_) => panic!("there is no such dialect"),
/// }
/// ```
#[non_exhaustive]
pub enum Error<P> {
    /// An option has a value that it cannot have. Nothing was read.
    Option(InvalidOption),
    /// Some of the input could not be understood, and is missing from the result. The rest was processed.
    Incomplete(Box<Incomplete<P>>),
    /// Reading failed. The complete records before that were processed and written.
    Read(std::io::Error),
    /// Writing failed.
    Write(std::io::Error),
}

/// An incomplete result, and the records that are missing from it.
///
/// ```
/// use unthink::{Error, Incomplete, StripOptions, Stripped, strip};
///
/// let log = b"{\"role\":\"assistant\",\"content\":\"By noon.\"}\n{\"role\":\n";
/// let Err(Error::Incomplete(error)) = strip(log, &StripOptions::default()) else { panic!("it is whole") };
/// let Incomplete { refused, count, records, partial, .. }: Incomplete<Stripped> = *error;
/// assert_eq!((refused.len(), count, records), (1, 1, 2));
/// assert_eq!(partial.output, b"{\"role\":\"assistant\",\"content\":\"By noon.\"}\n");
/// ```
#[non_exhaustive]
pub struct Incomplete<P> {
    /// The records that were not understood, in the order in which they were found: at least one, and at most the first
    /// [`Incomplete::MAX_LISTED`].
    pub refused: Vec<Refused>,
    /// How many records were not understood.
    pub count: u64,
    /// How many records there were.
    pub records: u64,
    /// The result without them.
    pub partial: P,
}

impl<P> Incomplete<P> {
    /// How many refused records are listed; further ones are only counted.
    ///
    /// ```
    /// use unthink::{Incomplete, StripOptions, strip};
    ///
    /// let error = strip(&b"{\"a\":NaN}\n".repeat(20_000), &StripOptions::default()).unwrap_err();
    /// assert_eq!(error.refused().len(), Incomplete::<()>::MAX_LISTED);
    /// ```
    pub const MAX_LISTED: usize = 10_000;
}

/// A record that could not be understood.
///
/// ```
/// use unthink::{Refused, StripOptions, strip};
///
/// let suspect = br#"{"log":{"thinking":"Look at the sky first."}}"#;
/// let error = strip(suspect, &StripOptions::default()).unwrap_err();
/// let refused: &Refused = &error.refused()[0];
/// assert_eq!((refused.record, refused.pointer.as_deref(), refused.skipped), (1, Some("/log/thinking"), true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Refused {
    /// The number of the record in the input, from 1.
    pub record: u64,
    /// The offset of the first wrong byte in the input, from 0.
    pub offset: u64,
    /// If reasoning may be in the record that no dialect reads: its place, as a JSON Pointer (RFC 6901).
    pub pointer: Option<String>,
    /// The reason: a sentence without its full stop, which never quotes the input. It may name an option of the
    /// command, such as `--max-record` or `--start reasoning`, of which [`InputOptions`](super::InputOptions) has the
    /// equivalent.
    pub reason: String,
    /// The record is missing from the output. If false, its bytes were written before the error was known: reasoning
    /// may be among them.
    pub skipped: bool,
}

/// An option with a value that it cannot have.
///
/// ```
/// use unthink::{InvalidOption, StripOptions, Stripper};
///
/// let error: InvalidOption = Stripper::new(&StripOptions::default().fields(["text"])).unwrap_err();
/// assert_eq!(error.option, "fields");
/// assert!(error.to_string().starts_with("fields: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidOption {
    /// The name of the option: its field in the options.
    pub option: &'static str,
    /// The reason: what is wrong with the value.
    pub reason: String,
}

impl InvalidOption {
    pub(super) fn new(option: &'static str, reason: impl Into<String>) -> Self {
        Self { option, reason: reason.into() }
    }
}

impl<P> Error<P> {
    /// The partial result; `None` for errors of other kinds.
    ///
    /// ```
    /// let lines = b"{\"role\":\"assistant\",\"reasoning\":\"Sunny, so 24.\",\"content\":\"24 degrees.\"}\n{\"role\":\n";
    /// let error = unthink::strip(lines, &unthink::StripOptions::default()).unwrap_err();
    /// let partial = error.into_partial().unwrap();
    /// assert_eq!(partial.output, b"{\"role\":\"assistant\",\"content\":\"24 degrees.\"}\n");
    /// ```
    pub fn into_partial(self) -> Option<P> {
        match self {
            Error::Incomplete(incomplete) => Some(incomplete.partial),
            Error::Option(_) | Error::Read(_) | Error::Write(_) => None,
        }
    }

    /// The records that were not understood; empty for errors of other kinds.
    ///
    /// ```
    /// let error = unthink::strip(b"{\"role\":\n{}\n", &unthink::StripOptions::default()).unwrap_err();
    /// let told: Vec<String> = error.refused().iter().map(ToString::to_string).collect();
    /// assert!(told.len() == 1 && told[0].starts_with("record 1: byte "));
    /// ```
    pub fn refused(&self) -> &[Refused] {
        match self {
            Error::Incomplete(incomplete) => &incomplete.refused,
            Error::Option(_) | Error::Read(_) | Error::Write(_) => &[],
        }
    }

    /// The same error with another partial result.
    pub(super) fn map<Q>(self, with: impl FnOnce(P) -> Q) -> Error<Q> {
        match self {
            Error::Option(e) => Error::Option(e),
            Error::Incomplete(incomplete) => {
                let Incomplete { refused, count, records, partial } = *incomplete;
                Error::Incomplete(Box::new(Incomplete { refused, count, records, partial: with(partial) }))
            }
            Error::Read(e) => Error::Read(e),
            Error::Write(e) => Error::Write(e),
        }
    }
}

impl<P> From<InvalidOption> for Error<P> {
    fn from(e: InvalidOption) -> Self {
        Error::Option(e)
    }
}

impl<P> fmt::Display for Error<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Option(e) => write!(f, "{e}"),
            Error::Incomplete(e) => write!(f, "{e}"),
            Error::Read(e) => write!(f, "reading failed: {e}"),
            Error::Write(e) => write!(f, "writing failed: {e}"),
        }
    }
}

impl<P> fmt::Display for Incomplete<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} records could not be understood", self.count, self.records)?;
        match self.refused.first() {
            Some(first) => write!(f, "; the first is {first}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { record, offset, pointer, reason, .. } = self;
        write!(f, "record {record}: byte {offset}: ")?;
        // Keys of the input may have control characters.
        match pointer.as_deref().filter(|pointer| !pointer.is_empty()) {
            Some(pointer) => write!(f, "{}: {reason}", pointer.escape_debug()),
            None => f.write_str(reason),
        }
    }
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.option, self.reason)
    }
}

impl<P> fmt::Debug for Error<P> {
    /// Leaves out the partial result, which may hold reasoning: `main` prints an error that it returns in this form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Option(e) => f.debug_tuple("Option").field(e).finish(),
            Error::Incomplete(e) => f.debug_tuple("Incomplete").field(e).finish(),
            Error::Read(e) => f.debug_tuple("Read").field(e).finish(),
            Error::Write(e) => f.debug_tuple("Write").field(e).finish(),
        }
    }
}

impl<P> fmt::Debug for Incomplete<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Incomplete { refused, count, records, .. } = self;
        let mut out = f.debug_struct("Incomplete");
        out.field("refused", refused).field("count", count).field("records", records).finish_non_exhaustive()
    }
}

impl<P> std::error::Error for Error<P> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Read(e) | Error::Write(e) => Some(e),
            Error::Option(_) | Error::Incomplete(_) => None,
        }
    }
}

impl<P> std::error::Error for Incomplete<P> {}

impl std::error::Error for InvalidOption {}
