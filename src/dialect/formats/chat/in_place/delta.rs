//! Writes one delta: with a prefix before its text, or in another layout.

use super::buffered::{DeltaContent, block};
use super::edits::{MemberEdits, Plan, bytes, copies, losses, text};
use super::message::{FoundThought, fields_go, is_named, joined, moving, report, structures, thoughts};
use super::owned::{role, speaker};
use super::reading::{ContentPart, Layout, Reading, is_call};
use super::thought::{ReasoningPlace, Thought};
use super::values::{inside, kind};
use super::words::is_shown;
use super::written::{Written, member, put};
use super::{Context, ConversionTarget, Placement};
use crate::dialect::draft::Draft;
use crate::dialect::formats::chat::function;
use crate::dialect::formats::write::Json;
use crate::frame::Body;
use crate::json;
use crate::model::content::{self, Attribute, Block, Other};
use crate::model::{Bit, Loss};

/// Whether a delta has text of the answer, or a part of it.
pub(super) fn is_visible(reading: &Reading) -> bool {
    let text = |n: usize| reading.texts[n].stretches.iter().any(|s| is_shown(s) && !s.at.is_empty());
    (0..reading.texts.len()).any(text) || reading.parts.iter().any(|part| matches!(part, ContentPart::Other(_)))
}

