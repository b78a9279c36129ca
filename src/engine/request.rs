//! What is asked of an engine: the types from which the command line and the functions of the crate make one, so that an
//! option means the same to both.

use super::{Engine, EngineOptions};
use crate::dialect::{
    self, Columns, Conversion, DIALECTS, Dialect, Foreign, Hindsight, Pass, Pointer, ReadOptions, WriteOptions,
};
use crate::frame::Framing;
use crate::inline::{self, NoChoice, Options, Row, Tags};
use crate::model::Seals;
use crate::out::Output;
use crate::policy::{Narrow, Policy, Removal, Signatures, Strip, Unit};
use crate::strip::SpliceOptions;

/// How an input is read.
#[derive(Clone, Debug)]
pub struct InputRequest<'a> {
    /// The name of the only dialect that is read. `None`: every dialect is.
    pub dialect: Option<&'a str>,
    /// The framing, or `None` to let the first bytes decide.
    pub framing: Option<Framing>,
    /// How inline tags are read.
    pub inline: Options,
    /// Every text is decided as it comes.
    pub live: bool,
    /// Output of an event stream is passed on at once and cannot be taken back.
    pub streams: bool,
    /// Records that may hold reasoning, in no format that is read, are passed on.
    pub pass_suspect: bool,
    /// The longest record, in bytes.
    pub max_record: usize,
    /// The input ends at the first record that is not understood.
    pub stop: bool,
}

/// Why an input cannot be read as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputRequestError {
    /// The dialect, and what is wrong with its name.
    Dialect(String, String),
    /// The dialect does not come in the framing.
    Framing(&'static str, Framing),
}

impl InputRequest<'_> {
    /// The options of an engine for it.
    ///
    /// # Errors
    /// When there is no such dialect, or it does not come in that framing.
    pub fn options(&self) -> Result<EngineOptions, InputRequestError> {
        let dialects: Vec<&'static Dialect> = match self.dialect {
            None => DIALECTS.iter().collect(),
            Some(name) => match dialect::find(name) {
                Some(found) => vec![found],
                None => return Err(InputRequestError::Dialect(name.into(), dialect::advice(name, false))),
            },
        };
        let mut framing = self.framing;
        if let [only] = dialects.as_slice() {
            match (framing, only.framings) {
                (None, [one]) => framing = Some(*one),
                (Some(framing), all) if !all.contains(&framing) => {
                    return Err(InputRequestError::Framing(only.name, framing));
                }
                _ => (),
            }
        }
        let read = ReadOptions {
            dialects,
            inline: self.inline,
            hindsight: match (self.live, self.streams) {
                (true, _) => Hindsight::Nowhere,
                (false, true) => Hindsight::NotInStreams,
                (false, false) => Hindsight::Everywhere,
            },
            foreign: if self.pass_suspect { Foreign::Pass } else { Foreign::Refuse },
            ..ReadOptions::default()
        };
        Ok(EngineOptions { framing, read, max_record: self.max_record, stop: self.stop, pass: Pass::default() })
    }
}

/// What becomes of messages on the way to an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntermediateMessages {
    /// They stay.
    #[default]
    Stay,
    /// Those that are marked as such go whole.
    Go,
    /// So do those in delegations for such steps.
    GoWithDelegations,
}

impl IntermediateMessages {
    /// By the two options of `strip`, of which the second includes the first.
    pub fn of(intermediate: bool, delegations: bool) -> Self {
        match (intermediate, delegations) {
            (_, true) => Self::GoWithDelegations,
            (true, false) => Self::Go,
            (false, false) => Self::Stay,
        }
    }
}

/// What becomes of what is read. By default all of it reaches the output.
#[derive(Clone)]
pub struct Treatment {
    /// The strings to read in place of messages.
    pub fields: Vec<Pointer>,
    /// The members beside these strings that a conversion reads and writes.
    pub columns: Columns,
    /// The members to take out.
    pub drops: Vec<Pointer>,
    /// The conversion of messages.
    pub to: Option<Conversion>,
    /// Which reasoning goes.
    pub policy: Policy,
    /// What counts as one message to the policy.
    pub unit: Unit,
    /// The agents and contexts whose reasoning the policy is about.
    pub narrow: Narrow,
    /// What becomes of signatures on calls and texts.
    pub seals: Seals,
    /// Sections of the reasoning are emptied.
    pub redact: bool,
    /// What becomes of messages on the way to an answer.
    pub steps: IntermediateMessages,
    /// Everything is copied unchanged.
    pub verbatim: bool,
}

