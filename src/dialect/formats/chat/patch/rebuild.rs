//! Turns messages of another layout into messages with a role and content.

use super::chat::{Origin, free, is_named, member, report};
use super::harmony::Prefix;
use super::parse::{decoded, is_known, is_one_of, kind, string};
use super::parsed::{At, Block, Call, Layout, Outcome, ParsedMessage, TWICE, TextPart, Thought};
use super::plan::{Members, Plan, Style, copy, text};
use super::segments::{Segment, list, segments};
use super::{Context, Placement, Target, chat};
use crate::dialect::draft::Draft;
use crate::error::Error;
use crate::model::{Bit, Loss};

type All<'a, 's> = &'a [(Origin, &'s Thought, bool)];

/// The reasoning of a message, as it is to be written.
pub(super) struct Written<'a, 's> {
    /// All thoughts, and those that move.
    pub all: All<'a, 's>,
    pub moved: &'a [(Origin, &'s Thought)],
    /// The thoughts that move as one text, for a field.
    pub joined: Vec<Bit>,
    /// What goes before the content.
    pub prefix: Prefix,
    /// The message is a delta, which may lack content.
    pub delta: bool,
}

/// Rebuilds a message of another layout as one with a role and content.
pub(super) fn rebuild(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    written: Written<'_, '_>,
    target: &Target,
    mut members: Members<'_>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let body = context.body;
    let outcomes: Vec<&Outcome> = parsed.blocks.iter().filter_map(outcome).collect();
    let only_outcomes = !outcomes.is_empty() && outcomes.len() == parsed.blocks.len();
    let calls = parsed.blocks.iter().any(|block| matches!(block, Block::Call(_)));
    let second = parsed.calls.filter(|_| calls).or_else(|| parsed.answers.or(parsed.tool).filter(|_| only_outcomes));
    let second = second.or_else(|| parsed.beside_blocks.filter(|i| is_list(body.text, &draft.members.list[*i].value)));
    if let Some(i) = second {
        return Err(Error::new(draft.members.list[i].key.start, TWICE));
    }
    if only_outcomes && outcomes.len() > 1 {
        return several(context, draft, parsed, &outcomes, plan);
    }
    let Written { all, moved, .. } = written;
    report(context, parsed, all, target, plan);
    role(context, draft, parsed, only_outcomes, &mut members);
    match target.placement {
        Placement::Field(key) => fields_go(context, draft, parsed, (all, moved), key, &mut members, plan)?,
        _ => chat::fields_go(context, parsed, all, &mut members, plan),
    }
    let mut bits = Vec::new();
    if only_outcomes {
        if let Some(i) = parsed.beside_blocks {
            members.drop(i);
            plan.losses.extend(has_value(body.text, &draft.members.list[i].value).then_some(Loss::Extra));
        }
        outcome_members(context, draft, outcomes[0], &mut bits, plan);
    } else {
        // If the blocks have no text, null or empty content beside them stays.
        let texts = !written.prefix.bits.is_empty()
            || parsed.blocks.iter().any(|block| match block {
                Block::Thought(thought) => target.keeps(thought),
                block => matches!(block, Block::Text { .. } | Block::Raw(_)),
            });
        let beside = parsed.beside_blocks.inspect(|i| {
            if texts {
                members.drop(*i);
                plan.losses.extend(has_value(body.text, &draft.members.list[*i].value).then_some(Loss::Extra));
            }
        });
        let written = Written { delta: written.delta || beside.is_some(), ..written };
        contents(context, parsed, written, target, &members.style, &mut bits);
    }
    match parsed.content {
        Some(i) if bits.is_empty() => members.drop(i),
        Some(i) => members.put(i, bits),
        None => (),
    }
    members.finish(body, plan);
    Ok(())
}

