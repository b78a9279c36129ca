//! unthink check [--select RULES] [-o FORMAT] [FILE|DIR]...
//!
//! Looks for reasoning that leaked into answers, and for records that are malformed; its status is for a CI job.

mod ask;
mod baseline;
mod both;
mod explain;
mod found;
mod groups;
mod ignores;
pub mod manual;
mod reading;
mod reports;
mod rules;
mod target;

use super::failure::{Result, bail, misuse};
use super::files::{self, FileArgs, Use};
use super::input::read_text;
use super::jobs::Jobs;
use super::notes::Notes;
use super::path::{is_output, place, printable, same_file};
use super::run::{Job, failed};
use super::{Common, Status, TagArgs, values};
use ask::Ask;
use clap::Args;
use found::CheckResults;
use groups::{BaselineArgs, LimitArgs, ReportArgs};
use std::cell::RefCell;
use std::path::PathBuf;
use unthink::check::report::RunResults;
use unthink::check::rules::PRESENT;
use unthink::check::{RuleOptions, Severity};
use unthink::engine::Treatment;
use unthink::policy::Policy;
use unthink::settings::Settings;

/// Look for leaked or malformed reasoning; status 1 if there is some
#[derive(Debug, Args)]
pub struct CheckArgs {
    #[command(flatten)]
    rules: rules::RuleArgs,

    /// Ask if it takes the files (`unthink list targets`)
    ///
    /// TARGET, or TARGET:MODEL. Other rules are in force then (`unthink list rules --target TARGET`): the status is 1 if the request would be refused.
    /// A model decides the mode of thinking, and whose signatures are read. `all` writes a line for each target.
    #[arg(long = "target", value_name = "TARGET", help_heading = "Rules")]
    to: Option<String>,

    /// With --target: status 1 also for what a text cannot tell
    #[arg(long, requires = "to", hide_short_help = true, help_heading = "Rules")]
    strict: bool,

    /// The least severity that makes the exit status 1
    #[arg(long, default_value = Severity::Error.name(), value_parser = values::least_severities(), value_name = "SEVERITY", help_heading = "Rules")]
    fail_on: Severity,

    /// Report what strip with this policy would remove
    ///
    /// Findings are of UT105. `all` asks whether there is any reasoning, also in its own place; without a policy, check
    /// asks whether reasoning has leaked into answers. `unthink list policies` has all policies [default: that of the
    /// settings, if they have one].
    #[arg(short, long, value_name = "POLICY", value_parser = values::policies(), hide_possible_values = true, help_heading = "Rules")]
    policy: Option<Policy>,

    /// Which question is asked, which is said at the end
    ///
    /// `any` is --policy all, and `leaks` no policy, whatever the settings say [default: leaks, unless there is a policy].
    #[arg(
        long,
        value_enum,
        value_name = "QUESTION",
        conflicts_with = "policy",
        overrides_with = "ask",
        help_heading = "Rules"
    )]
    ask: Option<Ask>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    known: BaselineArgs,

    /// Explain a rule; nothing is read
    ///
    /// By its code or name: what it finds, why that matters, what to do.
    #[arg(long, value_name = "RULE", value_parser = values::rules(), hide_possible_values = true)]
    explain: Option<String>,

    #[command(flatten)]
    walk: FileArgs,

    #[command(flatten)]
    jobs: Jobs,

    #[command(flatten)]
    tags: TagArgs,

    /// Files and folders to read; - is stdin
    ///
    /// None is stdin if that is a pipe or a file, and the current folder otherwise.
    #[arg(value_name = "FILE|DIR", help_heading = "Arguments")]
    files: Vec<PathBuf>,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|f| (0.0..=1.0).contains(f));
    share.ok_or_else(|| "a share from 0 to 1, such as 0.85".into())
}

/// `unthink check`.
pub fn run(common: &Common, settings: Settings, args: &CheckArgs) -> Status {
    let notes = Notes::of(common);
    let done = match &args.explain {
        Some(name) => explain::page(name).map(|page| super::page::print(page.as_bytes())),
        None => match &args.to {
            Some(name) => target::run(common, args, name, &notes),
            None => check(common, settings, args, &notes),
        },
    };
    done.unwrap_or_else(|e| failed(&notes, &e))
}

