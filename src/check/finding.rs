//! Findings: rule, place and length.

use super::Rule;
use std::ops::Range;

/// Something that a rule found.
#[derive(Clone, Debug)]
pub struct RuleFinding {
    /// The rule.
    pub rule: &'static Rule,
    /// The number of the record, from 1.
    pub record: u64,
    /// The number of the message in its conversation, from 1; `None` if the finding is about a record.
    pub message: Option<u64>,
    /// The place of the text in its record, as a JSON Pointer; `None` if the input is a text.
    pub pointer: Option<String>,
    /// The line of the file, from 1.
    pub line: u64,
    /// The column in that line, in characters, from 1.
    pub column: u64,
    /// The range of bytes in the file.
    pub bytes: Range<u64>,
    /// The range of characters in the decoded visible text of the message, from 0.
    pub chars: Option<Range<u64>>,
    /// What was found, in a plain sentence without a word of the input, and without a full stop.
    pub what: String,
    /// Identifies the finding, even if it moves within or between files: 32 hexadecimal digits. It depends on the rule,
    /// on the folded text that was found, and on how many findings with the same text came before in the file.
    pub fingerprint: String,
    /// The text that was found, if the options ask for it. It is text of the input, with whatever is in it.
    pub excerpt: Option<Excerpt>,
}

/// The text of a finding, and the text around it in its line.
///
/// ```
/// use unthink::{CheckOptions, Excerpt, check};
///
/// let log = br#"{"role":"assistant","content":"Rain by noon.</think> Bring a coat."}"#;
/// let done = check(log, &CheckOptions::default().excerpts(true))?;
/// let excerpt: &Excerpt = done.findings[0].excerpt.as_ref().unwrap();
/// assert_eq!((excerpt.text.as_str(), excerpt.after.as_str()), ("</think>", " Bring a coat."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// The text before it in its line, at most 40 characters.
    pub before: String,
    /// The text that was found, at most 200 characters.
    pub text: String,
    /// It was longer than that.
    pub cut: bool,
    /// The text behind it in its line, at most 40 characters.
    pub after: String,
}

impl RuleFinding {
    /// How many characters of the visible text were found.
    pub fn length(&self) -> u64 {
        self.chars.as_ref().map_or(0, |chars| chars.end - chars.start)
    }
}
