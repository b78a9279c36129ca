//! UT215: a start or an answer of a sequence that does not say what it answers.

use crate::agents::sequences::Inconsistency;
use crate::check::{At, Hit, Rule, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT215",
    name: "missing-correlation",
    finds: "a start or an answer of a sequence that does not say what it answers",
    why: "With several agents at work at a time, nothing else tells which request the reasoning and the answer belong to.",
    fix: "Send the identifier of the request with the start and with the answer.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"payload\":{\"message\":\"Rain?\"}}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":[\"q\"]}\n{\"kind\":\"reasoning.start\",\"id\":\"t\",\"context\":\"s\",\"from\":\"a\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s/t\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.inconsistency == Some(Inconsistency::MissingReference) {
        hits.push(Hit { at: At::Message, what: "does not say what it answers".into() });
    }
}
