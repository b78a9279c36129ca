//! The law "any to any" of `convert`: from every dialect that is read to every dialect that is written, over our own test
//! data and the recorded data of others. What comes out is read by readers of its own, which are the test's.

mod extra;
mod hostile;
mod known;
mod live;
mod read;
mod spelled;
mod streams;

use crate::support::*;
use known::{Known, explained, known};
use read::{Turn, tight};
use unthink::internals::dialect::{DIALECTS, Dialect};

/// Every dialect that can be written.
pub fn targets() -> Vec<&'static Dialect> {
    // Envelopes have identifiers of their own, and a message is several of them: `mew.rs` has their laws.
    DIALECTS.iter().filter(|dialect| dialect.write.is_some() && dialect.name != "mew").collect()
}

/// The formats whose records the readers of these laws understand. What the others become where they are converted is
/// checked when they can be written.
const UNDERSTOOD: [&str; 23] = [
    "cohere",
    "interactions",
    "mistral",
    "gemini",
    "ollama",
    "bedrock",
    "text",
    "chat",
    "reasoning-content",
    "reasoning",
    "tagged",
    "harmony",
    "sharegpt",
    "thinking-block",
    "llxprt-session",
    "llxprt-checkpoint",
    "llxprt-log",
    "mia",
    "anthropic",
    "responses",
    "claude-code",
    "gromozeka",
    "mew",
];

/// Every dialect's files, and the samples: dialect, name, bytes.
pub fn files() -> Vec<(String, String, Vec<u8>)> {
    let mut files = testdata();
    if let Some(shared) = shared() {
        let samples = files_in(&shared.join("samples")).into_iter().filter(|path| !path.ends_with("INDEX.json"));
        files.extend(samples.map(|path| ("sample".to_string(), path)));
    }
    let name = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let read = files.into_iter().map(|(dialect, path)| {
        let whole = format!("{dialect}/{}", name(&path));
        (dialect, whole, std::fs::read(path).unwrap())
    });
    let read = read.filter(|(dialect, ..)| dialect == "sample" || UNDERSTOOD.contains(&dialect.as_str()));
    // Of the samples those whose records are read.
    let read = read.filter(|(dialect, _, input)| {
        let ran = strip(input, policy("all"));
        let others = DIALECTS.iter().zip(ran.counts.known.0).any(|(row, n)| n > 0 && !UNDERSTOOD.contains(&row.name));
        dialect != "sample" || !others && ran.counts.refused + ran.counts.foreign + ran.counts.suspect == 0
    });
    let extra =
        extra::EXTRA.iter().map(|(name, text)| ("extra".into(), format!("extra/{name}"), text.as_bytes().into()));
    read.chain(extra).collect()
}

/// The turns without white space at their joints.
pub fn turns(input: &[u8]) -> Result<(Vec<Turn>, Vec<String>), String> {
    let (said, wrong) = streams::read(input)?;
    let mut turns: Vec<Turn> = Vec::new();
    let empty = |turn: &Turn| *turn == Turn { role: turn.role.clone(), ..Turn::default() };
    for mut turn in said.turns.into_iter().filter(|turn| !empty(turn)) {
        (turn.visible, turn.reasoning) = (tight(&turn.visible), tight(&turn.reasoning));
        match turns.last_mut() {
            Some(last) if last.role == turn.role => {
                last.visible += &turn.visible;
                last.reasoning += &turn.reasoning;
                last.calls.extend(turn.calls);
                last.results.extend(turn.results);
                last.media.extend(turn.media);
            }
            _ => turns.push(turn),
        }
    }
    Ok((turns, wrong))
}

/// What `split` finds, put together: visible text and reasoning of the assistant. `ordered`: in the order of the messages,
/// which is not kept where the conversations of a log interleave; then only its letters are compared.
fn split_of(input: &[u8], ordered: bool) -> (String, String) {
    let all = messages(input, Setup::default());
    let sorted = |text: String| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        String::from_iter(letters)
    };
    let order = |text: String| if ordered { text } else { sorted(text) };
    let visible = all.iter().map(|(visible, _)| tight(visible)).collect();
    let reasoning = all.iter().filter_map(|(_, reasoning)| reasoning.as_deref()).map(tight).collect();
    (order(visible), order(reasoning))
}

