//! The command with files, pipes, faults and live streams: what a case file cannot say.

use crate::support::*;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty, starts_with};
use std::fs;
use std::io::Write;
use std::process::{Command as Process, Stdio};
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"a\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"a\"}\n";

fn unthink() -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn wrong_usage_is_status_2() {
    for args in [
        &["--nonsense"][..],
        &["strip", "--policy"],
        &["strip", "--unit", "day"],
        &["split", "-o", "xml"],
        &["split", "--only", "reasoning", "--reasoning-to", "stderr"],
        &["--max-record", "0"],
        &["-q", "-v"],
    ] {
        unthink().args(args).write_stdin("").assert().code(2).stdout(is_empty()).stderr(is_empty().not());
    }
}

#[test]
fn files_are_read_in_order_and_each_is_a_stream() {
    let dir = TempDir::new().unwrap();
    let (a, b) = (dir.path().join("a.jsonl"), dir.path().join("b.jsonl"));
    fs::write(&a, LINE).unwrap();
    fs::write(&b, LINE.repeat(2)).unwrap();
    unthink()
        .args(["strip", "--policy", "all-but-last"])
        .args([&a, &b])
        .assert()
        .success()
        .stdout(format!("{LINE}{STRIPPED}{LINE}"));
    unthink().arg(&a).arg("-").write_stdin(LINE).assert().success().stdout(STRIPPED.repeat(2));
}

#[test]
fn a_missing_file_does_not_stop_the_others() {
    let dir = TempDir::new().unwrap();
    let good = dir.path().join("good.jsonl");
    fs::write(&good, LINE).unwrap();
    unthink()
        .arg(dir.path().join("none"))
        .arg(&good)
        .assert()
        .code(4)
        .stdout(STRIPPED)
        .stderr(contains("No such file").and(contains("good").not()));
}

#[test]
fn objects_of_several_files_name_theirs() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.txt"), "<think>r</think>a").unwrap();
    fs::write(dir.path().join("b.jsonl"), "{\"role\":\"assistant\",\"content\":\"b\"}\n").unwrap();
    for (verb, begins) in [
        ("split", "{\"file\":\"a.txt\",\"visible\":\"a\""),
        ("tokens", "{\"file\":\"a.txt\",\"record\":1,"),
        ("split", "{\"file\":\"b.jsonl\",\"record\":1,\"message\":1,\"visible\":\"b\"}"),
        ("tokens", "{\"file\":\"b.jsonl\",\"record\":1,"),
    ] {
        let line = starts_with(begins).or(contains(format!("\n{begins}")));
        let files = [verb, "missing", "a.txt", "b.jsonl"];
        unthink().current_dir(dir.path()).args(files).assert().code(4).stdout(line);
    }
    // What is missing at the end of an event stream is no part of what was made of it.
    fs::write(dir.path().join("c.sse"), "data: {\"choices\":[{\"delta\":{\"content\":\"c\"}}]}").unwrap();
    for verb in ["split", "tokens"] {
        let both = unthink().current_dir(dir.path()).args([verb, "c.sse", "c.sse"]).assert().success();
        both.stdout(contains("\n\n").not());
    }
    let one = unthink().current_dir(dir.path()).args(["split", "a.txt"]).assert().success();
    one.stdout(starts_with("{\"visible\":"));
}

#[test]
fn names_cannot_steer_a_terminal() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a\u{1b}[31m\u{202e}b");
    fs::write(&path, "{\"a\":NaN}\n").unwrap();
    let stderr = unthink().arg(&path).assert().code(3).get_output().stderr.clone();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(!stderr.contains('\u{1b}') && !stderr.contains('\u{202e}') && stderr.contains("\\u{1b}"), "{stderr}");
    fs::write(&path, "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n").unwrap();
    let tokens = ["tokens", "-o", "table"];
    let table = unthink().args(tokens).arg(&path).arg(&path).assert().success().get_output().stdout.clone();
    let table = String::from_utf8(table).unwrap();
    assert_eq!(table.matches("a\\u{1b}[31m\\u{202e}b ").count(), 2, "{table}");
}

