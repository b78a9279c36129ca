//! Recorded transcripts of Anthropic, Responses and Claude Code, against what their index says that they hold.

use crate::support::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// A recording.
struct Sample {
    file: String,
    bytes: Vec<u8>,
    entry: Value,
}

impl Sample {
    fn texts(&self, key: &str) -> Vec<String> {
        let text = |part: &Value| part["text"].as_str().or(part.as_str()).map(str::to_string);
        self.entry[key].as_array().into_iter().flatten().filter_map(text).collect()
    }
}

const FORMATS: [&str; 4] = ["anthropic-messages", "openai-responses", "claude-code-", "claude-stream-json"];

fn samples() -> Vec<Sample> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut all = Vec::new();
    for folder in ["samples", "samples2"] {
        let index = std::fs::read(shared.join(folder).join("INDEX.json")).unwrap();
        let index: Vec<Value> = serde_json::from_slice(&index).unwrap();
        let ours = |entry: &Value| FORMATS.iter().any(|name| entry["format"].as_str().unwrap().starts_with(name));
        for entry in index.into_iter().filter(ours) {
            let file = entry["file"].as_str().unwrap().to_string();
            all.push(Sample { bytes: std::fs::read(shared.join(folder).join(&file)).unwrap(), file, entry });
        }
    }
    assert!(all.len() > 25, "only {} samples", all.len());
    all
}

/// Recordings of which the program says something else than their index, what it says, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Differs {
    /// The reasoning that `split` gives.
    Reasoning,
    /// The visible text.
    Visible,
    /// A text of the reasoning, or a signature, is in what is left.
    Stays,
    /// A text of the content is not in what is left.
    Missing,
}

const DIFFERENCES: [(&str, Differs, &str); 2] = [
    (
        "anthropic-messages-13.jsonl",
        Differs::Reasoning,
        "a second `message_start` begins another message, which has its own object (SPEC section 4); the index has one text",
    ),
    (
        "openai-responses-raw-cot-05.json",
        Differs::Reasoning,
        "summary and content have the same text, which is not counted twice (SPEC section 3); the index has both",
    ),
];

/// Samples that are an error in place of an answer, which is told (SPEC section 4).
const ERRORS: [&str; 1] = ["openai-responses-07.json"];

fn differs(sample: &Sample, how: Differs) -> bool {
    DIFFERENCES.iter().any(|(file, other, _)| *file == sample.file && *other == how)
}

/// One line a difference; a row of the table that is none any more is one, too.
fn report(all: &mut Vec<String>, sample: &Sample, how: Differs, same: bool, what: &str) {
    if same == differs(sample, how) {
        all.push(format!("{} {how:?}{}: {what}", sample.file, if same { " is no difference any more" } else { "" }));
    }
}

