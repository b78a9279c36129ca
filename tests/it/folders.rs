//! Files and folders in every verb: what is found, in which order, and where what is made of it goes.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::{contains, is_empty};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"a\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"a\"}\n";

fn unthink(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").current_dir(folder);
    command
}

fn said(text: &str) -> String {
    format!("{{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"{text}\"}}\n")
}

/// A tree of files. What each message says is the name of its file.
fn tree(names: &[&str]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for name in names {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, said(name)).unwrap();
    }
    dir
}

/// The names of the files that were read, in order.
fn read(command: &mut Command) -> Vec<String> {
    let out = String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap();
    out.lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let said = value.get("content").or(value.get("visible")).unwrap();
            assert!(value.get("file").is_none_or(|file| file == said), "{line}");
            said.as_str().unwrap().to_string()
        })
        .collect()
}

#[test]
fn every_verb_walks_folders_by_name() {
    let dir = tree(&["z.json", "b/x.jsonl", "a.log", "b.txt", "c.rs", ".h.json", "b/.git/d.json"]);
    let all = ["a.log", "b/x.jsonl", "b.txt", "z.json"];
    for verb in [&["strip"][..], &["split"], &[], &["strip", "--recursive"], &["split", "-r"]] {
        assert_eq!(read(unthink(dir.path()).args(verb).arg(".")), all, "{verb:?}");
    }
    let converted = unthink(dir.path()).args(["convert", "--to", "deepseek", "b", "a.log"]).assert().success();
    converted.stdout(
        "{\"role\":\"assistant\",\"reasoning_content\":\"r\",\"content\":\"b/x.jsonl\"}\n\
                      {\"role\":\"assistant\",\"reasoning_content\":\"r\",\"content\":\"a.log\"}\n",
    );
    let counted = unthink(dir.path()).args(["tokens", "b"]).assert().success();
    counted.stdout(predicates::str::starts_with("{\"file\":\"b/x.jsonl\","));
    let drawn = unthink(dir.path()).args(["show", "b"]).assert().success();
    drawn.stdout(contains("b/x.jsonl"));
    // One file of a folder has its name, too, and what is found is read once.
    assert_eq!(read(unthink(dir.path()).args(["split", "b"])), ["b/x.jsonl"]);
    assert_eq!(read(unthink(dir.path()).args(["split", "b/x.jsonl", "b", "z.json"])), ["b/x.jsonl", "z.json"]);
    assert_eq!(read(unthink(dir.path()).args(["split", "b", "b/x.jsonl"])), ["b/x.jsonl"]);
    // What became of files that nobody named is told.
    let note = "unthink: note: 2 files: 2 changed, 0 clean, 0 left, in less than 1 s: 2 blocks, 32 bytes removed\n";
    for args in [&["strip", "b", "z.json"][..], &["b", "z.json"]] {
        unthink(dir.path()).args(args).assert().success().stderr(note);
        unthink(dir.path()).args(args).arg("-q").assert().success().stderr("");
    }
    unthink(dir.path()).args(["b.txt", "z.json"]).assert().success().stderr("");
    // A file that is named twice is read twice, as before.
    assert_eq!(read(unthink(dir.path()).args(["split", "z.json", "z.json"])), ["z.json", "z.json"]);
}

#[test]
fn ignore_files_globs_and_hidden_files() {
    let dir = tree(&["a.json", "b.json", "c.dump", ".h.json", "sub/d.json", "sub/e.json", "node/x.json"]);
    fs::write(dir.path().join(".gitignore"), "node/\n").unwrap();
    fs::write(dir.path().join(".unthinkignore"), "sub/d.json\n").unwrap();
    for (args, want) in [
        (&[][..], &["a.json", "b.json", "sub/e.json"][..]),
        (&["--hidden"], &[".h.json", "a.json", "b.json", "sub/e.json"]),
        (&["-g", "*.dump"], &["c.dump"]),
        (&["-g", "!b*"], &["a.json", "sub/e.json"]),
        (&["-g", "*.dump", "--glob", "*.json", "-g", "!sub/**"], &["a.json", "b.json", "c.dump"]),
        (&["--no-ignore"], &["a.json", "b.json", "node/x.json", "sub/d.json", "sub/e.json"]),
    ] {
        for verb in ["strip", "split"] {
            assert_eq!(read(unthink(dir.path()).arg(verb).args(args).arg(".")), want, "{verb} {args:?}");
        }
    }
    // What is named is read.
    assert_eq!(
        read(unthink(dir.path()).args([".h.json", "c.dump", "node/x.json"])),
        [".h.json", "c.dump", "node/x.json"]
    );
    unthink(dir.path()).args(["-g", "{a", "."]).assert().code(2).stderr(contains("--glob"));
    for verb in ["strip", "split", "tokens", "show"] {
        let run = unthink(dir.path()).args([verb, "-g", "*.none", "."]).assert().code(3).stdout(is_empty());
        run.stderr(contains("unthink: error: .: no file to read in this folder: nothing in it is left by --glob"));
    }
}

