//! Streams that are converted while they come, and conversions of what a policy leaves.

use crate::convert::{TARGETS, corpus, once, split_texts, values};
use crate::support::*;
use proptest::prelude::*;
use unthink::{ConvertOptions, Policy};

#[test]
fn each_event_goes_out_before_the_next_comes_in() {
    let event = |delta: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}}}]}}\n\n");
    let parts = [
        event("\"reasoning\":\"S3CRET\""),
        event("\"reasoning\":\" more\""),
        event("\"content\":\"PUBL1C\""),
        event("\"content\":\" end\""),
    ];
    for to in TARGETS {
        for strip in [&[][..], &["--set", "reasoning.includeInContext=true"]] {
            let args = [&["convert", "--framing", "sse", "--to", to], strip].concat();
            for (out, part) in feed_parts(&args, &parts).iter().zip(&parts) {
                assert_eq!(values(out.as_bytes()).len(), 1, "{to}: {part} gave {out:?}");
            }
        }
    }
    let lines = |m: &str| format!("{{\"role\":\"assistant\",\"reasoning\":\"S3CRET {m}\",\"content\":\"PUBL1C\"}}\n");
    for out in feed_parts(&["convert", "--to", "thinking-block"], &[lines("a"), lines("b")]) {
        assert!(out.contains("S3CRET") && out.ends_with("}\n"), "{out:?}");
    }
}

#[test]
fn data_over_several_lines_stays_one_event() {
    for end in ["\n", "\r\n", "\r"] {
        let event = [
            "data: {\"choices\":[{\"index\":0,",
            "data: \"delta\":{\"role\":\"assistant\",",
            "data: \"reasoning\":\"S3CRET\",\"x\":[1,",
            "data: 2],\"content\":\"PUBL1C\"}}]}",
            "",
            "",
        ];
        let input = event.join(end);
        for to in TARGETS {
            let out = once(input.as_bytes(), to);
            assert_eq!(values(&out).len(), 1, "{to}");
            assert_eq!(split_texts(&out), split_texts(input.as_bytes()), "{to}");
            assert_eq!(split_texts(&out).len(), 1, "{to}");
        }
        let part = [
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",",
            "data: \"text\":\"PUBL1C\",\"y\":[1,",
            "data: 2]}],\"reasoning\":\"S3CRET\"}}]}",
            "",
            "",
        ];
        let blocks = once(part.join(end).as_bytes(), "thinking-block");
        assert_eq!(values(&blocks).len(), 1, "{}", String::from_utf8_lossy(&blocks));
    }
}

/// The blocks that deltas on lines become, as types with their texts.
fn blocks_of(deltas: &[&str]) -> (String, usize) {
    let chunk = |delta: &&str| {
        let (id, delta) = delta.split_once(' ').unwrap_or((delta, ""));
        let stop = if delta.is_empty() { ",\"finish_reason\":\"stop\"" } else { "" };
        format!("{{\"id\":\"{id}\",\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}{stop}}}]}}\n")
    };
    let input = deltas.iter().map(chunk).collect::<String>() + "[DONE]\n";
    let all = convert_to(input.as_bytes(), "anthropic", 1 << 20);
    let block = |value: &serde_json::Value| {
        let text = |key: &str| value["delta"][key].as_str().map(str::to_string);
        match value["type"].as_str() {
            Some("message_start") => Some("| ".to_string()),
            Some("content_block_start") => value["content_block"]["type"].as_str().map(|kind| format!("{kind} ")),
            _ => text("text").or(text("thinking")).map(|text| format!("{text} ")),
        }
    };
    (values(&all.out).iter().filter_map(block).collect::<String>().trim_end().into(), all.refused.len())
}