/// JSON cannot hold a byte that is not UTF-8: where one is replaced, a note says so. Text is written as it is.
#[test]
fn bytes_that_are_not_utf8_are_named() {
    let note = "unthink: note: byte 7 is not UTF-8: it is shown as U+FFFD\n";
    for (args, shown) in [(&["split"][..], true), (&["split", "-o", "events"], true), (&["split", "-o", "text"], false)]
    {
        let warning = if shown { note } else { "" };
        unthink().args(args).write_stdin(&b"<think>\xff\xfe</think>v"[..]).assert().success().stderr(warning);
    }
    unthink().args(["split", "-q"]).write_stdin(&b"\xff"[..]).assert().success().stderr("");
    unthink().arg("strip").write_stdin(&b"\xff"[..]).assert().success().stdout(&b"\xff"[..]).stderr("");
}

#[test]
fn compressed_input_is_known_by_its_first_bytes() {
    let dir = TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let members = [gz(b""), gz(LINE.as_bytes()), gz(LINE.as_bytes())].concat();
    let frames =
        [zstd::encode_all(LINE.as_bytes(), 1).unwrap(), zstd::encode_all(LINE.as_bytes(), 1).unwrap()].concat();
    for (name, bytes) in [("a.gz", &members), ("plain-name", &members), ("a.zst", &frames)] {
        unthink().arg(write(name, bytes)).assert().success().stdout(STRIPPED.repeat(2));
        unthink().write_stdin(bytes.clone()).assert().success().stdout(STRIPPED.repeat(2));
    }
    let padded = [members.clone(), vec![0; 1000]].concat();
    unthink().write_stdin(padded).assert().success().stdout(STRIPPED.repeat(2));
    unthink().arg(write("named.gz", LINE.as_bytes())).assert().success().stdout(STRIPPED);
    for bytes in [&members, &frames] {
        let cut = bytes[..bytes.len() - 5].to_vec();
        unthink().write_stdin(cut).assert().code(3).stdout(starts_with(STRIPPED)).stderr(contains("compressed data"));
        let garbage = [bytes.as_slice(), b"garbage"].concat();
        unthink().write_stdin(garbage).assert().code(3).stdout(STRIPPED.repeat(2));
    }
}

#[test]
fn skipped_records_are_kept() {
    let dir = TempDir::new().unwrap();
    let rejects = dir.path().join("rejects");
    let input = format!("{LINE}{{\"cut\": \"secret\n{LINE}nonsense");
    unthink()
        .args(["--framing", "jsonl", "--rejects"])
        .arg(&rejects)
        .write_stdin(input)
        .assert()
        .code(3)
        .stdout(STRIPPED.repeat(2))
        .stderr(contains("2 of 4 records not processed").and(contains("secret").not()));
    assert_eq!(fs::read_to_string(&rejects).unwrap(), "{\"cut\": \"secret\nnonsense");
    let split = unthink()
        .args(["split", "--framing", "jsonl", "--rejects"])
        .arg(&rejects)
        .write_stdin(format!("{LINE}nonsense\n{LINE}"))
        .assert();
    split.code(3).stdout(contains("\"visible\":\"a\"").count(2));
    assert_eq!(fs::read_to_string(&rejects).unwrap(), "nonsense\n");
}

#[test]
fn stdout_takes_one_output() {
    let dir = tempfile::tempdir().unwrap();
    for args in [&["--rejects", "-"][..], &["convert", "--to", "reasoning", "--report-loss", "-"]] {
        let run = unthink().current_dir(dir.path()).args(args).write_stdin("PUBL1C").assert().code(2);
        run.stdout(is_empty()).stderr(contains("stdout has the rest"));
        assert!(fs::read_dir(dir.path()).unwrap().next().is_none(), "{args:?}");
    }
}

