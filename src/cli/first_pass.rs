//! The first pass over a large raw text, after which the second need not buffer it.

use super::input::{Input, InputSource};
use std::fs::File;
use unthink::dialect::Pass;
use unthink::engine::{Engine, EngineOptions};
use unthink::frame::Framing;
use unthink::inline::{Beginning, KnownBeginning, LastClose, Start, Tags};
use unthink::out::Sinks;
use unthink::split::{Report, ReportOptions};

impl Input {
    /// Makes a first pass over a large text, so that the second need not buffer it: only over a plain file, and only if
    /// no text could be written before its first delimiter.
    pub fn first_pass(&self, tags: &Tags, options: &EngineOptions) -> Option<KnownBeginning> {
        let InputSource::Plain { head, rest } = &self.source else { return None };
        // With a marker, a text is undecided to its end. And no text begins with these bytes.
        if tags.has_marker() || head.starts_with(b"{\"") || head.starts_with(b"[{\"") {
            return None;
        }
        // A text of fewer bytes is buffered rather than read twice.
        let least = MIN_TWICE_BYTES.min(options.max_record as u64);
        let mut file = Second::new(&rest.file, head.len() as u64, least)?;
        let first = EngineOptions { pass: Pass::First(u64::MAX), ..options.clone() };
        let mut engine = Engine::new(tags, first, Report::new(ReportOptions::default()));
        let whole = file.is_short;
        if engine.detect_framing(file.read()?, whole) != Some(Framing::Text)
            || options.read.in_stream(tags).start != Start::Hindsight
        {
            return None;
        }
        let mut last = LastClose::new(tags);
        file.rewind();
        while let Some(bytes @ [_, ..]) = file.read() {
            // It is no text, and nothing of it may be written before that is known.
            if options.framing.is_none() && memchr::memchr(0, bytes).is_some() {
                return None;
            }
            last.feed(bytes);
        }
        let (no_close_from, lacks) = last.finish();
        if !lacks {
            return Some(KnownBeginning { beginning: Beginning::Visible, no_close_from });
        }
        let first = EngineOptions { pass: Pass::First(no_close_from), ..options.clone() };
        let (mut engine, mut sinks) =
            (Engine::new(tags, first, Report::new(ReportOptions::default())), Sinks::default());
        file.rewind();
        while let Some(bytes @ [_, ..]) = file.read() {
            engine.push(bytes, &mut sinks);
            sinks = Sinks::default();
            if engine.is_over() || engine.beginning().is_some() {
                break;
            }
        }
        if engine.beginning().is_none() {
            engine.finish(&mut sinks);
        }
        engine.beginning().map(|beginning| KnownBeginning { beginning, no_close_from })
    }
}

/// Reads a file a second time, without moving the position of its first reader.
struct Second<'a> {
    file: &'a File,
    start: u64,
    at: u64,
    /// A single read returns the whole file.
    is_short: bool,
    buf: Vec<u8>,
}

/// How many bytes are read at once.
const BUFFER: usize = 1 << 18;

/// The least size of a text that is read twice, in bytes.
const MIN_TWICE_BYTES: u64 = 4 << 20;

#[cfg(unix)]
impl<'a> Second<'a> {
    /// A large file of which `read` bytes were read, if they can be read again.
    fn new(mut file: &'a File, read: u64, least: u64) -> Option<Self> {
        use std::io::Seek;
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let start = file.stream_position().ok()?.checked_sub(read)?;
        let len = metadata.len().saturating_sub(start);
        (len > least).then(|| Self { file, start, at: start, is_short: len <= BUFFER as u64, buf: vec![0; BUFFER] })
    }

    /// The next bytes; none at the end.
    fn read(&mut self) -> Option<&[u8]> {
        use std::os::unix::fs::FileExt;
        let n = self.file.read_at(&mut self.buf, self.at).ok()?;
        self.at += n as u64;
        Some(&self.buf[..n])
    }

    fn rewind(&mut self) {
        self.at = self.start;
    }
}

#[cfg(not(unix))]
impl<'a> Second<'a> {
    fn new(_file: &'a File, _read: u64, _least: u64) -> Option<Self> {
        None
    }

    fn read(&mut self) -> Option<&[u8]> {
        None
    }

    fn rewind(&mut self) {}
}
