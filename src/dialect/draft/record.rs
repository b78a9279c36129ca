//! The drafts of a record, in order, and what is known of the record.

use super::{Draft, Rest, Unit};
use crate::dialect::formats::chat::{self, row::Typed};
use crate::json::Literal;
use crate::model::InstructionForm;
use std::borrow::Cow;
use std::ops::Range;

/// What a record holds, in order. Drafts are boxed, and used again: they are handed on often, and are large.
#[derive(Debug)]
pub(in crate::dialect) enum Item {
    Start,
    Message(Box<Draft>),
    /// A choice of a response: its message, or a delta of it.
    Choice(Box<Draft>),
    Delta(Box<Draft>),
    /// An element of a list of deltas, and the end of such a list.
    Chunk(Box<Draft>),
    ChunksEnd,
    /// An event that restates a message, or its reasoning.
    Restated(Box<Draft>),
    /// A response is over.
    Over,
    /// An element of a list that is no message.
    Stays((usize, Range<usize>)),
    /// The same, in a list whose elements are blocks.
    Kept((usize, Range<usize>)),
    End,
}

/// The record as a whole.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Record {
    pub items: Vec<Item>,
    /// Drafts of earlier records, empty, for their memory.
    #[allow(clippy::vec_box, reason = "the boxes are what is kept")]
    spare: Vec<Box<Draft>>,
    pub id: Option<Literal>,
    /// The count of tokens of reasoning of a response in it.
    pub logged: Option<u64>,
    /// How many messages before it are taken back: so many, or all.
    pub rewind: Option<u64>,
    /// What no dialect in force reads.
    pub rest: Vec<Rest>,
    /// Members of records that are walked, which mean something in a message only: content and reasoning fields.
    pub own: Vec<Rest>,
    /// Instructions and descriptions of tools: where their values stand.
    pub instructions: Vec<Range<usize>>,
    /// The text of an answer under a wrapper's name.
    pub answer: Option<Literal>,
    pub style: Style,
    pub marks: Marks,
}

/// How a record is written, which distinguishes the dialects of a family.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Style {
    /// Its messages have speakers, blocks or thoughts.
    pub blocks: bool,
    /// Its message lies in an envelope, or has Gemini's parts.
    pub enveloped: bool,
    pub gemini: bool,
    /// A message of its lists has a speaker.
    pub speakers: bool,
    /// Its messages are completions: texts, which have no members of their own.
    pub completions: bool,
    /// The dialect whose shape it was read by.
    pub row: Option<&'static str>,
    /// The typed event that it is.
    pub event: Option<Typed>,
}

/// What was noticed in a record.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Marks {
    /// It has a member that keeps an event in its stream.
    pub payload: bool,
    /// A message in it was understood by half.
    pub half: bool,
    /// It has an answer that is read, and not converted.
    pub unwritten: bool,
    /// It has a list of messages, or the choices of a response, even if they are empty.
    pub known: bool,
    /// Token probabilities repeat the text of a choice, reasoning and answer in one list.
    pub tokens: bool,
}

/// What a walk looks for beside reasoning.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Detail {
    /// The members of messages.
    pub members: bool,
    /// What cannot be edited into another dialect of the family is not read.
    pub edits: bool,
    /// Counts of tokens, and tool calls.
    pub usage: bool,
    /// The instructions of messages, in this form.
    pub instructions: Option<InstructionForm>,
    /// No delimiter is made of letters and digits alone, so that a plain word cannot hold one.
    pub plain: bool,
}

impl Record {
    /// Makes room for the next record.
    pub fn clear(&mut self) {
        for item in self.items.drain(..) {
            if let Item::Message(mut draft)
            | Item::Choice(mut draft)
            | Item::Delta(mut draft)
            | Item::Chunk(mut draft)
            | Item::Restated(mut draft) = item
            {
                draft.clear();
                self.spare.push(draft);
            }
        }
        (self.id, self.logged, self.rewind, self.answer) = (None, None, None, None);
        (self.style, self.marks) = (Style::default(), Marks::default());
        self.rest.clear();
        self.own.clear();
        self.instructions.clear();
    }

    /// Whether no other dialect can be written in the place of its messages: it is written anew, if it is converted.
    pub fn is_written_anew(&self) -> bool {
        self.style.event.is_some() || self.style.speakers || self.style.completions
    }

    /// Whether nothing in it was understood: it has no messages, or lists whose elements only stand where they do.
    pub fn is_hollow(&self) -> bool {
        self.style.event.is_none()
            && !self.marks.known
            && self.items.iter().all(|item| match item {
                Item::Message(draft) => draft.is_hollow(),
                Item::Start | Item::End | Item::Stays(_) | Item::Kept(_) => true,
                _ => false,
            })
    }

    /// What stands outside of the elements of its lists, in a record of this length.
    pub fn outside(&self, len: usize) -> Vec<Range<usize>> {
        let (mut outside, mut from) = (Vec::new(), 0);
        for item in &self.items {
            let element = match item {
                Item::Message(draft) => draft.element.as_ref(),
                Item::Stays(element) | Item::Kept(element) => Some(element),
                _ => None,
            };
            let Some((_, at)) = element else { continue };
            outside.extend((from < at.start).then_some(from..at.start));
            from = from.max(at.end);
        }
        outside.push(from..len);
        outside
    }

    /// The identifier of the response that it belongs to.
    pub fn id<'t>(&self, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        self.id.map(|id| id.decoded(text))
    }

    /// The name of the dialect that it is written in.
    pub fn dialect(&self) -> &'static str {
        let drafts = self.items.iter().filter_map(|item| match item {
            Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft) => Some(draft),
            _ => None,
        });
        if let Some(name) = self.style.event.map(|typed| typed.dialect).or(self.style.row) {
            return name;
        }
        let field = drafts.flat_map(|draft| &draft.units).find_map(|unit| match unit {
            Unit::Field(source, _) => Some(*source),
            _ => None,
        });
        chat::of(&self.style, field)
    }

    pub fn draft(&mut self) -> Box<Draft> {
        self.spare.pop().unwrap_or_default()
    }
}
