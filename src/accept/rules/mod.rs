//! The table of rules: a row each. What a row says about the provider is data; how it is seen in a conversation is a
//! function, which gets messages and blocks, never a text to look for.

mod anthropic;
mod bedrock;
mod bound;
mod chat;
mod demanded;
mod gemini;
mod ids;
mod items;
mod messages;
mod settings;

use super::case::{TargetCase, TargetHit};
use crate::check::{self, RuleSearch};

/// What happens to what a rule finds.
///
/// ```
/// use unthink::{RuleOutcome, targets};
///
/// let mut rules = targets().flat_map(|target| target.rules());
/// assert!(rules.any(|rule| rule.outcome() == RuleOutcome::Dropped));
/// assert_eq!(RuleOutcome::Dropped.name(), "dropped");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RuleOutcome {
    /// The request is refused.
    Rejected,
    /// Whether it is refused, the text cannot tell, or the evidence does not agree.
    Undecided,
    /// It is taken, and the reasoning is dropped without a word.
    Dropped,
    /// It is taken, and answers are worse.
    Degraded,
}

impl RuleOutcome {
    /// The name for reports.
    pub fn name(self) -> &'static str {
        match self {
            RuleOutcome::Rejected => "rejected",
            RuleOutcome::Undecided => "undecided",
            RuleOutcome::Dropped => "dropped",
            RuleOutcome::Degraded => "degraded",
        }
    }
}

/// An example of a rule: a request, and who gets it.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub struct Example {
    /// TARGET or TARGET:MODEL.
    pub to: &'static str,
    /// The request, or a log.
    pub text: &'static str,
}

/// A rule: its row.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "some columns are for the command"))]
pub struct TargetRule {
    /// The stable code: the provider in two letters, and two digits.
    pub code: &'static str,
    /// The name: words with hyphens.
    pub name: &'static str,
    /// The targets that have it.
    pub targets: &'static [&'static str],
    /// Which of their models, in words; empty for all.
    pub models: &'static str,
    /// What it finds, in a line without a full stop.
    pub finds: &'static str,
    /// Messages of the provider; `…` stands for anything.
    pub messages: &'static [&'static str],
    /// What happens to what it finds, at worst.
    pub outcome: RuleOutcome,
    /// How that is known.
    pub evidence: &'static str,
    /// When it was known last: year, month, day.
    pub verified_on: &'static str,
    /// The least repair, in plain sentences.
    pub repair: &'static str,
    /// The options of `repair` that it needs, behind a space; empty for none.
    pub options: &'static str,
    /// What is known not to help; empty if nothing is.
    pub not: &'static str,
    /// Why it is not looked for in a text; empty if it is.
    pub unseen: &'static str,
    /// Of a rule that is not looked for: a request that is taken and one that is refused, which differ in nothing but
    /// what only the provider can read or knows.
    pub alike: Option<[Example; 2]>,
    /// Requests with a finding.
    pub matches: &'static [Example],
    /// Requests without one.
    pub clean: &'static [Example],
    /// Finds it.
    pub search: fn(&TargetCase<'_, '_>, &mut Vec<TargetHit>),
}

/// A row of which only the necessary is set.
const ROW: TargetRule = TargetRule {
    code: "",
    name: "",
    targets: &[],
    models: "",
    finds: "",
    messages: &[],
    outcome: RuleOutcome::Rejected,
    evidence: "",
    verified_on: "2026-11-25",
    repair: "",
    options: "",
    not: "",
    unseen: "",
    alike: None,
    matches: &[],
    clean: &[],
    search: nothing,
};

/// The search of a rule about what no text shows.
fn nothing(_: &TargetCase<'_, '_>, _: &mut Vec<TargetHit>) {}

/// Rows, and how reports see them.
struct RuleTable<const N: usize> {
    rows: [TargetRule; N],
    refused: [check::Rule; N],
    doubted: [check::Rule; N],
}

