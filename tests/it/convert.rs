//! Laws of `convert` to the chat family, over our own test data and the recorded data of others, by the library's own
//! `convert`.

use crate::support::*;
use assert_cmd::Command;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use unthink::internals::dialect::find;
use unthink::{ConvertOptions, Framing, InputOptions, Loss};

/// What can be written.
pub const TARGETS: [&str; 5] = ["reasoning-content", "reasoning", "thinking-block", "tagged", "harmony"];

/// Those that have the reasoning in the content.
pub const INLINE: [&str; 2] = ["tagged", "harmony"];

const PIECES: [usize; 5] = [1, 2, 3, 7, 64];

pub fn once(input: &[u8], to: &str) -> Vec<u8> {
    let done = convert_to(input, to, usize::MAX);
    assert!(done.refused.iter().all(|what| what.contains("the same thing twice")), "{to}: {:?}", done.refused);
    done.out
}

/// Options to convert an input of this framing.
pub fn framed(to: &str, framing: Framing) -> ConvertOptions {
    let input = InputOptions::default().framing(framing);
    ConvertOptions::new(to).input(input)
}

/// Our own test data, and the chat samples: dialect, file name, bytes.
pub fn corpus() -> Vec<(String, String, Vec<u8>)> {
    // Only what is edited in place: what is written anew has laws of its own, from any dialect to any.
    let other = |dialect: &str, path: &std::path::Path| {
        ["mia", "mistral", "sharegpt"].contains(&dialect)
            || find(dialect).is_none_or(|dialect| dialect.shape.is_some())
            || path.extension().is_some_and(|e| e == "txt")
            || path.ends_with("completions.jsonl")
    };
    let mut files: Vec<_> = testdata().into_iter().filter(|(dialect, path)| !other(dialect, path)).collect();
    if let Some(shared) = shared() {
        let samples = files_in(&shared.join("samples")).into_iter();
        let name = |p: &std::path::Path| p.file_name().unwrap().to_string_lossy().into_owned();
        let chat = samples.filter(|p| name(p).starts_with("openai-chat"));
        files.extend(chat.map(|p| ("sample".to_string(), p)));
    }
    let name = |p: &std::path::Path| p.file_name().unwrap().to_string_lossy().into_owned();
    files.into_iter().map(|(dialect, p)| (dialect, name(&p), std::fs::read(p).unwrap())).collect()
}

fn is_sse(input: &[u8]) -> bool {
    [&b"data"[..], b"event", b":", b"id"].iter().any(|start| input.starts_with(start))
}

/// Files with a record that is refused, and why.
const REFUSED: [(&str, &str); 1] = [("escapes.jsonl", "a message has the key content twice")];

/// Files with members that change places on the way through blocks, and why. Messages, and what stands in lists, do not.
const REORDERED: [(&str, &str); 8] = [
    ("array.json", "null content stood before the calls: it comes back behind them"),
    ("content.jsonl", "a list of one text comes back as a text"),
    ("messages.jsonl", "null content stood before the calls: it comes back behind them"),
    ("multiline.sse", "no member moves: the lines of an event between which a member stood become one"),
    (
        "openai-chat-reasoning-01.json",
        "a member stood between the content and the reasoning, which become one list of blocks",
    ),
    (
        "openai-chat-reasoning-02.json",
        "a member stood between the content and the calls, which become one list of blocks",
    ),
    (
        "openai-chat-reasoning-content-04.json",
        "a member stood between the content and the calls, which become one list of blocks; a result names its call first",
    ),
    (
        "openai-chat-reasoning-details-10.json",
        "a member stood between the content and the calls, which become one list of blocks",
    ),
];

/// A JSON value. Half of a surrogate pair, which is allowed in JSON, is none for this parser, and
/// a number has limits.
fn json(text: &str) -> Value {
    let value = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&text.replace("\\ud", "\\\\ud").replace("E400", "")));
    value.unwrap_or_else(|bad| panic!("{bad}: {text}"))
}

