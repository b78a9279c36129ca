//! Items of OpenAI's Responses API, and of those who have it as well: reasoning, and what follows it.

use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{Rank, TargetCase, TargetHit};
use crate::accept::conversation::{MessageSender, RequestItemKind, RequestMessage, RequestOrigin};
use crate::accept::edit::TextEdit;
use crate::accept::signs::may_be_sealed_by_openai;
use crate::accept::targets::RequestShape;
use crate::accept::value::Value;

pub const RESPONSES_TARGETS: &[&str] = &["openai-responses", "azure"];
pub const TO: &str = "openai-responses:gpt-5";

/// The identifier of an item.
pub fn id<'a>(item: &RequestMessage<'a>) -> Option<Value<'a>> {
    item.get("id").filter(|id| id.is_string() && !id.is_blank())
}

/// The ciphertext of an item.
fn sealed<'a>(item: &RequestMessage<'a>) -> Option<Value<'a>> {
    item.get("encrypted_content").filter(|sealed| sealed.is_string() && !sealed.is_blank())
}

pub fn thoughts<'c, 'a>(case: &'c TargetCase<'a, '_>) -> impl Iterator<Item = (usize, &'c RequestMessage<'a>)> {
    case.messages().filter(|(_, item)| item.kind == RequestItemKind::Thinking)
}

/// Whether an item may follow reasoning: a message of the assistant, or a call.
pub fn may_follow(item: &RequestMessage<'_>) -> bool {
    item.is_assistant() && item.kind != RequestItemKind::Thinking || item.kind == RequestItemKind::Reference
}

/// What follows reasoning: the items of the assistant behind it, up to other reasoning.
fn followers<'c, 'a>(case: &'c TargetCase<'a, '_>, number: usize) -> impl Iterator<Item = &'c RequestMessage<'a>> {
    case.conversation.messages.iter().skip(number + 1).take_while(|item| may_follow(item))
}

/// Cuts the identifiers of what follows reasoning. What stands behind several in a row follows the last of them.
fn free_followers(case: &TargetCase<'_, '_>, number: usize) -> Vec<TextEdit> {
    followers(case, number).filter(|item| item.kind != RequestItemKind::Reference).flat_map(free).collect()
}

/// Cuts the identifier of an item.
pub fn free(item: &RequestMessage<'_>) -> Vec<TextEdit> {
    TargetCase::cut_keys(item.object(), &["id"])
}

/// Reasoning and what follows it lose their identifiers; without a ciphertext the reasoning goes.
pub fn unbind(case: &TargetCase<'_, '_>, number: usize, item: &RequestMessage<'_>) -> Vec<TextEdit> {
    let own = if sealed(item).is_some() { free(item) } else { case.cut_message(number) };
    [own, free_followers(case, number)].concat()
}

/// Whether items are not kept by the service.
fn keeps_nothing(case: &TargetCase<'_, '_>) -> bool {
    case.conversation.origin == RequestOrigin::Codex || case.setting("store").is_some_and(Value::is_false)
}

pub const OR01: TargetRule = TargetRule {
    code: "OR01",
    name: "reasoning-without-follower",
    targets: &["openai-responses", "azure", "github-copilot"],
    finds: "a reasoning item with an id, and behind it no item of the assistant with an id",
    messages: &["was provided without its required following item"],
    evidence: "recorded, and several threads, openai/openai-agents-js#977, UKGovernmentBEIS/inspect_ai#1990",
    repair: "Drop the reasoning item.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[]},{"role":"assistant","content":"b"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
    }],
    search: |case, hits| {
        // From the end: the next item that is no reasoning.
        let mut next: Option<&RequestMessage<'_>> = None;
        for (number, item) in case.messages().rev() {
            if item.kind != RequestItemKind::Thinking {
                next = Some(item);
                continue;
            }
            if id(item).is_none() {
                continue;
            }
            let hit = TargetHit::refused(number, item.at());
            match next {
                Some(next) if may_follow(next) && (id(next).is_some() || next.kind == RequestItemKind::Reference) => (),
                // A call without an identifier: it is not known.
                Some(next) if next.kind == RequestItemKind::Call => hits.push(hit.certain(false)),
                _ => hits.push(hit.mend(Rank::Block, case.cut_message(number))),
            }
        }
    },
    ..ROW
};

