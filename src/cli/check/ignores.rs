//! Findings that are ignored one by one: a file with a fingerprint a line, as reports have it. What follows behind `#` is
//! a comment.

use crate::cli::config::above;
use crate::cli::failure::{Result, bail};
use crate::cli::input::read_text;
use crate::cli::path::printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The name of the file that is found by itself, in the working directory or above it, up to the root of the repository.
pub const NAME: &str = ".unthinkignore-findings";

/// The findings to ignore.
#[derive(Debug, Default)]
pub struct Ignores {
    /// By fingerprint: the file, the line, and how many findings had it.
    entries: HashMap<String, (PathBuf, usize, u64)>,
    pub ignored: u64,
}

impl Ignores {
    /// Reads the files that were named, or the one that is found.
    pub fn read(named: &[PathBuf], finds: bool) -> Result<Self> {
        let here = std::env::current_dir()?;
        let found = if finds && named.is_empty() { above(&here, NAME) } else { None };
        let found = found.map(|path| path.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(path));
        let mut entries = HashMap::new();
        for path in named.iter().chain(&found) {
            for (i, line) in read_text(path)?.lines().enumerate() {
                let fingerprint = line.split('#').next().unwrap_or_default().trim();
                if fingerprint.is_empty() {
                    continue;
                }
                if fingerprint.len() < 8 || !fingerprint.bytes().all(|b| b.is_ascii_hexdigit()) {
                    bail!("{}:{}: not a fingerprint: reports have one for each finding", printable(path), i + 1);
                }
                entries.entry(fingerprint.to_lowercase()).or_insert((path.clone(), i + 1, 0));
            }
        }
        Ok(Self { entries, ignored: 0 })
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether a finding is ignored.
    pub fn has(&mut self, fingerprint: &str) -> bool {
        let Some((_, _, used)) = self.entries.get_mut(fingerprint) else { return false };
        *used += 1;
        self.ignored += 1;
        true
    }

    /// The places of those that no finding has, in order, if the folder of their file is below one that was checked: what
    /// was not checked may have the finding.
    pub fn stale(&self, checked: &[PathBuf]) -> Vec<String> {
        let checked: Vec<PathBuf> = checked.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let is_checked = |path: &Path| {
            let folder = path.canonicalize().ok().and_then(|path| Some(path.parent()?.to_path_buf()));
            folder.is_some_and(|folder| checked.iter().any(|checked| folder.starts_with(checked)))
        };
        let unused = self.entries.values().filter(|(path, _, used)| *used == 0 && is_checked(path));
        let mut places: Vec<(&Path, usize)> = unused.map(|(path, line, _)| (path.as_path(), *line)).collect();
        places.sort_unstable();
        places.into_iter().map(|(path, line)| format!("{}:{line}", printable(path))).collect()
    }
}
