//! Drafts: what a reader found in a record before it becomes events, namely where the messages stand and what they
//! hold.

mod members;
mod record;
mod seals;

pub(in crate::dialect) use members::{Member, Part, PartMember};
pub(in crate::dialect) use record::{Detail, Item, MessageChange, MessagePosition, Record, ResponseChange, Style};

use super::formats::shared::{deep_literals, is_blank, is_sealed};
use super::shape::PairWords;
use crate::json::{Literal, Token, is_filled, with_commas};
use crate::model::{Delivery, Mark, Role, Sent, SequenceStep, Source, content};
use std::ops::Range;

/// A message that was walked, not yet sent as events.
#[derive(Debug, Default)]
pub(in crate::dialect) struct Draft {
    pub role: Option<Role>,
    pub units: Vec<Stretch>,
    /// The ranges that are cut when the message's reasoning goes.
    pub cuts: Vec<Range<usize>>,
    /// The ranges of signatures on calls and texts that go, whatever becomes of the reasoning: without commas.
    pub seals: Vec<Range<usize>>,
    /// What stands in lists of token probabilities, which have the tokens of a text again: it goes with reasoning in that
    /// text. The number of the unit; without one, any text.
    pub probabilities: Vec<(Option<usize>, Range<usize>)>,
    /// From the end of the element before it in its list, and of the list.
    pub element: Option<(usize, Range<usize>)>,
    /// The range of the message's object.
    pub object: Range<usize>,
    /// The count of reasoning tokens that the message states.
    pub logged: Option<u64>,
    /// Its facts, for outputs that build messages anew, in the order of its units.
    pub facts: Vec<Fact>,
    /// The node that it was made from, in a record of the chat family.
    pub node: u32,
    pub members: DraftMembers,
    pub has: Has,
    pub delta: DeltaDraft,
    pub shaped: ShapedDraft,
}

/// The members of a message and of the parts of its content, if the walk collects them.
#[derive(Debug, Default)]
pub(in crate::dialect) struct DraftMembers {
    pub list: Vec<Member>,
    /// The parts of its content.
    pub parts: Vec<Part>,
    /// The members of the parts.
    pub entries: Vec<PartMember>,
}

/// Which kinds of content and keys a message has.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct Has {
    /// A call of a tool.
    pub tool: bool,
    /// Visible content that is not text.
    pub other: bool,
    /// A key that only a message has.
    pub message_key: bool,
    pub content: bool,
    /// A list of parts as its content that may be one of another format: other parts than texts, or parts with a type under a
    /// key where those of the family have none.
    pub parts: bool,
    /// Results of tool calls.
    pub results: bool,
    pub beside_results: bool,
    /// It has a type.
    pub typed: bool,
    /// Reasoning or an answer that no dialect in force reads: its role or its type is one of reasoning, or its answer
    /// stands under another key. A message is not read by half, so that its record is refused.
    pub partly_unread: bool,
    /// Content under another key than those of the dialects.
    pub elsewhere: bool,
    /// Its channel, its title or a flag says that its text is reasoning.
    pub hidden: bool,
    /// An object in it says that its text has reasoning, which stands between tags.
    pub tagged: bool,
    /// Its format has a place of its own for reasoning, so that its texts need no tags for it.
    pub place_for_reasoning: bool,
    /// Its texts were looked at, and none may hold a tag.
    pub no_tags: bool,
}

/// What only a delta has, or the choice of a response.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dialect) struct DeltaDraft {
    /// It carries something besides reasoning, text and role.
    pub payload: bool,
    /// The choice's number.
    pub index: u32,
    pub finished: bool,
    /// It is the text of a completion, or a piece of it: nothing else distinguishes the two.
    pub completion: bool,
    /// Its text is commentary.
    pub aside: bool,
    /// A later event of its response may hold all of it again, and ends it.
    pub restated: bool,
}

/// What only a message has that was read by a shape.
#[derive(Debug, Default)]
pub(in crate::dialect) struct ShapedDraft {
    /// It is nothing but reasoning, so that its record goes with it.
    pub whole: bool,
    /// Its end is announced by a record.
    pub announced: bool,
    /// Each of its texts begins a text of its own, instead of going on with the one before.
    pub apart: bool,
    /// Its texts have its reasoning once more, between tags.
    pub retold: bool,
    /// A block of it that is signed or encrypted cannot lose a part: it goes whole.
    pub sealed: bool,
    /// The conversation of the stream that it belongs to.
    pub conversation: u32,
    /// What it does besides its text: each mark with where it stands, and the instructions of an agent.
    pub marks: Vec<(Mark, Range<usize>, Option<Literal>)>,
    /// Its instructions, each in the written form that was asked for, if that is known.
    pub lines: Vec<Option<Vec<u8>>>,
    /// The range between the brackets of its content list.
    pub content: Range<usize>,
    /// Its blocks, if they are elements of a list: whether each is reasoning, and its element as in [`Draft::element`].
    pub items: Vec<(bool, (usize, Range<usize>))>,
    /// The sender, in a log in which several speak.
    pub sent: Option<Box<SentDraft>>,
}

