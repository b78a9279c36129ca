//! What stands in a value, at any depth.

use crate::json::{Scanner, Token, strings};

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
