//! Where the output of one input goes: to stdout, into the file itself, to a file in a folder, or nowhere if a report is
//! written instead.

use super::Status;
use super::created::{self, CreatedFile};
use super::diff::{Diff, quoted};
use super::failure::{CommandError, Result, bail};
use super::files::{InputFile, Inputs};
use super::input::Input;
use super::pager::Pager;
use super::path::printable;
use super::pump::PumpResult;
use super::replace::{Original, Replacement, read_by};
use super::states::{FileState, not_understood};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use unthink::engine::Counts;
use unthink::out::Sinks;

/// How the output of all inputs is used.
#[derive(Clone, Debug, Default)]
pub enum OutputMode {
    /// It goes to standard output.
    #[default]
    Standard,
    /// It goes to standard output, through a pager.
    Paged(Pager),
    /// It replaces the file. The old content is kept under the file's name with this suffix, if the suffix is not
    /// empty.
    InPlace(OsString),
    /// Each goes to a file in this folder.
    Folder(PathBuf),
    /// Each is a page in this folder, which says itself what of the input was not understood.
    Pages(PathBuf),
    /// It is only counted. With a suffix, as [`OutputMode::InPlace`] would do it.
    DryRun(Option<OsString>),
    /// It is compared with the input: the most bytes of a hunk, and whether the diff is coloured.
    Diff(usize, bool),
}

impl OutputMode {
    /// Whether files besides stdout are written.
    pub fn writes_files(&self) -> bool {
        !matches!(self, OutputMode::DryRun(_) | OutputMode::Diff(..))
    }

    fn suffix(&self) -> Option<&OsString> {
        match self {
            OutputMode::InPlace(suffix) | OutputMode::DryRun(Some(suffix)) => Some(suffix),
            _ => None,
        }
    }

    /// Whether files are replaced, or it is counted what that would change.
    pub fn replaces(&self) -> bool {
        self.suffix().is_some()
    }

    /// Whether the output goes to standard output, or to the one file instead of it.
    pub fn is_standard(&self) -> bool {
        matches!(self, OutputMode::Standard | OutputMode::Paged(_))
    }

    /// Whether what became of the files is told.
    pub fn tells_states(&self) -> bool {
        !self.is_standard() && !matches!(self, OutputMode::Pages(_))
    }

    /// Whether the steps from the input to the output are asked for.
    pub fn needs_steps(&self) -> bool {
        matches!(self, OutputMode::InPlace(_) | OutputMode::DryRun(_) | OutputMode::Diff(..))
    }

    /// Checks what can be known before anything is written. A single file that cannot be rewritten is left later, and
    /// does not stop the others.
    pub fn check(&self, inputs: &Inputs) -> Result<()> {
        if let OutputMode::Folder(folder) | OutputMode::Pages(folder) = self {
            return created::prepare(folder, inputs);
        }
        let Some(suffix) = self.suffix() else { return Ok(()) };
        if Path::new(suffix).components().count() > usize::from(!suffix.is_empty()) {
            bail!("--in-place: {}: a suffix has no folder in it", printable(Path::new(suffix)));
        }
        if inputs.paths().any(|path| path.as_os_str() == "-") {
            bail!("--in-place rewrites files, and this is standard input (./- is a file of that name)");
        }
        Ok(())
    }

    /// Where the output of this input goes.
    pub fn destination(&self, file: &InputFile, input: &Input) -> Result<Destination> {
        let path = &file.path;
        let original = |suffix: &OsString| Original::of(path, suffix, input);
        Ok(match self {
            OutputMode::Standard | OutputMode::Paged(_) => Destination::Standard,
            OutputMode::Folder(folder) => Destination::Made(CreatedFile::new(folder, file, input)?),
            OutputMode::Pages(folder) => Destination::Page(CreatedFile::page(folder, file, input)?),
            OutputMode::InPlace(suffix) => Destination::File(Replacement::new(original(suffix)?)),
            OutputMode::DryRun(suffix) => {
                let original = suffix.as_ref().map(original).transpose()?;
                Destination::Nowhere(ByteCounts {
                    name: path.to_path_buf(),
                    original,
                    read: 0,
                    written: 0,
                    rejected: 0,
                })
            }
            OutputMode::Diff(limit, color) => Destination::Diff(Diff::new(path, *color, *limit)),
        })
    }
}

/// Where the output of one input goes.
pub enum Destination {
    Standard,
    File(Replacement),
    Made(CreatedFile),
    Page(CreatedFile),
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

/// What became of an input.
pub struct Finished {
    pub status: Status,
    pub state: FileState,
    /// Blocks and bytes that were removed.
    pub removed: (u64, u64),
    /// An error has named the file, and why it stays as it is.
    pub is_told: bool,
    /// That error, unless it was reported before.
    pub error: Option<String>,
}

/// How an input was read, and what was removed from it.
pub struct InputSummary<'a> {
    /// The name for messages.
    pub name: &'a str,
    /// All of it was read, and all output was written.
    pub done: bool,
    /// The engine read all of it.
    pub whole: bool,
    pub counts: Counts,
    /// How many blocks and bytes were removed.
    pub removed: (u64, u64),
    /// Records that cannot be understood are copied, since the user allowed it.
    pub copies_bad: bool,
}

