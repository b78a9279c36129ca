//! Laws of `convert --to harmony` and back: as records, as streams and as raw text.

use crate::convert::*;
use crate::support::*;
use serde_json::Value;
use unthink::{ConvertOptions, Framing, Loss};

const COMPLETION: &str = "<|channel|>analysis<|message|>S3CRET one\n two<|end|><|start|>assistant<|channel|>commentary<|message|>PUBL1C Wait.<|end|><|start|>assistant<|channel|>final<|message|>PUBL1C <b> yes<|return|>";

/// What else than reasoning and an answer may stand in either.
const TEXTS: [&str; 24] = [
    "",
    " ",
    "\n\nx",
    "plain",
    "a <|end|> b",
    "`<|end|>`",
    "<|channel|>final<|message|>x",
    "<|channel|>final<|message|>x<|return|>",
    "<|channel|>analysis<|message|>x<|end|>",
    "<|start|>user<|message|>x",
    "<|start|> and <|message|>",
    "to=user<|message|>x",
    " to=self<|message|>x",
    "x to=user<|message|>y",
    "<|return|>",
    "<|call|>",
    "<|",
    "<|en",
    "<think>x</think>y",
    "x</think>y",
    "y <think> x",
    "`<think>` x",
    "<|content_thinking|>x<|end_message|>",
    "analysis x assistantfinal",
];

#[test]
fn what_harmony_can_say_comes_back_and_the_rest_is_refused() {
    let (mut kept, mut refused, mut undecided) = (0, 0, 0);
    for reasoning in TEXTS {
        for content in TEXTS {
            let record = serde_json::json!({"role": "assistant", "content": content, "reasoning_content": reasoning});
            let input = format!("{record}\n");
            // Tags in the content are read, and stand in the field from here on.
            let first = convert_to(input.as_bytes(), "reasoning-content", usize::MAX);
            if let [what] = first.refused.as_slice() {
                assert!(what.contains("(--inline ") || what.contains("(--start "), "{input}: {what}");
                undecided += 1;
                continue;
            }
            let first = first.out;
            let there = convert_to(&first, "harmony", usize::MAX);
            if !there.refused.is_empty() {
                refused += 1;
                let escaping = ConvertOptions::new("harmony").escape(true);
                let done = convert(&first, usize::MAX, &escaping);
                let always = content.contains("<|channel|>") || content.contains("<|content_");
                if done.refused.is_empty() {
                    assert!(!done.losses.is_empty(), "{input}");
                    assert_eq!(split_texts(&done.out).len(), 1, "{input}");
                } else {
                    assert!(always || content.contains("think"), "{input}: {:?}", done.refused);
                }
                continue;
            }
            kept += 1;
            let back = once(&there.out, "reasoning-content");
            assert_eq!(values(&back), values(&first), "{input}{}", there.text());
            assert!(there.losses.is_empty(), "{input}{:?}", there.losses);
        }
    }
    assert!(kept > 150 && refused > 100 && undecided < 100, "{kept} {refused} {undecided}");
}

/// The text of a stream of deltas: its content and its reasoning.
fn delta_texts(stream: &[u8]) -> (String, String) {
    let (mut content, mut reasoning) = (String::new(), String::new());
    for value in values(stream) {
        let delta = &value["choices"][0]["delta"];
        content += delta["content"].as_str().unwrap_or_default();
        reasoning += delta["reasoning_content"].as_str().unwrap_or_default();
    }
    (content, reasoning)
}

fn stream(parts: &[&str], key: &str) -> String {
    let event = |part: &&str| {
        let part = serde_json::to_string(part).unwrap();
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"{key}\":{part}}}}}]}}\n\n")
    };
    parts.iter().map(event).collect()
}

#[test]
fn deltas_may_be_cut_anywhere() {
    let want = ("PUBL1C Wait.\nPUBL1C <b> yes".to_string(), "S3CRET one\n two".to_string());
    for cut in 0..=COMPLETION.len() {
        for second in [cut, cut + 1, cut + 9] {
            let second = second.min(COMPLETION.len());
            let parts = [&COMPLETION[..cut], &COMPLETION[cut..second], &COMPLETION[second..]];
            let input = stream(&parts, "content");
            let out = once(input.as_bytes(), "reasoning-content");
            assert_eq!(delta_texts(&out), want, "cut at {cut} and {second}");
            let tagged = once(input.as_bytes(), "tagged");
            assert_eq!(
                delta_texts(&tagged).0,
                format!("<think>{}</think>{}", want.1, want.0),
                "cut at {cut} and {second}"
            );
            assert_eq!(once(input.as_bytes(), "harmony"), input.as_bytes(), "cut at {cut} and {second}");
        }
    }
    let all: Vec<&str> = COMPLETION.split_inclusive(|_: char| true).collect();
    assert_eq!(delta_texts(&once(stream(&all, "content").as_bytes(), "reasoning-content")), want);
}

