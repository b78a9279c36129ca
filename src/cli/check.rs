//! unthink check [--select RULES] [-o FORMAT] [FILE|DIR]...
//!
//! Looks for reasoning that leaked into answers, and for records that are malformed; its status is for a CI job.

mod baseline;
mod explain;
mod files;
mod found;
pub mod manual;
mod reports;
mod rules;

use super::destination::Mode;
use super::io::stdout_is_terminal;
use super::io::{printable, read_text, same_file};
use super::notes::Notes;
use super::run::{Job, failed};
use super::{Common, Status, TagArgs};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use found::Found;
use reports::{CheckFormat, Target};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use unthink::check::{CheckOptions, DUPLICATE_PERCENT, PASSAGE, Severity};
use unthink::out;
use unthink::pass::{Policy, PolicyError, Unit};
use unthink::settings::Settings;

/// Look for leaked or malformed reasoning: status 1 if there is some
#[derive(Debug, Args)]
#[command(after_help = AFTER)]
pub struct Check {
    #[command(flatten)]
    rules: rules::RuleArgs,

    /// How much a finding must matter to make the status 1
    #[arg(long, value_enum, default_value_t, value_name = "SEVERITY", help_heading = "Rules")]
    fail_on: FailOn,

    /// UT105: which reasoning must not be there, by the policies of strip [default: what the settings say, if they say so]
    #[arg(short, long, value_name = "POLICY", value_parser = policy, help_heading = "Rules")]
    policy: Option<Policy>,

    /// UT102: the fewest characters of a passage that reasoning and answer share
    #[arg(long, value_name = "N", default_value_t = PASSAGE as u64, value_parser = clap::value_parser!(u64).range(8..), help_heading = "Rules")]
    min_length: u64,

    /// UT106: the fewest per cent of an answer that the reasoning makes up
    #[arg(long, value_name = "P", default_value_t = DUPLICATE_PERCENT, value_parser = clap::value_parser!(u8).range(1..=100), help_heading = "Rules")]
    duplicate_percent: u8,

    /// UT401: how many tokens of reasoning a message may have
    #[arg(long, value_name = "N", help_heading = "Rules")]
    max_reasoning_tokens: Option<u64>,

    /// UT402: which share of the tokens of a message may be reasoning, from 0 to 1
    #[arg(long, value_name = "F", value_parser = share, help_heading = "Rules")]
    max_ratio: Option<f64>,

    /// Passages that may stand in an answer, one a line; lines that begin with # are comments; repeatable
    #[arg(long, value_name = "FILE", help_heading = "Rules")]
    allow: Vec<PathBuf>,

    /// Output form [default: full on a terminal, concise in a pipe]
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Report")]
    output: Option<CheckFormat>,

    /// Write a report to a file as well, as in sarif=out.sarif; repeatable; a file is there whole or not at all
    #[arg(long, value_name = "FORMAT=FILE", value_parser = reports::target, help_heading = "Report")]
    output_file: Vec<Target>,

    /// Show the text that was found: without this, no report has any text of the input
    #[arg(long, help_heading = "Report")]
    excerpt: bool,

    /// How many findings a report has; the rest is counted
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Report")]
    max_findings: usize,

    /// Findings make no status 1; what could not be read or understood still has its own
    #[arg(long, help_heading = "Report")]
    exit_zero: bool,

    /// Leave out the findings that are in this file, wherever their lines are now
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    baseline: Option<PathBuf>,

    /// Write all findings to this file, for --baseline: they count as known from now on
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    write_baseline: Option<PathBuf>,

    /// Say what a rule finds, why that matters and what to do, and read nothing
    #[arg(long, value_name = "RULE")]
    explain: Option<String>,

    #[command(flatten)]
    walk: files::FileArgs,

    #[command(flatten)]
    tags: TagArgs,

    /// Files to read, and folders to look for files in; none, or -, is stdin
    #[arg(value_name = "FILE|DIR", help_heading = "Arguments")]
    files: Vec<PathBuf>,
}

const AFTER: &str = "\
In a folder, files are read whose names end in .json, .jsonl, .ndjson, .sse, .txt, .md, .log, .csv or .tsv, also with .gz
or .zst behind that. What .gitignore and .unthinkignore name is left out, and so are hidden files. A file that is named is
always read.

Exit status:
  0  everything was read, and nothing was found
  1  something was found that matters as much as --fail-on says
  2  wrong usage
  3  some input could not be understood, and nothing was found
  4  reading or writing failed";

/// `--fail-on`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Reasoning reaches a reader, or may
    #[default]
    Error,
    /// Anything
    Warning,
}

fn policy(name: &str) -> Result<Policy, String> {
    name.parse().map_err(|e: PolicyError| e.to_string())
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|f| (0.0..=1.0).contains(f));
    share.ok_or_else(|| "a share from 0 to 1, such as 0.85".into())
}

/// `unthink check`.
pub fn run(common: &Common, settings: Settings, args: &Check) -> Status {
    let notes = Notes::new(common.quiet, common.verbose, common.color);
    let done = match &args.explain {
        Some(name) => explain::page(name).map(|page| super::surface::print(page.as_bytes())),
        None => check(common, settings, args, &notes),
    };
    done.unwrap_or_else(|e| failed(&notes, &e))
}

