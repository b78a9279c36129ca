//! The first pass over a text, so that the second need not buffer it: with hindsight, no text can be sent before its
//! first delimiter, and an opening tag inside of a line counts only if a closing one follows.

use super::marks::Tags;
use super::scanner::{Beginning, Options, Scanned, TagScanner};

/// What a first pass found out about a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBeginning {
    /// What it begins with.
    pub beginning: Beginning,
    /// No delimiter that can close a block begins at this offset or behind it.
    pub no_close_from: u64,
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
            Some(Beginning::Reasoning { from, at, end, row, .. }) => {
                Beginning::Reasoning { from, at, end, row, late: true }
            }
            beginning => beginning.unwrap_or(Beginning::Visible),
        }
    }

    /// Whether the next text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.scanner.thinks()
    }
}
