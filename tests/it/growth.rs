//! The law that time is linear in the input, whatever the input holds many of.

use crate::support::*;
use std::fmt::Write;
use std::io::sink;
use unthink::internals::convert::Emit;
use unthink::internals::dialect::{Conversion, Pass, ReadOptions, WriteOptions, find};
use unthink::internals::engine::{Engine, EngineOptions};
use unthink::internals::inline::Tags;
use unthink::internals::out::Sinks;
use unthink::internals::policy::Policy;
use unthink::internals::strip::{Splice, SpliceOptions};
use unthink::{CheckOptions, ConvertOptions, SplitOptions, StripOptions, TokensOptions};

/// A command over an input.
type Job<'a> = &'a dyn Fn(&[u8]);

#[test]
fn linear() {
    let event = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<\"}}]}\n\n";
    let families: [(&str, &str, &str, usize); 15] = [
        ("openers", "<think>", "", 6000),
        ("calls in blocks", "<think>r <tool_call>a</tool_call> ", "", 2000),
        ("openers in prose", "x <think> ", "", 6000),
        ("closers", "</think>", "", 6000),
        ("stray closers", "x</thinking>", "", 6000),
        ("pairs", "<think>r</think>a", "", 4000),
        ("strict openers", "<REASONING>", "", 6000),
        ("half tags", "</thi", "", 8000),
        ("less-than signs", "<", "", 40_000),
        ("backticks", "` `` <think> ", "", 4000),
        ("fences", "```\n<think>\n", "", 4000),
        ("attributes", "<think a=\"", "", 4000),
        ("alternating", "<think><reasoning>", "", 4000),
        ("events", event, "", 1500),
        ("messages", "{\"role\":\"assistant\",\"reasoning\":\"r\",\"content\":\"<think>\"}\n", "", 2000),
    ];
    for (name, unit, tail, n) in families {
        for piece in [usize::MAX, 1000] {
            let input = |n: usize| (unit.repeat(n) + tail).into_bytes();
            let setup = || Setup { piece, policy: Policy::AllButLast, ..Setup::default() };
            is_linear(&format!("{name} in pieces of {piece}"), n, &input, &|input| drop(strip(input, setup())));
        }
    }
}

/// Deltas that wait until the message is over, since a closer may come yet, and those that are decided one by one.
#[test]
fn conversion_is_linear() {
    let chunk = |text: &str, end: &str| {
        format!("{{\"id\":\"1\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}{end}\n")
    };
    let other = |n: usize| {
        let delta = |i| format!("{{\"id\":\"{i}\",\"choices\":[{{\"index\":0,\"delta\":{{\"reasoning\":\"r\"}}}}]}}\n");
        (0..n).map(delta).collect::<String>()
    };
    let families: [(&str, &dyn Fn(usize) -> String); 8] = [
        ("deltas on lines", &|n| chunk("w ", "").repeat(n)),
        ("deltas of a block", &|n| chunk("<think>", "") + &chunk("r ", "").repeat(n)),
        ("deltas of blocks", &|n| chunk("<think>r</think>a", "").repeat(n)),
        ("deltas on lines, with a closer", &|n| chunk("w ", "").repeat(n) + &chunk("</think>", "")),
        ("deltas of many responses", &other),
        ("events", &|n| format!("data: {}", chunk("w ", "\n")).repeat(n)),
        ("events that count tokens", &|n| {
            let event = |i: usize| {
                format!(
                    "data: {{\"candidates\":[{{\"content\":{{\"role\":\"model\",\"parts\":[{{\"text\":\"w \"}}]}}}}],\
                     \"usageMetadata\":{{\"promptTokenCount\":9,\"candidatesTokenCount\":{i}}},\"responseId\":\"r\"}}\n\n"
                )
            };
            (1..8 * n).map(event).collect()
        }),
        ("blocks that alternate", &|n| {
            let of = |kind| {
                format!("data: {{\"id\":\"c\",\"choices\":[{{\"index\":0,\"delta\":{{\"{kind}\":\"w \"}}}}]}}\n\n")
            };
            (of("reasoning") + &of("content")).repeat(4 * n)
        }),
    ];
    for (name, input) in families {
        for to in ["reasoning-content", "tagged", "openrouter"] {
            let work = |input: &[u8]| drop(convert_to(input, to, usize::MAX));
            is_linear(&format!("{name} to {to}"), 800, &|n| input(n).into_bytes(), &work);
        }
    }
}

