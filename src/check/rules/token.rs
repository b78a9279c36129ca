//! UT104: tokens of the model in an answer.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT104",
    name: "service-token",
    finds: "a service token, a channel marker or what is left of one in visible text",
    why: "Tokens such as <|channel|> part the messages of a model. Where one is visible, or left its word behind (assistantfinal), the raw output was not parsed, and reasoning may stand beside it.",
    fix: "Read the raw output of the model again with a program that knows its tokens, such as unthink split.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"content\":\"Rain by noon.<|end|>\"}",
        "{\"role\":\"assistant\",\"content\":\"analysisWe need the weather.assistantfinalRain by noon.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain by noon.|final\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"The analysis is final.\"}",
        "{\"role\":\"assistant\",\"content\":\"`<|end|>` ends a message.\"}",
        "{\"role\":\"assistant\",\"content\":\"| a | final |\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    hits.extend(case.service_tokens().iter().map(|at| Hit::new(at.clone(), "a service token, or what is left of one")));
}
