//! What an input may look like before its first record, between its records, and where it is no text at all.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::io::Write;
use tempfile::TempDir;

fn unthink() -> Command {
    Command::cargo_bin("unthink").unwrap()
}

/// A record that is read, and what is left of it.
const LINE: &str = "{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}";
const LEFT: &str = "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}";

/// Input, status, output, and what a message has; `@` is a record with reasoning, in the output what is left of it.
type Case = (&'static str, i32, &'static str, &'static str);

fn each(cases: &[Case]) {
    for (input, status, want, message) in cases {
        let (input, want) = (input.replace('@', LINE), want.replace('@', LEFT));
        let ran = unthink().write_stdin(input.clone()).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), want, "{input:?}\n{error}");
        assert_eq!(ran.status.code(), Some(*status), "{input:?}\n{error}");
        assert!(error.contains(message), "{input:?}\n{error}");
        assert!(!message.is_empty() || error.is_empty(), "{input:?}\n{error}");
        assert!(!error.contains("S3CRET"), "{input:?}\n{error}");
        let same = unthink().args(["strip", "--policy", "none"]).write_stdin(input.clone()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&same.stdout), input);
    }
}

#[test]
fn text_that_holds_json_is_text() {
    each(&[
        ("Here is the JSON:\n{\"a\":1}\nDone.\n", 0, "Here is the JSON:\n{\"a\":1}\nDone.\n", ""),
        ("```json\n{\"a\":1}\n```\nDone.\n", 0, "```json\n{\"a\":1}\n```\nDone.\n", ""),
        (
            "```json\n{\"role\":\"user\",\"content\":\"x\"}\n```\n",
            0,
            "```json\n{\"role\":\"user\",\"content\":\"x\"}\n```\n",
            "",
        ),
        ("{braces} and {more}\n{\"a\":1}\n", 0, "{braces} and {more}\n{\"a\":1}\n", ""),
        ("[1] Smith\n[2] Jones\n", 0, "[1] Smith\n[2] Jones\n", ""),
        ("data:image/png;base64,AAAA\n", 0, "data:image/png;base64,AAAA\n", ""),
        ("<think>\n{\"reasoning\":\"S3CRET words\"}\n</think>PUBL1C\n", 0, "PUBL1C\n", ""),
    ]);
}

#[test]
fn a_record_in_a_text_does_not_leak() {
    each(&[
        ("asoning\":\"S3CRET\",\"content\":\"x\"}\n@\n", 3, "@\n", "not a JSON value"),
        ("<p>\n@\nPUBL1C\n", 3, "<p>\nPUBL1C\n", "/reasoning: a line of this text is JSON that may hold reasoning"),
        // A fence that is never closed makes no example of what follows.
        ("<p>\n```\n@\nPUBL1C\n", 3, "<p>\n```\nPUBL1C\n", "1 suspect"),
        ("<p>\n  @ \nPUBL1C<think>S3CRET</think> so!\n", 3, "<p>\nPUBL1C so!\n", "--framing jsonl"),
        ("<p>\n[@]\nPUBL1C\n", 3, "<p>\nPUBL1C\n", "1 suspect"),
        ("<p>\n{\"chain_of_thought\":\"S3CRET words\"}", 3, "<p>\n", "/chain_of_thought"),
    ]);
    // Far down, where the framing was decided long ago.
    let prose = "PUBL1C and more of it.\n".repeat(8000);
    let ran = unthink().write_stdin(format!("{prose}{LINE}\nPUBL1C\n")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), format!("{prose}PUBL1C\n"));
    assert_eq!(ran.status.code(), Some(3));
    unthink()
        .args(["--foreign", "pass"])
        .write_stdin(format!("<p>\n{LINE}\n"))
        .assert()
        .success()
        .stdout(format!("<p>\n{LINE}\n"))
        .stderr(contains("warning: <stdin>:2: /reasoning: a line of this text"));
}