pub const OR02: TargetRule = TargetRule {
    code: "OR02",
    name: "follower-without-reasoning",
    targets: RESPONSES_TARGETS,
    finds: "an item with an id among those behind a reasoning item that has none",
    messages: &["was provided without its required 'reasoning' item"],
    evidence: "several threads, NousResearch/hermes-agent#102282",
    repair: "Cut the id of the follower, and keep its call_id.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","summary":[],"encrypted_content":"gAAAAAB0"},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
    }],
    search: |case, hits| {
        for (number, _) in thoughts(case).filter(|(_, item)| !item.object().has("id")) {
            let mut behind = (number + 1..).zip(followers(case, number));
            let bound = behind.find(|(_, item)| item.kind != RequestItemKind::Reference && id(item).is_some());
            if let Some((at, item)) = bound {
                hits.push(TargetHit::refused(at, item.at()).mend(Rank::Id, free_followers(case, number)));
            }
        }
    },
    ..ROW
};

pub const OR03: TargetRule = TargetRule {
    code: "OR03",
    name: "item-not-kept",
    targets: RESPONSES_TARGETS,
    finds: "an id without encrypted_content, or a reference to an item, while the service keeps no items",
    messages: &["Item with id '…' not found", "Items are not persisted when `store` is set to false"],
    evidence: "several threads, openclaw/openclaw#21782",
    repair: "Drop the item, and cut the id of its follower.",
    matches: &[Example {
        to: TO,
        text: r#"{"store":false,"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
    }],
    search: |case, hits| {
        if !keeps_nothing(case) {
            return;
        }
        for (number, item) in case.messages() {
            let is_lost = item.kind == RequestItemKind::Thinking && id(item).is_some() && sealed(item).is_none();
            if !is_lost && item.kind != RequestItemKind::Reference {
                continue;
            }
            let followers = if is_lost { free_followers(case, number) } else { Vec::new() };
            let hit = TargetHit::refused(number, item.at());
            // An empty ciphertext: it is not known.
            let certain = !item.get("encrypted_content").is_some_and(Value::is_blank);
            hits.push(hit.certain(certain).mend(Rank::Block, [case.cut_message(number), followers].concat()));
        }
    },
    ..ROW
};

pub const OR04: TargetRule = TargetRule {
    code: "OR04",
    name: "ciphertext-of-another-service",
    targets: &["openai-responses", "azure", "github-copilot"],
    models: "",
    finds: "encrypted_content that is not of this service",
    messages: &["The encrypted content … could not be verified", "invalid_encrypted_content"],
    evidence: "several threads, openai/codex#8145",
    repair: "Drop the item, and cut the id of its follower. If the account has changed, drop all of them.",
    options: " --drop encrypted",
    not: "Cutting only the ciphertext while store is false (OR03).",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"rsn_0123"},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
    }],
    search: |case, hits| {
        let certain = case.target.name != "github-copilot";
        for (number, item) in thoughts(case) {
            let foreign =
                sealed(item).filter(|sealed| !sealed.string().is_some_and(|text| may_be_sealed_by_openai(&text)));
            if let Some(sealed) = foreign {
                let hit = TargetHit::refused(number, sealed.at()).certain(certain);
                hits.push(if certain { hit.mend(Rank::Block, dropped(case, number)) } else { hit });
            }
        }
    },
    ..ROW
};

/// An item goes, and what follows it is free.
fn dropped(case: &TargetCase<'_, '_>, number: usize) -> Vec<TextEdit> {
    [case.cut_message(number), free_followers(case, number)].concat()
}

/// All items that only one account can read go.
pub fn all_sealed(case: &TargetCase<'_, '_>) -> Vec<TargetHit> {
    let all = thoughts(case).filter(|(_, item)| case.target.shape == RequestShape::Items && sealed(item).is_some());
    all.map(|(number, item)| TargetHit::doubted(number, item.at()).mend(Rank::Block, dropped(case, number))).collect()
}

pub const OR05: TargetRule = TargetRule {
    code: "OR05",
    name: "id-rewritten",
    targets: &["openai-responses", "azure", "github-copilot"],
    finds: "an id that is not the one in the ciphertext",
    messages: &["Encrypted content item_id did not match the target item id"],
    outcome: RuleOutcome::Undecided,
    evidence: "several threads, openclaw/openclaw#72602",
    repair: "Cut the ids, or drop the items.",
    options: " --drop encrypted",
    not: "New ids.",
    unseen: "which id a ciphertext has, only its service can read; one that stands under two ids was taken",
    // The id that the ciphertext has is the one or the other.
    alike: Some([
        Example {
            to: TO,
            text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAAB0"},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
        },
        Example {
            to: TO,
            text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"gAAAAAB0"},{"type":"message","id":"msg_1","role":"assistant","content":"b"}]}"#,
        },
    ]),
    ..ROW
};

