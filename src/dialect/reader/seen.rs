//! What a reader saw and could do nothing about, so that somebody can say so.

/// How much there was of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Messages whose reasoning is signed and holds a section that should be emptied: all of it went.
    pub sealed: u64,
}
