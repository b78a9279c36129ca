//! What a walk found: where things stand in a record.

use super::super::{EventContent, TypedEvent, names::Name};
use crate::json::Literal;
use crate::model::{Role, Source, content};
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

/// A message that was passed.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Draft {
    pub role: Option<Role>,
    pub units: Vec<Unit>,
    /// What goes when the reasoning goes.
    pub cuts: Vec<Range<usize>>,
    pub tool: bool,
    pub other: bool,
    /// Of a delta: it carries something besides reasoning, text and role.
    pub payload: bool,
    /// The choice's number.
    pub index: u32,
    pub finished: bool,
    /// It is the text of a completion, or a piece of it: nothing else distinguishes the two.
    pub completion: bool,
    /// From the end of the element before it in its list, and of the list.
    pub element: Option<(usize, Range<usize>)>,
    /// The object.
    pub object: Range<usize>,
    /// Its members, if they are asked for.
    pub members: Vec<Member>,
    /// The parts of its content, if its members are asked for.
    pub parts: Vec<Part>,
    pub entries: Vec<Entry>,
    /// The count of tokens of reasoning in it.
    pub logged: Option<u64>,
    /// It is a typed event of this kind.
    pub event: Option<&'static TypedEvent>,
    /// It has a key that only a message has.
    pub(super) message_key: bool,
    pub(in crate::dialect) content: bool,
    /// It has results of tool calls; and content beside them.
    pub(in crate::dialect) results: bool,
    pub(in crate::dialect) beside_results: bool,
    /// It has a type.
    pub(in crate::dialect) typed: bool,
    /// Something in it is written as in no dialect in force: its role or its type is one of reasoning, or its
    /// answer stands under another key. It is not read by half.
    pub(super) half: bool,
    /// It has a content under another key than those of the dialects.
    pub(super) elsewhere: bool,
    /// It stands in a channel of reasoning.
    pub(super) hidden: bool,
    /// Its facts, for outputs that build messages anew, in the order of its units.
    pub facts: Vec<Fact>,
    /// Its content is a list of parts.
    pub has_parts: bool,
    /// It is nothing but reasoning, so that its record goes with it.
    pub whole: bool,
    /// Its end is announced by a record.
    pub announced: bool,
    /// Each of its texts is a text of its own.
    pub apart: bool,
    /// What is signed or encrypted in it goes whole.
    pub sealed: bool,
    /// The conversation of the stream that it belongs to.
    pub conversation: u32,
    /// The elements of a list that its blocks are, and whether they are reasoning.
    pub items: Vec<(bool, (usize, Range<usize>))>,
    /// The speaker, if it is known, and whether its text is a tool call; and the texts.
    pub(super) speaker: Option<(Role, bool)>,
    pub(super) speaker_texts: Vec<Literal>,
}

/// A fact of a message, or of a block of it.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Fact {
    /// So many units of the message stand before it.
    pub after: usize,
    /// The number of the block, where pieces of several interleave.
    pub block: Option<u32>,
    pub what: What,
    /// Its JSON value.
    pub at: Range<usize>,
}

/// The kind of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum What {
    /// A block begins.
    Block(content::What),
    /// This fact of it, or of the message.
    Set(content::Attribute),
    /// Why the message ended.
    Stop(content::Stop),
}

impl Fact {
    /// Whether it begins the result of a tool call.
    pub fn is_result(&self) -> bool {
        self.what == What::Block(content::What::Result)
    }
}

/// A member, or an element of a list, that no dialect in force reads.
#[derive(Clone, Copy, Debug)]
pub(in crate::dialect) struct Rest {
    pub key: Option<Literal>,
    /// Where its value begins.
    pub value: usize,
    /// It stands in a message.
    pub message: bool,
    /// It is content of the message.
    pub content: bool,
}

