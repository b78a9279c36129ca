//! Messages of providers that are like Chat Completions: members that are demanded, and members that are refused.

use super::messages::MEMBERS;
use super::{Example, ROW, RuleOutcome, TargetRule};
use crate::accept::case::{Need, Rank, TargetCase, TargetHit};
use crate::accept::conversation::RequestItemKind;
use crate::accept::edit::TextEdit;
use crate::accept::rules::settings::no_prefill;
use crate::accept::value::{Object, Value};

/// The member for reasoning that most of them have.
pub const FIELD: &str = "reasoning_content";

/// Members of messages that a provider refuses: a hit for each message.
pub fn refused_members(case: &TargetCase<'_, '_>, hits: &mut Vec<TargetHit>, keys: &[&str]) {
    for (number, message) in case.messages() {
        let cuts = TargetCase::cut_keys(message.object(), keys);
        if let Some((_, value)) = message.object().first(keys) {
            hits.push(TargetHit::refused(number, value.at()).mend(Rank::Key, cuts));
        }
    }
}

/// The first message that has one of these members with something in it, and how many have.
fn first_member(case: &TargetCase<'_, '_>, keys: &[&str]) -> Option<TargetHit> {
    let filled = |value: &Value<'_>| !value.is_null() && !value.is_blank() && !value.is_empty_list();
    let mut all = Vec::new();
    for (number, message) in case.messages() {
        all.extend(keys.iter().find_map(|key| message.get(key).filter(filled)).map(|value| (number, value)));
    }
    let (number, value) = all.first()?;
    Some(TargetHit { places: all.len() as u64, ..TargetHit::doubted(*number, value.at()) })
}

