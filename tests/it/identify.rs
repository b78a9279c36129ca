//! `unthink identify`: what files are, where their reasoning stands, and the commands for those that are not read.

use crate::support::{root, shared};
use assert_cmd::Command;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;
use unicode_width::UnicodeWidthStr;

fn unthink(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.current_dir(folder);
    command
}

/// The objects that `identify` prints.
fn rows(command: &mut Command) -> Vec<Value> {
    let out = command.assert().success().get_output().stdout.clone();
    String::from_utf8(out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What an input is: the product, the formats and the framing, whether it is read, the messages, the tokens of reasoning,
/// the places, and the command.
fn told(name: &str, content: &[u8]) -> String {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join(name), content).unwrap();
    let rows = rows(unthink(dir.path()).args(["identify", "--", name]));
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    let word = |key: &str| row[key].as_str().unwrap_or("-").to_string();
    let list =
        |key: &str| row[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect::<Vec<_>>().join(" + ");
    let number = |key: &str| row[key].as_u64().map_or("-".to_string(), |n| n.to_string());
    let parts = [
        word("what"),
        list("formats"),
        word("framing"),
        word("read"),
        number("messages"),
        number("reasoning_tokens"),
        list("where"),
        word("command"),
    ];
    parts.join(" | ")
}

#[test]
fn what_files_are() {
    let sqlite = "SQLite format 3\0\u{10} CREATE TABLE ItemTable (key TEXT) CREATE TABLE cursorDiskKV (key TEXT)";
    for (name, content, want) in [
        // Read.
        (
            "a.json",
            r#"{"choices":[{"message":{"role":"assistant","reasoning_content":"Low pressure.","content":"Rain."}}]}"#,
            "OpenAI chat | reasoning-content | json | yes | 1 | 4 | choices[].message.reasoning_content | -",
        ),
        (
            "a.sse",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"Low \"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning\":\"pressure.\",\"content\":\"Rain.\"}}]}\n\n",
            "OpenAI chat | reasoning | sse | yes | 1 | 4 | choices[].delta.reasoning | -",
        ),
        (
            "a.json",
            r#"[{"role":"user","content":"Rain?"},{"role":"assistant","content":[{"type":"thinking","thinking":"Low pressure.","signature":"EqQB"},{"type":"text","text":"Yes."}]}]"#,
            "Anthropic Messages | chat + anthropic | json | yes | 2 | 4 | [].content[].thinking | -",
        ),
        (
            "a.jsonl",
            "{\"role\":\"user\",\"content\":\"Rain?\"}\n{\"role\":\"assistant\",\"content\":\"<think>Low pressure.</think>Yes.\"}\n",
            "OpenAI chat | chat | jsonl | yes | 2 | 4 | content <think> | -",
        ),
        ("a.txt", "<think>Low pressure.</think>\nYes.\n", "text of a model | text | text | yes | 1 | 4 | <think> | -"),
        (
            "a.txt",
            "Thinking...\nLow pressure.\n...done thinking.\n\nRain.\n",
            "ollama run | text | text | yes | 1 | 4 | Thinking... | -",
        ),
        (
            "a.json",
            r#"{"role":"assistant","content":[{"type":"redacted_thinking","data":"EmwK"},{"type":"text","text":"Yes."}]}"#,
            "Anthropic Messages | anthropic | json | yes | 1 | 0 | content[] | -",
        ),
        // Not read, and what to do.
        (
            "it's a.json",
            r#"{"answer":"Yes.","notes":{"reasoning":"Low pressure."}}"#,
            r"unknown, may have reasoning |  | json | no | - | - | notes.reasoning | unthink strip --drop '/notes/reasoning' 'it'\''s a.json'",
        ),
        (
            "a.json",
            r#"{"responderUsername":"GitHub Copilot","requests":[{"message":{"text":"Rain?"},"response":[{"kind":"thinking","value":"Low pressure."}]}]}"#,
            r#"Copilot Chat (VS Code) |  | json | no | - | - | requests[].response[].value | jq 'del(.. | objects | select(.kind? == "thinking"))' a.json"#,
        ),
        (
            "a.jsonl",
            "{\"role\":\"user\",\"content\":\"Rain?\"}\n{\"notes\":{\"cot\":\"Low pressure.\"}}\n",
            "OpenAI chat | chat | jsonl | partly | 1 | 0 | notes.cot | unthink strip --foreign pass a.jsonl | unthink strip --drop '/notes/cot'",
        ),
        (
            "a.json",
            r#"{"parts":{"kind":"thinking","text":"Low pressure."}}"#,
            "unknown, may have reasoning |  | json | no | - | - | parts.text | unthink check a.json",
        ),
        // A product without reasoning needs no command.
        (
            "a.json",
            r#"{"responderUsername":"GitHub Copilot","requests":[{"message":{"text":"Rain?"},"response":[{"value":"By noon."}]}]}"#,
            "Copilot Chat (VS Code) |  | json | no | - | - |  | -",
        ),
        (
            "state.vscdb",
            sqlite,
            "Cursor |  | - | no | - | - |  | sqlite3 state.vscdb \"SELECT value FROM cursorDiskKV WHERE key LIKE 'bubbleId:%'\" | jq -c 'del(.thinking, .allThinkingBlocks)'",
        ),
        // No transcripts.
        ("a.md", "# Shopping\n\n- an umbrella\n", "text | text | text | - | - | - |  | -"),
        ("a.json", r#"{"name":"app","version":"1.0.0"}"#, "other data |  | json | - | - | - |  | -"),
        ("a.zip", "PK\u{3}\u{4}\0\0", "a zip archive |  | - | - | - | - |  | unzip -p a.zip | unthink"),
        ("a.elf", "\u{7f}ELF\u{2}\u{1}", "an executable |  | - | - | - | - |  | -"),
        ("a.bin", "a\0b", "binary data |  | - | - | - | - |  | -"),
        ("a", "", "empty |  | - | - | - | - |  | -"),
    ] {
        assert_eq!(told(name, content.as_bytes()), want, "{name}: {content}");
    }
}

/// A folder with a transcript, and with files that are none.
fn folder() -> TempDir {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("log.jsonl", b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain.\"}\n");
    write("sub/main.rs", b"fn main() {}\n");
    write("sub/image", b"\x89PNG\r\n\x1A\n\0\0");
    write("sub/package.json", b"{\"name\":\"app\"}\n");
    dir
}

fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["file"].as_str().unwrap()).collect()
}

#[test]
fn what_is_no_transcript_is_left_out() {
    let dir = folder();
    let few = unthink(dir.path()).args(["identify", "."]).assert().success();
    let few = few.stderr("unthink: note: 3 files are no transcripts (--all lists them)\n");
    assert_eq!(few.get_output().stdout.iter().filter(|b| **b == b'\n').count(), 1);
    unthink(dir.path()).args(["identify", "-q", "."]).assert().success().stderr(is_empty());
    let all = rows(unthink(dir.path()).args(["identify", "--all", "."]));
    assert_eq!(names(&all), ["log.jsonl", "sub/image", "sub/main.rs", "sub/package.json"]);
    let named = rows(unthink(dir.path()).args(["identify", "sub/main.rs", "log.jsonl"]));
    assert_eq!(names(&named), ["sub/main.rs", "log.jsonl"]);
    let globbed = rows(unthink(dir.path()).args(["identify", "-a", "-g", "*.rs", "."]));
    assert_eq!(names(&globbed), ["sub/main.rs"]);
    // An array, a file for the output, stdin, and compressed files.
    let array = unthink(dir.path()).args(["identify", "-o", "json", "log.jsonl"]).assert().success();
    let array: Value = serde_json::from_slice(&array.get_output().stdout).unwrap();
    assert_eq!(array[0]["what"], "OpenAI chat");
    unthink(dir.path()).args(["identify", "-O", "out.jsonl", "log.jsonl"]).assert().success().stdout(is_empty());
    assert!(fs::read_to_string(dir.path().join("out.jsonl")).unwrap().starts_with("{\"file\":\"log.jsonl\""));
    let log = fs::read(dir.path().join("log.jsonl")).unwrap();
    let piped = rows(unthink(dir.path()).args(["identify"]).write_stdin(log.clone()));
    assert_eq!((&piped[0]["file"], &piped[0]["reasoning_tokens"]), (&"<stdin>".into(), &4.into()));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&log).unwrap();
    fs::write(dir.path().join("a.gz"), gzip.finish().unwrap()).unwrap();
    fs::write(dir.path().join("a.zst"), zstd::encode_all(log.as_slice(), 0).unwrap()).unwrap();
    for row in rows(unthink(dir.path()).args(["identify", "a.gz", "a.zst"])) {
        assert_eq!((&row["read"], &row["reasoning_tokens"]), (&"yes".into(), &4.into()), "{row}");
    }
}

