//! JSON Lines: LF ends a record. A CR before it is white space to JSON and stays where it is.

use super::{Frame, Kind, Step, is_space};

/// The framer for JSON Lines.
#[derive(Debug, Default)]
pub struct Jsonl {
    /// No LF stands before this offset of the buffer.
    searched: usize,
}

impl Jsonl {
    #[inline]
    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> Step {
        let line = match memchr::memchr(b'\n', &buf[self.searched..]) {
            Some(n) => self.searched + n + 1,
            None if !eof => {
                self.searched = buf.len();
                return Step::Need;
            }
            None if buf.is_empty() => return Step::End,
            None => buf.len(),
        };
        self.searched = 0;
        if buf[..line].iter().all(is_space) {
            return Frame::glue(line);
        }
        let end = line - usize::from(buf[line - 1] == b'\n');
        Frame::step(line, Kind::Record, 0..end)
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.searched = self.searched.saturating_sub(n);
    }
}
