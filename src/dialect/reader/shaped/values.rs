//! What stands in a value, and the values of a node that several outputs ask for.

use crate::dialect::read::Walked;
use crate::dialect::shape::Slot;
use crate::json::{Scanner, Token, strings};
use std::ops::Range;

/// Whether a value has a number that is not zero.
pub(super) fn has_number(value: &[u8]) -> bool {
    let Ok(mut s) = Scanner::new(value) else { return false };
    loop {
        match s.token() {
            Ok(Token::Number) if value[s.from()..s.at()].iter().any(|b| matches!(b, b'1'..=b'9')) => return true,
            Ok(Token::End) | Err(_) => return false,
            Ok(_) => (),
        }
    }
}

/// Whether a value holds this word as a string.
pub(super) fn has_word(value: &[u8], word: &str) -> bool {
    strings(value, 0).any(|found| found.is(value, word))
}

/// What stands in the list of token probabilities of a text.
pub(super) fn probabilities(walked: &Walked, node: u32) -> Option<Range<usize>> {
    let list = walked.get(node, Slot::Probabilities)?.value.clone();
    Some(list.start + 1..list.end - 1).filter(|inside| !inside.is_empty())
}

/// Whether a value is empty because its content comes in later events.
pub(super) fn comes_later(value: &[u8]) -> bool {
    matches!(value, b"{}" | b"\"\"")
}
