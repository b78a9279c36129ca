//! The postprocessing split (SPEC section 11.4): the tests that source document 4 lists, and the laws of its events.

use crate::support::*;
use assert_cmd::Command;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command as Process, Stdio};
use std::time::Duration;
use unthink::frame::Framing;
use unthink::out::{EventsOptions, Wire};
use unthink::pass::{self, PostprocOptions};

/// What the command prints.
fn unthink(args: &[&str], stdin: &str) -> String {
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.arg("split").args(args).write_stdin(stdin).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn said(args: &[&str], stdin: &str) -> Vec<Value> {
    let args: Vec<&str> = ["-o", "events"].iter().chain(args).copied().collect();
    unthink(&args, stdin).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts of the events of a kind, put together.
fn texts(events: &[Value], kind: &str) -> String {
    events.iter().filter(|e| e["type"] == kind).map(|e| e["text"].as_str().unwrap()).collect()
}

fn last(events: &[Value]) -> &Value {
    let last = events.last().unwrap();
    assert_eq!(last["type"], "final");
    assert_eq!(events.iter().filter(|e| e["type"] == "final").count(), 1);
    last
}

const MARKED: &str = "First I look.\nThen I answer.\n===FINAL===\nIt is four.\n";

#[test]
fn split_with_marker() {
    let events = said(&["--marker", "===FINAL==="], MARKED);
    assert_eq!(texts(&events, "analysis"), "First I look.\nThen I answer.");
    assert_eq!(texts(&events, "delta"), "It is four.");
    let want = json!({"type": "final", "stats": {"reasoning_tokens": 6, "final_tokens": 3, "reasoning_ratio": 6.0 / 9.0},
        "reasoning_text": null, "final_text": "It is four."});
    assert_eq!(last(&events), &want);
}

#[test]
fn no_marker_fallback() {
    let events = said(&["--marker", "===FINAL==="], "First I look. It is four.");
    assert_eq!(texts(&events, "analysis"), "");
    assert_eq!(last(&events)["final_text"], "First I look. It is four.");
    assert_eq!(last(&events)["stats"], json!({"reasoning_tokens": 0, "final_tokens": 6, "reasoning_ratio": 0}));
    assert!(last(&events).get("leak_detected").is_none());
    let metrics = unthink(&["-o", "prometheus", "--marker", "===FINAL==="], "First I look. It is four.");
    assert!(!metrics.contains("reasoning_leak_total{"), "{metrics}");
}

#[test]
fn truncation_at_max_tokens() {
    let thought: Vec<String> = (0..300).map(|i| format!("w{i}")).collect();
    let text = format!("<think>{}</think>So it is.", thought.join(" "));
    let events = said(&[], &text);
    assert_eq!(texts(&events, "analysis"), thought[..256].join(" "));
    assert_eq!(last(&events)["final_text"], format!("{}\nSo it is.", thought[256..].join(" ")));
    assert_eq!(last(&events)["stats"]["reasoning_tokens"], 256);
    assert_eq!(last(&events)["stats"]["final_tokens"], 47);
    let set = "llm.postproc.reasoning.max_tokens=2";
    assert_eq!(last(&said(&["--set", set], "<think>a b c</think>d"))["final_text"], "c\nd");
    // What is beyond it is not compared with what stands before it.
    let distinct: String = (0..254).map(|i| format!("w{i} ")).collect();
    let set = "llm.postproc.reasoning.max_tokens=2";
    assert_eq!(last(&said(&["--set", set], "<think>go go go go </think>"))["final_text"], "go go");
    assert_eq!(last(&said(&["--set", set], "<think>go go go go go go go </think>"))["final_text"], "go go go");
    assert_eq!(last(&said(&[], &format!("<think>{distinct} go go go go </think>")))["final_text"], "go go");
    // What was repeated is no reasoning that counts.
    let set = "llm.postproc.reasoning.max_tokens=4";
    assert_eq!(last(&said(&["--set", set], "<think>a b a b a b a b</think>d"))["final_text"], "d");
}

#[test]
fn ngram_suppression() {
    let events = said(&[], "<think>hm hm hm hm hm x y z x y z x y z</think>go go go go go a b a b a b a b on");
    assert_eq!(texts(&events, "analysis"), "hm hm hm x y z");
    assert_eq!(last(&events)["final_text"], "go go go a b a b on");
    let off = said(&["--set", "llm.postproc.ngram.n=0"], "go go go go go");
    assert_eq!(last(&off)["final_text"], "go go go go go");
    let far = said(&["--set", "llm.postproc.ngram.window=2"], "x y z x y z");
    assert_eq!(last(&far)["final_text"], "x y z x y z");
    // What is kept lies within the window: any n up to it works.
    for (n, window) in [("3", "3"), ("128", "128")] {
        let (n_set, window_set) = (format!("llm.postproc.ngram.n={n}"), format!("llm.postproc.ngram.window={window}"));
        let events = said(&["--set", &n_set, "--set", &window_set], &"go ".repeat(200));
        assert_eq!(last(&events)["stats"]["final_tokens"].to_string(), n);
    }
    let unit: Vec<String> = (0..65).map(|i| format!("w{i}")).collect();
    let unit = unit.join(" ");
    assert_eq!(last(&said(&[], &format!("{unit} {unit} {unit}")))["final_text"], unit.as_str());
}

#[test]
fn reasoning_is_null_when_dropped() {
    let events = said(&[], "<think>Hm.</think>Yes.");
    assert_eq!(texts(&events, "analysis"), "Hm.");
    assert_eq!(last(&events)["reasoning_text"], Value::Null);
}

#[test]
fn reasoning_is_there_when_not_dropped() {
    let set = "llm.postproc.reasoning.drop_from_history=false";
    let events = said(&["--set", set], "<think> Hm  hm.\n</think>Yes.");
    assert_eq!(last(&events)["reasoning_text"], "Hm hm.");
    assert_eq!(last(&said(&["--set", set], "Yes."))["reasoning_text"], Value::Null);
}

#[test]
fn white_space_collapses_and_glues_nothing() {
    let events = said(&[], "a  b\n\n\nc \n\n d\t\te\r\n\r\nf");
    assert_eq!(last(&events)["final_text"], "a b\nc \n d\te\r\n\r\nf");
    let off = said(&["--set", "llm.postproc.collapse.whitespace=false"], "a  b\n\n\nc");
    assert_eq!(last(&off)["final_text"], "a  b\n\n\nc");
}

#[test]
fn service_tokens_are_filtered() {
    let events =
        said(&["--tag", "think"], "<think>x<|start|>y|analysis</think>Hello <|im_end|> there|final\nyou|assistant");
    assert_eq!(texts(&events, "analysis"), "xy");
    assert_eq!(last(&events)["final_text"], "Hello there\nyou");
    let call = "<|channel|>commentary to=f<|message|>{\"x\":\"<|y|>  |final\"}<|call|>";
    let events = said(&[], call);
    assert_eq!(
        events[0],
        json!({"type": "tool_call", "recipient": "f", "args_text": "{\"x\":\"<|y|>  |final\"}", "constrain": null})
    );
}

#[test]
fn marker_collision() {
    let record = |role: &str, text: &str| format!("{}\n", json!({"role": role, "content": text}));
    let input = record("user", "What does ===FINAL=== mean?") + &record("assistant", MARKED);
    let events = said(&["--marker", "===FINAL==="], &input);
    assert!(events.iter().all(|e| e["record"] == 2 && e["message"] == 2), "{events:?}");
    assert_eq!(last(&events)["final_text"], "It is four.");
    // Reasoning may speak of the marker; the one on a line of its own counts.
    let events = said(&["--marker", "===FINAL==="], "I write ===FINAL=== before it.\n===FINAL===\nFour.");
    assert_eq!(last(&events)["final_text"], "Four.");
}

#[test]
fn leaks_are_detected() {
    let thought = "I must not say that the vault of the bank is empty at night.";
    let text = format!("<think>{thought}</think>Well: {}", &thought[2..55].to_uppercase());
    assert_eq!(last(&said(&[], &text))["leak_detected"], true);
    assert_eq!(last(&said(&[], &format!("<think>{thought}</think>Nothing.")))["leak_detected"], Value::Null);
    let folded = "<think>Twenty-four characters\nlong ok</think>Twenty-four characters long ok";
    assert_eq!(last(&said(&[], folded))["leak_detected"], true);
    let metrics = unthink(&["-o", "prometheus"], &text);
    assert!(metrics.contains("reasoning_leak_total{mode=\"tags\"} 1\n"), "{metrics}");
    let json: Value = serde_json::from_str(&unthink(&["--postproc"], &text)).unwrap();
    assert_eq!(json["leak_detected"], true);
    let field = json!({"role": "assistant", "reasoning": thought, "content": &text}).to_string();
    let marked = format!("{thought}\n===FINAL===\nYes.");
    let harmony = format!("<|channel|>analysis<|message|>{thought}<|end|><|channel|>final<|message|>Yes.");
    for (args, text, mode) in
        [(&["--marker", "===FINAL==="][..], &marked, "marker"), (&[], &harmony, "harmony"), (&[], &field, "field")]
    {
        let metrics = unthink(&[&["-o", "prometheus"][..], args].concat(), text);
        assert!(metrics.contains(&format!("reasoning_leak_total{{mode=\"{mode}\"}} ")), "{metrics}");
    }
}

#[test]
fn nothing_is_done_when_it_is_off() {
    let set = &["--set", "llm.postproc.enabled=false", "--set", "llm.postproc.reasoning.drop_from_history=false"];
    let text = "<think>a  a a a a a <|x|></think> b  b b b b b|final\n";
    let events = said(set, text);
    assert_eq!(last(&events)["reasoning_text"], "a  a a a a a <|x|>");
    assert_eq!(last(&events)["final_text"], "b  b b b b b|final");
}

#[test]
fn other_forms() {
    let text = "<think>Hm.</think>go go  go go\n<tool_call>{}</tool_call>\n";
    let sse = unthink(&["-o", "sse"], text);
    assert!(
        sse.starts_with("event: analysis\ndata: {\"type\":\"analysis\",\"text\":\"Hm.\"}\n\nevent: delta\n"),
        "{sse}"
    );
    assert!(sse.contains(
        "event: tool_channel_raw\ndata: {\"type\":\"tool_channel_raw\",\"raw\":\"<tool_call>{}</tool_call>\"}\n\n"
    ));
    assert_eq!(unthink(&["--postproc", "-o", "text"], text), "go go go\n<tool_call>{}</tool_call>\n");
    assert_eq!(
        unthink(&["--postproc"], text),
        "{\"visible\":\"go go go\\n<tool_call>{}</tool_call>\",\"reasoning\":{\"text\":\"Hm.\",\"tokensEst\":1}}\n"
    );
    // Where something was cut, the ends are trimmed, as without it.
    let text = "\nHi<think>x</think> there \n \n";
    let want = "{\"visible\":\"Hi there\",\"reasoning\":{\"text\":\"x\",\"tokensEst\":1}}\n";
    assert_eq!(unthink(&["--postproc"], text), want);
    assert_eq!(unthink(&["--postproc", "-o", "text"], text), "Hi there\n");
    assert_eq!(unthink(&["--postproc", "-o", "text"], "\nHi there \n"), "\nHi there \n");
    let set = "llm.postproc.reasoning.drop_from_history=true";
    assert_eq!(unthink(&["--postproc", "--set", set], "<think>Hm.</think>Yes."), "{\"visible\":\"Yes.\"}\n");
    let events = said(&["--field", "/x"], "{\"x\":\"<think>Hm.</think>Yes.\"}\n");
    assert_eq!(events[0], json!({"record": 1, "field": "/x", "type": "analysis", "text": "Hm."}));
}

#[test]
fn a_refused_record_says_nothing() {
    let line = |text: &str| format!("{}\n", json!({"role": "assistant", "content": text}));
    let input = line("PUBL1C one") + &line("PUBL1C <think>S3CRET</think> x\n<think>S3CRET") + &line("PUBL1C two");
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.args(["split", "-o", "events", "--unclosed", "error"]).write_stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(!out.contains("\"record\":2") && out.contains("one") && out.contains("\"record\":3"), "{out}");
}

#[test]
#[cfg(unix)]
fn words_are_live() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
        .args(["split", "-o", "events", "--framing", "sse"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || BufReader::new(stdout).lines().for_each(|line| send.send(line.unwrap()).unwrap()));
    let delta = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    for (text, want) in
        [("<think>Hm, ", "analysis\",\"text\":\"Hm,"), ("so.</think>", " so."), ("Yes, ", "Yes,"), ("it ", " it")]
    {
        stdin.write_all(delta(text).as_bytes()).unwrap();
        stdin.flush().unwrap();
        let line = receive.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(line.contains(want), "{line}");
    }
    drop(stdin);
    assert!(receive.recv_timeout(Duration::from_secs(20)).unwrap().contains("final_text"));
    assert!(child.wait().unwrap().success());
}

fn options(process: bool) -> EventsOptions {
    let process = process.then_some(pass::Process { max_tokens: 7, n: 2, window: 16, collapse: true });
    let postproc = PostprocOptions { leaks: true, apart: true, join: "\n".into(), process };
    EventsOptions { wire: Wire::Lines, postproc, ..EventsOptions::default() }
}

fn pieces(tools: bool) -> impl Strategy<Value = String> {
    let mut pieces = vec![
        "<think>",
        "</think>",
        "<thinking>",
        "</thinking>",
        "a ",
        "b ",
        "a b ",
        "go go ",
        "word",
        "\n",
        "\n\n",
        " ",
        "<|",
        "|>",
        "x|final",
        "|fin",
        "é",
        "😀",
        "\u{2028}",
        "`",
        "<",
        "<REASONING>",
        "</REASONING>",
        "\r\n",
        "<th",
        "0123456789012345678901234567890123456789",
    ];
    if tools {
        pieces.extend([
            "<tool_call>",
            "</tool_call>",
            "<|channel|>analysis<|message|>",
            "<|end|>",
            "<|start|>assistant<|channel|>final<|message|>",
            "<|channel|>commentary<|message|>",
            "<|channel|>commentary to=f<|message|>",
            "{\"a\":1}",
            "<|call|>",
            "<|start|>user<|message|>",
        ]);
    }
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|p| p.concat())
}

fn parsed(ran: &Ran) -> Vec<Value> {
    ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn text_in_pieces(text in pieces(true), piece in 1usize..9, process in any::<bool>()) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let whole = events(text.as_bytes(), setup, options(process));
        prop_assert_eq!(events(text.as_bytes(), Setup { piece, ..setup }, options(process)).text(), whole.text());
        let sse = EventsOptions { wire: Wire::Sse, ..options(process) };
        let lines: Vec<String> = parsed(&whole).iter().map(|e| e["type"].as_str().unwrap().to_string()).collect();
        let names: Vec<String> = events(text.as_bytes(), setup, sse).text().lines()
            .filter_map(|line| line.strip_prefix("event: ").map(str::to_string)).collect();
        prop_assert_eq!(names, lines);
    }

    #[test]
    fn deltas_make_the_text(text in pieces(true), process in any::<bool>(), record in any::<bool>()) {
        let quoted = json!({"role": "assistant", "content": text}).to_string() + "\n";
        let (input, framing) = if record { (quoted, Framing::Jsonl) } else { (text, Framing::Text) };
        let ran = events(input.as_bytes(), Setup { framing: Some(framing), ..Setup::default() }, options(process));
        let mut open: Vec<Value> = Vec::new();
        for event in parsed(&ran) {
            if event["type"] == "final" {
                prop_assert_eq!(texts(&open, "delta"), event["final_text"].as_str().unwrap());
                prop_assert_eq!(texts(&open, "analysis"), event["reasoning_text"].as_str().unwrap_or_default());
                let words = |text: &Value| text.as_str().unwrap_or_default().split_whitespace().count();
                prop_assert_eq!(event["stats"]["final_tokens"].as_u64().unwrap() as usize, words(&event["final_text"]));
                prop_assert_eq!(event["stats"]["reasoning_tokens"].as_u64().unwrap() as usize, words(&event["reasoning_text"]));
                open.clear();
            } else {
                open.push(event);
            }
        }
        prop_assert!(open.is_empty());
    }

    #[test]
    fn untouched_it_is_what_split_says(text in pieces(false)) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let ran = events(text.as_bytes(), setup, options(false));
        let all = parsed(&ran);
        let split = messages(text.as_bytes(), setup);
        if let (Some(event), [(visible, reasoning)]) = (all.last(), split.as_slice()) {
            prop_assert_eq!(event["final_text"].as_str().unwrap().trim(), visible.trim());
            let told = event["reasoning_text"].as_str().unwrap_or_default();
            prop_assert_eq!(told.trim(), reasoning.as_deref().unwrap_or_default().trim());
        }
    }

    #[test]
    fn deltas_in_pieces(
        deltas in prop::collection::vec((prop::sample::select(vec!["content", "reasoning_content", "reasoning"]), pieces(true)), 0..8),
        sse in any::<bool>(),
        piece in 1usize..40,
        process in any::<bool>(),
    ) {
        let event = |(key, text): &(&str, String)| {
            let data = json!({"id": "a", "choices": [{"index": 0, "delta": {*key: text}}]});
            if sse { format!("data: {data}\n\n") } else { format!("{data}\n") }
        };
        let input: String = deltas.iter().map(event).collect();
        let whole = events(input.as_bytes(), Setup::default(), options(process));
        let ran = events(input.as_bytes(), Setup { piece, ..Setup::default() }, options(process));
        prop_assert_eq!(ran.text(), whole.text());
    }

    #[test]
    fn one_text_in_deltas_of_any_size(text in pieces(false), cut in 1usize..7) {
        let chars: Vec<char> = text.chars().collect();
        let line = |part: &[char]| {
            let part: String = part.iter().collect();
            format!("{}\n", json!({"choices": [{"index": 0, "delta": {"content": part}}]}))
        };
        let told = |size: usize| {
            let input: String = chars.chunks(size).map(line).collect();
            let setup = Setup { framing: Some(Framing::Jsonl), ..Setup::default() };
            events(input.as_bytes(), setup, options(true)).text()
        };
        prop_assert_eq!(told(cut), told(usize::MAX));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn the_limit_does_not_depend_on_cuts(
        words in prop::collection::vec(
            prop::sample::select(vec!["go ", "go ", "a b ", "a b c ", "b ", "c\n", "<think>", "</think>", "</think> ", "<thi"]),
            0..16,
        ),
        open in any::<bool>(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        piece in 1usize..9,
        max_tokens in 0u64..4,
        n in 1u64..4,
        window in 1u64..9,
    ) {
        let text = if open { "<think>" } else { "" }.to_string() + &words.concat();
        let mut options = options(true);
        options.postproc.process = Some(pass::Process { max_tokens, n, window, collapse: true });
        let setup = |framing| Setup { framing: Some(framing), ..Setup::default() };
        let whole = events(text.as_bytes(), setup(Framing::Text), options.clone());
        let ran = events(text.as_bytes(), Setup { piece, ..setup(Framing::Text) }, options.clone());
        prop_assert_eq!(ran.text(), whole.text());
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(text.len() + 1)).chain([0, text.len()]).collect();
        cuts.sort_unstable();
        // Which record a message begins in is another matter.
        let unplaced = |mut event: Value| {
            event["record"].take();
            event
        };
        let deltas = |key: &str, cuts: &[usize]| {
            let line = |cut: &[usize]| {
                let delta = json!({key: text[cut[0]..cut[1]]});
                format!("{}\n", json!({"id": "a", "choices": [{"index": 0, "delta": delta}]}))
            };
            let input: String = cuts.windows(2).map(line).collect();
            let ran = events(input.as_bytes(), setup(Framing::Jsonl), options.clone());
            parsed(&ran).into_iter().map(unplaced).collect::<Vec<_>>()
        };
        for key in ["content", "reasoning_content"] {
            prop_assert_eq!(deltas(key, &cuts), deltas(key, &[0, text.len()]), "{}", key);
        }
    }
}

