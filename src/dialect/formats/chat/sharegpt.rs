//! ShareGPT, the shape of many datasets: `{"conversations":[{"from":"human","value":…},{"from":"gpt","value":…}]}`.
//!
//! Specified by the ShareGPT dataset, by LLaMA-Factory's data README ("Sharegpt Format": `function_call` and
//! `observation` for tools), and by the Hermes function calling dataset (`system`, `tool`).

use super::row::{Keys, NO_KEYS, Speakers};
use crate::dialect::{Dialect, PLAIN};
use crate::frame::Framing;

pub(in crate::dialect) const ROW: Dialect = Dialect {
    name: "sharegpt",
    aliases: &[],
    about: "ShareGPT datasets: conversations of messages with from and value, and inline tags",
    framings: &[Framing::Jsonl, Framing::Json],
    keys: Some(&Keys {
        lists: &["conversations"],
        roles: &["from"],
        contents: &["value"],
        speakers: Some(&Speakers {
            text: &[
                "human",
                "user",
                "gpt",
                "chatgpt",
                "bing",
                "bard",
                "assistant",
                "model",
                "claude",
                "bot",
                "ai",
                "llm",
                "GPT",
                "Assistant",
                "system",
                "tool",
                "function",
                "function_response",
                "observation",
            ],
            calls: &["function_call"],
        }),
        ..NO_KEYS
    }),
    ..PLAIN
};
