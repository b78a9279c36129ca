//! The functions for users of the crate give what the command gives, over our own test data; and what is not understood is
//! an error of theirs.

mod check;
mod examples;
mod options;

use crate::convert::TARGETS;
use crate::support::*;
use assert_cmd::Command;
use serde_json::Value;
use std::cell::RefCell;
use std::io::{BufReader, Read, Write};
use unthink::{
    By, ConvertOptions, Error, Framing, InputOptions, Message, Method, Refused, SplitOptions, StripOptions, Summary,
    TokensOptions, Unclosed,
};

/// What the command did with an input.
struct Done {
    out: Vec<u8>,
    status: i32,
    stderr: String,
}

fn command(args: &[&str], input: &[u8]) -> Done {
    let output = Command::cargo_bin("unthink").unwrap().args(args).write_stdin(input).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    Done { out: output.stdout, status: output.status.code().unwrap(), stderr }
}

/// What one of the functions returned, whether it was complete or not.
fn either<P>(result: Result<P, Error<P>>) -> (P, Option<(u64, u64, Vec<Refused>)>) {
    match result {
        Ok(whole) => (whole, None),
        Err(Error::Incomplete(e)) => (e.partial, Some((e.count, e.records, e.refused))),
        Err(e) => panic!("{e}"),
    }
}

/// An error where the command says so, with the same counts.
fn same_status(refused: Option<&(u64, u64, Vec<Refused>)>, summary: &Summary, command: &Done, name: &str) {
    assert_eq!(command.status, if refused.is_some() { 3 } else { 0 }, "{name}: {}", command.stderr);
    let Some((count, records, refused)) = refused else {
        assert_eq!(summary.refused, 0, "{name}");
        return;
    };
    assert!(!refused.is_empty() && summary.refused == *count, "{name}");
    let last = format!("{count} of {records} records not processed");
    let unread = "nothing was converted: no record is in a format that is read";
    assert!(command.stderr.contains(&last) || refused[0].reason == unread, "{name}: {last}\n{}", command.stderr);
    for refused in refused.iter().take(20) {
        assert!(command.stderr.contains(&refused.reason), "{name}: {refused:?}\n{}", command.stderr);
    }
}

fn lines(out: &[u8]) -> Vec<Value> {
    out.split_inclusive(|b| *b == b'\n').map(|line| serde_json::from_slice(line).unwrap()).collect()
}

/// Our own test data, and an input of each kind that is refused.
fn inputs() -> Vec<(String, Vec<u8>)> {
    let mut all = own();
    let damaged = b"{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}\n{\"role\":\n";
    let suspect = b"{\"log\":{\"thinking\":\"S3CRET and so on\"}}\n{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n";
    all.push(("damaged".into(), damaged.to_vec()));
    all.push(("suspect".into(), suspect.to_vec()));
    all.push(("foreign".into(), b"{\"level\":\"info\"}\n".to_vec()));
    all.push(("binary".into(), b"\x7FELF\0\0\0\0".to_vec()));
    all.push(("nothing".into(), Vec::new()));
    all
}

#[test]
fn strip_gives_what_the_command_gives() {
    for (name, input) in inputs() {
        for policy in POLICIES {
            let name = format!("{name}: {policy}");
            let options = StripOptions::default().policy(policy.parse().unwrap());
            let command = command(&["strip", "--policy", policy, "--stats"], &input);
            let (done, refused) = either(unthink::strip(&input, &options));
            assert_eq!(done.output, command.out, "{name}");
            same_status(refused.as_ref(), &done.report.summary, &command, &name);
            let report = &done.report;
            let (removed, all, bytes) = (report.removed, report.removed + report.kept, report.summary.bytes);
            let stats = format!("{removed} of {all} blocks removed, {} bytes of {bytes};", report.bytes);
            assert!(command.stderr.contains(&stats), "{name}: {stats}\n{}", command.stderr);

            let mut out = Vec::new();
            let reader = BufReader::with_capacity(7, input.as_slice());
            let (report, again) = either(unthink::strip_io(reader, &mut out, &options));
            assert_eq!((&out, &report, &again), (&done.output, &done.report, &refused), "{name}: in pieces");

            let (mut stripper, mut out) = (unthink::Stripper::new(&options).unwrap(), Vec::new());
            input.chunks(7).for_each(|piece| out.extend_from_slice(stripper.push(piece)));
            let (rest, again) = either(stripper.finish());
            out.extend_from_slice(&rest.output);
            assert_eq!((out, rest.report, again), (done.output, done.report, refused), "{name}: pushed");
        }
    }
}

