//! Command tests in the user's language: `testdata/cases/<verb>/*.case`, and
//! `testdata/<format>/cases/*.case`.
//!
//! A case is a command line behind `$ `, its input, a line `---`, its output, and a line `=> STATUS`, behind which may
//! stand what stderr must hold. In input and output `\r` at the end of a line stands for a CR, a line `\` with nothing
//! else for the absence of the line end before it.

use crate::support::*;
use assert_cmd::Command;
use std::path::{Path, PathBuf};

struct Case {
    command: Vec<String>,
    stdin: String,
    stdout: String,
    status: i32,
    stderr: String,
}

fn unescape(lines: &[&str]) -> String {
    let text: String = lines.iter().map(|line| format!("{}\n", line.replace("\\r", "\r"))).collect();
    match text.strip_suffix("\n\\\n") {
        Some(text) => text.to_string(),
        None => text,
    }
}

/// Words as a shell would see them, single quotes and nothing else.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut some) = (false, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                some = true;
            }
            ' ' if !quoted => {
                if some {
                    words.push(String::new());
                }
                some = false;
            }
            c => {
                words.last_mut().unwrap().push(c);
                some = true;
            }
        }
    }
    words
}

fn parse(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cases = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !lines[at].starts_with("$ ") {
            assert!(lines[at].is_empty() || lines[at].starts_with('#'), "a case begins with a command: {}", lines[at]);
            at += 1;
            continue;
        }
        let find = |what: &str| at + 1 + lines[at + 1..].iter().position(|l| l.starts_with(what)).unwrap();
        let (middle, end) = (find("---"), find("=> "));
        let (status, stderr) = lines[end][3..].split_once(' ').unwrap_or((&lines[end][3..], ""));
        cases.push(Case {
            command: words(&lines[at][2..]),
            stdin: unescape(&lines[at + 1..middle]),
            stdout: unescape(&lines[middle + 1..end]),
            status: status.parse().unwrap(),
            stderr: stderr.to_string(),
        });
        at = end + 1;
    }
    cases
}

fn run(folder: &str) {
    run_in(&root().join("testdata/cases").join(folder));
}

/// Whether a case is one of those that `UNTHINK_CASE` names by a part of their path or of their command.
fn is_chosen(path: &Path, case: &Case) -> bool {
    let chosen = std::env::var("UNTHINK_CASE").unwrap_or_default();
    let path = path.strip_prefix(root()).unwrap().display().to_string();
    path.contains(&chosen) || case.command.join(" ").contains(&chosen)
}

/// Runs the cases in this folder.
fn run_in(folder: &Path) {
    for path in files_in(folder) {
        for case in parse(&std::fs::read_to_string(&path).unwrap()) {
            assert_eq!(case.command[0], "unthink");
            if !is_chosen(&path, &case) {
                continue;
            }
            let mut command = Command::cargo_bin("unthink").unwrap();
            command.current_dir(root()).args(&case.command[1..]).write_stdin(case.stdin.clone());
            let output = command.output().unwrap();
            let name = format!("{}: {}\n{}", path.display(), case.command.join(" "), case.stdin);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(String::from_utf8_lossy(&output.stdout), case.stdout, "{name}\n{stderr}");
            assert_eq!(output.status.code(), Some(case.status), "{name}\n{stderr}");
            assert!(stderr.contains(&case.stderr), "{name}\n{stderr}");
            assert!(case.status != 0 || !case.stderr.is_empty() || stderr.is_empty(), "{name}\n{stderr}");
        }
    }
}

/// Those of a format stand with its other test data: each part of its rows is needed by one of them
/// (`dialect/formats/mutations.rs`).
#[test]
fn cases_of_formats() {
    let folders = std::fs::read_dir(root().join("testdata")).unwrap().map(|entry| entry.unwrap().path().join("cases"));
    folders.filter(|folder| folder.is_dir() && !folder.ends_with("cases/cases")).for_each(|folder| run_in(&folder));
}

/// A name of no case runs nothing, and must not look as if it had passed.
#[test]
fn a_chosen_case_exists() {
    let folders = |of: &str| -> Vec<PathBuf> {
        std::fs::read_dir(root().join(of)).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let of_formats = folders("testdata").into_iter().map(|folder| folder.join("cases"));
    let all = of_formats.filter(|folder| !folder.ends_with("cases/cases")).chain(folders("testdata/cases"));
    let chosen = |path: PathBuf| {
        let cases = parse(&std::fs::read_to_string(&path).unwrap());
        cases.iter().any(|case| is_chosen(&path, case))
    };
    let mut files = all.filter(|folder| folder.is_dir()).flat_map(|folder| files_in(&folder));
    assert!(files.any(chosen), "UNTHINK_CASE: no case has this text in its path or its command");
}

#[test]
fn plain() {
    run("plain");
}

#[test]
fn tokens_cases() {
    run("tokens");
}

#[test]
fn show_cases() {
    run("show");
}

#[test]
fn strip_cases() {
    run("strip");
}

#[test]
fn split_cases() {
    run("split");
}

#[test]
fn check_cases() {
    run("check");
}

#[test]
fn accept_cases() {
    run("accept");
}

#[test]
fn convert_cases() {
    run("convert");
}