/// The names and values of an input in the order in which they stand, as they are spelled, without white space.
fn tokens(input: &[u8]) -> Vec<String> {
    let (mut out, mut token, mut quoted, mut escaped) = (Vec::new(), String::new(), false, false);
    for c in String::from_utf8_lossy(input).chars() {
        if quoted || c == '"' {
            token.push(c);
            quoted = !(quoted && c == '"' && !escaped);
            escaped = quoted && c == '\\' && !escaped;
        } else if c.is_whitespace() || "{}[],:".contains(c) {
            out.extend((!token.is_empty()).then(|| std::mem::take(&mut token)));
            out.extend((!c.is_whitespace()).then(|| c.to_string()));
        } else {
            token.push(c);
        }
    }
    out.extend((!token.is_empty()).then_some(token));
    out
}

/// The JSON values of an input: its document, its lines, or the data of its events.
pub fn values(input: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(input).unwrap().trim_start_matches('\u{feff}');
    if let Ok(value) = serde_json::from_str(text) {
        return vec![value];
    }
    if !is_sse(input) {
        return text.lines().filter(|l| !l.trim().is_empty()).map(json).collect();
    }
    let mut events: Vec<String> = vec![String::new()];
    for line in text.replace("\r\n", "\n").split(['\n', '\r']) {
        match line.strip_prefix("data:") {
            Some(data) => events.last_mut().unwrap().push_str(data),
            None if line.is_empty() => events.push(String::new()),
            None => (),
        }
    }
    let data = events.iter().map(|e| e.trim()).filter(|e| !e.is_empty() && *e != "[DONE]");
    data.map(json).collect()
}

#[test]
fn what_is_in_a_dialect_already_stays_byte_for_byte() {
    for dialect in TARGETS {
        for path in files_in(&root().join("testdata").join(dialect)) {
            let input = std::fs::read(&path).unwrap();
            let done = convert_to(&input, dialect, usize::MAX);
            assert_eq!(done.text(), String::from_utf8_lossy(&input), "{}", path.display());
            assert_eq!(done.losses, BTreeMap::new(), "{}", path.display());
        }
    }
}

#[test]
fn what_is_converted_is_in_the_dialect() {
    for (_, name, input) in corpus() {
        for to in TARGETS {
            let first = once(&input, to);
            let again = convert_to(&first, to, usize::MAX);
            assert_eq!(again.text(), String::from_utf8_lossy(&first), "{name} to {to}");
            let copies = again.losses.keys().all(|loss| *loss == Loss::Copy);
            assert!(copies, "{name} to {to}: {:?}", again.losses);
        }
    }
}

#[test]
fn what_is_converted_is_json() {
    for (_, name, input) in corpus() {
        if REFUSED.iter().any(|(file, _)| *file == name) {
            continue;
        }
        let before = values(&input).len();
        for to in TARGETS {
            let after = values(&once(&input, to)).len();
            // Reasoning that is open at [DONE] gets an event of its own that closes it.
            let closing = usize::from(INLINE.contains(&to) && is_sse(&input));
            assert!(before <= after && after <= before + closing, "{name} to {to}: {before} and {after}");
        }
    }
}

#[test]
fn pieces_do_not_matter() {
    for (_, name, input) in corpus() {
        for to in TARGETS {
            let whole = convert_to(&input, to, usize::MAX);
            for piece in PIECES {
                if input.len() / piece < 20_000 {
                    assert!(convert_to(&input, to, piece) == whole, "{name} to {to} in pieces of {piece}");
                }
            }
        }
    }
}

/// Reasoning and visible text of a file, message by message, with the white space that they have.
pub fn split_texts(input: &[u8]) -> Vec<(String, Option<String>)> {
    let lines = split_verbatim(input).text();
    let message = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let reasoning = value["reasoning"]["text"].as_str().map(str::to_string);
        (value["visible"].as_str().unwrap().to_string(), reasoning)
    };
    lines.lines().map(message).collect()
}

