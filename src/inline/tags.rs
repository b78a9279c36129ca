//! The table of inline delimiters. A row is data: what differs between families stands here and nowhere else.

mod table;

use std::borrow::Cow;

pub use table::TAGS;

/// What an opener without a closer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// The opener is text.
    Visible,
    /// Everything after it is reasoning.
    Reasoning,
    /// The record cannot be understood.
    Error,
}

/// How many blocks of a message count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// The first one; a second one stays visible.
    One,
    /// Every one.
    All,
}

/// Whether the prompt may contain the opener, so that a closer alone ends reasoning that began with the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Never.
    No,
    /// It may.
    Yes,
    /// Only where no other row is in force: the closer is found in other texts too.
    Alone,
}

/// Which headers messages have where these are the delimiters; a header is no fixed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headers {
    /// `<|start|>ROLE<|channel|>NAME to=RECIPIENT<|message|>`, and ` to=self`, ` to=user` in place of the channel.
    Harmony,
    /// `<|message_model|>NAME<|content_KIND|>`.
    Inkling,
}

/// What rows may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    Open,
    Close,
    Tool,
}

/// Several texts.
pub type Texts = Cow<'static, [Cow<'static, str>]>;

/// Pairs of texts.
pub type Pairs = Cow<'static, [(Cow<'static, str>, Cow<'static, str>)]>;

/// A pair of delimiters and its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name on the command line.
    pub name: Cow<'static, str>,
    /// What opens a block.
    pub open: Cow<'static, str>,
    /// What closes it.
    pub close: Cow<'static, str>,
    /// Other spellings of the opener.
    pub opens: Texts,
    /// Other spellings of the closer.
    pub closes: Texts,
    /// Texts that go with the opener when they stand right behind it, or where a missing opener would be.
    pub labels: Texts,
    /// Framing: newlines right behind the opener, before the closer and behind the closer that go with them, once.
    pub framing: [Cow<'static, str>; 3],
    /// Written like an HTML element: letter case does not matter, the opener may have attributes, white space may
    /// stand beside the name. Where `open` itself has an attribute, only a tag with that attribute opens; the same
    /// element without it is text, and so is its closer.
    pub word: bool,
    /// A word tag whose name may go on with a colon and a suffix, the same in opener and closer.
    pub suffix: bool,
    /// An element of this name right behind the opener goes with it.
    pub heading: Cow<'static, str>,
    /// Spaces may stand between the tokens of a delimiter.
    pub loose: bool,
    /// Prose: it opens only at the start of a message, and elsewhere only once it did.
    pub phrase: bool,
    /// The rules of the reasoning delimiter specification (SPEC section 4, rule 2): code and place do not matter, and
    /// whatever does not form a pair is text.
    pub strict: bool,
    /// The prompt may contain the opener.
    pub missing_open: Missing,
    /// What an opener without a closer means.
    pub unclosed: Unclosed,
    /// How many blocks count.
    pub blocks: Blocks,
    /// Pairs that wrap the answer right after a block.
    pub wrappers: Pairs,
    /// Tokens that frame the answer and are no text, wherever they stand. A block that is never closed ends at the
    /// first one of a pair.
    pub markers: Pairs,
    /// What a tool call begins and ends with; a block that is never closed ends at the first beginning. An end that is
    /// empty is not known.
    pub tools: Pairs,
    /// The delimiters are headers of messages.
    pub headers: Option<Headers>,
    /// In force unless others are named. The other rows have the delimiters of one that is, and other facts.
    pub default: bool,
    /// Texts with what is visible of them: the row's own proof, run by the tests, or when a file of rows is read.
    pub examples: Pairs,
}

/// Written like an HTML element; everything else as in most rows.
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

/// Written exactly so; everything else as in most rows.
pub(super) const EXACT: Row = Row { word: false, ..WORD };

impl Row {
    /// A row that the user gave as `OPEN,CLOSE`: exact spelling, everything else as in most rows.
    pub fn custom(open: &str, close: &str) -> Self {
        Row {
            name: Cow::Owned(format!("{open},{close}")),
            open: Cow::Owned(open.to_string()),
            close: Cow::Owned(close.to_string()),
            ..EXACT
        }
    }

    /// Sections of reasoning that are kept apart (source document 1). One that is never closed goes to the end.
    pub fn redacted() -> Self {
        Row {
            name: Cow::Borrowed("REDACTED"),
            open: Cow::Borrowed("<REDACTED>"),
            close: Cow::Borrowed("</REDACTED>"),
            strict: true,
            ..EXACT
        }
    }

    /// A form in which what stands before the marker is reasoning, and what stands after it the answer; without a
    /// marker everything is the answer.
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

    /// The name of a word tag, and the attribute that its opener must have, by name and value.
    pub fn element(&self) -> (&str, Option<(&str, &str)>) {
        let inside = self.open.trim_matches(['<', '>']);
        let Some((name, rest)) = inside.split_once(' ') else { return (inside, None) };
        let attribute = rest.split_once('=').map(|(key, value)| (key.trim(), value.trim().trim_matches(['"', '\''])));
        (name, attribute)
    }

    /// Whether `text`, a delimiter of another row, is one of this row that does the same: rows may share them.
    pub(super) fn shares(&self, role: Shared, text: &str) -> bool {
        let text = text.trim();
        let same = |other: &Cow<'static, str>| !other.is_empty() && other.trim() == text;
        let word = |close: &str| {
            let name = text.strip_prefix(close).and_then(|rest| rest.strip_suffix('>'));
            self.word && name.is_some_and(|name| name.eq_ignore_ascii_case(self.element().0))
        };
        match role {
            Shared::Open => word("<") || same(&self.open) || self.opens.iter().any(same),
            Shared::Close => word("</") || same(&self.close) || self.closes.iter().any(same),
            Shared::Tool => self.tools.iter().any(|(open, _)| same(open)),
        }
    }

    /// Every spelling of the opener, with what goes with it; the longest first.
    pub(super) fn open_spellings(&self) -> Vec<String> {
        let opens = std::iter::once(&self.open).chain(self.opens.iter()).filter(|open| !open.is_empty());
        let behind = self.labels.iter().chain(self.framing.first()).map(Cow::as_ref).chain([""]);
        let behind: Vec<&str> = behind.collect();
        longest_first(opens.flat_map(|open| behind.iter().map(move |after| format!("{open}{after}"))).collect())
    }

    /// Every spelling of the closer, with what goes with it; the longest first.
    pub(super) fn close_spellings(&self) -> Vec<String> {
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
