//! The only file that knows all stages: it takes in bytes of input, and writes bytes that are decided.
//!
//! It owns the buffered bytes, and numbers the records. It does no I/O: its caller fills [`Engine::space`], reports how
//! many bytes came, and writes what is in the [`Sinks`].

mod again;
mod buffer;
mod chain;
mod counts;
mod elements;
mod ends;
mod invented;
mod lines;
mod prose;
mod records;
mod request;
mod source_map;
mod stage;
mod utf8;

pub use chain::Chain;
pub use counts::{Counts, Problem};
pub use request::{
    ConversionRequest, ConversionRequestError, InputRequest, InputRequestError, IntermediateMessages, Treatment,
};

use crate::dialect::{CellReader, Foreign, JsonReader, Pass, RawReader, ReadOptions, TextLines};
use crate::error::ErrorKind;
use crate::frame::{FrameStep, Framer, Framing};
use crate::inline::{Inline, Options, Tags};
use crate::out::{Output, Refusal, Sinks, SourceBytes};
use crate::policy::{Judge, Removal};
use again::LastFrame;
use buffer::Buffer;
use source_map::SourceMap;
use stage::Stage;
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
    /// The longest record, and the longest stretch of undecided input, that is buffered, in bytes.
    pub max_record: usize,
    /// The input ends at the first record that is not understood.
    pub stop: bool,
    /// How often a raw text is read.
    pub pass: Pass,
}

enum EngineReader {
    Json(Box<JsonReader>),
    Raw(Box<RawReader>),
    Cells(Box<CellReader>),
}

/// Rules for the whole input.
struct InputRules {
    /// The user named the framing.
    strict: bool,
    max_record: usize,
    stop: bool,
    pass: Pass,
    /// The output needs frames, and no events.
    ignores: bool,
    /// What happens to records that may hold reasoning and are in no format that is read.
    foreign: Foreign,
    /// What to say of the pointers of the user where the input has no members.
    unused: Vec<String>,
}

/// State until the framing is known, or the first text was read.
struct Opening {
    options: Option<ReadOptions>,
    /// Searches the lines of a text for records.
    watch: Option<Box<TextLines>>,
    /// How many bytes were examined for the framing.
    looked: usize,
    /// The input is a text that is refused if it has an unclosed block.
    refuses: Option<Options>,
}

/// How far reading and writing have come.
#[derive(Default)]
struct Progress {
    /// The current frame is bad and longer than `max_record`.
    discarding: bool,
    /// All input has come; nothing more is read.
    ended: bool,
    over: bool,
    /// The output is finished.
    closed: bool,
    /// Work remains: bytes in the sinks are to be written first.
    behind: bool,
    /// The undecided bytes will never be written.
    given_up: bool,
}

/// What reading has found so far.
#[derive(Default)]
struct Findings {
    counts: Counts,
    problems: Vec<Problem>,
    advice: counts::Advice,
    /// The offset and the number of each record that a late note may refer to.
    starts: VecDeque<(u64, u64)>,
    /// How many events or elements were found.
    payloads: u64,
    /// The output was told of reasoning in the list of events that is read.
    listed: bool,
    /// The row of the last record that is of a known format.
    row: usize,
    /// The last record that was counted as not understood because of a tag.
    doubted: u64,
    /// The tags of a text that are not certain: where they stand, what is uncertain, and whether text was left out.
    doubts: Vec<(u64, &'static str, bool)>,
    /// Checks that the text is UTF-8, for an output that shows text.
    utf8: Option<Utf8>,
}

/// Reads one input and drives its output.
pub struct Engine<O> {
    tags: Tags,
    rules: InputRules,
    opening: Opening,
    framing: Option<Framing>,
    buffer: Buffer,
    framer: Framer,
    last: LastFrame,
    reader: Option<EngineReader>,
    lines: Option<Box<TextLines>>,
    stage: Stage<O>,
    progress: Progress,
    found: Findings,
    /// The input is what another output wrote: where it stands in the input of that one.
    source_map: Option<Box<SourceMap>>,
}

/// How many bytes are read at once.
const CHUNK: usize = 256 * 1024;

impl<O: Output> Engine<O> {
    /// An engine at the start of an input.
    pub fn new(tags: &Tags, mut options: EngineOptions, output: O) -> Self {
        options.read.wants = output.wants();
        if options.read.wants.doubts {
            options.read.inline.inline = Inline::Report;
        }
        let rules = InputRules {
            strict: options.framing.is_some(),
            max_record: options.max_record,
            stop: options.stop,
            pass: options.pass,
            ignores: options.read.wants.nothing,
            foreign: options.read.foreign,
            unused: options.read.unused_pointers(),
        };
        let utf8 = options.read.wants.text.then(Utf8::default);
        Self {
            tags: tags.clone(),
            rules,
            framing: options.framing,
            opening: Opening { options: Some(options.read), watch: None, looked: 0, refuses: None },
            buffer: Buffer::default(),
            framer: Framer::new(Framing::Text, false),
            last: LastFrame::default(),
            reader: None,
            lines: None,
            stage: Stage::new(output),
            progress: Progress::default(),
            found: Findings { utf8, ..Findings::default() },
            source_map: None,
        }
    }

