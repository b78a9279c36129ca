//! The one file of this module that knows the stages: it makes an engine and an output from the options, and a report
//! from their counts. If the stages change, only this file has to change.

use super::check::{CheckOptions, CheckReport};
use super::convert::{ConvertOptions, ConvertReport};
use super::error::{Error, Incomplete, InvalidOption, Refused};
use super::input::{InputOptions, Summary};
use super::split::{SplitOptions, SplitReport};
use super::strip::{StripOptions, StripReport};
use super::tokens::{TokenCounts, TokensOptions, TokensReport};
use crate::check::{self as rules, Severity};
use crate::count::Counter;
use crate::dialect::{self, Conversion, DIALECTS, Dialect, Foreign, Hindsight, Pass, ReadOptions, Spelling};
use crate::engine::{Chain, Counts, Engine, EngineOptions, Problem};
use crate::inline::{Options, Row, Start, TAGS, Tags};
use crate::nearest::meant;
use crate::out::{
    Check, Emit, Output, Report, Row as Sum, Shared, Show, Sinks, Splice, SpliceOptions, Tally, TallyOptions, page,
};
use crate::pass::{Narrow, Policy, Removal, Strip, Unit};
use crate::tagfile;
use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind, Write};

type Reader<'a> = &'a mut dyn BufRead;
type Writer<'a> = &'a mut dyn Write;
type Done<R> = Result<R, Error<R>>;

