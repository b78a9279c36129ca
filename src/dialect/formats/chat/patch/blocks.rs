//! Messages with a speaker and blocks.

use super::chat::{Origin, thoughts};
use super::parse::{MARK, inside, is_one_of, kind, string};
use super::parsed::{At, Block, Call, Layout, Outcome, ParsedMessage, Run, TWICE, TextPart, Thought};
use super::plan::{Members, Plan, Style, copies, copy, runs, text};
use super::rebuild::is_list;
use super::{Context, Target, media};
use crate::dialect::draft::Draft;
use crate::error::Error;
use crate::model::{Bit, Loss, Losses, Role};

/// Writes a message.
pub(super) fn write(
    context: &mut Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    target: &Target,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    let all = thoughts(record, parsed, true);
    let is_copy = |origin: &Origin, copy: &bool| *origin == Origin::Contained && *copy;
    let beside = all.iter().any(|(origin, _, copy)| *origin != Origin::Block && !is_copy(origin, copy));
    let tagged = all.iter().any(|(_, thought, _)| thought.tagged);
    let settled = parsed.layout == Layout::Blocks && !beside && !tagged && !parsed.is_framed();
    if settled || super::is_system(draft) && all.is_empty() {
        return Ok(());
    }
    let odd = |i: &usize| !matches!(kind(record, &draft.members.list[*i].value), b'"' | b'{' | b'[' | b'n');
    if let Some(i) = parsed.content.filter(|i| parsed.layout != Layout::Chat && odd(i)) {
        return Err(Error::new(draft.members.list[i].key.start, "blocks that are no list"));
    }
    if let Some(i) = parsed.beside_blocks.filter(|i| is_list(record, &draft.members.list[*i].value)) {
        return Err(Error::new(draft.members.list[i].key.start, TWICE));
    }
    let mut members = Members::new(context.body, draft);
    if let Some(i) = parsed.role {
        role(context, draft, i, &mut members);
    }
    for (origin, _, copy) in &all {
        match *origin {
            Origin::Flat(i) | Origin::Structure(i) => {
                members.drop(i);
                plan.losses.extend(copy.then_some(Loss::Copy));
            }
            Origin::Block => plan.losses.extend(copy.then_some(Loss::Copy)),
            Origin::Contained => (),
        }
    }
    plan.losses.extend(parsed.lost(target));
    let calls = parsed.calls.filter(|_| !parsed.beside.is_empty());
    let mut blocks =
        Blocks { context, out: vec![members.style.name("blocks")], some: false, losses: Losses::default() };
    let content =
        parsed.content.filter(|i| parsed.layout != Layout::Chat || has_content(record, &draft.members.list[*i].value));
    let answer = parsed.answers.filter(|_| draft.role == Some(Role::Tool)).zip(content);
    if let Some((id, result)) = answer {
        blocks.answer(draft, parsed, id, result, &mut members);
    } else {
        all.iter()
            .filter(|(origin, _, copy)| *origin != Origin::Block && !copy)
            .for_each(|(_, t, _)| blocks.thought(t, content.is_some_and(|c| is_before(t, parsed, draft, c))));
        if content.is_some() {
            let copy = |thought: &Thought| all.iter().any(|(_, other, copy)| *copy && std::ptr::eq(*other, thought));
            blocks.content(parsed, calls.is_some(), copy);
        }
        parsed.beside.iter().for_each(|call| blocks.call(call));
    }
    plan.losses.append(&mut blocks.losses);
    let out = blocks.close();
    calls.into_iter().for_each(|i| members.drop(i));
    let place = content.or_else(|| parsed.flats.first().map(|(i, _)| *i));
    let place = place.or_else(|| super::chat::structures(&all).next()).or(calls);
    match place {
        Some(i) => members.put(i, out),
        None if all.iter().any(|(origin, _, copy)| *origin == Origin::Contained && !copy) => {
            members.insert(None, out, context.body, plan);
        }
        None => (),
    }
    members.finish(context.body, plan);
    Ok(())
}

