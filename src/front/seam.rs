//! The one file of this module that knows the stages: it makes an engine and an output from the options, and a report
//! from their counts. If the stages change, only this file has to change. `run` drives what is made here.

use super::check::{CheckOptions, CheckReport};
use super::convert::{ConvertOptions, ConvertReport};
use super::error::{Error, InvalidOption};
use super::input::InputOptions;
use super::run::{Outcome, OutputWriter, Ran, Reader, Run, RunResult, complete, must_read};
use super::split::{SplitOptions, SplitReport};
use super::strip::{StripOptions, StripReport};
use super::tokens::{TokenCounts, TokensOptions, TokensReport};
use crate::check::Check;
use crate::check::{self as rules, Severity};
use crate::convert::Emit;
use crate::count::Counter;
use crate::dialect::{
    self, Conversion, DIALECTS, Dialect, Foreign, Hindsight, Pass, Pointer, ReadOptions, WriteOptions,
};
use crate::engine::{Chain, Engine, EngineOptions};
use crate::inline::{Options, Start, Tags};
use crate::model::Seals;
use crate::nearest::meant;
use crate::out::Output;
use crate::policy::{Narrow, Policy, Removal, Strip, Unit};
use crate::split::{Report, ReportOptions};
use crate::strip::{Splice, SpliceOptions};
use crate::tagfile::{self, NoChoice, TagChoice};
use crate::tokens::{SharedTally, Tally, TallyOptions, TallyRow as Sum, page};
use std::cell::RefCell;
use std::io;

/// An engine for `strip`, and the names of agents and contexts that it is about.
pub(super) fn stripping(options: &StripOptions) -> Result<(Run<Splice>, Narrow), InvalidOption> {
    let takes_messages = options.intermediate || options.delegations;
    let seals = Seals::of(options.policy, options.signatures);
    let verbatim = options.policy == Policy::None && seals == Seals::Stay && !takes_messages && !options.redact;
    let tags = tags(&options.input, None)?;
    let tags = if options.redact { tags.redacting() } else { tags };
    let mut engine = engine(&options.input, true)?;
    engine.read.pointers = pointers("fields", &options.fields)?;
    engine.read.drops = pointers("drop_fields", &options.drop_fields)?;
    engine.read.seals = seals;
    if verbatim {
        engine.read.foreign = Foreign::Unwatched;
    }
    let splice = SpliceOptions { drop_empty: options.drop_empty, verbatim, takes_messages, ..SpliceOptions::default() };
    let mut engine = Engine::new(&tags, engine, Splice::new(splice));
    if takes_messages {
        engine = engine.without(Removal::new(options.delegations));
    }
    let narrow = Narrow::new(options.agents.clone(), options.contexts.clone());
    if options.policy != Policy::None {
        engine = engine.judged_by(Strip::new(options.policy, options.unit).narrowed(narrow.clone(), options.unit));
    }
    Ok((Run::new(engine), narrow))
}

/// What `strip` did.
pub(super) fn stripped(ran: Ran<Splice>, narrow: &Narrow) -> RunResult<StripReport> {
    let stats = ran.output.stats();
    let (unknown_agents, unknown_contexts) = narrow.unknown();
    complete(ran.outcome, |summary| StripReport {
        removed: stats.removed,
        kept: stats.kept,
        bytes: stats.bytes,
        dropped: stats.dropped,
        intermediate: stats.messages.0,
        emptied: stats.messages.1,
        unknown_agents,
        unknown_contexts,
        summary,
    })
}

/// An engine for `split`.
pub(super) fn splitting(options: &SplitOptions) -> Result<Run<Report>, InvalidOption> {
    let (join, verbatim) = (options.join.clone(), options.verbatim);
    let show = ReportOptions { visible: true, reasoning: true, join, verbatim, ..ReportOptions::default() };
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    Ok(Run::new(Engine::new(&tags, engine, Report::new(show))))
}

/// What `split` did.
pub(super) fn split(ran: Ran<Report>) -> RunResult<SplitReport> {
    let messages = ran.output.written();
    complete(ran.outcome, |summary| SplitReport { messages, summary })
}

/// An engine for `convert`: under a policy it is two.
pub(super) enum Converting {
    All(Box<Run<Emit>>),
    Judged(Box<Run<Chain<Emit>>>),
}

