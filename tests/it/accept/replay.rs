//! `strip --policy replay:TARGET`, `convert --replay`, and the options of `check` with `--target`.

use super::named;
use crate::support::shared;
use assert_cmd::Command;
use std::path::Path;
use unthink::accept::judge;

/// Runs the program. Returns the status, stdout and stderr.
fn run(words: &[&str], folder: &Path) -> (i32, Vec<u8>, String) {
    let mut command = Command::cargo_bin("unthink").unwrap();
    let done = command.args(words).current_dir(folder).output().unwrap();
    (done.status.code().unwrap(), done.stdout, String::from_utf8_lossy(&done.stderr).into_owned())
}

const UNSIGNED: &str = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}"#;
const CLEAN: &str = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},{"role":"user","content":"c"}]}"#;
const CHAT: &str = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"","reasoning_content":"x","tool_calls":[{"id":"t","type":"function","function":{"name":"n","arguments":"{}"}}]},{"role":"tool","tool_call_id":"t","content":"b"}]}"#;

/// A folder with a request, and with lines of them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("one.json"), UNSIGNED).unwrap();
    std::fs::write(folder.path().join("lines.jsonl"), format!("{UNSIGNED}\n{CLEAN}\n{UNSIGNED}\n")).unwrap();
    std::fs::write(folder.path().join("chat.json"), CHAT).unwrap();
    folder
}

