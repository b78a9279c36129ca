//! What the status says, and which one wins.

use super::*;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::io::Write;
use std::process::{Command as Process, Stdio};
use tempfile::TempDir;

#[test]
fn the_status_says_what_was_found() {
    let dir = TempDir::new().unwrap();
    let run = |input: &str| leaks(dir.path()).arg("-q").write_stdin(input).assert();
    run("").code(0).stderr("");
    run(CLEAN).code(0).stderr("");
    run(LEAK).code(1).stderr("");
    run(CUT).code(3).stderr(contains("not checked"));
}

/// 4 wins over 1, and 1 over 3.
#[test]
fn what_matters_more_wins() {
    let dir = TempDir::new().unwrap();
    let both = format!("{CUT}{LEAK}");
    leaks(dir.path())
        .write_stdin(both.as_str())
        .assert()
        .code(1)
        .stderr(contains("unthink: 1 of 2 records not processed"));
    leaks(dir.path())
        .args(["-", "missing"])
        .write_stdin(both.as_str())
        .assert()
        .code(4)
        .stderr(contains("No such file"));
    leaks(dir.path()).args(["missing", "-"]).write_stdin(LEAK).assert().code(4).stdout(contains(PREFIX));
    leaks(dir.path()).arg("--nonsense").write_stdin(LEAK).assert().code(2).stdout(is_empty());
}

/// `--exit-zero` is about findings.
#[test]
fn exit_zero_hides_no_other_status() {
    let dir = TempDir::new().unwrap();
    let run = || {
        let mut command = leaks(dir.path());
        command.arg("--exit-zero");
        command
    };
    run().write_stdin(LEAK).assert().code(0).stdout(contains(PREFIX));
    run().write_stdin(format!("{CUT}{LEAK}")).assert().code(3).stdout(contains(PREFIX));
    run().args(["missing", "-"]).write_stdin(LEAK).assert().code(4).stdout(contains(PREFIX));
}

/// What matters less than `--fail-on` is reported, and makes no status.
#[test]
fn fail_on_says_what_makes_the_status() {
    let warning = unthink::internals::check::RULES.iter().find(|rule| {
        let warns = rule.severity == unthink::internals::check::Severity::Warning && !rule.matches.is_empty();
        warns && rule.needs.is_none() && rule.search.of_errors().is_empty()
    });
    let warning = warning.expect("a rule that warns");
    let run =
        |more: &[&str]| check().args(["--select", warning.code]).args(more).write_stdin(warning.matches[0]).assert();
    run(&[]).code(0).stdout(contains(warning.code));
    run(&["--fail-on", "error"]).code(0);
    run(&["--fail-on", "warning"]).code(1).stdout(contains(warning.code));
}

