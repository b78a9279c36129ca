//! Which dialect a record is read in by `auto`: every file of ours and of others, and records that look like another's.

use crate::support::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use unthink::internals::dialect::{DIALECTS, Dialect};

/// What became of the records of an input: how many were read in each dialect, were foreign or were refused.
fn fates(input: &[u8]) -> BTreeMap<&'static str, u64> {
    let counts = strip(input, Setup::default()).counts;
    let known = DIALECTS.iter().zip(counts.known.0).map(|(dialect, n)| (dialect.name, n));
    let all = known.chain([("foreign", counts.foreign), ("refused", counts.refused)]);
    all.filter(|(_, n)| *n > 0).collect()
}

/// The rows of chat's family: the field of a message tells them apart, and deltas without it are `chat`.
const CHAT: [&str; 3] = ["chat", "reasoning-content", "reasoning"];

/// The dialects in which records of a folder of ours may be read beside its own.
const OWN: [(&str, &[&str]); 12] = [
    ("chat", &["chat", "reasoning-content", "reasoning", "foreign"]),
    ("reasoning-content", &CHAT),
    ("reasoning", &CHAT),
    ("tagged", &CHAT),
    ("harmony", &["chat", "text"]),
    ("sharegpt", &["foreign"]),
    ("llxprt-session", &["foreign"]),
    ("llxprt-log", &["thinking-block", "foreign"]),
    ("mia", &["foreign"]),
    // Messages that are text only are anybody's.
    ("anthropic", &["chat"]),
    ("responses", &[]),
    // Lines of the program without a session.
    ("claude-code", &["foreign"]),
];

/// The dialects in which recordings of a format may be read, by how the name of the format begins. Others are read in the
/// dialect that claims them ([`claims`]); those of no dialect are foreign or refused.
const FORMATS: [(&str, &[&str]); 17] = [
    ("anthropic-messages", &["anthropic"]),
    ("openai-responses", &["responses"]),
    ("claude-code-", &["claude-code", "foreign"]),
    ("claude-stream-json", &["claude-code"]),
    ("openai-chat-reasoning-content", &["chat", "reasoning-content"]),
    ("openai-chat-", &CHAT),
    ("litellm-chat", &["reasoning-content"]),
    ("mistral-chat", &["chat"]),
    ("ollama-run-text", &["text"]),
    ("llama-cli-text", &["text"]),
    ("aider-", &["text"]),
    ("specstory-markdown", &["text"]),
    ("dataset-openthoughts", &["sharegpt"]),
    ("dataset-llamafactory", &["llama-factory"]),
    ("dataset-columns", &["columns", "chat"]),
    ("dataset-s1k", &["s1k"]),
    ("dataset-", &["chat", "reasoning-content", "foreign", "refused"]),
];

/// Recordings of other formats that are read all the same, and in what.
const STRANGE: [(&str, &[&str], &str); 11] = [
    ("openai-responses-07.json", &["foreign"], "the error of a request"),
    ("bedrock-converse-05.json", &["refused"], "a tag of which it is not certain that it is used"),
    ("gemini-cli-responses-01.jsonl", &["gemini", "foreign"], "responses without any part"),
    ("inspect-native-gemini-01.json", &["gemini"], "a request of Gemini's"),
    ("crush-session-01.json", &["llxprt-checkpoint"], "WRONG: parts of another program"),
    (
        "roo-api-history-01.json",
        &["anthropic", "chat", "reasoning-content"],
        "messages of Anthropic's with more in them",
    ),
    ("copilot-cli-01.jsonl", &["refused"], "a placeholder for all texts, identifiers too"),
    ("hermes-session-01.json", &["reasoning"], "messages of chat"),
    ("langgraph-stream-01.jsonl", &["chat"], "a payload of `role` and `content`"),
    ("amp-thread-01.json", &["anthropic"], "messages of Anthropic's"),
    ("aider-llm-history-01.txt", &["refused"], "tags behind a word, of which it is not certain that they are used"),
];

/// What a row says in its folder's [`RECOGNITION`], if it has one: lines of a word and names behind it. `recordings`: the
/// formats of recordings that it reads, by how their names begin. `beside`: what records of its folder and of these
/// recordings may be read in beside it, as `foreign`.
fn said(dialect: &str, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(format!("testdata/{dialect}/{RECOGNITION}"))).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ').map(str::to_string));
    lines.flat_map(|names| names.split(' ').map(str::to_string).collect::<Vec<_>>()).collect()
}

