//! Gives a message another layout. The writer of the target writes it anew, from its events, and what it writes takes the
//! place of the members that held the message; all its other members stay as they are.

use super::edits::{Members, Plan, copy, text};
use super::reading::{At, Layout, Origin, Part, Reading, TWICE};
use super::values::{is_filled, kind, string};
use super::{Context, Gathered, Placement, Target};
use crate::dialect::draft::Draft;
use crate::dialect::formats::shared::is_blank;
use crate::dialect::formats::write::quoted;
use crate::dialect::shape::Slot;
use crate::error::Error;
use crate::frame::Body;
use crate::json::{Literal, member, members, with_commas};
use crate::model::content::{Attribute, Block, Kind, Message, What, Writer};
use crate::model::{Bit, Loss, Losses, Role, is_inline};

impl Target {
    /// Whether a message is written in another layout than it has, so that it is built anew.
    pub(in crate::dialect) fn changes_layout(&self, record: &[u8], draft: &Draft) -> bool {
        let named = |name: &str| draft.members.list.iter().any(|m| m.slot == Slot::Content && m.is(record, name));
        self.placement == Placement::Blocks || named("blocks") || named("parts")
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
    (target, writer): (&Target, &dyn Writer),
    plan: &mut Plan,
) -> Result<(), Error> {
    let (body, record) = (context.body, context.body.text);
    // Its events have told the notes already.
    let notes = &mut Vec::new();
    let reading = Reading::of(&mut Context { notes, tags: context.tags, ..*context }, draft)?;
    let (mut message, mut losses) = gathered.finish();
    let blocks = target.placement == Placement::Blocks;
    let reasons = || message.blocks.iter().filter(|block| block.kind == Kind::Reasoning);
    let settled = blocks && reading.layout == Layout::Blocks && reasons().all(|block| block.source == "part");
    if settled || blocks && message.role == Role::System && reasons().next().is_none() {
        return Ok(());
    }
    let graft = Graft { record, draft, reading: &reading, blocks, inline: target.is_inline() };
    graft.check(&message)?;
    losses.retain(|loss| !matches!(loss, Loss::SourceField | Loss::Hidden));
    graft.dress(&mut message);
    graft.lost_of_calls(body, &message, &mut losses);
    let tags = std::iter::repeat_n(Loss::Stray, reading.strays);
    let channels = std::iter::repeat_n(Loss::Channel, reading.unknown);
    losses.extend(tags.chain(channels.filter(|_| target.placement != Placement::Harmony)));
    if !blocks {
        lost_words(&message, target, &mut losses);
    }
    plan.unsupported.extend(graft.unread(&message, |at| body.at(at)));
    let written = writer.message(&message, &mut losses).map_err(|what| Error::new(draft.object.start, what))?;
    let unwritten = losses.list().iter().filter(|lost| matches!(lost.loss, Loss::Part | Loss::Media));
    let at = |at: Option<u64>| at.map_or(draft.object.start, |at| body.at(at));
    plan.unsupported.extend(unwritten.map(|lost| (at(lost.at), lost.loss)));
    if written.len() > 1 && draft.element.is_none() {
        plan.unsupported.push((draft.object.start, Loss::Results));
    }
    let Some((first, more)) = written.split_first() else {
        if plan.unsupported.is_empty() && !message.blocks.is_empty() {
            plan.unsupported.push((draft.object.start, Loss::Part));
        }
        return Ok(());
    };
    let mut list = Members::new(body, draft);
    graft.members(context, first, &message, &mut list, plan);
    plan.losses.append(&mut losses);
    list.finish(body, plan);
    let end = body.span(draft.object.end..draft.object.end);
    let more = more.iter().flat_map(|object| [text(","), text(utf8(object))]);
    let more: Vec<Bit> = more.collect();
    if !more.is_empty() {
        plan.edits.push((end, more));
    }
    let mut cuts = reading.repeated.clone();
    with_commas(record, &mut cuts);
    plan.edits.extend(cuts.into_iter().map(|at| (body.span(at), Vec::new())));
    Ok(())
}

/// JSON that was written here.
fn utf8(json: &[u8]) -> String {
    String::from_utf8_lossy(json).into_owned()
}

/// Adds the losses of what the layout of chat has no words for.
fn lost_words(message: &Message, target: &Target, losses: &mut Losses) {
    let key = if let Placement::Field(key) = target.placement { key } else { "think_tags" };
    for block in message.blocks.iter().filter(|block| block.kind == Kind::Reasoning) {
        let source = block.get(Attribute::SourceField).filter(|name| **name != *quoted(key.as_bytes()));
        losses.push_if(source.is_some(), block.at, Loss::SourceField);
        losses.push_if(block.get(Attribute::Hidden).is_some(), block.at, Loss::Hidden);
    }
}

struct Graft<'a> {
    record: &'a [u8],
    draft: &'a Draft,
    reading: &'a Reading,
    /// The layout is that of blocks.
    blocks: bool,
    /// The reasoning goes into the content.
    inline: bool,
}

