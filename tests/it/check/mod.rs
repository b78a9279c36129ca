//! `unthink check` by the command: rules, reports, statuses, baselines and files.

mod baseline;
mod files;
mod reports;
mod rules;
mod statuses;
#[cfg(unix)]
mod workflow;

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A conversation with an answer that begins like its reasoning.
const LEAK: &str = "{\"messages\":[{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET step one: fetch the balance.\",\
                    \"content\":\"S3CRET step one: fetch the balance. PUBL1C\"}]}\n";
/// Another one.
const OTHER: &str = "{\"messages\":[{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET step two: compare the deltas.\",\
                     \"content\":\"PUBL1C S3CRET step two: compare the deltas.\"}]}\n";
const CLEAN: &str = "{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET\",\"content\":\"PUBL1C\"}\n";
const CUT: &str = "{\"role\":\"assistant\",\"content\":\"PUBL\n";
/// The rule that finds one thing in each leak.
const PREFIX: &str = "UT101";

/// `unthink check` without the user's colours.
fn check() -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.arg("check").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// The same with the rule for leaks only, in a folder.
fn leaks(dir: &Path) -> Command {
    let mut command = check();
    command.current_dir(dir).args(["--select", PREFIX]);
    command
}

/// The findings that a command prints.
fn found(command: &mut Command) -> Vec<Value> {
    let output = command.args(["-o", "jsonl"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The files that a command found something in.
fn hit(command: &mut Command) -> Vec<String> {
    found(command).iter().map(|finding| finding["file"].as_str().unwrap().to_string()).collect()
}

/// Files with a leak each, at these paths.
fn plant(dir: &Path, paths: &[&str]) {
    for path in paths {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, LEAK).unwrap();
    }
}
