//! Blocks and messages of Anthropic's Messages API.

use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{ForeignThoughts, Need, Rank, TargetCase, TargetHit};
use crate::accept::conversation::{RequestBlock, RequestItemKind, RequestMessage, RequestOrigin};
use crate::accept::edit::TextEdit;
use crate::accept::model::Model;
use crate::accept::signs::{SignatureKind, of_thinking};
use crate::accept::value::Value;
use std::borrow::Cow;
use std::collections::HashSet;

pub const TARGETS: &[&str] = &["anthropic", "vertex-claude"];
pub const TO: &str = "anthropic:claude-opus-4-8";

/// Blocks of thinking with their messages.
fn thoughts<'c, 'a>(
    case: &'c TargetCase<'a, '_>,
    kind: RequestItemKind,
) -> impl Iterator<Item = (usize, &'c RequestBlock<'a>)> {
    case.thinking().filter(move |(_, block)| block.kind == kind)
}

/// The block goes.
pub fn gone(number: usize, block: &RequestBlock<'_>) -> TargetHit {
    TargetHit::refused(number, block.object.at()).mend(Rank::Block, vec![TextEdit::Cut(block.object.at())])
}

/// A thought that is not this model's goes, or stays as a text.
fn foreign(case: &TargetCase<'_, '_>, number: usize, block: &RequestBlock<'_>) -> TargetHit {
    match text(block).filter(|text| case.foreign == Some(ForeignThoughts::Text) && !text.is_blank()) {
        None => gone(number, block),
        Some(text) => {
            let said = [b"{\"type\":\"text\",\"text\":", text.raw(), b"}"].concat();
            TargetHit::refused(number, block.object.at())
                .mend(Rank::Block, vec![TextEdit::Replace(block.object.at(), said)])
        }
    }
}

/// The text of a block of thinking, if it is a string.
fn text<'a>(block: &RequestBlock<'a>) -> Option<Value<'a>> {
    block.object.get("thinking").filter(|text| text.is_string())
}

/// The signature of a block, if it is a string.
fn signature<'a>(block: &RequestBlock<'a>) -> Option<Value<'a>> {
    block.object.get("signature").filter(|signature| signature.is_string())
}

/// Whether the thoughts of a block are a list, as other providers have them.
pub fn is_other_shape(block: &RequestBlock<'_>) -> bool {
    block.object.get("thinking").is_some_and(Value::is_list)
}

/// Whether there is neither a text nor a signature: a shell of a block.
fn is_shell(block: &RequestBlock<'_>) -> bool {
    text(block).is_some_and(Value::is_blank) && signature(block).is_none_or(Value::is_blank)
}

/// Whether there is a signature that may be live, and no text for it.
fn is_hollow(block: &RequestBlock<'_>) -> bool {
    let signed =
        || signature(block).and_then(Value::string).is_some_and(|sign| of_thinking(&sign) != SignatureKind::Dead);
    block.kind == RequestItemKind::Thinking && text(block).is_some_and(Value::is_blank) && signed()
}

pub const AN01: TargetRule = TargetRule {
    code: "AN01",
    name: "unsigned-thinking",
    targets: TARGETS,
    finds: "a thinking block without a signature",
    messages: &["thinking.signature: Field required"],
    evidence: "several threads, dirge-code/dirge#821",
    repair: "Drop the block.",
    not: "An empty signature: it is refused as AN02.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"{\"type\":\"thinking\",\"thinking\":\"b\"}"}]}]}"#,
    }],
    search: |case, hits| {
        let unsigned = thoughts(case, RequestItemKind::Thinking).filter(|(_, block)| signature(block).is_none());
        let own = unsigned.filter(|(_, block)| !is_shell(block) && !is_other_shape(block));
        hits.extend(own.map(|(number, block)| foreign(case, number, block)));
    },
    ..ROW
};

pub const AN02: TargetRule = TargetRule {
    code: "AN02",
    name: "dead-signature",
    targets: TARGETS,
    finds: "a signature that is none: empty, a word, or not base64",
    messages: &["Invalid `signature` in `thinking` block", "Invalid signature in thinking block"],
    evidence: "staff and several threads, anthropics/anthropic-sdk-python#1598",
    repair: "Drop the block.",
    not: "Encoding it again, or trimming it.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"b","signature":"placeholder"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in thoughts(case, RequestItemKind::Thinking).filter(|(_, block)| !is_shell(block)) {
            let Some(sign) = signature(block).and_then(Value::string) else { continue };
            match of_thinking(&sign) {
                SignatureKind::Live => (),
                // The beginning of one, as documentation shows it: it may have been longer.
                SignatureKind::Short => hits.push(TargetHit::doubted(number, block.object.at())),
                SignatureKind::Dead => hits.push(foreign(case, number, block)),
            }
        }
    },
    ..ROW
};

