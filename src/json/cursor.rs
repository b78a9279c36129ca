//! Reads the members of an object, or the elements of a list, one after the other: no tree is built.
//!
//! The value was scanned before, in most places. Where it is not JSON, the iteration ends; [`Members::end`] tells
//! callers that need to know.

use super::scan::{Literal, Scanner, Token};
use std::borrow::Cow;
use std::ops::Range;

/// The members of the object that begins at `at`: of each its key, the first token of its value, and the value's range.
/// Another value has none.
#[inline]
pub fn members(text: &[u8], at: usize) -> Members<'_> {
    let mut s = Scanner::within(text, at);
    let state = if s.token() == Ok(Token::ObjectStart) { CursorState::Inside } else { CursorState::Broken };
    Members { s, state }
}

/// The elements of the list that begins at `at`: of each its first token, and its range. Another value has none.
#[inline]
pub fn elements(text: &[u8], at: usize) -> Elements<'_> {
    let mut s = Scanner::within(text, at);
    let state = if s.token() == Ok(Token::ArrayStart) { CursorState::Inside } else { CursorState::Broken };
    Elements { s, state }
}

/// The value of the first member with this key.
pub fn member(text: &[u8], at: usize, name: &str) -> Option<(Token, Range<usize>)> {
    members(text, at).find(|(key, ..)| key.is(text, name)).map(|(_, token, value)| (token, value))
}

/// Whether a value says nothing: null, false, or an empty string, array or object. 0 is a value.
pub fn is_empty(value: &[u8]) -> bool {
    matches!(value, b"null" | b"false" | b"\"\"" | b"[]" | b"{}")
}

/// Whether a value holds anything: `false` does, as does a string of blanks, and null and an empty container do not,
/// whatever blanks are between its brackets.
pub fn is_filled(value: &[u8]) -> bool {
    match value {
        b"null" | b"\"\"" => false,
        [b'[' | b'{', inside @ .., _] => !inside.trim_ascii().is_empty(),
        _ => true,
    }
}

/// See [`members`].
pub struct Members<'a> {
    s: Scanner<'a>,
    state: CursorState,
}

/// How far an iteration is.
#[derive(PartialEq, Eq)]
enum CursorState {
    /// More may come.
    Inside,
    /// The bracket that closes was found.
    Over,
    /// The value is of another type, or not JSON.
    Broken,
}

impl<'a> Members<'a> {
    /// The members of the object whose `{` the scanner has just passed.
    #[inline]
    pub fn within(s: Scanner<'a>) -> Self {
        Self { s, state: CursorState::Inside }
    }

    /// The same members, with their keys decoded.
    #[inline]
    pub fn decoded(self) -> impl Iterator<Item = (Cow<'a, [u8]>, Token, Range<usize>)> {
        let text = self.s.text();
        self.map(move |(key, token, at)| (key.decoded(text), token, at))
    }

    /// Passes the members that were not read. Returns where the object ends, unless it is none, or not JSON.
    pub fn end(mut self) -> Option<usize> {
        self.by_ref().for_each(drop);
        (self.state == CursorState::Over).then(|| self.s.at())
    }
}

impl Iterator for Members<'_> {
    type Item = (Literal, Token, Range<usize>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.state != CursorState::Inside {
            return None;
        }
        self.state = CursorState::Broken;
        let Some((key, from, token)) = self.s.member().ok()? else {
            self.state = CursorState::Over;
            return None;
        };
        self.s.skip(token).ok()?;
        self.state = CursorState::Inside;
        Some((key, token, from..self.s.at()))
    }
}

/// See [`elements`].
pub struct Elements<'a> {
    s: Scanner<'a>,
    state: CursorState,
}

impl Elements<'_> {
    /// Passes the elements that were not read. Returns where the list ends, unless it is none, or not JSON.
    pub fn end(mut self) -> Option<usize> {
        self.by_ref().for_each(drop);
        (self.state == CursorState::Over).then(|| self.s.at())
    }
}

impl Iterator for Elements<'_> {
    type Item = (Token, Range<usize>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.state != CursorState::Inside {
            return None;
        }
        self.state = CursorState::Broken;
        let token = self.s.token().ok()?;
        if token == Token::ArrayEnd {
            self.state = CursorState::Over;
            return None;
        }
        let from = self.s.from();
        self.s.skip(token).ok()?;
        self.state = CursorState::Inside;
        Some((token, from..self.s.at()))
    }
}

