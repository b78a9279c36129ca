//! What became of each file of a run: `strip --in-place`, `--dry-run`, `--diff`, `--stats`. A file was changed, is clean,
//! or was left because it was not understood; the sums are those of all files.

use super::notes::Notes;
use super::path::printable;
use super::progress::Clock;
use std::path::Path;
use unthink::engine::Counts;

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Reasoning was removed from it, or would be; all of it was understood, unless there is a reason to doubt that.
    Changed(Option<String>),
    /// All of it was understood, and nothing was removed.
    Clean,
    /// It, or a part of it, was not understood or could not be read or written: why.
    Left(String),
}

impl FileState {
    /// The name of the state, and why.
    pub fn name(&self) -> (&'static str, Option<&str>) {
        match self {
            FileState::Changed(why) => ("changed", why.as_deref()),
            FileState::Clean => ("clean", None),
            FileState::Left(why) => ("left", Some(why)),
        }
    }

    /// The state in words.
    pub fn words(&self) -> String {
        match self {
            FileState::Changed(None) => "changed".into(),
            FileState::Changed(Some(why)) => format!("changed, but {why}"),
            FileState::Clean => "clean".into(),
            FileState::Left(why) => format!("left: {why}"),
        }
    }
}

/// What is told of a file when it is over.
pub struct FileReport<'a> {
    /// The name for messages.
    pub name: &'a str,
    pub path: &'a Path,
    /// What was not understood first.
    pub why: Option<&'a str>,
    pub counts: Counts,
    pub state: FileState,
    /// Blocks and bytes that were removed.
    pub removed: (u64, u64),
    /// An error has named the file, and why it stays as it is.
    pub is_told: bool,
}

/// How many records were not understood, those that passed included, in words.
pub fn not_understood(counts: Counts) -> Option<String> {
    let n = counts.bad + counts.suspect.saturating_sub(counts.refused);
    (n > 0).then(|| format!("{n} of {} records could not be understood", counts.records.max(n)))
}

/// How many blocks and bytes, in words.
pub fn removed((blocks, bytes): (u64, u64)) -> String {
    let some = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!("{}, {} removed", some(blocks, "block"), some(bytes, "byte"))
}

/// The sums of a run.
#[derive(Default)]
pub struct States {
    changed: u64,
    clean: u64,
    left: u64,
    removed: (u64, u64),
}

impl States {
    /// Adds a file.
    pub fn add(&mut self, state: &FileState, removed: (u64, u64)) {
        let of = match state {
            FileState::Changed(_) => &mut self.changed,
            FileState::Clean => &mut self.clean,
            FileState::Left(_) => &mut self.left,
        };
        *of += 1;
        self.removed = (self.removed.0 + removed.0, self.removed.1 + removed.1);
    }

    /// Adds a file that could not be opened.
    pub fn unread(&mut self) {
        self.left += 1;
    }

    /// Writes the sums, if there are several files. `asked`: the user asked for numbers, which --quiet does not silence.
    /// With `Some(true)`, they are JSON, also those of one file.
    pub fn end(&self, asked: Option<bool>, clock: &Clock, notes: &Notes) {
        let files = self.changed + self.clean + self.left;
        let Self { changed, clean, left, .. } = self;
        if asked == Some(true) {
            let ((blocks, bytes), seconds) = (self.removed, clock.seconds());
            return notes.line(|members| {
                members.number("files", files);
                members.number("changed", *changed);
                members.number("clean", *clean);
                members.number("left", *left);
                members.number("blocks_removed", blocks);
                members.number("bytes_removed", bytes);
                members.name("seconds").extend_from_slice(format!("{seconds:.3}").as_bytes());
            });
        }
        if files < 2 {
            return;
        }
        let time = clock.words();
        let removed = match self.removed {
            (0, 0) => String::new(),
            some => format!(": {}", removed(some)),
        };
        let text = format!("{files} files: {changed} changed, {clean} clean, {left} left, in {time}{removed}");
        if asked.is_some() { notes.report(&text) } else { notes.note(&text) }
    }
}

/// Names a file and what became of it.
pub fn tell(told: &FileReport<'_>, notes: &Notes) {
    let FileReport { name, state, .. } = told;
    match (state, told.removed) {
        (FileState::Clean, _) => notes.note(&format!("{name}: clean")),
        (FileState::Left(_), (0, 0)) => notes.note(&format!("{name}: {}", state.words())),
        (_, some) => notes.note(&format!("{name}: {}; {}", state.words(), removed(some))),
    }
}

/// The name of a file for messages.
pub fn name_of(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".into() } else { printable(path) }
}
