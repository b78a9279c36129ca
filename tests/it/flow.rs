//! Text that goes out as it comes, and text that is read ahead or twice since nothing of it can.

use crate::random::tagged;
use crate::support::*;
use proptest::prelude::*;
use unthink::internals::dialect::Pass;
use unthink::internals::error::ErrorKind;
use unthink::internals::frame::Framing;

/// A stream of deltas whose contents are these, as events or as JSON lines.
fn deltas(parts: &[String], key: &str, lines: bool) -> Vec<u8> {
    let delta = |part: &String| {
        let json = serde_json::json!({"id": "a", "choices": [{"index": 0, "delta": {key: part}}]});
        if lines { format!("{json}\n") } else { format!("data: {json}\n\n") }
    };
    parts.iter().map(delta).collect::<String>().into_bytes()
}

/// A line end behind a block waits for what comes next, however it is spelled and cut.
#[test]
fn line_ends_in_pieces() {
    for end in ["\n", "\r", "\r\n", "\n\r", "\n\n", "\r\n\r\n"] {
        let block = format!("<think>S3CRET</think>{end}");
        for text in [format!("{block}PUBL1C"), format!("PUBL1C {block}"), format!("{block}PUBL1C{end}{block}{end}more")]
        {
            let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
            for piece in 1..4 {
                let pieces = Setup { piece, ..setup };
                assert_eq!(strip(text.as_bytes(), pieces), strip(text.as_bytes(), setup), "{text:?}");
                assert_eq!(split(text.as_bytes(), pieces), split(text.as_bytes(), setup), "{text:?}");
            }
        }
    }
}

/// Where a line of a text is a record that is not understood, and the text is not certain, which of the two is told first
/// depends on how much of the text had to come.
fn in_order(mut ran: Ran) -> Ran {
    ran.problems.sort_by_key(|problem| problem.offset);
    ran.problems.iter_mut().for_each(|problem| problem.record = 0);
    ran
}

/// What chance has found.
#[test]
fn texts_read_ahead() {
    for text in [
        "Here is my thought process:<|END_THINKING|><REASONING> Here is my thought process:\n",
        "Here is my thought process: to=f◁/think▷</think:x>Here is my thought process:Here is my thought process:\n",
        "Here is my thought process:◁/think▷<|message|>Here is my thought process:\n",
        "```<tool_call>\n\n</thinking></thinking>{\"x\":\"<thinking>é<think a=\"b\">\n     ```<|START_THINKING|>",
    ] {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        for (copied, piece) in (0..40).flat_map(|copied| (1..9).map(move |piece| (copied, piece))) {
            let ahead = Setup { pass: Pass::Once(copied), piece, ..setup };
            assert_eq!(in_order(strip(text.as_bytes(), ahead)), in_order(strip(text.as_bytes(), setup)), "{text:?}");
            assert_eq!(in_order(split(text.as_bytes(), ahead)), in_order(split(text.as_bytes(), setup)), "{text:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn a_text_read_ahead_is_the_same(text in tagged(), copied in 0usize..40, piece in 1usize..9) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let ahead = Setup { pass: Pass::Once(copied), piece, ..setup };
        prop_assert_eq!(in_order(strip(text.as_bytes(), ahead)), in_order(strip(text.as_bytes(), setup)));
        prop_assert_eq!(in_order(split(text.as_bytes(), ahead)), in_order(split(text.as_bytes(), setup)));
    }

    #[test]
    fn a_text_read_twice_is_the_same(text in tagged(), piece in 1usize..9) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let Some(known) = first_pass(text.as_bytes(), Setup { piece, ..setup }) else { return Ok(()) };
        let second = Setup { pass: Pass::Second(known), piece, ..setup };
        prop_assert_eq!(in_order(strip(text.as_bytes(), second)), in_order(strip(text.as_bytes(), setup)));
        prop_assert_eq!(in_order(split(text.as_bytes(), second)), in_order(split(text.as_bytes(), setup)));
    }

    /// `-o text` writes what the objects say.
    #[test]
    fn text_is_what_objects_say(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<think>", "</think>", "a", "b ", "\n", "\n\n", " ", "é", "\u{3000}", "</thi", "nk>", "<|end|>", "😀",
        ]), 0..16),
        raw in any::<bool>(),
        lines in any::<bool>(),
        piece in 1usize..40,
    ) {
        let parts: Vec<String> = parts.into_iter().map(str::to_string).collect();
        let input = if raw { parts.concat().into_bytes() } else { deltas(&parts, "content", lines) };
        let setup = Setup { framing: raw.then_some(Framing::Text), ..Setup::default() };
        for reasoning in [false, true] {
            let ran = split_text(&input, setup, reasoning);
            let text = ran.text();
            prop_assert_eq!(&split_text(&input, Setup { piece, ..setup }, reasoning).text(), &text);
            // A tag that is not certain has passed as text in a stream, and refuses a message with hindsight.
            let undecided = |ran: &Ran| ran.problems.iter().any(|p| p.kind == ErrorKind::Undecided);
            if undecided(&ran) || undecided(&split(&input, setup)) {
                continue;
            }
            let streaming = !raw && !lines;
            let texts: Vec<String> = messages(&input, setup)
                .into_iter()
                .filter_map(|(visible, thoughts)| if reasoning { thoughts } else { Some(visible) })
                .collect();
            // White space at the start of a live stream is out before it is known whether something is cut.
            let same = |text: &str| if streaming { text.trim_start().to_string() } else { text.to_string() };
            let texts = texts.iter().map(|text| text.clone() + if raw && !reasoning { "" } else { "\n" }).collect::<String>();
            let end = if raw && !reasoning && text.len() > texts.len() { "\n" } else { "" };
            prop_assert_eq!(same(&text), same(&(texts + end)));
        }
    }
}

