//! UT216: reasoning that an agent must not send.

use crate::check::{At, Hit, Rule, RuleNeed, RuleOption, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT216",
    name: "capability",
    finds: "reasoning that an agent must not send",
    why: "Reasoning fills a space that others share, and may give away what an agent works with. Not every agent may send it.",
    fix: "Take the agent's reasoning out of the space, or allow it with --capability.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: RuleNeed::of(RuleOption::Capability, "a=reasoning/start"),
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\",\"payload\":{\"message\":\"Rain?\"}}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\"}\n{\"kind\":\"reasoning.thought\",\"from\":\"b\",\"context\":\"s\",\"payload\":{\"message\":\"Rain?\"}}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.is_forbidden() {
        hits.push(Hit { at: At::Message, what: "the agent must not send this".into() });
    }
}