#[test]
fn split_gives_what_the_command_gives() {
    for (name, input) in inputs() {
        let options = SplitOptions::default();
        let command = command(&["split"], &input);
        let mut out = Vec::new();
        let reader = BufReader::with_capacity(7, input.as_slice());
        let (report, refused) = either(unthink::split_io(reader, &mut out, &options));
        assert_eq!(out, command.out, "{name}");
        same_status(refused.as_ref(), &report.summary, &command, &name);

        let (done, again) = either(unthink::split(&input, &options));
        assert_eq!((&done.report, &again), (&report, &refused), "{name}");
        assert_eq!(done.messages.len() as u64, report.messages, "{name}");
        let mut splitter = unthink::Splitter::new(&options).unwrap();
        let mut pushed: Vec<Message> = input.chunks(7).flat_map(|piece| splitter.push(piece)).collect();
        let (rest, again) = either(splitter.finish());
        pushed.extend(rest.messages);
        assert_eq!((&pushed, &rest.report, &again), (&done.messages, &report, &refused), "{name}: pushed");
        let printed = lines(&command.out);
        assert_eq!(printed.len(), done.messages.len(), "{name}");
        for (printed, message) in printed.iter().zip(&done.messages) {
            let mut printed = printed.clone();
            if let Some(members) = printed.as_object_mut() {
                // What a sequence comes to is the same as that of its texts.
                members.remove("tokens");
            }
            assert_eq!(printed, object(message, printed.get("record").is_some()), "{name}");
        }
    }
}

/// A message as the command prints it; `numbered`: it is not the only one of a text.
fn object(message: &Message, numbered: bool) -> Value {
    let mut object = serde_json::Map::new();
    if numbered {
        object.insert("record".into(), message.record.into());
        object.insert("message".into(), message.message.into());
    }
    object.insert("visible".into(), message.visible.as_str().into());
    if !message.calls.is_empty() {
        object.insert("calls".into(), message.calls.clone().into());
    }
    if let Some(commentary) = &message.commentary {
        object.insert("commentary".into(), commentary.as_str().into());
    }
    if let Some(text) = &message.reasoning {
        let mut reasoning = serde_json::json!({ "text": text, "tokensEst": message.reasoning_tokens });
        if !message.redactions.is_empty() {
            reasoning["redactions"] = message.redactions.clone().into();
        }
        object.insert("reasoning".into(), reasoning);
    }
    if message.intermediate {
        object.insert("intermediate".into(), true.into());
    }
    let delegation = |found: &unthink::Delegation| {
        let mut value = serde_json::json!({"depth": found.depth, "agent": found.agent, "by": found.by});
        if let Some(place) = found.place {
            (value["record"], value["message"]) = (place.record.into(), place.message.into());
        }
        value["prompt"] = found.prompt.as_str().into();
        value
    };
    if let Some(found) = &message.delegation {
        object.insert("delegation".into(), delegation(found));
    }
    if !message.delegates.is_empty() {
        object.insert("delegates".into(), message.delegates.iter().map(delegation).collect());
    }
    if !message.returns.is_empty() {
        object.insert("returns".into(), message.returns.clone().into());
    }
    message.sequence.iter().for_each(|sequence| members_of(sequence, &mut object));
    object.into()
}