impl Draft {
    /// Makes it empty, but for its memory. Member by member: it is large, and this is done for every message.
    fn clear(&mut self) {
        let Draft { role, units, cuts, tool, other, payload, index, finished, completion, element, object, .. } = self;
        (*role, *element, *object, *index) = (None, None, 0..0, 0);
        (*tool, *other, *payload, *finished, *completion) = (false, false, false, false, false);
        units.clear();
        cuts.clear();
        let Draft { members, parts, entries, logged, event, message_key, content, results, .. } = self;
        members.clear();
        parts.clear();
        entries.clear();
        (*logged, *event) = (None, None);
        (*message_key, *content, *results) = (false, false, false);
        let Draft { beside_results, typed, half, elsewhere, hidden, speaker, speaker_texts, .. } = self;
        (*beside_results, *typed) = (false, false);
        (*half, *elsewhere, *hidden, *speaker) = (false, false, false, None);
        speaker_texts.clear();
        let Draft { announced, apart, sealed, conversation, items, has_parts, whole, .. } = self;
        (*has_parts, *whole) = (false, false);
        (*announced, *apart, *sealed, *conversation) = (false, false, false, 0);
        items.clear();
        self.facts.clear();
    }

    /// Whether its text is commentary.
    pub fn is_commentary(&self) -> bool {
        self.event.is_some_and(|event| event.content == EventContent::Commentary)
    }

    /// Whether a part of it would be lost: its answer is written as in no dialect in force, or it is reasoning as a
    /// whole.
    pub(super) fn is_half(&self) -> bool {
        let text = || self.units.iter().any(|unit| matches!(unit, Unit::Text(s) if s.start < s.end));
        let unread = self.elsewhere && self.role == Some(Role::Assistant) && !self.content;
        self.half || unread || self.hidden && text()
    }

    /// Whether it has a field that holds reasoning.
    pub fn thinks(&self) -> bool {
        self.message_key || self.units.iter().any(|unit| matches!(unit, Unit::Field(..) | Unit::Deep(..)))
    }

    /// Its role. An element of a list of which nothing was understood is not the model's.
    pub fn speaker(&self) -> Role {
        let empty = self.element.is_some() && !self.other && self.is_hollow();
        self.role.unwrap_or(if empty { Role::System } else { Role::Assistant })
    }

    /// Whether nothing in it was understood.
    fn is_hollow(&self) -> bool {
        self.role.is_none() && !self.content && self.units.is_empty() && !self.tool
    }

    /// Whether its role is the model's, or it has none. Only its text is searched (SPEC section 4, rule 9).
    pub fn is_model(&self) -> bool {
        matches!(self.role, None | Some(Role::Assistant))
    }
}

impl Unit {
    /// Whether it holds a signature or a ciphertext.
    pub fn is_sealed(&self, record: &[u8]) -> bool {
        match self {
            Unit::Opaque(_) => true,
            Unit::Deep(_, value) => super::deep::is_sealed(&record[value.clone()]),
            _ => false,
        }
    }

    /// The strings that hold its reasoning, and the source of it.
    pub fn reasoning(&self, record: &[u8]) -> Option<(Source, Vec<Literal>)> {
        match self {
            Unit::Field(source, literal) => Some((source, vec![*literal])),
            Unit::Deep(source, value) => {
                let inner = super::deep::deep_literals(&record[value.clone()]).into_iter();
                let shift = |l: Literal| Literal { start: l.start + value.start, end: l.end + value.start, ..l };
                Some((source, inner.map(shift).collect()))
            }
            _ => None,
        }
    }
}

/// A member of a message.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Member {
    pub name: Name,
    pub key: Literal,
    pub value: Range<usize>,
}

/// A part of the content of a message.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Part {
    pub at: Range<usize>,
    /// Its members, as a range of the draft's entries.
    pub entries: Range<usize>,
    pub reasoning: bool,
}

/// A member of a part.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Entry {
    pub key: Literal,
    pub value: Range<usize>,
    /// The value is a string with escapes.
    pub escaped: bool,
}

impl Entry {
    /// From the quote before its name to the end of its value.
    pub fn at(&self) -> Range<usize> {
        self.key.start - 1..self.value.end
    }

    /// Whether it has this name.
    pub fn is(&self, record: &[u8], name: &str) -> bool {
        is(self.key, record, name)
    }
}

/// Whether a key is this name, however it is escaped.
fn is(key: Literal, record: &[u8], name: &str) -> bool {
    let raw = key.raw(record);
    raw == name.as_bytes() || key.escaped && crate::json::text::decoded(raw) == name.as_bytes()
}

