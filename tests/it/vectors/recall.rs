//! What was found is still found: the test cases of other parsers with which this program agrees, and the recordings
//! whose reasoning it finds whole. A case may be refused instead, if its tags are truly undecided: it is named here.
//! Calls in messages of their own are no part of the answer (SPEC section 4), so that two cases are not on the list.

use super::*;
use crate::support::{Setup, split_text};
use serde_json::Value;
use std::collections::BTreeSet;

/// Cases that are status 3: the parser, the number of its case, and what cannot be decided.
const UNDECIDED: &[(&str, usize, &str)] = &[
    ("vllm", 54, "the last tag ends the text behind a word, apart from it"),
    ("dynamo", 19, "an opener within a sentence is never closed"),
    ("dynamo", 40, "a phrase in the middle of the answer"),
    ("ollama", 11, "a closer within a sentence"),
    ("ollama", 14, "a closer within a sentence"),
    ("localai", 4, "the words between the tags only stand for reasoning"),
    ("localai", 6, "the tags stand apart from all words"),
    ("localai", 12, "an opener within a sentence is never closed"),
    ("localai", 13, "an opener within a sentence is never closed"),
    ("localai", 14, "an opener within a sentence is never closed"),
    ("localai", 15, "the tags stand apart from all words"),
    ("localai", 24, "an opener within a sentence is never closed"),
    ("localai", 29, "an opener within a sentence is never closed"),
    ("localai", 32, "the tags stand apart from all words"),
    ("localai", 36, "the words between the tags only stand for reasoning"),
];

/// Recordings that are status 3 though they were read once, and what cannot be decided.
const REFUSED: &[(&str, &str)] = &[
    ("bedrock-converse-05.json", "reasoning in tags, in a format that is not read"),
    ("openai-chat-reasoning-details-07.sse", "an error in place of the rest of the answer"),
    ("openai-responses-07.json", "an error in place of an answer"),
];

/// Reasoning and answer of a case, unless it is refused.
pub(super) fn read(case: &Case) -> Option<(String, String)> {
    let tags = Tags::new(rows(case));
    let inline = Options { start: start(case), ..Options::default() };
    let read = ReadOptions { inline, ..ReadOptions::default() };
    let options =
        EngineOptions { framing: Some(Framing::Text), read, max_record: 1 << 28, stop: false, pass: Pass::default() };
    let show = ReportOptions { visible: true, reasoning: true, join: "\n".into(), ..ReportOptions::default() };
    let (mut engine, mut sinks) = (Engine::new(&tags, options, Report::new(show)), Sinks::default());
    engine.push(case.input.as_bytes(), &mut sinks);
    engine.finish(&mut sinks);
    let refused = engine.counts().refused > 0;
    (!refused).then(|| split(&tags, start(case), &[case.input.as_bytes()]))
}

/// `12, 14-17`
fn ranges(numbers: &BTreeSet<usize>) -> String {
    let (mut all, mut rest) = (Vec::new(), numbers.iter().copied().peekable());
    while let Some(first) = rest.next() {
        let mut last = first;
        while rest.next_if(|n| *n == last + 1).is_some() {
            last += 1;
        }
        all.push(if first == last { first.to_string() } else { format!("{first}-{last}") });
    }
    all.join(", ")
}

fn numbers(ranges: &str) -> BTreeSet<usize> {
    let number = |text: &str| text.trim().parse::<usize>().unwrap();
    let range = |range: &str| match range.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => number(range)..=number(range),
    };
    ranges.split(',').filter(|range| !range.trim().is_empty()).flat_map(range).collect()
}

/// Recordings whose reasoning and answer come out as their index says.
fn recordings() -> BTreeMap<String, Option<bool>> {
    let Some(shared) = shared() else { return BTreeMap::new() };
    let mut all = BTreeMap::new();
    for folder in ["samples", "samples2"] {
        let index = std::fs::read(shared.join(folder).join("INDEX.json")).unwrap();
        let index: Vec<Value> = serde_json::from_slice(&index).unwrap();
        for entry in index {
            let file = entry["file"].as_str().unwrap().to_string();
            let bytes = std::fs::read(shared.join(folder).join(&file)).unwrap();
            let [shown, thought] = [false, true].map(|reasoning| split_text(&bytes, Setup::default(), reasoning));
            let want = |key: &str| squeezed(entry[key].as_str().unwrap_or_default());
            let whole = squeezed(&thought.text()) == want("expected_reasoning")
                && squeezed(&shown.text()) == want("expected_content");
            all.insert(file, (shown.counts.refused + thought.counts.refused == 0).then_some(whole));
        }
    }
    all
}