/// The members of a sequence, as the command prints them.
fn members_of(sequence: &unthink::Sequence, object: &mut serde_json::Map<String, Value>) {
    let mut set = |name: &str, value: Value| drop(object.insert(name.into(), value));
    set("id", sequence.id.as_str().into());
    set("context", sequence.context.as_str().into());
    set("agent", sequence.agent.as_str().into());
    set("trigger", sequence.trigger.clone().into());
    set("thoughts", sequence.thoughts.clone().into());
    set("conclusion", sequence.conclusion.clone().into());
    set("response", sequence.response.clone().into());
    for (name, text) in
        [("parent", &sequence.parent), ("start", &sequence.start), ("cancellation", &sequence.cancellation)]
    {
        text.iter().for_each(|text| set(name, text.as_str().into()));
    }
    let with = |id: &Option<String>, mut value: Value| {
        id.iter().for_each(|id| value["id"] = id.as_str().into());
        value
    };
    let utterance = |u: &unthink::Utterance| with(&u.id, serde_json::json!({"from": u.from, "text": u.text}));
    set("dialogue", sequence.dialogue.iter().map(utterance).collect());
    let tool = |tool: &unthink::CalledTool| with(&tool.id, serde_json::json!({ "name": tool.name }));
    set("tools", sequence.tools.iter().map(tool).collect());
    set("status", format!("{:?}", sequence.status).to_lowercase().into());
}

/// The options about agents, contexts and delegations do what those of the command do.
#[test]
fn several_agents() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let log = std::fs::read(root().join("testdata/mew/agents.jsonl")).unwrap();
    let options = StripOptions::default().agents(names(&["trade-agent", "nobody"]));
    let done = unthink::strip(&log, &options).unwrap();
    let ran = command(&["strip", "--agent", "trade-agent", "--agent", "nobody"], &log);
    assert_eq!((done.output, &done.report.unknown_agents), (ran.out, &names(&["nobody"])));
    assert!(ran.stderr.contains("--agent nobody: no message of the input is from this agent"), "{}", ran.stderr);
    let options = StripOptions::default().contexts(names(&["t1/t2"]));
    let done = unthink::strip(&log, &options).unwrap();
    assert_eq!(done.output, command(&["strip", "--context", "t1/t2"], &log).out);
    assert!(done.report.unknown_contexts.is_empty() && done.output.len() < log.len());

    let log = std::fs::read(root().join("testdata/gromozeka/delegation.jsonl")).unwrap();
    for (intermediate, delegations, args) in
        [(true, false, &["strip", "--intermediate"][..]), (false, true, &["strip", "--delegations"])]
    {
        let options = StripOptions::default().intermediate(intermediate).delegations(delegations);
        let done = unthink::strip(&log, &options).unwrap();
        assert_eq!(done.output, command(args, &log).out, "{args:?}");
        assert!(done.report.intermediate + done.report.emptied > 0, "{args:?}");
    }

    let chat = br#"{"messages":[{"role":"assistant","reasoning_content":"Clouds.","content":"Rain."}]}"#;
    let options = ConvertOptions::new("mew").seed(7);
    let done = unthink::convert(chat, &options).unwrap();
    assert_eq!(done.output, command(&["convert", "--to", "mew", "--seed", "7"], chat).out);
    assert_ne!(done.output, unthink::convert(chat, &ConvertOptions::new("mew")).unwrap().output);
}

#[test]
fn convert_gives_what_the_command_gives() {
    for (name, input) in inputs() {
        for to in TARGETS {
            converts(&name, &input, &["convert", "--to", to], &ConvertOptions::new(to));
            let policy = "reasoning.stripFromContext=all-but-last";
            let args = ["convert", "--to", to, "--set", policy, "--set", "reasoning.includeInContext=true"];
            let policy = "all-but-last".parse().unwrap();
            converts(&name, &input, &args, &ConvertOptions::new(to).policy(policy));
            if name.contains("/mia/") {
                let input_options = InputOptions::default().dialect("mia");
                let options = ConvertOptions::new(to).input(input_options);
                converts(&name, &input, &["convert", "--from", "mia", "--to", to], &options);
            }
        }
        let options = ConvertOptions::new("tagged").tag("[r],[/r]").escape(true);
        converts(&name, &input, &["convert", "--to", "tagged", "--tag", "[r],[/r]", "--escape"], &options);
    }
}

