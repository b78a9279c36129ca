//! Which files are read, and under which names.

use super::*;
use predicates::str::contains;
use std::io::Write;
use tempfile::TempDir;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn stdin_has_a_name() {
    let dir = TempDir::new().unwrap();
    for args in [&[][..], &["-"]] {
        assert_eq!(hit(leaks(dir.path()).args(args).write_stdin(LEAK)), ["<stdin>"]);
    }
}

/// The order is that of the names, whatever the file system says.
#[test]
fn a_folder_is_searched_by_name() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["z.json", "b/x.jsonl", "a.log", "b.txt", "B.NDJSON", "b/y.md", "c.rs", "d", "e.json.bak"]);
    fs::write(dir.path().join("f.jsonl.gz"), gz(LEAK.as_bytes())).unwrap();
    fs::write(dir.path().join("g.csv.zst"), zstd::encode_all(LEAK.as_bytes(), 0).unwrap()).unwrap();
    let all = ["B.NDJSON", "a.log", "b/x.jsonl", "b/y.md", "b.txt", "f.jsonl.gz", "g.csv.zst", "z.json"];
    for root in [".", "./"] {
        assert_eq!(hit(leaks(dir.path()).arg(root)), all);
    }
    assert_eq!(hit(leaks(dir.path()).arg("b/")), ["b/x.jsonl", "b/y.md"]);
}

#[test]
fn a_file_is_read_once() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a/x.json", "a/y.json"]);
    assert_eq!(hit(leaks(dir.path()).args(["a/y.json", "./a", "a/x.json", "./a/y.json"])), ["a/y.json", "a/x.json"]);
    let absolute = dir.path().join("a/x.json");
    let args = ["y.json", "../a", absolute.to_str().unwrap()];
    assert_eq!(hit(leaks(&dir.path().join("a")).args(args)), ["y.json", "../a/x.json"]);
}

#[test]
fn ignore_files_are_respected() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.json", "b.json", "c.json", "sub/a.json", "sub/d.json", ".hidden/h.json", ".h.json"]);
    plant(dir.path(), &["sub/node/x.json", ".git/objects/x.json"]);
    fs::write(dir.path().join(".gitignore"), "/a.json\nnode/\n").unwrap();
    fs::write(dir.path().join(".unthinkignore"), "b.json\nsub/*\n!sub/d.json\n").unwrap();
    fs::write(dir.path().join(".ignore"), "c.json\n").unwrap();
    assert_eq!(hit(leaks(dir.path()).arg(".")), ["c.json", "sub/d.json"]);
    // Of a folder below, those above count, too.
    assert_eq!(hit(leaks(dir.path()).arg("sub")), ["sub/d.json"]);
    let all = ["a.json", "b.json", "c.json", "sub/a.json", "sub/d.json", "sub/node/x.json"];
    assert_eq!(hit(leaks(dir.path()).args(["--no-ignore", "."])), all);
    assert_eq!(hit(leaks(dir.path()).args(["--hidden", "."])), [".h.json", ".hidden/h.json", "c.json", "sub/d.json"]);
    // What is named is read.
    assert_eq!(hit(leaks(dir.path()).args(["a.json", ".h.json"])), ["a.json", ".h.json"]);
}

#[test]
fn globs_say_which_files() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.json", "b.dump", "sub/c.dump", "sub/d.json"]);
    for (globs, want) in [
        (&["*.dump"][..], &["b.dump", "sub/c.dump"][..]),
        (&["!*.json"], &[]),
        (&["!sub/**"], &["a.json"]),
        (&["*.dump", "*.json", "!sub/c*"], &["a.json", "b.dump", "sub/d.json"]),
        (&["sub/*"], &["sub/c.dump", "sub/d.json"]),
    ] {
        let mut command = leaks(dir.path());
        globs.iter().for_each(|glob| {
            command.args(["-g", glob]);
        });
        assert_eq!(hit(command.arg(".")), want, "{globs:?}");
    }
}

#[test]
fn a_list_names_files() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.json", "-", "b c.txt", "sub/d.json"]);
    fs::write(dir.path().join("list"), "a.json\n\n-\nb c.txt\nsub\n").unwrap();
    let all = ["a.json", "./-", "b c.txt", "sub/d.json"];
    assert_eq!(hit(leaks(dir.path()).args(["--files-from", "list"])), all);
    let list = all.join("\0") + "\0";
    assert_eq!(hit(leaks(dir.path()).args(["--files-from", "-", "-0"]).write_stdin(list)), all);
    assert_eq!(hit(leaks(dir.path()).args(["sub", "--files-from", "list"]))[0], "sub/d.json");
    // An empty list is no stdin.
    let run = leaks(dir.path()).args(["--files-from", "-"]).write_stdin("").assert().code(0);
    run.stderr("unthink: warning: nothing was checked: the list of files is empty\n");
    leaks(dir.path()).args(["--files-from", "missing"]).assert().code(4).stderr(contains("missing: No such file"));
}

