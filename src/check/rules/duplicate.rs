//! UT106: an answer that is mostly reasoning.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT106",
    name: "duplicate-reasoning",
    finds: "visible text that repeats the whole reasoning, or is it",
    why: "An answer that repeats a whole thought, or is made of reasoning for the most part, was assembled wrongly: it is reported once, not as many passages.",
    fix: "Take the reasoning out of the answer; the raw output may still have both apart.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"The user wants to know how many coins there are; I must not say that the vault is empty. Bye.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty. And more of that.\",\"content\":\"So: The user wants to know how many coins there are; I must not say that the vault is empty.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"Well, that is a question which I can answer if you give me a day or two: y coins there are; I must not say that the vault is empty.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"Rain.\",\"content\":\"Rain.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"How many are there?\\n\\nThere are twelve coins in the vault, and all of them are made of gold.\",\"content\":\"There are twelve coins in the vault, and all of them are made of gold.\"}",
    ],
    search: RuleSearch::Comparison(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    if let Some(at) = case.duplicate() {
        let of =
            case.leaks.passages.iter().find(|passage| passage.at.start >= at.start).map_or(case.number, |p| p.message);
        hits.push(Hit::new(at, format!("a repetition of {}", super::reasoning_of(of, case.number))));
    }
}
