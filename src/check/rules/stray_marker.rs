//! UT203: a delimiter without a block.

use crate::check::{Hit, MarkKind, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT203",
    name: "stray-marker",
    finds: "a closer or a marker that belongs to no block",
    why: "A delimiter without its other half shows that text was taken out or cut off beside it.",
    fix: "Look at the raw output for what stood there.",
    severity: Severity::Warning,
    fixable: false,
    default: false,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"Rain by noon.</think> Bring a coat.\"}"],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<think>Rain?</think>Bring a coat.\"}",
        "{\"role\":\"assistant\",\"content\":\"Bring a coat.\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    for mark in case.marks.iter().filter(|mark| matches!(mark.kind, MarkKind::Close | MarkKind::Stray)) {
        hits.push(Hit::new(mark.at.clone(), "a delimiter that belongs to no block"));
    }
}