#[test]
fn split_says_the_same_of_what_is_converted() {
    let mut differ = Vec::new();
    for (_, name, input) in corpus() {
        let filled = |all: Vec<(String, Option<String>)>| -> Vec<(String, Option<String>)> {
            // A message of nothing but what no other format has is none there.
            let said = |(visible, reasoning): &(String, Option<String>)| !visible.is_empty() || reasoning.is_some();
            let all = all.into_iter().map(|(v, r)| (v.trim().to_string(), r.map(|r| r.trim().to_string())));
            all.filter(said).collect()
        };
        let before = filled(messages(&input, Setup::default()));
        for to in TARGETS {
            let refused = convert_to(&input, to, usize::MAX).refused.len();
            let listed = REFUSED.iter().filter(|(file, _)| *file == name).count();
            assert_eq!(refused, listed, "{name} to {to}");
            if refused > 0 {
                continue;
            }
            let after = filled(messages(&once(&input, to), Setup::default()));
            if before != after {
                differ.push(format!("{name} to {to}\n{before:?}\n{after:?}"));
            }
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n\n"));
}

/// Values as they may come back: a block is told where it came from, null is as good as nothing between tags and in
/// blocks, and a list of one text that was blocks in between is that text.
fn plain(mut values: Vec<Value>, a: &str, b: &str) -> Vec<Value> {
    fn one_text(value: &Value) -> Option<Value> {
        let [Value::Object(part)] = value.as_array()?.as_slice() else { return None };
        (part.len() == 2 && part.get("type")? == "text").then(|| part.get("text").cloned())?
    }
    fn walk(value: &mut Value, (blocks, nulls, lists): (bool, bool, bool)) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(|v| walk(v, (blocks, nulls, lists))),
            Value::Object(all) => {
                all.retain(|key, v| {
                    !(blocks && key == "sourceField" || nulls && key.starts_with("reasoning") && v.is_null())
                });
                if let Some(text) = all.get("content").filter(|_| lists).and_then(one_text) {
                    all.insert("content".into(), text);
                }
                all.values_mut().for_each(|v| walk(v, (blocks, nulls, lists)));
            }
            _ => (),
        }
    }
    let blocks = a == "thinking-block";
    let how = (blocks, INLINE.contains(&b) || blocks, b == "thinking-block");
    values.iter_mut().for_each(|v| walk(v, how));
    values
}

#[test]
fn there_and_back_is_the_identity() {
    let (mut differ, mut moved) = (Vec::new(), BTreeSet::new());
    let names: BTreeSet<String> = corpus().into_iter().map(|(_, name, _)| name).collect();
    for (_, name, input) in corpus() {
        for a in TARGETS {
            let first = once(&input, a);
            for b in TARGETS.into_iter().filter(|b| *b != a) {
                let there = convert_to(&first, b, usize::MAX);
                let back = convert_to(&there.out, a, usize::MAX);
                assert_eq!((&there.refused, &back.refused), (&vec![], &vec![]), "{name}: {a} to {b}");
                if !there.losses.is_empty() || !back.losses.is_empty() {
                    continue;
                }
                let text = String::from_utf8_lossy(&input);
                let stream = text.contains("\"delta\"") || text.contains("\"chunks\"");
                // How tags are spelled is nothing that a field can hold, nor which delta of a stream they stood in.
                let same = match INLINE.contains(&a) || stream && INLINE.contains(&b) {
                    true => split_texts(&back.out) == split_texts(&first),
                    false => plain(values(&back.out), a, b) == plain(values(&first), a, b),
                };
                if a.starts_with("reasoning") && b == "thinking-block" && tokens(&back.out) != tokens(&first) {
                    moved.insert(name.clone());
                }
                if !same {
                    differ.push(format!("{name}: {a} to {b}\n{}\n{}", String::from_utf8_lossy(&first), back.text()));
                }
            }
        }
    }
    let listed: BTreeSet<String> = REORDERED.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(moved, listed.intersection(&names).cloned().collect(), "files whose members change places");
    let short = |s: &String| s.chars().take(3000).collect::<String>();
    assert!(
        differ.is_empty(),
        "{} differ: {}",
        differ.len(),
        differ.iter().map(short).collect::<Vec<_>>().join("\n\n")
    );
}

#[test]
fn reasoning_content_comes_back_from_blocks() {
    let mut count = 0;
    for (_, name, input) in corpus().into_iter().filter(|f| f.1.starts_with("openai-chat-reasoning-content-")) {
        let blocks = once(&input, "thinking-block");
        let back = once(&blocks, "reasoning-content");
        assert_ne!(blocks, input, "{name}");
        assert_eq!(values(&back), values(&input), "{name}");
        let moved = REORDERED.iter().any(|(file, _)| *file == name);
        assert_eq!(tokens(&back) != tokens(&input), moved, "{name}: order and spelling");
        count += 1;
    }
    assert!(count >= 8 || shared().is_none(), "only {count} samples");
}