impl InputSummary<'_> {
    /// The reason why the file stays unchanged, if it does.
    fn refuses(&self, whole: bool) -> Option<String> {
        let Counts { bad, records, .. } = self.counts;
        match (bad, whole) {
            (1.., _) if !self.copies_bad => {
                Some(format!("{bad} of {} records could not be understood", records.max(bad)))
            }
            (_, false) => Some("the rest of it was not read".into()),
            _ => None,
        }
    }

    /// What became of the input, if so many blocks and bytes were removed.
    fn finished(&self, removed: (u64, u64)) -> Finished {
        self.finished_as(removed, removed.1 > 0)
    }

    fn finished_as(&self, removed: (u64, u64), is_changed: bool) -> Finished {
        let unread = (!self.done || !self.whole).then(|| "the rest of it was not read".to_string());
        let doubt = not_understood(self.counts).or(unread);
        let state = match doubt {
            Some(why) if !(is_changed && self.copies_bad) => FileState::Left(why),
            why if is_changed => FileState::Changed(why),
            _ => FileState::Clean,
        };
        Finished { status: Status::Done, state, removed, is_told: false, error: None }
    }

    /// What became of a file that stays as it is because of an error.
    fn stays(&self, status: Status, why: String, error: Option<String>) -> Finished {
        Finished { status, state: FileState::Left(why), removed: (0, 0), is_told: true, error }
    }
}

impl Destination {
    /// Notes bytes of the input.
    pub fn read(&mut self, bytes: &[u8]) {
        match self {
            Destination::Diff(diff) => diff.read(bytes),
            Destination::Made(made) => made.read(bytes),
            _ => (),
        }
    }

    /// Takes output of the engine. Bytes that are left are for stdout.
    pub fn write(&mut self, sinks: &mut Sinks, rejected: usize) -> Result<(), PumpResult> {
        match self {
            Destination::Standard => return Ok(()),
            Destination::File(file) => file.write(&sinks.steps, &sinks.out).map_err(PumpResult::Write)?,
            Destination::Made(made) | Destination::Page(made) => made.write(&sinks.out).map_err(PumpResult::Write)?,
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

    /// Ends the input. Returns the rest of the output for stdout, and what became of the input.
    pub fn finish(self, end: &InputSummary<'_>) -> (Vec<u8>, Finished) {
        let mut out = Vec::new();
        let finished = match self {
            Destination::Standard => end.finished(end.removed),
            Destination::Diff(mut diff) => {
                diff.finish(end.whole && end.done, &mut out);
                end.finished(end.removed)
            }
            // The error was reported before.
            Destination::File(_) | Destination::Made(_) | Destination::Page(_) if !end.done => {
                end.stays(Status::Done, "it was not read or written whole".into(), None)
            }
            // Of what has no message there is no page.
            Destination::Page(_) if end.counts.messages == 0 => end.finished((0, 0)),
            Destination::Page(made) => made.commit().map_or_else(|e| failed(end, &e), |_| end.finished((0, 0))),
            Destination::Made(made) => match end.refuses(end.whole) {
                Some(why) => refused(end, "not written", why),
                None => made.commit().map_or_else(|e| failed(end, &e), |differs| end.finished_as(end.removed, differs)),
            },
            Destination::File(file) => match end.refuses(file.is_whole(end.whole)) {
                Some(why) => refused(end, "left as it is", why),
                None => file.commit().map_or_else(|e| failed(end, &e), |()| end.finished(end.removed)),
            },
            Destination::Nowhere(sum) if end.done => sum.finish(end, &mut out),
            Destination::Nowhere(_) => end.finished((0, 0)),
        };
        (out, finished)
    }
}

impl ByteCounts {
    fn finish(self, end: &InputSummary<'_>, out: &mut Vec<u8>) -> Finished {
        let gone = self.read.saturating_sub(self.written + self.rejected);
        let mut finished = end.finished((end.removed.0, gone));
        if let Some(original) = self.original {
            let whole = original.is_whole(self.read, end.whole);
            let backup = if gone > 0 { original.must_have_no_backup() } else { Ok(()) };
            match (end.refuses(whole), backup) {
                (Some(why), _) => finished = refused(end, "left as it is", why),
                (None, Err(e)) => finished = failed(end, &e),
                (None, Ok(())) => (),
            }
        }
        let (blocks, bytes) = finished.removed;
        out.extend_from_slice(format!("{blocks}\t{bytes}\t").as_bytes());
        out.extend_from_slice(quoted(self.name.as_os_str().as_encoded_bytes()).trim_ascii_end());
        out.extend_from_slice(format!("\t{}\n", finished.state.words()).as_bytes());
        finished
    }
}

fn refused(end: &InputSummary<'_>, done: &str, why: String) -> Finished {
    let error = format!("{}: {done}: {why}", end.name);
    end.stays(Status::NotUnderstood, why, Some(error))
}

fn failed(end: &InputSummary<'_>, e: &CommandError) -> Finished {
    let error = format!("{}: {e}", end.name);
    end.stays(Status::Io, printable(Path::new(&e.to_string())), Some(error))
}
