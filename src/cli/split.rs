//! unthink split [-o json|text|events|sse|prometheus] [--only visible|reasoning] [FILE]...
//!
//! Separates visible text from reasoning: one JSON object per assistant message, text, or a live stream of events.

use super::files::{self, Files, Use};
use super::jobs::Jobs;
use super::notes::Notes;
use super::options::{self, OnError};
use super::output::OutputFile;
use super::run::{Job, Main, craft, failed};
use super::{Common, Status, TagArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use unthink::engine::{Counts, Treatment};
use unthink::inline::{Start, Unclosed};
use unthink::postproc::{PostprocOptions, Process};
use unthink::settings::Settings;
use unthink::split::{Events, EventsOptions, Metrics, Only, Report, ReportOptions, Wire, metrics_page};

/// Separate visible text from reasoning
#[derive(Debug, Args)]
pub struct SplitArgs {
    /// Output form [default: json; text with --only, --reasoning-to]
    ///
    /// json is one object per assistant message, text the visible text only, events and sse a live stream of words.
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<SplitFormat>,

    /// Write the visible text or the reasoning only
    #[arg(long, value_enum)]
    only: Option<Only>,

    /// Write the reasoning to stderr or to a file
    ///
    /// Goes with -o json and text, and makes text the default.
    #[arg(long, value_name = "stderr|FILE", conflicts_with = "only")]
    reasoning_to: Option<PathBuf>,

    /// Split the string at this JSON Pointer in any JSON record
    ///
    /// Repeatable; a step * is every member or element.
    #[arg(long, value_name = "POINTER")]
    field: Vec<String>,

    /// What stands between several blocks
    #[arg(long, value_name = "TEXT", default_value = "\n", hide_default_value = true)]
    join: String,

    /// Keep the white space just inside tags
    #[arg(long)]
    verbatim: bool,

    /// Postprocess the text as `-o events` does
    ///
    /// By the settings `llm.postproc.*`.
    #[arg(long, conflicts_with = "verbatim")]
    postproc: bool,

    #[command(flatten)]
    tags: TagArgs,

    #[command(flatten)]
    to: OutputFile,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    jobs: Jobs,
}

/// `--output`. The first two are messages, which [`Report`] writes; the others are the ways of [`Events`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SplitFormat {
    /// One object per assistant message, one per line
    Json,
    /// Text
    Text,
    /// A JSON object for each word as it is settled, and one for each message that is over; postprocessed as the
    /// settings `llm.postproc.*` say
    Events,
    /// These objects as server-sent events
    Sse,
    /// Totals as Prometheus metrics
    Prometheus,
}

