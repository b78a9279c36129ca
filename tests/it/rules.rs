//! What the rules of `check` find: their own examples, the labelled conversations of `testdata/check`, and laws.

use crate::support::*;
use serde_json::Value;
use std::collections::BTreeMap;
use unthink::check::{Check, RULES, Rule, RuleFinding, RuleOptions, find};
use unthink::dialect::{Pass, ReadOptions};
use unthink::engine::{Engine, EngineOptions};
use unthink::inline::Tags;
use unthink::out::Sinks;
use unthink::policy::{Policy, Strip, Unit};

/// What `check` finds in an input that comes in pieces of this size.
fn findings(input: &[u8], options: &RuleOptions, policy: Policy, piece: usize) -> Vec<RuleFinding> {
    let read = ReadOptions::default();
    let engine = EngineOptions { framing: None, read, max_record: 1 << 28, stop: false, pass: Pass::default() };
    let tags = Tags::default();
    let mut engine = Engine::new(&tags, engine, Check::new(options.clone()));
    if policy != Policy::None {
        engine = engine.judged_by(Strip::new(policy, Unit::Message));
    }
    let mut sinks = Sinks::default();
    input.chunks(piece.max(1)).for_each(|piece| engine.push(piece, &mut sinks));
    engine.finish(&mut sinks);
    assert!(sinks.out.is_empty());
    engine.into_output().findings()
}

/// The options that a rule's examples need.
fn options(rule: &'static Rule) -> (RuleOptions, Policy) {
    let mut options = RuleOptions { rules: vec![rule], excerpts: true, ..RuleOptions::default() };
    let mut policy = Policy::None;
    if let Some(need) = rule.needs {
        match need.words().collect::<Vec<_>>().as_slice() {
            ["--policy", name] => policy = name.parse().unwrap(),
            ["--max-reasoning-tokens", n] => options.max_reasoning_tokens = Some(n.parse().unwrap()),
            ["--max-ratio", n] => options.max_ratio = Some(n.parse().unwrap()),
            ["--max-messages", n] => options.max_messages = Some(n.parse().unwrap()),
            ["--capability", "a=reasoning/start"] => {
                options.capabilities = vec!["a=reasoning/start".parse().unwrap()];
            }
            other => panic!("{other:?}"),
        }
    }
    (options, policy)
}

#[test]
fn every_rule_finds_its_examples() {
    for rule in RULES {
        let (options, policy) = options(rule);
        for text in rule.matches {
            let found = findings(text.as_bytes(), &options, policy, usize::MAX);
            assert!(!found.is_empty(), "{} finds nothing in {text}", rule.code);
            assert!(found.iter().all(|f| f.rule.code == rule.code && !f.what.is_empty() && f.line > 0 && f.column > 0));
        }
        for text in rule.clean {
            let found = findings(text.as_bytes(), &options, policy, usize::MAX);
            assert!(found.is_empty(), "{} finds something in {text}: {found:?}", rule.code);
        }
        // No text of a rule holds bytes that are no UTF-8, or so many characters.
        let needs_none = ["UT222", "UT303"].contains(&rule.code);
        assert!(needs_none || !rule.matches.is_empty() && !rule.clean.is_empty(), "{} has no examples", rule.code);
    }
}

/// A labelled conversation.
struct Label {
    file: String,
    record: u64,
    lang: String,
    why: String,
    /// Code, message from 0, text.
    findings: Vec<(String, u64, String)>,
}

fn labels() -> Vec<Label> {
    let text = std::fs::read_to_string(root().join("testdata/check/labels.jsonl")).unwrap();
    let label = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let string = |value: &Value| value.as_str().unwrap().to_string();
        let finding = |f: &Value| (string(&f["rule"]), f["message"].as_u64().unwrap(), string(&f["text"]));
        Label {
            file: string(&value["file"]),
            record: value["record"].as_u64().unwrap(),
            lang: string(&value["lang"]),
            why: string(&value["why"]),
            findings: value["findings"].as_array().unwrap().iter().map(finding).collect(),
        }
    };
    text.lines().map(label).collect()
}

/// The text that was found.
fn shown(finding: &RuleFinding) -> String {
    finding.excerpt.as_ref().map(|excerpt| excerpt.text.clone()).unwrap_or_default()
}

#[test]
fn labelled_conversations() {
    let rules = ["UT101", "UT102", "UT103", "UT104", "UT106", "UT108"].map(|code| find(code).unwrap()).to_vec();
    let options = RuleOptions { rules, excerpts: true, ..RuleOptions::default() };
    let mut all: BTreeMap<(String, u64), Vec<RuleFinding>> = BTreeMap::new();
    for file in ["leaks.jsonl", "clean.jsonl"] {
        let text = std::fs::read_to_string(root().join("testdata/check").join(file)).unwrap();
        for (n, line) in text.lines().enumerate() {
            let found = findings(line.as_bytes(), &options, Policy::None, usize::MAX);
            all.insert((file.to_string(), n as u64 + 1), found);
        }
    }
    let (mut right, mut missed, mut wrong) = (0, Vec::new(), Vec::new());
    for label in labels() {
        let found = &all[&(label.file.clone(), label.record)];
        let at = format!("{}:{} ({}) {}", label.file, label.record, label.lang, label.why);
        // A repetition of the whole reasoning is reported once.
        let family =
            |code: &str| if matches!(code, "UT101" | "UT102" | "UT106") { "leak".into() } else { code.to_string() };
        let fits = |f: &RuleFinding, (code, message, text): &(String, u64, String)| {
            let overlaps = || shown(f).contains(text.as_str()) || text.contains(&shown(f)) || joins(&shown(f), text);
            family(f.rule.code) == family(code) && f.message == Some(message + 1) && overlaps()
        };
        for want in &label.findings {
            match found.iter().any(|f| fits(f, want)) {
                true => right += 1,
                false => missed.push(format!("{at}: {want:?}")),
            }
        }
        for f in found.iter().filter(|f| !label.findings.iter().any(|want| fits(f, want))) {
            wrong.push(format!("{at}: {} {:?} {:?}", f.rule.code, f.message, shown(f)));
        }
    }
    let recall = f64::from(right) / (f64::from(right) + missed.len() as f64);
    let precision = f64::from(right) / (f64::from(right) + wrong.len() as f64);
    println!("labelled conversations: precision {precision:.3}, recall {recall:.3}");
    assert!(missed.is_empty() && wrong.is_empty(), "missed:\n{}\nwrong:\n{}", missed.join("\n"), wrong.join("\n"));
}