/// A tag in the middle of a sentence is a warning, but what is not understood is never status 0 unless it is accepted. In a
/// format with its own place for reasoning it is understood: it is text.
#[test]
fn an_undecided_tag_is_not_understood() {
    let dir = TempDir::new().unwrap();
    let text = r#"{"role":"assistant","content":"Use <think> to open, and </think> to close."}"#;
    let run = |more: &[&str], input: &str| check().current_dir(dir.path()).args(more).write_stdin(input).assert();
    run(&[], text).code(3).stdout(contains("UT108").count(2)).stderr(contains("1 of 1 records not processed"));
    run(&["--ignore", "UT108"], text).code(0).stdout("").stderr("");
    run(&["--write-baseline", "known"], text).code(0);
    run(&["--baseline", "known"], text).code(0).stdout("").stderr("");
    let more = text.replace("close.", "close. It has only a closing </think> tag.");
    run(&["--baseline", "known"], &more).code(3).stdout(contains("UT108").count(1));
    let apart = text.replace("content", r#"reasoning_content":"They ask for tags.","content"#);
    run(&[], &apart).code(0).stdout(contains("UT108").count(2)).stderr("");
    run(&["--fail-on", "warning"], &apart).code(1);
}

/// Findings that a report has no room for count all the same.
#[test]
fn findings_that_are_not_shown_count() {
    let dir = TempDir::new().unwrap();
    let input = LEAK.repeat(3) + OTHER;
    for (most, shown) in [("0", 0), ("2", 2), ("4", 4), ("9", 4)] {
        let mut command = leaks(dir.path());
        command.args(["--max-findings", most]).write_stdin(input.as_str());
        assert_eq!(found(&mut command).len(), shown, "{most}");
        let (all, left) = (4, 4 - shown);
        command.assert().code(1).stderr(match left {
            0 => String::new(),
            _ => format!("unthink: {left} of {all} findings are not in the report (--max-findings)\n"),
        });
        command.arg("-q").assert().code(1).stderr(contains("not in the report").count(usize::from(left > 0)));
    }
    let total =
        leaks(dir.path()).args(["--max-findings", "1", "-o", "json"]).write_stdin(input.as_str()).assert().code(1);
    let value: Value = serde_json::from_slice(&total.get_output().stdout).unwrap();
    let summary = |key: &str| value["summary"][key].as_u64().unwrap();
    assert_eq!((summary("findings"), summary("errors"), summary("omitted")), (4, 4, 3), "{value}");
    let metrics = leaks(dir.path()).args(["--max-findings", "1", "-o", "prometheus"]).write_stdin(input).assert();
    metrics.stdout(contains("{rule=\"UT101\",name=\"reasoning-prefix\",severity=\"error\"} 4\n"));
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    for (input, code) in [(LEAK, 1), (CLEAN, 0), (CUT, 3)] {
        let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
            .args(["check", "-q", "--select", PREFIX, "-o", "jsonl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // Much more than a pipe holds: all of it is read, or this fails.
        for _ in 0..3_000 {
            stdin.write_all(CLEAN.as_bytes()).unwrap();
        }
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{input}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_status_4() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
        .args(["check", "--select", PREFIX, "-o", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(LEAK.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

#[test]
fn wrong_usage_is_status_2() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.jsonl"), CLEAN).unwrap();
    let twice = format!("sarif=../{}/out", dir.path().file_name().unwrap().to_str().unwrap());
    for (args, says) in [
        (&["--select", "UT999"][..], "--select UT999: no such rule (`unthink list rules` has all)"),
        (&["--select", "UT1,reasoning-prefx"], "did you mean reasoning-prefix?"),
        (&["--ignore", "U"], "no such rule"),
        (&["--select", PREFIX, "--ignore", "UT"], "no rule is in force"),
        (&["--explain", "UT999"], "no such rule"),
        (&["--fail-on", "note"], "no such value; it is one of error, warning"),
        (&["--policy", "sometimes"], "no such policy"),
        (&["--min-length", "7"], "8.."),
        (&["--duplicate-percent", "101"], "1..=100"),
        (&["--max-ratio", "1.5"], "a share from 0 to 1"),
        (&["--output-file", "out.sarif"], "such as sarif=out.sarif"),
        (&["--output-file", "sarf=out.sarif"], "did you mean sarif?"),
        (&["--output-file", "json="], "such as sarif=out.sarif"),
        (&["--output-file", "json=-"], "-o writes to stdout"),
        (&["--output-file", "json=out", "--output-file", "sarif=./out"], "overwrite each other"),
        (&["--output-file", "json=out", "--rejects", "out"], "overwrite each other"),
        (&["--output-file", "json=out", "--output-file", "json=out"], "overwrite each other"),
        (&["--output-file", "json=out", "--output-file", &twice], "overwrite each other"),
        (&["--write-baseline", "-"], "a baseline is a file"),
        (&["--null"], "--files-from"),
        (&["--glob", "{a"], "--glob"),
        (&["--on-error", "pass", "--allow-unstripped"], "nothing is copied"),
        (&["--files-from", "-", "-"], "stdin cannot hold both"),
        (&["--output-file", "json=a.jsonl", "a.jsonl"], "would be overwritten"),
        (&["--write-baseline", "./a.jsonl", "a.jsonl"], "would be overwritten"),
    ] {
        let run = check().current_dir(dir.path()).args(args).write_stdin("").assert().code(2).stdout(is_empty());
        run.stderr(contains(says).and(contains("unthink: error: ")));
    }
    assert_eq!(fs::read_to_string(dir.path().join("a.jsonl")).unwrap(), CLEAN);
}

/// What cannot be read is told, and the rest is checked.
#[test]
#[cfg(unix)]
fn what_cannot_be_read_is_status_4() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["logs/a.jsonl", "logs/b.jsonl", "logs/sub/c.jsonl"]);
    let lock = |path: &str, mode| {
        fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    lock("logs/a.jsonl", 0);
    if fs::read(dir.path().join("logs/a.jsonl")).is_ok() {
        eprintln!("skipped: this user may read everything");
        return;
    }
    lock("logs/sub", 0);
    let run = leaks(dir.path()).arg("logs").assert().code(4);
    lock("logs/sub", 0o755);
    run.stdout(contains("logs/b.jsonl")).stderr(contains("logs/a.jsonl: Permission denied").and(contains("logs/sub")));
}

/// What was not understood can be kept.
#[test]
fn rejects_are_kept() {
    let dir = TempDir::new().unwrap();
    let run = leaks(dir.path()).args(["--rejects", "rest.jsonl"]).write_stdin(format!("{CUT}{LEAK}")).assert();
    run.code(1).stdout(contains(PREFIX));
    assert_eq!(fs::read_to_string(dir.path().join("rest.jsonl")).unwrap(), CUT);
}

/// Nothing that was found is not the same as nothing that was looked at.
#[test]
fn what_holds_no_conversation_is_told_once() {
    let dir = TempDir::new().unwrap();
    for name in ["a.json", "b.json", "c.json"] {
        fs::write(dir.path().join(name), "{\"version\":1}\n").unwrap();
    }
    let run = check().current_dir(dir.path()).arg(".").assert().code(0);
    run.stderr("unthink: note: no conversation in 3 of 3 records, which are in no format that is read: nothing was read from them\n");
    check()
        .current_dir(dir.path())
        .args(["-v", "."])
        .assert()
        .code(0)
        .stderr(contains("note: b.json: no conversation in 1 of 1"));
}

/// Runs it on an input that ends with a read error: a terminal that is hung up. The status, stdout and stderr.
#[cfg(target_os = "linux")]
fn torn(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let mut theirs = fs::File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut raw = tcgetattr(&theirs).unwrap();
    raw.make_raw();
    tcsetattr(&theirs, OptionalActions::Now, &raw).unwrap();
    let child = Process::new(env!("CARGO_BIN_EXE_unthink"))
        .args(args)
        .stdin(fs::File::from(ours))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    theirs.write_all(input.as_bytes()).unwrap();
    // What was written can be read before the error comes.
    drop(theirs);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// What was found before a read error is told, and the status is that of the error. What is not complete is given up in
/// silence: the input need not have ended there.
#[test]
#[cfg(target_os = "linux")]
fn a_read_error_hides_no_finding() {
    let text = "PUBL1C as of today.</think> S3CRET.";
    let event = LEAK.trim_start_matches("{\"messages\":[").trim_end_matches("]}\n");
    let event = event.replace("\"role\"", "\"id\":\"m\",\"role\"");
    for (rule, input) in [
        (PREFIX, LEAK.to_string()),
        (PREFIX, format!("{CLEAN}{LEAK}{CUT}").trim_end().to_string()),
        (PREFIX, format!("[{},", LEAK.trim_end())),
        (PREFIX, format!("{{\"choices\":[{{\"message\":{event}}}]}}\n")),
        ("UT103", text.to_string()),
        ("UT103", text.repeat(40)),
    ] {
        let (code, out, err) = torn(&["check", "-o", "jsonl", "-"], &input);
        assert_eq!(code, Some(4), "{input}: {err}");
        assert!(out.contains(rule) && !out.contains("UT3"), "{input}: {out}{err}");
        assert!(err.contains("read error at byte"), "{input}: {err}");
    }
    let (code, out, _) = torn(&["check", "-"], CLEAN);
    assert_eq!((code, out.as_str()), (Some(4), ""));
}

/// A place for rejected records that is full hides no finding either.
#[test]
#[cfg(target_os = "linux")]
fn a_write_error_hides_no_finding() {
    let run = check().args(["--rejects", "/dev/full", "-o", "jsonl"]).write_stdin(format!("{LEAK}{CUT}")).assert();
    run.code(4).stdout(contains(PREFIX)).stderr(contains("write /dev/full"));
}