#[test]
fn depth_does_not_matter() {
    for n in [100, 100_000] {
        let deep = format!("{}1{}", "[".repeat(n), "]".repeat(n));
        let record =
            format!("{{\"role\":\"assistant\",\"x\":{deep},\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}}\n");
        for to in TARGETS {
            let out = String::from_utf8(once(record.as_bytes(), to)).unwrap();
            assert!(out.contains(&deep) && out.contains("S3CRET"), "{to}");
        }
        let content = format!("{{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":{deep}}}\n");
        for to in TARGETS {
            let done = convert_to(content.as_bytes(), to, usize::MAX);
            // No target has a word for such a part; the record is in one of them, where it stays as it is.
            let want = if to == "reasoning" { (content.as_str(), 0) } else { ("", 1) };
            assert_eq!((done.text().as_str(), done.refused.len()), want, "{to}");
        }
    }
}

#[test]
fn framing_and_gzip_are_as_elsewhere() {
    let line = "{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}\n";
    let want = "{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET\",\"content\":\"PUBL1C\"}\n";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(line.repeat(3).as_bytes()).unwrap();
    let gz = encoder.finish().unwrap();
    let run = |args: &[&str], input: Vec<u8>| {
        let mut command = Command::cargo_bin("unthink").unwrap();
        command.args(["convert", "--to", "reasoning-content"]).args(args).write_stdin(input).assert()
    };
    run(&[], gz).success().stdout(want.repeat(3));
    let marked = format!("\u{feff}{}", line.replace('\n', "\r\n"));
    run(&[], marked.into_bytes()).success().stdout(format!("\u{feff}{}", want.replace('\n', "\r\n")));
    run(&["--framing", "json"], format!("[{line},nope,{line}]").into_bytes()).code(3);
    let list = format!("[{line},{line}]");
    let done = convert(list.as_bytes(), usize::MAX, &framed("reasoning-content", Framing::Json));
    assert_eq!(done.text(), format!("[{want},{want}]"));
}

#[test]
fn losses_are_told_record_by_record() {
    let dir = tempfile::TempDir::new().unwrap();
    let file = dir.path().join("losses");
    let signed = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"thinking\",\"thought\":\"S3CRET\",\"signature\":\"S3CRETsig\"}]}\n";
    let plain = "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n";
    let mut command = Command::cargo_bin("unthink").unwrap();
    command
        .args(["convert", "--to", "tagged", "--report-loss"])
        .arg(&file)
        .write_stdin(format!("{signed}{plain}{signed}"));
    command.assert().success().stderr("unthink: warning: loss: signature dropped, 2 blocks\n");
    let losses = std::fs::read_to_string(&file).unwrap();
    let line = |record: u64, message: u64, offset: usize| {
        format!(
            "{{\"record\":{record},\"message\":{message},\"offset\":{offset},\"pointer\":\"/blocks/0/signature\",\
             \"loss\":\"signature\",\"what\":\"signature dropped\",\"count\":1}}\n"
        )
    };
    let at = signed.find("\"S3CRETsig").unwrap();
    assert_eq!(losses, line(1, 1, at) + &line(3, 3, signed.len() + plain.len() + at));
}

