//! unthink split [-o json|text] [--only visible|reasoning] [FILE]...
//!
//! Separates visible text from reasoning: one JSON object per assistant message, or text.

use super::notes::Notes;
use super::options::OnError;
use super::run::Job;
use super::{Common, Status, TagArgs};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use unthink::dialect::Pointer;
use unthink::engine::Counts;
use unthink::nearest::nearest;
use unthink::out::{Report, Show};

/// Separate visible text from reasoning
#[derive(Debug, Args)]
pub struct Split {
    /// Output form: json is one object per assistant message, text the visible text only [default: json, with --only text]
    #[arg(short, long, value_enum, value_name = "FORMAT")]
    output: Option<Form>,

    /// Write the visible text or the reasoning only
    #[arg(long, value_enum)]
    only: Option<Only>,

    /// With -o text: write the reasoning to stderr or to a file
    #[arg(long, value_name = "stderr|FILE", conflicts_with = "only")]
    reasoning_to: Option<PathBuf>,

    /// Split the string at this JSON Pointer in any JSON record; repeatable
    #[arg(long, value_name = "POINTER")]
    field: Vec<String>,

    /// What stands between several blocks
    #[arg(long, value_name = "TEXT", default_value = "\n", hide_default_value = true)]
    join: String,

    /// Keep the white space just inside tags
    #[arg(long)]
    verbatim: bool,

    #[command(flatten)]
    tags: TagArgs,

    /// Files to read; none, or -, is stdin
    #[arg(value_name = "FILE", help_heading = "Arguments")]
    files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One object per assistant message, one per line
    Json,
    /// Text
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    /// The visible text
    Visible,
    /// The reasoning
    Reasoning,
}

/// `unthink split`.
pub fn run(common: &Common, args: &Split) -> Status {
    let notes = Notes::new(common.quiet, common.verbose, common.color);
    let text = args.output.map_or(args.only.is_some() || args.reasoning_to.is_some(), |form| form == Form::Text);
    let mut pointers: Vec<Pointer> = Vec::new();
    for pointer in &args.field {
        match pointer.parse() {
            Ok(pointer) => pointers.push(pointer),
            Err(e) => {
                let near = nearest(pointer, [format!("/{pointer}").as_str()]).to_string();
                notes.error(&format!("--field {pointer}: {e}; did you mean {near}?"));
                return Status::Usage;
            }
        }
    }
    let show = Show {
        text,
        visible: args.only != Some(Only::Reasoning),
        reasoning: match args.only {
            Some(only) => only == Only::Reasoning,
            None => !text,
        },
        aside: args.reasoning_to.is_some(),
        join: args.join.clone(),
        verbatim: args.verbatim,
        pass_bad: common.on_error == OnError::Pass,
        fields: args.field.clone(),
    };
    let aside = args.reasoning_to.as_deref();
    let job =
        Job { common, tags: &args.tags, files: &args.files, live: false, pointers, verbatim: false, aside, to: None };
    job.run(|| Report::new(show.clone()), done)
}

fn done(report: &Report, counts: Counts, notes: &Notes) {
    if report.written() == 0 && counts.records > 0 && counts.bad == 0 {
        notes.note(&format!("no message in {} records: nothing to split", counts.records));
    }
}
