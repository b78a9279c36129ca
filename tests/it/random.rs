//! Properties of input that nobody wrote by hand.

use crate::support::*;
use proptest::prelude::*;
use unthink::frame::Framing;

/// Texts with delimiters of all kinds, and with recordings of terminals, code and quotations around them.
pub fn tagged() -> impl Strategy<Value = String> {
    texts(&[&DELIMITERS[..], &PROSE, &["Thinking...\n", "...done thinking.\n", "\n>>> b\n"]].concat())
}

fn texts(pieces: &[&'static str]) -> impl Strategy<Value = String> + use<> {
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..24).prop_map(|p| p.concat())
}

/// What decides how a delimiter stands.
const PROSE: [&str; 4] = ["\n    ", "\"", "猫", ". B"];

const DELIMITERS: [&str; 61] = [
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<REASONING>",
    "</REASONING>",
    "<th",
    "ink>",
    "</",
    "[THINK]",
    "[/THINK]",
    "◁think▷",
    "◁/think▷",
    "a",
    "b c",
    "\n",
    "\n\n",
    " ",
    "`",
    "```",
    "\n```\n",
    "~~~\n",
    "é",
    "<",
    ">",
    "😀",
    "<think a=\"b\">",
    "<tool_call>",
    "<answer>",
    "</answer>",
    "\r\n",
    "<|START_THINKING|>",
    "<|END_THINKING|>",
    "\u{2028}",
    "\u{a0}",
    "<|start|>",
    "<|start|>assistant",
    "<|start|>user",
    "<|channel|>analysis",
    "<|channel|>final",
    "<|channel|>commentary",
    "<|message|>",
    "<|end|>",
    "<|call|>",
    " to=f",
    " to=self",
    "{\"x\":\"",
    "\"}",
    "</tool_call>",
    "<|channel>",
    "thought\n",
    "<channel|>",
    "<think:x>",
    "</think:x>",
    "Here is my thought process:",
    "Here is my response:",
    "<|open|>think<|sep|>",
    "<|close|>think<|sep|>",
    "<|content_thinking|>",
    "<|end_message|>",
    "<|end_of_msg|>",
];

/// Without code and the strict tag in one text. The strict tag counts in code too (SPEC section 4, rule 2), so that
/// what is cut with its block can be the very end of the code that an earlier tag stood in; that tag is out already.
fn tagged_once() -> impl Strategy<Value = String> {
    // So do headers in a text that has them: a fence that is open in one message must not hide the next.
    let counts =
        |text: &String| ["REASONING", "<|channel|>", "<|content_", "<|start|>"].iter().any(|t| text.contains(t));
    let mixed = move |text: &String| counts(text) && (text.contains('`') || text.contains('~'));
    // A second strict block stays visible (rule 2), and is the first one of what is left.
    let one = |text: String| match text.find("<REASONING>") {
        Some(at) => text[..=at].to_string() + &text[at + 1..].replace("<REASONING>", ""),
        None => text,
    };
    // A block or call whose closer alone is text, and that the end of a message cuts in two, is whole once that end is out.
    let closing = ["</REASONING>", "Here is my response:", "</tool_call>"];
    let whole = move |text: String| match text.contains("<|") {
        true => closing.iter().fold(text, |text, tag| text.replace(tag, "")),
        false => text,
    };
    // Headers stay in a transcript, which a text is known to be once somebody else speaks: from its beginning here.
    let known = |text: String| match text.split_once("<|start|>user") {
        Some((before, after)) => "<|start|>user".to_string() + before + &after.replace("<|start|>user", ""),
        None => text,
    };
    // A header without its tokens is recognised by its first letters only, and a cut can put them together.
    let without_header = |text: String| text.replace(" to=", " to ");
    texts(&DELIMITERS)
        .prop_map(without_header)
        .prop_map(one)
        .prop_map(whole)
        .prop_map(known)
        .prop_map(move |text| if mixed(&text) { text.replace(['`', '~'], "") } else { text })
}