pub const AN03: TargetRule = TargetRule {
    code: "AN03",
    name: "thinking-without-text",
    targets: TARGETS,
    finds: "a thinking block without the member `thinking`",
    messages: &["thinking.thinking: Field required"],
    evidence: "one thread, blueberrycongee/wuu#69",
    repair: "Drop the block. An empty text is right only if the block arrived with one.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let without = thoughts(case, RequestItemKind::Thinking).filter(|(_, block)| text(block).is_none());
        let own = without.filter(|(_, block)| !is_other_shape(block));
        hits.extend(own.map(|(number, block)| gone(number, block)));
    },
    ..ROW
};

pub const AN04: TargetRule = TargetRule {
    code: "AN04",
    name: "empty-thinking",
    targets: TARGETS,
    finds: "a thinking block without a text and without a signature",
    messages: &["each thinking block must contain thinking"],
    evidence: "two threads, eclipse-theia/theia#17905, anthropics/claude-code#68768",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":""},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let shells = thoughts(case, RequestItemKind::Thinking).filter(|(_, block)| is_shell(block));
        hits.extend(shells.map(|(number, block)| gone(number, block)));
    },
    ..ROW
};

pub const AN05: TargetRule = TargetRule {
    code: "AN05",
    name: "hollow-thinking",
    targets: TARGETS,
    models: "4.7 and later leave the text out by default; for all, it may have been removed on disk",
    finds: "a thinking block with a signature and an empty text, as it arrives or as damage leaves it",
    messages: &[
        "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified",
        "thinking or redacted_thinking blocks in the latest assistant message cannot be modified",
    ],
    outcome: RuleOutcome::Undecided,
    evidence: "recorded as accepted; several threads saw it refused, anthropics/claude-code#63147",
    repair: "Drop all such blocks, if the provider refuses the file.",
    options: " --hollow",
    not: "Dropping some of them; redacted_thinking with the signature as its data.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"EqoBCkgIARABGAIiQL2wR5u5c7o9c1r7fB6h1kCq3m8n2v4y6t8r0e2w4q6s8d0f"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let hollow: Vec<_> = case.thinking().filter(|(_, block)| is_hollow(block)).collect();
        let Some((number, first)) = hollow.first() else { return };
        let cuts = hollow.iter().map(|(_, block)| TextEdit::Cut(block.object.at())).collect();
        let hit = TargetHit::doubted(*number, first.object.at()).mend_if(Need::Hollow, Rank::Block, cuts);
        hits.push(TargetHit { places: hollow.len() as u64, ..hit });
    },
    ..ROW
};

pub const AN06: TargetRule = TargetRule {
    code: "AN06",
    name: "thinking-at-the-end",
    targets: TARGETS,
    finds: "a message of the assistant whose last block is thinking",
    messages: &[
        "final block in an assistant message cannot be `thinking`",
        "final block in an assistant message cannot be thinking",
    ],
    evidence: "several threads, tailcallhq/forgecode#2107, NousResearch/hermes-agent#16921",
    repair: "Drop the block, and the message if nothing else is in it.",
    not: "An empty text behind it (AN13).",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in &case.conversation.thoughts {
            let (number, message) = (*number, &case.conversation.messages[*number]);
            let Some(last) = message.blocks.get(*block).filter(|_| block + 1 == message.blocks.len()) else { continue };
            // Whether messages of the assistant in a row are joined before this is looked for, is not known.
            let joined = case.conversation.messages.get(number + 1).is_some_and(RequestMessage::is_assistant);
            let edits = match message.blocks.len() {
                1 => case.cut_message(number),
                _ => vec![TextEdit::Cut(last.object.at())],
            };
            let hit = TargetHit::refused(number, last.object.at()).certain(!joined);
            hits.push(if joined { hit } else { hit.mend(Rank::Block, edits) });
        }
    },
    ..ROW
};

pub const AN10: TargetRule = TargetRule {
    code: "AN10",
    name: "repeated-thinking",
    targets: TARGETS,
    finds: "a thinking block whose signature or data another one has",
    messages: &[
        "must match the parameters during the original request",
        "blocks in the latest assistant message cannot be modified",
    ],
    evidence: "several threads, openclaw/openclaw#103587",
    repair: "Drop the copy.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"redacted_thinking","data":"b"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"redacted_thinking","data":"e"},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: repeated,
    ..ROW
};

/// Blocks that are signed as one before them.
pub fn repeated(case: &TargetCase<'_, '_>, hits: &mut Vec<TargetHit>) {
    let signed = |(number, block)| Some((sealed(block).filter(|sign| !sign.is_empty())?, number, block));
    let mut all: Vec<(Cow<'_, [u8]>, usize, &RequestBlock<'_>)> = case.thinking().filter_map(signed).collect();
    // Of equal ones, the first in the text stays the first.
    all.sort_by(|(one, ..), (other, ..)| one.cmp(other));
    let copies = all.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    hits.extend(copies.map(|pair| gone(pair[1].1, pair[1].2)));
}

