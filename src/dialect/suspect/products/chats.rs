//! Chat products: exports of accounts, and files of programs with a window.

use super::{Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const CHATS: &[Product] = &[Product {
    signs: &[Words(&["\n- conversationId: ", "\n- exportAt: "])],
    remedy: "grep -v '^{\"type\":\"think\"' FILE",
    examples: &["# Conversation\n- conversationId: c1\n- endpoint: anthropic\n- exportAt: 10:00:00\n\n## History\n"],
    ..product("LibreChat")
}];
