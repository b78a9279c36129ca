//! `tokens` for users of the crate.

use super::input::{InputOptions, Summary};
use super::setters::setters;
use super::{Error, seam};
use crate::count::Method;
use crate::json::text::utf8;
use crate::model::Role;
use crate::policy::Policy;
use crate::tokens::{By, TallyRow};
use std::io::{BufRead, Write};

pub use crate::tokens::BlockKind;

/// The options of [`tokens`].
///
/// ```
/// use unthink::{By, Method, Policy, TokensOptions, tokens};
///
/// let options = TokensOptions::default().method(Method::O200k).by(By::Block).policy(Policy::AllButLast);
/// let done = tokens(b"<think>Low pressure.</think>Rain by noon.", &options)?;
/// assert_eq!(done.rows.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TokensOptions {
    /// The method of counting: an estimate by length by default.
    pub method: Method,
    /// What each row is about: a record by default. An input has no name here: [`By::File`] and [`By::Folder`] make one row
    /// of all.
    pub by: By,
    /// The policy for [`TokenCounts::effective`]: which reasoning would be removed; all of it by default.
    pub policy: Policy,
    /// How the input is read.
    pub input: InputOptions,
}

setters! { TokensOptions "TokensOptions::default()" {
    value method: Method = "unthink::Method::O200k",
    value by: By = "unthink::By::Message",
    value policy: Policy = "unthink::Policy::AllButLast",
    input input: InputOptions,
} }

/// What [`tokens`] returns.
///
/// ```
/// use unthink::{Counted, TokensOptions, tokens};
///
/// let done: Counted = tokens(b"<think>Low pressure.</think>Rain by noon.", &TokensOptions::default())?;
/// assert_eq!(done.rows[0].counts, done.report.total);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Counted {
    /// The rows, in the order of the input.
    pub rows: Vec<TokenRow>,
    /// What was done.
    pub report: TokensReport,
}

/// The tokens of a record, a message or a block.
///
/// ```
/// use unthink::{BlockKind, By, Role, TokenRow, TokensOptions, tokens};
///
/// let log = b"{\"role\":\"assistant\",\"model\":\"m-1\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain.\"}\n";
/// let row: &TokenRow = &tokens(log, &TokensOptions::default().by(By::Block))?.rows[0];
/// assert_eq!((row.record, row.message, row.block), (1, Some(1), Some(1)));
/// assert_eq!((row.role, row.kind), (Some(Role::Assistant), Some(BlockKind::Reasoning)));
/// assert_eq!(row.counts.reasoning, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TokenRow {
    /// The number of the record, from 1; 0 for groups of messages.
    pub record: u64,
    /// The agent whose messages are counted, only for [`By::Agent`]. Empty: messages without a sender.
    pub agent: Option<String>,
    /// The context whose messages are counted, only for [`By::Context`]. Empty: messages outside of any context.
    pub context: Option<String>,
    /// The model of the message, if it is known; or the model whose messages are counted, only for [`By::Model`].
    pub model: Option<String>,
    /// When the message was written, in UTC by RFC 3339, if it is known. Only for [`By::Message`] and [`By::Block`].
    pub time: Option<String>,
    /// The day, in UTC, whose messages are counted, only for [`By::Day`]. Empty: it is not known.
    pub day: Option<String>,
    /// The session whose messages are counted, only for [`By::Session`]. Empty: it is not known.
    pub session: Option<String>,
    /// The folder that a program worked in, whose messages are counted, only for [`By::Project`]. Empty: not known.
    pub project: Option<String>,
    /// The number of the message in its conversation, from 1. Only for [`By::Message`] and [`By::Block`].
    pub message: Option<u64>,
    /// The role of the message. Only for [`By::Message`] and [`By::Block`].
    pub role: Option<Role>,
    /// The number of the block in its message, from 1. Only for [`By::Block`].
    pub block: Option<u64>,
    /// The kind of the block. Only for [`By::Block`].
    pub kind: Option<BlockKind>,
    /// The token counts.
    pub counts: TokenCounts,
}

/// Token counts by kind of text.
///
/// ```
/// use unthink::{Method, TokenCounts, TokensOptions, tokens};
///
/// let options = TokensOptions::default().method(Method::Words);
/// let counts: TokenCounts = tokens(b"<think>Low pressure.</think>Rain by noon today.", &options)?.report.total;
/// assert_eq!((counts.reasoning, counts.visible, counts.raw()), (2, 4, 6));
/// assert_eq!(counts.ratio(), 2.0 / 6.0);
/// // The policy is to remove all reasoning.
/// assert_eq!(counts.effective, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TokenCounts {
    /// Tokens of reasoning.
    pub reasoning: u64,
    /// Tokens of the assistant's visible text.
    pub visible: u64,
    /// Tokens of everything else: text of other roles, tool calls and their results.
    pub other: u64,
    /// Tokens of `other` that the assistant wrote in delegations.
    pub delegated: u64,
    /// Tokens of `other` that the assistant wrote on the way to an answer, in delegations or not.
    pub intermediate: u64,
    /// Tokens that are left under the policy ([`TokensOptions::policy`]).
    pub effective: u64,
    /// How many blocks of reasoning without text are signed or encrypted: their length is unknown.
    pub sealed: u64,
    /// The count of reasoning tokens that the input states.
    pub logged: Option<u64>,
}

