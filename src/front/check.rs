//! `check` for users of the crate.

use super::input::{InputOptions, Summary};
use super::setters::setters;
use super::{Error, InvalidOption, seam};
use crate::check::{self as rules, NoRule, RuleRequest, RuleRequestError};
use crate::policy::Policy;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::ops::Range;

pub use crate::check::{Capability, Excerpt, Severity};

/// The options of [`check()`].
///
/// ```
/// use unthink::{CheckOptions, Policy, check};
///
/// // Whether there is any reasoning, also in its own place.
/// let log = br#"{"role":"assistant","reasoning":"Low pressure.","content":"Rain by noon."}"#;
/// let options = CheckOptions::default().select(["UT105"]).policy(Policy::All);
/// assert_eq!(check(log, &options)?.report.errors, 1);
/// assert_eq!(check(log, &CheckOptions::default())?.report.errors, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The rules in force: codes, prefixes of codes such as `UT1`, or names of [`rules()`](crate::rules()). Empty: the rules
    /// that are in force by default, and those whose option is given.
    pub select: Vec<String>,
    /// Rules to leave out: codes, prefixes of codes, or names.
    pub ignore: Vec<String>,
    /// Reasoning that this policy removes must not be in the input (rule UT105). `None`: reasoning may stand in its own
    /// place.
    pub policy: Option<Policy>,
    /// The least length of a passage that an answer shares with the reasoning, in characters: 48 by default, at least
    /// 8. White space, case, Markdown emphasis and typographic quotes make no difference.
    pub min_length: usize,
    /// From this percentage of an answer on, shared passages are one finding: 80 by default.
    pub duplicate_percent: u8,
    /// Passages that may stand in an answer.
    pub allow: Vec<String>,
    /// Findings include the text that was found, which may be reasoning.
    pub excerpts: bool,
    /// The most tokens of reasoning that a message may have.
    pub max_reasoning_tokens: Option<u64>,
    /// The largest share of reasoning among the tokens of a message, from 0 to 1.
    pub max_ratio: Option<f64>,
    /// The most messages of a sequence of reasoning, in a log in which several agents speak.
    pub max_messages: Option<u64>,
    /// The most levels that delegations may nest: 1 by default.
    pub max_delegation_depth: u64,
    /// The reasoning that agents may send, in a log in which several speak (rule UT216). Empty: all of it.
    pub capabilities: Vec<Capability>,
    /// How the input is read.
    pub input: InputOptions,
}

setters! { CheckOptions "CheckOptions::default()" {
    list select: String = r#"["UT1", "bad-json"]"#,
    list ignore: String = r#"["UT104"]"#,
    some policy: Policy = "unthink::Policy::All",
    value min_length: usize = "64",
    value duplicate_percent: u8 = "95",
    list allow: String = r#"["Terms and conditions apply to all of our offers."]"#,
    value excerpts: bool = "true",
    some max_reasoning_tokens: u64 = "2000",
    some max_ratio: f64 = "0.9",
    some max_messages: u64 = "20",
    value max_delegation_depth: u64 = "2",
    items capabilities: Capability = r#"["scout=reasoning/step".parse::<unthink::Capability>().unwrap()]"#,
    input input: InputOptions,
} }

impl Default for CheckOptions {
    fn default() -> Self {
        let options = rules::RuleOptions::default();
        Self {
            select: Vec::new(),
            ignore: Vec::new(),
            policy: None,
            min_length: options.passage,
            duplicate_percent: options.duplicate_percent,
            allow: options.allowed,
            excerpts: options.excerpts,
            max_reasoning_tokens: options.max_reasoning_tokens,
            max_ratio: options.max_ratio,
            max_messages: options.max_messages,
            max_delegation_depth: options.max_delegation_depth,
            capabilities: options.capabilities,
            input: InputOptions::default(),
        }
    }
}

