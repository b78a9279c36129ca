//! UT211: a message of reasoning in a context that no start has opened.

use crate::agents::sequences::Inconsistency;
use crate::check::{At, Hit, Rule, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT211",
    name: "unknown-context",
    finds: "a message of reasoning in a context that no start has opened",
    why: "Who shows or hides reasoning by its context cannot tell whose it is. The start may have been lost, or the context may be misspelled.",
    fix: "Send the start first, and use its identifier as the context.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: None,
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"x\",\"payload\":{\"message\":\"Rain?\"}}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\",\"payload\":{\"message\":\"Rain?\"}}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.inconsistency == Some(Inconsistency::Unknown) {
        hits.push(Hit { at: At::Message, what: "no start has opened this context".into() });
    }
}
