//! What services run: the steps of the GitHub Action, the hook of pre-commit, the job of GitLab. Their own machinery is
//! not here; what they would run is.

use super::*;
use crate::support::root;
use std::process::Command as Process;
use tempfile::TempDir;

/// What a step of the action runs: the lines behind `run:`.
fn step(name: &str) -> String {
    let text = fs::read_to_string(root().join("action.yml")).unwrap();
    let step = text.split("\n    - ").find(|step| step.starts_with(&format!("name: {name}\n"))).unwrap();
    match step.split_once("      run: |\n") {
        Some((_, lines)) => lines.lines().map(|line| line.trim_start_matches("        ").to_string() + "\n").collect(),
        None => step.split_once("      run: ").unwrap().1.lines().next().unwrap().to_string(),
    }
}

/// Runs a step as a runner does, in a folder. The status, and what it printed.
fn run_step(dir: &Path, name: &str, env: &[(&str, &str)]) -> (Option<i32>, String) {
    let bin = dir.join("temp/unthink/bin");
    fs::create_dir_all(&bin).unwrap();
    let script = dir.join("temp/step.sh");
    fs::write(&script, step(name)).unwrap();
    let program = bin.join("unthink");
    if !program.exists() {
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_unthink"), program).unwrap();
    }
    let mut shell = Process::new("bash");
    shell.args(["--noprofile", "--norc", "-eo", "pipefail"]).arg(&script).current_dir(dir.join("work"));
    shell.env("RUNNER_TEMP", dir.join("temp")).env("GITHUB_OUTPUT", dir.join("temp/output"));
    shell.env("GITHUB_STEP_SUMMARY", dir.join("temp/summary")).envs(env.iter().copied());
    let output = shell.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    fs::write(dir.join("temp/said"), said).unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

/// A transcript that has reasoning where it belongs: only one of the two questions finds it.
const FULL: &str =
    "{\"role\":\"assistant\",\"reasoning_content\":\"It rains in Oslo today.\",\"content\":\"Take an umbrella.\"}\n";

/// The question is an input of the action, and the last thing that it says.
#[test]
fn the_action_asks_what_it_is_told_to() {
    for (ask, status, answer) in [
        (
            "leaks",
            0,
            "unthink: has reasoning leaked into answers? no; --ask any asks whether there is any reasoning at all\n",
        ),
        ("any", 1, "unthink: is there any reasoning at all? 1 finding\n"),
        ("all", 2, ""),
        ("", 2, ""),
        ("any --exit-zero", 2, ""),
    ] {
        let dir = TempDir::new().unwrap();
        plant(dir.path(), &["work/a.jsonl", "temp/empty"]);
        fs::write(dir.path().join("work/a.jsonl"), FULL).unwrap();
        let env = [("ASK", ask), ("PATHS", "."), ("ARGS", ""), ("SARIF", "out.sarif")];
        assert_eq!(run_step(dir.path(), "Check", &env).0, Some(0));
        let said = fs::read_to_string(dir.path().join("temp/said")).unwrap();
        assert!(said.ends_with(answer), "{ask}: {said}");
        assert_eq!(fs::read_to_string(dir.path().join("temp/output")).unwrap(), format!("status={status}\n"), "{said}");
    }
    // What a runner would fill in if the user says nothing.
    let text = fs::read_to_string(root().join("action.yml")).unwrap();
    assert!(text.split("  ask:\n").nth(1).unwrap().split("  paths:").next().unwrap().contains("    default: leaks\n"));
}

#[test]
fn the_steps_of_the_action_do_what_they_say() {
    for (text, paths, args, status, results) in [
        (LEAK, "logs", "--select=UT101", 1, 1),
        (LEAK, "logs/a b.jsonl\nlogs", "--select\nUT101\n\n", 1, 1),
        (CLEAN, ".", "", 0, 0),
        (CUT, "logs", "--select=UT1", 3, 0),
        (CUT, "logs", "--ignore=UT3", 0, 0),
        (LEAK, "missing\nlogs", "", 4, 1),
        (CLEAN, "$(touch ../pwned); `touch ../pwned`", "", 4, 0),
        (CLEAN, "-rf", "", 4, 0),
    ] {
        let dir = TempDir::new().unwrap();
        plant(dir.path(), &["work/logs/a b.jsonl", "temp/empty"]);
        fs::write(dir.path().join("work/logs/a b.jsonl"), text).unwrap();
        let env = [("ASK", "leaks"), ("PATHS", paths), ("ARGS", args), ("SARIF", "out=1.sarif")];
        let (code, out) = run_step(dir.path(), "Check", &env);
        assert_eq!(code, Some(0), "the status is kept for a later step: {out}");
        let told = fs::read_to_string(dir.path().join("temp/output")).unwrap();
        assert_eq!(told, format!("status={status}\n"), "{paths} {args}");
        assert_eq!(out.matches("::error ").count(), results, "{out}");
        let sarif = fs::read(dir.path().join("work/out=1.sarif")).unwrap();
        let sarif: Value = serde_json::from_slice(&sarif).unwrap();
        assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), results);
        assert!(fs::read_to_string(dir.path().join("temp/summary")).unwrap().starts_with("## unthink check\n"));
        assert!(!dir.path().join("pwned").exists());
        let (code, _) = run_step(dir.path(), "Status", &[("STATUS", &status.to_string())]);
        assert_eq!(code, Some(status));
    }
    // Wrong usage is told, and nothing is written that could be taken for a report.
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["work/a.jsonl"]);
    run_step(dir.path(), "Check", &[("ASK", "leaks"), ("PATHS", "."), ("ARGS", "--nonsense"), ("SARIF", "out.sarif")]);
    assert_eq!(fs::read_to_string(dir.path().join("temp/output")).unwrap(), "status=2\n");
    assert!(!dir.path().join("work/out.sarif").exists());
}

