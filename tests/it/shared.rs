//! The suites over the data of others, which lies beside the checkout.

use crate::support::*;
use std::path::Path;
use std::time::{Duration, Instant};
use unthink::internals::frame::{FrameKind, FrameStep, Framer, Framing, sse};

struct Hard {
    file: String,
    kind: String,
    expect: String,
    marker: bool,
    bytes: Vec<u8>,
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn hard() -> Vec<Hard> {
    let Some(shared) = shared() else { return Vec::new() };
    let folder = shared.join("hard");
    let index = json(&folder.join("INDEX.json"));
    let index = index.as_array().or(index["files"].as_array()).unwrap();
    let text = |v: &serde_json::Value| v.as_str().unwrap().to_string();
    index
        .iter()
        .map(|entry| Hard {
            file: text(&entry["file"]),
            kind: text(&entry["kind"]),
            expect: text(&entry["expect"]),
            marker: entry["marker"].as_bool().unwrap_or(true),
            bytes: std::fs::read(folder.join(text(&entry["file"]))).unwrap(),
        })
        .collect()
}

#[test]
fn hard_files_pass_untouched_under_none() {
    for h in hard() {
        for framing in [None, Some(Framing::Jsonl), Some(Framing::Json), Some(Framing::Sse), Some(Framing::Text)] {
            let ran = strip(&h.bytes, Setup { framing, ..policy("none") });
            assert!(ran.out == h.bytes, "{} as {framing:?}", h.file);
        }
    }
}

#[test]
fn hard_json_is_accepted_or_refused_and_never_leaks() {
    for h in hard() {
        let framing = match h.kind.as_str() {
            "jsonl" => Framing::Jsonl,
            "json" => Framing::Json,
            _ => continue,
        };
        let setup = Setup { framing: Some(framing), ..Setup::default() };
        let start = Instant::now();
        let ran = strip(&h.bytes, setup);
        assert!(start.elapsed() < Duration::from_secs(10), "{} takes too long", h.file);
        match h.expect.as_str() {
            "accept" => assert!(ran.problems.is_empty(), "{}: {:?}", h.file, ran.problems),
            "reject" => assert!(!ran.problems.is_empty(), "{} is not refused", h.file),
            _ => (),
        }
        if h.marker {
            assert!(!ran.text().contains("R3AS0N"), "{} leaks", h.file);
        }
        for line in ran.text().lines() {
            let value = serde_json::from_str::<serde_json::Value>(line).unwrap_or_default();
            assert!(!h.marker || !value.to_string().contains("R3AS0N"), "{} leaks behind escapes", h.file);
        }
        assert!(ran.problems.iter().all(|p| !p.what.contains("R3AS0N") && p.offset <= h.bytes.len() as u64));
        assert_eq!(strip(&ran.out, setup).out, ran.out, "{} again", h.file);
        if h.bytes.len() < 50_000 {
            assert_eq!(strip(&h.bytes, Setup { piece: 1, ..setup }), ran, "{} byte by byte", h.file);
        }
    }
}

#[test]
fn hard_text_keeps_what_is_visible() {
    for h in hard().into_iter().filter(|h| h.kind == "raw" && h.expect == "accept") {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let ran = strip(&h.bytes, setup);
        assert!(ran.problems.is_empty(), "{}: {:?}", h.file, ran.problems);
        let count = |bytes: &[u8]| String::from_utf8_lossy(bytes).matches("V1S").count();
        assert_eq!(count(&ran.out), count(&h.bytes), "{}: {}", h.file, ran.text());
        // Harmony is a dialect of its own, which is not read yet.
        if h.marker && !h.file.contains("harmony") {
            assert!(!ran.text().contains("R3AS0N"), "{} leaks", h.file);
        }
    }
}

/// The events, comments and retry of a stream, through the framer, in pieces.
fn events(bytes: &[u8], piece: usize) -> (Vec<sse::SseEvent>, sse::Client) {
    let (mut framer, mut client) = (Framer::new(Framing::Sse, true), sse::Client::default());
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let (mut from, mut to, mut out) = (0, 0, Vec::new());
    loop {
        match framer.step(&bytes[from..to], to == bytes.len()) {
            FrameStep::End => return (out, client),
            FrameStep::Need => to = bytes.len().min(to + piece),
            FrameStep::Frame(frame) => {
                let block = &bytes[from..from + frame.len];
                match frame.kind {
                    FrameKind::Record | FrameKind::Lines | FrameKind::Glue => out.extend(client.block(block)),
                    _ => (),
                }
                from += frame.len;
                to = to.max(from);
            }
        }
    }
}

#[test]
fn event_streams_are_framed_as_the_standard_says() {
    let Some(shared) = shared() else { return };
    let mut count = 0;
    for path in files_in(&shared.join("hard/sse")).into_iter().filter(|p| p.extension().is_some_and(|e| e == "sse")) {
        let expected = json(&path.with_extension("expected.json"));
        let want: Vec<(String, String, String)> = expected["events"]
            .as_array()
            .unwrap()
            .iter()
            .map(|e| {
                (
                    e["event"].as_str().unwrap().into(),
                    e["data"].as_str().unwrap().into(),
                    e["id"].as_str().unwrap().into(),
                )
            })
            .collect();
        let bytes = std::fs::read(&path).unwrap();
        for piece in [usize::MAX / 2, 1, 2, 3] {
            let (got, client) = events(&bytes, piece);
            let got: Vec<_> = got.into_iter().map(|e| (e.name, e.data, e.id)).collect();
            assert_eq!(got, want, "{} in pieces of {piece}", path.display());
            assert_eq!(client.retry, expected["retry"].as_u64(), "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 50, "only {count} streams");
}

/// Samples whose visible text differs from the plain text of the wire, and why.
const DIFFERENCES: [(&str, &str); 2] = [
    (
        "openai-chat-inline-think-01.json",
        "a block was cut from the text, so its ends are trimmed (SPEC section 4, rule 5)",
    ),
    (
        "openai-chat-inline-think-02.json",
        "a block was cut from the text, so its ends are trimmed (SPEC section 4, rule 5)",
    ),
];

#[test]
fn chat_samples_split_as_expected() {
    let Some(shared) = shared() else { return };
    let index = json(&shared.join("samples/INDEX.json"));
    let chat = index.as_array().unwrap().iter().filter(|e| e["format"].as_str().unwrap().starts_with("openai-chat"));
    let mut count = 0;
    for entry in chat {
        let file = entry["file"].as_str().unwrap();
        let bytes = std::fs::read(shared.join("samples").join(file)).unwrap();
        let found = messages(&bytes, Setup::default());
        // The expected text is that of the wire, so parts are put together without anything between them.
        let visible: String = found.iter().map(|m| m.0.as_str()).collect();
        let reasoning: String = found.iter().filter_map(|m| m.1.as_deref()).collect();
        let want = |key: &str| entry[key].as_str().unwrap_or_default().to_string();
        let trimmed = DIFFERENCES.iter().any(|(name, _)| *name == file);
        if trimmed {
            assert_eq!(visible, want("expected_content").trim(), "{file}: visible text");
            assert_eq!(reasoning, want("expected_reasoning").trim(), "{file}: reasoning");
            assert_ne!(visible, want("expected_content"), "{file} is no difference any more");
        } else {
            assert_eq!(visible, want("expected_content"), "{file}: visible text");
            assert_eq!(reasoning, want("expected_reasoning"), "{file}: reasoning");
        }
        count += 1;
    }
    assert!(count > 20, "only {count} samples");
}
