//! What `check` looks for in a conversation: reasoning that leaked into an answer, tags and tokens that should not be
//! there, blocks that are malformed, files that are damaged.
//!
//! A rule is a file in [`rules`](mod@rules) with its row and its examples. It knows no format: it sees a message of the
//! assistant as its reader sees it, and what was found about it ([`Case`]).

mod case;
mod code;
mod compare;
mod examine;
mod finding;
mod fingerprint;
mod fold;
mod leaks;
mod public;
pub mod report;
pub mod rules;
mod shown;
mod tags;
mod tokens;
mod windows;

use crate::model::Step;

pub use case::{At, Case, Handover, Hit, Search, SequenceCase};
pub(crate) use examine::{Conversations, Examinee, Hits, SEQUENCE, examine, only_removed};
pub use finding::{Excerpt, Finding};
pub(crate) use fingerprint::{Fingerprints, name as fingerprint_name};
pub use leaks::{Leaks, Stretch};
pub use rules::{RULES, find, select};
pub use shown::{Mark, MarkKind};
pub(crate) use shown::{Shown, Stretch as ShownStretch};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look. It fails a run only with `--fail-on warning`.
    Warning,
    /// Reasoning reaches a reader, or may. It fails the run.
    Error,
}

impl Severity {
    /// Its name.
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
    /// `unthink strip` removes it.
    pub fixable: bool,
    /// It is in force unless rules are selected.
    pub default: bool,
    /// Settings that its examples need, as options of the command line.
    pub needs: &'static [&'static str],
    /// Inputs in which it finds something.
    pub matches: &'static [&'static str],
    /// Inputs in which it finds nothing.
    pub clean: &'static [&'static str],
    /// How it searches.
    pub search: Search,
}

/// Counts findings of a rule.
pub fn count(counts: &mut Vec<(&'static Rule, u64)>, rule: &'static Rule, more: u64) {
    match counts.iter_mut().find(|(known, _)| known.code == rule.code) {
        Some((_, n)) => *n += more,
        None => counts.push((rule, more)),
    }
}

/// What is looked for, and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// The rules in force.
    pub rules: Vec<&'static Rule>,
    /// A shared passage is at least so many characters long, folded.
    pub passage: usize,
    /// Reasoning that makes up so many per cent of an answer is a duplicate ([UT106](rules)).
    pub duplicate_percent: u8,
    /// Passages that may stand in an answer.
    pub allowed: Vec<String>,
    /// Findings have the text that was found.
    pub excerpts: bool,
    /// A message may have so many tokens of reasoning.
    pub max_reasoning_tokens: Option<u64>,
    /// Reasoning may be such a share of the tokens of a message.
    pub max_ratio: Option<f64>,
    /// So many delegations may be open at a time.
    pub max_delegation_depth: u64,
    /// Which reasoning agents may send. Without any, all of it.
    pub capabilities: Vec<Capability>,
    /// A sequence of reasoning may have so many messages.
    pub max_messages: Option<u64>,
}

/// Reasoning that an agent may send, in a log in which several speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capability {
    /// Its name; `*` is every agent that has no entry of its own.
    pub agent: String,
    /// What it may do.
    pub steps: Vec<Step>,
}

/// A shared passage is at least so many characters long unless the user says otherwise.
pub const PASSAGE: usize = 48;

/// Reasoning that makes up so many per cent of an answer is a duplicate.
pub const DUPLICATE_PERCENT: u8 = 80;

impl Default for CheckOptions {
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
