//! Inputs: files and stdin, decompressed.

use super::failure::{Result, WithContext, bail, misuse};
use super::fd::{Ready, enlarge_pipe, standard, wait};
use super::packing::Packing;
use super::path::printable;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use unthink::error::ErrorKind as DamageKind;
use unthink::frame::binary;

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
    /// Of the kind `Io` if reading fails.
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
            Err(ReadFailure::Damaged(..)) => Ok(0),
            Err(ReadFailure::Io(e)) => Err(e.into()),
        }
    }

    pub(super) fn read(&mut self, buf: &mut [u8]) -> Result<usize, ReadFailure> {
        match &mut self.source {
            InputSource::Plain { rest, .. } => rest.read(buf).map_err(ReadFailure::Io),
            InputSource::Packed { unpacked, failed } => loop {
                return match unpacked.read(buf) {
                    Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                    Err(e) if failed.load(Ordering::Relaxed) => Err(ReadFailure::Io(e)),
                    Err(e) if e.kind() == ErrorKind::UnexpectedEof => {
                        Err(ReadFailure::Damaged(DamageKind::CutOff, "the compressed data is cut off".into()))
                    }
                    Err(e) => {
                        Err(ReadFailure::Damaged(DamageKind::Invalid, format!("the compressed data is damaged: {e}")))
                    }
                    Ok(n) => Ok(n),
                };
            },
        }
    }
}

/// Why the next bytes of an input are missing.
pub(super) enum ReadFailure {
    Io(io::Error),
    Damaged(DamageKind, String),
}

/// Reads the text of a small file: a profile, or a table.
///
/// # Errors
/// Of the kind `Io` if the file cannot be read; also if it is no text, or too large.
pub fn read_text(path: &Path) -> Result<String> {
    const MAX_BYTES: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.with_context(|| printable(path))?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("{}: larger than {} MiB", printable(path), MAX_BYTES >> 20);
    }
    String::from_utf8(bytes)
        .map_err(|e| misuse!("{}: byte {}: not UTF-8", printable(path), e.utf8_error().valid_up_to()))
}
