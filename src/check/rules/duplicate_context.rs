//! UT213: a start with the identifier of another sequence.

use crate::agents::sequences::Inconsistency;
use crate::check::{At, Hit, Rule, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT213",
    name: "duplicate-context",
    finds: "a start with the identifier of another sequence",
    why: "Identifiers of contexts must be unique: thoughts of the two sequences cannot be told apart.",
    fix: "Give each start an identifier of its own.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: None,
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}\n{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"b\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"b\",\"context\":\"s\"}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.start\",\"id\":\"t\",\"from\":\"b\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"b\",\"context\":\"t\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.inconsistency == Some(Inconsistency::Duplicate) {
        hits.push(Hit { at: At::Message, what: "another sequence has this identifier".into() });
    }
}
