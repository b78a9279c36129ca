//! unthink identify [-o table|json|jsonl] [--quick] [FILE|DIR]...
//!
//! Says of each file what it is, whether it is read, how much reasoning it has and where, and what to do if it is not read.

mod commands;
mod shown;

use super::crew;
use super::failure::{Result, WithContext};
use super::fd::{stdin_is_terminal, stdout_is_terminal};
use super::files::{self, Files, InputFile, Use};
use super::input::Input;
use super::jobs::Jobs;
use super::notes::Notes;
use super::output::OutputFile;
use super::path::printable;
use super::progress::Clock;
use super::run::failed;
use super::targets::Targets;
use super::{Common, Status, TagArgs, options};
use clap::{Args, ValueEnum};
use std::env;
use unthink::engine::EngineOptions;
use unthink::identify::{Extent, Identity, InputKind, identify};
use unthink::inline::Tags;

/// Say what files are, whether they are read, and what to do if not
///
/// A file is told by its first 64 KiB. A file of a folder in which they have no conversation, no reasoning and no sign of a
/// known product is not read further, and not listed; a file that is named is read to its end. Status 0 means that
/// every file could be opened, whatever is in it.
#[derive(Debug, Args)]
pub struct Identify {
    /// Read no more than the first 64 KiB of each file; a longer file has no figures
    #[arg(long, conflicts_with = "full")]
    quick: bool,

    /// Read files of folders to their ends, too, whatever their first 64 KiB are
    #[arg(long)]
    full: bool,

    /// List all files of folders, also those that are no transcripts
    #[arg(short, long)]
    all: bool,

    /// Output form [default: table on a terminal, jsonl in a pipe]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<IdentifyFormat>,

    #[command(flatten)]
    to: OutputFile,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IdentifyFormat {
    /// Columns, and the commands for files that are not read
    Table,
    /// A JSON object a line
    Jsonl,
    /// An array of such objects
    Json,
}

/// A file, and what it is.
struct FileRow {
    name: String,
    identity: Identity,
    /// What takes the reasoning out of what is not read.
    command: Option<String>,
}

/// `unthink identify`.
pub fn run(common: &Common, args: &Identify) -> Status {
    let notes = Notes::of(common);
    try_run(common, args, &notes).unwrap_or_else(|e| failed(&notes, &e))
}

fn try_run(common: &Common, args: &Identify, notes: &Notes) -> Result<Status> {
    let walk = &args.files.walk;
    let by = Use::reading(common, walk, args.to.own()).identifying();
    let inputs = files::find(walk, &args.files.named, &by, notes)?;
    let tags = options::tags(common, None)?;
    let reading = options::engine(common, &TagArgs::default(), false)?;
    let (mut rows, mut left_out, mut status) = (Vec::new(), 0_u64, inputs.status);
    let mut clock = Clock::new();
    let mut take = |file: &InputFile, row: Result<FileRow>| match row {
        Ok(row) if !file.is_found || args.all || row.identity.kind == InputKind::Transcript => rows.push(row),
        Ok(row) => {
            notes.detail(&format!("{}: no transcript", row.name));
            left_out += 1;
        }
        Err(e) => {
            notes.error(&e.to_string());
            status = status.max(Status::Io);
        }
    };
    let mut progress = |file: usize| {
        if clock.is_due() {
            notes.progress(&format!("unthink: file {} of {}", file + 1, inputs.files.len()));
        }
    };
    let (threads, number) = (args.jobs.threads(&inputs), inputs.files.len());
    let read = |file: &InputFile| row(file, &tags, &reading, args);
    let by_crew =
        |threads: usize, take: &mut dyn FnMut(&InputFile, Result<FileRow>), progress: &mut dyn FnMut(usize)| {
            let work = |n: usize, hand: &crew::Hand<'_, Result<FileRow>>| {
                hand.end(read(&inputs.files[n]));
            };
            crew::run(threads, number, work, |n, row| {
                progress(n);
                row.into_iter().for_each(|row| take(&inputs.files[n], row));
                crew::CrewWants::All
            })
        };
    if threads < 2 || by_crew(threads, &mut take, &mut progress).is_err() {
        for (n, file) in inputs.files.iter().enumerate() {
            progress(n);
            if file.path.as_os_str() == "-" && stdin_is_terminal() {
                notes.note("reading from the terminal until end of file (Ctrl-D); unthink --help says more");
            }
            take(file, read(file));
        }
    }
    notes.progress("");
    let format = match args.output {
        None if stdout_is_terminal() && args.to.path().is_none() => IdentifyFormat::Table,
        None => IdentifyFormat::Jsonl,
        Some(format) => format,
    };
    let page = match format {
        IdentifyFormat::Table => shown::table(&rows, width(args)).into_bytes(),
        IdentifyFormat::Jsonl => shown::lines(&rows),
        IdentifyFormat::Json => shown::array(&rows),
    };
    let mut targets = Targets::open(None, None, args.to.path())?;
    for ended in [targets.last(page).err(), Some(targets.close(true, notes))].into_iter().flatten() {
        status = status.max(ended.status(notes));
    }
    if left_out > 0 {
        let files = if left_out == 1 { "file is no transcript" } else { "files are no transcripts" };
        notes.note(&format!("{left_out} {files} (--all lists them)"));
    }
    Ok(status)
}

/// How many columns a table may have. In a pipe it has as many as it needs.
fn width(args: &Identify) -> usize {
    let is_shown = stdout_is_terminal() && args.to.path().is_none();
    if is_shown || env::var_os("COLUMNS").is_some() { super::show::screen::width() } else { usize::MAX }
}

/// Reads a file as far as it is of interest.
fn row(file: &InputFile, tags: &Tags, reading: &EngineOptions, args: &Identify) -> Result<FileRow> {
    let path = &file.path;
    let mut input = Input::open(path).with_context(|| printable(path))?;
    let extent = match (args.quick, args.full || !file.is_found) {
        (true, _) => Extent::Head,
        (false, true) => Extent::Whole,
        (false, false) => Extent::Known,
    };
    let mut reading = reading.clone();
    if let Some(known) = if extent == Extent::Whole { input.first_pass(tags, &reading) } else { None } {
        reading.pass = unthink::dialect::Pass::Second(known);
    }
    let (name, packing) = (input.name.clone(), input.packing);
    let identity = identify(tags, reading, extent, |buffer| input.next(buffer)).with_context(|| name.clone())?;
    let command = commands::of(&identity.remedy, &name, packing);
    Ok(FileRow { name, identity, command })
}
