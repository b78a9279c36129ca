//! Blocks that are empty, and blocks that a message begins with.

use super::gives;
use serde_json::json;

/// A block of reasoning that is empty is the last one in a document, in lines and in a stream alike.
#[test]
fn an_empty_block_is_a_block() {
    let thinks = |text: &str| json!({"role": "assistant", "content": [{"type": "thinking", "thinking": text}]});
    let request =
        json!({"model": "m", "max_tokens": 9, "system": "s", "messages": [thinks("R"), thinks("")]}).to_string();
    let want = request.replace(r#"[{"thinking":"R","type":"thinking"}]"#, "[]");
    gives(&[&request], "all-but-last", &[&want]);
    let line = |id: &str, text: &str| {
        let mut message = thinks(text);
        message["id"] = id.into();
        json!({"type": "assistant", "sessionId": "s", "uuid": id, "message": message}).to_string()
    };
    let (first, second) = (line("1", "R"), line("2", ""));
    gives(
        &[&first, &second],
        "all-but-last",
        &[&first.replace(r#"[{"thinking":"R","type":"thinking"}]"#, "[]"), &second],
    );
}

/// What a message begins with in a stream is part of it.
#[test]
fn a_message_begins_with_blocks() {
    let start = |content: &str| {
        format!(r#"{{"type":"message_start","message":{{"id":"m","role":"assistant","content":[{content}]}}}}"#)
    };
    let text = r#"{"type":"text","text":"V"}"#;
    gives(
        &[&start(&format!(r#"{{"type":"thinking","thinking":"R","signature":"x"}},{text}"#))],
        "all",
        &[&start(text)],
    );
}
