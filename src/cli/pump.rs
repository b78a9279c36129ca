//! The loop that reads an input, runs the engine and writes what it has decided.

use super::Status;
use super::failure::CommandError;
use super::input::{Input, InputSource, ReadFailure};
use super::notes::Notes;
use std::io;
use unthink::engine::Engine;
use unthink::out::{Output, Sinks};

/// How reading an input and writing its output ended.
#[derive(Debug)]
pub enum PumpResult {
    /// All of it was read and written.
    Done,
    /// Reading failed.
    Read(io::Error),
    /// Writing failed.
    Write(CommandError),
    /// The reader of the output went away.
    Closed,
}

impl PumpResult {
    /// Reports a failure. Returns the status of the run.
    pub fn status(self, notes: &Notes) -> Status {
        let e = match self {
            PumpResult::Done | PumpResult::Closed => return Status::Done,
            PumpResult::Read(e) => e.into(),
            PumpResult::Write(e) => e,
        };
        notes.error(&e.to_string());
        Status::Io
    }
}

/// Where the output of one input goes.
pub trait Receiver {
    /// Notes bytes of the input.
    fn read(&mut self, bytes: &[u8]);

    /// Writes the output of the engine, and empties the sinks.
    fn write(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult>;
}

impl Input {
    /// Gives the input to the engine and writes its output, read by read. `each` is called after each read.
    pub fn pump<O: Output, W: Receiver>(
        mut self,
        engine: &mut Engine<O>,
        to: &mut W,
        mut each: impl FnMut(&mut Engine<O>, &mut W),
    ) -> PumpResult {
        let mut sinks = Sinks::default();
        if let InputSource::Plain { head, .. } = &self.source {
            to.read(head);
            engine.push(head, &mut sinks);
        }
        let mut result = PumpResult::Done;
        while !engine.is_over() {
            let space = engine.space();
            match self.read(space) {
                Ok(0) => break,
                Ok(n) => {
                    to.read(&space[..n]);
                    engine.advance(n, &mut sinks);
                }
                Err(ReadFailure::Damaged(kind, what)) => {
                    engine.abort((kind, &what), &mut sinks);
                    break;
                }
                Err(ReadFailure::Io(e)) => {
                    result = PumpResult::Read(e);
                    break;
                }
            }
            if let Err(ended) = write_decided(engine, &mut sinks, to) {
                result = ended;
                break;
            }
            each(engine, to);
        }
        match result {
            PumpResult::Done => engine.end(&mut sinks),
            // The rest is missing: incomplete records are not written.
            _ => engine.cut(&mut sinks),
        }
        if matches!(result, PumpResult::Write(_) | PumpResult::Closed) {
            // Nothing more is written, but findings are still reported.
            while engine.output().takes_part() && engine.more(&mut sinks) {
                sinks = Sinks::default();
            }
            each(engine, to);
            return result;
        }
        let poured = write_decided(engine, &mut sinks, to);
        each(engine, to);
        match poured {
            Ok(()) => result,
            Err(ended) => ended,
        }
    }
}

/// Writes everything that the engine has decided, part by part.
fn write_decided<O: Output>(
    engine: &mut Engine<O>,
    sinks: &mut Sinks,
    to: &mut impl Receiver,
) -> Result<(), PumpResult> {
    loop {
        to.write(sinks)?;
        if !engine.more(sinks) {
            return Ok(());
        }
    }
}
