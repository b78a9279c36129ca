//! A parsed message of any layout: its reasoning, and its content block by block.

use super::contained::Contained;
use super::parse::{MARK, call_part, calls, inside, kind, literal, structure, thought};
use super::words::Words;
use super::{Context, Placement, Target};
use crate::dialect::draft::{Draft, Entry, Member, Part};
use crate::dialect::formats::chat::fields::field_of;
use crate::dialect::formats::shared::is_blank;
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::json::{Literal, text};
use crate::model::Loss;
use std::borrow::Cow;
use std::ops::Range;

/// The error for a message with two members for the same thing.
pub(super) const TWICE: &str = "a message says the same thing twice: which one counts?";

/// A range of the record.
pub(super) type At = Range<usize>;

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

/// A block of reasoning.
#[derive(Clone, Debug, Default)]
pub(super) struct Thought {
    /// Its text, as the insides of strings; `None` if it has no text, not even an empty one.
    pub text: Option<Vec<At>>,
    /// The name of the field that it came from, if any.
    pub source: Option<Cow<'static, str>>,
    /// The block itself names that field.
    pub named: bool,
    /// The block names that field before its text, so that the field stood before the content.
    pub first: bool,
    /// The ranges of these values.
    pub signature: Option<At>,
    pub hidden: Option<At>,
    pub encrypted: Option<At>,
    /// Members that are not known.
    pub extras: Vec<At>,
    /// It stands behind visible text or a tool call.
    pub late: bool,
    /// The range of the whole block, if it is one.
    pub block: Option<At>,
    /// It stands between inline tags; the visible text around it is in the content.
    pub tagged: bool,
    /// Its opening tag is implied.
    pub implied: bool,
    /// It is a message with a header in the content: the ranges of the header, and of the token that ends it.
    pub headed: bool,
    pub ends: (Option<At>, Option<At>),
}

impl Thought {
    /// Where it stands: its block, or its text.
    pub fn start(&self) -> Option<usize> {
        let block = self.block.as_ref().map(|at| at.start);
        block.or_else(|| Some(self.text.as_ref()?.first()?.start))
    }
}

/// A tool call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub id: Option<At>,
    pub name: At,
    /// The arguments: a string of JSON, or a JSON value.
    pub arguments: Option<Result<Literal, At>>,
    pub extras: Vec<At>,
    pub block: At,
}

/// A tool result.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub id: Option<At>,
    pub name: Option<At>,
    pub result: Option<At>,
    pub extras: Vec<At>,
    pub block: At,
}

/// A stretch of the content.
#[derive(Clone, Debug)]
pub(super) enum Block {
    Thought(Thought),
    /// Text, as the insides of strings.
    Text {
        text: Vec<Run>,
        part: Option<TextPart>,
    },
    /// The header or the end of a message with text of the answer.
    Frame(At),
    /// Anything else, which stays as it is.
    Raw(At),
    Call(Call),
    Outcome(Outcome),
}

/// A stretch of visible text.
#[derive(Clone, Debug)]
pub(super) enum Run {
    /// The inside of a string, or a part of it.
    At(At),
    /// A line end between two messages with text of the answer.
    LineEnd,
}

impl Run {
    /// Whether it is empty text.
    pub fn is_empty(&self) -> bool {
        matches!(self, Run::At(at) if at.is_empty())
    }

    /// Where it begins.
    pub fn start(&self) -> Option<usize> {
        if let Run::At(at) = self { Some(at.start) } else { None }
    }
}

/// The part that holds a text.
#[derive(Clone, Debug)]
pub(super) struct TextPart {
    pub at: At,
    /// The inside of its string.
    pub literal: Literal,
    /// It has no other members.
    pub plain: bool,
    /// It was marked as the only part of its list by an earlier conversion.
    pub marked: bool,
    /// Members that are not known.
    pub extras: Vec<At>,
}

