//! The laws of the postprocessing event stream: pieces do not matter, deltas make the text, time is linear.

use crate::postproc::texts;
use crate::support::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use unthink::internals::frame::Framing;
use unthink::internals::postproc;
use unthink::internals::postproc::PostprocOptions;
use unthink::internals::split::{EventsOptions, Wire};

fn options(process: bool) -> EventsOptions {
    let process = process.then_some(postproc::Process { max_tokens: 7, n: 2, window: 16, collapse: true });
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
        // A message that turns out to be undecided has no end; what it began with was sent.
        prop_assert!(open.is_empty() || ran.counts.refused > 0);
    }

    #[test]
    fn untouched_it_is_what_split_says(text in pieces(false)) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let ran = events(text.as_bytes(), setup, options(false));
        let all = parsed(&ran);
        let split = messages(text.as_bytes(), setup);
        if let (Some(event), [(visible, reasoning)]) = (all.last(), split.as_slice()) {
            prop_assert_eq!(event["final_text"].as_str().unwrap().trim(), visible.trim());
            let thoughts = event["reasoning_text"].as_str().unwrap_or_default();
            prop_assert_eq!(thoughts.trim(), reasoning.as_deref().unwrap_or_default().trim());
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
        let output = |size: usize| {
            let input: String = chars.chunks(size).map(line).collect();
            let setup = Setup { framing: Some(Framing::Jsonl), ..Setup::default() };
            events(input.as_bytes(), setup, options(true))
        };
        let (cut, whole) = (output(cut), output(usize::MAX));
        prop_assert_eq!(cut.counts.refused > 0, whole.counts.refused > 0);
        // Of a message that is undecided, what stood in earlier records was sent.
        if whole.counts.refused == 0 {
            prop_assert_eq!(cut.text(), whole.text());
        }
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
        options.postproc.process = Some(postproc::Process { max_tokens, n, window, collapse: true });
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
            (ran.counts.refused > 0, parsed(&ran).into_iter().map(unplaced).collect::<Vec<_>>())
        };
        for key in ["content", "reasoning_content"] {
            let ((refused, cut), (whole_refused, whole)) = (deltas(key, &cuts), deltas(key, &[0, text.len()]));
            prop_assert_eq!(refused, whole_refused, "{}", key);
            // Of a message that is undecided, what stood in earlier records was sent.
            if !refused {
                prop_assert_eq!(cut, whole, "{}", key);
            }
        }
    }
}

/// With nothing done to them, the events of a message come to what `split` says of it.
#[test]
fn untouched_files_are_what_split_says() {
    for (name, bytes) in corpus().into_iter().filter(|(_, bytes)| !several_speak(bytes)) {
        let ran = events(&bytes, Setup::default(), options(false));
        let all = parsed(&ran);
        let finals: Vec<&Value> = all.iter().filter(|event| event["type"] == "final").collect();
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
        let finals = finals.iter().map(|event| (text(&event["final_text"]), text(&event["reasoning_text"]))).collect();
        let split = messages(&bytes, Setup::default());
        let split =
            split.iter().map(|(v, r)| (v.trim().to_string(), r.as_deref().unwrap_or_default().trim().to_string()));
        assert_eq!(sorted(finals), sorted(split.collect()), "{name}");
    }
}

#[test]
fn linear() {
    let distinct: String = (0..700_000).map(|i| format!("w{i} ")).collect();
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
    for (name, text) in families {
        for inside in [false, true] {
            for piece in [usize::MAX, 1000] {
                let input = |n: usize| if inside { format!("<think>{}", text(n)) } else { text(n) };
                let process = postproc::Process { max_tokens: u64::MAX, n: 3, window: 128, collapse: true };
                let mut options = options(true);
                options.postproc.process = Some(process);
                let work = |input: &[u8]| {
                    let setup = Setup { framing: Some(Framing::Text), piece, ..Setup::default() };
                    events(input, setup, options.clone());
                };
                is_linear(&format!("{name} in pieces of {piece}"), 50_000, &|n| input(n).into_bytes(), &work);
            }
        }
    }
}

#[test]
fn hard_files_and_samples() {
    let Some(shared) = shared() else { return };
    let mut count = 0;
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
            count += 1;
        }
    }
    assert!(count > 80, "only {count} files");
}
