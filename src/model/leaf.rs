//! A text as it came: with the escapes of a JSON string, or decoded. What only moves a text keeps its bytes; who needs to
//! read it decodes it.

use crate::json::{quote, text};
use std::borrow::Cow;

/// The text of a leaf of the input, put together from pieces.
#[derive(Clone, Debug, Default)]
pub struct Leaf {
    bytes: Vec<u8>,
    /// The bytes are the inside of a JSON string with escapes. If false, they are the text, as WTF-8.
    escaped: bool,
}

impl Leaf {
    /// One piece. `escaped`: it is the inside of a JSON string with escapes.
    pub fn of(piece: &[u8], escaped: bool) -> Self {
        Self { bytes: piece.to_vec(), escaped: escaped && !piece.is_empty() }
    }

    /// Adds a piece. `escaped`: it is the inside of a JSON string with escapes.
    pub fn push(&mut self, piece: &[u8], escaped: bool) {
        match (self.escaped, escaped) {
            _ if piece.is_empty() => (),
            (own, other) if own == other => self.bytes.extend_from_slice(piece),
            _ if self.bytes.is_empty() => {
                self.bytes.extend_from_slice(piece);
                self.escaped = escaped;
            }
            (true, _) => quote::inside(piece, &mut self.bytes),
            (false, _) => {
                let plain = std::mem::take(&mut self.bytes);
                quote::inside(&plain, &mut self.bytes);
                self.bytes.extend_from_slice(piece);
                self.escaped = true;
            }
        }
    }

    /// Adds another text.
    pub fn append(&mut self, other: &Leaf) {
        self.push(&other.bytes, other.escaped);
    }

    /// Whether it has no character.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether it has no character but ASCII white space.
    pub fn is_blank(&self) -> bool {
        self.decoded().trim_ascii().is_empty()
    }

    /// The text, as WTF-8.
    pub fn decoded(&self) -> Cow<'_, [u8]> {
        if self.escaped { Cow::Owned(text::decoded(&self.bytes)) } else { Cow::Borrowed(&self.bytes) }
    }

    /// Its bytes, and whether they are the inside of a JSON string with escapes.
    pub fn parts(&self) -> (&[u8], bool) {
        (&self.bytes, self.escaped)
    }

    /// Makes it empty, and returns the text, as WTF-8.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(self).decoded().into_owned()
    }

    /// Writes it as a JSON string.
    pub fn quote(&self, out: &mut Vec<u8>) {
        out.reserve(self.bytes.len() + 2);
        out.push(b'"');
        self.inside(out);
        out.push(b'"');
    }

    /// Writes it as the inside of a JSON string.
    pub fn inside(&self, out: &mut Vec<u8>) {
        match self.escaped {
            true => out.extend_from_slice(&self.bytes),
            false => quote::inside(&self.bytes, out),
        }
    }

    /// How many bytes it takes, about.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// These texts with others between them.
    pub fn joined<'t>(texts: impl IntoIterator<Item = &'t Leaf>, between: &[u8]) -> Leaf {
        let mut all = Leaf::default();
        for (at, text) in texts.into_iter().enumerate() {
            all.push(if at > 0 { between } else { b"" }, false);
            all.append(text);
        }
        all
    }
}

impl From<Vec<u8>> for Leaf {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, escaped: false }
    }
}

impl From<&[u8]> for Leaf {
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), escaped: false }
    }
}

impl PartialEq for Leaf {
    fn eq(&self, other: &Self) -> bool {
        self.decoded() == other.decoded()
    }
}

impl Eq for Leaf {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_both_kinds_become_one_text() {
        for (pieces, quoted, decoded) in [
            (&[("a", false), ("b", false)][..], "\"ab\"", "ab"),
            (&[(r"\u0061\/", true), ("b", true)], r#""\u0061\/b""#, "a/b"),
            (&[(r"\n", true), ("\n\"", false)], r#""\n\n\"""#, "\n\n\""),
            (&[("\"", false), (r"\u0041", true), ("", false)], r#""\"\u0041""#, "\"A"),
            (&[("", false), (r"\ud83d", true), (r"\ude00", true)], r#""\ud83d\ude00""#, "😀"),
        ] {
            let mut text = Leaf::default();
            pieces.iter().for_each(|(piece, escaped)| text.push(piece.as_bytes(), *escaped));
            let mut out = Vec::new();
            text.quote(&mut out);
            assert_eq!(
                (String::from_utf8_lossy(&out), &*text.decoded()),
                (quoted.into(), decoded.as_bytes()),
                "{pieces:?}"
            );
            assert_eq!(text, Leaf::from(decoded.as_bytes()), "{pieces:?}");
        }
    }
}
