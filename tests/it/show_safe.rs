//! What a drawing leaves out: reasoning, and what is redacted. None of it is anywhere in the page, in the terminal or in the
//! charts, however the input arrives.

use crate::support::{Setup, corpus, own, root, run_draw};
use std::cell::RefCell;
use std::rc::Rc;
use unthink::dialect::FACT_TEXTS;
use unthink::show::{
    Charts, Draw, DrawOptions, Page, PageOptions, Painter, RedactPattern, Redacted, Redactor, Terminal,
    TerminalOptions, ToolDetail,
};

/// The drawing of an input, as a page, for a terminal, or as charts.
fn drawn(form: usize, input: &[u8], setup: Setup, reasoning: bool, redact: &[&str]) -> String {
    let patterns: Vec<RedactPattern> = redact.iter().map(|pattern| RedactPattern::read(pattern).unwrap()).collect();
    let painter: Box<dyn Painter> = match form {
        0 => Box::new(Page::new(PageOptions { title: "input".into() })),
        1 => Box::new(Terminal::new(TerminalOptions { tools: ToolDetail::Full, ..TerminalOptions::default() })),
        _ => Box::new(Charts::new("input")),
    };
    let painter: Rc<RefCell<dyn Painter>> = match redact.is_empty() {
        true => Rc::new(RefCell::new(painter)),
        false => Rc::new(RefCell::new(Redacted::new(painter, Redactor::new(&patterns)))),
    };
    let options = DrawOptions { reasoning, texts: FACT_TEXTS, input: Some("input".into()) };
    let mut out = run_draw(input, setup, Draw::new(options, Rc::clone(&painter))).out;
    painter.borrow_mut().finish(&mut out);
    String::from_utf8(out).unwrap()
}

/// The words of a page, without its tags, its style and its script.
fn words(page: &str) -> String {
    let body = page.rsplit("</script>").next().unwrap();
    let text: String = body.split('<').map(|tag| tag.split_once('>').map_or("", |(_, text)| text)).collect();
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"), ("&amp;", "&")]
        .iter()
        .fold(text, |text, (from, to)| text.replace(from, to))
}

#[test]
fn what_is_redacted_is_nowhere() {
    let (mut samples, mut marks) = (0, 0);
    for (name, input) in own() {
        for form in 0..3 {
            let whole = drawn(form, &input, Setup::default(), true, &["S3CRET", "PUBL1C"]);
            let lower = whole.to_lowercase();
            for word in ["s3cret", "publ1c"] {
                let at = lower.find(word).map(|at| &lower[at.saturating_sub(80)..(at + 80).min(lower.len())]);
                assert_eq!(at, None, "{name}, form {form}");
            }
            samples += 1;
            marks += whole.matches("‹redacted›").count();
        }
    }
    assert!(samples > 300 && marks > 1000, "{samples} {marks}");
}

#[test]
fn the_result_does_not_depend_on_how_the_input_arrives() {
    for (name, input) in own().into_iter().filter(|(_, input)| input.len() < 8 << 10) {
        for form in [0, 1] {
            let whole = drawn(form, &input, Setup::default(), true, &["S3CRET", "l1", "paths"]);
            for piece in [1, 7] {
                let setup = Setup { piece, ..Setup::default() };
                assert_eq!(drawn(form, &input, setup, true, &["S3CRET", "l1", "paths"]), whole, "{name}, form {form}");
            }
        }
    }
}

#[test]
fn reasoning_that_is_left_out_is_nowhere() {
    let mut told = 0;
    for (name, input) in own() {
        for form in 0..3 {
            let page = drawn(form, &input, Setup::default(), false, &[]);
            let at = page
                .find("S3CRET")
                .map(|at| String::from_utf8_lossy(&page.as_bytes()[at.saturating_sub(80)..at + 6]).into_owned());
            assert_eq!(at, None, "{name}, form {form}");
            told += usize::from(form == 0 && page.contains("<li>Reasoning: "));
            assert!(
                form != 0 || page.contains("The reasoning is hidden.") == page.contains("<li>Reasoning: "),
                "{name}"
            );
        }
    }
    assert!(told > 100, "{told}");
}

fn run(args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let ran = command.current_dir(root()).args(args).write_stdin(input).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (ran.status.code().unwrap(), text(ran.stdout), text(ran.stderr))
}

#[test]
fn a_check_of_the_page_finds_no_reasoning() {
    let inputs = [
        std::fs::read(root().join("testdata/examples/tools.json")).unwrap(),
        std::fs::read(root().join("testdata/show/1-weather.jsonl")).unwrap(),
        b"<think>Low pressure from the west, so that it rains by noon, I think.</think>Rain by noon.".to_vec(),
    ];
    for input in inputs {
        let (status, page, _) = run(&["show", "--html", "--no-reasoning"], &input);
        assert_eq!(status, 0);
        assert!(page.contains("What was left out of this file"), "{page}");
        let (status, found, notes) = run(&["check", "--framing", "text", "-"], words(&page).as_bytes());
        assert_eq!((status, found.as_str()), (0, ""), "{notes}");
        let (status, with, _) = run(&["show", "--html"], &input);
        assert!(status == 0 && !with.contains("What was left out of this file"));
    }
}

