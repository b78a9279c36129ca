//! Known findings: `--baseline`, `--write-baseline`.
//!
//! A finding is recognised by its fingerprint, which does not change when its line moves. An entry also names the file
//! of the finding, so that a copy in another file is a new finding; an entry whose file no longer exists counts for any
//! file with the finding. File names are relative to the folder of the baseline, so that they mean the same wherever
//! the program is started and however a file is named on the command line.

use crate::cli::failure::{Result, WithContext, bail, misuse};
use crate::cli::path::printable;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use unthink::check::report::STDIN;
use unthink::json::object::{lines, object, object_text};

/// The version of the file format.
const VERSION: u64 = 1;

/// Known findings, by fingerprint.
#[derive(Debug, Default)]
pub struct Baseline {
    folder: BaselineFolder,
    entries: HashMap<String, KnownFindings>,
}

/// How a baseline identifies a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaselinePlace {
    /// A file, by its canonical path.
    File(PathBuf),
    /// Stdin or a pipe, by its name.
    Name(String),
}

impl BaselinePlace {
    /// The place of a file, by its name on the command line.
    pub fn of(path: &Path) -> Self {
        let stdin = path.as_os_str() == "-";
        let is_file = || path.metadata().is_ok_and(|found| found.is_file());
        let found = if stdin || !is_file() { None } else { path.canonicalize().ok() };
        found.map_or_else(
            || BaselinePlace::Name(if stdin { STDIN.into() } else { path.to_string_lossy().into_owned() }),
            BaselinePlace::File,
        )
    }
}

/// The folder that file names in a baseline are relative to.
#[derive(Debug, Default)]
pub struct BaselineFolder(PathBuf);

impl BaselineFolder {
    /// The folder of a baseline; the current one if the baseline is no regular file.
    pub fn of(baseline: &Path) -> Self {
        let is_file = baseline.metadata().map_or(true, |found| found.is_file());
        let folder = baseline.parent().filter(|folder| is_file && !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        Self(folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf()))
    }

    /// The name of a file in the baseline.
    pub fn name(&self, place: &BaselinePlace) -> String {
        let path = match place {
            BaselinePlace::File(path) => path,
            BaselinePlace::Name(name) => return name.clone(),
        };
        let (from, to): (Vec<_>, Vec<_>) = (self.0.components().collect(), path.components().collect());
        let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if same == 0 {
            // No relative path leads from one drive to another.
            return path.to_string_lossy().into_owned();
        }
        let up = from[same..].iter().map(|_| "..".into());
        let down = to[same..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let name = up.chain(down).collect::<Vec<String>>().join("/");
        if name == STDIN { format!("./{name}") } else { name }
    }
}

/// The known findings with one fingerprint.
#[derive(Debug, Default)]
struct KnownFindings {
    /// The files that the baseline names for them.
    files: HashSet<String>,
    /// Those of these files that exist, by canonical path, once that was looked up.
    there: Option<HashSet<PathBuf>>,
    /// How many of these files no longer exist.
    gone: u64,
}

impl KnownFindings {
    /// Looks up which of the files exist.
    fn look(&mut self, folder: &BaselineFolder) {
        let mut there = HashSet::new();
        for file in std::mem::take(&mut self.files) {
            match folder.0.join(&file).canonicalize() {
                Ok(path) => drop(there.insert(path)),
                Err(_) if file == STDIN => drop(self.files.insert(file)),
                Err(_) => self.gone += 1,
            }
        }
        self.there = Some(there);
    }
}

impl Baseline {
    /// Whether a finding is known. Each entry counts for one finding only.
    pub fn knows(&mut self, place: &BaselinePlace, fingerprint: &str) -> bool {
        let Some(known) = self.entries.get_mut(fingerprint) else { return false };
        if let BaselinePlace::Name(name) = place
            && known.files.remove(name)
        {
            return true;
        }
        if known.there.is_none() {
            known.look(&self.folder);
        }
        if let (BaselinePlace::File(path), Some(there)) = (place, &mut known.there)
            && there.remove(path)
        {
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
/// Of the kind `Io` if the file cannot be read; also if it is not a baseline.
pub fn read(path: &Path) -> Result<Baseline> {
    let name = printable(path);
    let bytes = std::fs::read(path).with_context(|| name.clone())?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|e| misuse!("{name}: no baseline: {e}"))?;
    let Some(findings) = value.get("findings").and_then(Value::as_array) else {
        bail!("{name}: no baseline: an object with findings is one, as --write-baseline writes it");
    };
    match value.get("version").and_then(Value::as_u64) {
        Some(VERSION) => (),
        _ => bail!("{name}: a baseline of another version than {VERSION}: --write-baseline writes a new one"),
    }
    let mut entries: HashMap<String, KnownFindings> = HashMap::new();
    for (i, finding) in findings.iter().enumerate() {
        let text = |key| finding.get(key).and_then(Value::as_str).map(str::to_string);
        let Some((fingerprint, file)) = text("fingerprint").zip(text("file")) else {
            bail!("{name}: finding {}: it has no fingerprint or no file", i + 1);
        };
        entries.entry(fingerprint).or_default().files.insert(file);
    }
    Ok(Baseline { folder: BaselineFolder::of(path), entries })
}

/// An entry of a baseline: file, rule and fingerprint.
pub type BaselineEntry = (String, &'static str, String);

/// A baseline as text: one finding a line, sorted, so that a diff of it is easy to read.
pub fn text(entries: &BTreeSet<BaselineEntry>) -> String {
    let text = object_text(|baseline| {
        baseline.number("version", VERSION);
        lines(baseline.name("findings"), entries, |out, (file, rule, fingerprint)| {
            object(out, |finding| {
                finding.string("file", file);
                finding.string("rule", rule);
                finding.string("fingerprint", fingerprint);
            });
        });
    });
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(entries: &[(&str, &str)]) -> Baseline {
        let mut baseline = Baseline { folder: BaselineFolder::of(Path::new("base.json")), ..Baseline::default() };
        for (file, fingerprint) in entries {
            baseline.entries.entry(fingerprint.to_string()).or_default().files.insert(file.to_string());
        }
        baseline
    }

    #[test]
    fn an_entry_counts_once_and_for_its_file() {
        let here = BaselinePlace::of(Path::new("Cargo.toml"));
        let (stdin, gone) = (BaselinePlace::of(Path::new("-")), BaselinePlace::File("/none/c".into()));
        let mut known = baseline(&[(STDIN, "1"), ("gone", "1"), ("Cargo.toml", "1")]);
        assert!(known.knows(&gone, "1"), "its file is gone");
        assert!(!known.knows(&gone, "1"), "the others are not");
        assert!(known.knows(&stdin, "1"), "it is read, though it is no file");
        assert!(!known.knows(&stdin, "1"), "once");
        assert!(!known.knows(&stdin, "2"));
        assert!(known.knows(&here, "1"));
        assert!(!known.knows(&here, "1"));
    }

    #[test]
    #[cfg(unix)]
    fn files_are_named_from_the_folder_of_the_baseline() {
        let folder = BaselineFolder("/a/b".into());
        for (path, name) in [
            ("/a/b/c.jsonl", "c.jsonl"),
            ("/a/b/d/c.jsonl", "d/c.jsonl"),
            ("/a/c.jsonl", "../c.jsonl"),
            ("/x/y", "../../x/y"),
            ("/a/b/<stdin>", "./<stdin>"),
        ] {
            assert_eq!(folder.name(&BaselinePlace::File(path.into())), name);
        }
        assert_eq!(folder.name(&BaselinePlace::Name(STDIN.into())), STDIN);
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
