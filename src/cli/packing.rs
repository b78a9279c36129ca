//! Compressed files: known by their first bytes, read, and written again.

use super::gzip::GzipMembers;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Not,
    Gzip,
    Zstd,
}

impl Packing {
    /// The compression that the first bytes show, once there are enough.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [] | [0x1F] => None,
            [0x1F, 0x8B, ..] => Some(Packing::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD] | [0x50..=0x5F, 0x2A, 0x4D, 0x18] => Some(Packing::Zstd),
            [0x28] | [0x28, 0xB5] | [0x28, 0xB5, 0x2F] => None,
            [0x50..=0x5F] | [0x50..=0x5F, 0x2A] | [0x50..=0x5F, 0x2A, 0x4D] => None,
            _ => Some(Packing::Not),
        }
    }

    /// The compression that the name of a new file asks for.
    pub fn named(path: &Path) -> Self {
        match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("gz") => Packing::Gzip,
            Some(ending) if ending.eq_ignore_ascii_case("zst") => Packing::Zstd,
            _ => Packing::Not,
        }
    }

    /// The content of a file.
    pub fn reader(self, file: impl Read + 'static) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Packing::Not => Box::new(file),
            Packing::Gzip => Box::new(GzipMembers::new(file)),
            Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(file)?),
        })
    }
}

/// Writes the content of a file, compressed or not.
pub enum Packer {
    Plain(File),
    Gzip(GzEncoder<File>),
    Zstd(zstd::stream::write::Encoder<'static, File>),
}

impl Packer {
    pub fn new(file: File, packing: Packing) -> io::Result<Self> {
        Ok(match packing {
            Packing::Not => Packer::Plain(file),
            Packing::Gzip => Packer::Gzip(GzEncoder::new(file, flate2::Compression::default())),
            Packing::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                // As the program zstd does.
                encoder.include_checksum(true)?;
                Packer::Zstd(encoder)
            }
        })
    }

    /// Writes the end of compressed data.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Packer::Plain(_) => Ok(()),
            Packer::Gzip(encoder) => encoder.finish().map(drop),
            Packer::Zstd(encoder) => encoder.finish().map(drop),
        }
    }
}

impl Write for Packer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packer::Plain(file) => file.write(bytes),
            Packer::Gzip(encoder) => encoder.write(bytes),
            Packer::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packer::Plain(file) => file.flush(),
            Packer::Gzip(encoder) => encoder.flush(),
            Packer::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        for (name, packing) in [("a", Packing::Not), ("a.gz", Packing::Gzip), ("A.ZST", Packing::Zstd)] {
            let path = dir.path().join(name);
            assert_eq!(Packing::named(&path), packing);
            for text in ["", "Rain by noon.\n"] {
                let mut packer = Packer::new(File::create(&path).unwrap(), packing).unwrap();
                packer.write_all(text.as_bytes()).unwrap();
                packer.finish().unwrap();
                let head = std::fs::read(&path).unwrap();
                let known = Packing::of(&head[..head.len().min(4)]);
                assert_eq!(known.unwrap_or(Packing::Not), packing);
                let mut read = String::new();
                packing.reader(File::open(&path).unwrap()).unwrap().read_to_string(&mut read).unwrap();
                assert_eq!(read, text, "{name}");
            }
        }
    }
}
