//! The laws, over every dialect's test data and, where it is there, the recorded data of others.
//!
//! In the test data `S3CRET` stands only in reasoning and `PUBL1C` only in what must stay.

use crate::support::*;
use unthink::internals::policy::{Policy, Unit};

const PIECES: [usize; 6] = [1, 2, 3, 7, 64, 1000];

#[test]
fn identity() {
    for (name, input) in corpus() {
        for piece in [usize::MAX, 1, 7] {
            assert_eq!(strip(&input, Setup { piece, ..policy("none") }).out, input, "{name}");
        }
    }
}

/// The splice itself, without the shortcut for `none`: a policy that keeps every turn with reasoning. What a recording
/// takes back is no turn, and what was rejected was never part of one.
#[test]
fn identity_of_the_splice() {
    let takes_back = |input: &[u8]| {
        ["\"itemsRemoved\"", "\"rejected\""].iter().any(|word| String::from_utf8_lossy(input).contains(word))
    };
    for (name, input) in own().into_iter().filter(|(_, input)| !takes_back(input)) {
        let out = strip(&input, Setup { policy: Policy::KeepLast(u32::MAX), ..Setup::default() }).out;
        assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&input), "{name}");
    }
}

#[test]
fn chunks() {
    for (name, input) in corpus() {
        for name_of_policy in POLICIES {
            let whole = strip(&input, policy(name_of_policy));
            for piece in PIECES.into_iter().filter(|p| *p > 3 || input.len() < 100_000) {
                let ran = strip(&input, Setup { piece, ..policy(name_of_policy) });
                assert_eq!(ran, whole, "{name}, {name_of_policy}, in pieces of {piece}");
            }
        }
        let whole = split(&input, Setup::default());
        for piece in [1, 5] {
            assert_eq!(split(&input, Setup { piece, ..Setup::default() }), whole, "split {name} in pieces of {piece}");
        }
    }
}

#[test]
fn gears() {
    for (name, input) in corpus() {
        for policy_name in POLICIES {
            let lazy = strip(&input, policy(policy_name));
            let eager = strip(&input, Setup { shortcuts_off: true, ..policy(policy_name) });
            assert_eq!(lazy, eager, "{name}, {policy_name}");
        }
    }
}

