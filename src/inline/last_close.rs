//! Whether a block can still end: the last delimiter of a text that can close one.

use super::marks::{MarkHit, MarkRole, Tags};

/// Searches for the last delimiter that can close a block.
pub struct LastClose {
    tags: Tags,
    text: Vec<u8>,
    /// The offset of `text` in the whole text.
    base: u64,
    no_close_from: u64,
    /// One was found whose row allows that the opening delimiter is missing.
    lacks: bool,
}

impl LastClose {
    /// A search from the start of a text.
    pub fn new(tags: &Tags) -> Self {
        Self { tags: tags.clone(), text: Vec::new(), base: 0, no_close_from: 0, lacks: false }
    }

    /// Searches more of the text.
    pub fn feed(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.run(false);
    }

    /// Whether one was found so far.
    pub fn found(&self) -> bool {
        self.no_close_from > 0
    }

    /// Ends the text. Returns whether one was found.
    pub fn finds(self) -> bool {
        self.finish().0 > 0
    }

    /// Ends the text. Returns the offset behind which there is none, and whether one may end reasoning without an
    /// opening delimiter.
    pub fn finish(mut self) -> (u64, bool) {
        self.run(true);
        (self.no_close_from, self.lacks)
    }

    fn run(&mut self, eof: bool) {
        let mut scan = 0;
        let done = loop {
            let Some(i) = self.tags.candidate(&self.text, scan, None) else { break self.text.len() };
            match self.tags.at(&self.text, i, eof) {
                MarkHit::Partial => break i,
                MarkHit::Yes(mark) if !matches!(mark.role, MarkRole::Open | MarkRole::Nested) => {
                    self.no_close_from = self.base + i as u64 + 1;
                    self.lacks |= mark.role != MarkRole::Close || self.tags.may_lack_open(mark.row);
                }
                // An incomplete opening tag may turn out to be any delimiter.
                MarkHit::Attributes => {
                    self.no_close_from = self.base + i as u64 + 1;
                    self.lacks = true;
                }
                MarkHit::Yes(_) | MarkHit::No => (),
            }
            scan = i + 1;
        };
        self.text.drain(..done);
        self.base += done as u64;
    }
}
