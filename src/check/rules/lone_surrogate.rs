//! UT305: half of a surrogate pair.

use crate::check::{Hit, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT305",
    name: "lone-surrogate",
    finds: "half of a surrogate pair in a string",
    why: "A string was cut in the middle of a character. Many programs refuse the record, others replace the character.",
    fix: "Cut strings between characters where they are made.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &["{\"role\":\"assistant\",\"content\":\"Rain \\ud83c\"}"],
    clean: &["{\"role\":\"assistant\",\"content\":\"Rain \\ud83c\\udf27 \\\\ud83c\"}"],
    search: RuleSearch::Record(search),
};

fn search(record: &[u8], hits: &mut Vec<Hit>) {
    for at in crate::json::lint::lone_surrogates(record) {
        hits.push(Hit::new(at, "half of a surrogate pair"));
    }
}
