//! The ciphertext of a block whose text only the provider can read.
//!
//! Bedrock's API has bytes where this one has a string: in JSON they are encoded once more. This layer is taken off: a
//! ciphertext that was encoded once is no text of the alphabet, but for a chance of less than one in a million.

use crate::dialect::formats::write::quoted;
use crate::json::text::decoded;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// The shortest text that is taken for an encoded one, in bytes.
const MIN_ENCODED_BYTES: usize = 16;

/// A string of JSON with a ciphertext, without a second encoding.
pub(in crate::dialect) fn once_encoded(data: &[u8]) -> Cow<'_, [u8]> {
    let [b'"', inner @ .., b'"'] = data else { return Cow::Borrowed(data) };
    let is_encoded = |text: &Vec<u8>| text.len() >= MIN_ENCODED_BYTES && STANDARD.decode(text).is_ok();
    match STANDARD.decode(decoded(inner)).ok().filter(is_encoded) {
        Some(text) => Cow::Owned(quoted(&text)),
        None => Cow::Borrowed(data),
    }
}

/// A string of JSON with a ciphertext, with a second encoding.
pub(in crate::dialect) fn twice_encoded(data: &[u8]) -> Vec<u8> {
    let inner = data.strip_prefix(b"\"").and_then(|data| data.strip_suffix(b"\"")).unwrap_or(data);
    quoted(STANDARD.encode(decoded(inner)).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_is_added_and_taken_off() {
        let data = br#""EmwKAhgBEgy3va3pzix/LafPsn4a""#;
        assert_eq!(twice_encoded(data), br#""RW13S0FoZ0JFZ3kzdmEzcHppeC9MYWZQc240YQ==""#);
        assert_eq!(*once_encoded(&twice_encoded(data)), *data);
    }

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
