//! `strip` for users of the crate.

use super::input::{InputOptions, Summary};
use super::run::Run;
use super::setters::setters;
use super::{Error, InvalidOption, seam};
use crate::policy::{Narrow, Policy, Signatures, Unit};
use crate::strip::Splice;
use std::fmt;
use std::io::{BufRead, Write};

/// The options of [`strip`].
///
/// ```
/// use unthink::{Policy, StripOptions, strip};
///
/// let options = StripOptions::default().policy(Policy::None).fields(["/text"]).redact(true);
/// let row = br#"{"text":"<think>The code is <REDACTED>17</REDACTED>.</think>Found it."}"#;
/// let done = strip(row, &options)?;
/// assert_eq!(done.output, br#"{"text":"<think>The code is <REDACTED></REDACTED>.</think>Found it."}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct StripOptions {
    /// The policy: which reasoning goes; all of it by default. A policy can be parsed from its name on the command
    /// line: `"keep-last-3".parse()`.
    pub policy: Policy,
    /// What [`Policy::AllButLast`] counts.
    pub unit: Unit,
    /// The agents whose reasoning the policy is about, in a log in which several speak; empty: all agents.
    pub agents: Vec<String>,
    /// The contexts that the policy is about; empty: all contexts. Each is the name or the path (`a/b`) of a sequence
    /// of reasoning.
    pub contexts: Vec<String>,
    /// Messages that are marked as steps on the way to an answer go, too.
    pub intermediate: bool,
    /// Messages in delegations that are steps on the way go, too. No delegation loses only one of its ends.
    pub delegations: bool,
    /// A message that is left without content goes, too. If false, it stays.
    pub drop_empty: bool,
    /// Sections `<REDACTED>` of the reasoning that stays are emptied.
    pub redact: bool,
    /// What becomes of signatures of reasoning that stand on calls and texts, as Gemini has them. `None`: they go under the
    /// policy `all`, and stay under every other.
    pub signatures: Option<Signatures>,
    /// JSON Pointers (RFC 6901) to strings of each record that are texts of the model, such as `/output/text`; a `*` stands
    /// for any member or element.
    pub fields: Vec<String>,
    /// JSON Pointers to members of each record that go whole.
    pub drop_fields: Vec<String>,
    /// How the input is read.
    pub input: InputOptions,
}

setters! { StripOptions "StripOptions::default()" {
    value policy: Policy = "unthink::Policy::AllButLast",
    value unit: Unit = "unthink::Unit::Turn",
    list agents: String = r#"["scout"]"#,
    list contexts: String = r#"["survey/soil"]"#,
    value intermediate: bool = "true",
    value delegations: bool = "true",
    value drop_empty: bool = "true",
    value redact: bool = "true",
    some signatures: Signatures = "unthink::Signatures::Keep",
    list fields: String = r#"["/output/text"]"#,
    list drop_fields: String = r#"["/debug"]"#,
    input input: InputOptions,
} }

/// What [`strip`] returns.
///
/// ```
/// use unthink::{StripOptions, Stripped, strip};
///
/// let done: Stripped = strip(b"<think>Low pressure.</think>Rain by noon.", &StripOptions::default())?;
/// assert_eq!((done.output.as_slice(), done.report.removed), (&b"Rain by noon."[..], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stripped {
    /// The input without the reasoning that goes. All other bytes are as they were.
    pub output: Vec<u8>,
    /// What was done.
    pub report: StripReport,
}

/// What [`strip`] did.
///
/// ```
/// use unthink::{StripOptions, StripReport, strip};
///
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// let report: StripReport = strip(log, &StripOptions::default())?.report;
/// assert_eq!((report.removed, report.kept), (1, 0));
/// assert_eq!(report.bytes, r#""reasoning":"Low pressure.","#.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StripReport {
    /// How many blocks of reasoning were removed.
    pub removed: u64,
    /// How many blocks of reasoning stayed.
    pub kept: u64,
    /// How many bytes were removed, with the delimiters, keys and commas that went along.
    pub bytes: u64,
    /// How many events and messages were removed whole.
    pub dropped: u64,
    /// How many steps on the way to an answer were removed ([`StripOptions::intermediate`]).
    pub intermediate: u64,
    /// How many of these begin or end a delegation, and stay without their content.
    pub emptied: u64,
    /// Names in [`StripOptions::agents`] without a message in the input.
    pub unknown_agents: Vec<String>,
    /// Names in [`StripOptions::contexts`] without a message in the input.
    pub unknown_contexts: Vec<String>,
    /// Counts of the input.
    pub summary: Summary,
}

