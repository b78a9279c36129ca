//! Messages of Bedrock's Converse API. A family of models is known by the identifier of the model.

use super::anthropic::repeated;
use super::settings::{only_thinks, unthinking_turn, version};
use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{ForeignThoughts, Rank, TargetCase, TargetHit};
use crate::accept::conversation::{RequestBlock, RequestItemKind};
use crate::accept::edit::TextEdit;
use crate::accept::value::{Object, Value};

const TARGETS: &[&str] = &["bedrock"];
const TO: &str = "bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0";

/// Whether the model is a Claude; `None` if its identifier does not tell.
fn is_claude(case: &TargetCase<'_, '_>) -> Option<bool> {
    let name = case.model.name()?;
    if case.model.claude().is_some() || case.model.has(&["anthropic"]) {
        return Some(true);
    }
    // The profile of an application has a name of its own.
    (!name.contains("application-inference-profile/")).then_some(false)
}

/// The blocks of reasoning, and what is in them.
fn reasoning<'c, 'a>(case: &'c TargetCase<'a, '_>) -> impl Iterator<Item = (usize, &'c RequestBlock<'a>, Object<'a>)> {
    case.messages().flat_map(|(number, message)| {
        let inner = move |block: &'c RequestBlock<'a>| Some((number, block, block.object.inner("reasoningContent")?));
        message.blocks.iter().filter_map(inner)
    })
}

fn gone(number: usize, block: &RequestBlock<'_>) -> TargetHit {
    TargetHit::refused(number, block.object.at()).mend(Rank::Block, vec![TextEdit::Cut(block.object.at())])
}

/// The blocks for which that holds, if the model is a Claude.
fn of_claude(case: &TargetCase<'_, '_>, hits: &mut Vec<TargetHit>, wrong: impl Fn(&Object<'_>) -> bool) {
    if is_claude(case) == Some(true) {
        let all = reasoning(case).filter(|(.., inner)| wrong(inner));
        hits.extend(all.map(|(number, block, _)| gone(number, block)));
    }
}

pub const BR01: TargetRule = TargetRule {
    code: "BR01",
    name: "reasoning-of-no-claude",
    targets: TARGETS,
    models: "all but Claude, also their own reasoning",
    finds: "reasoningContent for a model that takes none back",
    messages: &["User messages cannot contain reasoning content", "messages cannot contain reasoning content"],
    evidence: "several threads, langchain-ai/langchain-aws#401, can1357/oh-my-pi#9086",
    repair: "Drop it.",
    matches: &[Example {
        to: "bedrock:us.amazon.nova-2-lite-v1:0",
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"b"}}},{"text":"c"}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        if is_claude(case) == Some(false) {
            for (number, block, inner) in reasoning(case) {
                hits.push(foreign(case, number, block, &inner));
            }
        }
    },
    ..ROW
};

/// A thought that goes, or stays as a text between tags.
fn foreign(case: &TargetCase<'_, '_>, number: usize, block: &RequestBlock<'_>, inner: &Object<'_>) -> TargetHit {
    let text = inner.inner("reasoningText").and_then(|it| it.get("text")).filter(|text| text.is_string());
    let Some(text) = text.filter(|text| case.foreign == Some(ForeignThoughts::Text) && !text.is_blank()) else {
        return gone(number, block);
    };
    let raw = &text.raw()[1..text.raw().len() - 1];
    let said = [b"{\"text\":\"<thinking>", raw, b"</thinking>\"}"].concat();
    TargetHit::refused(number, block.object.at()).mend(Rank::Block, vec![TextEdit::Replace(block.object.at(), said)])
}

pub const BR02: TargetRule = TargetRule {
    code: "BR02",
    name: "unsigned-reasoning",
    targets: TARGETS,
    models: "Claude",
    finds: "reasoningText without a signature",
    messages: &["reasoningText.signature…required", "signature missing"],
    evidence: "two threads, UKGovernmentBEIS/inspect_ai#5300",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"b"}}},{"text":"c"}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        of_claude(case, hits, |inner| {
            let signed = |text: &Object<'_>| text.get("signature").is_some_and(|it| it.is_string() && !it.is_blank());
            inner.inner("reasoningText").is_some_and(|text| !signed(&text) && has_text(&text))
        });
    },
    ..ROW
};

fn has_text(text: &Object<'_>) -> bool {
    text.get("text").is_some_and(Value::is_string)
}

