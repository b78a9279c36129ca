//! Splits content without its reasoning into segments.

use super::chat::plain;
use super::closing::{contains_close, escaped_text};
use super::harmony::Prefix;
use super::parse::entries;
use super::parsed::{At, Block, Call, Outcome, ParsedMessage, Run, TextPart, Thought};
use super::plan::{copies, copy, runs, text};
use super::{Context, Placement, Target, media};
use crate::json::text::decode;
use crate::model::Bit;

/// A segment of content without reasoning.
pub(super) enum Segment<'s> {
    Text { inside: Vec<Bit>, part: Option<&'s TextPart> },
    Raw(&'s At),
    Call(&'s Call),
    Outcome(&'s Outcome),
}

/// The segments of the content, with `prefix` before the first text. Reasoning between tags of another spelling gets
/// those of the target.
pub(super) fn segments<'s>(
    context: &Context<'_, '_>,
    parsed: &'s ParsedMessage,
    prefix: Prefix,
    target: &Target,
) -> Vec<Segment<'s>> {
    let mut out: Vec<Segment<'s>> = Vec::new();
    let Prefix { bits: mut pending, harmless } = prefix;
    for block in &parsed.blocks {
        match block {
            Block::Frame(at) if target.placement == Placement::Harmony => match out.last_mut() {
                Some(Segment::Text { inside, .. }) => inside.push(copy(context.body, at)),
                _ => pending.push(copy(context.body, at)),
            },
            Block::Thought(thought) if target.keeps(thought) => {
                let bits = delimited(context, thought, harmless, target);
                match out.last_mut() {
                    Some(Segment::Text { inside, .. }) => inside.extend(bits),
                    _ => pending.extend(bits),
                }
            }
            Block::Thought(_) | Block::Frame(_) => (),
            Block::Text { text, part } => {
                let mut bits = std::mem::take(&mut pending);
                match harmless {
                    true => bits.push(self::text(escaped_text(&visible_text(context, text), target))),
                    false => runs(context.body, text, &mut bits),
                }
                match (part, out.last_mut()) {
                    // The rest of a text around reasoning that was taken out.
                    (None, Some(Segment::Text { inside, .. })) => inside.extend(bits),
                    _ => out.push(Segment::Text { inside: bits, part: part.as_ref() }),
                }
            }
            Block::Raw(at) => out.push(Segment::Raw(at)),
            Block::Call(call) => out.push(Segment::Call(call)),
            Block::Outcome(outcome) => out.push(Segment::Outcome(outcome)),
        }
    }
    if !pending.is_empty() {
        out.insert(0, Segment::Text { inside: pending, part: None });
    }
    out
}

/// Reasoning that stays in the content, with its delimiters.
fn delimited(context: &Context<'_, '_>, thought: &Thought, harmless: bool, target: &Target) -> Vec<Bit> {
    let body = context.body;
    let delimiter = |usual: &str, at: &Option<At>| match at {
        Some(at) if target.placement == Placement::Harmony => copy(body, at),
        _ if target.placement == Placement::Harmony => text(""),
        _ => text(usual.to_string()),
    };
    let mut bits = vec![delimiter(&target.open, &thought.ends.0)];
    match harmless || target.escape && contains_close(body.text, thought, target) {
        true => bits.push(text(escaped_text(&plain(body.text, thought), target))),
        false => copies(body, thought.text.as_deref().unwrap_or_default(), &mut bits),
    }
    bits.push(delimiter(&target.close, &thought.ends.1));
    bits
}

/// A visible text, decoded.
fn visible_text(context: &Context<'_, '_>, text: &[Run]) -> Vec<u8> {
    let mut out = Vec::new();
    for run in text {
        match run {
            Run::At(at) => decode(&context.body.text[at.clone()], &mut out),
            Run::LineEnd => out.push(b'\n'),
        }
    }
    out
}

/// A list of parts, written.
pub(super) fn list(context: &Context<'_, '_>, segments: Vec<Segment<'_>>) -> Vec<Bit> {
    let (body, mut bits) = (context.body, vec![text("[")]);
    for (i, segment) in segments.into_iter().enumerate() {
        if i > 0 {
            bits.push(text(","));
        }
        match segment {
            Segment::Text { inside, part: Some(part) } if !part.marked && !is_gemini(body.text, part) => {
                bits.push(copy(body, &(part.at.start..part.literal.start)));
                bits.extend(inside);
                bits.push(copy(body, &(part.literal.end..part.at.end)));
            }
            Segment::Text { inside, part } => {
                bits.push(text("{\"type\":\"text\",\"text\":\""));
                bits.extend(inside);
                bits.push(text("\""));
                for extra in part.iter().flat_map(|part| &part.extras) {
                    bits.extend([text(","), copy(body, extra)]);
                }
                bits.push(text("}"));
            }
            Segment::Raw(at) => match media::part(body, at) {
                Some(part) => bits.extend(part),
                None => bits.push(copy(body, at)),
            },
            Segment::Call(Call { block, .. }) | Segment::Outcome(Outcome { block, .. }) => bits.push(copy(body, block)),
        }
    }
    bits.push(text("]"));
    bits
}

/// Whether a part is in the form of Gemini, without a type.
fn is_gemini(record: &[u8], part: &TextPart) -> bool {
    !entries(record, &part.at).iter().any(|e| e.is(record, "type"))
}
