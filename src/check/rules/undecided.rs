//! UT108: a tag in the middle of a sentence.

use crate::check::{Hit, MessageCase, Rule, RuleSearch, Severity};
use crate::error::ErrorKind;

/// The row.
pub const RULE: Rule = Rule {
    code: "UT108",
    name: "undecided-tag",
    finds: "a tag in the middle of a sentence, of which it is not certain whether it is used or only spoken of",
    why: "If the tag is used, the text around it is reasoning. If it is only spoken of, it is a part of the answer. unthink strip neither keeps nor cuts it unasked, so that it ends with status 3. In a format that has its own place for reasoning such a tag is text to it.",
    fix: "Put the tag in a code span or in quotation marks, or decide with --inline mention or --inline delimiter.",
    severity: Severity::Warning,
    fixable: false,
    default: true,
    needs: None,
    matches: &[
        "{\"role\":\"assistant\",\"content\":\"Use <think> to open, and </think> to close.\"}",
        "{\"role\":\"assistant\",\"content\":\"It has only a closing </think> tag.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"They ask for the weather.\",\"content\":\"Rain, <think> and wind.\"}",
    ],
    clean: &[
        "{\"role\":\"assistant\",\"content\":\"Use `<think>` to open.\"}",
        "{\"role\":\"assistant\",\"content\":\"<think>Rain.</think>Bring a coat.\"}",
        "{\"role\":\"assistant\",\"reasoning_content\":\"They ask for tags.\",\"content\":\"Use `<think>` to open.\"}",
    ],
    search: RuleSearch::Doubts(search, &[ErrorKind::Undecided]),
};

fn search(case: &MessageCase<'_>, hits: &mut Vec<Hit>) {
    hits.extend(case.tags(true).into_iter().map(|at| Hit::new(at, "a tag in the middle of a sentence")));
}