/// Writes a delta with `prefix` before its visible text, and without reasoning fields. `begins`: no delta of the same
/// reasoning came before; `said`: its text, if it is escaped. Returns whether content that was null or absent became text.
pub(super) fn with_prefix(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    (prefix, begins, said): (Vec<Bit>, bool, Option<Bit>),
    target: &ConversionTarget,
    plan: &mut Plan,
) -> bool {
    if reading.layout != Layout::Chat {
        from_blocks(context, draft, reading, (prefix, said), target, plan);
        return false;
    }
    let mut members = MemberEdits::new(context.body, draft);
    let all = thoughts(context.body.text, reading, false);
    role(context, draft, reading, false, &mut members);
    let (copied, own): (Vec<FoundThought<'_>>, _) = all.iter().copied().partition(|(_, copy)| *copy);
    copied.iter().for_each(|(thought, _)| lose_copy(context.body, thought, plan));
    own.iter().for_each(|(thought, _)| losses(context.body, thought, Some("think_tags"), plan));
    fields_go(context, reading, &all, &mut members, plan);
    // Every delta of the reasoning has the channel, so that this loss is reported where the reasoning begins.
    if !begins {
        plan.losses.retain(|loss| loss != Loss::Channel);
    }
    let nulls = plan.losses.len();
    put(context, draft, reading, Written::of(prefix), &mut members, plan);
    let null = plan.losses.split_off(nulls).list().iter().any(|lost| lost.loss == Loss::Null);
    members.finish(context.body, plan);
    // A delta adds only new text: absent content is as good as empty content.
    null && reading.content.is_some()
}

/// Writes a delta with a list of blocks as one with content, with `prefix` before its text; `said`: its text, if it is
/// escaped.
pub(super) fn from_blocks(
    context: &Context<'_, '_>,
    draft: &Draft,
    reading: &Reading,
    (prefix, said): (Vec<Bit>, Option<Bit>),
    target: &ConversionTarget,
    plan: &mut Plan,
) {
    let body = context.body;
    let all = thoughts(body.text, reading, false);
    let moved = moving(body.text, target, &all);
    let mut members = MemberEdits::new(body, draft);
    report(context, reading, &all, (target, false), plan);
    role(context, draft, reading, false, &mut members);
    match target.placement.field() {
        Some(key) => {
            // A field that is null stays, if it is the target's own, and nothing else goes into it.
            let named = |i: &usize| is_named(body.text, draft, *i, key) && moved.is_empty();
            let gone = reading.flats.iter().chain(reading.voids.iter().filter(|i| !named(i))).copied();
            gone.chain(structures(&all)).for_each(|i| members.drop(i));
        }
        None => fields_go(context, reading, &all, &mut members, plan),
    }
    let mut written = Vec::new();
    if !reading.texts.is_empty() || !prefix.is_empty() {
        let mut inside = prefix;
        let texts = reading.texts.iter().map(|words| words.literal.start..words.literal.end);
        match said {
            Some(said) => inside.push(said),
            None => copies(body, &texts.collect::<Vec<_>>(), &mut inside),
        }
        written.push(member(&members.style, "content", inside));
        reading.beside.into_iter().for_each(|i| members.drop(i));
    }
    if let (Some(key), false) = (target.placement.field(), moved.is_empty()) {
        let at = if moved.iter().any(|thought| thought.first) { 0 } else { written.len() };
        written.insert(at, member(&members.style, key, joined(context, &moved)));
    }
    let calls: Vec<Block> = reading.parts.iter().filter_map(|part| call(context, part, plan)).collect();
    if !calls.is_empty() {
        let list = calls.iter().enumerate().fold(Json::list(), |list, (n, call)| list.item(&function(call, n)));
        written.push(vec![members.style.name("tool_calls"), bytes(list.end())]);
    }
    let bits = written.join(&text(members.style.comma));
    match reading.content {
        Some(i) if bits.is_empty() => members.drop(i),
        Some(i) => members.put(i, bits),
        None => (),
    }
    members.finish(body, plan);
}

/// Writes a delta as a list of blocks. An empty member stays in its place, so that it can be converted back.
pub(super) fn as_blocks(context: &Context<'_, '_>, draft: &Draft, reading: &Reading, plan: &mut Plan) {
    let body = context.body;
    let mut members = MemberEdits::new(body, draft);
    if reading.layout == Layout::Chat {
        speaker(context, draft, reading, false, &mut members);
        let value = |i: usize| &draft.members.list[i].value;
        let flats: Vec<usize> = reading.flats.iter().copied().filter(|i| !inside(value(*i)).is_empty()).collect();
        let filled = |i: &usize| match kind(body.text, value(*i)) {
            b'"' => !inside(value(*i)).is_empty(),
            first => first == b'[',
        };
        let content = reading.content.filter(filled);
        let all = thoughts(body.text, reading, true);
        let of = |i: &usize| all.iter().find(|(thought, _)| thought.origin == ReasoningPlace::Flat(*i)).copied();
        for (thought, _) in flats.iter().filter_map(of).filter(|(_, copy)| *copy) {
            lose_copy(body, thought, plan);
        }
        if let Some(place) = content.or_else(|| flats.first().copied()) {
            let before = |i: usize| content.is_some_and(|content| i < content);
            let own = |i: &usize| of(i).filter(|(_, copy)| !copy).map(|(thought, _)| block(body, thought, before(*i)));
            let mut blocks: Vec<Vec<Bit>> = flats.iter().filter_map(own).collect();
            if let Some(content) = content {
                blocks.extend(DeltaContent::new(body, reading, value(content), Placement::BLOCKS).whole());
            }
            let list = blocks.join(&text(","));
            flats.iter().for_each(|i| members.drop(*i));
            members.put(place, [vec![members.style.name("blocks"), text("[")], list, vec![text("]")]].concat());
        }
    }
    members.finish(body, plan);
}

/// Adds the loss of a field that has the same text as another.
fn lose_copy(body: &Body<'_>, thought: &Thought, plan: &mut Plan) {
    plan.losses.push_at(thought.start().map(|at| body.offset(at)), Loss::Copy);
}

/// The call that a part is.
fn call(context: &Context<'_, '_>, part: &ContentPart, plan: &mut Plan) -> Option<Block> {
    let record = context.body.text;
    let start = part.start().filter(|_| is_call(record, part))?;
    let mut block = Block::new(content::ContentKind::Other(Other::Call), "", 0);
    for (key, _, at) in json::members(record, start) {
        match key.decoded(record).as_ref() {
            b"type" => (),
            b"id" => block.facts.push((Attribute::CallId, record[at].to_vec())),
            b"name" => block.facts.push((Attribute::Name, record[at].to_vec())),
            b"parameters" if kind(record, &at) == b'"' => block.text.push(&record[inside(&at)], true),
            b"parameters" => block.facts.push((Attribute::Arguments, record[at].to_vec())),
            _ => plan.losses.push_at(Some(context.body.offset(key.start)), Loss::Extra),
        }
    }
    Some(block)
}