/// An engine for `convert`.
pub(super) fn converting(options: &ConvertOptions) -> Result<Converting, InvalidOption> {
    let conversion = conversion(options)?;
    let tags = tags(&options.input, options.tag.as_deref())?;
    let first = engine(&options.input, true)?;
    let mut second = first.clone();
    second.read.to = Some(conversion.clone());
    let splice = || Splice::new(SpliceOptions::default());
    let emit = Emit::new(splice(), conversion.writer.clone(), conversion.edits_text());
    Ok(match options.policy {
        Policy::None => Converting::All(Box::new(Run::new(Engine::new(&tags, second, emit)))),
        policy => {
            let mut first = first;
            first.read.seals = Seals::of(policy, None);
            let output = Chain::new(splice(), &tags, second, emit);
            let engine = judged(Engine::new(&tags, first, output), policy, Unit::Message);
            Converting::Judged(Box::new(Run::new(engine)))
        }
    })
}

impl Converting {
    /// Takes the next bytes of input, and returns what is decided.
    pub fn push(&mut self, input: &[u8]) -> &[u8] {
        match self {
            Self::All(run) => run.push(input),
            Self::Judged(run) => run.push(input),
        }
    }

    /// Ends the input. `whole`: all of it has come.
    pub fn end(self, whole: bool) -> (Vec<u8>, RunResult<ConvertReport>) {
        match self {
            Self::All(run) => {
                let (rest, ran) = run.end(whole);
                (rest, converted(ran.outcome, Some(&ran.output)))
            }
            Self::Judged(run) => {
                let (rest, ran) = run.end(whole);
                (rest, converted(ran.outcome, ran.output.second()))
            }
        }
    }

    /// Reads all input, and writes what is decided after each read.
    pub fn run(self, reader: Reader<'_>, writer: OutputWriter<'_>) -> RunResult<ConvertReport> {
        match self {
            Self::All(run) => {
                let ran = run.read(reader, writer)?;
                converted(ran.outcome, Some(&ran.output))
            }
            Self::Judged(run) => {
                let ran = run.read(reader, writer)?;
                converted(ran.outcome, ran.output.second())
            }
        }
    }
}

fn converted(outcome: Outcome, emit: Option<&Emit>) -> RunResult<ConvertReport> {
    let losses = emit.map(|emit| emit.losses().clone()).unwrap_or_default();
    complete(must_read(outcome), |summary| ConvertReport { losses, summary })
}

pub(super) fn tokens(reader: Reader<'_>, writer: OutputWriter<'_>, options: &TokensOptions) -> RunResult<TokensReport> {
    let tally = TallyOptions::lines(options.method.name(), vec![options.by]);
    let shared = RefCell::new(SharedTally::new(Counter::new(options.method)));
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    let engine = Engine::new(&tags, engine, Tally::new(tally.clone(), &shared));
    let ran = Run::new(judged(engine, options.policy, Unit::Message)).read(reader, writer)?;
    let groups = page(&mut shared.borrow_mut(), &tally);
    writer.write_all(groups.as_bytes()).map_err(Error::Write)?;
    let total = counts(&shared.borrow().total);
    complete(ran.outcome, |summary| TokensReport { total, summary })
}

pub(super) fn check(
    reader: Reader<'_>,
    take: impl FnOnce(Vec<rules::RuleFinding>) -> io::Result<()>,
    options: &CheckOptions,
) -> RunResult<CheckReport> {
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    let output = Check::new(options.rules()?);
    let policy = options.policy.unwrap_or(Policy::None);
    let engine = judged(Engine::new(&tags, engine, output), policy, Unit::Message);
    let ran = Run::new(engine).read(reader, &mut io::sink())?;
    let Ran { mut output, outcome } = ran;
    let findings = output.findings();
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    take(findings).map_err(Error::Write)?;
    let (messages, forgot) = (output.messages(), output.forgot());
    complete(outcome, |summary| CheckReport { errors, warnings, messages, forgot, summary })
}

fn counts(sum: &Sum) -> TokenCounts {
    TokenCounts {
        reasoning: sum.reasoning,
        visible: sum.visible,
        other: sum.rest,
        delegated: sum.delegated,
        intermediate: sum.intermediate,
        effective: sum.effective(),
        sealed: sum.sealed,
        logged: sum.logged,
    }
}

/// Adds a policy to an engine, if there is one.
fn judged<O: Output>(engine: Engine<O>, policy: Policy, unit: Unit) -> Engine<O> {
    if policy == Policy::None { engine } else { engine.judged_by(Strip::new(policy, unit)) }
}