/// The value of a key in the definition of the hook.
fn hook(key: &str) -> String {
    let text = fs::read_to_string(root().join(".pre-commit-hooks.yaml")).unwrap();
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(&format!("{key}: "))).unwrap();
    line.trim_matches('\'').to_string()
}

/// What is about to be committed is chosen by its name, and named to the program.
#[test]
fn the_hook_checks_what_is_committed() {
    let dir = TempDir::new().unwrap();
    let run = |files: &[&str]| {
        let mut words = vec![hook("entry").replacen("unthink", env!("CARGO_BIN_EXE_unthink"), 1)];
        words.push(hook("args").trim_matches(['[', ']']).to_string());
        words.extend(files.iter().map(|file| format!("'{file}'")));
        Process::new("sh").args(["-c", &words.join(" ")]).current_dir(dir.path()).output().unwrap().status.code()
    };
    plant(dir.path(), &["leak.jsonl", "logs/leak.sse"]);
    fs::write(dir.path().join("clean.jsonl"), CLEAN).unwrap();
    fs::write(dir.path().join("package.json"), "{\"name\":\"x\",\"version\":\"1.0.0\"}\n").unwrap();
    assert_eq!(run(&["clean.jsonl", "package.json"]), Some(0));
    assert_eq!(run(&["clean.jsonl", "leak.jsonl"]), Some(1));
    for (name, chosen) in [
        ("a.json", true),
        ("logs/a.jsonl.gz", true),
        ("a.ndjson.zst", true),
        ("a.sse", true),
        ("a.txt", false),
        ("json", false),
        ("a.json5", false),
        ("a.jsonl.bak", false),
    ] {
        let mut grep = assert_cmd::Command::new("grep");
        grep.args(["-Eq", &hook("files")]).write_stdin(name).assert().code(i32::from(!chosen));
    }
}

/// The job in the page about `check` writes what GitLab reads.
#[test]
fn the_job_writes_what_gitlab_reads() {
    let dir = TempDir::new().unwrap();
    plant(dir.path(), &["logs/a.jsonl"]);
    let page = fs::read_to_string(root().join("docs/check.md")).unwrap();
    let job = page.split("```yaml\nunthink:\n").nth(1).unwrap().split("```").next().unwrap();
    let line = job.lines().find_map(|line| line.trim_start().strip_prefix("- unthink check ")).unwrap();
    let command = format!("'{}' check {line}", env!("CARGO_BIN_EXE_unthink"));
    let status = Process::new("sh").args(["-c", &command]).current_dir(dir.path()).output().unwrap().status;
    assert_eq!(status.code(), Some(1));
    let report = job.lines().find_map(|line| line.trim_start().strip_prefix("codequality: ")).unwrap();
    let issues: Value = serde_json::from_slice(&fs::read(dir.path().join(report)).unwrap()).unwrap();
    let issues = issues.as_array().unwrap();
    assert!(!issues.is_empty());
    for issue in issues {
        assert!(
            issue["description"].is_string() && issue["check_name"].is_string() && issue["fingerprint"].is_string()
        );
        assert!(matches!(issue["severity"].as_str(), Some("info" | "minor" | "major" | "critical" | "blocker")));
        assert_eq!(issue["location"]["path"], "logs/a.jsonl");
        assert!(issue["location"]["lines"]["begin"].is_u64());
    }
}
