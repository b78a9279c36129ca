//! The options for reading the input, and counts of it: the same for every function.

use super::setters::setters;
use crate::frame::Framing;
use crate::inline::Unclosed;

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
    /// each record is read in its own dialect. `unthink list dialects` prints the names.
    pub dialect: Option<String>,
    /// The framing of the input. `None`: the first bytes decide.
    pub framing: Option<Framing>,
    /// The inline tags that are read: names of rows of the tag table, such as `think`, or `OPEN,CLOSE`. Empty: all rows
    /// that need no naming. `unthink list tags` prints the rows.
    pub tags: Vec<String>,
    /// Each text is decided as it comes, as in a live event stream: it is visible unless it opens with a tag, and nothing
    /// is buffered until a tag comes. A closing tag without an opening one is an error then.
    pub live: bool,
    /// Every message begins with reasoning: the prompt has the opening tag.
    pub starts_with_reasoning: bool,
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

setters! { InputOptions {
    some_text dialect: String,
    some framing: Framing,
    list tags: String,
    value live: bool,
    value starts_with_reasoning: bool,
    some unclosed: Unclosed,
    value pass_suspect: bool,
    value max_record: usize,
} }

impl Default for InputOptions {
    /// Every framing, dialect and tag is recognised; suspect records are refused.
    fn default() -> Self {
        Self {
            dialect: None,
            framing: None,
            tags: Vec::new(),
            live: false,
            starts_with_reasoning: false,
            unclosed: None,
            pass_suspect: false,
            max_record: 256 << 20,
        }
    }
}

/// Counts of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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
    /// How many messages were read. Where only reasoning matters, as in [`strip`](crate::strip) with some policies,
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
    /// The offset of the first byte of a text that is not UTF-8, if [`split`](crate::split) returned U+FFFD in its
    /// place.
    pub not_utf8: Option<u64>,
}
