//! Runs a command over its files: one engine a file, one message a problem, one status for all.

mod report;

use super::Status;
use super::destination::{End, Finished, Mode};
use super::files::InputFile;
use super::io::{Ended, Input, is_output, printable, same_file, stdin_is_terminal, stdout_is_terminal};
pub use super::job::Job;
use super::notes::{Notes, read};
use super::options::{self, FramingArg, OnError};
use super::progress::Clock;
use super::states::{States, Told, name_of};
use super::targets::{Ending, Targets};
use super::usage;
use anyhow::Result;
use std::io::ErrorKind;
use std::path::Path;
use unthink::dialect::{Foreign, Pass};
use unthink::engine::{Counts, Engine};
use unthink::frame::Framing;
use unthink::inline::Tags;
use unthink::out::Output;
use unthink::pass::{Policy, Removal, Strip};

/// The results of a run.
pub struct Total {
    pub status: Status,
    pub counts: Counts,
}

/// Reports why the command did nothing.
pub fn failed(notes: &Notes, e: &anyhow::Error) -> Status {
    notes.error(&format!("{e:#}"));
    if e.is::<std::io::Error>() { Status::Io } else { Status::Usage }
}

/// A run over files, as far as it has come.
struct Run<'r, 'j> {
    job: &'r Job<'j>,
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

impl Run<'_, '_> {
    /// Opens a file, and prepares where its output goes. A file that cannot be opened does not stop the others.
    fn open(&mut self, file: &InputFile, notes: &mut Notes) -> Option<Input> {
        let path = &file.path;
        if path.as_os_str() == "-" && stdin_is_terminal() {
            notes.note("reading from the terminal until end of file (Ctrl-D); unthink --help says more");
        }
        let opened = Input::open(path).and_then(|mut input| {
            if self.job.skips && file.is_found && self.job.common.framing == FramingArg::Auto && input.is_binary() {
                notes.detail(&format!("{}: not text, skipped", input.name));
                self.skipped += 1;
                return Ok(None);
            }
            self.targets.destination = self.job.mode.destination(file, &input)?;
            self.opened += 1;
            input.is_found = file.is_found;
            Ok(Some(input))
        });
        opened.unwrap_or_else(|e| {
            let is_missing = e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::NotFound);
            let hint = if is_missing { usage::file(path) } else { String::new() };
            let e = e.context(printable(path));
            notes.error(&format!("{e:#}{hint}"));
            let status = if e.is::<std::io::Error>() { Status::Io } else { Status::NotUnderstood };
            self.total.status = self.total.status.max(status);
            self.states.unread();
            None
        })
    }

