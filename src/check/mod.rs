//! The rules of `check`: reasoning that leaked into an answer, tags and tokens that should not be there, malformed
//! blocks, damaged files.
//!
//! A rule is a file in [`rules`](mod@rules) with its row and its examples. It knows no format: it gets a message of the
//! assistant as a reader sees it, with prepared facts ([`MessageCase`]).

mod capability;
mod case;
mod code;
mod compare;
mod corpus;
mod examine;
mod finding;
mod fingerprint;
mod fold;
mod force;
mod leaks;
mod output;
mod public;
pub mod report;
pub mod rules;
mod shown;
mod tags;
mod tokens;
mod windows;

pub use capability::Capability;
pub use case::{At, Handover, Hit, MessageCase, RuleSearch, SequenceCase};
pub(crate) use examine::{ExaminedConversations, Examinee, Hits, SEQUENCE, examine, only_removed};
pub use finding::{Excerpt, RuleFinding};
pub(crate) use fingerprint::{Fingerprints, name as fingerprint_name};
pub use force::{NoRule, RuleNeed, RuleOption, RuleRequest, RuleRequestError};
#[cfg(feature = "cli")]
pub use force::{PASSAGES, PERCENT, named};
pub use leaks::Leaks;
#[cfg(feature = "cli")]
pub use leaks::SharedPassage;
pub(crate) use leaks::is_leaked;
pub use output::Check;
pub use rules::RULES;
pub use rules::find;
#[cfg(feature = "cli")]
pub use rules::select;
pub use shown::{MarkKind, VisibleTag};
pub(crate) use shown::{ReadStretch, VisibleMessage};

/// How much a finding matters.
///
/// ```
/// use unthink::{Severity, rules};
///
/// assert!(Severity::Warning < Severity::Error);
/// assert!(rules().any(|rule| rule.severity() == Severity::Warning));
/// assert_eq!(Severity::Error.name(), "error");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Worth a look. It fails a run only with `--fail-on warning`.
    Warning,
    /// Reasoning reaches a reader, or may. It fails the run.
    Error,
}

impl Severity {
    /// The name of the severity.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A rule: its row in the table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The stable code: `UT` and three digits, the first of which is the family.
    pub code: &'static str,
    /// The name: words with hyphens.
    pub name: &'static str,
    /// What it finds, in a line without a full stop.
    pub finds: &'static str,
    /// Why that matters, in plain sentences.
    pub why: &'static str,
    /// What to do about it, in plain sentences.
    pub fix: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// `unthink strip` removes what it finds.
    pub fixable: bool,
    /// It is in force unless rules are selected.
    pub default: bool,
    /// The option without which it finds nothing.
    pub needs: Option<RuleNeed>,
    /// Inputs with a finding.
    pub matches: &'static [&'static str],
    /// Inputs without a finding.
    pub clean: &'static [&'static str],
    /// How it searches.
    pub search: RuleSearch,
}

/// Adds to the number of a rule's findings.
pub fn count(counts: &mut Vec<(&'static Rule, u64)>, rule: &'static Rule, more: u64) {
    match counts.iter_mut().find(|(known, _)| known.code == rule.code) {
        Some((_, n)) => *n += more,
        None => counts.push((rule, more)),
    }
}

/// Which rules are in force, and their settings.
#[derive(Clone, Debug)]
pub struct RuleOptions {
    /// The rules in force.
    pub rules: Vec<&'static Rule>,
    /// The least length of a shared passage, in characters, folded.
    pub passage: usize,
    /// From this percentage of reasoning on, an answer is a duplicate ([UT106](rules)).
    pub duplicate_percent: u8,
    /// Passages that may stand in an answer.
    pub allowed: Vec<String>,
    /// Findings include the text that was found.
    pub excerpts: bool,
    /// The most tokens of reasoning that a message may have.
    pub max_reasoning_tokens: Option<u64>,
    /// The largest share of reasoning among the tokens of a message.
    pub max_ratio: Option<f64>,
    /// The most delegations that may be open at a time.
    pub max_delegation_depth: u64,
    /// The reasoning that agents may send. If there are none, agents may send all.
    pub capabilities: Vec<Capability>,
    /// The most messages that a sequence of reasoning may have.
    pub max_messages: Option<u64>,
}

/// How many of the reasoning's first characters must not stand in the answer.
pub(crate) const PREFIX: usize = 24;

/// The least length of a shared passage in characters, if the user sets none.
pub const PASSAGE: usize = 48;

/// From this percentage of reasoning on, an answer is a duplicate, if the user sets none.
pub const DUPLICATE_PERCENT: u8 = 80;

impl Default for RuleOptions {
    fn default() -> Self {
        Self {
            rules: RULES.iter().filter(|rule| rule.default).collect(),
            passage: PASSAGE,
            duplicate_percent: DUPLICATE_PERCENT,
            allowed: Vec::new(),
            excerpts: false,
            max_reasoning_tokens: None,
            max_ratio: None,
            max_delegation_depth: 1,
            capabilities: Vec::new(),
            max_messages: None,
        }
    }
}
