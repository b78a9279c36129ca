//! An invented format with the words of the language that few formats need: what `strip` and `split` make of it.

#[cfg(test)]
mod tests {
    use crate::dialect::shape::{
        ANY_KEY, BASE, Does, Follow, Kind, Recognition, STRING, Shape, Slot, State, When, case, each, is, json, one,
        pass, record, same, state, sure,
    };
    use crate::dialect::{DIALECTS, Dialect, Pass, ReadOptions};
    use crate::engine::{Engine, EngineOptions};
    use crate::frame::Framing;
    use crate::inline::Tags;
    use crate::out::{Output, Sinks};
    use crate::policy::{Policy, Strip, Unit};
    use crate::split::{Report, ReportOptions};
    use crate::strip::{Splice, SpliceOptions};

    const MUSE: Kind = Kind::Reasoning("part");

    /// Seals of the programs that a bit went through, by their names.
    static SEALS: State = state("seals", &[same(ANY_KEY, &SEAL)], &[]);
    static SEAL: State = state("seal", &[is("seal", STRING, Slot::Seal), pass("n")], &[]);

    /// A bit of a turn: an object, a string, or a list of bits.
    static BIT: State = state(
        "bit",
        &[is("is", STRING, Slot::Type), is("words", STRING, Slot::Text), same("seals", &SEALS)],
        &[sure(&[When::Type(&["muse"])], Does::Block(MUSE)), sure(&[When::Type(&["say"])], Does::Block(Kind::Text))],
    )
    .or_string(Does::Block(Kind::Text))
    .or_list();

    /// A list of musings without types.
    static MUSING: State = state("musing", &[], &[]).or_string(Does::Block(MUSE));

    static TURN: State = state(
        "turn",
        &[
            is("who", STRING, Slot::Role),
            // What the member says depends on the member beside it.
            each("bits", Slot::List, &MUSING).beside("about", &["mus*"]),
            each("bits", Slot::List, &BIT),
            is("musing", STRING, Slot::Thought),
            pass("about"),
        ],
        &[case(&[When::Has(Slot::Role)], Does::Message)],
    );

    static TURNS: State = state("turns", &[one(ANY_KEY, Slot::Messages, &TURN)], &[]);

    static EVENT_BIT: State = state(
        "bit",
        &[is("bit", STRING, Slot::Index), is("is", STRING, Slot::Type), is("words", STRING, Slot::Text)],
        &[case(&[When::Type(&["muse"])], Does::Block(MUSE)), case(&[When::Type(&["say"])], Does::Block(Kind::Text))],
    );

    static RECORD: State = state(
        "record",
        &[
            is("toy", STRING, Slot::Type),
            same("turns", &TURNS),
            is("bit", STRING, Slot::Index),
            one("bit", Slot::Inner, &EVENT_BIT),
            is("words", STRING, Slot::Text),
            same("seals", &SEALS),
            pass("by"),
            // A log: what was asked, and what came back.
            record("asked"),
            record("got"),
            json("asked"),
            json("got"),
        ],
        &[
            sure(&[When::Type(&["log"]), When::Has(Slot::Record)], Does::Envelope),
            sure(&[When::Has(Slot::Messages)], Does::Request),
            sure(&[When::Type(&["start"])], Does::Begin),
            sure(&[When::Type(&["muse.on"])], Does::OpenAs(MUSE)),
            sure(&[When::Type(&["muse.more"])], Does::Feed(Some(MUSE))),
            sure(&[When::Type(&["muse.off"])], Does::CloseAs(MUSE)),
            sure(&[When::Type(&["say.on"])], Does::OpenAs(Kind::Text)),
            sure(&[When::Type(&["say.more"])], Does::Feed(Some(Kind::Text))),
            sure(&[When::Type(&["say.off"])], Does::CloseAs(Kind::Text)),
            sure(&[When::Type(&["bit"])], Does::Grow(None)),
            sure(&[When::Type(&["more"])], Does::Feed(None)),
            sure(&[When::Type(&["stop"])], Does::End),
        ],
    );