/// A folder without files to check would let everything pass for ever. It says why, and makes the status unless
/// something else is read.
#[test]
fn a_folder_without_files_is_no_success() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["full/a.json", "other/a.rs", "other/b.rs", "hidden/.a.json", "glob/a.json"]);
    fs::create_dir(dir.path().join("empty")).unwrap();
    #[cfg(unix)]
    {
        fs::create_dir(dir.path().join("links")).unwrap();
        std::os::unix::fs::symlink("../full/a.json", dir.path().join("links/a.json")).unwrap();
    }
    let head = "no file to check in this folder: ";
    let hidden =
        "it is empty, or all in it is hidden (--hidden) or named by .gitignore or .unthinkignore (--no-ignore)";
    let mut cases = vec![
        (&["empty"][..], hidden),
        (&["hidden"], hidden),
        (&["other"], "2 files have names that are not looked for (--glob says which are)"),
        (&["-g", "*.sse", "glob"], "nothing in it is left by --glob, .gitignore and .unthinkignore"),
    ];
    if cfg!(unix) {
        cases.push((&["links"], "1 symbolic link is not followed (name it)"));
    }
    for (args, why) in cases {
        let folder = args[args.len() - 1];
        let run = leaks(dir.path()).arg("-q").args(args).assert().code(3).stdout("");
        run.stderr(format!("unthink: error: {folder}: {head}{why}\n"));
        if args.len() == 1 {
            let run = leaks(dir.path()).args(args).arg("full").assert().code(1).stdout(contains(PREFIX));
            run.stderr(format!("unthink: warning: {folder}: {head}{why}\n"));
            let run = leaks(dir.path()).args(["--files-from", "-"]).write_stdin(folder).assert().code(3);
            run.stderr(contains(why));
        }
    }
}

/// An input that is empty is told. A stdin that is closed is none.
#[test]
#[cfg(unix)]
fn an_empty_input_is_told() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("a.json"), "").unwrap();
    let told = "unthink: warning: nothing was checked: the input is empty\n";
    leaks(dir.path()).assert().code(0).stderr(told);
    leaks(dir.path()).args(["a.json"]).assert().code(0).stderr(told);
    leaks(dir.path()).args(["a.json", "-"]).write_stdin(CLEAN).assert().code(0).stderr("");
    let run = |command: &str| {
        let mut shell = assert_cmd::Command::new("sh");
        let program = env!("CARGO_BIN_EXE_unthink");
        shell.args(["-c", &format!("'{program}' check {command}")]).current_dir(dir.path()).assert()
    };
    let closed = "unthink: error: <stdin>: standard input is closed, and nothing was read from it\n";
    run("- <&-").code(4).stderr(closed);
    run("a.json <&-").code(0).stderr(told);
    run("</dev/null").code(0).stderr(told);
    plant(dir.path(), &["b.json"]);
    run("- b.json <&-").code(4).stderr(closed).stdout(contains("b.json"));
}

/// Without a file, the current folder is checked, unless stdin is a pipe or a file.
#[test]
#[cfg(unix)]
fn no_file_is_the_current_folder() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.json", "sub/b.jsonl"]);
    fs::write(dir.path().join("clean"), CLEAN).unwrap();
    let run = |rest: &str| {
        let script = format!("'{}' check --select {PREFIX} -o jsonl {rest}", env!("CARGO_BIN_EXE_unthink"));
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(dir.path()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let file = |line: &str| serde_json::from_str::<Value>(line).unwrap()["file"].as_str().unwrap().to_string();
        (output.status.code(), text.lines().map(file).collect::<Vec<_>>())
    };
    let both = vec!["a.json".to_string(), "sub/b.jsonl".to_string()];
    for rest in ["</dev/null", "<&-", ". </dev/null", ". <clean"] {
        assert_eq!(run(rest), (Some(1), both.clone()), "{rest}");
    }
    assert_eq!(run("<clean"), (Some(0), vec![]));
    assert_eq!(run("<a.json"), (Some(1), vec!["<stdin>".into()]));
    assert_eq!(run("- <a.json"), (Some(1), vec!["<stdin>".into()]));
}

