//! UT214: a message of reasoning in a sequence that has ended.

use crate::agents::sequences::Inconsistency;
use crate::check::{At, Hit, Rule, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT214",
    name: "after-conclusion",
    finds: "a message of reasoning in a sequence that has ended",
    why: "Who has shown the conclusion may not show what comes behind it. The conclusion that acknowledges a cancellation is none of these.",
    fix: "Begin another sequence for what comes to mind later.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: None,
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\",\"payload\":{\"message\":\"Or snow?\"}}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.cancel\",\"from\":\"b\",\"context\":\"s\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.inconsistency == Some(Inconsistency::Late) {
        hits.push(Hit { at: At::Message, what: "the sequence had ended before".into() });
    }
}
