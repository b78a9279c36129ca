//! The options of the output of `split`.

use crate::json::text::utf8;
use crate::postproc::PostprocOptions;

/// Which text of a message is written alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Only {
    /// The visible text.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Visible,
    /// The reasoning.
    Reasoning,
}

/// What is written, and how.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Text instead of JSON objects.
    pub text: bool,
    /// The visible text is written.
    pub visible: bool,
    /// The reasoning is written.
    pub reasoning: bool,
    /// The reasoning goes to another place instead.
    pub aside: bool,
    /// The text between two blocks.
    pub join: String,
    /// White space just inside tags is kept.
    pub verbatim: bool,
    /// Records that were not understood are written unchanged. If false, they are rejects.
    pub pass_bad: bool,
    /// The name of the input, for objects of several inputs.
    pub file: Option<String>,
    /// The names of the fields that were asked for. They replace message numbers.
    pub fields: Vec<String>,
    /// How the text of messages is processed before it is written.
    pub postproc: Option<PostprocOptions>,
    /// Objects leave out the text of the reasoning.
    pub drop_reasoning: bool,
    /// Text is written as it comes, even if a later cut would remove white space at its start.
    pub streaming: bool,
    /// Text of a message is not written before its end, since the message may be refused.
    pub hold: bool,
    /// Messages are not written, but kept for [`super::Report::take_messages`].
    pub keeps: bool,
}

impl ReportOptions {
    /// What both the command line and the functions of the crate ask for: text or objects, with one of the texts of a
    /// message or both. Without `only`, text is the visible one, and objects have both.
    pub fn of(text: bool, only: Option<Only>, join: &str, verbatim: bool) -> Self {
        Self {
            text,
            visible: only != Some(Only::Reasoning),
            reasoning: only.map_or(!text, |only| only == Only::Reasoning),
            join: join.to_string(),
            verbatim,
            ..Self::default()
        }
    }
}

/// Which texts of messages are written, and how.
#[derive(Clone, Debug, Default)]
pub(super) struct TextOptions {
    /// The answer.
    pub visible: bool,
    /// The reasoning, in the same place.
    pub reasoning: bool,
    /// The reasoning, in another place.
    pub aside: bool,
    /// The text between blocks of reasoning.
    pub join: String,
    /// White space just inside tags is kept.
    pub verbatim: bool,
    /// The start of a message is written as it comes, before it is known whether white space there goes.
    pub streaming: bool,
    /// The input is one text, whose bytes need not be UTF-8.
    pub raw: bool,
    /// Messages are not written as they come, but given whole ([`super::text::TextWriter::whole`]).
    pub hold: bool,
}

impl TextOptions {
    /// Writes a text: that of JSON, which may have lone surrogates, becomes UTF-8.
    pub fn put(&self, text: &[u8], to: &mut Vec<u8>) {
        match self.raw {
            true => to.extend_from_slice(text),
            false => to.extend_from_slice(utf8(text).as_bytes()),
        }
    }
}
