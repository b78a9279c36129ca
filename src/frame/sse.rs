//! The WHATWG event stream format (HTML Standard 9.2.5 and 9.2.6): LF, CR and CRLF end lines; a blank line ends an
//! event; an event that the end of the input cuts off is not dispatched.
//!
//! An event without data dispatches nothing: it is a frame between records.

use super::{Frame, FrameKind, FrameStep};
use crate::error::{Error, ErrorKind};
use std::ops::Range;

/// The framer for event streams.
#[derive(Debug, Default)]
pub struct Sse {
    /// Start of the current line.
    line: usize,
    /// There is no line end between `line` and here.
    searched: usize,
    /// The ranges of the event's data lines so far.
    data: Vec<Range<usize>>,
    /// The ranges of what stands in its other lines and may be JSON or text: in comments, in fields that the format does
    /// not know, and in lines without a field.
    others: Vec<Range<usize>>,
    /// The value of its last `event` line.
    name: Range<usize>,
    /// The event has a field.
    fields: bool,
    /// The last line ended with a CR alone.
    cr: bool,
    /// The last frame ended with a CR at the end of the buffer: an LF that comes first now belongs to it.
    owed: bool,
    /// A line had a field that the format does not know.
    strange: bool,
    /// The first line of the event cannot be a field.
    broken: bool,
    /// An event came before.
    begun: bool,
}

impl Sse {
    pub(super) fn is_strange(&self) -> bool {
        self.strange
    }

    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        if self.line == 0 && self.owed {
            match buf.first() {
                Some(b'\n') => {
                    self.owed = false;
                    return Frame::step(1, FrameKind::Tail, 0..0);
                }
                Some(_) => self.owed = false,
                None => (),
            }
        }
        if self.line == 0 && self.searched == 0 {
            self.data.clear();
            self.others.clear();
            self.name = 0..0;
            (self.fields, self.broken) = (false, false);
        }
        loop {
            // The common case: a blank line.
            let at_once = (buf.get(self.searched) == Some(&b'\n')).then_some(0);
            let Some(n) = at_once.or_else(|| memchr::memchr2(b'\n', b'\r', &buf[self.searched..])) else {
                self.searched = buf.len();
                return if eof { self.rest(buf) } else { FrameStep::Need };
            };
            let end = self.searched + n;
            let next = match (buf[end], buf.get(end + 1)) {
                (b'\r', Some(b'\n')) => end + 2,
                (b'\r', None) if !eof && (!self.cr || end != self.line) => {
                    self.searched = end;
                    return FrameStep::Need;
                }
                _ => end + 1,
            };
            self.cr = buf[end] == b'\r' && next == end + 1;
            let blank = end == self.line;
            self.field(buf, end);
            (self.line, self.searched) = (next, next);
            if blank {
                self.owed = self.cr && next == buf.len();
                return self.event(next);
            }
        }
    }

    pub(super) fn lines(&self) -> &[Range<usize>] {
        &self.data
    }

    pub(super) fn others(&self) -> &[Range<usize>] {
        &self.others
    }

    pub(super) fn name(&self) -> Range<usize> {
        self.name.clone()
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.line = self.line.saturating_sub(n);
        self.searched = self.searched.saturating_sub(n);
        self.data.clear();
        self.others.clear();
        self.name = 0..0;
    }

    fn field(&mut self, buf: &[u8], end: usize) {
        let line = &buf[self.line..end];
        if line.is_empty() {
            return;
        }
        let (name, value) = field(line);
        match name {
            b"data" => self.data.push(end - value.len()..end),
            b"event" => self.name = end - value.len()..end,
            b"" | b"id" | b"retry" => {
                let may_hold = memchr::memchr2(b'{', b'<', value).is_some();
                self.others.extend(may_hold.then(|| end - value.len()..end));
            }
            _ => {
                self.strange = true;
                // A line of JSON is no field, even with a colon in it.
                let named = name.iter().all(|b| b.is_ascii_alphanumeric() || b" \t_-".contains(b));
                self.broken |= !named && self.line == 0;
                self.others.push(if named { end - value.len() } else { self.line }..end);
            }
        }
        self.fields |= !name.is_empty();
    }

    /// The frame of the event that ends at `len`.
    fn event(&mut self, len: usize) -> FrameStep {
        (self.line, self.searched) = (0, 0);
        let first = !self.begun;
        self.begun |= self.fields;
        match self.data.as_slice() {
            // The rest of an event whose front was cut off may be reasoning.
            _ if self.broken && first => {
                let error = Error::of(ErrorKind::Invalid, 0, "no line of an event stream");
                Frame::step(len, FrameKind::Bad(error), 0..0)
            }
            [] => Frame::glue(len),
            [line] => Frame::step(len, FrameKind::Record, line.clone()),
            [first, .., last] => Frame::step(len, FrameKind::Lines, first.start..last.end),
        }
    }

    /// The frame of the bytes behind the last blank line of the input.
    fn rest(&mut self, buf: &[u8]) -> FrameStep {
        if buf.is_empty() {
            return FrameStep::End;
        }
        if self.line < buf.len() {
            self.field(buf, buf.len());
        }
        (self.line, self.searched) = (0, 0);
        match (self.data.first(), self.data.last()) {
            (Some(first), Some(last)) => Frame::step(buf.len(), FrameKind::Unfinished, first.start..last.end),
            _ if self.fields => {
                let error = Error::of(ErrorKind::CutOff, 0, super::INCOMPLETE);
                Frame::step(buf.len(), FrameKind::Bad(error), 0..0)
            }
            _ => Frame::glue(buf.len()),
        }
    }
}

