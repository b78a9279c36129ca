//! Which rules are in force, and the options without which a rule finds nothing.

use super::rules::select;
use super::{RULES, Rule, RuleOptions};
use crate::nearest::meant;

/// An option without which a rule finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleOption {
    /// Which reasoning must not be there.
    Policy,
    /// What agents may send.
    Capability,
    /// How long a sequence may be.
    MaxMessages,
    /// How much reasoning a message may have.
    MaxReasoningTokens,
    /// Which share of reasoning a message may have.
    MaxRatio,
    /// Who is asked: for the rules of providers ([`accept`](crate::accept)).
    Target,
}

impl RuleOption {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            RuleOption::Policy => "--policy",
            RuleOption::Capability => "--capability",
            RuleOption::MaxMessages => "--max-messages",
            RuleOption::MaxReasoningTokens => "--max-reasoning-tokens",
            RuleOption::MaxRatio => "--max-ratio",
            RuleOption::Target => "--target",
        }
    }
}

/// What a rule needs of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleNeed {
    /// The option.
    pub option: RuleOption,
    /// A value with which the inputs of [`Rule::matches`] have a finding. `None`: the rule has no such inputs.
    pub example: Option<&'static str>,
}

impl RuleNeed {
    /// A need, with a value for the examples.
    pub(super) const fn of(option: RuleOption, example: &'static str) -> Option<Self> {
        Some(Self { option, example: Some(example) })
    }

    /// The need of the rules of a provider.
    pub(crate) const TARGET: Option<Self> = Some(Self { option: RuleOption::Target, example: None });

    /// The option, and the value.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.option.name()).chain(self.example)
    }
}

/// What is asked of the rules: the type from which the command line and the functions of the crate make their options, so
/// that an option means the same to both.
#[derive(Clone, Debug)]
pub struct RuleRequest<'a> {
    /// The rules to use: codes, prefixes of codes, or names. Empty: those of the default, and those whose option is given.
    pub selected: &'a [String],
    /// The rules to leave out.
    pub ignored: &'a [String],
    /// There is a policy: which reasoning must not be there.
    pub judged: bool,
    /// The settings of the rules. Which of them are in force is decided here.
    pub settings: RuleOptions,
}

/// Why rules cannot be put in force as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleRequestError {
    /// No rule has a name that was selected.
    Selected(NoRule),
    /// No rule has a name that was ignored.
    Ignored(NoRule),
    /// The least length of a passage is less than [`PASSAGES`].
    Passage,
    /// The percentage of a duplicate is not in [`PERCENT`].
    Percent,
    /// The share of reasoning is not from 0 to 1.
    Ratio,
    /// No rule is in force.
    None,
}

/// A word that is no rule, and what may be meant, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRule {
    /// The word.
    pub name: String,
    /// What may be meant: empty, or with a space before it.
    pub near: String,
}

/// The least length of a shared passage that can be asked for, in characters.
pub const PASSAGES: u64 = 8;

/// The percentages of reasoning that can be asked for.
pub const PERCENT: std::ops::RangeInclusive<u8> = 1..=100;

/// The rules that a word selects.
///
/// # Errors
/// When there are none.
pub fn named(word: &str) -> Result<Vec<&'static Rule>, NoRule> {
    let rules = select(word);
    if rules.is_empty() {
        let near = meant(word, RULES.iter().flat_map(|rule| [rule.code, rule.name]));
        return Err(NoRule { name: word.to_string(), near });
    }
    Ok(rules)
}

/// The rules that some words select.
fn all(words: &[String]) -> Result<Vec<&'static Rule>, NoRule> {
    let rules: Result<Vec<_>, NoRule> = words.iter().map(|word| named(word)).collect();
    Ok(rules?.concat())
}

impl RuleRequest<'_> {
    /// The options for it.
    ///
    /// # Errors
    /// When a name is that of no rule, a setting cannot be, or no rule is in force.
    pub fn options(self) -> Result<RuleOptions, RuleRequestError> {
        let selected = all(self.selected).map_err(RuleRequestError::Selected)?;
        let ignored = all(self.ignored).map_err(RuleRequestError::Ignored)?;
        let mut options = self.settings;
        if (options.passage as u64) < PASSAGES {
            return Err(RuleRequestError::Passage);
        }
        if !PERCENT.contains(&options.duplicate_percent) {
            return Err(RuleRequestError::Percent);
        }
        if options.max_ratio.is_some_and(|ratio| !(0.0..=1.0).contains(&ratio)) {
            return Err(RuleRequestError::Ratio);
        }
        let selected = (!self.selected.is_empty()).then_some(selected);
        options.put_in_force(selected.as_deref(), &ignored, self.judged);
        if options.rules.is_empty() { Err(RuleRequestError::None) } else { Ok(options) }
    }
}

impl RuleOptions {
    /// Whether the user has given an option. `judged`: there is a policy.
    pub fn has(&self, option: RuleOption, judged: bool) -> bool {
        match option {
            RuleOption::Policy => judged,
            RuleOption::Capability => !self.capabilities.is_empty(),
            RuleOption::MaxMessages => self.max_messages.is_some(),
            RuleOption::MaxReasoningTokens => self.max_reasoning_tokens.is_some(),
            RuleOption::MaxRatio => self.max_ratio.is_some(),
            RuleOption::Target => false,
        }
    }

    /// Puts rules in force. One that needs an option is in force only with it, and then without being named.
    fn put_in_force(&mut self, selected: Option<&[&Rule]>, ignored: &[&Rule], judged: bool) {
        let has = |rules: &[&Rule], rule: &Rule| rules.iter().any(|other| other.code == rule.code);
        let in_force = |rule: &&Rule| {
            let given = rule.needs.map(|need| self.has(need.option, judged));
            let wanted = match selected {
                None => given.unwrap_or(rule.default),
                Some(selected) => has(selected, rule) && given.unwrap_or(true),
            };
            wanted && !has(ignored, rule)
        };
        self.rules = RULES.iter().filter(in_force).collect();
    }

    /// Whether a rule is in force.
    pub fn uses(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|other| other.code == rule.code)
    }
}
