//! What the functions of the crate have in common where they make an engine from their options. `run` drives what is made.

use super::error::{Error, InvalidOption};
use super::input::InputOptions;
use super::run::{Outcome, OutputWriter, Reader, Run};
use crate::convert::Emit;
use crate::dialect::{Columns, Conversion, Pointer};
use crate::engine::{Chain, EngineOptions, InputRequest, InputRequestError, Treatment};
use crate::inline::{NoChoice, Options, TagChoice, Tags};
use crate::model::Loss;
use crate::out::Output;
use crate::policy::{Narrow, Policy};
use crate::strip::{Splice, SpliceOptions};
use std::collections::BTreeMap;

/// An engine for `convert`: under a policy it is two.
pub(super) enum Converting {
    All(Box<Run<Emit>>),
    Judged(Box<Run<Chain>>),
}

impl Converting {
    /// An engine that removes reasoning by the policy, and converts the rest. `written`: the tags that are written.
    pub fn new(
        conversion: Conversion,
        policy: Policy,
        input: &InputOptions,
        written: Option<&str>,
        (fields, columns): (Vec<Pointer>, Columns),
    ) -> Result<Self, InvalidOption> {
        let tags = tags(input, written)?;
        let read = engine(input, true)?;
        let splice = || Splice::new(SpliceOptions::default());
        let emit = Emit::new(splice(), conversion.writer.clone(), conversion.edits_text(), Conversion::call_name);
        let converts = Treatment { to: Some(conversion), fields, columns, ..Treatment::default() };
        let second = converts.options(read.clone());
        Ok(match policy {
            Policy::None => Self::All(Box::new(Run::new(converts.engine(&tags, second, emit, Narrow::default())))),
            policy => {
                let (removes, output) = (Treatment::removing(policy), Chain::new(splice(), &tags, second, emit));
                let engine = removes.engine(&tags, removes.options(read), output, Narrow::default());
                Self::Judged(Box::new(Run::new(engine)))
            }
        })
    }

    /// Takes the next bytes of input, and returns what is decided.
    pub fn push(&mut self, input: &[u8]) -> &[u8] {
        match self {
            Self::All(run) => run.push(input),
            Self::Judged(run) => run.push(input),
        }
    }

    /// Ends the input. `whole`: all of it has come.
    pub fn end(self, whole: bool) -> (Vec<u8>, (Outcome, BTreeMap<Loss, u64>)) {
        match self {
            Self::All(run) => {
                let (rest, ran) = run.end(whole);
                (rest, (ran.outcome, ran.output.losses().clone()))
            }
            Self::Judged(run) => {
                let (rest, ran) = run.end(whole);
                (rest, (ran.outcome, ran.output.losses()))
            }
        }
    }

    /// Reads all input, and writes what is decided after each read.
    pub fn run<R>(
        self,
        reader: Reader<'_>,
        writer: OutputWriter<'_>,
    ) -> Result<(Outcome, BTreeMap<Loss, u64>), Error<R>> {
        match self {
            Self::All(run) => {
                let ran = run.read(reader, writer)?;
                Ok((ran.outcome, ran.output.losses().clone()))
            }
            Self::Judged(run) => {
                let ran = run.read(reader, writer)?;
                Ok((ran.outcome, ran.output.losses()))
            }
        }
    }
}

/// An engine that treats its input like this. `streams`: output of an event stream is passed on at once and cannot be taken
/// back.
pub(super) fn treated<O: Output>(
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

/// Strings or members of records that the user names.
pub(super) fn pointers(option: &'static str, all: &[String]) -> Result<Vec<Pointer>, InvalidOption> {
    let parse = |text: &String| text.parse().map_err(|e| InvalidOption::new(option, format!("{text:?}: {e}")));
    all.iter().map(parse).collect()
}
