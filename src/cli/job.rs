//! What a verb that reads records asks for.

use super::destination::Mode;
use super::{Common, TagArgs};
use std::path::{Path, PathBuf};
use unthink::dialect::{Conversion, Pointer};
use unthink::pass::{Narrow, Policy, Unit};

/// A verb that reads records.
pub struct Job<'a> {
    pub common: &'a Common,
    pub tags: &'a TagArgs,
    pub files: &'a [PathBuf],
    /// What is written cannot be called back, so that an event stream is not judged with hindsight.
    pub streams: bool,
    pub pointers: Vec<Pointer>,
    /// Members that are taken out.
    pub drops: Vec<Pointer>,
    /// Everything is passed through, whatever it is.
    pub verbatim: bool,
    /// Records in no format that is read are written as they are.
    pub passes: bool,
    /// An input of which nothing was read was not understood.
    pub must_read: bool,
    /// Records are looked at and not written, and there are as many files as are given: none is not stdin.
    pub checks: bool,
    /// Messages go whole that are steps on the way to an answer; whether also those in delegations.
    pub removal: Option<bool>,
    /// Where the reasoning goes, if it goes apart.
    pub aside: Option<&'a Path>,
    /// What messages are converted to.
    pub to: Option<Conversion>,
    /// Sections of the reasoning are emptied.
    pub redact: bool,
    /// Reasoning is taken out of texts, or apart from them.
    pub cuts: bool,
    /// Which reasoning goes, and what counts as one message.
    pub policy: (Policy, Unit),
    /// Of whom, and in which contexts.
    pub narrow: Narrow,
    /// What is done with the output of every input.
    pub mode: Mode,
}

impl<'a> Job<'a> {
    /// A verb that only looks at its files, with nothing asked for beside that.
    pub fn new(common: &'a Common, tags: &'a TagArgs, files: &'a [PathBuf]) -> Self {
        Self {
            common,
            tags,
            files,
            streams: false,
            pointers: Vec::new(),
            drops: Vec::new(),
            verbatim: false,
            passes: false,
            must_read: false,
            checks: false,
            removal: None,
            aside: None,
            to: None,
            redact: false,
            cuts: false,
            policy: (Policy::None, Unit::Message),
            narrow: Narrow::default(),
            mode: Mode::Standard,
        }
    }
}
