//! SIGINT and SIGTERM leave no half-written file and no temporary one; a closed stdout is an error.
#![cfg(unix)]

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"It rains.\",\"content\":\"Take an umbrella.\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"Take an umbrella.\"}\n";

fn unthink(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unthink"));
    command.args(args).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn end(child: &mut Child, signal: Signal) -> Option<i32> {
    kill_process(Pid::from_child(child), signal).unwrap();
    child.wait().unwrap().signal()
}

fn names(dir: &Path) -> Vec<String> {
    fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn an_interrupted_rewrite_leaves_the_old_file_or_the_new_one() {
    let (old, new) = (LINE.repeat(300_000), STRIPPED.repeat(300_000));
    let mut interrupted = 0;
    for (i, milliseconds) in [0, 5, 20, 50, 100, 200, 400].into_iter().enumerate() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("session.jsonl");
        fs::write(&path, &old).unwrap();
        let args = if i % 2 == 0 { ["strip", "-i", "session.jsonl"] } else { ["strip", "-i.bak", "session.jsonl"] };
        let mut child = unthink(dir.path(), &args).stdin(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(milliseconds));
        let signal = if i % 2 == 0 { Signal::TERM } else { Signal::INT };
        let ended = end(&mut child, signal);
        let now = fs::read_to_string(&path).unwrap();
        assert!(now == old || now == new, "{milliseconds} ms");
        let kept = names(dir.path());
        match now == old {
            true => assert_eq!(kept, ["session.jsonl"], "{milliseconds} ms"),
            false => assert!(kept.iter().all(|name| name.starts_with("session.jsonl")), "{kept:?}"),
        }
        interrupted += usize::from(ended == Some(signal.as_raw()));
    }
    assert!(interrupted > 0, "no run was interrupted");
}

#[test]
fn an_interrupted_output_is_not_there() {
    for args in
        [&["-O", "out/clean.jsonl"][..], &["-O", "out/clean.jsonl.gz"], &["strip", "--output-dir", "out", "pipe"]]
    {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("out")).unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        let mut child = unthink(dir.path(), args).stdin(Stdio::piped()).spawn().unwrap();
        // The input goes on, so that the output is not complete.
        let mut input: Box<dyn Write> = match args.last() {
            Some(&"pipe") => Box::new(fs::OpenOptions::new().write(true).open(&pipe).unwrap()),
            _ => Box::new(child.stdin.take().unwrap()),
        };
        input.write_all(LINE.repeat(50_000).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(end(&mut child, Signal::TERM), Some(Signal::TERM.as_raw()), "{args:?}");
        assert!(names(&dir.path().join("out")).is_empty(), "{args:?}");
    }
}

#[test]
fn what_is_ignored_stays_ignored() {
    let dir = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_unthink");
    let script = format!("trap '' HUP; exec {program} -O clean.jsonl");
    let mut child =
        Command::new("sh").args(["-c", &script]).current_dir(dir.path()).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(LINE.repeat(1000).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read_to_string(dir.path().join("clean.jsonl")).unwrap(), STRIPPED.repeat(1000));
}

#[test]
fn a_closed_stdout_is_an_error() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("session.jsonl"), LINE).unwrap();
    let program = env!("CARGO_BIN_EXE_unthink");
    let run = |script: &str| {
        let out =
            Command::new("sh").args(["-c", &format!("{program} {script}")]).current_dir(dir.path()).output().unwrap();
        (out.status.code(), String::from_utf8(out.stderr).unwrap())
    };
    for args in [
        "session.jsonl",
        "split session.jsonl",
        "tokens session.jsonl",
        "show session.jsonl",
        "check -p all session.jsonl",
        "--help",
        "strip -h",
        "--version",
        "list tags",
        "man",
        "completions bash",
        "profile",
    ] {
        let (status, said) = run(&format!("{args} >&-"));
        assert_eq!(status, Some(4), "{args}: {said}");
        assert!(said.starts_with("unthink: error: ") && said.contains("Bad file descriptor"), "{args}: {said}");
        // What is thrown away was written.
        assert_ne!(run(&format!("{args} 1<>/dev/null")).0, Some(4), "{args}");
    }
    for args in
        ["strip -i session.jsonl >&-", "-O out.jsonl session.jsonl >&-", "strip -O out.jsonl <&- >&- session.jsonl"]
    {
        assert_eq!(run(args).0, Some(0), "{args}");
    }
}