#[test]
fn samples_split_as_expected() {
    let mut wrong = Vec::new();
    for sample in samples() {
        let found = messages(&sample.bytes, Setup::default());
        let reasoning: Vec<&str> = found.iter().filter_map(|(_, r)| r.as_deref()).filter(|r| !r.is_empty()).collect();
        let (got, want) = (reasoning.join("\n"), sample.texts("expected_reasoning_parts").join("\n"));
        report(&mut wrong, &sample, Differs::Reasoning, got == want, &format!("{got:?} not {want:?}"));
        let got: String = found.iter().map(|(visible, _)| visible.as_str()).collect();
        let want = sample.texts("expected_content_parts").concat();
        report(&mut wrong, &sample, Differs::Visible, got == want, &format!("{got:?} not {want:?}"));
        let problems = split(&sample.bytes, Setup::default()).problems;
        let failed = ERRORS.contains(&sample.file.as_str());
        assert_eq!(problems.len(), usize::from(failed), "{}: {problems:?}", sample.file);
        let told = |what: &str| what.starts_with("an error in place of an answer: ");
        assert!(problems.iter().all(|problem| told(&problem.what)), "{}: {problems:?}", sample.file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An error is told wherever it stands: between events that are like each other, beside the messages of a request, and
/// with escapes.
#[test]
fn errors_are_told() {
    let chunk = |text: &str| {
        format!(
            r#"{{"id":"c","object":"chat.completion.chunk","choices":[{{"index":0,"delta":{{"content":"{text}"}}}}]}}"#
        )
    };
    let delta = |text: &str| {
        format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#)
    };
    let chat = |error: &str| {
        [chunk("a"), chunk("b"), chunk("c"), error.to_string(), chunk("d"), chunk("e"), error.to_string()].join("\n")
    };
    let start = r#"{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}"#;
    let block = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    let typed = |error: &str| [start, block, &delta("a"), &delta("b"), &delta("c"), error].join("\n");
    let request =
        r#""messages":[{"role":"user","content":"an \"error\": say it"},{"role":"assistant","content":"error"}]"#;
    for (input, want) in [
        (chat(r#"{"error":{"message":"Busy","type":"overloaded"}}"#), 2),
        (chat(r#"{"\u0065rror":{"message":"Busy","type":"overloaded"}}"#), 2),
        (chat(&chunk("error")), 0),
        (typed(r#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#), 1),
        (format!(r#"{{{request},"response":{{"error":{{"message":"Busy"}}}}}}"#), 1),
        (format!(r#"{{"status":"failed",{request},"\u0065rror":{{"message":"Busy"}}}}"#), 1),
        (format!(r#"{{{request}}}"#), 0),
    ] {
        let problems = split(input.as_bytes(), Setup::default()).problems;
        let told = problems.iter().filter(|p| p.what.starts_with("an error in place of an answer: ")).count();
        assert_eq!((told, problems.len()), (want, want), "{input} {problems:?}");
    }
}

/// The strings of every record, put together by the key that they stand under: a text may come in pieces.
fn strings(bytes: &[u8]) -> BTreeMap<String, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut all = BTreeMap::new();
    if let Ok(value) = serde_json::from_str(&text) {
        collect("", &value, &mut all);
        return all;
    }
    for line in text.lines() {
        let line = line.strip_prefix("data:").unwrap_or(line).trim();
        if let Ok(value) = serde_json::from_str::<Value>(line) {
            collect("", &value, &mut all);
        } else {
            all.entry("no JSON".into()).or_default().push_str(line);
        }
    }
    all
}

fn collect(key: &str, value: &Value, all: &mut BTreeMap<String, String>) {
    match value {
        Value::String(text) => all.entry(key.into()).or_default().push_str(text),
        Value::Array(list) => list.iter().for_each(|value| collect(key, value, all)),
        Value::Object(map) => map.iter().for_each(|(key, value)| collect(key, value, all)),
        _ => (),
    }
}

#[test]
fn nothing_of_the_reasoning_is_left() {
    let mut wrong = Vec::new();
    for sample in samples() {
        let ran = strip(&sample.bytes, Setup::default());
        let before = strings(&sample.bytes);
        for text in ["expected_reasoning_parts", "signatures", "expected_content_parts"]
            .iter()
            .flat_map(|key| sample.texts(key))
        {
            assert!(before.values().any(|all| all.contains(&text)), "{}: {text:?} cannot be found", sample.file);
        }
        assert_eq!(ran.problems, [], "{}", sample.file);
        let left = strings(&ran.out);
        let find = |text: &str| left.iter().find(|(_, all)| all.contains(text)).map(|(key, _)| key.clone());
        let gone = sample.texts("expected_reasoning_parts").into_iter().chain(sample.texts("signatures"));
        let stays: Vec<_> =
            gone.filter(|text| text.chars().count() > 8).filter_map(|text| Some((find(&text)?, text))).collect();
        report(&mut wrong, &sample, Differs::Stays, stays.is_empty(), &format!("{stays:?}"));
        let content = sample.texts("expected_content_parts").into_iter();
        let missing: Vec<_> = content.filter(|text| find(text).is_none()).collect();
        report(&mut wrong, &sample, Differs::Missing, missing.is_empty(), &format!("{missing:?}"));
        assert_eq!(strip(&ran.out, Setup::default()).text(), ran.text(), "{} again", sample.file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_left_says_the_same() {
    for sample in samples() {
        let before = messages(&sample.bytes, Setup::default());
        let out = strip(&sample.bytes, Setup::default()).out;
        let after = messages(&out, Setup::default());
        assert!(after.iter().all(|(_, reasoning)| reasoning.is_none()), "{}: {after:?}", sample.file);
        let visible = |all: &[(String, Option<String>)]| all.iter().map(|m| m.0.clone()).collect::<Vec<_>>();
        assert_eq!(visible(&after), visible(&before), "{}", sample.file);
    }
}

/// The lines of a file in an array on one line: the same values go, and the rest is still an array.
#[test]
fn an_array_says_what_lines_say() {
    let ours = ["anthropic", "responses", "claude-code"];
    let mut wrong = Vec::new();
    for (dialect, path) in testdata().into_iter().filter(|(dialect, _)| ours.contains(&dialect.as_str())) {
        if path.extension().is_none_or(|e| e != "jsonl") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap().replace("1E400", "1");
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let value = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let out = strip(text.as_bytes(), Setup::default()).text();
        let want: Vec<Value> = out.lines().filter(|line| !line.is_empty()).map(value).collect();
        let ran = strip(format!("[{}]\n", lines.join(",")).as_bytes(), Setup::default());
        match serde_json::from_str::<Vec<Value>>(&ran.text()) {
            Ok(got) if got == want => (),
            Ok(got) => wrong.push(format!("{dialect} {}: {} of {}", path.display(), got.len(), want.len())),
            Err(e) => wrong.push(format!("{dialect} {}: {e}: {:.99} {:?}", path.display(), ran.text(), ran.problems)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
