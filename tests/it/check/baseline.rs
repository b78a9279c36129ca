//! Findings that are known.

use super::*;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use tempfile::TempDir;

/// Writes a baseline of everything in a folder.
fn accept(dir: &Path) -> String {
    let run = leaks(dir).args(["--write-baseline", "base.json", "."]).assert().code(0);
    run.stderr(contains("written"));
    fs::read_to_string(dir.join("base.json")).unwrap()
}

fn new(dir: &Path, files: &[&str]) -> Vec<String> {
    hit(leaks(dir).args(["--baseline", "base.json"]).args(files))
}

#[test]
fn what_is_known_is_left_out() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.jsonl", "b.jsonl"]);
    let text = accept(dir.path());
    assert_eq!(accept(dir.path()), text, "the order is stable");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["findings"].as_array().unwrap().len(), 2);
    assert!(!text.contains("S3CRET") && !text.contains("PUBL1C"), "{text}");
    let run = leaks(dir.path()).args(["--baseline", "base.json", "-o", "json", "."]).assert().code(0);
    let value: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(value["summary"]["suppressed"], 2, "{value}");
}

#[test]
fn lines_may_move() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.jsonl"]);
    accept(dir.path());
    fs::write(dir.path().join("a.jsonl"), format!("{CLEAN}\n{CLEAN}{LEAK}")).unwrap();
    assert!(new(dir.path(), &["."]).is_empty());
    // What is new is found beside it, and so is the same leak once more.
    fs::write(dir.path().join("a.jsonl"), format!("{OTHER}{LEAK}")).unwrap();
    assert_eq!(new(dir.path(), &["."]).len(), 1);
    fs::write(dir.path().join("a.jsonl"), LEAK.repeat(2)).unwrap();
    assert_eq!(new(dir.path(), &["."]).len(), 1);
}

/// A file may be renamed. A copy is new, whichever files are read.
#[test]
fn files_may_move() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["b.jsonl"]);
    accept(dir.path());
    plant(dir.path(), &["a.jsonl"]);
    assert_eq!(new(dir.path(), &["."]), ["a.jsonl"]);
    assert_eq!(new(dir.path(), &["a.jsonl"]), ["a.jsonl"]);
    let absolute = dir.path().join("b.jsonl");
    assert!(new(dir.path(), &[absolute.to_str().unwrap()]).is_empty(), "the same file under another name");
    fs::remove_file(dir.path().join("b.jsonl")).unwrap();
    assert!(new(dir.path(), &["."]).is_empty());
    plant(dir.path(), &["c.jsonl"]);
    assert_eq!(new(dir.path(), &["."]), ["c.jsonl"]);
}

/// A baseline means the same wherever the program is started, and however a file is named.
#[test]
fn a_baseline_can_be_used_from_anywhere() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["logs/a.jsonl", "ci/b.jsonl"]);
    let absolute = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    let (base, root) = (absolute("ci/base.json"), absolute(""));
    for (from, args) in [
        ("", &["--write-baseline", "ci/base.json", "."][..]),
        ("logs", &["--write-baseline", "../ci/base.json", "a.jsonl", "../ci/b.jsonl"]),
        ("ci", &["--write-baseline", "./base.json", "../"]),
        ("", &["--write-baseline", &base, &root]),
    ] {
        leaks(&dir.path().join(from)).args(args).assert().code(0);
        let text = fs::read_to_string(&base).unwrap();
        assert!(text.contains("\"file\":\"../logs/a.jsonl\"") && text.contains("\"file\":\"b.jsonl\""), "{text}");
        // The files are where they were, so that a copy is new.
        plant(dir.path(), &["copy.jsonl"]);
        for (from, baseline, args) in [
            ("", "ci/base.json", &["."][..]),
            ("", "./ci/base.json", &["./logs", "ci", "./copy.jsonl"]),
            ("logs", "../ci/base.json", &["./a.jsonl", "../copy.jsonl", "../ci"]),
            ("ci", "base.json", &["..", "b.jsonl"]),
            ("/", &base, &[&root]),
        ] {
            let hits = hit(leaks(&dir.path().join(from)).args(["--baseline", baseline]).args(args));
            assert!(matches!(hits.as_slice(), [one] if one.ends_with("copy.jsonl")), "{from} {args:?}: {hits:?}");
        }
        fs::remove_file(dir.path().join("copy.jsonl")).unwrap();
    }
}

