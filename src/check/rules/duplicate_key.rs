//! UT304: a duplicate key in an object.

use crate::check::{Hit, Rule, RuleSearch, Severity};

/// The row.
pub const RULE: Rule = Rule {
    code: "UT304",
    name: "duplicate-key",
    finds: "a key that an object has twice",
    why: "Which of the two counts depends on the program that reads them: one may show what the other hides.",
    fix: "Write the object again with one of them.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"content\":\"Rain.\",\"content\":\"Snow.\"}",
        "{\"role\":\"assistant\",\"content\":\"Rain.\",\"c\\u006fntent\":\"Snow.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"Rain.\",\"a\":{\"content\":\"Snow.\"},\"b\":[{\"content\":1},{\"content\":2}]}",
    ],
    search: RuleSearch::Record(search),
};

fn search(record: &[u8], hits: &mut Vec<Hit>) {
    for at in crate::json::lint::duplicate_keys(record) {
        hits.push(Hit::new(at, "a key that its object has already"));
    }
}
