//! Small inputs that once leaked reasoning or lost an answer: what must hold of each stands in their index. They come
//! from a file, from stdin and in pieces, to every command.

use crate::any::targets;
use crate::support::*;
use assert_cmd::Command;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::PathBuf;
use unthink::StripOptions;

struct Attack {
    name: String,
    path: PathBuf,
    bytes: Vec<u8>,
    expected: String,
}

fn attacks() -> Vec<Attack> {
    let Some(shared) = shared() else { return Vec::new() };
    let folder = shared.join("attack");
    let index = std::fs::read(folder.join("INDEX.json")).unwrap();
    let index: BTreeMap<String, Value> = serde_json::from_slice(&index).unwrap();
    let attack = |(name, expected): (String, Value)| {
        let path = folder.join(&name);
        let bytes = std::fs::read(&path).unwrap();
        Attack { name, path, bytes, expected: expected.as_str().unwrap().into() }
    };
    index.into_iter().map(attack).collect()
}

impl Attack {
    fn count(&self, marker: &str) -> usize {
        String::from_utf8_lossy(&self.bytes).matches(marker).count()
    }

    /// What a command does with it, from a file and from stdin: status, stdout and stderr.
    fn run(&self, args: &[&str]) -> Vec<(i32, String, String)> {
        let command = || {
            let mut command = Command::cargo_bin("unthink").unwrap();
            command.args(args);
            command
        };
        let outputs = [command().arg(&self.path).output(), command().write_stdin(self.bytes.clone()).output()];
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        outputs
            .into_iter()
            .map(|output| output.unwrap())
            .map(|output| (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr)))
            .collect()
    }
}

const SECRET: &str = "SECRET";

/// What does not hold, by the name of the input: what was tried, and how often.
type Wrong = BTreeMap<(String, String), usize>;

fn add(wrong: &mut Wrong, attack: &Attack, what: String) {
    *wrong.entry((attack.name.clone(), what)).or_default() += 1;
}

fn secret_stays(attack: &Attack, wrong: &mut Wrong) {
    for args in [&["strip"][..], &[], &["split", "-o", "text"], &["strip", "--policy", "all"]] {
        let ran = attack.run(args);
        for (from, (status, out, said)) in ["a file", "stdin"].iter().zip(&ran) {
            if *status == 0 && out.contains(SECRET) {
                add(wrong, attack, format!("{args:?} from {from} leaks with status 0"));
            }
            if *status == 0 && said.contains("may be reasoning") {
                add(wrong, attack, format!("{args:?} from {from} warns beside status 0: {said}"));
            }
            if said.contains(SECRET) {
                add(wrong, attack, format!("{args:?} from {from} quotes it: {said}"));
            }
        }
        if ran[0].0 != ran[1].0 || ran[0].1 != ran[1].1 {
            add(wrong, attack, format!("{args:?} differs between a file and stdin: {ran:?}"));
        }
    }
    let mut read = true;
    for (status, out, _) in attack.run(&["split"]) {
        read &= status == 0;
        let messages = out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let shown = messages.into_iter().any(|m| m["visible"].as_str().is_some_and(|text| text.contains(SECRET)));
        if status == 0 && shown {
            add(wrong, attack, "split shows it as an answer".into());
        }
    }
    for (status, ..) in attack.run(&["check"]) {
        // What is read as reasoning is no leak.
        if status == 0 && !read {
            add(wrong, attack, "check finds nothing".into());
        }
    }
    for piece in [1, 2, 3, 7, 64] {
        let mut out = Vec::new();
        let reader = BufReader::with_capacity(piece, attack.bytes.as_slice());
        let done = unthink::strip_io(reader, &mut out, &StripOptions::default());
        if done.is_ok() && String::from_utf8_lossy(&out).contains(SECRET) {
            add(wrong, attack, format!("strip in pieces of {piece} leaks with status 0"));
        }
    }
    // What is converted keeps its reasoning in a place where `strip` finds it.
    for target in targets() {
        for piece in [usize::MAX, 3] {
            let done = convert_to(&attack.bytes, target.name, piece.min(attack.bytes.len()));
            if !done.refused.is_empty() {
                continue;
            }
            let left = unthink::strip(&done.out, &StripOptions::default());
            if left.is_ok_and(|left| String::from_utf8_lossy(&left.output).contains(SECRET)) {
                add(wrong, attack, format!("convert --to {} hides it", target.name));
            }
        }
    }
}

