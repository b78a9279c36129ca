//! `check --target`: whether a provider takes the files as they are.

use super::CheckArgs;
use super::found::CheckResults;
use crate::cli::accept::{TargetName, command, file as word, pasted, read, tell_refused};
use crate::cli::crew::{self, CrewWants, Hand};
use crate::cli::failure::{CommandError, Result, bail};
use crate::cli::files::{self, InputFile};
use crate::cli::notes::Notes;
use crate::cli::path::printable;
use crate::cli::states::name_of;
use crate::cli::{Common, Status, page};
use std::path::PathBuf;
use unthink::accept::rules::{RuleOutcome, TargetRule};
use unthink::accept::targets::TARGETS;
use unthink::accept::{Judged, ShownFindings, judge, shown};
use unthink::check::report::ReportFormat;
use unthink::check::{Rule, RuleFinding, Severity};
use unthink::engine::Counts;
use unthink::json::object::object_text;

/// `unthink check --target TARGET`.
pub fn run(common: &Common, args: &CheckArgs, name: &str, notes: &Notes) -> Result<Status> {
    let inputs = files::find(&args.walk, &args.files, &args.by(common), notes)?;
    if name == "all" {
        args.lines_only()?;
        return Ok(inputs.status.max(everybody(common, args, &inputs.files, notes)));
    }
    let to = TargetName::named("--target", name)?;
    let rows = args.rules.of_target(to.target)?;
    let paths: Vec<PathBuf> = inputs.paths().cloned().collect();
    args.must_not_overwrite(common, &paths)?;
    let least = if args.strict { Severity::Warning } else { args.fail_on };
    let mut found = args.found(common, &paths, least)?;
    let mut status = inputs.status;
    let (threads, files) = (args.jobs.threads(&inputs), &inputs.files);
    let work = |file: &InputFile| read(file, common.max_record).map(|(_, text)| Looked::at(file, &text, &to, &rows));
    let mut settle = |file: &InputFile, looked: Result<Looked>| match looked {
        Ok(looked) => status = status.max(told(file, &to, looked, &mut found, notes)),
        Err(e) => status = status.max(unread(file, &e, notes)),
    };
    let by_crew = threads > 1
        && crew::run(
            threads,
            files.len(),
            |file, hand: &Hand<'_, Result<Looked>>| hand.end(work(&files[file])),
            |file, looked| {
                looked.into_iter().for_each(|looked| settle(&files[file], looked));
                CrewWants::All
            },
        )
        .is_ok();
    if !by_crew {
        files.iter().for_each(|file| settle(file, work(file)));
    }
    let in_force: Vec<&'static Rule> =
        rows.iter().map(|row| row.reported(row.outcome == RuleOutcome::Rejected)).collect();
    Ok(args.end(common, found, &in_force, status, notes))
}

impl CheckArgs {
    /// A line for each target is no list of findings: what is about those does not go with it.
    ///
    /// # Errors
    /// When an option that is about findings was given.
    fn lines_only(&self) -> Result<()> {
        use ReportFormat::{Concise, Full, Json, Jsonl};
        if !matches!(self.report.output, None | Some(Full | Concise | Json | Jsonl)) {
            bail!("--target all writes a line for each target, as a text, or as JSON with -o json");
        }
        let given = [
            ("--output-file", !self.report.output_file.is_empty()),
            ("--write-baseline", self.known.write_baseline.is_some()),
            ("--baseline", self.known.baseline.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!("--target all has no findings, so that {option} does not go with it"),
            None => Ok(()),
        }
    }
}

/// What the rules in force say of a file.
struct Looked {
    judged: Judged,
    shown: Vec<RuleFinding>,
    bytes: u64,
}

impl Looked {
    fn at(file: &InputFile, text: &[u8], to: &TargetName<'_>, rows: &[&'static TargetRule]) -> Self {
        let mut judged = judge(text, to.target, to.model);
        judged.findings.retain(|found| rows.iter().any(|row| row.code == found.row.code));
        let by = ShownFindings { to: &pasted(to.name), target: to.target, file: &word(&file.path) };
        let shown = shown(text, &judged.findings, by);
        Self { judged, shown, bytes: text.len() as u64 }
    }
}

/// Reports a file that was not read.
fn unread(file: &InputFile, e: &CommandError, notes: &Notes) -> Status {
    notes.error(&format!("{}: {e}", printable(&file.path)));
    e.status()
}

/// Adds what was found in a file, and says how it is mended.
fn told(file: &InputFile, to: &TargetName<'_>, looked: Looked, found: &mut CheckResults, notes: &Notes) -> Status {
    let Looked { judged, shown, bytes } = looked;
    found.begin(Some(file.path.to_string_lossy().into_owned()));
    found.add(shown);
    let (records, messages, refused) = (judged.records, judged.messages, judged.refused.len());
    found.end(Counts { records, messages, bytes, bad: refused as u64, ..Counts::default() }, &[]);
    let name = name_of(&file.path);
    tell_refused(&judged.refused, &name, notes);
    if messages == 0 && refused == 0 {
        notes.warning(&format!("{name}: nothing was checked: there is no message"));
    }
    let mut mends: Vec<&str> =
        judged.findings.iter().filter(|it| it.is_certain && it.is_mended).map(|it| it.row.options).collect();
    mends.sort_unstable();
    mends.dedup();
    if !mends.is_empty() {
        let what = if refused == 0 { "this repairs it" } else { "this repairs what was judged, and leaves the rest" };
        notes.note(&format!("{name}: {what}:\n    {}", command(to.name, &mends.concat(), &file.path)));
    }
    if refused == 0 { Status::Done } else { Status::NotUnderstood }
}

/// A line for each target: whether it takes a file as it is.
fn everybody(common: &Common, args: &CheckArgs, files: &[InputFile], notes: &Notes) -> Status {
    let (mut status, mut out) = (Status::Done, String::new());
    let as_json = matches!(args.report.output, Some(ReportFormat::Json | ReportFormat::Jsonl));
    for file in files {
        let text = match read(file, common.max_record) {
            Ok((_, text)) => text,
            Err(e) => {
                status = status.max(unread(file, &e, notes));
                continue;
            }
        };
        for target in TARGETS {
            let judged = judge(&text, target, None);
            let (answer, codes) = answer(&judged);
            let name = name_of(&file.path);
            if as_json {
                out += &object_text(|members| {
                    members.string("accepted", answer);
                    members.string("file", &name);
                    members.strings("rules", codes);
                    members.string("target", target.name);
                });
                out.push('\n');
            } else {
                let file = if files.len() > 1 { format!("{name}: ") } else { String::new() };
                out += format!("{file}{:<20}{:<10}{}", target.name, answer, codes.join(" ")).trim_end();
                out.push('\n');
            }
        }
    }
    status.max(page::print(out.as_bytes()))
}

/// Whether it is accepted, in a word, and the rules that say something of it.
fn answer(judged: &Judged) -> (&'static str, Vec<&'static str>) {
    let mut codes: Vec<&str> = judged.findings.iter().map(|finding| finding.row.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let answer = match () {
        () if !judged.refused.is_empty() => "convert",
        () if judged.is_rejected() => "no",
        () if !codes.is_empty() => "perhaps",
        () => "yes",
    };
    (answer, codes)
}
