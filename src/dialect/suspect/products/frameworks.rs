//! Protocols, frameworks, and logs of gateways.

use super::{Members, Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const FRAMEWORKS: &[Product] = &[
    Product {
        places: &["/kwargs/content", "/kwargs/additional_kwargs"],
        signs: &[
            Members(&["/lc", "/type=constructor", "/kwargs"]),
            Members(&["/type=ai", "/data/content"]),
            Members(&["/messages/*/lc", "/messages/*/kwargs"]),
        ],
        remedy: "jq 'del(.. | objects | select(.type? == \"thinking\" or .type? == \"redacted_thinking\" or .type? == \"reasoning\" or .type? == \"reasoning_content\")) | del(.. | objects | .additional_kwargs? | objects | .reasoning, .reasoning_content)' FILE",
        examples: &[
            r#"[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"Will it rain?"}}]"#,
            r#"["values",{"messages":[{"lc":1,"type":"constructor","kwargs":{"content":"Will it rain?"}}]}]"#,
            r#"[{"type":"ai","data":{"content":"By noon.","type":"ai"}}]"#,
        ],
        ..product("LangChain")
    },
    Product {
        signs: &[Members(&["/id", "/role", "/parts/*/type"])],
        remedy: "jq 'del(.. | objects | select(.type? == \"reasoning\"))' FILE",
        examples: &[r#"[{"id":"m1","role":"user","parts":[{"type":"text","text":"Will it rain?"}]}]"#],
        ..product("Vercel AI SDK (messages)")
    },
    Product {
        signs: &[Members(&["/session_id", "/message_data"]), Words(&["SQLite format 3", "agent_messages"])],
        remedy: "jq -c 'select((.message_data | fromjson | .type?) != \"reasoning\")' FILE",
        examples: &[
            r#"{"id":1,"session_id":"s","message_data":"{\"content\": \"Will it rain?\", \"role\": \"user\"}"}"#,
            "SQLite format 3\0 CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, message_data TEXT NOT NULL)",
        ],
        ..product("OpenAI Agents SDK")
    },
];
