//! Text that is visible, whatever follows it: nothing waits before it, and no delimiter begins in it. An output that only asks
//! what goes needs no pieces of it.

use super::TextReader;

impl TextReader {
    /// Whether the next text is that, if it is this one.
    pub fn passes(&self, text: &[u8]) -> bool {
        let waits = !self.places.is_empty() || self.newline.is_some() || self.last_newline || self.early.is_some();
        let within = self.fresh || self.within.is_some() || self.quotation.is_some();
        !waits && !within && !self.seam.is_behind_block() && self.scanner.passes(text)
    }

    /// Reads such a text.
    pub fn pass(&mut self, text: &[u8]) {
        self.len += text.len() as u64;
        self.seam.visible(text);
        self.scanner.pass(text);
    }
}
