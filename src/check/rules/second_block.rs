//! UT201: a second block where only one counts.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT201",
    name: "second-block",
    finds: "a second block of reasoning where one counts",
    why: "The reasoning delimiter specification has one block for a message. A second one stays visible.",
    fix: "Join the blocks, or write the second one as text.",
    severity: Severity::Warning,
    fixable: false,
    default: false,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"content\":\"<REASONING>Rain?</REASONING> Rain. <REASONING>Snow?</REASONING> Or snow.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<REASONING>Rain?</REASONING> Rain.\"}",
        "{\"role\":\"assistant\",\"content\":\"<think>Rain?</think> Rain. <think>Snow?</think> Or snow.\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let opener = "<REASONING>";
    if case.blocks > 0
        && let Some(at) = case.text.find(opener)
    {
        hits.push(Hit::new(at..at + opener.len(), "a second block of reasoning, which stays visible"));
    }
}
