//! Gives a message another layout. The writer of the target writes it anew, from its events, and what it writes takes the
//! place of the members that held the message; all its other members stay as they are.

use super::edits::{MemberEdits, Plan, losses as losses_of, text, whole};
use super::reading::is_call;
use super::reading::{ContentPart, Layout, Reading, TWICE};
use super::thought::{ReasoningPlace, RecordRange, Thought};
use super::values::{is_filled, kind};
use super::{Context, ConversionTarget, Gathered};
use crate::dialect::draft::Draft;
use crate::dialect::formats::shared::{deep_literals, is_blank, is_sealed};
use crate::dialect::formats::write::{Json, quoted, seals};
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::frame::Body;
use crate::json::{member, members, with_commas};
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Other, Writer};
use crate::model::{Bit, Leaf, Loss, Losses, Role, WrittenJson, is_inline};
use std::sync::Arc;

impl ConversionTarget {
    /// Whether a message is written in another layout than it has, so that it is built anew.
    pub(in crate::dialect) fn changes_layout(&self, record: &[u8], draft: &Draft) -> bool {
        let named = |name: &str| draft.members.list.iter().any(|m| m.slot == Slot::Content && m.is(record, name));
        self.placement.is_blocks() || named("blocks") || named("parts")
    }
}

/// Writes a message of the assistant, the user or a tool in the layout of the target.
///
/// # Errors
/// When it says the same thing twice, or cannot be written.
pub(super) fn write(
    context: &mut Context<'_, '_>,
    draft: &Draft,
    gathered: Gathered,
    (target, writer): (&ConversionTarget, &dyn Writer),
    plan: &mut Plan,
) -> Result<(), Error> {
    let (body, record) = (context.body, context.body.text);
    // Its events have told what is in its texts.
    let reading = Reading::of(&mut context.without_tags(), draft)?;
    let (strays, unknown) = (gathered.strays, gathered.unknown);
    let (mut message, mut losses) = gathered.finish();
    let blocks = target.placement.is_blocks();
    let reasons = || message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning);
    let settled = blocks && reading.layout == Layout::Blocks && reasons().all(|block| block.source == "part");
    if settled || blocks && message.role == Role::System && reasons().next().is_none() {
        return Ok(());
    }
    let key = target.placement.field();
    let graft = Graft { record, draft, reading: &reading, blocks, inline: target.is_inline(), key };
    graft.check(&message)?;
    graft.settle(&mut message);
    losses.retain(|loss| !matches!(loss, Loss::SourceField | Loss::Hidden));
    graft.dress(&mut message);
    graft.lost_of_calls(body, &message, &mut losses);
    if target.is_inline() {
        graft.unseal(&mut message, &mut losses);
    }
    let inline = message.blocks.iter().any(|block| block.kind == ContentKind::Reasoning && is_inline(block.source));
    losses.extend(std::iter::repeat_n(Loss::Stray, if inline { strays } else { 0 }));
    let headers = target.placement.is_headed();
    losses.extend(std::iter::repeat_n(Loss::Channel, if headers { 0 } else { unknown }));
    if !blocks {
        lost_words(&message, target, &mut losses);
    }
    plan.unsupported.extend(graft.unread(&message, |at| body.at(at)));
    plan.unsupported.extend(graft.unsaid(&message));
    let written = writer.message(&message, &mut losses).map_err(|what| Error::new(draft.object.start, what))?;
    let several = written.len() > 1;
    let mut results = message.blocks.iter().filter(|block| block.kind == ContentKind::Other(Other::Result) && !blocks);
    let mut written = written.into_iter().map(WrittenJson::into_bytes).map(|object| {
        Arc::new(match results.next() {
            Some(result) => with_tool(object, result),
            None => object,
        })
    });
    let unwritten = losses.list().iter().filter(|lost| matches!(lost.loss, Loss::Part | Loss::Media));
    let at = |at: Option<u64>| at.map_or(draft.object.start, |at| body.at(at));
    plan.unsupported.extend(unwritten.map(|lost| (at(lost.at), lost.loss)));
    if several && draft.element.is_none() {
        plan.unsupported.push((draft.object.start, Loss::Results));
    }
    let Some(first) = written.next() else {
        if plan.unsupported.is_empty() && !message.blocks.is_empty() {
            plan.unsupported.push((draft.object.start, Loss::Part));
        }
        return Ok(());
    };
    let mut list = MemberEdits::new(body, draft);
    graft.members(context, &first, &message, &mut list, plan)?;
    plan.losses.append(&mut losses);
    list.finish(body, plan);
    let end = body.span(draft.object.end..draft.object.end);
    let more: Vec<Bit> = written.flat_map(|object| [text(","), whole(object)]).collect();
    if !more.is_empty() {
        plan.edits.push((end, more));
    }
    // What a copy has beside its text is lost, unless it was written.
    for thought in reading.thoughts.iter().filter(|thought| thought.origin == ReasoningPlace::Contained) {
        let is_written = |at: &RecordRange| memchr::memmem::find(&first, &record[at.clone()]).is_some();
        let mut thought = thought.clone();
        thought.signature = thought.signature.filter(|at| !is_written(at));
        thought.encrypted = thought.encrypted.filter(|at| !is_written(at));
        losses_of(body, &thought, None, plan);
    }
    let mut cuts = reading.repeated.clone();
    with_commas(record, &mut cuts);
    plan.edits.extend(cuts.into_iter().map(|at| (body.span(at), Vec::new())));
    Ok(())
}

