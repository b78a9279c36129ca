//! Parts of a message for which the target has no word. A record with one is refused: what is written must be read by
//! the readers of the target, and nothing of the message may be lost.

use super::parse::{entries, is_filled, string};
use super::said::{At, Block, Said, Shape};
use super::{Form, Target};
use crate::dialect::names::Name;
use crate::dialect::walk::Draft;
use crate::model::Loss;

/// Why a record with such a part is refused.
pub(in crate::dialect) const UNHELD: &str = "a part that the target has no word for";

/// Where such parts of a message begin, and what each is counted as.
pub(super) fn unheld(record: &[u8], draft: &Draft, said: &Said, target: &Target) -> Vec<(usize, Loss)> {
    let mut out = Vec::new();
    let blocks = target.form == Form::Blocks;
    if blocks && said.shape == Shape::Blocks {
        return out;
    }
    let is_outcome = |block: &Block| matches!(block, Block::Outcome(_));
    // A message with nothing but results becomes messages of the tool, which stand in a list where there are several.
    let answers = said.shape != Shape::Chat && said.blocks.iter().all(is_outcome);
    if !blocks && answers && said.blocks.len() > 1 && draft.element.is_none() {
        out.push((draft.object.start, Loss::Results));
    }
    for block in &said.blocks {
        let at = match block {
            Block::Raw(at) if is_filled(record, at) && !is_native(record, at, target) => at,
            Block::Call(call) if !blocks && said.shape == Shape::Chat => &call.block,
            Block::Outcome(outcome) if !blocks && !answers => &outcome.block,
            _ => continue,
        };
        out.push((at.start, Loss::Part));
    }
    let calls = draft.members.iter().enumerate().filter(|(i, member)| {
        let said_in_blocks = said.calls == Some(*i) && !said.beside.is_empty();
        member.name == Name::ToolCalls && is_filled(record, &member.value) && !said_in_blocks
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
