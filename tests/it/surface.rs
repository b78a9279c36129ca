//! The manual page and the completions that are committed are those that the program prints. After a change to the
//! options or the rules: `unthink man > man/unthink.1`, `unthink man strip > man/unthink-strip.1`, `unthink man rules > man/unthink-rules.7`, `unthink completions bash > completions/unthink.bash`, and so on.

use crate::support::root;
use assert_cmd::Command;

fn printed(args: &[&str]) -> String {
    let output = Command::cargo_bin("unthink").unwrap().args(args).output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that write the files which are not what the program prints.
fn stale(files: &[(String, Vec<&str>)]) -> Vec<String> {
    let is_fresh =
        |path: &str, args: &[&str]| std::fs::read_to_string(root().join(path)).unwrap_or_default() == printed(args);
    let stale = files.iter().filter(|(path, args)| !is_fresh(path, args));
    stale.map(|(path, args)| format!("unthink {} > {path}", args.join(" "))).collect()
}

fn all_are_fresh(files: &[(String, Vec<&str>)]) {
    let stale = stale(files);
    assert!(stale.is_empty(), "stale files, and what writes them:\n{}", stale.join("\n"));
}

#[test]
fn the_manual_is_fresh() {
    let verbs = crate::help::verbs();
    let mut files = vec![("man/unthink.1".into(), vec!["man"]), ("man/unthink-rules.7".into(), vec!["man", "rules"])];
    files.extend(verbs.iter().map(|verb| (format!("man/unthink-{verb}.1"), vec!["man", verb.as_str()])));
    all_are_fresh(&files);
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
    let files = [
        ("unthink.bash", "bash"),
        ("unthink.fish", "fish"),
        ("_unthink", "zsh"),
        ("unthink.elv", "elvish"),
        ("_unthink.ps1", "powershell"),
    ];
    all_are_fresh(&files.map(|(file, shell)| (format!("completions/{file}"), vec!["completions", shell])));
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
    assert!(read.contains(&"Gemini API".into()) && unread.contains(&"Crush".into()), "{read:?} {unread:?}");
    let both: Vec<&String> = unread.iter().filter(|name| read.contains(name)).collect();
    assert!(both.is_empty(), "{both:?}");
    let names: Vec<String> = list("unread").iter().map(|row| row["name"].as_str().unwrap().into()).collect();
    assert!(!names.contains(&"Ollama".into()) && !names.contains(&"Bedrock Converse".into()), "{names:?}");
    assert!(names.contains(&"data sets".into()) && names.contains(&"no conversations".into()), "{names:?}");
}
