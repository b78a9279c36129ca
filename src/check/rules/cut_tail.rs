//! UT302: a record that is cut off.

use crate::check::{Rule, RuleSearch, Severity};
use crate::error::ErrorKind;

/// The row.
pub const RULE: Rule = Rule {
    code: "UT302",
    name: "cut-tail",
    finds: "a last record that is cut off",
    why: "The end of the file is missing: what stood there was not looked through for leaks.",
    fix: "Fetch the file again.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &["data: {\"a\":1", "{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\"assistant\",\"content\":\"Rai"],
    clean: &["{\"role\":\"assistant\",\"content\":\"Rain.\"}"],
    search: RuleSearch::Unread(&[ErrorKind::CutOff]),
};
