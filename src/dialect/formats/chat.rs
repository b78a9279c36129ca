//! The OpenAI chat family: Chat Completions requests, responses and chunks, and the message logs made of them, with
//! the fields that DeepSeek, vLLM, OpenRouter, Copilot, LiteLLM, Mistral and others added for reasoning.
//!
//! Specified by the providers' API references; the spellings are collected in the OpenAI API reference ("Chat
//! Completions"), the DeepSeek guide "Reasoning Model", and OpenRouter's "Reasoning Tokens". Three ways to spell
//! reasoning have rows of their own, since a conversation can be written in them.

mod drafts;
mod envelope;
pub(in crate::dialect) mod fields;
mod harmless;
pub(in crate::dialect) mod in_place;
pub(in crate::dialect) mod llxprt;
pub(in crate::dialect) mod mistral;
pub(in crate::dialect) mod openrouter;
mod origin;
pub(in crate::dialect) mod row;
mod rows;
pub(in crate::dialect) mod states;
pub(in crate::dialect) mod thinking_block;
mod write;

pub(in crate::dialect) use drafts::read;
use write::function;
pub(in crate::dialect) use write::{Chat, ReasoningTarget};

use crate::dialect::WriteOptions;
use crate::dialect::draft::Style;
use crate::dialect::product::{Product, Sign, product};
use crate::dialect::read::{Entry, Walked};
use crate::dialect::shape::Slot;
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;
use crate::json::Token;
use crate::model::BlockProperty;
use crate::model::content::Writer;
use in_place::{CLOSE, OPEN};
use row::Guest;
use std::sync::Arc;

/// Members of a request beside its messages that hold text for the model, not by it.
pub(in crate::dialect) const INSTRUCTIONS: &[&[u8]] =
    &[b"tools", b"functions", b"system", b"system_prompt", b"instructions"];

/// The protocol, which a file without signs of a product is said to be of.
const PROTOCOL: Product = product("OpenAI chat");

/// Services and programs whose answers are told from those of others.
const PRODUCTS: &[Product] = &[
    PROTOCOL,
    Product {
        signs: &[Sign::Members(&["/id=gen-*", "/provider", "/choices"])],
        examples: &[
            r#"{"id":"gen-1","provider":"DeepSeek","choices":[{"message":{"role":"assistant","content":"By noon."}}]}"#,
        ],
        ..product("OpenRouter")
    },
    Product {
        signs: &[
            Sign::Members(&["/choices/*/message/content/*/thinking/*/text"]),
            Sign::Members(&["/choices/*/delta/content/*/thinking/*/text"]),
            Sign::Members(&["/messages/*/content/*/thinking/*/text"]),
        ],
        examples: &[
            r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Low pressure."}]}]}}]}"#,
            r#"{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Low pressure."}]}]}]}"#,
        ],
        ..product("Mistral")
    },
    Product {
        signs: &[
            Sign::Members(&["/messages/*/thinking_blocks"]),
            Sign::Members(&["/choices/*/message/thinking_blocks"]),
            Sign::Members(&["/call_type", "/custom_llm_provider", "/response/choices"]),
        ],
        examples: &[
            r#"{"choices":[{"message":{"role":"assistant","content":"By noon.","thinking_blocks":[]}}]}"#,
            r#"{"messages":[{"role":"assistant","content":"By noon.","thinking_blocks":[]}]}"#,
            r#"{"call_type":"acompletion","custom_llm_provider":"anthropic","response":{"choices":[]}}"#,
        ],
        ..product("LiteLLM")
    },
    product("GitHub Copilot"),
];

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "chat",
    aliases: &["openai-chat"],
    kin: &["openai", "gpt", "chatcompletions", "vllm", "groq", "kimi", "qwen", "xai", "grok", "litellm"],
    about: "OpenAI chat messages, responses and chunks with reasoning fields, parts or inline tags",
    products: PRODUCTS,
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    family: Some(Guest { row: rows::CHAT, native: &[] }),
    spelled: &["reasoning-content", "reasoning", "tagged", "harmony"],
    ..PLAIN
};

/// Parts of a message's content that the Chat Completions API knows, and the two for video and sound that vLLM added.
const NATIVE: &[&str] = &["text", "refusal", "image_url", "input_audio", "file", "video_url", "audio_url"];

/// What the ways of spelling reasoning have in common.
const FAMILY: Dialect = Dialect { aliases: &[], kin: WRITTEN, spelled: &[], ..ROW };

/// The names by which one asks for a spelling of chat that can be written.
const WRITTEN: &[&str] = &["openai", "gpt", "chatcompletions"];

pub(in crate::dialect) const REASONING_CONTENT_ROW: Dialect = Dialect {
    name: "reasoning-content",
    aliases: &["reasoning_content", "deepseek"],
    kin: &["openai", "gpt", "chatcompletions", "kimi", "moonshot", "qwen", "glm", "zhipu", "vllm", "litellm"],
    about: "chat messages and deltas with reasoning in the field reasoning_content",
    products: &[
        PROTOCOL,
        product("DeepSeek API"),
        product("Kimi API"),
        product("GLM"),
        product("Qwen"),
        product("llama.cpp server"),
        product("SGLang"),
    ],
    family: Some(Guest { row: rows::REASONING_CONTENT, native: NATIVE }),
    write: Some(|spelling| field_writer("reasoning-content", "reasoning_content", spelling)),
    properties: Some(&[BlockProperty::Empty]),
    ..FAMILY
};

