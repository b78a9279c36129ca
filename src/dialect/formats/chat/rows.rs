//! The rows of the family, a bit each: which spellings of its formats a state has.

use crate::dialect::shape::Rows;

pub(in crate::dialect) const CHAT: Rows = 1;
pub(in crate::dialect) const REASONING_CONTENT: Rows = 1 << 1;
pub(in crate::dialect) const REASONING: Rows = 1 << 2;
pub(in crate::dialect) const TAGGED: Rows = 1 << 3;
pub(in crate::dialect) const HARMONY: Rows = 1 << 4;
pub(in crate::dialect) const BLOCKS: Rows = 1 << 5;
pub(in crate::dialect) const SESSION: Rows = 1 << 6;
pub(in crate::dialect) const CHECKPOINT: Rows = 1 << 7;
pub(in crate::dialect) const LOG: Rows = 1 << 8;

/// Those that spell a message as the API does.
pub(in crate::dialect) const FAMILY: Rows = CHAT | REASONING_CONTENT | REASONING | TAGGED | HARMONY;
