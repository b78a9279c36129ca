//! Finds where raw text stops being UTF-8, however it was cut into reads.

/// Searches for the first byte that is not UTF-8.
#[derive(Debug, Default)]
pub(super) struct Utf8 {
    /// The bytes of an incomplete character.
    begun: Vec<u8>,
    /// The offset of the first wrong byte.
    pub wrong: Option<u64>,
}

impl Utf8 {
    /// Checks the next bytes, which stand at this offset.
    pub fn feed(&mut self, text: &[u8], at: u64) {
        if self.wrong.is_some() {
            return;
        }
        let before = at - self.begun.len() as u64;
        let joined;
        let text = match self.begun.is_empty() {
            true => text,
            false => {
                self.begun.extend_from_slice(text);
                joined = std::mem::take(&mut self.begun);
                &joined
            }
        };
        if simdutf8::basic::from_utf8(text).is_ok() {
            return;
        }
        if let Err(e) = std::str::from_utf8(text) {
            let start = e.valid_up_to();
            match e.error_len() {
                Some(_) => self.wrong = Some(before + start as u64),
                None => self.begun = text[start..].to_vec(),
            }
        }
    }

    /// Ends the text at this offset.
    pub fn finish(&mut self, at: u64) {
        if !self.begun.is_empty() && self.wrong.is_none() {
            self.wrong = Some(at - self.begun.len() as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_pieces_and_whole() {
        for (text, want) in [
            (&b"abc"[..], None),
            ("a\u{e4}\u{20ac}\u{1f600}".as_bytes(), None),
            (b"\xffa", Some(0)),
            (b"a\xe2\x82", Some(1)),
            (b"a\xe2\x82b", Some(1)),
            (b"\xf0\x9f\x98\x80\xf0\x9f\x98 \xff", Some(4)),
            (b"\xed\xa0\x80", Some(0)),
        ] {
            for piece in [1, 2, 3, 100] {
                let mut utf8 = Utf8::default();
                for (i, part) in text.chunks(piece).enumerate() {
                    utf8.feed(part, 10 + (i * piece) as u64);
                }
                utf8.finish(10 + text.len() as u64);
                assert_eq!(utf8.wrong, want.map(|at: u64| at + 10), "{text:?} in pieces of {piece}");
            }
        }
    }
}
