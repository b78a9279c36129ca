//! Files, stdin, decompression, and the loop that reads input, runs the engine and writes output.

use super::Status;
use super::notes::Notes;
use super::packing::Packing;
use super::targets::Receiver;
use anyhow::{Context, Result, anyhow, bail};
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unthink::engine::Engine;
use unthink::error::ErrorKind as Kind;
use unthink::frame::binary;
use unthink::out::{Output, Sinks};

/// How reading an input and writing its output ended.
#[derive(Debug)]
pub enum Ended {
    /// All of it was read and written.
    Done,
    /// Reading failed.
    Read(io::Error),
    /// Writing failed.
    Write(anyhow::Error),
    /// The reader of the output went away.
    Closed,
}

impl Ended {
    /// Reports a failure. Returns the status of the run.
    pub fn status(self, notes: &Notes) -> Status {
        let e = match self {
            Ended::Done | Ended::Closed => return Status::Done,
            Ended::Read(e) => e.into(),
            Ended::Write(e) => e,
        };
        notes.error(&format!("{e:#}"));
        Status::Io
    }
}

/// An input by name; `-` is stdin.
pub struct Input {
    /// The name for messages, without control characters.
    pub name: String,
    /// It was found in a folder, and nobody named it.
    pub is_found: bool,
    pub packing: Packing,
    /// The metadata of the file from when it was opened.
    pub metadata: Metadata,
    pub(super) source: InputSource,
}

pub(super) enum InputSource {
    Plain {
        head: Vec<u8>,
        rest: Raw,
    },
    /// A compressed file. If it cannot be decompressed, it is damaged, unless reading failed.
    Packed {
        unpacked: Box<dyn Read>,
        failed: Arc<AtomicBool>,
    },
}

/// A file or stdin, without a buffer.
pub(super) struct Raw {
    pub file: File,
    failed: Arc<AtomicBool>,
}

impl Read for Raw {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buf) {
                Err(e) if e.kind() == ErrorKind::Interrupted => (),
                Err(e) if e.kind() == ErrorKind::WouldBlock => wait(&self.file, Ready::Read)?,
                Err(e) => {
                    self.failed.store(true, Ordering::Relaxed);
                    return Err(e);
                }
                Ok(n) => return Ok(n),
            }
        }
    }
}

pub enum Ready {
    Read,
    Write,
}

