//! Requirements of LLXPRT, one test each, named after the requirement: REQ-THINK-001 to 003, and of 004 what
//! `convert` does. The rest stands in `settings`.

use crate::convert::TARGETS;
use assert_cmd::Command;

fn run(args: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("unthink").unwrap();
    let output = command.args(args).write_stdin(input).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn convert(to: &str, input: &str) -> String {
    run(&["convert", "--to", to], input)
}

const BLOCK: &str = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"thinking\",\"thought\":\"S3CRET\",\"sourceField\":\"reasoning_content\"},{\"type\":\"text\",\"text\":\"PUBL1C\"}]}\n";
const CHAT: &str = "{\"role\":\"assistant\",\"content\":\"PUBL1C\",\"reasoning_content\":\"S3CRET\"}\n";
const SIGNED: &str = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"thinking\",\"thought\":\"S3CRET\",\"sourceField\":\"thinking\",\"signature\":\"S3CRETsig\",\"isHidden\":true},{\"type\":\"text\",\"text\":\"PUBL1C\"}]}\n";

#[test]
fn req_think_001_1_sourcefield_survives_the_round_trip() {
    for field in ["reasoning_content", "reasoning", "thinking", "thought"] {
        let chat = CHAT.replace("reasoning_content", field);
        let blocks = convert("thinking-block", &chat);
        let value: serde_json::Value = serde_json::from_str(&blocks).unwrap();
        let thought = value["blocks"].as_array().unwrap().iter().find(|b| b["type"] == "thinking").unwrap();
        assert_eq!((&thought["sourceField"], &thought["thought"]), (&field.into(), &"S3CRET".into()));
        assert_eq!(convert("thinking-block", &blocks), blocks, "{field}");
    }
    assert_eq!(convert("thinking-block", &convert("reasoning-content", BLOCK)), BLOCK);
}

#[test]
fn req_think_001_2_signature_is_kept_or_reported() {
    assert_eq!(convert("thinking-block", SIGNED), SIGNED);
    assert_eq!(run(&["strip", "--policy", "none"], SIGNED), SIGNED);
    for to in TARGETS.into_iter().filter(|to| *to != "thinking-block") {
        let mut command = Command::cargo_bin("unthink").unwrap();
        let output = command.args(["convert", "--strict", "--to", to]).write_stdin(SIGNED).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{to}: {stderr}");
        assert!(stderr.contains("loss: signature dropped, 1 block\n"), "{to}: {stderr}");
        assert!(stderr.contains("loss: isHidden dropped, 1 block\n"), "{to}: {stderr}");
        assert!(!stderr.contains("S3CRET"), "{to}: {stderr}");
    }
}

#[test]
fn req_think_001_3_thinking_stands_among_the_other_blocks() {
    let all = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"text\",\"text\":\"PUBL1C\"},{\"type\":\"thinking\",\"thought\":\"S3CRET\"},{\"type\":\"tool_call\",\"id\":\"1\",\"name\":\"f\",\"parameters\":{}},{\"type\":\"media\",\"mimeType\":\"image/png\",\"data\":\"\",\"encoding\":\"base64\"}]}\n";
    assert_eq!(convert("thinking-block", all), all);
    assert_eq!(run(&["split", "-o", "text", "--only", "reasoning"], all), "S3CRET\n");
    let want = all.replace("{\"type\":\"thinking\",\"thought\":\"S3CRET\"},", "");
    assert_eq!(run(&["strip", "--policy", "all"], all), want);
}

#[test]
fn req_think_002_1_all_thinking_blocks_are_extracted() {
    let all = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"thinking\",\"thought\":\"S3CRET 1\"},{\"type\":\"text\",\"text\":\"PUBL1C\"},{\"type\":\"thinking\",\"thought\":\"S3CRET 2\"}]}\n";
    assert_eq!(run(&["split", "-o", "text", "--only", "reasoning"], all), "S3CRET 1\nS3CRET 2\n");
    let none = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"text\",\"text\":\"PUBL1C\"}]}\n";
    assert!(!run(&["split"], none).contains("reasoning"));
}

#[test]
fn req_think_002_2_thinking_is_filtered_by_policy() {
    let stripped = "{\"speaker\":\"ai\",\"blocks\":[{\"type\":\"text\",\"text\":\"PUBL1C\"}]}\n";
    let all = BLOCK.repeat(3);
    assert_eq!(run(&["strip", "--policy", "none"], &all), all);
    assert_eq!(run(&["strip", "--policy", "all"], &all), stripped.repeat(3));
    assert_eq!(run(&["strip", "--policy", "allButLast"], &all), format!("{stripped}{stripped}{BLOCK}"));
}

#[test]
fn req_think_002_3_blocks_become_one_reasoning_content() {
    let block = |thought: &str| format!("{{\"type\":\"thinking\",\"thought\":\"{thought}\"}}");
    for (thoughts, want) in [
        (&["S3CRET"][..], "S3CRET"),
        (&["S3CRET 1", "S3CRET 2", "S3CRET 3"], "S3CRET 1\\nS3CRET 2\\nS3CRET 3"),
        (&["", "S3CRET", ""], "\\nS3CRET\\n"),
        (&["S3CRET\\n1", " 2 "], "S3CRET\\n1\\n 2 "),
        (&[""], ""),
    ] {
        let blocks: Vec<String> = thoughts.iter().map(|t| block(t)).collect();
        let input = format!("{{\"speaker\":\"ai\",\"blocks\":[{}]}}\n", blocks.join(","));
        let out = convert("reasoning-content", &input);
        assert!(out.contains(&format!("\"reasoning_content\":\"{want}\"")), "{out}");
    }
    assert_eq!(
        convert("reasoning-content", "{\"speaker\":\"ai\",\"blocks\":[]}\n"),
        "{\"role\":\"assistant\",\"content\":\"\"}\n"
    );
}

const DELTA: &str = "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"S3CRET\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"PUBL1C\"}}]}\n\ndata: [DONE]\n\n";

#[test]
fn req_think_003_1_deltas_of_reasoning_content_are_parsed() {
    let out = run(&["split"], DELTA);
    assert!(out.contains("\"visible\":\"PUBL1C\"") && out.contains("\"text\":\"S3CRET\""), "{out}");
    let blocks = convert("thinking-block", DELTA);
    assert!(blocks.contains("{\"blocks\":[{\"type\":\"thinking\","), "{blocks}");
    assert!(blocks.contains("{\"blocks\":[{\"type\":\"text\",\"text\":\"PUBL1C\"}]}"), "{blocks}");
    assert_eq!(convert("reasoning-content", &blocks), DELTA);
}

#[test]
fn req_think_003_2_responses_with_reasoning_content_are_parsed() {
    let response = format!("{{\"id\":\"r\",\"choices\":[{{\"index\":0,\"message\":{}}}]}}\n", CHAT.trim());
    let out = run(&["split"], &response);
    assert!(out.contains("\"visible\":\"PUBL1C\"") && out.contains("\"text\":\"S3CRET\""), "{out}");
    let blocks = convert("thinking-block", &response);
    assert_eq!(blocks, response.replace(CHAT.trim(), BLOCK.trim()));
    assert_eq!(convert("reasoning-content", &blocks), response);
}

#[test]
fn req_think_003_3_blocks_name_the_field_they_came_from() {
    assert_eq!(convert("thinking-block", CHAT), BLOCK);
    assert!(convert("thinking-block", DELTA).contains("\"sourceField\":\"reasoning_content\""));
}

#[test]
fn req_think_003_4_nothing_breaks_without_reasoning_content() {
    for message in [
        "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n",
        "{\"role\":\"assistant\",\"content\":\"PUBL1C\",\"reasoning_content\":null}\n",
        "{\"role\":\"assistant\",\"content\":null}\n",
        "{\"role\":\"user\",\"content\":\"PUBL1C\"}\n",
    ] {
        assert_eq!(convert("reasoning-content", message), message);
        assert_eq!(convert("reasoning-content", &convert("thinking-block", message)), message);
        assert!(!convert("thinking-block", message).contains("\"thinking\""), "{message}");
    }
    let plain = DELTA.replace("reasoning_content", "content");
    assert_eq!(convert("reasoning-content", &convert("thinking-block", &plain)), plain);
}

#[test]
fn req_think_004_3_included_reasoning_is_sent_in_reasoning_content() {
    let set = ["convert", "--to", "reasoning-content", "--set", "reasoning.includeInContext=true"];
    assert_eq!(run(&set, BLOCK), CHAT);
    let last = [&set[..], &["--set", "reasoning.stripFromContext=allButLast"]].concat();
    let stripped = "{\"role\":\"assistant\",\"content\":\"PUBL1C\"}\n";
    assert_eq!(run(&last, &BLOCK.repeat(3)), format!("{stripped}{stripped}{CHAT}"));
}

#[test]
fn req_think_004_4_reasoning_that_is_not_included_is_not_sent() {
    for to in TARGETS {
        for setting in ["reasoning.includeInContext=false", "reasoning.enabled=false", "reasoning.stripFromContext=all"]
        {
            for input in [BLOCK, CHAT, SIGNED, DELTA] {
                let out = run(&["convert", "--to", to, "--set", setting], input);
                assert!(!out.contains("S3CRET") && out.contains("PUBL1C"), "{to} {setting}: {out}");
            }
        }
    }
}
