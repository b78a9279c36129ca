//! What `strip` removes, against a second implementation that deletes and renumbers parsed JSON: the blocks of a message,
//! the events of a block, the items of a list, and what follows when one of them goes.

mod claude_code;
mod empty;
mod responses;

use crate::support::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Random numbers for what proptest need not shrink: the order of keys, white space, where pieces are cut.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }

    /// A text in pieces, some of them empty.
    fn pieces(&mut self, text: &str) -> Vec<String> {
        let mut pieces = vec![String::new()];
        for c in text.chars() {
            while self.roll(4) == 0 {
                pieces.push(String::new());
            }
            pieces.last_mut().unwrap().push(c);
        }
        pieces
    }

    /// JSON with its keys in any order, and any of this white space anywhere.
    fn print(&mut self, value: &Value, space: &[&'static str]) -> String {
        let gap = |dice: &mut Self| dice.pick(space);
        let items: Vec<String> = match value {
            Value::Array(list) => list.iter().map(|v| self.print(v, space)).collect(),
            Value::Object(map) => {
                let mut members: Vec<_> = map.iter().collect();
                (1..members.len()).for_each(|i| members.swap(i, self.roll(i + 1)));
                let member = |(k, v): (&String, &Value)| {
                    format!("{}{}:{}{}", json!(k), gap(self), gap(self), self.print(v, space))
                };
                members.into_iter().map(member).collect()
            }
            other => return other.to_string(),
        };
        let (open, close) = if value.is_array() { ("[", "]") } else { ("{", "}") };
        let mut out = format!("{open}{}", gap(self));
        for (i, item) in items.iter().enumerate() {
            out += &format!("{}{item}{}", if i > 0 { format!(",{}", gap(self)) } else { String::new() }, gap(self));
        }
        out + close
    }
}

/// A message of a conversation, as the policies see it.
#[derive(Clone, Copy, Default, Debug)]
struct Message {
    user: bool,
    reasons: bool,
    calls: bool,
}

/// Of which messages the reasoning goes (SPEC section 6).
fn goes(policy_name: &str, talk: &[Message]) -> Vec<bool> {
    let turn = |i: usize| talk[..=i].iter().filter(|m| m.user).count();
    let all = 0..talk.len();
    let last = talk.iter().rposition(|m| m.reasons);
    let user = talk.iter().rposition(|m| m.user);
    let mut turns: Vec<usize> = all.clone().filter(|i| talk[*i].reasons).map(turn).collect();
    turns.dedup();
    let stays = |i: usize| match policy_name {
        "none" => true,
        "all" => false,
        "all-but-last" => Some(i) == last,
        "before-last-user" => user.is_none_or(|user| i > user),
        "keep-tool-turns" => all.clone().any(|j| talk[j].calls && turn(j) == turn(i)),
        "keep-last-2" => turns.iter().rev().take(2).any(|t| *t == turn(i)),
        other => panic!("{other}"),
    };
    all.clone().map(|i| !stays(i)).collect()
}

fn filled(value: &Value) -> bool {
    value.as_str().is_some_and(|s| !s.is_empty())
}

fn is_thinking(block: &Value) -> bool {
    block["type"] == "thinking" || block["type"] == "redacted_thinking"
}

/// Whether a block of reasoning is empty.
fn is_void(block: &Value) -> bool {
    is_thinking(block) && !["thinking", "signature", "data"].iter().any(|key| filled(&block[*key]))
}

/// The policies to try. Two of them ask whether a message has any reasoning: where blocks come in pieces, an empty one is
/// none to the program (`empty::an_empty_block_is_a_block`).
fn policies(voids: bool) -> Vec<&'static str> {
    POLICIES.into_iter().filter(|name| !voids || !["all-but-last", "keep-last-2"].contains(name)).collect()
}

/// A message of Anthropic's. The result of a tool is no turn of the user. A block that is empty is
/// a block (SPEC section 5).
fn message_of(role: &Value, content: &Value) -> Message {
    let blocks = content.as_array().cloned().unwrap_or_default();
    let has = |kind: &str| blocks.iter().any(|b| b["type"] == kind);
    let user = role == "user" && (content.is_string() || has("text") || !has("tool_result"));
    Message { user, reasons: blocks.iter().any(is_thinking), calls: has("tool_use") }
}

