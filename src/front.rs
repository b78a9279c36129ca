//! The functions for users of the crate: [`strip()`], [`split()`], [`convert()`], [`tokens()`] and [`check()`],
//! which do what the commands of the same names do.
//!
//! Each comes in two forms. One takes a slice of bytes and returns the whole result. The other, with `_io` in its name,
//! reads from a [`BufRead`](std::io::BufRead), writes to a [`Write`](std::io::Write), and buffers only the record that it
//! reads and what is not decided yet. Both return an error when part of the input was not understood; the error has the partial result.
//!
//! This module opens no file and no connection. Only its module `seam` knows the stages.

mod accept;
mod capability;
mod check;
mod convert;
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
mod tables;
mod tokens;

pub use accept::{RepairOptions, Repaired, TargetFinding, TargetReport, Unjudged, check_target, repair};
pub use capability::CapabilityError;
pub use check::{
    Capability, CheckOptions, CheckReport, Checked, Excerpt, Finding, Severity, check, check_each, check_io,
};
pub use convert::{ConvertOptions, ConvertReport, Converted, Converter, convert, convert_io};
pub use error::{Error, Incomplete, InvalidOption, Refused};
pub use input::{InputOptions, Summary};
pub use sequence::{CalledTool, Sequence, SequenceStatus, Utterance};
pub use split::{
    Delegation, DelegationStart, Message, Split, SplitOptions, SplitReport, Splitter, split, split_each, split_io,
};
pub use strip::{StripOptions, StripReport, Stripped, Stripper, strip, strip_io};
pub use tables::{DialectInfo, RuleInfo, TagInfo, TargetInfo, TargetRuleInfo, dialects, rules, tags, targets};
pub use tokens::{
    BlockKind, Counted, TokenCounts, TokenRow, TokensOptions, TokensReport, tokens, tokens_each, tokens_io,
};

pub use crate::accept::rules::RuleOutcome;
pub use crate::count::{Method, UnknownMethod};
pub use crate::frame::Framing;
pub use crate::inline::{Blocks, Close, Inline, Start, Unclosed};
pub use crate::model::{Loss, Role};
pub use crate::policy::{Policy, PolicyError, Signatures, Unit};
pub use crate::tokens::By;