/// What was accepted, and what is found now: what was found once stays on the list.
fn grown(accepted: &str, agree: &BTreeMap<String, BTreeSet<usize>>, whole: &[&String]) -> String {
    let (mut agree, mut whole) = (agree.clone(), whole.iter().map(|name| name.as_str()).collect::<BTreeSet<_>>());
    for line in accepted.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(": ") {
            Some((peer, ranges)) => agree.entry(peer.into()).or_default().extend(numbers(ranges)),
            None => drop(whole.insert(line)),
        }
    }
    let mut text = String::from("# Cases of other parsers that come out as they expect, by their number.\n");
    agree.iter().for_each(|(peer, numbers)| text += &format!("{peer}: {}\n", ranges(numbers)));
    text.push_str("# Recordings that come out as their index says.\n");
    whole.iter().for_each(|name| text += &format!("{name}\n"));
    text
}

#[test]
fn recall_is_not_lower_than_it_was() {
    let cases = cases();
    if cases.is_empty() {
        return;
    }
    let (mut agree, mut refused) = (BTreeMap::<String, BTreeSet<usize>>::new(), Vec::new());
    let mut counts = BTreeMap::<String, usize>::new();
    for case in &cases {
        let count = counts.entry(case.peer.clone()).or_default();
        *count += 1;
        match read(case) {
            None => refused.push((case, *count)),
            Some((reasoning, content)) => {
                let same =
                    squeezed(&reasoning) == squeezed(&case.reasoning) && squeezed(&content) == squeezed(&case.content);
                let numbers = agree.entry(case.peer.clone()).or_default();
                if same {
                    numbers.insert(*count);
                }
            }
        }
    }
    let found = recordings();
    let whole: Vec<&String> = found.iter().filter(|(_, state)| **state == Some(true)).map(|(name, _)| name).collect();
    let path = root().join("testdata/recall.txt");
    let mut accepted = std::fs::read_to_string(&path).unwrap_or_default();
    if std::env::var_os("UNTHINK_ACCEPT").is_some() {
        accepted = grown(&accepted, &agree, &whole);
        std::fs::write(&path, &accepted).unwrap();
    }
    let mut wrong = Vec::new();
    for line in accepted.lines().filter(|line| !line.starts_with('#')) {
        let Some((peer, ranges)) = line.split_once(": ") else {
            let listed = REFUSED.iter().any(|(name, _)| *name == line);
            match found.get(line) {
                Some(Some(true)) => (),
                None | Some(None) if listed => (),
                state => wrong.push(format!("{line}: {state:?}")),
            }
            continue;
        };
        let listed = |number: &usize| UNDECIDED.iter().any(|(name, n, _)| *name == peer && n == number);
        for number in numbers(ranges).iter().filter(|n| !agree.get(peer).is_some_and(|now| now.contains(n))) {
            let case = cases.iter().filter(|case| case.peer == peer).nth(number - 1).unwrap();
            let now = read(case);
            if now.is_none() && listed(number) {
                continue;
            }
            wrong.push(format!(
                "{peer} {number}: {:?}, wanted {:?} and {:?}, got {now:?}",
                case.input, case.reasoning, case.content
            ));
        }
    }
    let known = |peer: &str, number: usize| UNDECIDED.iter().any(|(name, n, _)| *name == peer && *n == number);
    let new = refused.iter().filter(|(case, number)| !known(&case.peer, *number));
    wrong.extend(new.map(|(case, number)| format!("{} {number} is refused: {:?}", case.peer, case.input)));
    let cut = |line: String| line.chars().take(500).collect::<String>();
    let wrong: Vec<String> = wrong.into_iter().map(cut).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
