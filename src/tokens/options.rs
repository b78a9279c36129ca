//! What is counted, and how it is written.

use super::TallyFormat;
use crate::model::Time;

/// What a row of the report is about.
///
/// ```
/// use unthink::{By, TokensOptions, tokens};
///
/// let log = b"{\"role\":\"user\",\"content\":\"Rain?\"}\n{\"role\":\"assistant\",\"content\":\"By noon.\"}\n";
/// for (by, rows) in [(By::Message, 2), (By::Model, 1)] {
///     assert_eq!(tokens(log, &TokensOptions::default().by(by))?.rows.len(), rows, "{}", by.name());
///     assert_eq!(by.is_group(), by == By::Model);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[non_exhaustive]
pub enum By {
    /// Records: conversations, responses, messages that stand alone.
    #[default]
    Record,
    /// Messages.
    Message,
    /// Blocks of reasoning and texts.
    Block,
    /// Files.
    File,
    /// Folders of files.
    Folder,
    /// Models.
    Model,
    /// Days.
    Day,
    /// Sessions.
    ///
    /// Those of the program that wrote the log.
    Session,
    /// The folders that the program worked in.
    Project,
    /// Those who speak, in a log in which several do (MEW).
    Agent,
    /// Sequences of reasoning in such a log, each with its answer; what stands in none has an empty context.
    Context,
}

impl By {
    /// Whether such rows are groups of messages, over all inputs.
    pub fn is_group(self) -> bool {
        !matches!(self, By::Record | By::Message | By::Block)
    }

    /// The name of the column.
    pub fn name(self) -> &'static str {
        match self {
            By::Record => "record",
            By::Message => "message",
            By::Block => "block",
            By::Agent => "agent",
            By::Context => "context",
            By::File => "file",
            By::Folder => "folder",
            By::Model => "model",
            By::Day => "day",
            By::Session => "session",
            By::Project => "project",
        }
    }

    /// Whether groups stand in the order of their names; the others in the order in which they were met.
    pub(super) fn is_sorted(self) -> bool {
        matches!(self, By::Model | By::Day | By::Session | By::Project)
    }
}

/// What is counted, and how.
#[derive(Clone, Debug)]
pub struct TallyOptions {
    /// The name of the method by which tokens are counted.
    pub method: String,
    /// What a row is about: records, messages or blocks; or messages that have all of these in common.
    pub by: Vec<By>,
    /// How the rows are written.
    pub format: TallyFormat,
    /// The column by which rows are sorted, if they are.
    pub sort: Option<Sort>,
    /// Which of rows and total are written.
    pub parts: Parts,
    /// The size of the context, in tokens.
    pub limit: Option<u64>,
    /// The share of the context from which on compression is due.
    pub compress_at: f64,
    /// The name of the input, if there are several.
    pub file: Option<String>,
    /// How many seconds clocks are ahead of UTC at a time: it decides on which day a message was written.
    pub offset: fn(Time) -> i64,
    /// How wide a table may be, in columns; and whether it has a bar.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    pub table: (Option<usize>, bool),
    /// Rows are not written, but kept for [`super::SharedTally::take_rows`]; groups are [`super::SharedTally::groups`].
    pub keeps: bool,
}

/// Which of rows and total are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    /// The rows.
    #[default]
    Rows,
    /// The rows, and the total behind them.
    #[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "it is for the command"))]
    Both,
    /// The total.
    Total,
}

/// How rows are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The name of the column.
    pub column: String,
    /// Numbers begin with the smallest, and names with the last one, instead of the other way round.
    pub reverse: bool,
}

impl TallyOptions {
    /// JSON lines without a total, for one input whose name is not written.
    pub fn lines(method: impl Into<String>, by: Vec<By>) -> Self {
        Self {
            method: method.into(),
            by,
            format: TallyFormat::Jsonl,
            sort: None,
            parts: Parts::Rows,
            limit: None,
            compress_at: 1.0,
            file: None,
            offset: |_| 0,
            table: (None, false),
            keeps: false,
        }
    }

    /// What a row is about, if rows are no groups.
    pub(super) fn unit(&self) -> Option<By> {
        match self.by.as_slice() {
            [] => Some(By::Record),
            [by] if !by.is_group() => Some(*by),
            _ => None,
        }
    }

    /// Whether rows are groups of messages.
    pub(super) fn is_grouped(&self) -> bool {
        self.unit().is_none()
    }

    /// Whether rows wait for the last one.
    pub(super) fn waits(&self) -> bool {
        self.sort.is_some() || self.format == TallyFormat::Table
    }

    /// Whether rows say where messages come from, or messages are told from copies in other files by it.
    pub(super) fn asks_origin(&self) -> bool {
        let asks = |by: &By| matches!(by, By::Message | By::Block | By::Model | By::Day | By::Session | By::Project);
        self.file.is_some() || self.by.iter().any(asks)
    }
}

/// The kind of a block.
///
/// ```
/// use unthink::{BlockKind, By, TokensOptions, tokens};
///
/// let done = tokens(b"<think>Low pressure.</think>Rain by noon.", &TokensOptions::default().by(By::Block))?;
/// let kinds: Vec<Option<BlockKind>> = done.rows.iter().map(|row| row.kind).collect();
/// assert_eq!(kinds, [Some(BlockKind::Reasoning), Some(BlockKind::Visible)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlockKind {
    /// A text of reasoning.
    Reasoning,
    /// Reasoning without text that is signed or encrypted.
    Sealed,
    /// Visible text of the assistant.
    Visible,
    /// Visible text of a message on the way to an answer.
    Intermediate,
    /// Visible text of a message in a delegation whose messages are no steps on the way.
    Delegated,
    /// Text of other roles, a tool call, or its result.
    Other,
}

impl BlockKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            BlockKind::Reasoning => "reasoning",
            BlockKind::Sealed => "sealed",
            BlockKind::Visible => "visible",
            BlockKind::Intermediate => "intermediate",
            BlockKind::Delegated => "delegated",
            BlockKind::Other => "other",
        }
    }
}
