//! The steps of a drawing: what `split` finds is drawn, in order, however the input arrives.

use crate::support::{Ran, Setup, corpus, messages, run_draw, several_speak, split};
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;
use unthink::internals::dialect::FACT_TEXTS;
use unthink::internals::show::{
    Draw, DrawOptions, LineItem, Painter, Role, Step, TextBlockKind, TrackChange, TrackPart,
};

/// Writes each step in a few words.
#[derive(Default)]
struct Words {
    text: String,
    open: bool,
    block: bool,
}

impl Painter for Words {
    fn step(&mut self, step: Step<'_>, out: &mut Vec<u8>) {
        let says = match step {
            Step::Input(name) => format!("input {name}\n"),
            Step::Conversation { again: false, .. } => "conversation\n".to_string(),
            Step::Conversation { number, .. } => format!("conversation {number} goes on\n"),
            Step::Open(head) => {
                assert!(!std::mem::replace(&mut self.open, true), "a message in a message");
                let mut line = format!("{:?} {}", head.role, head.number);
                for (name, value) in [("agent", &head.agent), ("model", &head.model), ("place", &head.place)] {
                    line += &if value.is_empty() { String::new() } else { format!(" {name}={value}") };
                }
                if head.part != TrackPart::None {
                    line += &format!(" {:?}", head.part);
                }
                for track in &head.tracks {
                    let change = match track.change {
                        TrackChange::Begins => "+",
                        TrackChange::Open => "",
                        TrackChange::Ends => "-",
                        TrackChange::Whole => "±",
                    };
                    let own = if Some(track.number) == head.track { "*" } else { "" };
                    let parent = track.parent.map(|parent| format!("<{parent}")).unwrap_or_default();
                    line += &format!(" {}:{}{own}{change}{parent}", track.column, track.number);
                }
                line + if head.rejected { " rejected\n" } else { "\n" }
            }
            Step::Begin(kind) => {
                assert!(self.open && !std::mem::replace(&mut self.block, true), "a block in a block");
                self.text.clear();
                format!(" {}", ["text", "commentary", "reasoning"][kind as usize])
            }
            Step::Heading(text) => {
                assert!(self.block && self.text.is_empty() && !text.is_empty());
                format!(" heading {text:?}")
            }
            Step::Text(text) => {
                assert!(self.block && !text.is_empty());
                self.text.push_str(text);
                return;
            }
            Step::End(end) => {
                assert!(std::mem::replace(&mut self.block, false));
                let estimate = self.text.trim().encode_utf16().count().div_ceil(4);
                assert_eq!(end.tokens, estimate as u64, "{:?}", self.text);
                format!(" {:?}{}\n", self.text, if end.sealed { " sealed" } else { "" })
            }
            Step::Item(item) => {
                assert!(self.open && !self.block);
                format!(" {item:?}\n")
            }
            Step::Close(totals) => {
                assert!(std::mem::replace(&mut self.open, false));
                let mut line = format!(" = {}+{}", totals.visible, totals.reasoning);
                for (name, count) in [("tools", totals.tools), ("sealed", totals.sealed)] {
                    line += &if count > 0 { format!(" {name} {count}") } else { String::new() };
                }
                line += &totals.logged.map(|n| format!(" logged {n}")).unwrap_or_default();
                line += if totals.hidden { " hidden" } else { "" };
                line += &totals.cost.map(|cost| format!(" ${cost}")).unwrap_or_default();
                line + &totals.stop.map(|why| format!(" ({why})")).unwrap_or_default() + "\n"
            }
            Step::Cost(cost) => format!("${cost}\n"),
            Step::Unread { first, last, what } if first == last => format!("unread {first}: {what}\n"),
            Step::Unread { first, last, what } => format!("unread {first} to {last}: {what}\n"),
            Step::Aside { first, last, count, text } => format!("aside {first} to {last} ({count}): {text:?}\n"),
        };
        out.extend_from_slice(says.as_bytes());
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

fn draw(input: &[u8], setup: Setup, reasoning: bool, painter: Rc<RefCell<dyn Painter>>) -> Ran {
    run_draw(input, setup, Draw::new(DrawOptions { reasoning, texts: FACT_TEXTS, input: None }, painter))
}

fn words(input: &str) -> String {
    draw(input.as_bytes(), Setup::default(), true, Rc::new(RefCell::new(Words::default()))).text()
}

#[test]
fn steps_of_messages() {
    for (input, want) in [
        ("<think>Rain?</think>\n\nYes.", "Assistant 1\n reasoning \"Rain?\"\n text \"Yes.\"\n = 1+2\n"),
        (
            r#"{"role":"assistant","content":"Yes.","reasoning_content":"Rain?"}"#,
            "Assistant 1\n reasoning \"Rain?\"\n text \"Yes.\"\n = 1+2\n",
        ),
        (
            r#"{"messages":[{"role":"user","content":"Rain?"}],"model":"m","tools":[{"type":"function","function":{"name":"f"}}]}"#,
            "conversation\nSystem 0\n Tools(1)\n = 0+0\nUser 1\n text \"Rain?\"\n = 2+0\n",
        ),
        (
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}
{"role":"tool","tool_call_id":"c","content":"ok"}"#,
            "Assistant 1\n Call { id: \"c\", name: \"f\", arguments: \"{\\\"a\\\":1}\" }\n = 0+0 tools 2\n\
             Tool 2\n Result { id: \"c\", name: \"f\", text: \"ok\", failed: false, media: [] }\n = 0+0 tools 1\n",
        ),
        (
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"Yes."}]}"#,
            "Assistant 1\n reasoning \"\" sealed\n text \"Yes.\"\n = 1+0 sealed 1\n",
        ),
        ("{\"role\":\"assistant\",\n", "unread 1: "),
    ] {
        let drawn = words(input);
        assert!(drawn.starts_with(want) && (want.ends_with(' ') || drawn == want), "{input}\n{drawn}");
    }
}