impl Default for Treatment {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            columns: Columns::default(),
            drops: Vec::new(),
            to: None,
            policy: Policy::None,
            unit: Unit::Message,
            narrow: Narrow::default(),
            seals: Seals::default(),
            redact: false,
            steps: IntermediateMessages::Stay,
            verbatim: false,
        }
    }
}

impl Treatment {
    /// Reasoning is judged by a policy.
    pub fn judged(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// What a policy removes goes, with the signatures that go along. It is the first half of a conversion under a policy.
    pub fn removing(policy: Policy) -> Self {
        Self { seals: Seals::of(policy, None), ..Self::judged(policy) }
    }

    /// What `strip` does: if that is nothing, the input is copied.
    pub fn strip(policy: Policy, signatures: Option<Signatures>, redact: bool, steps: IntermediateMessages) -> Self {
        let seals = Seals::of(policy, signatures);
        let stays = steps == IntermediateMessages::Stay;
        let verbatim = policy == Policy::None && seals == Seals::Stay && !redact && stays;
        Self { seals, redact, steps, verbatim, ..Self::judged(policy) }
    }

    /// The tags that are read, of those in force.
    pub fn tags(&self, in_force: Tags) -> Tags {
        if self.redact { in_force.redacting() } else { in_force }
    }

    /// The options of an engine that treats what it reads like this.
    pub fn options(&self, mut options: EngineOptions) -> EngineOptions {
        options.read.pointers.clone_from(&self.fields);
        options.read.columns.clone_from(&self.columns);
        options.read.drops.clone_from(&self.drops);
        options.read.seals = self.seals;
        options.read.to.clone_from(&self.to);
        if self.verbatim {
            options.read.foreign = Foreign::Unwatched;
        }
        options
    }

    /// The options of an output that copies what stays.
    pub fn splice(&self) -> SpliceOptions {
        SpliceOptions {
            verbatim: self.verbatim,
            takes_messages: self.steps != IntermediateMessages::Stay,
            ..SpliceOptions::default()
        }
    }

    /// An engine with such options. `narrow` notes which names of [`Treatment::narrow`] this input has.
    pub fn engine<O: Output>(&self, tags: &Tags, options: EngineOptions, output: O, narrow: Narrow) -> Engine<O> {
        let engine = Engine::new(tags, options, output);
        let engine = match self.steps {
            IntermediateMessages::Stay => engine,
            IntermediateMessages::Go => engine.without(Removal::new(false)),
            IntermediateMessages::GoWithDelegations => engine.without(Removal::new(true)),
        };
        match self.policy {
            Policy::None => engine,
            policy => engine.judged_by(Strip::new(policy, self.unit).narrowed(narrow, self.unit)),
        }
    }
}

/// What a conversion writes.
#[derive(Clone, Copy, Debug)]
pub struct ConversionRequest<'a> {
    /// The name of the dialect.
    pub to: &'a str,
    /// Its spelling, where it has several.
    pub spelling: Option<&'a str>,
    /// The tag to write: the name of a row, or `OPEN,CLOSE`.
    pub tag: Option<&'a str>,
    /// The rows of tag files.
    pub rows: &'a [Row],
    /// A delimiter inside of the reasoning is escaped.
    pub escape: bool,
    /// The seed of new identifiers.
    pub seed: u64,
    /// A message with calls of tools gets an empty reasoning, where services demand one.
    pub fill_empty: bool,
}

/// Why there is no such conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConversionRequestError {
    /// What is wrong with the name of the dialect, or with the spelling.
    Dialect(String),
    /// The row of the tag cannot be written.
    Tag(NoChoice),
    /// The dialect has no tags.
    NoTags,
    /// The dialect has no delimiters to escape.
    NoDelimiters,
    /// The dialect of this name is only read.
    OnlyRead(&'static str),
}

impl ConversionRequest<'_> {
    /// The conversion.
    ///
    /// # Errors
    /// When there is none.
    pub fn conversion(&self) -> Result<Conversion, ConversionRequestError> {
        let dialect = dialect::written(self.to, self.spelling).map_err(ConversionRequestError::Dialect)?;
        if self.tag.is_some() && !dialect.has_tags() {
            return Err(ConversionRequestError::NoTags);
        }
        if self.escape && !dialect.has_delimiters() {
            return Err(ConversionRequestError::NoDelimiters);
        }
        let row = self.tag.map(|name| inline::row(name, self.rows)).transpose().map_err(ConversionRequestError::Tag)?;
        let tag = row.map(|row| (row.open.into_owned(), row.close.into_owned()));
        let spelling = WriteOptions { tag, escape: self.escape, seed: self.seed, fill: self.fill_empty };
        Conversion::new(dialect, &spelling).ok_or(ConversionRequestError::OnlyRead(dialect.name))
    }
}