const ANSWERS: [&str; 3] = ["KA1", "KA2", "KA3"];

fn answers_stay(attack: &Attack, wrong: &mut Wrong) {
    for args in [&["strip"][..], &["split"], &["split", "-o", "text"]] {
        for (status, out, said) in attack.run(args) {
            let same = ANSWERS.iter().all(|answer| out.matches(answer).count() == attack.count(answer));
            if status != 0 || !same {
                add(wrong, attack, format!("{args:?}, status {status}: {out} {said}"));
            }
        }
    }
    if attack.name.contains("check-miss") {
        for (status, ..) in attack.run(&["check"]) {
            if status != 1 {
                add(wrong, attack, format!("check ends with status {status}"));
            }
        }
    }
}

fn converts_or_refuses(attack: &Attack, wrong: &mut Wrong) {
    for target in targets() {
        for piece in [usize::MAX, 1, 7] {
            let done = convert_to(&attack.bytes, target.name, piece.min(attack.bytes.len()));
            let written = ANSWERS
                .iter()
                .all(|answer| attack.count(answer) == 0 || String::from_utf8_lossy(&done.out).contains(answer));
            if done.refused.is_empty() && !written {
                add(wrong, attack, format!("convert --to {} loses its answer", target.name));
            }
        }
    }
}

fn is_a_loss(attack: &Attack, wrong: &mut Wrong) {
    for (status, out, said) in attack.run(&["convert", "--to", "thinking-block"]) {
        if status != 0 || out.is_empty() {
            add(wrong, attack, format!("status {status}: {out} {said}"));
        }
    }
}

#[test]
fn what_leaked_or_was_lost_holds() {
    let mut wrong = Wrong::new();
    for attack in attacks() {
        match attack.expected.as_str() {
            said if said.starts_with("SECRET never on stdout") => secret_stays(&attack, &mut wrong),
            said if said.starts_with("the answers KA1") => answers_stay(&attack, &mut wrong),
            said if said.starts_with("convert to every target") => converts_or_refuses(&attack, &mut wrong),
            said if said.starts_with("convert --to thinking-block") => is_a_loss(&attack, &mut wrong),
            said => panic!("{}: {said}", attack.name),
        }
    }
    let list: String = wrong.iter().map(|((name, what), n)| format!("{name}: {what} ({n} times)\n")).collect();
    let files: BTreeSet<&String> = wrong.keys().map(|(name, _)| name).collect();
    assert!(wrong.is_empty(), "{list}\nin {} files: {files:?}", files.len());
}

/// What they and the hard files become does not depend on how they come, and goes on to other formats without a panic.
#[test]
fn what_they_become_does_not_depend_on_pieces() {
    let Some(shared) = shared() else { return };
    let mut files = Vec::new();
    ["attack", "hard"].iter().for_each(|folder| files_under(&shared.join(folder), &mut files));
    let mut wrong = BTreeSet::new();
    for path in files.into_iter().filter(|path| !path.ends_with("INDEX.json")) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() > LONGEST {
            continue;
        }
        for target in targets() {
            let whole = convert_to(&bytes, target.name, LONGEST);
            for piece in [1, 7, 64].into_iter().filter(|piece| *piece < bytes.len()) {
                if convert_to(&bytes, target.name, piece) != whole {
                    wrong.insert(format!("{} to {} in pieces of {piece}", path.display(), target.name));
                }
            }
            if whole.out == bytes {
                continue;
            }
            for back in ["anthropic", "openrouter"] {
                let left = unthink::strip(&convert_to(&whole.out, back, 7).out, &StripOptions::default());
                let hidden = left.is_ok_and(|left| String::from_utf8_lossy(&left.output).contains(SECRET));
                // A name of a tool, or text of others, may have the word.
                let shown = unthink::strip(&bytes, &StripOptions::default());
                if hidden && !shown.is_ok_and(|shown| String::from_utf8_lossy(&shown.output).contains(SECRET)) {
                    wrong.insert(format!("{} to {} and {back} hides it", path.display(), target.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

fn files_under(folder: &std::path::Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => files_under(&entry, out),
            false => out.push(entry),
        }
    }
    out.sort();
}

/// The longest file of them, in bytes: what matters is in the short ones.
const LONGEST: usize = 2000;
