//! The public types of the scanner: options, stretches and notes.

use crate::inline::tags::{Blocks, Unclosed};
use crate::model::Role as Speaker;

/// Where a block ends (behaviour.md, section 4, rule 1).
///
/// ```
/// use unthink::{Close, InputOptions, StripOptions, strip};
///
/// let text = b"<think>One </think> two </think>Three.";
/// let options = StripOptions::default().input(InputOptions::default().close(Close::Last));
/// assert_eq!(strip(text, &options)?.output, b"Three.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Close {
    /// At the first closer.
    First,
    /// Where depth returns to zero, or else at the last closer.
    #[default]
    Balanced,
    /// At the last closer of the message.
    Last,
}

/// What a message begins with (behaviour.md, section 4, rule 7).
///
/// ```
/// use unthink::{InputOptions, Start, StripOptions, strip};
///
/// // The prompt has the opening tag, and the answer was cut off before the closing one.
/// let options = StripOptions::default().input(InputOptions::default().start(Start::Reasoning));
/// assert_eq!(strip(b"Low pressure from the", &options)?.output, b"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Start {
    /// The first delimiter decides with hindsight; in a live event stream the text is visible unless it opens with an opener.
    #[default]
    #[cfg_attr(feature = "cli", value(name = "auto"))]
    Hindsight,
    /// Visible text, which is sent at once and cannot be taken back; a closing delimiter that comes first is an error.
    #[cfg_attr(feature = "cli", value(skip))]
    #[doc(hidden)]
    Streaming,
    /// Visible text.
    Visible,
    /// Reasoning.
    Reasoning,
}

/// What a delimiter means of which it is not certain whether it is used or only spoken of (behaviour.md, section 4,
/// rule 6).
///
/// ```
/// use unthink::{Inline, InputOptions, StripOptions, strip};
///
/// let text = b"Some models write <think> before they answer.";
/// assert!(strip(text, &StripOptions::default()).is_err());
/// let options = StripOptions::default().input(InputOptions::default().inline(Inline::Mention));
/// assert_eq!(strip(text, &options)?.output, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Inline {
    /// The record is not understood (status 3), unless its format has another place for reasoning: there the tag is text
    #[default]
    Ask,
    /// Text, which only speaks of the tag
    Mention,
    /// A tag that opens or closes reasoning
    Delimiter,
    /// Text, which is noted: for those who look for tags.
    #[cfg_attr(feature = "cli", value(skip))]
    #[doc(hidden)]
    Report,
}

/// Why it is not certain whether a delimiter is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// It stands in the middle of a sentence.
    Sentence,
    /// Something says that it is used, and something that it is not.
    Contested,
    /// It closes a block that was not opened, where no opener may be assumed.
    LoneCloser,
    /// It stands in the middle of a sentence, in a text that is written behind reasoning.
    Behind,
    /// The tokens of Harmony around its channels were lost.
    Lost,
    /// It closes no block, behind an empty one and a text.
    SecondCloser,
    /// Its block is open in a response that ends there, behind which another one begins.
    Interrupted,
    /// It is no tag: a line as programs print it around reasoning, in a text that comes in pieces.
    Printed,
}

impl Note {
    /// The note about a response that ends inside of a block, and text of another one at this offset that may be more of it.
    pub(crate) fn interrupted(at: u64) -> Self {
        Note::Undecided { at, doubt: Doubt::Interrupted, passed: true }
    }

    /// The note about a line at this offset with which programs print reasoning.
    pub(crate) fn printed(at: u64) -> Self {
        Note::Undecided { at, doubt: Doubt::Printed, passed: true }
    }

    /// Whether it says that a text is one of Harmony without its tokens.
    pub fn is_of_lost_tokens(&self) -> bool {
        matches!(self, Note::Lost | Note::Undecided { doubt: Doubt::Lost, .. })
    }
}

impl Doubt {
    /// What is uncertain, and how the user decides it.
    pub fn what(self) -> &'static str {
        match self {
            Doubt::Sentence => {
                "a tag in the middle of a sentence, which may be a mention or a delimiter (--inline mention keeps it as \
                 text, --inline delimiter reads it as a tag)"
            }
            Doubt::Contested => {
                "a tag that may be a mention or a delimiter (--inline mention keeps it as text, --inline delimiter reads \
                 it as a tag)"
            }
            Doubt::Behind => {
                "a tag in the middle of a sentence, which may be read as one behind the reasoning (--inline mention keeps \
                 it as text, --escape makes that of the target harmless)"
            }
            Doubt::Lost => {
                "a text that looks like Harmony whose tokens were lost, so that its reasoning cannot be told from its answer \
                 (--inline mention keeps it as text)"
            }
            Doubt::SecondCloser => {
                "a closer behind a block and a text, which may be reasoning (--close last takes the text out, --close \
                 first keeps it)"
            }
            Doubt::Interrupted => {
                "a response ends inside of a block, and another one begins behind it, which may be more of it"
            }
            Doubt::Printed => {
                "a text with reasoning as programs print it for people, which comes in pieces (--inline mention passes it)"
            }
            Doubt::LoneCloser => {
                "a closer without an opener, where no opener is assumed to be missing (--start reasoning says that the \
                 message begins with reasoning, --start visible that it does not)"
            }
        }
    }
}

