//! The buffer: what is kept, for how long, and what happens when it is too much.

use super::*;

/// The bytes of the input that are still needed.
#[derive(Default)]
pub(super) struct Buffer {
    pub bytes: Vec<u8>,
    /// The input offset of the first of them.
    pub base: u64,
    /// In `bytes`: where the next frame begins, and where the input so far ends.
    pub at: usize,
    pub filled: usize,
    /// The output needs no byte before this input offset.
    pub needed: u64,
    /// Bytes that are rejects, and were not given to the sinks yet.
    pub rejects: Range<usize>,
    /// The data lines of the current event, joined; and where each begins, in the joined text and in the input.
    pub joined: Vec<u8>,
    pub lines: Vec<(usize, u64)>,
}

impl<O: Output> Engine<O> {
    /// The first byte of the input that the reader has not decided yet.
    pub(super) fn undecided(&self) -> Option<u64> {
        match &self.reader {
            Some(EngineReader::Json(reader)) => reader.undecided(),
            Some(EngineReader::Raw(reader)) => reader.undecided(),
            Some(EngineReader::Cells(_)) | None => None,
        }
    }

    pub(super) fn drain(&mut self, sinks: &mut Sinks) {
        let undecided = self.undecided();
        let decided = undecided.unwrap_or(u64::MAX);
        while self.found.starts.get(1).is_some_and(|(start, _)| *start <= decided) {
            self.found.starts.pop_front();
        }
        let source = SourceBytes { bytes: &self.buffer.bytes[..self.buffer.at], base: self.buffer.base };
        let again = match &self.reader {
            Some(EngineReader::Raw(reader)) => reader.needed(),
            _ => None,
        };
        let needed = self.stage.output.drain(source, undecided, sinks).min(self.buffer.base + self.buffer.at as u64);
        self.buffer.needed = again.map_or(needed, |again| again.min(needed));
        self.forget((self.buffer.needed - self.buffer.base) as usize);
    }

    /// How many bytes of text the reader buffers, in messages that are not decided yet.
    pub(super) fn buffered_by_reader(&self) -> usize {
        match &self.reader {
            Some(EngineReader::Json(reader)) => reader.buffered(),
            Some(EngineReader::Raw(reader)) => reader.buffered(),
            Some(EngineReader::Cells(_)) | None => 0,
        }
    }

    /// How many bytes of frames are still needed.
    pub(super) fn buffered(&self) -> usize {
        self.buffer.at - (self.buffer.needed - self.buffer.base) as usize
    }

    /// Checks the limit of undecided bytes. Beyond it none of them is written, and nothing more is read.
    pub(super) fn too_much_buffered(&mut self) {
        if self.progress.over {
            return;
        }
        if self.stage.output.buffered() + self.buffered_by_reader() > self.rules.max_record
            && self.buffered() <= self.rules.max_record
        {
            let what = "a message of more than --max-record bytes: it and the rest of the input were left out";
            return self.give_up(self.buffer.needed, (ErrorKind::TooLong, what));
        }
        if self.buffered() > self.rules.max_record {
            let tags = self.undecided().is_some_and(|at| at <= self.buffer.needed);
            let what = match (tags, self.framing) {
                (true, Some(Framing::Text)) => {
                    "more than --max-record bytes would have to be held, since a tag may still come that decides what they \
                     are (--live or a file would not need that): they and the rest of the input were left out"
                }
                (true, _) => {
                    "more than --max-record bytes would have to be held, since a tag may still come that decides what they \
                     are (--live would not need that): they and the rest of the input were left out"
                }
                (false, _) => {
                    "more than --max-record bytes would have to be held until they are decided: \
                     they and the rest of the input were left out"
                }
            };
            self.buffer.rejects = self.buffer.at - self.buffered()..self.buffer.at;
            self.give_up(self.buffer.needed, (ErrorKind::TooLong, what));
        }
    }

    /// Stops reading: what is undecided is never written.
    pub(super) fn give_up(&mut self, offset: u64, error: (ErrorKind, &str)) {
        self.problem(offset, error, true);
        self.progress.over = true;
        self.progress.given_up = true;
    }

    /// Drops the first `n` bytes, if that moves few.
    fn forget(&mut self, n: usize) {
        if n == 0 || self.progress.given_up || n < self.buffer.filled / 2 {
            return;
        }
        self.buffer.bytes.copy_within(n..self.buffer.filled, 0);
        self.buffer.base += n as u64;
        self.buffer.at -= n;
        self.buffer.filled -= n;
        if self.buffer.bytes.len() > 4 * CHUNK && self.buffer.filled < self.buffer.bytes.len() / 8 {
            self.buffer.bytes.truncate(CHUNK.max(self.buffer.filled));
            self.buffer.bytes.shrink_to_fit();
        }
    }
}
