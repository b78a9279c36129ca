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
        places: &["/attributes/llm.output_messages/*/message.contents"],
        signs: &[Members(&["/attributes/openinference.span.kind"]), Members(&["/attributes/llm.output_messages"])],
        remedy: "jq 'del(.. | objects | select(.\"message_content.type\"? == \"reasoning\"))' FILE",
        examples: &[r#"{"attributes":{"openinference.span.kind":"LLM","llm.model_name":"gpt-5"}}"#],
        ..product("OpenInference")
    },
    Product {
        signs: &[
            Members(&["/resourceSpans/*/scopeSpans"]),
            Members(&["/attributes/*/key=gen_ai.*"]),
            Members(&["/role", "/parts/*/type", "/finish_reason"]),
        ],
        remedy: "jq 'del(.. | objects | select(.type? == \"reasoning\"))' FILE",
        examples: &[
            r#"{"resourceSpans":[{"resource":{},"scopeSpans":[]}]}"#,
            r#"[{"role":"assistant","parts":[{"type":"text","content":"By noon."}],"finish_reason":"stop"}]"#,
        ],
        ..product("OpenTelemetry (gen_ai)")
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
    Product {
        signs: &[Members(&["/request_id", "/spend", "/response"])],
        remedy: "jq -c '.response | fromjson? // .' FILE | unthink strip",
        examples: &[
            r#"{"request_id":"r1","call_type":"acompletion","spend":0.0002,"messages":"{}","response":"{\"id\":\"r1\"}"}"#,
        ],
        ..product("LiteLLM spend logs")
    },
    Product {
        signs: &[Members(&["/type=GENERATION", "/traceId"]), Members(&["/observations/*/traceId"])],
        examples: &[r#"{"id":"o1","traceId":"t1","type":"GENERATION","input":{},"output":{}}"#],
        ..product("Langfuse")
    },
    Product {
        signs: &[Members(&["/run_type", "/dotted_order"]), Members(&["/run_type", "/inputs", "/outputs"])],
        examples: &[r#"{"id":"r1","run_type":"llm","inputs":{},"outputs":{},"dotted_order":"20260801T100000Z"}"#],
        ..product("LangSmith")
    },
    Product {
        signs: &[Members(&["/log/creator", "/log/entries"])],
        remedy: "jq -r '.log.entries[].response.content.text // empty' FILE | unthink strip",
        examples: &[r#"{"log":{"version":"1.2","creator":{"name":"Firefox"},"entries":[]}}"#],
        ..product("HAR (a browser's log)")
    },
];
