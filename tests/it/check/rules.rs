//! Which rules are in force, what is said of them, and the options that they have.

use super::*;
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::BTreeSet;
use tempfile::TempDir;
use unthink::internals::check::{RULES, Rule};

const REASONING: &str = "{\"role\":\"user\",\"content\":\"Q\"}\n\
    {\"role\":\"assistant\",\"reasoning_content\":\"S3CRET one\",\"content\":\"PUBL1C\"}\n\
    {\"role\":\"user\",\"content\":\"Q\"}\n\
    {\"role\":\"assistant\",\"reasoning_content\":\"S3CRET two\",\"content\":\"PUBL1C\"}\n";

fn codes(args: &[&str], input: &str) -> Vec<String> {
    let findings = found(check().args(args).write_stdin(input));
    findings.iter().map(|finding| finding["code"].as_str().or(finding["rule"].as_str()).unwrap().to_string()).collect()
}

#[test]
fn rows_are_in_order_and_whole() {
    assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
    assert_eq!(RULES.iter().map(|rule| rule.name).collect::<BTreeSet<_>>().len(), RULES.len());
    for rule in RULES {
        let Rule { code, name, finds, why, fix, .. } = rule;
        assert!(code.len() == 5 && code.starts_with("UT") && code[2..].bytes().all(|b| b.is_ascii_digit()), "{code}");
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b == b'8'), "{code}");
        assert!(!finds.is_empty() && !finds.contains('\n') && !finds.ends_with('.'), "{code}");
        assert!(why.ends_with('.') && fix.ends_with('.'), "{code}");
    }
}

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        for name in [rule.code, &rule.code.to_lowercase(), rule.name] {
            let run = check().args(["--explain", name]).assert().code(0).stderr("");
            let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
            assert!(text.starts_with(&format!("{} {} ({})\n", rule.code, rule.name, rule.severity.name())), "{text}");
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            for part in [rule.finds, rule.why, rule.fix] {
                assert!(words.contains(&part.split_whitespace().collect::<Vec<_>>().join(" ")), "{name}: {part}");
            }
            assert_eq!(text.contains("\nFound\n"), !rule.matches.is_empty(), "{name}");
            assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{name}");
        }
    }
    check().args(["--explain", "UT1"]).assert().code(0).stdout(contains("UT101 ").and(contains("\n\nUT102 ")));
}

/// The examples of a rule hold by the command, with the options that it says they need.
#[test]
fn examples_hold() {
    for rule in RULES {
        let run = |input: &str| {
            let args: Vec<&str> = ["--select", rule.code]
                .into_iter()
                .chain(rule.needs.into_iter().flat_map(|need| need.words()))
                .collect();
            codes(&args, input).iter().any(|code| code == rule.code)
        };
        rule.matches.iter().for_each(|input| assert!(run(input), "{} finds nothing in {input}", rule.code));
        rule.clean.iter().for_each(|input| assert!(!run(input), "{} finds something in {input}", rule.code));
    }
}

#[test]
fn rules_are_selected_and_ignored() {
    let all = |args: &[&str]| codes(args, LEAK).into_iter().collect::<BTreeSet<_>>();
    assert!(all(&[]).contains(PREFIX));
    for select in [PREFIX, "ut101", "reasoning-prefix", "UT3,UT101", " UT101"] {
        assert_eq!(all(&["--select", select]), BTreeSet::from([PREFIX.to_string()]), "{select}");
    }
    assert!(
        all(&["--select", "UT1"]).contains(PREFIX) && all(&["--select", "UT3", "--select", "UT1"]).contains(PREFIX)
    );
    assert!(!all(&["--ignore", PREFIX]).contains(PREFIX));
    assert!(all(&["--ignore", "UT1"]).is_empty() && all(&["--select", "UT1", "--ignore", "UT10"]).is_empty());
}

