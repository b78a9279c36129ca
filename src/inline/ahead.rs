//! The first pass over a text, so that the second need not buffer it: with hindsight, no text can be sent before its
//! first delimiter, and an opening tag inside of a line counts only if a closing one follows.

use super::marks::{MarkHit, MarkRole, Tags};
use super::scanner::{Doubt, Options, Scanned, TagScanner};

/// What a text begins with, decided by its first delimiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Visible text, or a block with an opening delimiter.
    Visible,
    /// Reasoning without an opening delimiter.
    Reasoning {
        /// Where the closing delimiter begins, as an offset in the text.
        at: u64,
        /// Where the closing delimiter ends.
        end: u64,
        /// The row of the closing delimiter.
        row: usize,
        /// This is only known at the end of the text.
        late: bool,
    },
    /// A delimiter of which it is not certain whether it is used comes before anything else.
    Undecided {
        /// Where it begins, as an offset in the text.
        at: u64,
        /// Why it is not certain.
        doubt: Doubt,
    },
}

/// What a first pass found out about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBeginning {
    /// What it begins with.
    pub beginning: Beginning,
    /// No delimiter that can close a block begins at this offset or behind it.
    pub no_close_from: u64,
}

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

/// Reads the start of a text without keeping its bytes.
pub struct Ahead {
    scanner: TagScanner,
}

impl Ahead {
    /// At the start of a text.
    pub fn new(tags: &Tags, options: Options, no_close_from: Option<u64>) -> Self {
        Self { scanner: TagScanner::new(tags, options).no_close_behind(no_close_from).ahead() }
    }

    /// Continues a scanner that has sent no text yet.
    pub fn of(scanner: TagScanner) -> Self {
        Self { scanner: scanner.ahead() }
    }

    /// Reads more of the text. Returns what it begins with, once that is known.
    pub fn feed(&mut self, text: &[u8]) -> Option<Beginning> {
        self.scanner.feed(text, &mut |_: Scanned<'_>| ());
        self.scanner.notes();
        self.scanner.beginning()
    }

    /// Ends the text.
    pub fn finish(mut self) -> Beginning {
        self.scanner.finish(&mut |_: Scanned<'_>| ());
        match self.scanner.beginning() {
            Some(Beginning::Reasoning { at, end, row, .. }) => Beginning::Reasoning { at, end, row, late: true },
            beginning => beginning.unwrap_or(Beginning::Visible),
        }
    }

    /// Whether the next text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.scanner.thinks()
    }
}
