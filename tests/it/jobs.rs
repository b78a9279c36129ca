//! `--jobs N`: whatever N is, the output, the messages, the exit status and the files that are written are the same, byte
//! for byte.

use crate::support::root;
use assert_cmd::Command;
use predicates::str::contains;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"a\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"a\"}\n";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

fn tree(folder: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => tree(&path, into),
            false => drop(into.insert(path.to_string_lossy().into_owned(), fs::read(&path).unwrap())),
        }
    }
}

/// What a run did. The time that it took is left out.
#[derive(PartialEq)]
struct Ran {
    out: String,
    err: String,
    status: Option<i32>,
    files: BTreeMap<String, Vec<u8>>,
}

fn timeless(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let words = text.split(", in ").enumerate().map(|(i, part)| match part.split_once([':', '\n']) {
        Some((time, _)) if i > 0 && (time.ends_with(" s")) => &part[time.len()..],
        _ => part,
    });
    let text = words.collect::<Vec<_>>().join(", in ");
    let seconds = |line: &str| match line.rsplit_once(",\"seconds\":") {
        Some((before, _)) => format!("{before}}}"),
        None => line.to_string(),
    };
    text.lines().map(seconds).collect::<Vec<_>>().join("\n")
}

/// Runs a command in a fresh copy of a folder, which is called `in` there.
fn run(from: &Path, args: &[&str], jobs: &str) -> Ran {
    let dir = TempDir::new().unwrap();
    copy(from, &dir.path().join("in"));
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.args(args).args(["-j", jobs]).current_dir(dir.path()).output().unwrap();
    let mut found = BTreeMap::new();
    tree(dir.path(), &mut found);
    let below = |(path, bytes): (String, Vec<u8>)| (path[dir.path().to_str().unwrap().len()..].to_string(), bytes);
    Ran {
        out: timeless(&output.stdout),
        err: timeless(&output.stderr),
        status: output.status.code(),
        files: found.into_iter().map(below).collect(),
    }
}

/// Checks the law for these commands over a folder.
fn holds(from: &Path, commands: &[&[&str]]) {
    for args in commands {
        let alone = run(from, args, "1");
        assert!(matches!(alone.status, Some(0 | 1 | 3)), "{args:?}: {:?} {}", alone.status, alone.err);
        for jobs in ["2", "8"] {
            let ran = run(from, args, jobs);
            assert!(ran.status == alone.status, "{args:?} -j {jobs}: {:?}, not {:?}", ran.status, alone.status);
            assert!(ran.err == alone.err, "{args:?} -j {jobs}:\n{}\nnot\n{}", ran.err, alone.err);
            assert!(ran.out == alone.out, "{args:?} -j {jobs}: stdout differs");
            let differs = |(name, bytes): &(&String, &Vec<u8>)| alone.files.get(*name) != Some(*bytes);
            let other: Vec<_> = ran.files.iter().filter(differs).map(|(name, _)| name).collect();
            assert!(other.is_empty() && ran.files.len() == alone.files.len(), "{args:?} -j {jobs}: {other:?}");
        }
    }
}

#[test]
fn strip_does_the_same_with_any_number_of_jobs() {
    holds(
        &root().join("testdata"),
        &[
            &["in"],
            &["in", "-v", "-O", "out.gz"],
            &["in", "--output-dir", "out", "--rejects", "bad"],
            &["strip", "-i", "in", "--stats=json"],
            &["strip", "-i.bak", "in", "-p", "keep-tool-turns", "--foreign", "pass", "--error-format", "json"],
            &["strip", "-i", "in", "--on-error", "pass", "--allow-unstripped", "--stats"],
            &["strip", "-i", "in", "--on-error", "stop"],
            &["strip", "--dry-run", "in"],
            &["strip", "--diff", "in", "-g", "*.jsonl"],
            &["strip", "in", "--agent", "scout", "--agent", "nobody", "--context", "plan", "-g", "*.jsonl"],
        ],
    );
}

#[test]
fn convert_does_the_same_with_any_number_of_jobs() {
    let folder = root().join("testdata");
    for dialect in unthink::internals::dialect::DIALECTS.iter().filter(|dialect| dialect.write.is_some()) {
        holds(&folder.join("chat"), &[&["convert", "--to", dialect.name, "in", "--output-dir", "out"]]);
        holds(&folder.join("anthropic"), &[&["convert", "--to", dialect.name, "in", "--report-loss", "loss"]]);
    }
    holds(
        &folder,
        &[
            &["convert", "--to", "tagged", "in", "--output-dir", "out", "--report-loss", "loss"],
            &["convert", "--to", "responses", "in", "--strict", "--set", "reasoning.enabled=false"],
            &["convert", "--to", "xml-lines", "in"],
        ],
    );
}