fn converts(name: &str, input: &[u8], args: &[&str], options: &ConvertOptions) {
    let name = format!("{name}: {}", args.join(" "));
    let command = command(args, input);
    let (done, refused) = either(unthink::convert(input, options));
    assert!(done.output == command.out, "{name}: {}", String::from_utf8_lossy(&done.output));
    same_status(refused.as_ref(), &done.report.summary, &command, &name);
    assert_eq!(command.stderr.matches("loss: ").count(), done.report.losses.len(), "{name}: {}", command.stderr);
    for (loss, n) in &done.report.losses {
        let line = format!("loss: {}, {n} ", loss.about());
        assert!(command.stderr.contains(&line), "{name}: {line}\n{}", command.stderr);
    }

    let mut out = Vec::new();
    let (report, again) = either(unthink::convert_io(BufReader::with_capacity(7, input), &mut out, options));
    assert_eq!((&out, &report, &again), (&done.output, &done.report, &refused), "{name}: in pieces");

    let (mut converter, mut out) = (unthink::Converter::new(options).unwrap(), Vec::new());
    input.chunks(7).for_each(|piece| out.extend_from_slice(converter.push(piece)));
    let (rest, again) = either(converter.finish());
    out.extend_from_slice(&rest.output);
    assert_eq!((out, rest.report, again), (done.output, done.report, refused), "{name}: pushed");
}

/// What else the command can do: rows of tags from files, a marker, strings and members that are named, sections.
#[test]
fn further_options_do_what_those_of_the_command_do() {
    let file = root().join("testdata/tags/row.json");
    let rows = std::fs::read_to_string(&file).unwrap();
    let input = InputOptions::default().tag_file(&rows).unwrap();
    let text = b"[muse]S3CRET[/muse]PUBL1C";
    let done = unthink::strip(text, &StripOptions::default().input(input.clone())).unwrap();
    assert_eq!(done.output, command(&["strip", "--tags", file.to_str().unwrap()], text).out);
    assert_eq!(done.output, b"PUBL1C");
    assert_eq!(input.tag_file(&rows).unwrap_err().option, "tag_file");
    assert_eq!(InputOptions::default().tag_file("{").unwrap_err().option, "tag_file");

    let text = b"S3CRET Final answer: PUBL1C";
    let options = StripOptions::default().input(InputOptions::default().marker("Final answer:"));
    let done = unthink::strip(text, &options).unwrap();
    assert_eq!(done.output, command(&["strip", "--marker", "Final answer:"], text).out);
    assert!(!done.output.windows(6).any(|word| word == b"S3CRET"), "{}", String::from_utf8_lossy(&done.output));

    let log = b"{\"row\":{\"text\":\"<think>S3CRET</think>PUBL1C\",\"notes\":\"S3CRET\"}}\n";
    let options = StripOptions::default().fields(["/row/text"]).drop_fields(["/row/notes"]);
    let done = unthink::strip(log, &options).unwrap();
    assert_eq!(done.output, command(&["strip", "--field", "/row/text", "--drop", "/row/notes"], log).out);
    assert_eq!(done.output, b"{\"row\":{\"text\":\"PUBL1C\"}}\n");

    let chat = b"{\"role\":\"assistant\",\"reasoning\":\"a <REDACTED>S3CRET</REDACTED> b\",\"content\":\"PUBL1C\"}\n";
    let options = StripOptions::default().policy("none".parse().unwrap()).redact(true);
    let done = unthink::strip(chat, &options).unwrap();
    assert_eq!(done.output, command(&["strip", "--policy", "none", "--redact"], chat).out);
    assert!(done.output.windows(2).any(|word| word == b"a ") && !done.output.windows(6).any(|word| word == b"S3CRET"));

    for (options, option) in [
        (StripOptions::default().fields(["row"]), "fields"),
        (StripOptions::default().drop_fields(["row"]), "drop_fields"),
        (StripOptions::default().input(InputOptions::default().marker(" ")), "marker"),
    ] {
        let Err(Error::Option(e)) = unthink::strip(b"a", &options) else { panic!("{option} is taken") };
        assert_eq!(e.option, option);
    }
}