/// A message, parsed.
#[derive(Debug, Default)]
pub(super) struct ParsedMessage {
    pub layout: Layout,
    pub role: Option<usize>,
    pub content: Option<usize>,
    /// The member with content that stands beside blocks.
    pub beside_blocks: Option<usize>,
    /// How many parts the content has, if it is a list.
    pub parts: usize,
    pub calls: Option<usize>,
    /// Members with reasoning as a string: the number of the member, and the thought.
    pub flats: Vec<(usize, Thought)>,
    /// Members with reasoning in a list or object: the number of the member, and the thoughts.
    pub structures: Vec<(usize, Vec<Thought>)>,
    /// Reasoning fields that are empty.
    pub voids: Vec<usize>,
    pub blocks: Vec<Block>,
    /// Tool calls beside the content, if each can be written as a block.
    pub beside: Vec<Call>,
    /// Members with the identifier of the call that the message answers, and with the name of the tool.
    pub answers: Option<usize>,
    pub tool: Option<usize>,
    /// The number of tags without a block, in texts that have blocks.
    pub strays: usize,
    /// The number of messages in texts whose channel is not that of reasoning or of the answer.
    pub channels: usize,
    /// The number of signatures in parts that are not reasoning.
    pub signatures: usize,
    /// Reasoning that objects of the message repeat.
    pub contained: Contained,
}

impl ParsedMessage {
    /// What no written dialect has a place for, as losses.
    pub fn lost(&self, target: &Target) -> impl Iterator<Item = Loss> {
        let channels = if target.placement == Placement::Harmony { 0 } else { self.channels };
        let counts = [(Loss::Stray, self.strays), (Loss::Channel, channels), (Loss::Signature, self.signatures)];
        counts.into_iter().flat_map(|(loss, n)| std::iter::repeat_n(loss, n))
    }

    /// Whether the content has headers of messages.
    pub fn is_framed(&self) -> bool {
        let framed = |block: &Block| match block {
            Block::Thought(thought) => thought.headed,
            block => matches!(block, Block::Frame(_)),
        };
        self.blocks.iter().any(framed)
    }

    /// The text of a model, which is all of a message that is known.
    pub fn of_text(context: &mut Context<'_, '_>, literal: Literal) -> Self {
        let (mut parsed, inline) = (Self::default(), context.inline);
        let words = context.text(literal, true, None, &mut parsed.blocks);
        context.inline = inline;
        parsed.count(words);
        parsed.mark_late();
        parsed
    }

    fn count(&mut self, words: Words) {
        self.strays += words.strays;
        self.channels += words.channels;
    }

