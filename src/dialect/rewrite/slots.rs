//! Content without its reasoning, block by block.

use super::chat::plain;
use super::closer::{escaped_text, holds_close};
use super::parse::entries;
use super::plan::{copies, copy, text};
use super::said::{At, Block, Call, Outcome, Said, TextPart};
use super::{Context, Form, Target};
use crate::model::Bit;

/// Content without reasoning.
pub(super) enum Slot<'s> {
    Text { inside: Vec<Bit>, part: Option<&'s TextPart> },
    Raw(&'s At),
    Call(&'s Call),
    Outcome(&'s Outcome),
}

/// The content block by block, with `prefix` in front of the first text; reasoning between tags of another spelling
/// gets the right one.
pub(super) fn slots<'s>(context: &Context<'_, '_>, said: &'s Said, prefix: Vec<Bit>, target: &Target) -> Vec<Slot<'s>> {
    let mut out: Vec<Slot<'s>> = Vec::new();
    let mut pending = prefix;
    for block in &said.blocks {
        match block {
            Block::Thought(thought) if thought.tagged && target.form == Form::Tagged => {
                let mut bits = vec![text(target.open.clone())];
                match target.escape && holds_close(context.body.text, thought, target) {
                    true => bits.push(text(escaped_text(&plain(context.body.text, thought), target))),
                    false => copies(context.body, thought.text.as_deref().unwrap_or_default(), &mut bits),
                }
                bits.push(text(target.close.clone()));
                match out.last_mut() {
                    Some(Slot::Text { inside, .. }) => inside.extend(bits),
                    _ => pending.extend(bits),
                }
            }
            Block::Thought(_) => (),
            Block::Text { text, part } => {
                let mut bits = std::mem::take(&mut pending);
                copies(context.body, text, &mut bits);
                match (part, out.last_mut()) {
                    // The rest of a text that reasoning was taken out of.
                    (None, Some(Slot::Text { inside, .. })) => inside.extend(bits),
                    _ => out.push(Slot::Text { inside: bits, part: part.as_ref() }),
                }
            }
            Block::Raw(at) => out.push(Slot::Raw(at)),
            Block::Call(call) => out.push(Slot::Call(call)),
            Block::Outcome(outcome) => out.push(Slot::Outcome(outcome)),
        }
    }
    if !pending.is_empty() {
        out.insert(0, Slot::Text { inside: pending, part: None });
    }
    out
}

/// A list of parts.
pub(super) fn list(context: &Context<'_, '_>, slots: Vec<Slot<'_>>) -> Vec<Bit> {
    let (body, mut bits) = (context.body, vec![text("[")]);
    for (i, slot) in slots.into_iter().enumerate() {
        if i > 0 {
            bits.push(text(","));
        }
        match slot {
            Slot::Text { inside, part: Some(part) } if !part.marked && !is_gemini(body.text, part) => {
                bits.push(copy(body, &(part.at.start..part.literal.start)));
                bits.extend(inside);
                bits.push(copy(body, &(part.literal.end..part.at.end)));
            }
            Slot::Text { inside, part } => {
                bits.push(text("{\"type\":\"text\",\"text\":\""));
                bits.extend(inside);
                bits.push(text("\""));
                for extra in part.iter().flat_map(|part| &part.extras) {
                    bits.extend([text(","), copy(body, extra)]);
                }
                bits.push(text("}"));
            }
            Slot::Raw(at) => bits.push(copy(body, at)),
            Slot::Call(Call { block, .. }) | Slot::Outcome(Outcome { block, .. }) => bits.push(copy(body, block)),
        }
    }
    bits.push(text("]"));
    bits
}

/// A part of Gemini's has no type.
fn is_gemini(record: &[u8], part: &TextPart) -> bool {
    !entries(record, &part.at).iter().any(|e| e.is(record, "type"))
}