/// Whether a thought comes before the content: its field stands before it in the record.
fn is_before(thought: &Thought, parsed: &ParsedMessage, draft: &Draft, content: usize) -> bool {
    let start = thought.text.iter().flatten().next().map_or(0, |at| at.start);
    parsed.layout == Layout::Chat && start < draft.members.list[content].key.start && thought.block.is_none()
}

/// Whether content is anything but null or an empty list.
fn has_content(record: &[u8], value: &At) -> bool {
    match kind(record, value) {
        b'"' | b'{' => true,
        b'[' => record[value.start + 1..].trim_ascii_start().first() != Some(&b']'),
        _ => false,
    }
}

fn role(context: &Context<'_, '_>, draft: &Draft, i: usize, members: &mut Members<'_>) {
    let name = string(context.body.text, &draft.members.list[i].value);
    let speaker = match name.as_slice() {
        name if draft.role == Some(Role::Tool) && name != b"function" => "\"tool\"",
        b"assistant" | b"model" => "\"ai\"",
        b"user" => "\"human\"",
        // No speaker corresponds to this role: the member stays.
        _ => return,
    };
    members.put(i, vec![members.style.name("speaker"), text(speaker)]);
}

/// Renames the role of a delta to its speaker.
pub(super) fn speaker(context: &Context<'_, '_>, draft: &Draft, parsed: &ParsedMessage, members: &mut Members<'_>) {
    if let Some(i) = parsed.role {
        role(context, draft, i, members);
    }
}

/// The member with the blocks of a delta, as bits.
pub(super) fn list<'t>(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    beside: impl Iterator<Item = &'t Thought>,
) -> Vec<Bit> {
    let name = Style::of(context.body, draft).name("blocks");
    let mut blocks = Blocks { context, out: vec![name], some: false, losses: Losses::default() };
    beside.for_each(|thought| {
        blocks.thought(thought, parsed.content.is_some_and(|i| is_before(thought, parsed, draft, i)))
    });
    blocks.content(parsed, false, |_| false);
    blocks.close()
}

/// One block of a delta that is not text, as bits.
pub(super) fn one(context: &Context<'_, '_>, parsed: &ParsedMessage, block: &Block) -> Vec<Bit> {
    // The first block of a list opens it; a comma before a later one is not part of the block.
    let mut blocks = Blocks { context, out: Vec::new(), some: true, losses: Losses::default() };
    match block {
        Block::Thought(thought) => blocks.thought(thought, false),
        Block::Raw(at) => blocks.other(at),
        Block::Call(call) if parsed.layout == Layout::Chat => blocks.call(call),
        Block::Outcome(outcome) if parsed.layout == Layout::Chat => blocks.outcome(outcome),
        _ => return Vec::new(),
    }
    blocks.out.split_off(1)
}

/// Writes a delta in blocks. An empty member stays in its place, so that it can be converted back.
pub(super) fn delta(context: &Context<'_, '_>, draft: &Draft, parsed: &ParsedMessage, plan: &mut Plan) {
    let body = context.body;
    let mut members = Members::new(body, draft);
    if parsed.layout == Layout::Chat {
        speaker(context, draft, parsed, &mut members);
        let filled = |thought: &Thought| thought.text.iter().flatten().any(|at| !at.is_empty());
        let flats: Vec<_> = parsed.flats.iter().filter(|(_, thought)| filled(thought)).collect();
        let value = |i: usize| &draft.members.list[i].value;
        let has_content = |i: &usize| {
            kind(body.text, value(*i)) == b'"' && !inside(value(*i)).is_empty() || kind(body.text, value(*i)) == b'['
        };
        let content = parsed.content.filter(has_content);
        let place = content.or_else(|| flats.first().map(|(i, _)| *i));
        if let Some(place) = place {
            let list = list(context, draft, parsed, flats.iter().map(|(_, thought)| thought));
            flats.iter().for_each(|(i, _)| members.drop(*i));
            members.put(place, list);
        }
    }
    members.finish(body, plan);
}

struct Blocks<'c, 'a, 'b> {
    context: &'c Context<'a, 'b>,
    /// The member's bytes so far.
    out: Vec<Bit>,
    /// It has a block already.
    some: bool,
    losses: Losses,
}

