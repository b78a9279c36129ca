//! Comma-separated values (RFC 4180), and tab-separated ones: a row is a record. A quoted cell goes on to its closing
//! quote, over delimiters and line ends; two quotes in it stand for one.

use super::{Frame, FrameKind, FrameStep};
use crate::error::{Error, ErrorKind};
use memchr::{memchr, memchr2};
use std::ops::Range;

/// The framer for rows.
#[derive(Debug)]
pub struct Csv {
    /// None until the first row says which one it is.
    delimiter: Option<u8>,
    state: CsvState,
    /// The row at the start of the buffer was scanned up to here.
    scanned: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CsvState {
    /// Before a cell.
    Start,
    /// In a cell, or behind the closing quote of one.
    Cell,
    Quoted,
    /// Behind a quote in a quoted cell: if a second quote follows, both are text.
    Quote,
}

impl Csv {
    /// A framer for rows whose cells such a byte parts. None: the one that the first row has, by [`delimiter_of`].
    pub(super) fn new(delimiter: Option<u8>) -> Self {
        Self { delimiter, state: CsvState::Start, scanned: 0 }
    }

    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        let end = match self.known(buf, eof).and_then(|delimiter| self.end(buf, delimiter)) {
            Some(end) => end,
            None if !eof => return FrameStep::Need,
            None if buf.is_empty() => return FrameStep::End,
            None => buf.len(),
        };
        let open = std::mem::replace(&mut self.state, CsvState::Start) == CsvState::Quoted;
        self.scanned = 0;
        if open {
            let error = Error::of(ErrorKind::CutOff, 0, "a quote that is never closed");
            return Frame::step(buf.len(), FrameKind::Bad(error), 0..0);
        }
        let row = &buf[..end];
        let body = row.strip_suffix(b"\n").unwrap_or(row);
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        match body.is_empty() {
            true => Frame::glue(end),
            false => Frame::step(end, FrameKind::Record, 0..body.len()),
        }
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.scanned = self.scanned.saturating_sub(n);
    }

    /// The delimiter, once the first line is there.
    fn known(&mut self, buf: &[u8], eof: bool) -> Option<u8> {
        if self.delimiter.is_none() {
            let Some(n) = memchr(b'\n', &buf[self.scanned..]).or(eof.then_some(buf.len() - self.scanned)) else {
                self.scanned = buf.len();
                return None;
            };
            let line = &buf[..self.scanned + n];
            self.scanned = 0;
            if line.trim_ascii().is_empty() {
                return Some(b',');
            }
            self.delimiter = Some(delimiter_of(line));
        }
        self.delimiter
    }

    /// Scans for the end of the row. Returns the offset behind its line end.
    fn end(&mut self, buf: &[u8], delimiter: u8) -> Option<usize> {
        loop {
            let byte = *buf.get(self.scanned)?;
            match self.state {
                CsvState::Start if byte == b'"' => {
                    self.state = CsvState::Quoted;
                    self.scanned += 1;
                }
                CsvState::Quote if byte == b'"' => {
                    self.state = CsvState::Quoted;
                    self.scanned += 1;
                }
                CsvState::Start | CsvState::Quote => self.state = CsvState::Cell,
                CsvState::Cell => {
                    let Some(n) = memchr2(delimiter, b'\n', &buf[self.scanned..]) else {
                        self.scanned = buf.len();
                        return None;
                    };
                    self.scanned += n + 1;
                    if buf[self.scanned - 1] == b'\n' {
                        return Some(self.scanned);
                    }
                    self.state = CsvState::Start;
                }
                CsvState::Quoted => {
                    let Some(n) = memchr(b'"', &buf[self.scanned..]) else {
                        self.scanned = buf.len();
                        return None;
                    };
                    self.scanned += n + 1;
                    self.state = CsvState::Quote;
                }
            }
        }
    }
}

/// A cell of a row, as ranges of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The whole cell, with its quotes.
    pub at: Range<usize>,
    /// Its text, in which two quotes stand for one if the cell is quoted.
    pub text: Range<usize>,
    /// It is quoted.
    pub quoted: bool,
}