#[test]
fn the_limit_is_on_what_is_buffered_and_not_on_what_has_passed() {
    for args in [&["strip"][..], &["split"]] {
        let output =
            unthink().args(args).args(["--max-record", "100"]).write_stdin(LINE.repeat(5000)).assert().success();
        assert_eq!(output.get_output().stdout.split(|b| *b == b'\n').count(), 5001, "{args:?}");
    }
    // Three messages of a policy with hindsight are more than may be buffered: none of them is written.
    let dir = TempDir::new().unwrap();
    let rejects = dir.path().join("rejects");
    let before = "{\"role\":\"user\",\"content\":\"q\"}\n".repeat(5);
    unthink()
        .args(["strip", "--policy", "all-but-last", "--max-record", "100", "--rejects"])
        .arg(&rejects)
        .write_stdin(format!("{before}{LINE}{before}"))
        .assert()
        .code(3)
        .stdout(before.clone())
        .stderr(contains("were left out"));
    assert!(fs::read_to_string(&rejects).unwrap().starts_with(LINE));
}

#[test]
fn no_output_overwrites_an_input() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("a.jsonl");
    fs::write(&path, LINE).unwrap();
    unthink().arg(&path).arg("--rejects").arg(&path).assert().code(2).stderr(contains("overwritten"));
    unthink().args(["split", "-o", "text", "--reasoning-to"]).arg(&path).arg(&path).assert().code(2);
    assert_eq!(fs::read_to_string(&path).unwrap(), LINE);
}

#[test]
fn reasoning_goes_apart() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("reasoning");
    let mut command = unthink();
    command.args(["split", "-o", "text", "--reasoning-to"]).arg(&path).write_stdin(LINE);
    command.assert().success().stdout("a\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "r\n");
}

