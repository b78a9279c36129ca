//! Errors that a provider wrote in place of an answer (SPEC section 4): they are told, since an output of answers does
//! not show them.

use super::JsonReader;
use crate::dialect::formats::shared::provider_error;
use crate::frame::Body;

/// The most characters of an error's message that are told.
const MOST: usize = 200;

impl JsonReader<'_> {
    /// The error that a record is, if the output asks for it: where it begins in the input, and what it says.
    #[inline]
    pub fn failure(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        // A record that differs from an earlier one in its texts only is none.
        let may_be_one = self.options.wants.failures && (self.room.error || !self.room.alike);
        if may_be_one && !self.options.is_named() { self.error_in(body) } else { None }
    }

    fn error_in(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        let found = provider_error(body.text)?;
        self.room.error = true;
        let mut what = "an error in place of an answer".to_string();
        for word in [found.kind, found.message] {
            // What may be reasoning is not quoted.
            let search = self.watch.search.as_mut();
            if word.is_empty() || search.is_some_and(|search| search.is_tagged(&word) || search.is_json(&word)) {
                continue;
            }
            let word = String::from_utf8_lossy(&word);
            let line = word.lines().next().unwrap_or_default();
            what = format!("{what}: {}", line.chars().take(MOST).collect::<String>());
        }
        Some((body.offset(found.at), what))
    }
}
