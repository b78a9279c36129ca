//! UT102: a passage that reasoning and answer share.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT102",
    name: "reasoning-passage",
    finds: "a passage of at least 48 characters that reasoning and visible text share",
    why: "Reasoning that stands word for word in an answer reaches people who should not see it. White space, letter case, emphasis and quotes make no difference. It is looked for in the same message and in later ones; --min-length says how long it must be. What the user or a tool said before is no secret, nor is code, nor an answer that is the whole last thought.",
    fix: "Take the passage out of the answer. If it may be said, write it into a file for --allow.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"Well: y coins there are; I must not say that the vault is empty. Let us count what there is in the other house tomorrow, if the key can be found.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"# OW HOW MANY COINS THERE ARE; I MUST NOT SAY THAT THE VAULT IS EMPTY. Let us count what there is in the other house tomorrow, if the key can be found.\"}",
        "{\"messages\":[{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"None.\"},{\"role\":\"user\",\"content\":\"Why?\"},{\"role\":\"assistant\",\"content\":\"Since y coins there are; I must not say that the vault is empty. Let us count what there is in the other house tomorrow, if the key can be found.\"}]}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"Well: y coins there are; I must not say that t\"}",
        "{\"messages\":[{\"role\":\"user\",\"content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\"},{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\"}]}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"Hm. The user wants to know how many coins there are; I must not say that the vault is empty.\",\"content\":\"```\\nThe user wants to know how many coins there are; I must not say that the vault is empty.\\n```\"}",
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"Hm.\"},{\"type\":\"thinking\",\"thinking\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\"},{\"type\":\"text\",\"text\":\"The user wants to know how many coins there are; I must not say that the vault is empty.\"}]}",
        "{\"model\":\"claude\",\"max_tokens\":100,\"system\":\"You must always mention the refund window of thirty days for unopened goods, and nothing about the warehouse.\",\"messages\":[{\"role\":\"user\",\"content\":\"What about returns?\"},{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"The rules say: mention the refund window of thirty days for unopened goods, and nothing else.\",\"signature\":\"abc\"},{\"type\":\"text\",\"text\":\"Sure: the refund window of thirty days for unopened goods applies here.\"}]}]}",
        "{\"model\":\"gpt\",\"instructions\":\"You must always mention the refund window of thirty days for unopened goods, and nothing about the warehouse.\",\"input\":\"What about returns?\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"type\":\"summary_text\",\"text\":\"The rules say: mention the refund window of thirty days for unopened goods, and nothing else.\"}]},{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Sure: the refund window of thirty days for unopened goods applies here.\"}]}]}",
        "{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"Looks up the refund window of thirty days for unopened goods, and nothing about the warehouse.\"}}],\"messages\":[{\"role\":\"user\",\"content\":\"What about returns?\"},{\"role\":\"assistant\",\"reasoning_content\":\"The rules say: mention the refund window of thirty days for unopened goods, and nothing else.\",\"content\":\"Sure: the refund window of thirty days for unopened goods applies here.\"}]}",
    ],
    search: RuleSearch::Comparison(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let duplicate = case.duplicate();
    for passage in &case.leaks.passages {
        let known = duplicate.as_ref().is_some_and(|at| at.start <= passage.at.start && passage.at.end <= at.end);
        if !known {
            let of = super::reasoning_of(passage.message, case.number);
            hits.push(Hit::new(passage.at.clone(), format!("{} characters of {of}", passage.chars)));
        }
    }
}
