//! Rules about what providers accept: their own examples, and vectors that others wrote.

mod damage;
mod replay;
mod variants;

use crate::support::shared;
use serde_json::{Value, json};
use unthink::internals::accept::rules::rows;
use unthink::internals::accept::{Repairs, Target, judge, repair, targets};

/// A target, and the model that is asked.
fn named(to: &str) -> (&'static Target, Option<&str>) {
    let (target, model) = to.split_once(':').map_or((to, None), |(target, model)| (target, Some(model)));
    (targets::find(target).unwrap(), model)
}

/// All that may be done.
fn everything() -> Repairs {
    Repairs { hollow: true, settings: true, ..Repairs::default() }
}

#[test]
fn rules_prove_themselves() {
    for row in rows() {
        assert_eq!(row.matches.is_empty(), !row.unseen.is_empty(), "{}: an example, or why there is none", row.code);
        assert_eq!(
            row.alike.is_some(),
            !row.unseen.is_empty(),
            "{}: two requests that no one can tell apart",
            row.code
        );
        if let Some([taken, refused]) = row.alike {
            let [one, other] = [taken, refused].map(|it| serde_json::from_str::<Value>(it.text).unwrap());
            assert!(one != other && opaque(&one, "") == opaque(&other, ""), "{}", row.code);
            for example in [taken, refused] {
                let (target, model) = named(example.to);
                let judged = judge(example.text.as_bytes(), target, model);
                assert!(row.targets.contains(&target.name) && judged.findings.is_empty(), "{}", row.code);
            }
        }
        for example in row.matches {
            let (target, model) = named(example.to);
            assert!(row.targets.contains(&target.name), "{}", row.code);
            let judged = judge(example.text.as_bytes(), target, model);
            assert!(judged.refused.is_empty(), "{}: {:?}", row.code, judged.refused);
            let found = judged.findings.iter().find(|finding| finding.row.code == row.code);
            assert!(
                found.is_some(),
                "{}: {:?}",
                row.code,
                judged.findings.iter().map(|f| f.row.code).collect::<Vec<_>>()
            );
            mended(row.code, example.text.as_bytes(), target, model);
        }
        for example in row.clean {
            let (target, model) = named(example.to);
            let judged = judge(example.text.as_bytes(), target, model);
            assert!(judged.findings.iter().all(|finding| finding.row.code != row.code), "{}", row.code);
        }
    }
}

/// A request without what only its provider can read or knows: which words there were, ids, and ciphertexts.
fn opaque(value: &Value, key: &str) -> Value {
    match value {
        Value::String(text) if ["id", "encrypted_content", "content"].contains(&key) => text.len().into(),
        Value::Array(list) => list.iter().map(|it| opaque(it, key)).collect(),
        Value::Object(object) => object.iter().map(|(key, it)| (key.clone(), opaque(it, key))).collect(),
        other => other.clone(),
    }
}

/// A text is repaired: it is accepted then, and repairing it again changes nothing.
fn mended(what: &str, text: &[u8], target: &'static Target, model: Option<&str>) -> Vec<u8> {
    let done = repair(text, target, model, &everything());
    assert!(done.left.is_empty(), "{what}: {:?}", done.left.iter().map(|f| f.row.code).collect::<Vec<_>>());
    let again = judge(&done.output, target, model);
    assert!(!again.is_rejected() && again.refused.is_empty(), "{what}: {}", String::from_utf8_lossy(&done.output));
    assert_eq!(repair(&done.output, target, model, &everything()).output, done.output, "{what}: again");
    done.output
}

/// A case of the vectors: its text, and what is said of it.
fn text_of(vector: &Value) -> Vec<u8> {
    let request = &vector["request"];
    match request.as_array() {
        Some(lines) => lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes(),
        None => serde_json::to_vec(request).unwrap(),
    }
}

fn codes(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn vectors_of_what_is_accepted() {
    let Some(shared) = shared() else { return };
    let Ok(text) = std::fs::read(shared.join("vectors/accept.json")) else {
        return eprintln!("skipped: no vectors of what is accepted");
    };
    let vectors: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let wrong: Vec<String> = vectors.iter().filter_map(|vector| vector_is_wrong(vector).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), vectors.len(), wrong.join("\n"));
    assert!(vectors.len() >= 400);
}

