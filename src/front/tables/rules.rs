//! The list of the rules of `check`.

use crate::check::{self as checked, RULES, Rule, RuleOption};
use crate::front::{InvalidOption, Severity};
use crate::nearest::meant;
use std::str::FromStr;

is_its_name!(RuleInfo.code);

/// A rule of [`check`](crate::check()). It is parsed from its code or its name, and stands for its code where an option takes
/// one.
///
/// ```
/// use unthink::{CheckOptions, RuleInfo, check};
///
/// let tag: RuleInfo = "inline-tag".parse()?;
/// let done = check(b"Rain by noon.</think> Bring a coat.", &CheckOptions::default().select([tag]))?;
/// assert_eq!(done.findings[0].rule, tag.code());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct RuleInfo(&'static Rule);

/// All rules of [`check`](crate::check()), by their codes.
///
/// ```
/// let line = |rule: unthink::RuleInfo| format!("{rule} ({}): {}", rule.severity().name(), rule.finds());
/// let lines: Vec<String> = unthink::rules().filter(|rule| rule.is_default()).map(line).collect();
/// assert!(lines[0].starts_with("UT101 (error): "));
/// ```
pub fn rules() -> impl Iterator<Item = RuleInfo> {
    RULES.iter().map(RuleInfo)
}

impl FromStr for RuleInfo {
    type Err = InvalidOption;

    fn from_str(name: &str) -> Result<Self, InvalidOption> {
        let near = || meant(name, RULES.iter().flat_map(|rule| [rule.code, rule.name]));
        let wrong = || InvalidOption::new("select", format!("no rule {name:?}{}", near()));
        checked::find(name).map(Self).ok_or_else(wrong)
    }
}

impl RuleInfo {
    /// Its code, such as `UT103`, for [`CheckOptions::select`](crate::CheckOptions::select) and
    /// [`CheckOptions::ignore`](crate::CheckOptions::ignore).
    ///
    /// ```
    /// assert!(unthink::rules().all(|rule| rule.code().starts_with("UT")));
    /// ```
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// Its name: words with hyphens.
    ///
    /// ```
    /// assert!(unthink::rules().any(|rule| rule.name() == "inline-tag"));
    /// ```
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// The severity of its findings.
    ///
    /// ```
    /// use unthink::{RuleInfo, Severity};
    ///
    /// assert_eq!("UT103".parse::<RuleInfo>()?.severity(), Severity::Error);
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn severity(&self) -> Severity {
        self.0.severity
    }

    /// What it finds, in a line.
    ///
    /// ```
    /// assert!(unthink::rules().all(|rule| !rule.finds().contains('\n')));
    /// ```
    pub fn finds(&self) -> &'static str {
        self.0.finds
    }

    /// Why that matters, in plain sentences.
    ///
    /// ```
    /// assert!(unthink::rules().all(|rule| rule.why().ends_with('.')));
    /// ```
    pub fn why(&self) -> &'static str {
        self.0.why
    }

    /// What to do about it, in plain sentences.
    ///
    /// ```
    /// assert!(unthink::rules().all(|rule| rule.fix().ends_with('.')));
    /// ```
    pub fn fix(&self) -> &'static str {
        self.0.fix
    }

    /// Whether it is in force unless rules are selected.
    ///
    /// ```
    /// assert!("UT103".parse::<unthink::RuleInfo>()?.is_default());
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn is_default(&self) -> bool {
        self.0.default
    }

    /// Whether [`strip`](crate::strip()) removes what it finds.
    ///
    /// ```
    /// assert!("UT105".parse::<unthink::RuleInfo>()?.is_fixable());
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn is_fixable(&self) -> bool {
        self.0.fixable
    }

    /// The member of [`CheckOptions`](crate::CheckOptions) without which it is not in force. `None`: it needs none.
    ///
    /// ```
    /// assert_eq!("UT216".parse::<unthink::RuleInfo>()?.needs(), Some("capabilities"));
    /// # Ok::<(), unthink::InvalidOption>(())
    /// ```
    pub fn needs(&self) -> Option<&'static str> {
        Some(match self.0.needs?.option {
            RuleOption::Policy => "policy",
            RuleOption::Capability => "capabilities",
            RuleOption::MaxMessages => "max_messages",
            RuleOption::MaxReasoningTokens => "max_reasoning_tokens",
            RuleOption::MaxRatio => "max_ratio",
            // No rule of this table is about a target.
            RuleOption::Target => return None,
        })
    }
}
