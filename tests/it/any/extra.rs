//! Small inputs beside the test data: each the least that shows something.

/// Name and text. What the name says is in `known` if it does not hold yet.
pub const EXTRA: &[(&str, &str)] = &[
    (
        "parallel-calls.sse",
        concat!(
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":""}},{"index":1,"id":"2","type":"function","function":{"name":"g","arguments":""}}]}}]}"#,
            "\n\n",
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":1}"}}]}}]}"#,
            "\n\n",
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"b\":2}"}}]}}]}"#,
            "\n\n",
            "data: [DONE]",
            "\n\n",
        ),
    ),
    (
        "parallel-items.sse",
        concat!(
            r#"data: {"type":"response.created","response":{"id":"r","object":"response","output":[]}}"#,
            "\n\n",
            r#"data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f1","call_id":"1","name":"f","arguments":""}}"#,
            "\n\n",
            r#"data: {"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f2","call_id":"2","name":"g","arguments":""}}"#,
            "\n\n",
            r#"data: {"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"a\":1}"}"#,
            "\n\n",
            r#"data: {"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"b\":2}"}"#,
            "\n\n",
            r#"data: {"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","id":"f1","call_id":"1","name":"f","arguments":"{\"a\":1}"}}"#,
            "\n\n",
            r#"data: {"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","id":"f2","call_id":"2","name":"g","arguments":"{\"b\":2}"}}"#,
            "\n\n",
            r#"data: {"type":"response.completed","response":{"id":"r","object":"response","status":"completed","output":[]}}"#,
            "\n\n",
        ),
    ),
    (
        "two-responses.sse",
        concat!(
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"content":"PUBL1C A"},"finish_reason":"stop"}]}"#,
            "\n\n",
            r#"data: {"id":"b","choices":[{"index":0,"delta":{"content":"PUBL1C B"},"finish_reason":"stop"}]}"#,
            "\n\n",
        ),
    ),
    (
        "calls-in-two-chunks.sse",
        concat!(
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"blocks":[{"type":"tool_call","id":"1","name":"f","parameters":{}}]}}]}"#,
            "\n\n",
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"blocks":[{"type":"tool_call","id":"2","name":"g","parameters":{}}]}}]}"#,
            "\n\n",
            "data: [DONE]",
            "\n\n",
        ),
    ),
    ("input-is-a-text.json", r#"{"model":"m","input":"PUBL1C hello","instructions":"PUBL1C be brief"}"#),
    (
        "refusal.json",
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"refusal":"PUBL1C no"},"finish_reason":"stop"}]}"#,
    ),
    ("result-line.jsonl", "{\"type\":\"function_call_output\",\"call_id\":\"1\",\"output\":\"PUBL1C\"}\n"),
    (
        "harmony-in-the-answer.json",
        r#"{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"S3CRET","signature":"x"},{"type":"text","text":"PUBL1C <|end|> PUBL1C"}]}]}"#,
    ),
    (
        "two-sources.sse",
        concat!(
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"reasoning_content":"S3CRET one"}}]}"#,
            "\n\n",
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"reasoning":"S3CRET two","content":"PUBL1C"}}]}"#,
            "\n\n",
            "data: [DONE]",
            "\n\n",
        ),
    ),
    (
        "system-in-the-middle.json",
        r#"{"model":"m","messages":[{"role":"system","content":"PUBL1C one"},{"role":"user","content":"PUBL1C?"},{"role":"system","content":"PUBL1C two"},{"role":"assistant","reasoning_content":"S3CRET","content":"PUBL1C"}]}"#,
    ),
    (
        "cut-call.json",
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": \"PUB"}}]},"finish_reason":"length"}]}"#,
    ),
    (
        "cut-call.sse",
        concat!(
            r#"data: {"id":"a","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{\"a\": \"PUB"}}]},"finish_reason":"length"}]}"#,
            "\n\n",
            "data: [DONE]",
            "\n\n",
        ),
    ),
    (
        "legacy-calls.json",
        r#"{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"PUBL1C"},{"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}},{"role":"function","name":"g","content":"PUBL1C"}]}"#,
    ),
];
