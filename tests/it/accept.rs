//! Rules about what providers accept: their own examples, and vectors that others wrote.

use crate::support::shared;
use serde_json::Value;
use unthink::accept::rules::rows;
use unthink::accept::{Repairs, Target, judge, repair, targets};

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