/// What a text has left, and what it is reported for, where it holds reasoning in another format. None of it passes,
/// however the text came.
#[test]
fn reasoning_in_another_format_is_refused() {
    use crate::support::{Setup, strip};
    use unthink::internals::frame::Framing;
    for (text, left, pointer) in [
        // Behind the prefix of a log, and escaped there.
        ("<p>\n2026-01-01 INFO {\"reasoning\":\"S3CRET one two\"}\nok\n", "<p>\n2026-01-01 INFO \nok\n", "/reasoning"),
        ("<p>\nweb-1  | {\"a\":{\"thinking\":\"S3CRET one\"}}\r\nok", "<p>\nweb-1  | \r\nok", "/a/thinking"),
        ("level=info body=\"{\\\"reasoning_content\\\":\\\"S3CRET\\\"}\"\nok\n", "ok\n", "/reasoning_content"),
        ("<p>\na.log:12:{\"content\":\"<think>S3CRET one</think>x\"} \nok\n", "<p>\na.log:12:\nok\n", "/content"),
        ("* GET /\n< data: {\"reasoning_content\":\"S3CRET\"}\nok\n", "* GET /\n< data: \nok\n", "/reasoning_content"),
        ("x \\\\\\\"reasoning_content\\\\\\\": \\\\\\\"S3CRET\\\\\\\" y\nok\n", "x \nok\n", "/reasoning_content"),
        ("level=info reasoning=\"S3CRET one two\" x=1\nok\n", "ok\n", "/reasoning"),
        // Over several lines, whole or cut.
        ("Here:\n{\n  \"a\": 1,\n  \"reasoning\": [\n    \"S3CRET one\"\n  ]\n}\nok\n", "Here:\nok\n", "/reasoning/0"),
        (
            "x\n  \"reasoning_details\": [\n    {\n      \"text\": \"S3CRET\"\n    }\n  ],\n  \"b\": 1\n",
            "x\n  \"b\": 1\n",
            "/reasoning_details",
        ),
        ("x\n   \"type\": \"reasoning\",\n   \"text\": \"S3CRET one\"\n  }\nok\n", "x\nok\n", "/type"),
        ("x\n\u{1b}[1m{\n  \u{1b}[34m\"thinking\"\u{1b}[0m: \u{1b}[32m\"S3CRET one\"\n}\nok\n", "x\nok\n", "/thinking"),
        // Tables, YAML, SQL, XML.
        ("0,\"{\"\"reasoning_content\"\":\"\"S3CRET one\"\"}\"\nok\n", "0,\"\nok\n", "/reasoning_content"),
        ("a: 1\nthinking: |\n  S3CRET\n\n  S3CRET\nb: 1\n", "a: 1\nb: 1\n", "/thinking"),
        (
            "- role: assistant\n  thinking: S3CRET one two three four\n  content: ok\n",
            "- role: assistant\n  content: ok\n",
            "/thinking",
        ),
        ("- type: thinking\n  text: S3CRET one two\n  b: 1\n", "- type: thinking\n  b: 1\n", "/text"),
        ("INSERT INTO m (role, thinking) values\n  ('a', 'S3CRET');\nok\n", "ok\n", "/thinking"),
        ("<m>\n<reasoning_content>S3CRET\nS3CRET</reasoning_content>\nok\n", "<m>\nok\n", "/reasoning_content"),
        ("<m>\n<f n=\"reasoning_content\">S3CRET</f>\nok\n", "<m>\n<f n=\nok\n", "/reasoning_content"),
        ("x = {'reasoning_content': 'S3CRET one'}\nok\n", "x = \nok\n", "/reasoning_content"),
    ] {
        let ran = unthink().write_stdin(text).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(String::from_utf8_lossy(&ran.stdout), left, "{text:?}\n{error}");
        assert!(ran.status.code() == Some(3) && error.contains(&format!(": {pointer}: ")), "{text:?}\n{error}");
        for piece in [1, 2, 3, 7, 64] {
            let ran = strip(text.as_bytes(), Setup { framing: Some(Framing::Text), piece, ..Setup::default() });
            assert_eq!(ran.text(), left, "{text:?} in pieces of {piece}");
        }
        for args in [&["--live"][..], &["split", "-o", "text"], &["convert", "--to", "thinking-block"]] {
            let ran = unthink().args(args).write_stdin(text).output().unwrap();
            assert!(!String::from_utf8_lossy(&ran.stdout).contains("S3CRET"), "{args:?} {text:?}");
            assert_eq!(ran.status.code(), Some(3), "{args:?} {text:?}");
        }
        let found = unthink().arg("check").write_stdin(text).output().unwrap();
        let rules = String::from_utf8_lossy(&found.stdout);
        assert!(found.status.code() == Some(1) && rules.contains("UT107"), "{text:?}\n{rules}");
        // A block of tags in a text is read, wherever it stands.
        if text.contains("<think>") {
            continue;
        }
        let passed = unthink().args(["--foreign", "pass"]).write_stdin(text).output().unwrap();
        assert!(passed.status.success() && passed.stdout == text.as_bytes(), "{text:?}");
        assert!(String::from_utf8_lossy(&passed.stderr).contains("warning: "), "{text:?}");
    }
}

