//! What a rule sees of a message.

use super::code::Code;
use super::{Capability, CheckOptions, Leaks, Mark};
use crate::model::Step;
use crate::model::sequences::Trouble;
use std::ops::Range;

/// How a rule searches.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// Each message of the assistant.
    Message(fn(&Case<'_>, &mut Vec<Hit>)),
    /// Each message that says who has sent it, in a log in which several speak.
    Sequence(fn(&SequenceCase<'_>, &mut Vec<Hit>)),
    /// Each record that is JSON, byte for byte: what it finds, and where in the record.
    Record(fn(&[u8], &mut Vec<Hit>)),
    /// Each place where the conversation is handed to another agent, or back.
    Handover(fn(&Handover, &CheckOptions, &mut Vec<Hit>)),
    /// A record that was not understood: what is wrong with it, and whether it may hold reasoning. Whether the rule is
    /// about it.
    Unread(fn(&str, bool) -> bool),
}

/// The conversation is handed to another agent, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handover {
    /// It is handed over.
    Begins {
        /// So many delegations are open with it.
        depth: u64,
        /// How many characters the instructions for the agent have.
        length: u64,
        /// These are white space only.
        blank: bool,
    },
    /// It is handed back, and nobody has handed it over.
    Strays,
    /// It was handed over, and is over without being handed back.
    Left,
}

/// A place that a rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Where.
    pub at: At,
    /// What was found, in a plain sentence without a word of the input, and without a full stop.
    pub what: String,
}

impl Hit {
    /// A stretch of the visible text, or of a record.
    pub fn new(at: Range<usize>, what: impl Into<String>) -> Self {
        Self { at: At::Text(at), what: what.into() }
    }
}

/// Where a rule found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// Bytes of the visible text, or of the record.
    Text(Range<usize>),
    /// The reasoning that the policy removes.
    Reasoning,
    /// The block without text.
    Empty,
    /// The message as a whole.
    Message,
}

/// A message of a log in which several speak, and its place in a sequence of reasoning.
pub struct SequenceCase<'a> {
    /// What it does.
    pub step: Step,
    /// What is wrong with its place.
    pub trouble: Option<Trouble>,
    /// Who has sent it.
    pub agent: &'a [u8],
    /// So many messages of its sequence are reasoning, up to this one.
    pub messages: u64,
    /// It is a start, and the log is over: its sequence has no end.
    pub is_unclosed: bool,
    /// The options.
    pub options: &'a CheckOptions,
}

impl SequenceCase<'_> {
    /// Whether it is reasoning that its sender must not send.
    pub fn is_forbidden(&self) -> bool {
        // An agent without capabilities of its own has those of all others.
        let name: &[u8] = if self.capabilities_of(self.agent).next().is_some() { self.agent } else { b"*" };
        let mut own = self.capabilities_of(name).peekable();
        let applies = self.step.is_reasoning() && !self.is_unclosed && own.peek().is_some();
        applies && !own.any(|capability| capability.steps.contains(&self.step))
    }

    fn capabilities_of<'n>(&'n self, name: &'n [u8]) -> impl Iterator<Item = &'n Capability> {
        self.options.capabilities.iter().filter(move |capability| capability.agent.as_bytes() == name)
    }
}

/// A message of the assistant, and what was found about it.
pub struct Case<'a> {
    /// The visible text as its reader sees it: with tags that do not belong there.
    pub text: &'a str,
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// Tags in it that a reader of tags recognised.
    pub marks: &'a [Mark],
    /// Blocks of reasoning at the beginning of the text, which is without them.
    pub blocks: usize,
    /// One of these has no text.
    pub empty: bool,
    /// Passages that it shares with reasoning.
    pub leaks: &'a Leaks,
    /// It has reasoning that the policy in force removes.
    pub removed: bool,
    /// The options.
    pub options: &'a CheckOptions,
    /// Estimated tokens of its reasoning, and of its visible text.
    pub tokens: (u64, u64),
    pub(super) code: &'a Code,
}

impl Case<'_> {
    /// Whether this byte of the text stands in code, where tags and tokens are text.
    pub fn is_code(&self, at: usize) -> bool {
        self.code.holds(at)
    }

    /// Whether a rule is in force.
    pub fn in_force(&self, code: &str) -> bool {
        self.options.rules.iter().any(|rule| rule.code == code)
    }

    /// Tags in the text, beside those that are marked.
    pub fn tags(&self) -> Vec<Range<usize>> {
        let marked = |at: &Range<usize>| {
            // They are in the order of the text.
            let i = self.marks.partition_point(|mark| mark.at.end <= at.start);
            self.marks.get(i).is_some_and(|mark| mark.at.start < at.end)
        };
        let quoted = |at: &Range<usize>| {
            let quote = |c: Option<char>| c.is_some_and(|c| "\"'“”‘’«»„‚「」".contains(c));
            quote(self.text[..at.start].chars().next_back()) && quote(self.text[at.end..].chars().next())
        };
        let is_tag = |at: &Range<usize>| !self.is_code(at.start) && !quoted(at) && !marked(at);
        super::tags::tags(self.text).into_iter().filter(is_tag).collect()
    }

    /// Service tokens in the text, and remains of them.
    pub fn service_tokens(&self) -> Vec<Range<usize>> {
        super::tokens::tokens(self.text).into_iter().filter(|at| !self.is_code(at.start)).collect()
    }

    /// Whether the answer is mostly reasoning, or has all of it somewhere: where.
    pub fn duplicate(&self) -> Option<Range<usize>> {
        let passages = if self.in_force("UT106") { self.leaks.passages.as_slice() } else { &[] };
        let (first, last) = (passages.first()?, passages.last()?);
        if self.leaks.percent >= self.options.duplicate_percent {
            return Some(first.at.start..last.at.end);
        }
        passages.iter().find(|passage| passage.whole).map(|passage| passage.at.clone())
    }
}
