//! Recognises input that is not text by its first bytes, or by a NUL byte in it. Such input is refused, with a hint how
//! to extract the text in it.
//!
//! The first bytes are those that `file` and the formats' own documents list.

const PARQUET: &str = "duckdb -c \"COPY (FROM 'FILE') TO '/dev/stdout' (FORMAT json)\" | unthink";

/// Byte sequences that no text begins with; the format that does; and the command that extracts its text.
const MAGIC: &[(&[u8], &str, &str)] = &[
    (b"\xFD7zXZ\0", "xz data", "xz -dc FILE | unthink"),
    (b"BZh91AY&SY", "bzip2 data", "bzip2 -dc FILE | unthink"),
    (b"\x04\x22\x4D\x18", "lz4 data", "lz4 -dc FILE | unthink"),
    (b"LZIP\x01", "lzip data", "lzip -dc FILE | unthink"),
    (b"\x1F\x9D", "compressed data", "uncompress -c FILE | unthink"),
    (b"\xFF\x06\0\0sNaPpY", "snappy data", "snzip -dc FILE | unthink"),
    (b"PK\x03\x04", "a zip archive", "unzip -p FILE | unthink"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "7z x -so FILE | unthink"),
    (b"Rar!\x1A\x07", "a rar archive", "unrar p -inul FILE | unthink"),
    (b"SQLite format 3\0", "an SQLite database", "sqlite3 -json FILE 'SELECT …' | unthink"),
    (b"ARROW1\0\0", "an Arrow file", "write it as JSON Lines first"),
    (b"Obj\x01", "an Avro file", "avro cat FILE | unthink"),
    (b"\x7FELF", "an executable", ""),
    (b"\xFE\xED\xFA", "an executable", ""),
    (b"\xCF\xFA\xED\xFE", "an executable", ""),
    (b"\xCE\xFA\xED\xFE", "an executable", ""),
    (b"\xCA\xFE\xBA\xBE", "an executable", ""),
    (b"\0asm", "an executable", ""),
    (b"PAR1\x15", "a Parquet file", PARQUET),
    (b"%PDF-1.", "a PDF document", "pdftotext FILE - | unthink"),
    (b"%PDF-2.", "a PDF document", "pdftotext FILE - | unthink"),
    (b"\x89PNG\r\n\x1A\n", "an image", ""),
    (b"\xFF\xD8\xFF", "an image", ""),
    (b"\x93NUMPY", "a NumPy array", ""),
    (b"\x89HDF\r\n\x1A\n", "an HDF5 file", ""),
];

/// Byte sequences that a text may begin with, too: they count if a NUL byte follows.
const WITH_NUL: &[(&[u8], &str, &str)] = &[
    (b"PAR1", "a Parquet file", PARQUET),
    (b"MZ", "an executable", ""),
    (b"GIF8", "an image", ""),
    (b"RIFF", "an image or a recording", ""),
    (b"BM", "an image", ""),
    (b"II*", "an image", ""),
];

/// The refusal of an input that begins with `head`, if its first bytes show that it is not text. `None`: more bytes are
/// needed.
pub fn known(head: &[u8], eof: bool) -> Option<Option<String>> {
    if let Some(encoding) = wide(head) {
        let what = format!("the input is {encoding}, not UTF-8; iconv -f {encoding} -t UTF-8 makes it so");
        return Some(Some(what));
    }
    let found = magic(head).map(|(what, command)| refused(what, command));
    let open = MAGIC.iter().any(|(magic, ..)| head.len() < magic.len() && magic.starts_with(head));
    if open && !eof && found.is_none() { None } else { Some(found) }
}

/// The refusal of an input that begins with `head` and has a NUL byte.
pub fn with_nul(head: &[u8]) -> String {
    match magic_with_nul(head) {
        Some((what, command)) => refused(what, command),
        None => "the input has NUL bytes: it is not text (--framing text takes it as text)".into(),
    }
}

/// What an input is that begins with `head` and is not text, and the command that extracts its text, or an empty one. What
/// begins like a record is a log, even if it has NUL bytes.
#[cfg(feature = "cli")]
pub fn kind(head: &[u8]) -> Option<(&'static str, &'static str)> {
    if let Some(encoding) = wide(head) {
        return Some((encoding, ""));
    }
    let is_record = matches!(head.trim_ascii_start().first(), Some(b'{' | b'['));
    let has_nul = !is_record && memchr::memchr(0, head).is_some();
    magic(head).or_else(|| has_nul.then(|| magic_with_nul(head).unwrap_or(("binary data", ""))))
}

/// The format with these first bytes, and its command.
fn magic(head: &[u8]) -> Option<(&'static str, &'static str)> {
    // The fourth byte is the level of compression.
    if head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY") {
        return Some(("bzip2 data", "bzip2 -dc FILE | unthink"));
    }
    MAGIC.iter().find(|(magic, ..)| head.starts_with(magic)).map(|(_, what, command)| (*what, *command))
}

/// The format, and its command, if a text may begin with these bytes, too: it has a NUL byte.
fn magic_with_nul(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const TAR: std::ops::Range<usize> = 257..262;
    let known = WITH_NUL.iter().find(|(magic, ..)| head.starts_with(magic));
    let tar = (head.get(TAR) == Some(b"ustar")).then_some(("a tar archive", "tar -xOf FILE | unthink"));
    known.map(|(_, what, command)| (*what, *command)).or(tar)
}

fn refused(what: &str, command: &str) -> String {
    let hint = if command.is_empty() { String::new() } else { format!("; for what is in it: {command}") };
    format!("the input is {what}, not text{hint}")
}

/// The name of an encoding with units of several bytes, if the input begins like one.
fn wide(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xFF, 0xFE, 0, 0, ..] | [b'{' | b'[' | b'"', 0, 0, 0, ..] => Some("UTF-32LE"),
        [0, 0, 0xFE, 0xFF, ..] | [0, 0, 0, b'{' | b'[' | b'"', 0, 0, 0, _, ..] => Some("UTF-32BE"),
        [0xFF, 0xFE, ..] | [b'{' | b'[' | b'"', 0, _, 0, ..] => Some("UTF-16LE"),
        [0xFE, 0xFF, ..] | [0, b'{' | b'[' | b'"', 0, _, ..] => Some("UTF-16BE"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes() {
        for (head, want) in [
            (&b"\xFD7zXZ\0\0"[..], Some("xz -dc FILE")),
            (b"BZh11AY&SYx", Some("bzip2 -dc FILE")),
            (b"BZh is a word", None),
            (b"PK\x03\x04 ", Some("unzip -p FILE")),
            (b"\x7FELF\x02\x01", Some("executable")),
            (b"{\0\"\0a\0", Some("UTF-16LE")),
            (b"text", None),
            (b"", None),
        ] {
            let found = known(head, true).unwrap();
            assert_eq!(found.is_some(), want.is_some(), "{head:?}");
            assert!(found.unwrap_or_default().contains(want.unwrap_or_default()), "{head:?}");
        }
        assert_eq!(known(b"7z", false), None);
        assert!(with_nul(b"PAR1\x15\0").contains("duckdb"));
        let mut tar = [b'x'; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert!(with_nul(&tar).contains("tar -xOf"));
        assert!(with_nul(b"a\0b").contains("--framing text"));
    }
}