pub(in crate::dialect) const REASONING_ROW: Dialect = Dialect {
    name: "reasoning",
    aliases: &[],
    kin: &["openai", "gpt", "chatcompletions", "groq", "vllm"],
    about: "chat messages and deltas with reasoning in the field reasoning, and its details",
    products: &[PROTOCOL, product("Groq"), product("Cerebras"), product("Together"), product("vLLM")],
    family: Some(Guest { row: rows::REASONING, native: NATIVE }),
    write: Some(|spelling| field_writer("reasoning", "reasoning", spelling)),
    properties: Some(&[BlockProperty::Empty]),
    ..FAMILY
};

pub(in crate::dialect) const TAGGED_ROW: Dialect = Dialect {
    name: "tagged",
    aliases: &[],
    about: "chat messages and deltas with reasoning between inline tags in content",
    products: &[PROTOCOL, product("MiniMax")],
    family: Some(Guest { row: rows::TAGGED, native: NATIVE }),
    write: Some(tag_writer),
    properties: Some(&[BlockProperty::Empty]),
    ..FAMILY
};

pub(in crate::dialect) const HARMONY_ROW: Dialect = Dialect {
    name: "harmony",
    aliases: &["gpt-oss"],
    kin: &[],
    about: "Harmony, the text of gpt-oss: messages with channels, as they are or in content",
    products: &[product("gpt-oss")],
    framings: &[Framing::Text, Framing::Jsonl, Framing::Json, Framing::Sse],
    family: Some(Guest { row: rows::HARMONY, native: NATIVE }),
    write: Some(harmony_writer),
    properties: Some(&[BlockProperty::Blocks, BlockProperty::Empty]),
    ..FAMILY
};

/// A writer that puts reasoning in a field.
fn field_writer(dialect: &'static str, key: &'static str, spelling: &WriteOptions) -> Arc<dyn Writer> {
    Arc::new(Chat { dialect, place: ReasoningTarget::Field(key), fill: spelling.fill && key == fields::DEMANDED })
}

/// A writer that puts reasoning between tags.
fn tag_writer(spelling: &WriteOptions) -> Arc<dyn Writer> {
    let usual = || ("<think>".to_string(), "</think>".to_string());
    let (open, close) = spelling.tag.clone().unwrap_or_else(usual);
    let tokens = vec![open.to_ascii_lowercase(), close.to_ascii_lowercase()];
    let place = ReasoningTarget::Content { open, close, between: "\n".to_string(), tokens, escape: spelling.escape };
    Arc::new(Chat { dialect: "tagged", place, fill: false })
}

/// Tokens that would be read as a part of a header of Harmony, or as the end of a message.
fn harmony_tokens() -> Vec<String> {
    let tokens = ["start", "end", "message", "channel", "constrain", "return", "call", "eom", "eot"];
    tokens.iter().map(|token| format!("<|{token}|>")).collect()
}

/// A writer that puts reasoning in messages of Harmony.
fn harmony_writer(spelling: &WriteOptions) -> Arc<dyn Writer> {
    let place = ReasoningTarget::Content {
        open: OPEN.to_string(),
        close: CLOSE.to_string(),
        between: ["<|end|><|start|>assistant", OPEN].concat(),
        tokens: harmony_tokens(),
        escape: spelling.escape,
    };
    Arc::new(Chat { dialect: "harmony", place, fill: false })
}

/// The node of the request or the response in a record: a line of a batch wraps it.
pub(in crate::dialect) fn body(walked: &Walked) -> u32 {
    let mut node = 0;
    loop {
        let mut own = [Slot::Choices, Slot::Messages].into_iter().flat_map(|slot| walked.all(node, slot));
        if own.any(|entry| entry.token == Token::ArrayStart) {
            return node;
        }
        let inner = walked.all(node, Slot::Wrapped).filter(|entry| entry.token == Token::ObjectStart).last();
        let Some(inner) = inner else { return node };
        node = inner.first_node;
    }
}

/// Whether a key of a line of a batch has a place in every such line, or says nothing of the record in it.
pub(in crate::dialect) fn is_of_batch(key: &[u8]) -> bool {
    matches!(key, b"method" | b"url" | b"status_code" | b"request_id" | b"error")
}

/// The content of a message, which is the result if a tool has sent it.
pub(in crate::dialect) fn content<'w>(walked: &'w Walked, record: &[u8], node: u32) -> Option<&'w Entry> {
    walked.all(node, Slot::Content).find(|entry| entry.key.is(record, "content"))
}

/// The name of the dialect of a record in this style, with its reasoning in this field.
pub(in crate::dialect) fn of(style: &Style, field: Option<&'static str>) -> &'static str {
    match field {
        _ if style.enveloped => llxprt::SESSION_ROW.name,
        _ if style.gemini => llxprt::CHECKPOINT_ROW.name,
        _ if style.blocks => thinking_block::ROW.name,
        Some("reasoning_content") => REASONING_CONTENT_ROW.name,
        Some("reasoning") => REASONING_ROW.name,
        _ => ROW.name,
    }
}
