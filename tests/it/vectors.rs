//! What other parsers of inline reasoning expect of their own test cases, asked of this program. They conflict with each
//! other: the table in `testdata/model-output.md` says how many agree, and names each difference with its rule.

mod recall;

use crate::support::{root, shared};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unthink::internals::dialect::{Pass, ReadOptions};
use unthink::internals::engine::{Engine, EngineOptions};
use unthink::internals::frame::Framing;
use unthink::internals::inline::{Options, Row, Scanned, Start, StretchKind, TAGS, TagScanner, Tags};
use unthink::internals::out::Sinks;
use unthink::internals::split::{Report, ReportOptions};

struct Case {
    peer: String,
    dialect: String,
    open: String,
    close: String,
    input: String,
    starts_in_reasoning: bool,
    reasoning: String,
    content: String,
}

impl Case {
    fn new(value: &serde_json::Value) -> Self {
        let text = |pointer: &str| value.pointer(pointer).and_then(|v| v.as_str()).unwrap_or_default().to_string();
        Self {
            peer: text("/peer"),
            dialect: text("/dialect"),
            open: text("/open"),
            close: text("/close"),
            input: text("/input"),
            starts_in_reasoning: value["starts_in_reasoning"].as_bool().unwrap(),
            reasoning: text("/expected/reasoning"),
            content: text("/expected/content"),
        }
    }
}

/// What is compared: the case, what it expects and what came out, white space left out.
struct Difference<'a> {
    case: &'a Case,
    want: (String, String),
    got: (String, String),
}