/// What takes pieces can wait for them beside many others, on any thread.
#[test]
fn what_takes_pieces_is_send() {
    fn is_send<T: Send + 'static>() {}
    is_send::<unthink::Stripper>();
    is_send::<unthink::Splitter>();
    is_send::<unthink::Converter>();
    fn is_shared<T: Send + Sync + Clone + std::fmt::Debug + 'static>() {}
    is_shared::<(StripOptions, SplitOptions, ConvertOptions, TokensOptions, unthink::CheckOptions, InputOptions)>();
    is_shared::<(unthink::Stripped, unthink::Split, unthink::Converted, unthink::Counted, unthink::Checked)>();
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Error<unthink::Stripped>>();
    is_error::<unthink::InvalidOption>();
}

#[test]
fn results_can_be_serialised() {
    let log = b"{\"role\":\"assistant\",\"reasoning\":\"Low pressure.\",\"content\":\"By noon.\"}\n";
    let split = serde_json::to_value(unthink::split(log, &SplitOptions::default()).unwrap()).unwrap();
    assert_eq!(split["messages"][0]["reasoning"], "Low pressure.");
    assert_eq!((&split["report"]["messages"], &split["report"]["summary"]["framing"]), (&1.into(), &"jsonl".into()));
    let block = br#"{"role":"assistant","content":[{"type":"thinking","thinking":"Low.","signature":"c2ln"}]}"#;
    let done = unthink::convert(block, &ConvertOptions::new("reasoning-content")).unwrap();
    assert_eq!(serde_json::to_value(done.report).unwrap()["losses"]["signature"], 1);
}

/// An input whose rest is missing: what has come whole is there, what has not is left out without an error.
#[test]
fn an_input_that_was_cut_off() {
    let log = b"{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}\n\
        {\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"cont";
    let mut stripper = unthink::Stripper::new(&StripOptions::default()).unwrap();
    let mut out = stripper.push(log).to_vec();
    let done = stripper.cut().unwrap();
    out.extend_from_slice(&done.output);
    assert_eq!(String::from_utf8(out).unwrap(), "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n");
    let mut splitter = unthink::Splitter::new(&SplitOptions::default()).unwrap();
    let first = splitter.push(log);
    assert_eq!((first.len(), first[0].visible.as_str()), (1, "PUBL1C"));
    assert!(splitter.cut().unwrap().messages.is_empty());
    let mut converter = unthink::Converter::new(&ConvertOptions::new("tagged")).unwrap();
    let mut out = converter.push(log).to_vec();
    out.extend_from_slice(&converter.cut().unwrap().output);
    let want = "{\"role\":\"assistant\",\"content\":\"<think>S3CRET</think>PUBL1C\"}\n";
    assert_eq!(String::from_utf8(out).unwrap(), want);
}