/// Settings, code, prose and examples in a code fence are no reasoning.
#[test]
fn text_that_only_uses_the_words_passes() {
    for text in [
        "reasoning: high\nthinking:\n  budget: 1\n",
        "x {\"reasoning\":{\"effort\":\"high\"}}\n",
        "See:\n```json\n{\"reasoning\":\"PUBL1C one two\"}\n```\nand\n\n> ~~~\n> \"thinking\": \"PUBL1C one two\"\n> ~~~\n",
        "  thinking: boolean;\n  reasoning: string | null,\n",
        "const x = { 'thinking': 'Thinking...', \"reasoning\": reasoning_text };\n",
        "if kind == \"thinking\": return \"reasoning\"\n",
        "{\n  x = y;\n  \"reasoning\": {\n    type: \"string\"\n  }\n}\n",
        "Reasoning: it is said \"thinking\" is hard: so it is.\nthinking: it is so\n",
        "\"reasoning\": {\"type\": \"string\", \"description\": \"What the model thinks\"}\n",
        "Set `\"reasoning\":\"on\"` or `{\"thinking\": \"high\"}` in it, not `\"reasoning\" : \"off\"`.\n",
    ] {
        unthink().write_stdin(text).assert().success().stdout(text).stderr("");
    }
}

#[test]
fn values_may_follow_each_other() {
    each(&[
        ("@@ @\n@\n", 0, "@@ @\n@\n", ""),
        ("@@{\"a\":\n", 3, "@@", "the value is cut off"),
        ("\u{1e}@\n\u{1e}@\n", 0, "\u{1e}@\n\u{1e}@\n", ""),
        ("\u{1e}@\n\u{1e}{\"role\":\"assis\u{1e}@\n", 3, "\u{1e}@\n\u{1e}@\n", "1 damaged"),
        (
            "{\n  \"a\": {\"reasoning\":\"S3CRET and so\",\"b\":@}\n}\n{\n  \"messages\": [@]\n}{\"messages\":[@]}\n",
            3,
            "\n{\n  \"messages\": [@]\n}{\"messages\":[@]}\n",
            "/a/reasoning",
        ),
        ("@\n{\n  \"messages\": [\n    @\n  ]\n}\n@\n", 0, "@\n{\n  \"messages\": [\n    @\n  ]\n}\n@\n", ""),
        ("[@,\n@][@]\n", 0, "[@,\n@][@]\n", ""),
    ]);
    let last = |input: &str| {
        let ran = unthink().args(["strip", "--policy", "all-but-last"]).write_stdin(input.replace('@', LINE)).output();
        String::from_utf8(ran.unwrap().stdout).unwrap().replace(LINE, "K").replace(LEFT, "@")
    };
    // Each array is a conversation.
    assert_eq!(last("[@,\n@][@,@]\n[@]"), "[@,\nK][@,K]\n[K]");
    assert_eq!(last("[@,@]\n[@]\n"), "[@,K]\n[K]\n");
    assert_eq!(last("{\n\"messages\":[@,@]}{\"messages\":[@]}"), "{\n\"messages\":[@,K]}{\"messages\":[K]}");
    let split = unthink().arg("split").write_stdin("[@,\n@][@]".replace('@', LINE)).output().unwrap();
    let text = String::from_utf8(split.stdout).unwrap();
    let places: Vec<&str> = text.lines().map(|line| line.split(",\"visible").next().unwrap()).collect();
    assert_eq!(places, ["{\"record\":1,\"message\":1", "{\"record\":1,\"message\":2", "{\"record\":3,\"message\":1"]);
}

#[test]
fn the_head_of_a_response_passes() {
    each(&[
        ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n@\n", 0, "HTTP/1.1 200 OK\r\nA: b\r\n\r\n@\n", ""),
        (
            "HTTP/2 200 \r\n\r\n{\n\"choices\":[{\"message\":@}]}",
            0,
            "HTTP/2 200 \r\n\r\n{\n\"choices\":[{\"message\":@}]}",
            "",
        ),
        (
            "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n\ndata: {\"choices\":[{\"delta\":@}]}\n\n",
            0,
            "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n\ndata: {\"choices\":[{\"delta\":@}]}\n\n",
            "",
        ),
        ("HTTP/2 200\n\n<think>S3CRET</think>PUBL1C\n", 0, "HTTP/2 200\n\nPUBL1C\n", ""),
        ("HTTP/1.1 is a protocol.\n\n<think>S3CRET</think>PUBL1C\n", 0, "HTTP/1.1 is a protocol.\n\nPUBL1C\n", ""),
    ]);
    unthink()
        .args(["split", "-o", "text"])
        .write_stdin("HTTP/2 200\n\n<think>S3CRET</think>PUBL1C\n")
        .assert()
        .success()
        .stdout("PUBL1C\n");
}

