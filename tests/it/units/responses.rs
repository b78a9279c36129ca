//! Items of requests, which lose the ids that ask for what went, and events of responses, whose numbers keep holes.

use super::{Dice, Message, SPACE, check, check_json, config, filled, frame, gives, goes, interleave, policies};
use crate::support::POLICIES;
use proptest::prelude::*;
use serde_json::{Value, json};

const TEXTS: [&str; 5] = ["", "Ask for both.", "**Head**\n\né 😀", "reasoning \"summary\"", "{}"];

fn reasoning() -> impl Strategy<Value = Value> {
    let text = || prop::sample::select(TEXTS.to_vec());
    let summary = prop::collection::vec(text().prop_map(|t| json!({"type": "summary_text", "text": t})), 0..3);
    let raw = prop::collection::vec(text().prop_map(|t| json!({"type": "reasoning_text", "text": t})), 0..3);
    let item = |(summary, raw, seal, id): (Vec<Value>, Vec<Value>, u8, bool)| {
        let mut item = json!({"type": "reasoning", "summary": summary});
        if !raw.is_empty() || seal == 3 {
            item["content"] = if raw.is_empty() { Value::Null } else { raw.into() };
        }
        match seal {
            0 => item["encrypted_content"] = "gAAAAABo+/=".into(),
            1 => item["encrypted_content"] = Value::Null,
            _ => (),
        }
        if id {
            item["id"] = "rs_1".into();
        }
        item
    };
    (summary, raw, 0u8..4, any::<bool>()).prop_map(item)
}

/// An item that the model wrote, beside its reasoning.
fn written() -> impl Strategy<Value = Value> {
    let items = vec![
        json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "It is.", "annotations": []}]}),
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is."}]}),
        json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "f", "arguments": "{\"id\":\"x\"}"}),
        json!({"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}),
        json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "f", "input": "id"}),
        json!({"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "id"}}),
    ];
    prop::sample::select(items)
}

/// An item that others wrote.
fn others() -> impl Strategy<Value = Value> {
    let items = vec![
        json!({"role": "user", "content": "Is it warm?"}),
        json!({"type": "message", "id": "msg_9", "role": "user", "content": [{"type": "input_text", "text": "Thanks."}]}),
        json!({"role": "developer", "content": "Be brief."}),
        json!({"type": "function_call_output", "id": "fco_1", "call_id": "call_1", "output": "4.0"}),
        json!({"type": "custom_tool_call_output", "call_id": "call_1", "output": "4.0"}),
    ];
    prop::sample::select(items)
}

fn is_reasoning(item: &Value) -> bool {
    item["type"] == "reasoning"
}

fn is_call(item: &Value) -> bool {
    item["type"].as_str().is_some_and(|kind| kind.ends_with("_call"))
}

/// Whether an item of reasoning has an empty text, or says nothing at all.
fn is_void(item: &Value) -> bool {
    let parts = || ["summary", "content"].into_iter().flat_map(|key| item[key].as_array().into_iter().flatten());
    let nothing = parts().next().is_none() && !filled(&item["encrypted_content"]);
    is_reasoning(item) && (nothing || parts().any(|part| part["text"] == ""))
}

/// The second implementation for input: items go, and so do the ids of those behind them in the same run.
fn strip_input(items: &[Value], policy_name: &str) -> Vec<Value> {
    let (mut talk, mut of, mut runs) = (Vec::new(), Vec::new(), false);
    for item in items {
        let output = item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
        let models = !output && (item["role"] == "assistant" || item["role"].is_null());
        if !models || !runs {
            talk.push(Message { user: item["role"] == "user", ..Message::default() });
        }
        let run: &mut Message = talk.last_mut().unwrap();
        (run.reasons, run.calls) = (run.reasons | is_reasoning(item), run.calls | is_call(item));
        runs = models;
        of.push(talk.len() - 1);
    }
    let goes = goes(policy_name, &talk);
    let mut want: Vec<Value> = Vec::new();
    let mut last = None;
    for (item, of) in items.iter().zip(of) {
        if goes[of] && is_reasoning(item) {
            last = Some(of);
            continue;
        }
        want.push(item.clone());
        if last == Some(of) {
            want.last_mut().unwrap().as_object_mut().unwrap().remove("id");
        }
    }
    want
}

