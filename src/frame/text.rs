//! Raw text: the bytes that have arrived are a frame, except a line that may be a JSON object or a list of objects.
//! Such a line is a frame of its own, so that it can be read: a log may follow a line that is no record.

use super::{Frame, Kind, Step};

/// Where the buffered text is searched, pieces end at multiples of this offset, so that the result does not depend on
/// how many bytes came at once.
const PIECE: u64 = 64 * 1024;

/// The framer for raw text.
#[derive(Debug, Default)]
pub struct Text {
    /// Lines that may be JSON are frames of their own.
    lines: bool,
    /// Offset of the buffer in the input.
    at: u64,
    /// Something other than white space stands in the current line before the buffer.
    inside: bool,
    /// No line end stands before this offset of the buffer.
    searched: usize,
    /// See [`super::Framer::marks`].
    marks: Vec<usize>,
}

impl Text {
    /// A framer that looks for lines that may be JSON, or takes everything as text.
    pub(super) fn new(lines: bool) -> Self {
        Self { lines, ..Self::default() }
    }

    pub(super) fn marks(&self) -> &[usize] {
        &self.marks
    }

    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> Step {
        if buf.is_empty() {
            return if eof { Step::End } else { Step::Need };
        }
        let n = buf.len().min((PIECE - self.at % PIECE) as usize);
        if !self.lines {
            return self.frame(n, Kind::Text);
        }
        if self.searched > 0 {
            return self.line(buf, eof);
        }
        match self.look(buf, n) {
            Line::Open(0) if !eof => Step::Need,
            Line::At(0) => self.line(buf, eof),
            Line::At(n) | Line::Open(n) if n > 0 => self.text(buf, n),
            _ => self.text(buf, n),
        }
    }

    /// Searches the first `n` bytes for a line that begins with an object with a member, or with a list of such
    /// objects.
    fn look(&mut self, buf: &[u8], n: usize) -> Line {
        self.marks.clear();
        for i in memchr::memchr3_iter(b'{', b':', 0, &buf[..n]) {
            let start = if buf[i] == b'{' { begins(&buf[..i], self.inside) } else { None };
            if let Some(start) = start {
                match buf[i + 1..].iter().find(|b| !is_blank(b)) {
                    Some(b'"') => return Line::At(start),
                    Some(_) => (),
                    None => return Line::Open(start),
                }
            }
            self.marks.push(i);
        }
        match begins(&buf[..n], self.inside) {
            Some(start) if start < n => Line::Open(start),
            _ => Line::None,
        }
    }

    /// A frame of a line that begins with an object.
    fn line(&mut self, buf: &[u8], eof: bool) -> Step {
        let len = match memchr::memchr(b'\n', &buf[self.searched..]) {
            Some(n) => self.searched + n + 1,
            None if !eof => {
                self.searched = buf.len();
                return Step::Need;
            }
            None => buf.len(),
        };
        if matches!(buf[..len].trim_ascii_end().last(), Some(b'}' | b']')) {
            self.inside = false;
            self.marks.clear();
            return self.frame(len, Kind::Line);
        }
        let n = len.min((PIECE - self.at % PIECE) as usize);
        self.marks.clear();
        self.marks.extend(memchr::memchr3_iter(b'{', b':', 0, &buf[..n]));
        self.text(buf, n)
    }

    /// A frame of the first `n` bytes, as text.
    fn text(&mut self, buf: &[u8], n: usize) -> Step {
        self.inside = match memchr::memrchr(b'\n', &buf[..n]) {
            Some(end) => !buf[end + 1..n].iter().all(is_blank),
            None => self.inside || !buf[..n].iter().all(is_blank),
        };
        self.frame(n, Kind::Text)
    }

    fn frame(&mut self, len: usize, kind: Kind) -> Step {
        self.at += len as u64;
        self.searched = 0;
        Frame::step(len, kind, 0..len)
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.at += n as u64;
        self.searched = self.searched.saturating_sub(n);
        self.inside = true;
    }
}

/// Where a line that may be JSON begins.
enum Line {
    /// Here, behind its indentation.
    At(usize),
    /// Perhaps here: more bytes decide.
    Open(usize),
    None,
}

/// Where the current line begins, behind its indentation, if `before` ends with only blanks and `[` in that line.
/// `inside`: `before` begins inside of a line.
fn begins(before: &[u8], inside: bool) -> Option<usize> {
    let last = before.iter().rposition(|b| !is_blank(b) && *b != b'[');
    if last.map_or(inside, |last| before[last] != b'\n') {
        return None;
    }
    let from = last.map_or(0, |last| last + 1);
    Some(from + before[from..].iter().take_while(|b| is_blank(b)).count())
}

fn is_blank(b: &u8) -> bool {
    matches!(b, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames of `text`, with `|` behind a text and `!` behind a line that may be JSON.
    fn frames(text: &str, piece: usize) -> String {
        let (mut framer, mut out, mut from, mut to) = (Text::new(true), String::new(), 0, 0);
        loop {
            match framer.step(&text.as_bytes()[from..to], to == text.len()) {
                Step::Need => to = (to + piece).min(text.len()),
                Step::End => return out.replace("|!", "!").trim_end_matches('|').to_string(),
                Step::Frame(Frame { len, kind, .. }) => {
                    // Texts that follow each other are one.
                    let text = &text[from..from + len];
                    match kind {
                        Kind::Text => out = format!("{}{text}|", out.trim_end_matches('|')),
                        _ => out.push_str(&format!("{text}!")),
                    }
                    from += len;
                    to = to.max(from);
                }
            }
        }
    }

    #[test]
    fn lines_that_may_be_json_are_apart() {
        for (text, want) in [
            ("", ""),
            ("a\n", "a\n"),
            ("a\n{\"a\":1}\nb\n", "a\n|{\"a\":1}\n!b\n"),
            ("{\"a\":1}", "{\"a\":1}!"),
            ("x {\"a\":1}\n", "x {\"a\":1}\n"),
            (" \t{ \"a\":1} \r\n{x}", " \t|{ \"a\":1} \r\n!{x}"),
            ("[ [{\"a\":1}]]\n[1]\n[", "[ [{\"a\":1}]]\n![1]\n["),
            ("{\n\"a\":1}\n", "{\n\"a\":1}\n"),
            ("{\"a\": 1,\n{\"b\":2}\n", "{\"a\": 1,\n|{\"b\":2}\n!"),
            ("{", "{"),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(frames(text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }
}
