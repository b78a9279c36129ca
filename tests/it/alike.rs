//! Records that differ from earlier ones in values only are compared with these and not read from the start. That must make no
//! difference, whatever the values are.

use crate::support::*;

/// What takes the place of strings, without their quotes: names, texts, words for reasoning, what is searched, and what ends a
/// record.
const STRINGS: [&str; 30] = [
    "",
    "a",
    "a1b2-c3",
    "0f3a9b1c-1d2e-4f5a-8b6c-7d8e9f0a1b2c",
    "2026-10-01T00:00:08.784Z",
    "assistant",
    "user",
    "system",
    "thinking",
    "reasoning",
    "analysis",
    "text",
    "tool_use",
    "end_turn",
    "standard",
    "Rain by noon.",
    "S3CRET low pressure from the west",
    "Let me think about the weather first.",
    "<think>S3CRET low</think>Rain.",
    "<think>S3CRET low",
    "</think>",
    "a\\n\\tb \\u00e9 é",
    "\\u003cthink>S3CRET",
    "{\\\"thinking\\\":\\\"S3CRET low pressure\\\"}",
    "[{\\\"type\\\":\\\"reasoning\\\",\\\"text\\\":\\\"S3CRET low\\\"}]",
    "/home/user/project",
    "a\\x",
    "\u{1}",
    "\u{2028}",
    "thought: S3CRET low pressure, so it rains",
];

/// What takes the place of numbers.
const NUMBERS: [&str; 9] = ["0", "1", "7", "12", "4096", "1.5", "-1", "1e3", "07"];

/// How often the lines of each file are changed.
const ROUNDS: u64 = 4;

/// A small generator of numbers (SplitMix64): the same ones in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

/// Where values of a line stand: the insides of strings that are no keys, and numbers. Each with whether it is a string.
fn values(line: &[u8]) -> Vec<(std::ops::Range<usize>, bool)> {
    let (mut out, mut i) = (Vec::new(), 0);
    while i < line.len() {
        match line[i] {
            b'"' => {
                let start = i + 1;
                i = start;
                while i < line.len() && line[i] != b'"' {
                    i += if line[i] == b'\\' { 2 } else { 1 };
                }
                if i >= line.len() {
                    break;
                }
                let end = i;
                i += 1;
                if line.get(i) != Some(&b':') {
                    out.push((start..end, true));
                }
            }
            b'0'..=b'9' => {
                let start = i;
                while i < line.len() && (line[i].is_ascii_digit() || matches!(line[i], b'.' | b'e' | b'-' | b'+')) {
                    i += 1;
                }
                out.push((start..i, false));
            }
            _ => i += 1,
        }
    }
    out
}

/// A line with some of its values changed.
fn changed(line: &[u8], random: &mut Numbers) -> Vec<u8> {
    let (all, mut out) = (values(line), line.to_vec());
    if all.is_empty() {
        return out;
    }
    // A few of them, and the last first, so that the places of the others stay.
    let mut which: Vec<usize> = (0..random.below(4)).map(|_| random.below(all.len())).collect();
    which.sort_unstable();
    which.dedup();
    for (at, string) in which.into_iter().rev().map(|n| all[n].clone()) {
        let to = match string {
            true => STRINGS[random.below(STRINGS.len())],
            false => NUMBERS[random.below(NUMBERS.len())],
        };
        out.splice(at, to.bytes());
    }
    out
}

#[test]
fn values_make_no_difference() {
    let mut tried = 0;
    for (name, input) in corpus() {
        let lines: Vec<&[u8]> = input.split(|b| *b == b'\n').filter(|line| line.len() < 20_000).collect();
        let json = |line: &[u8]| line.strip_prefix(b"data: ").unwrap_or(line).starts_with(b"{");
        if lines.iter().filter(|line| json(line)).count() < 2 || input.len() > 400_000 {
            continue;
        }
        for round in 0..ROUNDS {
            let (mut random, mut text) = (Numbers(round * 1_000_003 + tried), Vec::new());
            // Each line several times, so that its likes are known.
            for line in lines.iter().filter(|line| json(line)).take(60) {
                for _ in 0..4 {
                    text.extend(changed(line, &mut random));
                    text.push(b'\n');
                    if line.starts_with(b"data: ") {
                        text.push(b'\n');
                    }
                }
            }
            let without = Setup { shortcuts_off: true, ..Setup::default() };
            for (lazy, eager) in [
                (strip(&text, Setup::default()), strip(&text, without)),
                (split(&text, Setup::default()), split(&text, without)),
            ] {
                let refused =
                    |ran: &Ran| ran.problems.iter().filter(|p| p.skipped).map(|p| p.record).collect::<Vec<_>>();
                if lazy.out == eager.out && refused(&lazy) == refused(&eager) {
                    continue;
                }
                let at = lazy.out.iter().zip(&eager.out).position(|(a, b)| a != b).unwrap_or(0);
                let near = |out: &[u8]| {
                    String::from_utf8_lossy(&out[at.saturating_sub(300)..out.len().min(at + 500)]).into_owned()
                };
                panic!(
                    "{name}, round {round}: at {at}\n{}\n-- without shortcuts:\n{}\n{:?}\n{:?}",
                    near(&lazy.out),
                    near(&eager.out),
                    lazy.problems,
                    eager.problems
                );
            }
            tried += 1;
        }
    }
    assert!(tried > 50, "{tried}");
}
