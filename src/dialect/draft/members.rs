//! The members of messages and of their parts, which are kept for outputs that write messages anew.

use crate::dialect::read::Entry;
use crate::dialect::shape::Slot;
use crate::json::{Literal, Token};
use std::ops::Range;

/// A member of a message.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Member {
    pub slot: Slot,
    pub key: Literal,
    pub value: Range<usize>,
}

/// A part of the content of a message.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct Part {
    pub at: Range<usize>,
    /// Its members, as a range of the draft's entries.
    pub entries: Range<usize>,
    pub reasoning: bool,
}

/// A member of a part.
#[derive(Clone, Debug)]
pub(in crate::dialect) struct PartMember {
    pub key: Literal,
    pub value: Range<usize>,
}

impl PartMember {
    /// A member that the cursor has found.
    pub fn of((key, _, value): (Literal, Token, Range<usize>)) -> Self {
        Self { key, value }
    }

    /// The range from the quote before its name to the end of its value.
    pub fn at(&self) -> Range<usize> {
        self.key.start - 1..self.value.end
    }

    /// Whether it has this name.
    pub fn is(&self, record: &[u8], name: &str) -> bool {
        self.key.is(record, name)
    }
}

impl Member {
    /// A member that the walk has found.
    pub fn of(entry: &Entry) -> Self {
        Self { slot: entry.slot, key: entry.key, value: entry.value.clone() }
    }

    /// Whether it has this name.
    pub fn is(&self, record: &[u8], name: &str) -> bool {
        self.key.is(record, name)
    }

    /// The range from the quote before its name to the end of its value.
    pub fn at(&self) -> Range<usize> {
        self.key.start - 1..self.value.end
    }
}
