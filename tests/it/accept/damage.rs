//! A request that is accepted is damaged at a random place as a rule says: the rule finds it, the repair makes it accepted
//! again, and what was said stays.

use super::variants::{Order, Style, written};
use super::{mended, named};
use serde_json::{Value, json};
use unthink::internals::accept::{judge, rules::rows};

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below
    }

    fn text(&mut self) -> String {
        let words = [
            "需要先查询",
            "نعم، سأبحث",
            "Überlegung",
            "think </think>",
            "🤔👩‍👧",
            "signature",
            "\"role\":\"user\"",
            "a\nb\tc",
        ];
        format!("{} {}", words[self.roll(words.len())], self.roll(10_000))
    }

    fn letters(&mut self, n: usize) -> String {
        let all = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        (0..n).map(|_| char::from(all[self.roll(all.len())])).collect()
    }

    /// A signature of Anthropic, by its look.
    fn signature(&mut self) -> String {
        format!("Eq{}AA==", self.letters(160))
    }

    fn style(&mut self) -> Style {
        let order = [Order::Sorted, Order::Reversed, Order::Mixed][self.roll(3)];
        Style { escapes: self.roll(2) == 0, order, pretty: self.roll(2) == 0 }
    }
}

/// The shapes of healthy requests.
#[derive(Clone, Copy, PartialEq)]
enum Shape {
    Blocks,
    Converse,
    Items,
    Contents,
    /// Chat with reasoning in this member.
    Chat(&'static str),
    /// Chat with chunks of thinking.
    Chunks,
    /// Chat with signatures of Gemini.
    Extra,
}

/// A request that every target of its shape takes: turns with thoughts and calls, and the last word is the user's.
fn healthy(shape: Shape, dice: &mut Dice) -> Value {
    let turns = 1 + dice.roll(5);
    let mut all = Vec::new();
    for _ in 0..turns {
        let (text, id) = (dice.text(), dice.letters(20));
        all.push(said(shape, "user", &text));
        for _ in 0..dice.roll(3) {
            call(shape, dice, &mut all);
        }
        let (thought, answer) = (dice.text(), dice.text());
        match shape {
            Shape::Blocks => all.push(json!({"role": "assistant", "content": [
                {"type": "thinking", "thinking": thought, "signature": dice.signature()}, {"type": "text", "text": answer}]})),
            Shape::Converse => all.push(json!({"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": thought, "signature": dice.signature()}}}, {"text": answer}]})),
            Shape::Items => {
                all.push(json!({"type": "reasoning", "id": format!("rs_{id}"), "encrypted_content": format!("gAAAAAB{}", dice.letters(120)),
                    "summary": [{"type": "summary_text", "text": thought}]}));
                all.push(json!({"type": "message", "id": format!("msg_{id}"), "role": "assistant",
                    "content": [{"type": "output_text", "text": answer}]}));
            }
            Shape::Contents => all.push(json!({"role": "model", "parts": [
                {"text": thought, "thought": true}, {"text": answer, "thoughtSignature": dice.letters(64)}]})),
            Shape::Chat(field) => all.push(json!({"role": "assistant", "content": answer, field: thought})),
            Shape::Chunks => all.push(json!({"role": "assistant", "content": [
                {"type": "thinking", "thinking": [{"type": "text", "text": thought}]}, {"type": "text", "text": answer}]})),
            Shape::Extra => all.push(said(shape, "assistant", &answer)),
        }
    }
    all.push(said(shape, "user", &dice.text()));
    let mut request = match shape {
        Shape::Items => json!({"input": all, "store": false}),
        Shape::Contents => json!({"contents": all}),
        _ => json!({"messages": all}),
    };
    if shape == Shape::Blocks {
        request["thinking"] = json!({"type": "adaptive"});
    }
    request
}

fn said(shape: Shape, role: &str, text: &str) -> Value {
    match shape {
        Shape::Contents => json!({"role": role, "parts": [{"text": text}]}),
        Shape::Converse => json!({"role": role, "content": [{"text": text}]}),
        _ => json!({"role": role, "content": text}),
    }
}

