//! MEW: the vectors of the protocol, and laws of logs in which several speak.

use crate::support::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The objects that `split` writes of sequences.
fn objects(input: &[u8]) -> Vec<Value> {
    let ran = split(input, Setup::default());
    assert!(ran.problems.is_empty(), "{:?}", ran.problems);
    let text = String::from_utf8(ran.out).unwrap();
    let objects = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.filter(|object| object["id"].is_string()).collect()
}

/// The identifiers of the envelopes that are left, each once.
fn ids(output: &[u8]) -> BTreeSet<String> {
    let lines = std::str::from_utf8(output).unwrap().lines();
    let values = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let envelope = |value: Value| if value["envelope"].is_object() { value["envelope"].clone() } else { value };
    values.map(|value| envelope(value)["id"].as_str().unwrap_or_default().to_string()).collect()
}

fn strings(value: &Value) -> BTreeSet<String> {
    value.as_array().into_iter().flatten().map(|id| id.as_str().unwrap().to_string()).collect()
}

/// A sequence of the vectors beside the object that `split` makes of it.
fn agrees(want: &Value, got: &Value, name: &str) {
    for key in ["context", "from", "trigger", "start", "thoughts", "conclusion"] {
        let own = if key == "from" { "agent" } else { key };
        assert_eq!(got[own], want[key], "{name}: {key}");
    }
    let tools: BTreeSet<String> =
        got["tools"].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap().into()).collect();
    assert_eq!(tools, strings(&want["in_context_actions"]), "{name}");
}

/// The vectors of the protocol's own program. Three of its rules are not ours:
/// - frames of a stream (`#stream#{…}`) are no records: no log has them, and they are refused;
/// - its display filter for tags changes text that has none, and knows tags by a pattern; ours is the table of tags;
/// - its estimate of a text is at least 1, which ours is, too, as soon as there is a character.
#[test]
fn vectors_of_the_protocol() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("vectors/mew.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    let (mut read, mut others) = (0, 0);
    for vector in &vectors {
        let (name, expected) = (vector["name"].as_str().unwrap(), &vector["expected"]);
        if ["stream frame", "stripThinkingTags", "estimateTokens"].iter().any(|start| name.starts_with(start)) {
            if name.starts_with("stream frame") {
                let ran = strip(vector["input"].as_str().unwrap().as_bytes(), policy("all"));
                assert!(ran.out.is_empty() && ran.problems.len() == 1, "{name}: {:?}", ran.problems);
            }
            others += 1;
            continue;
        }
        read += 1;
        let input = vector["input"].as_str().unwrap().as_bytes();
        let found = objects(input);
        let left = strip(input, policy("all"));
        assert!(left.problems.is_empty(), "{name}: {:?}", left.problems);
        let (kept, all) = (ids(&left.out), ids(input));
        for key in ["visible_chat_ids", "must_keep_even_when_context_is_filtered", "responses_without_context"] {
            let missing: Vec<String> = strings(&expected[key]).difference(&kept).cloned().collect();
            assert!(missing.is_empty(), "{name}: {key}: {missing:?}");
        }
        for (want, got) in expected["reasoning_sequences"].as_array().into_iter().flatten().zip(&found) {
            agrees(want, got, name);
        }
        let thoughts = |objects: &[Value]| -> Vec<Value> {
            objects.iter().flat_map(|object| object["thoughts"].as_array().unwrap().clone()).collect()
        };
        if expected["thought_texts"].is_array() {
            assert_eq!(json!(thoughts(&found)), expected["thought_texts"], "{name}");
            assert_eq!(
                (&found[0]["visible"], &found[0]["response"]),
                (&json!("Deploy is safe."), &json!("m5")),
                "{name}"
            );
        }
        if expected["unique_envelopes"].is_u64() {
            assert_eq!(json!(all.len()), expected["unique_envelopes"], "{name}");
            let ran = split(input, Setup::default());
            assert_eq!(json!(ran.counts.messages), expected["unique_envelopes"], "{name}");
        }
        match name {
            "rejected envelope in the history log" => assert!(found.is_empty() && kept.is_empty()),
            "cancelled reasoning by MEWAgent" => {
                assert_eq!((found.len(), &found[0]["status"]), (1, &json!("cancelled")), "{name}");
            }
            "control agent puts the context in the payload" => {
                assert_eq!((found.len(), &found[0]["context"]), (1, &json!("reasoning-start-1")), "{name}");
                assert_eq!(found[0]["start"], "Calculating detailed response");
                assert_eq!(found[0]["conclusion"], "Ready to proceed");
            }
            "context as an operation object" => assert_eq!(found[0]["id"], expected["matches_context"], "{name}"),
            "seed dialect: dot kinds, correlationId string, nested context path" => {
                let inner = found.iter().find(|object| object["id"] == "msg-302").unwrap();
                assert_eq!((&inner["parent"], &inner["context"]), (&json!("msg-301"), &json!("msg-301/msg-302")));
                for object in &found {
                    let want = &expected["tree"][object["id"].as_str().unwrap()];
                    assert_eq!(object["thoughts"], want["thoughts"], "{name}");
                }
            }
            _ => (),
        }
    }
    assert!(read >= 9 && others >= 20, "{read} {others}");
}

