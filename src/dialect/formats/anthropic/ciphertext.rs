//! The ciphertext of a block whose text only the provider can read.
//!
//! Bedrock's API has bytes where this one has a string: in JSON they are encoded once more. This layer is taken off: a
//! ciphertext that was encoded once is no text of the alphabet, but for a chance of less than one in a million.

use crate::dialect::formats::write::quoted;
use crate::json::text::decoded;
use std::borrow::Cow;

/// The shortest text that is taken for an encoded one, in bytes.
const LEAST: usize = 16;

/// A string of JSON with a ciphertext, without a second encoding.
pub(super) fn once_encoded(data: &[u8]) -> Cow<'_, [u8]> {
    let [b'"', inner @ .., b'"'] = data else { return Cow::Borrowed(data) };
    let is_encoded = |text: &Vec<u8>| text.len() >= LEAST && from_base64(text).is_some();
    match from_base64(&decoded(inner)).filter(is_encoded) {
        Some(text) => Cow::Owned(quoted(&text)),
        None => Cow::Borrowed(data),
    }
}

/// The bytes that a text in base64 stands for; `None` if it is no such text.
fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let padding = text.iter().rev().take_while(|b| **b == b'=').count();
    if text.is_empty() || !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for byte in &text[..text.len() - padding] {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_layer_stays() {
        for (data, want) in [
            // Encoded once: bytes, a short text.
            (r#""EmwKAhgBEgy3va3pzix/LafPsn4a""#, r#""EmwKAhgBEgy3va3pzix/LafPsn4a""#),
            (r#""UzNDUkVU""#, r#""UzNDUkVU""#),
            // Encoded twice, also where the string has escapes.
            (r#""RW13S0FoZ0JFZ3kzdmEzcHppeC9MYWZQc240YQ==""#, r#""EmwKAhgBEgy3va3pzix/LafPsn4a""#),
            (r#""RW13S0FoZ0JFZ3kzdmEzcHppeC9MYWZQc240YQ\u003d=""#, r#""EmwKAhgBEgy3va3pzix/LafPsn4a""#),
            // No base64, and no string.
            (r#""not base64""#, r#""not base64""#),
            (r#""""#, r#""""#),
            ("7", "7"),
        ] {
            assert_eq!(String::from_utf8_lossy(&once_encoded(data.as_bytes())), want, "{data}");
        }
    }
}
