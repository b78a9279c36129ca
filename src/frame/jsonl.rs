//! JSON Lines: LF ends a record. A CR before it is white space to JSON, and stays.
//!
//! What stands before a value in a line of a log belongs to its frame and not to its body; a line of a log without a
//! value lies between records.
//!
//! A pretty-printed value between lines, as `cat a.jsonl b.json` writes it, is one record, unless the user has named
//! this framing.

use super::json::BracketState;
use super::{Frame, FrameKind, FrameStep, is_space, log};

/// The framer for JSON Lines.
#[derive(Debug, Default)]
pub struct Jsonl {
    /// Every line is a record.
    strict: bool,
    /// No LF stands before this offset of the buffer.
    searched: usize,
    /// Set if the value at the start of the buffer spans lines: its state at `searched`, and the end of its first line.
    open: Option<(BracketState, usize)>,
}

impl Jsonl {
    pub(super) fn new(strict: bool) -> Self {
        Self { strict, ..Self::default() }
    }

    #[inline]
    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        if self.open.is_some() {
            return self.pretty(buf, eof);
        }
        let line = match memchr::memchr(b'\n', &buf[self.searched..]) {
            Some(n) => self.searched + n + 1,
            None if !eof => {
                self.searched = buf.len();
                return FrameStep::Need;
            }
            None if buf.is_empty() => return FrameStep::End,
            None => buf.len(),
        };
        self.searched = 0;
        if buf[..line].iter().all(is_space) {
            return Frame::glue(line);
        }
        let end = line - usize::from(buf[line - 1] == b'\n');
        if !self.strict && end < line && goes_on(&buf[..end]) {
            self.open = Some((BracketState::default(), line));
            return self.pretty(buf, eof);
        }
        let start = if self.strict { 0 } else { log::json(&buf[..end]) };
        if start == 0 && !self.strict && log::is_plain(&buf[..end]) {
            return Frame::glue(line);
        }
        Frame::step(line, FrameKind::Record, start..end)
    }

    /// Reads a value over several lines. It ends with its last bracket, unless a line before that is a record by
    /// itself: then the first line is a record that was cut off.
    #[cold]
    fn pretty(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        let Some((mut value, first)) = self.open.take() else { return FrameStep::Need };
        loop {
            let from = self.searched;
            let line = memchr::memchr(b'\n', &buf[from..]).map(|n| from + n + 1);
            let Some(end) = line.or((eof && from < buf.len()).then_some(buf.len())) else {
                if eof {
                    break;
                }
                self.open = Some((value, first));
                return FrameStep::Need;
            };
            // Pretty-printed lines are indented.
            if from > 0 && buf[from..end].starts_with(b"{\"") {
                break;
            }
            if let Some(close) = value.end(&buf[..end], &mut self.searched) {
                let rest = &buf[close..end];
                if rest.iter().all(is_space) {
                    self.searched = 0;
                    return Frame::step(end, FrameKind::Record, 0..close);
                }
                break;
            }
            self.searched = end;
        }
        self.searched = 0;
        Frame::step(first, FrameKind::Record, 0..first - 1)
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.searched = self.searched.saturating_sub(n);
        self.open = None;
    }
}

/// Whether a line is the first one of a value over several lines: it only opens brackets, perhaps with a key.
fn goes_on(line: &[u8]) -> bool {
    let Some(b'{' | b'[') = line.trim_ascii_end().last() else { return false };
    matches!(line.trim_ascii_start().first(), Some(b'{' | b'['))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of `text`.
    fn records(text: &str, piece: usize) -> Vec<&str> {
        let (mut jsonl, mut out, mut from, mut to) = (Jsonl::default(), Vec::new(), 0, 0);
        loop {
            match jsonl.step(&text.as_bytes()[from..to], to == text.len()) {
                FrameStep::Need => to = (to + piece).min(text.len()),
                FrameStep::End => return out,
                FrameStep::Frame(Frame { len, kind, body }) => {
                    if kind == FrameKind::Record {
                        out.push(&text[from + body.start..from + body.end]);
                    }
                    from += len;
                    to = to.max(from);
                }
            }
        }
    }

    #[test]
    fn lines_and_values() {
        for (text, want) in [
            ("1\n\n2", vec!["1", "2"]),
            ("{\"a\":1}\r\n", vec!["{\"a\":1}\r"]),
            ("1\n{\n  \"a\": [\n    1\n  ]\n}\n2\n", vec!["1", "{\n  \"a\": [\n    1\n  ]\n}", "2"]),
            ("[\n]\n", vec!["[\n]"]),
            ("{\n{\"a\":1}\n}\n", vec!["{", "{\"a\":1}", "}"]),
            ("{\n  \"a\"", vec!["{", "  \"a\""]),
            ("{\n} x\n", vec!["{", "} x"]),
            ("{\"a\": {\n \"b\": \"}\"\n}}\n", vec!["{\"a\": {\n \"b\": \"}\"\n}}"]),
        ] {
            for piece in [1, 2, 3, 100] {
                assert_eq!(records(text, piece), want, "{text:?} in pieces of {piece}");
            }
        }
    }
}
