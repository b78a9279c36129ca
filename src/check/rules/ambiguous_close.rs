//! UT205: a block that may end in two places.

use crate::check::{Hit, MarkKind, MessageCase, Rule, RuleSearch, Severity, VisibleTag};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT205",
    name: "ambiguous-close",
    finds: "a block whose end depends on how tags are paired",
    why: "Where a closing tag follows a block that is closed already, either of the two may be its end: the reasoning may quote the tag.",
    fix: "Say with --close which of the two ends the block.",
    severity: Severity::Warning,
    fixable: false,
    default: false,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"<think>Rain? I write </think> behind it.</think>Rain.\"}"],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"<think>Rain?</think>Rain.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain.</think>\"}",
    ],
    search: RuleSearch::Message(search),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    let closes = |mark: &&VisibleTag| matches!(mark.kind, MarkKind::Close | MarkKind::Stray);
    if let Some(mark) = case.marks.iter().find(closes).filter(|_| case.blocks > 0) {
        hits.push(Hit::new(mark.at.clone(), "another end of the block before it"));
    }
}