/// Runs a law over every pair, and compares what fails with the table of what is known to.
fn over_pairs(law: &str, check: impl Fn(&str, &[u8], &Dialect) -> Result<(), String>) {
    let (mut failed, mut seen) = (Vec::new(), Vec::<&Known>::new());
    for (_, name, input) in files() {
        for to in targets() {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&name, &input, to)))
                .unwrap_or_else(|_| Err("panic".into()));
            match (result, known(law, &name, to.name)) {
                (Ok(()), _) => (),
                (Err(what), Some(entry)) if what != "panic" => seen.push(entry),
                (Err(what), _) => failed.push(format!("{law}: {name} to {}: {what}", to.name)),
            }
        }
    }
    let unused = |entry: &&Known| entry.law == law && !seen.iter().any(|other| std::ptr::eq(*other, *entry));
    let stale: Vec<_> = known::KNOWN.iter().filter(unused).map(|e| (e.file, e.to, e.why)).collect();
    if let Ok(path) = std::env::var("ANY_REPORT") {
        let _ = std::fs::write(format!("{path}.{law}"), failed.join("\n\n"));
    }
    let short = |s: &String| s.chars().take(1500).collect::<String>();
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed.iter().map(short).collect::<Vec<_>>().join("\n\n"));
    assert!(stale.is_empty() || shared().is_none(), "no difference any more: {stale:?}");
}

#[test]
fn what_is_written_says_the_same() {
    over_pairs("same", |name, input, to| {
        let done = convert_to(input, to.name, 1 << 20);
        if !done.refused.is_empty() {
            return Err(format!("refused: {:?}", done.refused));
        }
        let (mut before, odd) = if name.ends_with(".txt") { (Vec::new(), Vec::new()) } else { turns(input)? };
        let text = name.ends_with(".txt") && ["tagged", "harmony"].contains(&to.name);
        let (after, wrong) = if text { (Vec::new(), Vec::new()) } else { turns(&done.out)? };
        if !wrong.is_empty() && odd.is_empty() {
            return Err(format!("contradicts itself: {wrong:?}"));
        }
        let ordered = !name.contains("claude-code");
        let (want, got) = (split_of(input, ordered), split_of(&done.out, ordered));
        if want != got && !done.losses.keys().any(|loss| explained(*loss).contains(&"split")) {
            return Err(format!("split:\n{want:?}\n{got:?}\n{:?}", done.losses));
        }
        if !known::read_by_test(name) {
            return Ok(());
        }
        if to.name == "mistral" && !name.starts_with("mistral/") {
            known::rename(&mut before, &after, true)?;
        }
        known::compare(&before, &after, &done.losses)
    });
}

#[test]
fn what_is_written_is_read() {
    over_pairs("read", |name, input, to| {
        let done = convert_to(input, to.name, 1 << 20);
        // Raw text stays text where the target's reasoning stands in a text.
        if name.ends_with(".txt") && ["tagged", "harmony"].contains(&to.name) {
            return Ok(());
        }
        known::valid(&done.out)?;
        let ran = split(&done.out, Setup::default());
        // An error in place of an answer is told, and in no format that has messages.
        let told = ran.problems.iter().filter(|p| p.what.starts_with("an error in place of an answer")).count() as u64;
        if ran.counts.refused - told + ran.counts.suspect > 0 || ran.counts.foreign > done.foreign + told {
            return Err(format!("{:?} {:?}\n{}", ran.counts, ran.problems, String::from_utf8_lossy(&done.out)));
        }
        let known = |name: &str| ran.counts.known.0[DIALECTS.iter().position(|d| d.name == name).unwrap()];
        let shaped = DIALECTS.iter().filter(|d| d.shape.is_some() && d.name != to.name);
        let others: u64 = shaped.map(|d| known(d.name)).sum();
        // A message of plain text is one in several formats. One of Gemini's, with a role and parts, is also what the
        // checkpoints of a program hold: that row stands before Gemini's.
        let alike = if to.name == "gemini" { known("llxprt-checkpoint") } else { 0 };
        let own = known(to.name) + known("chat") + alike + done.foreign + done.refused.len() as u64;
        // Lines of a batch whose requests came to nothing have no message, and stay as they are.
        let stay = if name == "anthropic/batch.jsonl" { 2 } else { 0 };
        if others > stay || to.shape.is_some() && own == 0 {
            let names = DIALECTS.iter().map(|d| (d.name, known(d.name))).filter(|(_, n)| *n > 0).collect::<Vec<_>>();
            return Err(format!("not in the dialect: {names:?}\n{}", String::from_utf8_lossy(&done.out)));
        }
        Ok(())
    });
}