/// The cells of a row without its line end.
pub fn cells(row: &[u8], delimiter: u8) -> Vec<Cell> {
    let (mut out, mut start) = (Vec::new(), 0);
    loop {
        let quoted = row.get(start) == Some(&b'"');
        let close = if quoted { closing(row, start + 1) } else { None };
        let from = close.map_or(start, |close| close + 1);
        let end = memchr(delimiter, &row[from..]).map_or(row.len(), |n| from + n);
        // Bytes behind the closing quote are not part of the text.
        let text = close.map_or(start..end, |close| start + 1..close);
        out.push(Cell { at: start..end, text, quoted: close.is_some() });
        if end == row.len() {
            return out;
        }
        start = end + 1;
    }
}

/// The position of the quote that closes a cell whose text begins at `from`.
fn closing(row: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr(b'"', row.get(from..)?)?;
        if row.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        from = at + 2;
    }
}

/// The delimiter of a table with this first row, or with a row that begins with this line: a comma, if it has any outside of
/// quotes; else a semicolon, as programs write it where the comma is part of numbers, or a bar.
pub fn delimiter_of(row: &[u8]) -> u8 {
    let line = &row[..memchr(b'\n', row).unwrap_or(row.len())];
    let mut quoted = false;
    let mut outside = |b: &u8| {
        quoted ^= *b == b'"';
        !quoted
    };
    let bytes: Vec<u8> = line.iter().copied().filter(|b| outside(b)).collect();
    [b',', b';', b'|'].into_iter().find(|delimiter| bytes.contains(delimiter)).unwrap_or(b',')
}

/// The delimiter of an input that clearly is a table: its first line is names of columns, and every further row has as
/// many cells.
///
/// `thinks`: whether a name is one of reasoning. Of a table with such a column one row is enough: it must not pass for a text.
pub(super) fn delimiter(head: &[u8], all: bool, thinks: &mut dyn FnMut(&[u8]) -> bool) -> Option<u8> {
    const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];
    let clear = DELIMITERS.into_iter().find(|delimiter| is_table(head, *delimiter, all));
    clear.or_else(|| DELIMITERS.into_iter().find(|delimiter| is_named(head, *delimiter, thinks)))
}

/// Whether the first line has names of columns, one of which is reasoning, and a row follows.
fn is_named(head: &[u8], delimiter: u8, thinks: &mut dyn FnMut(&[u8]) -> bool) -> bool {
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
    let (Some(names), Some(row)) = (lines.next(), lines.next()) else { return false };
    let (mut spaced, mut apart, mut any) = (false, false, false);
    for cell in cells(names, delimiter) {
        let name = names[cell.text.clone()].trim_ascii();
        if !name.is_empty() && !is_name(name) {
            return false;
        }
        // What has blanks behind its commas, and in between, is a sentence.
        spaced |= name.contains(&b' ');
        apart |= names[cell.at].starts_with(b" ");
        any |= !name.is_empty() && thinks(name);
    }
    let parted = |line: &[u8]| memchr(delimiter, line).is_some();
    any && !(spaced && apart) && parted(names) && parted(row)
}

fn is_table(head: &[u8], delimiter: u8, all: bool) -> bool {
    let (mut framer, mut at, mut columns, mut rows) = (Csv::new(Some(delimiter)), 0, 0, 0);
    while let FrameStep::Frame(Frame { len, kind, body }) = framer.step(&head[at..], all) {
        let row = &head[at + body.start..at + body.end];
        at += len;
        if kind == FrameKind::Glue {
            continue;
        }
        if kind != FrameKind::Record {
            return false;
        }
        let cells = cells(row, delimiter);
        if columns == 0 {
            let mut names: Vec<&[u8]> = cells.iter().map(|cell| &row[cell.text.clone()]).collect();
            names.sort_unstable();
            // The column of the row numbers has no name.
            let numbers = usize::from(names.len() > 2 && names[0].is_empty());
            if names.len() < 2
                || !names[numbers..].iter().all(|name| is_name(name))
                || names.windows(2).any(|two| two[0] == two[1])
            {
                return false;
            }
            columns = names.len();
            continue;
        }
        // Nothing follows a closing quote, and an unquoted cell has no quote.
        let plain = |cell: &Cell| match cell.quoted {
            true => cell.text.end + 1 == cell.at.end,
            false => !row[cell.at.clone()].contains(&b'"'),
        };
        if cells.len() != columns || !cells.iter().all(plain) {
            return false;
        }
        rows += 1;
    }
    rows > 0
}

