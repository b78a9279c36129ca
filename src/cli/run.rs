//! Runs a command over its files: one engine a file, one message a problem, one status for all.

use super::Status;
use super::destination::{End, Finished, Mode};
use super::io::{Ended, Input, is_output, printable, same_file, stdin_is_terminal};
pub use super::job::Job;
use super::notes::{self, Notes, kinds};
use super::options::{self, OnError};
use super::states::{States, Told, name_of};
use super::targets::{Ending, Targets};
use anyhow::Result;
use std::path::{Path, PathBuf};
use unthink::dialect::{DIALECTS, Foreign, Pass};
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

impl Job<'_> {
    /// Runs the command over every file. `output` makes the output, and gets the name of the file if there are several;
    /// `done` gets it back, with the counts.
    pub fn run<O: Output>(
        self,
        output: impl FnMut(Option<String>) -> O,
        done: impl FnMut(&O, Counts, &Notes),
    ) -> Status {
        self.run_by_parts(output, |_, _, _| (), done)
    }

    /// The same for an output that returns its results in parts: `each` takes them after each read.
    pub fn run_by_parts<O: Output>(
        self,
        output: impl FnMut(Option<String>) -> O,
        each: impl FnMut(&mut O, Counts, &Notes),
        mut done: impl FnMut(&O, Counts, &Notes),
    ) -> Status {
        self.run_told(output, each, |output, told, notes| done(output, told.counts, notes))
    }

    /// The same, where `done` also learns what became of the file.
    pub fn run_told<O: Output>(
        self,
        output: impl FnMut(Option<String>) -> O,
        each: impl FnMut(&mut O, Counts, &Notes),
        done: impl FnMut(&O, &Told<'_>, &Notes),
    ) -> Status {
        let mut notes = Notes::new(self.common.quiet, self.common.verbose, self.common.color);
        let status = match self.try_run(&mut notes, output, each, done) {
            Ok(status) => status,
            Err(e) => failed(&notes, &e),
        };
        notes.release();
        status
    }

    fn try_run<O: Output>(
        self,
        notes: &mut Notes,
        mut output: impl FnMut(Option<String>) -> O,
        mut each: impl FnMut(&mut O, Counts, &Notes),
        mut done: impl FnMut(&O, &Told<'_>, &Notes),
    ) -> Result<Status> {
        let common = self.common;
        self.may_pass()?;
        let stdin = [PathBuf::from("-")];
        let files = if self.files.is_empty() && !self.checks { &stdin[..] } else { self.files };
        self.must_not_overwrite(files)?;
        self.mode.check(files, notes)?;
        let tags = options::tags(common, self.tags.marker.as_deref())?;
        let tags = if self.redact { tags.redacting() } else { tags };
        options::engine(common, self.tags, self.streams)?;
        let rejects = common.rejects.as_deref().filter(|_| self.mode.writes_files());
        let mut targets = match Targets::open(rejects, self.aside) {
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
        let mut total = Total { status: Status::Done, counts: Counts::default() };
        let (several, mut states) = (files.len() > 1, States::default());
        for path in files {
            if path.as_os_str() == "-" && stdin_is_terminal() {
                notes.note("reading from the terminal until end of file (Ctrl-D); unthink --help says more");
            }
            let opened = Input::open(path).and_then(|input| Ok((self.mode.destination(path, &input)?, input)));
            let input = match opened {
                Ok((destination, input)) => {
                    targets.destination = destination;
                    input
                }
                Err(e) => {
                    total.status = total.status.max(failed(notes, &e.context(printable(path))));
                    states.unread();
                    continue;
                }
            };
            let file = several.then(|| path.to_string_lossy().into_owned());
            let mut engine = self.engine(&tags, &input, output(file))?;
            let name = input.name.clone();
            let ended = input.pump(&mut engine, &mut targets, |engine| {
                let counts = engine.counts();
                each(engine.output_mut(), counts, notes);
            });
            notes.progress("");
            let mut closed = matches!(ended, Ended::Closed);
            let (done_so_far, whole) = (matches!(ended, Ended::Done), !engine.is_over());
            targets.end(self.ending(engine.framing()));
            self.report(&name, &mut engine, ended, notes, &mut total);
            let counts = engine.counts();
            let passes = common.on_error == OnError::Pass || self.verbatim;
            let removed = engine.output().removed();
            let end = End { name: &name, done: done_so_far, whole, counts, removed, passes };
            let (finished, ended) = targets.finish(&end, notes);
            total.status = total.status.max(finished.status);
            closed |= matches!(ended, Ended::Closed);
            let Finished { state, removed, is_told, .. } = finished;
            states.add(&state, removed);
            done(engine.output(), &Told { name: &name, counts, state, removed, is_told }, notes);
            if closed || (common.on_error == OnError::Stop && counts.bad > 0) {
                break;
            }
        }
        Ok(self.end(targets, &states, total, notes))
    }

    /// Ends the run: what is said of all files together.
    fn end(&self, mut targets: Targets, states: &States, mut total: Total, notes: &Notes) -> Status {
        if let Ended::Write(e) = targets.close(notes) {
            notes.error(&format!("{e:#}"));
            total.status = total.status.max(Status::Io);
        }
        if self.checks {
            notes.foreign(None, total.counts, false);
        }
        if self.mode.tells_states() || self.stats {
            states.end(self.stats, notes);
        }
        notes.total(total.counts, total.status >= Status::NotUnderstood);
        total.status
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
    fn must_not_overwrite(&self, files: &[PathBuf]) -> Result<()> {
        for file in files {
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
        let outputs: Vec<&Path> = [self.common.rejects.as_deref(), aside].into_iter().flatten().collect();
        for output in &outputs {
            if output.as_os_str() == "-" {
                anyhow::bail!("-: stdout has the rest of the output; this goes to a file, or to stderr by that name");
            }
            if files.iter().chain(&self.common.profile).chain(&self.common.tags).any(|file| same_file(file, output)) {
                anyhow::bail!("{}: the file is read, and would be overwritten", printable(output));
            }
        }
        match outputs.as_slice() {
            [a, b] if same_file(a, b) => anyhow::bail!("{}: two outputs would overwrite each other", printable(a)),
            _ => Ok(()),
        }
    }

    /// Reports the records that were not understood. Returns how many of them the user accepts.
    fn problems<O: Output>(&self, name: &str, engine: &mut Engine<'_, O>, notes: &mut Notes) -> u64 {
        let done = match self.common.on_error {
            _ if self.verbatim => "passed through",
            OnError::Skip if matches!(self.mode, Mode::Diff(..)) => "left as it is",
            OnError::Stop => "stopped",
            _ if self.checks => "not checked",
            OnError::Skip => "skipped",
            OnError::Pass => "passed through",
        };
        let passed = if self.checks { "not checked" } else { "passed through" };
        let mut problems = engine.problems();
        let counts = engine.counts();
        let (mut accepted, mut counted) = (0, false);
        if let Some(accepts) = self.accepts {
            problems.retain(|problem| {
                let is_accepted = accepts(problem);
                if !problem.again {
                    // A suspect record that passes is not bad.
                    counted = is_accepted && (problem.suspect.is_none() || problem.skipped);
                    accepted += u64::from(counted);
                } else if !is_accepted {
                    // A record is accepted with all of its problems.
                    accepted -= u64::from(std::mem::take(&mut counted));
                }
                !is_accepted
            });
        }
        // If more records are not valid in the framing than were read, it may be the wrong one.
        let misread = problems.iter().filter(|problem| problem.misread).count() as u64;
        let misled = counts.guessed && misread > notes::read(counts);
        let mut guess = engine.framing().filter(|framing| misled && *framing != Framing::Text);
        for problem in problems {
            let guess = if problem.misread { guess.take() } else { None };
            notes.problem(name, &problem, (done, passed), guess);
        }
        if !self.verbatim {
            let is_read = counts.known.iter().any(|n| *n > 0);
            notes.remedy(name, engine.remedies(), is_read);
        }
        accepted
    }

    fn report<O: Output>(
        &self,
        name: &str,
        engine: &mut Engine<'_, O>,
        ended: Ended,
        notes: &mut Notes,
        total: &mut Total,
    ) {
        let accepted = self.problems(name, engine, notes);
        let counts = engine.counts();
        if let Some(framing) = engine.framing() {
            notes.detail(&format!("{name}: framing {}", framing.name()));
        }
        for (dialect, n) in DIALECTS.iter().zip(counts.known).filter(|(_, n)| *n > 0) {
            notes.detail(&format!("{name}: dialect {} in {n} records", dialect.name));
        }
        notes.detail(&format!(
            "{name}: {} records ({}), {} messages; {} blocks never closed, {} stray delimiters",
            counts.records,
            kinds(counts),
            counts.messages,
            counts.unclosed,
            counts.strays + counts.markers
        ));
        match self.verbatim {
            true => (),
            // Most files of a folder may be no conversations: one line at the end reports all of them.
            false if self.checks => foreign_detail(name, counts, notes),
            false => notes.foreign(Some(name), counts, self.passes),
        }
        if self.cuts && !self.verbatim {
            unpaired(name, counts, notes);
        }
        noticed(name, counts, self.checks, notes);
        match ended {
            Ended::Read(e) => {
                notes.error(&format!("{name}: read error at byte {}: {e}", counts.bytes));
                total.status = total.status.max(Status::Io);
            }
            Ended::Write(e) => {
                notes.error(&format!("{e:#}"));
                total.status = total.status.max(Status::Io);
            }
            Ended::Done | Ended::Closed => (),
        }
        if self.must_read && counts.foreign > 0 && notes::read(counts) + counts.bad == 0 {
            notes.error(&format!("{name}: nothing was converted: no record is in a format that is read"));
            total.status = total.status.max(Status::NotUnderstood);
        }
        if counts.bad > accepted {
            total.status = total.status.max(Status::NotUnderstood);
        }
        let sum = &mut total.counts;
        sum.bad += counts.bad;
        sum.refused += counts.refused;
        sum.foreign += counts.foreign;
        sum.suspect += counts.suspect;
        sum.records += counts.records;
    }
}

/// Notes that a file has records in no format that is read.
fn foreign_detail(name: &str, counts: Counts, notes: &Notes) {
    if counts.foreign > 0 {
        notes.detail(&format!("{name}: no conversation in {} of {} records", counts.foreign, counts.records));
    }
}

/// Warns of tags without a partner whose text was taken for reasoning.
fn unpaired(name: &str, counts: Counts, notes: &Notes) {
    let some = |n: u64, one: &str, many: &str| match n {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {many}")),
    };
    let unclosed = some(counts.unclosed, "block that is never closed", "blocks that are never closed");
    let unopened = some(counts.unopened, "closing tag without an opening one", "closing tags without an opening one");
    let found: Vec<String> = unclosed.into_iter().chain(unopened).collect();
    if !found.is_empty() {
        let bytes = match counts.unpaired_bytes {
            1 => "1 byte was".into(),
            n => format!("{n} bytes were"),
        };
        notes.warning(&format!("{name}: {}: {bytes} taken for reasoning", found.join(" and ")));
    }
    if let Some(found) = some(counts.strays, "tag that belongs to no block", "tags that belong to no block") {
        let (bytes, was) = (counts.stray_bytes, if counts.strays == 1 { "was" } else { "were" });
        notes.warning(&format!("{name}: {found} {was} taken out of the visible text ({bytes} bytes)"));
    }
}

/// Notes what a user should know though it is no error: reasoning may have been missed, or other text taken for it.
fn noticed(name: &str, counts: Counts, checks: bool, notes: &Notes) {
    let messages = |n: u64| if n == 1 { "message" } else { "messages" };
    if counts.channels > 0 {
        let (n, was) = (counts.channels, if counts.channels == 1 { "was" } else { "were" });
        notes.warning(&format!("{name}: {n} {} in a channel that is not known {was} taken as reasoning", messages(n)));
    }
    // A check has a finding for each of them.
    if counts.lost > 0 && !checks {
        let (n, look, its) = if counts.lost == 1 { (1, "looks", "its") } else { (counts.lost, "look", "their") };
        notes.warning(&format!(
            "{name}: {n} {} {look} like Harmony whose tokens were lost: {its} reasoning was not taken out",
            messages(n)
        ));
    }
}
