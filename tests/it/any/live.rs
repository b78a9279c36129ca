//! Streams that are converted while they come, in a process of their own.

use super::streams;
use crate::support::feed_parts;

fn sse(name: &str, data: &str) -> String {
    match name {
        "" => format!("data: {data}\n\n"),
        name => format!("event: {name}\ndata: {data}\n\n"),
    }
}

/// The events of an answer with reasoning, text and a call, each with what it feeds.
fn anthropic() -> Vec<(String, &'static str)> {
    let event = |data: &str| {
        let name: serde_json::Value = serde_json::from_str(data).unwrap();
        sse(name["type"].as_str().unwrap(), data)
    };
    let start = r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}"#;
    let block = |at: u8, block: &str| {
        event(&format!(r#"{{"type":"content_block_start","index":{at},"content_block":{block}}}"#))
    };
    let delta =
        |at: u8, delta: &str| event(&format!(r#"{{"type":"content_block_delta","index":{at},"delta":{delta}}}"#));
    let stop = |at: u8| event(&format!(r#"{{"type":"content_block_stop","index":{at}}}"#));
    let (first, second, text) = (
        delta(0, r#"{"type":"thinking_delta","thinking":"S3CRET one"}"#),
        delta(0, r#"{"type":"thinking_delta","thinking":" S3CRET two"}"#),
        delta(1, r#"{"type":"text_delta","text":"PUBL1C three"}"#),
    );
    let call = delta(2, r#"{"type":"input_json_delta","partial_json":"{\"q\":4"}"#);
    vec![
        (event(start) + &block(0, r#"{"type":"thinking","thinking":"","signature":""}"#) + &first, "S3CRET one"),
        (second, "S3CRET two"),
        (stop(0) + &block(1, r#"{"type":"text","text":""}"#) + &text, "PUBL1C three"),
        (delta(1, r#"{"type":"text_delta","text":" PUBL1C four"}"#), "PUBL1C four"),
        (stop(1) + &block(2, r#"{"type":"tool_use","id":"c","name":"look","input":{}}"#) + &call, r#"{\"q\":4"#),
        (delta(2, r#"{"type":"input_json_delta","partial_json":",\"r\":5}"}"#), r#",\"r\":5}"#),
        (event(r#"{"type":"message_stop"}"#), ""),
    ]
}

fn chat() -> Vec<(String, &'static str)> {
    let chunk = |delta: &str| sse("", &format!(r#"{{"id":"x","choices":[{{"index":0,"delta":{{{delta}}}}}]}}"#));
    let call = |more: &str| chunk(&format!(r#""tool_calls":[{{"index":0,{more}}}]"#));
    vec![
        (chunk(r#""reasoning_content":"S3CRET one""#), "S3CRET one"),
        (chunk(r#""reasoning_content":" S3CRET two""#), "S3CRET two"),
        (chunk(r#""content":"PUBL1C three""#), "PUBL1C three"),
        (chunk(r#""content":" PUBL1C four""#), "PUBL1C four"),
        (call(r#""id":"c","type":"function","function":{"name":"look","arguments":"{\"q\":4"}"#), r#"{\"q\":4"#),
        (call(r#""function":{"arguments":",\"r\":5}"}"#), r#",\"r\":5}"#),
        (sse("", "[DONE]"), ""),
    ]
}

fn responses() -> Vec<(String, &'static str)> {
    let event = |kind: &str, more: &str| sse(kind, &format!(r#"{{"type":"{kind}",{more}}}"#));
    let start =
        event("response.created", r#""response":{"id":"r","object":"response","status":"in_progress","output":[]}"#);
    let added =
        |at: u8, item: &str| event("response.output_item.added", &format!(r#""output_index":{at},"item":{{{item}}}"#));
    let delta = |kind: &str, at: u8, text: &str| {
        let text = serde_json::to_string(text).unwrap();
        event(&format!("response.{kind}.delta"), &format!(r#""output_index":{at},"content_index":0,"delta":{text}"#))
    };
    let call = r#""type":"function_call","id":"f","call_id":"c","name":"look","arguments":"""#;
    vec![
        (
            start
                + &added(0, r#""type":"reasoning","id":"a","summary":[]"#)
                + &delta("reasoning_text", 0, "S3CRET one"),
            "S3CRET one",
        ),
        (delta("reasoning_text", 0, " S3CRET two"), "S3CRET two"),
        (
            added(1, r#""type":"message","id":"b","role":"assistant","content":[]"#)
                + &delta("output_text", 1, "PUBL1C three"),
            "PUBL1C three",
        ),
        (delta("output_text", 1, " PUBL1C four"), "PUBL1C four"),
        (added(2, call) + &delta("function_call_arguments", 2, "{\"q\":4"), r#"{\"q\":4"#),
        (delta("function_call_arguments", 2, ",\"r\":5}"), r#",\"r\":5}"#),
        (
            event(
                "response.completed",
                r#""response":{"id":"r","object":"response","status":"completed","output":[]}"#,
            ),
            "",
        ),
    ]
}

/// What a step feeds is out before the next step is fed.
fn steps_go_out(name: &str, steps: &[(String, &str)]) {
    // There are no events of this one, which waits for the end of a message.
    for to in super::targets().into_iter().map(|dialect| dialect.name).filter(|name| *name != "gromozeka") {
        // A call is one block there, which waits for its end.
        let calls = if ["thinking-block", "gemini", "ollama", "mistral"].contains(&to) { 4..6 } else { 0..0 };
        let steps: Vec<_> =
            steps.iter().enumerate().filter(|(at, _)| !calls.contains(at)).map(|(_, step)| step).collect();
        let parts: Vec<&str> = steps.iter().map(|(part, _)| part.as_str()).collect();
        let out = feed_parts(&["convert", "--framing", "sse", "--to", to], &parts);
        for ((_, want), out) in steps.iter().zip(&out) {
            assert!(out.contains(want) && out.ends_with("\n\n"), "{name} to {to}: {want} is not in {out:?}");
            streams::values(out.as_bytes()).unwrap();
        }
    }
}

#[test]
fn anthropic_goes_out_as_it_comes() {
    steps_go_out("anthropic", &anthropic());
}

#[test]
fn chat_goes_out_as_it_comes() {
    steps_go_out("chat", &chat());
}

#[test]
fn responses_go_out_as_they_come() {
    steps_go_out("responses", &responses());
}
