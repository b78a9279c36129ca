//! UT402: a message with too large a share of reasoning.

use crate::check::{At, Hit, MessageCase, Rule, RuleNeed, RuleOption, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT402",
    name: "max-ratio",
    finds: "a larger share of reasoning than --max-ratio allows",
    why: "Where most of what is paid for is never read, the model or its effort may be the wrong one.",
    fix: "Lower the effort of the model, or raise the limit.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: RuleNeed::of(RuleOption::MaxRatio, "0.5"),
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"None.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"Rain?\",\"content\":\"Rain by noon, snow in the evening.\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let (reasoning, visible) = case.tokens;
    let share = reasoning as f64 / (reasoning + visible).max(1) as f64;
    if let Some(most) = case.options.max_ratio.filter(|most| share > *most) {
        hits.push(Hit {
            at: At::Message,
            what: format!("{share:.2} of the tokens are reasoning, of {most:.2} that are allowed"),
        });
    }
}