#[test]
fn tags_in_deltas_become_headers_wherever_they_are_cut() {
    let text = "<think>S3CRET <|end|> one</think>PUBL1C yes";
    let want = "<|channel|>analysis<|message|>S3CRET <\\|end|> one<|end|><|start|>assistant<|channel|>final<|message|>PUBL1C yes";
    for cut in 0..=text.len() {
        let out = once(stream(&[&text[..cut], &text[cut..]], "content").as_bytes(), "harmony");
        // Where a token stands in two deltas, its second half is made harmless.
        let plain = |text: &str| text.replace('\\', "");
        assert_eq!(plain(&delta_texts(&out).0), plain(want), "cut at {cut}");
        assert_eq!(messages(&out, Setup::default())[0].0, "PUBL1C yes", "cut at {cut}");
    }
}

#[test]
fn reasoning_in_deltas_comes_back() {
    let input = stream(&["S3CRET", " one"], "reasoning_content") + &stream(&["PUBL1C", " yes"], "content");
    let there = once(input.as_bytes(), "harmony");
    let back = once(&there, "reasoning-content");
    assert_eq!(
        delta_texts(&there).0,
        "<|channel|>analysis<|message|>S3CRET one<|end|><|start|>assistant<|channel|>final<|message|>PUBL1C yes"
    );
    assert_eq!(delta_texts(&back), delta_texts(input.as_bytes()));
}

/// Texts of anything that tags and headers are made of, one after another.
fn soup(n: u64) -> String {
    const WORDS: [&str; 22] = [
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        "<|channel|>commentary<|message|>",
        "<|channel|>",
        "commentary to=functions.f<|message|>",
        "<|start|>assistant",
        "<|start|>user<|message|>",
        "<|end|>",
        "<|return|>",
        "<|call|>",
        "<|message|>",
        " to=self",
        "<think>",
        "</think>",
        "<answer>",
        "`",
        "\n",
        " ",
        "a",
        "b c",
        "<",
        "{\"x\":1}",
    ];
    let mut state = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    (0..1 + next(9)).map(|_| WORDS[next(WORDS.len())]).collect()
}

#[test]
fn soups_are_read_alike_however_they_come() {
    for n in 1..1200 {
        let text = soup(n);
        let quoted = serde_json::to_string(&text).unwrap();
        let record = format!("{{\"role\":\"assistant\",\"content\":{quoted}}}\n");
        let beside = format!("{{\"role\":\"assistant\",\"content\":\"a\",\"reasoning_content\":{quoted}}}\n");
        let middle = (0..=text.len() / 2).rfind(|i| text.is_char_boundary(*i)).unwrap();
        let deltas = stream(&[&text[..middle], &text[middle..]], "content");
        for (input, framing) in
            [(&text, Framing::Text), (&record, Framing::Jsonl), (&beside, Framing::Jsonl), (&deltas, Framing::Sse)]
        {
            for name in ["all", "all-but-last"] {
                let run = |piece| strip(input.as_bytes(), Setup { piece, framing: Some(framing), ..policy(name) });
                assert!(run(1) == run(usize::MAX), "{n} {input} stripped in pieces");
            }
            for to in ["reasoning-content", "tagged", "harmony"] {
                let run = |piece| convert(input.as_bytes(), piece, &framed(to, framing));
                let whole = run(usize::MAX);
                assert!(run(1) == whole, "{n} {input} to {to} in pieces");
                let out = &whole.out;
                // A text that became a message is one.
                let framing =
                    if framing == Framing::Text && to == "reasoning-content" { Framing::Jsonl } else { framing };
                let again = convert(out, usize::MAX, &framed(to, framing));
                if to == "harmony" {
                    assert_eq!(again.text(), whole.text(), "{n} {input} to {to} again");
                }
                // Parses as JSON, or this panics.
                if framing != Framing::Text {
                    values(out);
                }
            }
        }
    }
}

