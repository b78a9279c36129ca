//! Help: `-h` fits a screen, `--help` has examples, and both are read before they change.

use assert_cmd::Command;
use predicates::str::contains;

fn help(args: &[&str], width: &str) -> String {
    let mut command = Command::cargo_bin("unthink").unwrap();
    command.args(args).env("COLUMNS", width).env_remove("CLICOLOR_FORCE");
    String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
}

/// The commands, as the help of the program names them.
pub fn verbs() -> Vec<String> {
    let top = help(&["-h"], "80");
    let commands = top.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names =
        commands.lines().filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_string).collect()
}

#[test]
fn help_is_read_before_it_is_changed() {
    for verb in ["", "strip", "split", "show", "check", "profile", "list"] {
        let (name, verb) = if verb.is_empty() { ("unthink", None) } else { (verb, Some(verb)) };
        let args: Vec<&str> = verb.into_iter().chain(["--help"]).collect();
        insta::assert_snapshot!(format!("help_{name}"), help(&args, "100"));
    }
    for verb in ["", "strip", "check"] {
        let (name, verb) = if verb.is_empty() { ("unthink", None) } else { (verb, Some(verb)) };
        let args: Vec<&str> = verb.into_iter().chain(["-h"]).collect();
        insta::assert_snapshot!(format!("short_{name}"), help(&args, "80"));
    }
    let mut version = Command::cargo_bin("unthink").unwrap();
    version.arg("--version").assert().success().stdout(contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn short_help_fits_a_screen() {
    let verbs = verbs();
    assert!(verbs.len() >= 10, "{verbs:?}");
    for verb in verbs.iter().map(String::as_str).chain([""]) {
        let args: Vec<&str> = [verb, "-h"].into_iter().filter(|word| !word.is_empty()).collect();
        let page = help(&args, "80");
        assert!(page.lines().count() <= 40, "{args:?}: {} lines\n{page}", page.lines().count());
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn long_help_has_examples_and_statuses_and_options_of_others_once() {
    for verb in verbs() {
        let page = help(&[&verb, "--help"], "80");
        assert!(page.contains("\nExamples:\n  # ") && page.contains("\nExit status:\n  0  "), "{verb}: {page}");
        assert!(!page.contains("--max-record <") && !page.contains("--marker <"), "{verb}: {page}");
        assert_eq!(page, help(&["help", &verb], "80"), "{verb}");
    }
    let top = help(&["--help"], "80");
    assert!(top.contains("--max-record") && top.contains("--marker") && top.contains("\nExamples:\n"));
}
