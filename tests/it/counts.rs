//! One law: `split`, `split -o events`, `tokens`, `check` and `show` count the same messages, texts and copies.
//!
//! `tally.rs` has its half about blocks and their tokens, `drawn.rs` the one about what `show` draws. What differs by
//! contract is left out here: a sequence of reasoning is one object to `split` (`mew.rs`), and to `check`, reasoning
//! between tags that a reader would see is text (SPEC section 8).

use crate::support::*;
use serde_json::Value;
use std::path::PathBuf;
use unthink::internals::split::EventsOptions;
use unthink::{CheckOptions, Error, Role, SplitOptions, TokensOptions};

/// Every sample, and our own test data.
fn inputs() -> Vec<(String, Vec<u8>)> {
    let mut all = corpus();
    let more = shared().map(|shared| files_in(&shared.join("samples2"))).unwrap_or_default();
    let more = more.into_iter().filter(|path: &PathBuf| !path.ends_with("INDEX.json"));
    all.extend(
        more.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap())),
    );
    all.retain(|(_, input)| !several_speak(input));
    all
}

/// What was read, whether or not all was.
fn partial<T>(result: Result<T, Error<T>>) -> T {
    match result {
        Ok(read) => read,
        Err(Error::Incomplete(e)) => e.partial,
        Err(e) => panic!("{e}"),
    }
}

/// A record whose reasoning has a copy in another source.
fn copies() -> Vec<(String, Vec<u8>)> {
    let texts =
        ["Low pressure from the west.\u{a0}", "Low  pressure from\nthe west.", "\u{3000}Low pressure from the west."];
    let mut all = Vec::new();
    for text in texts {
        let tagged = "<think>Low pressure from the west.</think>\n\nRain by noon.";
        for record in [
            serde_json::json!({"role": "assistant", "reasoning": text, "content": tagged}),
            serde_json::json!({"role": "assistant", "reasoning_content": text, "thinking": "Low pressure from the west.",
                               "content": "Rain by noon."}),
            serde_json::json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": "Rain by noon.",
                "reasoning": text, "reasoning_details": [{"type": "reasoning.text", "text": "Low pressure"},
                {"type": "reasoning.text", "text": "from the west."}]}}]}),
        ] {
            all.push((record.to_string(), record.to_string().into_bytes()));
        }
    }
    all
}

#[test]
fn all_commands_count_the_same() {
    let inline = ["<", "\\u003c", "\u{25c1}", "[THINK", "think", "\u{25ba} **THINKING"];
    for (name, input) in inputs().into_iter().chain(copies()) {
        let options = SplitOptions::default().join("\u{1}");
        let split = partial(unthink::split(&input, &options)).messages;
        let texts: Vec<&str> =
            split.iter().filter_map(|m| m.reasoning.as_deref()).flat_map(|text| text.split('\u{1}')).collect();

        let options = TokensOptions::default().by(unthink::By::Message);
        let rows = partial(unthink::tokens(&input, &options)).rows;
        let answers = rows.iter().filter(|row| row.role == Some(Role::Assistant)).count();
        assert_eq!(answers, split.len(), "{name}: messages of tokens, and of split");

        let lines = events(&input, Setup::default(), EventsOptions::default()).text();
        let events = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let finals: Vec<Value> = events.filter(|event| event["type"] == "final").collect();
        assert_eq!(finals.len(), split.len(), "{name}: messages of events, and of split");
        let words = |text: &str| text.split_whitespace().count() as u64;
        if split.iter().all(|message| message.redactions.is_empty()) {
            let want: u64 = texts.iter().map(|text| words(text)).sum();
            let got: u64 = finals.iter().map(|event| event["stats"]["reasoning_tokens"].as_u64().unwrap()).sum();
            assert!(got <= want, "{name}: {got} words of reasoning of events, {want} of split");
            // A block may end in the middle of a word of the next.
            assert!(want - got <= texts.len() as u64, "{name}: {got} words of reasoning of events, {want} of split");
        }

        let text = String::from_utf8_lossy(&input);
        if inline.iter().all(|word| !text.contains(word)) {
            let options = CheckOptions::default().max_reasoning_tokens(0);
            let found = partial(unthink::check(&input, &options)).findings;
            let budgets = found.iter().filter(|finding| finding.rule == "UT401");
            let tokens = |what: &str| what.split(' ').next().unwrap().parse::<u64>().unwrap();
            let got: u64 = budgets.map(|finding| tokens(&finding.what)).sum();
            let want: u64 = rows.iter().map(|row| row.counts.reasoning).sum();
            assert_eq!(got, want, "{name}: tokens of reasoning of check, and of tokens");
        }
    }
}

#[test]
fn copies_count_once() {
    for (name, input) in copies() {
        let split = unthink::split(&input, &SplitOptions::default()).unwrap().messages;
        assert_eq!((split.len(), split[0].reasoning_tokens), (1, 7), "{name}");
        let tokens = unthink::tokens(&input, &TokensOptions::default()).unwrap().rows;
        assert_eq!(tokens[0].counts.reasoning, 7, "{name}");
        let lines = events(&input, Setup::default(), EventsOptions::default()).text();
        let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
        assert_eq!(last["stats"]["reasoning_tokens"], 5, "{name}");
        for (reasoning, want) in [(true, 5), (false, 3)] {
            let text = split_text(&input, Setup::default(), reasoning).text();
            assert_eq!(text.split_whitespace().count(), want, "{name}: {text}");
        }
        let drawn = messages(&input, Setup::default());
        assert_eq!(drawn[0].1.as_deref().map(|text| text.split_whitespace().count()), Some(5), "{name}");
    }
}
