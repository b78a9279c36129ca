//! UT401: a message with too many tokens of reasoning.

use crate::check::{At, Hit, MessageCase, Rule, RuleNeed, RuleOption, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT401",
    name: "max-reasoning-tokens",
    finds: "more reasoning tokens than --max-reasoning-tokens allows",
    why: "Reasoning is paid for, and takes room in the context.",
    fix: "Lower the effort of the model, or raise the limit.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: RuleNeed::of(RuleOption::MaxReasoningTokens, "10"),
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"None.\"}",
    ],
    clean: &["{\"role\":\"assistant\",\"reasoning_content\":\"Rain?\",\"content\":\"Rain.\"}"],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let (reasoning, _) = case.tokens;
    if let Some(most) = case.options.max_reasoning_tokens.filter(|most| reasoning > *most) {
        hits.push(Hit {
            at: At::Message,
            what: format!("{reasoning} tokens of reasoning, of {most} that are allowed"),
        });
    }
}