/// What has no place keeps its name.
#[test]
fn stdin_is_known() {
    let dir = TempDir::new().unwrap();
    leaks(dir.path()).args(["--write-baseline", "base.json"]).write_stdin(LEAK).assert().code(0);
    leaks(dir.path()).args(["--baseline", "base.json"]).write_stdin(LEAK).assert().code(0);
    leaks(dir.path()).args(["--baseline", "base.json"]).write_stdin(LEAK.repeat(2)).assert().code(1);
}

/// All findings are written, known or not, and however many a report shows.
#[test]
fn a_baseline_is_whole() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.jsonl"), LEAK.repeat(5)).unwrap();
    accept(dir.path());
    let args = ["--baseline", "base.json", "--write-baseline", "new.json", "--max-findings", "1", "."];
    leaks(dir.path()).args(args).assert().code(0).stdout(contains("S3CRET").not());
    let text = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(text("base.json"), text("new.json"));
    assert_eq!(text("new.json").matches("\"fingerprint\"").count(), 5);
}

/// What could not be understood is no finding that one could know, if no rule about it is in force.
#[test]
fn a_baseline_hides_no_other_status() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.jsonl"), format!("{CUT}{LEAK}")).unwrap();
    leaks(dir.path()).args(["--write-baseline", "base.json", "a.jsonl"]).assert().code(3);
    leaks(dir.path()).args(["--baseline", "base.json", "a.jsonl"]).assert().code(3);
}

/// What was not understood is a finding, too: if the baseline has it, or a rule that is ignored, the status is 0.
#[test]
fn what_was_not_understood_can_be_accepted() {
    let dir = TempDir::new().unwrap();
    let suspect = "{\"draft\":{\"thinking\":\"S3CRET step one, then two.\"}}\n";
    fs::write(dir.path().join("a.jsonl"), format!("{CLEAN}{suspect}{CUT}")).unwrap();
    let run = |args: &[&str]| {
        let mut command = check();
        command.current_dir(dir.path()).args(args).arg("a.jsonl").assert()
    };
    run(&[]).code(1).stdout(contains("UT107").and(contains("UT302")));
    run(&["--ignore", "UT107"]).code(3).stderr(contains("a.jsonl:3:").and(contains("thinking").not()));
    run(&["--ignore", "UT3", "--fail-on", "warning"]).code(1);
    run(&["--ignore", "UT107,UT3"]).code(0).stdout("").stderr("");
    // A rule that was not selected is not ignored.
    run(&["--select", "UT1", "--ignore", "UT107"]).code(3);
    run(&["--write-baseline", "base.json"]).code(0).stderr("unthink: note: base.json: 2 findings written\n");
    run(&["--baseline", "base.json"]).code(0).stdout("").stderr("");
    run(&["--baseline", "base.json", "-o", "junit"]).code(0).stdout(contains("every record is read").not());
    // What is new is not accepted.
    fs::write(dir.path().join("a.jsonl"), format!("{suspect}{suspect}{CUT}")).unwrap();
    let again = run(&["--baseline", "base.json"]).code(1).stdout(contains("UT107").count(1));
    again.stderr(contains("a.jsonl:2: /draft/thinking").and(contains("a.jsonl:1:").not()));
}

#[test]
fn what_is_no_baseline_is_refused() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.jsonl"]);
    for text in [
        "",
        "{",
        "[]",
        "{\"findings\":1,\"version\":1}",
        "{\"findings\":[]}",
        "{\"version\":2,\"findings\":[]}",
        "{\"version\":1,\"findings\":[{\"file\":\"a\"}]}",
        "{\"version\":1,\"findings\":[7]}",
    ] {
        fs::write(dir.path().join("base.json"), text).unwrap();
        let run = leaks(dir.path()).args(["--baseline", "base.json", "a.jsonl"]).assert().code(2).stdout(is_empty());
        run.stderr(contains("unthink: error: base.json: "));
    }
    leaks(dir.path()).args(["--baseline", "none.json", "a.jsonl"]).assert().code(4).stderr(contains("none.json"));
    let run = leaks(dir.path()).args(["--write-baseline", "none/base.json", "a.jsonl"]).assert().code(4);
    run.stdout(is_empty()).stderr(contains("No such file"));
}