/// A call of one tool or more, and the results.
fn call(shape: Shape, dice: &mut Dice, all: &mut Vec<Value>) {
    let (thought, result, id) = (dice.text(), dice.text(), dice.letters(20));
    let ids: Vec<String> = (0..=dice.roll(2)).map(|n| format!("call_{id}{n}")).collect();
    let each = |of: &dyn Fn(&String) -> Value| ids.iter().map(of).collect::<Vec<Value>>();
    match shape {
        Shape::Blocks => {
            let mut blocks = vec![json!({"type": "thinking", "thinking": thought, "signature": dice.signature()})];
            blocks.extend(each(
                &|id| json!({"type": "tool_use", "id": id, "name": "werkzeug", "input": {"type": "thinking"}}),
            ));
            all.push(json!({"role": "assistant", "content": blocks}));
            all.push(json!({"role": "user", "content": each(&|id| json!({"type": "tool_result", "tool_use_id": id, "content": result}))}));
        }
        Shape::Converse => {
            let mut blocks =
                vec![json!({"reasoningContent": {"reasoningText": {"text": thought, "signature": dice.signature()}}})];
            blocks.extend(each(&|id| json!({"toolUse": {"toolUseId": id, "name": "werkzeug", "input": {}}})));
            all.push(json!({"role": "assistant", "content": blocks}));
            all.push(json!({"role": "user", "content": each(&|id| json!({"toolResult": {"toolUseId": id, "content": [{"text": result}]}}))}));
        }
        Shape::Items => {
            all.push(json!({"type": "reasoning", "id": format!("rs_{id}"), "summary": [], "encrypted_content": format!("gAAAAAB{}", dice.letters(120))}));
            all.extend(each(&|id| json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": "werkzeug", "arguments": "{}"})));
            all.extend(each(&|id| json!({"type": "function_call_output", "call_id": id, "output": result})));
        }
        Shape::Contents => {
            let mut parts = each(&|_| json!({"functionCall": {"name": "werkzeug", "args": {}}}));
            parts[0]["thoughtSignature"] = json!(dice.letters(64));
            all.push(json!({"role": "model", "parts": parts}));
            all.push(json!({"role": "user", "parts": each(&|_| json!({"functionResponse": {"name": "werkzeug", "response": {"r": result}}}))}));
        }
        Shape::Chat(_) | Shape::Chunks | Shape::Extra => {
            let mut calls =
                each(&|id| json!({"id": id, "type": "function", "function": {"name": "werkzeug", "arguments": "{}"}}));
            if shape == Shape::Extra {
                calls[0]["extra_content"] = json!({"google": {"thought_signature": dice.letters(64)}});
            }
            let mut message = json!({"role": "assistant", "content": "", "tool_calls": calls});
            match shape {
                Shape::Chat(field) => message[field] = json!(thought),
                Shape::Chunks => {
                    message["content"] = json!([{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}])
                }
                _ => (),
            }
            all.push(message);
            all.extend(each(&|id| json!({"role": "tool", "tool_call_id": id, "content": result})));
        }
    }
}

fn list_of(request: &mut Value) -> &mut Vec<Value> {
    let key = ["messages", "input", "contents"].into_iter().find(|key| request[*key].is_array()).unwrap();
    request[key].as_array_mut().unwrap()
}

/// One of the messages for which that holds, at random.
fn any<'v>(request: &'v mut Value, dice: &mut Dice, is: impl Fn(&Value) -> bool) -> Option<(usize, &'v mut Value)> {
    let places: Vec<usize> = list_of(request).iter().enumerate().filter(|(_, it)| is(it)).map(|(at, _)| at).collect();
    let at = *places.get(dice.roll(places.len().max(1)))?;
    Some((at, &mut list_of(request)[at]))
}

fn answers(message: &Value) -> bool {
    message["role"] == "assistant"
}

fn calls(message: &Value) -> bool {
    message["tool_calls"].is_array()
}

fn reasons(item: &Value) -> bool {
    item["type"] == "reasoning"
}

/// Damages a request. `None`: it has no place for that.
type Damage = fn(&mut Value, &mut Dice) -> Option<()>;

/// Changes the first block of a message of the assistant.
fn block(request: &mut Value, dice: &mut Dice, change: impl Fn(&mut Value)) -> Option<()> {
    let (_, message) = any(request, dice, answers)?;
    change(&mut message["content"][0]);
    Some(())
}

/// Puts a member into a message of the assistant.
fn member(request: &mut Value, dice: &mut Dice, key: &str, value: Value) -> Option<()> {
    any(request, dice, answers)?.1[key] = value;
    Some(())
}

/// What stands at the last prompt of the user: damage of the turn that is going on stands behind it.
fn turn_goes_on(request: &mut Value, shape: Shape, dice: &mut Dice) {
    call(shape, dice, list_of(request));
}

const ANTHROPIC: &[Damage2] = &[
    ("AN01", |r, d| block(r, d, |b| drop(b.as_object_mut().unwrap().remove("signature")))),
    ("AN01", |r, d| block(r, d, |b| b["signature"] = Value::Null)),
    ("AN02", |r, d| {
        let no = ["", "unterschrift", "签名", "skip_thought_signature_validator", "c2lnbmF0dXJl", "Ev=A"][d.roll(6)];
        block(r, d, |b| b["signature"] = no.into())
    }),
    ("AN03", |r, d| block(r, d, |b| drop(b.as_object_mut().unwrap().remove("thinking")))),
    ("AN04", |r, d| block(r, d, |b| *b = json!({"type": "thinking", "thinking": ""}))),
    ("AN04", |r, d| block(r, d, |b| *b = json!({"type": "thinking", "thinking": "", "signature": ""}))),
    ("AN06", |r, d| {
        any(r, d, |m| answers(m) && m["content"][1]["type"] == "text")?.1["content"].as_array_mut()?.pop().map(drop)
    }),
    ("AN06", |r, d| {
        let data = d.letters(80);
        any(r, d, |m| answers(m) && m["content"][1]["type"] == "text")?.1["content"]
            .as_array_mut()?
            .push(json!({"type": "redacted_thinking", "data": data}));
        Some(())
    }),
    ("AN10", |r, d| {
        let list = any(r, d, answers)?.1["content"].as_array_mut()?;
        list.insert(0, list[0].clone());
        Some(())
    }),
    ("AN11", |r, d| block(r, d, |b| *b = json!({"type": "redacted_thinking", "data": ""}))),
    ("AN11", |r, d| block(r, d, |b| *b = json!({"type": "redacted_thinking"}))),
    ("AN12", |r, d| {
        let key = ["cache_control", "index", "id", "ключ", "x/y~z"][d.roll(5)];
        block(r, d, |b| b[key] = json!({"type": "ephemeral"}))
    }),
    ("AN13", |r, d| {
        let list = any(r, d, answers)?.1["content"].as_array_mut()?;
        list.insert(1, json!({"type": "text", "text": ""}));
        Some(())
    }),
    ("AN14", |r, d| {
        any(r, d, |m| answers(m) && m["content"][1]["type"] == "text")?.1["content"] =
            [json!([]), json!("")][d.roll(2)].clone();
        Some(())
    }),
    ("AN19", |r, d| {
        let key = ["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks"][d.roll(4)];
        member(r, d, key, json!("x"))
    }),
    ("AN19", |r, d| {
        let list = any(r, d, answers)?.1["content"].as_array_mut()?;
        list.insert(0, json!({"type": "thinking", "thinking": [{"type": "text", "text": "考"}]}));
        Some(())
    }),
];

type Damage2 = (&'static str, Damage);

const BEDROCK: &[Damage2] = &[
    ("BR02", |r, d| {
        block(r, d, |b| drop(b["reasoningContent"]["reasoningText"].as_object_mut().unwrap().remove("signature")))
    }),
    ("BR02", |r, d| block(r, d, |b| b["reasoningContent"]["reasoningText"]["signature"] = "".into())),
    ("BR03", |r, d| block(r, d, |b| b["reasoningContent"]["reasoningText"]["text"] = Value::Null)),
    ("BR03", |r, d| {
        block(r, d, |b| drop(b["reasoningContent"]["reasoningText"].as_object_mut().unwrap().remove("text")))
    }),
    ("BR04", |r, d| block(r, d, |b| b["reasoningContent"] = json!({"text": "考え"}))),
    ("BR06", |r, d| {
        let list = any(r, d, answers)?.1["content"].as_array_mut()?;
        list.insert(0, list[0].clone());
        Some(())
    }),
];

const RESPONSES: &[Damage2] = &[
    ("OR01", |r, d| {
        let (at, _) = any(r, d, |it| it["type"] == "message" && answers(it))?;
        let text = d.text();
        list_of(r)[at] = json!({"role": "assistant", "content": text});
        Some(())
    }),
    ("OR01", |r, d| {
        let (at, _) = any(r, d, |it| it["type"] == "message" && answers(it))?;
        list_of(r).remove(at);
        Some(())
    }),
    ("OR02", |r, d| any(r, d, reasons)?.1.as_object_mut()?.remove("id").map(drop)),
    ("OR03", |r, d| any(r, d, reasons)?.1.as_object_mut()?.remove("encrypted_content").map(drop)),
    ("OR03", |r, d| {
        let id = d.letters(20);
        let (at, _) = any(r, d, |it| it["role"] == "user")?;
        list_of(r).insert(at, json!({"type": "item_reference", "id": format!("rs_{id}")}));
        Some(())
    }),
    ("OR04", |r, d| {
        let foreign = [d.signature(), "rsn_0123".to_string(), "🔒".into()][d.roll(3)].clone();
        any(r, d, reasons)?.1["encrypted_content"] = foreign.into();
        Some(())
    }),
    ("OR06", |r, d| {
        let text = d.text();
        any(r, d, reasons)?.1["content"] = json!([{"type": "reasoning_text", "text": text}]);
        Some(())
    }),
    ("OR07", |r, d| any(r, d, reasons)?.1.as_object_mut()?.remove("summary").map(drop)),
    ("OR07", |r, d| {
        any(r, d, reasons)?.1["summary"] = Value::Null;
        Some(())
    }),
    ("OR08", |r, d| {
        let id = d.letters(80);
        let (_, item) = any(r, d, |it| it["id"].is_string())?;
        let kind = item["id"].as_str()?.split('_').next()?.to_string();
        item["id"] = format!("{kind}_{id}").into();
        Some(())
    }),
    ("OR09", |r, d| {
        let id = d.letters(20);
        any(r, d, reasons)?.1["id"] = format!("item_{id}").into();
        Some(())
    }),
    ("OR10", |r, d| {
        let (at, item) = any(r, d, |it| it["type"] == "message" && it["id"].is_string())?;
        let copy = item.clone();
        list_of(r).insert(at + 1, copy);
        Some(())
    }),
];

const KIMI: &[Damage2] = &[
    ("KM01", |r, d| any(r, d, calls)?.1.as_object_mut()?.remove("reasoning_content").map(drop)),
    ("KM01", |r, d| {
        any(r, d, calls)?.1["reasoning_content"] = Value::Null;
        Some(())
    }),
    ("KM02", |r, d| {
        any(r, d, calls)?.1["reasoning_content"] = "".into();
        Some(())
    }),
];

const GEMINI: &[Damage2] = &[
    ("GM01", |r, d| {
        turn_goes_on(r, Shape::Contents, d);
        let at = list_of(r).len() - 2;
        list_of(r)[at]["parts"][0].as_object_mut()?.remove("thoughtSignature").map(drop)
    }),
    ("GM02", |r, d| {
        turn_goes_on(r, Shape::Contents, d);
        let at = list_of(r).len() - 2;
        let part = &mut list_of(r)[at]["parts"][0];
        let sign = part.as_object_mut()?.remove("thoughtSignature")?;
        part["functionCall"]["thoughtSignature"] = sign;
        Some(())
    }),
    ("GM03", |r, d| {
        let no = ["claude#Eq", "签名", "abcde", "a b"][d.roll(4)];
        let (_, content) = any(r, d, |it| it["role"] == "model")?;
        let part = content["parts"].as_array_mut()?.iter_mut().find(|part| part["thoughtSignature"].is_string())?;
        part["thoughtSignature"] = no.into();
        Some(())
    }),
];

/// Who gets it, its shape, and how it is damaged.
const FAMILIES: &[(&str, Shape, &[Damage2])] = &[
    ("anthropic:claude-opus-4-6", Shape::Blocks, ANTHROPIC),
    ("vertex-claude:claude-sonnet-4-6@20260101", Shape::Blocks, ANTHROPIC),
    ("anthropic:claude-fable-5-1", Shape::Blocks, ANTHROPIC),
    ("bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0", Shape::Converse, BEDROCK),
    ("openai-responses:gpt-5", Shape::Items, RESPONSES),
    ("azure:gpt-5.2-codex", Shape::Items, RESPONSES),
    ("kimi:moonshotai/kimi-k2.6", Shape::Chat("reasoning_content"), KIMI),
    ("gemini:gemini-3-pro-preview", Shape::Contents, GEMINI),
    ("vertex-gemini:gemini-3-flash-preview", Shape::Contents, GEMINI),
    ("bedrock:us.amazon.nova-2-lite-v1:0", Shape::Converse, &[("BR01", |r, d| any(r, d, answers).map(drop))]),
    (
        "bedrock:global.anthropic.claude-sonnet-5",
        Shape::Converse,
        &[("BR05", |r, d| {
            any(r, d, |m| answers(m) && m["content"][1]["text"].is_string())?.1["content"]
                .as_array_mut()?
                .pop()
                .map(drop)
        })],
    ),
    (
        "xai:grok-4.3",
        Shape::Items,
        &[
            ("XA01", |r, d| any(r, d, reasons)?.1.as_object_mut()?.remove("summary").map(drop)),
            ("XA03", |r, d| {
                any(r, d, |it| it["type"] == "message" && answers(it))?.1["content"] = "".into();
                Some(())
            }),
        ],
    ),
    (
        "deepseek:deepseek-v4-pro",
        Shape::Chat("reasoning_content"),
        &[
            ("DS03", |r, d| any(r, d, calls)?.1.as_object_mut()?.remove("reasoning_content").map(drop)),
            ("DS03", |r, d| {
                let message = any(r, d, calls)?.1;
                let text = message.as_object_mut()?.remove("reasoning_content")?;
                message["reasoning"] = text;
                Some(())
            }),
        ],
    ),
    (
        "deepseek:deepseek-v3.2",
        Shape::Chat("reasoning_content"),
        &[("DS02", |r, d| {
            r["thinking"] = json!({"type": "enabled"});
            turn_goes_on(r, Shape::Chat("reasoning_content"), d);
            list_of(r)
                .iter_mut()
                .rfind(|message| calls(message))?
                .as_object_mut()?
                .remove("reasoning_content")
                .map(drop)
        })],
    ),
    (
        "deepseek-anthropic:deepseek-v4-pro",
        Shape::Blocks,
        &[("DS05", |r, d| {
            any(r, d, |m| answers(m) && m["content"][1]["type"] == "tool_use")?.1["content"].as_array_mut()?.remove(0);
            Some(())
        })],
    ),
    (
        "mistral:magistral-medium-latest",
        Shape::Chunks,
        &[
            ("MI01", |r, d| {
                let key = ["reasoning_content", "reasoning", "thinking_blocks"][d.roll(3)];
                member(r, d, key, json!(["", "考え"][key.len() % 2]))
            }),
            ("MI02", |r, d| block(r, d, |b| *b = json!({"type": "thinking", "thinking": "考え", "signature": "x"}))),
        ],
    ),
    (
        "groq:openai/gpt-oss-120b",
        Shape::Chat("reasoning"),
        &[("GQ01", |r, d| member(r, d, "reasoning_content", json!("")))],
    ),
    ("groq:llama-3.3-70b-versatile", Shape::Extra, &[("GQ02", |r, d| member(r, d, "reasoning", json!("考え")))]),
    (
        "cerebras:gpt-oss-120b",
        Shape::Chat("reasoning"),
        &[
            ("CB01", |r, d| member(r, d, "reasoning_content", json!("考え"))),
            ("CB02", |r, d| member(r, d, "reasoning_details", json!([{"type": "reasoning.text"}]))),
        ],
    ),
    ("fireworks", Shape::Chat("reasoning_content"), &[("FW01", |r, d| member(r, d, "thinking_blocks", json!([])))]),
    ("deepseek-r1-2025", Shape::Extra, &[("DS01", |r, d| member(r, d, "reasoning_content", json!("考え")))]),
    (
        "openrouter:anthropic/claude-sonnet-4.6",
        Shape::Extra,
        &[("OP01", |r, d| {
            let text = d.text();
            let entry = json!({"type": "reasoning.text", "text": text, "format": "anthropic-claude-v1", "index": 0});
            member(r, d, "reasoning_details", json!([entry]))
        })],
    ),
    (
        "gemini-openai:gemini-3-pro-preview",
        Shape::Extra,
        &[("GC01", |r, d| {
            turn_goes_on(r, Shape::Extra, d);
            list_of(r).iter_mut().rfind(|it| calls(it))?["tool_calls"][0]
                .as_object_mut()?
                .remove("extra_content")
                .map(drop)
        })],
    ),
    ("llama.cpp:qwen3.6-35b-a3b", Shape::Chat("reasoning_content"), &[("LC01", |r, _| list_of(r).pop().map(drop))]),
];

#[test]
fn damage_at_any_place_is_repaired() {
    let mut seen = std::collections::BTreeMap::new();
    for (to, shape, damages) in FAMILIES {
        let (target, model) = named(to);
        for (number, (code, damage)) in damages.iter().enumerate() {
            for seed in 1..=12_u64 {
                let mut dice =
                    Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64 + 1) << 32 ^ to.len() as u64);
                let mut request = healthy(*shape, &mut dice);
                let style = dice.style();
                let mut text = String::new();
                written(&request, style, 0, &mut text);
                let whole = judge(text.as_bytes(), target, model);
                let foreign = *code == "BR01";
                assert!(foreign || !whole.is_rejected() && whole.refused.is_empty(), "{code} {to} {seed}: {text}");
                if damage(&mut request, &mut dice).is_none() {
                    continue;
                }
                let mut broken = String::new();
                written(&request, style, 0, &mut broken);
                let found = judge(broken.as_bytes(), target, model);
                let codes: Vec<&str> = found.findings.iter().filter(|it| it.is_certain).map(|it| it.row.code).collect();
                assert!(codes.contains(code), "{code} {to} {seed}: {codes:?} {broken}");
                let new = mended(&format!("{code} {to} {seed}"), broken.as_bytes(), target, model);
                let new: Value = serde_json::from_slice(&new).unwrap();
                for said in list_of(&mut request).iter().filter(|message| message["role"] == "user") {
                    let kept = list_of(&mut new.clone()).contains(said);
                    assert!(kept, "{code} {to} {seed}: {said} is gone: {new}");
                }
                *seen.entry(*code).or_insert(0) += 1;
            }
        }
    }
    // Every rule that refuses, but those about settings and ends of requests, which their examples show.
    let others = ["AN07", "AN08", "AN09", "AN15", "AN16", "AN17", "OR05"];
    for row in rows().iter().filter(|row| row.outcome == unthink::internals::accept::rules::RuleOutcome::Rejected) {
        let n = seen.get(row.code).copied().unwrap_or(0);
        assert!(n >= 6 || others.contains(&row.code), "{}: damaged {n} times", row.code);
    }
}