const DELTAS: [&str; 5] = ["<think>S3CRET", " S3CRET</think>\n\n", "PUBL1C", " PUBL1C", "!"];

/// A word is written when it is known, in every framing.
#[test]
fn words_as_they_come() {
    let sse = DELTAS.map(|text| {
        format!("data: {}\n\n", serde_json::json!({"choices": [{"index": 0, "delta": {"content": text}}]}))
    });
    let lines = sse.clone().map(|event| event.trim_start_matches("data: ").replace("\n\n", "\n"));
    let raw = DELTAS.map(str::to_string);
    let want = ["", "", "PUBL1C", " PUBL1C", "!"];
    for (args, parts) in [
        (vec!["split", "-o", "text"], &sse),
        (vec!["split", "-o", "text", "--live"], &lines),
        (vec!["split", "-o", "text", "--start", "visible"], &lines),
        (vec!["split", "-o", "text", "--live"], &raw),
        (vec!["split", "-o", "text"], &raw),
        (vec!["--live"], &raw),
        (vec!["--start", "visible"], &raw),
    ] {
        assert_eq!(feed_parts(&args, parts), want, "{args:?}");
    }
    // Without a tag at the start, only the user can say that none comes.
    let plain = ["PUBL1C", " PUBL1C", "!"];
    for args in [vec!["--live"], vec!["--start", "visible"], vec!["split", "-o", "text", "--live"]] {
        assert_eq!(feed_parts(&args, &plain), plain, "{args:?}");
    }
    // A word in small letters may be the key of a pair only where that would count.
    for word in ["publ1c ", "  publ1c ", "publ1c = 1 + "] {
        assert_eq!(feed_parts(&["--live"], &[word, "publ1c ", "PUBL1C."]), [word, "publ1c ", "PUBL1C."]);
    }
    for args in [vec!["--live"], vec!["--start", "visible"]] {
        assert_eq!(feed_parts(&args, &lines)[2..], lines[2..], "{args:?}");
    }
}

/// Events that wait for the policy by the thousand are put together, and come out as if they had not been.
#[test]
fn many_events_that_wait() {
    let event = |id: &str, key: &str, i: usize| {
        let delta = serde_json::json!({"id": id, "choices": [{"index": 0, "delta": {key: format!("{key} {i} ")}}]});
        format!("data: {delta}\n\n")
    };
    let (mut input, mut want) = (String::new(), String::new());
    for (n, id) in ["a", "b", "c"].into_iter().enumerate() {
        for key in ["reasoning_content", "content", "reasoning_content"] {
            for i in 0..6000 {
                let event = event(id, key, i);
                input.push_str(&event);
                let goes = key == "reasoning_content" && n < 2;
                want.push_str(if goes { "" } else { &event });
            }
        }
        let usage = format!(": ping\n\ndata: {{\"id\":\"{id}\",\"choices\":[],\"usage\":{{}}}}\n\n");
        input.push_str(&usage);
        want.push_str(&usage);
    }
    for piece in [7, 1000, usize::MAX] {
        let ran = strip(input.as_bytes(), Setup { piece, ..policy("all-but-last") });
        assert!(ran.text() == want, "pieces of {piece}");
        assert_eq!(strip(input.as_bytes(), Setup { piece, ..policy("keep-last-2") }).out.len(), input.len());
    }
}

