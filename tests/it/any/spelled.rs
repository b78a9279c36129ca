//! The law over conversations made at random, spelled at random: with escapes in texts where none are needed, white space between
//! tokens, and members in any order.

use super::read::tight;
use crate::support::*;
use proptest::prelude::*;
use serde_json::{Value, json};
use unthink::{ConvertOptions, InputOptions, Policy};

/// What an assistant says: reasoning, answer, and the arguments of a call.
type Said = (Option<String>, String, Option<String>);

/// How a conversation is written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Field(&'static str),
    Tagged,
    Blocks,
    Anthropic,
}

const FORMS: [(Form, &str); 5] = [
    (Form::Field("reasoning_content"), "reasoning-content"),
    (Form::Field("reasoning"), "reasoning"),
    (Form::Tagged, "tagged"),
    (Form::Blocks, "thinking-block"),
    (Form::Anthropic, "anthropic"),
];

const POLICIES: [(&str, Policy); 3] =
    [("all", Policy::All), ("all-but-last", Policy::AllButLast), ("keep-last-1", Policy::KeepLast(1))];

/// A sentence, so that a tag beside it is no mention: with characters that need an escape in JSON, and some that could have one.
fn text() -> impl Strategy<Value = String> {
    const WORDS: [&str; 14] = [
        "By noon",
        "Why?",
        "a \"so\" b",
        "a\\b",
        "\n",
        "\t",
        "é",
        "😀",
        "\u{2028}",
        "\u{7f}",
        "x < y",
        "/",
        "{}",
        "1.",
    ];
    prop::collection::vec(prop::sample::select(&WORDS[..]), 1..6).prop_map(|words| format!("So {}.", words.join(" ")))
}

fn said() -> impl Strategy<Value = Said> {
    (prop::option::of(text()), text(), prop::option::of(text()))
}

impl Form {
    /// The answer of the assistant in this form.
    fn answer(self, (thought, answer, call): &Said) -> Value {
        let arguments = call.as_ref().map(|text| json!({ "q": text }));
        let mut content = answer.clone();
        let mut message = match self {
            Form::Blocks => {
                let thought = thought.iter().map(|text| json!({"type": "thinking", "thought": text}));
                let call =
                    arguments.iter().map(|a| json!({"type": "tool_call", "id": "c1", "name": "f", "parameters": a}));
                let blocks: Vec<Value> = thought.chain([json!({"type": "text", "text": answer})]).chain(call).collect();
                return json!({"speaker": "ai", "blocks": blocks});
            }
            Form::Anthropic => {
                let thought =
                    thought.iter().map(|text| json!({"type": "thinking", "thinking": text, "signature": "Ab"}));
                let call = arguments.iter().map(|a| json!({"type": "tool_use", "id": "c1", "name": "f", "input": a}));
                let parts: Vec<Value> = thought.chain([json!({"type": "text", "text": answer})]).chain(call).collect();
                return json!({"role": "assistant", "content": parts});
            }
            Form::Field(key) => match thought {
                Some(text) => json!({"role": "assistant", key: text}),
                None => json!({"role": "assistant"}),
            },
            Form::Tagged => {
                content =
                    thought.iter().map(|text| format!("<think>\n{text}\n</think>\n\n")).collect::<String>() + answer;
                json!({"role": "assistant"})
            }
        };
        message["content"] = content.into();
        if let Some(arguments) = arguments {
            let function = json!({"name": "f", "arguments": arguments.to_string()});
            message["tool_calls"] = json!([{"id": "c1", "type": "function", "function": function}]);
        }
        message
    }

    fn question(self, text: &str) -> Value {
        match self {
            Form::Blocks => json!({"speaker": "human", "blocks": [{"type": "text", "text": text}]}),
            Form::Anthropic => json!({"role": "user", "content": [{"type": "text", "text": text}]}),
            Form::Field(_) | Form::Tagged => json!({"role": "user", "content": text}),
        }
    }
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn blank(&mut self, out: &mut String) {
        out.push_str(["", "", " ", "  "][self.roll(4)]);
    }

