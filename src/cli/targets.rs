//! The destinations of bytes: stdout, and files for other output.

use super::Status;
use super::destination::{Destination, End, Finished};
use super::io::{Ended, Ready, enlarge_pipe, printable, standard, wait};
use super::notes::Notes;
use super::pager::{Paged, Pager};
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use unthink::out::Sinks;

/// The destinations of bytes.
pub struct Targets {
    /// Where the output of the current input goes.
    pub destination: Destination,
    out: File,
    /// The pager before stdout.
    paged: Option<Paged>,
    rejects: Option<(PathBuf, File)>,
    aside: Option<(PathBuf, File)>,
    /// The last bytes that were written to stdout.
    tail: Vec<u8>,
    /// How the output of the last input must end before more follows.
    ending: Ending,
}

/// How the output of an input must end before that of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// It may end in any way.
    #[default]
    Any,
    /// With the end of a line.
    Line,
    /// With a blank line, which ends an event.
    Blank,
}

impl Ending {
    /// The bytes that are missing for this ending, with the kind of line end that `tail` has.
    fn missing(self, tail: &[u8]) -> Vec<u8> {
        let end: &[u8] = match tail {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\r'] => b"\r",
            _ => b"\n",
        };
        let line = tail.ends_with(end);
        let lines = match self {
            Ending::Any => 0,
            _ if tail.is_empty() => 0,
            Ending::Line => usize::from(!line),
            Ending::Blank if line && tail[..tail.len() - end.len()].ends_with(end) => 0,
            Ending::Blank => 2 - usize::from(line),
        };
        end.repeat(lines)
    }
}

impl Targets {
    /// Opens the files for other output.
    pub fn open(rejects: Option<&Path>, aside: Option<&Path>) -> Result<Self> {
        let out = standard(io::stdout()).context("standard output")?;
        enlarge_pipe(&out);
        let create = |path: &Path| -> Result<(PathBuf, File)> {
            let file = if path.as_os_str() == "stderr" {
                standard(io::stderr())?
            } else {
                File::create(path).with_context(|| printable(path))?
            };
            Ok((path.to_path_buf(), file))
        };
        let rejects = rejects.map(create).transpose()?;
        let aside = aside.map(create).transpose()?;
        let destination = Destination::Standard;
        Ok(Self { destination, out, paged: None, rejects, aside, tail: Vec::new(), ending: Ending::Any })
    }

    /// Puts a pager before stdout.
    pub fn page(&mut self, pager: Pager) -> Result<()> {
        self.paged = Some(Paged::new(pager).context("standard output")?);
        Ok(())
    }

    /// Ends all inputs.
    pub fn close(&mut self, notes: &Notes) -> Ended {
        match self.paged.take().map_or(Ok(()), |paged| paged.finish(notes)) {
            Ok(()) => Ended::Done,
            Err(e) => ended(e),
        }
    }

    /// Ends an input: the output of the next one needs this ending before it.
    pub fn end(&mut self, ending: Ending) {
        // An input without output needs no ending.
        if self.ending == Ending::Any {
            self.ending = ending;
        }
    }

    /// Ends an input: its file is replaced, or its report is written.
    pub fn finish(&mut self, end: &End<'_>, notes: &Notes) -> (Finished, Ended) {
        let destination = std::mem::replace(&mut self.destination, Destination::Standard);
        let (out, mut finished) = destination.finish(end, notes);
        let ended = match self.write(&mut Sinks { out, ..Sinks::default() }) {
            Ok(()) => Ended::Done,
            Err(Ended::Write(e)) => {
                notes.error(&format!("{e:#}"));
                finished.status = finished.status.max(Status::Io);
                Ended::Done
            }
            Err(ended) => ended,
        };
        (finished, ended)
    }

    /// Writes the output of the engine, and empties the sinks.
    pub fn write(&mut self, sinks: &mut Sinks) -> Result<(), Ended> {
        let rejected = sinks.rejects.len();
        for (target, bytes) in [(&mut self.rejects, &mut sinks.rejects), (&mut self.aside, &mut sinks.aside)] {
            if let (Some((path, file)), false) = (target, bytes.is_empty()) {
                let written = write_all(file, bytes).with_context(|| format!("write {}", printable(path)));
                written.map_err(Ended::Write)?;
            }
            bytes.clear();
        }
        self.destination.write(sinks, rejected)?;
        if sinks.out.is_empty() {
            return Ok(());
        }
        let missing = std::mem::take(&mut self.ending).missing(&self.tail);
        let mut put = |bytes: &[u8]| match &mut self.paged {
            Some(paged) => paged.write(bytes),
            None => write_all(&mut self.out, bytes),
        };
        let written = put(&missing).and_then(|()| put(&sinks.out));
        let last = sinks.out.len().saturating_sub(4);
        if last == 0 {
            let keep = self.tail.len().saturating_sub(4 - sinks.out.len());
            self.tail.drain(..keep);
        } else {
            self.tail.clear();
        }
        self.tail.extend_from_slice(&sinks.out[last..]);
        sinks.out.clear();
        written.map_err(ended)
    }
}

fn ended(e: io::Error) -> Ended {
    match e.kind() {
        ErrorKind::BrokenPipe => Ended::Closed,
        _ => Ended::Write(anyhow::Error::new(e).context("write standard output")),
    }
}

pub fn write_all(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(n) => bytes = &bytes[n..],
            Err(e) if e.kind() == ErrorKind::Interrupted => (),
            Err(e) if e.kind() == ErrorKind::WouldBlock => wait(file, Ready::Write)?,
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