/// Who has sent a message, where and in answer to what: [`Sent`], with its texts.
#[derive(Clone, Debug, Default)]
pub(in crate::dialect) struct SentDraft {
    pub step: SequenceStep,
    pub id: Vec<u8>,
    pub name: Vec<u8>,
    pub from: Vec<u8>,
    pub context: Vec<u8>,
    pub answers: Vec<u8>,
    pub tool: Vec<u8>,
    pub named: bool,
    pub delivery: Delivery,
}

impl SentDraft {
    pub fn sent(&self) -> Sent<'_> {
        let Self { step, id, name, from, context, answers, tool, named, delivery } = self;
        Sent { step: *step, id, name, from, context, answers, tool, named: *named, delivery: *delivery }
    }
}

/// A fact: an attribute of a message or of one of its blocks, or where a block begins or ends.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Fact {
    /// How many units of the message stand before it.
    pub after: usize,
    /// The number of the block, where pieces of several interleave.
    pub block: Option<u32>,
    pub what: FactKind,
    /// Its JSON value.
    pub at: Range<usize>,
}

/// The kind of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum FactKind {
    /// A block of this type begins.
    Block(content::Other),
    /// An attribute of the block or the message.
    Set(content::Attribute),
    /// The same, whose value is a list of pairs that stands for an object.
    Pairs(content::Attribute, &'static PairWords),
    /// Why the message ended.
    Stop(content::Stop),
    /// The block is a result that is an error.
    Failed,
    /// The block is over.
    Over,
}

impl Fact {
    /// An attribute of the message, or of its block with this number.
    pub fn set(after: usize, block: Option<u32>, name: content::Attribute, at: &Range<usize>) -> Self {
        Self { after, block, what: FactKind::Set(name), at: at.clone() }
    }

    /// A member of a response that is lost, by its key.
    pub fn member(key: Literal) -> Self {
        let at = key.start - 1..key.end + 1;
        Self { after: 0, block: None, what: FactKind::Set(content::Attribute::Member), at }
    }