impl Graft<'_> {
    fn value(&self, i: usize) -> &At {
        &self.draft.members.list[i].value
    }

    /// Refuses a message with two members for the same thing, or with a value of the wrong kind.
    fn check(&self, message: &Message) -> Result<(), Error> {
        let key = |i: usize| self.draft.members.list[i].key.start;
        let list = |i: &usize| matches!(kind(self.record, self.value(*i)), b'[' | b'{');
        let odd = |i: &usize| !matches!(kind(self.record, self.value(*i)), b'"' | b'{' | b'[' | b'n');
        let layout = self.reading.layout;
        if let Some(i) = self.reading.content.filter(|i| layout != Layout::Chat && odd(i)) {
            return Err(Error::new(key(i), "blocks that are no list"));
        }
        let is = |block: &Block, what: What| block.kind == Kind::Other(what);
        let calls = layout != Layout::Chat && message.calls();
        let results = layout != Layout::Chat
            && !message.blocks.is_empty()
            && message.blocks.iter().all(|block| is(block, What::Result));
        let has = |slot: Slot| self.draft.members.list.iter().position(|member| member.slot == slot);
        let second = self.reading.beside.filter(|i| list(i) && is_filled(self.record, self.value(*i)));
        let second = second.or_else(|| self.calls().filter(|_| calls));
        match second.or_else(|| has(Slot::ResultOf).filter(|_| results)) {
            Some(i) => Err(Error::new(key(i), TWICE)),
            None => Ok(()),
        }
    }

    /// Where parts begin that no block was made of, and calls of no tool, each with its loss.
    fn unread(&self, message: &Message, place: impl Fn(u64) -> usize) -> Vec<(usize, Loss)> {
        let blocks = || message.blocks.iter().filter(|block| matches!(block.kind, Kind::Other(_)));
        let read = |at: &At| blocks().filter_map(|block| block.at).any(|start| at.contains(&place(start)));
        let lost = |part: &Part| match part {
            Part::Other(at) if is_filled(self.record, at) && !read(at) => Some((at.start, Loss::Part)),
            _ => None,
        };
        let nameless = blocks().filter(|block| {
            block.kind == Kind::Other(What::Call) && block.filled(Attribute::Name).is_none()
        });
        let nameless = nameless.map(|call| (call.at.map_or(self.draft.object.start, &place), Loss::Part));
        self.reading.parts.iter().filter_map(lost).chain(nameless).collect()
    }

    /// Adds the losses of members of calls that blocks have no place for.
    fn lost_of_calls(&self, body: &Body<'_>, message: &Message, losses: &mut Losses) {
        const KNOWN: [&str; 8] = ["id", "type", "function", "custom", "index", "name", "arguments", "input"];
        let is_call = |block: &&Block| block.kind == Kind::Other(What::Call);
        let listed = self.blocks && self.reading.layout == Layout::Chat;
        for at in message.blocks.iter().filter(is_call).filter_map(|block| block.at).filter(|_| listed) {
            let start = body.at(at);
            let inner = ["function", "custom"].iter().find_map(|name| member(self.record, start, name));
            let all = members(self.record, start).chain(inner.iter().flat_map(|(_, at)| members(self.record, at.start)));
            let mut lost = all.filter(|(key, ..)| !KNOWN.iter().any(|name| key.is(self.record, name)));
            losses.push_if(lost.any(|(.., value)| is_filled(self.record, &value)), Some(at), Loss::Extra);
        }
    }

    /// The number of the member with calls of tools, if it has any.
    fn calls(&self) -> Option<usize> {
        let filled = |value: &At| is_filled(self.record, value) && !is_blank(self.record, value.start);
        self.draft.members.list.iter().position(|member| member.slot == Slot::Calls && filled(&member.value))
    }

    /// Adds what the record says of blocks only by their places: the fields that reasoning came from, and calls that are
    /// known by the names of their tools.
    fn dress(&self, message: &mut Message) {
        let parts: Vec<_> = self.reading.thoughts.iter().filter(|t| t.origin == Origin::Part).collect();
        let mut own = message.blocks.iter().filter(|block| block.source == "part").count();
        own = if own == parts.len() { 0 } else { parts.len() };
        for block in &mut message.blocks {
            if block.kind == Kind::Reasoning && !is_inline(block.source) {
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
                Kind::Other(What::Call) => Attribute::CallId,
                Kind::Other(What::Result) => Attribute::ResultOf,
                _ => continue,
            };
            if let (None, Some(name)) = (block.get(id), block.get(Attribute::Name)) {
                let name = name.to_vec();
                block.facts.push((id, name));
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
    fn content(&self) -> Option<usize> {
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

    /// Puts the members of the written object in the place of those that held the message.
    fn members(
        &self,
        context: &Context<'_, '_>,
        written: &[u8],
        message: &Message,
        out: &mut Members<'_>,
        plan: &mut Plan,
    ) {
        let (record, reading) = (self.record, self.reading);
        let result = message.blocks.iter().any(|block| block.kind == Kind::Other(What::Result));
        match self.blocks {
            true => speaker(context, self.draft, reading, result, out),
            false => role(context, self.draft, reading, result, out),
        }
        let mut owned: Vec<usize> = Vec::new();
        owned.extend(self.content());
        owned.extend(reading.flats.iter().chain(&reading.structures));
        owned.extend(self.calls().filter(|_| message.calls()));
        let media = message.blocks.iter().any(|block| block.kind == Kind::Other(What::Media));
        let list = &self.draft.members.list;
        owned.extend((0..list.len()).filter(|i| {
            media && list[*i].slot == Slot::Media && kind(record, &list[*i].value) == b'['
        }));
        let answers = |i: &usize| {
            let member = &list[*i];
            member.slot == Slot::ResultOf || member.is(record, "name")
        };
        if result && reading.layout == Layout::Chat {
            owned.extend((0..list.len()).filter(answers));
        }
        // Content beside blocks stays if nothing is written in its place.
        let content = member(written, 0, "content").map(|(_, at)| &written[at]);
        let nothing = content.is_none_or(|value| matches!(value, b"null" | b"\"\"")) && !result;
        let stays = nothing && (reading.beside.is_some() || reading.content.is_some() && self.content().is_none());
        if let Some(i) = reading.beside.filter(|_| !stays && !self.blocks) {
            let value = &record[self.value(i).clone()];
            plan.losses.extend((!matches!(value, b"null" | b"\"\"")).then_some(Loss::Extra));
            owned.push(i);
        }
        // A null in place of reasoning says nothing beside it, and readers of tags often refuse such fields.
        let voids = message.blocks.iter().any(|block| block.kind == Kind::Reasoning) || self.inline;
        owned.extend(reading.voids.iter().filter(|_| voids && !self.blocks));
        let mut all: Vec<_> = members(written, 0).collect();
        if !self.blocks && message.blocks.iter().any(|block| block.get(Attribute::SourceFirst).is_some()) {
            // The field stood before the content.
            let others = ["role", "content", "tool_calls"];
            let place = |key: &Literal| others.iter().position(|name| key.is(written, name)).map_or(1, |at| at * 2);
            all.sort_by_key(|(key, ..)| place(key));
        }
        let mut bits = Vec::new();
        for (key, _, at) in all {
            let name = utf8(key.raw(written));
            // The role has a place of its own; empty content stays where it is.
            let own = if self.blocks { name != "blocks" } else { name == "role" || stays && name == "content" };
            if own || self.blocks && message.blocks.is_empty() && self.content().is_none() {
                continue;
            }
            bits.extend((!bits.is_empty()).then(|| text(out.style.comma)));
            bits.push(out.style.name(&name));
            bits.push(text(utf8(&written[at])));
            let tool = message.blocks.iter().find_map(|block| block.get(Attribute::Name));
            if let Some(tool) = tool.filter(|_| name == "tool_call_id") {
                bits.extend([text(out.style.comma), out.style.name("name"), text(utf8(tool))]);
            }
        }
        owned.iter().for_each(|i| out.drop(*i));
        match owned.first() {
            _ if bits.is_empty() => (),
            Some(i) => out.put(*i, bits),
            None => out.insert(None, bits, context.body, plan),
        }
    }
}

/// Writes the role, or the speaker, in the words of the target.
pub(super) fn role(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    tool: bool,
    members: &mut Members<'_>,
) {
    let (Some(i), body) = (reading.role, context.body) else { return };
    let member = &draft.members.list[i];
    let (speaker, name) = (member.is(body.text, "speaker"), string(body.text, &member.value));
    let role = match name.as_slice() {
        _ if tool => text("\"tool\""),
        b"ai" if speaker => text("\"assistant\""),
        b"human" if speaker => text("\"user\""),
        b"model" if reading.layout == Layout::Gemini => text("\"assistant\""),
        _ if member.is(body.text, "role") => return,
        _ => copy(body, &member.value),
    };
    members.put(i, vec![members.style.name("role"), role]);
}

/// Writes the speaker, if there is a word for the role.
pub(super) fn speaker(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    tool: bool,
    members: &mut Members<'_>,
) {
    let Some(i) = reading.role else { return };
    let name = string(context.body.text, &draft.members.list[i].value);
    let speaker = match name.as_slice() {
        _ if tool => "\"tool\"",
        name if draft.role == Some(Role::Tool) && name != b"function" => "\"tool\"",
        b"assistant" | b"model" => "\"ai\"",
        b"user" => "\"human\"",
        // No speaker corresponds to this role: the member stays.
        _ => return,
    };
    members.put(i, vec![members.style.name("speaker"), text(speaker)]);
}
