//! Delimiters that are items of a list.

use super::{AHEAD, Around, Right};
use memchr::memchr;

impl Around<'_> {
    /// Whether the next line is an item of a list, too, that begins with a delimiter.
    pub(super) fn goes_on_in_list(&self) -> Option<bool> {
        let ahead = self.ahead();
        let Some(end) = memchr(b'\n', ahead) else { return Some(false) };
        let next = &ahead[end + 1..];
        let mark =
            next.iter().position(|b| !matches!(b, b' ' | b'\t' | b'-' | b'*' | b'+' | b'.' | b')' | b'0'..=b'9'));
        match mark {
            None => (self.eof || ahead.len() == AHEAD).then_some(false),
            Some(mark) => Some(mark > 1 && next[mark] == b'<' && next[mark - 1] == b' '),
        }
    }

    /// Whether an item of a list explains the delimiter that it begins with: with a colon, a dash or a sentence.
    pub(super) fn explains(&self, right: Right) -> Option<bool> {
        if !matches!(right, Right::Blank(_) | Right::Punctuation) {
            return Some(false);
        }
        let (rest, whole) = self.rest_of_line();
        // The closing delimiter of the same row, or text that it hugs, is another matter.
        whole.then_some(!rest.contains(&b'<'))
    }
}
