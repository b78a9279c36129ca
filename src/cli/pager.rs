//! A pager between the program and the terminal, for output that is longer than the screen.

use super::io::standard;
use super::notes::Notes;
use clap::ValueEnum;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// What takes longer than this is drawn as it arrives.
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

/// Which pager, and from how many lines on.
#[derive(Clone, Debug)]
pub struct Pager {
    words: Vec<String>,
    /// As many lines fit on the screen; none if the pager is used for any.
    rows: Option<usize>,
    /// The user asked for it by name.
    named: bool,
}

impl Pager {
    /// The pager that is asked for, if one is: that of `PAGER`, or less.
    pub fn find(paging: Paging) -> Option<Self> {
        let rows = match paging {
            Paging::Never => return None,
            Paging::Always => None,
            Paging::Auto if !io::stdout().is_terminal() => return None,
            Paging::Auto => Some(terminal_size::terminal_size().map_or(24, |(_, rows)| usize::from(rows.0))),
        };
        let named = std::env::var("PAGER").ok();
        let words: Vec<String> = named.as_deref().unwrap_or("less").split_whitespace().map(str::to_string).collect();
        // These would only pass everything on.
        let does_nothing = words.is_empty() || words == ["cat"];
        (!does_nothing).then_some(Self { words, rows, named: named.is_some() })
    }
}

/// Output that may go through a pager. It is waiting until it is known whether it does.
pub struct Paged {
    shared: Arc<Shared>,
    /// Waits for the pager to end.
    waits: Option<JoinHandle<()>>,
}

struct Shared {
    out: Mutex<Out>,
    /// Everything was written: a pager that ends now does not end the program.
    over: AtomicBool,
}

struct Out {
    way: Way,
    waiting: Vec<u8>,
    lines: usize,
    pager: Pager,
    stdout: File,
    /// Why there is no pager.
    failed: Option<String>,
}

enum Way {
    /// It is not known yet.
    Undecided,
    Direct,
    Pager(ChildStdin),
}

impl Paged {
    /// Output in front of this pager.
    pub fn new(pager: Pager) -> io::Result<Self> {
        let stdout = standard(io::stdout())?;
        let out = Out { way: Way::Undecided, waiting: Vec::new(), lines: 0, pager, stdout, failed: None };
        let shared = Arc::new(Shared { out: Mutex::new(out), over: AtomicBool::new(false) });
        Ok(Self { shared, waits: None })
    }

    /// Writes, holds, or starts the pager. Does not return when the pager was left.
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
                        // Not every system has less, which is no news to its user.
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

    /// Everything was written: what is still waiting is, and the pager is waited for.
    pub fn finish(mut self, notes: &Notes) -> io::Result<()> {
        self.shared.over.store(true, Ordering::SeqCst);
        let mut out = self.shared.lock();
        let written = if matches!(out.way, Way::Undecided) { out.direct() } else { Ok(()) };
        // The pager reads to the end of its input.
        out.way = Way::Direct;
        let failed = out.failed.take();
        drop(out);
        if let Some(waits) = self.waits.take() {
            // Waiting does not panic.
            let _ = waits.join();
        }
        if let Some(failed) = failed {
            notes.warning(&failed);
        }
        written
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Out> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Out {
    /// There is no pager from here on.
    fn direct(&mut self) -> io::Result<()> {
        self.way = Way::Direct;
        let waiting = std::mem::take(&mut self.waiting);
        self.send(&waiting)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.way {
            Way::Pager(input) => input.write_all(bytes),
            _ => super::targets::write_all(&mut self.stdout, bytes),
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
        // A key that interrupts is for the pager, which ends when its user wants.
        #[cfg(unix)]
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::new(AtomicBool::new(false)));
        Ok((input, child))
    }
}

/// What does not fill the screen in time is a stream that comes slowly, and is not waiting.
fn be_patient(shared: Arc<Shared>) {
    std::thread::spawn(move || {
        std::thread::sleep(PATIENCE);
        let mut out = shared.lock();
        if matches!(out.way, Way::Undecided) {
            // A reader that has gone shows at the next write.
            let _ = out.direct();
        }
    });
}

/// Waits for the pager. If it ends before all was read, nobody reads any more, and the program is done.
fn wait(mut pager: std::process::Child, shared: Arc<Shared>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let _ = pager.wait();
        if !shared.over.load(Ordering::SeqCst) {
            std::process::exit(super::Status::Done.code());
        }
    })
}
