//! The parameters of a command that reads records.

use super::accept::TargetName;
use super::destination::OutputMode;
use super::files::Inputs;
use super::jobs::Jobs;
use super::{Common, TagArgs};
use std::path::Path;
use unthink::dialect::{Columns, Conversion, Pointer};
use unthink::model::Seals;
use unthink::policy::{Narrow, Policy, Unit};

/// A command that reads records.
pub struct Job<'a> {
    pub common: &'a Common,
    pub tags: &'a TagArgs,
    pub files: &'a Inputs,
    /// Output is passed on at once and cannot be taken back, so that event streams are read without hindsight.
    pub streams: bool,
    pub pointers: Vec<Pointer>,
    /// The members beside these strings that a conversion reads and writes.
    pub columns: Columns,
    /// Members to take out.
    pub drops: Vec<Pointer>,
    /// Everything is copied unchanged.
    pub verbatim: bool,
    /// Records in no format that is read are copied.
    pub passes: bool,
    /// An input without a record that is read is an error.
    pub must_read: bool,
    /// Records are examined and not written.
    pub checks: bool,
    /// Files that were found in folders are skipped if they are not text, or in no format that is read.
    pub skips: bool,
    /// Messages on the way to an answer go whole. True: also those in delegations.
    pub removal: Option<bool>,
    /// The file for the reasoning, if that is written separately.
    pub aside: Option<&'a Path>,
    /// The conversion of messages.
    pub to: Option<Conversion>,
    /// Sections of the reasoning are emptied.
    pub redact: bool,
    /// What becomes of signatures on calls and texts.
    pub seals: Seals,
    /// The command removes reasoning from texts, or separates it.
    pub cuts: bool,
    /// The policy, and what counts as one message to it.
    pub policy: (Policy, Unit),
    /// The agents and contexts whose reasoning the policy is about.
    pub narrow: Narrow,
    /// Where the output of each input goes.
    pub mode: OutputMode,
    /// Who is to take the output: it is held until the input is over, and mended.
    pub replay: Option<TargetName<'a>>,
    /// The file for the output, if it is not stdout.
    pub output: Option<&'a Path>,
    /// The user asked for numbers; whether they are JSON.
    pub stats: Option<bool>,
    /// What became of files that were found is told, wherever the output goes.
    pub sums: bool,
    /// How many files are worked on at a time.
    pub jobs: Jobs,
}

impl<'a> Job<'a> {
    /// A command that only reads its files, without further options.
    pub fn new(common: &'a Common, tags: &'a TagArgs, files: &'a Inputs) -> Self {
        Self {
            common,
            tags,
            files,
            streams: false,
            pointers: Vec::new(),
            columns: Columns::default(),
            drops: Vec::new(),
            verbatim: false,
            passes: false,
            must_read: false,
            checks: false,
            skips: false,
            removal: None,
            aside: None,
            to: None,
            redact: false,
            seals: Seals::default(),
            cuts: false,
            policy: (Policy::None, Unit::Message),
            narrow: Narrow::default(),
            mode: OutputMode::Standard,
            replay: None,
            output: None,
            stats: None,
            sums: false,
            jobs: Jobs::default(),
        }
    }
}
