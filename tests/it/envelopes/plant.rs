//! Records with a marker in every passage of their reasoning, and another one in every answer.

use crate::support::{root, shared, testdata};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// A recording or a file of our own: its records, with markers.
pub(super) struct Record {
    pub name: String,
    pub dialect: String,
    /// A JSON value each, on one line; of a text, the text.
    pub units: Vec<String>,
    pub kind: Kind,
    /// What stands in every passage of the reasoning, and what stands in every answer.
    pub reasoning: &'static str,
    pub answer: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Json,
    Sse,
    Text,
}

/// A string of a JSON value: where its content stands, where it is in the value, and what it says.
struct Leaf {
    at: usize,
    path: String,
    said: String,
}

/// Every string of a JSON value that is no key.
fn leaves(json: &str) -> Vec<Leaf> {
    enum Level {
        Object(String),
        Array(usize),
    }
    let (bytes, mut at, mut stack, mut leaves) = (json.as_bytes(), 0, Vec::<Level>::new(), Vec::new());
    while at < bytes.len() {
        match bytes[at] {
            b'{' => stack.push(Level::Object(String::new())),
            b'[' => stack.push(Level::Array(0)),
            b'}' | b']' => drop(stack.pop()),
            b',' => {
                if let Some(Level::Array(n)) = stack.last_mut() {
                    *n += 1;
                }
            }
            b'"' => {
                let end = string_end(bytes, at);
                let said: String = serde_json::from_str(&json[at..end]).unwrap_or_default();
                let key = json[end..].trim_start().starts_with(':');
                match stack.last_mut() {
                    Some(Level::Object(name)) if key => *name = said,
                    _ => {
                        let level = |level: &Level| match level {
                            Level::Object(name) => format!("/{name}"),
                            Level::Array(n) => format!("/{n}"),
                        };
                        leaves.push(Leaf { at: at + 1, path: stack.iter().map(level).collect(), said });
                    }
                }
                at = end - 1;
            }
            _ => (),
        }
        at += 1;
    }
    leaves
}

/// The offset behind a string that begins at `at`.
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Without white space, so that what was collapsed or trimmed makes no difference.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

const REASONING: &str = "R3AS0NMARK";
const ANSWER: &str = "ANSW3RMARK";

/// The texts that a recording is said to hold.
struct Said {
    reasoning: Vec<String>,
    answers: Vec<String>,
}

impl Said {
    fn new(entry: &Value) -> Self {
        let texts = |key: &str| {
            let part = |part: &Value| part["text"].as_str().or(part.as_str()).unwrap_or_default().to_string();
            let all = entry[key].as_array().into_iter().flatten().map(part);
            all.filter(|text| squeezed(text).len() > 2).collect::<Vec<_>>()
        };
        Self { reasoning: texts("expected_reasoning_parts"), answers: texts("expected_content_parts") }
    }

    /// Which marker a text gets at its start: that of the list that has it.
    fn of(&self, text: &str) -> Option<&'static str> {
        let text = squeezed(text);
        let is = |part: &String| {
            let part = squeezed(part);
            // Arguments of a tool may be quoted in the reasoning, and are none.
            text == part || text.len() > 40 && !text.starts_with('{') && part.contains(&text)
        };
        if text.is_empty() {
            None
        } else if self.reasoning.iter().any(is) {
            Some(REASONING)
        } else {
            self.answers.iter().any(is).then_some(ANSWER)
        }
    }

    /// The places in a text that holds reasoning or answers among other things, each with its marker.
    fn within(&self, text: &str) -> Vec<(usize, &'static str)> {
        let mut places: Vec<(usize, &'static str)> = Vec::new();
        for (parts, marker) in [(&self.reasoning, REASONING), (&self.answers, ANSWER)] {
            for part in parts {
                // The longest beginning that is the same however the text is quoted.
                let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | ',' | '.' | '\'' | '-');
                let end = part.trim_start().find(|c| !plain(c)).unwrap_or(part.trim_start().len());
                let start = &part.trim_start()[..end];
                if start.len() > 11
                    && let Some(at) = text.find(start)
                {
                    places.push((at, marker));
                }
            }
        }
        places.sort_unstable();
        places.dedup_by_key(|(at, _)| *at);
        places
    }
}

fn insert(text: &mut String, mut places: Vec<(usize, &'static str)>) {
    places.sort_unstable_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, marker) in places {
        text.insert_str(at, &format!("{marker} "));
    }
}

