//! The parameters of a command that reads records.

use super::accept::TargetName;
use super::destination::OutputMode;
use super::files::{InputFile, Inputs};
use super::jobs::{Jobs, regular};
use super::options::OnError;
use super::{Common, TagArgs};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use unthink::engine::Treatment;

/// What is told of what became of the files.
#[derive(Clone, Copy, Debug, Default)]
pub struct StateReport {
    /// The user asked for numbers; whether they are JSON.
    pub stats: Option<bool>,
    /// What became of files that were found is told, wherever the output goes.
    pub sums: bool,
}

/// What was typed about how the input is read.
#[derive(Clone, Copy)]
pub struct TypedReading<'a> {
    pub common: &'a Common,
    pub tags: &'a TagArgs,
}

/// A command that reads records.
pub struct Job<'a> {
    /// How the input is read.
    pub typed: TypedReading<'a>,
    pub files: &'a Inputs,
    /// Output is passed on at once and cannot be taken back, so that event streams are read without hindsight.
    pub streams: bool,
    /// What becomes of what is read.
    pub treatment: Treatment,
    /// Records in no format that is read are copied.
    pub copies_unread: bool,
    /// An input without a record that is read is an error.
    pub must_read: bool,
    /// Records are examined and not written.
    pub checks: bool,
    /// Files that were found in folders are skipped if they are not text, or in no format that is read.
    pub skips: bool,
    /// The file for the reasoning, if that is written separately.
    pub aside: Option<&'a Path>,
    /// The command removes reasoning from texts, or separates it.
    pub cuts: bool,
    /// Where the output of each input goes.
    pub mode: OutputMode,
    /// Who is to take the output: it is held until the input is over, and mended.
    pub replay: Option<TargetName<'a>>,
    /// The file for the output, if it is not stdout.
    pub output: Option<&'a Path>,
    /// What is told of the files besides.
    pub told: StateReport,
    /// How many files are worked on at a time.
    pub jobs: Jobs,
}

impl<'a> Job<'a> {
    /// A command that only reads its files, without further options.
    pub fn new(common: &'a Common, tags: &'a TagArgs, files: &'a Inputs) -> Self {
        Self {
            typed: TypedReading { common, tags },
            files,
            streams: false,
            treatment: Treatment::default(),
            copies_unread: false,
            must_read: false,
            checks: false,
            skips: false,
            aside: None,
            cuts: false,
            mode: OutputMode::Standard,
            replay: None,
            output: None,
            told: StateReport::default(),
            jobs: Jobs::default(),
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

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
