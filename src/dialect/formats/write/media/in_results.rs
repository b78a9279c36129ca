//! Media in the results of calls.

use super::{Media, MediaFacts};
use crate::dialect::formats::write::{Json, others, part_texts, result_value};
use crate::json::elements;
use crate::model::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use crate::model::{Leaf, Loss, Losses, Role};
use std::borrow::Cow;

/// The medium that a part of a tool's result is, if it says so: a tool may return addresses and texts of its own.
fn of_part(value: &[u8]) -> Option<Media> {
    let mut found = MediaFacts::default();
    value.starts_with(b"{").then(|| found.object(value, 0, 0))?;
    let says_so = found.form.is_some() || !found.mime.is_empty() && found.data.is_some();
    if found.text.is_some() || !says_so { None } else { found.media() }
}

/// Whether a part of a tool's result says that it is a medium, or where one is.
pub(in crate::dialect) fn says_medium(value: &[u8]) -> bool {
    let mut found = MediaFacts::default();
    value.starts_with(b"{") && {
        found.object(value, 0, 0);
        found.form.is_some() || !found.mime.is_empty() || found.data.is_some()
    }
}

/// Whether the media of a message of a tool stand in its results, where some formats have a place for them.
pub(in crate::dialect) fn media_in_results(message: &BlockMessage) -> bool {
    message.role == Role::Tool && has_media_in_results(message)
}

/// Whether results in a message have media.
fn has_media_in_results(message: &BlockMessage) -> bool {
    let is_list = |block: &Block| {
        let value = result_value(block).filter(|value| value.first() == Some(&b'['));
        value.is_some_and(|value| elements(value, 0).any(|(_, at)| of_part(&value[at]).is_some()))
    };
    others(message, Other::Result).any(is_list)
}

/// The messages with the media of results behind the last result in a row, as a message of this role: for formats whose results
/// have no place for them, and where each result must follow the others.
pub(in crate::dialect) fn media_behind<'m>(
    messages: Cow<'m, [BlockMessage]>,
    role: Role,
    losses: &mut Losses,
) -> Cow<'m, [BlockMessage]> {
    if !messages.iter().any(has_media_in_results) {
        return messages;
    }
    let (mut out, mut waiting) = (Vec::with_capacity(messages.len() + 1), Vec::new());
    let send = |waiting: &mut Vec<Block>, out: &mut Vec<BlockMessage>| {
        let first = waiting.first().map(|block| block.at);
        let blocks = std::mem::take(waiting);
        out.extend(first.map(|at| BlockMessage { blocks, at, ..BlockMessage::new(role) }));
    };
    for message in messages.iter() {
        if others(message, Other::Result).next().is_none() {
            send(&mut waiting, &mut out);
        }
        let mut message = message.clone();
        if has_media_in_results(&message) {
            losses.of(&message);
            let by_tool = message.role == Role::Tool;
            // There, they are those of its results once more.
            message.blocks.retain(|block| !by_tool || block.kind != ContentKind::Other(Other::Media));
            for block in message.blocks.iter_mut().filter(|block| block.kind == ContentKind::Other(Other::Result)) {
                take_media(block, &mut waiting, losses);
            }
            // What the user says beside them takes them.
            if !by_tool {
                message.blocks.append(&mut waiting);
            }
        }
        out.push(message);
    }
    send(&mut waiting, &mut out);
    Cow::Owned(out)
}

/// Takes the media out of a result, each as a block.
fn take_media(result: &mut Block, out: &mut Vec<Block>, losses: &mut Losses) {
    let Some(list) = result_value(result).filter(|value| value.first() == Some(&b'[')) else { return };
    let (mut rest, before, at) = (Json::list(), out.len(), result.at);
    for (_, part) in elements(list, 0) {
        let part = &list[part];
        if of_part(part).is_none() {
            rest = rest.item(part);
            continue;
        }
        let facts = vec![(Attribute::Media, part.to_vec())];
        out.push(Block { facts, at, ..Block::new(ContentKind::Other(Other::Media), "", 0) });
    }
    if out.len() > before {
        // The result says them no more.
        losses.push_at(at, Loss::Result);
        let rest = rest.end();
        result.facts.retain(|(name, _)| *name != Attribute::Result);
        result.facts.push((Attribute::Result, rest));
    }
}

/// The result of a call as a list of parts, if it is one with media that are written; `write`: how, and `text`: a part of
/// text. Parts that are neither are a loss.
pub(in crate::dialect) fn result_media(
    block: &Block,
    losses: &mut Losses,
    text: impl Fn(&Leaf) -> Vec<u8>,
    write: fn(&Media, &mut Losses) -> Option<Vec<u8>>,
) -> Option<Vec<Vec<u8>>> {
    let value = result_value(block).filter(|value| value.first() == Some(&b'['))?;
    let (mut parts, mut some, before) = (Vec::new(), false, losses.len());
    for (_, at) in elements(value, 0) {
        let part = &value[at];
        let found = of_part(part).and_then(|found| Some((write(&found, losses)?, found.lossy)));
        if let Some((written, lossy)) = found {
            losses.extend(lossy.then_some(Loss::Extra));
            parts.push(written);
            some = true;
            continue;
        }
        let (texts, lossy) = part_texts(&[b"[", part, b"]"].concat());
        losses.extend(lossy);
        parts.extend(texts.iter().map(&text));
    }
    if !some {
        drop(losses.split_off(before));
    }
    some.then_some(parts)
}