#[test]
fn hidden_reasoning_is_counted_and_not_drawn() {
    let input = r#"{"role":"assistant","content":"Yes.","reasoning_content":"Rain?"}"#;
    let drawn = draw(input.as_bytes(), Setup::default(), false, Rc::new(RefCell::new(Words::default())));
    assert_eq!(drawn.text(), "Assistant 1\n text \"Yes.\"\n = 1+2 hidden\n");
}

/// What is drawn of the messages of the assistant: visible text and reasoning, without white space.
#[derive(Default)]
struct Texts {
    messages: Vec<(String, Option<String>)>,
    /// Calls in texts that are Harmony messages.
    calls: Vec<(String, String)>,
    is_own: bool,
    kind: Option<TextBlockKind>,
}

impl Painter for Texts {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        match step {
            Step::Open(head) => {
                self.is_own = head.role == Role::Assistant && head.number > 0;
                if self.is_own {
                    self.messages.push((String::new(), None));
                }
            }
            Step::Begin(kind) => self.kind = Some(kind),
            Step::End(_) => self.kind = None,
            Step::Text(text) if self.is_own => {
                let Some((visible, reasoning)) = self.messages.last_mut() else { return };
                let text = text.chars().filter(|c| !c.is_whitespace());
                match self.kind {
                    Some(TextBlockKind::Reasoning) => reasoning.get_or_insert_default().extend(text),
                    _ => visible.extend(text),
                }
            }
            // A Harmony message that calls a tool: its name and its arguments.
            Step::Item(LineItem::Call { id, name, arguments }) if self.is_own && id.is_empty() && !name.is_empty() => {
                self.calls.push((name.clone(), arguments.chars().filter(|c| !c.is_whitespace()).collect()));
            }
            Step::Item(LineItem::Call { name, arguments, .. })
                if self.is_own && name.is_empty() && !arguments.starts_with('{') =>
            {
                // A call that stands in text, with its delimiters. One that is a message of its own is no answer.
                let call = arguments.chars().filter(|c| !c.is_whitespace());
                match is_message(arguments) {
                    true => self.calls.push((String::new(), call.collect())),
                    false => self.messages.last_mut().into_iter().for_each(|(visible, _)| visible.extend(call.clone())),
                }
            }
            _ => (),
        }
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

/// Whether a call in a text is a Harmony message.
fn is_message(call: &str) -> bool {
    call.starts_with("<|start|>") || call.starts_with("<|channel|>")
}

/// The calls that `split` sets apart from the answers, without white space.
fn calls(input: &[u8]) -> Vec<String> {
    let lines = split(input, Setup::default()).text();
    let objects = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let calls = objects.flat_map(|object| object["calls"].as_array().cloned().unwrap_or_default());
    calls.map(|call| call.as_str().unwrap().chars().filter(|c| !c.is_whitespace()).collect()).collect()
}

/// Whether a log has the messages of agents that work for another.
fn several_agents(input: &[u8]) -> bool {
    String::from_utf8_lossy(input).contains("\"isSidechain\":true")
}

#[test]
fn what_split_finds_is_drawn() {
    let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let (mut compared, mut own_calls) = (0, 0);
    for (name, input) in corpus().into_iter().filter(|(_, input)| !several_speak(input)) {
        let painter = Rc::new(RefCell::new(Texts::default()));
        draw(&input, Setup::default(), true, Rc::clone(&painter) as _);
        let drawn = std::mem::take(&mut painter.borrow_mut().messages);
        let called = std::mem::take(&mut painter.borrow_mut().calls);
        let found = messages(&input, Setup::default());
        // A call as it was written has the name of the tool, and its arguments at its end.
        let is = |(raw, (called, arguments)): (&String, &(String, String))| {
            let body = raw.split_once("<|message|>").map_or(raw.as_str(), |(_, body)| body);
            let body = body.split("<|call|>").next().unwrap_or(body);
            if called.is_empty() {
                raw == arguments
            } else {
                raw.contains(&format!("to={called}")) && body == arguments
            }
        };
        let written = calls(&input);
        if written.is_empty() {
            // Other calls without an identifier have a name.
            assert!(called.iter().all(|(called, _)| !called.is_empty()), "{name}");
        } else {
            assert_eq!(called.len(), written.len(), "{name}");
            assert!(written.iter().zip(&called).all(is), "{name}: {written:?} {called:?}");
            own_calls += called.len();
        }
        let found: Vec<_> = found
            .into_iter()
            .map(|(visible, reasoning)| (plain(&visible), reasoning.map(|text| plain(&text)).filter(|t| !t.is_empty())))
            .collect();
        let steps = || draw(&input, Setup::default(), true, Rc::new(RefCell::new(Words::default()))).text();
        if drawn.len() != found.len() {
            // What an agent says in the middle of a message of another parts that message in two.
            let all = |messages: &[(String, Option<String>)]| {
                let texts = messages.iter().map(|(visible, reasoning)| (visible.as_str(), reasoning.as_deref()));
                texts
                    .map(|(visible, reasoning)| (visible, reasoning.unwrap_or_default()))
                    .unzip::<_, _, String, String>()
            };
            assert!(several_agents(&input), "{name}\n{}", steps());
            assert_eq!(all(&drawn), all(&found), "{name}\n{}", steps());
            continue;
        }
        for (drawn, found) in drawn.iter().zip(&found) {
            compared += 1;
            assert_eq!(drawn, found, "{name}\n{}", steps());
        }
    }
    assert!(compared > 100 && own_calls > 2, "{compared} messages, {own_calls} calls");
}

#[test]
fn steps_do_not_depend_on_how_the_input_arrives() {
    // A closing tag that comes too late is a problem, which is drawn where it was found.
    let delta = |delta: &str| format!("{{\"choices\":[{{\"index\":0,\"delta\":{{{delta}}}}}]}}\n");
    let late = [r#""content":"a""#, r#""reasoning":"r""#, r#""content":"b</think>c""#, r#""reasoning":"s""#].map(delta);
    let late = [("late".to_string(), late.concat().into_bytes())];
    for (name, input) in corpus().into_iter().chain(late).filter(|(_, input)| input.len() < 1 << 16) {
        let whole = draw(&input, Setup::default(), true, Rc::new(RefCell::new(Words::default()))).text();
        for piece in [1, 7, 1000] {
            let setup = Setup { piece, ..Setup::default() };
            let drawn = draw(&input, setup, true, Rc::new(RefCell::new(Words::default()))).text();
            assert_eq!(drawn, whole, "{name} in pieces of {piece}");
        }
    }
}

/// The sums of all messages that are drawn.
#[derive(Default)]
struct Sums {
    reasoning: u64,
    answers: u64,
    other: u64,
    sealed: u64,
}

impl Painter for Sums {
    fn step(&mut self, step: Step<'_>, _out: &mut Vec<u8>) {
        if let Step::Close(totals) = step {
            self.reasoning += totals.reasoning;
            self.answers += totals.answers;
            self.other += totals.visible + totals.tools - totals.answers;
            self.sealed += totals.sealed;
        }
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {}
}

#[test]
fn sums_are_those_of_tokens() {
    let (mut compared, mut sealed) = (0, 0);
    for (name, input) in corpus().into_iter().filter(|(_, input)| !several_speak(input) && input.len() < 1 << 18) {
        let painter = Rc::new(RefCell::new(Sums::default()));
        draw(&input, Setup::default(), true, Rc::clone(&painter) as _);
        let mut tokens = assert_cmd::Command::cargo_bin("unthink").unwrap();
        let ran = tokens.args(["tokens", "--total"]).write_stdin(input.clone()).output().unwrap();
        let lines = String::from_utf8(ran.stdout).unwrap();
        let Some(total) = lines.lines().last().and_then(|line| serde_json::from_str::<Value>(line).ok()) else {
            continue;
        };
        let of = |key: &str| total[key].as_u64().unwrap_or(0);
        let drawn = painter.borrow();
        assert_eq!((drawn.reasoning, drawn.answers), (of("reasoning_tokens"), of("final_tokens")), "{name}: {total}");
        // Instructions beside the messages are drawn, and several sealed blocks of one member are.
        assert!(drawn.other >= of("other_tokens"), "{name}: {} {total}", drawn.other);
        assert!(drawn.sealed >= of("sealed_blocks"), "{name}: {} {total}", drawn.sealed);
        compared += 1;
        sealed += drawn.sealed;
    }
    assert!(compared > 100 && sealed > 3, "{compared} inputs, {sealed} sealed blocks");
}
