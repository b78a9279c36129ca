//! `--jobs`: how many files are read at the same time.

use super::files::Inputs;
use clap::Args;
use std::fs;
use std::path::Path;
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

/// Whether an input is a regular file, if it is there.
pub fn regular(path: &Path) -> Option<bool> {
    if path.as_os_str() == "-" { Some(false) } else { fs::metadata(path).ok().map(|found| found.is_file()) }
}