/// The same output in pieces; all of it is read.
fn check(input: &str, policy_name: &str) -> String {
    let whole = strip(input.as_bytes(), policy(policy_name));
    assert_eq!(whole.problems, [], "{policy_name}\n{input}");
    for piece in [1, 7] {
        assert_eq!(
            strip(input.as_bytes(), Setup { piece, ..policy(policy_name) }),
            whole,
            "{policy_name} {piece}\n{input}"
        );
    }
    let again = strip(&whole.out, policy(policy_name));
    assert_eq!(again.text(), whole.text(), "{policy_name} again\n{input}");
    if policy_name == "all" && !whole.out.is_empty() {
        // A run of items that was reasoning only is no message any more.
        let visible = |bytes: &[u8]| {
            let all = messages(bytes, Setup::default()).into_iter().map(|m| m.0);
            all.filter(|text| !text.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(visible(&whole.out), visible(input.as_bytes()), "{input}\n{}", whole.text());
        let left = messages(&whole.out, Setup::default());
        assert!(left.iter().all(|(_, reasoning)| reasoning.is_none()), "{left:?}\n{input}");
    }
    whole.text()
}

/// A JSON document: the values, and bytes that are only removed.
fn check_json(input: &str, want: &Value, policy_name: &str) {
    let out = check(input, policy_name);
    let got: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {policy_name}\n{input}\n{out}"));
    assert_eq!(&got, want, "{policy_name}\n{input}\n{out}");
    let mut rest = input.bytes();
    assert!(out.bytes().all(|b| rest.any(|c| c == b)), "{policy_name}: other bytes\n{input}\n{out}");
    let before: Value = serde_json::from_str(input).unwrap();
    assert!(before != *want || out == input, "{policy_name}: nothing goes\n{input}\n{out}");
}

const WORDS: [&str; 8] =
    ["", "a", "Ask for both.", "é 😀 \"q\"\n", "reasoning: \\ thinking", "{\"type\":\"ping\"}", "  ", "<b>"];

fn block() -> impl Strategy<Value = Value> {
    let word = || prop::sample::select(WORDS.to_vec());
    let signature = prop::sample::select(vec![json!({}), json!({"signature": ""}), json!({"signature": "EqQB+/8="})]);
    let thinking = (word(), signature).prop_map(|(text, mut block)| {
        block["type"] = "thinking".into();
        block["thinking"] = text.into();
        block
    });
    prop_oneof![
        3 => thinking,
        1 => Just(json!({"type": "redacted_thinking", "data": "EmwKAhgB"})),
        1 => Just(json!({"type": "kind_of_tomorrow", "value": "x"})),
        3 => word().prop_map(|text| json!({"type": "text", "text": text})),
        2 => Just(json!({"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"thinking": "x", "q": [1]}})),
    ]
}

/// The events of a block.
fn events(block: &Value, index: usize, dice: &mut Dice) -> Vec<Value> {
    let mut start = block.clone();
    let mut deltas = Vec::new();
    for (key, kind, of) in [("thinking", "thinking_delta", "thinking"), ("text", "text_delta", "text")] {
        if let Some(text) = block[key].as_str() {
            start[key] = "".into();
            deltas.extend(dice.pieces(text).into_iter().map(|piece| json!({"type": kind, of: piece})));
        }
    }
    if let Some(signature) = block["signature"].as_str() {
        start["signature"] = "".into();
        deltas.push(json!({"type": "signature_delta", "signature": signature}));
    }
    if block["type"] == "tool_use" {
        start["input"] = json!({});
        let json = dice.pieces(&block["input"].to_string());
        deltas.extend(json.into_iter().map(|piece| json!({"type": "input_json_delta", "partial_json": piece})));
    }
    let mut all = vec![json!({"type": "content_block_start", "index": index, "content_block": start})];
    all.extend(deltas.into_iter().map(|d| json!({"type": "content_block_delta", "index": index, "delta": d})));
    all.push(json!({"type": "content_block_stop", "index": index}));
    all
}

/// Lists one behind the other, or, `open` at a time, in each other.
fn interleave<T>(lists: Vec<Vec<T>>, open: usize, dice: &mut Dice) -> Vec<T> {
    let (mut out, mut now) = (Vec::new(), Vec::new());
    let mut lists = lists.into_iter();
    loop {
        if now.is_empty() || now.len() < open && dice.roll(3) == 0 {
            let mut next = lists.next().map(Vec::into_iter);
            out.extend(next.as_mut().and_then(Iterator::next));
            now.extend(next);
        }
        now.retain(|list| list.len() > 0);
        match now.len() {
            0 if lists.len() == 0 => return out,
            0 => (),
            n => out.extend(now[dice.roll(n)].next()),
        }
    }
}

/// White space between the words of a document, and of a document on one line.
const SPACE: &[&str] = &["", " ", "\n", "\n  ", "\t", "  "];
const BLANKS: &[&str] = &["", "", " ", "\t"];

/// An event or a line, with spaces, most of them before its last brace.
fn frame(value: &Value, sse: bool, pad: bool, dice: &mut Dice) -> String {
    let mut json = dice.print(value, if pad { BLANKS } else { &[""] });
    if pad {
        json.insert_str(json.len() - 1, &" ".repeat(dice.roll(16)));
    }
    match sse {
        // Some servers do not name their events.
        true if pad && dice.roll(4) == 0 => format!("data:{json}\n\n"),
        true => format!("event: {}\ndata: {json}\n\n", value["type"].as_str().unwrap()),
        false => format!("{json}\n"),
    }
}

/// The frames that stay, with the numbers of their blocks: the second implementation for streams of Anthropic's.
fn strip_events(frames: &[(Value, String)], policy_name: &str) -> String {
    let mut talk: Vec<Message> = Vec::new();
    let mut gone: Vec<Vec<u64>> = Vec::new();
    let mut of = Vec::new();
    for (value, _) in frames {
        match value["type"].as_str() {
            Some("message_start") => talk.push(Message::default()),
            None => talk.push(message_of(&value["role"], &value["content"])),
            _ => (),
        }
        gone.resize(talk.len(), Vec::new());
        of.push(talk.len().max(1) - 1);
        let (block, Some(index)) = (&value["content_block"], value["index"].as_u64()) else { continue };
        let message = talk.last_mut().unwrap();
        gone.last_mut().unwrap().extend(is_thinking(block).then_some(index));
        message.calls |= block["type"] == "tool_use";
        message.reasons |= is_thinking(block);
    }
    let goes = goes(policy_name, &talk);
    let kept = frames.iter().zip(of).filter_map(|((value, text), of)| {
        let (Some(index), true) = (value["index"].as_u64(), goes[of]) else { return Some(text.clone()) };
        let before = gone[of].iter().filter(|gone| **gone < index).count() as u64;
        let (start, rest) = text.split_once("\"index\"").unwrap();
        let rest = rest.replacen(&index.to_string(), &(index - before).to_string(), 1);
        (!gone[of].contains(&index)).then(|| format!("{start}\"index\"{rest}"))
    });
    kept.collect()
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    /// The events of a block go whole, and the later blocks move up.
    #[test]
    fn anthropic_streams(
        messages in prop::collection::vec(prop::collection::vec(block(), 0..6), 1..5),
        (open, sse, pad, users) in (1usize..4, any::<bool>(), any::<bool>(), any::<bool>()),
        (ids, ends, crlf) in (0u8..3, any::<bool>(), any::<bool>()),
        dice in any::<u64>(),
    ) {
        let dice = &mut Dice(dice);
        let mut values = Vec::new();
        for (i, blocks) in messages.iter().enumerate() {
            if users && !sse && dice.roll(2) == 0 {
                values.push(json!({"role": "user", "content": "And at dusk?"}));
            }
            let id = match ids {
                0 => json!(format!("msg_{i}")),
                1 => json!("msg_0"),
                _ => Value::Null,
            };
            let message = json!({"id": id, "type": "message", "role": "assistant", "content": [], "usage": {"output_tokens": 1}});
            values.push(json!({"type": "message_start", "message": message}));
            let lists = blocks.iter().enumerate().map(|(i, block)| events(block, i, dice)).collect();
            for event in interleave(lists, open, dice) {
                values.extend((dice.roll(6) == 0).then(|| json!({"type": "ping"})));
                values.push(event);
            }
            values.push(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}));
            // Gateways leave it out, or begin the next message before it.
            values.extend((ends || dice.roll(2) == 0).then(|| json!({"type": "message_stop"})));
        }
        let frames: Vec<_> = values.into_iter().map(|v| { let text = frame(&v, sse, pad, dice); (v, text) }).collect();
        let line_ends = |text: String| if crlf { text.replace('\n', "\r\n") } else { text };
        let input = line_ends(frames.iter().map(|(_, text)| text.as_str()).collect());
        for policy_name in policies(messages.iter().flatten().any(is_void)) {
            let out = check(&input, policy_name);
            prop_assert_eq!(out, line_ends(strip_events(&frames, policy_name)), "{}\n{}", policy_name, input);
        }
        if open == 1 && !messages.iter().flatten().any(is_void) {
            let texts = |blocks: &Vec<Value>, key: &str| -> Vec<String> {
                blocks.iter().filter_map(|block| block[key].as_str()).filter(|s| !s.is_empty()).map(String::from).collect()
            };
            let want = messages.iter().map(|blocks| {
                let reasoning = blocks.iter().any(is_thinking).then(|| texts(blocks, "thinking").join("\n"));
                (texts(blocks, "text").concat(), reasoning)
            });
            prop_assert_eq!(crate::support::messages(input.as_bytes(), Setup::default()), want.collect::<Vec<_>>(), "{}", input);
        }
    }

    /// Blocks go with their commas from the messages of requests, and the messages stay.
    #[test]
    fn anthropic_requests(
        turns in prop::collection::vec((0u8..6, prop::collection::vec(block(), 0..5)), 0..9),
        (pretty, loose, known) in (any::<bool>(), any::<bool>(), any::<bool>()),
        dice in any::<u64>(),
    ) {
        let result = json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "4.0"}]});
        let text = json!({"type": "text", "text": "Thanks."});
        let message = |(kind, blocks): &(u8, Vec<Value>)| match kind {
            0 => json!({"role": "user", "content": "Is it warm?"}),
            1 => json!({"role": "user", "content": [text]}),
            2 => json!({"role": "user", "content": [result, result]}),
            3 if blocks.len() == 1 => json!({"role": "user", "content": [result, text]}),
            4 if blocks.is_empty() => json!({"role": "assistant", "content": "It is."}),
            _ => json!({"role": "assistant", "content": blocks}),
        };
        let mut request = json!({"model": "m", "messages": turns.iter().map(message).collect::<Vec<_>>()});
        if known {
            request["system"] = "Be brief.".into();
            request["max_tokens"] = 9.into();
            request["thinking"] = json!({"type": "enabled", "budget_tokens": 1024});
        }
        let input = if pretty { serde_json::to_string_pretty(&request).unwrap() } else { Dice(dice).print(&request, if loose { SPACE } else { &[""] }) };
        let messages = request["messages"].as_array().unwrap();
        let talk: Vec<Message> = messages.iter().map(|m| message_of(&m["role"], &m["content"])).collect();
        for policy_name in POLICIES {
            let mut want = request.clone();
            for (i, goes) in goes(policy_name, &talk).into_iter().enumerate() {
                if let (true, Some(blocks)) = (goes, want["messages"][i]["content"].as_array_mut()) {
                    blocks.retain(|block| !is_thinking(block));
                }
            }
            check_json(&input, &want, policy_name);
        }
    }
}

/// `input` under a policy gives `want`; all of it is read.
fn gives(input: &[&str], policy_name: &str, want: &[&str]) {
    let ran = strip((input.join("\n") + "\n").as_bytes(), policy(policy_name));
    assert_eq!(ran.problems, []);
    assert_eq!(ran.text(), want.join("\n") + "\n", "{policy_name}");
}
