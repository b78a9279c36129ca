//! `strip --redact` with a policy: one engine does what two in a row would, the first with the policy, the second with
//! nothing but `--redact`.

use crate::support::*;
use proptest::prelude::*;
use unthink::internals::error::ErrorKind;
use unthink::internals::frame::Framing;
use unthink::internals::policy::{Policy, Unit};

/// The law for one input. Where the policy cannot be applied twice, or raw text was refused from a tag on that is not certain
/// (a record that is refused leaves nothing), what it leaves is not read as it was before, and there is nothing to compare
/// with.
fn law(name: &str, input: &[u8], setup: Setup) {
    let stripped = strip(input, Setup { redact: false, ..setup });
    let undecided = || stripped.problems.iter().any(|problem| problem.kind == ErrorKind::Undecided);
    let refused = setup.framing == Some(Framing::Text) && undecided();
    if refused || strip(&stripped.out, Setup { redact: false, ..setup }).out != stripped.out {
        return;
    }
    let second = Setup { policy: Policy::None, drop_empty: false, redact: true, ..setup };
    let want = String::from_utf8_lossy(&strip(&stripped.out, second).out).into_owned();
    let pieces: &[usize] = if setup.policy == Policy::AllButLast { &[usize::MAX, 7] } else { &[usize::MAX] };
    for piece in pieces {
        let ran = strip(input, Setup { redact: true, piece: *piece, ..setup });
        assert_eq!(ran.text(), want, "{name}, {:?} by {:?}, in pieces of {piece}", setup.policy, setup.unit);
        // A policy of none alone looks at nothing.
        if setup.policy != Policy::None {
            assert_eq!((&ran.rejects, ran.counts), (&stripped.rejects, stripped.counts), "{name}");
        }
    }
}

/// The law for every policy.
fn laws(name: &str, input: &[u8], framing: Option<Framing>) {
    for policy_name in POLICIES.into_iter().chain(["keep-last-1"]) {
        law(name, input, Setup { framing, ..policy(policy_name) });
    }
    law(name, input, Setup { framing, drop_empty: true, ..policy("all-but-last") });
    law(name, input, Setup { framing, unit: Unit::Turn, ..policy("all-but-last") });
}

/// The input with every `nth` run of words, from the first one on, in a section of which a part is closed. Only texts have
/// spaces between words, and the marker of our own data stands in texts only.
fn with_sections(input: &[u8], nth: usize) -> Vec<u8> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b' ';
    let (mut out, mut rest, mut count) = (Vec::new(), input, 0);
    while let Some(from) = rest.iter().position(u8::is_ascii_alphanumeric) {
        let len = rest[from..].iter().take_while(|b| is_word(b)).count();
        // A letter behind a backslash is an escape.
        let skip = usize::from(from > 0 && rest[from - 1] == b'\\') * 5.min(len);
        let (before, run) = (&rest[..from + skip], &rest[from + skip..from + len]);
        out.extend_from_slice(before);
        let text = run.contains(&b' ') || run.windows(6).any(|word| word == b"S3CRET");
        count += usize::from(text);
        if text && count % nth == 0 {
            let (first, last) = run.split_at(run.len() / 2);
            let close: &[u8] = if count % 7 == 0 { b"" } else { b"</REDACTED>" };
            [b"<REDACTED>", first, close, last].into_iter().for_each(|part| out.extend_from_slice(part));
        } else {
            out.extend_from_slice(run);
        }
        rest = &rest[from + len..];
    }
    out.extend_from_slice(rest);
    out
}

#[test]
fn a_policy_and_the_sections_of_what_it_leaves() {
    let mut emptied = 0;
    for (name, input) in corpus() {
        for input in [with_sections(&input, 1), with_sections(&input, 3), input] {
            laws(&name, &input, None);
            let setup = policy("all-but-last");
            emptied += usize::from(strip(&input, Setup { redact: true, ..setup }).out != strip(&input, setup).out);
        }
    }
    assert!(emptied > 50, "a section was emptied in {emptied} inputs only");
}

