//! What can be told of a signature or a ciphertext by its look. Whether it fits its text, nobody can tell but who made it.

use base64::Engine;
/// What a text may be where a signature should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureKind {
    /// It looks like a signature. Whether it fits, only its service knows.
    Live,
    /// It is much shorter than any that was recorded, and may be the beginning of one.
    Short,
    /// It is none.
    Dead,
}

/// Below so many characters a signature of Anthropic is too short: recorded ones have some hundred.
const MIN_SIGNATURE_CHARS: usize = 48;

/// Whether it may be a signature of Anthropic: base64 of bytes that are no text. A word, a number in hexadecimal
/// digits, a ciphertext of another service, and the base64 of a word are none.
pub fn of_thinking(signature: &[u8]) -> SignatureKind {
    let padding = signature.iter().rev().take_while(|b| **b == b'=').count();
    let digits = &signature[..signature.len() - padding];
    let is_digit = |b: &u8| b.is_ascii_alphanumeric() | (*b == b'+') | (*b == b'/');
    // By pieces, in which nothing depends on what is before.
    let in_alphabet = digits.chunks(64).all(|piece| piece.iter().fold(true, |all, b| all & is_digit(b)));
    if padding > 2 || !in_alphabet {
        return SignatureKind::Dead;
    }
    // How many digits it has, says nothing that is certain: gateways pad signatures as they like.
    let quads = &digits[..digits.len() / 4 * 4];
    let is_text = is_text(&quads[..quads.len().min(32)]) && is_text(quads);
    let is_hex = signature.iter().all(u8::is_ascii_hexdigit);
    match () {
        () if is_text || is_hex || signature.starts_with(FERNET) => SignatureKind::Dead,
        () if signature.len() >= MIN_SIGNATURE_CHARS => SignatureKind::Live,
        // A message of Protocol Buffers whose second field has some length.
        () if signature.starts_with(b"E") => SignatureKind::Short,
        () => SignatureKind::Dead,
    }
}

/// Whether these digits of base64 are those of a text.
fn is_text(quads: &[u8]) -> bool {
    let bytes = base64::engine::general_purpose::STANDARD.decode(quads).unwrap_or_default();
    bytes.iter().all(|b| (b' '..0x7f).contains(b))
}

/// What every ciphertext of OpenAI begins with.
const FERNET: &[u8] = b"gAAAA";

/// Whether it may be a ciphertext of OpenAI.
pub fn may_be_sealed_by_openai(sealed: &[u8]) -> bool {
    let alphabet = |b: &u8| b.is_ascii_alphanumeric() || b"-_=+/".contains(b);
    sealed.starts_with(FERNET) && sealed.iter().all(alphabet)
}

/// Whether it is base64, in either alphabet, padded or not.
pub fn is_base64(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|b| **b == b'=').count();
    let digits = &text[..text.len() - padding];
    let in_alphabet = digits.iter().all(|b| b.is_ascii_alphanumeric() || b"+/-_".contains(b));
    padding <= 2 && digits.len() % 4 != 1 && in_alphabet
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Base64 of so many bytes that are no text.
    fn live(bytes: usize) -> String {
        let bytes: Vec<u8> = (0..bytes).map(|i| (i * 151 % 251) as u8 | 0x80).collect();
        base64::engine::general_purpose::STANDARD.encode(bytes)
    }

    #[test]
    fn signatures() {
        assert_eq!(of_thinking(live(163).as_bytes()), SignatureKind::Live);
        assert_eq!(of_thinking(b"EqQBCkYICxgC"), SignatureKind::Short);
        let word = base64::engine::general_purpose::STANDARD.encode("a word that is no signature, but long enough");
        for no in [
            "",
            "placeholder",
            "signature123",
            "skip_thought_signature_validator",
            word.as_str(),
            "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
            &live(163)[1..40],
            &live(12),
            &format!("gAAAAAB{}", &live(163)[7..]),
        ] {
            assert_eq!(of_thinking(no.as_bytes()), SignatureKind::Dead, "{no}");
        }
    }

    #[test]
    fn base64_in_either_alphabet() {
        for (text, is) in [
            ("", true),
            ("skip_thought_signature_validator", true),
            ("ab+/", true),
            ("ab-_", true),
            ("abc", true),
            ("abc=", true),
            ("abcde", false),
            ("claude#Eq", false),
            ("a b c", false),
            ("YQ==", true),
            ("YR", true),
        ] {
            assert_eq!(is_base64(text.as_bytes()), is, "{text}");
        }
        assert!(may_be_sealed_by_openai(b"gAAAAABoa-b_c==") && !may_be_sealed_by_openai(b"rsn_0123"));
        assert!(!may_be_sealed_by_openai(b"EqEUShEl"));
    }
}
