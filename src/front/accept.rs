//! `check --target` and `repair` for users of the crate.

use super::setters::setters;
use super::{InvalidOption, Severity};
use crate::accept::{self as rules, Fill, ForeignThoughts, ShownFindings, Target, targets};
use crate::nearest::meant;
use std::ops::Range;

/// What [`repair()`] may do besides cutting what is wrong.
///
/// ```
/// use unthink::{RepairOptions, repair};
///
/// let request = br#"{"messages":[{"role":"user","content":"Rain?"},{"role":"assistant","content":null,
///     "tool_calls":[{"id":"c1","type":"function","function":{"name":"radar","arguments":"{}"}}]},
///     {"role":"tool","tool_call_id":"c1","content":"Clouds."}]}"#;
/// let done = repair(request, "deepseek:deepseek-reasoner", &RepairOptions::default().fill("(lost)"))?;
/// assert!(String::from_utf8(done.output)?.contains(r#""reasoning_content":"(lost)""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RepairOptions {
    /// Thinking blocks with a signature and an empty text go: whether a provider takes them, a text does not tell.
    pub hollow: bool,
    /// Settings of the request may change.
    pub settings: bool,
    /// All that only one account can read goes.
    pub drop_encrypted: bool,
    /// The text that stands in for reasoning that a provider demands and that is lost. `None`: the least that it takes.
    pub fill: Option<String>,
    /// Thoughts that a provider does not take as such stay as a text of the answer, where it takes that.
    pub keep_foreign: bool,
}

setters! { RepairOptions "RepairOptions::default()" {
    value hollow: bool = "true",
    value settings: bool = "true",
    value drop_encrypted: bool = "true",
    some_text fill: String = r#""(lost)""#,
    value keep_foreign: bool = "true",
} }

/// What a rule says of a request.
///
/// ```
/// use unthink::{Severity, TargetFinding, check_target};
///
/// let request = br#"{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?","reasoning_content":"A greeting."}]}"#;
/// let report = check_target(request, "groq:openai/gpt-oss-120b")?;
/// let finding: &TargetFinding = &report.findings[0];
/// assert_eq!((finding.severity, finding.record, finding.message), (Severity::Error, 1, Some(2)));
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TargetFinding {
    /// The code of the rule, such as `AN01` ([`TargetInfo::rules`](crate::TargetInfo::rules)).
    pub rule: &'static str,
    /// An error: the provider refuses the request. A warning: the text cannot tell, or it is taken and does harm.
    pub severity: Severity,
    /// The number of the record, from 1.
    pub record: u64,
    /// The number of the message in its conversation, from 1.
    pub message: Option<u64>,
    /// The place in its record, as a JSON Pointer.
    pub pointer: Option<String>,
    /// The range of bytes in the input.
    pub bytes: Range<u64>,
    /// What was found and what repairs it, without a word of the input.
    pub what: String,
    /// The day on which the rule was known last: year, month, day.
    pub verified_on: &'static str,
}

/// Whether a provider takes an input.
///
/// ```
/// use unthink::{TargetReport, check_target};
///
/// let report: TargetReport = check_target(br#"{"messages":[{"role":"user","content":"Hi"}]}"#, "groq")?;
/// assert!(report.is_accepted() && report.findings.is_empty());
/// // What is no JSON is not judged, and so not accepted.
/// assert_eq!(check_target(b"{\"messages\":", "groq")?.refused[0].record, 1);
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TargetReport {
    /// What the rules found, in the order of the input.
    pub findings: Vec<TargetFinding>,
    /// Records that were not judged.
    pub refused: Vec<Unjudged>,
}

/// A record of which is not known whether a provider takes it.
///
/// ```
/// use unthink::{Unjudged, check_target};
///
/// let record: &Unjudged = &check_target(b"{\"messages\":", "groq")?.refused[0];
/// assert_eq!(record.record, 1);
/// assert!(!record.reason.is_empty());
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Unjudged {
    /// The number of the record, from 1.
    pub record: u64,
    /// The reason: a sentence without its full stop, which never quotes the input.
    pub reason: String,
}

impl TargetReport {
    /// Whether everything was judged, and nothing of it would be refused.
    ///
    /// ```
    /// let request = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
    /// assert!(unthink::check_target(request, "groq")?.is_accepted());
    /// assert!(!unthink::check_target(b"no request", "groq")?.is_accepted());
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn is_accepted(&self) -> bool {
        self.refused.is_empty() && self.findings.iter().all(|finding| finding.severity != Severity::Error)
    }
}

