//! Runs a command over its files: one engine a file, one message a problem, one status for all.

mod drive;
mod one;
mod report;

use super::Status;
use super::destination::{Finished, OutputMode};
use super::failure::{CommandError, Result, bail};
use super::fd::stdout_is_terminal;
use super::input::Input;
pub use super::job::Job;
use super::notes::Notes;
use super::options::{self, OnError};
use super::path::{is_output, printable, same_file};
use super::progress::Clock;
use super::pump::PumpResult;
use super::states::{FileReport, States, name_of};
use super::targets::{Separator, Targets};
use super::usage;
use one::{FileResult, Over};
use std::path::Path;
use unthink::dialect::Pass;
use unthink::engine::{Counts, Engine, Problem};
use unthink::frame::Framing;
use unthink::inline::Tags;
use unthink::out::Output;
use unthink::policy::Narrow;

/// The results of a run.
pub struct Total {
    pub status: Status,
    pub counts: Counts,
}

/// Reports why the command did nothing.
pub fn failed(notes: &Notes, e: &CommandError) -> Status {
    notes.error(&e.to_string());
    e.status()
}

/// What a command makes of a file, on any thread: the output, by the name of the file if there are several; what is taken
/// from it after each read; and what is kept of it at the end.
pub struct Craft<M, P, K> {
    pub make: M,
    pub part: P,
    pub keep: K,
}

/// Takes nothing on the way.
type Nothing<O> = fn(&mut O) -> Option<((), usize)>;

/// A craft with an output from which nothing is taken on the way.
pub fn craft<O, M, K>(make: M, keep: K) -> Craft<M, Nothing<O>, K> {
    Craft { make, part: |_| None, keep }
}

/// Takes the name of a file that was not read, and why.
type Leave<'a> = &'a dyn Fn(&Path, &str);

/// What a command does on the main thread besides, in the order of the files.
#[derive(Clone, Copy, Default)]
pub struct Main<'a> {
    /// A file begins. It gets the name that the output got.
    pub begin: Option<&'a dyn Fn(Option<String>)>,
    /// Whether the user accepts that this record was not understood: it is no error then.
    pub accepts: Option<&'a dyn Fn(&Problem) -> bool>,
    /// How much was found so far, for a command that shows that.
    pub found: Option<&'a dyn Fn() -> u64>,
    /// A file was not read, for this reason: it could not be opened, or nobody named it and it has nothing to read.
    pub left: Option<Leave<'a>>,
    /// What follows the output of all inputs.
    pub last: Option<&'a dyn Fn() -> Vec<u8>>,
}

/// A run over files, as far as it has come.
struct FilesRun<'r, 'j> {
    job: &'r Job<'j>,
    main: Main<'r>,
    targets: Targets,
    total: Total,
    states: States,
    /// How many files were opened, and how many bytes of those that are over were read.
    opened: usize,
    bytes: u64,
    clock: Clock,
    /// Files of folders that are not read, since they are not text, or in no format that is read.
    skipped: u64,
}

impl FilesRun<'_, '_> {
    fn begin(&mut self, name: Option<String>) {
        self.opened += 1;
        self.main.begin.into_iter().for_each(|begin| begin(name.clone()));
    }

    /// Shows the progress if it is time: the number of the file, and how many bytes were read so far.
    fn progress(&mut self, file: usize, bytes: u64, notes: &Notes) {
        if !self.clock.is_due() {
            return;
        }
        let Job { files, checks, mode, output, .. } = self.job;
        // A line on the terminal would stand in the output there.
        let is_apart = !stdout_is_terminal() || !mode.is_standard() || output.is_some();
        if *checks || (files.files.len() > 1 && is_apart) {
            let found = self.main.found.map(|found| format!(", {} found", found())).unwrap_or_default();
            let (all, mib) = (files.files.len(), bytes >> 20);
            notes.progress(&format!("unthink: file {file} of {all}, {mib} MiB{found}"));
        }
    }

