//! Who has signed or encrypted a block of reasoning.

use crate::json::text::decoded;
use crate::model::SUMMARY;
use crate::model::content::{Attribute, Block};

/// Who has signed or encrypted a block, by the name that the Vercel AI SDK has for it.
pub(in crate::dialect) fn sealer(block: &Block) -> Option<String> {
    let Some(by) = block.filled(Attribute::SealedBy) else {
        return match block.source {
            "part" => Some("anthropic".into()),
            // OpenAI encrypts, and signs nothing.
            SUMMARY if block.filled(Attribute::Signature).is_some() => Some("google".into()),
            SUMMARY | "reasoning_text" => Some("openai".into()),
            _ => None,
        };
    };
    let word = decoded(&by[1..by.len() - 1]);
    // LiteLLM has Anthropic's blocks under a key of its own.
    if word == b"thinking_blocks" {
        return Some("anthropic".into());
    }
    let name: Vec<u8> = word.iter().copied().take_while(u8::is_ascii_alphanumeric).collect();
    String::from_utf8(name).ok().filter(|name| !name.is_empty())
}