/// Adds the losses of what the layout of chat has no words for.
fn lost_words(message: &BlockMessage, target: &ConversionTarget, losses: &mut Losses) {
    let key = target.placement.field().unwrap_or("think_tags");
    for block in message.blocks.iter().filter(|block| block.kind == ContentKind::Reasoning) {
        let source = block.get(Attribute::SourceField).filter(|name| **name != *quoted(key.as_bytes()));
        losses.push_if(source.is_some(), block.at, Loss::SourceField);
        losses.push_if(block.get(Attribute::Hidden).is_some(), block.at, Loss::Hidden);
    }
}

pub(super) struct Graft<'a> {
    pub(super) record: &'a [u8],
    pub(super) draft: &'a Draft,
    pub(super) reading: &'a Reading,
    /// The layout is that of blocks.
    pub(super) blocks: bool,
    /// The reasoning goes into the content.
    pub(super) inline: bool,
    /// The field that the reasoning goes into.
    pub(super) key: Option<&'static str>,
}

impl Graft<'_> {
    pub(super) fn value(&self, i: usize) -> &RecordRange {
        &self.draft.members.list[i].value
    }

    /// Refuses a message with two members for the same thing, or with a value of the wrong kind.
    fn check(&self, message: &BlockMessage) -> Result<(), Error> {
        let key = |i: usize| self.draft.members.list[i].key.start;
        let list = |i: &usize| matches!(kind(self.record, self.value(*i)), b'[' | b'{');
        let odd = |i: &usize| !matches!(kind(self.record, self.value(*i)), b'"' | b'{' | b'[' | b'n');
        let layout = self.reading.layout;
        if let Some(i) = self.reading.content.filter(|i| layout != Layout::Chat && odd(i)) {
            return Err(Error::new(key(i), "blocks that are no list"));
        }
        let is = |block: &Block, what: Other| block.kind == ContentKind::Other(what);
        let parts = self.reading.parts.iter().any(|part| is_call(self.record, part));
        let gemini = layout == Layout::Gemini && message.calls();
        let calls = parts && layout == Layout::Blocks || gemini;
        let results = layout != Layout::Chat
            && !message.blocks.is_empty()
            && message.blocks.iter().all(|block| is(block, Other::Result));
        let has = |slot: Slot| self.draft.members.list.iter().position(|member| member.slot == slot);
        let second = self.reading.beside.filter(|i| list(i) && is_filled(self.record, self.value(*i)));
        let second = second.or_else(|| self.calls().filter(|_| calls));
        let other = |i: &usize| Some(*i) != self.calls() && self.has_calls(*i);
        let second = second.or_else(|| (0..self.draft.members.list.len()).find(other));
        match second.or_else(|| has(Slot::ResultOf).filter(|_| results)) {
            Some(i) => Err(Error::new(key(i), TWICE)),
            None => Ok(()),
        }
    }

    /// Puts a message in the form that its writer takes: one of nothing but results is a tool's, whoever has it; one of the
    /// system that reasons has blocks as the model has.
    fn settle(&self, message: &mut BlockMessage) {
        let is = |block: &Block, what: Other| block.kind == ContentKind::Other(what);
        let results = message.blocks.iter().all(|block| is(block, Other::Result));
        if message.role == Role::Assistant && results && !message.blocks.is_empty() {
            message.role = Role::Tool;
        }
        if message.role == Role::System && self.blocks {
            message.role = Role::Assistant;
        }
        if self.blocks && self.reading.layout == Layout::Chat {
            self.say_little(message);
        }
        // An image in a result stands in the result.
        if message.role == Role::Tool && self.reading.layout == Layout::Chat {
            message.blocks.retain(|block| !is(block, Other::Media));
        }
        // A member of another kind under a name of reasoning stays.
        let odd = |block: &Block| !block.fed && block.facts.is_empty() && self.is_odd(block.source);
        message.blocks.retain(|block| block.kind != ContentKind::Reasoning || !odd(block));
    }

    /// Makes text of a result that says neither its call nor its tool, and of content that is empty beside calls: so they
    /// come back as they were.
    fn say_little(&self, message: &mut BlockMessage) {
        let unnamed = |block: &Block| block.get(Attribute::ResultOf).or_else(|| block.get(Attribute::Name)).is_none();
        for block in
            message.blocks.iter_mut().filter(|block| block.kind == ContentKind::Other(Other::Result) && unnamed(block))
        {
            let text = block.get(Attribute::Result).and_then(|value| value.strip_prefix(b"\"")?.strip_suffix(b"\""));
            if let Some(text) = text.map(|text| Leaf::of(text, true)) {
                *block = Block { text, fed: true, at: block.at, ..Block::new(ContentKind::Text, "", 0) };
            }
        }
        let empty = self.reading.texts.iter().all(|words| words.literal.start == words.literal.end);
        if message.calls() && empty && !self.reading.texts.is_empty() {
            let at = message.blocks.iter().position(|block| block.kind != ContentKind::Reasoning);
            message.blocks.insert(at.unwrap_or(0), Block::new(ContentKind::Text, "", 0));
        }
    }

    /// Whether the list or the object of this name has no text of reasoning, and nothing that stands for one.
    fn is_odd(&self, name: &str) -> bool {
        let named = |i: &&usize| self.draft.members.list[**i].is(self.record, name);
        self.reading.structures.iter().find(named).is_some_and(|i| !self.says(*i))
    }

    /// Whether a list or an object of reasoning has a text, a signature or a ciphertext.
    pub(super) fn says(&self, i: usize) -> bool {
        let value = &self.record[self.value(i).clone()];
        !deep_literals(value).is_empty() || is_sealed(value)
    }

    /// Where blocks stand that no message of this role has in the target, each with its loss.
    fn unsaid(&self, message: &BlockMessage) -> Vec<(usize, Loss)> {
        if self.blocks {
            return Vec::new();
        }
        let at = self.draft.object.start;
        let has = |what: Other| message.blocks.iter().any(|block| block.kind == ContentKind::Other(what));
        let own = message.role == Role::Assistant;
        let texts = || self.reading.texts.iter().any(|words| words.literal.start < words.literal.end);
        // A result of a tool is all of its message.
        let mixed =
            has(Other::Result) && (own || message.role == Role::Tool && self.reading.layout != Layout::Chat && texts());
        let told = message.role == Role::Tool && self.reading.beside.is_some();
        [mixed, told, has(Other::Call) && !own].into_iter().filter(|lost| *lost).map(|_| (at, Loss::Part)).collect()
    }

    /// Where parts begin that no block was made of, and calls of no tool, each with its loss.
    fn unread(&self, message: &BlockMessage, place: impl Fn(u64) -> usize) -> Vec<(usize, Loss)> {
        let blocks = || message.blocks.iter().filter(|block| matches!(block.kind, ContentKind::Other(_)));
        let mut starts: Vec<usize> = blocks().filter_map(|block| block.at).map(&place).collect();
        starts.sort_unstable();
        let read = |at: &RecordRange| {
            starts.get(starts.partition_point(|start| *start < at.start)).is_some_and(|s| *s < at.end)
        };
        // All of the content of a tool's message is its result.
        let result = message.role == Role::Tool && self.reading.layout == Layout::Chat;
        let lost = |part: &ContentPart| match part {
            ContentPart::Other(at) if !result && is_filled(self.record, at) && !read(at) => {
                Some((at.start, Loss::Part))
            }
            _ => None,
        };
        let nameless = blocks()
            .filter(|block| block.kind == ContentKind::Other(Other::Call) && block.filled(Attribute::Name).is_none());
        let nameless = nameless.map(|call| (call.at.map_or(self.draft.object.start, &place), Loss::Part));
        self.reading.parts.iter().filter_map(lost).chain(nameless).collect()
    }

    /// Adds the losses of members of calls that blocks have no place for.
    fn lost_of_calls(&self, body: &Body<'_>, message: &BlockMessage, losses: &mut Losses) {
        const KNOWN: [&str; 7] = ["id", "type", "function", "custom", "name", "arguments", "input"];
        let is_call = |block: &&Block| block.kind == ContentKind::Other(Other::Call);
        let listed = self.blocks && self.reading.layout == Layout::Chat;
        for at in message.blocks.iter().filter(is_call).filter_map(|block| block.at).filter(|_| listed) {
            let start = body.at(at);
            let inner = ["function", "custom"].iter().find_map(|name| member(self.record, start, name));
            let all =
                members(self.record, start).chain(inner.iter().flat_map(|(_, at)| members(self.record, at.start)));
            let mut lost = all.filter(|(key, ..)| !KNOWN.iter().any(|name| key.is(self.record, name)));
            losses.push_if(lost.any(|(.., value)| is_filled(self.record, &value)), Some(at), Loss::Extra);
        }
    }

    /// The number of the member with calls of tools, if it has any.
    pub(super) fn calls(&self) -> Option<usize> {
        (0..self.draft.members.list.len()).find(|i| self.has_calls(*i))
    }

    fn has_calls(&self, i: usize) -> bool {
        let member = &self.draft.members.list[i];
        let filled = || is_filled(self.record, &member.value) && !is_blank(self.record, member.value.start);
        member.slot == Slot::Calls && filled()
    }

    /// Adds what the record says of blocks only by their places: the fields that reasoning came from, and calls that are
    /// known by the names of their tools.
    fn dress(&self, message: &mut BlockMessage) {
        let parts: Vec<_> = self.reading.thoughts.iter().filter(|t| t.origin == ReasoningPlace::Part).collect();
        let mut own = message.blocks.iter().filter(|block| block.source == "part").count();
        own = if own == parts.len() { 0 } else { parts.len() };
        for block in &mut message.blocks {
            if block.kind == ContentKind::Reasoning && !is_inline(block.source) {
                let part = (block.source == "part").then(|| parts.get(own)).flatten();
                own += usize::from(part.is_some());
                let (name, first) = match part {
                    Some(thought) => (thought.source.as_deref().map(str::to_string), thought.first),
                    None if block.source == "part" => (None, false),
                    None => self.field(block.source),
                };
                let known = block.get(Attribute::SourceField).map(<[u8]>::to_vec);
                let name = known.or_else(|| name.filter(|_| self.blocks).map(|name| quoted(name.as_bytes())));
                block.facts.retain(|(fact, _)| *fact != Attribute::SourceField);
                block.facts.extend(name.map(|name| (Attribute::SourceField, name)));
                block.facts.extend(first.then(|| (Attribute::SourceFirst, b"true".to_vec())));
            }
            let id = match block.kind {
                ContentKind::Other(Other::Call) => Attribute::CallId,
                ContentKind::Other(Other::Result) => Attribute::ResultOf,
                _ => continue,
            };
            if let (None, Some(name)) = (block.get(id), block.get(Attribute::Name)) {
                let name = name.to_vec();
                block.facts.push((id, name));
            }
        }
    }

    /// Takes the signatures off blocks whose text is empty: the writer would take them for blocks without a text, and these
    /// have no place between tags.
    fn unseal(&self, message: &mut BlockMessage, losses: &mut Losses) {
        let has_text = |thought: &&Thought| thought.origin == ReasoningPlace::Part && thought.text.is_some();
        if self.reading.thoughts.iter().filter(|t| t.origin == ReasoningPlace::Part).all(|t| has_text(&t)) {
            for block in message.blocks.iter_mut().filter(|block| block.source == "part" && !block.fed) {
                seals(block, false, false, losses);
                block.facts.retain(|(name, _)| !matches!(name, Attribute::Signature | Attribute::Ciphertext));
            }
        }
    }

    /// The name of the field that this source stands for, and whether it stands before the content.
    fn field(&self, source: &'static str) -> (Option<String>, bool) {
        let name = source.strip_prefix("copy of ").unwrap_or(source);
        let list = &self.draft.members.list;
        let field = list.iter().find(|member| member.slot == Slot::Thought && member.is(self.record, name));
        let content = self.content().map(|i| &list[i]);
        let first = field.zip(content).is_some_and(|(field, content)| field.key.start < content.key.start);
        (Some(name.to_string()), first && self.reading.layout == Layout::Chat)
    }

    /// The number of the content, if that is anything but null or an empty list.
    pub(super) fn content(&self) -> Option<usize> {
        self.reading.content.filter(|i| {
            let value = self.value(*i);
            let empty = || self.record[value.start + 1..].trim_ascii_start().first() == Some(&b']');
            match kind(self.record, value) {
                b'"' | b'{' => true,
                b'[' => self.reading.layout != Layout::Chat || !empty(),
                _ => self.reading.layout != Layout::Chat,
            }
        })
    }
}

/// A written message with this result: with the name of its tool behind the identifier of the call, and without an
/// identifier that was made up.
pub(super) fn with_tool(object: Vec<u8>, result: &Block) -> Vec<u8> {
    let (answers, tool) = (result.get(Attribute::ResultOf).is_some(), result.get(Attribute::Name));
    members(&object, 0)
        .fold(Json::object(), |json, (key, _, at)| {
            let name = String::from_utf8_lossy(key.raw(&object));
            match name == "tool_call_id" {
                true if answers => json.raw(&name, &object[at]).some("name", tool),
                true => json.some("name", tool),
                false => json.raw(&name, &object[at]),
            }
        })
        .end()
}
