//! The drafts of one record, in order, and the facts of the record as a whole.

use super::{Draft, Rest, Stretch};
use crate::dialect::formats::chat;
use crate::dialect::stream::{OpenMessage, RestatedParts};
use crate::json::Literal;
use crate::model::{InstructionForm, Seals};
use std::borrow::Cow;
use std::ops::Range;

/// What a record holds, in order. Drafts are boxed and reused, since they are large and change hands often.
#[derive(Debug)]
pub(in crate::dialect) enum Item {
    Start,
    Message(Box<Draft>),
    /// A choice of a response: its message, or a delta of it.
    Choice(Box<Draft>),
    Delta(Box<Draft>),
    /// A delta in a list of deltas.
    Chunk(Box<Draft>),
    ChunksEnd,
    /// An element of a list that is not a message: it stays.
    Stays((usize, Range<usize>)),
    /// The same, in a list whose elements are blocks.
    Kept((usize, Range<usize>)),
    End,
    /// A message at this position of its record, or of the log that the record is a line of.
    Placed(Box<Draft>, MessagePosition),
    /// More of the open message of a conversation.
    More(Box<Draft>, OpenMessage),
    /// What else happens to such a message.
    Open(OpenMessage, MessageChange),
    /// The count of reasoning tokens of such a message.
    Logged(Option<OpenMessage>, u64),
    /// What happens to the response that the record names, or to the latest one.
    Response(ResponseChange),
}

/// What happens to the open message of a conversation, besides more content.
#[derive(Debug)]
pub(in crate::dialect) enum MessageChange {
    /// The next reasoning (if `reasoning`) and the next text begin blocks of their own.
    NextBlock { reasoning: bool },
    /// Reasoning of another item follows.
    NextItem,
    /// The number of a block of it, which changes if reasoning goes, and where it stands.
    Number { at: Range<usize>, number: u64, reasoning: bool },
    /// An element of a list that has its blocks again: it goes with the reasoning, or stays.
    Element { at: (usize, Range<usize>), goes: bool },
    /// It is over.
    Over,
}

/// What happens to a response that events name, besides more content.
#[derive(Debug)]
pub(in crate::dialect) enum ResponseChange {
    /// All of it, or of its reasoning, again: what no event had before is new, and the rest is a copy.
    Again(Box<Draft>),
    /// The members of a call in it.
    Called { name: String, members: Vec<(String, Option<String>)> },
    /// The count of its reasoning tokens.
    Logged(u64),
    /// Its facts.
    Amended(Box<Draft>),
    /// It is over.
    Over,
}

/// The position of a message in its record.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) enum MessagePosition {
    /// The message is the record.
    Bare,
    /// In a list, or the first choice of a response.
    Listed,
    /// Another choice of the same response.
    Joined,
    /// It restates a message: these parts of it were in deltas before.
    Snapshot(RestatedParts),
}

impl Item {
    /// Its draft, if it has one.
    fn into_draft(self) -> Option<Box<Draft>> {
        match self {
            Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft) => Some(draft),
            Item::Placed(draft, _) | Item::More(draft, _) => Some(draft),
            Item::Response(ResponseChange::Again(draft) | ResponseChange::Amended(draft)) => Some(draft),
            _ => None,
        }
    }
}

/// The record as a whole.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Record {
    pub items: Vec<Item>,
    /// Emptied drafts of earlier records, kept for their memory.
    #[allow(clippy::vec_box, reason = "the boxes are what is kept")]
    spare: Vec<Box<Draft>>,
    pub id: Option<Literal>,
    /// The same, if it is made of several values.
    pub joined_id: Option<Vec<u8>>,
    /// The count of reasoning tokens that the record's response states.
    pub logged: Option<u64>,
    /// How many of the messages before it the record takes back: a number, or all (`u64::MAX`).
    pub rewind: Option<u64>,
    /// What no dialect in force reads.
    pub rest: Vec<Rest>,
    /// Instructions and descriptions of tools: the ranges of their values.
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
    /// Its messages are completions: texts, which have no members of their own.
    pub completions: bool,
    /// It has parts that are calls or results, in the words of Anthropic or of the AI SDK.
    pub call_parts: bool,
    /// The dialect by whose shape the record was read.
    pub row: Option<&'static str>,
}

