//! JSON schemas, by their shape: the arguments of a tool are described by one.

use crate::json::{Scanner, Token};

/// Whether the object that was just opened is a schema, a schema with a name, or empty.
pub(super) fn is_schema(s: &Scanner<'_>, token: Token) -> bool {
    let start = s.at() - 1;
    let text = &s.text()[..s.text().len().min(start + AHEAD)];
    let (mut ahead, mut empty) = (Scanner::within(text, start), true);
    if token != Token::ObjectStart || ahead.token().is_err() {
        return false;
    }
    while let Ok(Token::Key(key)) = ahead.token() {
        empty = false;
        let Ok(value) = ahead.token() else { return false };
        let typed = match value {
            Token::String(word) => is_type(&word.raw(text).to_ascii_lowercase()),
            _ => value == Token::ArrayStart,
        };
        if KEYS.iter().any(|name| key.is(text, name)) || typed && key.is(text, "type") {
            return true;
        }
        if ahead.skip(value).is_err() {
            return false;
        }
    }
    empty
}

/// How far an object is looked at, in bytes: objects may nest, and each is looked at.
const AHEAD: usize = 4 << 10;

/// Whether a word in lower case is one of the types of JSON Schema.
pub(super) fn is_type(word: &[u8]) -> bool {
    TYPES.contains(&word)
}

/// Members that only schemas have, and the wrapper of one with a name.
const KEYS: &[&str] =
    &["properties", "$schema", "$ref", "$defs", "anyOf", "oneOf", "allOf", "additionalProperties", "schema", "enum"];

const TYPES: &[&[u8]] = &[b"object", b"string", b"array", b"number", b"integer", b"boolean", b"null"];
