//! Files are old or new, whatever fails and whenever the program is killed. `strace` makes the N-th system call of a kind
//! fail, or kills the program at it, for every N that the command reaches. Then each file that the command writes has
//! its old content or its new one; the exit status of success means that all of them are new; a failure names the file;
//! and nothing else is left.
//!
//! What is written as it comes (`--rejects`, `--report-loss`, `--reasoning-to`) may end early, and has no other content.
//! After SIGKILL a temporary file may be left, `.unthink-XXXXXX.tmp`: between the system call that names it and the one
//! that renames it there is no third. No later run reads it, and the command can simply be given again.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const CONVERSATION: &str = "{\"role\":\"assistant\",\"reasoning\":\"It rains.\",\"content\":\"Take an umbrella.\"}\n";
const LEAK: &str = "{\"role\":\"assistant\",\"content\":\"It rains.</think>Take an umbrella.\"}\n";
const DAMAGED: &str =
    "{\"role\":\"assistant\",\"reasoning\":\"It rains.\n{\"role\":\"user\",\"content\":\"And now?\"}\n";
const OLD: &str = "This was here before.\n";

/// The calls that write, and those that open and name what is written.
const CALLS: &[&str] = &[
    "write",
    "fsync",
    "openat",
    "linkat",
    "link",
    "rename",
    "renameat2",
    "unlink",
    "unlinkat",
    "fchmod",
    "fchown",
    "ftruncate",
    "copy_file_range",
    "sendfile",
    "mkdir",
    "fsetxattr",
];

/// A command, the files that are there before it, and those that it writes as they come.
struct Case {
    args: &'static [&'static str],
    files: &'static [(&'static str, &'static str)],
    streams: &'static [&'static str],
}

type Tree = BTreeMap<String, Vec<u8>>;

fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (path, name) = (entry.as_ref().unwrap().path(), entry.unwrap().file_name().into_string().unwrap());
        match path.is_dir() {
            true => tree.extend(self::tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes))),
            false => drop(tree.insert(name, fs::read(path).unwrap())),
        }
    }
    tree
}

/// Whether strace can be used here. `.ci/run` requires it.
fn can_trace() -> bool {
    let traced = Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).output();
    let can = traced.as_ref().is_ok_and(|traced| traced.status.success());
    if !can {
        assert!(std::env::var_os("UNTHINK_REQUIRE_STRACE").is_none(), "strace cannot be used: {traced:?}");
        eprintln!("skipped: strace is not there, or may not trace");
    }
    can
}

