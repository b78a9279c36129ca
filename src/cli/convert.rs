//! unthink convert --to DIALECT [FILE]...
//!
//! Writes the same conversation in another dialect. What the dialect has no word for is reported.

use super::notes::Notes;
use super::options::{self, OnError, nearest};
use super::run::Job;
use super::{Common, Status, TagArgs};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use unthink::dialect::{self, DIALECTS, Spelling, Target};
use unthink::engine::Counts;
use unthink::model::Loss;
use unthink::out::{Splice, SpliceOptions};
use unthink::pass;

/// Write the same conversation in another dialect
#[derive(Debug, Args)]
pub struct Convert {
    /// What to convert to: reasoning-content, reasoning, thinking-block or tagged
    #[arg(short, long, value_name = "DIALECT")]
    to: String,

    /// With --to tagged: escape a closing tag that stands in the reasoning; otherwise the record is refused
    #[arg(long)]
    escape: bool,

    /// Something that the dialect cannot hold makes the status 3
    #[arg(long)]
    strict: bool,

    /// Write each loss to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    report_loss: Option<PathBuf>,

    #[command(flatten)]
    tags: TagArgs,

    /// Files to read; none, or -, is stdin
    #[arg(value_name = "FILE", help_heading = "Arguments")]
    files: Vec<PathBuf>,
}

/// `unthink convert`.
pub fn run(common: &Common, args: &Convert) -> Status {
    let notes = Notes::new(common.quiet, common.verbose, common.color);
    let (target, common) = match target(common, args) {
        Ok(found) => found,
        Err(e) => {
            notes.error(&format!("{e:#}"));
            return Status::Usage;
        }
    };
    let options = SpliceOptions {
        pass_bad: common.on_error == OnError::Pass,
        tell_losses: args.report_loss.is_some(),
        ..SpliceOptions::default()
    };
    let output = || Splice::new(pass::Strip::new(pass::Policy::None, pass::Unit::Message), options);
    let mut losses: BTreeMap<Loss, u64> = BTreeMap::new();
    let done = |splice: &Splice, counts: Counts, notes: &Notes| {
        if counts.known.iter().all(|n| *n == 0) && counts.bad == 0 && counts.records > 0 {
            notes.note(&format!("no conversation in {} records: they were passed on as they are", counts.records));
        }
        splice.losses().iter().for_each(|(loss, n)| *losses.entry(*loss).or_default() += n);
    };
    let job = Job {
        common: &common,
        tags: &args.tags,
        files: &args.files,
        live: true,
        pointers: Vec::new(),
        verbatim: false,
        aside: args.report_loss.as_deref(),
        to: Some(target),
    };
    let status = job.run(output, done);
    for (loss, n) in &losses {
        let (_, what, of) = loss.words();
        let of =
            if *n == 1 { of.strip_suffix("s joined").map_or(of.trim_end_matches('s'), |_| "block joined") } else { of };
        notes.note(&format!("loss: {what}, {n} {of}"));
    }
    if args.strict && !losses.is_empty() { status.max(Status::NotUnderstood) } else { status }
}

/// What to convert to, and the options for reading.
fn target(common: &Common, args: &Convert) -> anyhow::Result<(Target, Common)> {
    let mut common = common.clone();
    let dialect = dialect::find(&args.to).filter(|d| d.holds.is_some()).ok_or_else(|| {
        let writable = || DIALECTS.iter().filter(|d| d.holds.is_some());
        let names = writable().flat_map(|d| d.aliases.iter().chain([&d.name])).copied();
        let all: Vec<_> = writable().map(|d| d.name).collect();
        let why = if dialect::find(&args.to).is_some() { "that dialect is only read" } else { "no such dialect" };
        anyhow::anyhow!(
            "--to {}: {why}; did you mean {}? What can be written: {}",
            args.to,
            nearest(&args.to, names),
            all.join(", ")
        )
    })?;
    let mut spelling = Spelling { tag: None, escape: args.escape };
    if dialect.name == "tagged" {
        // Here the tag says how to write; every tag is read.
        let names = std::mem::take(&mut common.tag);
        match names.as_slice() {
            [] => (),
            [name] => {
                let row = options::row(name)?;
                spelling.tag = Some((row.open.into_owned(), row.close.into_owned()));
                common.tag_too = Some(name.clone());
            }
            _ => anyhow::bail!("--tag: convert --to tagged writes one spelling"),
        }
    } else if args.escape {
        anyhow::bail!("--escape goes with --to tagged");
    }
    let target = Target::new(dialect, spelling).ok_or_else(|| anyhow::anyhow!("--to {}: only read", args.to))?;
    Ok((target, common))
}