    /// Reads a file and writes its output. Returns whether the next one follows.
    fn file<O: Output>(
        &mut self,
        tags: &Tags,
        input: Input,
        output: O,
        each: &mut impl FnMut(&mut O, Counts, &Notes),
        done: &mut impl FnMut(&O, &Told<'_>, &Notes),
        notes: &mut Notes,
    ) -> Result<bool> {
        let Self { job, targets, total, clock, bytes, opened, .. } = self;
        // A line on the terminal would stand in the output there.
        let is_apart = !stdout_is_terminal() || !job.mode.is_standard() || job.output.is_some();
        let is_shown = job.files.files.len() > 1 && !job.checks && is_apart;
        let common = job.common;
        let mut engine = job.engine(tags, &input, output)?;
        let (name, is_found) = (input.name.clone(), input.is_found);
        let ended = input.pump(&mut engine, targets, |engine| {
            let counts = engine.counts();
            each(engine.output_mut(), counts, notes);
            if is_shown && clock.is_due() {
                let (all, mib) = (job.files.files.len(), (*bytes + counts.bytes) >> 20);
                notes.progress(&format!("unthink: file {opened} of {all}, {mib} MiB"));
            }
        });
        *bytes += engine.counts().bytes;
        notes.progress("");
        let mut closed = matches!(ended, Ended::Closed);
        let (done_so_far, whole) = (matches!(ended, Ended::Done), !engine.is_over());
        targets.end(job.ending(engine.framing()));
        let counts = engine.counts();
        let is_skipped =
            job.skips && is_found && read(counts) == 0 && counts.foreign > 0 && counts.foreign == counts.records;
        self.skipped += u64::from(is_skipped);
        job.report((&name, is_found, is_skipped), &mut engine, ended, notes, total);
        let passes = common.on_error == OnError::Pass || job.verbatim;
        let removed = engine.output().removed();
        let end = End { name: &name, done: done_so_far, whole, counts, removed, passes };
        let (finished, ended) = targets.finish(&end, notes);
        total.status = total.status.max(finished.status);
        closed |= matches!(ended, Ended::Closed);
        let Finished { state, removed, is_told, .. } = finished;
        self.states.add(&state, removed);
        if !is_skipped {
            done(engine.output(), &Told { name: &name, counts, state, removed, is_told }, notes);
        }
        Ok(!(closed || (common.on_error == OnError::Stop && counts.bad > 0)))
    }

    /// Ends the run: what is said of all files together.
    fn end(mut self, notes: &Notes) -> Status {
        let job = self.job;
        let last = job.last.map_or(Ok(()), |last| self.targets.last(last()));
        let closed = self.targets.close(self.opened > 0, notes);
        for ended in last.err().into_iter().chain([closed]) {
            if let Ended::Write(e) = ended {
                notes.error(&format!("{e:#}"));
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
        if job.mode.tells_states() || job.stats.is_some() || (job.sums && job.files.are_found) {
            self.states.end(job.stats, &self.clock, notes);
        }
        notes.total(total.counts, total.status >= Status::NotUnderstood);
        total.status
    }
}

impl Job<'_> {
    /// Runs the command over every file. `output` makes the output, and gets the name of the file if there are several;
    /// `done` gets it back, with the counts.
    pub fn run<O: Output>(
        &self,
        output: impl FnMut(Option<String>) -> O,
        done: impl FnMut(&O, Counts, &Notes),
    ) -> Status {
        self.run_by_parts(output, |_, _, _| (), done)
    }

    /// The same for an output that returns its results in parts: `each` takes them after each read.
    pub fn run_by_parts<O: Output>(
        &self,
        output: impl FnMut(Option<String>) -> O,
        each: impl FnMut(&mut O, Counts, &Notes),
        mut done: impl FnMut(&O, Counts, &Notes),
    ) -> Status {
        self.run_told(output, each, |output, told, notes| done(output, told.counts, notes))
    }

    /// The same, where `done` also learns what became of the file.
    pub fn run_told<O: Output>(
        &self,
        output: impl FnMut(Option<String>) -> O,
        each: impl FnMut(&mut O, Counts, &Notes),
        done: impl FnMut(&O, &Told<'_>, &Notes),
    ) -> Status {
        let mut notes = Notes::of(self.common);
        let status = match self.try_run(&mut notes, output, each, done) {
            Ok(status) => status,
            Err(e) => failed(&notes, &e),
        };
        notes.release();
        status
    }

    fn try_run<O: Output>(
        &self,
        notes: &mut Notes,
        mut output: impl FnMut(Option<String>) -> O,
        mut each: impl FnMut(&mut O, Counts, &Notes),
        mut done: impl FnMut(&O, &Told<'_>, &Notes),
    ) -> Result<Status> {
        self.may_pass()?;
        self.must_not_overwrite()?;
        self.mode.check(self.files)?;
        let tags = options::tags(self.common, self.tags.marker.as_deref())?;
        let tags = if self.redact { tags.redacting() } else { tags };
        options::engine(self.common, self.tags, self.streams)?;
        let rejects = self.common.rejects.as_deref().filter(|_| self.mode.writes_files());
        let mut targets = match Targets::open(rejects, self.aside, self.output) {
            Ok(targets) => targets,
            Err(e) => {
                notes.error(&format!("{e:#}"));
                return Ok(Status::Io);
            }
        };
        if let Mode::Paged(pager) = &self.mode {
            targets.page(pager.clone())?;
            notes.hold();
        }
        let total = Total { status: self.files.status, counts: Counts::default() };
        let mut run = Run {
            job: self,
            targets,
            total,
            states: States::default(),
            opened: 0,
            bytes: 0,
            clock: Clock::new(),
            skipped: 0,
        };
        for file in &self.files.files {
            let name = self.files.are_several.then(|| file.path.to_string_lossy().into_owned());
            let goes_on = match run.open(file, notes) {
                Some(input) => run.file(&tags, input, output(name), &mut each, &mut done, notes)?,
                None => true,
            };
            if !goes_on {
                break;
            }
        }
        Ok(run.end(notes))
    }

    /// How the output of an input must end before that of the next one.
    fn ending(&self, framing: Option<Framing>) -> Ending {
        match framing {
            _ if self.verbatim || !matches!(self.mode, Mode::Standard) => Ending::Any,
            Some(Framing::Jsonl | Framing::Json | Framing::Csv | Framing::Tsv) => Ending::Line,
            Some(Framing::Sse) if self.passes => Ending::Blank,
            Some(Framing::Sse) => Ending::Line,
            Some(Framing::Text) | None => Ending::Any,
        }
    }

    /// Checks that `--on-error pass` is intended.
    fn may_pass(&self) -> Result<()> {
        match self.common.on_error {
            OnError::Pass if self.checks => anyhow::bail!("--on-error pass: nothing is copied here; skip goes on"),
            OnError::Pass if !self.common.allow_unstripped => anyhow::bail!(
                "--on-error pass would copy records through whose reasoning was not looked for; \
                 --allow-unstripped allows that"
            ),
            _ => Ok(()),
        }
    }

    /// The engine for an input.
    fn engine<'t, O: Output>(&self, tags: &'t Tags, input: &Input, output: O) -> Result<Engine<'t, O>> {
        let mut options = options::engine(self.common, self.tags, self.streams)?;
        options.read.pointers = self.pointers.clone();
        options.read.inline.keeps_start = self.mode.replaces() && !self.verbatim;
        options.read.drops = self.drops.clone();
        options.read.to.clone_from(&self.to);
        if self.verbatim {
            options.read.foreign = Foreign::Unwatched;
        }
        if let Some(known) = input.first_pass(tags, &options).filter(|_| !self.verbatim) {
            options.pass = Pass::Second(known);
        }
        let engine = Engine::new(tags, options, output);
        let engine = match self.removal {
            Some(delegations) => engine.without(Removal::new(delegations)),
            None => engine,
        };
        Ok(match self.policy.0 {
            Policy::None => engine,
            policy => engine.judged_by(Strip::new(policy, self.policy.1).narrowed(self.narrow.clone(), self.policy.1)),
        })
    }

    /// Checks that no output is an input or another output.
    fn must_not_overwrite(&self) -> Result<()> {
        for file in self.files.paths() {
            let name = name_of(file);
            match is_output(file) {
                None => (),
                Some(false) => anyhow::bail!("{name}: the input is also the output"),
                Some(true) => anyhow::bail!(
                    "{name}: the input is also the output, which the shell emptied before this program was started"
                ),
            }
        }
        let aside = self.aside.filter(|path| path.as_os_str() != "stderr");
        let outputs: Vec<&Path> = [self.common.rejects.as_deref(), aside, self.output].into_iter().flatten().collect();
        for output in &outputs {
            if output.as_os_str() == "-" {
                anyhow::bail!("-: stdout has the rest of the output; this goes to a file, or to stderr by that name");
            }
            if self
                .files
                .paths()
                .chain(&self.common.profile)
                .chain(&self.common.tags)
                .any(|file| same_file(file, output))
            {
                anyhow::bail!("{}: the file is read, and would be overwritten", printable(output));
            }
        }
        let mut pairs = outputs.iter().enumerate().flat_map(|(i, a)| outputs[i + 1..].iter().map(move |b| (a, b)));
        match pairs.find(|(a, b)| same_file(a, b)) {
            Some((a, _)) => anyhow::bail!("{}: two outputs would overwrite each other", printable(a)),
            None => Ok(()),
        }
    }
}
