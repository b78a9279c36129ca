//! How the input is read, and what was found in it: the same for every function.

use crate::frame::Framing;
use crate::inline::Unclosed;

/// How the input is read.
///
/// ```
/// use unthink::{Framing, InputOptions, SplitOptions, split};
///
/// let input = InputOptions { framing: Some(Framing::Text), tags: vec!["[plan],[/plan]".into()], ..InputOptions::default() };
/// let done = split(b"[plan]Ask the weather service.[/plan]It is sunny.", &SplitOptions { input, ..SplitOptions::default() })?;
/// assert_eq!(done.messages[0].visible, "It is sunny.");
/// assert_eq!(done.messages[0].reasoning.as_deref(), Some("Ask the weather service."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The name of the only dialect that is read, such as `chat`: what another one reads is foreign then. `None`: each
    /// record is read in the dialect that it is in. `unthink list dialects` prints the names.
    pub dialect: Option<String>,
    /// How bytes become records. `None`: the first bytes decide.
    pub framing: Option<Framing>,
    /// The inline tags that are looked for: names of rows of the tag table, such as `think`, or `OPEN,CLOSE`. Empty: all
    /// rows that need no naming. `unthink list tags` prints the rows.
    pub tags: Vec<String>,
    /// Each text is decided as it comes, as in a live event stream: it is visible unless it opens with a tag, and nothing
    /// is buffered until a tag comes. A closing tag without an opening one is an error then.
    pub live: bool,
    /// Every message begins with reasoning: the prompt has the opening tag.
    pub starts_with_reasoning: bool,
    /// What an opening tag without a closing one means. `None`: what the row of the tag has, mostly
    /// [`Unclosed::Reasoning`].
    pub unclosed: Option<Unclosed>,
    /// What may contain reasoning, and is in no format that is read, passes instead of being refused. It is counted in
    /// [`Summary::suspect`], and its reasoning may be in the output.
    pub pass_suspect: bool,
    /// The longest record, and the longest stretch of undecided input, that is buffered, in bytes from 1: 256 MiB by
    /// default. What is longer is refused.
    pub max_record: usize,
}

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

/// What was found in an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes of input that were read.
    pub bytes: u64,
    /// The framing of the input, if it had enough bytes to decide.
    pub framing: Option<Framing>,
    /// Records, whether they were understood or not.
    pub records: u64,
    /// Records that were not understood. It is 0 unless the call returned an error.
    pub refused: u64,
    /// Records that are in no format that is read, and have no reasoning.
    pub foreign: u64,
    /// Records that may contain reasoning, are in no format that is read, and passed ([`InputOptions::pass_suspect`]).
    pub suspect: u64,
    /// Messages that were read. Where only reasoning is looked for, as [`strip`](crate::strip) does for some policies,
    /// those without reasoning are not all counted.
    pub messages: u64,
    /// Blocks with an opening tag and no closing one that were taken for reasoning.
    pub unclosed: u64,
    /// Closing tags without an opening one: the text before them was taken for reasoning.
    pub unopened: u64,
    /// Bytes that were taken for reasoning in these two ways.
    pub unpaired_bytes: u64,
    /// Closing tags and the like that belong to no block; they were removed from the visible text.
    pub strays: u64,
    /// Messages in a Harmony channel whose name is not known, which were taken for reasoning.
    pub unknown_channels: u64,
    /// Messages that look like Harmony whose tokens were lost: reasoning in them was not recognised.
    pub lost_tokens: u64,
    /// Offset of the first line of a text that looks like another format with reasoning; it was taken as text.
    pub other_format: Option<u64>,
    /// Offset of the first byte that is not UTF-8 in a text that [`split`](crate::split) returned with U+FFFD in its place.
    pub not_utf8: Option<u64>,
}