impl Member {
    /// Whether it has this name.
    pub fn is(&self, record: &[u8], name: &str) -> bool {
        is(self.key, record, name)
    }

    /// From the quote before its name to the end of its value.
    pub fn at(&self) -> Range<usize> {
        self.key.start - 1..self.value.end
    }
}

/// A stretch of a message.
#[derive(Debug)]
pub(in crate::dialect) enum Unit {
    /// Visible text, in which there may be inline tags.
    Text(Literal),
    /// Reasoning in a string.
    Field(Source, Literal),
    /// Reasoning somewhere in this value.
    Deep(Source, Range<usize>),
    /// Unreadable reasoning: a signature, a ciphertext.
    Opaque(Source),
    /// An empty reasoning field.
    Void(Source),
    /// Tool calls or results, if they are asked for.
    Call(Range<usize>),
}

/// The record as a whole.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Record {
    pub items: Vec<Item>,
    /// Drafts of earlier records, empty, for their memory.
    #[allow(clippy::vec_box, reason = "the boxes are what is kept")]
    spare: Vec<Box<Draft>>,
    pub id: Option<Literal>,
    /// It has a member that keeps an event in its stream.
    pub payload: bool,
    /// Its messages are written with speakers, blocks or thoughts.
    pub blocks: bool,
    /// Its message lies in an envelope, or has Gemini's parts.
    pub enveloped: bool,
    pub gemini: bool,
    /// A message of its lists has a speaker.
    pub speakers: bool,
    /// The count of tokens of reasoning of a response in it.
    pub logged: Option<u64>,
    /// How many messages before it are taken back: so many, or all.
    pub rewind: Option<u64>,
    /// The dialect whose shape it was read by.
    pub row: Option<&'static str>,
    /// The dialect of which it is a typed event.
    pub event_dialect: Option<&'static str>,
    /// What no dialect in force reads.
    pub rest: Vec<Rest>,
    /// Members of records that are walked, which mean something in a message only: content and reasoning fields.
    pub(super) own: Vec<Rest>,
    /// A message in it was understood by half.
    pub half: bool,
    /// It has something that is read, and not converted.
    pub unwritten: bool,
    /// It has a list of messages, or the choices of a response, even if they are empty.
    pub known: bool,
    /// Token probabilities repeat the text of a choice, reasoning and answer in one list.
    pub tokens: bool,
    /// The text of an answer under a wrapper's name.
    pub answer: Option<Literal>,
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
        (self.id, self.payload, self.blocks, self.speakers) = (None, false, false, false);
        (self.enveloped, self.gemini, self.logged, self.rewind, self.event_dialect) = (false, false, None, None, None);
        self.rest.clear();
        self.own.clear();
        (self.half, self.known, self.unwritten, self.answer) = (false, false, false, None);
        (self.tokens, self.row) = (false, None);
    }

    /// Whether nothing in it was understood: it has no messages, or lists whose elements only stand where they do.
    pub fn is_hollow(&self) -> bool {
        self.event_dialect.is_none()
            && !self.known
            && self.items.iter().all(|item| match item {
                Item::Message(draft) => draft.is_hollow(),
                Item::Start | Item::End | Item::Stays(_) | Item::Kept(_) => true,
                _ => false,
            })
    }

    /// The name of the dialect that it is written in.
    pub fn dialect(&self) -> &'static str {
        let drafts = self.items.iter().filter_map(|item| match item {
            Item::Message(draft) | Item::Choice(draft) | Item::Delta(draft) | Item::Chunk(draft) => Some(draft),
            _ => None,
        });
        if let Some(name) = self.event_dialect.or(self.row) {
            return name;
        }
        let field = drafts.flat_map(|draft| &draft.units).find_map(|unit| match unit {
            Unit::Field(source, _) => Some(*source),
            _ => None,
        });
        crate::dialect::of(self.speakers, self.enveloped, self.gemini, self.blocks, field)
    }

    pub fn draft(&mut self) -> Box<Draft> {
        self.spare.pop().unwrap_or_default()
    }
}