/// What identifies a block: its signature or its data, wherever the dialect has it.
fn sealed<'a>(block: &RequestBlock<'a>) -> Option<Cow<'a, [u8]>> {
    let inner = block.object.inner("reasoningContent");
    let inner = inner.as_ref();
    let text = inner.and_then(|inner| inner.inner("reasoningText"));
    let object = text.as_ref().or(inner).unwrap_or(&block.object);
    let (_, sign) = object.first(&["signature", "data", "redactedContent"])?;
    sign.string()
}

pub const AN11: TargetRule = TargetRule {
    code: "AN11",
    name: "redacted-without-data",
    targets: TARGETS,
    finds: "a redacted_thinking block without data, or with the signature of a thinking block as its data",
    messages: &["redacted_thinking.data: Field required", "Invalid `data` in `redacted_thinking` block"],
    evidence: "several threads, microsoft/vscode#320196, anthropics/claude-code#56708",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":""},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let signs = || thoughts(case, RequestItemKind::Thinking).filter_map(|(_, block)| signature(block)?.string());
        let any = thoughts(case, RequestItemKind::Redacted).next().is_some();
        let signs: HashSet<Cow<'_, [u8]>> = if any { signs().collect() } else { HashSet::new() };
        for (number, block) in thoughts(case, RequestItemKind::Redacted) {
            let data = block.object.get("data").and_then(Value::string);
            if data.is_none_or(|data| data.is_empty() || signs.contains(&data)) {
                hits.push(gone(number, block));
            }
        }
    },
    ..ROW
};

pub const AN12: TargetRule = TargetRule {
    code: "AN12",
    name: "extra-member-of-thinking",
    targets: TARGETS,
    finds: "a member of a thinking block that its type does not have",
    messages: &["thinking.cache_control: Extra inputs are not permitted", "thinking.…: Extra inputs are not permitted"],
    evidence: "one thread and the source of clients, Wei-Shaw/sub2api#225, NousResearch/hermes-agent#26959",
    repair: "Cut that member only: it is not signed.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"redacted_thinking","data":"b","index":0},{"type":"text","text":"c"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in case.thinking() {
            let own: &[&str] = match block.kind {
                RequestItemKind::Thinking if !is_other_shape(block) => &["type", "thinking", "signature"],
                RequestItemKind::Redacted if block.object.has("data") => &["type", "data"],
                _ => continue,
            };
            let extra = block.object.members().filter(|(key, ..)| own.iter().all(|own| key.as_ref() != own.as_bytes()));
            hits.extend(
                extra.map(|(_, at, value)| {
                    TargetHit::refused(number, value.at()).mend(Rank::Key, vec![TextEdit::Cut(at)])
                }),
            );
        }
    },
    ..ROW
};

pub const AN17: TargetRule = TargetRule {
    code: "AN17",
    name: "thinking-of-another-model",
    targets: TARGETS,
    models: "between Opus, Sonnet and Fable; Fable 5.1 reads blocks of older models, or drops them",
    finds: "a thinking block that another model made",
    messages: &["Invalid `signature` in `thinking` block"],
    evidence: "staff and several threads, vybestack/llxprt-code#2335, openclaw/openclaw#136782",
    repair: "Drop the blocks of that model.",
    options: " --foreign drop",
    not: "redacted_thinking with the same signature.",
    matches: &[Example {
        to: TO,
        text: r#"{"type":"assistant","message":{"id":"m","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"redacted_thinking","data":"b"},{"type":"text","text":"c"}]}}"#,
    }],
    search: |case, hits| {
        if case.conversation.origin != RequestOrigin::ClaudeCode || case.model.name().is_none() {
            return;
        }
        let reads = case.model.binds();
        // Most messages are of the model that the one before was of.
        let mut last: Option<(&[u8], bool)> = None;
        for (number, block) in case.thinking() {
            // The pieces of a message are in the order of the text.
            let parts = &case.conversation.messages[number].parts;
            let next = parts.partition_point(|part| part.object.at().start <= block.object.at().start);
            let Some(part) = next.checked_sub(1).map(|at| &parts[at]) else { continue };
            let Some(made_by) = part.object.get("model") else { continue };
            let is_own = || {
                let name = made_by.word();
                name.starts_with('<') || name.is_empty() || case.model.is_same(&Model::new(Some(&name)))
            };
            let is_own = last.filter(|(name, _)| *name == made_by.raw()).map_or_else(is_own, |(_, is_own)| is_own);
            last = Some((made_by.raw(), is_own));
            if is_own {
                continue;
            }
            let certain = case.is_named && !reads;
            let hit = if certain || case.foreign.is_some() {
                foreign(case, number, block)
            } else {
                TargetHit::doubted(number, block.object.at())
            };
            hits.push(hit.certain(certain));
        }
    },
    ..ROW
};
