//! `check --target`: whether a provider takes the files as they are.

use super::found::Found;
use super::reports::write_all;
use super::{Check, CheckFormat};
use crate::cli::accept::{To, command, read, tell_refused};
use crate::cli::files::{self, InputFile};
use crate::cli::io::{printable, stdout_is_terminal};
use crate::cli::notes::Notes;
use crate::cli::states::name_of;
use crate::cli::{Common, Status, surface};
use anyhow::Result;
use serde_json::json;
use std::path::PathBuf;
use unthink::accept::targets::TARGETS;
use unthink::accept::{Judged, Shown, judge, rules, shown};
use unthink::check::{Rule, Severity};
use unthink::engine::Counts;

/// `unthink check --target TARGET`.
pub fn run(common: &Common, args: &Check, name: &str, notes: &Notes) -> Result<Status> {
    let inputs = files::find(&args.walk, &args.files, &args.by(common), notes)?;
    if name == "all" {
        return Ok(inputs.status.max(everybody(args, &inputs.files, notes)));
    }
    let to = To::named(name)?;
    let paths: Vec<PathBuf> = inputs.paths().cloned().collect();
    args.must_not_overwrite(common, &paths)?;
    let least = if args.strict || args.fail_on == super::FailOn::Warning { Severity::Warning } else { Severity::Error };
    let mut found = Found::new(&paths, least, args.max_findings);
    let mut status = inputs.status;
    for file in &inputs.files {
        match read(file) {
            Ok((_, text)) => status = status.max(one(file, &to, &text, &mut found, notes)),
            Err(e) => {
                notes.error(&format!("{}: {e:#}", printable(&file.path)));
                status = status.max(Status::Io);
            }
        }
    }
    let in_force: Vec<&'static Rule> = rules::of_target(to.target.name).map(|row| row.reported(true)).collect();
    let report = found.run(&in_force, common.color.is_on(stdout_is_terminal()));
    status = status.max(write_all(args.output, &args.output_file, &report, notes));
    let fails = found.fails() && !args.exit_zero;
    Ok(if fails { status.max(Status::Found) } else { status })
}

/// Judges a file for a target.
fn one(file: &InputFile, to: &To<'_>, text: &[u8], found: &mut Found, notes: &Notes) -> Status {
    let judged = judge(text, to.target, to.model);
    found.begin(Some(file.path.to_string_lossy().into_owned()));
    found.add(shown(text, &judged.findings, Shown { to: to.name, target: to.target }));
    let (records, messages) = (judged.records, judged.messages);
    let counts =
        Counts { records, messages, bytes: text.len() as u64, bad: judged.refused.len() as u64, ..Counts::default() };
    found.end(counts, &[]);
    tell_refused(&judged.refused, &file.path, notes);
    if messages == 0 && judged.refused.is_empty() {
        notes.warning(&format!("{}: nothing was checked: there is no message", name_of(&file.path)));
    }
    let mut mends: Vec<&str> =
        judged.findings.iter().filter(|it| it.is_certain && it.is_mended).map(|it| it.row.options).collect();
    mends.sort_unstable();
    mends.dedup();
    if !mends.is_empty() {
        let name = name_of(&file.path);
        notes.note(&format!("{name}: this repairs it:\n    {}", command(to.name, &mends.concat(), &file.path)));
    }
    if judged.refused.is_empty() { Status::Done } else { Status::NotUnderstood }
}

/// A line for each target: whether it takes a file as it is.
fn everybody(args: &Check, files: &[InputFile], notes: &Notes) -> Status {
    let (mut status, mut out) = (Status::Done, String::new());
    let as_json = matches!(args.output, Some(CheckFormat::Json | CheckFormat::Jsonl));
    for file in files {
        let text = match read(file) {
            Ok((_, text)) => text,
            Err(e) => {
                notes.error(&format!("{}: {e:#}", printable(&file.path)));
                status = status.max(Status::Io);
                continue;
            }
        };
        for target in TARGETS {
            let judged = judge(&text, target, None);
            let (answer, codes) = answer(&judged);
            let name = name_of(&file.path);
            if as_json {
                let line = json!({"file": name, "target": target.name, "accepted": answer, "rules": codes});
                out += &format!("{line}\n");
            } else {
                let file = if files.len() > 1 { format!("{name}: ") } else { String::new() };
                out += format!("{file}{:<20}{:<10}{}", target.name, answer, codes.join(" ")).trim_end();
                out.push('\n');
            }
        }
    }
    status.max(surface::print(out.as_bytes()))
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