/// Whether a dialect reads recordings of this format: its name is that of the dialect, or the row says so.
fn claims(dialect: &Dialect, format: &str) -> bool {
    is_called(dialect, |name| format == name)
        || said(dialect.name, "recordings").iter().any(|name| format.starts_with(name.as_str()))
}

/// Whether one of a dialect's names is so.
fn is_called(dialect: &Dialect, is: impl Fn(&str) -> bool) -> bool {
    dialect.aliases.iter().chain([&dialect.name]).any(|name| is(name))
}

/// Adds a row to the matrix; what is not acceptable is wrong.
fn check(row: &str, file: &str, bytes: &[u8], accepts: &[&str], matrix: &mut Matrix) {
    for (fate, n) in fates(bytes) {
        *matrix.cells.entry(row.to_string()).or_default().entry(fate).or_default() += n;
        if !accepts.contains(&fate) {
            matrix.wrong.push(format!("{row} {file}: {n} {fate}, not {accepts:?}"));
        }
    }
}

#[derive(Default)]
struct Matrix {
    cells: BTreeMap<String, BTreeMap<&'static str, u64>>,
    wrong: Vec<String>,
}

impl Matrix {
    fn print(&self) {
        for (row, cells) in &self.cells {
            let cells: Vec<_> = cells.iter().map(|(fate, n)| format!("{fate} {n}")).collect();
            println!("{row:42} {}", cells.join(", "));
        }
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}

#[test]
fn our_files_are_read_in_their_dialects() {
    let mut matrix = Matrix::default();
    for (dialect, path) in testdata() {
        let beside = OWN.iter().find(|(name, _)| *name == dialect).map_or(&[][..], |(_, beside)| *beside);
        let said = said(&dialect, "beside");
        let said = said.iter().map(String::as_str);
        let accepts: Vec<&str> = beside.iter().copied().chain([dialect.as_str()]).chain(said).collect();
        check(&dialect, &path.display().to_string(), &std::fs::read(&path).unwrap(), &accepts, &mut matrix);
    }
    matrix.print();
}

#[test]
fn files_of_others_are_read_in_their_dialects() {
    let Some(shared) = shared() else { return };
    let mut matrix = Matrix::default();
    for folder in ["samples", "samples2"].map(|name| shared.join(name)) {
        let index: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("INDEX.json")).unwrap()).unwrap();
        for entry in index {
            let (file, format) = (entry["file"].as_str().unwrap(), entry["format"].as_str().unwrap());
            let row =
                FORMATS.iter().find(|(name, _)| format.starts_with(name)).map_or(&[][..], |(_, accepts)| *accepts);
            let strange = STRANGE.iter().filter(|(name, ..)| *name == file).flat_map(|(_, accepts, _)| accepts.iter());
            let mut accepts: Vec<&str> = row.iter().chain(strange).copied().collect();
            let mut beside = Vec::new();
            if row.is_empty() {
                let claimed: Vec<_> = DIALECTS.iter().filter(|dialect| claims(dialect, format)).collect();
                accepts.extend(claimed.iter().map(|dialect| dialect.name));
                if claimed.is_empty() {
                    // A dialect whose name the format's begins with may read some of it.
                    let begins = |name: &str| format.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
                    let kin = DIALECTS.iter().filter(|dialect| is_called(dialect, begins));
                    accepts.extend(kin.map(|dialect| dialect.name).chain(["foreign", "refused"]));
                }
                beside.extend(claimed.iter().flat_map(|dialect| said(dialect.name, "beside")));
            }
            accepts.extend(beside.iter().map(String::as_str));
            check(format, file, &std::fs::read(folder.join(file)).unwrap(), &accepts, &mut matrix);
        }
    }
    matrix.print();
}

