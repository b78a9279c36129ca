//! Messages to the user, all on stderr: plain sentences behind a severity, at most twenty of a kind, and never text of
//! the input.

use super::Common;
use super::path::printable;
use clap::ValueEnum;
use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::path::Path;
use unthink::check::report::STDIN;
use unthink::dialect::remedy::LOOKS_LIKE;
use unthink::engine::{Counts, Problem};
use unthink::frame::Framing;
use unthink::json::object::{MemberWriter, object_text};

/// How many records are named before they are only counted.
const MAX_NAMED_RECORDS: u64 = 20;

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// `--error-format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// Sentences
    #[default]
    Text,
    /// A JSON object a line: severity, message, and for a record file, record, offset and pointer
    Json,
}

impl ColorArg {
    /// Whether output is coloured. `terminal`: it goes to a terminal.
    pub fn is_on(self, terminal: bool) -> bool {
        let forced = std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| !v.is_empty() && v != "0");
        match self {
            ColorArg::Always => true,
            ColorArg::Never => false,
            ColorArg::Auto if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) => false,
            ColorArg::Auto => forced || (terminal && !terminal_is_dumb()),
        }
    }
}

/// Whether the terminal obeys no escape sequences.
pub fn terminal_is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoteSeverity {
    /// An error, which the exit status reports.
    Error,
    /// Reasoning may remain, or something was taken for reasoning.
    Warning,
    /// Useful to know.
    Note,
}

impl NoteSeverity {
    fn word(self) -> &'static str {
        match self {
            NoteSeverity::Error => "error",
            NoteSeverity::Warning => "warning",
            NoteSeverity::Note => "note",
        }
    }

    /// The escape sequence for the severity's colour.
    fn color(self) -> &'static str {
        match self {
            NoteSeverity::Error => "\x1b[1;31m",
            NoteSeverity::Warning => "\x1b[1;33m",
            NoteSeverity::Note => "\x1b[1;36m",
        }
    }
}

/// The record that a message is about.
struct RecordPlace<'a> {
    file: &'a str,
    record: u64,
    offset: u64,
    /// Where in the record, as a JSON Pointer.
    pointer: Option<&'a str>,
}

impl RecordPlace<'_> {
    fn fill(&self, members: &mut MemberWriter<'_>) {
        members.string("file", self.file);
        members.number("record", self.record);
        members.number("offset", self.offset);
        self.pointer.into_iter().for_each(|pointer| members.string("pointer", pointer));
    }
}

/// A message as a line of JSON.
pub fn json_line(severity: &str, text: &str) -> String {
    object_text(|members| fill(members, severity, text)) + "\n"
}

fn fill(members: &mut MemberWriter<'_>, severity: &str, text: &str) {
    members.string("severity", severity);
    members.string("message", text);
}

/// Writes messages.
pub struct Notes {
    quiet: bool,
    verbose: bool,
    color: bool,
    json: bool,
    named: u64,
    unnamed: u64,
    /// The unfinished line with the progress that is on the terminal. Messages go above it.
    line: RefCell<String>,
    /// Messages that wait while a pager has the terminal.
    deferred: RefCell<Option<String>>,
}

impl Notes {
    /// Messages as the options say.
    pub fn of(common: &Common) -> Self {
        let json = common.messages.error_format == ErrorFormat::Json;
        Self {
            quiet: common.messages.quiet,
            verbose: common.messages.verbose,
            json,
            ..Self::plain(common.messages.color)
        }
    }

    /// Messages without options.
    pub fn plain(color: ColorArg) -> Self {
        let color = color.is_on(std::io::stderr().is_terminal());
        let (line, deferred) = (RefCell::default(), RefCell::new(None));
        Self { quiet: false, verbose: false, color, json: false, named: 0, unnamed: 0, line, deferred }
    }

