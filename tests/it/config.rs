//! `unthink.toml` and `.unthinkignore-findings`: what they set, where they are found, and what they must not change.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const LEAK: &str = "{\"role\":\"assistant\",\"reasoning_content\":\"The balance rose by twelve, and I must not say why it did.\",\"content\":\"The balance rose by twelve, and I must not say why it did.\"}\n";
const FULL: &str =
    "{\"role\":\"assistant\",\"reasoning_content\":\"It rains in Oslo today.\",\"content\":\"Take an umbrella.\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"Take an umbrella.\"}\n";

/// A project with a repository, and a home of its user.
fn project() -> TempDir {
    let dir = TempDir::new().unwrap();
    for folder in ["home/unthink", "project/.git", "project/logs/old"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    fs::write(dir.path().join("project/logs/a.jsonl"), FULL).unwrap();
    dir
}

fn unthink(dir: &Path, folder: &str) -> Command {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.current_dir(dir.join(folder)).env("XDG_CONFIG_HOME", dir.join("home"));
    command
}

fn write(dir: &TempDir, name: &str, text: &str) {
    fs::write(dir.path().join(name), text).unwrap();
}

#[test]
fn options_of_check() {
    for (config, args, status) in [
        ("", "", 0),
        ("[check]\npolicy = \"all\"", "", 1),
        ("[check]\nask = \"any\"", "", 1),
        ("check.ask = \"any\"", "", 1),
        ("[check]\nask = \"any\"", "--no-config", 0),
        // What is typed wins.
        ("[check]\nask = \"any\"", "--ask=leaks", 0),
        ("[check]\npolicy = \"all\"", "--ask leaks", 0),
        ("[check]\npolicy = \"all\"", "--policy none", 0),
        ("[check]\npolicy = \"all\"\nignore = [\"UT105\"]", "", 0),
        ("[check]\npolicy = \"all\"\nignore = [\"UT105\"]", "--ignore UT3", 1),
        ("[check]\nmax-reasoning-tokens = 2", "", 1),
        ("[check]\nmax-ratio = 0.1\nfail-on = \"warning\"", "", 1),
        ("[check]\npolicy = \"all\"\nexclude = [\"logs/a*\"]", "", 3),
        ("[check]\npolicy = \"all\"\nexclude = [\"logs/a*\"]", "-g *.jsonl", 1),
        ("[settings]\n\"reasoning.stripFromContext\" = \"all\"", "", 1),
        ("[settings.reasoning]\nstripFromContext = \"all\"", "", 1),
        (
            "[settings]\nreasoning.stripFromContext = \"all\"",
            "--set reasoning.stripFromContext=none --set reasoning.includeInContext=true",
            0,
        ),
    ] {
        for folder in ["project", "project/logs"] {
            if config.contains("exclude") && folder != "project" {
                continue;
            }
            let dir = project();
            write(&dir, "project/unthink.toml", config);
            let mut command = unthink(dir.path(), folder);
            command.arg("check").args(args.split_whitespace()).arg(".").assert().code(status);
        }
    }
}

/// A repository that somebody else wrote does not decide what is stripped.
#[test]
fn the_file_of_a_project_is_for_check_only() {
    let hostile = "[settings]\nreasoning.stripFromContext = \"none\"\nreasoning.includeInContext = true\n[tags]\nnames = [\"reason\"]\n";
    let dir = project();
    write(&dir, "project/unthink.toml", hostile);
    for args in [&["strip", "logs/a.jsonl"][..], &["logs/a.jsonl"], &["strip", "logs"]] {
        unthink(dir.path(), "project").args(args).assert().success().stdout(STRIPPED);
    }
    // Not even if it is wrong.
    write(&dir, "project/unthink.toml", "nonsense");
    unthink(dir.path(), "project").args(["strip", "logs/a.jsonl"]).assert().success().stdout(STRIPPED);
    unthink(dir.path(), "project").args(["check", "."]).assert().code(2);
    // The user may.
    write(&dir, "home/unthink/unthink.toml", hostile);
    unthink(dir.path(), "project").args(["strip", "logs/a.jsonl"]).assert().success().stdout(FULL);
    unthink(dir.path(), "project").args(["strip", "--no-config", "logs/a.jsonl"]).assert().success().stdout(STRIPPED);
}

#[test]
fn check_says_what_the_file_of_the_project_sets() {
    let dir = project();
    write(&dir, "project/unthink.toml", "[check]\nignore = [\"UT1\"]\nexclude = [\"logs/old\"]\n");
    write(&dir, "home/unthink/unthink.toml", "[check]\nignore = [\"UT2\"]\nfail-on = \"warning\"\n");
    let said = "unthink: note: unthink.toml sets check.exclude, check.ignore\n";
    let said = contains(said).or(contains("unthink: note: unthink.toml sets check.ignore, check.exclude\n"));
    unthink(dir.path(), "project").args(["check", "."]).assert().success().stderr(said);
    let table = contains("check.ignore").and(contains("UT1")).and(contains("unthink.toml:2"));
    let table = table.and(contains("check.fail-on")).and(contains("home/unthink/unthink.toml:3"));
    unthink(dir.path(), "project").args(["profile", "-o", "table"]).assert().success().stdout(table);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (config, says) in [
        ("[check]\npolcy = \"all\"", "unthink.toml:2: check.polcy: no such key; did you mean policy?"),
        ("[chek]\n", "unthink.toml:1: [chek]: no such section; did you mean check?"),
        ("[check]\n\npolicy = 1", "unthink.toml:3: check.policy: it is a string, not a number"),
        ("[check]\npolicy = \"al\"", "unthink.toml:2: check.policy: --policy al: no such policy; did you mean all?"),
        ("[check]\nselect = \"UT1\"", "unthink.toml:2: check.select: it is an array of strings, not a string"),
        ("[check]\nhidden = \"yes\"", "unthink.toml:2: check.hidden: it is true or false, not a string"),
        ("[check]\nmin-length = 1", "unthink.toml:2: check.min-length: "),
        (
            "[settings]\nreasoning.effrot = \"low\"",
            "unthink.toml:2: reasoning.effrot: no such setting; did you mean reasoning.effort?",
        ),
        (
            "[settings]\nreasoning.effort = [\"low\"]",
            "unthink.toml:2: reasoning.effort: it is a string, a number, or true or false, not an array",
        ),
        ("[settings]\nreasoning.effort = \"hihg\"", "unthink.toml:2: reasoning.effort: hihg is not allowed"),
        ("a = 1", "unthink.toml:1: [a]: no such section"),
        ("check = 1", "unthink.toml:1: check: it is a table"),
        ("[check]\n[check", "unthink.toml:2: "),
    ] {
        let dir = project();
        write(&dir, "project/unthink.toml", config);
        for verb in ["check", "profile"] {
            let run = unthink(dir.path(), "project").arg(verb).assert().code(2);
            run.stderr(contains(format!("unthink: error: {says}")));
        }
    }
}

#[test]
fn the_search_ends_at_the_repository() {
    let dir = project();
    write(&dir, "unthink.toml", "[check]\nask = \"any\"\n");
    unthink(dir.path(), "project/logs").args(["check", "."]).assert().success();
    write(&dir, "project/unthink.toml", "[check]\nask = \"any\"\n");
    unthink(dir.path(), "project/logs").args(["check", "."]).assert().code(1);
}

/// The fingerprints in a report.
fn fingerprints(dir: &TempDir, args: &[&str]) -> Vec<String> {
    let out = unthink(dir.path(), "project").args(["check", "-o", "jsonl"]).args(args).output().unwrap().stdout;
    let lines = String::from_utf8(out).unwrap();
    let found = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    found.filter_map(|finding| finding["fingerprint"].as_str().map(str::to_string)).collect()
}

#[test]
fn findings_are_ignored_one_by_one() {
    let dir = project();
    write(&dir, "project/logs/b.jsonl", LEAK);
    let all = fingerprints(&dir, &["."]);
    assert!(!all.is_empty());
    let list = all.iter().map(|one| format!("{one}  # the balance may be said\n")).collect::<String>();
    write(&dir, "project/.unthinkignore-findings", &format!("# Known.\n\n{list}"));
    let run = unthink(dir.path(), "project").args(["check", "."]).assert().success();
    run.stderr(contains("ignored by").and(contains("no finding has").not()));
    unthink(dir.path(), "project/logs").args(["check", "."]).assert().success();
    unthink(dir.path(), "project").args(["check", "--no-config", "."]).assert().code(1);
    // Every finding but one.
    write(&dir, "project/.unthinkignore-findings", &all[1..].join("\n"));
    unthink(dir.path(), "project").args(["check", "."]).assert().code(1);
    // One that is no more, which is told only if it was looked for.
    write(&dir, "project/.unthinkignore-findings", &format!("{list}0123456789abcdef\n"));
    let stale = format!(".unthinkignore-findings:{}: no finding has this fingerprint any more", all.len() + 1);
    unthink(dir.path(), "project").args(["check", "."]).assert().success().stderr(contains(&stale));
    unthink(dir.path(), "project").args(["check", "logs"]).assert().success().stderr(contains("no finding has").not());
    // A file by another name, and what is no fingerprint.
    fs::remove_file(dir.path().join("project/.unthinkignore-findings")).unwrap();
    write(&dir, "project/accepted", &list);
    unthink(dir.path(), "project").args(["check", "--ignore-findings", "accepted", "."]).assert().success();
    write(&dir, "project/accepted", "logs/b.jsonl\n");
    let run = unthink(dir.path(), "project").args(["check", "--ignore-findings", "accepted", "."]).assert().code(2);
    run.stderr(contains("accepted:1: not a fingerprint"));
}
