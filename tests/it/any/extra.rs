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
        "media-of-messages.json",
        r#"{"model":"m","max_tokens":9,"system":"PUBL1C","messages":[{"role":"user","content":[{"type":"text","text":"PUBL1C see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},{"type":"image","source":{"type":"url","url":"https://example.org/a.jpg"}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":"a"},{"type":"document","source":{"type":"url","url":"https://example.org/a.pdf"}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"S3CRET","signature":"UzNDUkVU"},{"type":"text","text":"PUBL1C"}]}]}"#,
    ),
    (
        "media-of-items.json",
        r#"{"model":"m","instructions":"PUBL1C","input":[{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo=","detail":"high"},{"type":"input_text","text":"PUBL1C see"},{"type":"input_image","image_url":"https://example.org/a.jpg","detail":"auto"},{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="},{"type":"input_file","file_url":"https://example.org/a.pdf"},{"type":"input_file","file_id":"file-1"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"S3CRET"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"PUBL1C"}]}]}"#,
    ),
    (
        "media-of-chat.json",
        r#"{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image\/png;base64,iVBORw0KGgo="}},{"type":"text","text":"PUBL1C see"},{"type":"image_url","image_url":{"url":"https://example.org/a.jpg"}},{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}},{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0="}}]},{"role":"assistant","reasoning_content":"S3CRET","content":"PUBL1C"}]}"#,
    ),
    (
        "media-of-parts.json",
        r#"{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},{"text":"PUBL1C see"},{"fileData":{"mimeType":"application/pdf","fileUri":"https://example.org/a.pdf"}}]},{"role":"model","parts":[{"text":"S3CRET","thought":true},{"text":"PUBL1C"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]}],"generationConfig":{}}"#,
    ),
    (
        "media-of-blocks.json",
        r#"{"modelId":"m","messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}},{"text":"PUBL1C see"},{"document":{"format":"pdf","name":"a","source":{"bytes":"JVBERi0="}}}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"S3CRET"}}},{"text":"PUBL1C"}]}],"inferenceConfig":{}}"#,
    ),
    (
        "media-beside-text.json",
        r#"{"model":"m","messages":[{"role":"user","content":"PUBL1C see","images":["iVBORw0KGgo="]},{"role":"assistant","thinking":"S3CRET","content":"PUBL1C"}]}"#,
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
