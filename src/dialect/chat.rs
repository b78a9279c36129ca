//! The OpenAI chat family: Chat Completions requests, responses and chunks, and the message logs made of them, with
//! the fields that DeepSeek, vLLM, OpenRouter, Copilot, LiteLLM, Mistral and others added for reasoning.
//!
//! Specified by the providers' API references; the spellings are collected in the OpenAI API reference ("Chat
//! Completions"), the DeepSeek guide "Reasoning Model", and OpenRouter's "Reasoning Tokens".

use super::{Dialect, common, field, opaque};
use crate::frame::Framing;

pub(super) const ROW: Dialect = Dialect {
    name: "chat",
    aliases: &["openai-chat"],
    about: "OpenAI chat messages, responses and chunks with reasoning fields, parts or inline tags",
    framings: &[Framing::Jsonl, Framing::Json, Framing::Sse],
    lists: &["messages"],
    roles: &["role"],
    contents: &["content"],
    fields: &[
        field("reasoning_content", "copy of reasoning_content"),
        common("reasoning", "copy of reasoning"),
        field("reasoning_text", "copy of reasoning_text"),
        common("thinking", "copy of thinking"),
        common("thought", "copy of thought"),
        common("thoughts", "copy of thoughts"),
        field("reasoning_details", "copy of reasoning_details"),
        field("thinking_blocks", "copy of thinking_blocks"),
        opaque("reasoning_opaque", "copy of reasoning_opaque"),
        field("reasoningContentBlocks", "copy of reasoningContentBlocks"),
    ],
    containers: &["provider_specific_fields", "additional_kwargs"],
    parts: &["thinking", "redacted_thinking", "reasoning", "reasoning_content", "reasoning_text", "think", "thought"],
    choices: true,
};
