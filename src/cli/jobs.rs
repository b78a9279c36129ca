//! `--jobs`: how many files are read at the same time.

use super::destination::OutputMode;
use super::files::{InputFile, Inputs};
use super::options::OnError;
use super::run::Job;
use clap::Args;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// `--jobs`.
#[derive(Clone, Copy, Debug, Default, Args)]
pub struct Jobs {
    /// Work on so many files at a time [default: as many as there are cores, at most 8]
    ///
    /// The output, the messages and the exit status are the same with any number. Files are read one after the other
    /// whatever N is if one of them is stdin or no regular file, with --on-error stop, and where what is written of a
    /// file may depend on the one before it.
    #[arg(short, long, value_name = "N", value_parser = number, hide_short_help = true, help_heading = "Files")]
    jobs: Option<usize>,
}

/// The most files that are worked on at a time: more threads than that help nobody.
const MAX_FILES_AT_ONCE: usize = 256;

fn number(text: &str) -> Result<usize, String> {
    let n = text.parse().ok().filter(|n| (1..=MAX_FILES_AT_ONCE).contains(n));
    n.ok_or_else(|| format!("a number of files to work on at a time, from 1 to {MAX_FILES_AT_ONCE}"))
}

impl Jobs {
    /// One file after the other.
    pub const ONE: Self = Self { jobs: Some(1) };

    /// How many threads work on these files. One, if one of them can be read but once, or blocks until somebody writes.
    pub fn threads(self, inputs: &Inputs) -> usize {
        let cores = || available_parallelism().map_or(1, usize::from).min(8);
        match self.jobs.unwrap_or_else(cores).min(inputs.files.len()) {
            n @ 2.. if inputs.paths().all(|path| regular(path).is_none_or(|is_file| is_file)) => n,
            _ => 1,
        }
    }
}

impl Job<'_> {
    /// How many threads work on the files. One, if what becomes of a file may depend on the one before it.
    pub fn threads(&self) -> usize {
        let writes = matches!(self.mode, OutputMode::InPlace(_) | OutputMode::Folder(_));
        // Losses are written before the file that has them.
        if self.typed.common.unread.on_error == OnError::Stop || (writes && self.aside.is_some()) {
            return 1;
        }
        match self.jobs.threads(self.files) {
            n @ 2.. if !writes || self.are_apart() => n,
            _ => 1,
        }
    }

    /// Whether each file is written for itself: none is rewritten twice, or appears while the others are read, or is a
    /// folder for another one; also where names in capitals mean the same.
    fn are_apart(&self) -> bool {
        let files = &self.files.files;
        if files.iter().any(|file| regular(&file.path).is_none()) {
            return false;
        }
        let OutputMode::Folder(folder) = &self.mode else {
            let mut seen = HashSet::new();
            return files.iter().all(|file| identity(&file.path).is_some_and(|file| seen.insert(file)));
        };
        let name = |file: &InputFile| PathBuf::from(folder.join(&file.below).to_string_lossy().to_lowercase());
        let made: HashSet<PathBuf> = files.iter().map(name).collect();
        let is_below_another = |made_too: &PathBuf| made_too.ancestors().skip(1).any(|above| made.contains(above));
        made.len() == files.len() && !made.iter().any(is_below_another)
    }
}

/// Whether an input is a regular file, if it is there.
fn regular(path: &Path) -> Option<bool> {
    if path.as_os_str() == "-" { Some(false) } else { fs::metadata(path).ok().map(|found| found.is_file()) }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