pub(super) fn strip(reader: Reader<'_>, writer: Writer<'_>, options: &StripOptions) -> Done<StripReport> {
    let takes_messages = options.intermediate || options.delegations;
    let verbatim = options.policy == Policy::None && !takes_messages;
    let tags = tags(&options.input, None)?;
    let mut engine = engine(&options.input, true)?;
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
    let ran = run(engine, reader, writer)?;
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

pub(super) fn split(reader: Reader<'_>, writer: Writer<'_>, options: &SplitOptions) -> Done<SplitReport> {
    let (join, verbatim) = (options.join.clone(), options.verbatim);
    let show = Show { visible: true, reasoning: true, join, verbatim, ..Show::default() };
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    let ran = run(Engine::new(&tags, engine, Report::new(show)), reader, writer)?;
    let messages = ran.output.written();
    complete(ran.outcome, |summary| SplitReport { messages, summary })
}

pub(super) fn convert(reader: Reader<'_>, writer: Writer<'_>, options: &ConvertOptions) -> Done<ConvertReport> {
    let conversion = conversion(options)?;
    let tags = tags(&options.input, options.tag.as_deref())?;
    let first = engine(&options.input, true)?;
    let mut second = first.clone();
    second.read.to = Some(conversion.clone());
    let splice = || Splice::new(SpliceOptions::default());
    let emit = || Emit::new(splice(), conversion.writer.clone(), conversion.edits());
    let (outcome, losses) = if options.policy != Policy::None {
        let output = Chain::new(splice(), &tags, second, emit());
        let ran = run(judged(Engine::new(&tags, first, output), options.policy, Unit::Message), reader, writer)?;
        (ran.outcome, ran.output.second().map(|emit| emit.losses().clone()).unwrap_or_default())
    } else {
        let ran = run(Engine::new(&tags, second, emit()), reader, writer)?;
        (ran.outcome, ran.output.losses().clone())
    };
    complete(must_read(outcome), |summary| ConvertReport { losses, summary })
}

pub(super) fn tokens(reader: Reader<'_>, writer: Writer<'_>, options: &TokensOptions) -> Done<TokensReport> {
    let tally = TallyOptions::lines(options.method.name(), vec![options.by]);
    let shared = RefCell::new(Shared::new(Counter::new(options.method)));
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    let engine = Engine::new(&tags, engine, Tally::new(tally.clone(), &shared));
    let ran = run(judged(engine, options.policy, Unit::Message), reader, writer)?;
    let groups = page(&mut shared.borrow_mut(), &tally);
    writer.write_all(groups.as_bytes()).map_err(Error::Write)?;
    let total = counts(&shared.borrow().total);
    complete(ran.outcome, |summary| TokensReport { total, summary })
}

pub(super) fn check(
    reader: Reader<'_>,
    take: impl FnOnce(Vec<rules::Finding>) -> io::Result<()>,
    options: &CheckOptions,
) -> Done<CheckReport> {
    let tags = tags(&options.input, None)?;
    let engine = engine(&options.input, false)?;
    let output = Check::new(options.rules()?);
    let policy = options.policy.unwrap_or(Policy::None);
    let ran = run(judged(Engine::new(&tags, engine, output), policy, Unit::Message), reader, &mut io::sink())?;
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

/// The engine's output and its outcome.
struct Ran<O> {
    output: O,
    outcome: Outcome,
}

/// What a run has found in its input.
struct Outcome {
    summary: Summary,
    /// The first records that were not understood, up to [`Incomplete::MOST`].
    refused: Vec<Refused>,
}

/// The result of a call: an error if a record was not understood.
fn complete<R>(outcome: Outcome, report: impl FnOnce(Summary) -> R) -> Done<R> {
    let Outcome { summary, refused } = outcome;
    let (count, records) = (summary.refused, summary.records.max(summary.refused));
    let partial = report(summary);
    match count {
        0 => Ok(partial),
        _ => Err(Error::Incomplete(Box::new(Incomplete { refused, count, records, partial }))),
    }
}

/// Makes an input without any record that was read an error.
fn must_read(mut outcome: Outcome) -> Outcome {
    let summary = &mut outcome.summary;
    let read = summary.records.saturating_sub(summary.foreign + summary.suspect + summary.refused);
    if summary.foreign > 0 && read + summary.refused == 0 {
        summary.refused = std::mem::take(&mut summary.foreign);
        let reason = "nothing was converted: no record is in a format that is read".into();
        outcome.refused.push(Refused { record: 1, offset: 0, pointer: None, reason, skipped: false });
    }
    outcome
}

/// Reads all input, and writes the output after each read.
fn run<O: Output, R>(mut engine: Engine<O>, reader: Reader<'_>, writer: Writer<'_>) -> Result<Ran<O>, Error<R>> {
    let (mut sinks, mut refused) = (Sinks::default(), Vec::new());
    while !engine.is_over() {
        let n = match reader.fill_buf() {
            Ok([]) => break,
            Ok(bytes) => {
                let space = engine.space();
                let n = bytes.len().min(space.len());
                space[..n].copy_from_slice(&bytes[..n]);
                n
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => {
                // The rest is missing: incomplete records are not written.
                engine.cut(&mut sinks);
                write_decided(&mut engine, &mut sinks, writer).map_err(Error::Write)?;
                return Err(Error::Read(e));
            }
        };
        reader.consume(n);
        engine.advance(n, &mut sinks);
        write_decided(&mut engine, &mut sinks, writer).map_err(Error::Write)?;
        list(engine.problems(), &mut refused);
    }
    engine.end(&mut sinks);
    write_decided(&mut engine, &mut sinks, writer).and_then(|()| writer.flush()).map_err(Error::Write)?;
    list(engine.problems(), &mut refused);
    let summary = Summary { framing: engine.framing(), ..summary(engine.counts()) };
    Ok(Ran { output: engine.into_output(), outcome: Outcome { summary, refused } })
}

/// Writes everything that the engine has decided, part by part.
fn write_decided<O: Output>(engine: &mut Engine<O>, sinks: &mut Sinks, writer: Writer<'_>) -> io::Result<()> {
    loop {
        writer.write_all(&sinks.out)?;
        sinks.out.clear();
        sinks.rejects.clear();
        sinks.aside.clear();
        if !engine.more(sinks) {
            return Ok(());
        }
    }
}

fn list(problems: Vec<Problem>, refused: &mut Vec<Refused>) {
    // A suspect record that passed is no error, since the user allowed it.
    let wrong = problems.into_iter().filter(|p| p.skipped || p.suspect.is_none());
    let room = Incomplete::<()>::MOST - refused.len();
    refused.extend(wrong.take(room).map(|Problem { record, offset, what, skipped, suspect, .. }| Refused {
        record,
        offset,
        pointer: suspect,
        reason: what,
        skipped,
    }));
}

fn summary(counts: Counts) -> Summary {
    Summary {
        bytes: counts.bytes,
        framing: None,
        records: counts.records,
        refused: counts.bad,
        foreign: counts.foreign,
        suspect: counts.suspect - counts.refused,
        messages: counts.messages,
        unclosed: counts.unclosed,
        unopened: counts.unopened,
        unpaired_bytes: counts.unpaired_bytes,
        strays: counts.strays,
        unknown_channels: counts.channels,
        lost_tokens: counts.lost,
        not_utf8: counts.wrong,
    }
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
    let named = input.tags.iter().map(|name| row("tags", name)).collect::<Result<Vec<_>, _>>()?;
    let usual = || TAGS.iter().filter(|row| row.default).cloned().collect();
    let mut rows = if named.is_empty() { usual() } else { named };
    if let Some(name) = written {
        let row = row("tag", name)?;
        if rows.iter().all(|other| other.name != row.name) {
            rows.push(row);
        }
    }
    if rows.len() > Tags::MAX_ROWS {
        return Err(InvalidOption::new("tags", format!("at most {} at a time", Tags::MAX_ROWS)));
    }
    Ok(Tags::new(rows))
}

/// A row of the tag table by its name, or a row for two delimiters with a comma between them.
fn row(option: &'static str, name: &str) -> Result<Row, InvalidOption> {
    match (TAGS.iter().find(|row| row.name == *name), name.split_once(',')) {
        (Some(row), _) => Ok(row.clone()),
        (None, Some((open, close))) => {
            let row = Row::custom(open, close);
            tagfile::sound(&row).map_err(|e| InvalidOption::new(option, e.to_string()))?;
            Ok(row)
        }
        (None, None) => {
            let near = meant(name, TAGS.iter().map(|row| row.name.as_ref()));
            let reason = format!("no row {name:?} in the tag table{near} (OPEN,CLOSE adds one)");
            Err(InvalidOption::new(option, reason))
        }
    }
}

/// The conversion for these options.
fn conversion(options: &ConvertOptions) -> Result<Conversion, InvalidOption> {
    let name = &options.to;
    let dialect = dialect::find(name).ok_or_else(|| no_dialect("to", name, |d| d.write.is_some()))?;
    if options.tag.is_some() && dialect.name != "tagged" {
        return Err(InvalidOption::new("tag", "it goes with the dialect tagged"));
    }
    if options.escape && !["tagged", "harmony"].contains(&dialect.name) {
        return Err(InvalidOption::new("escape", "it goes with the dialects tagged and harmony"));
    }
    let tag = options.tag.as_deref().map(|name| row("tag", name)).transpose()?;
    let tag = tag.map(|row| (row.open.into_owned(), row.close.into_owned()));
    let spelling = Spelling { tag, escape: options.escape, seed: options.seed };
    Conversion::new(dialect, &spelling).ok_or_else(|| {
        let all: Vec<_> = DIALECTS.iter().filter(|d| d.write.is_some()).map(|d| d.name).collect();
        let reason = format!("the dialect {} is only read; what can be written: {}", dialect.name, all.join(", "));
        InvalidOption::new("to", reason)
    })
}

fn no_dialect(option: &'static str, name: &str, is_meant: impl Fn(&Dialect) -> bool) -> InvalidOption {
    let able = DIALECTS.iter().filter(|d| is_meant(d));
    let near = meant(name, able.flat_map(|d| d.aliases.iter().chain([&d.name])).copied());
    InvalidOption::new(option, format!("no dialect {name:?}{near}"))
}
