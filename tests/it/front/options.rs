//! What the options of the command have, those of the functions have too.

use super::*;
use unthink::{Blocks, Capability, CheckOptions, Close, Inline, RuleInfo, Start, TagInfo, TargetInfo};

/// An option of the command, its equivalent, and a text about which they decide.
type Pair<'a> = (&'a [&'a str], InputOptions, &'a str);

#[test]
fn how_tags_are_read() {
    let usual = InputOptions::default;
    let nested = "<think>a <think>b</think> c</think> d</think>e";
    let two = "<think>a</think>\nb\n<think>c</think>\nd";
    let spoken = "Some models write <think> before they answer.";
    let pairs: &[Pair<'_>] = &[
        (&["--close", "first"], usual().close(Close::First), nested),
        (&["--close", "balanced"], usual().close(Close::Balanced), nested),
        (&["--close", "last"], usual().close(Close::Last), nested),
        (&["--start", "visible"], usual().start(Start::Visible), "a</think>b"),
        (&["--start", "reasoning"], usual().start(Start::Reasoning), "a"),
        (&["--start", "auto"], usual(), "a</think>b"),
        (&["--blocks", "one"], usual().blocks(Blocks::One), two),
        (&["--blocks", "all"], usual().blocks(Blocks::All), two),
        (&["--inline", "ask"], usual().inline(Inline::Ask), spoken),
        (&["--inline", "mention"], usual().inline(Inline::Mention), spoken),
        (&["--inline", "delimiter"], usual().inline(Inline::Delimiter), spoken),
    ];
    let mut outputs = std::collections::BTreeMap::<&str, std::collections::BTreeSet<(Vec<u8>, bool)>>::new();
    for (args, input, text) in pairs {
        let args: Vec<&str> = ["strip"].into_iter().chain(args.iter().copied()).collect();
        let command = command(&args, text.as_bytes());
        let (done, refused) = either(unthink::strip(text.as_bytes(), &StripOptions::default().input(input.clone())));
        assert_eq!(done.output, command.out, "{args:?}");
        same_status(refused.as_ref(), &done.report.summary, &command, &format!("{args:?}"));
        outputs.entry(args[1]).or_default().insert((done.output, refused.is_some()));
    }
    // Every option decides something here.
    assert!(outputs.values().all(|found| found.len() > 1), "{outputs:?}");
}

#[test]
fn strings_of_records_are_split_and_converted() {
    let rows = b"{\"q\":\"Rain?\",\"row\":{\"text\":\"<think>S3CRET</think>PUBL1C\"}}\n{\"q\":\"Snow?\",\"row\":{}}\n";
    let mut out = Vec::new();
    let report = unthink::split_io(&rows[..], &mut out, &SplitOptions::default().fields(["/row/text"])).unwrap();
    assert_eq!((out, report.messages), (command(&["split", "--field", "/row/text"], rows).out, 1));

    let rows_in_list = b"{\"row\":[{\"text\":\"<think>S3CRET</think>PUBL1C\"},{\"text\":\"PUBL1C\"}]}\n";
    for (pointer, rows) in [("/row/text", &rows[..]), ("/row/*/text", &rows_in_list[..])] {
        let options = SplitOptions::default().fields([pointer]);
        let done = unthink::split(rows, &options).unwrap();
        let printed = lines(&command(&["split", "--field", pointer], rows).out);
        let fields: Vec<Option<&str>> = done.messages.iter().map(|message| message.field.as_deref()).collect();
        assert_eq!(fields, printed.iter().map(|line| line["field"].as_str()).collect::<Vec<_>>());
        let mut splitter = unthink::Splitter::new(&options).unwrap();
        let mut pushed = splitter.push(rows);
        pushed.extend(splitter.finish().unwrap().messages);
        assert_eq!(pushed, done.messages);
    }

    let to = |name: &str| ConvertOptions::new(name).fields(["/row/text"]);
    let usual = ["convert", "--field", "/row/text", "--to"];
    for (args, options) in [
        (&["harmony"][..], to("harmony")),
        (&["reasoning"], to("reasoning")),
        (&["reasoning-content", "--column", "why"], to("reasoning-content").column("why")),
        (&["reasoning-content", "--prompt", "q"], to("reasoning-content").prompt("q")),
    ] {
        let args: Vec<&str> = usual.iter().chain(args).copied().collect();
        converts("strings", rows, &args, &options);
    }
    let rows = b"{\"q\":\"Rain?\",\"text\":\"<think>S3CRET</think>PUBL1C\"}\n";
    let options = ConvertOptions::new("reasoning-content").fields(["/text"]).prompt("q");
    converts("prompt", rows, &["convert", "--to", "reasoning-content", "--field", "/text", "--prompt", "q"], &options);

    let wrong = |options: ConvertOptions| match unthink::convert(rows, &options) {
        Err(Error::Option(e)) => e.option,
        _ => panic!("{options:?}"),
    };
    assert_eq!(wrong(to("anthropic")), "fields");
    assert_eq!(wrong(to("tagged").policy(unthink::Policy::All)), "policy");
    assert_eq!(wrong(ConvertOptions::new("tagged").fields(["text"])), "fields");
    assert_eq!(wrong(ConvertOptions::new("tagged").column("why")), "column");
    assert_eq!(wrong(to("tagged").prompt("/q")), "prompt");
    let Err(Error::Option(e)) = unthink::split(rows, &SplitOptions::default().fields(["text"])) else { panic!() };
    assert_eq!(e.option, "fields");
}

