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
