//! Records that are no usual messages, converted or refused.

use crate::any::targets;
use crate::support::convert_to;

/// Records that a person may have by accident: values of the wrong kind, names with escapes, the same name twice. The
/// second is what comes out, or nothing where the record is refused.
const ODD: &[(&str, &str, &str)] = &[
    (
        "thinking-block",
        r#"{"id":"x","role":"assistant","content":"PUBL1C"}"#,
        r#"{"id":"x","speaker":"ai","blocks":[{"type":"text","text":"PUBL1C"}]}"#,
    ),
    ("reasoning", r#"{"role":5,"content":{},"thinking":"S3CRET"}"#, r#"{"role":5,"content":{},"thinking":"S3CRET"}"#),
    (
        "tagged",
        r#"{"role":"assistant","content":{},"thinking":"S3CRET"}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"<think>S3CRET</think>"},{}]}"#,
    ),
    ("reasoning", r#"{"role":"assistant","reasoning":5,"thinking":"S3CRET"}"#, ""),
    ("reasoning", r#"{"role":"assistant","reasoning":"S3CRET","reasoning":"S3CRET"}"#, ""),
    ("reasoning", r#"{"role":"assistant","content":"PUBL1C","\u0063ontent":"PUBL1C","thinking":"S3CRET"}"#, ""),
    (
        "reasoning-content",
        r#"{"role":"assistant","\u0063ontent":"PUBL1C","r\u0065asoning":"S3CRET"}"#,
        r#"{"role":"assistant","\u0063ontent":"PUBL1C","reasoning_content":"S3CRET"}"#,
    ),
    ("reasoning-content", r#"{"speaker":"ai","blocks":"PUBL1C"}"#, r#"{"role":"assistant","content":"PUBL1C"}"#),
    ("thinking-block", r#"{"speaker":"ai","blocks":5,"reasoning":"S3CRET"}"#, ""),
    (
        "thinking-block",
        r#"{"speaker":"ai","blocks":[],"reasoning":"S3CRET"}"#,
        r#"{"speaker":"ai","blocks":[{"type":"thinking","thought":"S3CRET","sourceField":"reasoning"}]}"#,
    ),
    (
        "thinking-block",
        r#"{"role":"assistant","content":"PUBL1C","tool_calls":{}}"#,
        r#"{"speaker":"ai","blocks":[{"type":"text","text":"PUBL1C"}],"tool_calls":{}}"#,
    ),
    ("thinking-block", r#"{"role":"assistant","content":[1,null,"PUBL1C"],"thought":[1]}"#, ""),
    (
        "reasoning",
        r#"{"role":"assistant","reasoning":[],"reasoning_content":"S3CRET","content":"PUBL1C"}"#,
        r#"{"role":"assistant","reasoning":"S3CRET","content":"PUBL1C"}"#,
    ),
    (
        "reasoning",
        r#"{"speaker":"ai","tool_calls":[1],"blocks":[{"type":"tool_call","id":"1","name":"f","parameters":{}}]}"#,
        "",
    ),
    (
        "reasoning",
        r#"{"role":"assistant","thinking":"\ud800 S3CRET","content":"\udfff"}"#,
        r#"{"role":"assistant","reasoning":"\ud800 S3CRET","content":"\udfff"}"#,
    ),
    (
        "reasoning",
        r#"{"response":{"body":{"choices":[{"message":{"role":"assistant","thinking":"S3CRET"}}]}}}"#,
        r#"{"response":{"body":{"choices":[{"message":{"role":"assistant","reasoning":"S3CRET"}}]}}}"#,
    ),
    (
        "tagged",
        r#"{"role":"assistant","content":"PUBL1C</think>PUBL1C","reasoning":"S3CRET"}"#,
        // The message has its own place for reasoning: no opener is assumed to be missing.
        "",
    ),
    (
        "reasoning",
        r#"{"role":"assistant","content":"S3CRET</think>PUBL1C"}"#,
        r#"{"role":"assistant","content":"PUBL1C","reasoning":"S3CRET"}"#,
    ),
    (
        "tagged",
        r#"{"reasoning_content":"S3CRET","content":[null]}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"<think>S3CRET</think>"},null]}"#,
    ),
    (
        "thinking-block",
        r#"{"role":"assistant","reasoning_details":["","S3CRET"]}"#,
        r#"{"speaker":"ai","blocks":[{"type":"thinking","thought":"S3CRET","sourceField":"reasoning_details"}]}"#,
    ),
    (
        "reasoning",
        r#"{"role":"assistant","content":"<think>S3CRET</think>PUBL1C</think>PUBL1C"}"#,
        r#"{"role":"assistant","content":"PUBL1CPUBL1C","reasoning":"S3CRET"}"#,
    ),
];

#[test]
fn odd_records_are_converted_or_refused() {
    for (to, input, want) in ODD {
        let done = convert_to(format!("{input}\n").as_bytes(), to, usize::MAX);
        let want = if want.is_empty() { String::new() } else { format!("{want}\n") };
        assert_eq!(done.text(), want, "{input} to {to}");
        // A record in no format stays as it is; an input without any other is an error.
        let wrong = want.is_empty() || want.trim_end() == *input;
        assert_eq!(done.refused.len(), usize::from(wrong), "{input} to {to}");
        assert!(done.refused.iter().all(|what| !what.contains("S3CRET")));
    }
}

/// A raw text in another encoding stays raw text, or is refused: JSON cannot hold it.
#[test]
fn a_text_in_another_encoding_is_not_written_as_json() {
    let long = [b"[a\xE5]\n".as_slice(), &b"words ".repeat(1 << 14), b"\xE5\n"].concat();
    for (target, input) in targets().into_iter().flat_map(|target| [(target, &b"[a\xE5]\n"[..]), (target, &long)]) {
        let done = convert_to(input, target.name, 1 << 20);
        let stays = ["tagged", "harmony"].contains(&target.name);
        assert_eq!(done.refused.is_empty(), stays, "{}: {done:?}", target.name);
        assert!(stays || std::str::from_utf8(&done.out).is_ok(), "{}: {done:?}", target.name);
    }
}