    /// Whether it begins the result of a tool call.
    pub fn is_result(&self) -> bool {
        self.what == FactKind::Block(content::Other::Result)
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
    /// Makes it empty, but keeps its memory. Member by member: it is large, and this is done for every message.
    fn clear(&mut self) {
        let Draft {
            role,
            units,
            cuts,
            seals,
            probabilities,
            element,
            object,
            logged,
            facts,
            node,
            members,
            has,
            delta,
            shaped,
        } = self;
        (*role, *element, *object, *logged, *node) = (None, None, 0..0, None, 0);
        (*has, *delta) = (Has::default(), DeltaDraft::default());
        units.clear();
        cuts.clear();
        seals.clear();
        probabilities.clear();
        facts.clear();
        members.list.clear();
        members.parts.clear();
        members.entries.clear();
        let ShapedDraft { whole, announced, apart, retold, sealed, conversation, marks, lines, content, items, sent } =
            shaped;
        (*whole, *announced, *apart, *retold, *sealed) = (false, false, false, false, false);
        (*conversation, *content) = (0, 0..0);
        *sent = None;
        marks.clear();
        lines.clear();
        items.clear();
    }

    /// Adds the cuts of members that go, each with a comma beside it.
    pub fn cut_members(&mut self, record: &[u8], mut gone: Vec<Range<usize>>) {
        gone.sort_unstable_by_key(|at| at.start);
        with_commas(record, &mut gone);
        self.cuts.append(&mut gone);
    }

    /// Adds calls of tools. Clients record a call that they did not get as one of empty values. Returns whether there are
    /// any others.
    pub fn calls(&mut self, record: &[u8], at: &Range<usize>, detail: Detail) -> bool {
        let some = is_filled(&record[at.clone()]) && !is_blank(record, at.start);
        self.has.tool |= some;
        self.units.extend((some && detail.usage).then(|| Stretch::Call(at.clone())));
        some
    }

    /// It is of this role. Of several roles, the one counts whose text is searched.
    pub fn speaks(&mut self, role: Role) {
        if self.role != Some(Role::Assistant) {
            self.role = Some(role);
        }
    }

    /// A message of the user that has nothing but results of calls is one of the tools. Ends the draft.
    pub fn answers(&mut self) {
        if self.role == Some(Role::User) && self.has.results && !self.has.beside_results {
            self.role = Some(Role::Tool);
        }
    }

    /// What goes of token probabilities with reasoning in the text of this unit.
    pub fn probabilities_of(&self, unit: usize) -> impl Iterator<Item = Range<usize>> {
        let of = move |(number, _): &&(Option<usize>, _)| number.is_none_or(|number| number == unit);
        self.probabilities.iter().filter(of).map(|(_, list)| list.clone())
    }

    /// Whether a part of the message would be left unread: its answer or its reasoning is written as in no dialect in
    /// force.
    pub(in crate::dialect) fn is_partly_unread(&self) -> bool {
        let unread = self.has.elsewhere && self.role == Some(Role::Assistant) && !self.has.content;
        self.has.partly_unread || unread || self.is_hidden()
    }

    /// Whether it has a text that is marked as reasoning.
    pub(in crate::dialect) fn is_hidden(&self) -> bool {
        let text = |unit: &Stretch| matches!(unit, Stretch::Text(s) if s.start < s.end);
        self.has.hidden && self.is_model() && (self.has.elsewhere || self.units.iter().any(text))
    }

    /// Whether it has a field that holds reasoning, or a key that only a message has.
    pub fn thinks(&self) -> bool {
        self.has.message_key || self.units.iter().any(|unit| matches!(unit, Stretch::Field(..) | Stretch::Deep(..)))
    }

    /// Its role; without one, the assistant. An element of a list of which nothing was understood counts as the
    /// system's.
    pub fn speaker(&self) -> Role {
        let empty = self.element.is_some() && !self.has.other && self.is_unread();
        self.role.unwrap_or(if empty { Role::System } else { Role::Assistant })
    }

    /// Whether it has a text that is not empty, reasoning or a call.
    pub fn has_text(&self) -> bool {
        let empty = |unit: &Stretch| unit.text().is_some_and(|text| text.start == text.end);
        self.has.tool || !self.units.iter().all(empty)
    }

    /// Whether it has a text, reasoning or a call.
    pub fn says(&self) -> bool {
        self.has.content || self.has.tool || !self.units.is_empty()
    }

    /// Whether nothing in it was understood.
    fn is_unread(&self) -> bool {
        self.role.is_none() && !self.has.content && self.units.is_empty() && !self.has.tool
    }

    /// Whether its role is the assistant's, or it has none. Only such text is searched (behaviour.md, section 4, rule
    /// 9).
    pub fn is_model(&self) -> bool {
        matches!(self.role, None | Some(Role::Assistant))
    }
}

impl Stretch {
    /// The reasoning of this source in a value, which is text or has texts.
    pub fn of_value(source: Source, (token, at): (Token, &Range<usize>), record: &[u8]) -> Self {
        match token {
            Token::String(text) => Stretch::Field(source, text),
            Token::ObjectStart | Token::ArrayStart if is_filled(&record[at.clone()]) => {
                Stretch::Deep(source, at.clone())
            }
            _ => Stretch::Void(source),
        }
    }

    /// Its visible text, if it is one.
    pub fn text(&self) -> Option<Literal> {
        if let Stretch::Text(text) = self { Some(*text) } else { None }
    }

    /// Whether it holds a signature or a ciphertext.
    pub fn is_sealed(&self, record: &[u8]) -> bool {
        match self {
            Stretch::Opaque(_) => true,
            Stretch::Deep(_, value) => is_sealed(&record[value.clone()]),
            _ => false,
        }
    }

    /// The strings that hold its reasoning, and the source of it.
    pub fn reasoning(&self, record: &[u8]) -> Option<(Source, Vec<Literal>)> {
        match self {
            Stretch::Field(source, literal) => Some((source, vec![*literal])),
            Stretch::Deep(source, value) => {
                let inner = deep_literals(&record[value.clone()]).into_iter();
                let shift = |l: Literal| Literal { start: l.start + value.start, end: l.end + value.start, ..l };
                Some((source, inner.map(shift).collect()))
            }
            _ => None,
        }
    }
}

/// A stretch of a message.
#[derive(Debug)]
pub(in crate::dialect) enum Stretch {
    /// Visible text, in which there may be inline tags.
    Text(Literal),
    /// Reasoning in a string.
    Field(Source, Literal),
    /// Reasoning somewhere inside of this value: its strings are found later.
    Deep(Source, Range<usize>),
    /// Unreadable reasoning: a signature, a ciphertext.
    Opaque(Source),
    /// An empty reasoning field.
    Void(Source),
    /// Tool calls or results, if they are asked for.
    Call(Range<usize>),
}
