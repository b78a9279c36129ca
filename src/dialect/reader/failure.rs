//! Errors that a provider wrote in place of an answer (behaviour.md, section 4): they are told, since an output of
//! answers does not show them.

use super::JsonReader;
use crate::dialect::formats::shared::{ERROR, provider_error};
use crate::frame::Body;

/// The most characters of an error's message that are told.
const MAX_MESSAGE_CHARS: usize = 200;

impl JsonReader {
    /// The error that the record is that was read last, if the output asks for it: where it begins in the input, and what
    /// it says.
    #[inline]
    pub fn failure(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        if let Some(inside) = self.last.inner_error.take() {
            return Some(inside);
        }
        // A record that differs from an earlier one in its texts only is none.
        let may_be_one = self.setup.options.wants.failures && (self.last.error || !self.last.alike);
        if may_be_one && !self.setup.options.is_named() { self.told(body) } else { None }
    }

    /// Notes the error that a record inside of another one is.
    pub(super) fn note_failure(&mut self, body: &Body<'_>) {
        let before = self.last.inner_error.take();
        self.last.inner_error = before.or_else(|| self.failure(body));
    }

    fn told(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        // What the walk found to be messages of a list is no error, and most of the record.
        let outside = self.record.as_ref().filter(|_| self.last.by_chat);
        let outside = outside.map(|record| record.outside(body.text.len()));
        if outside.is_some_and(|outside| !outside.into_iter().any(|at| ERROR.may_be_in(&body.text[at]))) {
            return None;
        }
        let found = provider_error(body.text)?;
        self.last.error = true;
        let mut what = "an error in place of an answer".to_string();
        for word in [found.kind, found.message] {
            // What may be reasoning is not quoted.
            let search = self.watch.search.as_mut();
            if word.is_empty() || search.is_some_and(|search| search.is_tagged(&word) || search.is_json(&word)) {
                continue;
            }
            let word = String::from_utf8_lossy(&word);
            let line = word.lines().next().unwrap_or_default();
            what = format!("{what}: {}", line.chars().take(MAX_MESSAGE_CHARS).collect::<String>());
        }
        Some((body.offset(found.at), what))
    }
}
