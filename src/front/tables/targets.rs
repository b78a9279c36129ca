//! The list of providers, and of their rules.

use super::DialectInfo;
use crate::accept::rules::{self as accepted, TargetRule};
use crate::accept::{Target, targets::TARGETS};
use crate::dialect;
use crate::front::accept::target;
use crate::front::{InvalidOption, RuleOutcome};
use std::str::FromStr;

is_its_name!(TargetInfo.name);
is_its_name!(TargetRuleInfo.code);

/// A provider that [`check_target`](crate::check_target) and [`repair`](crate::repair()) know. It is parsed from its name or one
/// of its aliases, and stands for its name where a function takes one.
///
/// ```
/// use unthink::{TargetInfo, check_target};
///
/// let request = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
/// let groq: TargetInfo = "groq".parse()?;
/// assert!(check_target(request, groq)?.is_accepted());
/// assert_eq!(groq.requests(), "Chat Completions");
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Copy)]
pub struct TargetInfo(&'static Target);

/// All providers that [`check_target`](crate::check_target) and [`repair`](crate::repair()) know, in the order of `unthink list
/// targets`.
///
/// ```
/// use unthink::{check_target, targets};
///
/// let request = br#"{"messages":[{"role":"user","content":"Hi"}]}"#;
/// let takes: Vec<_> = targets().filter(|to| check_target(request, to).is_ok_and(|report| report.is_accepted())).collect();
/// assert!(takes.iter().any(|to| to.name() == "anthropic"));
/// ```
pub fn targets() -> impl Iterator<Item = TargetInfo> {
    TARGETS.iter().map(TargetInfo)
}

impl FromStr for TargetInfo {
    type Err = InvalidOption;

    fn from_str(name: &str) -> Result<Self, InvalidOption> {
        target(name).map(Self)
    }
}

impl TargetInfo {
    /// Its name.
    ///
    /// ```
    /// assert!(unthink::targets().any(|to| to.name() == "anthropic"));
    /// ```
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// Other names that are taken.
    ///
    /// ```
    /// for to in unthink::targets() {
    ///     assert!(to.aliases().iter().all(|alias| alias.parse() == Ok(to)));
    /// }
    /// ```
    pub fn aliases(&self) -> &'static [&'static str] {
        self.0.aliases
    }

    /// What its requests are called, such as `Chat Completions`.
    ///
    /// ```
    /// assert_eq!("anthropic".parse::<unthink::TargetInfo>()?.requests(), "Anthropic Messages");
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn requests(&self) -> &'static str {
        self.0.shape.name()
    }

    /// The format that [`convert`](crate::convert()) writes for it, if there is one.
    ///
    /// ```
    /// let dialect = "anthropic".parse::<unthink::TargetInfo>()?.dialect().unwrap();
    /// assert_eq!(dialect.name(), "anthropic");
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn dialect(&self) -> Option<DialectInfo> {
        dialect::find(self.0.dialect?).map(DialectInfo::of)
    }

    /// What it wants of reasoning, in a line.
    ///
    /// ```
    /// assert!("anthropic".parse::<unthink::TargetInfo>()?.wants().contains("signed thinking blocks"));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn wants(&self) -> &'static str {
        self.0.wants
    }

    /// What the name of a model decides, in a line; empty if nothing does.
    ///
    /// ```
    /// assert!(!"anthropic".parse::<unthink::TargetInfo>()?.model_decides().is_empty());
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn model_decides(&self) -> &'static str {
        self.0.decides
    }

    /// Its rules, by their codes.
    ///
    /// ```
    /// let rules: Vec<_> = "anthropic".parse::<unthink::TargetInfo>()?.rules().collect();
    /// assert!(rules.iter().any(|rule| rule.code() == "AN01"));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn rules(&self) -> impl Iterator<Item = TargetRuleInfo> + use<> {
        accepted::of_target(self.0.name).map(TargetRuleInfo)
    }
}

/// A rule of a provider: what it refuses, or takes and does not read.
///
/// ```
/// use unthink::{RuleOutcome, TargetInfo, TargetRuleInfo};
///
/// let rule: TargetRuleInfo = "anthropic".parse::<TargetInfo>()?.rules().find(|rule| rule.code() == "AN01").unwrap();
/// assert_eq!(rule.outcome(), RuleOutcome::Rejected);
/// assert!(!rule.finds().is_empty() && !rule.repair().is_empty() && !rule.evidence().is_empty());
/// # Ok::<(), unthink::InvalidOption>(())
/// ```
#[derive(Clone, Copy)]
pub struct TargetRuleInfo(&'static TargetRule);

impl TargetRuleInfo {
    /// Its code: the provider in two letters, and two digits.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().all(|rule| rule.code().len() == 4));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Its name: words with hyphens.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().all(|rule| !rule.name().contains(' ')));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// What it finds, in a line.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().all(|rule| !rule.finds().is_empty()));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn finds(&self) -> &'static str {
        self.0.finds
    }

    /// What happens to what it finds, at worst.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().any(|rule| rule.outcome() == unthink::RuleOutcome::Rejected));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn outcome(&self) -> RuleOutcome {
        self.0.outcome
    }

    /// The least repair, in plain sentences.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().any(|rule| !rule.repair().is_empty()));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn repair(&self) -> &'static str {
        self.0.repair
    }

    /// How that is known.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().all(|rule| !rule.evidence().is_empty()));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn evidence(&self) -> &'static str {
        self.0.evidence
    }

    /// The day on which it was known last: year, month, day.
    ///
    /// ```
    /// let groq: unthink::TargetInfo = "groq".parse()?;
    /// assert!(groq.rules().all(|rule| rule.verified_on().starts_with("20")));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn verified_on(&self) -> &'static str {
        self.0.verified_on
    }
}
