//! Which message an event is about.

/// Identifies a message among those that are open at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// A message that comes in pieces: of a raw text the only one, of streams a choice of a response. A number comes again
    /// long after its message has ended.
    Pieces(u32),
    /// A string that the user has named, by the number of its pointer. Behind the last, what is dropped.
    Named(u32),
    /// A message that was made of a sequence of reasoning ([`crate::agents`]).
    Sequence,
    /// A message that one record has whole, by the number of its choice.
    Whole(u32),
    /// A message that repeats the text of one that came in pieces. Its reasoning gets the verdict of that one's, and it is
    /// not counted.
    Snapshot(u32),
}

impl Lane {
    /// The lane where there is only one message at a time.
    pub const ONLY: Lane = Lane::Pieces(0);

    /// Whether the message repeats one that came in pieces.
    pub fn is_snapshot(self) -> bool {
        matches!(self, Lane::Snapshot(_))
    }

    /// The number of the pointer by which the user has named it.
    pub fn pointer(self) -> Option<usize> {
        if let Lane::Named(number) = self { Some(number as usize) } else { None }
    }
}
