//! The only file that knows all the stages: bytes come in as they arrive, decided bytes go out.
//!
//! It owns the bytes that are held, and numbers records. It does no I/O: whoever drives it fills [`Engine::space`],
//! says how much came, and writes what is in the [`Sinks`].

mod begin;
mod chain;
mod records;
mod utf8;

pub use chain::Chain;

use crate::dialect::{
    CellReader, DIALECTS, Foreign, JsonReader, RawReader, ReadOptions, Refused, Seen, Suspect, TextLines, UNCLOSED,
    unclosed,
};
use crate::error::Error;
use crate::frame::{Body, Frame, Framer, Framing, Kind, Step, sse, value_ends};
use crate::inline::{Note, Options, Tags, Unclosed};
use crate::model::{Event, Facts, Sink};
use crate::out::{Fate, Output, Placed, Refusal, Sinks, Source};
use crate::span::Span;
use std::collections::VecDeque;
use std::ops::Range;
use utf8::Utf8;

/// How input is read.
#[derive(Clone)]
pub struct EngineOptions {
    /// The framing, or `None` to let the first bytes decide.
    pub framing: Option<Framing>,
    /// How records are read.
    pub read: ReadOptions,
    /// The longest record, and the longest stretch of undecided input, that is held in memory, in bytes.
    pub max_record: usize,
    /// The input ends at the first record that is not understood.
    pub stop: bool,
}

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
    /// It may hold reasoning, and is in no format that is read: where, as a JSON Pointer.
    pub suspect: Option<String>,
}

/// What was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records, good and bad.
    pub records: u64,
    /// Records that were not understood, and were not processed.
    pub bad: u64,
    /// Among the bad ones, those that may hold reasoning, and are in no format that is read.
    pub refused: u64,
    /// Records without reasoning that are in no format that is read.
    pub foreign: u64,
    /// Records that may hold reasoning, and are in no format that is read: those that are refused, and those that pass.
    pub suspect: u64,
    /// Records that hold a conversation, a response or a message, by dialect, in the order of [`DIALECTS`].
    pub known: [u64; DIALECTS.len()],
    /// Messages.
    pub messages: u64,
    /// Delimiters without a block.
    pub strays: u64,
    /// Blocks that were never closed.
    pub unclosed: u64,
    /// Messages in a channel that nobody knows, which were taken as reasoning.
    pub channels: u64,
    /// Messages that look like Harmony without its tokens.
    pub lost: u64,
    /// What the reader saw and could do nothing about.
    pub seen: Seen,
    /// The first byte of raw text that is not UTF-8, for an output that shows text.
    pub wrong: Option<u64>,
    /// Where a text first has a line with reasoning in another format, which passed as text: offset in the input.
    pub other: Option<u64>,
    /// The framing was told by the first bytes, and not by the user.
    pub guessed: bool,
    /// Bytes of input.
    pub bytes: u64,
}

