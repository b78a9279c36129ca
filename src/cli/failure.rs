//! Why a command, or the work on one of its files, failed: a sentence, and a kind that decides the exit status.

use super::Status;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;

/// What kind of a failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The command line is wrong, or a file that it names for its own use.
    Usage,
    /// A file is none that the command works on.
    Input,
    /// Reading or writing failed.
    Io(io::ErrorKind),
}

/// Why a command, or the work on one of its files, failed.
#[derive(Clone, Debug)]
pub struct CommandError {
    kind: FailureKind,
    /// The sentence for the user.
    text: String,
}

/// What a command has done, or why not.
pub type Result<T, E = CommandError> = std::result::Result<T, E>;

impl CommandError {
    /// A failure of this kind, in a sentence.
    pub fn new(kind: FailureKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }

    /// What was tried stands before the reason.
    pub fn context(self, tried: impl Display) -> Self {
        Self { text: format!("{tried}: {}", self.text), ..self }
    }

    /// The exit status.
    pub fn status(&self) -> Status {
        match self.kind {
            FailureKind::Usage => Status::Usage,
            FailureKind::Input => Status::NotUnderstood,
            FailureKind::Io(_) => Status::Io,
        }
    }

    /// Whether a file is not there.
    pub fn is_missing(&self) -> bool {
        self.kind == FailureKind::Io(io::ErrorKind::NotFound)
    }
}

impl Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<io::Error> for CommandError {
    fn from(e: io::Error) -> Self {
        let mut text = e.to_string();
        let mut source = e.source();
        while let Some(cause) = source {
            text += &format!(": {cause}");
            source = cause.source();
        }
        Self { kind: FailureKind::Io(e.kind()), text }
    }
}

/// Says what was tried when something failed.
pub trait WithContext<T> {
    /// What was tried stands before the reason.
    fn context(self, tried: impl Display) -> Result<T>;

    /// What was tried stands before the reason; it is made when something has failed.
    fn with_context<D: Display>(self, tried: impl FnOnce() -> D) -> Result<T>;
}

impl<T, E: Into<CommandError>> WithContext<T> for Result<T, E> {
    fn context(self, tried: impl Display) -> Result<T> {
        self.map_err(|e| e.into().context(tried))
    }

    fn with_context<D: Display>(self, tried: impl FnOnce() -> D) -> Result<T> {
        self.map_err(|e| e.into().context(tried()))
    }
}

/// The failure that the command line is wrong, with a sentence as of `format!`.
macro_rules! misuse {
    ($($sentence:tt)*) => {
        $crate::cli::failure::CommandError::new($crate::cli::failure::FailureKind::Usage, format!($($sentence)*))
    };
}

/// Returns the failure that the command line is wrong.
macro_rules! bail {
    ($($sentence:tt)*) => {
        return Err($crate::cli::failure::misuse!($($sentence)*))
    };
}

pub(crate) use {bail, misuse};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_stays_behind_what_was_tried() {
        let read: io::Result<()> = Err(io::ErrorKind::NotFound.into());
        let e = read.context("a.json").context("--baseline").unwrap_err();
        assert_eq!((e.to_string().as_str(), e.status()), ("--baseline: a.json: entity not found", Status::Io));
        assert!(e.is_missing());
        assert_eq!(misuse!("--{}: no", "x").context("unthink.toml").status(), Status::Usage);
        assert_eq!(CommandError::new(FailureKind::Input, "too long").status(), Status::NotUnderstood);
    }
}