/// Properties of a record that its walk found.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Marks {
    /// A member keeps the event in its stream when its reasoning goes.
    pub payload: bool,
    /// A message in it was understood only in part.
    pub partly_unread: bool,
    /// It has an answer that is read, but cannot be converted.
    pub unwritten: bool,
    /// It has a list of messages, or the choices of a response, even if they are empty.
    pub known: bool,
    /// Pieces of several responses stand in one list.
    pub several: bool,
    /// Beside its response stands the request, of which nothing is read.
    pub answers: bool,
    /// A list of token probabilities repeats the text of a choice, reasoning and answer alike.
    pub tokens: bool,
    /// A list of token probabilities repeats the answer, which has no reasoning beside it.
    pub answer_tokens: bool,
}

/// What a walk collects beside reasoning.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Detail {
    /// Collect what is needed to build messages anew.
    pub members: bool,
    /// Collect the members of messages, and leave out what cannot be edited into another dialect of the family.
    pub edits: bool,
    /// Collect counts of tokens, and tool calls.
    pub usage: bool,
    /// Collect the instructions of messages, written in this form.
    pub instructions: Option<InstructionForm>,
    /// No delimiter is made of letters and digits alone, so that a plain word cannot hold one.
    pub plain: bool,
    /// What becomes of signatures on calls and texts.
    pub seals: Seals,
}

impl Record {
    /// Empties the record for the next one; drafts keep their memory.
    pub fn clear(&mut self) {
        for draft in self.items.drain(..).filter_map(Item::into_draft) {
            keep(&mut self.spare, draft);
        }
        self.joined_id = None;
        (self.id, self.logged, self.rewind, self.answer) = (None, None, None, None);
        (self.style, self.marks) = (Style::default(), Marks::default());
        self.rest.clear();
        self.instructions.clear();
    }

    /// Whether no edit in place can turn its messages into another dialect: a conversion writes the record anew.
    pub fn is_written_anew(&self) -> bool {
        self.style.completions || self.style.call_parts && !self.is_piece()
    }

    /// Whether it has pieces of a streamed response.
    pub fn is_piece(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Delta(_) | Item::Chunk(_)))
    }

    /// Whether it has the messages of a request, and those of a response.
    pub fn is_exchange(&self) -> bool {
        let has = |is: fn(&Item) -> bool| self.items.iter().any(is);
        has(|item| matches!(item, Item::Choice(_))) && (self.marks.answers || has(|item| matches!(item, Item::Start)))
    }

    /// Whether a message in it has a text, reasoning or a call.
    pub fn says(&self) -> bool {
        self.drafts().any(Draft::says)
    }

    /// Whether nothing in it was understood: it has no message, or only elements that stay.
    pub fn is_unread(&self) -> bool {
        !self.marks.known
            && self.items.iter().all(|item| match item {
                Item::Message(draft) => draft.is_unread(),
                Item::Start | Item::End | Item::Stays(_) | Item::Kept(_) => true,
                _ => false,
            })
    }

    /// The ranges outside of the elements of its lists, in a record of this length.
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
        let joined = self.joined_id.as_ref().map(|id| Cow::Owned(id.clone()));
        joined.or_else(|| self.id.map(|id| id.decoded(text)))
    }

    /// Its messages, and the pieces of them.
    pub fn drafts(&self) -> impl Iterator<Item = &Draft> {
        self.items.iter().filter_map(|item| match item {
            Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft) => {
                Some(draft.as_ref())
            }
            _ => None,
        })
    }

    /// The name of the dialect that it is written in.
    pub fn dialect(&self) -> &'static str {
        if let Some(name) = self.style.row {
            return name;
        }
        let field = self.drafts().flat_map(|draft| &draft.units).find_map(|unit| match unit {
            Stretch::Field(source, _) => Some(*source),
            _ => None,
        });
        chat::of(&self.style, field)
    }

    /// Keeps a draft that is not needed for its memory.
    pub fn reuse(&mut self, draft: Box<Draft>) {
        keep(&mut self.spare, draft);
    }

    pub fn draft(&mut self) -> Box<Draft> {
        let mut draft = self.spare.pop().unwrap_or_default();
        draft.has.place_for_reasoning = self.style.row.is_some();
        draft
    }
}

/// Empties a draft, and keeps it.
#[allow(clippy::vec_box, reason = "the boxes are what is kept")]
fn keep(spare: &mut Vec<Box<Draft>>, mut draft: Box<Draft>) {
    draft.clear();
    spare.push(draft);
}
