//! UT303: bytes that are not UTF-8.

use crate::check::{Rule, RuleSearch, Severity};
use crate::error::ErrorKind;

/// The row.
pub const RULE: Rule = Rule {
    code: "UT303",
    name: "invalid-utf8",
    finds: "bytes that are not UTF-8",
    why: "JSON is UTF-8. A record with other bytes was not looked through for leaks.",
    fix: "Convert the file with iconv, or find out what damaged it.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &[],
    clean: &["{\"role\":\"assistant\",\"content\":\"Räin.\"}"],
    search: RuleSearch::Unread(&[ErrorKind::NotUtf8]),
};
