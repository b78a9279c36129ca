//! Parts of a message that cannot be written in the target. A record with such a part is refused: the target's readers
//! must be able to read what is written, and nothing of the message may be lost.

use super::parse::{entries, is_filled, string};
use super::parsed::{At, Block, Layout, ParsedMessage};
use super::{Placement, Target, media};
use crate::dialect::draft::Draft;
use crate::dialect::formats::shared::is_blank;
use crate::dialect::shape::Slot;
use crate::frame::Body;
use crate::model::Loss;

/// The error for a record with such a part.
pub(in crate::dialect) const UNSUPPORTED: &str = "a part that the target has no word for";

/// Where such parts of a message begin, each with its loss.
pub(super) fn unsupported(
    body: &Body<'_>,
    draft: &Draft,
    parsed: &ParsedMessage,
    target: &Target,
) -> Vec<(usize, Loss)> {
    let record = body.text;
    let mut out = Vec::new();
    let blocks = target.placement == Placement::Blocks;
    if blocks && parsed.layout == Layout::Blocks {
        return out;
    }
    let is_outcome = |block: &Block| matches!(block, Block::Outcome(_));
    // A message of nothing but results becomes one tool message for each, which takes a list if there are several.
    let answers = parsed.layout != Layout::Chat && parsed.blocks.iter().all(is_outcome);
    if !blocks && answers && parsed.blocks.len() > 1 && draft.element.is_none() {
        out.push((draft.object.start, Loss::Results));
    }
    for block in &parsed.blocks {
        let at = match block {
            Block::Raw(at) if blocks && media::block(body, at).is_some() => continue,
            Block::Raw(at) if !blocks && media::part(body, at).is_some() => continue,
            Block::Raw(at) if is_filled(record, at) && !is_native(record, at, target) => at,
            Block::Call(call) if !blocks && parsed.layout == Layout::Chat => &call.block,
            Block::Outcome(outcome) if !blocks && !answers => &outcome.block,
            _ => continue,
        };
        out.push((at.start, Loss::Part));
    }
    let calls = draft.members.list.iter().enumerate().filter(|(i, member)| {
        let written_as_blocks = parsed.calls == Some(*i) && !parsed.beside.is_empty();
        member.slot == Slot::Calls
            && is_filled(record, &member.value)
            && !is_blank(record, member.value.start)
            && !written_as_blocks
    });
    if blocks {
        out.extend(calls.map(|(_, member)| (member.key.start, Loss::Part)));
    }
    out
}

/// Whether the readers of the target know a part of this type.
fn is_native(record: &[u8], at: &At, target: &Target) -> bool {
    let named = entries(record, at).into_iter().find(|e| e.is(record, "type"));
    let named = named.map(|e| string(record, &e.value)).unwrap_or_default();
    target.native.iter().any(|native| native.as_bytes() == named)
}
