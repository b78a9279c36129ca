//! The table of rules (behaviour.md, sections 8 and 11), one file each.

mod after_conclusion;
mod ambiguous_close;
mod bad_json;
mod blank_prompt;
mod capability;
mod cut_tail;
mod duplicate;
mod duplicate_context;
mod duplicate_key;
mod empty_block;
mod flood;
mod invalid_utf8;
mod lone_surrogate;
mod long_prompt;
mod max_ratio;
mod max_tokens;
mod missing_correlation;
mod nested_delegation;
mod passage;
mod prefix;
mod present;
mod second_block;
mod stray_marker;
mod stray_return;
mod tag;
mod token;
mod unclosed_block;
mod unclosed_sequence;
mod undecided;
mod unknown_context;
mod unread;
mod unreturned_delegation;

use super::Rule;
pub use duplicate::RULE as DUPLICATE;
pub use passage::RULE as PASSAGE;
#[cfg(feature = "cli")]
pub use present::RULE as PRESENT;
pub use unreturned_delegation::RULE as UNRETURNED;

/// Every rule, by code.
pub const RULES: &[Rule] = &[
    prefix::RULE,
    passage::RULE,
    tag::RULE,
    token::RULE,
    present::RULE,
    duplicate::RULE,
    unread::RULE,
    undecided::RULE,
    second_block::RULE,
    unclosed_block::RULE,
    stray_marker::RULE,
    empty_block::RULE,
    ambiguous_close::RULE,
    unknown_context::RULE,
    unclosed_sequence::RULE,
    duplicate_context::RULE,
    after_conclusion::RULE,
    missing_correlation::RULE,
    capability::RULE,
    flood::RULE,
    blank_prompt::RULE,
    long_prompt::RULE,
    stray_return::RULE,
    unreturned_delegation::RULE,
    nested_delegation::RULE,
    bad_json::RULE,
    cut_tail::RULE,
    invalid_utf8::RULE,
    duplicate_key::RULE,
    lone_surrogate::RULE,
    max_tokens::RULE,
    max_ratio::RULE,
];

/// The rule with this code or name.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code.eq_ignore_ascii_case(name) || rule.name == name)
}

/// The rules that `name` selects: by a code, a prefix of codes (`UT1`), or a name. Empty if it selects none.
pub fn select(name: &str) -> Vec<&'static Rule> {
    let is_prefix = |rule: &&Rule| {
        let prefix = rule.code.get(..name.len());
        name.len() > 1 && prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(name))
    };
    RULES.iter().filter(|rule| rule.name == name || is_prefix(rule)).collect()
}

/// Names the message with the reasoning, for a finding in the message with this number.
fn reasoning_of(message: u64, number: u64) -> String {
    if message == number { "its reasoning".into() } else { format!("the reasoning of message {message}") }
}

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
            for text in [rule.why, rule.fix] {
                assert!(text.ends_with('.') && !text.contains('\n'), "{}: {text}", rule.code);
            }
            assert!(!rule.finds.is_empty() && !rule.finds.ends_with('.'), "{}", rule.code);
        }
    }

    #[test]
    fn what_is_selected() {
        let codes = |name| select(name).iter().map(|rule| rule.code).collect::<Vec<_>>();
        assert_eq!(codes("UT102"), ["UT102"]);
        assert_eq!(codes("inline-tag"), ["UT103"]);
        assert_eq!(codes("ut3"), ["UT301", "UT302", "UT303", "UT304", "UT305"]);
        assert_eq!(codes("UT"), RULES.iter().map(|rule| rule.code).collect::<Vec<_>>());
        assert!(codes("").is_empty() && codes("U").is_empty() && codes("UT9").is_empty());
        assert_eq!(find("ut104").map(|rule| rule.name), Some("service-token"));
    }
}
