//! Protocols, frameworks, and logs of gateways.

use super::{Members, Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const FRAMEWORKS: &[Product] = &[Product {
    signs: &[Members(&["/session_id", "/message_data"]), Words(&["SQLite format 3", "agent_messages"])],
    remedy: "jq -c 'select((.message_data | fromjson | .type?) != \"reasoning\")' FILE",
    examples: &[
        r#"{"id":1,"session_id":"s","message_data":"{\"content\": \"Will it rain?\", \"role\": \"user\"}"}"#,
        "SQLite format 3\0 CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, message_data TEXT NOT NULL)",
    ],
    ..product("OpenAI Agents SDK")
}];
