//! What LLXPRT's own tests expect of its functions, asked of this program: the vectors that lie beside the checkout.

use crate::support::shared;
use assert_cmd::Command;
use serde_json::{Value, json};

/// Vectors that differ on purpose, and why. Where one no longer differs, its row must go.
const DIFFERENCES: [(&str, &str); 4] = [
    (
        "effective token count: includeInContext=true: raw count, strip policy ignored",
        "the policy chooses first, whatever is sent then (SPEC 6; REQ-THINK-005.3)",
    ),
    (
        "effective token count: false + allButLast: minus all but the last message with thinking",
        "with includeInContext=false nothing of the reasoning is sent (REQ-THINK-004.4, 005.1)",
    ),
    (
        "buildMessagesWithReasoning: tool call + toolFormat openai suppresses reasoning_content",
        "what a provider's tool format leaves out is not the dialect's: a message keeps its place and its calls (SPEC 5)",
    ),
    (
        "stripThoughtsFromHistory(gemini): thought-only model turn is removed",
        "a message left without content stays, unless --empty drop (SPEC 6)",
    ),
];

/// Functions of the vectors that have a verb here, and how often they occur.
const FUNCTIONS: [(&str, usize); 7] = [
    ("estimateThinkingTokens", 5),
    ("effective token count", 4),
    ("thinkingToReasoningField", 5),
    ("filterThinkingForContext", 7),
    ("extractThinkingBlocks", 2),
    ("buildMessagesWithReasoning", 12),
    ("stripThoughtsFromHistory(gemini)", 6),
];

/// Runs the program over one JSON value; the document that comes out.
fn run(args: &[&str], input: &Value) -> Value {
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.args(args).args(["--framing", "json"]).write_stdin(input.to_string()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?} {input}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    if lines.len() == 1 { lines[0].clone() } else { Value::Array(lines) }
}

fn convert(settings: &Value, input: &Value) -> Value {
    let mut args = vec!["convert".to_string(), "--to".into(), "reasoning-content".into()];
    for (key, value) in settings.as_object().unwrap().iter().filter(|(key, _)| key.starts_with("reasoning.")) {
        args.extend(["--set".into(), format!("{key}={}", value.to_string().trim_matches('"'))]);
    }
    run(&args.iter().map(String::as_str).collect::<Vec<_>>(), input)
}

/// The totals of a record under settings.
fn tokens(settings: &[String], record: &Value) -> Value {
    let mut args = vec!["tokens", "-q", "-o", "jsonl", "--total"];
    args.extend(settings.iter().map(String::as_str));
    run(&args, record).as_array().unwrap().last().unwrap().clone()
}

/// Messages with thoughts of so many tokens, and what is left of all: how the vectors say it.
fn effective(settings: &Value, counts: &[Value]) -> Value {
    let message = |n: &Value| {
        let thought = "four".repeat(usize::try_from(n.as_u64().unwrap()).unwrap());
        json!({"speaker": "ai", "blocks": [{"type": "thinking", "thought": thought}, {"type": "text", "text": "PUBL1C"}]})
    };
    let record = json!({"history": counts.iter().map(message).collect::<Vec<_>>()});
    let set = |key: &str| {
        let value = settings[key].to_string();
        ["--set".to_string(), format!("reasoning.{key}={}", value.trim_matches('"'))]
    };
    let total = tokens(&[set("includeInContext"), set("stripFromContext")].concat(), &record);
    match total["raw"].as_u64().unwrap() - total["effective"].as_u64().unwrap() {
        0 => json!("raw"),
        n => json!(format!("raw - {n}")),
    }
}

/// What the program makes of a vector's input, in the shape of what the vector expects.
fn found(settings: &Value, input: &Value) -> Value {
    let messages = |all: &Value| json!({"history": all});
    let strip = |policy: &str| {
        let args = ["strip", "--policy", policy, "--set", "reasoning.includeInContext=true"];
        run(&args, &messages(input))["history"].clone()
    };
    match settings["fn"].as_str().unwrap() {
        "thinkingToReasoningField" => {
            let record = json!({"speaker": "ai", "blocks": input});
            convert(&json!({}), &record)["reasoning_content"].clone()
        }
        "estimateThinkingTokens" => {
            let record = json!({"speaker": "ai", "blocks": input});
            tokens(&[], &record)["reasoning_tokens"].clone()
        }
        "effective token count" => effective(settings, input["thinkingTokensPerMessage"].as_array().unwrap()),
        "extractThinkingBlocks" => {
            let first = run(&["split", "--join", "\u{1}"], input);
            let text = first["reasoning"]["text"].as_str();
            text.map_or(json!([]), |text| text.split('\u{1}').collect::<Vec<_>>().into())
        }
        "filterThinkingForContext" | "stripThoughtsFromHistory(gemini)" => strip(settings["policy"].as_str().unwrap()),
        "buildMessagesWithReasoning" => convert(settings, &messages(input))["history"].clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn vectors_of_llxprt() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("vectors/llxprt.json")).unwrap();
    let vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    for (function, count) in FUNCTIONS {
        let of_function: Vec<&Value> = vectors.iter().filter(|v| v["settings"]["fn"] == function).collect();
        assert_eq!(of_function.len(), count, "{function}");
        for vector in of_function {
            let name = vector["name"].as_str().unwrap();
            let mut found = found(&vector["settings"], &vector["input"]);
            if vector["expected"].get("reasoning_content_present").is_some() {
                found = json!({"reasoning_content_present": found[0].get("reasoning_content").is_some()});
            }
            let differs = DIFFERENCES.iter().any(|(n, _)| *n == name);
            match differs {
                true => assert_ne!(found, vector["expected"], "{name} is no difference any more"),
                false => assert_eq!(found, vector["expected"], "{name}"),
            }
        }
    }
    let named = |name: &str| vectors.iter().any(|v| v["name"] == name);
    assert!(DIFFERENCES.iter().all(|(name, _)| named(name)), "a difference names no vector");
}
