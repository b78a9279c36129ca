//! Records that are no messages: those that could not be read, and those that say something beside the conversation. A
//! run of them is one step.

use crate::json::text::utf8;
use crate::span::Span;

/// The most bytes of a record that are drawn, and those of a run.
const RECORD: usize = 1 << 14;
const RUN: usize = 1 << 17;

/// A run of records without messages.
#[derive(Debug, Default)]
pub(super) struct Aside {
    pub first: u64,
    pub last: u64,
    pub count: u64,
    /// What they say, one after the other, as far as that is drawn.
    pub text: String,
    /// The records whose bytes are not copied yet.
    pub spans: Vec<Span>,
}

impl Aside {
    /// Adds what a record says. Long ones are cut, and say so.
    pub fn push(&mut self, record: &[u8]) {
        let record = record.trim_ascii();
        let room = RUN.saturating_sub(self.text.len());
        if room == 0 {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let cut = record.len().min(RECORD).min(room);
        self.text.push_str(&utf8(&record[..cut]));
        if cut < record.len() {
            self.text.push_str(&format!("… and {} more bytes", record.len() - cut));
        }
    }
}