/// Conversations do not know of each other, whether they come in one read or in several: reasoning of one is no leak in
/// another, and an answer that was given once is a leak again.
#[test]
fn conversations_are_apart() {
    let passage = "S3CRET the second invoice was paid twice in march, and nobody noticed";
    let thinks = format!(
        "{{\"messages\":[{{\"role\":\"assistant\",\"reasoning_content\":\"{passage}\",\"content\":\"PUBL1C\"}}]}}\n"
    );
    let says = format!("{{\"messages\":[{{\"role\":\"assistant\",\"content\":\"PUBL1C: {passage}.\"}}]}}\n");
    assert!(codes(&[], &format!("{thinks}{says}")).is_empty());
    assert_eq!(codes(&["--select", PREFIX], &LEAK.repeat(3)).len(), 3);
}

/// UT105 asks what a policy would remove.
#[test]
fn a_policy_says_which_reasoning_is_too_much() {
    let count = |args: &[&str]| codes(args, REASONING).iter().filter(|code| *code == "UT105").count();
    assert_eq!(count(&[]), 0);
    assert_eq!(count(&["--policy", "all"]), 2);
    assert_eq!(count(&["--policy", "all-but-last"]), 1);
    assert_eq!(count(&["--policy", "none"]), 0);
    assert_eq!(count(&["--policy", "all", "--ignore", "UT105"]), 0);
    assert_eq!(count(&["--select", "UT105"]), 2);
    assert_eq!(count(&["--select", "reasoning-present"]), 2);
    assert_eq!(count(&["--select", "UT105", "--policy", "all-but-last"]), 1);
    assert_eq!(count(&["--set", "reasoning.includeInContext=false"]), 2);
    assert_eq!(
        count(&["--set", "reasoning.includeInContext=true", "--set", "reasoning.stripFromContext=allButLast"]),
        1
    );
    let note = "UT105 is not in force";
    check().arg("-v").write_stdin(CLEAN).assert().code(0).stderr(contains(note).count(1));
    check().args(["-v", "-p", "none"]).write_stdin(CLEAN).assert().code(0).stderr(contains(note).not());
    check().write_stdin(CLEAN).assert().code(0).stderr("");
}

/// UT102 finds shared passages of a length that can be chosen, and UT106 shares of an answer.
#[test]
fn lengths_and_shares_are_options() {
    let passage = "the second invoice was paid twice in march"; // 42 characters
    let input = format!(
        "{{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET I see that {passage}, it seems.\",\
         \"content\":\"PUBL1C Note: {passage}!\"}}\n"
    );
    assert!(codes(&["--select", "UT102"], &input).is_empty());
    assert_eq!(codes(&["--select", "UT102", "--min-length", "40"], &input), ["UT102"]);
    let dir = TempDir::new().unwrap();
    let allow = dir.path().join("allow.txt");
    fs::write(&allow, format!("# invoices\n\n  {passage}  \n")).unwrap();
    let args = ["--select", "UT102", "--min-length", "40", "--allow", allow.to_str().unwrap()];
    assert!(codes(&args, &input).is_empty());
    check().args(["--allow", "/none/allow"]).write_stdin(CLEAN).assert().code(4).stderr(contains("/none/allow"));
}

#[test]
fn budgets_are_options() {
    let long =
        format!("{{\"role\":\"assistant\",\"reasoning_content\":\"{}\",\"content\":\"PUBL1C\"}}\n", "word ".repeat(40));
    assert!(codes(&[], &long).is_empty());
    assert_eq!(codes(&["--max-reasoning-tokens", "10"], &long), ["UT401"]);
    assert!(codes(&["--max-reasoning-tokens", "1000"], &long).is_empty());
    assert_eq!(codes(&["--max-ratio", "0.5"], &long), ["UT402"]);
    assert!(codes(&["--max-ratio", "1"], &long).is_empty());
    let run = check().args(["--select", "UT401"]).write_stdin(CLEAN).assert();
    run.stderr(contains("UT401 finds nothing without --max-reasoning-tokens"));
}
