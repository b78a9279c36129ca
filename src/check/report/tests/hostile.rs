//! Names, pointers and excerpts that would be more than text: no format lets them.

use super::{RULES, located, run, text};
use crate::check::report::{Located, ReportFormat, RunResults, path};
use crate::printable::{is_hidden, printable};
use clap::ValueEnum;
use proptest::prelude::*;
use serde_json::Value;

/// Pieces that text is put together from.
const PIECES: [&str; 43] = [
    "a.jsonl",
    "runs/",
    "/",
    "..",
    ".",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "::",
    ":",
    ",",
    "=",
    "%",
    "%0A",
    "%25",
    "##[",
    "##",
    "[error]",
    "##vso[task.x]",
    "teamcity[",
    "::error file=x::forged",
    "section_start:1:x",
    "travis_fold:",
    "\u{1b}[31m",
    "\u{9b}",
    "\u{7f}",
    "\u{0}",
    "\u{202e}",
    "\u{200b}",
    "\u{e0041}",
    "\u{fffe}",
    "]]>",
    "</failure><failure>",
    "\"'&amp;",
    "| ` * _ <b>",
    "#",
    "\\\"}],\"level\":\"none\"",
    "http://www.evil.example",
    "@all",
    "größe 天気",
    "--- x",
];

/// What the log of a CI system would obey, wherever it stands.
const OBEYED: [&str; 6] = ["##[", "##vso[", "##teamcity[", "section_start:", "travis_fold:", "travis_time:"];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(&PIECES[..]).prop_map(str::to_string), 1 => any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn findings() -> impl Strategy<Value = Vec<Located>> {
    let one = (hostile(), hostile(), [hostile(), hostile(), hostile()], 0..RULES.len(), any::<bool>());
    let one = one.prop_map(|(file, pointer, [before, found, after], rule, excerpt)| {
        let mut one = located(&file, rule, &pointer, excerpt.then_some([&before, &found, &after]));
        // It has no words of the input; but who knows.
        one.finding.what = after;
        one
    });
    prop::collection::vec(one, 0..4)
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Nothing hides, nothing is obeyed.
fn harmless(report: &str, colored: bool) {
    for c in report.chars() {
        assert!(c == '\n' || !is_hidden(c) || colored && c == '\u{1b}', "{c:?} in {report}");
    }
    for word in OBEYED {
        assert!(!report.contains(word), "{word} in {report}");
    }
}

fn commands(report: &str) -> usize {
    report.lines().filter(|line| line.trim_start().starts_with("::")).count()
}

fn people(run: &RunResults<'_>) {
    let concise = text(ReportFormat::Concise, run);
    assert_eq!(concise.lines().count(), run.findings.len());
    let full = text(ReportFormat::Full, run);
    let heads = full.lines().filter(|line| line.starts_with("error[UT") || line.starts_with("warning[UT"));
    assert_eq!(heads.count(), run.findings.len());
    let colored = text(ReportFormat::Full, &RunResults { color: true, ..*run });
    let mut plain = String::new();
    for (i, part) in colored.split("\u{1b}[").enumerate() {
        plain += if i == 0 { part } else { part.split_once('m').unwrap().1 };
    }
    assert_eq!(plain, full);
    harmless(&colored, true);
    for format in [ReportFormat::Concise, ReportFormat::Full] {
        assert_eq!(commands(&text(format, run)), 0);
    }
}

fn json(run: &RunResults<'_>) {
    let report: Value = serde_json::from_str(&text(ReportFormat::Json, run)).unwrap();
    let lines = text(ReportFormat::Jsonl, run);
    let rows: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(report["findings"].as_array().unwrap(), &rows);
    for (row, located) in rows.iter().zip(run.findings) {
        let finding = &located.finding;
        assert_eq!(string(&row["file"]), located.file);
        assert_eq!(string(&row["pointer"]), finding.pointer.as_deref().unwrap());
        assert_eq!(string(&row["what"]), finding.what);
        assert_eq!(
            row.get("excerpt").map(|excerpt| string(&excerpt["text"])),
            finding.excerpt.as_ref().map(|e| &*e.text)
        );
    }
    let issues: Vec<Value> = serde_json::from_str(&text(ReportFormat::Gitlab, run)).unwrap();
    assert_eq!(issues.len(), rows.len());
    for (issue, located) in issues.iter().zip(run.findings) {
        let file = string(&issue["location"]["path"]);
        assert_eq!(file, path::place(&located.file).path);
        assert!(!file.starts_with('/') && !file.split('/').any(|part| part == ".."), "{file}");
    }
}

/// The annotations, as the runner of GitHub reads them.
fn github(run: &RunResults<'_>) {
    let report = text(ReportFormat::Github, run);
    assert_eq!(report.lines().count(), run.findings.len() + 1);
    assert_eq!(commands(&report), run.findings.len());
    let decode = |text: &str, pairs: &[(&str, &str)]| {
        pairs.iter().fold(text.to_string(), |text, (code, plain)| text.replace(code, plain))
    };
    let data = [("%0D", "\r"), ("%0A", "\n"), ("%25", "%")];
    let property = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
    for (line, located) in report.lines().zip(run.findings) {
        let (head, message) = line[2..].split_once("::").unwrap();
        let (kind, properties) = head.split_once(' ').unwrap();
        assert_eq!(kind, located.finding.rule.severity.name());
        let names: Vec<(&str, &str)> = properties.split(',').map(|pair| pair.split_once('=').unwrap()).collect();
        assert_eq!(names.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["file", "line", "col", "title"]);
        if !located.file.chars().any(|c| is_hidden(c) && !matches!(c, '\r' | '\n'))
            && !located.file.contains('#')
            && !located.file.contains('_')
        {
            assert_eq!(decode(names[0].1, &property), located.file);
        }
        let what = &located.finding.what;
        if !what.chars().any(|c| is_hidden(c) && !matches!(c, '\r' | '\n'))
            && !what.contains('#')
            && !what.contains('_')
        {
            assert!(decode(message, &data).starts_with(what), "{message}");
        }
    }
}

fn junit(run: &RunResults<'_>) {
    let report = text(ReportFormat::Junit, run);
    let document = roxmltree::Document::parse(&report).unwrap();
    let all = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).collect::<Vec<_>>();
    let cases = all("testcase");
    assert_eq!(cases.len(), run.findings.len().max(1));
    assert_eq!(all("failure").len() + all("skipped").len(), run.findings.len());
    let known = ["testsuites", "testsuite", "testcase", "failure", "skipped"];
    assert!(
        document.descendants().filter(|node| node.is_element()).all(|node| known.contains(&node.tag_name().name()))
    );
    let count = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<usize>().unwrap();
    let root = document.root_element();
    assert_eq!([count(&root, "tests"), count(&root, "failures")], [cases.len(), all("failure").len()]);
    assert_eq!(all("testsuite").iter().map(|suite| count(suite, "tests")).sum::<usize>(), cases.len());
    for located in run.findings {
        let keeps = |c: char| matches!(c, '\r' | '\n' | '\t') || !is_hidden(c) && c != '\u{fffe}';
        let file = located.file.chars().map(|c| if keeps(c) { c.to_string() } else { c.escape_unicode().to_string() });
        let file = file.collect::<String>();
        assert!(cases.iter().any(|case| case.attribute("classname") == Some(&file)), "{file:?} in {report}");
    }
}