/// The field name and the value of a line. A comment has an empty name.
#[inline]
pub fn field(line: &[u8]) -> (&[u8], &[u8]) {
    // The common case: a data line.
    if let Some(value) = line.strip_prefix(b"data:") {
        return (&line[..4], value.strip_prefix(b" ").unwrap_or(value));
    }
    match memchr::memchr(b':', line) {
        None => (line, &line[line.len()..]),
        Some(n) => {
            let value = &line[n + 1..];
            (&line[..n], value.strip_prefix(b" ").unwrap_or(value))
        }
    }
}

/// The value of the last `event` line among these lines; empty if there is none.
pub fn name(lines: &[u8]) -> &[u8] {
    let named = |line| matches!(field(line), (b"event", _)).then(|| field(line).1);
    lines.rsplit(|b| matches!(b, b'\n' | b'\r')).find_map(named).unwrap_or_default()
}

/// Whether a text is an event stream: it begins with a line of one, and has data.
pub fn is_stream(text: &[u8]) -> bool {
    const DATA: &[u8] = b"data:";
    let text = text.trim_ascii_start();
    let begins = text.starts_with(b":") || matches!(field(first_line(text)).0, b"data" | b"event" | b"id" | b"retry");
    let data = || memchr::memmem::find_iter(text, DATA).any(|at| at == 0 || matches!(text[at - 1], b'\n' | b'\r'));
    begins && first_line(text).contains(&b':') && data()
}

fn first_line(text: &[u8]) -> &[u8] {
    &text[..memchr::memchr2(b'\n', b'\r', text).unwrap_or(text.len())]
}

/// An event as clients dispatch it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg(feature = "cli")]
pub struct SseEvent {
    /// The `event` field, or `message`.
    pub name: String,
    /// The data lines, joined by LF; bytes that are not UTF-8 have become U+FFFD.
    pub data: String,
    /// The last `id` of the stream.
    pub id: String,
}

/// The state of a client, which dispatches events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg(feature = "cli")]
pub struct Client {
    /// The last `id`.
    pub id: String,
    /// The last `retry`, in milliseconds.
    pub retry: Option<u64>,
    /// The comments, without their colon.
    pub comments: Vec<String>,
}