#[test]
fn a_list_names_files() {
    let dir = tree(&["a.json", "b c.json", "sub/d.json", "sub/e\nf.json"]);
    fs::write(dir.path().join("list"), "b c.json\n\nsub/d.json\na.json\n").unwrap();
    let three = ["b c.json", "sub/d.json", "a.json"];
    assert_eq!(read(unthink(dir.path()).args(["strip", "--files-from", "list"])), three);
    assert_eq!(
        read(unthink(dir.path()).args(["--files-from", "-"]).write_stdin("b c.json\nsub/d.json\na.json")),
        three
    );
    let list = "sub/d.json\0b c.json\0";
    let run = read(unthink(dir.path()).args(["split", "--files-from", "-", "-0"]).write_stdin(list));
    assert_eq!(run, ["sub/d.json", "b c.json"]);
    let none = unthink(dir.path()).args(["strip", "--files-from", "-"]).write_stdin("").assert().success();
    none.stdout(is_empty()).stderr("unthink: warning: nothing was read: the list of files is empty\n");
    unthink(dir.path())
        .args(["tokens", "--files-from", "missing"])
        .assert()
        .code(4)
        .stderr(contains("missing: No such"));
    unthink(dir.path()).args(["strip", "--files-from", "-", "-"]).assert().code(2).stderr(contains("both the list"));
    unthink(dir.path()).args(["strip", "-0"]).assert().code(2).stderr(contains("--files-from"));
}

/// A folder holds other files, too. What only reads leaves them out, and counts them; what writes says what it did.
#[test]
fn other_files_of_a_folder_are_skipped_and_counted() {
    let dir = tree(&["a.json"]);
    fs::write(dir.path().join("b.log"), "\0\u{1}\u{2}text").unwrap();
    fs::write(dir.path().join("c.json"), "{\"name\":\"a package\",\"version\":\"1\"}\n").unwrap();
    fs::write(dir.path().join("image.txt"), b"\x89PNG\r\n\x1A\n\0\0").unwrap();
    let note = "unthink: note: 3 files skipped: not text, or in no format that is read (-v names them)\n";
    for args in [&["split"][..], &["tokens"], &["show"], &["split", "-o", "text"]] {
        unthink(dir.path()).args(args).arg(".").assert().success().stderr(note);
    }
    assert_eq!(read(unthink(dir.path()).args(["split", "."])), ["a.json"]);
    let named = unthink(dir.path()).args(["split", "-v", "."]).assert().success();
    named.stderr(contains("b.log: not text, skipped").and(contains("c.json: no conversation in 1 of 1 records")));
    // A file that is named is read.
    unthink(dir.path()).args(["split", "b.log"]).assert().code(3).stderr(contains("NUL bytes"));
    unthink(dir.path()).arg(".").assert().code(3).stderr(contains("b.log:1: ").and(contains("an image")));
    // A log with zeros at its end, as after a crash, is a log.
    fs::write(dir.path().join("b.log"), format!("{LINE}\0\0\0\n")).unwrap();
    unthink(dir.path()).args(["split", "."]).assert().code(3).stderr(contains("b.log:2: "));
    unthink(dir.path()).arg("b.log").assert().code(3).stdout(STRIPPED);
}

