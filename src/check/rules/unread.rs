//! UT107: reasoning that no dialect reads.

use crate::check::{Rule, RuleSearch, Severity};
use crate::error::ErrorKind;

/// The row.
pub const RULE: Rule = Rule {
    code: "UT107",
    name: "unread-reasoning",
    finds: "what may be reasoning in a record, or a place of one, that no dialect reads",
    why: "What no dialect reads was not searched for leaks, and `unthink strip` would not remove it.",
    fix: "Name the dialect with --from. If `unthink list dialects` has none that fits, convert the records to one that is read.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &["{\"thinking\":\"The vault is empty, and nobody knows.\"}"],
    clean: &["{\"weather\":\"rain\"}"],
    search: RuleSearch::Unread(&[ErrorKind::Suspect]),
};
