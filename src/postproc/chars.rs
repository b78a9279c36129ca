//! Decodes bytes that come in pieces to characters. A piece may cut a character anywhere, or a surrogate pair between
//! its halves. Bytes that are no character become U+FFFD.

/// The bytes of an incomplete character.
#[derive(Debug, Default)]
pub(super) struct Chars {
    open: Vec<u8>,
}

/// The first byte of every surrogate in WTF-8.
const SURROGATE: u8 = 0xED;

impl Chars {
    /// Reads bytes. The characters that they complete go to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut String) {
        if self.open.is_empty() {
            let rest = Self::read(bytes, false, out);
            self.open.extend_from_slice(&bytes[rest..]);
        } else {
            self.open.extend_from_slice(bytes);
            let rest = Self::read(&self.open, false, out);
            self.open.drain(..rest);
        }
    }

    /// Ends the text: an incomplete character is none.
    pub fn end(&mut self, out: &mut String) {
        let open = std::mem::take(&mut self.open);
        Self::read(&open, true, out);
    }

    /// Decodes as much as is certain. Returns how many bytes that is.
    fn read(bytes: &[u8], eof: bool, out: &mut String) -> usize {
        let mut at = 0;
        loop {
            let error = match std::str::from_utf8(&bytes[at..]) {
                Ok(text) => {
                    out.push_str(text);
                    return bytes.len();
                }
                Err(error) => error,
            };
            let good = at + error.valid_up_to();
            out.push_str(std::str::from_utf8(&bytes[at..good]).unwrap_or_default());
            at = good;
            let rest = &bytes[at..];
            at += match (half(rest, 0xA0), half(rest, 0xB0)) {
                (Some(high), _) => match half(&rest[3..], 0xB0) {
                    Some(low) => {
                        let code = 0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
                        out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                        6
                    }
                    None if !eof && may_be_half(&rest[3..]) => return at,
                    None => replace(out, 3),
                },
                (None, Some(_)) => replace(out, 3),
                (None, None) if !eof && (error.error_len().is_none() || may_be_half(rest)) => return at,
                (None, None) => replace(out, error.error_len().unwrap_or(rest.len())),
            };
        }
    }
}

fn replace(out: &mut String, len: usize) -> usize {
    out.push(char::REPLACEMENT_CHARACTER);
    len
}

/// The surrogate in three bytes, if its second byte is one of the sixteen from `second`.
fn half(bytes: &[u8], second: u8) -> Option<u32> {
    match bytes {
        [SURROGATE, b, c, ..] if b & 0xF0 == second && c & 0xC0 == 0x80 => {
            Some(0xD000 | u32::from(b & 0x3F) << 6 | u32::from(c & 0x3F))
        }
        _ => None,
    }
}

/// Whether these bytes may be the beginning of a surrogate.
fn may_be_half(bytes: &[u8]) -> bool {
    match bytes {
        [] | [SURROGATE] => true,
        [SURROGATE, b] => *b >= 0xA0 && b & 0xC0 == 0x80,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces() {
        for (bytes, want) in [
            (&b"a\xC3\xA9b"[..], "aéb"),
            (b"\xF0\x9F\x98\x80", "😀"),
            (b"\xED\xA0\xBD\xED\xB8\x80", "😀"),
            (b"\xED\xA0\xBDx", "\u{FFFD}x"),
            (b"\xED\xB8\x80x", "\u{FFFD}x"),
            (b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80", "\u{FFFD}😀"),
            (b"\xED\x9F\xBF", "\u{D7FF}"),
            (b"a\xC3", "a\u{FFFD}"),
            (b"\xF0\x9F\x98x", "\u{FFFD}x"),
            (b"\xFF\xFEa", "\u{FFFD}\u{FFFD}a"),
            (b"\xED\xA0", "\u{FFFD}\u{FFFD}"),
        ] {
            for piece in [usize::MAX, 1, 2, 3, 4] {
                let (mut chars, mut out) = (Chars::default(), String::new());
                bytes.chunks(piece.min(bytes.len())).for_each(|chunk| chars.push(chunk, &mut out));
                chars.end(&mut out);
                assert_eq!(out, want, "{bytes:?} in pieces of {piece}");
            }
        }
    }
}
