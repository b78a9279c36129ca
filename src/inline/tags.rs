//! The table of inline delimiters. A row is data: differences between families of models stand here only.

#[macro_use]
mod rows;
mod table;

use std::borrow::Cow;

pub use table::TAGS;

/// What an opening delimiter without a closing one means.
///
/// ```
/// use unthink::{InputOptions, StripOptions, Unclosed, strip};
///
/// let text = b"<think>Low pressure from the west.";
/// assert_eq!(strip(text, &StripOptions::default())?.output, b"");
/// let options = StripOptions::default().input(InputOptions::default().unclosed(Unclosed::Visible));
/// assert_eq!(strip(text, &options)?.output, text);
/// assert_eq!(Unclosed::Visible.name(), "visible");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Unclosed {
    /// The opener is text.
    Visible,
    /// Everything after it is reasoning.
    Reasoning,
    /// The record cannot be understood.
    Error,
}

impl Unclosed {
    /// Its name on the command line and in tag files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Visible => "visible",
            Self::Reasoning => "reasoning",
            Self::Error => "error",
        }
    }
}

/// How many blocks of a message count.
///
/// ```
/// use unthink::{Blocks, InputOptions, StripOptions, strip};
///
/// let text = b"<think>One.</think>\nTwo.\n<think>Three.</think>\nFour.";
/// assert_eq!(strip(text, &StripOptions::default())?.report.removed, 2);
/// let options = StripOptions::default().input(InputOptions::default().blocks(Blocks::One));
/// assert_eq!(strip(text, &options)?.report.removed, 1);
/// assert_eq!(Blocks::One.name(), "one");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum Blocks {
    /// The first block of a message.
    ///
    /// A second one stays visible.
    One,
    /// Every block.
    All,
}

impl Blocks {
    /// Its name on the command line and in tag files.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::All => "all",
        }
    }
}

/// Whether the prompt may hold the opening delimiter, so that a closing one alone ends reasoning at the start of the
/// message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Never.
    No,
    /// It may.
    Yes,
    /// Only if no other row is in force, since other texts use the closing delimiter, too.
    Alone,
}

/// The kind of headers that are the delimiters of a row, since a header is no fixed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    /// `<|start|>ROLE<|channel|>NAME to=RECIPIENT<|message|>`, and ` to=self`, ` to=user` in place of the channel.
    Harmony,
    /// `<|message_model|>NAME<|content_KIND|>`.
    Inkling,
}

/// The kinds of delimiters that rows may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SharedKinds {
    Open,
    Close,
    Tool,
}

/// A list of texts.
pub type TextList = Cow<'static, [Cow<'static, str>]>;

/// A list of pairs of texts.
pub type Pairs = Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]>;

/// A pair of delimiters and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name on the command line.
    pub name: Cow<'static, str>,
    /// Opens a block.
    pub open: Cow<'static, str>,
    /// Closes a block.
    pub close: Cow<'static, str>,
    /// Other spellings of the opening delimiter.
    pub opens: TextList,
    /// Other spellings of the closing delimiter.
    pub closes: TextList,
    /// Texts that go with the opening delimiter if they stand right behind it, or where a missing one would be.
    pub labels: TextList,
    /// Newlines that go with the delimiters, once each: right behind the opening one, before and behind the closing
    /// one.
    pub framing: [Cow<'static, str>; 3],
    /// Word tag, written like an HTML element: letter case does not matter, the opening tag may have attributes, white
    /// space may stand beside the name. If `open` itself has an attribute, only a tag with that attribute opens a
    /// block; the same element without it is text, and so is its closing tag.
    pub word: bool,
    /// A word tag whose name may have a colon and a suffix, which must be the same in both tags.
    pub suffix: bool,
    /// An element with this name right behind the opening tag goes with it.
    pub heading: Cow<'static, str>,
    /// The text of a block is written as a quotation: `> ` stands before its lines, or all of it is written as HTML once
    /// more, with `&gt; ` before its lines.
    pub quoted: bool,
    /// Spaces may stand between the parts of a delimiter.
    pub loose: bool,
    /// The delimiters are phrases: they count at the start of a message, and elsewhere only if they did there.
    pub phrase: bool,
    /// The rules of the reasoning delimiter specification (behaviour.md, section 4, rule 2): code and place do not
    /// matter, and delimiters without a partner are text.
    pub strict: bool,
    /// Whether the prompt may hold the opening delimiter.
    pub missing_open: Missing,
    /// What an opening delimiter without a closing one means.
    pub unclosed: Unclosed,
    /// How many blocks count.
    pub blocks: Blocks,
    /// Pairs that wrap the answer right after a block.
    pub wrappers: Pairs,
    /// Pairs of tokens that frame the answer, and are no text wherever they stand. A block that is never closed ends at
    /// the first opening one.
    pub markers: Pairs,
    /// Pairs of delimiters of tool calls. A block that is never closed ends at the first opening one. An empty closing
    /// one is not known.
    pub tools: Pairs,
    /// The delimiters are headers of messages.
    pub headers: Option<Headers>,
    /// In force unless others are named. Rows without it share delimiters with one that has it, and differ in other
    /// facts.
    pub default: bool,
    /// Texts, each with its visible part: the proof of the row, run by the tests, or when a file of rows is read.
    pub examples: Pairs,
}

