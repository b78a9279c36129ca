//! Which rules are in force, and the options without which a rule finds nothing.

use super::{RULES, Rule, RuleOptions};

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

/// Which rules the user names.
#[derive(Clone, Debug, Default)]
pub struct RuleChoice {
    /// The rules to use. `None`: those of the default, and those whose option is given.
    pub selected: Option<Vec<&'static Rule>>,
    /// The rules to leave out.
    pub ignored: Vec<&'static Rule>,
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

    /// Puts rules in force. One that needs an option is in force only with it, and then without being named. Returns
    /// whether any is in force.
    pub fn put_in_force(&mut self, choice: &RuleChoice, judged: bool) -> bool {
        let has = |rules: &[&Rule], rule: &Rule| rules.iter().any(|other| other.code == rule.code);
        let in_force = |rule: &&Rule| {
            let given = rule.needs.map(|need| self.has(need.option, judged));
            let wanted = match &choice.selected {
                None => given.unwrap_or(rule.default),
                Some(selected) => has(selected, rule) && given.unwrap_or(true),
            };
            wanted && !has(&choice.ignored, rule)
        };
        self.rules = RULES.iter().filter(in_force).collect();
        !self.rules.is_empty()
    }

    /// Whether a rule is in force.
    pub fn uses(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|other| other.code == rule.code)
    }
}