#[test]
fn tokens_gives_what_the_command_gives() {
    for (name, input) in inputs() {
        for (by, word) in [(By::Record, "record"), (By::Message, "message"), (By::Block, "block")] {
            let name = format!("{name}: {word}");
            let options = TokensOptions::default().by(by).method(Method::Words);
            let command = command(&["tokens", "--by", word, "--method", "words"], &input);
            let mut out = Vec::new();
            let reader = BufReader::with_capacity(7, input.as_slice());
            let (report, refused) = either(unthink::tokens_io(reader, &mut out, &options));
            assert_eq!(out, command.out, "{name}");
            same_status(refused.as_ref(), &report.summary, &command, &name);

            let (done, again) = either(unthink::tokens(&input, &options));
            assert_eq!((&done.report, again), (&report, refused), "{name}");
            let printed = lines(&command.out);
            assert_eq!(printed.len(), done.rows.len(), "{name}");
            for (printed, row) in printed.iter().zip(&done.rows) {
                let counts = &row.counts;
                assert_eq!(printed["raw"], counts.raw(), "{name}");
                assert_eq!(printed["effective"], counts.effective, "{name}");
                let ratio = printed["reasoning_ratio"].as_f64().unwrap();
                assert!((ratio - counts.ratio()).abs() < 1e-12, "{name}: {ratio}");
                let word = |name: &str| printed.get(name).map(|word| word.as_str().unwrap().to_string());
                assert_eq!(word("kind"), row.kind.map(|kind| format!("{kind:?}").to_lowercase()), "{name}");
                assert_eq!(word("role"), row.role.map(|role| format!("{role:?}").to_lowercase()), "{name}");
            }
            let sum = |of: fn(&unthink::TokenCounts) -> u64| done.rows.iter().map(|row| of(&row.counts)).sum::<u64>();
            let total = report.total;
            assert_eq!((sum(|c| c.raw()), sum(|c| c.effective)), (total.raw(), total.effective), "{name}");
        }
    }
}

#[test]
fn what_is_not_understood_is_an_error() {
    let damaged = b"{\"role\":\"assistant\",\"reasoning\":\"S3CRET\",\"content\":\"PUBL1C\"}\n{\"role\":\n";
    let error = unthink::strip(damaged, &StripOptions::default()).unwrap_err();
    assert_eq!(error.refused().len(), 1);
    assert_eq!((error.refused()[0].record, error.refused()[0].skipped), (2, true));
    assert!(error.to_string().starts_with("1 of 2 records could not be understood; the first is record 2: byte "));
    // An error that is printed says nothing of the reasoning, be it that of the partial result.
    let error = unthink::split(damaged, &SplitOptions::default()).unwrap_err();
    assert!(!format!("{error:?} {error}").contains("S3CRET"));
    assert_eq!(error.into_partial().unwrap().messages[0].reasoning.as_deref(), Some("S3CRET"));
    assert!(unthink::tokens(damaged, &TokensOptions::default()).is_err());
    assert!(unthink::convert(damaged, &ConvertOptions::new("tagged")).is_err());

    let suspect = b"{\"my\\nlog\":{\"thinking\":\"S3CRET and so on\"}}\n";
    let error = unthink::strip(suspect, &StripOptions::default()).unwrap_err();
    assert_eq!(error.refused()[0].pointer.as_deref(), Some("/my\nlog/thinking"));
    assert!(error.to_string().contains(r"/my\nlog/thinking: may be reasoning"), "{error}");
    assert_eq!(error.into_partial().unwrap().output, b"");
    let passing = InputOptions::default().pass_suspect(true);
    let done = unthink::strip(suspect, &StripOptions::default().input(passing)).unwrap();
    assert_eq!((done.output.as_slice(), done.report.summary.suspect), (&suspect[..], 1));

    // Of an input of which nothing is read, nothing is converted.
    let foreign = b"{\"level\":\"info\"}\n";
    assert!(unthink::strip(foreign, &StripOptions::default()).is_ok());
    let error = unthink::convert(foreign, &ConvertOptions::new("tagged")).unwrap_err();
    assert_eq!(error.into_partial().unwrap().output, foreign);
}

#[test]
fn refused_records_are_counted_beyond_those_that_are_listed() {
    let damaged = "{\"a\":NaN}\n".repeat(unthink::Incomplete::<()>::MAX_LISTED + 5);
    let Err(Error::Incomplete(error)) = unthink::strip(damaged.as_bytes(), &StripOptions::default()) else { panic!() };
    assert_eq!((error.refused.len(), error.count), (unthink::Incomplete::<()>::MAX_LISTED, error.records));
    assert_eq!(error.count, error.refused.len() as u64 + 5);
}

