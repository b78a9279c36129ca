//! Exit 0 means that everything was read: no recorded passage of reasoning leaves with status 0, whatever the verb; and
//! what holds no reasoning in any format passes.

use crate::support::*;
use assert_cmd::Command;
use unthink::internals::dialect::UNREAD;

/// A recording, and what must not leave with it.
struct Sample {
    name: String,
    bytes: Vec<u8>,
    /// Passages of its reasoning that its answer does not have, and the beginnings of signatures.
    passages: Vec<String>,
}

fn samples() -> Vec<Sample> {
    let Some(shared) = shared() else { return Vec::new() };
    let mut all = Vec::new();
    for folder in ["samples", "samples2"] {
        let index = std::fs::read(shared.join(folder).join("INDEX.json")).unwrap();
        let index: serde_json::Value = serde_json::from_slice(&index).unwrap();
        for entry in index.as_array().unwrap() {
            let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
            // These are known by a convention of their own, and not by a key or a tag.
            let own = folder == "samples2" && (entry["framing"] == "text" || entry["format"] == "dataset-gsm8k");
            if own {
                continue;
            }
            let answer = text(&entry["expected_content"]);
            let mut passages = Vec::new();
            for part in entry["expected_reasoning_parts"].as_array().unwrap() {
                let chars: Vec<char> = text(&part["text"]).chars().collect();
                let starts = (0..chars.len().saturating_sub(40).max(1)).step_by(40);
                let passage = |at: usize| chars[at..chars.len().min(at + 40)].iter().collect::<String>();
                let counts = |p: &String| p.matches(' ').count() > 2 && !answer.contains(p.as_str());
                passages.extend(starts.map(passage).filter(counts));
            }
            let signatures = entry["signatures"].as_array().unwrap().iter().map(text);
            // A placeholder of the collector stands for texts, too.
            let signatures = signatures.filter(|s| !s.starts_with("[trimmed"));
            passages.extend(signatures.filter(|s| s.len() > 20).map(|s| s.chars().take(60).collect()));
            let name = format!("{folder}/{}", entry["file"].as_str().unwrap());
            let bytes = std::fs::read(shared.join(&name)).unwrap();
            all.push(Sample { name, bytes, passages });
        }
    }
    all
}

/// The passage as it may stand in text, in JSON, and in JSON inside a string of JSON.
fn forms(passage: &str) -> Vec<String> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap().trim_matches('"').to_string();
    let ascii = |text: &str| {
        let mut units = [0; 2];
        let escape = |c: char| match c.is_ascii() {
            true => c.to_string(),
            false => c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
        };
        text.chars().map(escape).collect::<String>()
    };
    let once = quoted(passage);
    let twice = quoted(&once);
    let twice_ascii = quoted(&ascii(&once));
    vec![passage.to_string(), ascii(&once), once, twice, twice_ascii]
}

/// The first passage that is left.
fn left<'a>(out: &[u8], sample: &'a Sample) -> Option<&'a String> {
    let out = String::from_utf8_lossy(out);
    sample.passages.iter().find(|passage| forms(passage).iter().any(|form| out.contains(form)))
}

#[test]
fn no_passage_leaves_with_status_0() {
    let samples = samples();
    let (mut clean, mut refused) = (0, Vec::new());
    for sample in &samples {
        let name = &sample.name;
        let ran = strip(&sample.bytes, Setup::default());
        match (ran.counts.refused, left(&ran.out, sample)) {
            (0, Some(_)) => panic!("{name} leaves with its reasoning, and the status is 0"),
            (0, None) => clean += 1,
            (_, _) => refused.push(name),
        }
        assert_eq!(strip(&sample.bytes, policy("none")).out, sample.bytes, "{name}: none is the identity");
        let pieces = strip(&sample.bytes, Setup { piece: 7, ..Setup::default() });
        assert_eq!((pieces.out, pieces.counts.refused), (ran.out, ran.counts.refused), "{name} in pieces");
        // What `split` shows as an answer is none of the reasoning either.
        let answers = split_text(&sample.bytes, Setup::default(), false);
        assert!(
            answers.counts.refused > 0 || left(&answers.out, sample).is_none(),
            "{name}: split shows reasoning as an answer"
        );
    }
    if !samples.is_empty() {
        // The chat recordings are read, and stay so.
        assert!(clean >= 40, "{clean} are clean; refused: {refused:?}");
    }
}