    fn string(&mut self, text: &str, out: &mut String) {
        out.push('"');
        // No program escapes the words of a protocol, and formats are recognised by these.
        let word = text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        for c in text.chars() {
            let quoted = Value::from(c.to_string()).to_string();
            match self.roll(6) {
                0 if !word => {
                    c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")))
                }
                1 if c == '/' => out.push_str("\\/"),
                _ => out.push_str(&quoted[1..quoted.len() - 1]),
            }
        }
        out.push('"');
    }

    /// Writes a value.
    fn spell(&mut self, value: &Value, out: &mut String) {
        match value {
            Value::String(text) => self.string(text, out),
            Value::Array(all) => {
                out.push('[');
                for (i, value) in all.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    self.blank(out);
                    self.spell(value, out);
                }
                self.blank(out);
                out.push(']');
            }
            Value::Object(all) => {
                let mut members: Vec<(&String, &Value)> = all.iter().collect();
                for i in (1..members.len()).rev() {
                    members.swap(i, self.roll(i + 1));
                }
                out.push('{');
                for (i, (key, value)) in members.into_iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    self.blank(out);
                    self.string(key, out);
                    self.blank(out);
                    out.push(':');
                    self.blank(out);
                    self.spell(value, out);
                }
                self.blank(out);
                out.push('}');
            }
            value => out.push_str(&value.to_string()),
        }
    }
}

/// A conversation in a form: a request, or a message on each line.
fn written(form: Form, talk: &[(String, Said)], (seed, lines): (u64, bool)) -> Vec<u8> {
    let messages: Vec<Value> =
        talk.iter().flat_map(|(asked, said)| [form.question(asked), form.answer(said)]).collect();
    let (mut dice, mut out) = (Dice(seed), String::new());
    let values = if lines { messages } else { vec![json!({ "messages": messages })] };
    for value in values {
        dice.spell(&value, &mut out);
        out.push('\n');
    }
    out.into_bytes()
}

/// The reasoning and the answer of each message of the assistant that has any.
fn spoken(input: &[u8]) -> Vec<(String, String)> {
    let all = messages(input, Setup::default()).into_iter();
    let all = all.map(|(visible, reasoning)| (tight(&visible), tight(&reasoning.unwrap_or_default())));
    all.filter(|(visible, reasoning)| !visible.is_empty() || !reasoning.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    #[test]
    fn however_it_is_spelled(
        talk in prop::collection::vec((text(), said()), 1..4),
        seed in any::<u64>(),
        lines in any::<bool>(),
        piece in 1usize..40,
    ) {
        let said: Vec<(String, String)> = talk.iter().map(|(_, (thought, answer, _))| {
            (tight(answer), tight(thought.as_deref().unwrap_or_default()))
        }).collect();
        for (form, from) in FORMS {
            let input = written(form, &talk, (seed, lines));
            prop_assert_eq!(&spoken(&input), &said, "{:?}", form);
            for (_, to) in FORMS {
                let there = convert_to(&input, to, usize::MAX);
                let shown = || format!("{from} to {to}\n{}\n{}", String::from_utf8_lossy(&input), there.text());
                prop_assert_eq!(&there.refused, &Vec::<String>::new(), "{}", shown());
                prop_assert_eq!(&spoken(&there.out), &said, "{}", shown());
                prop_assert_eq!(&convert_to(&input, to, piece), &there, "{}", shown());
                prop_assert_eq!(&spoken(&convert_to(&there.out, from, usize::MAX).out), &said, "back: {}", shown());
                if from == to {
                    // Without reasoning or calls, nothing tells a conversation of one provider from that of another.
                    let input_options = InputOptions::default().dialect(from);
                    let named = convert(&input, usize::MAX, &ConvertOptions::new(to).input(input_options));
                    prop_assert_eq!(named.text(), String::from_utf8_lossy(&input), "{}", shown());
                }
            }
            for (name, policy_of) in POLICIES {
                let left = strip(&input, policy(name)).out;
                for (_, to) in FORMS {
                    let options = ConvertOptions::new(to).policy(policy_of);
                    let one = convert(&input, usize::MAX, &options);
                    let two = convert_to(&left, to, usize::MAX);
                    prop_assert_eq!(one.text(), two.text(), "{} {} to {}", name, from, to);
                    prop_assert_eq!(one.losses, two.losses, "{} {} to {}", name, from, to);
                }
            }
        }
    }
}
