//! UT301: a record that is not JSON.

use crate::check::{Rule, RuleSearch, Severity};
use crate::error::ErrorKind;

/// The row.
pub const RULE: Rule = Rule {
    code: "UT301",
    name: "bad-json",
    finds: "a record that is not JSON",
    why: "A record that cannot be read was not looked through for leaks.",
    fix: "Repair the record, or name the framing with --framing.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"Rain.\",}\n{\"role\":\"user\",\"content\":\"Hi\"}"],
    clean: &["{\"role\":\"assistant\",\"content\":\"Rain.\"}"],
    search: RuleSearch::Unread(&[ErrorKind::Invalid, ErrorKind::TooLong, ErrorKind::Refused]),
};
