//! How a text ends so far.

use super::TextReader;

impl TextReader {
    /// Whether a block is open.
    pub fn is_inside(&self) -> bool {
        self.scanner.thinks() || self.scanner.awaits_close()
    }

    /// Its end, if that may be the beginning of a delimiter, or one of which it is not known yet how it stands.
    pub fn waiting(&self) -> &[u8] {
        self.scanner.partial_delimiter()
    }
}