impl Blocks<'_, '_, '_> {
    /// Writes what separates the next block from the one before.
    fn next(&mut self) {
        let some = std::mem::replace(&mut self.some, true);
        self.out.push(text(if some { "," } else { "[" }));
    }

    /// Ends the member, and returns it.
    fn close(mut self) -> Vec<Bit> {
        self.out.push(text(if self.some { "]" } else { "[]" }));
        self.out
    }

    fn raw(&mut self, at: &At) {
        self.next();
        self.out.push(copy(self.context.body, at));
    }

    /// A part of a chat message that is neither text, reasoning, call nor result.
    fn other(&mut self, at: &At) {
        let Some((bits, lossy)) = media::block(self.context.body, at) else { return self.raw(at) };
        self.next();
        self.out.extend(bits);
        self.losses.push_if(lossy, Some(self.context.body.offset(at.start)), Loss::Extra);
    }

    fn content(&mut self, parsed: &ParsedMessage, calls: bool, is_copy: impl Fn(&Thought) -> bool) {
        let alone = parsed.layout == Layout::Chat && parsed.parts == 1;
        let empty = |text: &[Run]| text.iter().all(Run::is_empty);
        // If all text is in one part, the part is written once, with the first stretch of its text.
        let mut all = parsed.blocks.iter().filter(|block| !matches!(block, Block::Frame(_))).peekable();
        while let Some(block) = all.next() {
            match block {
                Block::Frame(_) => (),
                Block::Thought(t) if is_copy(t) => (),
                Block::Thought(t) if t.block.is_some() && parsed.layout == Layout::Blocks && !t.tagged => {
                    t.block.iter().for_each(|at| self.raw(at));
                }
                Block::Thought(t) => self.thought(t, false),
                Block::Text { text, part: None } if empty(text) && !calls => (),
                Block::Text { text, part } => {
                    // Messages in one text stay in one block.
                    let mut text = text.clone();
                    while let Some(Block::Text { text: more, part: None }) = all.peek() {
                        text.extend_from_slice(more);
                        all.next();
                    }
                    self.text(parsed, &text, part.as_ref(), alone);
                }
                Block::Raw(at) if parsed.layout == Layout::Chat => self.other(at),
                Block::Raw(at) => self.raw(at),
                Block::Call(call) if parsed.layout == Layout::Blocks => self.raw(&call.block),
                Block::Outcome(o) if parsed.layout == Layout::Blocks => self.raw(&o.block),
                Block::Call(call) => self.call(call),
                Block::Outcome(outcome) => self.outcome(outcome),
            }
        }
    }

    fn text(&mut self, parsed: &ParsedMessage, ranges: &[Run], part: Option<&TextPart>, alone: bool) {
        self.next();
        let (body, bits) = (self.context.body, &mut self.out);
        match part {
            Some(part) if parsed.layout != Layout::Gemini && !(alone && part.plain) => {
                bits.push(copy(body, &(part.at.start..part.literal.start)));
                runs(body, ranges, bits);
                bits.push(copy(body, &(part.literal.end..part.at.end)));
            }
            _ => {
                bits.push(text("{\"type\":\"text\",\"text\":\""));
                runs(body, ranges, bits);
                if part.is_some() && parsed.layout == Layout::Chat {
                    let mark = String::from_utf8_lossy(MARK);
                    bits.push(text(format!("\",\"providerMetadata\":{mark}}}")));
                } else {
                    bits.push(text("\""));
                    for extra in part.iter().flat_map(|part| &part.extras) {
                        bits.extend([text(","), copy(body, extra)]);
                    }
                    bits.push(text("}"));
                }
            }
        }
    }

    fn thought(&mut self, thought: &Thought, first: bool) {
        self.next();
        let (body, bits) = (self.context.body, &mut self.out);
        let first = first || thought.first;
        bits.push(text("{\"type\":\"thinking\""));
        if let (Some(source), true) = (&thought.source, first) {
            bits.push(source_field(source));
        }
        bits.push(text(",\"thought\":\""));
        copies(body, thought.text.as_deref().unwrap_or_default(), bits);
        bits.push(text("\""));
        if let (Some(source), false) = (&thought.source, first) {
            bits.push(source_field(source));
        }
        for (name, value) in
            [("signature", &thought.signature), ("isHidden", &thought.hidden), ("encryptedContent", &thought.encrypted)]
        {
            if let Some(at) = value {
                bits.extend([text(format!(",\"{name}\":")), copy(body, at)]);
            }
        }
        let taken = ["type", "thought", "sourceField", "signature", "isHidden", "encryptedContent"];
        self.extras(&thought.extras, &taken);
    }

    fn call(&mut self, call: &Call) {
        self.next();
        let (body, bits) = (self.context.body, &mut self.out);
        bits.push(text("{\"type\":\"tool_call\""));
        if let Some(id) = &call.id {
            bits.extend([text(",\"id\":"), copy(body, id)]);
        }
        bits.extend([text(",\"name\":"), copy(body, &call.name), text(",\"parameters\":")]);
        bits.push(match &call.arguments {
            Some(Ok(literal)) => parameters(self.context, &(literal.start - 1..literal.end + 1)),
            Some(Err(value)) => copy(body, value),
            None => text("{}"),
        });
        self.extras(&call.extras, &["type", "id", "name", "parameters"]);
    }

    /// Ends a block with its other members, except those whose name would mean something.
    fn extras(&mut self, extras: &[At], taken: &[&str]) {
        let body = self.context.body;
        for extra in extras {
            match is_one_of(body.text, extra, taken) {
                true => self.losses.push_at(Some(body.offset(extra.start)), Loss::Extra),
                false => self.out.extend([text(","), copy(body, extra)]),
            }
        }
        self.out.push(text("}"));
    }

    fn outcome(&mut self, outcome: &Outcome) {
        self.next();
        let (body, bits) = (self.context.body, &mut self.out);
        bits.push(text("{\"type\":\"tool_response\""));
        for (name, at) in [("callId", &outcome.id), ("toolName", &outcome.name), ("result", &outcome.result)] {
            if let Some(at) = at {
                bits.extend([text(format!(",\"{name}\":")), copy(body, at)]);
            }
        }
        self.extras(&outcome.extras, &["type", "callId", "toolName", "result"]);
    }

    /// Writes a message that answers a tool call.
    fn answer(&mut self, draft: &Draft, parsed: &ParsedMessage, id: usize, result: usize, members: &mut Members<'_>) {
        let record = self.context.body.text;
        let value = |i: usize| draft.members.list[i].value.clone();
        let mut extras = Vec::new();
        for (i, member) in draft.members.list.iter().enumerate() {
            if member.is(record, "error") || member.is(record, "isComplete") {
                members.drop(i);
                extras.push(member.at());
            }
        }
        members.drop(id);
        let name = parsed.tool.inspect(|i| members.drop(*i)).map(value);
        let block = draft.object.clone();
        self.outcome(&Outcome { id: Some(value(id)), name, result: Some(value(result)), extras, block });
    }
}

/// The member with the name of the field that the reasoning came from.
fn source_field(name: &str) -> Bit {
    match name {
        "reasoning_content" => text(",\"sourceField\":\"reasoning_content\""),
        "reasoning" => text(",\"sourceField\":\"reasoning\""),
        "think_tags" => text(",\"sourceField\":\"think_tags\""),
        name => text(format!(",\"sourceField\":{}", serde_json::Value::from(name))),
    }
}

/// The arguments of a call: the JSON value inside of their string, if it is JSON and not a string itself.
fn parameters(context: &Context<'_, '_>, at: &At) -> Bit {
    let record = context.body.text;
    let mut plain = Vec::new();
    crate::json::text::decode(&record[inside(at)], &mut plain);
    // A line end between tokens would end the line of the record.
    let object = plain.first().is_some_and(|b| *b != b'"') && !plain.contains(&b'\n') && !plain.contains(&b'\r');
    let value = object && crate::json::scan::validate(&plain).is_ok();
    match String::from_utf8(plain) {
        Ok(value_text) if value => text(value_text),
        _ => copy(context.body, at),
    }
}
