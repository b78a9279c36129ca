//! Lines of Claude Code: a message over several of them, events of it between them, two conversations in one file.

use super::{
    Dice, Message, block, check, config, events, frame, gives, goes, interleave, is_thinking, is_void, message_of,
    policies,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A line, the conversation that it belongs to, and the number of its message there.
#[derive(Clone)]
struct Line {
    chain: usize,
    step: usize,
    json: Value,
}

/// A step of a conversation: its kind, and the blocks of the model.
type Step = (u8, Vec<Value>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0u8..6, prop::collection::vec(block(), 1..5)), 0..6)
}

/// The lines of a step; `partial`: with the events of its messages.
fn lines(chain: usize, step: usize, (kind, blocks): &Step, partial: bool, dice: &mut Dice) -> Vec<Line> {
    let message = |blocks: &[Value]| {
        let id = format!("msg_{chain}{step}");
        json!({"type": "assistant", "message": {"id": id, "type": "message", "role": "assistant", "content": blocks}})
    };
    let user = |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let event = |event: Value| json!({"type": "stream_event", "event": event});
    let mut all = Vec::new();
    match kind {
        0 => all.push(user("Why?".into())),
        1 => {
            all.push(user("Caveat".into()));
            all[0]["isMeta"] = true.into();
        }
        2 => all.push(user(json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "4"}]))),
        3 if !partial => all.push(message(blocks)),
        _ if !partial => all.extend(blocks.iter().map(|block| message(std::slice::from_ref(block)))),
        _ => {
            let id = format!("msg_{chain}{step}");
            let empty = json!({"id": id, "type": "message", "role": "assistant", "content": []});
            all.push(event(json!({"type": "message_start", "message": empty})));
            for (i, block) in blocks.iter().enumerate() {
                let mut lines: Vec<Value> = events(block, i, dice).into_iter().map(event).collect();
                lines.insert(lines.len() - 1, message(std::slice::from_ref(block)));
                all.extend(lines);
            }
            all.push(event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}})));
            all.push(event(json!({"type": "message_stop"})));
        }
    }
    all.into_iter().map(|json| Line { chain, step, json }).collect()
}

/// The second implementation: blocks go and lines stay, but for the events of a block; `None` for those.
fn strip_lines(lines: &[Line], policy_name: &str) -> Vec<Option<Value>> {
    let mut want: Vec<Option<Value>> = lines.iter().map(|line| Some(line.json.clone())).collect();
    for chain in [0, 1] {
        let of = || lines.iter().filter(|line| line.chain == chain);
        let mut talk = vec![Message::default(); of().map(|line| line.step + 1).max().unwrap_or(0)];
        let mut gone = vec![Vec::new(); talk.len()];
        for Line { step, json, .. } in of() {
            let (now, all) = (message_of(&json["message"]["role"], &json["message"]["content"]), &mut talk[*step]);
            all.user |= now.user && json["isMeta"] != true;
            (all.reasons, all.calls) = (all.reasons | now.reasons, all.calls | now.calls);
            let opens = is_thinking(&json["event"]["content_block"]);
            gone[*step].extend(json["event"]["index"].as_u64().filter(|_| opens));
        }
        let goes = goes(policy_name, &talk);
        for (want, line) in want.iter_mut().zip(lines).filter(|(_, line)| line.chain == chain && goes[line.step]) {
            let json = want.as_mut().unwrap();
            if let Some(blocks) = json.pointer_mut("/message/content").and_then(Value::as_array_mut) {
                blocks.retain(|block| !is_thinking(block));
            }
            if let Some(index) = json["event"]["index"].as_u64() {
                let before = gone[line.step].iter().filter(|gone| **gone < index).count() as u64;
                json["event"]["index"] = (index - before).into();
                *want = want.take().filter(|_| !gone[line.step].contains(&index));
            }
        }
    }
    want
}

proptest! {
    #![proptest_config(config())]

    /// Lines of a session stay, with less in them, and lines with events of a block go.
    #[test]
    fn claude_code(
        chains in [steps(), steps()],
        (open, partial) in (1usize..3, any::<bool>()),
        dice in any::<u64>(),
    ) {
        let dice = &mut Dice(dice);
        let mut lists = Vec::new();
        for (chain, steps) in chains.iter().enumerate() {
            let each = steps.iter().enumerate().flat_map(|(i, step)| lines(chain, i, step, partial, dice));
            lists.push(each.collect());
        }
        let mut all: Vec<Line> = Vec::new();
        for (n, mut line) in interleave(lists, open, dice).into_iter().enumerate() {
            line.json["uuid"] = n.to_string().into();
            if partial {
                line.json["session_id"] = "s1".into();
                line.json["parent_tool_use_id"] = if line.chain == 1 { "toolu_9".into() } else { Value::Null };
            } else {
                line.json["sessionId"] = "s1".into();
                line.json["isSidechain"] = (line.chain == 1).into();
            }
            all.push(line);
            let other = json!({"type": "summary", "summary": "A test", "leafUuid": "a7"});
            all.extend((dice.roll(8) == 0).then_some(Line { chain: 9, step: 0, json: other }));
        }
        let texts: Vec<String> = all.iter().map(|line| frame(&line.json, false, false, dice)).collect();
        let input = texts.concat();
        for policy_name in policies(chains.iter().flatten().any(|(_, blocks)| blocks.iter().any(is_void))) {
            let out = check(&input, policy_name);
            let kept: Vec<_> = strip_lines(&all, policy_name).into_iter().zip(all.iter().zip(&texts)).collect();
            let kept: Vec<_> = kept.into_iter().filter_map(|(want, line)| Some((want?, line))).collect();
            prop_assert_eq!(out.lines().count(), kept.len(), "{}\n{}\n{}", policy_name, input, out);
            for (got, (want, (line, text))) in out.lines().zip(kept) {
                let value: Value = serde_json::from_str(got).unwrap();
                prop_assert_eq!(&value, &want, "{}: {}\n{}", policy_name, got, input);
                prop_assert!(line.json != want || got == text.trim_end(), "{}: {}", text, got);
            }
        }
    }
}

/// Tools run while the message goes on: their results stand between its lines.
#[test]
fn results_between_lines_of_a_message() {
    let line = |n: u8, block: &str| {
        format!(
            r#"{{"type":"assistant","sessionId":"s","uuid":"{n}","message":{{"id":"m1","role":"assistant","content":[{block}]}}}}"#
        )
    };
    let lines = [
        line(1, r#"{"type":"thinking","thinking":"R1","signature":"x"}"#),
        line(2, r#"{"type":"tool_use","id":"t1","name":"f","input":{}}"#),
        r#"{"type":"user","sessionId":"s","uuid":"3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"4"}]}}"#.into(),
        line(4, r#"{"type":"thinking","thinking":"R2","signature":"x"}"#),
    ];
    let lines = lines.each_ref().map(String::as_str);
    gives(&lines, "all-but-last", &lines);
}