/// `unthink split`.
pub fn run(common: &Common, settings: &Settings, args: &SplitArgs) -> Status {
    let notes = Notes::of(common);
    let text =
        args.output.map_or(args.only.is_some() || args.reasoning_to.is_some(), |format| format == SplitFormat::Text);
    let fields = match options::pointers("--field", &args.field) {
        Ok(fields) => fields,
        Err(e) => return failed(&notes, &e),
    };
    let aside = args.reasoning_to.as_deref();
    if aside.is_some_and(|path| path.as_os_str() == "-") {
        notes
            .error("--reasoning-to -: the rest goes to stdout; to write the reasoning to stdout, use --only reasoning");
        return Status::Usage;
    }
    let own = args.reasoning_to.iter().chain(args.to.own());
    let by = Use::reading(common, &args.files.walk, own);
    let inputs = match files::find(&args.files.walk, &args.files.named, &by, &notes) {
        Ok(inputs) => inputs,
        Err(e) => return failed(&notes, &e),
    };
    let output = args.to.path();
    let jobs = args.jobs;
    let treatment = Treatment { fields, ..Treatment::default() };
    let job = Job { treatment, aside, output, cuts: true, skips: true, jobs, ..Job::new(common, &args.tags, &inputs) };
    let finish = |written, counts, json, notes: &Notes| done(written, counts, &args.field, json, notes);
    let wire = match args.output {
        Some(SplitFormat::Events) => Wire::Lines,
        Some(SplitFormat::Sse) => Wire::Sse,
        Some(SplitFormat::Prometheus) => Wire::Metrics,
        None | Some(SplitFormat::Json | SplitFormat::Text) => {
            let show = show(common, settings, args, text);
            return Job { streams: text, ..job }.run(
                Main::default(),
                &craft(|file| Report::new(ReportOptions { file, ..show.clone() }), Report::written),
                |()| (),
                |written, told, notes| finish(*written, told.counts, !text, notes),
            );
        }
    };
    if let Some((option, _)) =
        [("--only", args.only.is_some()), ("--reasoning-to", aside.is_some()), ("--verbatim", args.verbatim)]
            .iter()
            .find(|(_, given)| *given)
    {
        notes.error(&format!("{option} goes with -o json and -o text"));
        return Status::Usage;
    }
    let options = EventsOptions {
        wire,
        postproc: PostprocOptions {
            process: process(settings).filter(|_| wire != Wire::Metrics || args.postproc),
            leaks: wire == Wire::Metrics || settings.postproc_enabled(),
            apart: true,
            join: args.join.clone(),
        },
        drop_reasoning: settings.postproc_drop_from_history(),
        pass_bad: common.unread.on_error == OnError::Pass,
        fields: args.field.clone(),
    };
    let metrics = Mutex::new(Metrics::default());
    let json = wire != Wire::Metrics;
    let page = || metrics_page(&metrics.lock().unwrap_or_else(PoisonError::into_inner)).into_bytes();
    let last = (wire == Wire::Metrics).then_some(&page as &dyn Fn() -> Vec<u8>);
    Job { streams: wire != Wire::Metrics, ..job }.run(
        Main { last, ..Main::default() },
        &craft(|_| Events::new(options.clone(), &metrics), Events::written),
        |()| (),
        |written, told, notes| finish(*written, told.counts, json, notes),
    )
}

fn show(common: &Common, settings: &Settings, args: &SplitArgs, text: bool) -> ReportOptions {
    let process = process(settings).filter(|_| args.postproc);
    let dropped = process.is_some() && settings.is_set(DROP) && settings.postproc_drop_from_history();
    ReportOptions {
        aside: args.reasoning_to.is_some(),
        pass_bad: common.unread.on_error == OnError::Pass,
        fields: args.field.clone(),
        postproc: process.map(|process| PostprocOptions {
            process: Some(process),
            leaks: true,
            apart: false,
            join: args.join.clone(),
        }),
        drop_reasoning: dropped,
        streaming: common.live || args.tags.start == Start::Visible,
        hold: !common.live && may_refuse(common),
        ..ReportOptions::of(text, args.only, &args.join, args.verbatim)
    }
}

/// Whether a message is refused if a block in it is not closed.
fn may_refuse(common: &Common) -> bool {
    let tags = options::tags(common, None);
    common.unclosed == Some(Unclosed::Error)
        || tags.is_ok_and(|tags| tags.rows().iter().any(|row| row.unclosed == Unclosed::Error))
}

/// The processing that the settings of MIA ask for.
fn process(settings: &Settings) -> Option<Process> {
    settings.postproc_enabled().then(|| Process {
        max_tokens: settings.postproc_max_tokens(),
        n: settings.postproc_ngram_n(),
        window: settings.postproc_ngram_window(),
        collapse: settings.postproc_collapse_whitespace(),
    })
}

const DROP: &str = "llm.postproc.reasoning.drop_from_history";

/// Notes what a user should know: that there were no messages, or that something was not read as it is.
fn done(written: u64, counts: Counts, fields: &[String], json: bool, notes: &Notes) {
    if let (Some(at), true) = (counts.wrong, json) {
        notes.note(&format!("byte {at} is not UTF-8: it is shown as U+FFFD"));
    }
    let none = written == 0 && counts.records > 0 && counts.bad == 0;
    match none {
        true if fields.is_empty() => {
            notes.note(&format!("no message in {} records: nothing to split", counts.records));
        }
        true => notes.note(&format!("no string at {} in {} records", fields.join(" or "), counts.records)),
        false => (),
    }
}