/// The files of a folder and their contents, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_string();
            let file = fs::File::open(&path).unwrap();
            let text = match name.rsplit('.').next() {
                Some("gz") => std::io::read_to_string(flate2::read::MultiGzDecoder::new(file)),
                Some("zst") => std::io::read_to_string(zstd::Decoder::new(file).unwrap()),
                _ => std::io::read_to_string(file),
            };
            found.push((name, text.unwrap()));
        }
    }
    found.sort();
    found
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut encoder, bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_tree_is_written_with_its_folders_and_compression() {
    let dir = tree(&["logs/z.json", "logs/sub/x.jsonl", "other/b.json"]);
    fs::write(dir.path().join("logs/sub/c.jsonl.gz"), gz(LINE.as_bytes())).unwrap();
    fs::write(dir.path().join("logs/d.jsonl.zst"), zstd::encode_all(LINE.as_bytes(), 1).unwrap()).unwrap();
    fs::write(dir.path().join("logs/clean.json"), STRIPPED).unwrap();
    fs::write(dir.path().join("logs/bad.json"), format!("{LINE}{{\"role\":\n")).unwrap();
    let stripped = |name: &str| said(name).replace("\"reasoning\":\"r\",", "");
    let run = unthink(dir.path()).args(["strip", "logs", "other/b.json", "--output-dir", "out/new"]).assert().code(3);
    run.stdout(is_empty()).stderr(
        contains("unthink: error: logs/bad.json: not written: 1 of 2 records could not be understood\n")
            .and(contains("unthink: note: 7 files: 5 changed, 1 clean, 1 left, in less than 1 s: ")),
    );
    let mut want = vec![
        ("b.json".into(), stripped("other/b.json")),
        ("clean.json".into(), STRIPPED.to_string()),
        ("d.jsonl.zst".into(), STRIPPED.to_string()),
        ("sub/c.jsonl.gz".into(), STRIPPED.to_string()),
        ("sub/x.jsonl".into(), stripped("logs/sub/x.jsonl")),
        ("z.json".into(), stripped("logs/z.json")),
    ];
    assert_eq!(files(&dir.path().join("out/new")), want);
    // Again, over what is there; without a command; and where the folder stands in the one that is read.
    unthink(dir.path())
        .args(["-q", "logs", "other/b.json", "--output-dir", "out/new"])
        .assert()
        .code(3)
        .stderr(contains("bad.json"));
    assert_eq!(files(&dir.path().join("out/new")), want);
    want.remove(0);
    for _ in 0..2 {
        unthink(dir.path()).args(["logs", "--output-dir", "logs/clean"]).assert().code(3);
        assert_eq!(files(&dir.path().join("logs/clean")), want);
    }
    // A record that passes does not keep its file from being written.
    let pass = ["logs/bad.json", "--output-dir", "out/passed", "--on-error", "pass", "--allow-unstripped"];
    unthink(dir.path()).args(pass).assert().code(3);
    assert_eq!(files(&dir.path().join("out/passed")), [("bad.json".into(), format!("{STRIPPED}{{\"role\":\n"))]);
    // A list names files from the current folder, and so do the files that are made of them.
    let list = "logs/z.json\nother/b.json\n";
    let run = unthink(dir.path())
        .args(["convert", "--to", "deepseek", "--files-from", "-", "--output-dir", "out/list"])
        .write_stdin(list)
        .assert()
        .success();
    run.stdout(is_empty()).stderr(contains("2 files: 2 changed, 0 clean, 0 left"));
    let names: Vec<String> = files(&dir.path().join("out/list")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["logs/z.json", "other/b.json"]);
}

#[test]
fn no_input_is_overwritten_and_no_output_twice() {
    let dir = tree(&["a/x.json", "b/x.json"]);
    for (args, says) in [
        (
            &["a/x.json", "b/x.json", "--output-dir", "out"][..],
            "a/x.json and b/x.json would both be written to out/x.json",
        ),
        (&["a", "b", "--output-dir", "out"], "would both be written"),
        (&["a", "--output-dir", "a"], "a/x.json: the file is read, and would be overwritten"),
        (&["a/x.json", "b", "--output-dir", "a"], "would be overwritten"),
        (&["-", "--output-dir", "out"], "standard input has no name for a file (-O FILE writes one)"),
        (&["strip", "-i", "a", "--output-dir", "out"], "does not go with"),
        (&["strip", "-i", "a", "-O", "out"], "does not go with"),
        (&["strip", "--diff", "a", "--output-dir", "out"], "does not go with"),
        (&["strip", "a", "--output-dir", "out", "-O", "out"], "does not go with"),
        (&["a/x.json", "-O", "a/x.json"], "a/x.json: the file is read, and would be overwritten"),
        (&["split", "a/x.json", "-O", "out", "--output-dir", "out"], "split has no option --output-dir"),
    ] {
        let run = unthink(dir.path()).args(args).write_stdin(LINE).assert().code(2).stdout(is_empty());
        run.stderr(contains(says));
        assert_eq!(files(dir.path()).len(), 2, "{args:?}");
    }
    fs::write(dir.path().join("file"), "").unwrap();
    unthink(dir.path()).args(["a", "--output-dir", "file/out"]).assert().code(4).stdout(is_empty());
    assert_eq!(files(&dir.path().join("a")), [("x.json".to_string(), said("a/x.json"))]);
}