#[test]
fn there_and_back() {
    over_pairs("back", |name, input, to| {
        let Some(from) = targets().into_iter().find(|d| name.starts_with(&format!("{}/", d.name))) else {
            return Ok(());
        };
        let there = convert_to(input, to.name, 1 << 20);
        if from.name == to.name {
            let same = there.out == input && there.losses.is_empty() && there.refused.is_empty();
            return if same { Ok(()) } else { Err(format!("no identity: {:?}", String::from_utf8_lossy(&there.out))) };
        }
        if !there.refused.is_empty() || name.ends_with(".txt") {
            return Ok(());
        }
        let back = convert_to(&there.out, from.name, 1 << 20);
        if !back.refused.is_empty() {
            return Err(format!(
                "refused on the way back: {:?}\n{}",
                back.refused,
                String::from_utf8_lossy(&there.out)
            ));
        }
        let (mut before, after) = (turns(input)?.0, turns(&back.out)?.0);
        if to.name == "mistral" || from.name == "mistral" {
            known::rename(&mut before, &after, from.name == "mistral")?;
        }
        let mut losses = there.losses;
        losses.extend(back.losses);
        known::compare(&before, &after, &losses)
    });
}

#[test]
fn pieces_do_not_matter() {
    over_pairs("pieces", |_, input, to| {
        let whole = convert_to(input, to.name, 1 << 20);
        for piece in [1, 7].into_iter().filter(|piece| input.len() / piece < 20_000) {
            let apart = convert_to(input, to.name, piece);
            if apart != whole {
                let (a, b) = (String::from_utf8_lossy(&apart.out), String::from_utf8_lossy(&whole.out));
                let at = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
                return Err(format!("piece {piece}: differs at {at}\n{a}\n-- whole\n{b}\n{:?}", whole.losses));
            }
        }
        Ok(())
    });
}

#[test]
fn events_are_the_same_as_lines() {
    over_pairs("lines", |name, input, to| {
        let Ok(events) = streams::values(input) else { return Ok(()) };
        // Where the name of an event says what it is, lines do not.
        let named = |(name, value): &(String, serde_json::Value)| !name.is_empty() && value["type"].is_null();
        if !name.ends_with(".sse") || events.iter().any(named) {
            return Ok(());
        }
        let done = |value: &serde_json::Value| value == "[DONE]";
        let lines: String =
            events.iter().map(|(_, v)| if done(v) { "[DONE]\n".into() } else { format!("{v}\n") }).collect();
        let again = |input: &[u8]| -> Result<Vec<_>, String> {
            let out = String::from_utf8_lossy(&convert_to(input, to.name, 1 << 20).out).replace("\n[DONE]\n", "\n");
            let values = streams::values(out.as_bytes())?.into_iter();
            Ok(values.map(|(_, value)| value).filter(|value| !done(value)).collect())
        };
        let sse: String = events
            .iter()
            .map(|(_, v)| if done(v) { "data: [DONE]\n\n".into() } else { format!("data: {v}\n\n") })
            .collect();
        let (a, b) = (again(sse.as_bytes())?, again(lines.as_bytes())?);
        // Text on lines waits for a tag that may come, so that more of it goes out in one event.
        let (a, b) = (streams::folded(&a), streams::folded(&b));
        if a == b {
            return Ok(());
        }
        let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
        Err(format!("{} and {} values, from {at}\n{:?}\n{:?}", a.len(), b.len(), &a.get(at), &b.get(at)))
    });
}
