//! Blocks of thinking that are bound to all that stands before them.

use super::anthropic::TARGETS;
use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{ForeignThoughts, Rank, TargetCase, TargetHit};
use crate::accept::conversation::{RequestBlock, RequestOrigin};
use crate::accept::edit::TextEdit;
use crate::json::{Token, member};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;

pub const AN18: TargetRule = TargetRule {
    code: "AN18",
    name: "bound-thinking",
    targets: TARGETS,
    models: "Fable 5.1 and later",
    finds: "a thinking block before which anything was changed; in a session, a line before it names one that is not there",
    messages: &["The block is bound to a different conversation"],
    outcome: RuleOutcome::Undecided,
    evidence: "documentation and several threads, pydantic/pydantic-ai#7984, NousResearch/hermes-agent#106426",
    repair: "Drop all thinking, or none: `unthink strip --policy all`. Or set thinking.block_binding.prefix_mismatch_behavior to drop_block, with the beta thinking-binding-controls-2026-08-01.",
    options: " --foreign drop",
    not: "Dropping blocks from the middle.",
    matches: &[Example {
        to: TO,
        text: concat!(
            r#"{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"user","content":"d"}}"#,
            "\n",
            r#"{"type":"assistant","uuid":"u3","parentUuid":"u2","sessionId":"s","message":{"id":"m","model":"claude-fable-5-1","role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]}}"#
        ),
    }],
    clean: &[Example {
        to: TO,
        text: concat!(
            r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"a"}}"#,
            "\n",
            r#"{"type":"assistant","uuid":"u3","parentUuid":"u1","sessionId":"s","message":{"id":"m","model":"claude-fable-5-1","role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]}}"#
        ),
    }],
    search: torn,
    ..ROW
};

const TO: &str = "anthropic:claude-fable-5-1";

/// The blocks of a session behind a line whose parent is missing. Only its provider knows whether a request was changed.
fn torn(case: &TargetCase<'_, '_>, hits: &mut Vec<TargetHit>) {
    let conversation = case.conversation;
    if conversation.origin != RequestOrigin::ClaudeCode || !case.model.binds() || conversation.thoughts.is_empty() {
        return;
    }
    // Each has the text up to its own end.
    let parts = conversation.messages.iter().flat_map(|message| message.parts.iter());
    let Some(text) = parts.map(|part| part.object.text()).max_by_key(|text| text.len()) else { return };
    let starts: Vec<usize> = lines(text).collect();
    let known: OnceCell<HashSet<Cow<'_, [u8]>>> = OnceCell::new();
    let all = || starts.iter().filter_map(|line| word(text, *line, "uuid")).collect();
    let is_torn = |line: usize| {
        let Some(parent) = word(text, starts[line], "parentUuid") else { return false };
        // Most lines go on with the one before, where its identifier stands near the end.
        let before = line.checked_sub(1).map_or(&b""[..], |before| &text[starts[before]..starts[line]]);
        let own = [&b"\"uuid\":\""[..], &parent, b"\""].concat();
        memchr::memmem::rfind(before, &own).is_none() && !known.get_or_init(all).contains(&parent)
    };
    let part_is_torn = |at: Range<usize>| {
        let next = starts.partition_point(|start| *start <= at.start);
        next.checked_sub(1).is_some_and(is_torn)
    };
    let torn = conversation
        .messages
        .iter()
        .position(|message| message.parts.iter().any(|part| part.line.is_some() && part_is_torn(part.object.at())));
    let Some(torn) = torn else { return };
    let behind: Vec<(usize, &RequestBlock<'_>)> = case.thinking().filter(|(number, _)| *number >= torn).collect();
    let Some((number, first)) = behind.first() else { return };
    // All blocks go, or none.
    let cuts = case.thinking().map(|(_, block)| TextEdit::Cut(block.object.at())).collect();
    let hit = TargetHit { places: behind.len() as u64, ..TargetHit::doubted(*number, first.object.at()) };
    let drops = case.foreign == Some(ForeignThoughts::Drop);
    hits.push(if drops { hit.mend(Rank::Block, cuts) } else { hit });
}

/// Where the lines of a text begin.
fn lines(text: &[u8]) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', text).map(|end| end + 1))
}

/// The string under a key of the object that a line is.
fn word<'a>(text: &'a [u8], line: usize, key: &str) -> Option<Cow<'a, [u8]>> {
    match member(text, line, key) {
        Some((Token::String(word), _)) => Some(word.decoded(text)),
        _ => None,
    }
}