    fn message(&self, severity: NoteSeverity, text: &str) {
        let word = severity.word();
        self.put(if self.json { json_line(word, text) } else { self.sentence(severity, text) });
    }

    /// Writes a message about a record.
    fn message_about(&self, severity: NoteSeverity, text: &str, place: &RecordPlace<'_>) {
        if !self.json {
            return self.put(self.sentence(severity, text));
        }
        self.line(|members| {
            fill(members, severity.word(), text);
            place.fill(members);
        });
    }

    /// A message as a line of text.
    fn sentence(&self, severity: NoteSeverity, text: &str) -> String {
        let word = severity.word();
        match self.color {
            true => format!("unthink: {}{word}:\x1b[0m {text}\n", severity.color()),
            false => format!("unthink: {word}: {text}\n"),
        }
    }

    /// Writes an object as a line of JSON.
    pub fn line(&self, fill: impl FnOnce(&mut MemberWriter<'_>)) {
        self.put(object_text(fill) + "\n");
    }

    fn put(&self, message: String) {
        match &mut *self.deferred.borrow_mut() {
            Some(deferred) => deferred.push_str(&message),
            None => {
                let line = self.line.borrow();
                let message = if line.is_empty() { message } else { format!("\r\x1b[K{message}{line}") };
                // If stderr is closed, there is no other place to report to.
                let _ = std::io::stderr().write_all(message.as_bytes());
            }
        }
    }

    /// Makes messages wait, since a pager has the terminal.
    pub fn hold(&self) {
        self.deferred.borrow_mut().get_or_insert_default();
    }

    /// Writes the messages that wait, since the terminal is free.
    pub fn release(&self) {
        let deferred = self.deferred.borrow_mut().take();
        deferred.into_iter().for_each(|messages| self.put(messages));
    }

    /// Reports an error, which the exit status reports, too.
    pub fn error(&self, text: &str) {
        self.message(NoteSeverity::Error, text);
    }

    /// Warns that reasoning may remain, or that something was taken for reasoning.
    pub fn warning(&self, text: &str) {
        if !self.quiet {
            self.message(NoteSeverity::Warning, text);
        }
    }

    /// Writes a note.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.message(NoteSeverity::Note, text);
        }
    }

    /// Writes a detail that only --verbose shows.
    pub fn detail(&self, text: &str) {
        if self.verbose {
            self.message(NoteSeverity::Note, text);
        }
    }

    /// Shows the progress, in a line that the next one replaces. An empty text only removes the line.
    pub fn progress(&self, text: &str) {
        let mut line = self.line.borrow_mut();
        if *line == text || self.quiet || self.json || !std::io::stderr().is_terminal() || terminal_is_dumb() {
            return;
        }
        text.clone_into(&mut line);
        let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
    }

    /// Writes a report that the user asked for.
    pub fn report(&self, text: &str) {
        self.put(if self.json { json_line("report", text) } else { format!("unthink: {text}\n") });
    }

    /// Reports a record that was not understood, or is suspect and passed. `skipped` and `passed`: what was done with
    /// it. `guess`: the framing, if it was detected and may be wrong.
    pub fn problem(&mut self, file: &str, problem: &Problem, (skipped, passed): (&str, &str), guess: Option<Framing>) {
        if self.quiet && problem.suspect.is_some() && !problem.skipped {
            // A warning that is not wanted does not count as left out.
            return;
        }
        if self.named == MAX_NAMED_RECORDS {
            self.unnamed += 1;
            return;
        }
        self.named += 1;
        let Problem { record, offset, what, .. } = problem;
        let place = RecordPlace { file, record: *record, offset: *offset, pointer: problem.suspect.as_deref() };
        match &problem.suspect {
            None => {
                let done = if problem.skipped { skipped } else { "went on" };
                let guess = guess
                    .map(|framing| format!("; the input was taken for {}, --framing says otherwise", framing.name()));
                let text = format!("{file}:{record}: byte {offset}: {what} ({done}){}", guess.unwrap_or_default());
                self.message_about(NoteSeverity::Error, &text, &place);
            }
            Some(pointer) => {
                let at =
                    if pointer.is_empty() { String::new() } else { format!(" {}:", printable(Path::new(pointer))) };
                let (what, product) = what.split_once(LOOKS_LIKE).unwrap_or((what, ""));
                let product = if product.is_empty() { String::new() } else { format!("{LOOKS_LIKE}{product}") };
                let (severity, done) =
                    if problem.skipped { (NoteSeverity::Error, skipped) } else { (NoteSeverity::Warning, passed) };
                self.message_about(severity, &format!("{file}:{record}:{at} {what} ({done}){product}"), &place);
            }
        }
    }

    /// Shows the command that takes out what may be reasoning in records of a file that are not read, in a line that can be
    /// pasted. `is_read`: the file has records that are read, too. They have no member that the options name, so that
    /// they are stripped before.
    pub fn remedy(&self, file: &str, options: &[String], is_read: bool) {
        if options.is_empty() {
            return;
        }
        let command = remedy_command(file, options, is_read);
        self.note(&format!("{file}: this takes out what may be reasoning there, if it is:\n    {command}"));
    }

    /// Notes records that are in no format that is read, and have no known reasoning. `passed`: they were written.
    pub fn foreign(&self, file: Option<&str>, counts: Counts, passed: bool) {
        let (n, all) = (counts.foreign, counts.records);
        let done = match (n, passed) {
            (0, _) => return,
            (1, true) => "it was passed on as it is",
            (_, true) => "they were passed on as they are",
            (1, false) => "nothing was read from it",
            (_, false) => "nothing was read from them",
        };
        let are = if n == 1 { "is" } else { "are" };
        let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
        self.note(&format!(
            "{file}no conversation in {n} of {all} records, which {are} in no format that is read: {done}"
        ));
    }

    /// The last message: how many records were not processed, and how many there were of each kind. `fails`: they are
    /// not all accepted.
    pub fn total(&self, counts: Counts, fails: bool) {
        if self.unnamed > 0 {
            self.report(&format!("{} more like these", self.unnamed));
        }
        if counts.bad > 0 && fails {
            let records = counts.records.max(counts.bad);
            self.report(&format!("{} of {records} records not processed ({})", counts.bad, kinds(counts)));
        }
    }
}

