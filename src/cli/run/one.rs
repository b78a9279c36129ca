//! What is made of one file, on whatever thread: it is opened, read and written where its output goes. What belongs to
//! the whole run, as stdout and messages, is handed to the main thread.

use super::{Craft, Job};
use crate::cli::accept::TargetName;
use crate::cli::crew::Hand;
use crate::cli::destination::{Destination, Finished, InputSummary};
use crate::cli::failure::{CommandError, Result};
use crate::cli::files::InputFile;
use crate::cli::input::Input;
use crate::cli::notes::read;
use crate::cli::options::OnError;
use crate::cli::pump::{PumpResult, Receiver};
use std::sync::atomic::{AtomicU64, Ordering};
use unthink::accept::{RepairedText, Repairs, repair};
use unthink::engine::{Counts, Problem};
use unthink::frame::Framing;
use unthink::inline::Tags;
use unthink::out::{Output, Sinks};
use unthink::policy::Narrow;

/// What became of a file.
pub enum FileResult<K> {
    /// It could not be opened, or its output had no place.
    Unread(CommandError),
    /// It is not text, and nobody named it: its name.
    NotText(String),
    Over(Box<Over<K>>),
}

/// A file that is over.
pub struct Over<K> {
    /// Its name for messages.
    pub name: String,
    /// It was found in a folder, and nobody named it.
    pub is_found: bool,
    /// It is in no format that is read, and nobody named it.
    pub is_skipped: bool,
    pub counts: Counts,
    pub framing: Option<Framing>,
    pub problems: Vec<Problem>,
    /// The options that take out what may be reasoning in what is not read.
    pub remedies: Vec<String>,
    /// The agents and contexts that were found in it.
    pub narrow: Narrow,
    pub ended: PumpResult,
    pub finished: Finished,
    /// The rest of the output for stdout.
    pub rest: Vec<u8>,
    /// What the command keeps of its output.
    pub kept: K,
    /// What was mended of the output for a target, and what could not be.
    pub replayed: Option<Replayed>,
}

/// What was done to the output so that a target takes it.
pub struct Replayed {
    /// As it was converted; what is told of places is about its lines.
    pub text: Vec<u8>,
    pub done: RepairedText,
    /// It was too long to be held, and is as it was converted.
    pub is_too_long: bool,
}

impl Replayed {
    /// How much of it is not known to be taken.
    pub fn bad(&self) -> u64 {
        (self.done.left.len() + self.done.refused.len()) as u64 + u64::from(self.is_too_long)
    }
}

impl<K> FileResult<K> {
    /// The result of a file whose output the main thread may have been unable to write.
    pub fn failed(mut self, unwritten: Option<PumpResult>) -> Self {
        if let (FileResult::Over(over), Some(ended)) = (&mut self, unwritten) {
            over.ended = ended;
        }
        self
    }
}

/// Takes what is made of a file.
pub trait Desk {
    /// What the command takes from the output after each read.
    type Part;

    /// The file was opened.
    fn begin(&mut self, name: Option<String>);

    /// Takes what goes to files of the run besides, and empties these sinks.
    fn aside(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult>;

    /// Takes output for stdout, and empties the buffer.
    fn out(&mut self, out: &mut Vec<u8>) -> Result<(), PumpResult>;

    /// Takes what the command took from the output, which holds so many bytes.
    fn part(&mut self, part: Self::Part, bytes: usize);

    /// So many bytes of the file were read.
    fn read(&mut self, bytes: u64);
}

/// What a thread hands to the main thread.
pub enum FilePiece<T, K> {
    Begun(Option<String>),
    Aside(Sinks),
    Out(Vec<u8>),
    Part(T),
    Made(FileResult<K>),
}

/// A thread works on a file.
pub struct Away<'a, T, K> {
    hand: &'a Hand<'a, FilePiece<T, K>>,
    /// How many bytes of all files were read, and how many of this one.
    all: &'a AtomicU64,
    bytes: u64,
    /// There is a file for rejects, and one for other output.
    takes: (bool, bool),
}

impl<'a, T, K> Away<'a, T, K> {
    pub fn new(hand: &'a Hand<'a, FilePiece<T, K>>, all: &'a AtomicU64, job: &Job<'_>) -> Self {
        Self { hand, all, bytes: 0, takes: (job.typed.common.unread.rejects.is_some(), job.aside.is_some()) }
    }

    fn give(&self, piece: FilePiece<T, K>, bytes: usize) -> Result<(), PumpResult> {
        if self.hand.give(piece, bytes) { Ok(()) } else { Err(PumpResult::Closed) }
    }
}

impl<T, K> Desk for Away<'_, T, K> {
    type Part = T;

    fn begin(&mut self, name: Option<String>) {
        // If nobody wants the file any more, that is known soon enough.
        let _ = self.give(FilePiece::Begun(name), 0);
    }

    fn aside(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult> {
        let take = |bytes: &mut Vec<u8>, takes: bool| {
            let taken = if takes { std::mem::take(bytes) } else { Vec::new() };
            bytes.clear();
            taken
        };
        let rejects = take(&mut sinks.rejects, self.takes.0);
        let aside = take(&mut sinks.aside, self.takes.1);
        match rejects.len() + aside.len() {
            0 => Ok(()),
            n => self.give(FilePiece::Aside(Sinks { rejects, aside, ..Sinks::default() }), n),
        }
    }

    fn out(&mut self, out: &mut Vec<u8>) -> Result<(), PumpResult> {
        match out.len() {
            0 => Ok(()),
            n => self.give(FilePiece::Out(std::mem::take(out)), n),
        }
    }

    fn part(&mut self, part: T, bytes: usize) {
        let _ = self.give(FilePiece::Part(part), bytes);
    }

    fn read(&mut self, bytes: u64) {
        self.all.fetch_add(bytes.saturating_sub(self.bytes), Ordering::Relaxed);
        self.bytes = bytes;
    }
}