#[test]
fn at_most_twenty_records_are_named() {
    let stderr = unthink()
        .args(["--framing", "jsonl"])
        .write_stdin("x\n".repeat(50))
        .assert()
        .code(3)
        .get_output()
        .stderr
        .clone();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(stderr.lines().count(), 22, "{stderr}");
    assert!(stderr.contains("30 more like these"));
    assert!(stderr.ends_with("unthink: 50 of 50 records not processed (0 read, 0 foreign, 0 suspect, 50 damaged)\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for input in [LINE.to_string(), LINE.repeat(50_000)] {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("a.jsonl");
        fs::write(&path, input).unwrap();
        let output = Process::new(env!("CARGO_BIN_EXE_unthink")).arg(&path).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("No space left on device") && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    // The writer sees the pipe close in its turn.
    while stdin.write_all(LINE.repeat(1000).as_bytes()).is_ok() {}
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_event_stream_is_written_as_it_comes() {
    for end in ["\n", "\r\n", "\r"] {
        let event = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}}}]}}{end}{end}");
        let parts = [
            event("\"content\":\"PUBL1C\""),
            event("\"reasoning\":\"r\""),
            event("\"content\":\" PUBL1C\""),
            event("\"content\":\"<thi\""),
            event("\"content\":\"ng PUBL1C\""),
        ];
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let out = feed_parts(&["--framing", "sse"], &parts);
        // A CR may wait for the LF that belongs to it.
        let trim = |s: &str| s.trim_matches(['\r', '\n']).to_string();
        let out: Vec<String> = out.iter().map(|s| trim(s)).collect();
        let undecided = format!("{}{end}{end}{}", trim(parts[3]), trim(parts[4]));
        assert_eq!(out, [trim(parts[0]), String::new(), trim(parts[2]), String::new(), undecided], "{end:?}");
    }
    let lines = ["{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n", "{\"a\":\"PUBL1C\"}\n"];
    assert_eq!(feed_parts(&[], &lines), lines);
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_input() {
    let mut child =
        Process::new(env!("CARGO_BIN_EXE_unthink")).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = LINE.repeat(20_000);
    let mut peak_after = |blocks: usize| -> u64 {
        (0..blocks).for_each(|_| stdin.write_all(block.as_bytes()).unwrap());
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        peak.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // How much the program itself needs depends on how it was built.
    let (first, last) = (peak_after(10), peak_after(50));
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(last < first + 1024 && last < 32 * 1024, "{first} KiB, then {last} KiB for {} bytes", 60 * block.len());
}

#[test]
fn wide_encodings_are_named_once() {
    let wide = |text: &str, unit: fn(char) -> Vec<u8>| -> Vec<u8> { text.chars().flat_map(unit).collect() };
    type Unit = fn(char) -> Vec<u8>;
    let units: [(&str, Unit); 4] = [
        ("UTF-16LE", |c| (c as u16).to_le_bytes().to_vec()),
        ("UTF-16BE", |c| (c as u16).to_be_bytes().to_vec()),
        ("UTF-32LE", |c| (c as u32).to_le_bytes().to_vec()),
        ("UTF-32BE", |c| (c as u32).to_be_bytes().to_vec()),
    ];
    for (name, unit) in units {
        for mark in ["", "\u{feff}"] {
            let input = wide(&format!("{mark}{}", LINE.repeat(3)), unit);
            let output = unthink().write_stdin(input).assert().code(3).stdout(is_empty()).get_output().stderr.clone();
            let stderr = String::from_utf8(output).unwrap();
            assert!(stderr.contains(name) && stderr.lines().count() == 2, "{name}: {stderr}");
        }
    }
    // A few NUL bytes before a value are a damaged record, not another encoding.
    for nuls in 1..9 {
        let input = format!("{}{LINE}{LINE}", "\0".repeat(nuls));
        unthink().write_stdin(input).assert().code(3).stdout(STRIPPED).stderr(contains("NUL bytes"));
    }
}

#[test]
fn every_file_of_testdata_goes_through_the_command() {
    for (_, path) in testdata() {
        let mut command = unthink();
        command.args(["strip", "--policy", "none"]).arg(&path);
        command.assert().success().stdout(predicate::eq(fs::read(&path).unwrap()));
        unthink().arg(&path).assert().success().stdout(contains("S3CRET").not());
    }
}

/// Whatever is wrong is told in one voice, and `-q` leaves what changes the status.
#[test]
fn one_voice() {
    for args in [
        &["--polcy", "all"][..],
        &["strip", "--policy"],
        &["strip", "--policy", "x"],
        &["tokens", "-o", "x"],
        &["--tag", "x"],
    ] {
        let out = unthink().args(args).assert().code(2).get_output().clone();
        let message = String::from_utf8(out.stderr).unwrap();
        assert!(message.starts_with("unthink: error: "), "{args:?}: {message}");
    }
    let unpaired = "{\"role\":\"assistant\",\"content\":\"<think>S3CRET\"}\n{\"role\":\"assistant\",\"content\":\"S3CRET</think>PUBL1C\"}\n";
    let stderr = |args: &[&str]| {
        let out = unthink().args(args).write_stdin(unpaired).assert().code(0).get_output().clone();
        String::from_utf8(out.stderr).unwrap()
    };
    assert_eq!(
        stderr(&[]),
        "unthink: warning: <stdin>: 1 block that is never closed and 1 closing tag without an opening one: 27 bytes were \
         taken for reasoning\n"
    );
    assert_eq!(stderr(&["-q"]), "");
    assert_eq!(stderr(&["strip", "--policy", "none"]), "");
}

/// That the framing may be wrong is said where the bytes do not fit it, and not with errors that have another reason.
#[test]
fn a_wrong_framing_is_suspected_where_bytes_do_not_fit_it() {
    let open = "{\"role\":\"assistant\",\"content\":\"<think>S3CRET\"}\n";
    let failed =
        "{\"id\":\"r\",\"object\":\"response\",\"status\":\"failed\",\"error\":{\"code\":\"x\"},\"output\":[]}\n";
    for (args, input, hint) in [
        (&[][..], "{\"name\"} said: <think>S3CRET</think>a\n", true),
        (&[], "data: {\"choices\":\n\n", true),
        (&["--framing", "jsonl"], "{\"name\"} said\n", false),
        (&["--unclosed", "error"], open, false),
        (&["--max-record", "20"], open, false),
        (&["convert", "--to", "anthropic"], failed, false),
    ] {
        let hinted = contains("--framing says otherwise").count(usize::from(hint));
        unthink().args(args).write_stdin(input).assert().code(3).stderr(hinted);
    }
}
