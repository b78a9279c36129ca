//! Findings that are known: `--baseline`, `--write-baseline`.
//!
//! A finding is known by its fingerprint, which does not change when its line moves. An entry also has the file that it
//! was found in, so that a copy in another file is a new finding; an entry whose file is gone counts for whatever file has
//! the finding now.

use crate::cli::io::printable;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The version of the form that is written.
const VERSION: u64 = 1;

/// Findings that are known.
#[derive(Debug, Default)]
pub struct Baseline {
    entries: HashMap<String, Known>,
}

/// Where findings with one fingerprint were.
#[derive(Debug, Default)]
struct Known {
    /// As the baseline names them.
    files: HashSet<String>,
    /// Those that are there, by the name that the file system has for them, once that was asked for.
    there: Option<HashSet<PathBuf>>,
    /// How many are not there any more.
    gone: u64,
}

impl Known {
    /// Asks the file system for the files. What is read now and is no file, such as stdin, keeps its name.
    fn look(&mut self, read: &HashSet<String>) {
        let mut there = HashSet::new();
        for file in std::mem::take(&mut self.files) {
            match Path::new(&file).canonicalize() {
                Ok(path) => drop(there.insert(path)),
                Err(_) if read.contains(&file) => drop(self.files.insert(file)),
                Err(_) => self.gone += 1,
            }
        }
        self.there = Some(there);
    }
}

impl Baseline {
    /// Whether a finding is known. An entry counts for one finding. `read` are the files of this run.
    pub fn knows(&mut self, file: &str, fingerprint: &str, read: &HashSet<String>) -> bool {
        let Some(known) = self.entries.get_mut(fingerprint) else { return false };
        if known.files.remove(file) {
            return true;
        }
        if known.there.is_none() {
            known.look(read);
        }
        let path = Path::new(file).canonicalize().ok();
        if path.is_some_and(|path| known.there.as_mut().is_some_and(|there| there.remove(&path))) {
            return true;
        }
        let some = known.gone > 0;
        known.gone = known.gone.saturating_sub(1);
        some
    }
}

/// Reads a baseline.
///
/// # Errors
/// With an [`std::io::Error`] inside when the file cannot be read; when it is no baseline.
pub fn read(path: &Path) -> Result<Baseline> {
    let name = printable(path);
    let bytes = std::fs::read(path).with_context(|| name.clone())?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| anyhow!("{name}: no baseline: {e}"))?;
    let Some(findings) = value.get("findings").and_then(Value::as_array) else {
        bail!("{name}: no baseline: an object with findings is one, as --write-baseline writes it");
    };
    match value.get("version").and_then(Value::as_u64) {
        Some(VERSION) => (),
        _ => bail!("{name}: a baseline of another version than {VERSION}: --write-baseline writes a new one"),
    }
    let mut entries: HashMap<String, Known> = HashMap::new();
    for (i, finding) in findings.iter().enumerate() {
        let text = |key| finding.get(key).and_then(Value::as_str).map(str::to_string);
        let Some((fingerprint, file)) = text("fingerprint").zip(text("file")) else {
            bail!("{name}: finding {}: it has no fingerprint or no file", i + 1);
        };
        entries.entry(fingerprint).or_default().files.insert(file);
    }
    Ok(Baseline { entries })
}

/// A finding in a baseline: its file, its rule, its fingerprint.
pub type Entry = (String, &'static str, String);

/// A baseline as text: a finding a line, sorted, so that a change to it is easy to read.
pub fn text(entries: &BTreeSet<Entry>) -> String {
    let line = |(file, rule, fingerprint): &Entry| {
        format!("{{\"file\":{},\"rule\":\"{rule}\",\"fingerprint\":\"{fingerprint}\"}}", json!(file))
    };
    let lines: Vec<String> = entries.iter().map(line).collect();
    let lines = if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join(",\n")) };
    format!("{{\"version\":{VERSION},\"findings\":[{lines}]}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(entries: &[(&str, &str)]) -> Baseline {
        let mut baseline = Baseline::default();
        for (file, fingerprint) in entries {
            baseline.entries.entry(fingerprint.to_string()).or_default().files.insert(file.to_string());
        }
        baseline
    }

    #[test]
    fn an_entry_counts_once_and_for_its_file() {
        let read: HashSet<String> = ["a".to_string(), "c".to_string()].into();
        let mut known = baseline(&[("a", "1"), ("gone", "1"), ("Cargo.toml", "1")]);
        assert!(known.knows("c", "1", &read), "its file is gone");
        assert!(!known.knows("c", "1", &read), "the others are not");
        assert!(known.knows("a", "1", &read), "it is read, though it is no file");
        assert!(!known.knows("a", "1", &read), "once");
        assert!(!known.knows("a", "2", &read));
        let name = Path::new("Cargo.toml").canonicalize().unwrap();
        assert!(known.knows(name.to_str().unwrap(), "1", &read), "the same file under another name");
        assert!(!known.knows("Cargo.toml", "1", &read));
    }

    #[test]
    fn the_text_is_sorted_json() {
        let entries = [("b".to_string(), "UT1", "2".to_string()), ("a\"".to_string(), "UT1", "3".to_string())];
        let text = text(&entries.into());
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["findings"][0]["file"], "a\"");
        assert_eq!(text.lines().count(), 4);
        assert_eq!(super::text(&BTreeSet::new()), "{\"version\":1,\"findings\":[]}\n");
    }
}