/// The base of rows with word tags.
pub(super) const WORD: Row = Row {
    name: Cow::Borrowed(""),
    open: Cow::Borrowed(""),
    close: Cow::Borrowed(""),
    opens: Cow::Borrowed(&[]),
    closes: Cow::Borrowed(&[]),
    labels: Cow::Borrowed(&[]),
    framing: [Cow::Borrowed(""), Cow::Borrowed(""), Cow::Borrowed("")],
    word: true,
    suffix: false,
    heading: Cow::Borrowed(""),
    quoted: false,
    loose: false,
    phrase: false,
    strict: false,
    missing_open: Missing::No,
    unclosed: Unclosed::Reasoning,
    blocks: Blocks::All,
    wrappers: Cow::Borrowed(&[]),
    markers: Cow::Borrowed(&[]),
    tools: Cow::Borrowed(&[]),
    headers: None,
    default: true,
    examples: Cow::Borrowed(&[]),
};

/// The base of rows with exact spelling.
pub(super) const EXACT: Row = Row { word: false, ..WORD };

impl Row {
    /// A row for `OPEN,CLOSE` of the user: exact spelling, everything else as in most rows.
    pub fn custom(open: &str, close: &str) -> Self {
        Row {
            name: Cow::Owned(format!("{open},{close}")),
            open: Cow::Owned(open.to_string()),
            close: Cow::Owned(close.to_string()),
            ..EXACT
        }
    }

    /// The row for sections of reasoning that are kept separately (behaviour.md, section 11.1). One that is never closed goes to
    /// the end.
    pub fn redacted() -> Self {
        Row {
            name: Cow::Borrowed("REDACTED"),
            open: Cow::Borrowed("<REDACTED>"),
            close: Cow::Borrowed("</REDACTED>"),
            strict: true,
            ..EXACT
        }
    }

    /// The row of a marker form: text before the marker is reasoning, text behind it the answer; without a marker,
    /// everything is the answer.
    pub fn marker(text: &str) -> Self {
        Row {
            name: Cow::Borrowed("marker"),
            open: Cow::Borrowed(""),
            close: Cow::Owned(text.to_string()),
            missing_open: Missing::Yes,
            unclosed: Unclosed::Visible,
            blocks: Blocks::One,
            ..EXACT
        }
    }

    /// The name of a word tag; and the name and value of the attribute that its opening tag must have.
    pub fn element(&self) -> (&str, Option<(&str, &str)>) {
        let inside = self.open.trim_matches(['<', '>']);
        let Some((name, rest)) = inside.split_once(' ') else { return (inside, None) };
        let attribute = rest.split_once('=').map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])));
        (name, attribute)
    }

    /// Whether `text`, a delimiter of another row, has the same role in this row.
    pub(super) fn shares(&self, role: SharedKinds, text: &str) -> bool {
        let text = text.trim();
        let same = |other: &Cow<'static, str>| !other.is_empty() && other.trim() == text;
        let word = |close: &str| {
            let name = text.strip_prefix(close).and_then(|rest| rest.strip_suffix('>'));
            self.word && name.is_some_and(|name| name.eq_ignore_ascii_case(self.element().0))
        };
        match role {
            SharedKinds::Open => word("<") || same(&self.open) || self.opens.iter().any(same),
            SharedKinds::Close => word("</") || same(&self.close) || self.closes.iter().any(same),
            SharedKinds::Tool => self.tools.iter().any(|(open, _)| same(open)),
        }
    }

    /// Every spelling of the opening delimiter with the text that goes with it, the longest first.
    pub(super) fn open_spellings(&self) -> Vec<String> {
        let opens = std::iter::once(&self.open).chain(self.opens.iter()).filter(|open| !open.is_empty());
        let behind = self.labels.iter().chain(self.framing.first()).map(Cow::as_ref).chain([""]);
        let behind: Vec<&str> = behind.collect();
        longest_first(opens.flat_map(|open| behind.iter().map(move |after| format!("{open}{after}"))).collect())
    }

    /// Every spelling of the closing delimiter with the text that goes with it, the longest first.
    pub(crate) fn close_spellings(&self) -> Vec<String> {
        let [_, before, after] = &self.framing;
        let closes: Vec<_> = std::iter::once(&self.close).chain(self.closes.iter()).collect();
        let mut out = Vec::new();
        for close in closes {
            for before in [before.as_ref(), ""] {
                out.extend([after.as_ref(), ""].map(|after| format!("{before}{close}{after}")));
            }
        }
        longest_first(out)
    }
}

fn longest_first(mut texts: Vec<String>) -> Vec<String> {
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.dedup();
    texts
}
