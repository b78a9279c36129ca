//! Texts that speak of tags, and texts that use them, in fourteen languages: `testdata/mentions/mentions.jsonl` and
//! `uses.jsonl`, each line with what must come out of it. Every text is read as raw text, whole and in pieces, and in a
//! message of every dialect.
//!
//! A mention stays as it is, and the status is 0. An undecided tag is status 3, unless the dialect has its own place for
//! reasoning, where it is text. A use is cut. What fails is collected, so that one run names all of it.

use crate::support::*;
use assert_cmd::Command;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use unthink::{CheckOptions, Error, SplitOptions, StripOptions};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Mention,
    Undecided,
    /// Something says that it is used, and something that it is not: status 3 in every dialect.
    Contested,
    Delimiter,
    /// It speaks of tags without quoting them: what comes of it may be the text or status 3, but no altered text.
    Spoken,
}

/// A text, and what must come out of it.
#[derive(Debug)]
struct Entry {
    id: String,
    lang: String,
    row: String,
    class: Class,
    /// Its closer has no opener.
    lone: bool,
    text: String,
    /// What `strip` leaves: of an undecided text, what is left where its undecided tags are text.
    strip: String,
    /// What `strip --inline delimiter` leaves of an undecided text.
    delimiter: Option<String>,
    visible: String,
    reasoning: String,
}

impl Entry {
    /// Whether this may be on stdout although the text is refused: raw text passes up to the first tag that is not
    /// certain, once a block before it has decided how the text begins.
    fn may_pass(&self, out: &str) -> bool {
        self.strip.starts_with(out) && !out.contains(['<', '[', '◁'])
    }
}

fn entries(file: &str) -> Vec<Entry> {
    let text = std::fs::read_to_string(root().join("testdata/mentions").join(file)).unwrap();
    let entry = |(number, line): (usize, &str)| {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{file}:{}: {e}", number + 1));
        let member = |name: &str| value[name].as_str().map(str::to_string);
        let text = member("text").unwrap();
        let blocks = value["reasoning"].as_array().into_iter().flatten();
        let blocks: Vec<&str> = blocks.map(|block| block.as_str().unwrap()).collect();
        let class = match value["class"].as_str().unwrap() {
            "mention" => Class::Mention,
            "undecided" => Class::Undecided,
            "contested" => Class::Contested,
            "delimiter" => Class::Delimiter,
            "spoken" => Class::Spoken,
            other => panic!("{file}:{}: {other}", number + 1),
        };
        Entry {
            id: format!("{file}:{}", number + 1),
            lang: member("lang").unwrap(),
            row: member("row").unwrap(),
            class,
            lone: value["lone"] == true,
            strip: member("strip").or(member("mention")).unwrap_or_else(|| text.clone()),
            delimiter: member("delimiter"),
            visible: member("visible").unwrap_or_else(|| text.clone()),
            reasoning: blocks.join("\n"),
            text,
        }
    };
    text.lines().enumerate().map(entry).collect()
}

fn all() -> Vec<Entry> {
    let mut all = entries("mentions.jsonl");
    all.extend(entries("uses.jsonl"));
    all
}

/// What does not hold, all of it, with sums by what was tried.
#[derive(Default)]
struct Failures(BTreeMap<String, Vec<String>>);

impl Failures {
    fn add(&mut self, what: &str, entry: &Entry, said: String) {
        let said: String = said.chars().take(400).collect();
        let text: String = entry.text.chars().take(300).collect();
        let group = format!("{:?}, {what}", entry.class);
        self.0.entry(group).or_default().push(format!("{} ({}): {text:?}\n    {said}", entry.id, entry.row));
    }

    fn none(self) {
        if self.0.is_empty() {
            return;
        }
        let sums: String = self.0.iter().map(|(group, of)| format!("{group}: {}\n", of.len())).collect();
        let list: String = self
            .0
            .iter()
            .flat_map(|(group, of)| of.iter().take(most()).map(move |one| format!("{group}: {one}\n")))
            .collect();
        panic!("{list}\n{sums}");
    }
}