#[test]
fn the_others_do_the_same_with_any_number_of_jobs() {
    holds(
        &root().join("testdata"),
        &[
            &["check", "in", "-o", "full", "--excerpt"],
            &["check", "in", "--policy", "all", "--output-file", "sarif=out", "--max-findings", "20"],
            &["check", "in", "--write-baseline", "base", "-v"],
            &["split", "in"],
            &["split", "in", "--reasoning-to", "why", "-v"],
            &["split", "in", "--reasoning-to", "stderr", "-g", "*.jsonl"],
            &["split", "in", "-o", "events"],
            &["split", "in", "-o", "prometheus"],
            &["identify", "in", "-o", "table", "-v"],
            &["identify", "in", "-o", "json", "--all", "--full"],
        ],
    );
}

/// Many files of different sizes, of which some are refused and one is missing.
#[test]
fn many_files_come_in_their_order() {
    let dir = TempDir::new().unwrap();
    let from = dir.path().join("from");
    fs::create_dir(&from).unwrap();
    let mut names: Vec<String> = Vec::new();
    for n in 0..300_usize {
        let line = LINE.replace("\"a\"", &format!("\"{n}\""));
        let damaged = if n % 7 == 3 { "{\"role\":\n" } else { "" };
        fs::write(from.join(format!("{n}.jsonl")), line.repeat(n * n % 3000 + 1) + damaged).unwrap();
        names.push(format!("in/{n}.jsonl"));
    }
    names.insert(150, "in/missing.jsonl".into());
    let named = |front: &[&'static str]| -> Vec<String> {
        front.iter().map(|word| word.to_string()).chain(names.iter().cloned()).collect()
    };
    for front in [&["strip"][..], &["strip", "--rejects", "bad"], &["check", "--policy", "all"], &["identify"]] {
        let args = named(front);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let alone = run(&from, &args, "1");
        assert_eq!(alone.status, Some(4), "{front:?}");
        for jobs in ["2", "8"] {
            let ran = run(&from, &args, jobs);
            assert!(ran == alone, "{front:?} -j {jobs}:\n{}\nnot\n{}", ran.err, alone.err);
        }
    }
    holds(&from, &[&["strip", "-i", "in"], &["--output-dir", "out", "in"], &["split", "in"]]);
}

/// What is written of one file may be another one.
#[test]
fn files_that_meet_are_read_one_after_the_other() {
    let dir = TempDir::new().unwrap();
    let from = dir.path().join("from");
    fs::create_dir_all(from.join("x/y")).unwrap();
    for name in ["a", "b", "x/y/a", "x/b", "c"] {
        fs::write(from.join(name), LINE.repeat(2000)).unwrap();
    }
    for args in [
        &["strip", "-i", "in/a", "in/a", "in/b", "in/a"][..],
        &["strip", "-i.bak", "in/a", "in/a.bak", "in/b"],
        &["--output-dir", "out", "in/a", "in/x/y/a", "in/b"],
        &["strip", "-i", "in/a", "in/none", "in/b"],
        &["strip", "--output-dir", "out", "in/x", "in/c"],
    ] {
        let alone = run(&from, args, "1");
        for _ in 0..5 {
            let ran = run(&from, args, "8");
            assert!(ran == alone, "{args:?}: {:?}\n{}\nnot\n{}", ran.status, ran.err, alone.err);
        }
    }
}

#[test]
fn numbers_of_jobs_that_are_none() {
    for jobs in ["0", "x", "-1", "257", "1.5"] {
        let mut command = Command::cargo_bin("unthink").unwrap();
        let ran = command.args(["strip", &format!("--jobs={jobs}"), "Cargo.toml"]).current_dir(root()).assert().code(2);
        ran.stderr(contains(format!("--jobs {jobs}: a number of files to work on at a time, from 1 to 256")));
    }
    for verb in ["tokens", "show"] {
        let mut command = Command::cargo_bin("unthink").unwrap();
        let ran = command.args([verb, "-j", "2", "Cargo.toml"]).current_dir(root()).assert().code(2);
        ran.stderr(contains(format!("{verb} has no option -j")));
    }
}

/// A reader that goes away ends the run, though other threads are ahead.
#[test]
#[cfg(unix)]
fn a_reader_may_go_away() {
    let dir = TempDir::new().unwrap();
    for n in 0..50 {
        fs::write(dir.path().join(format!("{n}.jsonl")), LINE.repeat(50_000)).unwrap();
    }
    let line = "\"$0\" -j 8 . | head -n 1; echo ${PIPESTATUS[0]}";
    let mut command = Command::new("bash");
    command.args(["-c", line, env!("CARGO_BIN_EXE_unthink")]).current_dir(dir.path());
    command.assert().success().stdout(format!("{STRIPPED}0\n")).stderr("");
}
