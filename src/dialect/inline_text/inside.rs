//! Whether a text may go on with reasoning where it ends so far.

use super::TextReader;

impl TextReader {
    /// Whether a block is open, or the text ends with what may be the beginning of a delimiter.
    pub fn is_inside(&self) -> bool {
        self.scanner.thinks() || self.scanner.awaits_close() || !self.scanner.partial_delimiter().is_empty()
    }
}