/// How many failures of a group are printed.
fn most() -> usize {
    std::env::var("UNTHINK_MOST").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

/// What a command left, and whether everything was understood.
fn stripped(input: &[u8]) -> (Vec<u8>, Option<String>) {
    match unthink::strip(input, &StripOptions::default()) {
        Ok(done) => (done.output, None),
        Err(Error::Incomplete(e)) => (e.partial.output, Some(e.refused[0].reason.clone())),
        Err(e) => panic!("{e}"),
    }
}

fn stripped_in_pieces(input: &[u8], piece: usize) -> (Vec<u8>, Option<String>) {
    let mut out = Vec::new();
    let reader = BufReader::with_capacity(piece, input);
    match unthink::strip_io(reader, &mut out, &StripOptions::default()) {
        Ok(_) => (out, None),
        Err(Error::Incomplete(e)) => (out, Some(e.refused[0].reason.clone())),
        Err(e) => panic!("{e}"),
    }
}

type Parts = Vec<(String, Option<String>)>;

fn parted(input: &[u8]) -> (Parts, bool) {
    let parts = |done: unthink::Split| done.messages.into_iter().map(|m| (m.visible, m.reasoning)).collect();
    match unthink::split(input, &SplitOptions::default()) {
        Ok(done) => (parts(done), true),
        Err(Error::Incomplete(e)) => (parts(e.partial), false),
        Err(e) => panic!("{e}"),
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn there_are_enough_of_them() {
    let (mentions, uses) = (entries("mentions.jsonl"), entries("uses.jsonl"));
    let spoken = mentions.iter().filter(|e| e.class == Class::Mention).count();
    assert!(spoken >= 200 && uses.len() >= 200, "{spoken} mentions, {} uses", uses.len());
    for of in [&mentions, &uses] {
        let languages: BTreeSet<&str> = of.iter().map(|e| e.lang.as_str()).collect();
        let rows: BTreeSet<&str> = of.iter().map(|e| e.row.as_str()).collect();
        assert!(languages.len() >= 10 && rows.len() >= 20, "{languages:?} {rows:?}");
    }
    assert!(mentions.iter().all(|e| e.class != Class::Delimiter) && uses.iter().all(|e| e.class == Class::Delimiter));
}

#[test]
fn in_raw_text() {
    let mut failures = Failures::default();
    for entry in all() {
        let (out, refused) = stripped(entry.text.as_bytes());
        let (parts, understood) = parted(entry.text.as_bytes());
        if matches!(entry.class, Class::Undecided | Class::Contested) {
            if refused.is_none() || !entry.may_pass(&lossy(&out)) {
                failures.add("strip", &entry, format!("is not refused: {:?}", lossy(&out)));
            }
            if understood || parts.iter().any(|(visible, _)| !entry.may_pass(visible)) {
                failures.add("split", &entry, format!("is not refused: {parts:?}"));
            }
            continue;
        }
        if refused.is_some() || lossy(&out) != entry.strip {
            let said = format!("wanted {:?}, got {:?} ({refused:?})", entry.strip, lossy(&out));
            failures.add("strip", &entry, said);
        }
        let reasoning = Some(entry.reasoning.clone()).filter(|text| !text.is_empty());
        let got: Vec<_> = parts.iter().map(|(v, r)| (v.clone(), r.clone().filter(|text| !text.is_empty()))).collect();
        if !understood || got != [(entry.visible.clone(), reasoning)] {
            let said = format!("wanted {:?} and {:?}, got {parts:?}", entry.visible, entry.reasoning);
            failures.add("split", &entry, said);
        }
    }
    failures.none();
}

/// Prose and files that speak of tags and do not quote them, in raw text and in messages: with status 0 they are what
/// they were. Which of them are mentions, the rules leave open.
#[test]
fn what_speaks_of_tags_is_never_altered() {
    let mut failures = Failures::default();
    for entry in entries("spoken.jsonl") {
        let whole = stripped(entry.text.as_bytes());
        if whole.1.is_none() && lossy(&whole.0) != entry.text {
            failures.add("strip", &entry, format!("got {:?}", lossy(&whole.0)));
        }
        for piece in [1, 3, 7] {
            if stripped_in_pieces(entry.text.as_bytes(), piece) != whole {
                failures.add("pieces", &entry, format!("of {piece}"));
            }
        }
        let (parts, understood) = parted(entry.text.as_bytes());
        if understood && parts != [(entry.text.clone(), None)] {
            failures.add("split", &entry, format!("got {parts:?}"));
        }
        for shape in &SHAPES {
            let input = (shape.write)(&entry.text);
            if let Err(said) = strips(shape, &entry, &input) {
                failures.add(&format!("strip, {}", shape.name), &entry, said);
            }
        }
    }
    failures.none();
}

#[test]
fn in_pieces() {
    let mut failures = Failures::default();
    for entry in all() {
        let whole = stripped(entry.text.as_bytes());
        for piece in [1, 2, 3, 7] {
            let got = stripped_in_pieces(entry.text.as_bytes(), piece);
            if got != whole {
                let said = format!("{:?} ({:?}), whole {:?} ({:?})", lossy(&got.0), got.1, lossy(&whole.0), whole.1);
                failures.add(&format!("pieces of {piece}"), &entry, said);
            }
        }
    }
    failures.none();
}

/// Reasoning in its own place, beside the text of ours.
const OWN: &str = "Is it the map or the wind?";

/// A message of a dialect that has a text of ours.
struct Shape {
    name: &'static str,
    /// Whether the dialect has its own place for reasoning. `None`: by this message alone it cannot be told.
    own_place: Option<bool>,
    /// Text has passed before it is known what comes. `None`: the shape does not say.
    live: Option<bool>,
    /// `split` gives one message for it.
    splits: bool,
    write: fn(&str) -> String,
    /// Where the text stands in the records of the output, put together.
    at: &'static [&'static str],
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn message(text: &str) -> Value {
    json!({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":text}],
        "stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":2}})
}

/// A text in deltas of a few characters.
fn deltas(text: &str, wrap: fn(Value) -> String) -> String {
    let chars: Vec<char> = text.chars().collect();
    let delta = |delta: Value, end: Value| {
        wrap(json!({"id":"c1","object":"chat.completion.chunk","model":"m",
            "choices":[{"index":0,"delta":delta,"finish_reason":end}]}))
    };
    let first = delta(json!({"role":"assistant","content":""}), Value::Null);
    let parts = chars.chunks(3).map(|part| delta(json!({"content":part.iter().collect::<String>()}), Value::Null));
    let last = delta(json!({}), json!("stop"));
    std::iter::once(first).chain(parts).chain([last]).collect()
}

fn event(value: Value) -> String {
    format!("data: {value}\n\n")
}

fn named(value: Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
}

fn anthropic_events(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut all = vec![
        json!({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m",
            "content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}),
        json!({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}),
    ];
    let delta = |part: &[char]| {
        json!({"type":"content_block_delta","index":0,
            "delta":{"type":"text_delta","text":part.iter().collect::<String>()}})
    };
    all.extend(chars.chunks(3).map(delta));
    all.push(json!({"type":"content_block_stop","index":0}));
    all.push(json!({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}));
    all.push(json!({"type":"message_stop"}));
    all.into_iter().map(named).collect()
}

const SHAPES: [Shape; 20] = [
    Shape {
        name: "chat message",
        own_place: Some(false),
        live: Some(false),
        splits: true,
        write: |text| line(&json!({"role":"assistant","content":text})),
        at: &["/content"],
    },
    Shape {
        name: "chat text part",
        own_place: None,
        live: Some(false),
        splits: true,
        write: |text| line(&json!({"role":"assistant","content":[{"type":"text","text":text}]})),
        at: &["/content/0/text"],
    },
    Shape {
        name: "chat conversation",
        own_place: Some(false),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"messages":[{"role":"user","content":"What is `<think>` for?"},
                {"role":"assistant","content":text}]}))
        },
        at: &["/messages/1/content"],
    },
    Shape {
        name: "chat response",
        own_place: Some(false),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"id":"c1","object":"chat.completion","model":"m","choices":[{"index":0,
                "message":{"role":"assistant","content":text},"finish_reason":"stop"}]}))
        },
        at: &["/choices/0/message/content"],
    },
    Shape {
        name: "chat response, pretty",
        own_place: Some(false),
        live: Some(false),
        splits: true,
        write: |text| {
            let value = json!({"object":"chat.completion","choices":[{"index":0,
                "message":{"role":"assistant","content":text}}]});
            serde_json::to_string_pretty(&value).unwrap() + "\n"
        },
        at: &["/choices/0/message/content"],
    },
    Shape {
        name: "chat deltas in events",
        own_place: Some(false),
        live: Some(true),
        splits: true,
        write: |text| deltas(text, event) + "data: [DONE]\n\n",
        at: &["/choices/0/delta/content"],
    },
    Shape {
        name: "chat deltas on lines",
        own_place: Some(false),
        live: None,
        splits: true,
        write: |text| deltas(text, |value| line(&value)),
        at: &["/choices/0/delta/content"],
    },
    Shape {
        name: "chat message with reasoning_content",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| line(&json!({"role":"assistant","reasoning_content":OWN,"content":text})),
        at: &["/content"],
    },
    Shape {
        name: "ShareGPT",
        own_place: Some(false),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"conversations":[{"from":"human","value":"What is `<think>` for?"},
                {"from":"gpt","value":text}]}))
        },
        at: &["/conversations/1/value"],
    },
    Shape {
        name: "Anthropic message",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| line(&message(text)),
        at: &["/content/0/text"],
    },
    Shape {
        name: "Anthropic events",
        own_place: Some(true),
        live: Some(true),
        splits: true,
        write: anthropic_events,
        at: &["/delta/text"],
    },
    Shape {
        name: "Responses",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"id":"resp_1","object":"response","status":"completed","output":[{"type":"message",
                "id":"msg_1","role":"assistant","status":"completed",
                "content":[{"type":"output_text","text":text,"annotations":[]}]}]}))
        },
        at: &["/output/0/content/0/text"],
    },
    Shape {
        name: "Claude Code line",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"type":"assistant","message":message(text),"uuid":"u1","sessionId":"s1","parentUuid":null,
                "timestamp":"2026-03-01T08:00:00.000Z"}))
        },
        at: &["/message/content/0/text"],
    },
    Shape {
        name: "ThinkingBlock message",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| line(&json!({"speaker":"ai","blocks":[{"type":"text","text":text}]})),
        at: &["/blocks/0/text"],
    },
    Shape {
        name: "LLXPRT session",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"v":1,"seq":3,"ts":"2026-02-11T16:00:02.000Z","type":"content","payload":{"content":
                {"speaker":"ai","blocks":[{"type":"text","text":text}]}}}))
        },
        at: &["/payload/content/blocks/0/text"],
    },
    Shape {
        name: "LLXPRT checkpoint",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!([{"role":"user","parts":[{"text":"What is `<think>` for?"}]},
                {"role":"model","parts":[{"text":text}]}]))
        },
        at: &["/1/parts/0/text"],
    },
    Shape {
        name: "LLXPRT log",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"timestamp":"2026-02-11T16:00:01.000Z","type":"response","provider":"p","response":
                {"speaker":"ai","blocks":[{"type":"text","text":text}]}}))
        },
        at: &["/response/blocks/0/text"],
    },
    Shape {
        name: "Gromozeka",
        own_place: Some(true),
        live: Some(false),
        splits: true,
        write: |text| {
            line(&json!({"id":"0198c2d0-0001","conversationId":"0198c2d0-conv-a","role":"ASSISTANT",
                "content":[{"type":"IntermediateMessage","structured":{"fullText":text}}],
                "createdAt":"2026-03-01T08:01:00Z"}))
        },
        at: &["/content/0/structured/fullText"],
    },
    Shape {
        name: "MEW",
        own_place: Some(true),
        live: Some(false),
        splits: false,
        write: |text| {
            line(&json!({"protocol":"mew/v0.4","id":"m1","ts":"2026-03-02T08:00:00Z","from":"miller","kind":"chat",
                "payload":{"text":text}}))
        },
        at: &["/payload/text"],
    },
    Shape {
        name: "MIA",
        own_place: Some(true),
        live: None,
        splits: false,
        write: |text| {
            line(&json!({"type":"analysis","text":OWN}))
                + &line(&json!({"type":"delta","text":text}))
                + &line(&json!({"type":"final","stats":{"reasoning_tokens":2,"final_tokens":2,
                    "reasoning_ratio":0.5,"drop_from_history":true},"reasoning_text":null,"final_text":text}))
        },
        at: &["/final_text"],
    },
];

