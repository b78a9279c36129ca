//! unthink repair --target TARGET[:MODEL] [FILE]...
//!
//! Makes the least change after which a provider takes a request, and leaves every other byte as it is.

use super::accept::{To, command, read, tell_refused};
use super::destination::{End, Mode};
use super::files::{self, Files, InputFile, Use};
use super::io::{printable, stdout_is_terminal};
use super::notes::Notes;
use super::options::ForeignArg;
use super::output::{OutputArgs, one_file};
use super::run::failed;
use super::states::{States, Told, name_of, tell};
use super::{Common, Status, surface};
use anyhow::Result;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::Write;
use unthink::accept::{Fill, Foreign, Repaired, Repairs, repair};
use unthink::engine::Counts;
use unthink::out::Sinks;

/// Change a request, and little of it, so that a provider takes it
#[derive(Debug, Args)]
pub struct Repair {
    /// The provider that is to take it (`unthink list targets`)
    ///
    /// TARGET, or TARGET:MODEL. Without a model that of the text counts.
    #[arg(long, value_name = "TARGET")]
    target: String,

    /// Drop thinking blocks that are signed and have no text
    ///
    /// They arrive like this from newer models, and damage leaves them like this; a text does not tell which it was.
    #[arg(long, help_heading = "What may change")]
    hollow: bool,

    /// Change settings of the request: turn thinking off, remove edits of the context
    #[arg(long, help_heading = "What may change")]
    settings: bool,

    /// Drop what only the account can read that got it
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "What may change")]
    drop: Option<Dropped>,

    /// What stands in for reasoning that a provider demands and that is lost [default: the least that it takes]
    ///
    /// `space`, `unique` for a text that names the tool and the number of the message, or a text. The same text in every
    /// message makes the answers of some models worse.
    #[arg(long, value_name = "TEXT", help_heading = "What may change")]
    fill: Option<String>,

    /// Rewrite each FILE; with SUFFIX (-i.bak), keep the old one
    ///
    /// As for strip: FILE is replaced when all of the new content is on the disk, and stays as it is if anything of it
    /// cannot be repaired.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args(0..=1),
        require_equals(true),
        default_missing_value = "",
        value_hint = clap::ValueHint::Other,
        conflicts_with_all = ["output_dir", "output_file"]
    )]
    in_place: Option<OsString>,

    /// Only say what would become of each FILE
    #[arg(long, conflicts_with = "output_dir")]
    dry_run: bool,

    /// Write what would change as a unified diff
    #[arg(long, conflicts_with_all = ["in_place", "dry_run", "output_dir"])]
    diff: bool,

    #[command(flatten)]
    output: OutputArgs,

    #[command(flatten)]
    files: Files,
}

/// `--drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dropped {
    /// Encrypted reasoning
    Encrypted,
}

impl Repair {
    fn mode(&self, common: &Common) -> Mode {
        match (&self.in_place, self.dry_run, self.diff) {
            (suffix, true, _) => Mode::DryRun(suffix.clone()),
            (Some(suffix), ..) => Mode::InPlace(suffix.clone()),
            (None, _, true) => Mode::Diff(
                common.max_record,
                common.color.is_on(stdout_is_terminal() && self.output.one.path().is_none()),
            ),
            (None, ..) => self.output.mode(),
        }
    }

    fn repairs(&self, common: &Common) -> Repairs {
        let fill = match self.fill.as_deref() {
            None => Fill::Least,
            Some("space") => Fill::Text(" ".into()),
            Some("unique") => Fill::Unique,
            Some(text) => Fill::Text(text.into()),
        };
        let foreign = match common.foreign {
            ForeignArg::Text => Some(Foreign::Text),
            ForeignArg::Drop => Some(Foreign::Drop),
            ForeignArg::Refuse | ForeignArg::Pass => None,
        };
        let drop_encrypted = self.drop == Some(Dropped::Encrypted);
        Repairs { hollow: self.hollow, settings: self.settings, drop_encrypted, fill, foreign }
    }
}

/// `unthink repair`.
pub fn run(common: &Common, args: &Repair) -> Status {
    let notes = Notes::of(common);
    all(common, args, &notes).unwrap_or_else(|e| failed(&notes, &e))
}

