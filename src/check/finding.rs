//! A finding: which rule, where, and how long.

use super::Rule;
use std::ops::Range;

/// Something that a rule found.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// The record, from 1.
    pub record: u64,
    /// The message within its conversation, from 1; none where the finding is about a record.
    pub message: Option<u64>,
    /// Where the text stands in its record, as a JSON Pointer; none where the input is a text.
    pub pointer: Option<String>,
    /// The line of the file, from 1.
    pub line: u64,
    /// The column, from 1, in characters of the file's line.
    pub column: u64,
    /// The bytes of the file from the first that was found to the last.
    pub bytes: Range<u64>,
    /// The same in the decoded visible text of the message, in characters from 0.
    pub chars: Option<Range<u64>>,
    /// What was found, in a plain sentence without a word of the input, and without a full stop.
    pub what: String,
    /// Names the finding wherever it stands in whatever file: 32 hexadecimal digits. It depends on the rule, on the
    /// folded text that was found, and on how many findings with the same text came before it in the file.
    pub fingerprint: String,
    /// The text that was found, if the options ask for it. It is text of the input, with whatever is in it.
    pub excerpt: Option<Excerpt>,
}

/// The text of a finding in its line of the visible text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// What stands before it in its line, at most 40 characters.
    pub before: String,
    /// What was found, at most 200 characters.
    pub text: String,
    /// It was longer than that.
    pub cut: bool,
    /// What stands behind it in its line, at most 40 characters.
    pub after: String,
}

impl Finding {
    /// How many characters of the visible text were found.
    pub fn length(&self) -> u64 {
        self.chars.as_ref().map_or(0, |chars| chars.end - chars.start)
    }
}