/// What a text begins with, decided by its first delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Visible text, or a block with an opening delimiter.
    Visible,
    /// Reasoning without an opening delimiter.
    Reasoning {
        /// Where it begins: behind the last token that begins a turn of the assistant, if a template has written some.
        from: u64,
        /// Where the closing delimiter begins, as an offset in the text.
        at: u64,
        /// Where the closing delimiter ends.
        end: u64,
        /// The row of the closing delimiter.
        row: usize,
        /// This is only known at the end of the text.
        late: bool,
    },
    /// A delimiter of which it is not certain whether it is used comes before anything else.
    Undecided {
        /// Where it begins, as an offset in the text.
        at: u64,
        /// Why it is not certain.
        doubt: Doubt,
    },
}

/// What becomes of an uncertain delimiter in a text that is written behind reasoning between tags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    /// One of this row is escaped.
    pub escapes: Option<usize>,
    /// Any other is refused. If false, it is text.
    pub refuses: bool,
}

impl Moves {
    /// No reasoning is written in front of the text.
    pub const NONE: Moves = Moves { escapes: None, refuses: false };
}

/// Options for reading tags.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Where a block ends.
    pub close: Close,
    /// How a message begins.
    pub start: Start,
    /// What an opening delimiter without a closing one means, if not what the row says.
    pub unclosed: Option<Unclosed>,
    /// How many blocks count, if not what the row says.
    pub blocks: Option<Blocks>,
    /// What a delimiter means that may be a mention.
    pub inline: Inline,
    /// The message has another place for reasoning: an uncertain delimiter is text, and no opener is missing.
    pub apart: bool,
    /// What becomes of an uncertain delimiter in the text, if reasoning from that place is written between tags in front of
    /// it: it would not be text any more.
    pub moves: Moves,
    /// Text before a lone closing delimiter is not cut unless `start` says so.
    pub keeps_start: bool,
}

/// The kind of a block's delimiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiters {
    /// A pair of tags.
    Tags,
    /// A pair of tags around text that is written as a quotation ([`Row::quoted`](crate::inline::Row::quoted)).
    Quoted,
    /// Headers of messages.
    Headers,
    /// The marker behind the block.
    Marker,
}

/// The kind of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// Text of the answer.
    Visible,
    /// Text of the answer before a tool call.
    Commentary,
    /// A tool call in the text, with its own delimiters. An empty stretch ends the call.
    Tool,
    /// The header or the end of a message, which separates the texts before and after it.
    Header,
    /// A header or end in a text with messages of other roles, which must keep it to show the role.
    Structure,
    /// The role of the text from here on.
    Turn(Speaker),
    /// A delimiter that opens a block of this kind; empty if it is implied.
    Open(Delimiters),
    /// A delimiter in the text of the answer that is escaped ([`Moves::escapes`]).
    Mention,
    /// Text of the reasoning.
    Reasoning,
    /// A delimiter that closes a block; empty if the text does not close it.
    Close,
    /// A closing delimiter without a block, or the wrapper of an answer.
    Stray,
    /// Text behind an opening delimiter that had to be closed ([`Note::UnclosedError`]), or behind one of which it is
    /// not certain whether it is used ([`Note::Undecided`]).
    Refused,
}

/// A decided stretch of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scanned<'a> {
    /// Its kind.
    pub part: StretchKind,
    /// Offset of its first byte in the message's text.
    pub at: u64,
    /// Its bytes.
    pub text: &'a [u8],
}

/// Something that the user may want to know about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A closing delimiter without a block was removed: its length in bytes.
    Stray(u64),
    /// A token that frames the answer was removed.
    Marker,
    /// A block was never closed: its length in bytes.
    Unclosed(u64),
    /// A block was only closed by a tag of another row: its length in bytes.
    OtherClose(u64),
    /// Reasoning at the start was ended by a closing delimiter without an opening one: its length in bytes, with that
    /// delimiter.
    Unopened(u64),
    /// A block is never closed, which is an error: the offset of its opening delimiter in the text.
    UnclosedError(u64),
    /// A message in an unknown channel was read as reasoning.
    Channel,
    /// The text looks like Harmony without its tokens: reasoning may be visible.
    Lost,
    /// A closing delimiter came after the text before it was sent as visible: its offset.
    LateClose(u64),
    /// It is not certain whether a delimiter is used or only spoken of.
    Undecided {
        /// Its offset.
        at: u64,
        /// Why it is not certain.
        doubt: Doubt,
        /// It was passed on as text; otherwise the text was refused.
        passed: bool,
    },
}
