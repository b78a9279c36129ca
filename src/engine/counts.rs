//! What was found in an input: counts, and the records that were not understood.

use crate::dialect::DIALECTS;

/// A record that was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its number, from 1.
    pub record: u64,
    /// Offset of the first wrong byte in the input, from 0.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
    /// Its bytes were passed over. Otherwise they are out already, or nothing was wrong with them.
    pub skipped: bool,
    /// It may contain reasoning, and is in no format that is read: where, as a JSON Pointer.
    pub suspect: Option<String>,
    /// The bytes are not in the framing that they were read in, which may be the wrong one.
    pub misread: bool,
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
    /// Records without reasoning that are in no format that is read.
    pub foreign: u64,
    /// Records that may contain reasoning, and are in no format that is read: those refused, and those that pass.
    pub suspect: u64,
    /// Records that contain a conversation, a response or a message, by dialect, in the order of [`DIALECTS`].
    pub known: [u64; DIALECTS.len()],
    /// Messages.
    pub messages: u64,
    /// Tokens that frame an answer, which were removed.
    pub markers: u64,
    /// Closers without a block.
    pub strays: u64,
    /// Their bytes.
    pub stray_bytes: u64,
    /// Blocks that were never closed.
    pub unclosed: u64,
    /// Closers without an opener, before which the message is reasoning.
    pub unopened: u64,
    /// Bytes of the blocks that lack an opener or a closer.
    pub unpaired_bytes: u64,
    /// Messages in an unknown channel, which were taken as reasoning.
    pub channels: u64,
    /// Messages that look like Harmony without its tokens.
    pub lost: u64,
    /// The first byte of raw text that is not UTF-8, for an output that shows text.
    pub wrong: Option<u64>,
    /// Where a text first has a line with reasoning in another format, which passed as text: offset in the input.
    pub other: Option<u64>,
    /// The framing was guessed from the first bytes, not named by the user.
    pub guessed: bool,
    /// Bytes of input.
    pub bytes: u64,
}