/// The command that takes out what may be reasoning in records of a file that are not read. `is_read`: see
/// [`Notes::remedy`].
pub fn remedy_command(file: &str, options: &[String], is_read: bool) -> String {
    // Stdin has no name.
    let name = Some(word(file)).filter(|name| !name.is_empty()).map(|name| format!(" {name}")).unwrap_or_default();
    let options = options.join(" ");
    match is_read {
        true => format!("unthink strip --foreign pass{name} | unthink strip {options}"),
        false => format!("unthink strip {options}{name}"),
    }
}

/// The name of a file as a word for a shell. Stdin has none.
pub fn word(file: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._/+,@%-".contains(&b);
    let here = if file.starts_with('-') { "./" } else { "" };
    match file {
        STDIN => String::new(),
        file if file.bytes().all(plain) => format!("{here}{file}"),
        file => format!("'{here}{}'", file.replace('\'', "'\\''")),
    }
}

/// How many records were read, and how many were not and why, in words.
pub fn kinds(counts: Counts) -> String {
    let (read, damaged) = (read(counts), counts.damaged());
    let declined = if counts.declined > 0 { format!(", {} refused", counts.declined) } else { String::new() };
    format!("{read} read, {} foreign, {} suspect, {damaged} damaged{declined}", counts.foreign, counts.suspect)
}

/// How many records were read.
pub fn read(counts: Counts) -> u64 {
    counts.records.saturating_sub(counts.foreign + counts.suspect + counts.bad - counts.refused)
}