fn vector_is_wrong(vector: &Value) -> Result<(), String> {
    let id = vector["id"].as_str().unwrap();
    let (target, model) = (targets::find(vector["target"].as_str().unwrap()).unwrap(), vector["model"].as_str());
    let text = text_of(vector);
    let judged = judge(&text, target, model);
    if !judged.refused.is_empty() {
        return Err(format!("{id}: {:?}", judged.refused));
    }
    let mut certain: Vec<&str> = judged.findings.iter().filter(|f| f.is_certain).map(|f| f.row.code).collect();
    let mut doubted: Vec<&str> = judged.findings.iter().filter(|f| !f.is_certain).map(|f| f.row.code).collect();
    for list in [&mut certain, &mut doubted] {
        list.sort_unstable();
        list.dedup();
    }
    if certain != codes(&vector["rules"]) || doubted != codes(&vector["warns"]) {
        return Err(format!("{id}: {certain:?} {doubted:?}, not {} {}", vector["rules"], vector["warns"]));
    }
    let done = repair(&text, target, model, &everything());
    if !done.left.is_empty() || judge(&done.output, target, model).is_rejected() {
        return Err(format!("{id}: not repaired: {:?}", done.left.iter().map(|f| f.row.code).collect::<Vec<_>>()));
    }
    if repair(&done.output, target, model, &everything()).output != done.output {
        return Err(format!("{id}: repaired again"));
    }
    if certain.is_empty() && doubted.is_empty() && done.output != text {
        return Err(format!("{id}: changed without a reason"));
    }
    match &vector["repaired"] {
        Value::Array(patches) => {
            let got: Value = serde_json::from_slice(&done.output).map_err(|e| format!("{id}: {e}"))?;
            let wanted = patches.iter().map(|patch| patched(&vector["request"], patch));
            if !wanted.into_iter().any(|want| want == got) {
                return Err(format!("{id}: {patches:?}: {}", String::from_utf8_lossy(&done.output)));
            }
        }
        Value::Object(_) => log_is_wrong(id, vector, &text, &done.output)?,
        _ => (),
    }
    Ok(())
}

/// Of a log: only lines that the finding is about changed, and every line has its parent.
fn log_is_wrong(id: &str, vector: &Value, old: &[u8], new: &[u8]) -> Result<(), String> {
    let lines = |text: &[u8]| String::from_utf8(text.to_vec()).unwrap().lines().map(str::to_string).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let gone = old.iter().filter(|line| !new.contains(line)).count();
    let said = vector["repaired"]["predicate"].as_str().unwrap();
    if gone == 0 || gone > 2 {
        return Err(format!("{id}: {gone} lines changed, not as {said}"));
    }
    let parsed: Vec<Value> = new.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let known: Vec<&Value> = parsed.iter().map(|line| &line["uuid"]).collect();
    let orphan = parsed.iter().any(|line| line["parentUuid"].is_string() && !known.contains(&&line["parentUuid"]));
    if orphan { Err(format!("{id}: a line without its parent")) } else { Ok(()) }
}

/// A value with a JSON Patch (RFC 6902) of additions, removals and replacements.
fn patched(value: &Value, patch: &Value) -> Value {
    let mut value = value.clone();
    for step in patch.as_array().unwrap() {
        let path = step["path"].as_str().unwrap();
        let (parent, key) = path.rsplit_once('/').unwrap();
        let key = key.replace("~1", "/").replace("~0", "~");
        let parent = value.pointer_mut(parent).unwrap();
        let new = step["value"].clone();
        match (parent, step["op"].as_str().unwrap()) {
            (Value::Array(list), "add") if key == "-" => list.push(new),
            (Value::Array(list), "add") => list.insert(key.parse().unwrap(), new),
            (Value::Array(list), "remove") => drop(list.remove(key.parse().unwrap())),
            (Value::Array(list), _) => list[key.parse::<usize>().unwrap()] = new,
            (Value::Object(object), "remove") => drop(object.remove(&key).unwrap()),
            (Value::Object(object), _) => drop(object.insert(key, new)),
            (other, op) => panic!("{op} in {other}"),
        }
    }
    value
}

#[test]
fn other_bytes_stay() {
    let text = "{ \"model\":\"claude-opus-4-6\", \"n\":1.0e+2,\"n\":0.10,\n \"messages\" : [\n  {\"role\":\"user\",\"content\":\"\\u00e9\\/\"},\n  {\"role\":\"assistant\",\"content\":[\n    {\"type\":\"thinking\",\"thinking\":\"x\"},\n    {\"type\":\"text\",\"text\":\"y\"}\n  ]},\n  {\"role\":\"user\",\"content\":\"z\"}\n ]}\n";
    let want = text.replace("{\"type\":\"thinking\",\"thinking\":\"x\"},\n    ", "");
    let (target, model) = named("anthropic");
    assert_eq!(String::from_utf8(mended("spaces", text.as_bytes(), target, model)).unwrap(), want);
}