/// The output of one file: it goes where it belongs, and the rest to the main thread.
struct FileOutput<'f, D> {
    destination: Destination,
    desk: &'f mut D,
    /// The output so far, if it is to be mended.
    held: Option<Vec<u8>>,
    most: usize,
}

impl<D: Desk> FileOutput<'_, D> {
    fn pass_on(&mut self, sinks: &mut Sinks, rejected: usize) -> Result<(), PumpResult> {
        self.destination.write(sinks, rejected)?;
        self.desk.out(&mut sinks.out)
    }

    /// Mends what was held, and passes it on.
    fn mend(&mut self, to: &TargetName<'_>) -> Result<Replayed, PumpResult> {
        let Some(text) = self.held.take() else {
            return Ok(Replayed { text: Vec::new(), done: RepairedText::default(), is_too_long: true });
        };
        let mut done = repair(&text, to.target, to.model, &Repairs::default());
        self.pass_on(&mut Sinks { out: std::mem::take(&mut done.output), ..Sinks::default() }, 0)?;
        Ok(Replayed { text, done, is_too_long: false })
    }
}

impl<D: Desk> Receiver for FileOutput<'_, D> {
    fn read(&mut self, bytes: &[u8]) {
        self.destination.read(bytes);
    }

    fn write(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult> {
        let rejected = sinks.rejects.len();
        self.desk.aside(sinks)?;
        if let Some(held) = &mut self.held {
            held.append(&mut sinks.out);
            sinks.steps.clear();
            if held.len() <= self.most {
                return Ok(());
            }
            sinks.out = self.held.take().unwrap_or_default();
        }
        self.pass_on(sinks, rejected)
    }
}

impl Job<'_> {
    /// Reads a file and writes its output.
    pub(super) fn one<O: Output, D: Desk, K>(
        &self,
        tags: &Tags,
        file: &InputFile,
        craft: &Craft<impl Fn(Option<String>) -> O, impl Fn(&mut O) -> Option<(D::Part, usize)>, impl Fn(&O) -> K>,
        desk: &mut D,
    ) -> FileResult<K> {
        let opened = Input::open(&file.path).and_then(|mut input| {
            if self.skips && file.is_found && self.typed.common.framing.is_none() && input.is_binary() {
                return Ok(Err(input.name));
            }
            let destination = self.mode.destination(file, &input)?;
            input.is_found = file.is_found;
            Ok(Ok((input, destination)))
        });
        let (input, destination) = match opened {
            Ok(Ok(opened)) => opened,
            Ok(Err(name)) => return FileResult::NotText(name),
            Err(e) => return FileResult::Unread(e),
        };
        let file_name = self.files.are_several.then(|| file.path.to_string_lossy().into_owned());
        desk.begin(file_name.clone());
        let (name, narrow) = (input.name.clone(), self.treatment.narrow.fresh());
        let mut engine = match self.engine(tags, &input, (craft.make)(file_name), narrow.clone()) {
            Ok(engine) => engine,
            Err(e) => return FileResult::Unread(e),
        };
        let held = self.replay.map(|_| Vec::new());
        let mut flow = FileOutput { destination, desk, held, most: self.typed.common.max_record };
        let mut ended = input.pump(&mut engine, &mut flow, |engine, flow| {
            if let Some((part, bytes)) = (craft.part)(engine.output_mut()) {
                flow.desk.part(part, bytes);
            }
            flow.desk.read(engine.counts().bytes);
        });
        let replayed = self.replay.as_ref().map(|to| flow.mend(to)).transpose().unwrap_or_else(|e| {
            ended = e;
            None
        });
        let (is_found, counts, problems) = (file.is_found, engine.counts(), engine.problems());
        // Reading the problems adds to the counts.
        let counts = if problems.is_empty() { counts } else { engine.counts() };
        let is_skipped =
            self.skips && is_found && read(counts) == 0 && counts.foreign > 0 && counts.foreign == counts.records;
        let copies_bad = self.typed.common.unread.on_error == OnError::Pass || self.treatment.verbatim;
        let (done, whole) = (matches!(ended, PumpResult::Done), !engine.is_over());
        let counts = Counts { bad: counts.bad + replayed.as_ref().map_or(0, Replayed::bad), ..counts };
        let end = InputSummary { name: &name, done, whole, counts, removed: engine.output().removed(), copies_bad };
        let (rest, finished) = flow.destination.finish(&end);
        FileResult::Over(Box::new(Over {
            is_found,
            is_skipped,
            counts,
            framing: engine.framing(),
            problems,
            remedies: engine.remedies().to_vec(),
            narrow,
            ended,
            finished,
            rest,
            kept: (craft.keep)(engine.output()),
            replayed,
            name,
        }))
    }
}