#[test]
fn a_file_that_cannot_be_opened_is_status_4() {
    let dir = folder();
    let done = unthink(dir.path()).args(["identify", "gone.json", "log.jsonl"]).assert().code(4);
    done.stdout(contains("\"file\":\"log.jsonl\"")).stderr(contains("gone.json"));
    unthink(dir.path()).args(["identify", "--quick", "--full", "log.jsonl"]).assert().code(2);
    unthink(dir.path()).args(["identify", "-o", "xml", "log.jsonl"]).assert().code(2);
}

#[test]
fn how_much_of_a_file_is_read() {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).unwrap();
    let said = "{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"Rain.\"}\n";
    let event = "{\"level\":\"info\",\"message\":\"started\"}\n";
    write("late.jsonl", &(event.repeat(4000) + said));
    write("early.jsonl", &(said.to_string() + &event.repeat(4000)));
    write("one.json", &format!("{{\"a\":\"{}\",\"messages\":[{}]}}", "x".repeat(100_000), said.trim()));
    write("prose.txt", &("A line of prose.\n".repeat(8000) + "<think>\nLow pressure.\n</think>\nRain.\n"));
    let found = |args: &[&str]| {
        let rows = rows(unthink(dir.path()).arg("identify").args(args));
        let tokens = |row: &Value| row["reasoning_tokens"].as_u64().map_or("-".into(), |n| n.to_string());
        let all: Vec<String> = rows
            .iter()
            .map(|row| format!("{} {} {}", row["file"].as_str().unwrap(), tokens(row), row["whole"]))
            .collect();
        all.join(", ")
    };
    assert_eq!(found(&["."]), "early.jsonl 4 true, one.json 4 true");
    let all = "early.jsonl 4 true, late.jsonl 4 true, one.json 4 true, prose.txt 4 true";
    assert_eq!(found(&["--full", "."]), all);
    assert_eq!(found(&["early.jsonl", "late.jsonl", "one.json", "prose.txt"]), all);
    assert_eq!(found(&["--quick", "early.jsonl", "late.jsonl"]), "early.jsonl - false, late.jsonl - false");
}

