//! Decides which commas go when members of an object, or elements of an array, are cut.
//!
//! A member that is cut takes the comma before it, or the comma behind it while no member before it stays. White space
//! goes with that comma, so that the rest looks as its author wrote it.

use std::ops::Range;

/// Extends each range of a member or an element that goes to what is cut for it. They stand in the order of the text,
/// in one object or in several; a range that no comma stands beside stays as it is.
///
/// All of them get the same verdict: either every range is cut, or none is.
pub fn with_commas(text: &[u8], gone: &mut Vec<Range<usize>>) {
    let before = |at: &Range<usize>| text[..at.start].trim_ascii_end();
    let is_first = |at: &Range<usize>| matches!(before(at).last(), Some(b'{' | b'['));
    // The first members of an object that all go are cut together.
    gone.dedup_by(|at, last| {
        let between = text.get(last.end..at.start).unwrap_or_default();
        let follows = between.trim_ascii() == b"," && is_first(last);
        if follows {
            last.end = at.end;
        }
        follows
    });
    for at in gone {
        if is_first(at) {
            let behind = text[at.end..].trim_ascii_start();
            let next = behind.strip_prefix(b",").map(|next| text.len() - next.trim_ascii_start().len());
            at.end = next.unwrap_or(at.end);
        } else if let Some(rest) = before(at).strip_suffix(b",") {
            at.start = rest.trim_ascii_end().len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Scanner, Token, elements};

    /// Cuts these ranges, which stand in order.
    fn cut(text: &str, mut gone: Vec<Range<usize>>) -> String {
        with_commas(text.as_bytes(), &mut gone);
        let mut out = text.to_string();
        gone.into_iter().rev().for_each(|range| out.replace_range(range, ""));
        out
    }

    /// Drops every member whose name starts with `x`.
    fn members_go(text: &str) -> String {
        let (mut scanner, mut gone) = (Scanner::new(text.as_bytes()).unwrap(), Vec::new());
        loop {
            match scanner.token().unwrap() {
                Token::End => return cut(text, gone),
                Token::Key(key) if text[key.start..].starts_with('x') => {
                    let token = scanner.token().unwrap();
                    scanner.skip(token).unwrap();
                    gone.push(key.start - 1..scanner.at());
                }
                _ => (),
            }
        }
    }

    #[test]
    fn members() {
        for (text, want) in [
            (r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#),
            (r#"{"x":1,"b":2}"#, r#"{"b":2}"#),
            (r#"{"a":1,"x":2}"#, r#"{"a":1}"#),
            (r#"{"a":1, "x":2, "b":3}"#, r#"{"a":1, "b":3}"#),
            (r#"{"a":1, "x":2, "x":3, "b":4}"#, r#"{"a":1, "b":4}"#),
            (r#"{ "x":2 }"#, r#"{  }"#),
            (r#"{"x":1, "x":2}"#, r#"{}"#),
            (r#"{"x":1, "x":2 , "b":3}"#, r#"{"b":3}"#),
            (r#"{"a":1,"x":2,"x":3}"#, r#"{"a":1}"#),
            (r#"{"x":1,"a":1,"x":2,"b":2,"x":3}"#, r#"{"a":1,"b":2}"#),
            (r#"{"m":{"x":1,"a":2},"x":3}"#, r#"{"m":{"a":2}}"#),
            (r#"{"x":1,"m":{"x":2}}"#, r#"{"m":{}}"#),
            (r#"[{"x":1},{"x":2}]"#, r#"[{},{}]"#),
            ("{\n  \"a\": 1,\n  \"x\": 2,\n  \"b\": 3\n}", "{\n  \"a\": 1,\n  \"b\": 3\n}"),
            ("{\n  \"x\": 2,\n  \"b\": 3\n}", "{\n  \"b\": 3\n}"),
        ] {
            assert_eq!(members_go(text), want, "{text}");
        }
    }

    #[test]
    fn elements_go() {
        for (text, want) in [
            ("[1]", "[]"),
            ("[1, 2]", "[2]"),
            ("[0, 1]", "[0]"),
            ("[ 1 , 1, 2, 0, 1 ]", "[ 2, 0 ]"),
            (r#"[{"a":1},1,[]]"#, r#"[{"a":1},[]]"#),
        ] {
            let gone = elements(text.as_bytes(), 0).map(|(_, at)| at).filter(|at| &text[at.clone()] == "1");
            assert_eq!(cut(text, gone.collect()), want, "{text}");
        }
    }
}