#[cfg(feature = "cli")]
impl Client {
    /// Reads an event block, with or without data. Returns the event that it dispatches.
    pub fn block(&mut self, block: &[u8]) -> Option<SseEvent> {
        let (mut name, mut data) = (String::new(), None::<Vec<u8>>);
        for line in block.split_inclusive(|&b| b == b'\n' || b == b'\r') {
            let line = line.strip_suffix(b"\n").or(line.strip_suffix(b"\r")).unwrap_or(line);
            match field(line) {
                (b"", _) if line.first() == Some(&b':') => self.comments.push(lossy(&line[1..])),
                (b"data", value) => match &mut data {
                    Some(data) => data.extend(b"\n".iter().chain(value)),
                    None => data = Some(value.to_vec()),
                },
                (b"event", value) => name = lossy(value),
                (b"id", value) if !value.contains(&0) => self.id = lossy(value),
                (b"retry", value) if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                    self.retry = lossy(value).parse().ok();
                }
                _ => (),
            }
        }
        let name = if name.is_empty() { "message".to_string() } else { name };
        data.map(|data| SseEvent { name, data: lossy(&data), id: self.id.clone() })
    }
}

#[cfg(feature = "cli")]
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of `text`: their payload lines in brackets, glue as dots, an unfinished event with `~`.
    fn frames(text: &str, piece: usize) -> String {
        let (mut sse, mut out) = (Sse::default(), String::new());
        let (mut from, mut to) = (0, 0);
        loop {
            match sse.step(&text.as_bytes()[from..to], to == text.len()) {
                FrameStep::Need => to = (to + piece).min(text.len()),
                FrameStep::End => return out,
                FrameStep::Frame(Frame { len, kind, .. }) => {
                    let lines: Vec<_> = sse.lines().iter().map(|l| &text[from + l.start..from + l.end]).collect();
                    match kind {
                        FrameKind::Tail => (),
                        FrameKind::Bad(_) => out.push('!'),
                        FrameKind::Unfinished => out.push_str(&format!("~{}", lines.join("|"))),
                        FrameKind::Glue => out.push('.'),
                        _ => out.push_str(&format!("[{}]", lines.join("|"))),
                    }
                    from += len;
                    to = to.max(from);
                }
            }
        }
    }

    #[test]
    fn names() {
        for (text, want) in [
            ("data: a\n\n", ""),
            ("event: e\ndata: a\n\n", "e"),
            ("data: a\r\nevent:e\r\n\r\n", "e"),
            ("event: e\rdata: a\revent: f\r\r", "f"),
            ("event: e\nevent\ndata: a\n\n", ""),
            ("events: e\ndata: a\n\n", ""),
        ] {
            let mut sse = Sse::default();
            for to in 0..=text.len() {
                let FrameStep::Frame(_) = sse.step(&text.as_bytes()[..to], to == text.len()) else { continue };
                assert_eq!(&text[sse.name()], want, "{text:?}");
                assert_eq!(name(text.as_bytes()), want.as_bytes(), "{text:?}");
                break;
            }
        }
    }

    #[test]
    fn events() {
        for (text, want) in [
            ("", ""),
            ("data: a\n\n", "[a]"),
            ("data: a\r\n\r\ndata: b\r\n\r\n", "[a][b]"),
            ("data: a\r\rdata: b\r\r", "[a][b]"),
            ("data: a\r\r\ndata: b\r\r\n", "[a][b]"),
            ("data:a\ndata: b\n\n", "[a|b]"),
            ("data\n\n", "[]"),
            (": c\n\n\ndata: x\n\n", "..[x]"),
            ("event: e\n\n", "."),
            ("data: a\n", "~a"),
            ("data: a", "~a"),
            (": c", "."),
            ("event", "!"),
            ("id: 1\nevent: e\ndata: x\n\n", "[x]"),
            // The front is cut off.
            ("ut off\"}\n\ndata: x\n\n", "![x]"),
            ("ut: off\"}\n\n{}\n\ndata: x\n\n", "..[x]"),
            ("\n: c\n\n{}\n\ndata: x\n\n", "..![x]"),
            ("data: x\n\n{}\n\n", "[x]."),
            ("data: x\n{}\n\n", "[x]"),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(frames(text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }
}