/// Recorded requests that a provider accepted, and who did.
const ACCEPTED: &[(&str, &str)] = &[
    ("anthropic-messages-08.json", "anthropic"),
    ("anthropic-messages-19.json", "anthropic"),
    ("bedrock-converse-05.json", "bedrock:us.anthropic.claude-sonnet-4-20250514-v1:0"),
    ("inspect-native-gemini-01.json", "gemini:gemini-2.5-pro"),
    ("litellm-chat-01.json", "openai-chat"),
    ("codex-rollout-01.jsonl", "openai-responses"),
    ("bedrock-converse-02.json", "bedrock:us.anthropic.claude-sonnet-4-20250514-v1:0"),
    ("gemini-generatecontent-04.json", "gemini:gemini-3-pro-preview"),
    ("mistral-chat-02.json", "mistral"),
    ("openai-chat-reasoning-content-04.json", "deepseek"),
    ("openai-chat-reasoning-content-07.json", "zai-glm"),
    ("openai-chat-reasoning-details-10.json", "openrouter"),
    ("openai-responses-04.json", "openai-responses"),
    ("openai-responses-raw-cot-05.json", "deepseek-responses"),
];

#[test]
fn what_was_accepted_is_accepted() {
    let Some(shared) = shared() else { return };
    for (file, to) in ACCEPTED {
        let text = std::fs::read(shared.join("samples").join(file)).unwrap();
        let (target, model) = named(to);
        let judged = judge(&text, target, model);
        let codes: Vec<&str> = judged.findings.iter().filter(|f| f.is_certain).map(|f| f.row.code).collect();
        assert!(judged.refused.is_empty() && codes.is_empty(), "{file}: {codes:?} {:?}", judged.refused);
        assert!(judged.messages > 0, "{file}");
        assert_eq!(repair(&text, target, model, &Repairs::default()).left.len(), 0, "{file}");
    }
}

/// Messages of providers have their rules.
#[test]
fn messages_of_providers_are_explained() {
    let Some(shared) = shared() else { return };
    let Ok(text) = std::fs::read(shared.join("vectors/provider-errors.json")) else { return };
    let all: Vec<Value> = serde_json::from_slice(&text).unwrap();
    let mut wrong = Vec::new();
    for error in &all {
        let found = unthink::internals::accept::explain(error["message"].as_str().unwrap());
        let wanted: Vec<&str> = error["rule"].as_str().unwrap().split(',').collect();
        let first = found.first().map(|it| it.row.code);
        if !first.is_some_and(|code| wanted.contains(&code)) {
            wrong.push(format!("{wanted:?}: {:?}", found.iter().map(|it| it.row.code).collect::<Vec<_>>()));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:?}", wrong.len(), all.len());
}

/// A conversation of so many turns for a target, in words that nobody looks for.
fn healthy(turns: usize, shape: &str) -> Value {
    let sign = |i: usize| format!("Eq{}AA==", format!("{:016x}Zz+/", i * 7919 + 1).repeat(10));
    let text = |i: usize| format!("Überlegung {i}, 考え");
    let mut messages = Vec::new();
    for i in 0..turns {
        match shape {
            "anthropic" => {
                messages.push(serde_json::json!({"role": "user", "content": text(i)}));
                messages.push(serde_json::json!({"role": "assistant", "content": [
                    {"type": "thinking", "thinking": text(i), "signature": sign(i)},
                    {"type": "tool_use", "id": format!("t{i}"), "name": "werkzeug", "input": {}}]}));
                messages.push(serde_json::json!({"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": format!("t{i}"), "content": text(i)}]}));
                messages.push(serde_json::json!({"role": "assistant", "content": [{"type": "text", "text": text(i)}]}));
            }
            _ => {
                messages.push(serde_json::json!({"role": "user", "content": text(i)}));
                messages.push(serde_json::json!({"role": "assistant", "content": "", "reasoning_content": text(i),
                    "tool_calls": [{"id": format!("t{i}"), "function": {"name": "werkzeug", "arguments": "{}"}}]}));
                messages.push(serde_json::json!({"role": "tool", "tool_call_id": format!("t{i}"), "content": text(i)}));
                messages.push(serde_json::json!({"role": "assistant", "content": text(i)}));
            }
        }
    }
    messages.push(serde_json::json!({"role": "user", "content": "weiter"}));
    serde_json::json!({"model": "claude-opus-4-6", "thinking": {"type": "adaptive"}, "messages": messages})
}

