//! `show --against FILE`: the same conversation before and after a change.

use crate::support::root;
use std::fs;
use std::path::Path;

fn run(folder: &Path, args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let ran = command.current_dir(folder).args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
}

/// The classes of the rows of a page.
fn rows(page: &str) -> Vec<&str> {
    let rows = page.split("<div class=\"pair ").skip(1).map(|rest| rest.split('"').next().unwrap());
    rows.filter(|class| *class != "names").collect()
}

#[test]
fn what_strip_and_convert_change() {
    let home = tempfile::tempdir().unwrap();
    let input = root().join("testdata/examples/tools.json");
    let (input, folder) = (input.to_str().unwrap(), home.path());
    for (args, after) in [
        (&["strip", "--policy", "all", "-O", "after.json"][..], "after.json"),
        (&["convert", "--to", "anthropic", "-O", "converted.json"], "converted.json"),
        (&["strip", "--policy", "none", "-O", "none.json"], "none.json"),
    ] {
        let (status, _, notes) = run(folder, &[args, &[input]].concat(), "");
        assert_eq!(status, 0, "{notes}");
        let (status, page, notes) = run(folder, &["show", "--html", "--against", after, input], "");
        assert_eq!((status, notes.as_str()), (0, ""), "{after}");
        let changed = if after == "after.json" { "changed" } else { "same" };
        assert_eq!(rows(&page), ["same", changed, "same", changed, "same"], "{after}");
        let went = if after == "after.json" { "2 blocks of reasoning went" } else { "0 blocks of reasoning went" };
        assert!(page.contains(went) && page.contains(&format!("After <small>{after}</small>")), "{after}");
        assert_eq!(page.matches("<article").count(), page.matches("</article>").count());
        let (status, lines, _) = run(folder, &["show", "--against", after, input], "");
        assert!(status == 0 && lines.contains(went), "{lines}");
        assert_eq!(
            lines.contains("assistant 2 → 2: reasoning went, about 13 tokens"),
            after == "after.json",
            "{lines}"
        );
        let (status, beside, _) = run(folder, &["show", "--width", "120", "--against", after, input], "");
        assert!(status == 0 && beside.contains(went), "{beside}");
        assert_eq!(beside.contains("· reasoning went, about 13 tokens"), after == "after.json", "{beside}");
    }
}

#[test]
fn both_sides_stand_beside_each_other_in_a_wide_terminal() {
    let home = tempfile::tempdir().unwrap();
    let answer = "\u{65e5}\u{672c} </title> \u{1b}[31mred\u{1b}[0m S3CRET ".repeat(20);
    fs::write(home.path().join("a.json"), messages(&[(U, "1"), (A, &answer), (U, "3"), (A, "4")])).unwrap();
    fs::write(home.path().join("b.json"), messages(&[(U, "1"), (A, "two"), (U, "3"), (U, "5")])).unwrap();
    for width in ["120", "161"] {
        let column = (width.parse::<usize>().unwrap() - 3) / 2;
        for color in ["never", "always"] {
            let args = ["--color", color, "show", "--width", width, "--against", "b.json", "a.json"];
            let (status, drawn, notes) = run(home.path(), &args, "");
            assert_eq!((status, notes.as_str()), (0, ""));
            let plain = without_colors(&drawn);
            for line in plain.lines().filter(|line| line.contains('│')) {
                let left = line.split('│').next().unwrap();
                assert_eq!(unicode_width::UnicodeWidthStr::width(left), column + 1, "{line:?}");
            }
            let found: Vec<&str> = plain.lines().filter(|line| line.starts_with('·')).collect();
            let said = [
                "· message 1 is the same",
                "· the text changed",
                "· message 3 is the same",
                "· only before",
                "· only after",
            ];
            assert_eq!(found, said, "{plain}");
            assert!(plain.contains("before: a.json") && plain.contains("│ after: b.json"), "{plain}");
            assert!(plain.contains("␛[31mred") || !drawn.contains("\u{1b}[31m"), "{plain}");
        }
    }
    // Below that, there are lines.
    let (_, lines, _) = run(home.path(), &["show", "--width", "119", "--against", "b.json", "a.json"], "");
    assert!(lines.contains("assistant 2 → 2: the text changed") && !lines.contains('│'), "{lines}");
}

/// Without sequences of colours.
fn without_colors(text: &str) -> String {
    let parts = text.split('\u{1b}').enumerate();
    parts.map(|(at, part)| if at == 0 { part } else { part.split_once('m').unwrap().1 }).collect()
}

/// Messages of these roles and texts.
fn messages(messages: &[(&str, &str)]) -> String {
    let messages: Vec<_> =
        messages.iter().map(|(role, text)| serde_json::json!({"role": role, "content": text})).collect();
    serde_json::json!({ "messages": messages }).to_string() + "\n"
}

