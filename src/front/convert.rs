//! `convert` for users of the crate.

use super::input::{InputOptions, Summary};
use super::setters::setters;
use super::{Error, InvalidOption, seam};
use crate::model::Loss;
use crate::policy::Policy;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead, Write};

/// The options of [`convert`].
///
/// ```
/// use unthink::{ConvertOptions, convert};
///
/// let row = br#"{"question":"Rain?","answer":"<think>Low pressure.</think>By noon."}"#;
/// let options = ConvertOptions::new("reasoning-content").fields(["/answer"]).column("thoughts");
/// let done = convert(row, &options)?;
/// assert_eq!(
///     String::from_utf8(done.output)?,
///     r#"{"question":"Rain?","answer":"By noon.","thoughts":"Low pressure."}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The name of the dialect to write, such as `reasoning-content` or `thinking-block`: one of
    /// [`dialects()`](crate::dialects()) that can be written.
    pub to: String,
    /// The inline tags to write, for the dialect `tagged`: the name of a row of the tag table, or `OPEN,CLOSE`. `None`:
    /// `<think>`.
    pub tag: Option<String>,
    /// A delimiter inside of the reasoning is escaped, for the dialects `tagged` and `harmony`. If false, its record is
    /// refused.
    pub escape: bool,
    /// The seed of new identifiers, for the dialect `mew`: 0 by default.
    pub seed: u64,
    /// Where the dialect `chat` has reasoning: `reasoning-content` by default, `reasoning`, `tagged` or `harmony`. Each is a
    /// dialect itself.
    pub spelling: Option<String>,
    /// A message with calls of tools gets an empty reasoning, where services of the dialect refuse it without one: those of
    /// `reasoning-content`.
    pub fill_empty: bool,
    /// The reasoning that is removed before the rest is converted: none by default.
    pub policy: Policy,
    /// JSON Pointers (RFC 6901) to strings of each record that are texts of the model, such as `/output/text`; a `*` stands
    /// for any member or element. Each is converted to `tagged`, `harmony`, `reasoning` or `reasoning-content`, and all else
    /// of the record stays. Empty: messages are converted.
    pub fields: Vec<String>,
    /// With [`ConvertOptions::fields`]: the name of the member beside each string that has its reasoning, or gets it. `None`:
    /// that of the target; `tagged` and `harmony` read none.
    pub column: Option<String>,
    /// With [`ConvertOptions::fields`]: the name of the member with the prompt beside the string. The two become messages of
    /// a chat.
    pub prompt: Option<String>,
    /// How the input is read.
    pub input: InputOptions,
}

setters! { ConvertOptions "ConvertOptions::new(\"tagged\")" {
    some_text tag: String = r#""[r],[/r]""#,
    value escape: bool = "true",
    value seed: u64 = "7",
    some_text spelling: String = r#""reasoning""#,
    value fill_empty: bool = "true",
    value policy: Policy = "unthink::Policy::AllButLast",
    list fields: String = r#"["/output/text"]"#,
    some_text column: String = r#""thoughts""#,
    some_text prompt: String = r#""question""#,
    input input: InputOptions,
} }

impl ConvertOptions {
    /// Options to convert all reasoning to the dialect with this name.
    ///
    /// ```
    /// use unthink::{ConvertOptions, DialectInfo};
    ///
    /// let tagged: DialectInfo = "tagged".parse()?;
    /// assert_eq!(ConvertOptions::new(tagged).to, ConvertOptions::new("tagged").to);
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn new(to: impl Into<String>) -> Self {
        Self {
            to: to.into(),
            tag: None,
            escape: false,
            seed: 0,
            spelling: None,
            fill_empty: false,
            policy: Policy::None,
            fields: Vec::new(),
            column: None,
            prompt: None,
            input: InputOptions::default(),
        }
    }
}

/// What [`convert`] returns.
///
/// ```
/// use unthink::{ConvertOptions, Converted, convert};
///
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// let done: Converted = convert(log, &ConvertOptions::new("tagged"))?;
/// assert!(done.output.ends_with(br#""content":"<think>Low pressure.</think>Rain by noon."}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Converted {
    /// The input in the other dialect. Bytes that both dialects have in common are as they were.
    pub output: Vec<u8>,
    /// What was done.
    pub report: ConvertReport,
}

/// What [`convert`] did.
///
/// ```
/// use unthink::{ConvertOptions, ConvertReport, convert};
///
/// let block = br#"{"role":"assistant","content":[{"type":"thinking","thinking":"Low.","signature":"c2ln"}]}"#;
/// let report: ConvertReport = convert(block, &ConvertOptions::new("reasoning-content"))?.report;
/// let lost: Vec<String> = report.losses.iter().map(|(loss, n)| format!("{}: {n}", loss.name())).collect();
/// assert_eq!((lost, report.summary.messages), (vec!["signature: 1".to_string()], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConvertReport {
    /// What the target has no place for, and how often that was left out. Empty: nothing was lost.
    pub losses: BTreeMap<Loss, u64>,
    /// Counts of the input.
    pub summary: Summary,
}

