//! Whether a string is one word: most strings of a record are, and need no search.

use super::words;
use wide::u8x16;

/// Whether a string is a name, an identifier or a time, and no text.
pub fn is_name(raw: &[u8]) -> bool {
    raw.len() <= 128 && classes_of(raw) & NO_NAME == 0
}

/// What a byte of a name or a word is: a table, since most strings of a record are looked at.
static CLASSES: [u8; 256] = classes();

/// Not one of the bytes that names have.
const NO_NAME: u8 = 1;
/// Not one of the bytes that plain words have.
const NO_WORD: u8 = 2;
/// One of these letters is in every word for reasoning, and none is in most identifiers and times.
const TELLING: u8 = 4;

const fn classes() -> [u8; 256] {
    let (mut table, mut i) = ([0; 256], 0);
    while i < 256 {
        let byte = i as u8;
        let word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':');
        let name = word || matches!(byte, b'/' | b'@' | b'+' | b'=' | b',' | b' ' | b'(' | b')' | b'#');
        let telling = matches!(byte.to_ascii_lowercase(), b'r' | b'h' | b'o' | b's');
        table[i] = if name { 0 } else { NO_NAME } | if word { 0 } else { NO_WORD } | if telling { TELLING } else { 0 };
        i += 1;
    }
    table
}

/// The classes of all bytes of a string.
fn classes_of(raw: &[u8]) -> u8 {
    raw.iter().fold(0, |all, b| all | CLASSES[usize::from(*b)])
}

/// The longest plain word, in bytes.
const MAX_WORD_BYTES: usize = 40;

/// Whether a string is one word, and none for reasoning.
pub fn is_plain_word(raw: &[u8]) -> bool {
    if raw.len() > MAX_WORD_BYTES {
        return false;
    }
    // Identifiers and times are tested without a look at the table, the last bytes of most of them twice.
    let digits = match (raw.as_chunks::<16>().0, raw.last_chunk::<16>()) {
        (chunks, Some(last)) => chunks.iter().chain([last]).all(|chunk| are_digits(*chunk)),
        _ => {
            let mut chunk = [b'0'; 16];
            chunk[..raw.len()].copy_from_slice(raw);
            are_digits(chunk)
        }
    };
    if digits {
        return true;
    }
    let classes = classes_of(raw);
    classes & NO_WORD == 0 && (classes & TELLING == 0 || !words::may_name_reasoning(raw))
}

/// Whether these are bytes of hexadecimal numbers and times only.
fn are_digits(bytes: [u8; 16]) -> bool {
    let bytes = u8x16::new(bytes);
    let within = |least: u8, most: u8| bytes.max(u8x16::splat(least)).min(u8x16::splat(most)).simd_eq(bytes);
    let is = |byte: u8| bytes.simd_eq(u8x16::splat(byte));
    let digits = within(b'0', b':') | within(b'a', b'f') | within(b'-', b'.') | is(b'T') | is(b'Z');
    digits.to_bitmask() == 0xFFFF
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_letters() {
        for word in words::BEGINNINGS {
            assert_ne!(classes_of(word) & classes_of(&word.to_ascii_uppercase()) & TELLING, 0, "{word:?}");
            assert!(!is_plain_word(word) || word.len() > MAX_WORD_BYTES, "{word:?}");
        }
    }

    #[test]
    fn words_are_plain() {
        for (word, plain) in [
            ("", true),
            ("a", true),
            ("0b3a56d2-9f1c-4c67-8a43-5d0e1f2a3b4c", true),
            ("2026-03-01T12:00:00.123Z", true),
            ("claude-opus-4-6", true),
            ("toolu_01AbCd", true),
            ("0123456789abcdef!", false),
            ("!0123456789abcdef0", false),
            ("0123456789abcdef01234567 9abcdef", false),
            ("0123456789abcdef0123456789abcdef0123456789", false),
            ("thinking", false),
            ("reasoning_text", false),
            ("two words", false),
            ("\u{e9}t\u{e9}", false),
        ] {
            assert_eq!(is_plain_word(word.as_bytes()), plain, "{word}");
        }
    }
}