/// A request that is accepted is damaged at any place as a rule says, and repaired: it is accepted again.
#[test]
fn damage_is_repaired() {
    type Damage = (&'static str, fn(&mut Value));
    let block: &[Damage] = &[
        ("AN01", |m| drop(m["content"][0].as_object_mut().unwrap().remove("signature"))),
        ("AN02", |m| m["content"][0]["signature"] = "unterschrift".into()),
        ("AN03", |m| drop(m["content"][0].as_object_mut().unwrap().remove("thinking"))),
        ("AN04", |m| m["content"][0] = serde_json::json!({"type": "thinking", "thinking": "", "signature": ""})),
        ("AN06", |m| drop(m["content"].as_array_mut().unwrap().pop())),
        ("AN10", |m| {
            let copy = m["content"][0].clone();
            m["content"].as_array_mut().unwrap().insert(0, copy);
        }),
        ("AN11", |m| m["content"][0] = serde_json::json!({"type": "redacted_thinking", "data": ""})),
        ("AN12", |m| m["content"][0]["index"] = 7.into()),
        ("AN13", |m| m["content"].as_array_mut().unwrap().insert(1, serde_json::json!({"type": "text", "text": ""}))),
        ("AN14", |m| m["content"] = serde_json::json!([])),
        ("AN19", |m| m["reasoning"] = "x".into()),
    ];
    let fill: &[Damage] = &[
        ("KM01", |m| drop(m.as_object_mut().unwrap().remove("reasoning_content"))),
        ("KM01", |m| m["reasoning_content"] = Value::Null),
        ("KM02", |m| m["reasoning_content"] = "".into()),
    ];
    for (shape, to, damages) in [("anthropic", "anthropic:claude-opus-4-6", block), ("chat", "kimi:kimi-k2.6", fill)] {
        let (target, model) = named(to);
        let whole = healthy(5, shape);
        let text = serde_json::to_vec(&whole).unwrap();
        assert!(judge(&text, target, model).findings.is_empty());
        assert_eq!(repair(&text, target, model, &everything()).output, text);
        for (code, damage) in damages {
            for place in 0..5 {
                let mut broken = whole.clone();
                damage(&mut broken["messages"][place * 4 + 1]);
                let text = serde_json::to_vec_pretty(&broken).unwrap();
                let found = judge(&text, target, model);
                assert!(found.findings.iter().any(|it| it.row.code == *code && it.is_certain), "{code} at {place}");
                mended(code, &text, target, model);
            }
        }
    }
}

/// A file is replaced as a whole or stays, and the old one is kept if that is asked for.
#[test]
fn files_are_repaired_in_their_place() {
    use assert_cmd::Command;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("anfrage.json");
    let old =
        r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"}]}"#;
    let new = r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
    let run = |words: &[&str]| {
        let mut command = Command::cargo_bin("unthink").unwrap();
        command.arg("repair").args(words).arg(&path).assert()
    };
    std::fs::write(&path, old).unwrap();
    run(&["--target", "groq", "--dry-run"]).success();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), old);
    run(&["--target", "groq", "-i.bak"]).success();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), new);
    assert_eq!(std::fs::read_to_string(folder.path().join("anfrage.json.bak")).unwrap(), old);
    run(&["--target", "groq", "-i"]).success();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), new);
    // Of another dialect: it is left.
    run(&["--target", "gemini", "-i"]).code(3);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), new);
}

/// In a report for code scanning, a rule about what no text tells is no error, and all are of one family.
#[test]
fn rules_of_a_target_in_sarif() {
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let run =
        command.args(["check", "--target", "anthropic", "-o", "sarif"]).write_stdin(r#"{"messages":[]}"#).assert();
    let report: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    let rules = report["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let level = |code: &str| {
        let rule = rules.iter().find(|rule| rule["id"] == code).unwrap();
        rule["defaultConfiguration"]["level"].as_str().unwrap()
    };
    assert_eq!((level("AN01"), level("AN05"), level("AN10")), ("error", "warning", "error"));
    assert!(rules.len() > 10 && rules.iter().all(|rule| rule["properties"]["tags"] == json!(["reasoning", "target"])));
}

/// The command in a finding names the file, so that it can be pasted.
#[test]
fn findings_name_the_command_for_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("meine anfrage.json");
    std::fs::write(
        &path,
        r#"{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b","reasoning_content":"c"}]}"#,
    )
    .unwrap();
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let run =
        command.args(["check", "--target", "groq:openai/gpt-oss-120b", "-o", "jsonl"]).arg(&path).assert().code(1);
    let said = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let want = format!("unthink repair --target groq:openai/gpt-oss-120b -i.bak '{}'", path.display());
    assert!(said.contains(&want), "{said}");
}