fn all(common: &Common, args: &Repair, notes: &Notes) -> Result<Status> {
    let to = To::named(&args.target)?;
    let by = Use::reading(common, &args.files.walk, args.output.one.own()).writing_to(args.output.output_dir.as_ref());
    let inputs = files::find(&args.files.walk, &args.files.named, &by, notes)?;
    let (mode, repairs) = (args.mode(common), args.repairs(common));
    mode.check(&inputs)?;
    let clock = super::progress::Clock::new();
    let (mut status, mut states, mut out) = (inputs.status, States::default(), Vec::new());
    for file in &inputs.files {
        match one(file, &to, &mode, &repairs, notes, &mut states) {
            Ok((ended, bytes)) => {
                status = status.max(ended);
                out.extend(bytes);
            }
            Err(e) => {
                notes.error(&format!("{}: {e:#}", printable(&file.path)));
                states.unread();
                status = status.max(Status::Io);
            }
        }
    }
    if mode.tells_states() {
        states.end(None, &clock, notes);
    }
    let written = match args.output.one.path() {
        Some(path) => one_file(path).and_then(|mut new| {
            new.write_all(&out)?;
            new.commit()
        }),
        None => {
            status = status.max(surface::print(&out));
            Ok(())
        }
    };
    if let Err(e) = written {
        notes.error(&format!("{e:#}"));
        status = status.max(Status::Io);
    }
    Ok(status)
}

/// Repairs a file. Returns the status, and what goes to stdout.
fn one(
    file: &InputFile,
    to: &To<'_>,
    mode: &Mode,
    repairs: &Repairs,
    notes: &Notes,
    states: &mut States,
) -> Result<(Status, Vec<u8>)> {
    let (input, text) = read(file)?;
    let mut done = repair(&text, to.target, to.model, repairs);
    told(file, to, &text, &done, notes);
    let bad = (done.left.len() + done.refused.len()) as u64;
    let bytes = text.len() as u64;
    let counts = Counts { records: bad.max(1), bad, bytes, ..Counts::default() };
    let name = name_of(&file.path);
    let gone: u64 = done.gone.iter().map(|gone| gone.bytes.0).sum();
    let removed = (done.gone.len() as u64, gone.max(u64::from(!done.gone.is_empty())));
    let mut destination = mode.destination(file, &input)?;
    destination.read(&text);
    let mut sinks = Sinks::default();
    (sinks.out, sinks.steps) = (std::mem::take(&mut done.output), std::mem::take(&mut done.steps));
    if destination.write(&mut sinks, 0).is_err() {
        anyhow::bail!(std::io::Error::other("the new content could not be written"));
    }
    let end = End { name: &name, done: true, whole: true, counts, removed, passes: false };
    let (rest, finished) = destination.finish(&end);
    finished.error.iter().for_each(|error| notes.error(error));
    states.add(&finished.state, finished.removed);
    if matches!(mode, Mode::InPlace(_) | Mode::Diff(..)) && !finished.is_told {
        let (state, removed, is_told) = (finished.state, finished.removed, false);
        tell(&Told { name: &name, counts, state, removed, is_told }, notes);
    }
    let status = if bad > 0 { Status::NotUnderstood } else { Status::Done };
    let mut out = sinks.out;
    out.extend(rest);
    Ok((status.max(finished.status), out))
}

/// Says what was mended, and what could not be: the rule and its day, the place, and how many bytes, never a text.
fn told(file: &InputFile, to: &To<'_>, text: &[u8], done: &Repaired, notes: &Notes) {
    let name = name_of(&file.path);
    let line = |offset: usize| 1 + memchr::memchr_iter(b'\n', &text[..offset.min(text.len())]).count();
    for gone in &done.gone {
        let (cut, put) = gone.bytes;
        let size = match (cut, put) {
            (cut, 0) => format!("{cut} bytes out"),
            (0, put) => format!("{put} bytes in"),
            (cut, put) => format!("{cut} bytes out, {put} in"),
        };
        let (code, day) = (gone.code, gone.verified_on);
        notes.note(&format!("{name}:{}: {code} ({day}): {}; {size}", line(gone.at.start), gone.how));
    }
    for left in &done.left {
        let row = left.row;
        let (code, day, finds) = (row.code, row.verified_on, row.finds);
        notes.error(&format!("{name}:{}: {code} ({day}): not repaired: {finds}", line(left.at.start)));
        if left.is_mended && !row.options.is_empty() {
            notes.report(&format!("this repairs it:\n    {}", command(to.name, row.options, &file.path)));
        }
    }
    tell_refused(&done.refused, &file.path, notes);
}