    /// Adds a pass that judges reasoning, in front of the output.
    pub fn judged_by(mut self, judge: impl Judge + Send + 'static) -> Self {
        if let Some(read) = &mut self.opening.options {
            read.wants.messages |= judge.wants_messages();
        }
        self.stage.judge = Some(Box::new(judge));
        self
    }

    /// Adds a pass that decides which messages go whole, in front of the other pass and the output.
    pub fn without(mut self, removal: Removal) -> Self {
        if let Some(read) = &mut self.opening.options {
            (read.wants.messages, read.wants.visible) = (true, true);
        }
        self.stage.removal = Some(Box::new(removal));
        self
    }

    /// The output.
    pub fn output(&self) -> &O {
        &self.stage.output
    }

    /// The output, if its results are taken in parts.
    pub fn output_mut(&mut self) -> &mut O {
        &mut self.stage.output
    }

    /// The output, when the input is over.
    pub fn into_output(self) -> O {
        self.stage.output
    }

    /// Room for the next bytes of input; report how many came with [`Engine::advance`].
    pub fn space(&mut self) -> &mut [u8] {
        if self.buffer.bytes.len() - self.buffer.filled < CHUNK {
            // Memory counts when it is touched, not when it is reserved.
            let more = if self.buffer.filled < 16 * CHUNK { self.buffer.filled / 2 } else { self.buffer.filled / 16 };
            let len = (self.buffer.filled + CHUNK).max(self.buffer.bytes.len() + more).next_multiple_of(CHUNK);
            self.buffer.bytes.resize(len, 0);
        }
        &mut self.buffer.bytes[self.buffer.filled..]
    }

    /// Reads the `n` bytes that came into [`Engine::space`], and writes to `sinks` what they decide. Much output comes
    /// in parts, so that it need not be in memory twice: [`Engine::more`] writes the next part.
    pub fn advance(&mut self, n: usize, sinks: &mut Sinks) {
        self.buffer.filled += n;
        self.found.counts.bytes += n as u64;
        self.work(false, sinks);
    }

    /// Writes the next part of what is decided. Returns whether there was one.
    pub fn more(&mut self, sinks: &mut Sinks) -> bool {
        if !self.buffer.rejects.is_empty() {
            let end = self.buffer.rejects.end.min(self.buffer.rejects.start + CHUNK);
            sinks.rejects.extend_from_slice(&self.buffer.bytes[self.buffer.rejects.start..end]);
            self.buffer.rejects.start = end;
            return true;
        }
        let behind = self.progress.behind;
        match (behind, self.progress.closed) {
            (false, _) => (),
            (true, false) => {
                self.work(self.progress.ended, sinks);
                self.close(sinks);
            }
            (true, true) => {
                self.drain(sinks);
                self.progress.behind = self.stage.output.is_behind();
            }
        }
        behind
    }

    /// Reads bytes from a slice.
    pub fn push(&mut self, mut bytes: &[u8], sinks: &mut Sinks) {
        while !bytes.is_empty() {
            let space = self.space();
            let n = bytes.len().min(space.len());
            space[..n].copy_from_slice(&bytes[..n]);
            self.advance(n, sinks);
            while self.more(sinks) {}
            bytes = &bytes[n..];
        }
    }