/// What waits counts against the limit, wherever it is held; what need not wait does not.
#[test]
fn what_waits_is_bounded() {
    let words = "word ".repeat(40);
    let lines = String::from_utf8(deltas(&vec![words; 2000], "content", true)).unwrap();
    let thoughts = lines.replace("\"content\"", "\"reasoning\"");
    let text = format!("<think>{}", "some words here\n".repeat(20_000));
    for (args, input, status) in [
        (vec!["split"], &lines, 3),
        (vec!["split", "-o", "text"], &lines, 3),
        (vec!["split", "-o", "text", "--live"], &lines, 0),
        (vec!["strip", "--live"], &lines, 0),
        (vec!["split", "--only", "reasoning"], &thoughts, 0),
        (vec!["split"], &thoughts, 3),
        (vec!["strip", "--policy", "none"], &text, 0),
        (vec!["strip", "--unclosed", "visible"], &text, 3),
        (vec!["strip", "--live", "--unclosed", "visible"], &text, 3),
    ] {
        let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
        let out = command.args(&args).args(["--max-record", "64K"]).write_stdin(input.as_bytes()).assert().code(status);
        let stderr = String::from_utf8_lossy(&out.get_output().stderr).into_owned();
        assert_eq!(stderr.contains("--max-record"), status == 3, "{args:?}: {stderr}");
    }
    // A file is looked through first.
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
    let out = command
        .args(["--max-record", "64K", "--unclosed", "visible"])
        .arg(file.path())
        .assert()
        .code(0)
        .get_output()
        .clone();
    assert!(out.stdout == text.as_bytes());
}

/// Text in front of an opener that may be text does not wait for it.
#[test]
fn text_before_an_opener_is_written() {
    let parts = ["PUBL1C one. ", "PUBL1C, then <think>it is", " said</think>so.\n"];
    assert_eq!(feed_parts(&["split", "-o", "text", "--live"], &parts)[..2], ["PUBL1C one.", " PUBL1C, then"]);
    assert_eq!(feed_parts(&["--live"], &parts)[..2], ["PUBL1C one. ", "PUBL1C, then "]);
}

/// After so many records that are no deltas, a response does not go on, even under the same id.
#[test]
fn a_response_does_not_go_on_behind_many_records() {
    let delta =
        |text: &str| format!("{{\"id\":\"a\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n");
    let between = "{\"role\":\"user\",\"content\":\"PUBL1C\"}\n";
    let answers = |count: usize| {
        let input = delta("PUBL1C one") + &between.repeat(count) + &delta(" PUBL1C two");
        split(input.as_bytes(), Setup { framing: Some(Framing::Jsonl), ..Setup::default() }).text().lines().count()
    };
    assert_eq!((answers(63), answers(64)), (1, 2));
}

/// On a terminal that gets both, the reasoning and the answer have lines of their own.
#[test]
#[cfg(target_os = "linux")]
fn reasoning_and_answer_on_one_terminal() {
    let input = tempfile::NamedTempFile::new().unwrap();
    let messages = "{\"role\":\"assistant\",\"reasoning\":\"One.\",\"content\":\"1\"}\n\
                    {\"role\":\"assistant\",\"reasoning\":\"Two.\",\"content\":\"2\"}\n";
    for (text, live, want) in [
        ("<think>Two and two.</think>\n\nFour.\n", true, "Two and two.\r\nFour.\r\n"),
        ("<think>Two and two.</think>\n\nFour.\n", false, "Two and two.\r\nFour.\r\n"),
        ("Four.\n", true, "Four.\r\n"),
        // Of what is read at once, all reasoning comes first.
        (messages, true, "One.\r\nTwo.\r\n1\r\n2\r\n"),
    ] {
        std::fs::write(input.path(), text).unwrap();
        let live = if live { &["--live"][..] } else { &[] };
        let args = ["split", "-o", "text", "--reasoning-to", "stderr", input.path().to_str().unwrap()];
        let shown = crate::show::Screen::of(&[&args, live].concat(), 24, None, false).end();
        assert_eq!(shown, want, "{text}");
    }
}
