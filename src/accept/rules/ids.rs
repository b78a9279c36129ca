//! Identifiers of items, at OpenAI and Copilot.

use super::items::{RESPONSES_TARGETS, TO, free, id, may_follow, thoughts, unbind};
use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{Rank, TargetHit};
use crate::accept::conversation::RequestItemKind;
use crate::accept::value::Value;
use std::collections::HashSet;

/// The most characters of an identifier.
const MAX_ID_CHARS: usize = 64;

pub const OR08: TargetRule = TargetRule {
    code: "OR08",
    name: "id-too-long",
    targets: RESPONSES_TARGETS,
    finds: "an id of more than 64 characters",
    messages: &["string too long. Expected a string with maximum length 64", "string too long…maximum length 64"],
    evidence: "two threads, can1357/oh-my-pi#284",
    repair: "Cut the id, and that of its follower; without encrypted_content drop the reasoning item.",
    not: "Shortening or hashing it (OR05).",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_00000000000000000000000000000000000000000000000000000000000000","summary":[],"encrypted_content":"gAAAAAB0"},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        // The reasoning that the items in a row follow. It is freed with the first of them, and all that follow it.
        let mut leading = None;
        for (number, item) in case.messages() {
            match item.kind {
                RequestItemKind::Thinking => leading = Some(number),
                _ if !may_follow(item) => leading = None,
                _ => (),
            }
            let long = |id: &Value<'_>| id.word().chars().count() > MAX_ID_CHARS;
            let Some(id) = id(item).filter(long).filter(|_| item.kind != RequestItemKind::Reference) else { continue };
            let edits = match leading.take().and_then(|at| Some((at, case.conversation.messages.get(at)?))) {
                Some((at, reasoning)) => unbind(case, at, reasoning),
                None => free(item),
            };
            hits.push(TargetHit::refused(number, id.at()).mend(Rank::Id, edits));
        }
    },
    ..ROW
};

pub const OR09: TargetRule = TargetRule {
    code: "OR09",
    name: "id-of-another-kind",
    targets: RESPONSES_TARGETS,
    finds: "a reasoning item whose id does not begin with rs",
    messages: &["Expected an ID that begins with 'rs'"],
    evidence: "one thread, Wei-Shaw/sub2api#5413",
    repair: "Cut the id, and that of its follower; without encrypted_content drop the item.",
    not: "Another name.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"item_1","summary":[],"encrypted_content":"gAAAAAB0"},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        for (number, item) in thoughts(case) {
            if let Some(id) = id(item).filter(|id| !id.word().starts_with("rs")) {
                hits.push(TargetHit::refused(number, id.at()).mend(Rank::Id, unbind(case, number, item)));
            }
        }
    },
    ..ROW
};

pub const OR10: TargetRule = TargetRule {
    code: "OR10",
    name: "item-twice",
    targets: &["openai-responses", "azure", "github-copilot"],
    finds: "an item whose id another one has",
    messages: &["Duplicate item found with id"],
    evidence: "two threads, vercel/ai#7883, earendil-works/pi#5151",
    repair: "Drop the copy.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":"c"},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        let mut known = HashSet::new();
        for (number, item) in case.messages() {
            if let Some(id) = id(item).map(|id| id.word().into_owned())
                && !known.insert(id)
            {
                hits.push(TargetHit::refused(number, item.at()).mend(Rank::Block, case.cut_message(number)));
            }
        }
    },
    ..ROW
};

pub const OR11: TargetRule = TargetRule {
    code: "OR11",
    name: "reasoning-in-a-row",
    targets: RESPONSES_TARGETS,
    finds: "two reasoning items in a row, each with an id",
    messages: &["Referenced reasoning item '…' was not found or has expired"],
    outcome: RuleOutcome::Undecided,
    evidence: "one thread, UKGovernmentBEIS/inspect_ai#1990; two about ids that were made up, can1357/oh-my-pi#11791",
    repair: "Drop the one in front; cut an id that was made up.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"reasoning","id":"rs_2","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        for (number, item) in thoughts(case) {
            let next = case.conversation.messages.get(number + 1).filter(|next| next.kind == RequestItemKind::Thinking);
            let (Some(own), Some(other)) = (id(item), next.and_then(id)) else { continue };
            if own.raw() != other.raw() {
                hits.push(TargetHit::doubted(number, item.at()));
            }
        }
    },
    ..ROW
};

pub const CP01: TargetRule = TargetRule {
    code: "CP01",
    name: "id-of-a-connection",
    targets: &["github-copilot"],
    finds: "an id, which only the connection takes that made it",
    messages: &["input item ID does not belong to this connection"],
    outcome: RuleOutcome::Undecided,
    evidence: "several threads, anomalyco/opencode#31236",
    repair: "Cut all ids.",
    not: "Other ids.",
    matches: &[Example {
        to: "github-copilot:gpt-5.4",
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        let bound: Vec<_> =
            case.messages().filter(|(_, item)| may_follow(item) || item.kind == RequestItemKind::Thinking).collect();
        let bound: Vec<_> = bound
            .into_iter()
            .filter(|(_, item)| id(item).is_some() && item.kind != RequestItemKind::Reference)
            .collect();
        let Some((number, first)) = bound.first() else { return };
        let edits = bound.iter().flat_map(|(_, item)| free(item)).collect();
        let hit = TargetHit::doubted(*number, first.at()).mend(Rank::Id, edits);
        hits.push(TargetHit { places: bound.len() as u64, ..hit });
    },
    ..ROW
};