pub const BR03: TargetRule = TargetRule {
    code: "BR03",
    name: "reasoning-without-text",
    targets: TARGETS,
    models: "Claude",
    finds: "reasoningText whose text is null or missing",
    messages: &["reasoningText.text' failed to satisfy constraint: Member must not be null"],
    evidence: "one thread, danny-avila/LibreChat#13888",
    repair: "Drop the block.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"signature":"s","text":null}}},{"text":"c"}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        of_claude(case, hits, |inner| inner.inner("reasoningText").is_some_and(|text| !has_text(&text)));
        // An empty one: it is not known.
        if is_claude(case) == Some(true) {
            let blank = |inner: &Object<'_>| inner.inner("reasoningText")?.get("text").map(Value::is_blank);
            let all = reasoning(case).filter(|(.., inner)| blank(inner) == Some(true));
            hits.extend(all.map(|(number, block, _)| TargetHit::doubted(number, block.object.at())));
        }
    },
    ..ROW
};

pub const BR04: TargetRule = TargetRule {
    code: "BR04",
    name: "reasoning-not-nested",
    targets: TARGETS,
    models: "Claude",
    finds: "reasoningContent with other members than reasoningText and redactedContent",
    messages: &["must be one of: reasoningText, redactedContent"],
    evidence: "one thread, NousResearch/hermes-agent#105119",
    repair: "Drop the block, or nest its members as the API has them.",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"text":"b"}},{"text":"c"}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        of_claude(case, hits, |inner| {
            let own = |key: &[u8]| key == b"reasoningText" || key == b"redactedContent";
            inner.len() == 0 || inner.members().any(|(key, ..)| !own(&key))
        });
    },
    ..ROW
};

pub const BR05: TargetRule = TargetRule {
    code: "BR05",
    name: "message-of-reasoning",
    targets: TARGETS,
    models: "Claude 5 and later; 4.6 takes it, 4.7 and 4.8 are not known",
    finds: "a message of the assistant that is only reasoningContent",
    messages: &["does not support assistant message prefill"],
    evidence: "one thread, NousResearch/hermes-agent#105780",
    repair: "Drop the message, or add a text to it.",
    matches: &[Example {
        to: "bedrock:global.anthropic.claude-sonnet-5",
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"b"}}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        let Some(version) = version(case).filter(|version| *version > (4, 6)) else { return };
        for (number, message) in case.answers().filter(|(_, message)| only_thinks(message)) {
            let hit = TargetHit::refused(number, message.at());
            let certain = version >= (5, 0);
            hits.push(if certain { hit.mend(Rank::Block, case.cut_message(number)) } else { hit.certain(false) });
        }
    },
    ..ROW
};

pub const BR06: TargetRule = TargetRule {
    code: "BR06",
    name: "turn-or-copy-of-claude",
    targets: TARGETS,
    models: "Claude",
    finds: "a turn that is open and does not begin with reasoning, in manual mode; or reasoning that is there twice",
    messages: &[
        "Expected `thinking` or `redacted_thinking`, but found `…`",
        "blocks in the latest assistant message cannot be modified",
    ],
    evidence: "several threads, RooCodeInc/Roo-Code#11238, BerriAI/litellm#25375",
    repair: "Put the block back, or turn thinking off, and drop the reasoning of that turn; drop the copy.",
    options: " --settings",
    matches: &[Example {
        to: TO,
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"n","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"d"}]}}]}],"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2048}}}"#,
    }],
    search: |case, hits| {
        if is_claude(case) == Some(true) {
            unthinking_turn(case, hits);
            repeated(case, hits);
        }
    },
    ..ROW
};

pub const BR07: TargetRule = TargetRule {
    code: "BR07",
    name: "family-not-known",
    targets: TARGETS,
    models: "profiles of applications, and requests without a model",
    finds: "reasoningContent for a model whose family is not known",
    outcome: RuleOutcome::Undecided,
    evidence: "one thread",
    repair: "Name the model behind the profile: `--target bedrock:MODEL`.",
    matches: &[Example {
        to: "bedrock",
        text: r#"{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"reasoningContent":{"redactedContent":"b"}},{"text":"c"}]},{"role":"user","content":[{"text":"d"}]}]}"#,
    }],
    search: |case, hits| {
        if is_claude(case).is_none() {
            let thinks = |block: &&RequestBlock<'_>| block.kind == RequestItemKind::Thinking;
            let first =
                case.messages().find_map(|(number, message)| Some((number, message.blocks.iter().find(thinks)?)));
            hits.extend(first.map(|(number, block)| TargetHit::doubted(number, block.object.at())));
        }
    },
    ..ROW
};