    /// Reports a file that could not be opened. It does not stop the others.
    fn unread(&mut self, path: &Path, e: CommandError, notes: &Notes) {
        let hint = if e.is_missing() { usage::file(path) } else { String::new() };
        let e = e.context(printable(path));
        notes.error(&format!("{e}{hint}"));
        self.total.status = self.total.status.max(e.status());
        self.states.unread();
    }

    fn leave(&self, path: &Path, why: &str) {
        self.main.left.into_iter().for_each(|left| left(path, why));
    }

    /// Ends a file: reports it, and writes what is still to write. Returns whether the next one follows.
    fn settle<K>(
        &mut self,
        made: FileResult<K>,
        path: &Path,
        done: &mut impl FnMut(&K, &FileReport<'_>, &Notes),
        notes: &mut Notes,
    ) -> bool {
        let over = match made {
            FileResult::Unread(e) => {
                self.leave(path, &e.to_string());
                self.unread(path, e, notes);
                return true;
            }
            FileResult::NotText(name) => {
                self.leave(path, "it is not text");
                notes.detail(&format!("{name}: not text, skipped"));
                self.skipped += 1;
                return true;
            }
            FileResult::Over(over) => over,
        };
        let Over { is_skipped, counts, framing, .. } = *over;
        self.bytes += counts.bytes;
        self.targets.end(self.job.ending(framing));
        self.skipped += u64::from(is_skipped);
        self.job.treatment.narrow.add(&over.narrow);
        self.job.report(self.main, &over, notes, &mut self.total);
        if matches!(over.ended, PumpResult::Read(_) | PumpResult::Write(_)) {
            self.targets.lack();
        }
        let mut closed = matches!(over.ended, PumpResult::Closed);
        let Finished { state, removed, is_told, status, error } = over.finished;
        self.total.status = self.total.status.max(status);
        error.into_iter().for_each(|error| notes.error(&error));
        match self.targets.write(&mut { over.rest }) {
            Err(PumpResult::Closed) => closed = true,
            Err(ended) => self.total.status = self.total.status.max(ended.status(notes)),
            Ok(()) => (),
        }
        self.states.add(&state, removed);
        match is_skipped {
            true => self.leave(path, "nothing in it is in a format that is read"),
            false => {
                let why = over.problems.first().map(|problem| problem.what.as_str());
                done(&over.kept, &FileReport { name: &over.name, path, why, counts, state, removed, is_told }, notes);
            }
        }
        !(closed || (self.job.typed.common.unread.on_error == OnError::Stop && counts.bad > 0))
    }

    /// Ends the run: what is said of all files together.
    fn end(mut self, notes: &Notes) -> Status {
        notes.progress("");
        let job = self.job;
        let last = self.main.last.map_or(Ok(()), |last| self.targets.last(last()));
        let closed = self.targets.close(self.opened > 0, notes);
        for ended in last.err().into_iter().chain([closed]) {
            if let PumpResult::Write(e) = ended {
                notes.error(&e.to_string());
                self.total.status = self.total.status.max(Status::Io);
            }
        }
        let total = self.total;
        if job.checks {
            notes.foreign(None, total.counts, false);
        }
        if self.skipped > 0 {
            let (n, files) = (self.skipped, if self.skipped == 1 { "file" } else { "files" });
            notes.note(&format!("{n} {files} skipped: not text, or in no format that is read (-v names them)"));
        }
        if job.mode.tells_states() || job.told.stats.is_some() || (job.told.sums && job.files.are_found) {
            self.states.end(job.told.stats, &self.clock, notes);
        }
        notes.total(total.counts, total.status >= Status::NotUnderstood);
        total.status
    }
}

impl Job<'_> {
    /// Prepares a run, has its files worked on, and ends it.
    fn begun(&self, main: Main<'_>, work: impl FnOnce(&mut FilesRun<'_, '_>, &Tags, &mut Notes)) -> Status {
        let mut notes = Notes::of(self.typed.common);
        let status = self.try_run(main, work, &mut notes).unwrap_or_else(|e| failed(&notes, &e));
        notes.release();
        status
    }