#[test]
fn the_table_fits_the_terminal() {
    let dir = folder();
    let long = "天気予報の記録".repeat(6) + ".jsonl";
    fs::copy(dir.path().join("log.jsonl"), dir.path().join(&long)).unwrap();
    fs::copy(root().join("testdata/examples/notes.json"), dir.path().join("notes.json")).unwrap();
    for columns in ["60", "80", "120"] {
        let done =
            unthink(dir.path()).args(["identify", "-o", "table", "."]).env("COLUMNS", columns).assert().success();
        let table = String::from_utf8(done.get_output().stdout.clone()).unwrap();
        let lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(lines.len(), 5, "{table}");
        for line in &lines {
            assert!(line.width() <= columns.parse().unwrap(), "{line}");
        }
        let columns = |word: &str, line: &str| line.find(word).map(|at| line[..at].width());
        assert_eq!(columns("yes", lines[3]), columns("READ", lines[0]), "{table}");
        assert!(table.contains("\n    unthink strip --drop '/notes/reasoning' notes.json\n"));
    }
}

#[test]
fn figures_are_those_of_tokens() {
    let Some(shared) = shared() else { return };
    for folder in ["samples", "samples2"] {
        for row in rows(unthink(&shared.join(folder)).args(["identify", "-q", "."])) {
            let file = row["file"].as_str().unwrap();
            let counted =
                unthink(&shared.join(folder)).args(["tokens", "-q", "-o", "json", "--total", file]).output().unwrap();
            let total: Value = serde_json::from_slice(&counted.stdout).unwrap();
            for (ours, theirs) in
                [("messages", "messages"), ("reasoning_tokens", "reasoning_tokens"), ("final_tokens", "final_tokens")]
            {
                let theirs = total["total"][theirs].as_u64().unwrap_or(0);
                assert_eq!(row[ours].as_u64().unwrap_or(0), theirs, "{file}: {ours}");
            }
        }
    }
}

