//! The manual page and the completions that are committed are those that the program prints. After a change to the
//! options or the rules: `unthink man > man/unthink.1`, `unthink man strip > man/unthink-strip.1`, `unthink man rules > man/unthink-rules.7`, `unthink completions bash > completions/unthink.bash`, and so on.

use crate::support::root;
use assert_cmd::Command;

fn printed(args: &[&str]) -> String {
    let output = Command::cargo_bin("unthink").unwrap().args(args).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

fn same(path: &str, args: &[&str]) {
    let committed = std::fs::read_to_string(root().join(path)).unwrap_or_default();
    assert!(committed == printed(args), "{path} is stale: unthink {} > {path}", args.join(" "));
}

#[test]
fn the_manual_is_fresh() {
    same("man/unthink.1", &["man"]);
    same("man/unthink-rules.7", &["man", "rules"]);
    let verbs = crate::help::verbs();
    for verb in &verbs {
        same(&format!("man/unthink-{verb}.1"), &["man", verb]);
    }
    let pages = std::fs::read_dir(root().join("man")).unwrap().count();
    assert_eq!(pages, verbs.len() + 2, "a page of no command is in man/");
}

#[test]
fn pages_of_the_manual_have_all_sections() {
    for page in crate::help::verbs().iter().map(String::as_str).chain(["unthink"]) {
        let text = printed(&["man", page]);
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "ENVIRONMENT", "FILES"]
        {
            assert!(
                text.lines()
                    .any(|line| line.trim_matches('"') == format!(".SH {section}")
                        || line == format!(".SH \"{section}\"")),
                "{page}: {section}"
            );
        }
    }
}

#[test]
fn the_completions_are_fresh() {
    same("completions/unthink.bash", &["completions", "bash"]);
    same("completions/unthink.fish", &["completions", "fish"]);
    same("completions/_unthink", &["completions", "zsh"]);
    same("completions/unthink.elv", &["completions", "elvish"]);
    same("completions/_unthink.ps1", &["completions", "powershell"]);
}

/// What is listed as unread is read by no dialect.
#[test]
fn what_is_listed_as_unread_is_not_read() {
    let list = |what: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&printed(&["list", what, "-o", "json"])).unwrap()
    };
    let products = |rows: &[serde_json::Value]| -> Vec<String> {
        let names = rows.iter().flat_map(|row| row["products"].as_array().unwrap().clone());
        names.map(|name| name.as_str().unwrap().to_string()).collect()
    };
    let (read, unread) = (products(&list("dialects")), products(&list("unread")));
    assert!(read.contains(&"Gemini API".into()) && unread.contains(&"Jan".into()), "{read:?} {unread:?}");
    let both: Vec<&String> = unread.iter().filter(|name| read.contains(name)).collect();
    assert!(both.is_empty(), "{both:?}");
    let names: Vec<String> = list("unread").iter().map(|row| row["name"].as_str().unwrap().into()).collect();
    assert!(!names.contains(&"Ollama".into()) && !names.contains(&"Bedrock Converse".into()), "{names:?}");
    assert!(names.contains(&"chat products".into()) && names.contains(&"no conversations".into()), "{names:?}");
}
