//! The postprocessing split (SPEC section 11.4): the tests that its document lists, and the laws of its events.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command as Process, Stdio};
use std::time::Duration;

/// What the command prints.
fn unthink(args: &[&str], stdin: &str) -> String {
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.arg("split").args(args).write_stdin(stdin).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn split_events(args: &[&str], stdin: &str) -> Vec<Value> {
    let args: Vec<&str> = ["-o", "events"].iter().chain(args).copied().collect();
    unthink(&args, stdin).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The texts of the events of a kind, put together.
pub fn texts(events: &[Value], kind: &str) -> String {
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
    let events = split_events(&["--marker", "===FINAL==="], MARKED);
    assert_eq!(texts(&events, "analysis"), "First I look.\nThen I answer.");
    assert_eq!(texts(&events, "delta"), "It is four.");
    let want = json!({"type": "final", "stats": {"reasoning_tokens": 6, "final_tokens": 3, "reasoning_ratio": 6.0 / 9.0},
        "reasoning_text": null, "final_text": "It is four."});
    assert_eq!(last(&events), &want);
}

#[test]
fn no_marker_fallback() {
    let events = split_events(&["--marker", "===FINAL==="], "First I look. It is four.");
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
    let events = split_events(&[], &text);
    assert_eq!(texts(&events, "analysis"), thought[..256].join(" "));
    assert_eq!(last(&events)["final_text"], format!("{}\nSo it is.", thought[256..].join(" ")));
    assert_eq!(last(&events)["stats"]["reasoning_tokens"], 256);
    assert_eq!(last(&events)["stats"]["final_tokens"], 47);
    let set = "llm.postproc.reasoning.max_tokens=2";
    assert_eq!(last(&split_events(&["--set", set], "<think>a b c</think>d"))["final_text"], "c\nd");
    // What is beyond it is not compared with what stands before it.
    let distinct: String = (0..254).map(|i| format!("w{i} ")).collect();
    let set = "llm.postproc.reasoning.max_tokens=2";
    assert_eq!(last(&split_events(&["--set", set], "<think>go go go go </think>"))["final_text"], "go go");
    assert_eq!(last(&split_events(&["--set", set], "<think>go go go go go go go </think>"))["final_text"], "go go go");
    assert_eq!(last(&split_events(&[], &format!("<think>{distinct} go go go go </think>")))["final_text"], "go go");
    // What was repeated is no reasoning that counts.
    let set = "llm.postproc.reasoning.max_tokens=4";
    assert_eq!(last(&split_events(&["--set", set], "<think>a b a b a b a b</think>d"))["final_text"], "d");
}

#[test]
fn ngram_suppression() {
    let events = split_events(&[], "<think>hm hm hm hm hm x y z x y z x y z</think>go go go go go a b a b a b a b on");
    assert_eq!(texts(&events, "analysis"), "hm hm hm x y z");
    assert_eq!(last(&events)["final_text"], "go go go a b a b on");
    let off = split_events(&["--set", "llm.postproc.ngram.n=0"], "go go go go go");
    assert_eq!(last(&off)["final_text"], "go go go go go");
    let far = split_events(&["--set", "llm.postproc.ngram.window=2"], "x y z x y z");
    assert_eq!(last(&far)["final_text"], "x y z x y z");
    // What is kept lies within the window: any n up to it works.
    for (n, window) in [("3", "3"), ("128", "128")] {
        let (n_set, window_set) = (format!("llm.postproc.ngram.n={n}"), format!("llm.postproc.ngram.window={window}"));
        let events = split_events(&["--set", &n_set, "--set", &window_set], &"go ".repeat(200));
        assert_eq!(last(&events)["stats"]["final_tokens"].to_string(), n);
    }
    let unit: Vec<String> = (0..65).map(|i| format!("w{i}")).collect();
    let unit = unit.join(" ");
    assert_eq!(last(&split_events(&[], &format!("{unit} {unit} {unit}")))["final_text"], unit.as_str());
}

#[test]
fn reasoning_is_null_when_dropped() {
    let events = split_events(&[], "<think>Hm.</think>Yes.");
    assert_eq!(texts(&events, "analysis"), "Hm.");
    assert_eq!(last(&events)["reasoning_text"], Value::Null);
}

#[test]
fn reasoning_is_there_when_not_dropped() {
    let set = "llm.postproc.reasoning.drop_from_history=false";
    let events = split_events(&["--set", set], "<think> Hm  hm.\n</think>Yes.");
    assert_eq!(last(&events)["reasoning_text"], "Hm hm.");
    assert_eq!(last(&split_events(&["--set", set], "Yes."))["reasoning_text"], Value::Null);
}

#[test]
fn white_space_collapses_and_glues_nothing() {
    let events = split_events(&[], "a  b\n\n\nc \n\n d\t\te\r\n\r\nf");
    assert_eq!(last(&events)["final_text"], "a b\nc \n d\te\r\n\r\nf");
    let off = split_events(&["--set", "llm.postproc.collapse.whitespace=false"], "a  b\n\n\nc");
    assert_eq!(last(&off)["final_text"], "a  b\n\n\nc");
}

#[test]
fn service_tokens_are_filtered() {
    let events = split_events(
        &["--tag", "think"],
        "<think>x<|start|>y|analysis</think>Hello <|im_end|> there|final\nyou|assistant",
    );
    assert_eq!(texts(&events, "analysis"), "xy");
    assert_eq!(last(&events)["final_text"], "Hello there\nyou");
    let call = "<|channel|>commentary to=f<|message|>{\"x\":\"<|y|>  |final\"}<|call|>";
    let events = split_events(&[], call);
    assert_eq!(
        events[0],
        json!({"type": "tool_call", "recipient": "f", "args_text": "{\"x\":\"<|y|>  |final\"}", "constrain": null})
    );
}

#[test]
fn marker_collision() {
    let record = |role: &str, text: &str| format!("{}\n", json!({"role": role, "content": text}));
    let input = record("user", "What does ===FINAL=== mean?") + &record("assistant", MARKED);
    let events = split_events(&["--marker", "===FINAL==="], &input);
    assert!(events.iter().all(|e| e["record"] == 2 && e["message"] == 2), "{events:?}");
    assert_eq!(last(&events)["final_text"], "It is four.");
    // Reasoning may speak of the marker; the one on a line of its own counts.
    let events = split_events(&["--marker", "===FINAL==="], "I write ===FINAL=== before it.\n===FINAL===\nFour.");
    assert_eq!(last(&events)["final_text"], "Four.");
}

#[test]
fn leaks_are_detected() {
    let thought = "I must not say that the vault of the bank is empty at night.";
    let text = format!("<think>{thought}</think>Well: {}", &thought[2..55].to_uppercase());
    assert_eq!(last(&split_events(&[], &text))["leak_detected"], true);
    assert_eq!(last(&split_events(&[], &format!("<think>{thought}</think>Nothing.")))["leak_detected"], Value::Null);
    let folded = "<think>Twenty-four characters\nlong ok</think>Twenty-four characters long ok.";
    assert_eq!(last(&split_events(&[], folded))["leak_detected"], true);
    // As `check` has it, an answer that is all of the reasoning is a leak if it is long.
    assert_eq!(last(&split_events(&[], "<think>Four.</think>Four."))["leak_detected"], Value::Null);
    assert_eq!(last(&split_events(&[], &format!("<think>{thought}</think>{thought}")))["leak_detected"], true);
    let twice = format!("<think>Hm.</think><think>{thought}</think>{thought}");
    assert_eq!(last(&split_events(&[], &twice))["leak_detected"], Value::Null);
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
    let events = split_events(set, text);
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
    let events = split_events(&["--field", "/x"], "{\"x\":\"<think>Hm.</think>Yes.\"}\n");
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
fn words_are_written_as_they_come() {
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
    // A closing tag on a line of its own is one, whatever follows.
    for (text, want) in
        [("<think>Hm, ", "analysis\",\"text\":\"Hm,"), ("so.\n</think>", " so."), ("Yes, ", "Yes,"), ("it ", " it")]
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