/// The files that are made to be hard have a word that says what is reasoning.
#[test]
fn no_hard_file_leaves_with_status_0() {
    let Some(shared) = shared() else { return };
    let index = std::fs::read(shared.join("hard/INDEX.json")).unwrap();
    let index: serde_json::Value = serde_json::from_slice(&index).unwrap();
    for entry in index.as_array().or(index["files"].as_array()).unwrap() {
        let file = entry["file"].as_str().unwrap();
        // What is raw text, or to be shown as a page, has rules of its own.
        let json = entry["kind"] == "json" || entry["kind"] == "jsonl";
        let marked = entry["marker"].as_bool().unwrap_or(true) && json;
        let bytes = std::fs::read(shared.join("hard").join(file)).unwrap();
        let ran = strip(&bytes, Setup::default());
        let leaks = ran.text().contains("R3AS0N");
        assert!(!(marked && leaks && ran.counts.refused == 0), "{file} leaves with its reasoning, and the status is 0");
        assert_eq!(strip(&bytes, policy("none")).out, bytes, "{file}: none is the identity");
    }
}

/// Records of formats that are not read, inside records that are: those that hold reasoning are refused, the others
/// pass unchanged. Alone, as a member, in a list, as a string, and as an event of a stream. A record that a row reads by
/// now may be stripped of more than what is searched for.
#[test]
fn unread_records_inside_read_ones() {
    let quoted = |record: &str| serde_json::to_string(record).unwrap();
    let wrap: [fn(&str, &str) -> String; 5] = [
        |record, _| format!("{record}\n"),
        |record, _| format!("{{\"role\":\"assistant\",\"content\":\"PUBL1C\",\"extra\":{record}}}\n"),
        |record, _| format!("{{\"messages\":[{{\"role\":\"user\",\"content\":\"hi\"}}],\"log\":[1,{record}]}}\n"),
        |_, quoted| format!("{{\"line\":{quoted}}}\n"),
        |record, _| format!("data: {record}\n\n"),
    ];
    for row in UNREAD {
        for (records, refused) in [(row.suspect, true), (row.clean, false)] {
            for record in records {
                let is_read = strip(record.as_bytes(), Setup::default()).counts.known.0.iter().any(|n| *n > 0);
                if is_read && !refused {
                    continue;
                }
                for (i, wrap) in wrap.iter().enumerate() {
                    let input = wrap(record, &quoted(record));
                    let ran = strip(input.as_bytes(), Setup::default());
                    // A message of a known shape is read, though the format is not.
                    let read = ran.counts.refused == 0 && ran.text() != input;
                    let shown = format!("{}, wrap {i}: {input}", row.name);
                    assert_eq!(ran.counts.refused > 0 || read, refused, "{shown}");
                    assert!(refused || ran.text() == input, "{shown}");
                    assert!(!refused || read || ran.out.is_empty(), "{shown}");
                }
            }
        }
    }
}

/// The manifests, locks and settings of the machine that the tests run on hold no reasoning.
#[test]
fn files_of_this_project_are_no_false_alarms() {
    for file in ["Cargo.toml", "Cargo.lock", "fuzz/Cargo.toml", "man/unthink.1"] {
        let path = root().join(file);
        let bytes = std::fs::read(&path).unwrap();
        let out = Command::cargo_bin("unthink").unwrap().arg(&path).assert().code(0).get_output().clone();
        assert!(out.stdout == bytes, "{file}");
    }
}

/// What a terminal shows, in the middle of a text: no spelling of its lines in JSON passes, in no dialect.
#[test]
fn recordings_in_texts_are_seen_however_they_are_escaped() {
    let texts = [
        ("Thinking...", "...done thinking."),
        ("[Start thinking]", "[End thinking]"),
        ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),
        // A sequence for the terminal stands around the line.
        ("\u{1b}[2mThinking...\u{1b}[0m", "...done thinking."),
    ];
    let escaped = |text: &str, at: Option<usize>| {
        let one = |(i, c): (usize, char)| match c {
            c if Some(i) == at || c == '\u{1b}' => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        };
        text.chars().enumerate().map(one).collect::<String>()
    };
    for (open, close) in texts {
        for at in std::iter::once(None).chain((0..open.chars().count()).map(Some)) {
            let text = format!("Hello.\\n\\n{}\\nS3CRET is the plan.\\n{close}\\n\\nBye.", escaped(open, at));
            for input in [
                format!("{{\"role\":\"assistant\",\"content\":\"{text}\"}}\n"),
                format!(
                    "{{\"type\":\"assistant\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}\n"
                ),
                format!("{{\"log\":\"{text}\"}}\n"),
            ] {
                let ran = strip(input.as_bytes(), Setup::default());
                let leaks = ran.problems.is_empty() && ran.text().contains("S3CRET");
                assert!(!leaks, "{input}");
            }
        }
    }
}
