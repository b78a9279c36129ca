//! Decides which commas go when members of an object, or elements of an array, are cut.
//!
//! A member that is cut takes the comma before it, or the comma behind it while no member before it stays. White space
//! goes with that comma, so that the rest looks as its author wrote it.

use std::ops::Range;

/// Follows the members of one object, or the elements of one array, and decides which ranges to cut.
///
/// All dropped members get the same verdict: either every returned range is cut, or none is.
#[derive(Debug, Default)]
pub struct Cuts {
    /// A member that stays was found.
    kept: bool,
    /// Where the last member ended.
    last: usize,
    /// Where the first of the dropped members begins, while none before them stays.
    lead: Option<usize>,
}

impl Cuts {
    /// Notes that a member that stays begins at `start`. Its end goes to [`Cuts::end`].
    #[inline]
    pub fn keep(&mut self, start: usize) -> Option<Range<usize>> {
        self.kept = true;
        self.lead.take().map(|lead| lead..start)
    }

    /// Notes that the member that stays ended at `end`.
    #[inline]
    pub fn end(&mut self, end: usize) {
        self.last = end;
    }

    /// Notes that the member at `start..end` is dropped.
    pub fn drop(&mut self, start: usize, end: usize) -> Option<Range<usize>> {
        let cut = self.kept.then_some(self.last..end);
        if !self.kept && self.lead.is_none() {
            self.lead = Some(start);
        }
        self.last = end;
        cut
    }

    /// Ends the object or array.
    pub fn close(&mut self) -> Option<Range<usize>> {
        self.lead.take().map(|lead| lead..self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Scanner, Token};

    /// Drops every member whose name starts with `x`.
    fn cut(text: &str) -> String {
        let mut scanner = Scanner::new(text.as_bytes()).unwrap();
        let (mut cuts, mut ranges) = (Cuts::default(), Vec::new());
        assert_eq!(scanner.token(), Ok(Token::ObjectStart));
        while let Token::Key(key) = scanner.token().unwrap() {
            let (start, leaves) = (scanner.from(), text[key.start..].starts_with('x'));
            if !leaves {
                ranges.extend(cuts.keep(start));
            }
            let token = scanner.token().unwrap();
            scanner.skip(token).unwrap();
            if leaves {
                ranges.extend(cuts.drop(start, scanner.at()));
            } else {
                cuts.end(scanner.at());
            }
        }
        ranges.extend(cuts.close());
        let mut out = text.to_string();
        for range in ranges.into_iter().rev() {
            out.replace_range(range, "");
        }
        out
    }

    #[test]
    fn commas() {
        for (text, want) in [
            (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#),
            (r#"{"x":1,"b":2}"#, r#"{"b":2}"#),
            (r#"{"a":1,"x":2}"#, r#"{"a":1}"#),
            (r#"{"a":1, "x":2, "b":3}"#, r#"{"a":1, "b":3}"#),
            (r#"{ "x":2 }"#, r#"{  }"#),
            (r#"{"x":1, "x":2}"#, r#"{}"#),
            (r#"{"x":1, "x":2 , "b":3}"#, r#"{"b":3}"#),
            (r#"{"a":1,"x":2,"x":3}"#, r#"{"a":1}"#),
            (r#"{"x":1,"a":1,"x":2,"b":2,"x":3}"#, r#"{"a":1,"b":2}"#),
            ("{\n  \"a\": 1,\n  \"x\": 2,\n  \"b\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 3\n}"),
            ("{\n  \"x\": 2,\n  \"b\": 3\n}", "{\n  \"b\": 3\n}"),
        ] {
            assert_eq!(cut(text), want, "{text}");
        }
    }
}