/// What becomes of an envelope by its kind: the words of a reasoning kind are known in any spelling, and a kind that only
/// may be one of reasoning is refused, wherever the envelope stands.
#[test]
fn kinds_in_other_spellings() {
    let cases: &[(&str, &str)] = &[
        (r#""reasoning/thought""#, "goes"),
        (r#""reasoning\u002fthought""#, "goes"),
        (r#""Reasoning/Thought""#, "goes"),
        (r#""REASONING.THOUGHT""#, "goes"),
        (r#""reasoning_thought""#, "goes"),
        (r#""reasoning:thought""#, "goes"),
        (r#"" reasoning - thought""#, "goes"),
        (r#""ReasoningThought""#, "goes"),
        (r#""reasoningStart""#, "goes"),
        (r#""reasoning""#, "goes"),
        (r#""reasoning\\thought""#, "goes"),
        (r#""reasoning/thought/v1""#, "goes"),
        (r#""chat","kind":"reasoning_thought""#, "goes"),
        (r#"["reasoning/thought"]"#, "refused"),
        (r#"["chat","reasoning.thought"]"#, "refused"),
        (r#"{"name":"reasoning/thought"}"#, "refused"),
        (r#""chat","kind":["reasoning/thought"]"#, "refused"),
        (r#""thought""#, "refused"),
        (r#""hypothesis""#, "refused"),
        (r#""Observation""#, "refused"),
        (r#""question""#, "refused"),
        (r#""Thinking""#, "refused"),
        (r#""agent.reasoning.thought""#, "refused"),
        (r#""mew/reasoning/thought""#, "refused"),
        (r#""system/thought""#, "refused"),
        (r#""chat""#, "stays"),
        (r#"["chat"]"#, "stays"),
        (r#""reasonable/offer""#, "stays"),
        (r#""stream/data""#, "stays"),
        (r#""weather/report""#, "stays"),
    ];
    for (kind, want) in cases {
        let payload = r#""from":"a","context":"s","payload":{"message":"The roof is dry."}"#;
        let envelope = format!(r#"{{"protocol":"mew/v0.4","id":"t","kind":{kind},{payload}}}"#);
        let logged = format!(r#"{{"timestamp":"t","event":"received","id":"t","envelope":{envelope}}}"#);
        for input in [format!("{envelope}\n"), format!("{logged}\n"), format!("[{envelope}]\n")] {
            let ran = strip(input.as_bytes(), policy("all"));
            let left = String::from_utf8(ran.out).unwrap();
            let (stays, whole) = (left.contains("The roof"), left == input);
            let found = match (ran.problems.len(), stays) {
                (0, true) if whole => "stays",
                (0, false) => "goes",
                (1, false) => "refused",
                _ => "neither",
            };
            assert_eq!(found, *want, "{input} {left} {:?}", ran.problems);
        }
    }
}

/// What a kind without a text of its own has in its payload is searched as a whole; the rights of a participant are no
/// reasoning.
#[test]
fn payloads_of_other_kinds() {
    for (envelope, refused) in [
        (r#""kind":"stream/data","payload":{"type":"thought","value":"The roof is dry."}"#, true),
        (r#""kind":"stream/data","payload":"<think>The roof is dry.</think>""#, true),
        (r#""kind":"stream/data","payload":{"text":"<think>The roof is dry.</think>"}"#, true),
        (r#""kind":"weather/report","payload":[{"type":"thinking","thinking":"The roof is dry."}]"#, true),
        (r#""kind":"chat","payload":[{"type":"thinking","thinking":"The roof is dry."}]"#, true),
        (r#""kind":"chat","correlation_id":[{"thinking":"The roof is dry."}],"payload":{"text":"Yes"}"#, true),
        (r#""kind":"Chat","payload":{"text":"Yes"}"#, false),
        (r#""kind":"stream/request","payload":{"direction":"upload","description":"reasoning:s1"}"#, false),
        (r#""kind":"participant/status","payload":{"status":"thinking","tokens":3}"#, false),
        (
            r#""kind":"system/welcome","payload":{"you":{"id":"a","capabilities":[{"kind":"reasoning/thought","payload":{"message":"*"}}]}}"#,
            false,
        ),
    ] {
        let input = format!("{{\"protocol\":\"mew/v0.4\",\"id\":\"t\",\"from\":\"a\",{envelope}}}\n");
        let ran = strip(input.as_bytes(), policy("all"));
        assert_eq!(ran.problems.len(), usize::from(refused), "{input} {:?}", ran.problems);
        assert_eq!(ran.out, if refused { Vec::new() } else { input.into_bytes() });
    }
}

/// Under every policy what is no reasoning stays, byte for byte and in its order; the reasoning that stays is the input's.
#[test]
fn protocol_messages_stay() {
    let mut lines_of_all = 0;
    for file in files_in(&root().join("testdata/mew")).into_iter().filter(|path| path.extension().unwrap() == "jsonl") {
        let text = std::fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let thinks = |line: &&str| {
            let value: Value = serde_json::from_str(line).unwrap();
            let envelope = if value["envelope"].is_object() { &value["envelope"] } else { &value };
            envelope["kind"].as_str().unwrap().starts_with("reasoning")
        };
        for name in POLICIES {
            let left = strip(text.as_bytes(), policy(name)).text();
            let mut rest = left.split_inclusive('\n').peekable();
            for line in &lines {
                let stays = rest.next_if_eq(line).is_some();
                assert!(stays || name != "none" && thinks(line), "{name}: {}: {line}", file.display());
            }
            assert_eq!(rest.next(), None, "{name}: {}", file.display());
        }
        lines_of_all += lines.len();
    }
    assert!(lines_of_all > 50, "{lines_of_all}");
}

/// Reasoning whose payload is no object has its texts, too.
#[test]
fn payloads_that_are_no_objects() {
    let line = |payload: &str| {
        format!(r#"{{"id":"s","kind":"reasoning/start","from":"a","correlation_id":"q","payload":{payload}}}"#) + "\n"
    };
    for (payload, want) in
        [(r#""One""#, "One"), (r#"["One",{"more":["Two"]}]"#, "One\nTwo"), ("null", ""), ("[]", ""), ("7", "")]
    {
        let found = objects(line(payload).as_bytes());
        assert_eq!(found[0]["reasoning"]["text"].as_str().unwrap_or_default(), want, "{payload}");
    }
}

/// A record of a message that was rejected counts nowhere; an earlier one, as received, stands by itself.
#[test]
fn rejected() {
    let line = |event: &str, id: &str| {
        let envelope =
            format!(r#"{{"id":"{id}","from":"a","kind":"reasoning/start","payload":{{"message":"S3CRET"}}}}"#);
        format!(r#"{{"timestamp":"t","event":"{event}","id":"{id}","envelope":{envelope},"participant":"a"}}"#) + "\n"
    };
    for (events, want) in [
        (&[("rejected", "x"), ("received", "y")][..], &["y"][..]),
        (&[("received", "x"), ("rejected", "x"), ("received", "y")], &["x", "y"]),
    ] {
        let log: String = events.iter().map(|(event, id)| line(event, id)).collect();
        for (log, piece) in [
            (log.clone(), 1),
            (log.clone(), usize::MAX),
            (format!("[{}]\n", log.trim_end().replace('\n', ",")), usize::MAX),
        ] {
            let setup = Setup { piece, ..Setup::default() };
            let found = split(log.as_bytes(), setup).text();
            let ids: Vec<Value> =
                found.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
            assert_eq!(ids, want, "{log} in pieces of {piece}");
            let left = strip(log.as_bytes(), Setup { piece, ..policy("all-but-last") }).text();
            assert_eq!(left.matches("S3CRET").count(), 1, "{left}");
        }
    }
}

/// What a conversation in another format does not say of a log is counted.
#[test]
fn losses() {
    use unthink::{ConvertOptions, Loss};
    let log = [
        r#"{"id":"q","kind":"chat","from":"user","payload":{"message":"Rain?"}}"#,
        r#"{"id":"s","kind":"reasoning/start","from":"radar","correlation_id":["q"],"payload":{"input":"Rain?","metadata":{"km":5}}}"#,
        r#"{"context":"s","id":"n","kind":"reasoning/start","from":"radar","payload":{"message":"Once more"}}"#,
        r#"{"context":"n","kind":"reasoning/thought","from":"radar","payload":{"reasoning":"Wet","action":"call_tool","actionInput":{"km":5}}}"#,
        r#"{"context":"n","kind":"reasoning/cancel","from":"user","payload":{}}"#,
        r#"{"context":"s","kind":"chat","from":"radar","to":["user"],"payload":{"message":"Where?"}}"#,
        r#"{"context":"s","kind":"reasoning/conclusion","from":"radar","payload":{}}"#,
        r#"{"id":"a","kind":"chat","from":"radar","correlation_id":["q"],"priority":"high","payload":{"message":"Yes."}}"#,
        r#"{"id":"w","kind":"system/presence","from":"system:gateway","payload":{"event":"leave"}}"#,
    ];
    let done = unthink::convert((log.join("\n") + "\n").as_bytes(), &ConvertOptions::new("tagged")).unwrap();
    assert_eq!(
        String::from_utf8(done.output).unwrap().lines().collect::<Vec<_>>(),
        [
            r#"{"role":"user","content":"Rain?"}"#,
            r#"{"role":"assistant","content":"Where?"}"#,
            r#"{"role":"assistant","content":"<think>Rain?\nOnce more\nWet</think>Yes."}"#,
        ]
    );
    let want = [
        (Loss::Blocks, 2),
        // The metadata of the start, the action and its input, the priority.
        (Loss::Extra, 4),
        (Loss::Record, 1),
        // The message, and the words to the user.
        (Loss::Agent, 2),
        (Loss::Sequence, 2),
        (Loss::Cancelled, 1),
    ];
    assert_eq!(done.report.losses.into_iter().collect::<Vec<_>>(), want);
}

/// Envelopes of 64 agents, line by line, each in many sequences.
fn interleaved(rounds: usize) -> String {
    (0..rounds).map(round_of_64).collect()
}

/// A question, and the reasoning and the answers of 64 agents, line by line.
fn round_of_64(round: usize) -> String {
    let mut log = String::new();
    let each = |log: &mut String, line: &dyn Fn(usize) -> String| {
        for agent in 0..64 {
            *log += &line(agent);
            log.push('\n');
        }
    };
    let head = |agent: usize| format!(r#"{{"protocol":"mew/v0.4","from":"agent-{agent}""#);
    log += &format!(
        r#"{{"protocol":"mew/v0.4","id":"q{round}","from":"user","kind":"chat","payload":{{"text":"Round {round}?"}}}}"#
    );
    log.push('\n');
    each(&mut log, &|n| {
        format!(
            r#"{},"id":"s{round}-{n}","kind":"reasoning/start","correlation_id":["q{round}"],"payload":{{"message":"S3CRET {round}"}}}}"#,
            head(n)
        )
    });
    each(&mut log, &|n| {
        format!(
            r#"{},"kind":"reasoning/thought","context":"s{round}-{n}","payload":{{"message":"S3CRET of agent {n}"}}}}"#,
            head(n)
        )
    });
    each(&mut log, &|n| {
        format!(
            r#"{},"id":"c{round}-{n}","kind":"mcp/request","context":"s{round}-{n}","payload":{{"method":"tools/call","params":{{"name":"f","arguments":{{"n":{n}}}}}}}}}"#,
            head(n)
        )
    });
    each(&mut log, &|n| {
        format!(
            r#"{},"kind":"reasoning/conclusion","context":"s{round}-{n}","payload":{{"message":"S3CRET end"}}}}"#,
            head(n)
        )
    });
    each(&mut log, &|n| {
        format!(r#"{},"kind":"chat","correlation_id":["q{round}"],"payload":{{"text":"Answer {n}"}}}}"#, head(n))
    });
    log
}

/// What is no reasoning is the same, byte for byte, and in its order; every sequence has its own answer.
#[test]
fn agents_do_not_mix() {
    let log = interleaved(20);
    let want: String = log.split_inclusive('\n').filter(|line| !line.contains("\"reasoning/")).collect();
    let left = strip(log.as_bytes(), policy("all"));
    assert_eq!(left.out, want.as_bytes());
    let found = objects(log.as_bytes());
    assert_eq!(found.len(), 20 * 64);
    for object in found {
        let agent = object["agent"].as_str().unwrap().trim_start_matches("agent-");
        assert_eq!(object["visible"], format!("Answer {agent}"));
        assert_eq!(object["thoughts"], json!([format!("S3CRET of agent {agent}")]));
        assert_eq!(object["tools"].as_array().unwrap().len(), 1);
    }
    let stays = strip(log.as_bytes(), policy("all-but-last"));
    assert_eq!(stays.out.windows(6).filter(|word| word == b"S3CRET").count(), 3, "one sequence stays");
}

/// So many KiB more may be in use when the names are remembered that a command remembers at all.
#[cfg(target_os = "linux")]
const MOST: u64 = 8 << 10;

/// The most memory, in KiB, that a command has needed when it had read so many bytes of such a log.
#[cfg(target_os = "linux")]
fn peak(args: &[&str], bytes: usize) -> u64 {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
    let mut child = command.args(args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let (mut written, mut round) = (0, 0);
    while written < bytes {
        let log = round_of_64(round);
        stdin.write_all(log.as_bytes()).unwrap();
        (written, round) = (written + log.len(), round + 1);
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let peak = peak.split_whitespace().nth(1).unwrap().parse().unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().code().is_some_and(|code| code < 2), "{args:?}");
    peak
}

/// Memory depends on the sequences that are open, not on how many there were: what is remembered of those that are over
/// is a fixed number of names.
#[cfg(target_os = "linux")]
fn memory_does_not_grow(small: usize, large: usize, most: u64) {
    for args in [
        &["strip"][..],
        &["strip", "--policy", "all-but-last", "--unit", "turn"],
        &["strip", "--agent", "agent-7"],
        &["check"],
        &["check", "--select", "UT2", "--max-messages", "100"],
        &["split"],
        &["convert", "--to", "tagged"],
    ] {
        let (before, after) = (peak(args, small), peak(args, large));
        assert!(after < before + most, "{args:?}: {before} KiB, then {after} KiB");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn memory_of_a_log() {
    // What keeps the input, or half of it, grows by more than that.
    memory_does_not_grow(8 << 20, 32 << 20, MOST);
}

/// The same with a log of 100 MiB, for an optimised build. 16 MiB have as many names as are remembered. A policy with
/// hindsight keeps a few bytes for each decision, 24 a sequence, as long as something waits for one.
#[test]
#[ignore = "takes long: .ci/run runs it"]
#[cfg(target_os = "linux")]
fn memory_of_a_long_log() {
    memory_does_not_grow(16 << 20, 100 << 20, MOST);
}

/// What is written as envelopes reads as the same messages, whatever it came from; no identifier stands twice.
#[test]
fn what_is_written_is_read_again() {
    let visible = |all: &[(String, Option<String>)]| -> Vec<(String, String)> {
        let trim = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let all = all.iter().map(|(visible, thought)| (trim(visible), trim(thought.as_deref().unwrap_or_default())));
        // Calls of tools are no objects of envelopes.
        all.filter(|pair| !pair.0.is_empty() || !pair.1.is_empty()).collect()
    };
    for name in
        ["thinking-block/history.json", "anthropic/request.json", "claude-code/session.jsonl", "responses/request.json"]
    {
        let path = root().join("testdata").join(name);
        let Ok(input) = std::fs::read(&path) else { continue };
        let done = crate::support::convert_to(&input, "mew", 1 << 20);
        assert!(done.refused.is_empty(), "{name}: {:?}", done.refused);
        assert_eq!(
            visible(&messages(&done.out, Setup::default())),
            visible(&messages(&input, Setup::default())),
            "{name}"
        );
        assert_eq!(done.out, crate::support::convert_to(&input, "mew", 1).out, "{name}: in pieces");
        let text = String::from_utf8(done.out.clone()).unwrap();
        let mut seen = BTreeSet::new();
        for id in text.split("\"id\":\"env-").skip(1) {
            assert!(seen.insert(&id[..16]), "{name}: {id}");
        }
        assert!(!seen.is_empty(), "{name}");
        assert_eq!(strip(&done.out, policy("all")).out.windows(11).filter(|word| word == b"reasoning/s").count(), 0);
    }
}