#[test]
fn a_policy_about_a_target() {
    let folder = folder();
    let strip = |words: &[&str]| run(&[&["strip", "--policy"], words].concat(), folder.path());
    let (status, out, told) = strip(&["replay:anthropic", "one.json"]);
    assert_eq!((status, out), (0, CLEAN.as_bytes().to_vec()), "{told}");
    assert!(told.contains("AN01") && !told.contains("\"x\""), "{told}");
    let (status, out, _) = strip(&["replay:anthropic:claude-opus-4-8", "lines.jsonl"]);
    assert_eq!((status, out), (0, format!("{CLEAN}\n{CLEAN}\n{CLEAN}\n").into_bytes()));
    // What is demanded stays, byte for byte; what is refused goes.
    assert_eq!(strip(&["replay:kimi:kimi-k2.6", "chat.json"]).1, CHAT.as_bytes());
    assert_eq!(strip(&["replay:groq", "chat.json"]).1, CHAT.replace(r#""reasoning_content":"x","#, "").into_bytes());
    // Of another dialect: status 3, and nothing is lost.
    let (status, out, told) = strip(&["replay:gemini", "chat.json"]);
    assert_eq!((status, out), (3, CHAT.as_bytes().to_vec()), "{told}");
    let (status, out, _) = strip(&["replay:anthropic", "--diff", "one.json"]);
    assert!(status == 0 && String::from_utf8(out).unwrap().contains("\n-{\"messages\""));
    assert_eq!(strip(&["replay:anthropic", "-i.old", "one.json", "lines.jsonl"]).0, 0);
    assert_eq!(std::fs::read_to_string(folder.path().join("one.json")).unwrap(), CLEAN);
    assert_eq!(std::fs::read_to_string(folder.path().join("one.json.old")).unwrap(), UNSIGNED);
    let plain = run(&["--policy", "replay:anthropic", "lines.jsonl"], folder.path());
    assert_eq!((plain.0, plain.1), (0, format!("{CLEAN}\n{CLEAN}\n{CLEAN}\n").into_bytes()));
}

#[test]
fn a_policy_that_was_mistyped() {
    let folder = folder();
    for (words, want) in [
        (&["strip", "-p", "replay"][..], "did you mean replay:TARGET?"),
        (&["strip", "-p", "reply:kimi"], "did you mean replay:kimi?"),
        (&["strip", "-p", "replay:anthropc"], "replay:anthropc: no such target; did you mean anthropic?"),
        (&["strip", "-p", "replay:kimi:"], "the name of a model belongs behind the colon"),
        (&["strip", "-p", "replay:kimi", "--empty", "drop"], "--empty: --policy replay:kimi looks at whole requests"),
        (&["check", "-p", "replay:kimi"], "`unthink check --target kimi`"),
        (&["convert", "--to", "anthropic", "--replay=kimi"], "that target takes Chat Completions"),
        (&["convert", "--to", "anthropic", "--replay=kimmi"], "did you mean kimi?"),
        (&["convert", "--to", "mew", "--replay"], "no target takes mew"),
    ] {
        let (status, out, told) = run(&[words, &["one.json"]].concat(), folder.path());
        assert!(status == 2 && out.is_empty() && told.contains(want), "{words:?}: {status} {told}");
    }
}

#[test]
fn a_conversion_is_mended() {
    let folder = folder();
    let convert = |words: &[&str]| run(&[&["convert", "--to"], words].concat(), folder.path());
    // Reasoning without a signature becomes a block that is refused, and so it goes.
    let (status, out, told) = convert(&["anthropic", "--replay", "chat.json"]);
    let (target, model) = named("anthropic");
    assert!(status == 0 && !judge(&out, target, model).is_rejected(), "{told}");
    assert!(String::from_utf8_lossy(&out).contains("tool_use") && told.contains("AN"), "{told}");
    let (status, out, told) = convert(&["reasoning-content", "--replay=groq:llama-3.3-70b-versatile", "chat.json"]);
    let (target, model) = named("groq:llama-3.3-70b-versatile");
    assert!(status == 0 && judge(&out, target, model).findings.is_empty(), "{told}");
    assert!(String::from_utf8_lossy(&out).contains("\"t\""));
    // Too long to be held: it is written as it was converted, and that is told.
    let long = convert(&["anthropic", "--replay", "--max-record", "400", "lines.jsonl"]);
    let plain = convert(&["anthropic", "--max-record", "400", "lines.jsonl"]);
    assert_eq!((long.0, long.1), (3, plain.1), "{}", long.2);
    assert!(long.2.contains("--max-record"), "{}", long.2);
}

/// What a provider accepted, converted for another one, is accepted there by the rules.
#[test]
fn what_was_accepted_is_accepted_elsewhere() {
    let Some(shared) = shared() else { return };
    let samples = shared.join("samples");
    let text = std::fs::read(samples.join("INDEX.json")).unwrap();
    let index: Vec<serde_json::Value> = serde_json::from_slice(&text).unwrap();
    let files: Vec<&str> =
        index.iter().filter(|row| row["kind"] == "request").filter_map(|row| row["file"].as_str()).collect();
    assert!(files.len() >= 12, "{files:?}");
    let targets = [
        ("anthropic", "anthropic:claude-opus-4-8"),
        ("anthropic", "vertex-claude:claude-sonnet-4-5"),
        ("responses", "openai-responses:gpt-5"),
        ("responses", "github-copilot"),
        ("reasoning-content", "deepseek:deepseek-v4-pro"),
        ("reasoning-content", "kimi:kimi-k2.6"),
        ("reasoning-content", "mistral"),
        ("reasoning", "groq:openai/gpt-oss-120b"),
        ("reasoning", "cerebras:gpt-oss-120b"),
        ("tagged", "minimax"),
        ("gemini", "gemini:gemini-3-pro-preview"),
        ("bedrock", "bedrock:us.amazon.nova-2-lite-v1:0"),
    ];
    let mut wrong = Vec::new();
    // Tags in a text of Bedrock are no reasoning that is read: such a record is not converted at all.
    let files: Vec<&str> = files.into_iter().filter(|file| *file != "bedrock-converse-05.json").collect();
    for file in &files {
        for (dialect, to) in targets {
            let replay = format!("--replay={to}");
            let (status, out, told) = run(&["convert", "--to", dialect, &replay, file], &samples);
            let (target, model) = named(to);
            let judged = judge(&out, target, model);
            if status != 0 || judged.is_rejected() || !judged.refused.is_empty() || judged.messages == 0 {
                wrong.push(format!("{file} to {to}: {status} {:?} {told}", judged.refused));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len() * targets.len(), wrong.join("\n"));
}

#[test]
fn check_has_its_options_with_a_target() {
    let folder = folder();
    let check = |words: &[&str]| run(&[&["check", "--target", "anthropic"], words].concat(), folder.path());
    assert_eq!(check(&["one.json"]).0, 1);
    assert_eq!(check(&["--ignore", "AN01", "one.json"]).0, 0);
    assert_eq!(check(&["--select", "unsigned-thinking", "one.json"]).0, 1);
    assert_eq!(check(&["--select", "AN02,an1", "one.json"]).0, 0);
    let (status, _, told) = check(&["--select", "AN77", "one.json"]);
    assert!(status == 2 && told.contains("no such rule"), "{told}");
    assert_eq!(check(&["--write-baseline", "known.json", "one.json", "lines.jsonl"]).0, 0);
    assert_eq!(check(&["--baseline", "known.json", "one.json", "lines.jsonl"]).0, 0);
    std::fs::write(folder.path().join("new.json"), UNSIGNED).unwrap();
    assert_eq!(check(&["--baseline", "known.json", "one.json", "new.json"]).0, 1);
    for form in crate::support::report_formats() {
        let (status, out, told) = check(&["-o", &form, "one.json"]);
        let out = String::from_utf8(out).unwrap();
        let names_it = out.contains("AN01") || form == "prometheus" && !out.is_empty();
        assert!(status == 1 && names_it && !out.contains("\"x\""), "{form}: {out} {told}");
    }
    let findings: Vec<u64> = serde_json::from_slice::<serde_json::Value>(&check(&["-o", "json", "lines.jsonl"]).1)
        .map(|all| all["findings"].as_array().unwrap().iter().map(|it| it["record"].as_u64().unwrap()).collect())
        .unwrap();
    assert_eq!(findings, [1, 3]);
    // The order of files does not depend on how many threads there are.
    let files = ["one.json", "lines.jsonl", "one.json", "lines.jsonl"];
    let of = |jobs: &str| check(&[&["-j", jobs][..], &files].concat());
    assert_eq!(of("1"), of("4"));
    let (status, out, told) = check(&["--max-record", "50", "one.json"]);
    assert!(status == 3 && out.is_empty() && told.contains("--max-record"), "{told}");
    // Of another dialect in part: the command does not repair that, and says so.
    std::fs::write(folder.path().join("mixed.jsonl"), format!("{UNSIGNED}\n{CHAT}\n")).unwrap();
    let (status, _, told) = check(&["mixed.jsonl"]);
    assert!(status == 1 && told.contains("this repairs what was judged, and leaves the rest"), "{told}");
}
