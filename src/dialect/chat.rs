//! The OpenAI chat family: Chat Completions requests, responses and chunks, and the message logs made of them, with
//! the fields that DeepSeek, vLLM, OpenRouter, Copilot, LiteLLM, Mistral and others added for reasoning.
//!
//! Specified by the providers' API references; the spellings are collected in the OpenAI API reference ("Chat
//! Completions"), the DeepSeek guide "Reasoning Model", and OpenRouter's "Reasoning Tokens".

use super::{Dialect, common, field};
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
        field("reasoning_content"),
        common("reasoning"),
        field("reasoning_text"),
        common("thinking"),
        common("thought"),
        common("thoughts"),
        field("reasoning_details"),
        field("thinking_blocks"),
        field("reasoning_opaque"),
        field("reasoningContentBlocks"),
    ],
    containers: &["provider_specific_fields", "additional_kwargs"],
    parts: &["thinking", "redacted_thinking", "reasoning", "reasoning_content", "reasoning_text", "think", "thought"],
    choices: true,
};
