//! Delimiters in elements of HTML for code.

use super::Around;

impl Around<'_> {
    /// Whether an element of code has nothing else in it.
    pub(super) fn is_all_of_code(&self) -> Option<bool> {
        let Some(end) = self.line.code_end().filter(|_| self.line.begins_code()) else { return Some(false) };
        let (ahead, end) = (self.ahead(), end.as_bytes());
        let near = &ahead[..ahead.len().min(end.len())];
        let fits = end[..near.len()].eq_ignore_ascii_case(near);
        (!fits || near.len() == end.len() || self.eof).then_some(fits && near.len() == end.len())
    }

    /// Whether the delimiter stands in an element of code that ends on its line.
    pub(super) fn is_in_code(&self) -> Option<bool> {
        let Some(end) = self.line.code_end() else { return Some(false) };
        let (rest, whole) = self.rest_of_line();
        let ends = rest.windows(end.len()).any(|at| at.eq_ignore_ascii_case(end.as_bytes()));
        (ends || whole).then_some(ends)
    }
}
