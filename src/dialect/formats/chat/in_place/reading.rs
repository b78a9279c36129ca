//! What a message says, from its draft: its reasoning, where that stands, and the stretches of its texts.

use super::Context;
use super::thought::{ReasoningPlace, RecordRange, Thought};
use super::values::{entries, inside, kind, string, thought, thoughts};
use crate::dialect::draft::{Draft, Member};
use crate::dialect::formats::chat::fields::field_of;
use crate::dialect::formats::chat::states::in_copies;
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::json::{self, Literal, elements};
use crate::model::{Loss, PieceKind};
use std::borrow::Cow;

/// The error for a message with two members for the same thing.
pub(super) const TWICE: &str = "a message says the same thing twice: which one counts?";

/// The layout of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    /// `role` and `content`.
    #[default]
    Chat,
    /// `speaker` and `blocks`.
    Blocks,
    /// `role` and `parts`.
    Gemini,
}

/// A stretch of a text.
#[derive(Clone, Debug)]
pub(super) struct TextStretch {
    pub kind: PieceKind,
    /// It begins a block of reasoning: it is the opening delimiter, or empty.
    pub begins: bool,
    pub at: RecordRange,
    /// The number of the reasoning that it belongs to.
    pub thought: Option<usize>,
    /// A line end goes before it where the headers of messages go.
    pub joins: bool,
}

/// A text of the content.
#[derive(Clone, Debug)]
pub(super) struct ContentText {
    pub literal: Literal,
    pub stretches: Vec<TextStretch>,
}

/// A part of the content.
#[derive(Clone, Debug)]
pub(super) enum ContentPart {
    /// Reasoning, by its number.
    Thought(usize),
    /// A text, by its number.
    Text(RecordRange, usize),
    /// Something else.
    Other(RecordRange),
}

impl ContentPart {
    /// Where it begins, if it is neither text nor reasoning.
    pub fn start(&self) -> Option<usize> {
        if let ContentPart::Other(at) = self { Some(at.start) } else { None }
    }
}

/// A message, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub layout: Layout,
    /// The numbers of these members.
    pub role: Option<usize>,
    pub content: Option<usize>,
    /// The content beside a list of blocks.
    pub beside: Option<usize>,
    /// Members with a text, with a list or an object of reasoning, and with null.
    pub flats: Vec<usize>,
    pub structures: Vec<usize>,
    pub voids: Vec<usize>,
    pub thoughts: Vec<Thought>,
    pub texts: Vec<ContentText>,
    /// The parts of the content, if it is no text.
    pub parts: Vec<ContentPart>,
    /// Members that go to remove what objects of the message repeat.
    pub repeated: Vec<RecordRange>,
    /// Tags without a block, in texts that have blocks: they mean nothing once a block is gone.
    pub strays: usize,
    /// Messages in texts whose channel is not that of reasoning or of the answer.
    pub channels: usize,
    /// The content has headers of messages.
    pub framed: bool,
    /// The visible text so far ends in white space, if that is known.
    pub(super) line: Option<bool>,
}

impl Reading {
    /// Reads a message.
    pub fn of(context: &mut Context<'_, '_>, draft: &Draft) -> Result<Self, Error> {
        let record = context.body.text;
        let mut reading = Reading::default();
        for (i, member) in draft.members.list.iter().enumerate() {
            reading.member(record, i, member)?;
            if member.slot == Slot::Copies {
                reading.repeats(context, &member.value);
            }
            let name = member.key.decoded(record);
            let twice = |other: &Member| other.slot == Slot::Thought && other.key.decoded(record) == name;
            if member.slot == Slot::Thought && draft.members.list[..i].iter().any(twice) {
                return Err(Error::new(member.key.start, TWICE));
            }
        }
        let own = reading.thoughts.len();
        if let Some(i) = reading.content {
            let inline = context.inline;
            reading.content_of(context, draft, &draft.members.list[i].value);
            context.inline = inline;
        }
        if reading.thoughts[..own].iter().any(|thought| thought.origin == ReasoningPlace::Contained) {
            reading.put_contained_last(own);
        }
        reading.mark_late();
        Ok(reading)
    }

