//! A rule's view of a message.

use super::code::Code;
use super::rules::DUPLICATE;
use super::tags::Tag;
use super::{Capability, Leaks, RuleOptions, VisibleTag};
use crate::agents::sequences::Inconsistency;
use crate::error::ErrorKind;
use crate::inline::{Spoken, spoken_of};
use crate::model::SequenceStep;
use std::cell::OnceCell;
use std::ops::Range;

/// How a rule searches, and through what.
#[derive(Clone, Copy, Debug)]
pub enum RuleSearch {
    /// Each message of the assistant.
    Message(fn(&MessageCase<'_>, &mut Vec<Hit>)),
    /// Each message of the assistant, with the passages that the reasoning and the answers of its conversation share.
    Comparison(fn(&MessageCase<'_>, &mut Vec<Hit>)),
    /// Each message that names its sender, in a log in which several speak.
    Sequence(fn(&SequenceCase<'_>, &mut Vec<Hit>)),
    /// Each record that is JSON, as bytes.
    Record(fn(&[u8], &mut Vec<Hit>)),
    /// Each place where the conversation is handed to another agent, or back.
    Handover(fn(&Handover, &RuleOptions, &mut Vec<Hit>)),
    /// A record that was not understood, with an error of one of these kinds.
    Unread(&'static [ErrorKind]),
    /// What a provider does with a request: it is asked in another way ([`accept`](crate::accept)).
    Target,
    /// Both of that: messages of the assistant, and records that were not understood.
    Doubts(fn(&MessageCase<'_>, &mut Vec<Hit>), &'static [ErrorKind]),
}

impl RuleSearch {
    /// How messages of the assistant are searched.
    pub fn of_message(&self) -> Option<fn(&MessageCase<'_>, &mut Vec<Hit>)> {
        match self {
            RuleSearch::Message(search) | RuleSearch::Comparison(search) | RuleSearch::Doubts(search, _) => {
                Some(*search)
            }
            _ => None,
        }
    }

    /// The kinds of errors that the rule is about.
    pub fn of_errors(&self) -> &'static [ErrorKind] {
        match self {
            RuleSearch::Unread(kinds) | RuleSearch::Doubts(_, kinds) => kinds,
            _ => &[],
        }
    }
}

/// A place where the conversation is handed to another agent, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handover {
    /// It is handed over.
    Begins {
        /// How many delegations are open, with this one.
        depth: u64,
        /// How many characters the instructions for the agent have.
        length: u64,
        /// The instructions are nothing but white space.
        blank: bool,
    },
    /// It is handed back, but no delegation is open.
    Strays,
    /// A delegation whose conversation ended before it was handed back.
    Left,
}

/// A place where a rule found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The place.
    pub at: At,
    /// What was found, in a plain sentence without a word of the input, and without a full stop.
    pub what: String,
}

impl Hit {
    /// A hit in a range of the visible text, or of a record.
    pub fn new(at: Range<usize>, what: impl Into<String>) -> Self {
        Self { at: At::Text(at), what: what.into() }
    }
}

/// The place of a hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum At {
    /// Bytes of the visible text, or of the record.
    Text(Range<usize>),
    /// The reasoning that the policy removes.
    Reasoning,
    /// A block without text at the start of the message.
    Empty,
    /// The message as a whole.
    Message,
}

/// A message of a log in which several speak, and its place in a sequence of reasoning.
pub struct SequenceCase<'a> {
    /// What the message does in its sequence.
    pub step: SequenceStep,
    /// What is inconsistent about its place.
    pub inconsistency: Option<Inconsistency>,
    /// The name of the sender.
    pub agent: &'a [u8],
    /// How many messages of its sequence are reasoning, up to this one.
    pub messages: u64,
    /// It is a start whose sequence has no end when the log is over.
    pub is_unclosed: bool,
    /// The options.
    pub options: &'a RuleOptions,
}

impl SequenceCase<'_> {
    /// Whether it is reasoning that its sender must not send.
    pub fn is_forbidden(&self) -> bool {
        // The entry `*` is for agents without an entry of their own.
        let name: &[u8] = if self.capabilities_of(self.agent).next().is_some() { self.agent } else { b"*" };
        let mut own = self.capabilities_of(name).peekable();
        let applies = self.step.is_reasoning() && !self.is_unclosed && own.peek().is_some();
        applies && !own.any(|capability| capability.steps.contains(&self.step))
    }

    fn capabilities_of<'n>(&'n self, name: &'n [u8]) -> impl Iterator<Item = &'n Capability> {
        self.options.capabilities.iter().filter(move |capability| capability.agent.as_bytes() == name)
    }
}

/// A message of the assistant, prepared for the rules.
pub struct MessageCase<'a> {
    /// The visible text as a reader sees it: with tags that should not be there.
    pub text: &'a str,
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// Tags in the text that the tag scanner recognised.
    pub marks: &'a [VisibleTag],
    /// How many blocks of reasoning stand at the beginning. They are not part of the text.
    pub blocks: usize,
    /// One of these blocks has no text.
    pub empty: bool,
    /// Passages that the answer shares with reasoning.
    pub leaks: &'a Leaks,
    /// It has reasoning that the policy in force removes.
    pub removed: bool,
    /// The options.
    pub options: &'a RuleOptions,
    /// Estimated tokens of its reasoning, and of its visible text.
    pub tokens: (u64, u64),
    pub(super) code: &'a Code,
    pub(super) searched: SharedSearches,
}

/// What several rules search the text for: searched once, by the first of them.
#[derive(Default)]
pub(super) struct SharedSearches {
    /// Tags, and whether they are spoken of.
    tags: OnceCell<(Vec<Tag>, Vec<Spoken>)>,
    /// Service tokens.
    tokens: OnceCell<Vec<Range<usize>>>,
}

impl MessageCase<'_> {
    /// Whether this byte of the text is in code, where tags and tokens are text.
    pub fn is_code(&self, at: usize) -> bool {
        self.code.holds(at)
    }