#[test]
fn one_file_takes_the_output_of_every_verb() {
    let dir = tree(&["a.json", "b.json"]);
    for args in [
        &["strip"][..],
        &[],
        &["convert", "--to", "deepseek"],
        &["split"],
        &["split", "-o", "prometheus"],
        &["tokens", "-o", "json", "--total"],
        &["tokens"],
        &["show"],
        &["show", "--html"],
        &["strip", "--diff"],
        &["strip", "--dry-run"],
    ] {
        let run = |more: &[&str]| {
            let run = unthink(dir.path()).args(args).args(["a.json", "b.json"]).args(more).assert().success();
            run.get_output().stdout.clone()
        };
        let want = run(&[]);
        assert!(!want.is_empty() && run(&["-O", "-"]) == want, "{args:?}");
        for name in ["out", "out.gz", "out.zst"] {
            assert!(run(&["-O", name]).is_empty(), "{args:?}");
            let of = |(found, _): &&(String, String)| found == name;
            let all = files(dir.path());
            assert_eq!(all.iter().find(of).unwrap().1.as_bytes(), want, "{args:?} {name}");
        }
        ["out", "out.gz", "out.zst"].iter().for_each(|name| fs::remove_file(dir.path().join(name)).unwrap());
    }
    // A file that is not read leaves the others; without any, the old file stays.
    unthink(dir.path()).args(["missing", "a.json", "-O", "out"]).assert().code(4);
    let want = said("a.json").replace("\"reasoning\":\"r\",", "");
    assert_eq!(fs::read_to_string(dir.path().join("out")).unwrap(), want);
    unthink(dir.path()).args(["missing", "--output-file", "out"]).assert().code(4);
    assert_eq!(fs::read_to_string(dir.path().join("out")).unwrap(), want);
    unthink(dir.path())
        .args(["a.json", "-O", "none/out"])
        .assert()
        .code(4)
        .stderr(contains("write none/out: No such file"));
}

/// A folder for output is complete or not there, file by file, however the run ends.
#[test]
#[cfg(target_os = "linux")]
fn a_kill_and_a_full_disk_leave_no_half_of_a_file() {
    let dir = TempDir::new().unwrap();
    let text = format!("{LINE}{}", "{\"role\":\"user\",\"content\":\"q\"}\n".repeat(60_000));
    let want = text.replace(LINE, STRIPPED);
    fs::write(dir.path().join("a.json"), &text).unwrap();
    for to in [&["--output-dir", "out"][..], &["-O", "out/a.json"]] {
        fs::create_dir(dir.path().join("out")).unwrap();
        let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" a.json \"$@\"";
        let mut shell = Command::new("sh");
        shell.current_dir(dir.path()).args(["-c", script, env!("CARGO_BIN_EXE_unthink")]).args(to);
        shell.assert().code(4).stdout(is_empty()).stderr(contains("write out/a.json: File too large"));
        assert_eq!(files(&dir.path().join("out")), []);
        for milliseconds in [2, 10, 40] {
            let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_unthink"))
                .current_dir(dir.path())
                .arg("a.json")
                .args(to)
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(milliseconds));
            child.kill().unwrap();
            child.wait().unwrap();
            let found = files(&dir.path().join("out"));
            assert!(found.is_empty() || found == [("a.json".to_string(), want.clone())], "{} files", found.len());
        }
        fs::remove_dir_all(dir.path().join("out")).unwrap();
    }
}