const U: &str = "user";
const A: &str = "assistant";

#[test]
fn messages_are_matched_by_role_and_text_and_then_by_place() {
    let home = tempfile::tempdir().unwrap();
    type Texts = &'static [(&'static str, &'static str)];
    let cases: [(Texts, Texts, &[&str]); 7] = [
        (&[(U, "1"), (A, "2")], &[(U, "1"), (A, "2")], &["same", "same"]),
        (&[(U, "1"), (A, "2")], &[(U, "1"), (A, "two")], &["same", "changed"]),
        (&[(U, "1"), (A, "2"), (U, "3")], &[(U, "1"), (U, "3")], &["same", "gone", "same"]),
        (&[(U, "1"), (U, "3")], &[(U, "1"), (A, "2"), (U, "3")], &["same", "come", "same"]),
        (&[(U, "1")], &[(A, "1")], &["gone", "come"]),
        (&[(U, "1"), (A, "x  y")], &[(A, "x\ny"), (U, "1")], &["gone", "same", "come"]),
        (&[(U, "1")], &[(U, "1"), (U, "1")], &["same", "come"]),
    ];
    for (before, after, want) in cases {
        fs::write(home.path().join("a.json"), messages(before)).unwrap();
        fs::write(home.path().join("b.json"), messages(after)).unwrap();
        let (status, page, notes) = run(home.path(), &["show", "--html", "--against", "b.json", "a.json"], "");
        assert_eq!((status, rows(&page)), (0, want.to_vec()), "{before:?} {after:?} {notes}");
    }
    // Long ones, too: nothing is lost, and it takes no time.
    let long: Vec<(String, String)> =
        (0..4000).map(|i| ((if i % 2 == 0 { U } else { A }).to_string(), format!("text {i}"))).collect();
    let text = |change: &dyn Fn(usize, &str) -> String| {
        let all: Vec<(&str, String)> =
            long.iter().enumerate().map(|(i, (role, text))| (role.as_str(), change(i, text))).collect();
        messages(&all.iter().map(|(role, text)| (*role, text.as_str())).collect::<Vec<_>>())
    };
    fs::write(home.path().join("a.json"), text(&|_, text| text.to_string())).unwrap();
    fs::write(home.path().join("b.json"), text(&|i, text| if i % 3 == 0 { "other".into() } else { text.to_string() }))
        .unwrap();
    let (status, page, _) = run(home.path(), &["show", "--html", "--against", "b.json", "a.json"], "");
    assert_eq!((status, rows(&page).len()), (0, 4000));
}

#[test]
fn wrong_pairs_and_files_that_are_not_understood() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("folder")).unwrap();
    fs::write(home.path().join("a.json"), messages(&[("user", "</title><script>alert(1)</script>")])).unwrap();
    fs::write(home.path().join("c.json"), messages(&[("user", "c")])).unwrap();
    fs::write(home.path().join("bad.json"), "{\"role\":\n").unwrap();
    for (args, want, says) in [
        (&["--against", "a.json", "a.json"][..], 2, "is the same file"),
        (&["--against", "./a.json", "a.json"], 2, "is the same file"),
        (&["--against", "folder", "a.json"], 2, "is a folder"),
        (&["--against", "c.json", "folder"], 2, "is a folder"),
        (&["--against", "c.json", "a.json", "bad.json"], 2, "compares one FILE"),
        (&["--against", "nowhere.json", "a.json"], 4, "nowhere.json"),
        (&["--html", "--against", "bad.json", "a.json"], 3, "bad.json:1"),
        (&["--svg", "--against", "c.json", "a.json"], 2, "--svg"),
    ] {
        let (status, out, notes) = run(home.path(), &[&["show"], args].concat(), "");
        assert_eq!(status, want, "{args:?}: {notes}");
        assert!(notes.contains(says), "{args:?}: {notes}");
        if status == 3 {
            assert_eq!(rows(&out), ["gone"]);
            assert!(out.contains("bad.json: Record 1 is not shown: "), "{out}");
            assert_eq!(out.matches("<script").count(), 2);
        }
    }
    // From a pipe, and redacted, without reasoning.
    let (status, page, notes) = run(
        home.path(),
        &["show", "--html", "--redact", "alert", "--no-reasoning", "--against", "a.json", "-"],
        "<think>S3CRET</think>alert\n",
    );
    assert_eq!(status, 0, "{notes}");
    let body = page.rsplit("</script>").next().unwrap();
    assert!(!body.contains("alert") && !body.contains("S3CRET") && body.contains("Reasoning: 1 block"), "{body}");
}
