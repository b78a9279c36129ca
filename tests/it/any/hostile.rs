//! Input that nobody wrote: our test data with lines dropped, doubled, shuffled and cut, and values of other types.

use super::{files, streams, targets};
use crate::support::*;
use serde_json::{Value, json};

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides.max(1)
    }
}

/// The records of a file: its lines, or its events.
fn records(input: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(input).replace("\r\n", "\n");
    let between = if text.contains("data:") { "\n\n" } else { "\n" };
    text.split_inclusive(between).map(|part| part.as_bytes().to_vec()).collect()
}

/// Some value of the record becomes another one.
fn retyped(record: &[u8], dice: &mut Dice) -> Vec<u8> {
    let text = String::from_utf8_lossy(record).into_owned();
    let (Some(from), Some(to)) = (text.find(['{', '[']), text.rfind(['}', ']'])) else { return record.to_vec() };
    let Some(mut value) = text.get(from..=to).and_then(|json| serde_json::from_str::<Value>(json).ok()) else {
        return record.to_vec();
    };
    let mut at = String::new();
    for _ in 0..=dice.roll(9) {
        let next = match value.pointer(&at).unwrap() {
            Value::Array(all) if !all.is_empty() => dice.roll(all.len()).to_string(),
            Value::Object(all) if !all.is_empty() => all.keys().nth(dice.roll(all.len())).unwrap().replace('/', "~1"),
            _ => break,
        };
        at = format!("{at}/{next}");
    }
    let swap = [json!(null), json!(7), json!("x"), json!([]), json!({}), json!(true), json!(["y", 1])];
    *value.pointer_mut(&at).unwrap() = swap[dice.roll(swap.len())].clone();
    format!("{}{value}{}", &text[..from], &text[to + 1..]).into_bytes()
}

fn mutated(input: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut all = records(input);
    for _ in 0..dice.roll(3) + 1 {
        let (at, other) = (dice.roll(all.len()), dice.roll(all.len()));
        match dice.roll(6) {
            0 if all.len() > 1 => drop(all.remove(at)),
            1 => all.insert(at, all[at].clone()),
            2 => all.swap(at, other),
            3 => {
                let keep = dice.roll(all[at].len());
                all[at].truncate(keep);
            }
            _ => all[at] = retyped(&all[at], dice),
        }
    }
    all.concat()
}

/// Every text that the target shows to people. In what the source gave as visible there is no reasoning.
fn shown(out: &[u8]) -> Option<String> {
    let said = streams::read(out).ok()?.0;
    Some(said.turns.iter().filter(|turn| turn.role == "assistant").map(|turn| turn.visible.as_str()).collect())
}

#[test]
fn nothing_breaks_what_is_written() {
    let mut failed = Vec::new();
    // Where a tag is cut, what stands in it may be text.
    let inline = ["text", "tagged", "harmony", "sharegpt", "sample", "chat", "mia", "extra"];
    for (dialect, name, input) in
        files().into_iter().filter(|(_, name, input)| !name.ends_with(".txt") && input.len() < 20_000)
    {
        // Each file has its own numbers, so that another file more changes nothing for it.
        let seed = name.bytes().fold(0x5EED_CAFE_u64, |all, b| all.wrapping_mul(31).wrapping_add(u64::from(b)));
        let mut dice = Dice(seed | 1);
        for round in 0..rounds() {
            let odd = mutated(&input, &mut dice);
            let clean = !inline.contains(&dialect.as_str()) && !shown_by_split(&odd).contains("S3CRET");
            for to in targets() {
                if super::known::known("hostile", &name, to.name).is_some() {
                    continue;
                }
                let done = std::panic::catch_unwind(|| convert_to(&odd, to.name, 1 << 20));
                let what = match done {
                    Err(_) => "panic".to_string(),
                    Ok(done) => match streams::values(&done.out) {
                        // What is no JSON passes where it is text.
                        Err(e) if streams::values(&odd).is_ok() => e,
                        Ok(_) if clean && shown(&done.out).is_some_and(|text| text.contains("S3CRET")) => {
                            format!("reasoning is shown: {}", String::from_utf8_lossy(&done.out))
                        }
                        _ => continue,
                    },
                };
                let odd = String::from_utf8_lossy(&odd);
                failed.push(format!("{name}, round {round}, to {}: {what}\n--- from\n{odd}", to.name));
            }
        }
    }
    if let Ok(path) = std::env::var("ANY_REPORT") {
        let _ = std::fs::write(format!("{path}.hostile"), failed.join("\n\n=====\n"));
    }
    let short = |s: &String| s.chars().take(1500).collect::<String>();
    assert!(failed.is_empty(), "{}: {}", failed.len(), failed.iter().map(short).collect::<Vec<_>>().join("\n\n"));
}

/// How many variants of each file: many, if somebody wants to look for more.
fn rounds() -> usize {
    std::env::var("ANY_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

fn shown_by_split(input: &[u8]) -> String {
    messages(input, Setup::default()).into_iter().map(|(visible, _)| visible).collect()
}