    fn try_run(
        &self,
        main: Main<'_>,
        work: impl FnOnce(&mut FilesRun<'_, '_>, &Tags, &mut Notes),
        notes: &mut Notes,
    ) -> Result<Status> {
        self.may_pass()?;
        self.must_not_overwrite()?;
        self.mode.check(self.files)?;
        let tags = options::tags(self.typed.common, self.typed.tags.marker.as_deref())?;
        let tags = self.treatment.tags(tags);
        options::engine(self.typed.common, self.typed.tags, self.streams)?;
        let rejects = self.typed.common.unread.rejects.as_deref().filter(|_| self.mode.writes_files());
        let mut targets = match Targets::open(rejects, self.aside, self.output) {
            Ok(targets) => targets,
            Err(e) => {
                notes.error(&e.to_string());
                return Ok(Status::Io);
            }
        };
        if let OutputMode::Paged(pager) = &self.mode {
            targets.page(pager.clone())?;
            notes.hold();
        }
        let total = Total { status: self.files.status, counts: Counts::default() };
        let (states, clock) = (States::default(), Clock::new());
        let mut run = FilesRun { job: self, main, targets, total, states, opened: 0, bytes: 0, clock, skipped: 0 };
        work(&mut run, &tags, notes);
        Ok(run.end(notes))
    }

    /// How the output of an input must end before that of the next one.
    fn ending(&self, framing: Option<Framing>) -> Separator {
        match framing {
            _ if self.treatment.verbatim || !matches!(self.mode, OutputMode::Standard) => Separator::Any,
            Some(Framing::Jsonl | Framing::Json | Framing::Csv | Framing::Tsv) => Separator::Line,
            Some(Framing::Sse) if self.copies_unread => Separator::Blank,
            Some(Framing::Sse) => Separator::Line,
            _ => Separator::Any,
        }
    }

    /// Checks that `--on-error pass` is intended.
    fn may_pass(&self) -> Result<()> {
        match self.typed.common.unread.on_error {
            OnError::Pass if self.checks => bail!("--on-error pass: nothing is copied here; skip goes on"),
            OnError::Pass if !self.typed.common.unread.allow_unstripped => bail!(
                "--on-error pass would copy records through whose reasoning was not looked for; \
                 --allow-unstripped allows that"
            ),
            _ => Ok(()),
        }
    }

    /// The engine for an input.
    fn engine<O: Output>(&self, tags: &Tags, input: &Input, output: O, narrow: Narrow) -> Result<Engine<O>> {
        let mut options = self.treatment.options(options::engine(self.typed.common, self.typed.tags, self.streams)?);
        options.read.inline.keeps_start = self.mode.replaces() && !self.treatment.verbatim;
        if let Some(known) = input.first_pass(tags, &options).filter(|_| !self.treatment.verbatim) {
            options.pass = Pass::Second(known);
        }
        Ok(self.treatment.engine(tags, options, output, narrow))
    }

    /// Checks that no output is an input or another output.
    fn must_not_overwrite(&self) -> Result<()> {
        for file in self.files.paths() {
            let name = name_of(file);
            match is_output(file) {
                None => (),
                Some(false) => bail!("{name}: the input is also the output"),
                Some(true) => bail!(
                    "{name}: the input is also the output, which the shell emptied before this program was started"
                ),
            }
        }
        let aside = self.aside.filter(|path| path.as_os_str() != "stderr");
        let outputs: Vec<&Path> =
            [self.typed.common.unread.rejects.as_deref(), aside, self.output].into_iter().flatten().collect();
        for output in &outputs {
            if output.as_os_str() == "-" {
                bail!("-: stdout has the rest of the output; this goes to a file, or to stderr by that name");
            }
            if self
                .files
                .paths()
                .chain(&self.typed.common.given.profile)
                .chain(&self.typed.common.table.tags)
                .any(|file| same_file(file, output))
            {
                bail!("{}: the file is read, and would be overwritten", printable(output));
            }
        }
        let mut pairs = outputs.iter().enumerate().flat_map(|(i, a)| outputs[i + 1..].iter().map(move |b| (a, b)));
        match pairs.find(|(a, b)| same_file(a, b)) {
            Some((a, _)) => bail!("{}: two outputs would overwrite each other", printable(a)),
            None => Ok(()),
        }
    }
}