/// Whether two texts share most of their characters at their ends.
fn joins(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let least = a.len().min(b.len()) * 4 / 5;
    (least..a.len().min(b.len()) + 1).any(|n| a.ends_with(&b[..n]) || b.ends_with(&a[..n]))
}

/// All of a finding that must not depend on how the input arrived.
fn key(finding: &RuleFinding) -> String {
    let f = finding;
    let place = (f.record, f.message, &f.pointer, f.line, f.column, &f.bytes, &f.chars);
    format!("{} {place:?} {} {}", f.rule.code, f.what, f.fingerprint)
}

/// The result does not depend on how the input arrived.
#[test]
fn findings_do_not_depend_on_pieces() {
    let options = RuleOptions { rules: RULES.iter().collect(), ..RuleOptions::default() };
    let mut some = 0;
    for (name, input) in corpus().into_iter().chain(labelled()).filter(|(_, input)| input.len() < 60_000) {
        let keys = |piece| findings(&input, &options, Policy::AllButLast, piece).iter().map(key).collect::<Vec<_>>();
        let whole = keys(usize::MAX);
        some += whole.len();
        for piece in [1, 7, 4096] {
            assert_eq!(keys(piece), whole, "{name} in pieces of {piece}");
        }
    }
    assert!(some > 100, "{some}");
}

fn labelled() -> Vec<(String, Vec<u8>)> {
    let read = |file: &str| (file.to_string(), std::fs::read(root().join("testdata/check").join(file)).unwrap());
    vec![read("leaks.jsonl"), read("clean.jsonl")]
}

/// What `strip` leaves under a policy has nothing that the policy removes; and where it removes something, `check` says so.
#[test]
fn reasoning_present_is_what_strip_removes() {
    let options = RuleOptions { rules: vec![find("UT105").unwrap()], ..RuleOptions::default() };
    for (name, input) in corpus().into_iter().chain(labelled()) {
        for name_of in ["all", "all-but-last", "before-last-user", "keep-tool-turns", "keep-last-1"] {
            let chosen: Policy = name_of.parse().unwrap();
            let stripped = strip(&input, policy(name_of));
            let left = findings(&stripped.out, &options, chosen, usize::MAX);
            assert!(left.is_empty(), "{name}: {left:?} is left under {name_of}");
            let found = findings(&input, &options, chosen, usize::MAX);
            if stripped.problems.is_empty() {
                assert_eq!(!found.is_empty(), stripped.out != input, "{name} under {name_of}: {found:?}");
            }
        }
    }
}

/// Recordings with findings: each was read, and is one. In the first three the model repeated its reasoning; in the
/// others a block stands behind other text of its message, and in the last of them, where it is a part of a log, it is not
/// certain that it is one.
const FOUND: [(&str, &str, usize); 9] = [
    ("mistral-chat-01.json", "UT102", 2),
    ("openai-chat-inline-think-01.json", "UT102", 1),
    ("openai-chat-reasoning-details-01.json", "UT102", 1),
    ("bedrock-converse-05.json", "UT103", 1),
    ("aider-chat-history-02.md", "UT103", 1),
    ("specstory-history-01.md", "UT103", 3),
    ("aider-stdout-01.txt", "UT103", 1),
    ("llama-cli-01.txt", "UT103", 2),
    ("aider-llm-history-01.txt", "UT108", 2),
];

/// What people recorded has no other findings than these.
#[test]
fn recordings() {
    let Some(shared) = shared() else { return };
    let mut options = RuleOptions { excerpts: true, ..RuleOptions::default() };
    // Records in formats that are not read, and files that are no records, have tests of their own.
    options.rules.retain(|rule| rule.code != "UT107" && !rule.code.starts_with("UT3"));
    let mut wrong = Vec::new();
    for folder in ["samples", "samples2"] {
        for path in files_in(&shared.join(folder)).iter().filter(|path| !path.ends_with("INDEX.json")) {
            let name = path.file_name().unwrap().to_string_lossy();
            let found = findings(&std::fs::read(path).unwrap(), &options, Policy::None, usize::MAX);
            let known = FOUND.iter().find(|(file, ..)| *file == name).map_or(("", 0), |(_, code, n)| (*code, *n));
            if found.len() == known.1 && found.iter().all(|f| f.rule.code == known.0) {
                continue;
            }
            wrong.extend(
                found.iter().map(|f| format!("{name}:{}:{} {} {:?}", f.record, f.column, f.rule.code, shown(f))),
            );
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
