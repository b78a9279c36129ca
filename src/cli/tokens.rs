//! unthink tokens [--method M] [--by record|message|block] [FILE]...
//!
//! Reports how many tokens are reasoning and how many are the answer, and what is left under the settings in force.

use super::files::{self, Files, Use};
use super::io::stdout_is_terminal;
use super::notes::Notes;
use super::output::OutputFile;
use super::run::{Job, failed};
use super::{Common, Status, TagArgs};
use clap::{Args, ValueEnum};
use std::cell::RefCell;
use unthink::count::Method;
use unthink::engine::Counts;
use unthink::out::{By, Shared, Tally, TallyFormat, TallyOptions, page};
use unthink::pass::Unit;
use unthink::settings::Settings;

/// Report token estimates, raw and effective
#[derive(Debug, Args)]
pub struct Tokens {
    /// How tokens are counted
    #[arg(short, long, value_enum, default_value_t)]
    method: MethodArg,

    /// What a row is about
    #[arg(long, value_enum, default_value_t)]
    by: ByArg,

    /// Write a total behind the rows
    #[arg(long)]
    total: bool,

    /// Size of the context in tokens: adds the share of it that is used, by the effective count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Share of the context from which on compression is due
    #[arg(long, value_name = "F", default_value_t = 0.85, value_parser = share, requires = "limit")]
    compress_at: f64,

    /// Output form [default: table on a terminal, jsonl in a pipe]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<TokensFormat>,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    to: OutputFile,

    #[command(flatten)]
    files: Files,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MethodArg {
    /// A quarter of the UTF-16 code units of each block, rounded up
    #[default]
    Chars4,
    /// Words between white space
    Words,
    /// The vocabulary o200k_base, exactly
    O200k,
    /// The vocabulary cl100k_base, exactly
    Cl100k,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByArg {
    /// Records: conversations, responses, messages that stand alone
    #[default]
    Record,
    /// Messages
    Message,
    /// Blocks of reasoning and texts
    Block,
    /// Those who speak, in a log in which several do (MEW)
    Agent,
    /// Sequences of reasoning in such a log, each with its answer; what stands in none has an empty context
    Context,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TokensFormat {
    /// Columns
    Table,
    /// A JSON object a line
    Jsonl,
    /// One JSON value
    Json,
    /// Comma-separated values with a header
    Csv,
    /// Totals as Prometheus metrics
    Prometheus,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|f: &f64| f.is_finite() && *f >= 0.0);
    share.ok_or_else(|| "a share from 0, such as 0.85".into())
}

/// `unthink tokens`.
pub fn run(common: &Common, settings: &Settings, args: &Tokens) -> Status {
    let method = match args.method {
        MethodArg::Chars4 => Method::Chars4,
        MethodArg::Words => Method::Words,
        MethodArg::O200k => Method::O200k,
        MethodArg::Cl100k => Method::Cl100k,
    };
    let format = match args.output {
        None if stdout_is_terminal() && args.to.path().is_none() => TallyFormat::Table,
        None | Some(TokensFormat::Jsonl) => TallyFormat::Jsonl,
        Some(TokensFormat::Table) => TallyFormat::Table,
        Some(TokensFormat::Json) => TallyFormat::Json,
        Some(TokensFormat::Csv) => TallyFormat::Csv,
        Some(TokensFormat::Prometheus) => TallyFormat::Prometheus,
    };
    let by = match args.by {
        ByArg::Record => By::Record,
        ByArg::Message => By::Message,
        ByArg::Block => By::Block,
        ByArg::Agent => By::Agent,
        ByArg::Context => By::Context,
    };
    let (limit, compress_at) = (args.limit, args.compress_at);
    let options = TallyOptions { method, by, format, limit, compress_at, file: None };
    let notes = Notes::new(common.quiet, common.verbose, common.color);
    let by = Use::reading(common, &args.files.walk, args.to.own());
    let inputs = match files::find(&args.files.walk, &args.files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let shared = RefCell::new(Shared::new(method));
    let output = |file| Tally::new(TallyOptions { file, ..options.clone() }, &shared);
    let policy = (settings.context_policy(), Unit::Message);
    let file = inputs.are_several.then(String::new);
    let tail = TallyOptions { file, ..options.clone() };
    let last = || page(&shared.borrow(), &tail, args.total).into_bytes();
    let (last, output_file): (Option<&dyn Fn() -> Vec<u8>>, _) = (Some(&last), args.to.path());
    let job = Job { policy, skips: true, last, output: output_file, ..Job::new(common, &args.tags, &inputs) };
    job.run(output, |tally, counts, notes| {
        shared.borrow_mut().unread += counts.suspect + counts.bad - counts.refused;
        done(tally, counts, notes);
    })
}

fn done(tally: &Tally<'_>, counts: Counts, notes: &Notes) {
    if tally.messages() == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to count", counts.records));
    }
}