impl CheckOptions {
    /// The rules in force, and their settings.
    pub(super) fn rules(&self) -> Result<rules::RuleOptions, InvalidOption> {
        let settings = rules::RuleOptions {
            passage: self.min_length,
            duplicate_percent: self.duplicate_percent,
            allowed: self.allow.clone(),
            excerpts: self.excerpts,
            max_reasoning_tokens: self.max_reasoning_tokens,
            max_ratio: self.max_ratio,
            max_messages: self.max_messages,
            max_delegation_depth: self.max_delegation_depth,
            capabilities: self.capabilities.clone(),
            ..rules::RuleOptions::default()
        };
        let (selected, ignored, judged) = (&self.select, &self.ignore, self.policy.is_some());
        let no_rule = |option, e: NoRule| InvalidOption::new(option, format!("no rule {:?}{}", e.name, e.near));
        RuleRequest { selected, ignored, judged, settings }.options().map_err(|e| match e {
            RuleRequestError::Selected(e) => no_rule("select", e),
            RuleRequestError::Ignored(e) => no_rule("ignore", e),
            RuleRequestError::Passage => InvalidOption::new("min_length", "a number of characters from 8"),
            RuleRequestError::Percent => InvalidOption::new("duplicate_percent", "a number from 1 to 100"),
            RuleRequestError::Ratio => InvalidOption::new("max_ratio", "a share from 0 to 1"),
            RuleRequestError::None => InvalidOption::new("select", "no rule is in force"),
        })
    }
}

/// What [`check()`] returns.
///
/// ```
/// use unthink::{CheckOptions, Checked, check};
///
/// let done: Checked = check(b"Rain by noon.</think> Bring a coat.", &CheckOptions::default())?;
/// assert_eq!(done.findings.len() as u64, done.report.errors + done.report.warnings);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Checked {
    /// The findings, in the order of the input.
    pub findings: Vec<Finding>,
    /// Counts of what was examined.
    pub report: CheckReport,
}

/// A finding of a rule.
///
/// ```
/// use unthink::{CheckOptions, Finding, Severity, check};
///
/// let log = br#"{"role":"assistant","content":"Rain by noon.</think> Bring a coat."}"#;
/// let finding: &Finding = &check(log, &CheckOptions::default())?.findings[0];
/// assert_eq!((finding.rule, finding.name, finding.severity), ("UT103", "inline-tag", Severity::Error));
/// assert_eq!((finding.line, finding.pointer.as_deref()), (1, Some("/content")));
/// assert_eq!(&log[finding.bytes.start as usize..finding.bytes.end as usize], b"</think>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Finding {
    /// The code of the rule, such as `UT102`.
    pub rule: &'static str,
    /// Its name, such as `reasoning-passage`.
    pub name: &'static str,
    /// The severity of the finding.
    pub severity: Severity,
    /// The number of the record, from 1.
    pub record: u64,
    /// The number of the message in its conversation, from 1. `None`: the finding is about the record.
    pub message: Option<u64>,
    /// The place of the text in its record, as a JSON Pointer (RFC 6901). `None` in a raw text.
    pub pointer: Option<String>,
    /// The line of the input, from 1.
    pub line: u64,
    /// The column in that line, in characters, from 1.
    pub column: u64,
    /// The range of bytes in the input.
    pub bytes: Range<u64>,
    /// The range of characters in the decoded visible text of the message, from 0.
    pub chars: Option<Range<u64>>,
    /// What was found: a plain sentence without its full stop, which never quotes the input.
    pub what: String,
    /// Identifies the finding, even if it moves: 32 hexadecimal digits.
    pub fingerprint: String,
    /// The text that was found, if the options ask for it.
    pub excerpt: Option<Excerpt>,
}

impl From<rules::RuleFinding> for Finding {
    fn from(finding: rules::RuleFinding) -> Self {
        let rules::RuleFinding {
            rule,
            record,
            message,
            pointer,
            line,
            column,
            bytes,
            chars,
            what,
            fingerprint,
            excerpt,
        } = finding;
        let (rule, name, severity) = (rule.code, rule.name, rule.severity);
        Self { rule, name, severity, record, message, pointer, line, column, bytes, chars, what, fingerprint, excerpt }
    }
}