pub const QW01: TargetRule = TargetRule {
    code: "QW01",
    name: "qwen-ignores-reasoning",
    targets: &["qwen"],
    models: "3.6 and later",
    finds: "reasoning that is dropped without a word, since preserve_thinking is not true",
    outcome: RuleOutcome::Dropped,
    evidence: "documentation, quoted in QwenLM/qwen-code#5637",
    repair: "Set preserve_thinking to true.",
    options: " --settings",
    matches: &[Example {
        to: "qwen:qwen3.7-max",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let ignores = case.model.version("qwen").is_some_and(|version| version >= (3, 6));
        let kept = case.setting("preserve_thinking").is_some_and(Value::is_true);
        let Some(root) = case.conversation.root.as_ref().filter(|_| ignores && !kept) else { return };
        let set = vec![TargetCase::set_member(root, "preserve_thinking", "true")];
        hits.extend(first_member(case, &[FIELD]).map(|hit| hit.mend_if(Need::Settings, Rank::Setting, set)));
    },
    ..ROW
};

pub const MM01: TargetRule = TargetRule {
    code: "MM01",
    name: "thought-outside-content",
    targets: &["minimax"],
    models: "M2, M3",
    finds: "a thought that does not stand between tags in content, which makes answers worse",
    outcome: RuleOutcome::Degraded,
    evidence: "documentation",
    repair: "`unthink convert --to tagged` puts it there.",
    matches: &[Example {
        to: "minimax:MiniMax-M2.7",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let split = case.setting("reasoning_split").is_some_and(Value::is_true);
        let keys: &[&str] = if split { &[FIELD] } else { &[FIELD, "reasoning", "reasoning_details"] };
        hits.extend(first_member(case, keys));
    },
    ..ROW
};

pub const MI01: TargetRule = TargetRule {
    code: "MI01",
    name: "member-of-reasoning",
    targets: &["mistral"],
    finds: "a member of a message for reasoning, which has its place in content there",
    messages: &[
        "extra_forbidden…reasoning",
        "reasoning_content…Extra inputs are not permitted",
        "reasoning…Extra inputs are not permitted",
    ],
    evidence: "several threads, BerriAI/litellm#30835",
    repair: "Cut it, or make a chunk of type thinking of it.",
    matches: &[Example {
        to: "mistral:mistral-medium-3-5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":""},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, MEMBERS),
    ..ROW
};

pub const MI02: TargetRule = TargetRule {
    code: "MI02",
    name: "chunk-without-list",
    targets: &["mistral"],
    finds: "a chunk of type thinking whose thinking is a string",
    messages: &["thinking…Input should be a valid list"],
    evidence: "inferred from the schema",
    repair: "Make it a list of text chunks.",
    matches: &[Example {
        to: "mistral:magistral-medium-latest",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"c"},{"type":"text","text":"b"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        for (number, block) in case.answered().filter(|(_, block)| block.kind == RequestItemKind::Thinking) {
            let Some(text) = block.object.get("thinking").filter(|text| text.is_string()) else { continue };
            let list = [b"[{\"type\":\"text\",\"text\":", text.raw(), b"}]"].concat();
            let mut edits = vec![TextEdit::Replace(text.at(), list)];
            edits.extend(TargetCase::cut_keys(&block.object, &["signature"]));
            hits.push(TargetHit::refused(number, block.object.at()).mend(Rank::Block, edits));
        }
    },
    ..ROW
};

pub const GQ01: TargetRule = TargetRule {
    code: "GQ01",
    name: "groq-reasoning-content",
    targets: &["groq"],
    finds: "reasoning_content, also an empty one",
    messages: &["property 'reasoning_content' is unsupported"],
    evidence: "several threads, janhq/jan#8136",
    repair: "Cut it.",
    matches: &[Example {
        to: "groq:openai/gpt-oss-120b",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":""},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, &[FIELD]),
    ..ROW
};

/// Words in the names of models that think, at hosts that have others as well.
const THINKERS: &[&str] =
    &["gpt-oss", "qwen3", "qwq", "-r1", "magistral", "glm-4", "glm-5", "minimax", "nemotron", "thinking", "reason"];

/// Words in the names of models that do not think, whoever serves them.
const SPEAKERS: &[&str] =
    &["llama-2", "llama-3", "llama3", "gemma-2", "gemma2", "gemma-3", "gemma3", "qwen2", "mixtral"];

pub const GQ02: TargetRule = TargetRule {
    code: "GQ02",
    name: "groq-model-without-reasoning",
    targets: &["groq"],
    models: "those that do not think",
    finds: "reasoning, also an empty one, for a model that does not think",
    messages: &["reasoning is not supported with this model"],
    evidence: "one thread with its maintainers, vercel/ai#8057",
    repair: "Cut it.",
    matches: &[Example {
        to: "groq:llama-3.3-70b-versatile",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning":""},{"role":"user","content":"d"}]}"#,
    }],
    clean: &[Example {
        to: "groq:openai/gpt-oss-120b",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        if case.model.name().is_some() && !case.model.has(THINKERS) {
            refused_members(case, hits, &["reasoning"]);
        }
    },
    ..ROW
};

pub const CB01: TargetRule = TargetRule {
    code: "CB01",
    name: "cerebras-reasoning-content",
    targets: &["cerebras"],
    finds: "reasoning_content, also an empty one",
    messages: &["reasoning_content' is unsupported"],
    evidence: "several threads, QwenLM/qwen-code#11045",
    repair: "Cut it.",
    matches: &[Example {
        to: "cerebras:gpt-oss-120b",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":""},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, &[FIELD]),
    ..ROW
};

pub const CB02: TargetRule = TargetRule {
    code: "CB02",
    name: "cerebras-reasoning-details",
    targets: &["cerebras"],
    finds: "reasoning_details",
    messages: &["reasoning_details' is unsupported"],
    evidence: "one thread",
    repair: "Cut it.",
    matches: &[Example {
        to: "cerebras:gpt-oss-120b",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_details":[]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, &["reasoning_details"]),
    ..ROW
};

pub const FW01: TargetRule = TargetRule {
    code: "FW01",
    name: "fireworks-thinking-blocks",
    targets: &["fireworks"],
    finds: "thinking_blocks",
    messages: &[
        "thinking_blocks…Extra inputs are not permitted",
        "Extra inputs are not permitted, field: …thinking_blocks",
    ],
    evidence: "one thread, AndyMik90/Aperant#1988",
    repair: "Cut it.",
    matches: &[Example {
        to: "fireworks:accounts/fireworks/models/kimi-k2p5",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","thinking_blocks":[]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| refused_members(case, hits, &["thinking_blocks"]),
    ..ROW
};

pub const OC01: TargetRule = TargetRule {
    code: "OC01",
    name: "unknown-member",
    targets: &["openai-chat"],
    finds: "a member of a message for reasoning; whether it is ignored or refused is not known",
    outcome: RuleOutcome::Undecided,
    evidence: "none",
    repair: "`unthink strip --policy all` takes the reasoning out.",
    matches: &[Example {
        to: "openai-chat:gpt-4.1",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| hits.extend(first_member(case, MEMBERS)),
    ..ROW
};

/// Whether an entry of reasoning_details is a thought of Claude without its signature.
fn is_unsigned(entry: &Object<'_>) -> bool {
    let of_claude = entry.get("format").is_some_and(|format| format.word().starts_with("anthropic-"));
    let signed = entry.get("signature").is_some_and(|sign| sign.is_string() && !sign.is_blank());
    entry.says("type", "reasoning.text") && of_claude && !signed
}

pub const OP01: TargetRule = TargetRule {
    code: "OP01",
    name: "unsigned-entry",
    targets: &["openrouter"],
    models: "Claude",
    finds: "an entry of reasoning_details that is a thought of Claude without its signature",
    messages: &["Invalid `signature` in `thinking` block"],
    evidence: "several threads with its maintainers, OpenRouterTeam/ai-sdk-provider#445; one saw it accepted, earendil-works/pi#9534",
    repair: "Drop the entry; if none is left, reasoning_details and reasoning.",
    matches: &[Example {
        to: "openrouter:anthropic/claude-sonnet-4.6",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning":"c","reasoning_details":[{"type":"reasoning.text","text":"c","format":"anthropic-claude-v1"}]},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| {
        let named = case.model.name().is_some();
        if named && case.model.claude().is_none() {
            return;
        }
        for (number, message) in case.answers() {
            let entries: Vec<Object<'_>> =
                message.get("reasoning_details").into_iter().flat_map(Value::list).filter_map(Value::object).collect();
            let unsigned: Vec<&Object<'_>> = entries.iter().filter(|entry| is_unsigned(entry)).collect();
            let Some(first) = unsigned.first() else { continue };
            let edits = if unsigned.len() == entries.len() {
                TargetCase::cut_keys(message.object(), &["reasoning_details", "reasoning"])
            } else {
                unsigned.iter().map(|entry| TextEdit::Cut(entry.at())).collect()
            };
            hits.push(TargetHit::refused(number, first.at()).certain(named).mend(Rank::Block, edits));
        }
    },
    ..ROW
};

pub const LC01: TargetRule = TargetRule {
    code: "LC01",
    name: "prefill-while-thinking",
    targets: &["llama.cpp"],
    models: "those whose template thinks",
    finds: "a request whose last message is the assistant's, while the template thinks",
    messages: &["Assistant response prefill is incompatible with enable_thinking"],
    evidence: "several threads, ggml-org/llama.cpp#20861",
    repair: "Add a message of the user, `Continue.`; or set chat_template_kwargs.enable_thinking to false.",
    matches: &[Example {
        to: "llama.cpp:qwen3.6-35b-a3b",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
    }],
    clean: &[
        Example {
            to: "llama.cpp:qwen3.6-35b-a3b",
            text: r#"{"chat_template_kwargs":{"enable_thinking":false},"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
        },
        Example {
            to: "llama.cpp:llama-3.3-70b-instruct",
            text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
        },
    ],
    search: |case, hits| {
        let speaks = case.model.has(SPEAKERS) && !case.model.has(THINKERS);
        if speaks || case.setting("enable_thinking").is_some_and(Value::is_false) {
            return;
        }
        if let Some((number, message)) = case.messages().next_back().filter(|(_, message)| message.is_assistant()) {
            hits.push(no_prefill(case, number, message).certain(case.model.has(THINKERS)));
        }
    },
    ..ROW
};

pub const VL01: TargetRule = TargetRule {
    code: "VL01",
    name: "vllm-reasoning-content",
    targets: &["vllm"],
    models: "some versions of the server",
    finds: "reasoning_content, which some versions drop without a word: they read reasoning",
    outcome: RuleOutcome::Dropped,
    evidence: "two threads, vllm-project/vllm#38488",
    repair: "`unthink convert --to reasoning` gives it the other name.",
    matches: &[Example {
        to: "vllm:Qwen/Qwen3-32B",
        text: r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"},{"role":"user","content":"d"}]}"#,
    }],
    search: |case, hits| hits.extend(first_member(case, &[FIELD])),
    ..ROW
};