/// Cuts the fields beside the blocks: their text is written with that of the blocks. An empty field stays.
fn fields_go(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    (all, moved): (All<'_, '_>, &[(Origin, &Thought)]),
    key: &'static str,
    members: &mut Members<'_>,
    plan: &mut Plan,
) -> Result<(), Error> {
    let record = context.body.text;
    if !moved.is_empty() {
        free(record, draft, parsed, key)?;
    }
    parsed.flats.iter().for_each(|(i, _)| members.drop(*i));
    chat::structures(all).for_each(|i| members.drop(i));
    let other = |i: &usize| is_named(record, draft, *i, key) && !moved.is_empty();
    if let Some((i, _)) = parsed.structures.iter().find(|(i, _)| other(i) && chat::structures(all).all(|s| s != *i)) {
        members.drop(*i);
        plan.losses.push(Loss::Copy);
    }
    let place = parsed.voids.iter().copied().find(|i| is_named(record, draft, *i, key));
    let taken = (0..draft.members.list.len()).any(|i| is_named(record, draft, i, key));
    let place = place.or_else(|| parsed.voids.first().copied().filter(|_| !taken)).filter(|_| moved.is_empty());
    for i in parsed.voids.iter().copied() {
        match Some(i) == place {
            true if is_named(record, draft, i, key) => (),
            true => members.rename(context.body, i, key),
            false => members.drop(i),
        }
    }
    Ok(())
}

/// Replaces the speaker by a role.
pub(super) fn role(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    tool: bool,
    members: &mut Members<'_>,
) {
    let body = context.body;
    let Some(i) = parsed.role else { return };
    let member = &draft.members.list[i];
    let speaker = member.is(body.text, "speaker");
    let role = match string(body.text, &member.value).as_slice() {
        _ if tool => text("\"tool\""),
        b"ai" if speaker => text("\"assistant\""),
        b"human" if speaker => text("\"user\""),
        b"model" if parsed.layout == Layout::Gemini => text("\"assistant\""),
        _ if member.is(body.text, "role") => return,
        _ => copy(body, &member.value),
    };
    members.put(i, vec![members.style.name("role"), role]);
}

/// Whether content beside blocks is a list of parts.
pub(super) fn is_list(record: &[u8], at: &At) -> bool {
    matches!(kind(record, at), b'[' | b'{') && record[at.start + 1..].trim_ascii_start().first() != Some(&b']')
}

/// Whether a value is neither null nor an empty string.
fn has_value(record: &[u8], at: &At) -> bool {
    !matches!(&record[at.clone()], b"null" | b"\"\"")
}

fn outcome(block: &Block) -> Option<&Outcome> {
    if let Block::Outcome(outcome) = block { Some(outcome) } else { None }
}

/// Writes the members that replace the blocks.
fn contents(
    context: &Context<'_, '_>,
    parsed: &ParsedMessage,
    Written { moved, joined, prefix, delta: empty, .. }: Written<'_, '_>,
    target: &Target,
    style: &Style,
    out: &mut Vec<Bit>,
) {
    let segments = segments(context, parsed, prefix, target);
    let (calls, rest): (Vec<_>, Vec<_>) = segments.into_iter().partition(|segment| matches!(segment, Segment::Call(_)));
    let mut parts: Vec<Vec<Bit>> = Vec::new();
    let single = |part: &Option<&TextPart>| part.is_none_or(|p| p.plain && !p.marked);
    match rest.as_slice() {
        [] if calls.is_empty() && !empty => parts.push(member(style, "content", Vec::new())),
        [] => (),
        [Segment::Text { part, .. }] if single(part) => {
            if let Some(Segment::Text { inside, .. }) = rest.into_iter().next() {
                parts.push(member(style, "content", inside));
            }
        }
        _ => {
            let mut bits = vec![style.name("content")];
            bits.extend(list(context, rest));
            parts.push(bits);
        }
    }
    if let (Placement::Field(key), false) = (target.placement, moved.is_empty()) {
        let at = if moved.iter().any(|(_, thought)| thought.first) { 0 } else { parts.len() };
        parts.insert(at, member(style, key, joined));
    }
    if !calls.is_empty() {
        let mut list = vec![style.name("tool_calls"), text("[")];
        for (i, segment) in calls.iter().enumerate() {
            if let Segment::Call(call) = segment {
                list.push(text(if i > 0 { "," } else { "" }));
                call_object(context, call, &mut list);
            }
        }
        list.push(text("]"));
        parts.push(list);
    }
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            out.push(text(style.comma));
        }
        out.extend(part);
    }
}