/// A finding in a table has its column.
#[test]
fn a_table_has_columns() {
    let dir = TempDir::new().unwrap();
    let table = "id,the answer\n1,\"PUBL1C\nok\"\n2,PUBL1C <think>S3CRET</think> \\ud800\n";
    for (name, text) in [("a.csv", table.to_string()), ("a.tsv", table.replace(',', "\t"))] {
        fs::write(dir.path().join(name), text).unwrap();
        let found = found(check().current_dir(dir.path()).arg(name));
        let of = |key: &str| found.iter().map(|finding| finding[key].clone()).collect::<Vec<_>>();
        assert_eq!(of("rule"), ["UT103"]);
        assert_eq!(of("pointer"), ["/the answer"]);
        assert_eq!((of("record"), of("line"), of("column")), (vec![3.into()], vec![4.into()], vec![10.into()]));
    }
}

/// A column counts characters, however much of its line is no longer there.
#[test]
fn a_long_line_has_columns() {
    let message = format!(r#"{{"role":"assistant","content":"{}"}},"#, "ä".repeat(500));
    let line = format!(r#"[{}{{"role":"assistant","content":"PUBL1C </think>"}}]"#, message.repeat(2500));
    let found = super::found(check().write_stdin(line.as_str()));
    let column = line.chars().count() - r#"</think>"}]"#.len() + 1;
    assert_eq!((&found[0]["line"], &found[0]["column"]), (&1.into(), &column.into()));
    // A raw text comes in pieces, some of which end inside a character.
    let text = "ä ".repeat(400_000) + "</think>";
    let found = super::found(check().write_stdin(text.as_str()));
    let place = (&found[0]["line"], &found[0]["column"], &found[0]["chars"]["start"]);
    assert_eq!(place, (&1.into(), &800_001.into(), &800_000.into()));
    // A tag of which it is not certain whether it is used is told when the text is over.
    for behind in [0, 400_000] {
        let text = "ä ".repeat(100) + "use <think> to open, and </think> to close it. " + &"ä ".repeat(behind);
        let found = super::found(check().write_stdin(text.as_str()));
        let doubts = found.iter().filter(|finding| finding["rule"] == "UT108");
        let columns: Vec<u64> = doubts.map(|finding| finding["column"].as_u64().unwrap()).collect();
        assert_eq!(columns.first(), Some(&205), "{behind}: {found:?}");
    }
}

/// A name can hold anything: it does not steer a terminal, and makes no line of its own.
#[test]
#[cfg(unix)]
fn names_cannot_steer_anything() {
    let dir = TempDir::new().unwrap();
    let names =
        ["a\nb.json", "c\u{1b}[31m.json", "::error::d.json", "e,line=1::f.json", "\u{202e}g.json", "<h>&\".json"];
    plant(dir.path(), &names);
    let list = names.join("\0");
    let mut hits = hit(leaks(dir.path()).args(["--files-from", "-", "-0"]).write_stdin(list.as_str()));
    assert_eq!(hits, names, "JSON has the names as they are");
    hits.sort();
    for name in ["full", "concise", "github", "summary", "sarif", "junit", "gitlab"] {
        let output = leaks(dir.path()).args(["-o", name, "."]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
        assert!(
            !text.contains('\u{1b}') && !text.contains("a\nb.json") && !text.contains("\n::error::d"),
            "{name}: {text}"
        );
    }
    // Names in messages are the same.
    fs::write(dir.path().join("a\nb.json"), CUT).unwrap();
    let run = leaks(dir.path()).arg("a\nb.json").assert().code(3);
    run.stderr(contains("unthink: error: a\\u{a}b.json:1: "));
}

/// A name that is no UTF-8 is a name.
#[test]
#[cfg(target_os = "linux")]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let dir = TempDir::new().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"a\xff.json");
    fs::write(dir.path().join(name), LEAK).unwrap();
    assert_eq!(hit(leaks(dir.path()).arg(".")), ["a\u{fffd}.json"]);
    assert_eq!(
        hit(leaks(dir.path()).args(["--files-from", "-"]).write_stdin(&b"a\xff.json\n"[..])),
        ["a\u{fffd}.json"]
    );
}

/// A run's own files are no conversations.
#[test]
fn a_run_does_not_check_its_own_files() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["a.json", "allow.txt", "report.txt"]);
    let report = fs::File::create(dir.path().join("report.txt")).unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_unthink"))
        .args(["check", "--select", PREFIX, ".", "--output-file", "json=out.json", "--write-baseline", "base.json"])
        .args(["--allow", "allow.txt"])
        .current_dir(dir.path())
        .stdout(report)
        .status()
        .unwrap();
    assert!(status.success());
    let args = ["--baseline", "base.json", "--output-file", "json=out.json", "--allow", "allow.txt", "-o", "json", "."];
    let run = leaks(dir.path()).args(args).assert().code(0).stderr("");
    let value: Value = serde_json::from_slice(&run.get_output().stdout).unwrap();
    assert_eq!(value["summary"]["files"], 2, "a.json and the old report: {value}");
}