/// One message: in a record, nobody else speaks, and recordings of terminals are not read. A line of a text that is an object may be a record of its own; in a
/// string it is text.
fn alone() -> impl Strategy<Value = String> {
    let is_object = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok_and(|value| value.is_object());
    let text = texts(&[&DELIMITERS[..], &PROSE].concat())
        .prop_map(|text| text.replace("<|start|>", "").replace("{\"x\":\"", ""));
    text.prop_filter("a line is an object", move |text| !text.lines().any(is_object))
}

fn record(text: &str) -> Vec<u8> {
    let quoted = serde_json::to_string(text).unwrap();
    format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":{quoted}}}]}}\n").into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn text_in_pieces(text in tagged(), piece in 1usize..9) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let whole = strip(text.as_bytes(), setup);
        prop_assert_eq!(&strip(text.as_bytes(), Setup { piece, ..setup }), &whole);
        prop_assert_eq!(split(text.as_bytes(), Setup { piece, ..setup }), split(text.as_bytes(), setup));
    }

    #[test]
    fn strip_again(text in tagged_once()) {
        let setup = Setup { framing: Some(Framing::Text), ..Setup::default() };
        let ran = strip(text.as_bytes(), setup);
        // What is left of a text that was refused is a part of it.
        if ran.counts.bad > 0 {
            return Ok(());
        }
        let once = ran.out;
        let again = strip(&once, setup);
        // A cut may leave a tag within a sentence, or a part of a JSON document.
        if again.counts.bad > 0 {
            return Ok(());
        }
        let twice = again.out;
        prop_assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&once));
    }

    #[test]
    fn none_is_the_identity(bytes in prop::collection::vec(any::<u8>(), 0..200), piece in 1usize..9) {
        for framing in [None, Some(Framing::Jsonl), Some(Framing::Json), Some(Framing::Sse), Some(Framing::Text), Some(Framing::Csv)] {
            let ran = strip(&bytes, Setup { framing, piece, ..policy("none") });
            prop_assert_eq!(&ran.out, &bytes);
        }
    }

    #[test]
    fn rejects_and_output_lose_nothing(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{\"a\":1}\n", "{bad}\n", "\n", "[1,2]\n", "{\"role\":\"assistant\",\"content\":\"x\"}\r\n", "nul\n", "\"cut\n", "\u{feff}{}\n",
        ]), 0..12),
        piece in 1usize..9,
    ) {
        let input = parts.concat().into_bytes();
        let setup = Setup { framing: Some(Framing::Jsonl), piece, ..Setup::default() };
        let ran = strip(&input, setup);
        prop_assert_eq!(ran.out.len() + ran.rejects.len(), input.len());
        prop_assert_eq!(ran.counts.bad as usize, ran.problems.len());
    }

    #[test]
    fn a_record_is_as_its_text(text in alone()) {
        let as_text = messages(text.as_bytes(), Setup { framing: Some(Framing::Text), ..Setup::default() });
        let as_record = messages(&record(&text), Setup::default());
        if !text.is_empty() && !text.starts_with('\u{feff}') {
            prop_assert_eq!(as_record, as_text);
        }
    }

    /// Sections are emptied wherever they stand in reasoning, however the input comes, and nothing else changes.
    #[test]
    fn sections_of_reasoning(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<think>", "</think>", "<REDACTED>", "</REDACTED>", "<RED", "ACTED>", "a", "\n", "é", "<|channel|>analysis<|message|>",
            "<|end|>", "`",
        ]), 0..20),
        piece in 1usize..9,
    ) {
        let text = parts.concat();
        let field = serde_json::json!({"role": "assistant", "reasoning_content": text, "content": text}).to_string();
        let delta = |part: &&str| {
            let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"reasoning_content": part}}]});
            format!("data: {delta}\n\n")
        };
        let stream: String = parts.iter().map(delta).collect();
        for input in [text.as_str(), &field, &stream] {
            let setup = Setup { redact: true, framing: (input == text).then_some(Framing::Text), ..policy("none") };
            let ran = strip(input.as_bytes(), setup);
            prop_assert_eq!(&strip(input.as_bytes(), Setup { piece, ..setup }).out, &ran.out);
            // What is left is the input without some of its bytes.
            let mut rest = input.bytes();
            prop_assert!(ran.out.iter().all(|b| rest.any(|c| c == *b)));
            if text.find("<REDACTED>").is_none() && ran.counts.bad == 0 {
                prop_assert_eq!(ran.text(), input);
            }
        }
    }

    #[test]
    fn events_that_are_alike(
        deltas in prop::collection::vec((
            prop::sample::select(vec!["content", "reasoning_content", "reasoning", "x"]),
            prop::sample::select(vec!["", "a", "<think>", "</think>", "\\u003cthink>", "\\n", "é", "\\ud83d", "\\\"", "long text, longer"]),
            prop::sample::select(vec!["", "\"role\":\"assistant\",", "\"content\":\"\",", "\"reasoning_content\":null,"]),
            prop::sample::select(vec!["", ",\"usage\":null", ",\"id\":\"b\"", ", \"n\":[1]"]),
        ), 0..14),
        lines in any::<bool>(),
        piece in 1usize..40,
    ) {
        let event = |(key, text, first, last): &(&str, &str, &str, &str)| {
            let json = format!("{{\"id\":\"a\",\"choices\":[{{\"index\":0,\"delta\":{{{first}\"{key}\":\"{text}\"}}}}]{last}}}");
            if lines { format!("{json}\n") } else { format!("data: {json}\n\n") }
        };
        let input: String = deltas.iter().map(event).collect();
        for policy_name in ["all", "all-but-last"] {
            let setup = policy(policy_name);
            let want = strip(input.as_bytes(), Setup { shortcuts_off: true, ..setup });
            prop_assert_eq!(&strip(input.as_bytes(), setup), &want);
            prop_assert_eq!(&strip(input.as_bytes(), Setup { piece, ..setup }), &want);
        }
        let want = split(input.as_bytes(), Setup { shortcuts_off: true, ..Setup::default() });
        prop_assert_eq!(split(input.as_bytes(), Setup::default()), want);
    }

    /// Events that say more of the same are neither framed nor read where nothing asks for them.
    #[test]
    fn events_that_go_on(
        events in prop::collection::vec((
            0u8..10,
            prop::sample::select(vec!["a", "a", "bc d", "<think>", "</think>", "\\n", "é", "\\ud83d", "\\\"", "long text, longer"]),
            prop::sample::select(vec!["", "", "", "", " ", ",\"x\":1", "\r"]),
        ), 0..16),
        lines in any::<bool>(),
        crlf in any::<bool>(),
        piece in 1usize..400,
    ) {
        let mut count = 0;
        let mut event = |(kind, text, last): &(u8, &str, &str), responses: bool| {
            count += 1;
            let part = |kind: &str, key: &str, index: u8| {
                format!(r#""type":"content_block_delta","index":{index},"delta":{{"type":"{kind}_delta","{key}":"{text}"}}"#)
            };
            let delta = |kind: &str, index: u8| {
                let place = format!(r#""item_id":"i","output_index":{index},"content_index":0"#);
                format!(r#""type":"response.{kind}.delta",{place},"delta":"{text}","sequence_number":{count}"#)
            };
            let json = match (kind, responses) {
                (0..4, false) => part("thinking", "thinking", 0),
                (4, false) => part("thinking", "thinking", 2),
                (5..8, false) => part("text", "text", 1),
                (8, false) => r#""type":"content_block_stop","index":0"#.into(),
                (_, false) => r#""type": "ping""#.into(),
                (0..4, true) => delta("reasoning_text", 0),
                (4, true) => delta("reasoning_text", 2),
                (5..8, true) => delta("output_text", 1),
                (8, true) => delta("refusal", 1),
                (_, true) => r#""type":"response.in_progress","response":{"id":"r","object":"response","output":[]}"#.into(),
            };
            let (json, end) = (format!("{{{json}{last}}}"), if crlf { "\r\n" } else { "\n" });
            if lines { format!("{json}{end}") } else { format!("data: {json}{end}{end}") }
        };
        for responses in [false, true] {
            let input: String = events.iter().map(|of| event(of, responses)).collect();
            for policy_name in ["all", "all-but-last"] {
                let setup = policy(policy_name);
                let want = strip(input.as_bytes(), Setup { shortcuts_off: true, ..setup });
                prop_assert_eq!(&strip(input.as_bytes(), setup), &want);
                // A note that comes late may name another record.
                prop_assert_eq!(&strip(input.as_bytes(), Setup { piece, ..setup }).out, &want.out);
            }
            let want = split(input.as_bytes(), Setup { shortcuts_off: true, ..Setup::default() });
            prop_assert_eq!(split(input.as_bytes(), Setup::default()), want);
        }
    }

    #[test]
    fn a_tree_says_the_same(
        roles in prop::collection::vec(prop::sample::select(vec!["user", "assistant", "tool"]), 1..8),
        fields in prop::collection::vec(0u8..5, 8),
        pretty in any::<bool>(),
        policy_name in prop::sample::select(POLICIES.to_vec()),
        drop_empty in any::<bool>(),
    ) {
        let value = conversation(&roles, &fields);
        let input = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let out = strip(input.as_bytes(), Setup { drop_empty, ..policy(policy_name) }).text();
        let got: serde_json::Value = serde_json::from_str(&out).unwrap();
        prop_assert_eq!(got, oracle(value, policy_name, drop_empty), "{}", out);
    }
}

fn conversation(roles: &[&str], fields: &[u8]) -> serde_json::Value {
    let message = |(i, role): (usize, &&str)| {
        let mut m = serde_json::json!({"role": role});
        match (*role, fields[i]) {
            ("assistant", 1) => m["reasoning_content"] = "R".into(),
            ("assistant", 2) => {
                m["content"] = serde_json::json!([{"type": "thinking", "thinking": "R"}, {"type": "text", "text": "V"}])
            }
            ("assistant", 3) => {
                m["reasoning"] = "R".into();
                m["tool_calls"] = serde_json::json!([{"id": "1"}]);
            }
            ("assistant", 4) => {
                m["a"] = "R".into();
                m["reasoning_content"] = "R".into();
                m["content"] = "V".into();
            }
            _ => m["content"] = "V".into(),
        }
        m
    };
    serde_json::json!({"x": 1, "messages": roles.iter().enumerate().map(message).collect::<Vec<_>>(), "y": [1, {}]})
}

/// The policies once more, on a tree.
fn oracle(mut value: serde_json::Value, policy_name: &str, drop_empty: bool) -> serde_json::Value {
    let messages = value["messages"].as_array_mut().unwrap();
    let has = |m: &serde_json::Value| {
        let part = m["content"].as_array().is_some_and(|c| c.iter().any(|p| p["type"] == "thinking"));
        m.get("reasoning_content").is_some() || m.get("reasoning").is_some() || part
    };
    // The turn of each message, and what is known of turns.
    let mut turn = 0;
    let turns: Vec<usize> = messages
        .iter()
        .map(|m| {
            turn += usize::from(m["role"] == "user");
            turn
        })
        .collect();
    let last_user = messages.iter().rposition(|m| m["role"] == "user");
    let last = messages.iter().rposition(has);
    let with: Vec<usize> = {
        let mut t: Vec<usize> = messages.iter().zip(&turns).filter(|(m, _)| has(m)).map(|(_, t)| *t).collect();
        t.dedup();
        t
    };
    let tools: Vec<usize> =
        messages.iter().zip(&turns).filter(|(m, _)| m.get("tool_calls").is_some()).map(|(_, t)| *t).collect();
    let keep = |i: usize| match policy_name {
        "none" => true,
        "all" => false,
        "all-but-last" => last == Some(i),
        "before-last-user" => last_user.is_none_or(|u| i > u),
        "keep-tool-turns" => tools.contains(&turns[i]),
        _ => with.iter().rev().take(2).any(|t| *t == turns[i]),
    };
    let keeps: Vec<bool> = (0..messages.len()).map(keep).collect();
    let mut emptied = Vec::new();
    for (i, m) in messages.iter_mut().enumerate().filter(|(i, _)| !keeps[*i]) {
        let had = has(m);
        let m = m.as_object_mut().unwrap();
        m.remove("reasoning_content");
        m.remove("reasoning");
        if let Some(content) = m.get_mut("content").and_then(|c| c.as_array_mut()) {
            content.retain(|p| p["type"] != "thinking");
        }
        if had && drop_empty && !m.contains_key("content") && !m.contains_key("tool_calls") {
            emptied.push(i);
        }
    }
    for i in emptied.into_iter().rev() {
        messages.remove(i);
    }
    value
}
