//! Classes of characters in the patterns of the vocabularies, as bits of a byte.

/// `\p{Lu}`, `\p{Lt}`.
pub(super) const UPPER: u8 = 1;
/// `\p{Ll}`.
pub(super) const LOWER: u8 = 2;
/// `\p{Lm}`, `\p{Lo}`: letters without case.
pub(super) const PLAIN: u8 = 4;
/// `\p{M}`.
pub(super) const MARK: u8 = 8;
/// `\p{N}`.
pub(super) const NUMBER: u8 = 16;
/// `\s`.
pub(super) const SPACE: u8 = 32;
/// `[\r
/// ]`, which is white space, too.
pub(super) const NEWLINE: u8 = 64;
/// No character: the end of the text.
pub(super) const END: u8 = 128;
/// `\p{L}`.
pub(super) const LETTER: u8 = UPPER | LOWER | PLAIN;

/// The classes of ranges of characters, made by the build script.
const RANGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/classes.bin"));

/// The class of every character.
pub(super) struct Classes {
    all: Vec<u8>,
    ascii: [u8; 128],
}

impl Classes {
    pub fn new() -> Self {
        let mut all = vec![0; 0x11_0000];
        let (words, _) = RANGES.as_chunks::<4>();
        for pair in words.chunks_exact(2) {
            let [first, last] = [pair[0], pair[1]].map(u32::from_le_bytes);
            let at = |word: u32| (word & 0xFF_FFFF) as usize;
            for class in &mut all[at(first)..=at(last)] {
                *class |= (first >> 24) as u8;
            }
        }
        all[usize::from(b'\r')] |= NEWLINE;
        all[usize::from(b'\n')] |= NEWLINE;
        let mut ascii = [0; 128];
        ascii.copy_from_slice(&all[..128]);
        Self { all, ascii }
    }

    /// The class and the length of the character at `at`, which must be a character boundary.
    #[inline(always)]
    pub fn at(&self, text: &str, at: usize) -> (u8, usize) {
        match text.as_bytes().get(at) {
            None => (END, 0),
            Some(b) if b.is_ascii() => (self.ascii[usize::from(*b)], 1),
            Some(_) => self.beyond(text, at),
        }
    }

    fn beyond(&self, text: &str, at: usize) -> (u8, usize) {
        match text.get(at..).and_then(|t| t.chars().next()) {
            Some(c) => (self.all[c as usize], c.len_utf8()),
            None => (END, 0),
        }
    }

    /// The end of the run of characters of `set` that begins at `at`.
    #[inline(always)]
    pub fn run(&self, text: &str, mut at: usize, set: u8) -> usize {
        loop {
            let (class, len) = self.at(text, at);
            if class & set == 0 || len == 0 {
                return at;
            }
            at += len;
        }
    }
}

/// `[^\s\p{L}\p{N}]`.
pub(super) fn is_other(class: u8) -> bool {
    class & (LETTER | NUMBER | SPACE | END) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let classes = Classes::new();
        for (c, want) in [
            ('A', UPPER),
            ('ǅ', UPPER),
            ('ſ', LOWER),
            ('文', PLAIN),
            ('ʰ', PLAIN),
            ('\u{301}', MARK),
            ('Ⅷ', NUMBER),
            ('½', NUMBER),
            ('\u{3000}', SPACE),
            ('\n', SPACE | NEWLINE),
            ('\u{85}', SPACE),
            ('\u{200b}', 0),
            ('!', 0),
            ('😀', 0),
        ] {
            assert_eq!(classes.at(&c.to_string(), 0), (want, c.len_utf8()), "{c:?}");
        }
        assert_eq!(classes.at("", 0), (END, 0));
    }

    #[test]
    fn white_space_is_that_of_the_language() {
        let classes = Classes::new();
        for c in '\0'..=char::MAX {
            assert_eq!(classes.at(c.encode_utf8(&mut [0; 4]), 0).0 & SPACE != 0, c.is_whitespace(), "{c:?}");
        }
    }
}
