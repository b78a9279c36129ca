//! Options that people type because other programs have them.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"It rains.\",\"content\":\"Take an umbrella.\"}\n";

fn place() -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("session.jsonl"), LINE).unwrap();
    fs::write(dir.path().join("damaged.jsonl"), format!("{LINE}{{\"role\": \n")).unwrap();
    dir
}

fn unthink(dir: &TempDir, typed: &str) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.current_dir(dir.path()).args(typed.split(' ')).env_remove("CLICOLOR_FORCE");
    command
}

fn objects(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {text}"))).collect()
}

#[test]
fn show_without_reasoning() {
    let dir = place();
    for option in ["--no-reasoning", "--hide-reasoning"] {
        for form in ["", " --html"] {
            let run = unthink(&dir, &format!("show {option}{form} session.jsonl")).assert().success();
            run.stdout(contains("umbrella").and(contains("It rains.").not()));
        }
    }
}

#[test]
fn a_page_by_its_name() {
    for (typed, file, begins) in [
        ("show --html=page.html session.jsonl", "page.html", "<!DOCTYPE html>"),
        ("show --html -O page.html session.jsonl", "page.html", "<!DOCTYPE html>"),
        ("show -O page.html session.jsonl", "page.html", "<!DOCTYPE html>"),
        ("show -O charts.svg session.jsonl", "charts.svg", "<svg"),
        ("show --svg -O charts session.jsonl", "charts", "<svg"),
    ] {
        let dir = place();
        unthink(&dir, typed).assert().success().stdout(is_empty());
        let page = fs::read_to_string(dir.path().join(file)).unwrap();
        assert!(page.to_lowercase().starts_with(&begins.to_lowercase()), "{typed}: {page}");
    }
    let dir = place();
    unthink(&dir, "show --html session.jsonl").assert().success().stdout(contains("<html"));
    unthink(&dir, "show --html=a.html -O b.html session.jsonl").assert().code(2).stderr(contains("two outputs"));
}

#[test]
fn more_than_once() {
    let dir = place();
    for typed in ["-qq session.jsonl", "-vv session.jsonl", "strip -q -q session.jsonl", "-v strip -v session.jsonl"] {
        unthink(&dir, typed).assert().success();
    }
}

#[test]
fn numbers_as_json() {
    let dir = place();
    let out = unthink(&dir, "strip --stats=json session.jsonl damaged.jsonl").output().unwrap();
    let text = String::from_utf8(out.stderr).unwrap();
    let stats: Vec<Value> =
        text.lines().filter(|line| line.starts_with('{')).map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(stats.len(), 3, "{text}");
    assert_eq!(
        (&stats[0]["file"], &stats[0]["state"], &stats[0]["blocks_removed"]),
        (&"session.jsonl".into(), &"changed".into(), &1.into())
    );
    assert_eq!(
        (&stats[1]["state"], &stats[1]["damaged"], &stats[1]["records"]),
        (&"left".into(), &1.into(), &2.into())
    );
    assert_eq!((&stats[2]["files"], &stats[2]["changed"], &stats[2]["left"]), (&2.into(), &1.into(), &1.into()));
    unthink(&dir, "strip --stats session.jsonl").assert().success().stderr(contains("1 of 1 blocks removed"));
}

#[test]
fn messages_as_json() {
    let dir = place();
    for typed in [
        "--error-format json damaged.jsonl",
        "split --error-format=json damaged.jsonl",
        "check --error-format json damaged.jsonl -q",
    ] {
        let out = unthink(&dir, typed).output().unwrap();
        let all = objects(&out.stderr);
        let told = |key: &str| all.iter().any(|message| message.get(key).is_some());
        assert!(all.iter().all(|message| message["severity"].is_string() && message["message"].is_string()), "{all:?}");
        assert!(typed.contains("check") || (told("record") && told("offset") && told("file")), "{typed}: {all:?}");
    }
    let out = unthink(&dir, "strip --polcy --error-format json session.jsonl").output().unwrap();
    assert_eq!(objects(&out.stderr)[0]["message"], "strip has no option --polcy; did you mean --policy?");
}
