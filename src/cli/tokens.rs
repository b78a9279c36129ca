//! unthink tokens [--method M] [--by record|message|block|model,day,…] [--sort COLUMN] [FILE]...
//!
//! Reports how many tokens are reasoning and how many are the answer, and what is left under the settings in force.

mod method;

use super::failure::{Result, bail};
use super::fd::stdout_is_terminal;
use super::files::{self, Files, Inputs, Use};
use super::notes::Notes;
use super::output::OutputFile;
use super::run::{Job, Main, failed};
use super::{Common, Status, TagArgs};
use clap::Args;
use std::cell::RefCell;
use unthink::engine::{Counts, Treatment};
use unthink::model::Time;
use unthink::nearest::meant;
use unthink::settings::Settings;
use unthink::tokens::{By, Parts, SharedTally, Sort, Tally, TallyFormat, TallyOptions, columns, page};

/// Report token estimates, raw and effective
#[derive(Debug, Args)]
pub struct TokensArgs {
    /// How tokens are counted: by one of these, or by a tokenizer.json of Hugging Face
    #[arg(short, long, value_name = "NAME|FILE", default_value = "chars4", value_parser = method::MethodNames)]
    method: String,

    /// What a row is about; several with commas or repeated, for groups of messages over all files: model,day
    #[arg(long, value_enum, value_delimiter = ',', default_value = "record", value_name = "WHAT")]
    by: Vec<By>,

    /// Days are those of UTC, and not of the local time (TZ)
    #[arg(long)]
    utc: bool,

    /// Sort the rows by this column: numbers from the largest, names by their letters
    #[arg(long, value_name = "COLUMN")]
    sort: Option<String>,

    /// Sort the other way round
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Write a total behind the rows
    #[arg(long)]
    total: bool,

    /// Write the total, and no rows
    #[arg(long)]
    only_total: bool,

    /// Size of the context in tokens: adds the share of it that is used, by the effective count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Share of the context from which on compression is due
    #[arg(long, value_name = "F", default_value_t = 0.85, value_parser = share, requires = "limit")]
    compress_at: f64,

    /// Output form [default: table on a terminal, jsonl in a pipe]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<TallyFormat>,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    to: OutputFile,

    #[command(flatten)]
    files: Files,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|f: &f64| f.is_finite() && *f >= 0.0);
    share.ok_or_else(|| "a share from 0, such as 0.85".into())
}

/// `unthink tokens`.
pub fn run(common: &Common, settings: &Settings, args: &TokensArgs) -> Status {
    let notes = Notes::of(common);
    let prepared = method::counter(&args.method).and_then(|counter| {
        let options = options(args, &counter.0)?;
        let using = Use::reading(common, &args.files.walk, args.to.own());
        Ok((counter.1, options, files::find(&args.files.walk, &args.files.named, &using, &notes)?))
    });
    let (counter, options, mut inputs) = match prepared {
        Ok(prepared) => prepared,
        Err(e) => return failed(&notes, &e),
    };
    // Files are named in the groups, and are told apart.
    inputs.are_several |= options.by.iter().any(|by| matches!(by, By::File | By::Folder));
    let shared = RefCell::new(SharedTally::new(counter));
    let output = |file| Tally::new(TallyOptions { file, ..options.clone() }, &shared);
    let treatment = Treatment::judged(settings.context_policy());
    let tail = tail(&options, &inputs);
    let last = || page(&mut shared.borrow_mut(), &tail).into_bytes();
    let (last, output_file): (Option<&dyn Fn() -> Vec<u8>>, _) = (Some(&last), args.to.path());
    let job = Job { treatment, skips: true, output: output_file, ..Job::new(common, &args.tags, &inputs) };
    let status = job.run_alone(Main { last, ..Main::default() }, output, Tally::messages, |messages, told, notes| {
        let counts = told.counts;
        shared.borrow_mut().unread += counts.suspect + counts.bad - counts.refused;
        done(*messages, counts, notes);
    });
    let repeated = shared.borrow().repeated;
    if repeated > 0 {
        let (messages, stand) = if repeated == 1 { ("message", "stands") } else { ("messages", "stand") };
        notes.note(&format!("{repeated} {messages} {stand} in an earlier file too, and are counted once"));
    }
    status
}

/// The options for the end of the run: rows have the names of files if there are several.
fn tail(options: &TallyOptions, inputs: &Inputs) -> TallyOptions {
    TallyOptions { file: inputs.are_several.then(String::new), ..options.clone() }
}

fn options(args: &TokensArgs, method: &str) -> Result<TallyOptions> {
    let is_shown = stdout_is_terminal() && args.to.path().is_none();
    let format = args.output.unwrap_or(if is_shown { TallyFormat::Table } else { TallyFormat::Jsonl });
    let mut by: Vec<By> = Vec::new();
    for one in args.by.iter().copied() {
        if !by.contains(&one) {
            by.push(one);
        }
    }
    if let Some(alone) = by.iter().find(|one| !one.is_group()).filter(|_| by.len() > 1) {
        bail!("--by {}: it goes with no other; groups of messages do, such as model,day", alone.name());
    }
    let width = terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    let options = TallyOptions {
        format,
        parts: match (args.only_total, args.total) {
            (true, _) => Parts::Total,
            (_, true) => Parts::Both,
            _ => Parts::Rows,
        },
        sort: args.sort.clone().map(|column| Sort { column, reverse: args.reverse }),
        limit: args.limit,
        compress_at: args.compress_at,
        offset: if args.utc { |_| 0 } else { offset },
        table: (width.filter(|_| is_shown), is_shown),
        ..TallyOptions::lines(method, by)
    };
    if let Some(column) = &args.sort {
        is_column(column, &options)?;
    }
    Ok(options)
}

/// Checks that rows have a column of this name.
fn is_column(name: &str, options: &TallyOptions) -> Result<()> {
    let several = TallyOptions { file: Some(String::new()), ..options.clone() };
    let all = columns(&several);
    if all.iter().any(|(own, short)| *own == name || *short == name) {
        return Ok(());
    }
    let names: Vec<&str> = all.iter().map(|(_, short)| *short).collect();
    let near = meant(name, names.iter().copied());
    bail!("--sort {name}: no such column here; there are {}{near}", names.join(", "));
}

/// How many seconds the local time is ahead of UTC at a time.
fn offset(time: Time) -> i64 {
    let zone = jiff::tz::TimeZone::system();
    jiff::Timestamp::from_second(time.0).map_or(0, |time| i64::from(zone.to_offset(time).seconds()))
}

fn done(messages: u64, counts: Counts, notes: &Notes) {
    if messages == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to count", counts.records));
    }
}
