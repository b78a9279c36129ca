//! Code that may be none, and how a log of answers goes on behind code that was cut off.

use super::types::{Doubt, Inline, Scanned};
use super::{MAX_RECENT_BYTES, TagScanner};
use crate::inline::marks::MarkRole;
use crate::model::fnv;

/// The fewest bytes of a line that separates answers.
const MIN_SEPARATOR_BYTES: usize = 3;

impl TagScanner {
    /// Refuses a tag at the start of a line in code that may be none. Returns whether it is one.
    pub(super) fn doubts_code(
        &mut self,
        at: (usize, usize),
        role: MarkRole,
        sink: &mut dyn FnMut(Scanned<'_>),
    ) -> bool {
        let asks = self.code.torn && self.options.inline == Inline::Ask;
        let doubts = asks && matches!(role, MarkRole::Open | MarkRole::Close) && self.at_boundary(at.0);
        if doubts {
            self.doubt(at, Doubt::Contested, sink);
        }
        doubts
    }

    /// Leaves code that may be none at an opening tag that stands below a line like the one above the last block: the text is a
    /// log of answers, of which one was cut off in its code. Returns whether it does.
    pub(super) fn leaves_code(&mut self, i: usize, role: MarkRole) -> bool {
        let leaves = self.code.torn
            && role == MarkRole::Open
            && self.blocks.last.below.is_some_and(|line| self.separator(i) == Some(line));
        if leaves {
            self.new_line();
            (self.code.known, self.code.torn) = (i, false);
        }
        leaves
    }

    /// The line above this place, which is at the start of a line, as a hash in which all numbers are the same: `=== answer 7`.
    /// `None` if there is none, or if it is long.
    pub(super) fn separator(&self, i: usize) -> Option<u64> {
        let new = &self.text[self.place.out.min(i)..i];
        let before = self.visible.recent.len().saturating_sub(MAX_RECENT_BYTES.saturating_sub(new.len()));
        let new = &new[new.len().saturating_sub(MAX_RECENT_BYTES)..];
        let text = [&self.visible.recent[before..], new].concat();
        let above = text.trim_ascii_end();
        if !text[above.len()..].contains(&b'\n') {
            return None;
        }
        let start = above.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let line = &above[start..];
        let whole = start > 0 || text.len() < MAX_RECENT_BYTES;
        if !whole || line.len() < MIN_SEPARATOR_BYTES || line.starts_with(b"```") {
            return None;
        }
        let number = |b: &u8| if b.is_ascii_digit() { b'0' } else { *b };
        let mut last = 0;
        Some(line.iter().map(number).fold(fnv::BASIS, |hash, byte| match std::mem::replace(&mut last, byte) {
            b'0' if byte == b'0' => hash,
            _ => fnv::with(hash, byte),
        }))
    }
}