fn summary(run: &RunResults<'_>) {
    let report = text(ReportFormat::Summary, run);
    let rows: Vec<&str> = report.lines().filter(|line| line.starts_with("| <code>")).collect();
    assert_eq!(rows.len(), run.findings.len());
    for row in &rows {
        assert_eq!(row.matches('|').count(), 4, "{row}");
        assert_eq!(row.matches('<').count(), 2, "{row}");
        assert!(!row.contains(['`', '*', '_', '[', '@', ':', '\\', '!', '"']), "{row}");
        assert!(!row.to_lowercase().contains("www."), "{row}");
    }
    assert!(report.lines().skip(1).all(|line| line.is_empty() || line.starts_with('|') || line.ends_with('.')));
}

proptest! {
    #[test]
    fn nothing_is_more_than_text(findings in findings()) {
        let rules: Vec<_> = RULES.iter().collect();
        let run = run(&findings, &rules);
        for format in ReportFormat::value_variants() {
            harmless(&text(*format, &run), false);
        }
        people(&run);
        json(&run);
        github(&run);
        junit(&run);
        summary(&run);
        super::sarif::valid(&run);
    }

    #[test]
    fn references_of_files(file in hostile()) {
        let place = path::place(&file);
        let uri = path::uri(&place.path);
        prop_assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)), "{}", uri);
        prop_assert!(!uri.starts_with('/') && !uri.split('/').any(|part| part == ".."));
        let mut bytes = Vec::new();
        let mut rest = uri.as_bytes();
        while let Some((first, after)) = rest.split_first() {
            let escaped = *first == b'%';
            bytes.push(if escaped { u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap() } else { *first });
            rest = if escaped { &after[2..] } else { after };
        }
        prop_assert_eq!(String::from_utf8(bytes).unwrap(), place.path);
    }
}

#[test]
fn names_that_are_known_to_be_bad() {
    let names = [
        "a,line=9.jsonl",
        "a::b.jsonl",
        "a%0Ab.jsonl",
        "a\nb.jsonl",
        "::error::x.jsonl",
        "-n.jsonl",
        "\u{202e}xslj.a",
        "a\u{1b}[31m.jsonl",
        "##vso[task.complete]",
        ":",
        " ::x",
    ];
    let findings: Vec<Located> =
        names.iter().map(|name| located(name, 0, "/a\n::b", Some(["##", "[error]", ""]))).collect();
    let report = text(ReportFormat::Concise, &run(&findings, &[]));
    let shown: Vec<&str> = report.lines().map(|line| line.split(":7:41: UT102").next().unwrap()).collect();
    let expected = [
        "a,line=9.jsonl",
        "a::b.jsonl",
        "a%0Ab.jsonl",
        "a\\u{a}b.jsonl",
        "\\u{3a}:error::x.jsonl",
        "-n.jsonl",
        "\\u{202e}xslj.a",
        "a\\u{1b}[31m.jsonl",
        "#\\u{23}vso[task.complete]",
        "\\u{3a}",
        " \\u{3a}:x",
    ];
    assert_eq!(shown, expected);
    assert!(text(ReportFormat::Full, &run(&findings, &[])).contains("\n  | #\\u{23}[error]\n  |       "), "{report}");
    assert_eq!(printable(&report.replace('\n', " ")), report.replace('\n', " "));
}
