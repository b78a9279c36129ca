//! Where reports go.

use super::*;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use tempfile::TempDir;

/// Every format goes to stdout and to a file alike.
#[test]
fn every_format_goes_to_a_file() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.jsonl"]);
    let formats = crate::support::report_formats();
    let mut all = leaks(dir.path());
    for format in &formats {
        all.args(["--output-file", &format!("{format}=out.{format}")]);
    }
    all.args(["-o", "jsonl", "a.jsonl"]).assert().code(1);
    for format in &formats {
        let run = leaks(dir.path()).args(["-o", format, "a.jsonl"]).assert().code(1).stderr("");
        let printed = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        let written = fs::read_to_string(dir.path().join(format!("out.{format}"))).unwrap();
        assert_eq!(without_times(&written), without_times(&printed), "{format}");
        assert!(!printed.is_empty() && !printed.contains("S3CRET"), "{format}: {printed}");
    }
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), formats.len() + 1, "nothing else is left: {names:?}");
}

/// A report may say when it was made.
fn without_times(text: &str) -> String {
    text.split_whitespace().filter(|word| !word.starts_with("timestamp=")).collect()
}

#[test]
fn concise_in_a_pipe() {
    let dir = TempDir::new().unwrap();
    let printed = |args: &[&str]| leaks(dir.path()).args(args).write_stdin(LEAK).output().unwrap().stdout;
    assert_eq!(printed(&[]), printed(&["-o", "concise"]));
}

/// Text of the input is in a report only when it is asked for.
#[test]
fn excerpts_are_asked_for() {
    let dir = TempDir::new().unwrap();
    for format in ["full", "json", "jsonl"] {
        let run = |more: &[&str]| leaks(dir.path()).args(["-o", format]).args(more).write_stdin(LEAK).assert().code(1);
        run(&[]).stdout(contains("S3CRET").not()).stderr("");
        run(&["--excerpt"]).stdout(contains("S3CRET")).stderr("");
    }
}

#[test]
fn colours_are_for_terminals() {
    let dir = TempDir::new().unwrap();
    let run = |args: &[&str]| leaks(dir.path()).args(["-o", "full"]).args(args).write_stdin(LEAK).assert().code(1);
    run(&[]).stdout(contains("\u{1b}").not());
    run(&["--color", "always"]).stdout(contains("\u{1b}["));
    run(&["--color", "always", "--output-file", "full=out"]);
    assert!(!fs::read_to_string(dir.path().join("out")).unwrap().contains('\u{1b}'));
}

/// A file that cannot be written is told before the work, or makes the status 4 behind it. The other reports are there.
#[test]
fn what_cannot_be_written_is_status_4() {
    let dir = TempDir::new().unwrap();
    let run = |target: &str| leaks(dir.path()).args(["--output-file", target]).write_stdin(LEAK).assert().code(4);
    run("json=none/out").stdout(is_empty()).stderr(contains("unthink: error: write none/out: "));
    run("json=.").stdout(is_empty()).stderr(contains("irectory"));
    #[cfg(target_os = "linux")]
    {
        let args = ["--output-file", "json=/dev/full", "--output-file", "json=out", "-o", "jsonl"];
        let run = leaks(dir.path()).args(args).write_stdin(LEAK).assert().code(4);
        run.stdout(contains(PREFIX)).stderr(contains("unthink: error: write /dev/full: "));
        assert!(dir.path().join("out").is_file());
    }
}

/// What is no file takes more than one report; what stdout goes to takes no other.
#[test]
#[cfg(unix)]
fn a_file_takes_one_report() {
    let dir = TempDir::new().unwrap();
    let args = ["--output-file", "json=/dev/null", "--output-file", "sarif=/dev/null"];
    leaks(dir.path()).args(args).write_stdin(CLEAN).assert().code(0);
    let out = fs::File::create(dir.path().join("out")).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_unthink"));
    child.args(["check", "--output-file", "json=out"]).current_dir(dir.path()).stdin(std::process::Stdio::null());
    assert_eq!(child.stdout(out).stderr(std::process::Stdio::null()).status().unwrap().code(), Some(2));
}

/// An old report stays until the new one is whole.
#[test]
#[cfg(unix)]
fn an_old_report_is_replaced() {
    let dir = TempDir::new().unwrap();
    let out = dir.path().join("out");
    fs::write(&out, "old").unwrap();
    // One who reads the old file goes on reading it.
    let mut old = fs::File::open(&out).unwrap();
    leaks(dir.path()).args(["--output-file", "json=out"]).write_stdin(LEAK).assert().code(1);
    let mut text = String::new();
    std::io::Read::read_to_string(&mut old, &mut text).unwrap();
    assert_eq!(text, "old");
    assert!(fs::read_to_string(&out).unwrap().contains(PREFIX));
}

/// Long work says on a terminal how far it has come, in a line that is gone in the end.
#[test]
#[cfg(target_os = "linux")]
fn long_work_says_how_far_it_has_come() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::{Read, Write};
    use std::process::{Command as Process, Stdio};
    for (args, shown) in [(&["check"][..], true), (&["check", "-q"], false)] {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap();
        let stderr = fs::File::options().write(true).open(name.to_str().unwrap()).unwrap();
        let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for wait in [1_100, 200] {
            stdin.write_all(CLEAN.as_bytes()).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(wait));
        }
        stdin.write_all(CLEAN.as_bytes()).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        // The last bytes are followed by an error: nobody has the other end any more.
        let (mut text, mut buf) = (Vec::new(), [0; 4096]);
        let mut terminal = fs::File::from(terminal);
        while let Ok(n @ 1..) = terminal.read(&mut buf) {
            text.extend_from_slice(&buf[..n]);
        }
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.starts_with("\runthink: file 1 of 1, 0 MiB, 0 found"), shown, "{text:?}");
        assert_eq!(text.ends_with("\r\u{1b}[K"), shown, "{text:?}");
        assert!(shown || text.is_empty(), "{text:?}");
    }
}
