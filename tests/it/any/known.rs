//! Which loss explains which difference, and what is known to differ.

use super::read::{Call, Turn};
use super::streams;
use std::collections::BTreeMap;
use unthink::Loss;

/// What fails a law, and why.
#[derive(Debug)]
pub struct Known {
    pub law: &'static str,
    /// The file, or what its name begins with.
    pub file: &'static str,
    /// The targets; none: every one.
    pub to: &'static [&'static str],
    pub why: &'static str,
}

const fn entry(law: &'static str, file: &'static str, to: &'static [&'static str], why: &'static str) -> Known {
    Known { law, file, to, why }
}

const ANY: &[&str] = &[];

const ORDER: &str = "the result of a call stands with the call, so that results are in the order of the calls";

/// What is known to fail. An entry that fails no more must go.
pub static KNOWN: &[Known] = &[
    entry("same", "mew/", ANY, "a sequence is an object of split, dialogue a part of it; mew.rs compares"),
    entry(
        "same",
        "chat/escapes.jsonl",
        ANY,
        "a message has the key content twice: refused within the family; across, both are written",
    ),
    entry(
        "same",
        "extra/harmony-in-the-answer.json",
        &["harmony"],
        "a token of Harmony in the answer is refused without --escape",
    ),
    entry(
        "back",
        "anthropic/messages.jsonl",
        &["anthropic"],
        "a message of plain text is read as one of chat, and written anew",
    ),
    entry(
        "back",
        "anthropic/requests.jsonl",
        &["anthropic"],
        "a request of plain text is read as one of chat, and written anew",
    ),
    entry("back", "mistral/", &["mistral"], "its records are read as those of the chat family, and written anew"),
    entry("back", "anthropic/interleaved.sse", &["ollama"], "a line that is only an error is of no format"),
    entry("same", "mistral/request.json", &["vercel"], ORDER),
    entry("back", "mistral/request.json", &["vercel"], ORDER),
    entry("same", "interactions/requests.jsonl", &["vercel"], ORDER),
    entry("back", "interactions/requests.jsonl", &["vercel"], ORDER),
    entry("same", "cohere/requests.jsonl", &["vercel"], ORDER),
    entry("back", "cohere/requests.jsonl", &["vercel"], ORDER),
];

pub fn known(law: &str, file: &str, to: &str) -> Option<&'static Known> {
    let is = |entry: &&Known| {
        entry.law == law && file.starts_with(entry.file) && (entry.to.is_empty() || entry.to.contains(&to))
    };
    KNOWN.iter().find(is)
}

/// What may differ where this was lost.
pub fn explained(loss: Loss) -> &'static [&'static str] {
    match loss {
        Loss::Escaped => &["reasoning", "visible", "split"],
        Loss::Stray | Loss::Channel => &["visible", "reasoning", "split"],
        Loss::Choices => &["turns", "split"],
        Loss::System => &["turns"],
        Loss::Result | Loss::Results => &["results"],
        Loss::Part => &["visible", "calls", "results"],
        Loss::Arguments => &["calls"],
        Loss::Media => &["media"],
        _ => &[],
    }
}

/// Whether the test has a reader for the file, too. The others are compared by `split` alone.
pub fn read_by_test(name: &str) -> bool {
    const OTHER: [&str; 7] =
        ["text/", "mia/", "sharegpt/", "claude-code/", "llxprt-checkpoint/", "llxprt-log/", "llxprt-session/"];
    let sample = ["sample/anthropic", "sample/openai", "sample/litellm"].iter().any(|start| name.starts_with(start));
    !OTHER.iter().any(|start| name.starts_with(start))
        && (sample || !name.starts_with("sample/"))
        && !name.ends_with(".txt")
}

/// Mistral takes identifiers of calls of nine letters and digits only. Gives the calls and results of `before` the identifiers
/// that those of `after` have, if each has always the same one, and no other call has it. `written`: `after` is Mistral's.
pub fn rename(before: &mut [Turn], after: &[Turn], written: bool) -> Result<(), String> {
    let short = |id: &str| id.len() == 9 && id.bytes().all(|b| b.is_ascii_alphanumeric());
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    for (a, b) in before.iter_mut().zip(after) {
        let calls = a.calls.iter_mut().map(|call| &mut call.id).zip(b.calls.iter().map(|call| &call.id));
        let results = a.results.iter_mut().map(|(id, _)| id).zip(b.results.iter().map(|(id, _)| id));
        for (old, new) in calls.chain(results) {
            if written && (!short(new) || short(old) && old != new) {
                return Err(format!("{old} became {new}"));
            }
            if old.is_empty() {
                continue;
            }
            let (now, was) =
                (there.entry(old.clone()).or_insert(new.clone()), back.entry(new.clone()).or_insert(old.clone()));
            if now != new || was != old {
                return Err(format!("{old} became {new}, and {was} {now}"));
            }
            *old = new.clone();
        }
    }
    Ok(())
}

/// Compares what was said, but for what was lost.
pub fn compare(before: &[Turn], after: &[Turn], losses: &BTreeMap<Loss, u64>) -> Result<(), String> {
    let may = |what: &str| losses.keys().any(|loss| explained(*loss).contains(&what));
    let call = |a: &Call, b: &Call| (a.id.is_empty() || a.id == b.id) && a.name == b.name && a.arguments == b.arguments;
    let result = |a: &(String, String), b: &(String, String)| {
        let value = |text: &str| serde_json::from_str(text).unwrap_or(serde_json::Value::from(text));
        (a.0.is_empty() || a.0 == b.0) && (may("results") || value(&a.1) == value(&b.1))
    };
    let same = |a: &Turn, b: &Turn| {
        a.role == b.role
            && (may("visible") || a.visible == b.visible)
            && (may("reasoning") || a.reasoning == b.reasoning)
            && (may("calls") || a.calls.len() == b.calls.len() && a.calls.iter().zip(&b.calls).all(|(a, b)| call(a, b)))
            && (may("media") || a.media == b.media)
            && (may("results") || a.results.len() == b.results.len())
            && a.results.iter().zip(&b.results).all(|(a, b)| result(a, b))
    };
    let at = before.iter().zip(after).position(|(a, b)| !same(a, b));
    if let Some(at) = at.or((before.len() != after.len()).then_some(before.len().min(after.len()))) {
        if may("turns") {
            return Ok(());
        }
        let (a, b) = (before.get(at), after.get(at));
        return Err(format!("turn {at} of {} and {}:\n{a:?}\n{b:?}\n{losses:?}", before.len(), after.len()));
    }
    Ok(())
}

/// Whether every line or event is JSON.
pub fn valid(out: &[u8]) -> Result<(), String> {
    streams::values(out).map(|_| ())
}
