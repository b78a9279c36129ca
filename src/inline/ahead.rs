//! What a first pass over a text finds, so that the second need not hold it: with hindsight nothing of a text can go out
//! before its first delimiter, and an opener in the middle of a line counts only if a closer follows.

use super::lane::{Found, Lane, Options};
use super::marks::{Hit, Role, Tags};

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
    pub closers: u64,
}

/// Looks for the last delimiter that can close a block.
pub struct LastCloser<'t> {
    tags: &'t Tags,
    text: Vec<u8>,
    /// Offset of `text`.
    base: u64,
    closers: u64,
    /// One of a row was found of which the opener may be missing.
    lacks: bool,
}

impl<'t> LastCloser<'t> {
    /// A search from the start of a text.
    pub fn new(tags: &'t Tags) -> Self {
        Self { tags, text: Vec::new(), base: 0, closers: 0, lacks: false }
    }

    /// More of the text.
    pub fn feed(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.run(false);
    }

    /// Whether there was one.
    pub fn found(&self) -> bool {
        self.closers > 0
    }

    /// The text is over: whether there was one.
    pub fn finds(self) -> bool {
        self.finish().0 > 0
    }

    /// The text is over. Behind what offset there is none, and whether one may end reasoning without an opener.
    pub fn finish(mut self) -> (u64, bool) {
        self.run(true);
        (self.closers, self.lacks)
    }

    fn run(&mut self, eof: bool) {
        let mut scan = 0;
        let done = loop {
            let Some(i) = self.tags.candidate(&self.text, scan, None) else { break self.text.len() };
            match self.tags.at(&self.text, i, eof) {
                Hit::Partial => break i,
                Hit::Yes(mark) if !matches!(mark.role, Role::Open | Role::Nested) => {
                    self.closers = self.base + i as u64 + 1;
                    self.lacks |= mark.role != Role::Close || self.tags.may_lack_open(mark.row);
                }
                // More than an opener is not known yet, so that it may be anything.
                Hit::Attributes => {
                    self.closers = self.base + i as u64 + 1;
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
    lane: Lane<'t>,
}

impl<'t> Ahead<'t> {
    /// At the start of a text.
    pub fn new(tags: &'t Tags, options: Options, closers: Option<u64>) -> Self {
        let mut lane = Lane::new(tags, options);
        lane.closers = closers;
        Self { lane: lane.ahead() }
    }

    /// Goes on where a lane is that holds all of its text.
    pub fn of(lane: Lane<'t>) -> Self {
        Self { lane: lane.ahead() }
    }

    /// More of the text. What it begins with, once that is known.
    pub fn feed(&mut self, text: &[u8]) -> Option<Beginning> {
        self.lane.feed(text, &mut |_: Found<'_>| ());
        self.lane.notes();
        self.lane.beginning()
    }

    /// The text is over.
    pub fn finish(mut self) -> Beginning {
        self.lane.finish(&mut |_: Found<'_>| ());
        self.lane.beginning().unwrap_or(Beginning::Visible)
    }

    /// Whether the text is in a block of reasoning, whatever follows.
    pub fn thinks(&self) -> bool {
        self.lane.thinks()
    }
}