/// Text on lines waits for a tag, but not longer than until another block follows: blocks are written in their order.
#[test]
fn text_on_lines_stands_before_the_block_that_follows() {
    let call = r#"a "tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]"#;
    let text = r#"a "content":"PUBL1C""#;
    for (deltas, want, problems) in [
        (&[text, call][..], "| text PUBL1C tool_use", 0),
        (&[text, r#"a "reasoning_content":"S3CRET""#], "| text PUBL1C thinking S3CRET", 0),
        (&[text, r#"a "reasoning_content":"""#, r#"a "content":"S</think>x""#], "| thinking PUBL1CS text x", 0),
        (&[text, call, r#"a "content":"S</think>x""#], "| text PUBL1C tool_use text S x", 1),
        (&[text, call, r#"a "content":"<think>S</think>x""#], "| text PUBL1C tool_use thinking S text x", 0),
        (&[text, "a ", r#"b "content":"B""#], "| text PUBL1C | text B", 0),
    ] {
        assert_eq!(blocks_of(deltas), (want.to_string(), problems), "{deltas:?}");
    }
    // Some send the reason for the end with the text.
    let ended = |id: &str| {
        format!(
            "{{\"id\":\"{id}\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"PUBL1C {id}\"}},\"finish_reason\":\"stop\"}}]}}\n"
        )
    };
    let out = convert_to([ended("a"), ended("b")].concat().as_bytes(), "anthropic", 1 << 20).out;
    assert_eq!(split_texts(&out).len(), 2, "{}", String::from_utf8_lossy(&out));
}

/// Events of Anthropic and of Responses do not say which message they belong to: the second is written behind the first.
#[test]
fn responses_side_by_side_are_written_one_behind_the_other() {
    let chunk = |(id, delta): &(&str, &str)| {
        let stop = if delta.contains('2') { ",\"finish_reason\":\"stop\"" } else { "" };
        format!("{{\"id\":\"{id}\",\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}{stop}}}]}}")
    };
    let deltas = [
        ("a", r#""reasoning_content":"S3CRET A""#),
        ("b", r#""reasoning_content":"S3CRET B""#),
        ("a", r#""content":"PUBL1C A1""#),
        ("b", r#""content":"PUBL1C B1""#),
        ("a", r#""content":"PUBL1C A2""#),
        ("b", r#""content":"PUBL1C B2""#),
    ];
    let chunks: Vec<String> = deltas.iter().map(chunk).collect();
    let sse: String =
        chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).chain(["data: [DONE]\n\n".into()]).collect();
    for input in [chunks.join("\n"), sse] {
        let want = split_texts(input.as_bytes());
        assert_eq!(want.len(), 2);
        for to in ["anthropic", "responses", "gromozeka", "reasoning-content"] {
            for piece in [1, 1 << 20] {
                let done = convert_to(input.as_bytes(), to, piece);
                assert_eq!((split_texts(&done.out), done.refused.len()), (want.clone(), 0), "{to}");
            }
        }
    }
}

/// A policy strips first, and what is left is converted; in pieces too.
#[test]
fn stripped_and_converted_in_pieces() {
    for (_, name, input) in corpus().into_iter().filter(|(_, _, input)| input.len() < 20_000) {
        for to in TARGETS {
            let options = ConvertOptions::new(to).policy(Policy::AllButLast);
            let whole = convert(&input, usize::MAX, &options);
            let apart = strip(&input, policy("all-but-last")).out;
            assert_eq!(whole.text(), convert_to(&apart, to, usize::MAX).text(), "{name} to {to}");
            for piece in [1, 7] {
                assert!(convert(&input, piece, &options) == whole, "{name} to {to} in pieces of {piece}");
            }
        }
    }
}

/// An event of a stream of chat: its response, its choice, and the members of its delta.
fn event(id: u8, index: u8, delta: &str, pad: bool) -> String {
    let pad = if pad { "  " } else { "" };
    let id = if id == 0 { String::new() } else { format!("\"id\":\"r{id}\",") };
    format!("data: {{{pad}{id}\"choices\":[{{\"index\":{index},\"delta\":{{{delta}}}}}]}}\n\n")
}

/// The members of a delta.
fn delta() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec!["reasoning_content", "reasoning", "thinking"]);
    let text = prop::sample::select(vec![
        "S3CRET", " more", "a", " ", "\\n", "\\u0041", "é", "", "</think>", "</thi", "nk>", "<|en", "d|>", "<think>",
    ]);
    let beside =
        prop::sample::select(vec!["", "", "", ",\"content\":null", ",\"content\":\"\"", ",\"role\":\"assistant\""]);
    let thinks = (key, text, beside).prop_map(|(key, text, beside)| format!("\"{key}\":\"{text}\"{beside}"));
    let answer = prop::sample::select(vec!["PUBL1C", "<think>", "a", " ", "\\n"]);
    prop_oneof![6 => thinks, 1 => answer.prop_map(|text| format!("\"content\":\"{text}\""))]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// An event that differs from the last one in its text only is written as that one was. White space in every second
    /// event makes each differ.
    #[test]
    fn events_that_are_alike_are_written_the_same(
        events in prop::collection::vec((0u8..3, 0u8..2, delta(), 1usize..5), 1..8),
        together in any::<bool>(),
        done in any::<bool>(),
    ) {
        let deltas: Vec<(u8, u8, &str)> = events
            .iter()
            .flat_map(|(id, index, delta, times)| {
                let (id, index) = if together { (1, 0) } else { (*id, *index) };
                std::iter::repeat_n((id, index, delta.as_str()), *times)
            })
            .collect();
        let stream = |pads: bool| {
            let events = deltas.iter().enumerate();
            let events = events.map(|(at, (id, index, delta))| event(*id, *index, delta, pads && at % 2 == 1));
            events.chain(done.then(|| "data: [DONE]\n\n".to_string())).collect::<String>()
        };
        for to in TARGETS {
            for escape in [false, true] {
                let options = ConvertOptions::new(to).escape(escape && matches!(to, "tagged" | "harmony"));
                let alike = convert(stream(false).as_bytes(), usize::MAX, &options);
                let apart = convert(stream(true).as_bytes(), usize::MAX, &options);
                prop_assert_eq!(alike.text(), apart.text().replace("data: {  ", "data: {"), "{} of {}", to, stream(false));
                prop_assert_eq!((&alike.losses, &alike.refused), (&apart.losses, &apart.refused), "{} of {}", to, stream(false));
            }
        }
    }
}
