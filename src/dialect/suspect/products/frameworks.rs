//! Protocols, frameworks, and logs of gateways.

use super::{Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const FRAMEWORKS: &[Product] = &[Product {
    signs: &[Words(&["SQLite format 3", "agent_messages"])],
    remedy: "sqlite3 -json FILE 'SELECT * FROM agent_messages' | unthink",
    examples: &["SQLite format 3\0 CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, message_data TEXT NOT NULL)"],
    ..product("OpenAI Agents SDK (SQLite)")
}];
