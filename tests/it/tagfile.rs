//! Rows from files: what is listed can be read, and means the same.

use crate::support::root;
use assert_cmd::Command;
use serde_json::Value;
use unthink::inline::TAGS;

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
    let rows = unthink::tagfile::read(&listed()).unwrap();
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
        (0..64).map(|n| format!("{{\"name\":\"r{n}\",\"open\":\"[r{n}]\",\"close\":\"[/r{n}]\"}}")).collect();
    std::fs::write(&path, format!("[{}]", rows.join(","))).unwrap();
    let run = unthink().arg("--tags").arg(&path).write_stdin("a").assert().code(2);
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("rows would be in force, 64 can be; --tag names some"), "{stderr}");
    unthink().arg("--tags").arg(&path).args(["--tag", "r63"]).write_stdin("[r63]r[/r63]a").assert().success().stdout("a");
}

/// However the text comes: the rows of a file hold across any cut.
#[test]
fn pieces_give_the_same() {
    use unthink::engine::{Engine, EngineOptions};
    use unthink::out::{Report, Show, Sinks};
    for file in [
        "rows.json",
        "think-template.json",
        "tokenizer_config.json",
        "channels-template.json",
        "messages-template.json",
    ] {
        let rows =
            unthink::tagfile::read(&std::fs::read_to_string(root().join("testdata/tags").join(file)).unwrap()).unwrap();
        let row = rows[0].clone();
        let table = TAGS.iter().filter(|r| r.default && rows.iter().all(|o| o.name != r.name));
        let tags = unthink::inline::Tags::new(rows.iter().chain(table).cloned().collect());
        let (open, close) = (&row.open, &row.close);
        for text in [
            format!("{open}S3CRET{close}PUBL1C"),
            format!("{open}\nS3CRET {open} x{close}\n{close}\n\nPUBL1C {open}S3CRET{close}"),
            format!("a {open}S3CRET"),
        ] {
            let run = |piece: usize| {
                let read = unthink::dialect::ReadOptions {
                    dialects: unthink::dialect::DIALECTS.iter().collect(),
                    inline: unthink::inline::Options::default(),
                    live: false,
                    wants: unthink::model::Wants::default(),
                    templates: true,
                    pointers: Vec::new(),
                    to: None,
                };
                let framing = Some(unthink::frame::Framing::Text);
                let options = EngineOptions { framing, read, max_record: 1 << 20, stop: false };
                let show = Show { visible: true, reasoning: true, join: "|".into(), ..Show::default() };
                let mut engine = Engine::new(&tags, options, Report::new(show));
                let mut sinks = Sinks::default();
                text.as_bytes().chunks(piece).for_each(|chunk| engine.push(chunk, &mut sinks));
                engine.finish(&mut sinks);
                String::from_utf8(sinks.out).unwrap()
            };
            assert_eq!(run(1), run(usize::MAX), "{file}: {text}");
        }
    }
}