pub const OR06: TargetRule = TargetRule {
    code: "OR06",
    name: "reasoning-with-content",
    targets: &["openai-responses", "azure", "github-copilot"],
    finds: "a reasoning item whose content is not empty",
    messages: &["content': array too long. Expected an array with maximum length 0"],
    evidence: "several threads, musistudio/claude-code-router#1783; DeepSeek and hosts of gpt-oss take it",
    repair: "Cut content.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"content":[{"type":"reasoning_text","text":"b"}]},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| {
        for (number, item) in thoughts(case) {
            let holds = |content: &Value<'_>| {
                content.is_list() && !content.is_empty_list() || content.is_string() && !content.is_blank()
            };
            if let Some(content) = item.get("content").filter(holds) {
                hits.push(
                    TargetHit::refused(number, content.at())
                        .mend(Rank::Key, TargetCase::cut_keys(item.object(), &["content"])),
                );
            }
        }
    },
    ..ROW
};

pub const OR07: TargetRule = TargetRule {
    code: "OR07",
    name: "reasoning-without-summary",
    targets: &["openai-responses", "azure", "github-copilot"],
    finds: "a reasoning item without a summary, or with null",
    messages: &["Missing required parameter: 'input…summary'"],
    evidence: "one thread and the schema, newo-ether/Agora#141",
    repair: "Put in an empty list.",
    matches: &[Example {
        to: TO,
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1"},{"type":"message","id":"msg_1","role":"assistant","content":"c"}]}"#,
    }],
    search: |case, hits| without_summary(case, hits, |_| true),
    ..ROW
};

/// Reasoning without a summary, of those items for which that matters.
fn without_summary(
    case: &TargetCase<'_, '_>,
    hits: &mut Vec<TargetHit>,
    matters: impl Fn(&RequestMessage<'_>) -> bool,
) {
    let lacks = |item: &RequestMessage<'_>| item.get("summary").is_none_or(Value::is_null);
    for (number, item) in thoughts(case).filter(|(_, item)| lacks(item) && matters(item)) {
        let put = TargetCase::set_member(item.object(), "summary", "[]");
        hits.push(TargetHit::refused(number, item.at()).mend(Rank::Insert, vec![put]));
    }
}

pub const XA01: TargetRule = TargetRule {
    code: "XA01",
    name: "ciphertext-without-summary",
    targets: &["xai"],
    finds: "a reasoning item with encrypted_content and without a summary",
    messages: &["Could not decode the compaction blob"],
    evidence: "one thread, tried out, chenyme/grok2api#689",
    repair: "Put in an empty list.",
    matches: &[Example {
        to: "xai:grok-4.3",
        text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","encrypted_content":"gAAAAAB0"},{"role":"assistant","content":"b"}]}"#,
    }],
    search: |case, hits| without_summary(case, hits, |item| sealed(item).is_some()),
    ..ROW
};

pub const XA02: TargetRule = TargetRule {
    code: "XA02",
    name: "stale-ciphertext",
    targets: &["xai"],
    finds: "encrypted_content that the service cannot read any more",
    messages: &["Could not decrypt the provided encrypted_content"],
    outcome: RuleOutcome::Undecided,
    evidence: "one thread, openclaw/openclaw#97926",
    repair: "Drop the items.",
    options: " --drop encrypted",
    unseen: "whether a ciphertext is stale, only its service knows",
    // The one was made today, the other by a key that is gone.
    alike: Some([
        Example {
            to: "xai:grok-4.3",
            text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAAB0"},{"role":"assistant","content":"b"}]}"#,
        },
        Example {
            to: "xai:grok-4.3",
            text: r#"{"input":[{"role":"user","content":"a"},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAAB1"},{"role":"assistant","content":"b"}]}"#,
        },
    ]),
    ..ROW
};

pub const XA03: TargetRule = TargetRule {
    code: "XA03",
    name: "message-without-element",
    targets: &["xai"],
    finds: "a message of the assistant without content",
    messages: &["Each message must have at least one content element"],
    evidence: "one thread, NousResearch/hermes-agent#30310",
    repair: "Drop the message.",
    matches: &[Example {
        to: "xai:grok-4.3",
        text: r#"{"input":[{"role":"user","content":"a"},{"role":"assistant","content":""},{"role":"user","content":"b"}]}"#,
    }],
    search: |case, hits| {
        let said = case
            .messages()
            .filter(|(_, item)| item.role == MessageSender::Assistant && item.kind == RequestItemKind::Text);
        for (number, item) in said.filter(|(_, item)| item.is_empty()) {
            hits.push(TargetHit::refused(number, item.at()).mend(Rank::Message, case.cut_message(number)));
        }
    },
    ..ROW
};
