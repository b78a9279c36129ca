//! Protocols, frameworks, and logs of gateways.

use super::{Members, Product, Sign, product};
use Sign::Words;

pub(in crate::dialect::suspect) const FRAMEWORKS: &[Product] = &[
    Product {
        places: &["/params/update/content"],
        signs: &[Members(&["/params/update/sessionUpdate"])],
        remedy: "jq -c 'select(.params.update.sessionUpdate? != \"agent_thought_chunk\")' FILE",
        examples: &[
            r#"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"By noon."}}}}"#,
        ],
        ..product("the Agent Client Protocol")
    },
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
        signs: &[Members(&["/kind", "/parts/*/part_kind"])],
        remedy: "jq 'del(.. | objects | select(.part_kind? == \"thinking\"))' FILE",
        examples: &[r#"[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"Will it rain?"}]}]"#],
        ..product("pydantic-ai")
    },
    Product {
        signs: &[Members(&["/role", "/blocks/*/block_type"])],
        remedy: "jq 'del(.. | objects | select(.block_type? == \"thinking\"))' FILE",
        examples: &[r#"[{"role":"user","blocks":[{"block_type":"text","text":"Will it rain?"}]}]"#],
        ..product("LlamaIndex")
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
    Product {
        signs: &[
            Members(&["/type=RUN_*"]),
            Members(&["/type=TEXT_MESSAGE_*"]),
            Members(&["/type=REASONING_*"]),
            Members(&["/type=THINKING_*"]),
            Members(&["/type=MESSAGES_SNAPSHOT", "/messages"]),
        ],
        remedy: "jq 'del(.. | objects | select((.type? // \"\" | tostring | test(\"^(REASONING|THINKING)_\")) or .role? == \"reasoning\")) | del(.. | objects | .encryptedValue)' FILE",
        examples: &[
            r#"[{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}]"#,
            "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"By noon.\"}\n\n",
        ],
        ..product("AG-UI")
    },
];