/// Each loss has its place, whatever writes the target, and however the input is framed.
#[test]
fn losses_have_places() {
    let signed = r#"{"type":"thinking","thinking":"A","signature":"EqQB"}"#;
    let one = format!(r#"{{"role":"assistant","content":[{signed},{{"type":"text","text":"a"}}]}}"#);
    let request =
        format!(r#"{{"model":"m","max_tokens":9,"top_k":3,"messages":[{{"role":"user","content":"q"}},{one}]}}"#);
    let event = |data: &str| format!("event: x\ndata: {data}\n\n");
    let delta = |inner: &str| event(&format!(r#"{{"type":"content_block_delta","index":0,"delta":{inner}}}"#));
    let stream = [
        event(r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}"#),
        event(r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#),
        delta(r#"{"type":"thinking_delta","thinking":"A"}"#),
        delta(r#"{"type":"signature_delta","signature":"EqQB"}"#),
        event(r#"{"type":"content_block_stop","index":0}"#),
        event(r#"{"type":"message_stop"}"#),
    ]
    .concat();
    let blocks = |before: &str| {
        let thought = r#"{"type":"thinking","thought":"T","signature":"s"}"#;
        format!(r#"{{"speaker":"ai","blocks":[{before}{thought}]}}"#)
    };
    let odd = format!(
        r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{signed},{{"type":"text","text":"a"}},{{"type":"odd"}}]}}]}}"#
    );
    let item = |payload: &str| {
        format!("{{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"response_item\",\"payload\":{payload}}}\n")
    };
    let rollout = [
        item(r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}"#),
        item(r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"R"}],"content":null}"#),
        item(r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"odd","x":1}]}"#),
    ]
    .concat();
    let late = blocks(r#"{"type":"text","text":"a"},"#);
    for (to, input, want) in [
        ("reasoning", request.as_str(), vec!["1 2 /messages/1/content/0/signature signature", "1 - /top_k parameter"]),
        ("reasoning", &stream, vec!["4 1 /delta/signature signature"]),
        (
            "reasoning",
            &format!("[{request},{request}]"),
            vec![
                "1 2 /messages/1/content/0/signature signature",
                "1 - /top_k parameter",
                "2 2 /messages/1/content/0/signature signature",
                "2 - /top_k parameter",
            ],
        ),
        (
            "tagged",
            &format!("[{},{late}]", blocks("")),
            vec!["1 1 /0/blocks/0/signature signature", "1 2 /1/blocks/1/signature signature", "1 2 /1/blocks/1 order"],
        ),
        (
            "anthropic",
            r#"{"model":"m","messages":[{"role":"assistant","reasoning":"R","content":"a"}]}"#,
            vec!["1 1 /messages/0/reasoning unsigned"],
        ),
        // Behind a policy, places are those of the input, too.
        ("anthropic --policy all", &odd, vec!["1 2 /messages/1/content/2 part"]),
        ("anthropic --policy all", &format!("[{odd},\n{odd}]"), {
            vec!["1 2 /messages/1/content/2 part", "2 2 /messages/1/content/2 part"]
        }),
        (
            "anthropic --policy all-but-last",
            "[\n{\"role\":\"user\",\"content\":\"q\"},\n\
             {\"role\":\"assistant\",\"reasoning\":\"R\",\"content\":[{\"type\":\"odd\"}]},\n\
             {\"role\":\"user\",\"content\":\"q\"},\n{\"role\":\"assistant\",\"reasoning\":\"R\",\"content\":\"a\"}\n]",
            vec!["1 2 /1/content/0 part", "1 4 /3/reasoning unsigned"],
        ),
        ("anthropic --policy all", &rollout, vec!["3 2 /payload/content/1 extra", "3 2 /payload/content/1 part"]),
        ("reasoning --policy none", &stream, vec!["4 1 /delta/signature signature"]),
    ] {
        let dir = tempfile::TempDir::new().unwrap();
        let file = dir.path().join("losses");
        let mut command = Command::cargo_bin("unthink").unwrap();
        command
            .args(["convert", "--to"])
            .args(to.split(' '))
            .arg("--report-loss")
            .arg(&file)
            .write_stdin(input)
            .assert()
            .success();
        let losses = std::fs::read_to_string(&file).unwrap();
        let told: Vec<String> = losses
            .lines()
            .map(|line| {
                let line: serde_json::Value = serde_json::from_str(line).unwrap();
                let text = |key: &str| line[key].as_str().unwrap_or("-").to_string();
                let message = line["message"].as_u64().map_or("-".into(), |n| n.to_string());
                format!("{} {message} {} {}", line["record"], text("pointer"), text("loss"))
            })
            .collect();
        assert_eq!(told, want, "{to} {input}");
        // The report does not depend on how the input arrived.
        let slow = dir.path().join("slow");
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("unthink"));
        let command = command.args(["convert", "--to"]).args(to.split(' ')).arg("--report-loss").arg(&slow);
        let (stdin, stdout) = (std::process::Stdio::piped(), std::process::Stdio::null());
        let mut child = command.stdin(stdin).stdout(stdout).stderr(std::process::Stdio::null()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        for piece in input.as_bytes().chunks(60) {
            pipe.write_all(piece).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(pipe);
        assert!(child.wait().unwrap().success());
        assert_eq!(std::fs::read_to_string(&slow).unwrap(), losses, "{to} {input}");
    }
}