    const SHAPE: Shape =
        Shape { record: &RECORD, recognised_by: &[Recognition { has: &[("toy", &[])], sure: true }], ..BASE };

    /// A map of bits.
    static BITS: State = state("bits", &[one(ANY_KEY, Slot::List, &BIT)], &[]);
    static MAPPED: State = state(
        "mapped",
        &[is("who", STRING, Slot::Role), same("bits", &BITS), each("rest", Slot::List, &BIT)],
        &[case(&[When::Has(Slot::Role)], Does::Message)],
    );
    static SHELLS: State = state("shells", &[each("shells", Slot::Messages, &MAPPED)], &[case(&[], Does::Request)]);

    /// A map of bits in a list of messages, whose blocks stay, with nothing in them.
    static SHELL: Dialect = Dialect {
        name: "shell",
        shape: Some(&Shape {
            record: &SHELLS,
            recognised_by: &[Recognition { has: &[("shells", &[])], sure: true }],
            follow: Follow { keep_shell: true, ..Follow::HOLE },
            ..BASE
        }),
        ..TOY
    };

    static MAPS: State = state("maps", &[each("maps", Slot::Messages, &MAPPED)], &[case(&[], Does::Request)]);

    static MAP: Dialect = Dialect {
        name: "map",
        shape: Some(&Shape {
            record: &MAPS,
            recognised_by: &[Recognition { has: &[("maps", &[])], sure: true }],
            ..BASE
        }),
        ..TOY
    };

    /// Lists that are flattened: the keys are paths.
    static FLAT_TURN: State = state(
        "turn",
        &[is("who", STRING, Slot::Role), each("bits", Slot::List, &FLAT_BIT)],
        &[case(&[When::Has(Slot::Role)], Does::Message)],
    )
    .paths();
    static FLAT_BIT: State = state(
        "bit",
        &[is("is", STRING, Slot::Type), is("words", STRING, Slot::Text), is("seal", STRING, Slot::Seal)],
        &[case(&[When::Type(&["muse"])], Does::Block(MUSE)), case(&[When::Type(&["say"])], Does::Block(Kind::Text))],
    );
    static FLATS: State = state(
        "flat",
        &[each("turns", Slot::Messages, &FLAT_TURN)],
        &[case(&[When::Has(Slot::Messages)], Does::Request)],
    )
    .paths();

    static FLAT: Dialect = Dialect {
        name: "flat",
        shape: Some(&Shape {
            record: &FLATS,
            recognised_by: &[Recognition { has: &[("flat", &[])], sure: false }],
            ..BASE
        }),
        ..TOY
    };

    /// A message whose texts stand under any key.
    static LOOSE: State = state(
        "loose",
        &[is("who", STRING, Slot::Role), is(ANY_KEY, STRING, Slot::Text)],
        &[case(&[When::Has(Slot::Role)], Does::Message)],
    );
    static LOOSES: State = state("looses", &[each("loose", Slot::Messages, &LOOSE)], &[case(&[], Does::Request)]);

    static FREE: Dialect = Dialect {
        name: "free",
        shape: Some(&Shape {
            record: &LOOSES,
            recognised_by: &[Recognition { has: &[("loose", &[])], sure: true }],
            ..BASE
        }),
        ..TOY
    };

    const TOY: Dialect = Dialect {
        name: "toy",
        aliases: &[],
        kin: &[],
        about: "",
        products: &[],
        framings: &[Framing::Jsonl],
        family: None,
        anew: None,
        shape: Some(&SHAPE),
        write: None,
        spelled: &[],
        properties: None,
    };

    static TOYS: Dialect = TOY;

