//! Who works on the files of a run: the main thread, or a crew of threads whose work it takes in the order of the files.

use super::one::{Away, Desk, FilePiece};
use super::{Craft, FilesRun, Job, Main, craft};
use crate::cli::Status;
use crate::cli::crew::{self, CrewWants};
use crate::cli::fd::stdin_is_terminal;
use crate::cli::notes::Notes;
use crate::cli::pump::PumpResult;
use crate::cli::states::FileReport;
use std::sync::atomic::{AtomicU64, Ordering};
use unthink::inline::Tags;
use unthink::out::{Output, Sinks};

/// The main thread works on a file itself.
struct Here<'h, 'r, 'j, T> {
    run: &'h mut FilesRun<'r, 'j>,
    notes: &'h Notes,
    part: &'h mut dyn FnMut(T),
}

impl<T> Desk for Here<'_, '_, '_, T> {
    type Part = T;

    fn begin(&mut self, name: Option<String>) {
        self.run.begin(name);
    }

    fn aside(&mut self, sinks: &mut Sinks) -> Result<(), PumpResult> {
        self.run.targets.write_aside(sinks)
    }

    fn out(&mut self, out: &mut Vec<u8>) -> Result<(), PumpResult> {
        self.run.targets.write(out)
    }

    fn part(&mut self, part: T, _bytes: usize) {
        (self.part)(part);
    }

    fn read(&mut self, bytes: u64) {
        self.run.progress(self.run.opened, self.run.bytes + bytes, self.notes);
    }
}

impl Job<'_> {
    /// Runs the command over every file, with as many threads as are of use. `done` gets what is kept of each file, in
    /// the order of the files, as `part` does what was taken on the way.
    pub fn run<O: Output, T: Send, K: Send>(
        &self,
        main: Main<'_>,
        craft: &Craft<
            impl Fn(Option<String>) -> O + Sync,
            impl Fn(&mut O) -> Option<(T, usize)> + Sync,
            impl Fn(&O) -> K + Sync,
        >,
        mut part: impl FnMut(T),
        mut done: impl FnMut(&K, &FileReport<'_>, &Notes),
    ) -> Status {
        let threads = self.threads();
        self.begun(main, |run, tags, notes| {
            if threads < 2 || self.by_crew(threads, run, tags, craft, &mut part, &mut done, notes).is_err() {
                self.alone(run, tags, craft, &mut part, &mut done, notes);
            }
        })
    }

    /// Runs the job on this thread alone, for an output that shares something with those of other files.
    pub fn run_alone<O: Output, K>(
        &self,
        main: Main<'_>,
        make: impl Fn(Option<String>) -> O,
        keep: impl Fn(&O) -> K,
        mut done: impl FnMut(&K, &FileReport<'_>, &Notes),
    ) -> Status {
        let craft = craft(make, keep);
        self.begun(main, |run, tags, notes| self.alone(run, tags, &craft, &mut |()| (), &mut done, notes))
    }

    /// Works on the files one after the other.
    fn alone<O: Output, T, K>(
        &self,
        run: &mut FilesRun<'_, '_>,
        tags: &Tags,
        craft: &Craft<impl Fn(Option<String>) -> O, impl Fn(&mut O) -> Option<(T, usize)>, impl Fn(&O) -> K>,
        part: &mut impl FnMut(T),
        done: &mut impl FnMut(&K, &FileReport<'_>, &Notes),
        notes: &mut Notes,
    ) {
        for file in &self.files.files {
            if file.path.as_os_str() == "-" && stdin_is_terminal() {
                notes.note("reading from the terminal until end of file (Ctrl-D); unthink --help says more");
            }
            let made = self.one(tags, file, craft, &mut Here { run, notes, part });
            if !run.settle(made, &file.path, done, notes) {
                break;
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "they are those of `alone`, and how many threads")]
    fn by_crew<O: Output, T: Send, K: Send>(
        &self,
        threads: usize,
        run: &mut FilesRun<'_, '_>,
        tags: &Tags,
        craft: &Craft<
            impl Fn(Option<String>) -> O + Sync,
            impl Fn(&mut O) -> Option<(T, usize)> + Sync,
            impl Fn(&O) -> K + Sync,
        >,
        part: &mut impl FnMut(T),
        done: &mut impl FnMut(&K, &FileReport<'_>, &Notes),
        notes: &mut Notes,
    ) -> std::io::Result<()> {
        let (files, bytes) = (&self.files.files, AtomicU64::new(0));
        let work = |file: usize, hand: &crew::Hand<'_, FilePiece<T, K>>| {
            let mut desk = Away::new(hand, &bytes, self);
            let made = self.one(tags, &files[file], craft, &mut desk);
            hand.end(FilePiece::Made(made));
        };
        // What could not be written of the current file.
        let mut unwritten: Option<PumpResult> = None;
        crew::run(threads, files.len(), work, |file, piece| {
            run.progress(file + 1, bytes.load(Ordering::Relaxed), notes);
            let written = match piece {
                Some(FilePiece::Made(made)) => {
                    let goes_on = run.settle(made.failed(unwritten.take()), &files[file].path, done, notes);
                    return if goes_on { CrewWants::All } else { CrewWants::Nothing };
                }
                _ if unwritten.is_some() => Ok(()),
                Some(FilePiece::Aside(mut sinks)) => run.targets.write_aside(&mut sinks),
                Some(FilePiece::Out(mut out)) => run.targets.write(&mut out),
                Some(FilePiece::Begun(name)) => {
                    run.begin(name);
                    Ok(())
                }
                Some(FilePiece::Part(found)) => {
                    part(found);
                    Ok(())
                }
                None => Ok(()),
            };
            unwritten = unwritten.take().or(written.err());
            if unwritten.is_some() { CrewWants::Last } else { CrewWants::All }
        })
    }
}