/// The events of an item.
fn events(item: &Value, index: usize, dice: &mut Dice) -> Vec<Value> {
    let mut added = item.clone();
    let mut all = Vec::new();
    for (list, kind, event) in [("summary", "summary_text", "reasoning_summary_text"), ("content", "", "")] {
        for (n, part) in item[list].as_array().into_iter().flatten().enumerate() {
            let is_summary = kind == "summary_text";
            let event = match part["type"].as_str().unwrap() {
                "reasoning_text" => "reasoning_text",
                "output_text" => "output_text",
                _ => event,
            };
            let number = if is_summary { "summary_index" } else { "content_index" };
            let around = if is_summary { "reasoning_summary_part" } else { "content_part" };
            let event_of = |kind: String, key: &str, value: Value| json!({"type": format!("response.{kind}"), "item_id": item["id"], "output_index": index, number: n, key: value});
            let mut empty = part.clone();
            empty["text"] = "".into();
            all.push(event_of(format!("{around}.added"), "part", empty));
            for piece in dice.pieces(part["text"].as_str().unwrap()) {
                all.push(event_of(format!("{event}.delta"), "delta", piece.into()));
            }
            all.push(event_of(format!("{event}.done"), "text", part["text"].clone()));
            all.push(event_of(format!("{around}.done"), "part", part.clone()));
        }
        if added[list].is_array() {
            added[list] = json!([]);
        }
    }
    if let Some(arguments) = item["arguments"].as_str() {
        added["arguments"] = "".into();
        let delta = |piece: String| json!({"type": "response.function_call_arguments.delta", "output_index": index, "delta": piece});
        all.extend(dice.pieces(arguments).into_iter().map(delta));
        all.push(
            json!({"type": "response.function_call_arguments.done", "output_index": index, "arguments": arguments}),
        );
    }
    all.insert(0, json!({"type": "response.output_item.added", "output_index": index, "item": added}));
    all.push(json!({"type": "response.output_item.done", "output_index": index, "item": item}));
    all
}

/// The second implementation for streams: events of reasoning go, and the items of it in the last event.
fn strip_events(frames: &[(usize, Value, String)], policy_name: &str) -> Vec<(Value, Option<String>)> {
    let last = |value: &Value| value["response"]["output"].as_array().filter(|list| !list.is_empty()).cloned();
    let mut talk = vec![Message::default(); frames.iter().map(|(of, ..)| of + 1).max().unwrap_or(0)];
    for (of, value, _) in frames {
        let items = last(value).unwrap_or_default();
        talk[*of].reasons |= items.iter().any(is_reasoning);
        talk[*of].calls |= items.iter().any(is_call);
    }
    let goes = goes(policy_name, &talk);
    let mut want = Vec::new();
    for (of, value, text) in frames {
        let items =
            frames.iter().filter(|(other, ..)| other == of).find_map(|(_, value, _)| last(value)).unwrap_or_default();
        let item = value["output_index"].as_u64().map(|index| is_reasoning(&items[index as usize]));
        match (goes[*of], item, last(value)) {
            (true, Some(true), _) => (),
            (true, None, Some(items)) if items.iter().any(is_reasoning) => {
                let mut value = value.clone();
                value["response"]["output"] = items.into_iter().filter(|item| !is_reasoning(item)).collect();
                want.push((value, None));
            }
            _ => want.push((value.clone(), Some(text.clone()))),
        }
    }
    want
}

/// The frames of a stream, with what ends them.
fn frames_of(text: &str, sse: bool) -> Vec<String> {
    let end = if sse { "\n\n" } else { "\n" };
    text.split_inclusive(end).map(str::to_string).collect()
}

