//! Raw text: the bytes that have arrived are a frame. Who looks at them may wait for more: for the end of a line that may
//! hold another format.

use super::{Frame, FrameKind, FrameStep};

/// Where the buffered text is searched, pieces end at multiples of this offset, so that the result does not depend on
/// how many bytes came at once.
const PIECE: u64 = 64 * 1024;

/// What waits is looked at again with each byte, up to so many bytes.
const MAX_EAGER_BYTES: usize = 4096;

/// The framer for raw text.
#[derive(Debug, Default)]
pub struct TextFramer {
    /// Offset of the buffer in the input.
    at: u64,
    /// The most bytes that wait for more.
    longest: usize,
    /// The next frame has at least so many bytes, if they come.
    least: usize,
    /// The last frame does not wait for more.
    full: bool,
    /// See [`super::Framer::marks`].
    marks: Vec<usize>,
}

impl TextFramer {
    /// A framer whose frames may wait for more, up to a number of bytes.
    pub(super) fn new(longest: usize) -> Self {
        Self { longest, ..Self::default() }
    }

    /// The last `n` bytes of the last frame come again.
    pub(super) fn back(&mut self, n: usize) {
        self.at -= n as u64;
    }

    /// The last `n` bytes of the last frame wait for more.
    pub(super) fn wait(&mut self, n: usize) {
        self.back(n);
        self.least = (n + 1).max(if n < MAX_EAGER_BYTES { 0 } else { n + n / 4 }).min(self.longest);
    }

    /// Whether the last frame is as long as one may be that waits for more.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn marks(&self) -> &[usize] {
        &self.marks
    }

    pub(super) fn step(&mut self, buf: &[u8], eof: bool) -> FrameStep {
        if buf.is_empty() {
            return if eof { FrameStep::End } else { FrameStep::Need };
        }
        if !eof && buf.len() < self.least {
            return FrameStep::Need;
        }
        let most = ((PIECE - self.at % PIECE) as usize).max(self.least);
        let mut n = buf.len().min(most);
        self.full = self.longest > 0 && self.least >= self.longest && n >= self.longest;
        if self.full {
            n = piece(&buf[..self.longest]);
        }
        self.least = 0;
        self.marks.clear();
        self.marks.extend(memchr::memchr(0, &buf[..n]));
        self.at += n as u64;
        Frame::step(n, FrameKind::Text, 0..n)
    }

    pub(super) fn forget(&mut self, n: usize) {
        self.at += n as u64;
        self.least = 0;
    }
}

/// Where a piece ends that is too long: behind its last line, or in its only line before a comma, so that a key is in
/// one piece with its value.
fn piece(text: &[u8]) -> usize {
    if let Some(end) = memchr::memrchr(b'\n', text) {
        return end + 1;
    }
    let near = text.len().saturating_sub(MAX_EAGER_BYTES).max(1);
    memchr::memrchr(b',', &text[near..]).map_or(text.len(), |n| near + n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_waits_is_longer() {
        let mut framer = TextFramer::new(6);
        let len = |step: FrameStep| if let FrameStep::Frame(frame) = step { frame.len } else { 0 };
        assert_eq!(len(framer.step(b"ab", false)), 2);
        framer.wait(2);
        assert_eq!(framer.step(b"ab", false), FrameStep::Need);
        assert_eq!((len(framer.step(b"abc", false)), framer.is_full()), (3, false));
        framer.wait(3);
        assert_eq!(len(framer.step(b"abcde", false)), 5);
        framer.wait(5);
        assert_eq!(framer.step(b"abcde", false), FrameStep::Need);
        assert_eq!((len(framer.step(b"ab\ncdefg", false)), framer.is_full()), (3, true));
        framer.wait(1);
        assert_eq!(len(framer.step(b"x", true)), 1);
    }
}
