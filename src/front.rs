//! The functions for users of the crate: [`strip()`], [`split()`], [`convert()`], [`tokens()`] and [`check()`],
//! which do what the commands of the same names do.
//!
//! Each comes in two forms. One takes a slice of bytes and returns the whole result. The other, with `_io` in its name,
//! reads from a [`BufRead`](std::io::BufRead), writes to a [`Write`](std::io::Write), and buffers only the record that it
//! reads and what is not decided yet. Both return an error when part of the input was not understood; the error has the partial result.
//!
//! This module opens no file and no connection. Only its module `seam` knows the stages.

mod accept;
mod check;
mod convert;
mod dialects;
mod error;
mod input;
mod run;
mod seam;
mod sequence;
#[cfg(feature = "serde")]
mod serialize;
mod setters;
mod split;
mod strip;
mod tokens;

pub use accept::{RepairOptions, Repaired, TargetFinding, TargetReport, check_target, repair};
pub use check::{CheckOptions, CheckReport, Checked, Excerpt, Finding, Severity, check, check_io};
pub use convert::{ConvertOptions, ConvertReport, Converted, Converter, convert, convert_io};
pub use dialects::{DialectInfo, dialects};
pub use error::{Error, Incomplete, InvalidOption, Refused};
pub use input::{InputOptions, Summary};
pub use sequence::{Sequence, SequenceStatus, Utterance};
pub use split::{Delegation, Message, Split, SplitOptions, SplitReport, Splitter, split, split_each, split_io};
pub use strip::{StripOptions, StripReport, Stripped, Stripper, strip, strip_io};
pub use tokens::{
    BlockKind, Counted, TokenCounts, TokenRow, TokensOptions, TokensReport, tokens, tokens_each, tokens_io,
};

pub use crate::count::Method;
pub use crate::frame::Framing;
pub use crate::inline::Unclosed;
pub use crate::model::{Loss, Role};
pub use crate::policy::{Policy, Signatures, Unit};
pub use crate::tokens::By;