/// An event that differs from the last one in its text alone is not read by itself: long streams, with delimiters, code and
/// escapes among their texts, and with what goes beside them.
#[test]
fn gears_in_long_streams() {
    const TEXTS: [&str; 19] = [
        "PUBL1C",
        " and",
        " the",
        " on",
        ".",
        "\\n",
        "```\\n",
        "<think>",
        "S3CRET",
        "</think>",
        " b",
        "é",
        "x < y",
        " <",
        "th",
        "\\u003cthink>",
        "S3CRET\\n",
        "</think>\\n\\n",
        "<|end|>",
    ];
    let event = |data: String| format!("data: {data}\n\n");
    let chat =
        |delta: String| format!(r#"{{"id":"c","choices":[{{"index":0,"delta":{{{delta}}},"finish_reason":null}}]}}"#);
    let block = |index: u8, kind: &str| {
        let start = format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"{kind}","{kind}":""}}}}"#
        );
        event(start)
    };
    let begun = event(
        r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}"#.into(),
    ) + &block(0, "thinking")
        + &event(
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"S3CRET"}}"#.into(),
        )
        + &event(r#"{"type":"content_block_stop","index":0}"#.into())
        + &block(1, "text");
    let thought = event(chat(r#""content":null,"reasoning_content":"S3CRET""#.into()));
    type Says<'a> = &'a dyn Fn(usize, &str) -> String;
    let rows: [(&str, &str, Says<'_>); 6] = [
        ("a text", "", &|_, text| event(chat(format!(r#""content":"{text}""#)))),
        ("an empty field behind it", &thought, &|_, text| {
            event(chat(format!(r#""content":"{text}","reasoning_content":null"#)))
        }),
        ("one before it", &thought, &|_, text| event(chat(format!(r#""reasoning_content":null,"content":"{text}""#)))),
        ("the number of a block", &begun, &|_, text| {
            event(format!(
                r#"{{"type":"content_block_delta","index":1,"delta":{{"type":"text_delta","text":"{text}"}}}}"#
            ))
        }),
        ("a count", "", &|i, text| {
            let counts = format!(r#""usageMetadata":{{"totalTokenCount":{i}}}"#);
            event(format!(
                r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}],"role":"model"}}}}],{counts}}}"#
            ))
        }),
        ("lines", "", &|_, text| chat(format!(r#""content":"{text}""#)) + "\n"),
    ];
    for (name, begins, says) in rows {
        for step in 1..TEXTS.len() {
            // Between two others, most texts are plain.
            let text = |i: usize| if i % 4 == 3 { TEXTS[i * step % TEXTS.len()] } else { TEXTS[i % 5] };
            let input = (0..80).fold(begins.to_string(), |all, i| all + &says(i, text(i)));
            for policy_name in POLICIES {
                let lazy = strip(input.as_bytes(), policy(policy_name));
                let eager = strip(input.as_bytes(), Setup { shortcuts_off: true, ..policy(policy_name) });
                assert_eq!(lazy, eager, "{name}, {step}, {policy_name}");
            }
        }
    }
}

#[test]
fn paths() {
    for (name, input) in corpus().into_iter().filter(|(_, input)| !several_speak(input)) {
        let before = messages(&input, Setup::default());
        let stripped = strip(&input, Setup::default()).out;
        if stripped.trim_ascii().is_empty() {
            assert!(before.iter().all(|m| m.0.is_empty()), "{name}: {before:?}");
            continue;
        }
        let after = messages(&stripped, Setup::default());
        if after.is_empty() {
            // All records with messages went, and others are left.
            assert!(before.iter().all(|m| m.0.is_empty()), "{name}: {before:?}");
            continue;
        }
        let visible =
            |m: &[(String, Option<String>)]| -> Vec<String> { m.iter().map(|m| m.0.trim().to_string()).collect() };
        assert_eq!(visible(&after), visible(&before), "{name}");
        assert!(after.iter().all(|m| m.1.is_none()), "{name}: {after:?}");
    }
}

#[test]
fn gone() {
    for (name, input) in own() {
        for setup in [Setup::default(), Setup { drop_empty: true, ..Setup::default() }] {
            let ran = strip(&input, setup);
            assert!(!decoded(&ran.out).contains("S3CRET"), "{name}: {}", ran.text());
            assert!(ran.problems.is_empty(), "{name}: {:?}", ran.problems);
        }
        let count = |bytes: &[u8]| decoded(bytes).matches("PUBL1C").count();
        assert_eq!(count(&strip(&input, Setup::default()).out), count(&input), "{name}");
    }
}

/// The bytes with JSON escapes of ASCII characters undone, wherever they stand.
fn decoded(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("\\u00") {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).and_then(|hex| u32::from_str_radix(hex, 16).ok());
        out.extend(code.and_then(char::from_u32));
        rest = rest.get(at + 6..).unwrap_or_default();
    }
    out + rest
}

#[test]
fn again() {
    for (name, input) in corpus() {
        for policy_name in POLICIES {
            for drop_empty in [false, true] {
                let setup = Setup { drop_empty, ..policy(policy_name) };
                let once = strip(&input, setup).out;
                let twice = strip(&once, setup);
                assert_eq!(
                    String::from_utf8_lossy(&twice.out),
                    String::from_utf8_lossy(&once),
                    "{name}, {policy_name}"
                );
            }
        }
    }
}

#[test]
fn valid_json_stays_valid_json() {
    for (name, input) in own().into_iter().filter(|(name, _)| name.ends_with(".json")) {
        for policy_name in POLICIES {
            for drop_empty in [false, true] {
                let out = strip(&input, Setup { drop_empty, ..policy(policy_name) }).text();
                let text = out.trim_start_matches('\u{feff}');
                assert!(serde_json::from_str::<serde_json::Value>(text).is_ok(), "{name}, {policy_name}: {out}");
            }
        }
    }
}

#[test]
fn framings() {
    let read = |name: &str| std::fs::read(root().join("testdata/chat").join(name)).unwrap();
    // One conversation a line, one message a line, and one array: the same policy decides the same.
    let lines = read("messages.jsonl");
    let array = read("array.json");
    let record =
        format!("{{\"messages\":[{}]}}\n", String::from_utf8(lines.clone()).unwrap().trim().replace('\n', ","));
    for policy_name in POLICIES {
        for unit in [Unit::Message, Unit::Turn] {
            let setup = Setup { unit, ..policy(policy_name) };
            let want = messages(&strip(record.as_bytes(), setup).out, Setup::default());
            for input in [&lines, &array] {
                assert_eq!(messages(&strip(input, setup).out, Setup::default()), want, "{policy_name} {unit:?}");
            }
        }
    }
    // The same stream as events and as JSON lines.
    assert_eq!(messages(&read("stream.sse"), Setup::default()), messages(&read("deltas.jsonl"), Setup::default()));
    assert_eq!(messages(&read("stream.sse"), Setup::default()), messages(&read("stream-crlf.sse"), Setup::default()));
    // The same text as text, in a record, and in deltas of every size.
    for (name, text) in own().into_iter().filter(|(name, _)| name.ends_with(".txt")) {
        let text = String::from_utf8(text).unwrap();
        let want = messages(text.as_bytes(), Setup::default());
        // A record and a stream of deltas hold one message.
        if want.len() > 1 {
            continue;
        }
        let quoted = serde_json::to_string(&text).unwrap();
        let record = format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":{quoted}}}]}}");
        assert_eq!(messages(record.as_bytes(), Setup::default()), want, "{name} in a record");
        for piece in [1, 2, 5, 1000] {
            let chars: Vec<char> = text.chars().collect();
            let event = |part: &[char]| {
                let part = serde_json::to_string(&part.iter().collect::<String>()).unwrap();
                format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{part}}}}}]}}\n\n")
            };
            let stream: String = chars.chunks(piece).map(event).collect();
            assert_eq!(messages(stream.as_bytes(), Setup::default()), want, "{name} in deltas of {piece}");
        }
    }
}