    /// Sorts the thoughts: the texts of members, of which there are `own`, come before those of the content, those of objects that
    /// repeat them last.
    fn put_contained_last(&mut self, own: usize) {
        let (contained, mut flat): (Vec<_>, Vec<_>) =
            self.thoughts.drain(..own).partition(|thought| thought.origin == ReasoningPlace::Contained);
        let before = flat.len();
        let shift = |at: &mut usize| *at = *at + before - own;
        self.texts.iter_mut().flat_map(|words| &mut words.stretches).flat_map(|s| &mut s.thought).for_each(shift);
        for part in &mut self.parts {
            if let ContentPart::Thought(at) = part {
                *at = *at + before - own;
            }
        }
        flat.append(&mut self.thoughts);
        flat.extend(contained);
        self.thoughts = flat;
    }

    /// Reads the text of a model, which is all of a message that is known.
    pub fn of_text(context: &mut Context<'_, '_>, literal: Literal) -> Self {
        let (mut reading, inline) = (Self::default(), context.inline);
        reading.text(context, literal, true);
        context.inline = inline;
        reading.mark_late();
        reading
    }

    /// What no written dialect has a place for, as losses. `headers`: the target has the names of channels.
    pub fn lost(&self, headers: bool) -> impl Iterator<Item = Loss> {
        let channels = if headers { 0 } else { self.channels };
        [(Loss::Stray, self.strays), (Loss::Channel, channels)]
            .into_iter()
            .flat_map(|(loss, n)| std::iter::repeat_n(loss, n))
    }

