//! Ranges of input bytes.
//!
//! Every position in the program is a byte offset from the start of the input (after decompression), so that a
//! message can name it and a cut can be made long after the bytes around it were read.

/// A half-open range of absolute byte offsets, counted from 0 at the start of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u64,
    /// One past the last byte; never less than `start`.
    pub end: u64,
}

impl Span {
    /// The range from `start` up to, but not including, `end`.
    pub fn new(start: u64, end: u64) -> Self {
        debug_assert!(start <= end, "a span runs forward");
        Self { start, end }
    }

    /// How many bytes it covers.
    pub fn len(self) -> u64 {
        self.end - self.start
    }

    /// Whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
