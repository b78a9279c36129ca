//! Rows from files: what is listed can be read, and means the same.

use crate::support::{files_in, root};
use assert_cmd::Command;
use proptest::prelude::*;
use serde_json::{Value, json};
use unthink::internals::dialect::{Pass, ReadOptions};
use unthink::internals::engine::{Engine, EngineOptions};
use unthink::internals::frame::Framing;
use unthink::internals::inline::{Row, TAGS, Tags};
use unthink::internals::out::Sinks;
use unthink::internals::split::{Report, ReportOptions};

fn unthink() -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.current_dir(root());
    command
}

fn listed() -> String {
    let output = unthink().args(["list", "tags", "-o", "json"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn split(args: &[&str], text: &str) -> String {
    let output = unthink().arg("split").args(["--framing", "text"]).args(args).write_stdin(text).output().unwrap();
    assert!(output.status.success(), "{args:?} {text}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_is_listed_is_read_again() {
    let rows = unthink::internals::tagfile::read(&listed()).unwrap();
    assert_eq!(rows, TAGS);
}

/// Every row of the table that is in force by itself, as a file of its own and with all the others.
#[test]
fn a_row_from_a_file_is_the_row_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let all = write("all.json", &listed());
    let array: Vec<Value> = serde_json::from_str(&listed()).unwrap();
    for (i, row) in TAGS.iter().enumerate().filter(|(_, row)| row.default) {
        let one = write(&format!("{i}.json"), &array[i].to_string());
        for (text, _) in row.examples.iter() {
            let want = split(&[], text);
            assert_eq!(split(&["--tags", &one], text), want, "row {}: {text}", row.name);
            assert_eq!(split(&["--tags", &all], text), want, "row {} of all: {text}", row.name);
            let named = split(&["--tag", &row.name], text);
            assert_eq!(split(&["--tags", &one, "--tag", &row.name], text), named, "row {} by name: {text}", row.name);
        }
    }
}

#[test]
fn rows_of_files_are_listed_first() {
    let output = unthink().args(["list", "tags", "-o", "json", "--tags", "testdata/tags/rows.json"]).output().unwrap();
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["musing", "{{aside}},{{/aside}}", "think"]);
    assert_eq!(rows.len(), TAGS.len() + 2, "a row of the table gives way to one with its name");
}

#[test]
fn at_most_so_many_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.json");
    let rows: Vec<String> =
        (0..128).map(|n| format!("{{\"name\":\"r{n}\",\"open\":\"[r{n}]\",\"close\":\"[/r{n}]\"}}")).collect();
    std::fs::write(&path, format!("[{}]", rows.join(","))).unwrap();
    let run = unthink().arg("--tags").arg(&path).write_stdin("a").assert().code(2);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("rows would be in force, 128 can be; --tag names some"), "{stderr}");
    unthink()
        .arg("--tags")
        .arg(&path)
        .args(["--tag", "r63"])
        .write_stdin("[r63]r[/r63]a")
        .assert()
        .success()
        .stdout("a");
}

fn read_with(tags: &Tags, framing: Framing, input: &str, piece: usize) -> String {
    run_with(tags, framing, input, piece).0
}

/// How many records, or parts of a raw text, may be reasoning in no format that is read.
fn suspects(tags: &Tags, framing: Framing, input: &str) -> u64 {
    run_with(tags, framing, input, usize::MAX).1
}

fn run_with(tags: &Tags, framing: Framing, input: &str, piece: usize) -> (String, u64) {
    let read = ReadOptions::default();
    let options =
        EngineOptions { framing: Some(framing), read, max_record: 1 << 20, stop: false, pass: Pass::default() };
    let show =
        ReportOptions { visible: true, reasoning: true, verbatim: true, join: "|".into(), ..ReportOptions::default() };
    let mut engine = Engine::new(tags, options, Report::new(show));
    let mut sinks = Sinks::default();
    input.as_bytes().chunks(piece).for_each(|chunk| engine.push(chunk, &mut sinks));
    engine.finish(&mut sinks);
    (String::from_utf8(sinks.out).unwrap(), engine.counts().suspect)
}

/// The rows with the table behind them, as they are in force.
fn in_force(rows: &[Row]) -> Tags {
    let table = TAGS.iter().filter(|r| r.default && rows.iter().all(|o| o.name != r.name));
    Tags::new(rows.iter().chain(table).cloned().collect())
}

