//! Where the output of one input goes: to stdout, into the file itself, or nowhere if a report is written instead.

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

/// How the output of all inputs is used.
#[derive(Clone, Debug, Default)]
pub enum Mode {
    /// It goes to standard output.
    #[default]
    Standard,
    /// It goes to standard output, through a pager.
    Paged(Pager),
    /// It replaces the file. The old content is kept under the file's name with this suffix, if the suffix is not
    /// empty.
    InPlace(OsString),
    /// It is only counted. With a suffix, as [`Mode::InPlace`] would do it.
    DryRun(Option<OsString>),
    /// It is compared with the input: the most bytes of a hunk, and whether the diff is coloured.
    Diff(usize, bool),
}

impl Mode {
    /// Whether files besides stdout are written.
    pub fn writes_files(&self) -> bool {
        matches!(self, Mode::Standard | Mode::Paged(_) | Mode::InPlace(_))
    }

    fn suffix(&self) -> Option<&OsString> {
        match self {
            Mode::InPlace(suffix) | Mode::DryRun(Some(suffix)) => Some(suffix),
            _ => None,
        }
    }

    /// Checks that all files can be rewritten, before anything is written. A file that cannot is wrong usage.
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
                Destination::Nowhere(ByteCounts {
                    name: path.to_path_buf(),
                    original,
                    read: 0,
                    written: 0,
                    rejected: 0,
                })
            }
            Mode::Diff(limit, color) => Destination::Diff(Diff::new(path, *color, *limit)),
        })
    }
}

/// Where the output of one input goes.
pub enum Destination {
    Standard,
    File(Replacement),
    Nowhere(ByteCounts),
    Diff(Diff),
}

/// Counts of bytes.
pub struct ByteCounts {
    name: PathBuf,
    /// The file that would be rewritten.
    original: Option<Original>,
    read: u64,
    written: u64,
    rejected: u64,
}

/// How an input ended.
pub struct End<'a> {
    /// The name for messages.
    pub name: &'a str,
    /// All of it was read, and all output was written.
    pub done: bool,
    /// The engine read all of it.
    pub whole: bool,
    pub counts: Counts,
    /// How many blocks were removed.
    pub removed: u64,
    /// Records that cannot be understood are copied, since the user allowed it.
    pub passes: bool,
}

impl End<'_> {
    /// The reason why the file stays unchanged, if it does.
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
    /// Notes bytes of the input.
    pub fn read(&mut self, bytes: &[u8]) {
        if let Destination::Diff(diff) = self {
            diff.read(bytes);
        }
    }

    /// Takes output of the engine. Bytes that are left are for stdout.
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

    /// Ends the input. Returns the rest of the output for stdout, and the status.
    pub fn finish(self, end: &End<'_>, notes: &Notes) -> (Vec<u8>, Status) {
        let mut out = Vec::new();
        let status = match self {
            Destination::Standard => Status::Done,
            Destination::Diff(mut diff) => {
                diff.finish(end.whole && end.done, &mut out);
                Status::Done
            }
            // The error was reported before.
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

impl ByteCounts {
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
