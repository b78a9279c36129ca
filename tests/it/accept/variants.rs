//! The verdict does not depend on words, languages, identifiers, spelling or place: variants of the vectors that others
//! wrote are judged and repaired as the vectors themselves.

use super::everything;
use crate::support::shared;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use unthink::internals::accept::{Target, judge, repair, targets};

/// How a value is written.
#[derive(Clone, Copy)]
pub struct Style {
    /// Some characters of keys and texts are escaped.
    pub escapes: bool,
    /// The order of members.
    pub order: Order,
    /// It stands on many lines.
    pub pretty: bool,
}

#[derive(Clone, Copy)]
pub enum Order {
    Sorted,
    Reversed,
    Mixed,
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

fn quoted(text: &str, style: Style, out: &mut String) {
    if !style.escapes {
        return out.push_str(&serde_json::to_string(text).unwrap());
    }
    out.push('"');
    for (i, c) in text.chars().enumerate() {
        let mut units = [0; 2];
        match c {
            '/' => out.push_str("\\/"),
            c if i % 3 == 1 || (c as u32) < 32 || c == '"' || c == '\\' => {
                c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

pub fn written(value: &Value, style: Style, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        if style.pretty {
            out.push('\n');
            out.push_str(&" \t".repeat(depth));
        }
    };
    match value {
        Value::Object(object) => {
            let mut keys: Vec<&String> = object.keys().collect();
            match style.order {
                Order::Sorted => (),
                Order::Reversed => keys.reverse(),
                Order::Mixed => keys.sort_by_key(|key| hash(key)),
            }
            out.push('{');
            for (i, key) in keys.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, depth + 1);
                quoted(key, style, out);
                out.push_str(if style.pretty { " : " } else { ":" });
                written(&object[*key], style, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (i, value) in list.iter().enumerate() {
                out.push_str(if i > 0 { "," } else { "" });
                line(out, depth + 1);
                written(value, style, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        Value::String(text) => quoted(text, style, out),
        other => out.push_str(&other.to_string()),
    }
}

/// A request, or the lines of a log.
fn text(request: &Value, is_log: bool, style: Style) -> Vec<u8> {
    let mut out = String::new();
    match request.as_array().filter(|_| is_log) {
        Some(lines) => lines.iter().for_each(|line| {
            written(line, Style { pretty: false, ..style }, 0, &mut out);
            out.push('\n');
        }),
        None => written(request, style, 0, &mut out),
    }
    out.into_bytes()
}

/// What was read again.
fn value(text: &[u8], is_log: bool) -> Value {
    match is_log {
        true => {
            Value::Array(text.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
        }
        false => serde_json::from_slice(text).unwrap(),
    }
}

/// The rules that refuse it, and those that may.
fn verdict(text: &[u8], target: &'static Target, model: Option<&str>) -> (Vec<&'static str>, Vec<&'static str>) {
    let judged = judge(text, target, model);
    assert!(judged.refused.is_empty(), "{:?} {}", judged.refused, String::from_utf8_lossy(text));
    let of = |certain| {
        let mut codes: Vec<&str> =
            judged.findings.iter().filter(|it| it.is_certain == certain).map(|it| it.row.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    };
    (of(true), of(false))
}

/// A vector with what is asked.
struct Case {
    id: String,
    target: &'static Target,
    model: Option<String>,
    request: Value,
    is_log: bool,
}

fn cases() -> Vec<Case> {
    let Some(shared) = shared() else { return Vec::new() };
    let Ok(text) = std::fs::read(shared.join("vectors/accept.json")) else {
        eprintln!("skipped: no vectors of what is accepted");
        return Vec::new();
    };
    let all: Vec<Value> = serde_json::from_slice(&text).unwrap();
    all.iter()
        .map(|vector| Case {
            id: vector["id"].as_str().unwrap().into(),
            target: targets::find(vector["target"].as_str().unwrap()).unwrap(),
            model: vector["model"].as_str().map(str::to_string),
            request: vector["request"].clone(),
            is_log: vector["request"].is_array(),
        })
        .collect()
}

const PLAIN: Style = Style { escapes: false, order: Order::Sorted, pretty: false };

/// A change of a request or of what was repaired.
type Change = Box<dyn Fn(&Value) -> Value>;

/// Checks that a change of all values changes neither the verdict nor the repair.
fn agree(what: &str, style: Style, change: &dyn Fn(&Case) -> Change) {
    let mut wrong = Vec::new();
    let mut all = cases();
    // Each change is made to another fourth of them, unless all are asked for.
    if std::env::var_os("UNTHINK_ALL_VARIANTS").is_none() {
        all.retain(|case| hash(&format!("{what} {}", case.id)).is_multiple_of(4));
    }
    for case in &all {
        let (target, model) = (case.target, case.model.as_deref());
        let change = change(case);
        let old = text(&case.request, case.is_log, PLAIN);
        let new = text(&change(&case.request), case.is_log, style);
        let (was, is) = (verdict(&old, target, model), verdict(&new, target, model));
        if was != is {
            wrong.push(format!("{}: {what}: {was:?}, now {is:?}", case.id));
            continue;
        }
        let done = repair(&new, target, model, &everything()).output;
        let want = change(&value(&repair(&old, target, model, &everything()).output, case.is_log));
        let got = value(&done, case.is_log);
        if got != want {
            wrong.push(format!("{}: {what}: repaired\n{got}\nnot\n{want}", case.id));
        }
        if repair(&done, target, model, &everything()).output != done {
            wrong.push(format!("{}: {what}: repaired again", case.id));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}

fn same(_: &Case) -> Change {
    Box::new(Value::clone)
}

#[test]
fn spelling_does_not_matter() {
    for (what, style) in [
        ("escapes", Style { escapes: true, ..PLAIN }),
        ("reversed", Style { order: Order::Reversed, ..PLAIN }),
        ("pretty", Style { pretty: true, order: Order::Mixed, ..PLAIN }),
        ("all", Style { escapes: true, order: Order::Mixed, pretty: true }),
    ] {
        agree(what, style, &same);
    }
}

/// Changes all strings, with the key that they stand behind.
fn each(value: &Value, key: &str, change: &mut dyn FnMut(&str, &str) -> Option<String>) -> Value {
    match value {
        Value::String(text) => change(key, text).map_or_else(|| value.clone(), Value::String),
        Value::Array(list) => Value::Array(list.iter().map(|it| each(it, key, change)).collect()),
        Value::Object(object) => {
            Value::Object(object.iter().map(|(key, it)| (key.clone(), each(it, key, change))).collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// The keys of texts that people and models wrote.
const TEXTS: &[&str] = &[
    "text",
    "content",
    "thinking",
    "reasoning_content",
    "reasoning",
    "reasoning_text",
    "thought",
    "arguments",
    "output",
    "query",
    "city",
    "path",
    "pattern",
    "body",
    "r",
];

/// Other words for each text that is not blank, by the texts of the case.
fn translated(case: &Case, into: &'static [&'static str]) -> Change {
    let mut words: BTreeMap<String, String> = BTreeMap::new();
    each(&case.request, "", &mut |key, text| {
        if TEXTS.contains(&key) && !text.trim().is_empty() {
            let n = words.len();
            words.entry(text.into()).or_insert_with(|| match text.starts_with('{') {
                true => format!("{{\"{}\":{n}}}", into[n % into.len()]),
                false => format!("{} {n}", into[n % into.len()]),
            });
        }
        None
    });
    Box::new(move |value| each(value, "", &mut |key, text| words.get(text).filter(|_| TEXTS.contains(&key)).cloned()))
}

#[test]
fn languages_do_not_matter() {
    agree("chinese", PLAIN, &|case| translated(case, &["需要先查询距离。", "思考", "<think>让我想想</think>"]));
    agree("arabic", PLAIN, &|case| {
        translated(case, &["أحتاج إلى البحث عن المسافة أولاً", "\u{202b}نعم\u{202c}", "👩‍👩‍👧 🤔"])
    });
    let all = Style { escapes: true, order: Order::Mixed, pretty: true };
    agree("words of rules", all, &|case| {
        translated(case, &["signature", "thinking", "reasoning_content\0\n", "\"role\":\"user\""])
    });
}

/// A value that stands for a thing: an identifier, a signature, a ciphertext. Its letters and digits are others; its
/// length, its beginning and its end stay.
fn renamed(text: &str) -> String {
    let start = if text.len() >= 100 { 8 } else { text.find(['_', '-']).map_or(0, |at| at + 1) };
    let end = text.trim_end_matches('=').len();
    let turned = |b: u8, n: u8| match b {
        b'a'..=b'f' => b'a' + (b - b'a' + n) % 6,
        b'g'..=b'z' => b'g' + (b - b'g' + n) % 20,
        b'A'..=b'Z' => b'A' + (b - b'A' + n) % 26,
        b'0'..=b'9' => b'0' + (b - b'0' + n) % 10,
        b => b,
    };
    text.bytes()
        .enumerate()
        .map(|(i, b)| char::from(if (start..end).contains(&i) { turned(b, 3) } else { b }))
        .collect()
}

#[test]
fn identifiers_do_not_matter() {
    const IDS: &[&str] =
        &["id", "tool_use_id", "toolUseId", "tool_call_id", "call_id", "uuid", "parentUuid", "sessionId"];
    const SIGNS: &[&str] =
        &["signature", "data", "redactedContent", "thoughtSignature", "thought_signature", "encrypted_content"];
    agree("identifiers", PLAIN, &|_| {
        Box::new(|value| {
            each(value, "", &mut |key, text| {
                let is_it = IDS.contains(&key) || SIGNS.contains(&key) && text.len() >= 100;
                (is_it && text.is_ascii()).then(|| renamed(text))
            })
        })
    });
    agree("names of tools", PLAIN, &|_| {
        Box::new(|value| each(value, "", &mut |key, text| (key == "name").then(|| format!("{text}_värkzeug"))))
    });
}

/// Members that no rule knows, where others may be.
fn with_more(value: &Value, key: &str) -> Value {
    match value {
        Value::Array(list) => Value::Array(list.iter().map(|it| with_more(it, key)).collect()),
        Value::Object(object) => {
            let mut object: Map<String, Value> =
                object.iter().map(|(key, it)| (key.clone(), with_more(it, key))).collect();
            let is_message = ["messages", "input", "contents"].contains(&key) && object.contains_key("role");
            let inside = ["input", "args", "response", ""].contains(&key) && !object.contains_key("type");
            let is_new = object.get("content").is_some_and(|text| text == "Continue.");
            if (is_message || inside) && !is_new {
                object.insert(
                    "x_note".into(),
                    json!({"thinking": "", "signature": "", "type": "thinking", "role": "assistant"}),
                );
                object.insert("a_list".into(), json!([{"reasoning_content": null}, [], "redacted_thinking"]));
            }
            Value::Object(object)
        }
        other => other.clone(),
    }
}

#[test]
fn unknown_members_do_not_matter() {
    agree("members", PLAIN, &|_| Box::new(|value| with_more(value, "")));
}

/// The list of messages of a request.
fn list_of(request: &mut Value) -> Option<&mut Vec<Value>> {
    let key =
        ["messages", "input", "contents"].into_iter().find(|key| request.get(*key).is_some_and(Value::is_array))?;
    request[key].as_array_mut()
}

/// Turns of a conversation that nobody refuses, in the shape of a request.
fn prelude(request: &Value) -> Vec<Value> {
    if request.get("contents").is_some() {
        return vec![
            json!({"role": "user", "parts": [{"text": "你好"}]}),
            json!({"role": "model", "parts": [{"text": "مرحبا"}]}),
        ];
    }
    let text = request.to_string();
    if text.contains("\"toolUse\"")
        || text.contains("\"reasoningContent\"")
        || !text.contains("\"type\"") && !text.contains("\"tool_calls\"") && text.contains("[{\"text\"")
    {
        return vec![
            json!({"role": "user", "content": [{"text": "你好"}]}),
            json!({"role": "assistant", "content": [{"text": "مرحبا"}]}),
        ];
    }
    vec![json!({"role": "user", "content": "你好"}), json!({"role": "assistant", "content": "مرحبا"})]
}

/// Deeper in a conversation, the same is found and mended.
#[test]
fn depth_does_not_matter() {
    agree("deeper", PLAIN, &|case| {
        let is_log = case.is_log;
        Box::new(move |request| {
            let mut request = request.clone();
            let new = prelude(&request);
            if let Some(list) = list_of(&mut request).filter(|_| !is_log) {
                let at = list.iter().take_while(|message| message["role"] == "system").count();
                for _ in 0..5 {
                    list.splice(at..at, new.iter().cloned());
                }
            }
            request
        })
    });
}

/// In an envelope, and as a record among others, a request is the same.
#[test]
fn places_do_not_matter() {
    for envelope in ["body", "request", "params", "modelInput"] {
        agree(envelope, PLAIN, &|case| {
            let is_log = case.is_log;
            Box::new(move |value| if is_log { value.clone() } else { json!({"custom_id": "a-1", envelope: value}) })
        });
    }
    let sample = |case: &&Case| !case.is_log && hash(&case.id).is_multiple_of(4);
    for case in cases().iter().filter(sample) {
        let (target, model) = (case.target, case.model.as_deref());
        let one = text(&case.request, false, PLAIN);
        let lines = [&one[..], b"\n\n", &one, b"\r\n", &one].concat();
        assert_eq!(verdict(&lines, target, model), verdict(&one, target, model), "{}", case.id);
        let mended = repair(&one, target, model, &everything()).output;
        let want = [&mended[..], b"\n\n", &mended, b"\r\n", &mended].concat();
        assert_eq!(repair(&lines, target, model, &everything()).output, want, "{}", case.id);
        let judged = judge(&lines, target, model);
        let records: std::collections::BTreeSet<u64> = judged.findings.iter().map(|it| it.record).collect();
        assert!(judged.records == 3 && (records.is_empty() || records.len() == 3), "{}: {records:?}", case.id);
    }
}

/// What needs the settings of a request, or its end: it is another question for messages alone.
const OF_REQUESTS: &[&str] = &[
    "AN07", "AN08", "AN09", "AN15", "AN16", "AN05", "DS02", "DS03", "DS04", "DS05", "KM01", "KM02", "LC01", "MM01",
    "OR03", "QW01", "BR06",
];

/// A list of messages, one a line or as the lines of an agent, has the findings of its request that need no settings.
#[test]
fn messages_without_a_request() {
    let known = |(certain, doubted): (Vec<&'static str>, Vec<&'static str>)| {
        let of = |codes: Vec<&'static str>| codes.into_iter().filter(|code| !OF_REQUESTS.contains(code)).collect();
        let both: (Vec<&str>, Vec<&str>) = (of(certain), of(doubted));
        both
    };
    for mut case in cases().into_iter().filter(|case| !case.is_log) {
        let (target, model) = (case.target, case.model.clone());
        let model = model.as_deref().or_else(|| case.request["model"].as_str()).map(str::to_string);
        let want = known(verdict(&text(&case.request, false, PLAIN), target, model.as_deref()));
        let Some(list) = list_of(&mut case.request) else { continue };
        let alone = Value::Array(list.clone());
        let got = known(verdict(&text(&alone, false, Style { pretty: true, ..PLAIN }), target, model.as_deref()));
        assert_eq!(got, want, "{}: a list", case.id);
        let lines = text(&json!([alone]), true, PLAIN);
        assert_eq!(known(verdict(&lines, target, model.as_deref())), want, "{}: a list on a line", case.id);
        let lines = text(&alone, true, PLAIN);
        if list.len() > 1 {
            assert_eq!(known(verdict(&lines, target, model.as_deref())), want, "{}: a message a line", case.id);
        }
        if target.name == "anthropic" {
            let lines = session(list, model.as_deref().unwrap_or_default());
            let got = known(verdict(&lines, target, model.as_deref()));
            assert_eq!(got, want, "{}: a session", case.id);
            super::mended(&case.id, &lines, target, model.as_deref());
        }
    }
}

/// Messages as the lines of an agent, which writes a block a line.
fn session(messages: &[Value], model: &str) -> Vec<u8> {
    let (mut out, mut parent) = (String::new(), Value::Null);
    for (n, message) in messages.iter().enumerate() {
        let is_answer = message["role"] == "assistant";
        let mut pieces = vec![message.clone()];
        if let Some(blocks) = message["content"].as_array().filter(|blocks| is_answer && !blocks.is_empty()) {
            pieces = blocks
                .iter()
                .map(|block| {
                    let mut piece = message.clone();
                    piece["content"] = json!([block]);
                    piece
                })
                .collect();
        }
        for (i, mut piece) in pieces.into_iter().enumerate() {
            if is_answer {
                piece["id"] = json!(format!("msg_{n}"));
                piece["model"] = json!(model);
            }
            let uuid = format!("{n}-{i}");
            let kind = if is_answer { "assistant" } else { "user" };
            let line = json!({"parentUuid": parent, "uuid": uuid, "sessionId": "s", "type": kind, "message": piece});
            out += &format!("{line}\n");
            parent = json!(uuid);
        }
    }
    out.into_bytes()
}