/// A record that looks like another's passes as it is, or is refused. A wrong row turns up here when it becomes right.
#[test]
fn lookalikes() {
    let mut wrong = Vec::new();
    for (must, now, line) in LOOKALIKES {
        let ran = strip(line.as_bytes(), Setup::default());
        let got = fates(line.as_bytes()).into_keys().collect::<Vec<_>>().join("+");
        let right = must.split(' ').any(|name| name == got);
        if !(if now.is_empty() { right } else { got == *now && !right }) {
            wrong.push(format!("{got}, not {must}: {line}"));
        }
        assert!(ran.text() == *line || ran.counts.refused > 0, "{line}: {}", ran.text());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a record must be read in, any of several; what it is read in now, if that is wrong; the record.
const LOOKALIKES: &[(&str, &str, &str)] = &[
    ("foreign", "", r#"{"model":"gpt-5","reasoning":{"effort":"high","summary":"auto"},"max_output_tokens":900}"#),
    ("foreign", "", r#"{"question":"2+2?","answer":"4","reasoning":"arithmetic"}"#),
    ("foreign", "", r#"{"id":7,"prompt":"Sort the list.","category":"reasoning"}"#),
    ("foreign refused", "", r#"{"type":"reasoning","difficulty":"hard","question":"Which of the two is warmer?"}"#),
    ("refused", "", r#"{"type":"reasoning","summary":"The patient is stable and can leave the hospital."}"#),
    ("foreign", "", r#"{"type":"message","channel":"C1","user":"U1","text":"hello","ts":"1.2"}"#),
    ("chat foreign", "", r#"{"type":"message","role":"admin","content":"The room is closed."}"#),
    ("foreign", "", r#"{"type":"message","id":1,"from":"Ann","text":[{"type":"bold","text":"hi"}]}"#),
    (
        "foreign",
        "",
        r#"{"type":"m.room.message","content":{"body":"hi","msgtype":"m.text"},"sender":"@ann:example.org"}"#,
    ),
    ("foreign", "", r#"{"type":"user","id":7,"name":"Ann","email":"ann@example.org"}"#),
    ("foreign", "", r#"{"type":"user","message":"Ann logged in","timestamp":"2026-05-01T10:00:00Z","sessionId":"s1"}"#),
    ("foreign", "", r#"{"type":"system","session_id":"s1","level":"warn","msg":"the disk is nearly full"}"#),
    ("foreign", "", r#"{"type":"result","session_id":"s1","score":0.9,"passed":true}"#),
    ("foreign", "", r#"{"type":"click","sessionId":"s1","uuid":"u1","x":1,"y":2}"#),
    ("foreign", "", r#"{"type":"stream_event","event":{"name":"click","ts":1}}"#),
    ("foreign", "", r#"{"type":"summary","summary":"Nine tests passed.","suite":"unit"}"#),
    ("foreign", "", r#"{"loglines":["make all","ok"],"job":"build"}"#),
    ("foreign", "", r#"{"type":"error","message":"the disk is full"}"#),
    ("foreign", "", r#"{"type":"error","error":"the disk is full"}"#),
    ("foreign", "", r#"{"type":"error","error":{"code":404,"reason":"no such page"}}"#),
    ("anthropic", "", r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
    ("foreign", "", r#"{"type":"ping","host":"ci-1","ms":12}"#),
    ("foreign", "", r#"{"type":"message_stop","queue":"orders","consumer":4}"#),
    ("foreign", "", r#"{"type":"response.sent","status":200,"path":"/index.html"}"#),
    ("foreign", "", r#"{"type":"response.completed","survey":"s1","score":4}"#),
    ("foreign", "", r#"{"object":"response","output":"ok"}"#),
    ("foreign", "", r#"{"output":["a","b"],"exit_code":0}"#),
    ("foreign", "", r#"{"output":[{"type":"message","text":"built"}],"step":"build"}"#),
    ("foreign", "", r#"{"model":"text-embedding-3-small","input":["a","b"]}"#),
    ("foreign", "", r#"{"model":"text-embedding-3-small","input":"Explain it."}"#),
    (
        "foreign",
        "",
        r#"{"model":"gpt-4o-mini-tts","input":"Hello","voice":"alloy","instructions":"Speak cheerfully."}"#,
    ),
    ("foreign", "", r#"{"input":["a","b"],"instructions":"Sort them."}"#),
    ("foreign", "", r#"{"type":"missed_call","call_id":"c-77","number":"+47 22 00 00 00"}"#),
    ("foreign", "", r#"{"custom_id":"a","result":{"score":1}}"#),
    ("foreign", "", r#"{"type":"bit.more","id":"1","delta":"hi"}"#),
    ("foreign", "", r#"{"type":"BIT_MORE","bitId":"m","delta":"hi"}"#),
    ("foreign", "", r#"{"type":"turn.start","delta":{"turn":{"role":"assistant"}}}"#),
    ("foreign chat", "", r#"{"role":"reader","content":["read","write"]}"#),
    ("foreign", "", r#"{"type":"PushEvent","payload":{"ref":"main"}}"#),
    (
        "bedrock",
        "",
        r#"{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"system":[{"text":"Be brief."}],"inferenceConfig":{"maxTokens":512}}"#,
    ),
    (
        "chat foreign",
        "",
        r#"{"schemaVersion":"messages-v1","messages":[{"role":"user","content":[{"text":"Hi"}]}],"system":[{"text":"Be brief."}],"max_tokens":9}"#,
    ),
    (
        "bedrock",
        "",
        r#"{"recordId":"r1","modelInput":{"messages":[{"role":"user","content":[{"text":"Hi"}]}],"system":[{"text":"Be brief."}],"max_tokens":9}}"#,
    ),
    (
        "anthropic",
        "",
        r#"{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Hi"}]}"#,
    ),
    (
        "assistants",
        "",
        r#"{"object":"thread.message","role":"assistant","content":[{"type":"text","text":{"value":"hi","annotations":[]}}]}"#,
    ),
    (
        "foreign",
        "",
        r#"{"type":"assistant","message":{"intent":"play","song":"Yesterday"},"timestamp":"2026-05-01T10:00:00Z"}"#,
    ),
    (
        "chat",
        "",
        r#"{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]}"#,
    ),
    (
        "chat",
        "",
        r#"{"model":"gpt-5","messages":[{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"x"}}]}],"max_tokens":9}"#,
    ),
    (
        "chat",
        "",
        r#"{"model":"gpt-5","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c","content":"4"}]}"#,
    ),
    (
        "foreign",
        "chat+foreign",
        r#"{"model":"omni-moderation-latest","input":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"x"}}]}"#,
    ),
    (
        "responses foreign",
        "",
        r#"{"model":"gpt-5","input":"Explain <think>x</think> tags to me.","instructions":"Be brief."}"#,
    ),
    (
        "foreign",
        "",
        r#"{"custom_id":"a","response":{"status_code":200,"body":{"object":"list","data":[{"embedding":[0.1]}]}}}"#,
    ),
];

/// Every record of ours with reasoning in it, by its dialect and its type.
fn records() -> Vec<(String, Value)> {
    let ours = ["anthropic", "responses", "claude-code"];
    let mut all = Vec::new();
    for (dialect, path) in testdata().into_iter().filter(|(dialect, _)| ours.contains(&dialect.as_str())) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(|line| line.strip_prefix("data:").unwrap_or(line));
        for json in std::iter::once(text.as_str()).chain(lines).filter(|json| json.contains("S3CRET")) {
            if let Ok(value @ Value::Object(_)) = serde_json::from_str(json) {
                all.push((format!("{dialect} {}", value["type"].as_str().unwrap_or("-")), value));
            }
        }
    }
    all
}

fn types(value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| types(value, all)),
        Value::Object(map) => {
            all.extend(map.get("type").and_then(Value::as_str).map(str::to_string));
            map.values().for_each(|value| types(value, all));
        }
        _ => (),
    }
}

/// Types without reasoning of their own, and some that the providers have, had or will have.
const OTHER_TYPES: [&str; 13] = [
    "new",
    "ping",
    "error",
    "message_stop",
    "content_block_stop",
    "system",
    "result",
    "response.new",
    "response.created",
    "response.in_progress",
    "response.done",
    "response.reasoning.delta",
    "response.reasoning_summary.delta",
];

/// What is refused as suspect in an object that nobody knows does not pass because the object has a known type.
#[test]
fn a_known_type_hides_nothing() {
    let records = records();
    let mut all: BTreeSet<String> = OTHER_TYPES.map(Into::into).into();
    records.iter().for_each(|(_, value)| types(value, &mut all));
    let mut leaks: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (name, record) in &records {
        for kind in &all {
            let mut record = record.clone();
            record["type"] = kind.as_str().into();
            let unknown = strip(json!({"data": record}).to_string().as_bytes(), Setup::default());
            let ran = strip(record.to_string().as_bytes(), Setup::default());
            if unknown.counts.refused_suspect > 0 && ran.text().contains("S3CRET") {
                leaks.entry(name.clone()).or_default().insert(kind);
            }
        }
    }
    let leaks: Vec<_> = leaks.into_iter().map(|(name, kinds)| format!("{name} as {kinds:?}")).collect();
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
}

/// A key whose value is passed over by a format is searched where it holds what may be reasoning.
#[test]
fn a_known_key_hides_nothing() {
    for line in [
        r#"{"object":"response","output":[],"reasoning":"R3AS0N: they ask for both of them"}"#,
        r#"{"type":"response.function_call_arguments.done","output_index":0,"arguments":"{}","reasoning":"R3AS0N: both"}"#,
        r#"{"type":"progress","sessionId":"s","uuid":"u","data":{"type":"agent_progress","normalizedMessages":[{"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"R3AS0N"}]}}]}}"#,
    ] {
        let ran = strip(line.as_bytes(), Setup::default());
        assert!(!ran.text().contains("R3AS0N"), "{line}");
    }
}
