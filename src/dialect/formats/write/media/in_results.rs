//! Media in the results of calls.

use super::{Media, MediaFacts};
use crate::dialect::formats::write::{others, part_texts, result_value};
use crate::json::elements;
use crate::model::content::{Block, BlockMessage, Other};
use crate::model::{Leaf, Loss, Losses, Role};

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
    let is_list = |block: &Block| {
        let value = result_value(block).filter(|value| value.first() == Some(&b'['));
        value.is_some_and(|value| elements(value, 0).any(|(_, at)| of_part(&value[at]).is_some()))
    };
    message.role == Role::Tool && others(message, Other::Result).any(is_list)
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
