//! Streams that are converted while they come, and conversions of what a policy leaves.

use crate::convert::{TARGETS, converted, corpus, once, split_texts, target, values};
use crate::support::*;
use unthink::dialect::{DIALECTS, Hindsight, Pass, ReadOptions};
use unthink::engine::{Chain, Engine, EngineOptions};
use unthink::inline::{Options, Tags};
use unthink::model::Wants;
use unthink::out::{Sinks, Splice, SpliceOptions};
use unthink::pass::{Policy, Strip, Unit};

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

/// The settings strip first, and what is left is converted; in pieces too.
#[test]
fn stripped_and_converted_in_pieces() {
    let tags = Tags::default();
    let run = |input: &[u8], to: &str, piece: usize| {
        let dialects = DIALECTS.iter().collect();
        let read = ReadOptions {
            target: None,
            dialects,
            inline: Options::default(),
            hindsight: Hindsight::NotInStreams,
            wants: Wants::default(),
            templates: true,
            pointers: Vec::new(),
            drops: Vec::new(),
            foreign: unthink::dialect::Foreign::default(),
            to: None,
        };
        let options = EngineOptions { framing: None, read, max_record: 1 << 28, stop: false, pass: Pass::default() };
        let mut second = options.clone();
        second.read.to = Some(target(to));
        let splice = || Splice::new(SpliceOptions::default());
        let chain = Chain::new(splice(), &tags, second, splice());
        let engine = Engine::new(&tags, options, chain);
        let (mut engine, mut sinks) =
            (engine.judged_by(Strip::new(Policy::AllButLast, Unit::Message)), Sinks::default());
        input.chunks(piece.min(input.len().max(1))).for_each(|chunk| engine.push(chunk, &mut sinks));
        engine.finish(&mut sinks);
        sinks.out
    };
    for (_, name, input) in corpus().into_iter().filter(|(_, _, input)| input.len() < 20_000) {
        for to in TARGETS {
            let whole = run(&input, to, usize::MAX);
            let apart = strip(&input, policy("all-but-last")).out;
            let want = converted(&apart, to, usize::MAX).0.text();
            assert_eq!(String::from_utf8_lossy(&whole), want, "{name} to {to}");
            for piece in [1, 7] {
                assert!(run(&input, to, piece) == whole, "{name} to {to} in pieces of {piece}");
            }
        }
    }
}
