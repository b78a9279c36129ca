//! The text of reasoning in values of varying structure.

use super::keys::{Holds, holds};
use crate::json::{Literal, Scanner, Token, elements, member, text};

/// The text in a value that holds reasoning, whatever its structure: the strings under keys that hold text, in order.
/// Signatures, ciphertexts and ids are left out.
pub fn deep_text(value: &[u8], out: &mut Vec<u8>) {
    strings(value, &mut |literal| text::decode(literal.raw(value), out));
}

/// Adds the same text to `out`, with its escapes if `raw`; and where in `out` its blocks begin: each element of a list
/// with text is one, unless it has the same `index` as the element before, which it continues then.
pub fn deep_blocks(value: &[u8], raw: bool, out: &mut Vec<u8>) -> Vec<usize> {
    let deep_text = |value: &[u8], out: &mut Vec<u8>| match raw {
        true => strings(value, &mut |literal| out.extend_from_slice(literal.raw(value))),
        false => deep_text(value, out),
    };
    let (mut starts, mut last) = (Vec::new(), None);
    if value.trim_ascii_start().first() != Some(&b'[') {
        deep_text(value, out);
        return starts;
    }
    for (_, at) in elements(value, 0) {
        let (element, start) = (&value[at], out.len());
        deep_text(element, out);
        let index = member(element, 0, "index").map(|(_, at)| &element[at]);
        if out.len() > start && (index.is_none() || index != last) {
            starts.push(start);
        }
        last = index;
    }
    starts
}

/// The numbers of the first and the last object in a list of blocks, if they are numbered.
pub fn block_numbers(list: &[u8]) -> Option<(&[u8], &[u8])> {
    static INDEX: text::Needle = text::Needle::new("index");
    if list.first() != Some(&b'[') || !INDEX.is_in(list) {
        return None;
    }
    let mut all = elements(list, 0).map(|(_, at)| member(list, at.start, "index").map(|(_, at)| &list[at]));
    let first = all.next()??;
    Some((first, all.last().unwrap_or(Some(first))?))
}

/// The strings that this text is made of.
pub fn deep_literals(value: &[u8]) -> Vec<Literal> {
    let mut out = Vec::new();
    strings(value, &mut |literal| out.push(literal));
    out
}

/// The text of tool calls and results: names as text, arguments and results as they are written, but for white space
/// outside of strings.
pub fn call_text(value: &[u8], out: &mut Vec<u8>) {
    let Ok(mut s) = Scanner::new(value) else {
        return;
    };
    // A value that is a string is the arguments.
    let (mut counts, mut from) = (value.first() == Some(&b'"'), 0);
    loop {
        match s.token() {
            Ok(Token::Key(key)) => {
                counts = CALL_KEYS.contains(&&*key.decoded(value));
                from = s.next_value();
            }
            Ok(Token::String(literal)) if counts => {
                text::decode(literal.raw(value), out);
                // What comes next may be another call in a list.
                counts = false;
            }
            Ok(token) if counts && !matches!(token, Token::ObjectEnd | Token::ArrayEnd | Token::End | Token::Null) => {
                // Other values count as JSON; `function` is the object around name and arguments.
                if s.skip(token).is_ok() {
                    compact(&value[from..s.at()], out);
                }
                counts = false;
            }
            Ok(Token::End) | Err(_) => return,
            Ok(_) => (),
        }
    }
}

/// Whether a value has the name of a tool: a call begins, of which later deltas have the rest of the arguments.
pub fn names_call(value: &[u8]) -> bool {
    let (mut s, mut named) = (Scanner::within(value, 0), false);
    loop {
        match s.token() {
            Ok(Token::Key(key)) => named = key.is(value, "name"),
            Ok(Token::String(name)) if named && name.start < name.end => return true,
            Ok(Token::End) | Err(_) => return false,
            Ok(_) => named = false,
        }
    }
}

/// Whether a text is a call, with the name of the tool and the arguments in it.
pub fn is_call(text: &[u8]) -> bool {
    ["name", "arguments"].iter().all(|key| member(text, 0, key).is_some())
}

/// A JSON value without the white space between its tokens, which only shows how a program prints.
fn compact(value: &[u8], out: &mut Vec<u8>) {
    let (mut string, mut escape) = (false, false);
    for &b in value {
        match (string, b) {
            (true, _) if escape => escape = false,
            (true, b'\\') => escape = true,
            (_, b'"') => string = !string,
            (false, b' ' | b'\n' | b'\r' | b'\t') => continue,
            _ => (),
        }
        out.push(b);
    }
}

/// Whether a value has a signature or a ciphertext that is not empty.
pub fn is_sealed(value: &[u8]) -> bool {
    let Ok(mut s) = Scanner::new(value) else {
        return false;
    };
    let mut named = false;
    loop {
        match s.token() {
            Ok(Token::Key(key)) => named = holds(&key.decoded(value)).is_some_and(Holds::is_seal),
            Ok(Token::String(literal)) if named && literal.start < literal.end => return true,
            Ok(Token::End) | Err(_) => return false,
            Ok(_) => (),
        }
    }
}

const CALL_KEYS: &[&[u8]] = &[
    b"name",
    b"arguments",
    b"parameters",
    b"args",
    b"input",
    b"result",
    b"response",
    b"output",
    b"toolName",
    b"content",
    b"error",
    b"description",
    b"code",
    b"caption",
];

/// Calls `out` with each string under a key of a text, in order.
fn strings(value: &[u8], out: &mut dyn FnMut(Literal)) {
    let Ok(mut s) = Scanner::new(value) else {
        return;
    };
    // Whether a string counts here, and in the objects around.
    let (mut counts, mut outer) = (true, Vec::new());
    loop {
        match s.token() {
            Ok(Token::ObjectStart | Token::ArrayStart) => outer.push(counts),
            Ok(Token::ObjectEnd | Token::ArrayEnd) => counts = outer.pop().unwrap_or(true),
            Ok(Token::Key(key)) => counts = holds(&key.decoded(value)) == Some(Holds::Text),
            Ok(Token::String(literal)) if counts => out(literal),
            Ok(Token::End) | Err(_) => return,
            Ok(_) => (),
        }
    }
}
