//! The message about a record that may hold reasoning: what wrote it, and a command that can be pasted.

use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs a line in a shell: the status, stdout and stderr.
fn shell(folder: &Path, line: &str) -> (Option<i32>, String, String) {
    let script = format!("unthink() {{ '{}' \"$@\"; }}\n{line}", env!("CARGO_BIN_EXE_unthink"));
    let output = Command::new("sh").current_dir(folder).args(["-c", &script]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The command in the messages of a run.
fn pasted(messages: &str) -> Option<String> {
    let mut lines = messages.lines().skip_while(|line| !line.contains("this takes out what may be reasoning"));
    lines.nth(1).map(|line| line.trim_start().to_string())
}

/// The command takes the reasoning out, and nothing else.
#[test]
#[cfg(unix)]
fn the_command_can_be_pasted() {
    let session = r#"{"name":"Bot","said":"PUBL1C","extra":{"reasoning":"S3CRET wind and rain."}}"#;
    let read = r#"{"role":"assistant","reasoning_content":"S3CRET wind and rain.","content":"PUBL1C"}"#;
    let odd = r#"{"it's":{"cot":"S3CRET wind and rain."},"log":["<think>S3CRET</think>PUBL1C"]}"#;
    let drop = "unthink strip --drop '/extra/reasoning'";
    let pipe = "unthink strip --foreign pass";
    for (name, text, want, product) in [
        ("a.json", format!("{session}\n"), format!("{drop} a.json"), ""),
        ("a.json", format!("[{session},\n{session}]\n"), format!("{drop} a.json"), ""),
        ("a.jsonl", format!("{read}\n{session}\n"), format!("{pipe} a.jsonl | {drop}"), ""),
        ("it's a.jsonl", format!("{session}\n"), format!(r"{drop} 'it'\''s a.jsonl'"), ""),
        ("-a", format!("{session}\n"), format!("{drop} ./-a"), ""),
        ("b", format!("{odd}\n"), r"unthink strip --drop '/it'\''s/cot' --field '/log/*' b".to_string(), ""),
        (
            "o.jsonl",
            "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"PUBL1C\",\"thinking\":\"S3CRET wind.\"},\"done\":false}\n".repeat(30),
            "unthink strip --drop '/message/thinking' o.jsonl".to_string(),
            "Ollama",
        ),
    ] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join(name), &text).unwrap();
        for command in ["", "split", "check", "strip -i"] {
            let line = format!("unthink {command} -- '{}'", name.replace('\'', r"'\''"));
            let (status, _, messages) = shell(folder.path(), &line);
            assert_eq!(status, Some(if command == "check" { 1 } else { 3 }), "{line}: {messages}");
            assert_eq!(pasted(&messages).as_deref(), Some(want.as_str()), "{line}: {messages}");
            let done = if command == "check" { "not checked" } else { "skipped" };
            let says = format!("may be reasoning, in no format that is read ({done}): it looks like {product}\n");
            assert_eq!(messages.contains(&says), !product.is_empty(), "{line}: {messages}");
            assert!(!messages.contains("S3CRET"), "{messages}");
        }
        let (status, out, messages) = shell(folder.path(), &want);
        assert_eq!(status, Some(0), "{want}: {messages}");
        assert!(!out.contains("S3CRET") && out.contains("PUBL1C"), "{want}: {out}");
    }
}

/// No command is shown that would take answers out, or leave some of the reasoning.
#[test]
#[cfg(unix)]
fn no_command_takes_answers_out() {
    let typed = r#"{"fragments":[{"type":"THINK","content":"S3CRET"},{"type":"RESPONSE","content":"PUBL1C"}]}"#;
    let named = r#"{"draft":{"cot":"S3CRET wind and rain."}}"#;
    for text in [typed.to_string(), format!("{typed}\n{named}"), format!("{named}\n{{\"a\":tru}}")] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("a.jsonl"), text + "\n").unwrap();
        let (status, _, messages) = shell(folder.path(), "unthink --framing jsonl a.jsonl");
        assert_eq!((status, pasted(&messages)), (Some(3), None), "{messages}");
    }
}
