//! Delimiters in elements of HTML for code, and those that are elements of other documents, or types of a source.

use super::{Around, Left};

/// Names of elements that have other uses, too.
const COMMON: [&[u8]; 2] = [b"reason", b"analysis"];

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

    /// Whether the delimiter is an element of many documents, as that of an error or of a report: inside of another element, nothing
    /// says that it holds reasoning.
    pub(super) fn is_common(&self) -> bool {
        let name = &self.text[self.at.0..self.at.1];
        let name = name.strip_prefix(b"<").unwrap_or_default();
        let len = name.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        COMMON.iter().any(|common| name[..len].eq_ignore_ascii_case(common))
    }

    /// Whether the delimiter is written like a component in source code of React: `<Reasoning className="w-full">`.
    pub(super) fn is_component(&self) -> bool {
        let tag = &self.text[self.at.0..self.at.1];
        let camel = |word: &[u8]| {
            let name = word.iter().take_while(|b| b.is_ascii_alphanumeric());
            word.first().is_some_and(u8::is_ascii_lowercase) && name.into_iter().any(u8::is_ascii_uppercase)
        };
        tag.get(1).is_some_and(u8::is_ascii_uppercase) && tag.split(u8::is_ascii_whitespace).skip(1).any(camel)
    }

    /// Whether the delimiter is the argument of a generic function or type of a source that is called: `useState<Thinking>(null)`.
    pub(super) fn is_argument(&self, left: Left) -> bool {
        let name = self.text[self.at.0..self.at.1].get(1).is_some_and(u8::is_ascii_uppercase);
        name && left == Left::Word && self.ahead().first() == Some(&b'(')
    }
}