#[test]
fn patterns_of_markup_leave_a_page_whole() {
    let text = "<b>\"Ann\" & 'Lee'</b> <script>alert(1)</script> [x](https://a.example/?a=1&b=2) `</main>`";
    let input = serde_json::json!({"messages": [
        {"role": "user", "content": text},
        {"role": "assistant", "reasoning_content": text, "content": text, "tool_calls": [{"id": "c", "type": "function",
            "function": {"name": text, "arguments": serde_json::json!({"command": text, text: [text, 1]}).to_string()}}]},
        {"role": "tool", "tool_call_id": "c", "content": text},
    ]});
    let input = input.to_string();
    for pattern in
        ["<", ">", "\"", "'", "&", "</", "<script>", "script", "](", "`", "&amp;", "‹", "b", "redacted", "1", "[x]"]
    {
        let (status, page, notes) = run(&["show", "--html", "--redact", pattern], input.as_bytes());
        assert_eq!((status, notes.as_str()), (0, ""), "{pattern}");
        let messages = &page[page.find("<main").unwrap()..page.find("</main>").unwrap()];
        let tags =
            |tag: &str| [">", " "].map(|end| messages.matches(&format!("<{tag}{end}")).count()).iter().sum::<usize>();
        for tag in ["article", "details", "div", "pre", "code", "p", "span", "a"] {
            assert_eq!(tags(tag), messages.matches(&format!("</{tag}>")).count(), "{pattern}: {tag}");
        }
        assert_eq!((tags("script"), tags("b"), page.matches("<script>").count()), (0, 0, 2), "{pattern}");
        assert!(messages.contains("‹redacted›") || matches!(pattern, "‹" | "redacted" | "&amp;"), "{pattern}");
    }
}

#[test]
fn heads_titles_and_the_foot_keep_nothing_either() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ann-lee.jsonl");
    let lines = [
        r#"{"type":"user","cwd":"/home/ann/lee","sessionId":"s","uuid":"1","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"Ann-Lee here"}}"#,
        r#"{"type":"assistant","cwd":"/home/ann/lee","sessionId":"s","uuid":"2","timestamp":"2026-01-02T03:04:09Z","message":{"id":"ann-lee","role":"assistant","model":"ann-lee-1","content":[{"type":"thinking","thinking":"Ann-Lee.","signature":"c2ln"},{"type":"text","text":"Hello ann-lee, 2026-01-02."}]}}"#,
    ];
    std::fs::write(&file, lines.join("\n") + "\n").unwrap();
    let path = file.to_str().unwrap();
    let (status, page, _) =
        run(&["show", "--html", "--redact", "ann-lee", "--redact", "paths", "--redact", "2026-01-02", path], b"");
    assert_eq!(status, 0);
    for word in ["ann-lee", "Ann-Lee", "/home", "2026-01-02", "03:04"] {
        assert!(!page.contains(word), "{word}: {}", page.rsplit("</script>").next().unwrap());
    }
    let foot = &page[page.find("<footer").unwrap()..];
    for line in ["<li>Redacted, text 1: ", "<li>Redacted, paths: ", "<li>Redacted, text 2: "] {
        assert!(foot.contains(line), "{line} in {foot}");
    }
    assert!(page.contains("<title>‹redacted› here · ‹redacted›.jsonl</title>"), "{page}");
}

#[test]
fn recordings_keep_no_path_and_no_key() {
    let session = |path: &str| {
        let line = serde_json::json!({"type":"user","cwd":path,"sessionId":"s","uuid":"1",
            "message":{"role":"user","content":format!("Look into {path}/notes.md.")}});
        (path.to_string(), format!("{line}\n").into_bytes())
    };
    let own = ["/home/ann/mill", "/Users/ann/mill", "/root/mill"].map(session);
    let (mut looked, mut paths) = (0, 0);
    for (name, input) in corpus().into_iter().filter(|(_, input)| input.len() < 64 << 10).chain(own) {
        let page = drawn(0, &input, Setup::default(), true, &["paths", "emails", "keys"]);
        for word in ["/home/", "/Users/", "/root/", "sk-ant-api"] {
            let at = page.find(word).map(|at| {
                String::from_utf8_lossy(&page.as_bytes()[at.saturating_sub(80)..at + word.len()]).into_owned()
            });
            assert_eq!(at, None, "{name}");
        }
        looked += 1;
        paths += usize::from(!page.contains("Redacted, paths: 0"));
    }
    assert!(looked > 100 && paths > 5, "{looked} {paths}");
}
