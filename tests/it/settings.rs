//! Settings, profiles and lists by the command: requirements REQ-THINK-004 and 006 of LLXPRT, and what a
//! case file cannot say.

use crate::support::{POLICIES, root};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use proptest::prelude::{Strategy, any, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::select;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};
use tempfile::TempDir;
use unthink::internals::settings::{SETTINGS, Settings};

const LINE: &str = "{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET\",\"content\":\"PUBL1C\"}\n";
const STRIPPED: &str = "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n";
const LLXPRT: &str = r#"{
  "version": 1,
  "provider": "openai",
  "model": "m",
  "modelParams": {
    "temperature": 0.70
  },
  "ephemeralSettings": {
    "context-limit": 100000,
    "reasoning.includeInContext": true,
    "reasoning.stripFromContext": "allButLast",
    "reasoning.summary": "auto",
    "auth-keyfile": "\u002fkeys/a"
  }
}
"#;

fn unthink() -> Command {
    Command::cargo_bin("unthink").unwrap()
}

fn printed(args: &[&str]) -> String {
    let output = unthink().args(args).assert().success().stderr(is_empty()).get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn json_of(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

fn default_of(key: &str) -> Value {
    json_of(&["profile", "-o", "json"])[key].clone()
}

fn strip(args: &[&str]) -> String {
    let output = unthink().arg("strip").args(args).write_stdin(LINE).assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap()
}

fn write(dir: &TempDir, name: &str, text: impl AsRef<[u8]>) -> (PathBuf, String) {
    let path = dir.path().join(name);
    fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap().to_string();
    (path, name)
}

#[test]
fn req_think_004_1_include_in_context_is_read() {
    assert_eq!(strip(&["--set", "reasoning.includeInContext=true"]), LINE);
    assert_eq!(strip(&["--set", "reasoning.includeInContext=false"]), STRIPPED);
}

#[test]
fn req_think_004_2_strip_from_context_is_read() {
    for policy in POLICIES.into_iter().chain(["allButLast"]) {
        let setting = format!("reasoning.stripFromContext={policy}");
        let by_setting = strip(&["--set", "reasoning.includeInContext=true", "--set", &setting]);
        assert_eq!(by_setting, strip(&["--policy", policy]), "{policy}");
    }
}

#[test]
fn req_think_004_4_nothing_is_sent_without_include_in_context() {
    for policy in POLICIES {
        let setting = format!("reasoning.stripFromContext={policy}");
        assert_eq!(strip(&["--set", &setting]), STRIPPED, "{policy}");
        assert_eq!(strip(&["--policy", policy, "--set", "reasoning.includeInContext=false"]), STRIPPED, "{policy}");
        assert_eq!(strip(&["--policy", policy, "--set", "reasoning.enabled=false"]), STRIPPED, "{policy}");
    }
}

#[test]
fn req_think_004_5_strip_from_context_is_applied_first() {
    let talk =
        |n: u8| format!("{{\"role\":\"assistant\",\"reasoning_content\":\"S3CRET {n}\",\"content\":\"PUBL1C\"}}\n");
    let all: String = (1..=3).map(talk).collect();
    let sent = |include: &str| {
        let args = ["strip", "--set", "reasoning.stripFromContext=allButLast", "--set"];
        let include = format!("reasoning.includeInContext={include}");
        let output = unthink().args(args).arg(include).write_stdin(all.clone()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(sent("true"), format!("{STRIPPED}{STRIPPED}{}", talk(3)));
    assert_eq!(sent("false"), STRIPPED.repeat(3));
}

#[test]
fn req_think_006_1_reasoning_enabled_defaults_to_true() {
    assert_eq!(default_of("reasoning.enabled"), json!(true));
}

#[test]
fn req_think_006_2_include_in_context_defaults_to_false() {
    assert_eq!(default_of("reasoning.includeInContext"), json!(false));
    assert_eq!(strip(&[]), STRIPPED);
}

#[test]
fn req_think_006_3_include_in_response_defaults_to_true() {
    assert_eq!(default_of("reasoning.includeInResponse"), json!(true));
}

#[test]
fn req_think_006_4_format_defaults_to_field() {
    assert_eq!(default_of("reasoning.format"), json!("field"));
}

#[test]
fn req_think_006_5_strip_from_context_defaults_to_none() {
    assert_eq!(default_of("reasoning.stripFromContext"), json!("none"));
}

#[test]
fn req_think_006_6_every_setting_is_saved_and_loaded() {
    let dir = TempDir::new().unwrap();
    let values = json!({
        "reasoning.enabled": false,
        "reasoning.includeInContext": true,
        "reasoning.includeInResponse": false,
        "reasoning.format": "native",
        "reasoning.stripFromContext": "allButLast",
        "reasoning.effort": "minimal",
        "reasoning.maxTokens": 4096,
        "llm.postproc.enabled": false,
        "llm.postproc.reasoning.max_tokens": 0,
        "llm.postproc.reasoning.drop_from_history": false,
        "llm.postproc.ngram.n": 5,
        "llm.postproc.ngram.window": 64,
        "llm.postproc.collapse.whitespace": false,
    });
    let mut args = vec!["profile".to_string()];
    for (key, value) in values.as_object().unwrap() {
        args.push("--set".into());
        args.push(format!("{key}={}", value.to_string().trim_matches('"')));
    }
    let saved = printed(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let (_, file) = write(&dir, "saved.json", &saved);
    assert_eq!(serde_json::from_str::<Value>(&saved).unwrap(), values);
    assert_eq!(printed(&["profile", "--profile", &file]), saved);
    let table = printed(&["profile", "-o", "table", "--profile", &file]);
    assert_eq!(table.lines().filter(|l| l.ends_with("  profile")).count(), values.as_object().unwrap().len());
}

#[test]
fn set_wins_over_a_profile_whatever_comes_first() {
    let dir = TempDir::new().unwrap();
    let (_, file) = write(&dir, "p.json", "{\"reasoning.includeInContext\":true}");
    assert_eq!(strip(&["--profile", &file]), LINE);
    let set = ["--set", "reasoning.includeInContext=false"];
    assert_eq!(strip(&[set[0], set[1], "--profile", &file]), STRIPPED);
    assert_eq!(strip(&["--profile", &file, set[0], set[1]]), STRIPPED);
    assert_eq!(strip(&[set[0], set[1], "--set", "reasoning.includeInContext=true"]), LINE);
}

#[test]
fn a_profile_of_llxprt_is_loaded_and_saved() {
    let dir = TempDir::new().unwrap();
    let (_, file) = write(&dir, "p.json", LLXPRT);
    assert_eq!(strip(&["--profile", &file]), LINE);
    let saved = printed(&["profile", "--profile", &file, "--set", "reasoning.effort=low"]);
    let kept = LLXPRT.strip_suffix("\n  }\n}\n").unwrap();
    assert!(saved.starts_with(&format!("{kept},\n    \"reasoning.enabled\": true,\n")), "{saved}");
    assert_eq!(serde_json::from_str::<Value>(&saved).unwrap()["ephemeralSettings"]["reasoning.effort"], "low");
    let (_, again) = write(&dir, "again.json", &saved);
    assert_eq!(printed(&["profile", "--profile", &again]), saved);
    let noted = unthink().args(["strip", "-v", "--profile", &file]).write_stdin(LINE).assert().success();
    noted.stderr(contains("ignored: version, provider, model, modelParams, context-limit, reasoning.summary"));
}

#[test]
fn a_profile_that_is_wrong_is_named() {
    let dir = TempDir::new().unwrap();
    for (text, want) in [
        (&b""[..], "the profile is empty"),
        (b"[]", "a profile is a JSON object"),
        (b"\xff\xfe{}", "byte 0: not UTF-8"),
        (b"{\"a\"", "byte 4"),
        (b"{\"reasoning.maxTokens\":-1}", "allowed is a whole number from 1"),
        (b"{\"reasoning.enabled\":\"true\"}", "allowed is true or false"),
        (b"{\"reasoning.effrot\":\"low\"}", "did you mean reasoning.effort?"),
    ] {
        let (_, file) = write(&dir, "p.json", text);
        for verb in [&["strip"][..], &["split"], &["profile"], &["profile", "--check"], &["list", "rules"], &[]] {
            let run = unthink().args(verb).args(["--profile", &file]).write_stdin(LINE).assert().code(2);
            run.stdout(is_empty()).stderr(contains("p.json: ").and(contains(want)));
        }
    }
    for name in [dir.path().join("missing.json"), dir.path().to_path_buf()] {
        let run = unthink().arg("strip").arg("--profile").arg(&name).write_stdin(LINE).assert().code(4);
        run.stdout(is_empty()).stderr(contains(name.to_str().unwrap()));
    }
    let (_, good) = write(&dir, "p.json", LLXPRT);
    unthink().args(["profile", "--check", "--profile", &good]).assert().success().stdout(is_empty()).stderr(is_empty());
}

#[test]
fn a_profile_is_not_overwritten() {
    let dir = TempDir::new().unwrap();
    let (path, file) = write(&dir, "p.json", LLXPRT);
    let run = unthink().args(["strip", "--profile", &file, "--rejects", &file]).write_stdin(LINE).assert().code(2);
    run.stdout(is_empty()).stderr(contains("would be overwritten"));
    assert_eq!(fs::read_to_string(path).unwrap(), LLXPRT);
}

#[test]
fn set_is_key_and_value() {
    for (set, want) in [
        ("reasoning.enabled", "there is no =; it is KEY=VALUE"),
        ("=true", "no such setting"),
        ("reasoning.enabled=", "allowed is true or false"),
        ("reasoning.maxTokens=1=2", "1=2 is not allowed"),
        ("reasoning.summary=auto", "no such setting"),
        ("\u{1b}[31m", "\\u{1b}[31m"),
    ] {
        let run = unthink().args(["strip", "--set", set]).write_stdin(LINE).assert().code(2).stdout(is_empty());
        run.stderr(contains(want).and(contains("\u{1b}").not()));
    }
}

#[test]
fn lists_have_a_row_a_line() {
    for (what, first, rows) in [
        ("dialects", "text", unthink::internals::dialect::DIALECTS.len()),
        ("tags", "REASONING", unthink::internals::inline::TAGS.len()),
        ("policies", "none", 7),
        ("settings", "reasoning.enabled", unthink::internals::settings::SETTINGS.len()),
        ("rules", "UT101", unthink::internals::check::RULES.len()),
    ] {
        let text = printed(&["list", what]);
        assert_eq!(text.lines().count(), rows, "{what}");
        assert!(text.starts_with(&format!("{first}  ")), "{what}");
        assert!(text.lines().all(|l| l.contains("  ") && l.trim_end() == l), "{what}");
        let lines = printed(&["list", what, "-o", "json"]);
        let array: Value = serde_json::from_str(&lines).unwrap();
        let names = array.as_array().unwrap().iter().map(|row| row.get("code").unwrap_or(&row["name"]));
        let shown: Vec<_> = text.lines().map(|l| l.split("  ").next().unwrap()).collect();
        assert!(names.eq(shown.iter().copied()), "{what}");
        let objects = lines.lines().filter(|l| l.starts_with('{'));
        let objects: Vec<Value> =
            objects.map(|l| serde_json::from_str(l.strip_suffix(',').unwrap_or(l)).unwrap()).collect();
        assert_eq!(array, Value::Array(objects), "{what}");
    }
    unthink().args(["list", "models"]).assert().code(2).stdout(is_empty());
    unthink().arg("list").assert().code(2).stdout(is_empty());
}

/// What is listed is what the options take.
#[test]
fn what_is_listed_is_taken() {
    let name = |row: &Value| row["name"].as_str().unwrap().to_string();
    let rows = |what: &str| json_of(&["list", what, "-o", "json"]).as_array().unwrap().clone();
    for row in rows("dialects") {
        unthink().args(["--from", &name(&row)]).write_stdin("").assert().success();
    }
    for row in rows("tags") {
        let text = format!("{}S3CRET{}PUBL1C", row["open"].as_str().unwrap(), row["close"].as_str().unwrap());
        unthink().args(["--tag", &name(&row)]).write_stdin(text).assert().success().stdout("PUBL1C");
    }
    for row in rows("policies") {
        let policy = name(&row).replace('N', "2").replace("TARGET", "anthropic");
        unthink().args(["strip", "--policy", &policy]).write_stdin("").assert().success();
    }
    for row in rows("settings").iter().filter(|row| !row["default"].is_null()) {
        let set = format!("{}={}", name(row), row["default"].to_string().trim_matches('"'));
        unthink().args(["profile", "--check", "--set", &set]).assert().success().stdout(is_empty());
    }
}

#[test]
fn a_reader_that_goes_away_ends_quietly() {
    for args in [&["list", "tags"][..], &["list", "rules", "-o", "json"], &["profile"]] {
        let mut child = Process::new(env!("CARGO_BIN_EXE_unthink"))
            .args(args)
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}");
    }
}

proptest! {
    /// Nothing that a profile may hold stops the program, and what is loaded is written so that it loads again.
    #[test]
    fn any_profile_is_refused_or_comes_back(pieces in proptest::collection::vec(piece(), 0..12)) {
        let text = pieces.join(",");
        for text in [text.clone(), format!("{{{text}}}"), format!("{{\"ephemeralSettings\":{{{text}}}}}")] {
            let mut settings = Settings::default();
            if settings.load(&text).is_ok() {
                let saved = settings.to_profile();
                let mut again = Settings::default();
                prop_assert_eq!(again.load(&saved).err(), None);
                prop_assert_eq!(again.to_profile(), saved);
                prop_assert_eq!(again.context_policy(), settings.context_policy());
            }
        }
    }
}

fn piece() -> impl Strategy<Value = String> {
    const VALUES: &[&str] =
        &["true", "false", "1", "0", "-1", "1e3", "null", "\"all\"", "\"allButLast\"", "\"high\"", "[{}]"];
    const OTHERS: &[&str] =
        &["\"version\"", "\"reasoning.summary\"", "\"a\"", "\"\\u0061\\n\"", "\"ephemeralSettings\""];
    let ours = select(SETTINGS).prop_map(|row| {
        let value = row.default.map_or("9".into(), |value| value.json());
        format!("\"{}\": {value}", row.key)
    });
    let any_value = (select(SETTINGS), select(VALUES)).prop_map(|(row, value)| format!("\"{}\":{value}", row.key));
    let other = (select(OTHERS), select(VALUES)).prop_map(|(key, value)| format!("{key} :{value}"));
    prop_oneof![8 => ours, 1 => any_value, 4 => other, 1 => any::<String>()]
}