/// A string whose text is the JSON of a value.
fn quoted(record: &[u8], at: &At) -> Bit {
    text(serde_json::Value::from(String::from_utf8_lossy(&record[at.clone()])).to_string())
}

fn call_object(context: &Context<'_, '_>, call: &Call, out: &mut Vec<Bit>) {
    let body = context.body;
    out.push(text("{"));
    if let Some(id) = &call.id {
        out.extend([text("\"id\":"), copy(body, id), text(",")]);
    }
    out.extend([text("\"type\":\"function\",\"function\":{\"name\":"), copy(body, &call.name)]);
    out.push(text(",\"arguments\":"));
    out.push(match &call.arguments {
        Some(Ok(literal)) => copy(body, &(literal.start - 1..literal.end + 1)),
        Some(Err(value)) => quoted(body.text, value),
        None => text("\"{}\""),
    });
    out.push(text("}"));
    for extra in call.extras.iter().filter(|at| !is_one_of(body.text, at, &["id", "type", "function"])) {
        out.extend([text(","), copy(body, extra)]);
    }
    out.push(text("}"));
}

/// Writes the members of a message with the result of a tool call.
fn outcome_members(context: &Context<'_, '_>, draft: &Draft, outcome: &Outcome, out: &mut Vec<Bit>, plan: &mut Plan) {
    let body = context.body;
    if let Some(id) = &outcome.id {
        out.extend([text("\"tool_call_id\":"), copy(body, id), text(",")]);
    }
    if let Some(name) = &outcome.name {
        out.extend([text("\"name\":"), copy(body, name), text(",")]);
    }
    out.push(text("\"content\":"));
    out.push(match &outcome.result {
        Some(at) if matches!(kind(body.text, at), b'"' | b'[') => copy(body, at),
        Some(at) => {
            plan.losses.push(Loss::Result);
            quoted(body.text, at)
        }
        None => text("\"\""),
    });
    for extra in &outcome.extras {
        match belongs(context, draft, extra) {
            true => out.extend([text(","), copy(body, extra)]),
            false => plan.losses.push_at(Some(body.offset(extra.start)), Loss::Extra),
        }
    }
}

/// Whether a member of a tool result can stand in the message without another meaning.
fn belongs(context: &Context<'_, '_>, draft: &Draft, member: &At) -> bool {
    let record = context.body.text;
    let name = |member: &At| decoded(record, member);
    if draft.members.list.iter().any(|m| name(&m.at()) == name(member)) {
        return false;
    }
    is_one_of(record, member, &["error", "isComplete"])
        || !is_known(record, member, context.rows) && !is_one_of(record, member, &["tool_call_id", "name"])
}

/// Splits a message with several results into several messages, if it stands in a list.
fn several(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    outcomes: &[&Outcome],
    plan: &mut Plan,
) -> Result<(), Error> {
    let mut bits = Vec::new();
    for (i, outcome) in outcomes.iter().enumerate() {
        bits.push(text(if i > 0 { ",{" } else { "{" }));
        for (n, member) in draft.members.list.iter().enumerate().filter(|_| i == 0) {
            if ![parsed.content, parsed.role, parsed.beside_blocks].contains(&Some(n)) {
                bits.extend([copy(context.body, &member.at()), text(",")]);
            }
        }
        bits.push(text("\"role\":\"tool\","));
        outcome_members(context, draft, outcome, &mut bits, plan);
        bits.push(text("}"));
    }
    plan.edits.push((context.body.span(draft.object.clone()), bits));
    Ok(())
}
