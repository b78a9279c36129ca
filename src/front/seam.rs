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
use crate::check::{self as rules, Check, Severity};
use crate::convert::Emit;
use crate::count::Counter;
use crate::dialect::{self, Columns, Conversion, Pointer};
use crate::engine::{
    Chain, ConversionRequest, ConversionRequestError, EngineOptions, InputRequest, InputRequestError,
    IntermediateMessages, Treatment,
};
use crate::inline::{NoChoice, Options, TagChoice, Tags};
use crate::out::Output;
use crate::policy::{Narrow, Policy};
use crate::split::{Report, ReportOptions};
use crate::strip::{Splice, SpliceOptions};
use crate::tokens::{SharedTally, Tally, TallyOptions, TallyRow as Row, page};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;

/// An engine for `strip`, and the names of agents and contexts that it is about.
pub(super) fn stripping(options: &StripOptions) -> Result<(Run<Splice>, Narrow), InvalidOption> {
    let steps = IntermediateMessages::of(options.intermediate, options.delegations);
    let treatment = Treatment {
        fields: pointers("fields", &options.fields)?,
        drops: pointers("drop_fields", &options.drop_fields)?,
        unit: options.unit,
        narrow: Narrow::new(options.agents.clone(), options.contexts.clone()),
        ..Treatment::strip(options.policy, options.signatures, options.redact, steps)
    };
    let splice = SpliceOptions { drop_empty: options.drop_empty, ..treatment.splice() };
    let run = treated(&treatment, &options.input, true, Splice::new(splice))?;
    Ok((run, treatment.narrow))
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

/// An engine for `split`. `keeps`: messages are to be taken from the output, and not written.
pub(super) fn splitting(options: &SplitOptions, keeps: bool) -> Result<Run<Report>, InvalidOption> {
    let fields = options.fields.clone();
    let show = ReportOptions { keeps, fields, ..ReportOptions::of(false, None, &options.join, options.verbatim) };
    let treatment = Treatment { fields: pointers("fields", &options.fields)?, ..Treatment::default() };
    treated(&treatment, &options.input, false, Report::new(show))
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
    let (fields, columns) = strings(options, &conversion)?;
    let tags = tags(&options.input, options.tag.as_deref())?;
    let read = engine(&options.input, true)?;
    let splice = || Splice::new(SpliceOptions::default());
    let emit = Emit::new(splice(), conversion.writer.clone(), conversion.edits_text());
    let converts = Treatment { to: Some(conversion), fields, columns, ..Treatment::default() };
    let second = converts.options(read.clone());
    Ok(match options.policy {
        Policy::None => Converting::All(Box::new(Run::new(converts.engine(&tags, second, emit, Narrow::default())))),
        policy => {
            let (removes, output) = (Treatment::removing(policy), Chain::new(splice(), &tags, second, emit));
            let engine = removes.engine(&tags, removes.options(read), output, Narrow::default());
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

/// Counts tokens, and writes the rows as lines.
pub(super) fn tokens(reader: Reader<'_>, writer: OutputWriter<'_>, options: &TokensOptions) -> RunResult<TokensReport> {
    let tally = tally(options);
    let shared = RefCell::new(SharedTally::new(Counter::new(options.method)));
    let ran = tallying(options, &tally, &shared)?.read(reader, writer)?;
    let groups = page(&mut shared.borrow_mut(), &tally);
    writer.write_all(groups.as_bytes()).map_err(Error::Write)?;
    tallied(ran, &shared)
}

/// Counts tokens, and hands out the rows.
pub(super) fn token_rows(
    reader: Reader<'_>,
    mut each: impl FnMut(Row),
    options: &TokensOptions,
) -> RunResult<TokensReport> {
    let tally = TallyOptions { keeps: true, ..tally(options) };
    let shared = RefCell::new(SharedTally::new(Counter::new(options.method)));
    let ran = tallying(options, &tally, &shared)?.read_each(reader, |_, _| {
        shared.borrow_mut().take_rows().into_iter().for_each(&mut each);
        Ok(())
    })?;
    shared.borrow().groups(&tally).into_iter().cloned().for_each(each);
    tallied(ran, &shared)
}

/// What is counted, and how it is written.
fn tally(options: &TokensOptions) -> TallyOptions {
    TallyOptions::lines(options.method.name(), vec![options.by])
}

fn tallying<'s>(
    options: &TokensOptions,
    tally: &TallyOptions,
    shared: &'s RefCell<SharedTally>,
) -> Result<Run<Tally<'s>>, InvalidOption> {
    treated(&Treatment::judged(options.policy), &options.input, false, Tally::new(tally.clone(), shared))
}

fn tallied(ran: Ran<Tally<'_>>, shared: &RefCell<SharedTally>) -> RunResult<TokensReport> {
    let total = counts(&shared.borrow().total);
    complete(ran.outcome, |summary| TokensReport { total, summary })
}

pub(super) fn check(
    reader: Reader<'_>,
    take: impl FnOnce(Vec<rules::RuleFinding>) -> io::Result<()>,
    options: &CheckOptions,
) -> RunResult<CheckReport> {
    let treatment = Treatment::judged(options.policy.unwrap_or(Policy::None));
    let ran =
        treated(&treatment, &options.input, false, Check::new(options.rules()?))?.read(reader, &mut io::sink())?;
    let Ran { mut output, outcome } = ran;
    let findings = output.findings();
    let count = |severity| findings.iter().filter(|finding| finding.rule.severity == severity).count() as u64;
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut of_rules = BTreeMap::new();
    findings.iter().for_each(|finding| *of_rules.entry(finding.rule.code).or_default() += 1);
    take(findings).map_err(Error::Write)?;
    let (messages, forgot) = (output.messages(), output.forgot());
    complete(outcome, |summary| CheckReport { errors, warnings, rules: of_rules, messages, forgot, summary })
}

/// The counts of a row.
pub(super) fn counts(sum: &Row) -> TokenCounts {
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

/// An engine that treats its input like this. `streams`: output of an event stream is passed on at once and cannot be taken
/// back.
fn treated<O: Output>(
    treatment: &Treatment,
    input: &InputOptions,
    streams: bool,
    output: O,
) -> Result<Run<O>, InvalidOption> {
    let tags = treatment.tags(tags(input, None)?);
    let options = treatment.options(engine(input, streams)?);
    Ok(Run::new(treatment.engine(&tags, options, output, treatment.narrow.clone())))
}

/// The options for reading input.
fn engine(input: &InputOptions, streams: bool) -> Result<EngineOptions, InvalidOption> {
    if input.max_record == 0 {
        return Err(InvalidOption::new("max_record", "a number of bytes from 1"));
    }
    let request = InputRequest {
        dialect: input.dialect.as_deref(),
        framing: input.framing,
        inline: Options {
            close: input.close,
            start: input.start,
            unclosed: input.unclosed,
            blocks: input.blocks,
            inline: input.inline,
            ..Options::default()
        },
        live: input.live,
        streams,
        pass_suspect: input.pass_suspect,
        max_record: input.max_record,
        stop: false,
    };
    request.options().map_err(|e| match e {
        InputRequestError::Dialect(name, why) => InvalidOption::new("dialect", format!("{name:?}: {why}")),
        InputRequestError::Framing(name, framing) => {
            let reason = format!("the dialect {name} does not come in {}", framing.name());
            InvalidOption::new("framing", reason)
        }
    })
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
    let request = ConversionRequest {
        to: &options.to,
        spelling: options.spelling.as_deref(),
        tag: options.tag.as_deref(),
        rows: &options.input.tag_rows,
        escape: options.escape,
        seed: options.seed,
        fill_empty: options.fill_empty,
    };
    request.conversion().map_err(|e| match e {
        ConversionRequestError::Dialect(why) if dialect::written(&options.to, None).is_ok() => {
            InvalidOption::new("spelling", why)
        }
        ConversionRequestError::Dialect(why) => InvalidOption::new("to", format!("{:?}: {why}", options.to)),
        ConversionRequestError::Tag(NoChoice::Name(_, why)) => InvalidOption::new("tag", why),
        ConversionRequestError::Tag(_) => InvalidOption::new("tag", "one row"),
        ConversionRequestError::NoTags => InvalidOption::new("tag", "it goes with the dialect tagged"),
        ConversionRequestError::NoDelimiters => {
            InvalidOption::new("escape", "it goes with the dialects tagged and harmony")
        }
        ConversionRequestError::OnlyRead(name) => InvalidOption::new("to", format!("the dialect {name} is only read")),
    })
}

/// The strings to convert, and the members beside them.
fn strings(options: &ConvertOptions, conversion: &Conversion) -> Result<(Vec<Pointer>, Columns), InvalidOption> {
    let fields = pointers("fields", &options.fields)?;
    let wrong = |option, reason: &str| Err(InvalidOption::new(option, reason));
    for (option, name) in [("column", &options.column), ("prompt", &options.prompt)] {
        match name {
            Some(_) if fields.is_empty() => return wrong(option, "it goes with fields"),
            Some(name) if name.starts_with('/') => {
                return wrong(option, "the name of a member beside the string, and no pointer");
            }
            _ => (),
        }
    }
    if !fields.is_empty() && !conversion.fits_strings() {
        return wrong("fields", "a string is converted to tagged, harmony, reasoning or reasoning-content");
    }
    if !fields.is_empty() && options.policy != Policy::None {
        return wrong("policy", "it is about messages; strip removes the reasoning of a string");
    }
    Ok((fields, Columns { reasoning: options.column.clone(), prompt: options.prompt.clone() }))
}

/// Strings or members of records that the user names.
fn pointers(option: &'static str, all: &[String]) -> Result<Vec<Pointer>, InvalidOption> {
    let parse = |text: &String| text.parse().map_err(|e| InvalidOption::new(option, format!("{text:?}: {e}")));
    all.iter().map(parse).collect()
}