impl TokenCounts {
    /// All tokens.
    ///
    /// ```
    /// use unthink::{Method, TokensOptions, tokens};
    ///
    /// let log = b"{\"role\":\"user\",\"content\":\"Rain?\"}\n{\"role\":\"assistant\",\"content\":\"By noon.\"}\n";
    /// assert_eq!(tokens(log, &TokensOptions::default().method(Method::Words))?.report.total.raw(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn raw(&self) -> u64 {
        self.reasoning + self.visible + self.other
    }

    /// The share of reasoning in what the assistant wrote, from 0 to 1; 0 if it wrote nothing.
    ///
    /// ```
    /// use unthink::{Method, TokenCounts, TokensOptions, tokens};
    ///
    /// let options = TokensOptions::default().method(Method::Words);
    /// assert_eq!(tokens(b"<think>Clouds.</think>It will rain.", &options)?.report.total.ratio(), 0.25);
    /// assert_eq!(TokenCounts::default().ratio(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ratio(&self) -> f64 {
        let all = self.reasoning + self.visible;
        if all == 0 { 0.0 } else { self.reasoning as f64 / all as f64 }
    }
}

impl TokenRow {
    fn new(row: TallyRow, by: By) -> Self {
        let name = |wanted| row.key.first().filter(|_| by == wanted).cloned();
        let is_one = matches!(by, By::Message | By::Block);
        let model = utf8(&row.origin.model).into_owned();
        Self {
            record: if by.is_group() { 0 } else { row.record },
            agent: name(By::Agent),
            context: name(By::Context),
            model: if is_one { Some(model).filter(|model| !model.is_empty()) } else { name(By::Model) },
            time: row.origin.time.filter(|_| is_one).map(|time| time.to_string()),
            day: name(By::Day),
            session: name(By::Session),
            project: name(By::Project),
            message: row.message,
            role: row.role,
            block: row.block.map(|(number, _)| number),
            kind: row.block.map(|(_, kind)| kind),
            counts: seam::counts(&row),
        }
    }
}

/// What [`tokens`] counted.
///
/// ```
/// use unthink::{TokensOptions, TokensReport, tokens};
///
/// let report: TokensReport = tokens(b"<think>Low pressure.</think>Rain by noon.", &TokensOptions::default())?.report;
/// assert_eq!((report.total.reasoning, report.summary.records), (4, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TokensReport {
    /// The sum of all rows.
    pub total: TokenCounts,
    /// Counts of the input.
    pub summary: Summary,
}

/// Counts the tokens of reasoning, of visible text, and of the rest.
///
/// ```
/// use unthink::{Method, TokensOptions, tokens};
///
/// let log = b"{\"role\":\"user\",\"content\":\"Will it rain?\"}\n\
///     {\"role\":\"assistant\",\"reasoning\":\"Low pressure from the west.\",\"content\":\"By noon.\"}\n";
/// let done = tokens(log, &TokensOptions::default().method(Method::Words))?;
/// let [_, answer] = done.rows.as_slice() else { panic!("two records") };
/// assert_eq!((answer.record, answer.counts.reasoning, answer.counts.visible), (2, 5, 2));
/// assert_eq!((done.report.total.raw(), done.report.total.effective), (10, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Incomplete`] if a record could not be understood; it is not counted. [`Error::Option`] if an option has a
/// value that it cannot have.
pub fn tokens(input: &[u8], options: &TokensOptions) -> Result<Counted, Error<Counted>> {
    let mut rows = Vec::new();
    match tokens_each(input, |row| rows.push(row), options) {
        Ok(report) => Ok(Counted { rows, report }),
        Err(e) => Err(e.map(|report| Counted { rows, report })),
    }
}

/// Counts tokens, from a reader: calls `each` for each row, in the order of the input. Rows of records, messages and blocks
/// come as they are counted, those of groups at the end.
///
/// ```
/// use unthink::{By, TokensOptions, tokens_each};
///
/// let log: &[u8] = b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain by noon.\"}\n";
/// let mut reasoning = Vec::new();
/// let options = TokensOptions::default().by(By::Message);
/// tokens_each(log, |row| reasoning.push(row.counts.reasoning), &options)?;
/// assert_eq!(reasoning, [4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`tokens`]; and [`Error::Read`] if the reader fails.
pub fn tokens_each(
    mut reader: impl BufRead,
    mut each: impl FnMut(TokenRow),
    options: &TokensOptions,
) -> Result<TokensReport, Error<TokensReport>> {
    seam::token_rows(&mut reader, |row| each(TokenRow::new(row, options.by)), options)
}

/// Counts tokens, from a reader to a writer: one JSON object a line for each row, as the command `unthink tokens -o
/// jsonl` prints them.
///
/// ```
/// use unthink::{TokensOptions, tokens_io};
///
/// let answer: &[u8] = b"<think>Low pressure.</think>Rain by noon.";
/// let mut lines = Vec::new();
/// let report = tokens_io(answer, &mut lines, &TokensOptions::default())?;
/// assert_eq!((report.total.reasoning, report.total.visible), (4, 4));
/// assert!(String::from_utf8(lines)?.starts_with("{\"record\":1,\"reasoning_tokens\":4,\"final_tokens\":4,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`tokens`]; and [`Error::Read`] or [`Error::Write`] if the reader or the writer fails.
pub fn tokens_io(
    mut reader: impl BufRead,
    mut writer: impl Write,
    options: &TokensOptions,
) -> Result<TokensReport, Error<TokensReport>> {
    seam::tokens(&mut reader, &mut writer, options)
}
