//! Messages to the user, all on stderr: plain sentences, at most twenty of a kind, and never the input's own text.

use super::options::ColorArg;
use std::io::{IsTerminal, Write};
use unthink::engine::{Counts, Problem};

/// How many records are named before the rest is only counted.
const MOST: u64 = 20;

/// Writes messages.
pub struct Notes {
    quiet: bool,
    verbose: bool,
    color: bool,
    named: u64,
    unnamed: u64,
}

impl Notes {
    pub fn new(quiet: bool, verbose: bool, color: ColorArg) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
        let color = match color {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto if set("NO_COLOR") => false,
            ColorArg::Auto => set("CLICOLOR_FORCE") || std::io::stderr().is_terminal(),
        };
        Self { quiet, verbose, color, named: 0, unnamed: 0 }
    }

    /// Something is wrong that ends in an exit status.
    pub fn error(&self, text: &str) {
        let name = if self.color { "\x1b[1;31munthink:\x1b[0m" } else { "unthink:" };
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(std::io::stderr(), "{name} {text}");
    }

    /// Something that the user should know.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.error(text);
        }
    }

    /// Something for who wants to know more.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.error(text);
        }
    }

    /// A record that was not understood; `skipped` says what was done with it.
    pub fn problem(&mut self, file: &str, problem: &Problem, skipped: &str) {
        if self.named == MOST {
            self.unnamed += 1;
            return;
        }
        self.named += 1;
        let done = if problem.skipped { skipped } else { "went on" };
        self.error(&format!("{file}:{}: byte {}: {} ({done})", problem.record, problem.offset, problem.what));
    }

    /// Records that hold tags, and are no conversation; `passed`: they were written.
    pub fn unread(&self, counts: Counts, passed: bool) {
        let (n, all) = (counts.seen.unread, counts.records);
        let (hold, done) = match (n, passed) {
            (0, _) => return,
            (1, true) => ("holds", "it was passed on as it is"),
            (_, true) => ("hold", "they were passed on as they are"),
            (1, false) => ("holds", "nothing was read from it"),
            (_, false) => ("hold", "nothing was read from them"),
        };
        self.note(&format!("{n} of {all} records {hold} tags but no conversation: {done}"));
    }

    /// The last line: how much was not processed.
    pub fn total(&self, bad: u64, records: u64) {
        if self.unnamed > 0 {
            self.error(&format!("{} more like these", self.unnamed));
        }
        if bad > 0 {
            self.error(&format!("{bad} of {records} records not processed"));
        }
    }
}
