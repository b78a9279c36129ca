//! Messages of the assistant that hold the results of their calls, as programs keep them: for other formats each step is a
//! message of its own, and so are the results of its calls.

use super::Role;
use super::content::{Attribute, Block, BlockMessage, ContentKind, Other};
use std::collections::HashSet;

/// Adds the messages that a message becomes. The calls of one step stay together, with their results behind them, although each
/// result may stand right behind its call. What is known of the message as a whole is known of its last step.
pub fn of_message(mut message: BlockMessage, out: &mut Vec<BlockMessage>) {
    once(&mut message.blocks);
    let apart = |block: &Block| matches!(block.kind, ContentKind::Other(Other::Result | Other::Step));
    if message.role != Role::Assistant || !message.blocks.iter().any(apart) {
        return out.push(message);
    }
    let (at, place) = (message.at, message.place);
    let part = |role, blocks| BlockMessage { at, place, blocks, ..BlockMessage::new(role) };
    let (before, mut said, mut results) = (out.len(), Vec::new(), Vec::new());
    let mut over = |said: &mut Vec<Block>, results: &mut Vec<Block>| {
        for (role, blocks) in [(Role::Assistant, said), (Role::Tool, results)] {
            out.extend((!blocks.is_empty()).then(|| part(role, std::mem::take(blocks))));
        }
    };
    for block in message.blocks {
        let begins = !matches!(block.kind, ContentKind::Other(Other::Result | Other::Call));
        if begins && !results.is_empty() {
            over(&mut said, &mut results);
        }
        match block.kind {
            ContentKind::Other(Other::Step) => (),
            ContentKind::Other(Other::Result) => results.push(block),
            _ => said.push(block),
        }
    }
    over(&mut said, &mut results);
    if out.len() == before {
        // It had nothing but marks of steps.
        out.push(part(Role::Assistant, Vec::new()));
    }
    if let Some(last) = out[before..].iter_mut().rev().find(|message| message.role == Role::Assistant) {
        (last.facts, last.stop) = (message.facts, message.stop);
    }
}

/// Drops calls that stand there already: some programs keep the calls of a message in a form of their own beside its parts.
fn once(blocks: &mut Vec<Block>) {
    let is_call = |block: &Block| block.kind == ContentKind::Other(Other::Call);
    if blocks.iter().filter(|block| is_call(block)).nth(1).is_none() {
        return;
    }
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    blocks.retain(|block| match block.filled(Attribute::CallId).filter(|_| is_call(block)) {
        Some(id) => seen.insert(id.to_vec()),
        None => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content::Stop;

    fn messages(message: BlockMessage) -> Vec<BlockMessage> {
        let mut out = Vec::new();
        of_message(message, &mut out);
        out
    }

    #[test]
    fn a_call_stands_once() {
        let call = |id: Option<&str>| {
            let mut block = Block::new(ContentKind::Other(Other::Call), "", 0);
            block.facts.extend(id.map(|id| (Attribute::CallId, format!("\"{id}\"").into_bytes())));
            block
        };
        let mut message = BlockMessage::new(Role::Assistant);
        message.blocks = vec![call(Some("a")), call(None), call(Some("b")), call(Some("a")), call(None)];
        let ids: Vec<_> = messages(message)[0].blocks.iter().map(|b| b.filled(Attribute::CallId).is_some()).collect();
        assert_eq!(ids, [true, false, true, false]);
    }

    #[test]
    fn steps_are_messages() {
        for (blocks, want) in [
            ("", "a"),
            ("t", "a:t"),
            ("s", "a"),
            ("stst", "a:tt"),
            ("trc", "a:trc"),
            ("cR", "a:c R"),
            ("cRcR", "a:cc R:RR"),
            ("cRscR", "a:c R a:c R"),
            ("tcRt", "a:tc R a:t"),
            ("rcRrcR", "a:rc R a:rc R"),
            ("Rt", "R a:t"),
            ("R", "R"),
        ] {
            let kind = |word| match word {
                't' => ContentKind::Text,
                'r' => ContentKind::Reasoning,
                'c' => ContentKind::Other(Other::Call),
                'R' => ContentKind::Other(Other::Result),
                _ => ContentKind::Other(Other::Step),
            };
            let mut message = BlockMessage::new(Role::Assistant);
            message.stop = Some(Stop::End);
            message.blocks = blocks.chars().map(|word| Block::new(kind(word), "", 0)).collect();
            let word = |block: &Block| match block.kind {
                ContentKind::Text => 't',
                ContentKind::Reasoning => 'r',
                ContentKind::Other(Other::Call) => 'c',
                ContentKind::Other(_) => 'R',
            };
            let all = messages(message);
            let written = all.iter().map(|message| {
                let blocks: String = message.blocks.iter().map(word).collect();
                match (message.role, &*blocks) {
                    (Role::Tool, "R") => blocks,
                    (Role::Tool, _) => format!("R:{blocks}"),
                    (_, "") => "a".to_string(),
                    _ => format!("a:{blocks}"),
                }
            });
            assert_eq!(written.collect::<Vec<_>>().join(" "), want, "{blocks}");
            let last = all.iter().rev().find(|message| message.role == Role::Assistant);
            assert!(last.is_none_or(|last| last.stop == Some(Stop::End)), "{blocks}");
        }
    }
}