impl<const N: usize> RuleTable<N> {
    const fn of(rows: [TargetRule; N]) -> Self {
        let mut refused = [rows[0].rule(check::Severity::Error); N];
        let mut doubted = [rows[0].rule(check::Severity::Warning); N];
        let mut i = 0;
        while i < N {
            refused[i] = rows[i].rule(check::Severity::Error);
            doubted[i] = rows[i].rule(check::Severity::Warning);
            i += 1;
        }
        Self { rows, refused, doubted }
    }
}

impl TargetRule {
    /// The rule as reports show it.
    const fn rule(&self, severity: check::Severity) -> check::Rule {
        check::Rule {
            code: self.code,
            name: self.name,
            finds: self.finds,
            why: "The provider refuses the request, or takes it and drops or ignores the reasoning.",
            fix: self.repair,
            severity,
            fixable: false,
            default: true,
            needs: check::RuleNeed::TARGET,
            matches: &[],
            clean: &[],
            search: RuleSearch::Target,
        }
    }

    /// The rule for reports: an error, or a warning.
    pub fn reported(&self, is_certain: bool) -> &'static check::Rule {
        let rules = if is_certain { &TABLE.refused } else { &TABLE.doubted };
        rules.iter().find(|rule| rule.code == self.code).unwrap_or(&rules[0])
    }
}

macro_rules! table {
    ($($row:path),* $(,)?) => {
        const COUNT: usize = [$(stringify!($row)),*].len();
        static TABLE: RuleTable<COUNT> = RuleTable::of([$($row),*]);
    };
}

table! {
    anthropic::AN01, anthropic::AN02, anthropic::AN03, anthropic::AN04, anthropic::AN05,
    anthropic::AN06, settings::AN07, settings::AN08, settings::AN09, anthropic::AN10,
    anthropic::AN11, anthropic::AN12, messages::AN13, messages::AN14, settings::AN15,
    settings::AN16, anthropic::AN17, bound::AN18, messages::AN19,
    bedrock::BR01, bedrock::BR02, bedrock::BR03, bedrock::BR04, bedrock::BR05, bedrock::BR06, bedrock::BR07,
    chat::CB01, chat::CB02,
    ids::CP01,
    demanded::DS01, demanded::DS02, demanded::DS03, demanded::DS04, messages::DS05,
    chat::FW01,
    gemini::GC01, gemini::GM01, gemini::GM02, gemini::GM03, gemini::GM04, gemini::GM05,
    chat::GQ01, chat::GQ02,
    demanded::KM01, demanded::KM02, demanded::KM03,
    chat::LC01,
    chat::MI01, chat::MI02,
    chat::MM01,
    chat::OC01,
    chat::OP01,
    items::OR01, items::OR02, items::OR03, items::OR04, items::OR05, items::OR06, items::OR07, ids::OR08,
    ids::OR09, ids::OR10, ids::OR11,
    chat::QW01,
    chat::VL01,
    items::XA01, items::XA02, items::XA03,
}

/// Every rule, by code.
pub fn rows() -> &'static [TargetRule] {
    &TABLE.rows
}

/// The rule with this code or name.
pub fn find(name: &str) -> Option<&'static TargetRule> {
    rows().iter().find(|row| row.code.eq_ignore_ascii_case(name) || row.name == name)
}

/// The rules of a target.
pub fn of_target(target: &str) -> impl Iterator<Item = &'static TargetRule> {
    rows().iter().filter(move |row| row.targets.contains(&target))
}

/// What goes if all that only one account can read is to go.
pub fn all_sealed(case: &TargetCase<'_, '_>) -> Vec<(&'static TargetRule, TargetHit)> {
    of_code("OR04", items::all_sealed(case))
}

/// What goes if all that another model may have signed is to go.
pub fn all_foreign(case: &TargetCase<'_, '_>) -> Vec<(&'static TargetRule, TargetHit)> {
    of_code("GM04", gemini::all_foreign(case))
}

fn of_code(code: &str, hits: Vec<TargetHit>) -> Vec<(&'static TargetRule, TargetHit)> {
    hits.into_iter().filter_map(|hit| Some((find(code)?, hit))).collect()
}