#[test]
fn capabilities_are_those_of_the_command() {
    let log = std::fs::read(root().join("testdata/mew/agents.jsonl")).unwrap();
    let mut all = std::collections::BTreeSet::new();
    for text in ["*=reasoning/start", "trade-agent=reasoning/*", "trade-agent=reasoning.step", "*=reasoning/conclusion"]
    {
        let capability: Capability = text.parse().unwrap();
        let args = ["check", "--capability", text, "--select", "UT216", "-o", "jsonl", "--exit-zero"];
        let options = CheckOptions::default().capabilities([capability]).select(["UT216"]);
        let mut out = Vec::new();
        let report = unthink::check_io(log.as_slice(), &mut out, &options).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), String::from_utf8(command(&args, &log).out).unwrap(), "{text}");
        assert_eq!(report.rules.values().sum::<u64>(), report.errors + report.warnings, "{text}");
        all.insert(report.rules.get("UT216").copied());
    }
    assert!(all.len() > 2 && all.contains(&None), "{all:?}");
    let typed = command(&["check", "--capability", "scout"], b"a");
    let error = "scout".parse::<Capability>().unwrap_err();
    assert!(typed.status == 2 && typed.stderr.contains(&error.to_string()), "{}", typed.stderr);
}

/// Every rule that needs an option is in force with it.
#[test]
fn every_rule_can_be_in_force() {
    let usual = CheckOptions::default;
    for rule in unthink::rules() {
        let options = match rule.needs() {
            None => usual(),
            Some("policy") => usual().policy(unthink::Policy::All),
            Some("capabilities") => usual().capabilities(["*=reasoning/step".parse().unwrap()]),
            Some("max_messages") => usual().max_messages(3),
            Some("max_reasoning_tokens") => usual().max_reasoning_tokens(3),
            Some("max_ratio") => usual().max_ratio(0.5),
            Some(other) => panic!("{rule} needs {other}"),
        };
        assert!(unthink::check(b"", &options.select([rule])).is_ok(), "{rule}");
        assert_eq!(unthink::check(b"", &usual().select([rule])).is_err(), rule.needs().is_some(), "{rule}");
    }
}

/// The lists are those of the command, and each item is found by its names.
#[test]
fn lists_are_those_of_the_command() {
    let listed = |topic: &str, member: &str| -> Vec<String> {
        let out = command(&["list", topic, "-o", "json"], b"").out;
        let rows: Vec<Value> = serde_json::from_slice(&out).unwrap();
        rows.iter().map(|row| row[member].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(unthink::dialects().map(String::from).collect::<Vec<_>>(), listed("dialects", "name"));
    assert_eq!(unthink::tags().map(String::from).collect::<Vec<_>>(), listed("tags", "name"));
    assert_eq!(unthink::rules().map(String::from).collect::<Vec<_>>(), listed("rules", "code"));
    assert_eq!(unthink::targets().map(String::from).collect::<Vec<_>>(), listed("targets", "name"));
    for target in unthink::targets() {
        let out = command(&["list", "rules", "--target", target.name(), "-o", "json"], b"").out;
        let rows: Vec<Value> = serde_json::from_slice(&out).unwrap();
        let codes: Vec<&str> = rows.iter().map(|row| row["code"].as_str().unwrap()).collect();
        assert_eq!(target.rules().map(|rule| rule.code()).collect::<Vec<_>>(), codes, "{target}");
        assert_eq!(target.name().parse::<TargetInfo>(), Ok(target));
        assert!(target.dialect().is_none_or(|dialect| dialect.is_written()), "{target}");
    }
    assert!(unthink::dialects().all(|dialect| dialect.name().parse() == Ok(dialect)));
    assert!(unthink::tags().all(|tag| tag.name().parse() == Ok(tag)));
    assert!(unthink::rules().all(|rule| rule.code().parse() == Ok(rule) && rule.name().parse() == Ok(rule)));
    assert!("thinkk".parse::<TagInfo>().unwrap_err().reason.contains("did you mean think?"));
    assert!("[r],[/r]".parse::<TagInfo>().is_err());
    assert!("UT120".parse::<RuleInfo>().unwrap_err().reason.contains("did you mean UT10"));
    assert_eq!("nobody".parse::<TargetInfo>().unwrap_err().option, "to");
}