/// A kind of difference: its name, the rule behind it, and which cases belong to it. The first that fits counts.
type Class = (&'static str, &'static str, fn(&Difference<'_>) -> bool);

fn has_any(text: &str, any: &[&str]) -> bool {
    any.iter().any(|token| text.contains(token))
}

/// What begins tool calls in these families.
const CALLS: [&str; 12] = [
    "<tool_call>",
    "<|tool_call>",
    "<|tool_calls_section_begin|>",
    "<｜tool▁call",
    "<minimax:tool_call>",
    "<function",
    "<|plamo:begin_tool",
    "<|START_ACTION|>",
    "<|content_invoke_",
    "<|content_image|>",
    " to=",
    "<atem:",
];

const CLASSES: [Class; 14] = [
    (
        "undecided",
        "SPEC 4 rule 6: a tag in the middle of a sentence may be a mention; the text is refused with status 3",
        |d| recall::read(d.case).is_none(),
    ),
    (
        "peer leaves the block alone",
        "SPEC 4 rule 3: every row is in force, whatever the model's own parser was told to look for",
        |d| {
            let pair = d.want.1.contains(&squeezed(&d.case.close)) || d.want.1.contains("</think>");
            pair && d.want.0.is_empty() && !d.got.0.is_empty() && d.got.1.len() < d.want.1.len()
        },
    ),
    (
        "stray or late closer stays",
        "SPEC 4 rules 6 and 7: a closer without an opener ends reasoning or is removed; it is never shown",
        |d| {
            let bare = |text: &str| text.replace("</think>", "").replace("</thinking>", "");
            bare(&d.want.1) == bare(&d.got.1) && d.want.1.len() > d.got.1.len()
        },
    ),
    (
        "nested openers",
        "SPEC 4 rule 1: the block is the outermost pair, and an opener that is only mentioned in it is its text",
        |d| {
            let opens = d.case.input.matches("<think>").count() + usize::from(d.case.starts_in_reasoning);
            opens > 1 && !d.case.input.contains("tool_call")
        },
    ),
    (
        "reasoning said to come first",
        "SPEC 4 rule 7: --start reasoning says so, and no closer that the row owns for reasoning came",
        |d| d.case.starts_in_reasoning && d.got.1.is_empty() && !d.case.input.contains("tool_call"),
    ),
    (
        "marker in a closed block",
        "SPEC 4 rule 3: in a closed block tool markers are text, a piece of one is a marker only where the row says so",
        |d| {
            let inside = d.got.0.contains("tool_call>") || d.case.input.contains("DSML");
            inside && d.got.0.len() != d.want.0.len()
        },
    ),
    ("tool call stays", "SPEC 4 rule 3: tool calls stay in the visible text as they are", |d| {
        d.want.0 == d.got.0 && (has_any(&d.case.input, &CALLS) || d.want.1.contains("to=functions"))
    }),
    ("token around the answer", "SPEC 4 rule 3: wrappers and markers that frame the answer are no text of it", |d| {
        d.want.0 == d.got.0 && has_any(&d.want.1, &["<|close|>", "<|open|>", "<|START_RESPONSE|>"])
    }),
    (
        "piece of a delimiter at the end",
        "SPEC 4 rule 10: a piece of a tag at the end of the input belongs to what it stands in",
        |d| {
            let ends_open = d.case.input.rfind('<').is_some_and(|at| !d.case.input[at..].contains("|sep|>"));
            let got = |want: &str, got: &str| got.starts_with(want);
            ends_open && got(&d.want.0, &d.got.0) && got(&d.want.1, &d.got.1) && !d.case.input.ends_with("text")
        },
    ),
    (
        "joined opener, never closed",
        "SPEC 4 rule 6: an opener that is joined to the words on both sides is used, and what follows is reasoning",
        |d| {
            let at = d.case.input.find(d.case.open.trim());
            at.is_some_and(|at| at > 0) && d.want.0.is_empty() && !d.case.input.contains(d.case.close.trim())
        },
    ),
    (
        "phrase of prose",
        "SPEC 4 rule 3: a phrase opens only at the start of a message, and without its pair it is prose",
        |d| matches!(d.case.dialect.as_str(), "granite_phrases" | "apriel_phrases"),
    ),
    (
        "text outside of messages, tokens of other kinds",
        "the first promise: bytes that are not reasoning do not change; INLINE 7 rule 9: nothing is dropped but markers",
        |d| has_any(&d.case.input, &["unframed", "<bos>", "<｜tool▁output", "literal <|start|>", "<|tool_call>"]),
    ),
    (
        "opener that the peer adds",
        "SPEC 4 rule 3: nothing is added; what such a server wrote is read like any other text (INLINE 1, row 16)",
        |d| d.case.dialect == "minimax_append_think",
    ),
    (
        "neither opener nor closer",
        "SPEC 4 rule 7, INLINE 7 rule 1: without a delimiter of the block everything is visible, also before a tool call",
        |d| d.case.dialect == "minimax_m3",
    ),
];

/// Without white space: what is joined and trimmed how is compared apart.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

fn rows(case: &Case) -> Vec<Row> {
    let mut rows: Vec<Row> = TAGS.iter().filter(|row| row.default).cloned().collect();
    let open = case.open.trim();
    let known = rows.iter().any(|row| {
        let spelled =
            |text: &str| text.trim() == open || row.labels.iter().any(|label| format!("{text}{label}").trim() == open);
        spelled(&row.open) || row.opens.iter().any(|text| spelled(text)) || row.suffix && open.starts_with("<think:")
    });
    if !known {
        rows.push(Row::custom(&case.open, &case.close));
    }
    rows
}

/// Reasoning and answer of a text that comes in these pieces.
fn split(tags: &Tags, start: Start, pieces: &[&[u8]]) -> (String, String) {
    let inline = Options { start, ..Options::default() };
    let read = ReadOptions { inline, ..ReadOptions::default() };
    let options =
        EngineOptions { framing: Some(Framing::Text), read, max_record: 1 << 28, stop: false, pass: Pass::default() };
    let show = ReportOptions { visible: true, reasoning: true, join: "\n".into(), ..ReportOptions::default() };
    let (mut engine, mut sinks) = (Engine::new(tags, options, Report::new(show)), Sinks::default());
    pieces.iter().for_each(|piece| engine.push(piece, &mut sinks));
    engine.finish(&mut sinks);
    let text = String::from_utf8(sinks.out).unwrap();
    let messages: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let all = |pointer: &str| {
        let texts: Vec<&str> = messages.iter().filter_map(|m| m.pointer(pointer)?.as_str()).collect();
        texts.join("\n")
    };
    (all("/reasoning/text"), all("/visible"))
}

fn cases() -> Vec<Case> {
    let Some(shared) = shared() else { return Vec::new() };
    let text = std::fs::read_to_string(shared.join("vectors/model-output.json")).unwrap();
    let values: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    values.iter().map(Case::new).collect()
}

fn start(case: &Case) -> Start {
    if case.starts_in_reasoning { Start::Reasoning } else { Start::Hindsight }
}

/// The parts of a text that comes in these pieces: runs of one part are put together.
fn parts(tags: &Tags, start: Start, pieces: &[&[u8]]) -> Vec<(StretchKind, Vec<u8>)> {
    let mut scanner = TagScanner::new(tags, Options { start, ..Options::default() });
    let mut out: Vec<(StretchKind, Vec<u8>)> = Vec::new();
    let mut sink = |found: Scanned<'_>| match out.last_mut() {
        Some((part, text)) if *part == found.part && !matches!(part, StretchKind::Open(_) | StretchKind::Close) => {
            text.extend_from_slice(found.text);
        }
        _ => out.push((found.part, found.text.to_vec())),
    };
    pieces.iter().for_each(|piece| scanner.feed(piece, &mut sink));
    scanner.finish(&mut sink);
    out
}

/// Whole, cut in two at every byte, and byte by byte.
#[test]
fn every_split_gives_the_same() {
    let cases = cases();
    for case in &cases {
        let (tags, input) = (Tags::new(rows(case)), case.input.as_bytes());
        let whole = parts(&tags, start(case), &[input]);
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        assert_eq!(parts(&tags, start(case), &bytes), whole, "{} byte by byte: {:?}", case.peer, case.input);
        // One case is more than half a megabyte long: not every place of it is tried.
        for at in (1..input.len()).step_by(1 + input.len() / 10_000 * 500) {
            let (a, b) = input.split_at(at);
            assert_eq!(parts(&tags, start(case), &[a, b]), whole, "{} cut at {at}: {:?}", case.peer, case.input);
        }
        // The same through everything that lies around it.
        assert_eq!(split(&tags, start(case), &bytes), split(&tags, start(case), &[input]), "{:?}", case.input);
    }
}

/// How the cases of a class, or of a parser, came out.
#[derive(Default)]
struct Tally {
    cases: usize,
    same: usize,
    space: usize,
    classes: BTreeMap<&'static str, usize>,
    /// What the parser takes for reasoning is visible here; what it takes for the answer is not.
    shown: usize,
    hidden: usize,
}

#[test]
fn other_parsers_agree_or_differ_by_a_rule() {
    let cases = cases();
    if cases.is_empty() {
        return;
    }
    let (mut peers, mut classes) = (BTreeMap::<&str, Tally>::new(), BTreeMap::<&str, Tally>::new());
    for case in &cases {
        let tags = Tags::new(rows(case));
        let got = split(&tags, start(case), &[case.input.as_bytes()]);
        let want = (case.reasoning.clone(), case.content.clone());
        let tally = peers.entry(&case.peer).or_default();
        tally.cases += 1;
        if (want.0.trim(), want.1.trim()) == (got.0.trim(), got.1.trim()) {
            tally.same += 1;
            continue;
        }
        let [want, got] = [want, got].map(|(r, c)| (squeezed(&r), squeezed(&c)));
        if want == got {
            tally.space += 1;
            continue;
        }
        let difference = Difference { case, want, got };
        let (name, ..) = CLASSES.iter().find(|(_, _, is)| is(&difference)).unwrap_or_else(|| {
            panic!(
                "{}: {:?} has no class: wanted {:?}, got {:?}",
                case.peer, case.input, difference.want, difference.got
            )
        });
        *tally.classes.entry(name).or_default() += 1;
        let class = classes.entry(name).or_default();
        class.cases += 1;
        let Difference { want, got, .. } = difference;
        class.shown += usize::from(!want.0.is_empty() && got.1.contains(&want.0) && !got.0.contains(&want.0));
        class.hidden += usize::from(!want.1.is_empty() && got.0.contains(&want.1) && !got.1.contains(&want.1));
    }
    let unused: Vec<&str> = CLASSES.iter().map(|(name, ..)| *name).filter(|name| !classes.contains_key(name)).collect();
    assert!(unused.is_empty(), "no case differs by {unused:?}");
    let table = table(&peers, &classes);
    let path = root().join("testdata/model-output.md");
    if std::env::var_os("UNTHINK_ACCEPT").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    let accepted = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(accepted == table, "testdata/model-output.md is not what comes out (UNTHINK_ACCEPT=1 writes it):\n{table}");
}

fn table(peers: &BTreeMap<&str, Tally>, classes: &BTreeMap<&str, Tally>) -> String {
    let mut out = String::from(
        "# Test cases of other parsers\n\nGenerated by `tests/it/vectors.rs` and read before it is accepted. A case is a text with what the parser makes of\n\
         it. `agree`: the same reasoning and the same answer, ends trimmed. `white space`: the same but for white space inside\n\
         (SPEC 4 rules 4, 5 and 8: what is trimmed and how blocks are joined). Every other case belongs to a class below.\n\n\
         | parser | cases | agree | white space | differ |\n|---|---|---|---|---|\n",
    );
    let sum = |of: fn(&Tally) -> usize| peers.values().map(of).sum::<usize>();
    let differ = |t: &Tally| t.classes.values().sum::<usize>();
    for (peer, t) in peers {
        let _ = writeln!(out, "| {peer} | {} | {} | {} | {} |", t.cases, t.same, t.space, differ(t));
    }
    let all = (sum(|t| t.cases), sum(|t| t.same), sum(|t| t.space), sum(|t| t.classes.values().sum()));
    let _ = writeln!(out, "| all | {} | {} | {} | {} |", all.0, all.1, all.2, all.3);
    out.push_str(
        "\n`shown`: what the parser takes for reasoning is visible here. `hidden`: what it takes for the answer is reasoning here.\n\n\
         | class | rule | cases | shown | hidden | parsers |\n|---|---|---|---|---|---|\n",
    );
    for (name, rule, _) in CLASSES {
        let Some(class) = classes.get(name) else { continue };
        let by: Vec<String> =
            peers.iter().filter_map(|(peer, t)| Some(format!("{peer} {}", t.classes.get(name)?))).collect();
        let _ = writeln!(
            out,
            "| {name} | {rule} | {} | {} | {} | {} |",
            class.cases,
            class.shown,
            class.hidden,
            by.join(", ")
        );
    }
    out
}
