//! `strip --in-place`, `--dry-run` and `--diff`: files are rewritten whole or not at all, and what is told of a run is
//! what the run does.

use crate::support::*;
use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"a\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"a\"}\n";
const BAD: &str = "{\"role\":\"assistant\",\n";

fn strip(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.env_remove("CLICOLOR_FORCE").current_dir(folder).arg("strip").args(args);
    command
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Every file of testdata under several policies, with what `strip` writes of it.
fn stripped() -> Vec<(PathBuf, &'static [&'static str], Vec<u8>)> {
    let runs: [&[&str]; 4] =
        [&[], &["--policy", "all-but-last"], &["--policy", "none"], &["--redact", "--policy", "keep-last-1"]];
    let mut all = Vec::new();
    for (_, path) in testdata() {
        for args in runs {
            let ran = strip(&root(), args).arg(&path).assert().success().get_output().clone();
            // Unasked, no file is cut before a lone closing tag.
            if String::from_utf8_lossy(&ran.stderr).contains("closing tag without an opening one") {
                continue;
            }
            let out = ran.stdout;
            all.push((path.clone(), args, out));
        }
    }
    all
}

#[test]
fn no_file_is_cut_before_a_lone_closer_unasked() {
    let folder = TempDir::new().unwrap();
    let copy = folder.path().join("copy");
    let original = fs::read(root().join("testdata/text/prefilled.txt")).unwrap();
    fs::write(&copy, &original).unwrap();
    strip(folder.path(), &[]).args(["-i", "copy"]).assert().code(3);
    assert_eq!(fs::read(&copy).unwrap(), original);
    strip(folder.path(), &[]).args(["-i", "--start", "reasoning", "copy"]).assert().success();
    assert!(!fs::read_to_string(&copy).unwrap().contains("</think>"));
}

#[test]
fn a_file_becomes_what_strip_writes_of_it() {
    for (path, args, want) in stripped() {
        let folder = TempDir::new().unwrap();
        let copy = folder.path().join("copy");
        let original = fs::read(&path).unwrap();
        fs::write(&copy, &original).unwrap();
        let before = fs::metadata(&copy).unwrap();
        strip(folder.path(), args).args(["-i", "copy"]).assert().success().stdout(is_empty());
        assert_eq!(fs::read(&copy).unwrap(), want, "{} {args:?}", path.display());
        assert_eq!(names(folder.path()), ["copy"]);
        // What does not change is not written.
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            assert_eq!(fs::metadata(&copy).unwrap().ino() == before.ino(), want == original, "{}", path.display());
        }
        let _ = before;
    }
}

#[test]
fn the_old_file_is_kept_with_a_suffix() {
    for suffix in ["-i.bak", "--in-place=.bak", "-i=.bak"] {
        let folder = folder(&[("a", LINE), ("b", STRIPPED)]);
        let states = "unthink: note: a: changed; 1 block, 16 bytes removed\nunthink: note: b: clean\n\
                      unthink: note: 2 files: 1 changed, 1 clean, 0 left, in less than 1 s: 1 block, 16 bytes removed\n";
        strip(folder.path(), &[suffix, "a", "b"]).assert().success().stderr(states);
        assert_eq!(names(folder.path()), ["a", "a.bak", "b"]);
        assert_eq!((read(folder.path(), "a"), read(folder.path(), "a.bak")), (STRIPPED.into(), LINE.into()));
        // Nothing changes, so that no backup is made.
        strip(folder.path(), &[suffix, "a"]).assert().success().stderr("unthink: note: a: clean\n");
        strip(folder.path(), &[suffix, "-q", "a"]).assert().success().stderr("");
        // One that is there already is not overwritten.
        fs::write(folder.path().join("a"), LINE.repeat(2)).unwrap();
        for args in [&[suffix, "--dry-run", "a"][..], &[suffix, "a"]] {
            let message = "unthink: error: a: backup ";
            strip(folder.path(), args).assert().code(4).stderr(contains(message).and(contains("not overwritten")));
        }
        assert_eq!((read(folder.path(), "a"), read(folder.path(), "a.bak")), (LINE.repeat(2), LINE.into()));
        assert_eq!(names(folder.path()), ["a", "a.bak", "b"]);
    }
    let folder = folder(&[("a", LINE)]);
    strip(folder.path(), &["--in-place=", "a"]).assert().success();
    assert_eq!(names(folder.path()), ["a"]);
    strip(folder.path(), &["-i.d/x", "a"]).assert().code(2).stderr(contains("suffix"));
}

