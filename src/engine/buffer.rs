//! What is buffered, for how long, and what happens when it is too much.

use super::*;

impl<O: Output> Engine<'_, O> {
    /// The first byte about which the reader has decided nothing.
    pub(super) fn undecided(&self) -> Option<u64> {
        match &self.reader {
            Some(Reader::Json(reader)) => reader.undecided(),
            Some(Reader::Raw(reader)) => reader.undecided(),
            Some(Reader::Cells(_)) | None => None,
        }
    }

    pub(super) fn drain(&mut self, sinks: &mut Sinks) {
        let undecided = self.undecided();
        let decided = undecided.unwrap_or(u64::MAX);
        while self.starts.get(1).is_some_and(|(start, _)| *start <= decided) {
            self.starts.pop_front();
        }
        let source = Source { bytes: &self.buf[..self.at], base: self.base };
        let again = match &self.reader {
            Some(Reader::Raw(reader)) => reader.needed(),
            _ => None,
        };
        let needed = self.output.drain(source, undecided, sinks).min(self.base + self.at as u64);
        self.needed = again.map_or(needed, |again| again.min(needed));
        self.forget((self.needed - self.base) as usize);
    }

    /// How many bytes of text the reader buffers, of messages that are not decided.
    pub(super) fn buffered_by_reader(&self) -> usize {
        match &self.reader {
            Some(Reader::Json(reader)) => reader.buffered(),
            Some(Reader::Raw(reader)) => reader.buffered(),
            Some(Reader::Cells(_)) | None => 0,
        }
    }

    /// How many bytes of frames are still needed.
    pub(super) fn buffered(&self) -> usize {
        self.at - (self.needed - self.base) as usize
    }

    /// More is undecided than may be buffered: none of it is written, and nothing more is read.
    pub(super) fn too_much_buffered(&mut self) {
        if self.over {
            return;
        }
        if self.output.buffered() + self.buffered_by_reader() > self.max_record && self.buffered() <= self.max_record {
            let what = "a message of more than --max-record bytes: it and the rest of the input were left out";
            return self.give_up(self.needed, what);
        }
        if self.buffered() > self.max_record {
            let tags = self.undecided().is_some_and(|at| at <= self.needed);
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
            self.rejects = self.at - self.buffered()..self.at;
            self.give_up(self.needed, what);
        }
    }

    /// Nothing more is read, and what is undecided stays unwritten.
    pub(super) fn give_up(&mut self, offset: u64, what: &str) {
        self.problem(offset, what, true);
        self.over = true;
        self.given_up = true;
    }

    /// Moves what is still needed to the front, when that is little.
    fn forget(&mut self, n: usize) {
        if n == 0 || self.given_up || n < self.filled / 2 {
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