/// Plants markers into texts that stand whole in a string, and into the first piece of those that come in deltas.
fn plant(units: &mut [String], said: &Said) {
    let mut places: Vec<Vec<(usize, &'static str)>> = vec![Vec::new(); units.len()];
    let mut streams: BTreeMap<String, (String, usize, usize)> = BTreeMap::new();
    for (n, unit) in units.iter().enumerate() {
        let value: Value = serde_json::from_str(unit).unwrap_or_default();
        let kind = format!("{}{}{}", value["type"], value["index"], value["output_index"]);
        for leaf in leaves(unit).into_iter().filter(|leaf| !leaf.said.is_empty()) {
            let inside = said.within(&unit[leaf.at..string_end(unit.as_bytes(), leaf.at - 1) - 1]);
            if let Some(marker) = said.of(&leaf.said) {
                places[n].push((leaf.at, marker));
            } else if !inside.is_empty() {
                places[n].extend(inside.into_iter().map(|(at, marker)| (leaf.at + at, marker)));
            } else {
                let stream = streams.entry(kind.clone() + &leaf.path).or_insert((String::new(), n, leaf.at));
                stream.0.push_str(&leaf.said);
            }
        }
    }
    for (text, n, at) in streams.into_values() {
        if let Some(marker) = said.of(&text) {
            places[n].push((at, marker));
        }
    }
    for (unit, places) in units.iter_mut().zip(places) {
        insert(unit, places);
    }
}

/// Without the white space between tokens.
pub(super) fn compact(json: &str) -> String {
    let (bytes, mut at, mut out) = (json.as_bytes(), 0, String::new());
    while at < bytes.len() {
        let end = if bytes[at] == b'"' { string_end(bytes, at) } else { at + 1 };
        if !bytes[at].is_ascii_whitespace() {
            out.push_str(&json[at..end]);
        }
        at = end;
    }
    out
}

/// The records of a file.
fn units(text: &str, framing: &str) -> (Vec<String>, Kind) {
    let text = text.trim_start_matches('\u{feff}');
    match framing {
        "sse" => {
            let text = text.replace("\r\n", "\n").replace('\r', "\n");
            let data = |block: &str| {
                let lines = block.lines().filter_map(|line| line.strip_prefix("data:"));
                lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
            };
            let all = text
                .split("\n\n")
                .map(data)
                .filter(|data| data.trim_start().starts_with(['{', '[']) && data != "[DONE]");
            (all.map(|data| compact(&data)).collect(), Kind::Sse)
        }
        "text" => (vec![text.to_string()], Kind::Text),
        _ => {
            let (mut all, mut from) = (Vec::new(), 0);
            let mut stream = serde_json::Deserializer::from_str(text).into_iter::<Value>();
            while let Some(Ok(_)) = stream.next() {
                all.push(compact(&text[from..stream.byte_offset()]));
                from = stream.byte_offset();
            }
            (all, Kind::Json)
        }
    }
}

/// The recordings of others, by their indexes.
fn recordings(shared: &Path) -> Vec<Record> {
    let mut all = Vec::new();
    for folder in ["samples", "samples2"] {
        let index = std::fs::read(shared.join(folder).join("INDEX.json")).unwrap();
        let index: Vec<Value> = serde_json::from_slice(&index).unwrap();
        for entry in index {
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_string();
            // Its reasoning is the front of an answer, by a convention of this one data set.
            if text("format") == "dataset-gsm8k" {
                continue;
            }
            let path = shared.join(folder).join(text("file"));
            let Ok(bytes) = String::from_utf8(std::fs::read(path).unwrap()) else { continue };
            let (mut units, kind) = units(&bytes, &text("framing"));
            let said = Said::new(&entry);
            if kind == Kind::Text {
                let places = said.within(&units[0]);
                insert(&mut units[0], places);
            } else {
                plant(&mut units, &said);
            }
            let dialect = text("format");
            let name = format!("{folder}/{}", text("file"));
            all.push(Record { name, dialect, units, kind, reasoning: REASONING, answer: ANSWER });
        }
    }
    all
}

/// Our own test data has markers: `S3CRET` stands only in reasoning, and `PUBL1C` only in what must stay.
fn own() -> Vec<Record> {
    let record = |(dialect, path): (String, std::path::PathBuf)| {
        let text = String::from_utf8(std::fs::read(&path).ok()?).ok()?;
        let framing = match path.extension()?.to_str()? {
            "txt" => "text",
            other => other,
        };
        let (units, kind) = units(&text, framing);
        let name = path.strip_prefix(root()).ok()?.display().to_string();
        Some(Record { name, dialect, units, kind, reasoning: "S3CRET", answer: "PUBL1C" })
    };
    testdata().into_iter().filter_map(record).collect()
}

/// Every record there is, each with at least one marker.
pub(super) fn records() -> Vec<Record> {
    let mut all = own();
    if let Some(shared) = shared() {
        all.extend(recordings(&shared));
    }
    all.retain(|record| record.count(record.reasoning) + record.count(record.answer) > 0);
    all
}

impl Record {
    pub fn count(&self, marker: &str) -> usize {
        self.units.iter().map(|unit| unit.matches(marker).count()).sum()
    }

    pub fn len(&self) -> usize {
        self.units.iter().map(String::len).sum()
    }
}