/// Writes the same conversation in another dialect.
///
/// ```
/// use unthink::{ConvertOptions, Loss, convert};
///
/// let field = br#"{"role":"assistant","reasoning_content":"Low pressure.","content":"Rain by noon."}"#;
/// let done = convert(field, &ConvertOptions::new("tagged"))?;
/// assert_eq!(
///     String::from_utf8(done.output)?,
///     r#"{"role":"assistant","content":"<think>Low pressure.</think>Rain by noon."}"#
/// );
/// assert!(done.report.losses.is_empty());
///
/// // What the other dialect has no word for is counted.
/// let block = br#"{"role":"assistant","content":[{"type":"thinking","thinking":"Low pressure.","signature":"c2ln"}]}"#;
/// let done = convert(block, &ConvertOptions::new("reasoning-content"))?;
/// assert_eq!(done.report.losses.get(&Loss::Signature), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Incomplete`] if a record could not be understood or has something that cannot be written, which is missing
/// from the output; or if no record of the input is in a format that is read. [`Error::Option`] if an option has a value
/// that it cannot have. A loss is no error: see [`ConvertReport::losses`].
pub fn convert(input: &[u8], options: &ConvertOptions) -> Result<Converted, Error<Converted>> {
    let mut output = Vec::new();
    match convert_io(input, &mut output, options) {
        Ok(report) => Ok(Converted { output, report }),
        Err(e) => Err(e.map(|report| Converted { output, report })),
    }
}

/// Writes the same conversation in another dialect, from a reader to a writer.
///
/// What is decided is written after each read; the writer is flushed at the end only.
///
/// ```
/// use unthink::{ConvertOptions, convert_io};
///
/// let log: &[u8] = b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain by noon.\"}\n";
/// let mut lines = Vec::new();
/// convert_io(log, &mut lines, &ConvertOptions::new("reasoning-content"))?;
/// assert_eq!(
///     String::from_utf8(lines)?,
///     "{\"role\":\"assistant\",\"reasoning_content\":\"Low pressure.\",\"content\":\"Rain by noon.\"}\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`convert`]; and [`Error::Read`] or [`Error::Write`] if the reader or the writer fails.
pub fn convert_io(
    mut reader: impl BufRead,
    mut writer: impl Write,
    options: &ConvertOptions,
) -> Result<ConvertReport, Error<ConvertReport>> {
    seam::converting(options)?.run(&mut reader, &mut writer)
}

/// [`convert`] for an input that comes piece by piece, such as a response in another provider's events. It does no input or
/// output of its own and needs no thread.
///
/// ```
/// use unthink::{ConvertOptions, Converter};
///
/// let mut converter = Converter::new(&ConvertOptions::new("reasoning-content"))?;
/// let mut lines = converter.push(b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",").to_vec();
/// lines.extend_from_slice(converter.push(b"\"content\":\"Rain by noon.\"}\n"));
/// let done = converter.finish()?;
/// lines.extend_from_slice(&done.output);
/// assert_eq!(
///     String::from_utf8(lines)?,
///     "{\"role\":\"assistant\",\"reasoning_content\":\"Low pressure.\",\"content\":\"Rain by noon.\"}\n"
/// );
///
/// // Of a connection that was lost, the record that has not come whole is left out.
/// let mut converter = Converter::new(&ConvertOptions::new("reasoning-content"))?;
/// converter.push(b"{\"role\":\"assistant\",\"reasoning\":\"Low pres");
/// assert_eq!(converter.cut()?.output, b"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Converter {
    run: seam::Converting,
}

impl Converter {
    /// A converter at the start of an input.
    ///
    /// # Errors
    /// If an option has a value that it cannot have.
    pub fn new(options: &ConvertOptions) -> Result<Self, InvalidOption> {
        Ok(Self { run: seam::converting(options)? })
    }

    /// Takes the next bytes of the input. Returns those bytes of the output that are decided now; they are kept until the
    /// next call.
    pub fn push(&mut self, input: &[u8]) -> &[u8] {
        self.run.push(input)
    }

    /// Ends the input. Returns the rest of the output, behind what was returned before, and what was done.
    ///
    /// # Errors
    /// As [`convert`].
    pub fn finish(self) -> Result<Converted, Error<Converted>> {
        self.end(true)
    }

    /// Ends an input whose rest is missing, as after a lost connection: a record that has not come whole is left out
    /// without an error.
    ///
    /// # Errors
    /// As [`convert`], for the records that have come whole.
    pub fn cut(self) -> Result<Converted, Error<Converted>> {
        self.end(false)
    }

    fn end(self, whole: bool) -> Result<Converted, Error<Converted>> {
        match self.run.end(whole) {
            (output, Ok(report)) => Ok(Converted { output, report }),
            (output, Err(e)) => Err(e.map(|report| Converted { output, report })),
        }
    }
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is held of the input may be reasoning.
        f.debug_struct("Converter").finish_non_exhaustive()
    }
}
