//! What a first pass over a text finds, so that the second need not buffer it: with hindsight nothing of a text can go
//! out before its first delimiter, and an opener in the middle of a line counts only if a closer follows.

use super::marks::{Hit, Role, Tags};
use super::scanner::{Found, Options, TagScanner};

/// What a text begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Visible text, or a block with an opener.
    Visible,
    /// Reasoning without an opener: its closer, as offsets in the text, and the row.
    Reasoning {
        /// Where the closer begins.
        at: u64,
        /// Where it ends.
        end: u64,
        /// Its row.
        row: usize,
    },
}

/// What is known of a text before it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// What it begins with.
    pub beginning: Beginning,
    /// No delimiter that can close a block begins at this offset or behind it.
    pub no_close_from: u64,
}

/// Looks for the last delimiter that can close a block.
pub struct LastClose<'t> {
    tags: &'t Tags,
    text: Vec<u8>,
    /// Offset of `text`.
    base: u64,
    no_close_from: u64,
    /// One of a row was found of which the opener may be missing.
    lacks: bool,
}

impl<'t> LastClose<'t> {
    /// A search from the start of a text.
    pub fn new(tags: &'t Tags) -> Self {
        Self { tags, text: Vec::new(), base: 0, no_close_from: 0, lacks: false }
    }

    /// More of the text.
    pub fn feed(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.run(false);
    }

    /// Whether there was one.
    pub fn found(&self) -> bool {
        self.no_close_from > 0
    }

    /// The text is over: whether there was one.
    pub fn finds(self) -> bool {
        self.finish().0 > 0
    }

    /// The text is over. Behind what offset there is none, and whether one may end reasoning without an opener.
    pub fn finish(mut self) -> (u64, bool) {
        self.run(true);
        (self.no_close_from, self.lacks)
    }

    fn run(&mut self, eof: bool) {
        let mut scan = 0;
        let done = loop {
            let Some(i) = self.tags.candidate(&self.text, scan, None) else { break self.text.len() };
            match self.tags.at(&self.text, i, eof) {
                Hit::Partial => break i,
                Hit::Yes(mark) if !matches!(mark.role, Role::Open | Role::Nested) => {
                    self.no_close_from = self.base + i as u64 + 1;
                    self.lacks |= mark.role != Role::Close || self.tags.may_lack_open(mark.row);
                }
                // More than an opener is not known yet, so that it may be anything.
                Hit::Attributes => {
                    self.no_close_from = self.base + i as u64 + 1;
                    self.lacks = true;
                }
                Hit::Yes(_) | Hit::No => (),
            }
            scan = i + 1;
        };
        self.text.drain(..done);
        self.base += done as u64;
    }
}

/// Reads the start of a text without keeping it.
pub struct Ahead<'t> {
    scanner: TagScanner<'t>,
}

impl<'t> Ahead<'t> {
    /// At the start of a text.
    pub fn new(tags: &'t Tags, options: Options, no_close_from: Option<u64>) -> Self {
        Self { scanner: TagScanner::new(tags, options).no_close_behind(no_close_from).ahead() }
    }

    /// Continues a scanner that has sent nothing of its text yet.
    pub fn of(scanner: TagScanner<'t>) -> Self {
        Self { scanner: scanner.ahead() }
    }

    /// More of the text. What it begins with, once that is known.
    pub fn feed(&mut self, text: &[u8]) -> Option<Beginning> {
        self.scanner.feed(text, &mut |_: Found<'_>| ());
        self.scanner.notes();
        self.scanner.beginning()
    }

    /// The text is over.
    pub fn finish(mut self) -> Beginning {
        self.scanner.finish(&mut |_: Found<'_>| ());
        self.scanner.beginning().unwrap_or(Beginning::Visible)
    }

    /// Whether the text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.scanner.thinks()
    }
}