    /// Reads a message.
    pub fn read(context: &mut Context<'_, '_>, draft: &Draft) -> Result<Self, Error> {
        let record = context.body.text;
        let mut parsed = ParsedMessage::default();
        for (i, member) in draft.members.list.iter().enumerate() {
            parsed.member(record, i, member)?;
            if member.slot == Slot::Copies {
                parsed.contained.read(record, context.rows, &member.value);
            }
            let name = member.key.decoded(record);
            let twice = |other: &Member| other.slot == Slot::Thought && other.key.decoded(record) == name;
            if member.slot == Slot::Thought && draft.members.list[..i].iter().any(twice) {
                return Err(Error::new(member.key.start, TWICE));
            }
        }
        if let Some(i) = parsed.content {
            let (assistant, inline) = (draft.is_model(), context.inline);
            parsed.read_content(context, draft, &draft.members.list[i].value, assistant);
            context.inline = inline;
        }
        if let Some(i) = parsed.calls {
            parsed.beside = calls(record, &draft.members.list[i].value);
        }
        parsed.mark_late();
        Ok(parsed)
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
                    (Some(old), Layout::Chat, _) => self.beside_blocks = self.content.take().or(Some(old)),
                    (Some(_), _, Layout::Chat) if self.beside_blocks.is_none() => {
                        self.beside_blocks = Some(i);
                        return Ok(());
                    }
                    _ => (),
                }
                self.layout = layout;
                &mut self.content
            }
            Slot::Calls if is_blank(record, value.start) => return Ok(()),
            Slot::Calls if member.is(record, "tool_calls") => &mut self.calls,
            // The older form of a call: one call, without an identifier.
            Slot::Calls if member.is(record, "function_call") && kind(record, value) == b'{' => &mut self.calls,
            Slot::Thought => {
                let field = field_of(&member.key.decoded(record)).filter(|field| !field.opaque);
                let Some(field) = field else { return Ok(()) };
                match kind(record, value) {
                    b'"' => {
                        let (text, source) = (Some(vec![inside(value)]), Some(Cow::Borrowed(field.key)));
                        self.flats.push((i, Thought { text, source, ..Thought::default() }));
                    }
                    b'n' => self.voids.push(i),
                    b'[' | b'{' => self.structures.push((i, structure(record, value, field.key))),
                    _ => (),
                }
                return Ok(());
            }
            _ if member.is(record, "tool_call_id") => &mut self.answers,
            _ if member.is(record, "name") => &mut self.tool,
            _ => return Ok(()),
        };
        match slot.replace(i) {
            None => Ok(()),
            Some(_) => Err(Error::new(member.key.start, TWICE)),
        }
    }

    fn read_content(&mut self, context: &mut Context<'_, '_>, draft: &Draft, value: &At, assistant: bool) {
        let record = context.body.text;
        if kind(record, value) == b'"' {
            let text = literal(record, value);
            let words = context.text(text, assistant && !draft.is_tagless(text), None, &mut self.blocks);
            self.count(words);
            return;
        }
        let within = |at: &At| value.start <= at.start && at.end <= value.end;
        for part in draft.members.parts.iter().filter(|part| within(&part.at)) {
            self.parts += usize::from(kind(record, value) == b'[');
            self.part(context, part, &draft.members.entries[part.entries.clone()], assistant);
        }
    }

    /// A part of the content.
    fn part(&mut self, context: &mut Context<'_, '_>, part: &Part, entries: &[Entry], assistant: bool) {
        let (record, at) = (context.body.text, part.at.clone());
        if kind(record, &at) != b'{' {
            return self.blocks.push(Block::Raw(at));
        }
        let find = |key: &str| entries.iter().find(|e| e.is(record, key));
        let string = |e: &&Entry| kind(record, &e.value) == b'"';
        let kind_of = find("type").filter(string).map(|e| text::decoded(&record[inside(&e.value)])).unwrap_or_default();
        if part.reasoning {
            let default = if kind_of.is_empty() { Some("thought") } else { None };
            return self.blocks.push(Block::Thought(thought(record, entries, at, default)));
        }
        let signed = |e: &&Entry| e.is(record, "thoughtSignature") && kind(record, &e.value) != b'n';
        if self.layout == Layout::Gemini && kind_of.is_empty() {
            self.signatures += entries.iter().filter(signed).count();
        }
        if let Some(call) = call_part(record, &kind_of, entries, &at) {
            return self.blocks.push(call);
        }
        let text = find("text").filter(string);
        let Some(text) = text.filter(|_| kind_of.is_empty() || kind_of == b"text") else {
            return self.blocks.push(Block::Raw(at));
        };
        let marked = find("providerMetadata").is_some_and(|e| record[e.value.clone()] == *MARK);
        let meant = |e: &&Entry| {
            let ours = marked && e.is(record, "providerMetadata");
            e.is(record, "type")
                || e.is(record, "text")
                || ours
                || kind_of.is_empty() && e.is(record, "thoughtSignature")
        };
        let extras: Vec<At> = entries.iter().filter(|e| !meant(e)).map(Entry::at).collect();
        let twice = |name: &str| entries.iter().filter(|e| e.is(record, name)).count() > 1;
        let plain = extras.is_empty() && !twice("type") && !twice("text");
        let At { start, end } = inside(&text.value);
        let literal = Literal { start, end, escaped: text.escaped };
        let part = Some(TextPart { at, literal, plain, marked, extras });
        let words = context.text(literal, assistant, part, &mut self.blocks);
        self.count(words);
    }

    /// Marks each thought that stands behind visible text or a call.
    fn mark_late(&mut self) {
        let mut late = false;
        for block in &mut self.blocks {
            match block {
                Block::Thought(thought) => thought.late = late,
                Block::Text { text, .. } => late |= text.iter().any(|run| !run.is_empty()),
                Block::Frame(_) => (),
                _ => late = true,
            }
        }
    }
}

/// Whether a message has a speaker or blocks in place of role and content.
pub(super) fn is_blocks(body: &crate::frame::Body<'_>, draft: &Draft) -> bool {
    let named = |m: &Member| ["speaker", "blocks", "parts"].iter().any(|name| m.is(body.text, name));
    draft.members.list.iter().any(named)
}