enum Reader<'t> {
    Json(Box<JsonReader<'t>>),
    Raw(Box<RawReader<'t>>),
    Cells(Box<CellReader<'t>>),
}

/// One input on its way through.
pub struct Engine<'t, O> {
    tags: &'t Tags,
    options: Option<ReadOptions>,
    framing: Option<Framing>,
    /// The user said what the framing is.
    strict: bool,
    max_record: usize,
    stop: bool,
    /// What becomes of what may be reasoning, in no format that is read.
    foreign: Foreign,
    buf: Vec<u8>,
    /// Input offset of the first byte of `buf`.
    base: u64,
    /// The next frame begins here in `buf`; bytes have come up to `filled`.
    at: usize,
    filled: usize,
    framer: Framer,
    reader: Option<Reader<'t>>,
    /// Looks for records among the lines of a text.
    watch: Option<Box<TextLines<'t>>>,
    /// So much of the input was looked at for its framing.
    looked: usize,
    /// The output.
    pub output: O,
    /// The frame that is read is bad and longer than `max_record`.
    discarding: bool,
    /// The output needs no byte before this input offset.
    needed: u64,
    /// Nothing more is read.
    over: bool,
    /// What is undecided stays unwritten for good.
    given_up: bool,
    /// The input is a text that is refused if a block in it is not closed.
    refuses: Option<Options>,
    /// Where the records begin that a late note may speak of: offset and number.
    starts: VecDeque<(u64, u64)>,
    /// Events or elements were found.
    payloads: u64,
    counts: Counts,
    problems: Vec<Problem>,
    joined: Vec<u8>,
    lines: Vec<(usize, u64)>,
    /// Of an output that shows text.
    utf8: Option<Utf8>,
}

/// How much is read at once.
const CHUNK: usize = 256 * 1024;

impl<'t, O: Output> Engine<'t, O> {
    /// An engine at the start of an input.
    pub fn new(tags: &'t Tags, mut options: EngineOptions, output: O) -> Self {
        options.read.wants = output.wants();
        Self {
            tags,
            framing: options.framing,
            strict: options.framing.is_some(),
            max_record: options.max_record,
            stop: options.stop,
            foreign: options.read.foreign,
            buf: Vec::new(),
            base: 0,
            at: 0,
            filled: 0,
            framer: Framer::new(Framing::Text, false),
            reader: None,
            watch: None,
            looked: 0,
            output,
            discarding: false,
            needed: 0,
            over: false,
            given_up: false,
            refuses: None,
            starts: VecDeque::new(),
            payloads: 0,
            counts: Counts::default(),
            problems: Vec::new(),
            joined: Vec::new(),
            lines: Vec::new(),
            utf8: options.read.wants.text.then(Utf8::default),
            options: Some(options.read),
        }
    }

    /// Room for the next bytes of input; say how many came with [`Engine::advance`].
    pub fn space(&mut self) -> &mut [u8] {
        if self.buf.len() - self.filled < CHUNK {
            let len = (self.filled + CHUNK).max(self.buf.len() + self.filled / 2).next_multiple_of(CHUNK);
            self.buf.resize(len, 0);
        }
        &mut self.buf[self.filled..]
    }

    /// `n` bytes came into [`Engine::space`]; everything that they decide goes to `sinks`.
    pub fn advance(&mut self, n: usize, sinks: &mut Sinks) {
        self.filled += n;
        self.counts.bytes += n as u64;
        self.work(false, sinks);
    }

    /// Takes in bytes from a slice.
    pub fn push(&mut self, mut bytes: &[u8], sinks: &mut Sinks) {
        while !bytes.is_empty() {
            let space = self.space();
            let n = bytes.len().min(space.len());
            space[..n].copy_from_slice(&bytes[..n]);
            self.advance(n, sinks);
            bytes = &bytes[n..];
        }
    }

    /// The input is over; the rest goes to `sinks`.
    pub fn finish(&mut self, sinks: &mut Sinks) {
        self.work(true, sinks);
        if self.given_up {
            return;
        }
        if let Some(utf8) = &mut self.utf8 {
            utf8.finish(self.base + self.at as u64);
            self.counts.wrong = utf8.wrong;
        }
        match &mut self.reader {
            Some(Reader::Json(reader)) => reader.finish(&mut self.output),
            Some(Reader::Raw(reader)) => {
                reader.finish(&mut self.output);
                self.counts.other = reader.other();
            }
            Some(Reader::Cells(_)) | None => (),
        }
        self.notes();
        if self.framing == Some(Framing::Sse) && self.payloads == 0 && self.framer.is_strange() {
            self.problem(0, "no event: this is not an event stream", false);
        }
        self.output.finish();
        self.drain(sinks);
    }

    /// The input cannot be read further, for a reason of its own: what is not complete is not understood.
    pub fn abort(&mut self, what: &str, sinks: &mut Sinks) {
        self.problem(self.base + self.filled as u64, what, true);
        self.over = true;
        self.finish(sinks);
    }

    /// The rest of the input cannot be had, for no fault of its own: what is not complete is given up in silence.
    pub fn cut(&mut self, sinks: &mut Sinks) {
        self.over = true;
        self.given_up = true;
        self.drain(sinks);
    }

    /// The framing, once it is known.
    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// What was seen so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The records that were not understood since the last call.
    pub fn problems(&mut self) -> Vec<Problem> {
        for Refusal { record, offset, what } in self.output.refused() {
            self.counts.bad += 1;
            self.problems.push(Problem { record, offset, what, skipped: true, suspect: None });
        }
        std::mem::take(&mut self.problems)
    }

    /// Nothing more will be read: the rest of the input need not be offered.
    pub fn is_over(&self) -> bool {
        self.over
    }

    fn work(&mut self, eof: bool, sinks: &mut Sinks) {
        if self.over {
            self.at = self.filled;
        }
        if self.reader.is_none() && !self.over && !self.begin(eof) {
            return;
        }
        if let Some(inline) = self.refuses.filter(|_| !self.over) {
            if !eof {
                return self.too_long();
            }
            self.refuses = None;
            self.must_close(inline);
        }
        while !self.over {
            match self.framer.step(&self.buf[self.at..self.filled], eof) {
                Step::Need => {
                    self.too_long();
                    break;
                }
                Step::End => break,
                Step::Frame(frame) => self.frame(frame, eof),
            }
            // Asked after each frame, not after each read, so that the answer does not depend on how much came.
            if self.held() > self.max_record {
                self.notes();
                self.drain(sinks);
                self.held_too_long(sinks);
            }
        }
        self.notes();
        self.drain(sinks);
    }

    fn drain(&mut self, sinks: &mut Sinks) {
        let undecided = match &self.reader {
            Some(Reader::Json(reader)) => reader.undecided(),
            Some(Reader::Raw(reader)) => reader.undecided(),
            Some(Reader::Cells(_)) | None => None,
        };
        let decided = undecided.unwrap_or(u64::MAX);
        while self.starts.get(1).is_some_and(|(start, _)| *start <= decided) {
            self.starts.pop_front();
        }
        let source = Source { bytes: &self.buf[..self.at], base: self.base };
        self.needed = self.output.drain(source, undecided, sinks).min(self.base + self.at as u64);
        self.forget((self.needed - self.base) as usize);
    }

    /// How many bytes of frames have not been let go of.
    fn held(&self) -> usize {
        self.at - (self.needed - self.base) as usize
    }

    /// More is undecided than may be held: none of it is written, and nothing more is read.
    fn held_too_long(&mut self, sinks: &mut Sinks) {
        if self.held() > self.max_record && !self.over {
            let what = "more than --max-record bytes would have to be held until they are decided: \
                        they and the rest of the input were left out";
            sinks.rejects.extend_from_slice(&self.buf[self.at - self.held()..self.at]);
            self.give_up(self.needed, what);
        }
    }

    /// Nothing more is read, and what is undecided stays unwritten.
    fn give_up(&mut self, offset: u64, what: &str) {
        self.problem(offset, what, true);
        self.over = true;
        self.given_up = true;
    }

    /// Moves what is still needed to the front, when that is little.
    fn forget(&mut self, n: usize) {
        if n == 0 || n < self.filled / 2 {
            return;
        }
        self.buf.copy_within(n..self.filled, 0);
        self.base += n as u64;
        self.at -= n;
        self.filled -= n;
        if self.buf.len() > 4 * CHUNK && self.filled < self.buf.len() / 8 {
            self.buf.truncate(CHUNK.max(self.filled));
            self.buf.shrink_to_fit();
        }
    }
}