fn check(common: &Common, mut settings: Settings, args: &Check, notes: &Notes) -> Result<Status> {
    let policy = args.judge(&mut settings, notes)?;
    let options = args.options(policy.is_some(), notes)?;
    let (files, mut status) = files::find(&args.walk, &args.files, &args.own(common), notes)?;
    args.must_not_overwrite(common, &files)?;
    let least = match args.fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
    };
    let mut found = Found::new(&files, least, args.max_findings);
    if let Some(path) = &args.baseline {
        found.leave_out(baseline::read(path)?);
    }
    if args.write_baseline.is_some() {
        found.keep_all();
    }
    // Better now than after hours of work.
    args.written().try_for_each(|path| super::whole::may_write(path))?;
    let found = RefCell::new(found);
    let job = Job {
        common,
        tags: &args.tags,
        files: &files,
        streams: false,
        pointers: Vec::new(),
        drops: Vec::new(),
        verbatim: false,
        passes: false,
        must_read: false,
        checks: true,
        aside: None,
        to: None,
        redact: false,
        cuts: false,
        policy: (policy.unwrap_or(Policy::None), Unit::Message),
        mode: Mode::Standard,
    };
    let mut forgot = false;
    let ran = job.run_by_parts(
        |file| {
            found.borrow_mut().begin(file);
            out::Check::new(options.clone())
        },
        |check, counts, notes| found.borrow_mut().add(check.findings(), counts, notes),
        |check, counts, notes| {
            if check.forgot() {
                forgot = true;
                notes
                    .error("a conversation has more reasoning than is remembered: not all leaks of it were looked for");
            }
            found.borrow_mut().end(counts);
        },
    );
    if ran == Status::Usage {
        return Ok(ran);
    }
    let mut found = found.into_inner();
    status = status.max(ran).max(if forgot { Status::NotUnderstood } else { Status::Done });
    if let Some(path) = &args.write_baseline {
        status = status.max(found.write_all(path, notes));
    }
    let run = found.run(&options.rules, common.color.is_on(stdout_is_terminal()));
    status = status.max(reports::write_all(args.output, &args.output_file, &run, notes));
    let fails = found.fails() && !args.exit_zero;
    Ok(if fails { status.max(Status::Found) } else { status })
}

impl Check {
    /// The policy that says which reasoning must not be there, if there is one.
    fn judge(&self, settings: &mut Settings, notes: &Notes) -> Result<Option<Policy>> {
        if let Some(policy) = self.policy {
            settings.choose(policy);
        }
        let decides = self.policy.is_some() || super::convert::DECIDE.iter().any(|key| settings.is_set(key));
        if decides {
            return Ok(Some(settings.context_policy()));
        }
        if self.rules.names(rules::PRESENT)? {
            return Ok(Some(Policy::All));
        }
        notes.detail("UT105 is not in force: there is no --policy, and no setting says which reasoning goes");
        Ok(None)
    }

    fn options(&self, judged: bool, notes: &Notes) -> Result<CheckOptions> {
        let given = [
            (rules::PRESENT, judged, "--policy"),
            ("UT401", self.max_reasoning_tokens.is_some(), "--max-reasoning-tokens"),
            ("UT402", self.max_ratio.is_some(), "--max-ratio"),
        ];
        let mut allowed = Vec::new();
        for path in &self.allow {
            let text = read_text(path)?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            allowed.extend(lines.map(str::to_string));
        }
        Ok(CheckOptions {
            rules: self.rules.in_force(&given, notes)?,
            passage: usize::try_from(self.min_length)?,
            duplicate_percent: self.duplicate_percent,
            allowed,
            excerpts: self.excerpt,
            max_reasoning_tokens: self.max_reasoning_tokens,
            max_ratio: self.max_ratio,
        })
    }

    /// No file that is written is an input, or another output.
    fn must_not_overwrite(&self, common: &Common, read: &[PathBuf]) -> Result<()> {
        let written: Vec<PathBuf> = self.written().chain(&common.rejects).cloned().map(files::plain).collect();
        for (i, path) in written.iter().enumerate() {
            if read.iter().any(|file| same_file(file, path)) {
                bail!("{}: the file is read, and would be overwritten", printable(path));
            }
            if written[..i].iter().any(|other| other == path || same_file(other, path)) {
                bail!("{}: two outputs would overwrite each other", printable(path));
            }
        }
        Ok(())
    }

    /// Files that are written.
    fn written(&self) -> impl Iterator<Item = &PathBuf> {
        self.output_file.iter().map(|target| &target.path).chain(&self.write_baseline)
    }

    /// Files of this run's own, which no folder is searched for.
    fn own<'a>(&'a self, common: &'a Common) -> Vec<&'a Path> {
        let options = self.allow.iter().chain(&self.baseline).chain(&self.walk.files_from);
        let common = common.rejects.iter().chain(&common.profile).chain(&common.tags);
        self.written().chain(options).chain(common).map(PathBuf::as_path).collect()
    }
}