#[test]
fn what_cannot_be_rewritten_is_left_and_does_not_stop_the_others() {
    let folder = folder(&[("a", LINE), ("two", LINE)]);
    fs::hard_link(folder.path().join("two"), folder.path().join("names")).unwrap();
    let left = || {
        contains("unthink: error: two: --in-place would rewrite one of 2 names").and(contains(
            "unthink: note: 2 files: 1 changed, 0 clean, 1 left, in less than 1 s: 1 block, 16 bytes removed",
        ))
    };
    strip(folder.path(), &["-i", "--dry-run", "two", "a"])
        .assert()
        .code(3)
        .stdout("1\t16\ta\tchanged\n")
        .stderr(left());
    strip(folder.path(), &["-i", "two", "a"]).assert().code(3).stdout(is_empty()).stderr(left());
    assert_eq!((read(folder.path(), "a"), read(folder.path(), "two")), (STRIPPED.into(), LINE.into()));
    #[cfg(unix)]
    strip(folder.path(), &["-i", "/dev/null"]).assert().code(3).stderr(contains("regular files"));
    // What the system does not have or allow is another status.
    fs::write(folder.path().join("a"), LINE).unwrap();
    strip(folder.path(), &["-i", "missing", "two", "a"]).assert().code(4).stderr(contains("missing: No such file"));
    assert_eq!(read(folder.path(), "a"), STRIPPED);
    // Standard input and --diff are wrong usage, and nothing is done.
    fs::write(folder.path().join("a"), LINE).unwrap();
    for args in [&["-i", "a", "-"][..], &["-i", "--dry-run", "a", "-"], &["-i"]] {
        strip(folder.path(), args).write_stdin(LINE).assert().code(2).stderr(contains("standard input"));
    }
    strip(folder.path(), &["-i", "--diff", "a"]).assert().code(2);
    assert_eq!(read(folder.path(), "a"), LINE);
}

