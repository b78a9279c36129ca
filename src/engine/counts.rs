//! What was found in an input: counts, the records that were not understood, and what a user can do about them.

use super::Engine;
use crate::dialect::{DIALECTS, remedy};
use crate::error::ErrorKind;
use crate::frame::Framing;
use crate::out::Output;
use std::ops::Range;

/// A record that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of the record, from 1.
    pub record: u64,
    /// Offset of the first wrong byte in the input, from 0.
    pub offset: u64,
    /// What kind of an error it is.
    pub kind: ErrorKind,
    /// The error, as a sentence.
    pub what: String,
    /// Its bytes were left out. If false, they are written already, or were not bad.
    pub skipped: bool,
    /// If it may hold reasoning and is in no format that is read: where, as a JSON Pointer.
    pub suspect: Option<String>,
    /// The bytes are not valid in their framing, which may be the wrong one.
    pub misread: bool,
    /// The record is counted already, for another problem before this one.
    pub again: bool,
}

impl Counts {
    /// The bad records that are neither valid nor suspect.
    #[cfg(feature = "cli")]
    pub fn damaged(&self) -> u64 {
        self.bad - self.refused - self.declined
    }
}

/// A count for each dialect, in the order of [`DIALECTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByDialect(pub [u64; DIALECTS.len()]);

// An array of this length has no default.
impl Default for ByDialect {
    fn default() -> Self {
        Self([0; DIALECTS.len()])
    }
}

/// What was found of tags and headers in texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagCounts {
    /// Delimiters between parts of an answer that were removed.
    pub markers: u64,
    /// Closing tags without a block.
    pub strays: u64,
    /// The bytes of such tags.
    pub stray_bytes: u64,
    /// Blocks that were never closed.
    pub unclosed: u64,
    /// Closing tags without an opening one: the text before them is reasoning.
    pub unopened: u64,
    /// Bytes of blocks without an opening or a closing tag.
    pub unpaired_bytes: u64,
    /// Messages in an unknown channel, which were read as reasoning.
    pub channels: u64,
    /// Messages that look like Harmony without its tokens.
    pub lost: u64,
}

/// What was found in an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records, good and bad.
    pub records: u64,
    /// Records that were not understood, and were not processed.
    pub bad: u64,
    /// Among the bad ones, those that may contain reasoning, and are in no format that is read.
    pub refused: u64,
    /// Among the bad ones, those that are valid, and refused for what they say: a target cannot hold it, or something in
    /// it can be read in two ways.
    pub declined: u64,
    /// Records without reasoning that are in no format that is read.
    pub foreign: u64,
    /// Records that may contain reasoning, and are in no format that is read: those refused, and those that pass.
    pub suspect: u64,
    /// Records that contain a conversation, a response or a message, by dialect.
    pub known: ByDialect,
    /// Messages.
    pub messages: u64,
    /// What was found of tags and headers in texts.
    pub tags: TagCounts,
    /// The offset of the first byte of raw text that is not UTF-8, for an output that shows text.
    pub wrong: Option<u64>,
    /// The framing was detected by the first bytes, not named by the user.
    pub guessed: bool,
    /// Bytes of input.
    pub bytes: u64,
}

/// How many bytes of such records are searched for a way out. Records of a file are alike.
const MAX_SEARCHED_BYTES: usize = 16 << 20;

/// The options that take out what may be reasoning in records that are not read.
#[derive(Default)]
pub(super) struct Advice {
    options: Vec<String>,
    /// For how many records they were looked for, and how many bytes those have.
    records: u64,
    bytes: usize,
    /// No option takes it out of one of the records.
    has_none: bool,
}

impl<O: Output> Engine<O> {
    /// Looks for the options that take out what may be reasoning in the record that was refused last.
    #[cold]
    pub(super) fn advise(&mut self, body: &Range<usize>) {
        let last = self.found.problems.last().and_then(|problem| problem.suspect.as_deref());
        let (Some(place), advice) = (last, &mut self.found.advice) else { return };
        advice.records += 1;
        if advice.has_none || advice.bytes > MAX_SEARCHED_BYTES {
            return;
        }
        advice.bytes += body.len();
        let options = match self.framing {
            Some(Framing::Csv | Framing::Tsv) => remedy::column(place),
            _ => remedy::remedies(&self.tags, &self.buffer.bytes[body.clone()], place),
        };
        advice.has_none = options.is_empty();
        for option in options {
            if !advice.options.contains(&option) {
                advice.options.push(option);
            }
        }
    }

    /// The options of `strip` that take out what may be reasoning in records that are not read, as words for a shell. Empty
    /// if no options do that for all of these records, or if others were not understood.
    #[cfg(feature = "cli")]
    pub fn remedies(&self) -> &[String] {
        let (advice, counts) = (&self.found.advice, &self.found.counts);
        let all = !advice.has_none && advice.records == counts.refused && counts.refused == counts.bad;
        if all { &advice.options } else { &[] }
    }
}
