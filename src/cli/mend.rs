//! Changes files so that a target takes them: what `repair`, `strip --policy replay:TARGET` and `convert --replay` have
//! in common.

use super::accept::{TargetName, command, read, tell_refused};
use super::created::one_file;
use super::destination::{InputSummary, OutputMode};
use super::failure::Result;
use super::files::{self, Files, InputFile, Use};
use super::notes::Notes;
use super::output::OutputArgs;
use super::path::printable;
use super::states::{FileReport, States, name_of, tell};
use super::whole::NewFile;
use super::{Common, Status, page};
use std::io::Write;
use std::path::Path;
use unthink::accept::{RepairedText, Repairs, places, repair};
use unthink::engine::Counts;
use unthink::out::{Sinks, SpliceStep};

/// What is to be changed, for whom, and where it goes.
pub struct Mending<'a> {
    pub to: TargetName<'a>,
    pub repairs: Repairs,
    pub mode: OutputMode,
    pub output: &'a OutputArgs,
    pub files: &'a Files,
}

impl Mending<'_> {
    /// Repairs all files.
    ///
    /// # Errors
    /// When the command line is wrong.
    pub fn run(&self, common: &Common, notes: &Notes) -> Result<Status> {
        let (files, output) = (self.files, self.output);
        let by = Use::reading(common, &files.walk, output.one.own()).writing_to(output.output_dir.as_ref());
        let inputs = files::find(&files.walk, &files.named, &by, notes)?;
        self.mode.check(&inputs)?;
        let clock = super::progress::Clock::new();
        let (mut status, mut states) = (inputs.status, States::default());
        let mut out = match output.one.path().map(one_file).transpose() {
            Ok(file) => file,
            Err(e) => {
                notes.error(&e.to_string());
                return Ok(Status::Io);
            }
        };
        for file in &inputs.files {
            match self.one(common, file, notes, &mut states) {
                Ok((ended, bytes)) => status = status.max(ended).max(written(&mut out, &bytes, notes)),
                Err(e) => {
                    notes.error(&format!("{}: {e}", printable(&file.path)));
                    states.unread();
                    status = status.max(e.status());
                }
            }
        }
        if self.mode.tells_states() {
            states.end(None, &clock, notes);
        }
        if let Some(Err(e)) = out.map(NewFile::commit) {
            notes.error(&e.to_string());
            status = status.max(Status::Io);
        }
        Ok(status)
    }

    /// Repairs a file. Returns the status, and what goes to stdout.
    fn one(&self, common: &Common, file: &InputFile, notes: &Notes, states: &mut States) -> Result<(Status, Vec<u8>)> {
        let (input, text) = read(file, common.max_record)?;
        let mut done = repair(&text, self.to.target, self.to.model, &self.repairs);
        let name = name_of(&file.path);
        told(&name, &text, &done, notes);
        for left in done.left.iter().filter(|left| left.is_mended && !left.row.options.is_empty()) {
            let command = command(self.to.name, left.row.options, &file.path);
            notes.report(&format!("this repairs it:\n    {command}"));
        }
        tell_refused(&done.refused, &name, notes);
        let bad = (done.left.len() + done.refused.len()) as u64;
        let bytes = text.len() as u64;
        let counts = Counts { records: bad.max(1), bad, bytes, ..Counts::default() };
        let cut = |step: &SpliceStep| if let SpliceStep::Cut(n) = step { *n } else { 0 };
        let gone: u64 = done.steps.iter().map(cut).sum();
        let removed = (done.gone.len() as u64, gone.max(u64::from(!done.gone.is_empty())));
        let mut destination = self.mode.destination(file, &input)?;
        destination.read(&text);
        let mut sinks = Sinks::default();
        (sinks.out, sinks.steps) = (std::mem::take(&mut done.output), std::mem::take(&mut done.steps));
        if destination.write(&mut sinks, 0).is_err() {
            return Err(std::io::Error::other("the new content could not be written").into());
        }
        let end = InputSummary { name: &name, done: true, whole: true, counts, removed, copies_bad: false };
        let (rest, finished) = destination.finish(&end);
        finished.error.iter().for_each(|error| notes.error(error));
        states.add(&finished.state, finished.removed);
        if matches!(self.mode, OutputMode::InPlace(_) | OutputMode::Diff(..)) && !finished.is_told {
            let (state, removed, is_told) = (finished.state, finished.removed, false);
            tell(&FileReport { name: &name, path: &file.path, why: None, counts, state, removed, is_told }, notes);
        }
        let status = if bad > 0 { Status::NotUnderstood } else { Status::Done };
        let mut out = sinks.out;
        out.extend(rest);
        Ok((status.max(finished.status), out))
    }
}

/// Writes output to the file for it, or to stdout.
fn written(out: &mut Option<NewFile>, bytes: &[u8], notes: &Notes) -> Status {
    let Some(file) = out else { return page::print(bytes) };
    match file.write_all(bytes) {
        Ok(()) => Status::Done,
        Err(e) => {
            notes.error(&e.to_string());
            Status::Io
        }
    }
}

/// Says what was mended, and what could not be: the rule and its day, the place, and how many bytes, never a text.
pub fn told(name: &str, text: &[u8], done: &RepairedText, notes: &Notes) {
    let mut line = lines(text);
    for gone in &done.gone {
        let (cut, put) = gone.bytes;
        let size = match (cut, put) {
            (cut, 0) => format!("{cut} bytes out"),
            (0, put) => format!("{put} bytes in"),
            (cut, put) => format!("{cut} bytes out, {put} in"),
        };
        let (code, day) = (gone.code, gone.verified_on);
        let place = place(gone.message, &gone.pointer);
        notes.note(&format!("{name}:{}: {code} ({day}): {place}{}; {size}", line(gone.at.start), gone.how));
    }
    let mut line = lines(text);
    for (left, pointer) in done.left.iter().zip(places(text, &done.left)) {
        let (code, day, finds) = (left.row.code, left.row.verified_on, left.row.finds);
        let place = place(left.message, &pointer);
        notes.error(&format!("{name}:{}: {code} ({day}): {place}not repaired: {finds}", line(left.at.start)));
    }
}

/// The number of a message and the JSON Pointer of a place in it, as far as there are.
fn place(message: Option<u64>, pointer: &str) -> String {
    let message = message.map(|number| format!("message {number}"));
    let pointer = Some(pointer).filter(|pointer| !pointer.is_empty()).map(|pointer| printable(Path::new(pointer)));
    let both: Vec<String> = message.into_iter().chain(pointer).collect();
    if both.is_empty() { String::new() } else { format!("{}: ", both.join(", ")) }
}

/// Numbers of lines, from 1, for offsets that are asked for in their order.
fn lines(text: &[u8]) -> impl FnMut(usize) -> usize {
    let (mut line, mut at) = (1, 0);
    move |offset| {
        let end = offset.clamp(at, text.len());
        line += memchr::memchr_iter(b'\n', &text[at..end]).count();
        at = end;
        line
    }
}
