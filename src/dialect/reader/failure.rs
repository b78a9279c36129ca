//! Errors that a provider wrote in place of an answer (SPEC section 4): they are told, since an output of answers does
//! not show them.

use super::JsonReader;
use crate::dialect::formats::shared::provider_error;
use crate::frame::Body;

/// The most characters of an error's message that are told.
const MOST: usize = 200;

impl JsonReader<'_> {
    /// The error that a record is, if the output asks for it: where it begins in the input, and what it says.
    pub fn failure(&mut self, body: &Body<'_>) -> Option<(u64, String)> {
        if !self.options.wants.failures || self.options.is_named() {
            return None;
        }
        let found = provider_error(body.text)?;
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