impl Case {
    fn folder(&self) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, content) in self.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        folder
    }

    /// Runs the command in a folder, with these options of strace if there are any. Returns also what strace says.
    fn run(&self, folder: &Path, options: &[&str]) -> (Output, String) {
        let program = env!("CARGO_BIN_EXE_unthink");
        let log = tempfile::NamedTempFile::new().unwrap();
        let mut command = match options {
            [] => Command::new(program),
            options => {
                let mut strace = Command::new("strace");
                strace.args(["-f", "-qq", "-o"]).arg(log.path()).args(options).arg(program);
                strace
            }
        };
        command.args(self.args).current_dir(folder).stdin(Stdio::null()).env("HOME", folder);
        command.env_remove("XDG_CONFIG_HOME").env_remove("LD_LIBRARY_PATH");
        let output = command.output().unwrap();
        (output, String::from_utf8_lossy(&fs::read(log.path()).unwrap()).into_owned())
    }

    /// Checks that each file is old or new. `may_stay`: how many temporary files may be left.
    fn is_old_or_new(&self, now: &Tree, (old, new): (&Tree, &Tree), may_stay: usize, what: &str) {
        let mut temporary = 0;
        for (name, bytes) in now {
            let (was, is) = (old.get(name), new.get(name));
            if was.is_none() && is.is_none() {
                let file = name.rsplit('/').next().unwrap();
                assert!(file.starts_with(".unthink-") && file.ends_with(".tmp"), "{what}: {name} is left");
                temporary += 1;
                continue;
            }
            let is_part = self.streams.contains(&name.as_str()) && is.is_some_and(|is| is.starts_with(bytes));
            assert!(was == Some(bytes) || is == Some(bytes) || is_part, "{what}: {name}: {}", bytes.escape_ascii());
        }
        assert!(temporary <= may_stay, "{what}: {temporary} temporary files are left");
        for name in old.keys().filter(|name| new.contains_key(*name)) {
            assert!(now.contains_key(name), "{what}: {name} is gone");
        }
    }

    /// Checks everything.
    fn holds(&self) {
        if !can_trace() {
            return;
        }
        let (whole, before) = (self.folder(), self.folder());
        let (reference, _) = self.run(whole.path(), &[]);
        let (old, new) = (tree(before.path()), tree(whole.path()));
        assert_ne!(old, new, "{:?} writes nothing", self.args);
        let (mut failed, mut killed) = (0, 0);
        for call in CALLS.iter().chain(&["read"]) {
            for n in 1.. {
                let error = if *call == "fsync" { "EIO" } else { "ENOSPC" };
                let fault = format!("inject={call}:error={error}:when={n}");
                let folder = self.folder();
                let (output, log) = self.run(folder.path(), &["-e", &format!("trace={call}"), "-e", &fault]);
                if !log.contains("(INJECTED)") {
                    break;
                }
                failed += 1;
                let says = log.lines().find(|line| line.contains("(INJECTED)")).unwrap();
                let is_read = *call == "read" || says.contains("\"a.jsonl\", O_RDONLY");
                let now = tree(folder.path());
                self.fails_well(&output, &reference, (&now, &old, &new), is_read, &fault);
            }
            if *call == "read" {
                continue;
            }
            for n in 1.. {
                let fault = format!("inject={call}:signal=KILL:when={n}");
                let folder = self.folder();
                let (output, _) = self.run(folder.path(), &["-e", &format!("trace={call}"), "-e", &fault]);
                if output.status.signal() != Some(9) {
                    break;
                }
                killed += 1;
                let what = format!("{:?}: {fault}", self.args);
                let now = tree(folder.path());
                let threads = if self.args.contains(&"-j2") { 2 } else { 1 };
                self.is_old_or_new(&now, (&old, &new), threads, &what);
                // It can be given again, and does the rest.
                let (again, _) = self.run(folder.path(), &[]);
                assert_eq!(again.status.code(), reference.status.code(), "{what}, again: {again:?}");
                let (mut now, left) = (tree(folder.path()), now);
                now.retain(|name, _| new.contains_key(name) || !left.contains_key(name));
                assert!(now == new, "{what}, again: {now:?}");
            }
        }
        assert!(failed > 10 && killed > 10, "{:?}: {failed} faults, {killed} kills", self.args);
        eprintln!("{:?}: {failed} faults, {killed} kills", self.args);
    }

    /// Checks a run in which one call failed. `is_read`: it was one that reads.
    fn fails_well(
        &self,
        output: &Output,
        reference: &Output,
        (now, old, new): (&Tree, &Tree, &Tree),
        is_read: bool,
        fault: &str,
    ) {
        let what = format!("{:?}: {fault}: {output:?}", self.args);
        // A report says what was found in what could be read.
        let reports = self.args.contains(&"--output-file") && is_read && output.status.code() == Some(4);
        if !reports {
            self.is_old_or_new(now, (old, new), 0, &what);
        }
        assert!(now.keys().all(|name| old.contains_key(name) || new.contains_key(name)), "{what}: {now:?}");
        match output.status.code() {
            // It does not matter: a message that stderr does not take, or a way around it.
            code if code == reference.status.code() => {
                assert!(now == new, "{what}: success, but {now:?}");
                assert!(output.stdout == reference.stdout, "{what}: success, but not all was written");
            }
            Some(4) => {
                let says = String::from_utf8_lossy(&output.stderr);
                let parts = old.keys().chain(new.keys()).flat_map(|name| name.split('/'));
                assert!(parts.chain(["standard output"]).any(|name| says.contains(name)), "{what}: no file is named");
            }
            // The program could not be loaded.
            Some(127) => assert!(now == old, "{what}"),
            _ => panic!("{what}"),
        }
    }
}

