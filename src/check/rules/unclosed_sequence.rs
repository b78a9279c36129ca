//! UT212: a sequence of reasoning without a conclusion or a cancellation.

use crate::check::{At, Hit, Rule, RuleSearch, SequenceCase, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT212",
    name: "unclosed-sequence",
    finds: "a sequence of reasoning without a conclusion or a cancellation",
    why: "Who waits for the end of the reasoning waits for good. The log may have been cut off, or the agent has failed.",
    fix: "Send a conclusion or a cancellation, also when the agent fails.",
    severity: Severity::Error,
    fixable: true,
    default: true,
    needs: None,
    matches: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\",\"payload\":{\"message\":\"Rain?\"}}\n{\"kind\":\"reasoning.thought\",\"from\":\"a\",\"context\":\"s\",\"payload\":{\"message\":\"Rain.\"}}",
    ],
    clean: &[
        "{\"kind\":\"reasoning.start\",\"id\":\"s\",\"from\":\"a\",\"correlationId\":\"q\",\"payload\":{\"message\":\"Rain?\"}}\n{\"kind\":\"reasoning.cancel\",\"from\":\"b\",\"context\":\"s\"}",
    ],
    search: RuleSearch::Sequence(search),
};

fn search(case: &SequenceCase<'_>, hits: &mut Vec<Hit>) {
    if case.is_unclosed {
        hits.push(Hit { at: At::Message, what: "the sequence that begins here has no end".into() });
    }
}