proptest! {
    #![proptest_config(config())]

    /// Items go with their commas, and the ids of those behind them go.
    #[test]
    fn input(
        items in prop::collection::vec(prop_oneof![3 => reasoning(), 3 => written(), 2 => others()], 0..12),
        (pretty, loose, known) in (any::<bool>(), any::<bool>(), any::<bool>()),
        dice in any::<u64>(),
    ) {
        let mut request = json!({"model": "m", "input": items, "reasoning": {"effort": "high", "summary": "auto"}});
        if known {
            request["instructions"] = "Be brief.".into();
        }
        let input = if pretty { serde_json::to_string_pretty(&request).unwrap() } else { Dice(dice).print(&request, if loose { SPACE } else { &[""] }) };
        for policy_name in POLICIES {
            let mut want = request.clone();
            want["input"] = strip_input(&items, policy_name).into();
            check_json(&input, &want, policy_name);
        }
    }

    /// Events go whole, and the numbers of the others stay.
    #[test]
    fn streams(
        responses in prop::collection::vec(prop::collection::vec(prop_oneof![reasoning(), written()], 0..5), 1..4),
        (open, sse, numbered, done) in (1usize..4, any::<bool>(), any::<bool>(), any::<bool>()),
        dice in any::<u64>(),
    ) {
        let dice = &mut Dice(dice);
        let mut frames = Vec::new();
        for (of, items) in responses.iter().enumerate() {
            let response = |status: &str, output: Value| json!({"id": format!("resp_{of}"), "object": "response", "status": status, "output": output, "reasoning": {"effort": "high"}});
            let mut values = vec![json!({"type": "response.created", "response": response("in_progress", json!([]))})];
            let lists = items.iter().enumerate().map(|(i, item)| events(item, i, dice)).collect();
            values.extend(interleave(lists, open, dice));
            let end = dice.pick(&["completed", "incomplete", "failed"]);
            values.push(json!({"type": format!("response.{end}"), "response": response(end, json!(items))}));
            for (n, mut value) in values.into_iter().enumerate() {
                if numbered {
                    value["sequence_number"] = n.into();
                }
                let text = frame(&value, sse, false, dice);
                frames.push((of, value, text));
            }
        }
        let tail = if sse && done { "data: [DONE]\n\n" } else { "" };
        let input: String = frames.iter().map(|(.., text)| text.as_str()).chain([tail]).collect();
        for policy_name in policies(responses.iter().flatten().any(is_void)) {
            let out = check(&input, policy_name);
            prop_assert!(out.ends_with(tail));
            let (got, want) = (frames_of(out.strip_suffix(tail).unwrap(), sse), strip_events(&frames, policy_name));
            let kinds = |value: &Value| value["type"].to_string();
            prop_assert_eq!(got.len(), want.len(), "{} {:?}\n{}\n{}", policy_name, want.iter().map(|(v, _)| kinds(v)).collect::<Vec<_>>(), input, out);
            for (got, (value, text)) in got.iter().zip(&want) {
                match text {
                    Some(text) => prop_assert_eq!(got, text, "{}\n{}", policy_name, input),
                    None => {
                        let json = got.split_once("data: ").map_or(got.as_str(), |(_, json)| json);
                        let got: Value = serde_json::from_str(json).unwrap();
                        prop_assert_eq!(&got, value, "{}\n{}", policy_name, input);
                    }
                }
            }
        }
    }
}

/// An item that is nothing but an id keeps it, and so does one that another item points at.
#[test]
fn ids_that_are_pointed_at() {
    for item in [
        r#"{"type":"item_reference","id":"msg_1"}"#,
        r#"{"type":"mcp_approval_request","id":"mcpr_1","name":"f","arguments":"{}","server_label":"s"},{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}"#,
    ] {
        let input = |items: &str| format!(r#"{{"model":"m","input":[{items}]}}"#);
        let reasoning = r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"R"}]}"#;
        gives(&[&input(&format!("{reasoning},{item}"))], "all", &[&input(item)]);
    }
}

/// Items that are records of their own are input as well: their ids ask for what went.
#[test]
fn items_in_lines() {
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"R"}]}"#;
    let call = |id: &str| format!(r#"{{"type":"function_call",{id}"call_id":"call_1","name":"f","arguments":"{{}}"}}"#);
    gives(&[reasoning, &call(r#""id":"fc_1","#)], "all", &[&call("")]);
}

/// Text with tags in it stands in the deltas, and again in four events behind them.
#[test]
fn tags_that_are_repeated() {
    let item = |text: &str| {
        format!(r#"{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}"#)
    };
    let stream = |text: &str| {
        [
            r#"{"type":"response.created","response":{"id":"r","object":"response","output":[]}}"#.to_string(),
            r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"message","role":"assistant","content":[]}}"#.into(),
            format!(r#"{{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"{text}"}}"#),
            format!(r#"{{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"{text}"}}"#),
            format!(r#"{{"type":"response.content_part.done","output_index":0,"content_index":0,"part":{{"type":"output_text","text":"{text}"}}}}"#),
            format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{}}}"#, item(text)),
            format!(r#"{{"type":"response.completed","response":{{"id":"r","object":"response","output":[{}]}}}}"#, item(text)),
        ]
    };
    let (input, want) = (stream("<think>R</think>V"), stream("V"));
    gives(&input.each_ref().map(String::as_str), "all", &want.each_ref().map(String::as_str));
}

/// The same text beside the items.
#[test]
fn tags_in_the_text_of_the_whole_response() {
    let response = |text: &str| {
        format!(
            r#"{{"object":"response","output":[{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}],"output_text":"{text}"}}"#
        )
    };
    gives(&[&response("<think>R</think>V")], "all", &[&response("V")]);
}