/// The options for reading input. `streams`: output of an event stream is passed on at once and cannot be taken back.
fn engine(input: &InputOptions, streams: bool) -> Result<EngineOptions, InvalidOption> {
    if input.max_record == 0 {
        return Err(InvalidOption::new("max_record", "a number of bytes from 1"));
    }
    let mut framing = input.framing;
    let dialects: Vec<&'static Dialect> = match &input.dialect {
        None => DIALECTS.iter().collect(),
        Some(name) => vec![dialect::find(name).ok_or_else(|| no_dialect("dialect", name, |_| true))?],
    };
    if let [only] = dialects.as_slice() {
        match (framing, only.framings) {
            (None, [one]) => framing = Some(*one),
            (Some(framing), all) if !all.contains(&framing) => {
                let reason = format!("the dialect {} does not come in {}", only.name, framing.name());
                return Err(InvalidOption::new("framing", reason));
            }
            _ => (),
        }
    }
    let start = if input.starts_with_reasoning { Start::Reasoning } else { Start::Hindsight };
    let read = ReadOptions {
        dialects,
        inline: Options { start, unclosed: input.unclosed, ..Options::default() },
        hindsight: match (input.live, streams) {
            (true, _) => Hindsight::Nowhere,
            (false, true) => Hindsight::NotInStreams,
            (false, false) => Hindsight::Everywhere,
        },
        foreign: if input.pass_suspect { Foreign::Pass } else { Foreign::Refuse },
        ..ReadOptions::default()
    };
    Ok(EngineOptions { framing, read, max_record: input.max_record, stop: false, pass: Pass::default() })
}

/// The inline tags to read, and one more that is written, if it is not among them.
fn tags(input: &InputOptions, written: Option<&str>) -> Result<Tags, InvalidOption> {
    let choice =
        TagChoice { named: &input.tags, files: &input.tag_rows, too: written, marker: input.marker.as_deref() };
    choice.tags().map_err(|e| match e {
        NoChoice::Name(name, why) if Some(name.as_str()) == written => InvalidOption::new("tag", why),
        NoChoice::Name(name, why) => InvalidOption::new("tags", format!("{name:?}: {why}")),
        NoChoice::Marker => InvalidOption::new("marker", "a text that is not blank"),
        NoChoice::Many(_) => InvalidOption::new("tags", format!("at most {} at a time", Tags::MAX_ROWS)),
    })
}

/// The conversion for these options.
fn conversion(options: &ConvertOptions) -> Result<Conversion, InvalidOption> {
    let name = &options.to;
    dialect::find(name).ok_or_else(|| no_dialect("to", name, Dialect::is_written))?;
    let spelled = dialect::written(name, options.spelling.as_deref());
    let dialect = spelled.map_err(|why| match options.spelling {
        Some(_) => InvalidOption::new("spelling", why),
        None => InvalidOption::new("to", why),
    })?;
    if options.tag.is_some() && dialect.name != "tagged" {
        return Err(InvalidOption::new("tag", "it goes with the dialect tagged"));
    }
    if options.escape && !["tagged", "harmony"].contains(&dialect.name) {
        return Err(InvalidOption::new("escape", "it goes with the dialects tagged and harmony"));
    }
    let row = |name| {
        tagfile::row(name, &options.input.tag_rows).map_err(|e| match e {
            NoChoice::Name(_, why) => InvalidOption::new("tag", why),
            NoChoice::Marker | NoChoice::Many(_) => InvalidOption::new("tag", "one row"),
        })
    };
    let tag = options.tag.as_deref().map(row).transpose()?;
    let tag = tag.map(|row| (row.open.into_owned(), row.close.into_owned()));
    let spelling = WriteOptions { tag, escape: options.escape, seed: options.seed, fill: options.fill_empty };
    Conversion::new(dialect, &spelling)
        .ok_or_else(|| InvalidOption::new("to", format!("the dialect {} is only read", dialect.name)))
}

/// Strings or members of records that the user names.
fn pointers(option: &'static str, all: &[String]) -> Result<Vec<Pointer>, InvalidOption> {
    let parse = |text: &String| text.parse().map_err(|e| InvalidOption::new(option, format!("{text:?}: {e}")));
    all.iter().map(parse).collect()
}

fn no_dialect(option: &'static str, name: &str, is_meant: impl Fn(&Dialect) -> bool) -> InvalidOption {
    let able = DIALECTS.iter().filter(|d| is_meant(d));
    let near = meant(name, able.flat_map(|d| d.aliases.iter().chain([&d.name])).copied());
    InvalidOption::new(option, format!("no dialect {name:?}{near}"))
}
