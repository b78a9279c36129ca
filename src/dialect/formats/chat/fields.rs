//! The keys of a message that hold its reasoning.

use super::rows::{BLOCKS, CHAT, CHECKPOINT, LOG, REASONING, REASONING_CONTENT, SESSION};
use crate::dialect::shape::Rows;

/// A key that holds reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// The rows that have it.
    pub rows: Rows,
    /// Programs also use the key for other things: a flag or a number under it is ignored, and the key alone does not
    /// make an object a message.
    pub common: bool,
    /// Its value is not text, but a signature or a ciphertext of its block.
    pub opaque: bool,
    /// It is a signature of what stands beside it, a call or a text, and not of reasoning in the message.
    pub seal: bool,
    /// The source of the same field in an object that repeats reasoning: usually a copy.
    pub copy: &'static str,
}

const fn field(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: false, opaque: false, seal: false, copy }
}

const fn common(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: true, opaque: false, seal: false, copy }
}

const fn opaque(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { key, rows, common: false, opaque: true, seal: false, copy }
}

const fn seal(key: &'static str, rows: Rows, copy: &'static str) -> Field {
    Field { seal: true, ..opaque(key, rows, copy) }
}

/// The keys of a message that hold its reasoning.
pub(in crate::dialect) const FIELDS: &[Field] = &[
    field("reasoning_content", CHAT | REASONING_CONTENT, "copy of reasoning_content"),
    common("reasoning", CHAT | REASONING, "copy of reasoning"),
    field("reasoning_text", CHAT, "copy of reasoning_text"),
    common("thinking", CHAT | BLOCKS | SESSION | LOG, "copy of thinking"),
    common("thought", CHAT | BLOCKS | SESSION | LOG | CHECKPOINT, "copy of thought"),
    common("thoughts", CHAT, "copy of thoughts"),
    field("reasoning_details", CHAT | REASONING, "copy of reasoning_details"),
    field("thinking_blocks", CHAT, "copy of thinking_blocks"),
    field("codex_reasoning_items", CHAT, "copy of codex_reasoning_items"),
    opaque("reasoning_opaque", CHAT, "copy of reasoning_opaque"),
    seal("thought_signature", CHAT, "copy of thought_signature"),
    seal("thought_signatures", CHAT, "copy of thought_signatures"),
    seal("thoughtSignature", CHECKPOINT, "copy of thoughtSignature"),
    field("reasoningContentBlocks", CHAT, "copy of reasoningContentBlocks"),
];

/// The field that DeepSeek and Kimi demand in messages with calls of tools, if only with an empty text.
pub(super) const DEMANDED: &str = "reasoning_content";

/// The field with this key.
pub(in crate::dialect) fn field_of(key: &[u8]) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.key.as_bytes() == key)
}

/// How many of them hold text: a signature has no members.
pub(super) const fn texts() -> usize {
    let (mut count, mut at) = (0, 0);
    while at < FIELDS.len() {
        count += !FIELDS[at].opaque as usize;
        at += 1;
    }
    count
}