/// Whether a text can be the name of a column.
fn is_name(text: &[u8]) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || b"_-. ".contains(b);
    let end = |b: Option<&u8>| b.is_some_and(|b| *b != b' ');
    text.len() <= 64
        && text.iter().all(part)
        && text.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && end(text.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of `text`, a `!` for what is bad.
    fn rows(text: &str, piece: usize) -> Vec<String> {
        let (mut framer, mut out, mut from, mut to) = (Csv::new(None), Vec::new(), 0, 0);
        loop {
            match framer.step(&text.as_bytes()[from..to], to == text.len()) {
                FrameStep::Need => to = (to + piece).min(text.len()),
                FrameStep::End => return out,
                FrameStep::Frame(Frame { len, kind, body }) => {
                    match kind {
                        FrameKind::Record => out.push(text[from + body.start..from + body.end].to_string()),
                        FrameKind::Bad(_) => out.push("!".into()),
                        _ => (),
                    }
                    from += len;
                    to = to.max(from);
                }
            }
        }
    }

    #[test]
    fn rows_and_cells() {
        for (text, want) in [
            ("", vec![]),
            ("a,b\n1,2\r\n\n3,4", vec!["a,b", "1,2", "3,4"]),
            ("a,\"b\nc\"\nd\n", vec!["a,\"b\nc\"", "d"]),
            ("\"a\"\"\n\",b\nc", vec!["\"a\"\"\n\",b", "c"]),
            ("a\"b\nc", vec!["a\"b", "c"]),
            ("a,\"b\nc\n", vec!["!"]),
            (",\n", vec![","]),
            ("a;b\n1;\"x\ny\"\n", vec!["a;b", "1;\"x\ny\""]),
            ("\n\na|b\n1|\"x\ny\"\n", vec!["a|b", "1|\"x\ny\""]),
            ("\"a;b\",c\n1;\"x\ny\"\n", vec!["\"a;b\",c", "1;\"x", "y\""]),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(rows(text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
        for (row, want) in [
            ("", vec![""]),
            ("a,b", vec!["a", "b"]),
            (",", vec!["", ""]),
            ("\"a,\"\"b\",c", vec!["a,\"\"b", "c"]),
            ("\"a\"x,b", vec!["a", "b"]),
            ("\"a,b", vec!["\"a", "b"]),
        ] {
            let found: Vec<&str> = cells(row.as_bytes(), b',').into_iter().map(|cell| &row[cell.text]).collect();
            assert_eq!(found, want, "{row}");
        }
    }

    #[test]
    fn tables_are_plain() {
        for (text, want) in [
            ("id,text\n1,\"a\nb\"\n", Some(b',')),
            ("id\ttext\n1\ta, b\n", Some(b'\t')),
            ("id,text\n", None),
            ("id,text\n1\n", None),
            ("id,text\n1,2,3\n", None),
            ("Hello, world\na, b\n", None),
            ("id,id\n1,2\n", None),
            ("id,<think>\n1,2\n", None),
            ("id,text\n1,a\"b\n", None),
            ("one\ntwo\n", None),
            (",id,text\n0,1,2\n", Some(b',')),
            ("id,text\n\n1,2\n", Some(b',')),
            (",,text\n0,1,2\n", None),
            ("id;text\n1;\"a, b\"\n", Some(b';')),
            ("id|text\n1|a, b\n", Some(b'|')),
            ("id,reasoning,answer\n1,a b,c\n2,x\n", Some(b',')),
            ("id, reasoning, reasoning\n1,a,b\n", Some(b',')),
            ("id;\"reasoning\";answer;\n1;a;b\n", Some(b';')),
            ("reasoning, fast and slow\nis a book, and a long one.\n", None),
            ("reasoning,answer\nis what they call it.\n", None),
            ("id,reasoning\n", None),
        ] {
            let mut thinks = |name: &[u8]| name == b"reasoning";
            assert_eq!(delimiter(text.as_bytes(), true, &mut thinks), want, "{text:?}");
        }
    }
}
