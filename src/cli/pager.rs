//! A pager between the program and the terminal, for output that is longer than the screen.
//!
//! Lines are counted here, and `less -F` is not left to count them. That was tried in a pseudo-terminal (less 590):
//!
//! - A live stream must go on. 30 messages in 6 seconds are all shown as they come; through less six were, and then it waited
//!   for a key: it cannot know that more is to come slowly.
//! - What fits on the screen must not be paged. Two lines waited for a key with `LESS=R`, which many have, and with
//!   `PAGER=more`: the options of the user are without `-F`, and must hold.

use super::fd::{standard, write_all};
use super::notes::Notes;
use clap::ValueEnum;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Output that takes longer than this is written as it arrives.
const PATIENCE: Duration = Duration::from_millis(200);

/// When output goes through a pager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Paging {
    /// On a terminal, if it is longer than the screen, and not a live stream
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A pager, and the least number of lines for it.
#[derive(Clone, Debug)]
pub struct Pager {
    words: Vec<String>,
    /// How many lines fit on the screen; `None` if the pager is used for any number.
    rows: Option<usize>,
    /// The user named the pager.
    named: bool,
}

impl Pager {
    /// The pager to use, if any: that of `PAGER`, or less.
    pub fn find(paging: Paging) -> Option<Self> {
        let rows = match paging {
            Paging::Never => return None,
            Paging::Always => None,
            Paging::Auto if !io::stdout().is_terminal() => return None,
            Paging::Auto => Some(terminal_size::terminal_size().map_or(24, |(_, rows)| usize::from(rows.0))),
        };
        let named = std::env::var("PAGER").ok();
        let words: Vec<String> = named.as_deref().unwrap_or("less").split_whitespace().map(str::to_string).collect();
        // These commands would only pass everything on.
        let does_nothing = words.is_empty() || words == ["cat"];
        (!does_nothing).then_some(Self { words, rows, named: named.is_some() })
    }
}

/// Output that may go through a pager. It is buffered until that is decided.
pub struct Paged {
    shared: Arc<SharedPager>,
    /// The thread that waits for the pager to end.
    waits: Option<JoinHandle<()>>,
}

struct SharedPager {
    out: Mutex<PagerOutput>,
    /// Everything was written: if the pager ends now, the program does not.
    over: AtomicBool,
}

struct PagerOutput {
    way: Way,
    waiting: Vec<u8>,
    lines: usize,
    pager: Pager,
    stdout: File,
    /// The error, if the pager could not be started.
    failed: Option<String>,
}

enum Way {
    /// It is not decided yet.
    Undecided,
    Direct,
    Pager(ChildStdin),
}

impl Paged {
    /// Output for this pager.
    pub fn new(pager: Pager) -> io::Result<Self> {
        let stdout = standard(io::stdout())?;
        let out = PagerOutput { way: Way::Undecided, waiting: Vec::new(), lines: 0, pager, stdout, failed: None };
        let shared = Arc::new(SharedPager { out: Mutex::new(out), over: AtomicBool::new(false) });
        Ok(Self { shared, waits: None })
    }

    /// Writes or buffers bytes, or starts the pager. Does not return if the user has left the pager.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.pass(bytes);
        match self.waits.take_if(|_| written.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe)) {
            Some(waits) => waits.join().map_err(|_| io::ErrorKind::BrokenPipe.into()),
            None => written,
        }
    }

    fn pass(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut out = self.shared.lock();
        if matches!(out.way, Way::Undecided) {
            if out.waiting.is_empty() && out.pager.rows.is_some() {
                be_patient(Arc::clone(&self.shared));
            }
            out.waiting.extend_from_slice(bytes);
            out.lines += bytes.iter().filter(|b| **b == b'\n').count();
            if out.pager.rows.is_none_or(|rows| out.lines >= rows) {
                match out.pager.start() {
                    Ok((input, waits)) => {
                        out.way = Way::Pager(input);
                        self.waits = Some(wait(waits, Arc::clone(&self.shared)));
                        let waiting = std::mem::take(&mut out.waiting);
                        return out.send(&waiting);
                    }
                    Err(e) => {
                        // Not every system has less, so that only a named pager is missed.
                        if out.pager.named {
                            let name = unthink::printable::printable(&out.pager.words[0]);
                            out.failed = Some(format!("the pager {name} cannot be started: {e}"));
                        }
                        return out.direct();
                    }
                }
            }
            return Ok(());
        }
        out.send(bytes)
    }

    /// Writes what is still buffered, and waits for the pager to end.
    pub fn finish(mut self, notes: &Notes) -> io::Result<()> {
        self.shared.over.store(true, Ordering::SeqCst);
        let mut out = self.shared.lock();
        let written = if matches!(out.way, Way::Undecided) { out.direct() } else { Ok(()) };
        // The pager reads to the end of its input, which this closes.
        out.way = Way::Direct;
        let failed = out.failed.take();
        drop(out);
        if let Some(waits) = self.waits.take() {
            // The thread does not panic.
            let _ = waits.join();
        }
        if let Some(failed) = failed {
            notes.warning(&failed);
        }
        written
    }
}

impl SharedPager {
    fn lock(&self) -> MutexGuard<'_, PagerOutput> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PagerOutput {
    /// Writes to the terminal directly from here on.
    fn direct(&mut self) -> io::Result<()> {
        self.way = Way::Direct;
        let waiting = std::mem::take(&mut self.waiting);
        self.send(&waiting)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.way {
            Way::Pager(input) => input.write_all(bytes),
            _ => write_all(&mut self.stdout, bytes),
        }
    }
}

impl Pager {
    fn start(&self) -> io::Result<(ChildStdin, std::process::Child)> {
        let (name, arguments) = self.words.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // Quit if it fits on one screen, obey colours, leave the screen as it is.
            command.env("LESS", "FRX");
        }
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        // An interrupt is for the pager, which ends when its user wants.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false)));
        Ok((input, child))
    }
}

/// After a while, writes buffered output that does not fill the screen: it may be a slow stream.
fn be_patient(shared: Arc<SharedPager>) {
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        let mut out = shared.lock();
        if matches!(out.way, Way::Undecided) {
            // A reader that has gone is noticed at the next write.
            let _ = out.direct();
        }
    });
}

/// Waits for the pager. If it ends before everything was written, nobody reads any more, and the program ends.
fn wait(mut pager: std::process::Child, shared: Arc<SharedPager>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let _ = pager.wait();
        if !shared.over.load(Ordering::SeqCst) {
            std::process::exit(super::Status::Done.code());
        }
    })
}