    /// What an output makes of an input, and how many records were refused.
    fn run<O: Output>(input: &str, output: impl Fn() -> O, strip: bool) -> (String, u64) {
        let run = |templates| {
            let tags = Tags::default();
            let dialects = DIALECTS.iter().chain([&TOYS, &SHELL, &MAP, &FREE, &FLAT]).collect();
            let read = ReadOptions { dialects, templates, ..ReadOptions::default() };
            let framing = Some(Framing::Jsonl);
            let options = EngineOptions { framing, read, max_record: 1 << 20, stop: false, pass: Pass::default() };
            let mut engine = Engine::new(&tags, options, output());
            if strip {
                engine = engine.judged_by(Strip::new(Policy::All, Unit::Message));
            }
            let mut sinks = Sinks::default();
            engine.push(input.as_bytes(), &mut sinks);
            engine.finish(&mut sinks);
            (String::from_utf8(sinks.out).unwrap(), engine.counts().refused)
        };
        let (fast, whole) = (run(true), run(false));
        assert_eq!(fast, whole, "{input}");
        whole
    }

    fn strip(input: &str) -> (String, u64) {
        run(input, || Splice::new(SpliceOptions::default()), true)
    }

    /// Visible text and reasoning of each message.
    fn split(input: &str) -> Vec<(String, String)> {
        let show = || ReportOptions { visible: true, reasoning: true, join: "|".into(), ..ReportOptions::default() };
        let (out, _) = run(input, || Report::new(show()), false);
        let message = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
            (text(&value["visible"]), text(&value["reasoning"]["text"]))
        };
        out.lines().map(message).collect()
    }

    fn check(input: &str, left: &str, said: &[(&str, &str)]) {
        let said: Vec<_> = said.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        assert_eq!(split(input), said, "{input}");
        assert_eq!(strip(input), (left.to_string(), 0), "{input}");
        assert_eq!(strip(left), (left.to_string(), 0), "again: {left}");
    }

    #[test]
    fn keys_of_a_map_lead_to_messages() {
        check(
            r#"{"toy":"talk","turns":{"3f":{"who":"user","bits":["Sum?"]},"a0":{"who":"ai","bits":[{"is":"muse","words":"Add."},{"is":"say","words":"4"}]}}}"#,
            r#"{"toy":"talk","turns":{"3f":{"who":"user","bits":["Sum?"]},"a0":{"who":"ai","bits":[{"is":"say","words":"4"}]}}}"#,
            &[("4", "Add.")],
        );
    }

    #[test]
    fn elements_are_strings_and_lists() {
        check(
            r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":["It ",[{"is":"muse","words":"Add."},"is "],["4",{"is":"muse","words":"Done."}]]}}}"#,
            r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":["It ",["is "],["4"]]}}}"#,
            &[("It is 4", "Add.|Done.")],
        );
    }

    #[test]
    fn a_member_is_read_as_the_one_beside_it_says() {
        check(
            r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":["Add.","Them."],"about":"musing"},"b":{"who":"ai","about":"no","bits":["4"]}}}"#,
            r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":[],"about":"musing"},"b":{"who":"ai","about":"no","bits":["4"]}}}"#,
            &[("", "Add.|Them."), ("4", "")],
        );
    }

    #[test]
    fn keys_are_paths_through_lists() {
        check(
            r#"{"turns.0.bits.1.is":"say","turns.0.bits.0.is":"muse", "flat":1,"turns.0.who":"ai","turns.0.bits.0.words":"Add." ,"turns.0.bits.1.words":"4","turns.1.bits.0.words":"Done.","turns.1.who":"ai","turns.1.bits.0.is":"muse","turns.0.bits.1.seal":"AbC="}"#,
            r#"{"turns.0.bits.1.is":"say", "flat":1,"turns.0.who":"ai" ,"turns.0.bits.1.words":"4","turns.1.who":"ai"}"#,
            &[("4", "Add."), ("", "Done.")],
        );
        check(
            r#"{"turns.0.bits.0.is":"muse","turns.0.bits.0.words":"Add.","turns.1.bits.0.is":"muse","turns.1.bits.0.words":"Done.","turns.0.who":"ai","turns.1.who":"ai","flat":1}"#,
            r#"{"turns.0.who":"ai","turns.1.who":"ai","flat":1}"#,
            &[("", "Add."), ("", "Done.")],
        );
        // Two types, a list that is not known, and nothing that stays for certain.
        for (rest, thought) in [
            (r#","turns.0.bits.0.is":"say""#, "Add."),
            (r#","musings.0.type":"reasoning","musings.0.text":"Add them all up."}"#, "Add them"),
        ] {
            let input = format!(
                "{{\"flat\":1,\"turns.0.who\":\"ai\",\"turns.0.bits.0.is\":\"muse\",\"turns.0.bits.0.words\":\"Add.\"{}}}",
                rest.trim_end_matches('}')
            );
            let (out, bad) = strip(&input);
            assert!(bad == 1 && !out.contains(thought), "{input}: {out}");
        }
    }

    #[test]
    fn reasoning_of_a_message_goes_as_a_member() {
        check(
            r#"{"toy":"talk","turns":{"a":{"musing":"Add.","who":"ai","bits":["4"]}}}"#,
            r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":["4"]}}}"#,
            &[("4", "Add.")],
        );
    }

    const STREAM: &str = concat!(
        r#"{"toy":"start"}"#,
        "\n",
        r#"{"toy":"muse.on","bit":"a"}"#,
        "\n",
        r#"{"toy":"say.on","bit":"a"}"#,
        "\n",
        r#"{"toy":"say.more","bit":"a","words":"It is ","seals":{"hub":{"n":1,"seal":"AbC="}}}"#,
        "\n",
        r#"{"toy":"muse.more","bit":"a","words":"Add."}"#,
        "\n",
        r#"{"toy":"say.more","bit":"a","words":"4"}"#,
        "\n",
        r#"{"toy":"muse.off","bit":"a"}"#,
        "\n",
        r#"{"toy":"say.off","bit":"a"}"#,
        "\n",
        r#"{"toy":"muse.on","bit":"b","seals":{"hub":{"seal":"AbC="}}}"#,
        "\n",
        r#"{"toy":"muse.off","bit":"b"}"#,
        "\n",
        r#"{"toy":"stop"}"#,
        "\n",
    );

    #[test]
    fn blocks_of_a_stream_are_known_by_name() {
        check(
            STREAM,
            concat!(
                r#"{"toy":"start"}"#,
                "\n",
                r#"{"toy":"say.on","bit":"a"}"#,
                "\n",
                r#"{"toy":"say.more","bit":"a","words":"It is ","seals":{"hub":{"n":1}}}"#,
                "\n",
                r#"{"toy":"say.more","bit":"a","words":"4"}"#,
                "\n",
                r#"{"toy":"say.off","bit":"a"}"#,
                "\n",
                r#"{"toy":"stop"}"#,
                "\n",
            ),
            &[("It is 4", "Add.")],
        );
    }

    #[test]
    fn a_part_grows() {
        let event = |is: &str, id: &str, words: &str| {
            format!("{{\"toy\":\"bit\",\"bit\":{{\"bit\":\"{id}\",\"is\":\"{is}\",\"words\":\"{words}\"}}}}\n")
        };
        let muse = [event("muse", "a", ""), event("muse", "a", "Ad"), event("muse", "a", "Add \\u0061ll.")].concat();
        let more = "{\"toy\":\"more\",\"bit\":\"a\",\"words\":\" Now.\"}\n";
        let whole = event("muse", "a", "Add all. Now.");
        let say = [event("say", "b", "It"), event("say", "b", "It is\\n4"), event("say", "b", "It is\\n4")].concat();
        let rest = "{\"toy\":\"more\",\"bit\":\"b\",\"words\":\".\"}\n";
        check(&[&muse, more, &whole, &say, rest].concat(), &[&say, rest].concat(), &[("It is\n4.", "Add all. Now.")]);
    }

    /// More of a block that no event has opened may be more of reasoning.
    #[test]
    fn what_was_not_opened_is_refused() {
        let more = "{\"toy\":\"more\",\"bit\":\"z\",\"words\":\"Add them.\"}\n";
        assert_eq!(strip(&format!("{{\"toy\":\"start\"}}\n{more}")), ("{\"toy\":\"start\"}\n".into(), 1));
        // Without a text there is nothing to hide.
        let empty = "{\"toy\":\"start\"}\n{\"toy\":\"more\",\"bit\":\"z\",\"words\":\"\"}\n";
        assert_eq!(strip(empty), (empty.into(), 0));
    }

    /// A member that may be chosen by two members with the same name is not read: it is searched.
    #[test]
    fn a_choice_that_is_not_certain_is_refused() {
        let input =
            r#"{"toy":"talk","turns":{"a":{"who":"ai","about":"x","about":"muse","bits":["<think>Add.</think>4"]}}}"#;
        let (out, _) = strip(input);
        assert!(!out.contains("Add."), "{out}");
    }

    /// The records in a log are recognised anew, whatever rows they are of.
    #[test]
    fn records_in_a_record() {
        let log =
            |asked: &str, got: &str| format!("{{\"toy\":\"log\",\"asked\":{asked},\"by\":\"x\",\"got\":{got}}}\n");
        let asked = r#"{"model":"m","messages":[{"role":"user","content":"Sum?"},{"role":"assistant","content":"4","reasoning_content":"Guess."},{"role":"user","content":"Sure?"}]}"#;
        let got = r#"{"toy":"talk","turns":{"a":{"who":"ai","bits":[{"is":"muse","words":"Add."},"4"]}}}"#;
        let left = [
            asked.replace(r#","reasoning_content":"Guess.""#, ""),
            got.replace(r#"{"is":"muse","words":"Add."},"#, ""),
        ];
        let said = [("4", "Guess."), ("4", "Add.")];
        check(&log(asked, got), &log(&left[0], &left[1]), &said);
        // In a list, and in a log that stands in a log.
        check(&log(asked, &format!("[{got}]")), &log(&left[0], &format!("[{}]", left[1])), &said);
        let (inner, stays) = (log(asked, got), log(&left[0], &left[1]));
        check(&log(inner.trim(), "{}"), &log(stays.trim(), "{}"), &said);
        // A record that no row reads is searched; an event cannot go.
        for bad in [
            r#"{"x":[{"thinking":"Add the two numbers first."}]}"#,
            r#"{"toy":"muse.more","bit":"a","words":"Add."}"#,
            r#"{"toy":"more","bit":"a","words":"Add."}"#,
        ] {
            assert_eq!(strip(&log(asked, bad)), (String::new(), 1), "{bad}");
        }
        let clean = log("{}", r#"{"x":[1,"two"]}"#);
        assert_eq!(strip(&clean), (clean.clone(), 0));
        let deep = (0..6).fold(got.to_string(), |inner, _| log("{}", &inner).trim().to_string());
        assert_eq!(strip(&deep), (String::new(), 1));
    }

    /// A record may be the text of a string, also of one in such a record: what goes is cut out of the string.
    #[test]
    fn records_in_strings() {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        // As other programs write it.
        let ascii =
            |text: &str| quoted(text).replace("\\\"", "\\u0022").replace('é', "\\u00e9").replace("\\n", "\\u000a");
        let log = |asked: &str, got: &str| format!("{{\"toy\":\"log\",\"asked\":{asked},\"got\":{got}}}\n");
        let got = "{\n  \"messages\": [\n    {\"role\": \"user\", \"content\": \"Sum?\"},\n    {\"role\": \"assistant\", \"reasoning_content\": \"Add \\\"é\\\".\\nThem.\", \"content\": \"<think>\\u00e9\\n<\\/think>It is\\n\\\"4\\\".\"}\n  ]\n}";
        let left = got
            .replace("\"reasoning_content\": \"Add \\\"é\\\".\\nThem.\", ", "")
            .replace("<think>\\u00e9\\n<\\/think>", "");
        assert!(!left.contains("reasoning") && !left.contains("think"), "{left}");
        let said = [("It is\n\"4\".", "Add \"é\".\nThem.|é")];
        for spell in [&quoted as &dyn Fn(&str) -> String, &ascii] {
            check(&log("{}", &spell(got)), &log("{}", &spell(&left)), &said);
            let inner = |text: &str| log("1", &spell(text)).trim().to_string();
            check(&log("{}", &spell(&inner(got))), &log("{}", &spell(&inner(&left))), &said);
            check(&log(&spell(&inner(got)), "2"), &log(&spell(&inner(&left)), "2"), &said);
        }
        let list = r#"[{"toy":"talk","turns":{"a":{"who":"ai","bits":[{"is":"muse","words":"Add."},"4"]}}}, {"toy":"talk","turns":{"b":{"who":"user","bits":[]}}}]"#;
        let rest = list.replace(r#"{"is":"muse","words":"Add."},"#, "");
        check(&log("{}", &quoted(list)), &log("{}", &quoted(&rest)), &[("4", "Add.")]);
        // Text that is no record is searched, as is a record that no row reads.
        for (bad, refused) in [
            ("Overloaded", 0),
            ("", 0),
            (" {\"x\":[1,\"two\"]}", 0),
            ("{\"x\":[{\"thinking\":\"Add the two numbers first.\"}]}", 1),
            ("<think>Add the two numbers first.</think>4", 1),
            ("{\"x\":", 1),
        ] {
            let input = log("{}", &quoted(bad));
            let want = if refused == 0 { input.clone() } else { String::new() };
            assert_eq!(strip(&input), (want, refused), "{bad}");
        }
        // A comma that is cut is one byte.
        let comma = quoted(list).replace(',', "\\u002c");
        assert_eq!(strip(&log("{}", &comma)), (String::new(), 1));
    }

    /// Under a key of a map, too, a text that is called reasoning is found, whatever record came before.
    #[test]
    fn texts_in_a_map_are_searched_by_their_keys() {
        let line = |key: &str| format!("{{\"loose\":[{{\"who\":\"ai\",\"{key}\":\"Add the two numbers first.\"}}]}}\n");
        let clean = [line("a"), line("a"), line("b")].concat();
        assert_eq!(strip(&clean), (clean.clone(), 0));
        assert_eq!(strip(&line("thinking")), (String::new(), 1));
        assert_eq!(strip(&[clean.clone(), line("thinking")].concat()), (clean, 1));
    }

    #[test]
    fn blocks_in_a_map_go_as_members() {
        check(
            r#"{"maps":[{"who":"ai","bits":{"a":{"is":"muse","words":"Add."},"b":{"is":"say","words":"It "},"c":{"is":"muse","words":"Them."}},"rest":[{"is":"muse","words":"Done."},"is 4"]},{"who":"ai","bits":{"a":{"is":"muse","words":"No."}}}]}"#,
            r#"{"maps":[{"who":"ai","bits":{"b":{"is":"say","words":"It "}},"rest":["is 4"]},{"who":"ai","bits":{}}]}"#,
            &[("It is 4", "Add.|Them.|Done."), ("", "No.")],
        );
    }

    #[test]
    fn the_shells_of_blocks_stay() {
        let input = r#"{"shells":[{"who":"ai","bits":{"a":{"is":"muse","words":"Add.","seals":{"x":{"seal":"AbC=","n":1}}},"b":{"is":"say","words":"4"}},"rest":[{"words":"Done.","is":"muse"},"."]}]}"#;
        let left = r#"{"shells":[{"who":"ai","bits":{"a":{"is":"muse","words":"","seals":{"x":{"n":1}}},"b":{"is":"say","words":"4"}},"rest":[{"words":"","is":"muse"},"."]}]}"#;
        check(input, left, &[("4.", "Add.|Done.")]);
    }
}
