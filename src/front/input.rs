//! The options for reading the input, and counts of it: the same for every function.

use super::InvalidOption;
use super::setters::setters;
use crate::frame::Framing;
use crate::inline::{Blocks, Close, Inline, Row, Start, Unclosed};
use crate::tagfile;

/// The options for reading the input.
///
/// ```
/// use unthink::{Framing, InputOptions, SplitOptions, split};
///
/// let input = InputOptions::default().framing(Framing::Text).tags(["[plan],[/plan]"]);
/// let done = split(b"[plan]Ask the weather service.[/plan]It is sunny.", &SplitOptions::default().input(input))?;
/// assert_eq!(done.messages[0].visible, "It is sunny.");
/// assert_eq!(done.messages[0].reasoning.as_deref(), Some("Ask the weather service."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InputOptions {
    /// The name of the only dialect that is read, such as `chat`: records in other dialects are foreign then. `None`:
    /// each record is read in its own dialect. [`dialects()`](crate::dialects()) has the names.
    pub dialect: Option<String>,
    /// The framing of the input. `None`: the first bytes decide.
    pub framing: Option<Framing>,
    /// The inline tags that are read: names of rows of the tag table, such as `think`, or `OPEN,CLOSE`. Empty: all rows
    /// that need no naming. [`tags()`](crate::tags()) has the rows.
    pub tags: Vec<String>,
    /// Rows of files ([`InputOptions::tag_file`]).
    pub(super) tag_rows: Vec<Row>,
    /// The text of each message up to this one is reasoning, such as `Final answer:`. It replaces the tag table. `None`:
    /// there is no such text.
    pub marker: Option<String>,
    /// Each text is decided as it comes, as in a live event stream: it is visible unless it opens with a tag, and nothing
    /// is buffered until a tag comes. A closing tag without an opening one is an error then.
    pub live: bool,
    /// What each message begins with, such as [`Start::Reasoning`], if the prompt has the opening tag. By default the first
    /// tag decides.
    pub start: Start,
    /// Where a block ends.
    pub close: Close,
    /// How many blocks of a message count. `None`: as many as the tag's row says, mostly all.
    pub blocks: Option<Blocks>,
    /// What a tag means of which it is not certain whether it is used or only spoken of. By default its record is refused.
    pub inline: Inline,
    /// The meaning of an opening tag without a closing one. `None`: that of the tag's row, mostly
    /// [`Unclosed::Reasoning`].
    pub unclosed: Option<Unclosed>,
    /// Records that may hold reasoning and are in no format that is read are copied, instead of being refused. They are
    /// counted in [`Summary::suspect`], and their reasoning may be in the output.
    pub pass_suspect: bool,
    /// The longest record, and the longest stretch of undecided input, that is buffered, in bytes: 256 MiB by default,
    /// at least 1. Longer ones are refused.
    pub max_record: usize,
}

setters! { InputOptions "InputOptions::default()" {
    some_text dialect: String = r#""chat""#,
    some framing: Framing = "unthink::Framing::Jsonl",
    list tags: String = r#"["think", "[r],[/r]"]"#,
    some_text marker: String = r#""Final answer:""#,
    value live: bool = "true",
    value start: Start = "unthink::Start::Reasoning",
    value close: Close = "unthink::Close::Last",
    some blocks: Blocks = "unthink::Blocks::One",
    value inline: Inline = "unthink::Inline::Mention",
    some unclosed: Unclosed = "unthink::Unclosed::Visible",
    value pass_suspect: bool = "true",
    value max_record: usize = "1 << 20",
} }

impl Default for InputOptions {
    /// Every framing, dialect and tag is recognised; suspect records are refused.
    fn default() -> Self {
        Self {
            dialect: None,
            framing: None,
            tags: Vec::new(),
            tag_rows: Vec::new(),
            marker: None,
            live: false,
            start: Start::default(),
            close: Close::default(),
            blocks: None,
            inline: Inline::default(),
            unclosed: None,
            pass_suspect: false,
            max_record: 256 << 20,
        }
    }
}

impl InputOptions {
    /// These options with the rows of a tag file, given as its text: rows of one's own for the tag table, which replace rows
    /// of the same name, or a `response_template` of Hugging Face. The examples in it are checked.
    ///
    /// ```
    /// use unthink::{InputOptions, StripOptions, strip};
    ///
    /// let rows = r#"[{"name": "muse", "open": "[muse]", "close": "[/muse]"}]"#;
    /// let options = StripOptions::default().input(InputOptions::default().tag_file(rows)?);
    /// assert_eq!(strip(b"[muse]Two and two.[/muse]Four.", &options)?.output, b"Four.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is no tag file, a row could not be found in a text, or another file has a row of that name.
    pub fn tag_file(mut self, text: &str) -> Result<Self, InvalidOption> {
        let read = tagfile::read(text).map_err(|e| InvalidOption::new("tag_file", e.to_string()))?;
        if let Some(row) = read.iter().find(|row| self.tag_rows.iter().any(|other| other.name == row.name)) {
            return Err(InvalidOption::new("tag_file", format!("row {:?}: another file has it, too", row.name)));
        }
        self.tag_rows.extend(read);
        Ok(self)
    }
}

/// Counts of an input.
///
/// ```
/// use unthink::{Framing, StripOptions, Summary, strip};
///
/// let log = b"{\"level\":\"info\"}\n{\"role\":\"assistant\",\"content\":\"<think>Low pressure.\"}\n";
/// let summary: Summary = strip(log, &StripOptions::default())?.report.summary;
/// assert_eq!((summary.framing, summary.records, summary.foreign), (Some(Framing::Jsonl), 2, 1));
/// assert_eq!(summary.unclosed, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Summary {
    /// How many bytes of input were read.
    pub bytes: u64,
    /// The framing of the input, if it had enough bytes to decide.
    pub framing: Option<Framing>,
    /// How many records there were, understood or not.
    pub records: u64,
    /// How many records were not understood: 0 unless the call returned an error.
    pub refused: u64,
    /// How many records are in no format that is read, and have no reasoning.
    pub foreign: u64,
    /// How many records may hold reasoning, are in no format that is read, and were copied
    /// ([`InputOptions::pass_suspect`]).
    pub suspect: u64,
    /// How many messages were read. Where only reasoning matters, as in [`strip`](crate::strip()) with some policies,
    /// messages without reasoning are not all counted.
    pub messages: u64,
    /// How many blocks have an opening tag and no closing one, and were taken for reasoning.
    pub unclosed: u64,
    /// How many closing tags have no opening one: the text before them was taken for reasoning.
    pub unopened: u64,
    /// Bytes that were taken for reasoning in these two ways.
    pub unpaired_bytes: u64,
    /// How many delimiters belong to no block; they were removed from the visible text.
    pub strays: u64,
    /// How many messages are in a Harmony channel with an unknown name, and were taken for reasoning.
    pub unknown_channels: u64,
    /// How many messages look like Harmony whose tokens were lost: reasoning in them was not recognised.
    pub lost_tokens: u64,
    /// The offset of the first byte of a text that is not UTF-8, if [`split`](crate::split()) returned U+FFFD in its
    /// place.
    pub not_utf8: Option<u64>,
}