/// Removes reasoning by policy. The output is in the format of the input; bytes that are not removed do not change.
///
/// ```
/// use unthink::{Policy, StripOptions, strip};
///
/// let chat = br#"{"messages":[
///   {"role":"user","content":"What is my balance?"},
///   {"role":"assistant","reasoning_content":"12 came in, 3 went out.","content":"9 SOL."}]}"#;
/// let done = strip(chat, &StripOptions::default())?;
/// assert_eq!(
///     String::from_utf8(done.output)?,
///     r#"{"messages":[
///   {"role":"user","content":"What is my balance?"},
///   {"role":"assistant","content":"9 SOL."}]}"#
/// );
/// assert_eq!(done.report.removed, 1);
///
/// // The reasoning of the last message that has any may stay.
/// let options = StripOptions::default().policy(Policy::AllButLast);
/// assert_eq!(strip(chat, &options)?.output, chat);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Incomplete`] if a record could not be understood; it is missing from the output. [`Error::Option`] if an
/// option has a value that it cannot have.
pub fn strip(input: &[u8], options: &StripOptions) -> Result<Stripped, Error<Stripped>> {
    let mut output = Vec::new();
    match strip_io(input, &mut output, options) {
        Ok(report) => Ok(Stripped { output, report }),
        Err(e) => Err(e.map(|report| Stripped { output, report })),
    }
}

/// Removes reasoning by policy, from a reader to a writer.
///
/// What is decided is written after each read, so that a live stream is passed on as it comes; the writer is flushed at
/// the end only. A writer with a buffer, such as [`BufWriter`](std::io::BufWriter), delays a live stream.
///
/// ```
/// use unthink::{StripOptions, strip_io};
///
/// let stream: &[u8] = b"data: {\"choices\":[{\"delta\":{\"reasoning\":\"Look at the sky.\"}}]}\n\n\
///     data: {\"choices\":[{\"delta\":{\"content\":\"It is sunny.\"}}]}\n\n";
/// let mut passed = Vec::new();
/// let report = strip_io(stream, &mut passed, &StripOptions::default())?;
/// assert_eq!(passed, b"data: {\"choices\":[{\"delta\":{\"content\":\"It is sunny.\"}}]}\n\n");
/// assert_eq!((report.removed, report.dropped), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`strip`]; and [`Error::Read`] or [`Error::Write`] if the reader or the writer fails.
pub fn strip_io(
    mut reader: impl BufRead,
    mut writer: impl Write,
    options: &StripOptions,
) -> Result<StripReport, Error<StripReport>> {
    let (run, narrow) = seam::stripping(options)?;
    seam::stripped(run.read(&mut reader, &mut writer)?, &narrow)
}

/// [`strip`] for an input that comes piece by piece, such as the body of a response that a proxy passes on. It does no
/// input or output of its own and needs no thread, so that it works in a program that waits for many connections.
///
/// The result does not depend on how the input is cut into pieces: a piece may end within a tag, an escape, or a line.
///
/// ```
/// use unthink::{StripOptions, Stripper};
///
/// let mut stripper = Stripper::new(&StripOptions::default())?;
/// let mut passed = Vec::new();
/// for piece in [
///     "data: {\"choices\":[{\"delta\":{\"reasoning\":\"Look at ",
///     "the sky.\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"Sunny.\"}}]}\n\nda",
/// ] {
///     passed.extend_from_slice(stripper.push(piece.as_bytes()));
/// }
/// assert_eq!(passed, b"data: {\"choices\":[{\"delta\":{\"content\":\"Sunny.\"}}]}\n\n");
/// passed.extend_from_slice(stripper.push(b"ta: [DONE]\n\n"));
/// let done = stripper.finish()?;
/// passed.extend_from_slice(&done.output);
/// assert!(passed.ends_with(b"data: [DONE]\n\n") && done.report.removed == 1);
///
/// // Of a connection that was lost, the record that has not come whole is left out.
/// let mut stripper = Stripper::new(&StripOptions::default())?;
/// assert_eq!(stripper.push(b"data: {\"choices\":[{\"delta\":{\"reasoning\":\"Look"), b"");
/// assert_eq!(stripper.cut()?.output, b"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Stripper {
    run: Run<Splice>,
    narrow: Narrow,
}

impl Stripper {
    /// A stripper at the start of an input.
    ///
    /// # Errors
    /// If an option has a value that it cannot have.
    pub fn new(options: &StripOptions) -> Result<Self, InvalidOption> {
        let (run, narrow) = seam::stripping(options)?;
        Ok(Self { run, narrow })
    }

    /// Takes the next bytes of the input. Returns those bytes of the output that are decided now; they are kept until the
    /// next call. An event of a stream is decided when it has come whole.
    pub fn push(&mut self, input: &[u8]) -> &[u8] {
        self.run.push(input)
    }

    /// Ends the input. Returns the rest of the output, behind what was returned before, and what was done.
    ///
    /// # Errors
    /// As [`strip`].
    pub fn finish(self) -> Result<Stripped, Error<Stripped>> {
        self.end(true)
    }

    /// Ends an input whose rest is missing, as after a lost connection: a record that has not come whole is left out
    /// without an error, since whether it holds reasoning is not known.
    ///
    /// # Errors
    /// As [`strip`], for the records that have come whole.
    pub fn cut(self) -> Result<Stripped, Error<Stripped>> {
        self.end(false)
    }

    fn end(self, whole: bool) -> Result<Stripped, Error<Stripped>> {
        let (output, ran) = self.run.end(whole);
        match seam::stripped(ran, &self.narrow) {
            Ok(report) => Ok(Stripped { output, report }),
            Err(e) => Err(e.map(|report| Stripped { output, report })),
        }
    }
}

impl fmt::Debug for Stripper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is held of the input may be reasoning.
        f.debug_struct("Stripper").finish_non_exhaustive()
    }
}
