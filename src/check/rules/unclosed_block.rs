//! UT202: a block without an end.

use crate::check::{Hit, MarkKind, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT202",
    name: "unclosed-block",
    finds: "a block of reasoning that is never closed",
    why: "A block that is never closed was mostly cut off by a limit. Where the reasoning ends, and whether an answer follows, is not known.",
    fix: "Ask for the answer again with a higher limit; --unclosed says what such a block means.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"<think>Rain, or snow?\"}"],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<think>Rain, or snow?</think>Rain.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain. I think < so\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    for mark in case.marks.iter().filter(|mark| mark.kind == MarkKind::Unclosed) {
        hits.push(Hit::new(mark.at.clone(), "a block of reasoning that is never closed"));
    }
}