#[test]
fn what_is_no_text_is_refused_with_a_hint() {
    for (bytes, message) in [
        (&b"\xFD7zXZ\0\0rest"[..], "xz data, not text; for what is in it: xz -dc FILE | unthink"),
        (b"BZh61AY&SYrest", "bzip2 -dc FILE"),
        (b"PK\x03\x04rest", "unzip -p FILE"),
        (b"\x7FELF\x02\x01\x01rest", "an executable"),
        (b"MZ\x90\0rest", "an executable"),
        (b"\x89PNG\r\n\x1A\nrest", "an image"),
        (b"PAR1\x15\x04\x15", "duckdb"),
        (b"text and\0more", "NUL bytes"),
        (b"{\0\"\0a\0\"\0", "UTF-16LE"),
    ] {
        unthink().write_stdin(bytes).assert().code(3).stdout("").stderr(contains(message));
        let mut none = unthink();
        none.args(["strip", "--policy", "none"]).write_stdin(bytes).assert().stdout(bytes);
    }
    // Where the first character decides, it makes no difference how much of the rest has come.
    let early = b"<b>PUBL1C \0";
    let ran = |piece| {
        let ran = crate::support::strip(early, crate::support::Setup { piece, ..Default::default() });
        (ran.out, ran.problems)
    };
    assert_eq!(ran(1), ran(usize::MAX));
    // A NUL byte far down in a text; who says that it is text gets it back.
    let late = format!("{}\0PUBL1C\n", "PUBL1C and more of it.\n".repeat(8000));
    unthink().write_stdin(late.clone()).assert().code(3).stdout("").stderr(contains("a NUL byte"));
    unthink().args(["--framing", "text"]).write_stdin(late.clone()).assert().success().stdout(late);
    // What stands before it is read first, in one piece with it or not.
    let line = r#"{"reasoning":{"text":"S3CRET"}}"#;
    let mixed = format!("PUBL1C <think>S3CRET</think>\n{line}\nPUBL1C\n\0PUBL1C\n");
    let streamed = |piece| {
        let done = crate::support::convert_to(mixed.as_bytes(), "tagged", piece);
        (done.out, done.refused)
    };
    assert_eq!(streamed(1), streamed(usize::MAX));
    // In a gzip file the same.
    let mut tar = vec![b'x'; 512];
    tar[100..257].fill(0);
    tar[257..262].copy_from_slice(b"ustar");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(&tar).unwrap();
    unthink().write_stdin(encoder.finish().unwrap()).assert().code(3).stdout("").stderr(contains("tar -xOf"));
}

#[test]
fn a_file_without_its_last_line_end_is_apart_from_the_next() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = dir.path().join(name);
        fs::write(&path, text.replace('@', LINE)).unwrap();
        path
    };
    let event = "data: {\"choices\":[{\"delta\":{\"content\":\"PUBL1C\"}}]}";
    let (a, b, none) = (file("a", "@"), file("b", "@\n"), file("none", ""));
    let (s, crlf, text) = (file("s", event), file("crlf", &format!("{event}\r\n")), file("text", "PUBL1C"));
    let array = file("array", "[\n@\n]");
    for (files, want) in [
        (vec![&a, &a], "@\n@".to_string()),
        (vec![&a, &none, &b, &none, &a], "@\n@\n@".into()),
        (vec![&s, &s, &a], format!("{event}\n\n{event}\n\n@")),
        (vec![&crlf, &crlf], format!("{event}\r\n\r\n{event}\r\n")),
        (vec![&text, &text, &a], "PUBL1CPUBL1C@".into()),
        (vec![&array, &b, &a], "[\n@\n]\n@\n@".into()),
    ] {
        unthink().arg("-q").args(&files).assert().success().stdout(want.replace('@', LEFT));
        let bytes: Vec<u8> = files.iter().flat_map(|file| fs::read(file).unwrap()).collect();
        unthink().args(["strip", "--policy", "none"]).args(&files).assert().success().stdout(bytes);
    }
}

#[cfg(unix)]
#[test]
fn an_input_that_is_the_output_is_refused() {
    let dir = TempDir::new().unwrap();
    let file = dir.path().join("f.jsonl");
    let run = |append: bool, stdin: bool| {
        fs::write(&file, format!("{LINE}\n")).unwrap();
        let out = fs::OpenOptions::new().write(true).append(append).truncate(!append).open(&file).unwrap();
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("unthink"));
        match stdin {
            true => command.stdin(fs::File::open(&file).unwrap()),
            false => command.arg(&file),
        };
        let ran = command.stdout(out).stderr(std::process::Stdio::piped()).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap(), fs::read_to_string(&file).unwrap())
    };
    for stdin in [false, true] {
        let (status, error, after) = run(true, stdin);
        assert_eq!((status, after), (Some(2), format!("{LINE}\n")), "{error}");
        assert!(error.ends_with("the input is also the output\n"), "{error}");
        let (status, error, after) = run(false, stdin);
        assert_eq!((status, after.as_str()), (Some(2), ""), "{error}");
        assert!(error.contains("which the shell emptied"), "{error}");
    }
    assert!(predicate::path::exists().eval(&file));
}