fn check(common: &Common, mut settings: Settings, args: &CheckArgs, notes: &Notes) -> Result<Status> {
    let policy = args.judge(&mut settings, notes)?;
    let options = args.options(policy.is_some(), notes)?;
    let inputs = files::find(&args.walk, &args.files, &args.by(common), notes)?;
    let (files, mut status) = (inputs.paths().cloned().collect::<Vec<_>>(), inputs.status);
    args.must_not_overwrite(common, &files)?;
    let mut found = args.found(common, &files, args.fail_on)?;
    found.ignore(args.rules.ignored()?);
    let found = RefCell::new(found);
    let job = Job {
        checks: true,
        treatment: Treatment::judged(policy.unwrap_or(Policy::None)),
        jobs: args.jobs,
        ..Job::new(common, &args.tags, &inputs)
    };
    // A baseline compares all findings.
    let known = args.known.baseline.is_some() || args.known.write_baseline.is_some() || found.borrow().ignores_some();
    let (ran, forgot) = reading::read(&job, &found, &options, (!known).then_some(args.report.max_findings));
    if ran == Status::Usage {
        return Ok(ran);
    }
    let found = found.into_inner();
    status = status.max(ran).max(if forgot { Status::NotUnderstood } else { Status::Done });
    if !files.is_empty() && found.is_empty_input() && status == Status::Done {
        notes.warning("nothing was checked: the input is empty");
    }
    Ok(args.end(common, found, &options.rules, status, notes))
}

impl CheckArgs {
    /// The policy whose reasoning must not be in the answers, if one is set.
    fn judge(&self, settings: &mut Settings, notes: &Notes) -> Result<Option<Policy>> {
        match self.ask {
            Some(Ask::Any) => return Ok(Some(Policy::All)),
            Some(Ask::Leaks) if !self.rules.names(&PRESENT)? => return Ok(None),
            _ => (),
        }
        if let Some(policy) = self.policy {
            settings.choose(policy);
        }
        let decides = self.policy.is_some() || super::convert::DECIDE.iter().any(|key| settings.is_set(key));
        if decides {
            return Ok(Some(settings.context_policy()));
        }
        if self.rules.names(&PRESENT)? {
            return Ok(Some(Policy::All));
        }
        notes.detail("UT105 is not in force: there is no --policy, and no setting says which reasoning goes");
        Ok(None)
    }

    fn options(&self, judged: bool, notes: &Notes) -> Result<RuleOptions> {
        let mut allowed = Vec::new();
        for path in &self.limits.allow {
            let text = read_text(path)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            allowed.extend(lines.map(str::to_string));
        }
        let settings = RuleOptions {
            passage: usize::try_from(self.limits.min_length).map_err(|e| misuse!("--min-length: {e}"))?,
            duplicate_percent: self.limits.duplicate_percent,
            allowed,
            excerpts: self.report.excerpt,
            max_reasoning_tokens: self.limits.max_reasoning_tokens,
            max_ratio: self.limits.max_ratio,
            max_delegation_depth: self.limits.max_delegation_depth,
            capabilities: self.limits.capability.clone(),
            max_messages: self.limits.max_messages,
            ..RuleOptions::default()
        };
        self.rules.in_force(settings, judged, notes)
    }

    /// Says what a reader of the report does not see: which findings were ignored, what the project's file sets, and which
    /// question was asked.
    fn tell(&self, common: &Common, found: &CheckResults, run: &RunResults<'_>, notes: &Notes) {
        let ignores = found.ignores();
        match ignores.ignored {
            0 => (),
            1 => notes.note("1 finding is ignored by its fingerprint"),
            n => notes.note(&format!("{n} findings are ignored by their fingerprints")),
        }
        let here = PathBuf::from(".");
        let roots = if self.files.is_empty() { std::slice::from_ref(&here) } else { self.files.as_slice() };
        for stale in ignores.stale(roots) {
            notes.warning(&format!("{stale}: no finding has this fingerprint any more"));
        }
        if let Some(set) = common.config.of_project() {
            notes.note(&set);
        }
        if let Some(ask) = self.ask.filter(|_| self.to.is_none()) {
            notes.report(&ask.answer(run.all(), run.not_read));
        }
    }

    /// Checks that no file to write is an input or another output.
    fn must_not_overwrite(&self, common: &Common, read: &[PathBuf]) -> Result<()> {
        if self.known.write_baseline.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            bail!("--write-baseline -: a baseline is a file (./- is one of that name)");
        }
        // Several outputs may go to the same pipe or terminal.
        let is_file = |path: &&PathBuf| std::fs::metadata(path).map_or(true, |found| found.is_file());
        let written: Vec<&PathBuf> = self.written().chain(&common.unread.rejects).filter(is_file).collect();
        let mut places = Vec::new();
        for path in written {
            if read.iter().any(|file| same_file(file, path)) {
                bail!("{}: the file is read, and would be overwritten", printable(path));
            }
            let place = place(path);
            if is_output(path).is_some() || places.contains(&place) {
                bail!("{}: two outputs would overwrite each other", printable(path));
            }
            places.push(place);
        }
        Ok(())
    }

    /// The files to write.
    fn written(&self) -> impl Iterator<Item = &PathBuf> {
        self.report.output_file.iter().map(|target| &target.path).chain(&self.known.write_baseline)
    }

    fn by<'a>(&'a self, common: &'a Common) -> Use<'a> {
        let own =
            self.written().chain(&self.limits.allow).chain(&self.known.baseline).chain(&self.known.ignore_findings);
        Use::reading(common, &self.walk, own).checking()
    }
}