/// Thousands of events wait for one decision, and are put together: with it, all go or all stay but for their sections.
#[test]
fn sections_in_frames_that_wait() {
    let event = |key: &str, text: &str| {
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"{key}\":\"{text}\"}}}}]}}\n\n")
    };
    for last in ["", "<think>Rain.</think>"] {
        for (key, open, close) in [("reasoning_content", "", ""), ("content", "<think>", "</think>")] {
            let mut input = event(key, open);
            for i in 0..6000 {
                let text = ["low", " <REDA", "CTED>", "Ann", " <REDACTED>Ann</REDACTED>", "</REDACTED>", "west"][i % 7];
                input += &event(key, text);
            }
            input += &(event(key, close) + &event("content", "By noon."));
            input += &format!("data: {{\"role\":\"assistant\",\"content\":\"{last}Sun.\"}}\n\n");
            let setup = policy("all-but-last");
            law(key, input.as_bytes(), setup);
            let ran = strip(input.as_bytes(), Setup { redact: true, ..setup });
            assert!(!ran.text().contains("Ann") && ran.text().contains("west") == last.is_empty(), "{key} {last:?}");
        }
    }
}

/// A text of several words and tags.
fn text() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "<think>",
        "</think>",
        "<REDACTED>",
        "</REDACTED>",
        "<RED",
        "ACTED>",
        "a",
        " ",
        "\n",
        "é",
        "`",
    ]);
    prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
}

/// A message: its role, its reasoning, its text, how both are written, and whether a tool is called.
fn message() -> impl Strategy<Value = (bool, String, String, u8, bool)> {
    (prop::bool::weighted(0.2), text(), text(), 0u8..6, prop::bool::weighted(0.2))
}

fn spelled((user, reasoning, content, spelling, calls): &(bool, String, String, u8, bool)) -> serde_json::Value {
    use serde_json::json;
    let (reasoning, content) = (reasoning.as_str(), content.as_str());
    if *user {
        return json!({"role": "user", "content": content});
    }
    let blocks = |block| json!({"role": "assistant", "content": [block, {"type": "text", "text": content}]});
    let mut message = match spelling {
        0 => json!({"role": "assistant", "content": content}),
        1 => json!({"role": "assistant", "reasoning_content": reasoning, "content": content}),
        2 => blocks(json!({"type": "thinking", "thinking": reasoning, "signature": "EqQB"})),
        3 => blocks(json!({"type": "thinking", "thinking": reasoning})),
        4 => {
            let detail = json!({"type": "reasoning.text", "text": reasoning, "format": null});
            json!({"role": "assistant", "reasoning": reasoning, "reasoning_details": [detail], "content": content})
        }
        _ => json!({"role": "assistant", "reasoning": reasoning, "content": ""}),
    };
    if *calls {
        message["tool_calls"] = json!([{"id": "1"}]);
    }
    message
}

/// The message as deltas with so many characters.
fn deltas(id: usize, message: &serde_json::Value, size: usize) -> String {
    let mut out = String::new();
    for key in ["reasoning", "reasoning_content", "content"] {
        let chars: Vec<char> = message[key].as_str().unwrap_or_default().chars().collect();
        for part in chars.chunks(size) {
            let delta = serde_json::json!({"role": message["role"], key: part.iter().collect::<String>()});
            let event = serde_json::json!({"id": id.to_string(), "choices": [{"index": 0, "delta": delta}]});
            out += &format!("data: {event}\n\n");
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn conversations(messages in prop::collection::vec(message(), 1..6), size in 1usize..12) {
        let spelled: Vec<_> = messages.iter().map(spelled).collect();
        let lines: String = spelled.iter().map(|message| format!("{message}\n")).collect();
        let record = serde_json::json!({"messages": spelled}).to_string();
        let stream: String = spelled.iter().enumerate().map(|(i, message)| deltas(i, message, size)).collect();
        let turn = |(user, _, content, ..): &(bool, String, String, u8, bool)| {
            format!("<|im_start|>{}\n{content}<|im_end|>\n", if *user { "user" } else { "assistant" })
        };
        let turns: String = messages.iter().map(turn).collect();
        let framings = [(lines, Framing::Jsonl), (record, Framing::Json), (stream, Framing::Sse), (turns, Framing::Text)];
        for (input, framing) in framings {
            laws(&input, input.as_bytes(), Some(framing));
        }
    }
}
