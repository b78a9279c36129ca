//! Messages that go whole, over many conversations that hand themselves to other agents and back, as they may and as they
//! may not: whatever was said on the way is gone, and no delegation has lost one of its ends.

use serde_json::{Value, json};
use unthink::internals::check::{Check, RuleOptions, find};
use unthink::internals::dialect::{Pass, ReadOptions};
use unthink::internals::engine::{Engine, EngineOptions};
use unthink::internals::inline::Tags;
use unthink::internals::out::{Output, Sinks};
use unthink::internals::policy::{Policy, Removal, Strip, Unit};
use unthink::internals::strip::{Splice, SpliceOptions};

fn engine<O: Output>(tags: &Tags, output: O) -> Engine<O> {
    let read = ReadOptions::default();
    let options = EngineOptions { framing: None, read, max_record: 1 << 28, stop: false, pass: Pass::default() };
    Engine::new(tags, options, output)
}

fn strip(input: &[u8], delegations: bool, policy: Policy, piece: usize) -> Vec<u8> {
    let tags = Tags::default();
    let output = Splice::new(SpliceOptions { takes_messages: true, ..SpliceOptions::default() });
    let engine = engine(&tags, output).without(Removal::new(delegations));
    let mut engine = if policy == Policy::None { engine } else { engine.judged_by(Strip::new(policy, Unit::Message)) };
    let mut sinks = Sinks::default();
    input.chunks(piece).for_each(|piece| engine.push(piece, &mut sinks));
    engine.finish(&mut sinks);
    assert_eq!(engine.problems(), []);
    sinks.out
}

/// How many delegations have one end only.
fn dangling(input: &[u8]) -> usize {
    let rules = ["UT223", "UT224"].map(|code| find(code).unwrap()).to_vec();
    let tags = Tags::default();
    let mut engine = engine(&tags, Check::new(RuleOptions { rules, ..RuleOptions::default() }));
    let mut sinks = Sinks::default();
    engine.push(input, &mut sinks);
    engine.finish(&mut sinks);
    engine.into_output().findings().len()
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
}

/// A conversation, and which of its messages must be gone: those that are marked, and those in delegations too.
fn conversation(dice: &mut Dice) -> (Vec<Value>, Vec<bool>, Vec<bool>) {
    let (mut talk, mut marked, mut within) = (Vec::new(), Vec::new(), Vec::new());
    let mut open: Vec<bool> = Vec::new();
    for n in 0..dice.roll(12) {
        let mut instructions = Vec::new();
        let step = dice.roll(3) == 0;
        if step {
            instructions.push(json!({"type": "a.Instruction.IntermediateReasoning"}));
        }
        within.push(step || open.iter().any(|steps| *steps));
        marked.push(step);
        match dice.roll(5) {
            0 => {
                let steps = dice.roll(3) > 0;
                instructions
                    .push(json!({"type": "a.DelegateReasoning", "agentPrompt": "x", "markIntermediate": steps}));
                open.push(steps);
            }
            1 => {
                instructions.push(json!({"type": "ReturnControl"}));
                open.pop();
            }
            _ => (),
        }
        let mut content =
            vec![json!({"type": "IntermediateMessage", "structured": {"fullText": format!("said {n}.")}})];
        if dice.roll(2) == 0 {
            content.insert(0, json!({"type": "a.b.Thinking", "thinking": format!("thought {n}.")}));
        }
        let role = if dice.roll(4) == 0 { "USER" } else { "ASSISTANT" };
        talk.push(json!({"role": role, "content": content, "instructions": instructions}));
    }
    (talk, marked, within)
}

#[test]
fn what_goes_and_what_must_not() {
    let mut dice = Dice(7);
    for round in 0..600 {
        let (talk, marked, within) = conversation(&mut dice);
        let lines: String = talk.iter().map(|message| format!("{message}\n")).collect();
        let list = format!("{}\n", json!({ "messages": talk }));
        for input in [lines.as_bytes(), list.as_bytes()] {
            for (delegations, gone) in [(false, &marked), (true, &within)] {
                let policy = [Policy::None, Policy::All, Policy::AllButLast][round % 3];
                let out = strip(input, delegations, policy, usize::MAX);
                for piece in [1, 7, 100] {
                    assert_eq!(strip(input, delegations, policy, piece), out);
                }
                let text = String::from_utf8(out.clone()).unwrap();
                for (n, goes) in gone.iter().enumerate() {
                    assert_eq!(text.contains(&format!("said {n}.")), !goes, "{n} of {lines}{text}");
                    assert!(!goes || !text.contains(&format!("thought {n}.")), "{n} of {lines}{text}");
                }
                assert!(dangling(&out) <= dangling(input), "{lines}{text}");
                assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{text}");
                if policy != Policy::AllButLast {
                    assert_eq!(String::from_utf8_lossy(&strip(&out, delegations, policy, usize::MAX)), text);
                }
            }
        }
    }
}

/// An agent may be told 50,000 characters, counted as its program does: in UTF-16 code units.
#[test]
fn a_prompt_that_is_too_long() {
    for (prompt, status) in
        [("a".repeat(50_000), 0), ("a".repeat(50_001), 1), ("😀".repeat(25_000), 0), ("😀".repeat(25_001), 1)]
    {
        let ran = |args: &[&str]| {
            let line = format!(
                r#"{{"id":"m1","conversationId":"c1","role":"USER","content":[{{"type":"Message","text":"Go."}}],"instructions":[{{"type":"a.DelegateReasoning","agentPrompt":"{prompt}"}}],"createdAt":"t"}}"#
            );
            let mut command = assert_cmd::Command::cargo_bin("unthink").unwrap();
            command.args(args).write_stdin(line + "\n").output().unwrap()
        };
        let checked = ran(&["check", "--select", "UT222"]);
        assert_eq!(checked.status.code(), Some(status));
        assert_eq!(String::from_utf8(checked.stdout).unwrap().contains("UT222"), status == 1);
        // What is too long is not written.
        for to in ["gromozeka", "xml-lines"] {
            assert_eq!(ran(&["convert", "--to", to]).status.code(), Some(3 * status), "{to}");
        }
    }
}