    fn member(&mut self, record: &[u8], i: usize, member: &Member) -> Result<(), Error> {
        let value = &member.value;
        let slot = match member.slot {
            Slot::Role => &mut self.role,
            Slot::Content => {
                let layout = match member {
                    _ if member.is(record, "blocks") => Layout::Blocks,
                    _ if member.is(record, "parts") => Layout::Gemini,
                    _ => Layout::Chat,
                };
                match (self.content, self.layout, layout) {
                    (Some(_), Layout::Chat, Layout::Chat) | (None, ..) => (),
                    (Some(old), Layout::Chat, _) => self.beside = self.content.take().or(Some(old)),
                    (Some(_), _, Layout::Chat) if self.beside.is_none() => {
                        self.beside = Some(i);
                        return Ok(());
                    }
                    _ => (),
                }
                self.layout = layout;
                &mut self.content
            }
            Slot::Thought => {
                let field = field_of(&member.key.decoded(record)).filter(|field| !field.opaque);
                let Some(field) = field else { return Ok(()) };
                match kind(record, value) {
                    b'"' => {
                        self.flats.push(i);
                        let (text, source) = (Some(vec![inside(value)]), Some(Cow::Borrowed(field.key)));
                        self.thoughts.push(Thought {
                            origin: ReasoningPlace::Flat(i),
                            text,
                            source,
                            ..Thought::default()
                        });
                    }
                    b'n' => self.voids.push(i),
                    b'[' | b'{' => {
                        self.structures.push(i);
                        self.thoughts.extend(thoughts(record, value, ReasoningPlace::Structure(i), field.key));
                    }
                    _ => (),
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        match slot.replace(i) {
            None => Ok(()),
            Some(_) => Err(Error::new(member.key.start, TWICE)),
        }
    }

    /// Reads an object that repeats reasoning, and those inside of it.
    fn repeats(&mut self, context: &Context<'_, '_>, value: &RecordRange) {
        let record = context.body.text;
        for entry in entries(record, value) {
            let key = entry.key.decoded(record);
            let slot = in_copies(&key, context.rows);
            let first = kind(record, &entry.value);
            let field = field_of(&key).filter(|_| slot == Slot::Thought);
            let Some(field) = field.filter(|f| !f.common || matches!(first, b'"' | b'[' | b'{' | b'n')) else {
                if slot == Slot::Copies {
                    self.repeats(context, &entry.value);
                }
                continue;
            };
            match first {
                b'"' if field.opaque => self.thoughts.push(Thought {
                    origin: ReasoningPlace::Contained,
                    encrypted: Some(entry.value.clone()),
                    ..Thought::default()
                }),
                b'[' if field.opaque => {
                    let signatures = elements(record, entry.value.start).map(|(_, at)| at);
                    let signatures = signatures.filter(|at| kind(record, at) == b'"');
                    self.thoughts.extend(signatures.map(|at| Thought {
                        origin: ReasoningPlace::Contained,
                        encrypted: Some(at),
                        ..Thought::default()
                    }));
                }
                b'"' | b'[' | b'{' => {
                    self.thoughts.extend(thoughts(record, &entry.value, ReasoningPlace::Contained, field.key))
                }
                _ => (),
            }
            self.repeated.push(entry.at());
        }
    }

    fn content_of(&mut self, context: &mut Context<'_, '_>, draft: &Draft, value: &RecordRange) {
        let (record, assistant) = (context.body.text, draft.is_model());
        if kind(record, value) == b'"' {
            let text = super::values::literal(record, value);
            return self.text(context, text, assistant && !draft.is_tagless(text));
        }
        let within = |at: &RecordRange| value.start <= at.start && at.end <= value.end;
        for part in draft.members.parts.iter().filter(|part| within(&part.at)) {
            let at = part.at.clone();
            if kind(record, &at) != b'{' {
                self.parts.push(ContentPart::Other(at));
                continue;
            }
            let find = |key: &str| {
                let entries = &draft.members.entries[part.entries.clone()];
                entries.iter().find(|e| e.is(record, key) && kind(record, &e.value) == b'"')
            };
            let kind_of = find("type").map(|e| string(record, &e.value)).unwrap_or_default();
            if part.reasoning {
                self.parts.push(ContentPart::Thought(self.thoughts.len()));
                let source = kind_of.is_empty().then_some("thought");
                self.thoughts.push(thought(record, &at, ReasoningPlace::Part, source));
                continue;
            }
            match find("text").filter(|_| kind_of.is_empty() || *kind_of == *b"text") {
                Some(text) => {
                    self.parts.push(ContentPart::Text(at, self.texts.len()));
                    self.text(context, super::values::literal(record, &text.value), assistant);
                }
                None => self.parts.push(ContentPart::Other(at)),
            }
        }
    }

    /// Marks each thought of the content that stands behind visible text or a call.
    fn mark_late(&mut self) {
        let Self { thoughts, texts, parts, .. } = self;
        let mut late = false;
        let words = |words: &ContentText, thoughts: &mut Vec<Thought>, late: &mut bool| {
            for stretch in &words.stretches {
                match (stretch.kind, stretch.thought) {
                    (PieceKind::Reasoning(_), Some(at)) if stretch.begins => thoughts[at].late = *late,
                    (kind, _) => *late |= (kind.is_visible() || kind == PieceKind::Gap) && !stretch.at.is_empty(),
                }
            }
        };
        if parts.is_empty() {
            return texts.iter().for_each(|text| words(text, thoughts, &mut late));
        }
        for part in parts {
            match part {
                ContentPart::Thought(at) => thoughts[*at].late = late,
                ContentPart::Text(_, at) => words(&texts[*at], thoughts, &mut late),
                ContentPart::Other(_) => late = true,
            }
        }
    }
}

/// Whether a message has a speaker or blocks in place of role and content.
pub(super) fn is_blocks(body: &crate::frame::Body<'_>, draft: &Draft) -> bool {
    let named = |m: &Member| ["speaker", "blocks", "parts"].iter().any(|name| m.is(body.text, name));
    draft.members.list.iter().any(named)
}

/// Whether a part calls a tool.
pub(super) fn is_call(record: &[u8], part: &ContentPart) -> bool {
    part.start().is_some_and(|start| {
        let named = json::member(record, start, "name").is_some();
        named && json::member(record, start, "type").is_some_and(|(_, at)| *string(record, &at) == *b"tool_call")
    })
}