#[test]
fn prefix() {
    for (name, input) in own() {
        for (at, policy_name) in POLICIES.into_iter().enumerate() {
            let whole = strip(&input, policy(policy_name)).out;
            // Each place under one policy or the other: all of them under all take minutes.
            for cut in (at..input.len()).step_by(POLICIES.len()) {
                let ran = strip(&input[..cut], Setup { finish: false, ..policy(policy_name) });
                assert!(whole.starts_with(&ran.out), "{name}, {policy_name}, cut at {cut}");
            }
        }
    }
}

#[test]
fn a_cut_never_breaks_anything() {
    for (name, input) in own() {
        for cut in 0..input.len() {
            let ran = strip(&input[..cut], Setup::default());
            let bad = ran.problems.iter().find(|p| p.offset > cut as u64 || p.record == 0);
            assert!(bad.is_none(), "{name} cut at {cut}: {bad:?}");
        }
    }
}

#[test]
fn order_holds_in_every_run() {
    // `strip` and `split` in `support` check it; this makes sure that the check can fail.
    use unthink::internals::model::order::Order;
    use unthink::internals::model::{Event, Lane, Sink};
    let mut order = Order::default();
    order.event(&Event::MessageEnd { lane: Lane::ONLY, element: None });
    assert!(order.broken.is_some());
}
