//! The content of a chat message: its text, or a list of parts.

use super::chat::member;
use super::harmony::Prefix;
use super::parse::kind;
use super::parsed::{At, Block, ParsedMessage};
use super::plan::{Members, Plan, copy, text};
use super::segments::{Segment, list, segments};
use super::{Context, Placement, Target};
use crate::dialect::draft::Draft;
use crate::model::{Bit, Loss};

/// Writes the content of a chat message without its reasoning, and with `prefix` in front.
pub(super) fn content(
    context: &Context<'_, '_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    prefix: Prefix,
    target: &Target,
    members: &mut Members<'_>,
    plan: &mut Plan,
) {
    let behind = !prefix.bits.is_empty();
    let body = context.body;
    let Some(i) =
        parsed.content.filter(|i| matches!(kind(body.text, &draft.members.list[*i].value), b'"' | b'[' | b'{'))
    else {
        if behind {
            plan.losses.push(Loss::Null);
            let written = member(&members.style, "content", prefix.bits);
            match parsed.content {
                Some(i) => members.put(i, written),
                None => members.insert(parsed.role, written, body, plan),
            }
        }
        return;
    };
    let value = &draft.members.list[i].value;
    let string = kind(body.text, value) == b'"';
    if stays(parsed, &prefix, target) {
        match (!behind, string) {
            (true, _) => (),
            (false, true) => plan.edits.push((body.span(value.start + 1..value.start + 1), prefix.bits)),
            (false, false) => list_prefix(context, parsed, value, prefix.bits, plan),
        }
        return;
    }
    if target.is_inline() {
        plan.losses.extend(parsed.lost(target));
    }
    let found = segments(context, parsed, prefix, target);
    let mut bits = vec![copy(body, &(draft.members.list[i].key.start - 1..value.start))];
    if string {
        bits.push(text("\""));
        if let Some(Segment::Text { inside, .. }) = found.into_iter().next() {
            bits.extend(inside);
        }
        bits.push(text("\""));
    } else {
        bits.extend(list(context, found));
    }
    members.put(i, bits);
}

/// Whether all of the content stays, with the prefix in front.
pub(super) fn stays(parsed: &ParsedMessage, prefix: &Prefix, target: &Target) -> bool {
    let behind = !prefix.bits.is_empty();
    parsed.blocks.iter().all(|block| match block {
        // A block without an opening tag is opened by the start of the message: behind a prefix that would be
        // elsewhere.
        Block::Thought(thought) if behind && thought.implied => false,
        Block::Thought(thought) => !prefix.harmless && target.keeps(thought) && !target.retags(thought),
        Block::Frame(_) => target.placement == Placement::Harmony,
        Block::Text { .. } => !prefix.harmless,
        _ => true,
    })
}

/// Puts the prefix in front of a list of parts: into its first text, or as a part of its own.
fn list_prefix(context: &Context<'_, '_>, parsed: &ParsedMessage, value: &At, prefix: Vec<Bit>, plan: &mut Plan) {
    let first = parsed.blocks.iter().find_map(|block| match block {
        Block::Text { part: Some(part), .. } => Some(part.literal.start),
        _ => None,
    });
    let (at, bits) = match first {
        Some(at) => (at, prefix),
        // The content is a single part, without a list.
        None if kind(context.body.text, value) == b'{' => {
            let mut bits = vec![text("[{\"type\":\"text\",\"text\":\"")];
            bits.extend(prefix);
            bits.push(text("\"},"));
            plan.edits.push((context.body.span(value.start..value.start), bits));
            plan.edits.push((context.body.span(value.end..value.end), vec![text("]")]));
            return;
        }
        None => {
            let comma = if parsed.blocks.is_empty() { "" } else { "," };
            let mut bits = vec![text("{\"type\":\"text\",\"text\":\"")];
            bits.extend(prefix);
            bits.push(text(format!("\"}}{comma}")));
            (value.start + 1, bits)
        }
    };
    plan.edits.push((context.body.span(at..at), bits));
}