/// A compressed file stays compressed, and nothing else of it changes.
#[test]
fn a_compressed_file_is_rewritten_compressed() {
    let long = "{\"role\":\"user\",\"content\":\"q\"}\n".repeat(20_000);
    let text = format!("{long}{LINE}{long}");
    let stripped = format!("{long}{STRIPPED}{long}");
    let packed = |text: &str| [("a.gz", gz(text.as_bytes())), ("b.zst", zstd::encode_all(text.as_bytes(), 1).unwrap())];
    let unpacked = |folder: &Path, name: &str| {
        let file = fs::File::open(folder.join(name)).unwrap();
        match name.ends_with("gz") {
            true => std::io::read_to_string(flate2::read::MultiGzDecoder::new(file)),
            false => std::io::read_to_string(zstd::Decoder::new(file).unwrap()),
        }
        .unwrap()
    };
    let folder = TempDir::new().unwrap();
    let write = |text: &str, cut: usize| {
        for (name, bytes) in packed(text) {
            fs::write(folder.path().join(name), &bytes[..bytes.len() - cut]).unwrap();
        }
    };
    write(&text, 0);
    let states = "unthink: note: a.gz: changed; 1 block, 16 bytes removed\nunthink: note: b.zst: changed; 1 block, \
                  16 bytes removed\n";
    let dry = strip(folder.path(), &["-i", "--dry-run", "a.gz", "b.zst"]).assert().success();
    dry.stdout("1\t16\ta.gz\tchanged\n1\t16\tb.zst\tchanged\n");
    strip(folder.path(), &["-i.bak", "a.gz", "b.zst"]).assert().success().stderr(predicates::str::starts_with(states));
    for (name, bytes) in packed(&text) {
        assert_eq!(unpacked(folder.path(), name), stripped, "{name}");
        assert_eq!(fs::read(folder.path().join(format!("{name}.bak"))).unwrap(), bytes, "{name}");
    }
    // Clean files and damaged ones are not written.
    for (text, cut, status) in [(&stripped, 0, 0), (&text, 5, 3)] {
        write(text, cut);
        let before = ["a.gz", "b.zst"].map(|name| fs::read(folder.path().join(name)).unwrap());
        for more in [&[][..], &["--on-error", "pass", "--allow-unstripped"]] {
            strip(folder.path(), &["-i", "a.gz", "b.zst"]).args(more).assert().code(status);
            assert_eq!(["a.gz", "b.zst"].map(|name| fs::read(folder.path().join(name)).unwrap()), before, "{more:?}");
        }
    }
    assert_eq!(names(folder.path()), ["a.gz", "a.gz.bak", "b.zst", "b.zst.bak"]);
}

#[test]
fn a_file_that_is_not_understood_stays_as_it_is() {
    let bad = format!("{LINE}{BAD}");
    let run = |args: &[&str], status: i32, want: &str| {
        let folder = folder(&[("a", LINE), ("bad", &bad), ("c", LINE)]);
        let assert = strip(folder.path(), &["-i"]).args(args).args(["a", "bad", "c"]).assert().code(status);
        assert_eq!(read(folder.path(), "a"), STRIPPED, "{args:?}");
        assert_eq!(read(folder.path(), "bad"), want, "{args:?}");
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        (read(folder.path(), "c"), stderr, folder)
    };
    let (c, stderr, _) = run(&[], 3, &bad);
    assert_eq!(c, STRIPPED);
    assert!(stderr.contains("\nunthink: error: bad: left as it is: 1 of 2 records could not be understood\n"));
    assert!(stderr.ends_with("unthink: 1 of 4 records not processed (3 read, 0 foreign, 0 suspect, 1 damaged)\n"));
    let (_, _, folder) = run(&["--rejects", "rejects"], 3, &bad);
    assert_eq!(read(folder.path(), "rejects"), BAD);
    assert_eq!(run(&["--on-error", "stop"], 3, &bad).0, LINE);
    let passed = format!("{STRIPPED}{BAD}");
    run(&["--on-error", "pass", "--allow-unstripped"], 3, &passed);
    // What may be reasoning in a format that is not read, and what is no text.
    let foreign = "{\"talk\":[{\"inner\":{\"reasoning\":\"First r, then more of it.\"}}]}\n";
    let both = format!("{LINE}{foreign}");
    let before = "{\"role\":\"user\",\"content\":\"q\"}\n".repeat(5);
    let undecided = format!("{before}{LINE}{before}");
    for (text, args, status, want) in [
        (&both, &[][..], 3, &both),
        (&both, &["--foreign", "pass"], 0, &format!("{STRIPPED}{foreign}")),
        (
            &"<think>r</think>a\0b\n".to_string(),
            &["--on-error", "pass", "--allow-unstripped"],
            3,
            &"<think>r</think>a\0b\n".to_string(),
        ),
        (
            &undecided,
            &["--policy", "all-but-last", "--max-record", "100", "--on-error", "pass", "--allow-unstripped"],
            3,
            &undecided,
        ),
    ] {
        let folder = self::folder(&[("a", text)]);
        strip(folder.path(), &["-i", "a"]).args(args).assert().code(status);
        assert_eq!(&read(folder.path(), "a"), want, "{args:?}");
        assert_eq!(names(folder.path()), ["a"]);
    }
}