/// The product for each format of the samples of others, by the beginning of its name.
const PRODUCTS: &[(&str, &str)] = &[
    ("acp-", "the Agent Client Protocol"),
    ("ag-ui-", "AG-UI"),
    ("aider-", "aider"),
    ("aistudio-", "Google AI Studio"),
    ("amp-", "Amp"),
    ("anthropic-", "Anthropic Messages"),
    ("antigravity-", "Antigravity"),
    ("bedrock-", "Bedrock Converse"),
    ("chatbox-", "Chatbox"),
    ("chatgpt-", "ChatGPT"),
    ("cherry-", "Cherry Studio"),
    ("claude-ai-", "Claude.ai"),
    ("claude-code-session", "Claude Code"),
    ("claude-code-web", "Claude Code on the web"),
    ("claude-stream", "claude -p (stream-json)"),
    ("codex-exec", "codex exec"),
    ("codex-rollout", "Codex"),
    ("cohere-", "Cohere v2"),
    ("continue-", "Continue"),
    ("copilot-cli", "Copilot CLI"),
    ("crush-", "Crush"),
    ("cursor-cli", "Cursor CLI"),
    ("dataset-columns", "preference data set"),
    ("dataset-gsm8k", "question and answer data set"),
    ("dataset-llamafactory", "LLaMA-Factory data set"),
    ("dataset-messages", "preference data set"),
    ("dataset-openthoughts", "OpenThoughts data set"),
    ("dataset-s1k", "s1K data set"),
    ("deepseek-", "DeepSeek"),
    ("gemini-cli-session", "Gemini CLI"),
    ("gemini-interactions", "Gemini Interactions"),
    ("gemini-", "Gemini API"),
    ("goose-", "Goose"),
    ("hermes-", "Hermes"),
    ("inspect-native-gemini", "Gemini API"),
    ("kimi-", "Kimi CLI"),
    ("langchain-", "LangChain"),
    ("langgraph-", "LangChain"),
    ("librechat-", "LibreChat"),
    ("litellm-spendlog", "LiteLLM spend logs"),
    ("litellm-", "LiteLLM"),
    ("llama-cli", "llama.cpp"),
    ("llamaindex-", "LlamaIndex"),
    ("lmstudio-", "LM Studio"),
    ("lobechat-", "LobeChat"),
    ("mistral-", "Mistral"),
    ("ollama-run", "ollama run"),
    ("ollama-", "Ollama"),
    ("openai-agents", "OpenAI Agents SDK"),
    ("openai-chat", "OpenAI chat"),
    ("openai-responses", "OpenAI Responses"),
    ("opencode-", "OpenCode"),
    ("openinference-", "OpenInference"),
    ("openwebui-", "Open WebUI"),
    ("otel-", "OpenTelemetry (gen_ai)"),
    ("pi-", "pi"),
    ("pydantic-ai", "pydantic-ai"),
    ("qwen-code", "Qwen Code"),
    ("roo-", "Cline or Roo Code"),
    ("sillytavern-", "SillyTavern"),
    ("specstory-", "SpecStory"),
    ("vercel-ui-messages", "Vercel AI SDK (messages)"),
    ("vercel-ui-stream", "Vercel AI SDK (stream)"),
    ("zed-", "Zed"),
];

/// Files that are right, and called otherwise: a service whose answers are told from those of others, an error in place of an
/// answer, and a request of which no member is its format's own.
const OTHERWISE: &[(&str, &str)] = &[
    ("openai-chat-reasoning-details", "OpenRouter"),
    ("openai-responses-07", "other data"),
    ("bedrock-converse-05", "unknown, may have reasoning"),
];

/// The samples of others, each with what the index says of it and with the row of `identify`.
fn samples(each: impl Fn(&Path, &Value, &Value)) {
    let Some(shared) = shared() else { return };
    for folder in ["samples", "samples2"].map(|name| shared.join(name)) {
        let index: Value = serde_json::from_slice(&fs::read(folder.join("INDEX.json")).unwrap()).unwrap();
        let rows = rows(unthink(&folder).args(["identify", "-q", "--all", "."]));
        for entry in index.as_array().unwrap() {
            let row = rows.iter().find(|row| row["file"] == entry["file"]).unwrap();
            each(&folder, entry, row);
        }
    }
}

#[test]
fn products_are_those_of_the_index() {
    samples(|_, entry, row| {
        let (file, format) = (entry["file"].as_str().unwrap(), entry["format"].as_str().unwrap());
        let what = row["what"].as_str().unwrap();
        let want = PRODUCTS.iter().find(|(start, _)| format.starts_with(start)).unwrap().1;
        let otherwise = OTHERWISE.iter().any(|(start, name)| file.starts_with(start) && *name == what);
        assert!(what == want || otherwise, "{file}: {what} instead of {want}");
    });
}

/// The commands take the reasoning out, and what they leave is accepted.
#[test]
#[cfg(unix)]
fn commands_can_be_pasted() {
    use std::process::Command as Process;
    let has = |program: &str| Process::new(program).arg("--version").output().is_ok();
    let flat =
        |text: &str| text.replace("\\n", " ").replace("\\\"", "\"").split_whitespace().collect::<Vec<_>>().join(" ");
    samples(|folder, entry, row| {
        let Some(command) = row["command"].as_str() else { return };
        if command.starts_with("jq") && !has("jq") {
            return;
        }
        if row["file"] == "copilot-cli-01.jsonl" {
            // A placeholder stands for all texts of this recording, so that identifiers look like copies of the reasoning.
            return assert!(command.starts_with("unthink check"), "{command}");
        }
        assert!(!command.starts_with("unthink check"), "{command}");
        let script = format!("unthink() {{ '{}' \"$@\"; }}\n{command}", env!("CARGO_BIN_EXE_unthink"));
        let output = Process::new("sh").current_dir(folder).args(["-c", &script]).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        unthink(folder).write_stdin(output.stdout.clone()).assert().success();
        let left = flat(&String::from_utf8_lossy(&output.stdout));
        for part in entry["expected_reasoning_parts"].as_array().into_iter().flatten() {
            let text = flat(part["text"].as_str().unwrap());
            let is_left = text.len() > 3 && !text.starts_with("[trimmed") && left.contains(&text);
            assert!(!is_left, "{command}: {text}");
        }
    });
}
