//! UT105: reasoning that the policy removes.

use crate::check::{At, Hit, MessageCase, Rule, RuleNeed, RuleOption, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT105",
    name: "reasoning-present",
    finds: "reasoning where the policy in force says there must be none",
    why: "A transcript that is published, or sent to a provider that refuses it, must not have the reasoning that the policy removes.",
    fix: "Strip it with unthink strip and the same policy.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: RuleNeed::of(RuleOption::Policy, "all"),
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"Rain?\",\"content\":\"Rain.\"}",
        "{\"role\":\"assistant\",\"content\":\"<think>Rain?</think>Rain.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"Rain.\"}",
        "{\"role\":\"user\",\"content\":\"<think>Rain?</think>\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    if case.removed {
        hits.push(Hit { at: At::Reasoning, what: "reasoning that the policy removes".into() });
    }
}