#[test]
#[cfg(unix)]
fn links_permissions_and_attributes_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("a", LINE)]);
    let path = folder.path().join("a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir(folder.path().join("links")).unwrap();
    symlink("../a", folder.path().join("links/link")).unwrap();
    #[cfg(target_os = "linux")]
    let marked = rustix::fs::setxattr(&path, "user.unthink", b"1", rustix::fs::XattrFlags::empty()).is_ok();
    strip(folder.path(), &["-i.bak", "links/link"]).assert().success();
    assert!(folder.path().join("links/link").is_symlink());
    assert_eq!(read(folder.path(), "a"), STRIPPED);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
    assert_eq!(
        (names(folder.path()), names(&folder.path().join("links"))),
        (vec!["a".into(), "a.bak".into(), "links".into()], vec!["link".into()],)
    );
    #[cfg(target_os = "linux")]
    if marked {
        let mut value = [0; 8];
        assert_eq!(rustix::fs::getxattr(&path, "user.unthink", &mut value[..]).unwrap(), 1);
    }
    // A file that may not be written is not replaced either.
    fs::write(&path, LINE).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
    strip(folder.path(), &["-i", "a"]).assert().code(4).stderr(contains("a: the file cannot be written"));
    assert_eq!(read(folder.path(), "a"), LINE);
    // Nor is one whose directory may not be, which is no limit for root.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o550)).unwrap();
    if fs::write(folder.path().join("x"), "").is_err() {
        strip(folder.path(), &["-i", "a"]).assert().code(4).stderr(contains("a: a temporary file in "));
        assert_eq!(read(folder.path(), "a"), LINE);
    }
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o750)).unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_and_a_kill_leave_the_file() {
    let long = "{\"role\":\"user\",\"content\":\"q\"}\n".repeat(40_000);
    let text = format!("{LINE}{long}");
    let folder = folder(&[("a", &text)]);
    // No file may be longer than 512 KiB, and writing more is an error.
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" strip -i.bak a";
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", script, env!("CARGO_BIN_EXE_unthink")]);
    shell.assert().code(4).stdout(is_empty()).stderr(contains("a: write the temporary file: File too large"));
    assert_eq!(read(folder.path(), "a"), text);
    assert_eq!(names(folder.path()), ["a"]);
    for milliseconds in [5, 20, 60] {
        let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
            .current_dir(folder.path())
            .args(["strip", "-i", "a"])
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = read(folder.path(), "a");
        assert!(now == text || now == format!("{STRIPPED}{long}"), "{} bytes", now.len());
        fs::write(folder.path().join("a"), &text).unwrap();
    }
}