/// The strings of the value that begins at `at`: the value itself, or those in it at any depth, in order. Keys are none.
pub fn strings(text: &[u8], at: usize) -> impl Iterator<Item = Literal> {
    let mut s = Scanner::within(text, at);
    let tokens = std::iter::from_fn(move || s.token().ok().filter(|token| *token != Token::End));
    tokens.filter_map(|token| if let Token::String(word) = token { Some(word) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_in_order() {
        for (text, at, want, end) in [
            ("{}", 0, "", Some(2)),
            (r#" { "a" : 1 , "b":[1,{"c":2}] } "#, 0, "a=1 b=[1,{\"c\":2}]", Some(30)),
            (r#"[0,{"a":"x","\u0061":null}]"#, 3, "a=\"x\" a=null", Some(26)),
            ("[{\"a\":1}]", 0, "", None),
            ("\"a\"", 0, "", None),
            ("", 0, "", None),
            // The iteration ends where the text is not JSON.
            (r#"{"a":1,"b":}"#, 0, "a=1", None),
            (r#"{"a":1,"b":[1,}"#, 0, "a=1", None),
            (r#"{"a":1"#, 0, "a=1", None),
            (r#"{"a":1]"#, 0, "a=1", None),
        ] {
            let mut all = members(text.as_bytes(), at);
            let found: Vec<String> = all.by_ref().map(|(key, _, at)| shown(text, key, at)).collect();
            assert_eq!((found.join(" ").as_str(), all.end()), (want, end), "{text}");
            assert_eq!(members(text.as_bytes(), at).end(), end, "{text}");
        }
    }

    fn shown(text: &str, key: Literal, at: Range<usize>) -> String {
        format!("{}={}", String::from_utf8_lossy(&key.decoded(text.as_bytes())), &text[at])
    }

    #[test]
    fn elements_in_order() {
        for (text, at, want) in [
            ("[]", 0, ""),
            (" [ 1 , \"a,b\" , [2, 3],{\"c\":4} ] ", 0, "1;\"a,b\";[2, 3];{\"c\":4}"),
            ("{\"a\":[true,null]}", 5, "true;null"),
            ("{\"a\":1}", 0, ""),
            ("7", 0, ""),
            ("[1,[2,", 0, "1"),
            ("[1,]", 0, "1"),
        ] {
            let found: Vec<&str> = elements(text.as_bytes(), at).map(|(_, at)| &text[at]).collect();
            assert_eq!(found.join(";"), want, "{text}");
        }
        assert_eq!(elements(b" [1,[]] ", 0).end(), Some(7));
        assert_eq!(elements(b"[1,[]", 0).end(), None);
        assert_eq!(elements(b"{}", 0).end(), None);
    }

    #[test]
    fn strings_at_any_depth() {
        for (text, at, want) in [
            (r#"["a",{"b":"c","d":[["e"],1]},"f"]"#, 0, "a c e f"),
            (r#"{"a":["b","c"],"d":"e"}"#, 5, "b c"),
            (r#"{"a":"b","d":"e"}"#, 5, "b"),
            ("7", 0, ""),
            (r#"["a",}"#, 0, "a"),
        ] {
            let found: Vec<_> = strings(text.as_bytes(), at).map(|word| &text[word.start..word.end]).collect();
            assert_eq!(found.join(" "), want, "{text}");
        }
    }

    #[test]
    fn the_first_member_with_a_key() {
        let text = br#"{"a":1,"b":{"c":2},"\u0062":3}"#;
        assert_eq!(member(text, 0, "b"), Some((Token::ObjectStart, 11..18)));
        assert_eq!(member(text, 11, "c"), Some((Token::Number, 16..17)));
        assert_eq!(member(text, 0, "c"), None);
    }

    #[test]
    fn values_that_say_nothing() {
        for (value, empty, filled) in [
            ("null", true, false),
            ("false", true, true),
            ("true", false, true),
            ("0", false, true),
            ("\"\"", true, false),
            ("\" \"", false, true),
            ("[]", true, false),
            ("[ ]", false, false),
            ("{}", true, false),
            ("{\n}", false, false),
            ("[0]", false, true),
            ("{\"a\":null}", false, true),
        ] {
            assert_eq!((is_empty(value.as_bytes()), is_filled(value.as_bytes())), (empty, filled), "{value}");
        }
    }
}
