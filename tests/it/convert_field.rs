//! `convert --field`: a string in a record of any shape, and the member beside it that has its reasoning.

use proptest::prelude::*;
use unthink::internals::convert::Emit;
use unthink::internals::dialect::{Columns, Conversion, Pass, ReadOptions, WriteOptions, find};
use unthink::internals::engine::{Engine, EngineOptions};
use unthink::internals::inline::Tags;
use unthink::internals::out::Sinks;
use unthink::internals::strip::{Splice, SpliceOptions};

/// What a conversion of `/x` made: its output, how much it lost, and why records were refused.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    out: String,
    losses: u64,
    refused: Vec<String>,
}

/// A conversion that reads pieces of that size.
fn run(input: &str, to: &str, column: Option<&str>, piece: usize) -> Made {
    let conversion = Conversion::new(find(to).unwrap(), &WriteOptions::default()).unwrap();
    let read = ReadOptions {
        pointers: vec!["/x".parse().unwrap()],
        columns: Columns { reasoning: column.map(String::from), prompt: None },
        to: Some(conversion.clone()),
        ..ReadOptions::default()
    };
    let output = Emit::new(
        Splice::new(SpliceOptions::default()),
        conversion.writer.clone(),
        conversion.edits_text(),
        Conversion::call_name,
    );
    let (tags, mut sinks) = (Tags::default(), Sinks::default());
    let options = EngineOptions { framing: None, read, max_record: 1 << 28, stop: false, pass: Pass::default() };
    let mut engine = Engine::new(&tags, options, output);
    input.as_bytes().chunks(piece.min(input.len().max(1))).for_each(|piece| engine.push(piece, &mut sinks));
    engine.finish(&mut sinks);
    // A tag that is text for certain may still be told.
    let refused = engine.problems().into_iter().filter(|problem| problem.skipped).map(|problem| problem.what).collect();
    let losses = engine.output().losses().values().sum();
    Made { out: String::from_utf8(sinks.out).unwrap(), losses, refused }
}

/// A record with that text, and with a member behind it.
fn record(text: &str, beside: &str) -> String {
    format!("{{\"id\":1.50, \"x\":{}{beside},\"n\":[\"x\",1]}}", serde_json::Value::from(text))
}

/// Records in every framing that has them.
fn framed(records: &[String]) -> Vec<String> {
    let events: Vec<String> = records.iter().map(|record| format!("event: row\ndata: {record}\n\n")).collect();
    let crlf: Vec<String> = records.iter().map(|record| format!("{record}\r\n")).collect();
    vec![records.join("\n"), crlf.concat(), format!("[\n {}\n]\n", records.join(" ,\n ")), events.concat()]
}

/// Texts of models, with the reasoning and the answer of each if its reasoning stands in front.
const TEXTS: [(&str, Option<(&str, &str)>); 9] = [
    ("<think>Low pressure.</think>Rain by noon.", Some(("Low pressure.", "Rain by noon."))),
    (
        "<think>\nLow \"pressure\".\n</think>\n\nRain\t\u{e9}\u{1f327}",
        Some(("\nLow \"pressure\".\n", "\n\nRain\t\u{e9}\u{1f327}")),
    ),
    ("<think></think>Rain.", Some(("", "Rain."))),
    ("<think>All of it.</think>", Some(("All of it.", ""))),
    ("Rain by noon.", None),
    ("", None),
    ("Say `<think>` to open it.", None),
    ("Rain. <think>Hm.</think>\nNo.\n<think>So.</think>Sun.", None),
    ("<think>Never closed", None),
];

#[test]
fn a_column_and_back_is_the_identity() {
    for (to, column) in [("reasoning-content", "reasoning_content"), ("reasoning", "why \"so\"")] {
        for (text, parts) in TEXTS {
            let split = |(reasoning, visible): (&str, &str)| {
                let member = |text: &str| serde_json::Value::from(text).to_string();
                record(visible, &format!(",{}:{}", member(column), member(reasoning)))
            };
            let (whole, apart) = (record(text, ""), parts.map(split));
            let others = [record("Sun.", ""), whole.clone()];
            for input in framed(&others) {
                let there = run(&input, to, Some(column), usize::MAX);
                assert_eq!(there.refused, Vec::<String>::new(), "{input}");
                if let Some(apart) = &apart {
                    assert_eq!(there.out, input.replace(&whole, apart), "{to}");
                    assert_eq!(there.losses, 0, "{to}: {input}");
                    let back = run(&there.out, "tagged", Some(column), usize::MAX);
                    assert_eq!((back.out.as_str(), back.losses), (input.as_str(), 0), "{to} and back");
                } else if !text.contains("<think>Hm") && !text.contains("Never") {
                    assert_eq!(there.out, input, "{to}: there is no reasoning");
                } else {
                    // The other direction is the identity: what a column holds comes back.
                    let inline = run(&there.out, "tagged", Some(column), usize::MAX);
                    let again = run(&inline.out, to, Some(column), usize::MAX);
                    assert_eq!((&again.out, again.losses), (&there.out, 0), "{to}, tagged and back");
                }
            }
        }
    }
}

#[test]
fn harmony_and_back_is_the_identity() {
    for (text, parts) in TEXTS {
        // An empty thought between headers is no message.
        if parts.is_none_or(|(reasoning, visible)| reasoning.is_empty() || visible.is_empty()) {
            continue;
        }
        for input in framed(&[record(text, "")]) {
            let there = run(&input, "harmony", None, usize::MAX);
            assert!(there.out.contains("<|channel|>analysis") && !there.out.contains("<think>"), "{}", there.out);
            let back = run(&there.out, "tagged", None, usize::MAX);
            assert_eq!((back.out, back.refused), (input, vec![]));
        }
    }
}

#[test]
fn how_the_input_arrives_does_not_matter() {
    let records: Vec<String> = TEXTS.iter().map(|(text, _)| record(text, "")).collect();
    for input in framed(&records) {
        for (to, column) in
            [("reasoning", None), ("reasoning-content", Some("why")), ("harmony", None), ("tagged", None)]
        {
            let whole = run(&input, to, column, usize::MAX);
            for piece in [1, 2, 3, 7, 64] {
                assert_eq!(run(&input, to, column, piece), whole, "{to}, pieces of {piece}");
            }
        }
    }
}

proptest! {
    /// Any text: what is written as a column is all of the text but its delimiters, and nothing else of the record
    /// changes; a record is refused whole.
    #[test]
    fn nothing_else_changes(text in "(<think>|</think>|[a\n\"` .\u{e9}]){0,12}") {
        let input = record(&text, "");
        let made = run(&input, "reasoning", None, usize::MAX);
        if !made.refused.is_empty() {
            prop_assert_eq!(made.out, "");
            return Ok(());
        }
        let value: serde_json::Value = serde_json::from_str(&made.out).unwrap();
        let visible = value["x"].as_str().unwrap();
        let beside = match value.get("reasoning") {
            Some(reasoning) => format!(",\"reasoning\":{reasoning}"),
            None => String::new(),
        };
        prop_assert_eq!(&made.out, &record(visible, &beside));
        let letters = |text: &str| {
            let mut all: Vec<char> = text.replace("<think>", "").replace("</think>", "").chars().collect();
            all.retain(|c| !c.is_whitespace());
            all.sort_unstable();
            all
        };
        let reasoning = value.get("reasoning").and_then(|reasoning| reasoning.as_str()).unwrap_or_default();
        prop_assert_eq!(letters(&format!("{visible}{reasoning}")), letters(&text));
    }
}