fn texts(dialect: &str) -> Vec<(String, Vec<u8>)> {
    let files = files_in(&root().join("testdata").join(dialect));
    let texts = files.into_iter().filter(|p| p.extension().is_some_and(|e| e == "txt"));
    texts.map(|p| (p.display().to_string(), std::fs::read(p).unwrap())).collect()
}

#[test]
fn raw_text_in_pieces() {
    for (name, input) in texts("harmony").into_iter().chain(texts("text")) {
        for to in TARGETS {
            let run = |piece| convert(&input, piece, &framed(to, Framing::Text));
            let whole = run(usize::MAX);
            for piece in [1, 2, 3, 7, 64] {
                assert!(run(piece) == whole, "{name} to {to} in pieces of {piece}");
            }
        }
    }
}

#[test]
fn raw_text_there_and_back() {
    let trimmed = |input: &[u8]| -> Vec<(String, Option<String>)> { messages(input, Setup::default()) };
    for (name, input) in texts("harmony") {
        assert_eq!(once(&input, "harmony"), input, "{name}");
        for to in ["reasoning-content", "thinking-block", "tagged"] {
            let out = once(&input, to);
            let (before, after) = (trimmed(&input), trimmed(&out));
            let reasoning = |all: &[(String, Option<String>)]| all.iter().map(|m| m.1.clone()).collect::<Vec<_>>();
            assert_eq!(reasoning(&after), reasoning(&before), "{name} to {to}");
            if to != "tagged" {
                assert_eq!(after, before, "{name} to {to}");
            }
        }
    }
    for (name, input) in texts("text") {
        let out = once(&input, "harmony");
        // Where a block was cut, `split` leaves two line ends of more.
        let lines = |input: &[u8]| -> Vec<String> {
            trimmed(input).iter().map(|m| m.0.replace("\n\n\n", "\n\n").replace("\n\n\n", "\n\n")).collect()
        };
        assert_eq!(lines(&out), lines(&input), "{name}");
        assert_eq!(once(&out, "harmony"), out, "{name}");
    }
}

/// A long text is written in parts, also where reasoning moves in front of text, and holds a token.
#[test]
fn long_raw_text() {
    let (said, thought) = ("PUBL1C words\n".repeat(1 << 17), "S3CRET <|end|> words\n".repeat(1 << 16));
    for (thought, harmless) in
        [(thought.replace("<|end|>", ""), None), (thought.clone(), Some(thought.replace("<|", "<\\|")))]
    {
        let input = format!("{said}<think>{thought}</think>{said}<think>S3CRET</think>{said}");
        let (analysis, again) = ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant");
        let (first, answer) = (harmless.as_ref().unwrap_or(&thought), said.repeat(3));
        let want = format!("{analysis}{first}{again}{analysis}S3CRET{again}<|channel|>final<|message|>{answer}");
        for piece in [1 << 16, usize::MAX] {
            let done = convert(input.as_bytes(), piece, &framed("harmony", Framing::Text));
            assert!(done.out == want.as_bytes(), "{piece}");
            assert_eq!(done.losses.contains_key(&Loss::Escaped), harmless.is_some(), "{:?}", done.losses);
        }
    }
}

#[test]
fn a_transcript_is_a_message_a_line() {
    let input = std::fs::read(root().join("testdata/harmony/transcript.txt")).unwrap();
    let lines: Vec<Value> = values(&once(&input, "reasoning-content"));
    let roles: Vec<_> = lines.iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "developer", "user", "assistant", "tool", "assistant", "user", "assistant"]);
    assert_eq!(lines[2]["content"], "PUBL1C What does <think>this</think> mean?");
    assert_eq!(lines[3]["reasoning_content"], "S3CRET I must look.");
    assert_eq!(lines[3]["tool_calls"][0]["function"]["name"], "look");
    assert_eq!(lines[4]["tool_call_id"], lines[3]["tool_calls"][0]["id"]);
    let blocks = values(&once(&input, "thinking-block"));
    let speakers: Vec<_> = blocks.iter().map(|m| m["speaker"].as_str().unwrap_or("-")).collect();
    assert_eq!(speakers, ["-", "-", "human", "ai", "tool", "ai", "human", "ai"]);
}
