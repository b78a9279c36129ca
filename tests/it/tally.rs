//! `tokens` against what other verbs say, and the requirements of LLXPRT that speak of counts.

use crate::support::*;
use assert_cmd::Command;
use serde_json::Value;

/// Runs the program and gives its status and output.
fn run(args: &[&str], input: &[u8]) -> (i32, String) {
    let out = Command::cargo_bin("unthink").unwrap().args(args).write_stdin(input).output().unwrap();
    (out.status.code().unwrap(), String::from_utf8(out.stdout).unwrap())
}

/// The total of a run.
fn total(args: &[&str], input: &[u8]) -> Value {
    let args = [&["tokens", "-q", "-o", "json", "--total"], args].concat();
    serde_json::from_str::<Value>(&run(&args, input).1).unwrap()["total"].clone()
}

fn units(text: &str) -> u64 {
    (text.encode_utf16().count() as u64).div_ceil(4)
}

/// What `split` shows is what `tokens` counts, block by block.
#[test]
fn reasoning_is_what_split_shows() {
    for (name, input) in corpus() {
        let (_, shown) = run(&["split", "-q", "--join", "\u{1}"], &input);
        let mut want = 0;
        for line in shown.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let Some(text) = object["reasoning"]["text"].as_str() else { continue };
            want += text.split('\u{1}').map(units).sum::<u64>();
        }
        // No number is said of an input of which nothing is read.
        let total = total(&[], &input);
        assert_eq!(total["reasoning_tokens"].as_u64().unwrap_or_default(), want, "{name}");
        assert!(total["reasoning_tokens"].is_u64() || total["unread"].as_u64() > Some(0), "{name}");
    }
}

/// What is left under a policy is what there is after it was applied.
#[test]
fn effective_is_raw_after_strip() {
    let takes_back = |input: &[u8]| {
        let text = String::from_utf8_lossy(input);
        text.contains("\"itemsRemoved\"") || text.contains("\"itemsCompressed\"")
    };
    // The last newline of a text stays when it is stripped, and does not count as visible text.
    let is_text = |name: &str| name.contains("testdata/text/");
    for (name, input) in own().into_iter().filter(|(name, input)| !takes_back(input) && !is_text(name)) {
        for policy in ["none", "all", "allButLast", "before-last-user", "keep-tool-turns", "keep-last-2"] {
            let (_, stripped) = run(&["strip", "-q", "--policy", policy], &input);
            let set = format!("reasoning.stripFromContext={policy}");
            let settings = ["--set", "reasoning.includeInContext=true", "--set", &set];
            let (left, now) = (total(&settings, &input), total(&[], stripped.as_bytes()));
            assert_eq!(left["effective"], now["raw"], "{name} {policy}: {left} {now}");
        }
    }
}

/// Rows add up, and the pieces in which the input comes do not matter.
#[test]
fn rows_add_up() {
    for (name, input) in own() {
        for by in ["record", "message", "block"] {
            let (_, rows) = run(&["tokens", "-q", "--by", by, "--total"], &input);
            let mut sums = [0; 6];
            let keys = ["reasoning_tokens", "final_tokens", "other_tokens", "raw", "effective", "sealed_blocks"];
            for row in rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                for (sum, key) in sums.iter_mut().zip(keys) {
                    let n = row[key].as_u64().unwrap_or(0);
                    if row["total"] == true {
                        assert_eq!(n, *sum, "{name} {by} {key}");
                    }
                    *sum += n;
                }
            }
        }
    }
}

const TURNS: &[u8] = br#"{"messages":[{"role":"user","content":"PUBL1C"},{"role":"assistant","reasoning_content":"S3CRET one two","content":"PUBL1C"},{"role":"assistant","reasoning_content":"S3CRET three","content":"PUBL1C"}]}"#;

#[test]
fn req_think_002_4_estimate_is_the_sum_over_blocks() {
    let blocks = br#"{"speaker":"ai","blocks":[{"type":"thinking","thought":"First thought"},{"type":"thinking","thought":"Second thought"}]}"#;
    assert_eq!(total(&[], blocks)["reasoning_tokens"], 8);
}

#[test]
fn req_think_005_1_the_context_used_is_that_of_the_effective_count() {
    let shown = total(&["--limit", "100"], TURNS);
    assert_eq!((shown["raw"].as_u64(), shown["effective"].as_u64()), (Some(13), Some(6)));
    assert_eq!(shown["context_used"], 0.06);
}

#[test]
fn req_think_005_2_compression_is_due_by_the_effective_count() {
    // Of 13 tokens 6 are sent: the raw count would be above the threshold, the effective one is not.
    let due = |set: &[&str]| total(&[&["--limit", "14"], set].concat(), TURNS)["compress"].clone();
    assert_eq!(due(&[]), false);
    assert_eq!(due(&["--set", "reasoning.includeInContext=true"]), true);
}

#[test]
fn req_think_005_3_the_effective_count_respects_the_settings() {
    let left = |set: &[&str]| total(set, TURNS)["effective"].as_u64().unwrap();
    assert_eq!(left(&[]), 6);
    assert_eq!(left(&["--set", "reasoning.includeInContext=true"]), 13);
    let last = ["--set", "reasoning.includeInContext=true", "--set", "reasoning.stripFromContext=allButLast"];
    assert_eq!(left(&last), 9);
    assert_eq!(left(&["--set", "reasoning.stripFromContext=allButLast"]), 6);
    assert_eq!(left(&["--set", "reasoning.includeInContext=true", "--set", "reasoning.enabled=false"]), 6);
}

#[test]
fn what_is_not_understood_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let rejects = folder.path().join("rejects");
    let input = b"{\"role\":\"user\",\"content\":\"PUBL1C\"}\n{bad\n";
    let (status, _) = run(&["tokens", "-q", "--rejects", rejects.to_str().unwrap()], input);
    assert_eq!((status, std::fs::read(&rejects).unwrap().as_slice()), (3, &b"{bad\n"[..]));
}

/// Rows of a recording wait for its end, and are not looked through with each record.
#[test]
fn a_recording_takes_linear_time() {
    let line = r#"{"v":1,"seq":1,"ts":"t","type":"content","payload":{"content":{"speaker":"ai","blocks":[{"type":"thinking","thought":"R"},{"type":"text","text":"a"}]}}}"#;
    let time = |n: usize| {
        let input = format!("{line}\n").repeat(n);
        let best = |_| {
            let start = std::time::Instant::now();
            assert_eq!(total(&[], input.as_bytes())["records"], n);
            start.elapsed()
        };
        (0..3).map(best).min().unwrap()
    };
    // What is quadratic takes a hundred times as long for ten times the input.
    let ok = (0..3).any(|_| time(40_000) < time(4_000) * 30);
    assert!(ok, "ten times the recording takes more than thirty times the time");
}
