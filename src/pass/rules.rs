//! The table of rules that `check` knows (SPEC sections 8 and 11): stable codes, names, and what each finds.

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code: `UT` and three digits, the first of which is the family.
    pub code: &'static str,
    /// The name.
    pub name: &'static str,
    /// What it finds, in a line.
    pub finds: &'static str,
}

const fn rule(code: &'static str, name: &'static str, finds: &'static str) -> Rule {
    Rule { code, name, finds }
}

/// Every rule, by code.
pub const RULES: &[Rule] = &[
    rule("UT101", "reasoning-prefix", "the first 24 characters of the reasoning in the visible text"),
    rule("UT102", "reasoning-passage", "a passage that reasoning and visible text share"),
    rule("UT103", "inline-tag", "a reasoning tag, whole or orphaned, in visible text"),
    rule("UT104", "service-token", "a service token, a channel marker or what is left of one in visible text"),
    rule("UT105", "reasoning-present", "reasoning where the policy in force says there must be none"),
    rule("UT106", "duplicate-reasoning", "visible text that repeats the whole reasoning"),
    rule("UT201", "second-block", "a second block of reasoning where one counts"),
    rule("UT202", "unclosed-block", "a block of reasoning that is never closed"),
    rule("UT203", "stray-marker", "a closer or a marker that belongs to no block"),
    rule("UT204", "empty-block", "a block of reasoning with nothing in it"),
    rule("UT205", "ambiguous-close", "a block whose end depends on how tags are paired"),
    rule("UT211", "unknown-context", "a message in a context that no reasoning/start opened"),
    rule("UT212", "unclosed-sequence", "a reasoning sequence without its conclusion"),
    rule("UT213", "duplicate-context", "a context that is opened twice"),
    rule("UT214", "after-conclusion", "a thought after the conclusion of its sequence"),
    rule("UT215", "missing-correlation", "a message that says nothing of what it answers"),
    rule("UT216", "capability", "a message that its sender has no capability for"),
    rule("UT217", "flood", "more messages in one reasoning sequence than are allowed"),
    rule("UT221", "blank-agent-prompt", "a delegation whose prompt is blank"),
    rule("UT222", "agent-prompt-too-long", "a delegation whose prompt is longer than 50,000 characters"),
    rule("UT223", "return-without-delegation", "a return of control that nothing was delegated before"),
    rule("UT224", "unreturned-delegation", "a delegation that never returns control"),
    rule("UT225", "nested-delegation", "a delegation inside another one, with its depth"),
    rule("UT301", "bad-json", "a record that is not JSON"),
    rule("UT302", "cut-tail", "a last record that is cut off"),
    rule("UT303", "invalid-utf8", "bytes that are not UTF-8"),
    rule("UT304", "duplicate-key", "a key that an object has twice"),
    rule("UT305", "lone-surrogate", "half of a surrogate pair in a string"),
    rule("UT401", "max-reasoning-tokens", "more reasoning tokens than --max-reasoning-tokens allows"),
    rule("UT402", "max-ratio", "a larger share of reasoning than --max-ratio allows"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_sorted_and_names_are_unique() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        assert_eq!(RULES.iter().map(|r| r.name).collect::<BTreeSet<_>>().len(), RULES.len());
        for rule in RULES {
            assert!(rule.code.len() == 5 && rule.code.starts_with("UT"), "{}", rule.code);
            assert!(rule.code[2..].bytes().all(|b| b.is_ascii_digit()), "{}", rule.code);
            assert!(rule.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'8'), "{}", rule.name);
            assert!(
                !rule.finds.is_empty() && !rule.finds.contains('\n') && !rule.finds.ends_with('.'),
                "{}",
                rule.code
            );
        }
    }
}
