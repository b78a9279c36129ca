//! The text of reasoning whose shape varies.

use crate::json::{Scanner, Token, text};

/// The text in a value that holds reasoning, whatever its shape: the strings under keys that hold text, in order.
/// Signatures, ciphertexts and ids are left out.
pub fn deep_text(value: &[u8], out: &mut Vec<u8>) {
    let Ok(mut s) = Scanner::new(value) else {
        return;
    };
    // Whether a string counts, here and in the objects around.
    let (mut counts, mut outer) = (true, Vec::new());
    loop {
        match s.token() {
            Ok(Token::ObjectStart | Token::ArrayStart) => outer.push(counts),
            Ok(Token::ObjectEnd | Token::ArrayEnd) => counts = outer.pop().unwrap_or(true),
            Ok(Token::Key(key)) => {
                let mut plain = Vec::new();
                text::decode(key.raw(value), &mut plain);
                counts = TEXT_KEYS.contains(&plain.as_slice());
            }
            Ok(Token::String(literal)) if counts => text::decode(literal.raw(value), out),
            Ok(Token::End) | Err(_) => return,
            Ok(_) => (),
        }
    }
}

const TEXT_KEYS: &[&[u8]] = &[
    b"text",
    b"thinking",
    b"thought",
    b"reasoning",
    b"summary",
    b"content",
    b"reasoningText",
    b"think",
    b"reasoning_content",
];