impl Shape {
    /// The text of ours in an output.
    fn read(&self, out: &[u8]) -> String {
        let text = lossy(out);
        let lines = text.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
        let records: Vec<Value> = match serde_json::from_str(&text) {
            Ok(value) => vec![value],
            Err(_) => lines.filter_map(|line| serde_json::from_str(line).ok()).collect(),
        };
        let parts = records.iter().flat_map(|r| self.at.iter().filter_map(|at| r.pointer(at)?.as_str()));
        parts.collect()
    }

    /// What an entry must come to in a message of this shape.
    fn expects(&self, entry: &Entry) -> Expected {
        let unsure = |of: Option<bool>, sure: Expected| if of.is_some() { sure } else { Expected::Either };
        match entry.class {
            Class::Mention => Expected::Text,
            Class::Delimiter if !entry.lone => Expected::Text,
            Class::Delimiter if self.live == Some(true) || self.own_place == Some(true) => Expected::Refused,
            Class::Delimiter => unsure(self.own_place.and(self.live), Expected::Text),
            Class::Spoken => Expected::Either,
            Class::Contested => unsure(self.live, Expected::Refused),
            Class::Undecided if self.own_place == Some(true) => Expected::Text,
            Class::Undecided => unsure(self.own_place, Expected::Refused),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The text as `strip` leaves it, and status 0.
    Text,
    /// Status 3, and in a record nothing of it is written.
    Refused,
    /// One of the two.
    Either,
}

fn strips(shape: &Shape, entry: &Entry, input: &str) -> Result<(), String> {
    let (out, refused) = stripped(input.as_bytes());
    let got = shape.read(&out);
    // Where nothing is cut, every byte of the record is the same.
    let cuts = entry.strip != entry.text || input.contains(OWN);
    let kept = refused.is_none() && got == entry.strip && (cuts || lossy(&out) == input);
    let passed = shape.live != Some(false) || got.is_empty();
    let refuses = refused.is_some() && passed;
    let holds = match shape.expects(entry) {
        Expected::Text => kept,
        Expected::Refused => refuses,
        Expected::Either => kept || refuses,
    };
    if holds { Ok(()) } else { Err(format!("wanted {:?}, got {got:?} ({refused:?})", entry.strip)) }
}

fn splits(shape: &Shape, entry: &Entry, input: &str) -> Result<(), String> {
    let (parts, understood) = parted(input.as_bytes());
    // `split` of events has hindsight, too: it writes a message when it is whole.
    let late = shape.live == Some(true) && entry.lone;
    let holds = match shape.expects(entry) {
        Expected::Refused => !understood || late,
        Expected::Either => true,
        Expected::Text => {
            let visible: Vec<&str> =
                parts.iter().map(|(visible, _)| visible.trim()).filter(|v| !v.is_empty()).collect();
            let reasoning: Vec<&str> = parts.iter().filter_map(|(_, reasoning)| reasoning.as_deref()).collect();
            let want = if entry.class == Class::Undecided { &entry.strip } else { &entry.visible };
            let own = entry.class == Class::Undecided || input.contains(OWN);
            let same = own || reasoning.concat() == entry.reasoning;
            understood && visible == [want.trim()] && same
        }
    };
    if holds { Ok(()) } else { Err(format!("wanted {:?}, got {parts:?} (status 0: {understood})", entry.visible)) }
}

#[test]
fn in_messages_of_every_dialect() {
    let mut failures = Failures::default();
    let all = all();
    // A part of them is enough while the program is changed: `UNTHINK_MATRIX=N` runs every Nth.
    let stride = std::env::var("UNTHINK_MATRIX").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    for (n, shape) in SHAPES.iter().enumerate() {
        // What agents say to each other in a log is not searched for tags.
        let searched = all.iter().filter(|e| shape.splits || e.class != Class::Delimiter);
        for entry in searched.skip(n % stride).step_by(stride) {
            let input = (shape.write)(&entry.text);
            if let Err(said) = strips(shape, entry, &input) {
                failures.add(&format!("strip, {}", shape.name), entry, said);
            }
            if let Some(Err(said)) = shape.splits.then(|| splits(shape, entry, &input)) {
                failures.add(&format!("split, {}", shape.name), entry, said);
            }
        }
    }
    failures.none();
}

/// The codes that `check` has for an input.
fn codes(input: &[u8]) -> BTreeSet<&'static str> {
    let findings = match unthink::check(input, &CheckOptions::default()) {
        Ok(done) => done.findings,
        Err(Error::Incomplete(e)) => e.partial.findings,
        Err(e) => panic!("{e}"),
    };
    findings.into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn check_agrees() {
    let mut failures = Failures::default();
    let all = all();
    for entry in &all {
        let raw = codes(entry.text.as_bytes());
        let chat = codes(line(&json!({"role":"assistant","content":entry.text})).as_bytes());
        for (name, codes) in [("raw text", raw), ("chat", chat)] {
            let found = |code: &str| codes.contains(code);
            let said = match entry.class {
                // What its reader sees as a tag is a finding, however it is written (SPEC 8, UT103).
                Class::Mention if entry.text.contains("\\") || entry.text.contains("&lt;") => continue,
                Class::Mention if found("UT103") || found("UT107") || found("UT108") => "a finding",
                Class::Undecided | Class::Contested if !found("UT108") => "no UT108",
                Class::Delimiter if found("UT108") => "UT108",
                _ => continue,
            };
            failures.add(&format!("check, {name}"), entry, format!("{said}: {codes:?}"));
        }
        // A lone closer in a dialect that has its own place for reasoning is no opener's.
        let input = line(&message(&entry.text));
        if entry.lone && !codes(input.as_bytes()).contains("UT103") {
            failures.add("check, Anthropic", entry, "no UT103".into());
        }
    }
    failures.none();
}

fn command(args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("unthink").unwrap().args(args).write_stdin(input).output().unwrap();
    (output.status.code().unwrap(), lossy(&output.stdout), lossy(&output.stderr))
}

/// The option decides for the user, and the message about an undecided tag names it.
#[test]
fn the_option_decides() {
    let mut failures = Failures::default();
    let uncertain = |e: &Entry| matches!(e.class, Class::Undecided | Class::Contested);
    for entry in entries("mentions.jsonl").into_iter().filter(uncertain) {
        let (status, out, said) = command(&["strip"], &entry.text);
        if status != 3
            || !entry.may_pass(&out)
            || !said.contains("--inline delimiter")
            || !said.contains("--inline mention")
        {
            failures.add("ask", &entry, format!("status {status}: {out:?}\n{said}"));
        }
        let (status, out, said) = command(&["strip", "--inline", "mention"], &entry.text);
        if (status, &out) != (0, &entry.strip) {
            failures.add("--inline mention", &entry, format!("status {status}: {out:?}\n{said}"));
        }
        let Some(want) = &entry.delimiter else { continue };
        let (status, out, said) = command(&["strip", "--inline", "delimiter"], &entry.text);
        if (status, &out) != (0, want) {
            failures.add("--inline delimiter", &entry, format!("wanted {want:?}, status {status}: {out:?}\n{said}"));
        }
    }
    failures.none();
}

/// Files of a run: what they are, its status, and which entries they hold.
type Group = (&'static str, i32, fn(&Entry) -> bool);

/// `-i` leaves what is not understood, and never cuts a text before a lone closer unasked.
#[test]
fn in_place() {
    let mut failures = Failures::default();
    let folder = tempfile::tempdir().unwrap();
    let all = all();
    let groups: [Group; 4] = [
        ("mentions", 0, |e| e.class == Class::Mention),
        ("undecided", 3, |e| matches!(e.class, Class::Undecided | Class::Contested)),
        ("closers without an opener", 3, |e| e.lone),
        ("uses", 0, |e| e.class == Class::Delimiter && !e.lone),
    ];
    for (name, want, is) in groups {
        let entries: Vec<&Entry> = all.iter().filter(|e| is(e)).collect();
        let paths: Vec<_> = (0..entries.len()).map(|n| folder.path().join(format!("{n}.txt"))).collect();
        entries.iter().zip(&paths).for_each(|(entry, path)| std::fs::write(path, &entry.text).unwrap());
        let mut command = Command::cargo_bin("unthink").unwrap();
        let status = command.args(["strip", "-i"]).args(&paths).output().unwrap().status.code();
        for (entry, path) in entries.iter().zip(&paths) {
            let left = std::fs::read_to_string(path).unwrap();
            let kept = entry.lone || matches!(entry.class, Class::Undecided | Class::Contested);
            let expected = if kept { &entry.text } else { &entry.strip };
            if left != *expected {
                failures.add(&format!("-i, {name}"), entry, format!("the file has {left:?}"));
            }
        }
        if status != Some(want) {
            failures.add(&format!("-i, {name}"), entries[0], format!("status {status:?} of all of them"));
        }
    }
    failures.none();
}

/// Every file of a folder, at any depth.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// The sources, tests and documents of this project speak of tags on every page. None of them is altered with status 0;
/// what is undecided in them may be refused.
#[test]
fn files_of_this_project_are_not_altered() {
    let mut files: Vec<PathBuf> = ["README.md", "CHANGELOG.md"].iter().map(|name| root().join(name)).collect();
    for folder in ["src", "tests", "benches", "fuzz/src", "fuzz/fuzz_targets", "man"] {
        let folder = root().join(folder);
        if folder.is_dir() {
            walk(&folder, &mut files);
        }
    }
    if let Some(shared) = shared() {
        files.extend(files_in(&shared).into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")));
        files.extend(files_in(&shared.join("seeds")));
    }
    let (mut speak, mut refused, mut altered) = (0, 0, Vec::new());
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let tags = ["think>", "thinking>", "thought>", "reasoning>", "[THINK]", "<|channel", "◁think▷"];
        // The exact row has no mentions (SPEC 4, rule 2).
        if !tags.iter().any(|tag| text.contains(tag)) || text.contains("<REASONING>") {
            continue;
        }
        speak += 1;
        let (out, status) = stripped(text.as_bytes());
        if status.is_some() {
            refused += 1;
        } else if out != text.as_bytes() {
            let same = out.iter().zip(text.as_bytes()).take_while(|(a, b)| a == b).count();
            let line = text.as_bytes()[..same].iter().filter(|b| **b == b'\n').count() + 1;
            let missing = text.len() - out.len();
            altered.push(format!("{}:{line}: {missing} bytes of it are missing", path.display()));
        }
    }
    assert!(speak > 50, "only {speak} files speak of tags");
    assert!(altered.is_empty(), "{} of {speak}, {refused} are refused:\n{}", altered.len(), altered.join("\n"));
}
