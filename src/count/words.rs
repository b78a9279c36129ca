//! Counts words in bytes that come in pieces: maximal runs without white space. Bytes that are no character count as
//! part of a word.

use wide::u8x16;

/// The state of the count, for a text that may be cut anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    count: u64,
    /// The last character was part of a word.
    inside: bool,
    /// The bytes of an incomplete character that may be white space, and their number.
    partial: [u8; 2],
    partial_len: usize,
}

impl Words {
    pub fn push(&mut self, text: &[u8]) -> &mut Self {
        let (blocks, rest) = text.as_chunks::<64>();
        for block in blocks {
            match self.partial_len {
                0 => self.block(block),
                _ => block.iter().for_each(|b| self.byte(*b)),
            }
        }
        rest.iter().for_each(|b| self.byte(*b));
        self
    }

    pub fn end(&mut self) -> u64 {
        if std::mem::take(&mut self.partial_len) > 0 {
            self.character(false);
        }
        self.count
    }

    fn block(&mut self, block: &[u8; 64]) {
        let (mut spaces, mut leads) = (0_u64, 0_u64);
        let (parts, _) = block.as_chunks::<16>();
        for (i, part) in parts.iter().enumerate() {
            let part = u8x16::new(*part);
            let (nine, first) = (part - u8x16::splat(9), part - u8x16::splat(0xE1));
            let space = part.simd_eq(u8x16::splat(b' ')) | nine.min(u8x16::splat(4)).simd_eq(nine);
            let lead = part.simd_eq(u8x16::splat(0xC2)) | first.min(u8x16::splat(2)).simd_eq(first);
            spaces |= u64::from(space.to_bitmask()) << (16 * i);
            leads |= u64::from(lead.to_bitmask()) << (16 * i);
        }
        if leads != 0 {
            return block.iter().for_each(|b| self.byte(*b));
        }
        let starts = !spaces & (spaces << 1 | u64::from(!self.inside));
        self.count += u64::from(starts.count_ones());
        self.inside = spaces >> 63 == 0;
    }

    fn byte(&mut self, b: u8) {
        if self.partial_len > 0 {
            let first = self.partial[0];
            if b & 0xC0 == 0x80 {
                if self.partial_len == 1 && first != 0xC2 {
                    self.partial[1] = b;
                    self.partial_len = 2;
                } else {
                    let second = if self.partial_len == 2 { self.partial[1] } else { 0 };
                    self.partial_len = 0;
                    self.character(is_wide_space(first, second, b));
                }
                return;
            }
            // The character was incomplete.
            self.partial_len = 0;
            self.character(false);
        }
        match may_lead(b) {
            true => {
                self.partial[0] = b;
                self.partial_len = 1;
            }
            false => self.character(is_space(b)),
        }
    }

    fn character(&mut self, space: bool) {
        self.count += u64::from(!space && !self.inside);
        self.inside = !space;
    }
}

/// Whether a byte is ASCII white space.
fn is_space(b: u8) -> bool {
    b == b' ' || b.wrapping_sub(9) < 5
}

/// Whether a byte may be the first of a white space character of several bytes.
fn may_lead(b: u8) -> bool {
    b == 0xC2 || b.wrapping_sub(0xE1) < 3
}

/// Whether a character of two bytes (`second` is 0) or three is white space.
fn is_wide_space(first: u8, second: u8, last: u8) -> bool {
    matches!(
        (first, second, last),
        (0xC2, 0, 0x85 | 0xA0)
            | (0xE1, 0x9A, 0x80)
            | (0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF)
            | (0xE2, 0x81, 0x9F)
            | (0xE3, 0x80, 0x80)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character() {
        for c in '\0'..=char::MAX {
            let text = format!("a{c}b");
            let want = if c.is_whitespace() { 2 } else { 1 };
            assert_eq!(Words::default().push(text.as_bytes()).end(), want, "{c:?}");
        }
    }

    #[test]
    fn broken_characters_are_no_space() {
        for text in [&b"\xE2"[..], b"\xE2\x80", b"\xC2 \xC2", b"\xE2\x80 \x80", b"\xED\xA0\x80"] {
            let want = text.split(|b| *b == b' ').count() as u64;
            assert_eq!(Words::default().push(text).end(), want, "{text:?}");
        }
    }
}