macro_rules! cases {
    ($($name:ident: $args:expr, $files:expr, $streams:expr;)*) => {
        $(#[test]
        fn $name() {
            Case { args: &$args, files: &$files, streams: &$streams }.holds();
        })*
    };
}

cases! {
    in_place: ["strip", "-i", "-j1", "a.jsonl", "b.jsonl"],
        [("a.jsonl", CONVERSATION), ("b.jsonl", CONVERSATION)], [];
    in_place_with_backups: ["strip", "-i.bak", "-j1", "a.jsonl"], [("a.jsonl", CONVERSATION)], [];
    in_place_by_two_threads: ["strip", "-i", "-j2", "a.jsonl", "b.jsonl"],
        [("a.jsonl", CONVERSATION), ("b.jsonl", CONVERSATION)], [];
    to_a_folder: ["--output-dir", "out", "-j1", "in"],
        [("in/a.jsonl", CONVERSATION), ("in/b/c.jsonl", CONVERSATION), ("out/a.jsonl", OLD)], [];
    over_an_output: ["a.jsonl", "-O", "out.jsonl"], [("a.jsonl", CONVERSATION), ("out.jsonl", OLD)], [];
    to_a_new_output: ["a.jsonl", "-O", "out.jsonl.gz"], [("a.jsonl", CONVERSATION)], [];
    losses: ["convert", "--to", "anthropic", "--report-loss", "loss.jsonl", "--output-dir", "out", "a.jsonl"],
        [("a.jsonl", "{\"role\":\"assistant\",\"reasoning\":\"It rains.\",\"content\":\"Take it.\",\"name\":\"x\"}\n"),
         ("loss.jsonl", OLD)], ["loss.jsonl"];
    rejects: ["a.jsonl", "--rejects", "bad.jsonl", "-O", "out.jsonl"],
        [("a.jsonl", DAMAGED), ("bad.jsonl", OLD)], ["bad.jsonl"];
    reasoning_apart: ["split", "--reasoning-to", "why.txt", "a.jsonl"],
        [("a.jsonl", CONVERSATION), ("why.txt", OLD)], ["why.txt"];
    reports: ["check", "--output-file", "sarif=out.sarif", "--output-file", "junit=new.xml", "a.jsonl"],
        [("a.jsonl", LEAK), ("out.sarif", OLD)], [];
    a_baseline: ["check", "--write-baseline", "base.json", "a.jsonl"], [("a.jsonl", LEAK), ("base.json", OLD)], [];
    a_page: ["show", "--html=page.html", "a.jsonl"], [("a.jsonl", CONVERSATION), ("page.html", OLD)], [];
}

/// What is tried above with two threads has them.
#[test]
fn jobs_are_threads() {
    if !can_trace() {
        return;
    }
    const FILES: &[(&str, &str)] = &[("a.jsonl", CONVERSATION), ("b.jsonl", CONVERSATION), ("c.jsonl", CONVERSATION)];
    let begun = |args| {
        let case = Case { args, files: FILES, streams: &[] };
        let folder = case.folder();
        let (output, log) = case.run(folder.path(), &["-e", "trace=clone,clone3"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        log.lines().filter(|line| line.contains("clone")).count()
    };
    assert_eq!(begun(&["-j1", "a.jsonl", "b.jsonl", "c.jsonl"]), 0);
    assert_eq!(begun(&["-j3", "a.jsonl", "b.jsonl", "c.jsonl"]), 3);
    assert_eq!(begun(&["-j8", "a.jsonl", "b.jsonl", "c.jsonl"]), 3);
}