#[test]
fn a_dry_run_tells_what_would_go() {
    let bad = format!("{LINE}{BAD}");
    let files = [("a", LINE), ("b c", STRIPPED), ("bad", bad.as_str()), ("t\tt", "<think>r</think>a\n")];
    let folder = folder(&files);
    let gone = LINE.len() - STRIPPED.len();
    let run = |args: &[&str]| {
        let mut command = strip(folder.path(), &["--dry-run", "--rejects", "rejects"]);
        let out = command.args(args).args(["a", "b c", "bad", "t\tt"]).assert().code(3).get_output().clone();
        assert_eq!(names(folder.path()), ["a", "b c", "bad", "t\tt"]);
        files.iter().for_each(|(name, text)| assert_eq!(read(folder.path(), name), *text));
        (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    let (out, err) = run(&[]);
    let why = "left: 1 of 2 records could not be understood";
    assert_eq!(
        out,
        format!("1\t{gone}\ta\tchanged\n0\t0\tb c\tclean\n1\t{gone}\tbad\t{why}\n1\t16\t\"t\\tt\"\tchanged\n")
    );
    assert!(!err.contains("left as it is"), "{err}");
    let sum = |blocks, bytes| {
        format!(
            "unthink: note: 4 files: 2 changed, 1 clean, 1 left, in less than 1 s: {blocks} blocks, {bytes} bytes removed\n"
        )
    };
    assert!(err.contains(&sum(3, 2 * gone + 16)), "{err}");
    let (out, err) = run(&["-i"]);
    assert_eq!(out, format!("1\t{gone}\ta\tchanged\n0\t0\tb c\tclean\n0\t0\tbad\t{why}\n1\t16\t\"t\\tt\"\tchanged\n"));
    assert!(err.contains("bad: left as it is: 1 of 2"), "{err}");
    assert!(err.contains(&sum(2, gone + 16)), "{err}");
    let run = strip(folder.path(), &["--dry-run"]).write_stdin(LINE).assert().success();
    run.stdout(format!("1\t{gone}\t-\tchanged\n")).stderr("");
}

/// Runs a program on a diff, if it is there.
fn applied(folder: &Path, diff: &[u8], program: &str, args: &[&str]) -> bool {
    if Process::new(program).arg("--version").output().is_err() {
        eprintln!("skipped: {program} is not there");
        return false;
    }
    let mut command = Command::new(program);
    let out = command.current_dir(folder).env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap()).args(args);
    let out = out.write_stdin(diff).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(out.status.success(), "{program}: {}{}\n{}", text(&out.stdout), text(&out.stderr), text(diff));
    true
}

#[test]
fn a_diff_makes_what_strip_writes() {
    for (path, args, want) in stripped() {
        for more in [&[][..], &["--max-record", "2000"]] {
            let folder = TempDir::new().unwrap();
            let copy = folder.path().join("a copy");
            let original = fs::read(&path).unwrap();
            fs::write(&copy, &original).unwrap();
            let mut command = strip(folder.path(), args);
            let out = command.args(["--diff", "a copy"]).args(more).output().unwrap();
            if out.status.code() != Some(0) {
                // The smaller limit is one on records, too.
                assert!(!more.is_empty(), "{}", path.display());
                continue;
            }
            assert_eq!(out.stdout.is_empty(), want == original, "{}", path.display());
            if out.stdout.is_empty() {
                continue;
            }
            if applied(folder.path(), &out.stdout, "patch", &["-s", "-p0", "-F0"]) {
                assert_eq!(fs::read(&copy).unwrap(), want, "{} {args:?}", path.display());
                fs::write(&copy, &original).unwrap();
            }
            let lines: &[&str] = if more.is_empty() { &[] } else { &["--unidiff-zero"] };
            if applied(folder.path(), &out.stdout, "git", &[&["apply", "-p0", "--whitespace=nowarn"], lines].concat()) {
                assert_eq!(fs::read(&copy).unwrap(), want, "{} {args:?}", path.display());
            }
        }
    }
}

#[test]
fn a_diff_of_what_is_not_understood_leaves_it() {
    let folder = folder(&[("a", &format!("{LINE}{BAD}{LINE}")), ("b\nc", LINE), ("cut", &format!("{LINE}data: {{"))]);
    let line = LINE.trim_end();
    let stripped = STRIPPED.trim_end();
    let bad = BAD.trim_end();
    let want = format!(
        "--- a\n+++ a\n@@ -1,3 +1,3 @@\n-{line}\n+{stripped}\n {bad}\n-{line}\n+{stripped}\n\
         --- \"b\\nc\"\n+++ \"b\\nc\"\n@@ -1 +1 @@\n-{line}\n+{stripped}\n"
    );
    let err = contains("a:2: byte").and(contains("(left as it is)")).and(contains("1 of 4 records"));
    strip(folder.path(), &["--diff", "a", "b\nc", "--rejects", "r"]).assert().code(3).stdout(want).stderr(err);
    assert!(!folder.path().join("r").exists());
    let color = strip(folder.path(), &["--diff", "b\nc", "--color", "always"]).assert().success();
    color.stdout(contains(format!("\x1b[31m-{line}\x1b[0m\n\x1b[32m+{stripped}\x1b[0m\n")));
    // Where reading ends early, the rest is as it was.
    let stopped = strip(folder.path(), &["--diff", "--on-error", "stop", "a"]).assert().code(3);
    stopped.stdout(format!("--- a\n+++ a\n@@ -1,3 +1,3 @@\n-{line}\n+{stripped}\n {bad}\n {line}\n"));
    let stdin = strip(folder.path(), &["--diff"]).write_stdin("<think>\nr\n</think>\na").assert().success();
    stdin.stdout("--- -\n+++ -\n@@ -1,4 +1 @@\n-<think>\n-r\n-</think>\n a\n\\ No newline at end of file\n");
}

/// What became of each file, in every mode; refused bytes were not removed.
#[test]
fn every_file_has_a_state() {
    let bad = format!("{LINE}{BAD}");
    let files = [("a", LINE), ("b", STRIPPED), ("bad", bad.as_str())];
    let gone = LINE.len() - STRIPPED.len();
    let told = |args: &[&str]| {
        let folder = folder(&files);
        let run = strip(folder.path(), args).args(["a", "b", "bad"]).assert().code(3);
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    };
    let numbers =
        |removed: u64, bytes: usize, of: usize| format!("{removed} of 1 blocks removed, {bytes} bytes of {of}; ");
    let why = "1 of 2 records could not be understood";
    for (args, a, bad_one, sums) in [
        (
            &["--stats"][..],
            format!("unthink: a: changed; {}", numbers(1, gone, LINE.len())),
            format!("unthink: bad: left: {why}; {}", numbers(1, gone, bad.len())),
            "unthink: 3 files: 1 changed, 1 clean, 1 left, in less than 1 s: 2 blocks, ",
        ),
        (
            &["--stats", "-q"],
            format!("unthink: a: changed; {}", numbers(1, gone, LINE.len())),
            format!("unthink: bad: left: {why}; {}", numbers(1, gone, bad.len())),
            "unthink: 3 files: 1 changed, 1 clean, 1 left, in less than 1 s: 2 blocks, ",
        ),
        (
            &["--stats", "-i"],
            format!("unthink: a: changed; {}", numbers(1, gone, LINE.len())),
            format!("unthink: bad: left: {why}; {}", numbers(0, 0, bad.len())),
            "unthink: 3 files: 1 changed, 1 clean, 1 left, in less than 1 s: 1 block, ",
        ),
        (
            &["-i"],
            format!("unthink: note: a: changed; 1 block, {gone} bytes removed\nunthink: note: b: clean\n"),
            format!("unthink: error: bad: left as it is: {why}\n"),
            "unthink: note: 3 files: 1 changed, 1 clean, 1 left, in less than 1 s: 1 block, ",
        ),
        (
            &["--diff"],
            format!("unthink: note: a: changed; 1 block, {gone} bytes removed\nunthink: note: b: clean\n"),
            format!("unthink: note: bad: left: {why}; 1 block, {gone} bytes removed\n"),
            "unthink: note: 3 files: 1 changed, 1 clean, 1 left, in less than 1 s: 2 blocks, ",
        ),
    ] {
        let err = told(args);
        assert!(err.contains(&a) && err.contains(&bad_one) && err.contains(sums), "{args:?}: {err}");
        let last = err.lines().last().unwrap();
        assert!(last.starts_with("unthink: 1 of 4 records not processed"), "{err}");
    }
    // What passes without being understood is not clean.
    let folder = folder(&[("bad", BAD)]);
    let run = strip(folder.path(), &["-i", "--on-error", "pass", "--allow-unstripped", "bad"]).assert().code(3);
    run.stderr(contains("bad: left: 1 of 1 records could not be understood"));
}