/// With nothing done to them, the events of a message come to what `split` says of it.
#[test]
fn untouched_files_are_what_split_says() {
    for (name, bytes) in corpus() {
        let ran = events(&bytes, Setup::default(), options(false));
        let all = parsed(&ran);
        let told: Vec<&Value> = all.iter().filter(|event| event["type"] == "final").collect();
        if all
            .iter()
            .any(|event| ["commentary", "tool_call", "tool_channel_raw"].iter().any(|kind| event["type"] == *kind))
        {
            continue;
        }
        // Events come in the order in which messages end.
        let sorted = |mut all: Vec<(String, String)>| {
            all.sort();
            all
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().trim().to_string();
        let told = told.iter().map(|event| (text(&event["final_text"]), text(&event["reasoning_text"]))).collect();
        let split = messages(&bytes, Setup::default());
        let split =
            split.iter().map(|(v, r)| (v.trim().to_string(), r.as_deref().unwrap_or_default().trim().to_string()));
        assert_eq!(sorted(told), sorted(split.collect()), "{name}");
    }
}

#[test]
fn linear() {
    let distinct: String = (0..100_000).map(|i| format!("w{i} ")).collect();
    let families: [(&str, &dyn Fn(usize) -> String); 9] = [
        ("one word", &|n| "go ".repeat(n / 3)),
        ("units", &|n| "a b c d e f g ".repeat(n / 14)),
        ("less-than signs", &|n| "<".repeat(n)),
        ("half tokens", &|n| "<|".repeat(n / 2)),
        ("nested tokens", &|n| "<|a".repeat(n / 3)),
        ("markers", &|n| "|final".repeat(n / 6)),
        ("distinct words", &|n| distinct[..n].to_string()),
        ("no white space", &|n| "x".repeat(n)),
        ("nothing but white space", &|n| format!("a{}b", "\n ".repeat(n / 2))),
    ];
    let clock = || {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
    };
    for (name, text) in families {
        for inside in [false, true] {
            for piece in [usize::MAX, 1000] {
                let input = |n: usize| if inside { format!("<think>{}", text(n)) } else { text(n) };
                let process = pass::Process { max_tokens: u64::MAX, n: 3, window: 128, collapse: true };
                let mut options = options(true);
                options.postproc.process = Some(process);
                let time = |input: &str| {
                    let start = clock();
                    let setup = Setup { framing: Some(Framing::Text), piece, ..Setup::default() };
                    events(input.as_bytes(), setup, options.clone());
                    clock() - start
                };
                let best = |input: &str| (0..2).map(|_| time(input)).min().unwrap();
                let (small, large) = (input(50_000), input(500_000));
                let ok = (0..4).any(|_| best(&large) < best(&small).max(Duration::from_millis(1)) * 15);
                assert!(ok, "{name} in pieces of {piece}: ten times the input takes more than fifteen times the time");
            }
        }
    }
}

#[test]
fn hard_files_and_samples() {
    let Some(shared) = shared() else { return };
    let mut seen = 0;
    for folder in ["hard", "samples", "hard/hard", "hard/sse", "hard/blns", "hard/utf8", "hard/jsontestsuite"] {
        let Ok(entries) = std::fs::read_dir(shared.join(folder)) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let bytes = std::fs::read(&path).unwrap();
            for process in [true, false] {
                let whole = events(&bytes, Setup::default(), options(process));
                for line in whole.text().lines() {
                    assert!(serde_json::from_str::<Value>(line).is_ok(), "{}: {line}", path.display());
                }
                if bytes.len() < 20_000 {
                    let ran = events(&bytes, Setup { piece: 1, ..Setup::default() }, options(process));
                    assert_eq!(ran.text(), whole.text(), "{} byte by byte", path.display());
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 80, "only {seen} files");
}
