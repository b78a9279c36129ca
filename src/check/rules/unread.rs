//! UT107: reasoning that no dialect reads.

use crate::check::{Rule, Search, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT107",
    name: "unread-reasoning",
    finds: "what may be reasoning in a record, or a place of one, that no dialect reads",
    why: "Nothing that no dialect reads was looked through for leaks, and strip does not remove it.",
    fix: "Name the dialect with --from, or report the format to its authors and to us.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: &[],
    matches: &["{\"thinking\":\"The vault is empty, and nobody knows.\"}"],
    clean: &["{\"weather\":\"rain\"}"],
    search: Search::Unread(|_, suspect| suspect),
};
