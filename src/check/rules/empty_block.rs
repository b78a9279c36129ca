//! UT204: a block without text.

use crate::check::{At, Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT204",
    name: "empty-block",
    finds: "a block of reasoning with nothing in it",
    why: "Some models write an empty block where they do not reason. It says nothing, and a reader of tags may show it.",
    fix: "Strip it with unthink strip.",
    severity: Severity::Warning,
    fixable: true,
    default: false,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"<think>\\n\\n</think>\\n\\nRain.\"}"],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<think>Rain?</think>Rain.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain.\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    if case.empty {
        hits.push(Hit { at: At::Empty, what: "a block of reasoning without text".into() });
    }
}
