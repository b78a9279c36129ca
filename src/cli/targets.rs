//! The destinations of bytes: stdout, and files for other output.

use super::created::one_file;
use super::failure::{CommandError, Result, WithContext};
use super::fd::{enlarge_pipe, standard, write_all};
use super::notes::Notes;
use super::pager::{Paged, Pager};
use super::path::printable;
use super::pump::PumpResult;
use super::whole::NewFile;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use unthink::out::Sinks;

/// The destinations of bytes.
pub struct Targets {
    out: SharedOutput,
    /// Writing failed, which was reported.
    failed: bool,
    /// Something is missing in the output, which was reported.
    lacks: bool,
    /// The pager before stdout.
    paged: Option<Paged>,
    rejects: Option<(PathBuf, File)>,
    aside: Option<(PathBuf, File)>,
    /// Stdout and the other output are one terminal: what was written to it last.
    screen: Option<Screen>,
    /// The last bytes that were written to stdout.
    tail: Vec<u8>,
    /// How the output of the last input must end before more follows.
    ending: Separator,
}

/// A terminal that gets two outputs: each begins a line of its own there.
#[derive(Clone, Copy, Debug, Default)]
struct Screen {
    /// The last bytes were of the output that does not go to stdout.
    aside: bool,
    /// They did not end their line.
    open: bool,
    /// The line of stdout, and of the other output, was ended here: the line end that follows in it is not needed.
    ended: [bool; 2],
}

impl Screen {
    /// Begins a new line before the next bytes of an output, if those of the other one did not end theirs.
    fn turn(&mut self, aside: bool, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        if std::mem::take(&mut self.ended[usize::from(aside)]) && bytes.starts_with(b"\n") {
            bytes.remove(0);
        }
        let Some(last) = bytes.last() else { return };
        let (turns, open) = (self.open && self.aside != aside, *last != b'\n');
        if turns {
            self.ended[usize::from(!aside)] = true;
            bytes.insert(0, b'\n');
        }
        (self.aside, self.open) = (aside, open);
    }
}

/// Where output goes that has no other destination.
enum SharedOutput {
    Stdout(File),
    File(PathBuf, Box<NewFile>),
}

/// How the output of an input must end before that of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Separator {
    /// It may end in any way.
    #[default]
    Any,
    /// With the end of a line.
    Line,
    /// With a blank line, which ends an event.
    Blank,
}

impl Separator {
    /// The bytes that are missing for this ending, with the kind of line end that `tail` has.
    fn missing(self, tail: &[u8]) -> Vec<u8> {
        let end: &[u8] = match tail {
            [.., b'\r', b'\n'] => b"\r\n",
            [.., b'\r'] => b"\r",
            _ => b"\n",
        };
        let line = tail.ends_with(end);
        let lines = match self {
            Separator::Any => 0,
            _ if tail.is_empty() => 0,
            Separator::Line => usize::from(!line),
            Separator::Blank if line && tail[..tail.len() - end.len()].ends_with(end) => 0,
            Separator::Blank => 2 - usize::from(line),
        };
        end.repeat(lines)
    }
}

impl Targets {
    /// Opens the files for output. `output`: a file instead of stdout.
    pub fn open(rejects: Option<&Path>, aside: Option<&Path>, output: Option<&Path>) -> Result<Self> {
        let out = match output {
            Some(path) => SharedOutput::File(path.to_path_buf(), Box::new(one_file(path)?)),
            None => {
                let out = standard(io::stdout()).context("standard output")?;
                enlarge_pipe(&out);
                SharedOutput::Stdout(out)
            }
        };
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
        let (tail, ending) = (Vec::new(), Separator::Any);
        let shown = |file: &File| matches!(&out, SharedOutput::Stdout(out) if out.is_terminal()) && file.is_terminal();
        let screen = aside.as_ref().filter(|(_, file)| shown(file)).map(|_| Screen::default());
        Ok(Self { out, failed: false, lacks: false, paged: None, rejects, aside, screen, tail, ending })
    }

