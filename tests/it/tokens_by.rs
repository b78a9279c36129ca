//! `tokens` by groups: what a message says of its origin, over all files of a run, sorted, and as a table.

use crate::support::*;
use assert_cmd::Command;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use tempfile::TempDir;

fn tokens(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.args(["tokens", "--utc"]).args(args).current_dir(root()).env_remove("TZ");
    command
}

/// What a run writes.
fn out(mut command: Command) -> String {
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// The first columns of a run over the sample sessions.
fn sessions(args: &[&str]) -> Vec<String> {
    let out = out(tokens(&[args, &["-q", "-o", "csv", "testdata/tokens/sessions"]].concat()));
    out.lines().skip(1).map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect()
}

const CLAUDE: &str = r#"{"type":"assistant","uuid":"u","timestamp":"2026-03-02T23:59:59Z","sessionId":"s","cwd":"/p","message":{"id":"m","role":"assistant","model":"opus","content":[{"type":"text","text":"Rain."}]}}"#;
const META: &str = r#"{"timestamp":"2026-03-02T08:00:00Z","type":"session_meta","payload":{"id":"s","cwd":"/p"}}"#;
const TURN: &str = r#"{"timestamp":"2026-03-02T08:00:00Z","type":"turn_context","payload":{"cwd":"/q","model":"gpt"}}"#;
const ITEM: &str = r#"{"timestamp":"2026-03-03T08:00:00Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Rain."}]}}"#;

/// Model, day, session and project of the messages of each format.
#[test]
fn formats_say_where_messages_come_from() {
    for (records, want) in [
        (&[CLAUDE][..], "opus,2026-03-02,s,/p"),
        (&[META, TURN, ITEM], "gpt,2026-03-03,s,/q"),
        (&[META, ITEM], ",2026-03-03,s,/p"),
        (
            &[
                r#"{"id":"c","model":"m","created":1772438400,"choices":[{"index":0,"message":{"role":"assistant","content":"Rain."},"finish_reason":"stop"}]}"#,
            ],
            "m,2026-03-02,,",
        ),
        (&[r#"{"model":"m","messages":[{"role":"assistant","content":"Rain."}]}"#], "m,,,"),
        (&[r#"{"role":"assistant","content":"Rain.","timestamp":"2026-03-02T08:00:00Z"}"#], ",2026-03-02,,"),
        (&[r#"{"messages":[{"role":"assistant","content":"Rain.","timestamp":1772438400000}]}"#], ",2026-03-02,,"),
        (
            &[
                r#"{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Rain."}]}"#,
            ],
            "m,,,",
        ),
        (
            &[
                r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[]}}"#,
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Rain."}}"#,
                r#"{"type":"message_stop"}"#,
            ],
            "m,,,",
        ),
        (
            &[
                r#"{"object":"response","id":"r","model":"m","created_at":1772438400,"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Rain."}]}]}"#,
            ],
            "m,2026-03-02,,",
        ),
        (
            &[
                r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"Rain."}]},"finishReason":"STOP"}],"modelVersion":"m","createTime":"2026-03-02T08:00:00Z"}"#,
            ],
            "m,2026-03-02,,",
        ),
        (
            &[
                r#"{"model":"m","created_at":"2026-03-02T08:00:00.123Z","message":{"role":"assistant","content":"Rain."},"done":true}"#,
            ],
            "m,2026-03-02,,",
        ),
        (
            &[
                r#"{"protocol":"mew/v0.4","id":"q","ts":"2026-03-02T08:00:00Z","from":"user","kind":"chat","payload":{"text":"Rain?"}}"#,
            ],
            ",2026-03-02,,",
        ),
        (
            &[
                r#"{"id":"1","conversationId":"s","role":"USER","content":[{"type":"Message","text":"Rain?"}],"createdAt":"2026-03-02T08:00:00Z"}"#,
            ],
            ",2026-03-02,s,",
        ),
        (&[r#"{"model":"m","conversations":[{"from":"human","value":"Rain?"}]}"#], "m,,,"),
        (
            &[
                r#"{"v":1,"seq":1,"ts":"2026-03-01T08:00:00Z","type":"session_start","payload":{"sessionId":"s","model":"m"}}"#,
                r#"{"v":1,"seq":2,"ts":"2026-03-02T08:00:00Z","type":"content","payload":{"content":{"speaker":"ai","blocks":[{"type":"text","text":"Rain."}]}}}"#,
            ],
            "m,2026-03-02,s,",
        ),
        (&[r#"{"role":"assistant","content":"Rain."}"#], ",,,"),
    ] {
        let mut command = tokens(&["-q", "--by", "model,day", "--by", "session,project", "-o", "csv"]);
        command.write_stdin(records.join("\n"));
        let out = out(command);
        let rows: Vec<&str> = out.lines().skip(1).collect();
        assert!(rows.len() == 1 && rows[0].starts_with(&format!("{want},")), "{records:?}\n{out}");
    }
}

#[test]
fn groups_are_those_of_all_files() {
    for (by, want) in [
        ("model", &["claude-haiku-4-5,1,8,8", "claude-opus-4-5,1,28,6", "gpt-5-codex,2,7,6"][..]),
        ("day", &["2026-03-02,2,28,6", "2026-03-03,4,15,14"]),
        ("project", &["/home/ada/tides,2,7,6", "/home/ada/weather,4,36,14"]),
    ] {
        let got = sessions(&["--by", by]);
        let got: Vec<&str> = got.iter().map(String::as_str).filter(|row| !row.starts_with(',')).collect();
        assert_eq!(got, want, "{by}");
    }
    assert_eq!(
        sessions(&["--by", "day,model"]),
        [
            "2026-03-02,,1,0",
            "2026-03-02,claude-opus-4-5,1,28",
            "2026-03-03,,1,0",
            "2026-03-03,claude-haiku-4-5,1,8",
            "2026-03-03,gpt-5-codex,2,7",
        ]
    );
    assert_eq!(
        sessions(&["--by", "folder,file"]).iter().map(|row| row.rsplit_once(',').unwrap().0).collect::<Vec<_>>(),
        [
            "testdata/tokens/sessions,testdata/tokens/sessions/rollout.jsonl,2",
            "testdata/tokens/sessions/weather,testdata/tokens/sessions/weather/monday.jsonl,2",
            "testdata/tokens/sessions/weather,testdata/tokens/sessions/weather/tuesday.jsonl,2",
        ]
    );
}

/// A session that is resumed begins with copies of earlier lines.
#[test]
fn what_stands_in_several_files_counts_once() {
    let weather = ["testdata/tokens/sessions/weather/monday.jsonl", "testdata/tokens/sessions/weather/tuesday.jsonl"];
    for by in ["record", "message", "block", "model", "file"] {
        let command = |files: &[&str]| tokens(&[&["--by", by, "--only-total", "-o", "jsonl"], files].concat());
        let total = |files: &[&str]| serde_json::from_str::<Value>(&out(command(files))).unwrap();
        let (both, last) = (total(&weather), total(&weather[1..]));
        for count in ["messages", "reasoning_tokens", "final_tokens", "other_tokens"] {
            assert_eq!(both[count], last[count], "--by {by}: {count}");
        }
        assert_eq!((both["repeated"].as_u64(), last["repeated"].as_u64()), (Some(2), None));
        command(&weather).assert().stderr(contains("2 messages stand in an earlier file too, and are counted once"));
        command(&weather[..1]).assert().stderr(is_empty());
        // A file of nothing but copies has messages.
        let mut twice = command(&[weather[0], weather[0]]);
        assert_eq!(twice.assert().get_output().stderr.iter().filter(|b| **b == b'\n').count(), 1);
    }
}

#[test]
fn days_are_local_or_those_of_utc() {
    for (zone, utc, want) in
        [("JST-9", false, "2026-03-03"), ("JST-9", true, "2026-03-02"), ("EST5", false, "2026-03-02")]
    {
        let mut command = Command::cargo_bin("unthink").unwrap();
        command.args(["tokens", "--by", "day"]).args(utc.then_some("--utc")).env("TZ", zone).write_stdin(CLAUDE);
        command.assert().success().stdout(contains(format!("\"day\":\"{want}\"")));
    }
}

#[test]
fn messages_say_their_model_and_their_time() {
    let row = |args: &[&str]| {
        let mut command = tokens(args);
        command.write_stdin(CLAUDE);
        out(command)
    };
    assert!(row(&["--by", "message"]).contains(r#""role":"assistant","model":"opus","time":"2026-03-02T23:59:59Z","#));
    assert!(row(&["--by", "block"]).contains(r#""model":"opus","time":"2026-03-02T23:59:59Z","block":1,"#));
    assert!(row(&["--by", "message", "-o", "csv"]).contains("\n1,1,assistant,opus,2026-03-02T23:59:59Z,0,2,"));
    assert!(row(&["--by", "message", "-o", "table"]).contains(" assistant opus  2026-03-02T23:59:59Z "));
}

#[test]
fn rows_are_sorted() {
    for (args, want) in [
        ("--sort reasoning", "claude-opus-4-5 claude-haiku-4-5 gpt-5-codex -"),
        ("--sort reasoning_tokens --reverse", "- gpt-5-codex claude-haiku-4-5 claude-opus-4-5"),
        ("--sort model", "claude-haiku-4-5 claude-opus-4-5 gpt-5-codex -"),
        ("--sort model --reverse", "gpt-5-codex claude-opus-4-5 claude-haiku-4-5 -"),
        ("--sort ratio", "claude-opus-4-5 gpt-5-codex claude-haiku-4-5 -"),
    ] {
        let args: Vec<&str> = ["--by", "model"].into_iter().chain(args.split(' ')).collect();
        let rows = sessions(&args);
        let names: Vec<&str> = rows.iter().map(|row| row.split(',').next().unwrap()).collect();
        let names: Vec<&str> = names.into_iter().map(|name| if name.is_empty() { "-" } else { name }).collect();
        assert_eq!(names.join(" "), want, "{args:?}");
    }
    let records = sessions(&["--sort", "reasoning"]);
    assert!(records[0].starts_with("testdata/tokens/sessions/weather/monday.jsonl,2,28,"), "{records:?}");
}

#[test]
fn wrong_options_say_what_there_is() {
    for (args, said) in [
        (&["--by", "modle"][..], "model"),
        (&["--by", "message,model"], "--by message: it goes with no other; groups of messages do, such as model,day"),
        (&["--by", "model", "--sort", "resoning"], "; did you mean reasoning?"),
        (&["--by", "day", "--sort", "model"], "; there are day, messages, reasoning,"),
        (&["--reverse"], "--sort"),
        (&["--method", "gpt2"], "--method gpt2: no such method, and no such file"),
    ] {
        tokens(args).write_stdin("").assert().code(2).stderr(contains(said));
    }
    // The columns are those of the rows.
    tokens(&["--sort", "record"]).write_stdin(CLAUDE).assert().success();
}

#[test]
fn a_total_without_rows() {
    let total =
        |format: &str| out(tokens(&["-q", "--by", "model", "--only-total", "-o", format, "testdata/tokens/sessions"]));
    assert!(total("jsonl").starts_with("{\"total\":true,\"messages\":6,\"repeated\":2,\"reasoning_tokens\":43,"));
    assert!(total("json").starts_with("{\"method\":\"chars4\",\"total\":{\"total\":true,"));
    assert_eq!(total("csv").lines().nth(1).unwrap().split(',').take(3).collect::<Vec<_>>(), ["total", "6", "43"]);
    assert_eq!(total("table").lines().count(), 2);
    assert!(total("prometheus").contains("reasoning_tokens{method=\"chars4\"} 43"));
}

/// Every column of a table begins or ends where its heading does, whatever the names are.
#[test]
fn tables_align() {
    let dir = TempDir::new().unwrap();
    for name in [
        "a.jsonl",
        "天気予報.jsonl",
        "naïve \u{1b}[31m.jsonl",
        "a name that is as long as names of files can be in a folder.jsonl",
    ] {
        fs::write(dir.path().join(name), format!("{CLAUDE}\n")).unwrap();
    }
    let mut command = tokens(&["-q", "--by", "file", "-o", "table", "--total", "."]);
    command.current_dir(dir.path());
    let table = out(command);
    let end = |line: &str| unicode_width::UnicodeWidthStr::width(&line[..line.rfind(' ').unwrap()]);
    let mut lines = table.lines();
    let heading = lines.next().unwrap();
    assert!(heading.starts_with("file ") && heading.ends_with(" effective"), "{table}");
    let width = unicode_width::UnicodeWidthStr::width(heading);
    for line in lines {
        assert_eq!(unicode_width::UnicodeWidthStr::width(line), width, "{table}");
        assert!(end(line) < width && !line.contains('\u{1b}'), "{table}");
    }
}

/// One law: rows by anything add up to the total, which is that of the records and that of the other verbs.
#[test]
fn groups_add_up() {
    let keys = ["reasoning_tokens", "final_tokens", "other_tokens", "raw", "effective", "sealed_blocks"];
    let sum = |rows: &str| {
        let mut sums = BTreeMap::new();
        for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
            for key in keys {
                *sums.entry(key).or_insert(0) += row[key].as_u64().unwrap_or(0);
            }
        }
        sums
    };
    for (name, input) in corpus() {
        let run = |by: &str| {
            let mut command = Command::cargo_bin("unthink").unwrap();
            command.args(["tokens", "-q", "--by", by]).write_stdin(input.clone());
            String::from_utf8(command.output().unwrap().stdout).unwrap()
        };
        let want = sum(&run("record"));
        for by in ["message", "file,folder", "model,day", "session,project,agent,context"] {
            assert_eq!(sum(&run(by)), want, "{name} --by {by}");
        }
    }
}

#[test]
fn the_library_has_the_same_rows() {
    use unthink::{By, TokensOptions};
    let rows = |by| unthink::tokens(CLAUDE.as_bytes(), &TokensOptions::default().by(by)).unwrap().rows;
    let day = |row: &unthink::TokenRow| row.day.clone();
    assert_eq!(rows(By::Day).iter().map(day).collect::<Vec<_>>(), [Some("2026-03-02".to_string())]);
    for by in [By::Model, By::Message] {
        let [row] = &rows(by)[..] else { panic!("one row") };
        assert_eq!((row.model.as_deref(), row.counts.visible), (Some("opus"), 2), "{by:?}");
    }
    assert_eq!(rows(By::Message)[0].time.as_deref(), Some("2026-03-02T23:59:59Z"));
    assert_eq!(rows(By::Session)[0].session.as_deref(), Some("s"));
    assert_eq!(rows(By::Project)[0].project.as_deref(), Some("/p"));
}