/// However the text comes: the rows of a file hold across any cut.
#[test]
fn pieces_give_the_same() {
    for path in files_in(&root().join("testdata/tags")) {
        let rows = unthink::internals::tagfile::read(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let (tags, open, close) = (in_force(&rows), &rows[0].open, &rows[0].close);
        for text in [
            format!("{open}S3CRET{close}PUBL1C"),
            format!("{open}\nS3CRET {open} x{close}\n{close}\n\nPUBL1C {open}S3CRET{close}"),
            format!("a {open}S3CRET"),
        ] {
            let whole = read_with(&tags, Framing::Text, &text, usize::MAX);
            assert_eq!(read_with(&tags, Framing::Text, &text, 1), whole, "{}: {text}", path.display());
        }
    }
}

/// What ends a call may be the beginning of what begins one, and comes first in pieces.
#[test]
fn a_delimiter_that_begins_another() {
    let row = json!({"open": "<a>", "close": "</a>", "word": true, "markers": [["思", ""]], "tools": [["</a", "</"]]});
    let rows = unthink::internals::tagfile::read(&Value::Array(vec![row]).to_string()).unwrap();
    // The first is refused, since its tag may be a mention.
    for (text, messages) in [("</a>思<a></a>", ""), ("</a><</a>", "{\"visible\":\"</a><</a>\"}\n")] {
        for piece in (1..text.len()).chain([usize::MAX]) {
            assert_eq!(
                read_with(&in_force(&rows), Framing::Text, text, piece),
                messages,
                "{text} in pieces of {piece}"
            );
        }
    }
}

/// A text of few characters, so that delimiters are often near each other, or within each other.
fn few(most: usize) -> impl Strategy<Value = String> {
    let pieces =
        prop::sample::select(vec!["a", "b", "<", "/", ">", "[", "]", "|", "`", "\n", " ", "é", "思", "\"", "\\"]);
    prop::collection::vec(pieces, 0..most).prop_map(|p| p.concat())
}

fn delimiter() -> impl Strategy<Value = String> {
    let first = prop::sample::select(vec!["a", "<", "[", "|", "é", "思", "<a", "</"]);
    (first, few(4)).prop_map(|(first, rest)| format!("{first}{rest}"))
}

fn row() -> impl Strategy<Value = Value> {
    let texts = || prop::collection::vec(delimiter(), 0..3);
    let pairs = || prop::collection::vec((delimiter(), prop::sample::select(vec!["", "b]", "</"])), 0..3);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), prop::sample::select(vec!["one", "all"]));
    let unclosed = prop::sample::select(vec!["visible", "reasoning"]);
    let word = prop::option::of(prop::sample::select(vec!["a", "b", "ab", "think"]));
    (delimiter(), delimiter(), texts(), texts(), texts(), pairs(), pairs(), flags, unclosed, word).prop_map(
        |(open, close, opens, closes, labels, markers, tools, (loose, phrase, strict, missing, blocks), unclosed, word)| {
            match word {
                Some(name) => json!({
                    "open": format!("<{name}>"), "close": format!("</{name}>"), "word": true, "suffix": loose, "markers": markers,
                    "tools": tools, "missing_open": missing, "blocks": blocks, "unclosed": unclosed,
                }),
                None => json!({
                    "open": open, "close": close, "opens": opens, "closes": closes, "labels": labels,
                    "framing": ["\n", "", "\n"], "loose": loose, "phrase": phrase, "strict": strict, "missing_open": missing,
                    "markers": markers, "tools": tools, "blocks": blocks, "unclosed": unclosed,
                }),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Whatever row is let in: nothing falls over, and the result depends neither on the cut nor on the spelling.
    #[test]
    fn any_row_reads_any_text_the_same(rows in prop::collection::vec(row(), 1..3), parts in prop::collection::vec((few(3), 0usize..4), 0..6)) {
        let Ok(rows) = unthink::internals::tagfile::read(&Value::Array(rows).to_string()) else { return Ok(()) };
        let pick = |n: usize| {
            let row = &rows[n % rows.len()];
            if n < 2 { row.open.clone() } else { row.close.clone() }
        };
        let text: String = parts.iter().map(|(text, n)| format!("{text}{}", pick(*n))).collect();
        for tags in [Tags::new(rows.clone()), in_force(&rows)] {
            let whole = read_with(&tags, Framing::Text, &text, usize::MAX);
            for piece in [1, 2, 3] {
                prop_assert_eq!(&read_with(&tags, Framing::Text, &text, piece), &whole, "{:?} in pieces of {}", text, piece);
            }
            if text.trim().is_empty() {
                continue;
            }
            let record = |text: &str| format!("{{\"role\":\"assistant\",\"content\":{text}}}\n");
            let plain = record(&Value::String(text.clone()).to_string());
            let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            let escaped = record(&format!("\"{escaped}\""));
            let want = read_with(&tags, Framing::Jsonl, &plain, usize::MAX);
            prop_assert_eq!(&read_with(&tags, Framing::Jsonl, &escaped, usize::MAX), &want, "{}", plain);
            let same = |want: &str| want.split_once("\"visible\"").map(|(_, rest)| rest.to_string());
            // What may be JSON is searched as such, and in a raw text tags as a terminal wraps them: that may be refused, but
            // what is read is read alike.
            let searched = text.contains(['"', '\n']);
            if !searched || suspects(&tags, Framing::Text, &text) + suspects(&tags, Framing::Jsonl, &plain) == 0 {
                prop_assert_eq!(same(&want), same(&whole), "{}", plain);
            }
        }
    }
}