/// What [`check()`] has examined, and how many findings there are.
///
/// ```
/// use unthink::{CheckOptions, CheckReport, check};
///
/// let log = br#"{"role":"assistant","content":"Rain by noon.</think> Bring a coat."}"#;
/// let report: CheckReport = check(log, &CheckOptions::default())?.report;
/// assert_eq!((report.errors, report.warnings, report.messages), (1, 0, 1));
/// assert_eq!(report.rules.get("UT103"), Some(&1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CheckReport {
    /// How many findings are errors.
    pub errors: u64,
    /// How many findings are warnings.
    pub warnings: u64,
    /// How many findings each rule has, by its code; a rule without findings is not there.
    pub rules: BTreeMap<&'static str, u64>,
    /// How many messages of the assistant were examined.
    pub messages: u64,
    /// A conversation had more reasoning than is kept (128 MiB), so that leaks of it may have been missed.
    pub forgot: bool,
    /// Counts of the input.
    pub summary: Summary,
}

/// Finds reasoning in the answers of a conversation, and other things that should not be in a published transcript.
///
/// ```
/// use unthink::{CheckOptions, check};
///
/// let log = br#"{"role":"assistant","reasoning":"The user is angry, so I should offer a refund before they ask for one.","content":"I should offer a refund before they ask for one. How about it?"}"#;
/// let done = check(log, &CheckOptions::default().excerpts(true))?;
/// let [finding] = done.findings.as_slice() else { panic!("one finding") };
/// assert_eq!((finding.rule, finding.record, finding.chars.clone()), ("UT102", 1, Some(0..48)));
/// assert_eq!(finding.pointer.as_deref(), Some("/content"));
/// assert_eq!(finding.excerpt.as_ref().unwrap().text, "I should offer a refund before they ask for one.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Incomplete`] if a record could not be understood; it was not examined. [`Error::Option`] if an option has a
/// value that it cannot have.
pub fn check(input: &[u8], options: &CheckOptions) -> Result<Checked, Error<Checked>> {
    let mut findings = Vec::new();
    match check_each(input, |finding| findings.push(finding), options) {
        Ok(report) => Ok(Checked { findings, report }),
        Err(e) => Err(e.map(|report| Checked { findings, report })),
    }
}

/// Finds reasoning in the answers of a conversation, from a reader: calls `each` for each finding, in the order of the input.
///
/// The input is read as it comes, and is not kept; the findings come when it is over. Only then it is known which there
/// are, and in which order: a sequence or a delegation that never ends is a finding where it began, and a policy may decide
/// late.
///
/// ```
/// use unthink::{CheckOptions, check_each};
///
/// let log: &[u8] = b"{\"role\":\"assistant\",\"content\":\"Rain by noon.</think> Bring a coat.\"}\n";
/// let mut lines = Vec::new();
/// let report = check_each(log, |finding| lines.push((finding.rule, finding.line)), &CheckOptions::default())?;
/// assert_eq!((lines.as_slice(), report.errors), (&[("UT103", 1)][..], 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`check()`]; and [`Error::Read`] if the reader fails.
pub fn check_each(
    mut reader: impl BufRead,
    mut each: impl FnMut(Finding),
    options: &CheckOptions,
) -> Result<CheckReport, Error<CheckReport>> {
    let hand_out = |found: Vec<rules::RuleFinding>| {
        found.into_iter().map(Finding::from).for_each(&mut each);
        Ok(())
    };
    seam::check(&mut reader, hand_out, options)
}

/// Finds reasoning in the answers of a conversation, from a reader to a writer: one JSON object a line for each
/// finding, as the command `unthink check -o jsonl` prints them for its standard input.
///
/// ```
/// use unthink::{CheckOptions, check_io};
///
/// let log: &[u8] = br#"{"role":"assistant","content":"Rain by noon.</think> Bring a coat."}"#;
/// let mut lines = Vec::new();
/// let report = check_io(log, &mut lines, &CheckOptions::default())?;
/// assert_eq!((report.errors, report.messages), (1, 1));
/// assert!(String::from_utf8(lines)?.contains("\"rule\":\"UT103\",\"name\":\"inline-tag\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`check()`]; and [`Error::Read`] or [`Error::Write`] if the reader or the writer fails.
pub fn check_io(
    mut reader: impl BufRead,
    mut writer: impl Write,
    options: &CheckOptions,
) -> Result<CheckReport, Error<CheckReport>> {
    let write = |found| writer.write_all(&rules::report::lines(found));
    seam::check(&mut reader, write, options)
}
