//! UT103: a tag of reasoning in an answer.

use crate::check::{Hit, MarkKind, MessageCase, Rule, RuleSearch, Severity, VisibleTag};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT103",
    name: "inline-tag",
    finds: "a reasoning tag, whole or orphaned, in visible text",
    why: "A tag that a reader sees was not recognised by the program that shows the answer, and the reasoning beside it is shown, too. A whole block at the beginning of a message is not reported, since many programs store reasoning like that; UT105 finds it. Nor are tags inside code.",
    fix: "Strip the text with unthink strip, and find out which program left the tag.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"content\":\"Rain by noon.</think> Bring a coat.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain. <think>Or snow?</think> Bring a coat.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain. <think>Or snow?\"}",
        "{\"role\":\"assistant\",\"content\":\"&lt;think&gt;Rain&lt;/think&gt; Bring a coat.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain. < / think > Bring a coat.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<think>Rain.</think>Bring a coat.\"}",
        "{\"role\":\"assistant\",\"content\":\"Use `<think>` for that.\"}",
        "{\"role\":\"assistant\",\"content\":\"```\\n<think>\\n```\"}",
        "{\"role\":\"assistant\",\"content\":\"a < b, I think > c\"}",
        "{\"role\":\"assistant\",\"content\":\"Models write \\\"<think>\\\" first.\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    // Service tokens are found by another rule.
    let tokens = case.service_tokens();
    let is_token = |mark: &&VisibleTag| {
        let i = tokens.partition_point(|at| at.end <= mark.at.start);
        mark.kind == MarkKind::Stray && tokens.get(i).is_some_and(|at| at.start < mark.at.end)
    };
    for mark in case.marks.iter().filter(|mark| !is_token(mark)) {
        let what = match mark.kind {
            MarkKind::Block => "a block of reasoning with its tags",
            MarkKind::Unclosed | MarkKind::Open => "an opening tag without a closing one",
            MarkKind::Close => "a closing tag without an opening one",
            MarkKind::Stray => "a tag that belongs to no block",
        };
        hits.push(Hit::new(mark.at.clone(), what));
    }
    hits.extend(case.tags(false).into_iter().map(|at| Hit::new(at, "a tag of reasoning")));
}