/// A report with the place of each loss, of a record with many and of an event stream.
#[test]
fn a_report_of_losses_is_linear() {
    let block = |i| format!(r#"{{"type":"thinking","thinking":"R","signature":"c2ln{i:08}"}}"#);
    let request = |n: usize| {
        let message = format!(r#"{{"role":"assistant","content":[{}]}}"#, list(n, block));
        format!(r#"{{"model":"m","max_tokens":9,"messages":[{message}]}}"#)
    };
    let stream = |n: usize| {
        let event = |i: usize| {
            let of = |kind: &str, rest: &str| {
                format!("data: {{\"type\":\"content_block_{kind}\",\"index\":{i},{rest}}}\n\n")
            };
            of("start", r#""content_block":{"type":"thinking","thinking":"R"}"#)
                + &of("delta", r#""delta":{"type":"signature_delta","signature":"c2ln"}"#)
                + &of("stop", r#""x":1"#)
        };
        let begin =
            r#"data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[]}}"#;
        format!("{begin}\n\n{}data: {{\"type\":\"message_stop\"}}\n\n", (0..n).map(event).collect::<String>())
    };
    let families: [(&str, &dyn Fn(usize) -> String); 2] = [("a request", &request), ("a stream", &stream)];
    for (name, input) in families {
        let conversion = Conversion::new(find("reasoning").unwrap(), &WriteOptions::default()).unwrap();
        let work = |input: &[u8]| {
            let splice = Splice::new(SpliceOptions { each_loss: true, ..SpliceOptions::default() });
            let output = Emit::new(splice, conversion.writer.clone(), conversion.edits_text(), Conversion::call_name);
            let read = ReadOptions { to: Some(conversion.clone()), ..ReadOptions::default() };
            let options =
                EngineOptions { framing: None, read, max_record: 1 << 28, stop: false, pass: Pass::default() };
            let (tags, mut sinks) = (Tags::default(), Sinks::default());
            let mut engine = Engine::new(&tags, options, output);
            engine.push(input, &mut sinks);
            engine.finish(&mut sinks);
            assert!(sinks.aside.len() > input.len() / 10, "{name}: nothing is lost");
        };
        is_linear(&format!("losses of {name}"), 300, &|n| input(n).into_bytes(), &work);
    }
}

/// A record that holds many of one thing.
type Large = (&'static str, usize, fn(usize) -> String);

/// Records with many choices, with many messages that have a member which no format names, and the like.
const LARGE: [Large; 12] = [
    ("choices", 1000, |n| {
        let choice = |i| {
            format!(
                r#"{{"index":{i},"message":{{"role":"assistant","reasoning_content":"R","content":"a"}},"finish_reason":"stop"}}"#
            )
        };
        format!(r#"{{"id":"r","model":"m","choices":[{}],"usage":{{"prompt_tokens":1}}}}"#, list(n, choice))
    }),
    ("choices of a chunk", 1000, |n| {
        let choice = |i| format!(r#"{{"index":{i},"delta":{{"reasoning_content":"R"}},"finish_reason":null}}"#);
        format!(r#"{{"id":"r","object":"chat.completion.chunk","choices":[{}]}}"#, list(n, choice))
    }),
    ("choices of a completion", 1000, |n| {
        let choice = |i| format!(r#"{{"index":{i},"text":"a","logprobs":null,"finish_reason":"stop"}}"#);
        format!(r#"{{"id":"r","object":"text_completion","choices":[{}]}}"#, list(n, choice))
    }),
    ("details with a copy", 1000, |n| {
        let details = list(n, |i| format!(r#"{{"type":"reasoning.text","text":"R{i}"}}"#));
        let copy = format!(r#""provider_specific_fields":{{"reasoning_details":[{details}]}}"#);
        format!(r#"{{"role":"assistant","content":"a","reasoning_details":[{details}],{copy}}}"#)
    }),
    ("spans with messages in pairs", 4000, |n| {
        let pair = |key: &str, value: &str| {
            format!(r#"{{"key":"llm.output_messages.0.message.{key}","value":{{"stringValue":"{value}"}}}}"#)
        };
        let part = "contents.0.message_content";
        let message =
            [pair("role", "assistant"), pair(&format!("{part}.type"), "reasoning"), pair(&format!("{part}.text"), "R")];
        let kind = r#"{"key":"openinference.span.kind","value":{"stringValue":"LLM"}}"#;
        let span = |i| format!(r#"{{"spanId":"{i}","attributes":[{kind},{}]}}"#, message.join(","));
        format!(r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#, list(n, span))
    }),
    ("events in a string", 4000, |n| {
        let event = |i| format!(r#"data: {{\"choices\":[{{\"delta\":{{\"reasoning_content\":\"R{i}\"}}}}]}}\n\n"#);
        let events: String = (0..n).map(event).collect();
        let content = format!(r#"{{"mimeType":"text/event-stream","text":"{events}"}}"#);
        format!(r#"{{"log":{{"version":"1.2","entries":[{{"request":{{}},"response":{{"content":{content}}}}}]}}}}"#)
    }),
    ("messages of chat", 10_000, |n| {
        let message = |i| format!(r#"{{"role":"{}","content":"a","x_meta":{{"n":{i}}}}}"#, speaker(i));
        format!(r#"{{"model":"m","messages":[{}]}}"#, list(n, message))
    }),
    ("messages of anthropic", 10_000, |n| {
        let message = |i| {
            let content =
                if i % 2 == 0 { r#"{"type":"text","text":"a"}"# } else { r#"{"type":"thinking","thinking":"R"}"# };
            format!(r#"{{"role":"{}","content":[{content}],"x_meta":{{"n":{i}}}}}"#, speaker(i))
        };
        format!(r#"{{"model":"m","max_tokens":5,"messages":[{}]}}"#, list(n, message))
    }),
    ("items of responses", 10_000, |n| {
        let item = |i| {
            let content = r#"[{"type":"output_text","text":"a"}]"#;
            format!(r#"{{"type":"message","role":"{}","content":{content},"x_meta":{{"n":{i}}}}}"#, speaker(i))
        };
        format!(r#"{{"model":"m","input":[{}]}}"#, list(n, item))
    }),
    ("turns with versions", 5000, |n| {
        let version = |i| format!(r#"{{"role":"{}","content":[{{"type":"text","text":"a"}}]}}"#, speaker(i));
        let turn = |i| format!(r#"{{"currentlySelected":0,"versions":[{}]}}"#, version(i));
        format!(r#"{{"messages":[{}]}}"#, list(n, turn))
    }),
    ("members beside messages", 5000, |n| {
        let messages = list(n, |_| r#"{"role":"user","content":"a"}"#.into());
        format!(r#"{{"model":"m","messages":[{messages}],{}}}"#, list(n, |i| format!(r#""k{i}":[{i}]"#)))
    }),
    ("members twice", 5000, |n| {
        let ids = list(n, |_| r#""id":"i","type":"text""#.into());
        format!(
            r#"{{"type":"message","role":"assistant","content":[{{{ids},"text":"a"}},{{"type":"thinking","thinking":"R"}}]}}"#
        )
    }),
];

fn list(n: usize, of: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for i in 0..n {
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}{}", of(i)).unwrap();
    }
    out
}

fn speaker(number: usize) -> &'static str {
    if number.is_multiple_of(2) { "user" } else { "assistant" }
}

#[test]
fn large_records_take_linear_time() {
    for (name, n, record) in LARGE {
        let input = |n: usize| record(n).into_bytes();
        let jobs: [(&str, Job<'_>); 6] = [
            ("strip", &|input| drop(unthink::strip_io(input, sink(), &StripOptions::default()))),
            ("split", &|input| drop(unthink::split_io(input, sink(), &SplitOptions::default()))),
            ("tokens", &|input| drop(unthink::tokens(input, &TokensOptions::default()))),
            ("check", &|input| drop(unthink::check(input, &CheckOptions::default()))),
            ("convert to anthropic", &|input| {
                drop(unthink::convert_io(input, sink(), &ConvertOptions::new("anthropic")))
            }),
            ("convert to reasoning-content", &|input| {
                drop(unthink::convert_io(input, sink(), &ConvertOptions::new("reasoning-content")))
            }),
        ];
        for (job, work) in jobs {
            is_linear(&format!("{job}: {name}"), n, &input, work);
        }
    }
}

/// A text for a target: so many of what.
type Judged<'a> = (&'static str, &'static str, usize, &'a dyn Fn(usize) -> String);

/// What a provider takes: documents and logs with a finding in each message, and identifiers that all have one follower.
#[test]
fn targets_are_judged_in_linear_time() {
    let block = |_| r#"{"type":"thinking","thinking":"R","x":1},{"type":"text","text":"a"}"#.to_string();
    let turn = |comma: &'static str| {
        move |i| {
            format!(
                r#"{{"role":"{}","content":[{{"type":"thinking","thinking":"R"}},{{"text":"a","type":"text"}}]}}{comma}"#,
                speaker(i)
            )
        }
    };
    let line = |i: usize| {
        let kind = speaker(i);
        let parent = i.checked_sub(1).map_or("null".into(), |i| format!("\"u{i}\""));
        let content = if i % 2 == 1 { r#"{"type":"thinking","thinking":"R"}"# } else { "" };
        format!(
            r#"{{"parentUuid":{parent},"uuid":"u{i}","type":"{kind}","message":{{"role":"{kind}","id":"m{i}","content":[{content}]}}}}"#
        ) + "\n"
    };
    let item = |i: usize| {
        format!(
            r#"{{"type":"message","role":"assistant","id":"{i:0>70}","content":[{{"type":"output_text","text":"a"}}]}}"#
        )
    };
    let call = |i: usize| format!(r#"{{"role":"{}","content":"","tool_calls":[{{"id":"c{i}"}}]}}"#, speaker(i));
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAAAB0"}"#;
    let lost = |i: usize| format!(r#"{{"type":"reasoning","id":"rs_{i}","summary":[]}}"#);
    let piece = |i: usize| {
        format!(
            r#"{{"parentUuid":null,"uuid":"u{i}","type":"assistant","message":{{"role":"assistant","id":"m","model":"claude-sonnet-5","content":[{{"type":"redacted_thinking","data":"{i}"}}]}}}}"#
        ) + "\n"
    };
    // Lines that go in a row, and as many that name the last of them.
    let chain = |n: usize| {
        let gone = |i: usize| {
            format!(
                r#"{{"parentUuid":"u{}","uuid":"u{}","type":"assistant","message":{{"role":"assistant","id":"m{i}","content":[]}}}}"#,
                i,
                i + 1
            ) + "\n"
        };
        let child = format!(
            r#"{{"parentUuid":"u{n}","uuid":"c","type":"user","message":{{"role":"user","content":"PUBL1C"}}}}"#
        ) + "\n";
        (0..n).map(gone).collect::<String>() + &child.repeat(n)
    };
    let called = r#"{"role":"model","parts":[{"functionCall":{"name":"n","args":{},"thoughtSignature":"Ev8B"}}]}"#;
    let families: [Judged<'_>; 14] = [
        ("blocks of a message", "anthropic", 150, &|n| {
            format!(r#"{{"messages":[{{"role":"assistant","content":[{}]}}]}}"#, list(n, block))
        }),
        ("messages", "anthropic:claude-fable-5-1", 150, &|n| format!(r#"{{"messages":[{}]}}"#, list(n, turn("")))),
        ("messages on lines", "anthropic", 150, &|n| format!("{{\"messages\":[{}]}}", list(n, turn("\n")))),
        ("a message a line", "anthropic", 150, &|n| (0..n).map(turn("\n")).collect()),
        ("lines of an agent", "anthropic", 100, &|n| (0..n).map(line).collect()),
        ("items", "openai-responses", 150, &|n| format!(r#"{{"input":[{reasoning},{}]}}"#, list(n, item))),
        ("calls", "kimi:kimi-k2.6", 150, &|n| format!(r#"{{"messages":[{}]}}"#, list(n, call))),
        ("reasoning in a row", "openai-responses", 150, &|n| {
            format!(r#"{{"store":false,"input":[{},{}]}}"#, list(n, lost), list(n, item))
        }),
        ("pieces of a message", "anthropic:claude-opus-4-8", 100, &|n| (0..n).map(piece).collect()),
        ("lines that hand their parent on", "anthropic", 100, &chain),
        ("white texts", "anthropic", 300, &|n| {
            format!(
                r#"{{"messages":[{{"role":"user","content":[{}]}}]}}"#,
                list(n, |_| r#"{"type":"text","text":" "}"#.into())
            )
        }),
        ("calls of a turn", "gemini:gemini-3-pro-preview", 150, &|n| {
            format!(r#"{{"contents":[{}]}}"#, list(n, |_| called.into()))
        }),
        ("calls of a message", "deepseek-anthropic", 300, &|n| {
            let call = |i: usize| format!(r#"{{"type":"tool_use","id":"t{i}","name":"n","input":{{}}}}"#);
            format!(r#"{{"messages":[{{"role":"assistant","content":[{}]}}]}}"#, list(n, call))
        }),
        ("depth", "mistral", 1000, &|n| {
            let (open, close) = ("[{\"a\":".repeat(n), "}]".repeat(n));
            format!(r#"{{"messages":[{{"role":"assistant","content":"a","reasoning":{open}1{close}}}]}}"#)
        }),
    ];
    for (name, to, n, input) in families {
        assert!(!unthink::check_target(input(9).as_bytes(), to).unwrap().is_accepted(), "{name}");
        let jobs: [(&str, Job<'_>); 2] = [
            ("check", &|input| drop(unthink::check_target(input, to).unwrap())),
            ("repair", &|input| drop(unthink::repair(input, to, &unthink::RepairOptions::default()).unwrap())),
        ];
        for (job, work) in jobs {
            is_linear(&format!("{job} for {to}: {name}"), n, &|n| input(n).into_bytes(), work);
        }
    }
}