#[test]
fn options_are_those_of_the_command() {
    let strip = |input: InputOptions, text: &str| {
        let (done, refused) = either(unthink::strip(text.as_bytes(), &StripOptions::default().input(input)));
        (String::from_utf8(done.output).unwrap(), refused.is_some())
    };
    let usual = InputOptions::default;
    let text = || usual().framing(Framing::Text);
    for (input, text, want, refused) in [
        (text(), "r</think>a", "a", false),
        (text().live(true), "r</think>a", "ra", true),
        (text().live(true).start(unthink::Start::Reasoning), "r</think>a", "a", false),
        (text().unclosed(Unclosed::Visible), "<think>r", "<think>r", false),
        (text().unclosed(Unclosed::Error), "<think>r", "", true),
        (text().tags(["[r],[/r]"]), "[r]r[/r]<think>", "<think>", false),
        (usual().max_record(4), "{\"a\":1}\n{}\n", "{}\n", true),
        (usual().dialect("sharegpt"), "{\"reasoning_content\":\"r\"}\n", "", true),
    ] {
        let name = format!("{input:?} {text}");
        assert_eq!(strip(input, text), (want.to_string(), refused), "{name}");
    }
    for (input, option) in [
        (usual().dialect("shargpt"), "dialect"),
        (usual().dialect("sharegpt").framing(Framing::Sse), "framing"),
        (usual().tags(["thinkk"]), "tags"),
        (usual().tags(["a,a"]), "tags"),
        (usual().max_record(0), "max_record"),
    ] {
        let Err(Error::Option(e)) = unthink::strip(b"a", &StripOptions::default().input(input)) else {
            panic!("{option}")
        };
        assert_eq!(e.option, option, "{e}");
    }
    for (options, option) in [
        (ConvertOptions::new("tagd"), "to"),
        (ConvertOptions::new("sharegpt"), "to"),
        (ConvertOptions::new("reasoning").escape(true), "escape"),
        (ConvertOptions::new("reasoning").tag("think"), "tag"),
    ] {
        let Err(Error::Option(e)) = unthink::convert(b"a", &options) else { panic!("{option}") };
        assert_eq!(e.option, option, "{e}");
    }
}

/// Fails after a few bytes.
struct Faulty<'a>(&'a [u8]);

impl Read for Faulty<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.0.read(buf)?;
        if n == 0 { Err(std::io::Error::other("gone")) } else { Ok(n) }
    }
}

impl Write for Faulty<'_> {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("gone"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn faults_of_readers_and_writers_are_errors() {
    let log = b"{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n{\"role\":\"assistant\",\"reasoning\":\"S3CR";
    let mut out = Vec::new();
    let result = unthink::strip_io(BufReader::new(Faulty(log)), &mut out, &StripOptions::default());
    assert!(matches!(result, Err(Error::Read(e)) if e.to_string() == "gone"));
    assert_eq!(out, &log[..40]);
    let result = unthink::strip_io(&log[..40], Faulty(b""), &StripOptions::default());
    assert!(matches!(result, Err(Error::Write(e)) if e.to_string() == "gone"));
}

/// The parts of a stream, and what was written of them.
struct Stream<'a> {
    parts: Vec<&'a [u8]>,
    written: &'a RefCell<Vec<u8>>,
    /// How much was written before each read.
    before: Vec<usize>,
}

impl Read for Stream<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        self.before.push(self.written.borrow().len());
        if self.parts.is_empty() {
            return Ok(0);
        }
        self.parts.remove(0).read(buf)
    }
}

struct Shared<'a>(&'a RefCell<Vec<u8>>);

impl Write for Shared<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_is_decided_is_written_before_more_is_read() {
    let event = |key: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"{key}\":\"some words \"}}}}]}}\n\n");
    let (thought, word) = (event("reasoning"), event("content"));
    let written = RefCell::new(Vec::new());
    let parts = vec![thought.as_bytes(), word.as_bytes(), word.as_bytes()];
    let mut stream = Stream { parts, written: &written, before: Vec::new() };
    let report = unthink::strip_io(BufReader::new(&mut stream), Shared(&written), &StripOptions::default()).unwrap();
    assert_eq!(stream.before, [0, 0, word.len(), 2 * word.len()]);
    assert_eq!(report.dropped, 1);
}
