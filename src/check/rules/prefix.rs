//! UT101: the beginning of the reasoning in an answer.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT101",
    name: "reasoning-prefix",
    finds: "the first 24 characters of the reasoning in the visible text",
    why: "Where an answer has the beginning of the reasoning, the two were mostly separated wrongly, and more of it may follow.",
    fix: "Split the raw output again with unthink split, or take the passage out of the answer.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"Sure. The user wants to know how to count.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"**THE USER WANTS TO KNOW** how?\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"There are no coins in the vault.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"Rain by noon.\",\"content\":\"Rain by noon.\"}",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"The user wants to know how\"},{\"role\":\"assistant\",\"reasoning_content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"The user wants to know how? Ask them.\"}]}",
    ],
    search: RuleSearch::Comparison(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let duplicate = case.duplicate();
    for beginning in &case.leaks.beginnings {
        // A longer passage with the same beginning is a finding already.
        let inside = |at: &std::ops::Range<usize>| at.start <= beginning.at.start && beginning.at.end <= at.end;
        let passages = if case.options.uses(&super::PASSAGE) { case.leaks.passages.as_slice() } else { &[] };
        let known = passages.iter().any(|passage| inside(&passage.at)) || duplicate.as_ref().is_some_and(inside);
        if !known {
            let what = format!("the beginning of {}", super::reasoning_of(beginning.message, case.number));
            hits.push(Hit::new(beginning.at.clone(), what));
        }
    }
}