    /// Ends the input, and writes the rest to `sinks`.
    pub fn finish(&mut self, sinks: &mut Sinks) {
        self.end(sinks);
        while self.more(sinks) {}
    }

    /// Ends the input, and writes the rest to `sinks` in parts, as [`Engine::advance`] does.
    pub fn end(&mut self, sinks: &mut Sinks) {
        self.progress.ended = true;
        self.work(true, sinks);
        self.close(sinks);
    }

    /// Ends an input whose rest is missing for another reason: incomplete records are dropped without an error.
    pub fn cut(&mut self, sinks: &mut Sinks) {
        if self.stage.output.takes_part() {
            if self.reader.is_some() || self.begin(true) {
                self.work(false, sinks);
            }
            self.progress.over = true;
            return self.end(sinks);
        }
        self.progress.over = true;
        self.progress.given_up = true;
        self.drain(sinks);
    }

    /// The framing by the first bytes, if they are used for nothing else. `whole`: they are the whole input.
    #[cfg(feature = "cli")]
    pub fn detect_framing(&mut self, head: &[u8], whole: bool) -> Option<Framing> {
        let space = self.space();
        let n = head.len().min(space.len());
        space[..n].copy_from_slice(&head[..n]);
        self.buffer.filled += n;
        self.begin(whole);
        self.framing
    }

    /// What a text begins with, if that was the question ([`Pass::First`]) and is known.
    #[cfg(feature = "cli")]
    pub fn beginning(&self) -> Option<crate::inline::Beginning> {
        match &self.reader {
            Some(EngineReader::Raw(reader)) => reader.beginning(),
            _ => None,
        }
    }

    /// The framing, once it is known.
    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// The counts so far.
    pub fn counts(&self) -> Counts {
        self.found.counts
    }

    /// The records that were not understood since the last call.
    pub fn problems(&mut self) -> Vec<Problem> {
        for Refusal { record, offset, what, skipped } in self.stage.output.refused() {
            let kind = ErrorKind::Refused;
            self.found.counts.refused += 1;
            self.found.counts.declined += 1;
            let (suspect, misread, again) = (None, false, false);
            self.found.problems.push(Problem { record, offset, kind, what, skipped, suspect, misread, again });
        }
        std::mem::take(&mut self.found.problems)
    }

    /// Whether nothing more will be read, so that the rest of the input need not be given.
    pub fn is_over(&self) -> bool {
        self.progress.over
    }

    fn work(&mut self, eof: bool, sinks: &mut Sinks) {
        if self.progress.over {
            self.buffer.at = self.buffer.filled;
        }
        if self.reader.is_none() && !self.progress.over && !self.begin(eof) {
            return;
        }
        if let Some(inline) = self.opening.refuses.filter(|_| !self.progress.over) {
            if !eof {
                return self.too_long();
            }
            self.opening.refuses = None;
            self.must_close(inline);
        }
        self.progress.behind = false;
        self.last.clear();
        loop {
            if self.read_again() {
                self.progress.behind = true;
                break;
            }
            if self.progress.over {
                if eof && !self.progress.given_up && self.must_read_again() {
                    continue;
                }
                break;
            }
            if !self.again() {
                match self.framer.step(&self.buffer.bytes[self.buffer.at..self.buffer.filled], eof) {
                    FrameStep::Need => {
                        self.too_long();
                        break;
                    }
                    FrameStep::End if eof && self.must_read_again() => continue,
                    FrameStep::End => break,
                    FrameStep::Frame(frame) => self.frame(frame, eof),
                }
            }
            // After each frame, not after each read, so that an output reports a problem where it was found.
            if self.has_notes() {
                self.notes();
            }
            // After each frame, not after each read, so that the result does not depend on how many bytes came.
            if self.buffered().max(self.stage.output.buffered() + self.buffered_by_reader()) > self.rules.max_record {
                self.drain(sinks);
                if self.stage.output.is_behind() {
                    self.progress.behind = true;
                    break;
                }
                self.too_much_buffered();
            }
        }
        self.notes();
        self.drain(sinks);
        self.progress.behind |= self.stage.output.is_behind();
    }
}