/// An input that was repaired.
///
/// ```
/// use unthink::{RepairOptions, Repaired, repair};
///
/// let request = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
/// let done: Repaired = repair(request, "groq", &RepairOptions::default())?;
/// assert_eq!((done.output.as_slice(), done.mended), (&request[..], 0));
/// assert!(done.left.is_accepted());
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Repaired {
    /// The new text.
    pub output: Vec<u8>,
    /// How many findings were mended.
    pub mended: u64,
    /// What is left: conversations with these findings are as they were, and so are records that were not judged.
    pub left: TargetReport,
}

/// Whether a provider takes a request, a list of messages, or a log of a coding agent as it is.
///
/// `to` is TARGET or TARGET:MODEL, where TARGET is the name of one of [`targets()`](crate::targets()); without a model that of
/// the input counts.
///
/// ```
/// let request = br#"{"model":"claude-opus-4-8","messages":[{"role":"user","content":"How far is Lyon?"},
///     {"role":"assistant","content":[{"type":"thinking","thinking":"It is 14 km."},{"type":"text","text":"14 km."}]},
///     {"role":"user","content":"And Nice?"}]}"#;
/// let report = unthink::check_target(request, "anthropic")?;
/// assert!(!report.is_accepted());
/// assert_eq!(report.findings[0].rule, "AN01");
/// assert_eq!(report.findings[0].pointer.as_deref(), Some("/messages/1/content/0"));
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
///
/// # Errors
/// When there is no such target.
pub fn check_target(input: &[u8], to: impl AsRef<str>) -> Result<TargetReport, InvalidOption> {
    let to = to.as_ref();
    let (target, model) = named(to)?;
    let judged = rules::judge(input, target, model);
    Ok(TargetReport { findings: shown(input, &judged.findings, to, target), refused: refused(judged.refused) })
}

/// Makes the least change after which a provider takes the input. Every other byte stays.
///
/// ```
/// let request = br#"{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?","reasoning_content":"A greeting."}]}"#;
/// let done = unthink::repair(request, "groq:openai/gpt-oss-120b", &unthink::RepairOptions::default())?;
/// assert!(done.left.is_accepted());
/// assert_eq!(done.output, br#"{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Yes?"}]}"#);
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
///
/// # Errors
/// When there is no such target.
pub fn repair(input: &[u8], to: impl AsRef<str>, options: &RepairOptions) -> Result<Repaired, InvalidOption> {
    let to = to.as_ref();
    let (target, model) = named(to)?;
    let repairs = rules::Repairs {
        hollow: options.hollow,
        settings: options.settings,
        drop_encrypted: options.drop_encrypted,
        fill: options.fill.clone().map_or(Fill::Least, Fill::Text),
        foreign: options.keep_foreign.then_some(ForeignThoughts::Text),
    };
    let done = rules::repair(input, target, model, &repairs);
    let left = TargetReport { findings: shown(input, &done.left, to, target), refused: refused(done.refused) };
    Ok(Repaired { output: done.output, mended: done.gone.len() as u64, left })
}

fn named(to: &str) -> Result<(&'static Target, Option<&str>), InvalidOption> {
    let (name, model) = to.split_once(':').map_or((to, None), |(name, model)| (name, Some(model)));
    Ok((target(name)?, model))
}

/// The target of a name.
pub(super) fn target(name: &str) -> Result<&'static Target, InvalidOption> {
    let names = targets::TARGETS.iter().map(|target| target.name);
    let wrong = || InvalidOption::new("to", format!("no such target{}", meant(name, names)));
    targets::find(name).ok_or_else(wrong)
}

fn shown(text: &[u8], findings: &[rules::RequestFinding], to: &str, target: &'static Target) -> Vec<TargetFinding> {
    let all = rules::shown(text, findings, ShownFindings { to, target, file: "FILE" });
    let both = all.into_iter().zip(findings);
    both.map(|(shown, found)| TargetFinding {
        rule: found.row.code,
        severity: shown.rule.severity,
        record: shown.record,
        message: shown.message,
        pointer: shown.pointer,
        bytes: shown.bytes,
        what: shown.what,
        verified_on: found.row.verified_on,
    })
    .collect()
}

fn refused(all: Vec<rules::UnjudgedRecord>) -> Vec<Unjudged> {
    all.into_iter().map(|refused| Unjudged { record: refused.record, reason: refused.what }).collect()
}
