//! Drives an engine: by a reader and a writer, or piece by piece. Both feed the same engine, so that they cannot disagree.

use super::error::{Error, Incomplete, Refused};
use super::input::Summary;
use crate::engine::{Counts, Engine, Problem};
use crate::out::{Output, Sinks};
use std::io::{self, BufRead, ErrorKind, Write};

pub(super) type Reader<'a> = &'a mut dyn BufRead;
pub(super) type OutputWriter<'a> = &'a mut dyn Write;
pub(super) type RunResult<R> = Result<R, Error<R>>;

/// An engine at work, and what it has written and refused.
pub(super) struct Run<O> {
    engine: Engine<O>,
    sinks: Sinks,
    /// The first records that were not understood, up to [`Incomplete::MAX_LISTED`].
    refused: Vec<Refused>,
}

/// The engine's output and its outcome.
pub(super) struct Ran<O> {
    pub output: O,
    pub outcome: Outcome,
}

/// What a run has found in its input.
pub(super) struct Outcome {
    summary: Summary,
    refused: Vec<Refused>,
}

impl<O: Output> Run<O> {
    pub fn new(engine: Engine<O>) -> Self {
        Self { engine, sinks: Sinks::default(), refused: Vec::new() }
    }

    /// Takes the next bytes of input, and returns what is decided.
    pub fn push(&mut self, input: &[u8]) -> &[u8] {
        self.clear();
        if !self.engine.is_over() {
            self.engine.push(input, &mut self.sinks);
            self.list();
        }
        &self.sinks.out
    }

    /// Ends the input, and returns the rest of the output. `whole`: all of the input has come; if not, incomplete
    /// records are dropped.
    pub fn end(mut self, whole: bool) -> (Vec<u8>, Ran<O>) {
        self.clear();
        match whole {
            true => self.engine.finish(&mut self.sinks),
            false => {
                self.engine.cut(&mut self.sinks);
                while self.engine.more(&mut self.sinks) {}
            }
        }
        self.list();
        (std::mem::take(&mut self.sinks.out), self.ran())
    }

    /// The output, to take results from.
    pub fn output(&mut self) -> &mut O {
        self.engine.output_mut()
    }

    /// Reads all input, and writes the output after each read.
    pub fn read<R>(self, reader: Reader<'_>, writer: OutputWriter<'_>) -> Result<Ran<O>, Error<R>> {
        let ran = self.read_each(reader, |_, bytes| writer.write_all(bytes))?;
        writer.flush().map_err(Error::Write)?;
        Ok(ran)
    }

    /// Reads all input, and has what is decided taken after each read: results from the output, or its bytes.
    pub fn read_each<R>(
        mut self,
        reader: Reader<'_>,
        mut take: impl FnMut(&mut O, &[u8]) -> io::Result<()>,
    ) -> Result<Ran<O>, Error<R>> {
        while !self.engine.is_over() {
            let n = match reader.fill_buf() {
                Ok([]) => break,
                Ok(bytes) => {
                    let space = self.engine.space();
                    let n = bytes.len().min(space.len());
                    space[..n].copy_from_slice(&bytes[..n]);
                    n
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => {
                    // The rest is missing: incomplete records are not written.
                    self.engine.cut(&mut self.sinks);
                    self.take_decided(&mut take).map_err(Error::Write)?;
                    return Err(Error::Read(e));
                }
            };
            reader.consume(n);
            self.engine.advance(n, &mut self.sinks);
            self.take_decided(&mut take).map_err(Error::Write)?;
            self.list();
        }
        self.engine.end(&mut self.sinks);
        self.take_decided(&mut take).map_err(Error::Write)?;
        self.list();
        Ok(self.ran())
    }

    /// Has everything taken that the engine has decided, part by part.
    fn take_decided(&mut self, take: &mut impl FnMut(&mut O, &[u8]) -> io::Result<()>) -> io::Result<()> {
        loop {
            take(self.engine.output_mut(), &self.sinks.out)?;
            self.clear();
            if !self.engine.more(&mut self.sinks) {
                return Ok(());
            }
        }
    }

    fn clear(&mut self) {
        self.sinks.out.clear();
        self.sinks.rejects.clear();
        self.sinks.aside.clear();
    }

    /// Lists the records that were not understood since the last call.
    fn list(&mut self) {
        // A suspect record that passed is no error, since the user allowed it.
        let wrong = self.engine.problems().into_iter().filter(|p| p.skipped || p.suspect.is_none());
        let room = Incomplete::<()>::MAX_LISTED - self.refused.len();
        self.refused.extend(wrong.take(room).map(|Problem { record, offset, what, skipped, suspect, .. }| Refused {
            record,
            offset,
            pointer: suspect,
            reason: what,
            skipped,
        }));
    }

    fn ran(self) -> Ran<O> {
        let summary = Summary { framing: self.engine.framing(), ..summary(self.engine.counts()) };
        Ran { output: self.engine.into_output(), outcome: Outcome { summary, refused: self.refused } }
    }
}

/// The result of a call: an error if a record was not understood.
pub(super) fn complete<R>(outcome: Outcome, report: impl FnOnce(Summary) -> R) -> RunResult<R> {
    let Outcome { summary, refused } = outcome;
    let (count, records) = (summary.refused, summary.records.max(summary.refused));
    let partial = report(summary);
    match count {
        0 => Ok(partial),
        _ => Err(Error::Incomplete(Box::new(Incomplete { refused, count, records, partial }))),
    }
}

/// Makes an input without any record that was read an error.
pub(super) fn must_read(mut outcome: Outcome) -> Outcome {
    let summary = &mut outcome.summary;
    let read = summary.records.saturating_sub(summary.foreign + summary.suspect + summary.refused);
    if summary.foreign > 0 && read + summary.refused == 0 {
        summary.refused = std::mem::take(&mut summary.foreign);
        let reason = "nothing was converted: no record is in a format that is read".into();
        outcome.refused.push(Refused { record: 1, offset: 0, pointer: None, reason, skipped: false });
    }
    outcome
}

fn summary(counts: Counts) -> Summary {
    Summary {
        bytes: counts.bytes,
        framing: None,
        records: counts.records,
        refused: counts.refused,
        foreign: counts.foreign,
        suspect: counts.suspect - counts.refused_suspect,
        messages: counts.messages,
        unclosed: counts.tags.unclosed,
        unopened: counts.tags.unopened,
        unpaired_bytes: counts.tags.unpaired_bytes,
        strays: counts.tags.strays,
        unknown_channels: counts.tags.unknown_channels,
        lost_tokens: counts.tags.lost_tokens,
        not_utf8: counts.not_utf8,
    }
}
