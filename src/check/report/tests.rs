//! Every format, with findings made by hand.

mod hostile;
mod sarif;

use super::*;
use crate::check::{Excerpt, RuleSearch};
use clap::ValueEnum;

fn no_search(_: &crate::check::MessageCase<'_>, _: &mut Vec<crate::check::Hit>) {}

const PASSAGE: Rule = Rule {
    code: "UT102",
    name: "reasoning-passage",
    finds: "a passage that reasoning and visible text share",
    why: "A reader of the answer sees what the model thought.",
    fix: "Split the raw output again with `unthink split`.",
    severity: Severity::Error,
    fixable: false,
    default: true,
    needs: None,
    matches: &[],
    clean: &[],
    search: RuleSearch::Message(no_search),
};
static RULES: [Rule; 3] = [
    PASSAGE,
    Rule {
        code: "UT103",
        name: "inline-tag",
        finds: "a reasoning tag, whole or orphaned, in visible text",
        why: "A reader of the answer sees it.",
        fix: "`unthink strip` removes it.",
        severity: Severity::Warning,
        fixable: true,
        ..PASSAGE
    },
    Rule { code: "UT302", name: "cut-tail", finds: "a file that ends within a record", ..PASSAGE },
];

fn located(file: &str, rule: usize, pointer: &str, excerpt: Option<[&str; 3]>) -> Located {
    let finding = RuleFinding {
        rule: &RULES[rule],
        record: 3,
        message: Some(2),
        pointer: Some(pointer.to_string()),
        line: 7,
        column: 41,
        bytes: 1040..1101,
        chars: Some(12..72),
        what: "60 characters of the reasoning stand in the answer".to_string(),
        fingerprint: format!("{:032x}", 0xC0FFEE + rule),
        excerpt: excerpt.map(|[before, text, after]| Excerpt {
            before: before.to_string(),
            text: text.to_string(),
            cut: rule == 1,
            after: after.to_string(),
        }),
    };
    Located { file: file.to_string(), finding }
}

fn run<'a>(findings: &'a [Located], rules: &'a [&'static Rule]) -> RunResults<'a> {
    RunResults {
        findings,
        omitted: &[],
        suppressed: 0,
        files: 2,
        records: 40,
        messages: 80,
        not_read: 0,
        rules,
        color: false,
    }
}

/// What all snapshots are of.
fn findings() -> Vec<Located> {
    let mut tail = located(STDIN, 2, "", None);
    tail.finding.message = None;
    tail.finding.pointer = None;
    tail.finding.chars = None;
    tail.finding.what = "the input ends within a record".to_string();
    let mut tag =
        located("logs/größe.jsonl", 1, "/choices/0/message/content", Some(["東京は", "雨 </think>", " today"]));
    tag.finding.what = "a closing tag without its opening tag".to_string();
    vec![
        located("runs/a b.jsonl", 0, "/messages/1/content", None),
        tag,
        located("logs/größe.jsonl", 0, "/messages/1/content", Some(["So: ", "low pressure from the west", ", rain."])),
        tail,
    ]
}

fn text(format: ReportFormat, run: &RunResults<'_>) -> String {
    String::from_utf8(write(format, run)).unwrap()
}

fn name(format: ReportFormat) -> String {
    format!("{format:?}").to_lowercase()
}

#[test]
fn every_format_of_one_run() {
    let findings = findings();
    let rules: Vec<&'static Rule> = RULES.iter().collect();
    let run =
        RunResults { omitted: &[(&RULES[0], 5), (&RULES[1], 2)], suppressed: 4, not_read: 5, ..run(&findings, &rules) };
    for format in ReportFormat::value_variants() {
        let report = text(*format, &run).replace(env!("CARGO_PKG_VERSION"), "[version]");
        insta::assert_snapshot!(name(*format), report);
        assert!(report.ends_with('\n'));
    }
    insta::assert_snapshot!(
        "full_in_colour",
        text(ReportFormat::Full, &RunResults { color: true, ..run }).replace('\u{1b}', "ESC")
    );
}

#[test]
fn nothing_found() {
    for format in ReportFormat::value_variants() {
        insta::assert_snapshot!(
            format!("nothing_{}", name(*format)),
            text(*format, &run(&[], &[])).replace(env!("CARGO_PKG_VERSION"), "[version]")
        );
    }
}

#[test]
fn metrics_are_lines_of_their_grammar() {
    let findings = findings();
    let report = text(ReportFormat::Prometheus, &run(&findings, &RULES.iter().collect::<Vec<_>>()));
    let word = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let mut typed: Vec<&str> = Vec::new();
    let mut sum = 0;
    for line in report.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            assert!(rest.split_once(' ').is_some_and(|(name, help)| word(name) && !help.contains('\\')), "{line}");
            continue;
        }
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert_eq!(kind, "counter");
            assert!(!typed.contains(&name), "{name} twice");
            typed.push(name);
            continue;
        }
        let (metric, value) = line.rsplit_once(' ').unwrap();
        let value: u64 = value.parse().unwrap();
        let (name, labels) =
            metric.split_once('{').map_or((metric, ""), |(name, rest)| (name, rest.strip_suffix('}').unwrap()));
        assert_eq!(typed.last(), Some(&name));
        for label in labels.split_terminator(',') {
            let (name, value) = label.split_once('=').unwrap();
            let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap();
            assert!(word(name) && !value.contains(['"', '\\', '\n']), "{line}");
        }
        sum += if labels.is_empty() { 0 } else { value };
    }
    assert_eq!(sum, 4);
}

#[test]
fn fingerprints_of_gitlab_differ_between_files() {
    let findings =
        [located("a.jsonl", 0, "", None), located("b.jsonl", 0, "", None), located("./a.jsonl", 0, "", None)];
    let issues: Vec<serde_json::Value> =
        serde_json::from_str(&text(ReportFormat::Gitlab, &run(&findings, &[]))).unwrap();
    assert_ne!(issues[0]["fingerprint"], issues[1]["fingerprint"]);
    assert_eq!(issues[0]["fingerprint"], issues[2]["fingerprint"]);
    assert_eq!(issues[0]["fingerprint"].as_str().unwrap().len(), 32);
}

#[test]
fn a_page_lists_the_first_findings() {
    let findings: Vec<Located> = (0..30).map(|i| located(&format!("{i}.jsonl"), 0, "", None)).collect();
    let page = text(ReportFormat::Summary, &RunResults { omitted: &[(&RULES[0], 5)], ..run(&findings, &[]) });
    assert_eq!(page.matches("<code>").count(), 20);
    assert!(page.ends_with("\n15 more are not listed here.\n"), "{page}");
}

#[test]
fn carets_stand_under_what_was_found() {
    let cases = [
        ("", "rain", "rain", "^^^^"),
        ("東京は ", "雨", "東京は 雨", "       ^^"),
        ("gro\u{308}ß ", "e\u{301}", "gro\u{308}ß e\u{301}", "     ^"),
        ("a\t", "\u{200b}b", "a\\u{9}\\u{200b}b", "      ^^^^^^^^^"),
        ("x", "", "x", " ^"),
    ];
    for (before, found, line, carets) in cases {
        let findings = [located("a.jsonl", 0, "", Some([before, found, ""]))];
        let report = text(ReportFormat::Full, &run(&findings, &[]));
        assert_eq!(report.lines().nth(2).unwrap(), format!("  | {line}"));
        assert_eq!(report.lines().nth(3).unwrap(), format!("  | {carets}"));
    }
}
