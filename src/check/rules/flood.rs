//! UT217: more messages of reasoning in a sequence than --max-messages allows.

use crate::check::{At, Hit, Rule, RuleNeed, RuleOption, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT217",
    name: "flood",
    finds: "more messages of reasoning in a sequence than --max-messages allows",
    why: "An agent that never stops thinking aloud drowns what others say in the same space.",
    fix: "Stop the agent, or raise the limit.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: RuleNeed::of(RuleOption::MaxMessages, "2"),
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\"}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.start\",\"id\":\"t\",\"from\":\"b\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"a\",\"context\":\"s\"}\n{\"kind\":\"reasoning.conclusion\",\"from\":\"b\",\"context\":\"t\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    // Once for each sequence: at the message that exceeds the limit.
    if let Some(most) = case.options.max_messages.filter(|most| !case.is_unclosed && case.messages == most + 1) {
        hits.push(Hit { at: At::Message, what: format!("more than {most} messages of reasoning in this sequence") });
    }
}
