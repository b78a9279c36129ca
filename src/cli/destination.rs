//! Where the output of one input goes: to standard output, into the place of the file, or nowhere, and what is reported of
//! it instead.

use super::Status;
use super::diff::{Diff, quoted};
use super::io::{Ended, Input, printable};
use super::notes::Notes;
use super::pager::Pager;
use super::replace::{Original, Replacement, read_by};
use anyhow::{Error, Result};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use unthink::engine::Counts;
use unthink::out::Sinks;

/// What is done with the output of every input.
#[derive(Clone, Debug, Default)]
pub enum Mode {
    /// It goes to standard output.
    #[default]
    Standard,
    /// It goes to standard output, through a pager.
    Paged(Pager),
    /// It takes the place of the file, which is kept with this behind its name, if that is not empty.
    InPlace(OsString),
    /// It is only counted; with what [`Mode::InPlace`] has, as far as that would come.
    DryRun(Option<OsString>),
    /// It is compared with the input; a hunk has at most so many bytes, and may be coloured.
    Diff(usize, bool),
}

impl Mode {
    /// Whether files are written beside standard output.
    pub fn writes_files(&self) -> bool {
        matches!(self, Mode::Standard | Mode::Paged(_) | Mode::InPlace(_))
    }

    fn suffix(&self) -> Option<&OsString> {
        match self {
            Mode::InPlace(suffix) | Mode::DryRun(Some(suffix)) => Some(suffix),
            _ => None,
        }
    }

    /// Files that are never rewritten are wrong usage, which is found before anything is written.
    pub fn check(&self, files: &[PathBuf]) -> Result<()> {
        let Some(suffix) = self.suffix() else { return Ok(()) };
        if Path::new(suffix).components().count() > usize::from(!suffix.is_empty()) {
            anyhow::bail!("--in-place: {}: a suffix has no folder in it", printable(Path::new(suffix)));
        }
        for file in files {
            match Original::check(file, suffix) {
                Err(e) if !e.is::<io::Error>() => return Err(e.context(printable(file))),
                _ => (),
            }
        }
        Ok(())
    }

    /// Where the output of this input goes.
    pub fn destination(&self, path: &Path, input: &Input) -> Result<Destination> {
        let original = |suffix: &OsString| Original::of(path, suffix, input);
        Ok(match self {
            Mode::Standard | Mode::Paged(_) => Destination::Standard,
            Mode::InPlace(suffix) => Destination::File(Replacement::new(original(suffix)?)),
            Mode::DryRun(suffix) => {
                let original = suffix.as_ref().map(original).transpose()?;
                Destination::Nowhere(Sum { name: path.to_path_buf(), original, read: 0, written: 0, rejected: 0 })
            }
            Mode::Diff(limit, color) => Destination::Diff(Diff::new(path, *color, *limit)),
        })
    }
}

/// Where the output of one input goes.
pub enum Destination {
    Standard,
    File(Replacement),
    Nowhere(Sum),
    Diff(Diff),
}

/// How many bytes there were.
pub struct Sum {
    name: PathBuf,
    /// What would be rewritten.
    original: Option<Original>,
    read: u64,
    written: u64,
    rejected: u64,
}

/// How an input ended.
pub struct End<'a> {
    /// The name for messages.
    pub name: &'a str,
    /// All of it was read, and all that was made of it was written.
    pub done: bool,
    /// The engine took all of it.
    pub whole: bool,
    pub counts: Counts,
    /// How many blocks were removed.
    pub removed: u64,
    /// Records that cannot be understood are copied through, which the user allowed.
    pub passes: bool,
}

impl End<'_> {
    /// Why a file stays as it is.
    fn refuses(&self, whole: bool) -> Option<String> {
        let Counts { bad, records, .. } = self.counts;
        match (bad, whole) {
            (1.., _) if !self.passes => Some(format!("{bad} of {} records could not be understood", records.max(bad))),
            (_, false) => Some("the rest of it was not read".into()),
            _ => None,
        }
    }
}

impl Destination {
    /// Takes in what was read.
    pub fn read(&mut self, bytes: &[u8]) {
        if let Destination::Diff(diff) = self {
            diff.read(bytes);
        }
    }

    /// Takes what the engine gave; what is left is for standard output.
    pub fn write(&mut self, sinks: &mut Sinks, rejected: usize) -> Result<(), Ended> {
        match self {
            Destination::Standard => return Ok(()),
            Destination::File(file) => file.write(&sinks.steps, &sinks.out).map_err(Ended::Write)?,
            Destination::Nowhere(sum) => {
                sum.read += read_by(&sinks.steps);
                sum.written += sinks.out.len() as u64;
                sum.rejected += rejected as u64;
            }
            Destination::Diff(diff) => {
                let out = std::mem::take(&mut sinks.out);
                diff.write(&sinks.steps, &out, &mut sinks.out);
                sinks.steps.clear();
                return Ok(());
            }
        }
        sinks.out.clear();
        sinks.steps.clear();
        Ok(())
    }

    /// The input is over; what is left to write is for standard output.
    pub fn finish(self, end: &End<'_>, notes: &Notes) -> (Vec<u8>, Status) {
        let mut out = Vec::new();
        let status = match self {
            Destination::Standard => Status::Done,
            Destination::Diff(mut diff) => {
                diff.finish(end.whole && end.done, &mut out);
                Status::Done
            }
            // Why it ended was reported.
            Destination::File(_) if !end.done => Status::Done,
            Destination::File(file) => match end.refuses(file.is_whole()) {
                Some(why) => not_rewritten(end, &why, notes),
                None => file.commit().map_or_else(|e| failed(end, &e, notes), |()| Status::Done),
            },
            Destination::Nowhere(sum) if end.done => sum.finish(end, notes, &mut out),
            Destination::Nowhere(_) => Status::Done,
        };
        (out, status)
    }
}

impl Sum {
    fn finish(self, end: &End<'_>, notes: &Notes, out: &mut Vec<u8>) -> Status {
        let gone = self.read.saturating_sub(self.written + self.rejected);
        let mut sums = (end.removed, gone);
        let mut status = Status::Done;
        if let Some(original) = self.original {
            let whole = self.read == original.len();
            let backup = if gone > 0 { original.must_have_no_backup() } else { Ok(()) };
            status = match (end.refuses(whole), backup) {
                (Some(why), _) => not_rewritten(end, &why, notes),
                (None, Err(e)) => failed(end, &e, notes),
                (None, Ok(())) => Status::Done,
            };
            if status != Status::Done {
                sums = (0, 0);
            }
        }
        out.extend_from_slice(format!("{}\t{}\t", sums.0, sums.1).as_bytes());
        out.extend_from_slice(quoted(self.name.as_os_str().as_encoded_bytes()).trim_ascii_end());
        out.push(b'\n');
        status
    }
}

fn not_rewritten(end: &End<'_>, why: &str, notes: &Notes) -> Status {
    notes.error(&format!("{}: the file stays as it is: {why}", end.name));
    Status::NotUnderstood
}

fn failed(end: &End<'_>, e: &Error, notes: &Notes) -> Status {
    notes.error(&format!("{}: {e:#}", end.name));
    Status::Io
}