/// Waits until a non-blocking file is ready.
#[cfg(unix)]
pub fn wait(file: &File, ready: Ready) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let flags = match ready {
        Ready::Read => PollFlags::IN,
        Ready::Write => PollFlags::OUT,
    };
    match poll(&mut [PollFd::new(file, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(unix))]
pub fn wait(_file: &File, _ready: Ready) -> io::Result<()> {
    std::thread::yield_now();
    Ok(())
}

/// The standard streams as plain files, without buffers of the standard library.
#[cfg(unix)]
pub fn standard(stream: impl std::os::fd::AsFd) -> io::Result<File> {
    Ok(File::from(stream.as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
pub fn standard(stream: impl std::os::windows::io::AsHandle) -> io::Result<File> {
    Ok(File::from(stream.as_handle().try_clone_to_owned()?))
}

/// Enlarges the buffer of a pipe, which means fewer system calls: the largest single gain for a filter.
#[cfg(target_os = "linux")]
pub fn enlarge_pipe(file: &File) {
    // This fails if it is no pipe, or at the user's limit for pipes: neither matters.
    let _ = rustix::pipe::fcntl_setpipe_size(file, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
pub fn enlarge_pipe(_file: &File) {}

impl Input {
    /// Opens a file, or stdin for `-`. Compression is recognised by the first bytes.
    pub fn open(path: &Path) -> Result<Self> {
        let stdin = path.as_os_str() == "-";
        let name = if stdin { "<stdin>".to_string() } else { printable(path) };
        let file = if stdin { standard(io::stdin())? } else { File::open(path)? };
        enlarge_pipe(&file);
        let metadata = file.metadata()?;
        let failed = Arc::new(AtomicBool::new(false));
        let mut rest = Raw { file, failed: Arc::clone(&failed) };
        let mut head = Vec::new();
        let packing = loop {
            if let Some(packing) = Packing::of(&head) {
                break packing;
            }
            let mut more = [0; 4];
            let want = 4 - head.len();
            match rest.read(&mut more[..want])? {
                0 => break Packing::Not,
                n => head.extend_from_slice(&more[..n]),
            }
        };
        let source = match packing {
            Packing::Not => InputSource::Plain { head, rest },
            _ => InputSource::Packed { unpacked: packing.reader(io::Cursor::new(head).chain(rest))?, failed },
        };
        Ok(Self { name, is_found: false, packing, metadata, source })
    }

    /// Whether its first bytes are those of no text. What begins like a record is a log, even if it has NUL bytes.
    pub fn is_binary(&mut self) -> bool {
        const LOOK: usize = 8 << 10;
        let InputSource::Plain { head, rest } = &mut self.source else { return false };
        while head.len() < LOOK {
            let mut more = [0; LOOK];
            match rest.read(&mut more[..LOOK - head.len()]) {
                // An error comes again when the file is read.
                Err(_) | Ok(0) => break,
                Ok(n) => head.extend_from_slice(&more[..n]),
            }
        }
        let is_record = head.trim_ascii_start().starts_with(b"{") || head.trim_ascii_start().starts_with(b"[");
        binary::known(head, true).flatten().is_some() || (!is_record && memchr::memchr(0, head).is_some())
    }

    /// Its content.
    pub fn into_reader(self) -> Box<dyn Read> {
        match self.source {
            InputSource::Plain { head, rest } => Box::new(io::Cursor::new(head).chain(rest)),
            InputSource::Packed { unpacked, .. } => unpacked,
        }
    }

    /// Reads the next bytes. What follows damaged compressed data is missing.
    ///
    /// # Errors
    /// With an [`io::Error`] inside if reading fails.
    pub fn next(&mut self, buf: &mut [u8]) -> Result<usize> {
        if let InputSource::Plain { head, .. } = &mut self.source
            && !head.is_empty()
        {
            let n = head.len().min(buf.len());
            buf[..n].copy_from_slice(&head[..n]);
            head.drain(..n);
            return Ok(n);
        }
        match self.read(buf) {
            Ok(n) => Ok(n),
            Err(Failure::Damaged(..)) => Ok(0),
            Err(Failure::Io(e)) => Err(e.into()),
        }
    }

    /// Gives the input to the engine and writes its output, read by read. `each` is called after each read.
    pub fn pump<O: Output, W: Receiver>(
        mut self,
        engine: &mut Engine<O>,
        to: &mut W,
        mut each: impl FnMut(&mut Engine<O>, &mut W),
    ) -> Ended {
        let mut sinks = Sinks::default();
        if let InputSource::Plain { head, .. } = &self.source {
            to.read(head);
            engine.push(head, &mut sinks);
        }
        let mut result = Ended::Done;
        while !engine.is_over() {
            let space = engine.space();
            match self.read(space) {
                Ok(0) => break,
                Ok(n) => {
                    to.read(&space[..n]);
                    engine.advance(n, &mut sinks);
                }
                Err(Failure::Damaged(kind, what)) => {
                    engine.abort((kind, &what), &mut sinks);
                    break;
                }
                Err(Failure::Io(e)) => {
                    result = Ended::Read(e);
                    break;
                }
            }
            if let Err(ended) = write_decided(engine, &mut sinks, to) {
                result = ended;
                break;
            }
            each(engine, to);
        }
        match result {
            Ended::Done => engine.end(&mut sinks),
            // The rest is missing: incomplete records are not written.
            _ => engine.cut(&mut sinks),
        }
        if matches!(result, Ended::Write(_) | Ended::Closed) {
            // Nothing more is written, but findings are still reported.
            while engine.output().takes_part() && engine.more(&mut sinks) {
                sinks = Sinks::default();
            }
            each(engine, to);
            return result;
        }
        let poured = write_decided(engine, &mut sinks, to);
        each(engine, to);
        match poured {
            Ok(()) => result,
            Err(ended) => ended,
        }
    }

    fn read(&mut self, buf: &mut [u8]) -> Result<usize, Failure> {
        match &mut self.source {
            InputSource::Plain { rest, .. } => rest.read(buf).map_err(Failure::Io),
            InputSource::Packed { unpacked, failed } => loop {
                return match unpacked.read(buf) {
                    Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                    Err(e) if failed.load(Ordering::Relaxed) => Err(Failure::Io(e)),
                    Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                        Err(Failure::Damaged(Kind::CutOff, "the compressed data is cut off".into()))
                    }
                    Err(e) => Err(Failure::Damaged(Kind::Invalid, format!("the compressed data is damaged: {e}"))),
                    Ok(n) => Ok(n),
                };
            },
        }
    }
}

/// Writes everything that the engine has decided, part by part.
fn write_decided<O: Output>(engine: &mut Engine<O>, sinks: &mut Sinks, to: &mut impl Receiver) -> Result<(), Ended> {
    loop {
        to.write(sinks)?;
        if !engine.more(sinks) {
            return Ok(());
        }
    }
}

enum Failure {
    Io(io::Error),
    Damaged(Kind, String),
}

/// Whether two names are the same file; `-` is the file behind stdin.
pub fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (metadata(a), metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return a.is_file() && (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(unix)]
fn metadata(path: &Path) -> io::Result<Metadata> {
    if path.as_os_str() == "-" { standard(io::stdin())?.metadata() } else { std::fs::metadata(path) }
}

/// Whether an input file is also the file behind stdout; then, whether it is empty by now.
pub fn is_output(path: &Path) -> Option<bool> {
    let out = standard(io::stdout()).and_then(|out| out.metadata()).ok().filter(Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let input = metadata(path).ok()?;
        ((input.dev(), input.ino()) == (out.dev(), out.ino())).then_some(input.len() == 0)
    }
    #[cfg(not(unix))]
    {
        let _ = (path, out);
        None
    }
}

/// A name with control characters and line ends made visible.
pub fn printable(path: &Path) -> String {
    unthink::printable::printable(&path.to_string_lossy())
}

/// Reads the text of a small file: a profile, or a table.
///
/// # Errors
/// With an [`io::Error`] inside if the file cannot be read; also if it is no text, or too large.
pub fn read_text(path: &Path) -> Result<String> {
    const MAX_BYTES: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.with_context(|| printable(path))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{}: larger than {} MiB", printable(path), MAX_BYTES >> 20);
    }
    String::from_utf8(bytes)
        .map_err(|e| anyhow!("{}: byte {}: not UTF-8", printable(path), e.utf8_error().valid_up_to()))
}

/// Whether stdout is a terminal, where a person reads the output.
pub fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether stdin is a terminal, where a person waits for the program.
pub fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// Whether stdin is a pipe, a socket or a file, so that it may be an input that nobody named.
#[cfg(unix)]
pub fn stdin_has_input() -> bool {
    use std::os::unix::fs::FileTypeExt;
    metadata(Path::new("-")).is_ok_and(|found| {
        let kind = found.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
pub fn stdin_has_input() -> bool {
    !stdin_is_terminal()
}

/// Whether the program was started with stdin closed. By now stdin is the null device then, open for writing as well,
/// which is hardly ever the case otherwise.
#[cfg(unix)]
pub fn stdin_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    use std::os::unix::fs::MetadataExt;
    let stdin = io::stdin();
    let written = fcntl_getfl(&stdin).is_ok_and(|flags| flags.contains(OFlags::RDWR));
    let null = || Some((metadata(Path::new("-")).ok()?.rdev(), metadata(Path::new("/dev/null")).ok()?.rdev()));
    written && null().is_some_and(|(stdin, null)| stdin == null)
}

#[cfg(not(unix))]
pub fn stdin_is_closed() -> bool {
    false
}

/// The canonical path of a file that exists, or will exist.
pub fn place(path: &Path) -> PathBuf {
    let folder = || {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(folder).unwrap_or_else(|| path.to_path_buf())
}