    /// Puts a pager before stdout.
    pub fn page(&mut self, pager: Pager) -> Result<()> {
        self.paged = Some(Paged::new(pager).context("standard output")?);
        Ok(())
    }

    /// Notes that an input was not read or written to its end. A file for the output would not be whole, and is not written.
    pub fn lack(&mut self) {
        self.lacks = true;
    }

    /// Writes what follows the output of all inputs, unless writing failed before.
    pub fn last(&mut self, mut out: Vec<u8>) -> Result<(), PumpResult> {
        self.ending = Separator::Any;
        if self.failed { Ok(()) } else { self.write(&mut out) }
    }

    /// Ends all inputs. `keep`: a file for the output gets its name, unless writing failed.
    pub fn close(self, keep: bool, notes: &Notes) -> PumpResult {
        if let Err(e) = self.paged.map_or(Ok(()), |paged| paged.finish(notes)) {
            return ended(e);
        }
        match self.out {
            SharedOutput::File(path, _) if self.lacks && !self.failed => {
                notes.error(&format!("{}: not written, since the output is not whole", printable(&path)));
                PumpResult::Done
            }
            SharedOutput::File(path, file) if keep && !self.failed => {
                let named = file.commit().with_context(|| format!("write {}", printable(&path)));
                named.map_or_else(PumpResult::Write, |()| PumpResult::Done)
            }
            _ => PumpResult::Done,
        }
    }

    /// Ends an input: the output of the next one needs this ending before it.
    pub fn end(&mut self, ending: Separator) {
        // An input without output needs no ending.
        if self.ending == Separator::Any {
            self.ending = ending;
        }
    }

    /// Writes what goes neither to stdout nor to the file instead of it, and empties these sinks.
    pub fn write_aside(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult> {
        if let Some(screen) = &mut self.screen {
            screen.turn(true, &mut sinks.aside);
        }
        for (target, bytes) in [(&mut self.rejects, &mut sinks.rejects), (&mut self.aside, &mut sinks.aside)] {
            if let (Some((path, file)), false) = (target, bytes.is_empty()) {
                let written = write_all(file, bytes).with_context(|| format!("write {}", printable(path)));
                written.map_err(PumpResult::Write)?;
            }
            bytes.clear();
        }
        Ok(())
    }

    /// Writes output to stdout, or to the file instead of it, and empties the buffer.
    pub fn write(&mut self, out: &mut Vec<u8>) -> Result<(), PumpResult> {
        if let Some(screen) = &mut self.screen {
            screen.turn(false, out);
        }
        if out.is_empty() {
            return Ok(());
        }
        let missing = std::mem::take(&mut self.ending).missing(&self.tail);
        let mut put = |bytes: &[u8]| match (&mut self.paged, &mut self.out) {
            (Some(paged), _) => paged.write(bytes),
            (None, SharedOutput::Stdout(out)) => write_all(out, bytes),
            (None, SharedOutput::File(_, file)) => file.write_all(bytes),
        };
        let written = put(&missing).and_then(|()| put(out));
        let last = out.len().saturating_sub(4);
        if last == 0 {
            let keep = self.tail.len().saturating_sub(4 - out.len());
            self.tail.drain(..keep);
        } else {
            self.tail.clear();
        }
        self.tail.extend_from_slice(&out[last..]);
        out.clear();
        self.failed |= written.is_err();
        written.map_err(|e| match &self.out {
            SharedOutput::File(path, _) => {
                PumpResult::Write(CommandError::from(e).context(format!("write {}", printable(path))))
            }
            SharedOutput::Stdout(_) => ended(e),
        })
    }
}

fn ended(e: io::Error) -> PumpResult {
    match e.kind() {
        ErrorKind::BrokenPipe => PumpResult::Closed,
        _ => PumpResult::Write(CommandError::from(e).context("write standard output")),
    }
}
