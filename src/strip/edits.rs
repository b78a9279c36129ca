//! The edits, in the order of their places.

use super::{Act, Edit};
use crate::model::Bit;
use crate::span::Span;

/// The number of edits behind its place from which on one more is sorted in. Before fewer, it is inserted there at once.
const MIN_EDITS_TO_SORT: usize = 8;

/// The edits of the waiting frames, by place.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub list: Vec<Edit>,
    /// How many of them are done.
    pub done: usize,
    /// They are not in order.
    pub unsorted: bool,
    /// The replacements.
    pub bits: Vec<Bit>,
}

impl Edits {
    pub fn add(&mut self, span: Span, act: Act) {
        let edit = Edit { span, act };
        let behind = |last: &&Edit| last.span.start > span.start;
        // A block's number stands before the text in the same event, but its edit comes after that of the text.
        let late = self.list[self.done..].iter().rev().take(MIN_EDITS_TO_SORT).take_while(behind).count();
        self.unsorted |= late == MIN_EDITS_TO_SORT;
        match late {
            0 | MIN_EDITS_TO_SORT => self.list.push(edit),
            _ => self.list.insert(self.list.len() - late, edit),
        }
    }
}