    /// Tags in the text that are not among the marks, and are not only spoken of. `perhaps`: those of which that is not
    /// certain.
    pub fn tags(&self, perhaps: bool) -> Vec<Range<usize>> {
        let marked = |at: &Range<usize>| {
            // The marks are in the order of the text.
            let i = self.marks.partition_point(|mark| mark.at.end <= at.start);
            self.marks.get(i).is_some_and(|mark| mark.at.start < at.end)
        };
        let (tags, spoken) = self.all_tags();
        let is_wanted = |(tag, spoken): &(&Tag, &Spoken)| {
            let is_one = match spoken {
                Spoken::Not => !perhaps,
                Spoken::Of => false,
                // Nobody who reads a tag that is disguised was meant to.
                Spoken::Perhaps => perhaps != tag.disguised,
            };
            is_one && !self.is_code(tag.at.start) && !marked(&tag.at)
        };
        tags.iter().zip(spoken).filter(is_wanted).map(|(tag, _)| tag.at.clone()).collect()
    }

    fn all_tags(&self) -> &(Vec<Tag>, Vec<Spoken>) {
        self.searched.tags.get_or_init(|| {
            let tags = super::tags::tags(self.text);
            let stands: Vec<_> = tags.iter().map(|tag| (tag.at.clone(), tag.closes)).collect();
            let spoken = spoken_of(self.text, &stands);
            (tags, spoken)
        })
    }

    /// Service tokens in the text, and remains of such tokens, without those that are tags of reasoning.
    pub fn service_tokens(&self) -> &[Range<usize>] {
        self.searched.tokens.get_or_init(|| {
            let mut tokens = super::tokens::tokens(self.text);
            tokens.retain(|at| !self.is_code(at.start));
            if !tokens.is_empty() {
                let tags = &self.all_tags().0;
                tokens.retain(|at| {
                    let i = tags.partition_point(|tag| tag.at.end <= at.start);
                    tags.get(i).is_none_or(|tag| tag.at.start >= at.end)
                });
            }
            tokens
        })
    }

    /// The range of the reasoning in an answer that is mostly reasoning, or that holds a whole text of reasoning.
    pub fn duplicate(&self) -> Option<Range<usize>> {
        let passages = if self.options.uses(&DUPLICATE) { self.leaks.passages.as_slice() } else { &[] };
        let (first, last) = (passages.first()?, passages.last()?);
        if self.leaks.percent >= self.options.duplicate_percent {
            return Some(first.at.start..last.at.end);
        }
        passages.iter().find(|passage| passage.whole).map(|passage| passage.at.clone())
    }
}
