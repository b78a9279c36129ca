//! A text as it came: with the escapes of a JSON string, or decoded. What only moves a text keeps its bytes; who needs to
//! read it decodes it.

use crate::json::{quote, text};
use std::borrow::Cow;
use std::sync::Arc;

/// The text of a leaf of the input, put together from pieces.
#[derive(Clone, Debug, Default)]
pub struct Leaf {
    /// The beginning of a long text: its copies, and what is written of it, share these parts. None ends in the middle of a
    /// character.
    parts: Vec<Arc<[u8]>>,
    /// What stands behind them: all of a short text.
    bytes: Vec<u8>,
    /// The bytes are the inside of a JSON string with escapes. If false, they are the text, as WTF-8.
    escaped: bool,
}

/// From this length on, bytes become a part.
const PART: usize = 1 << 14;

/// From this length on, a text that is shared ([`Leaf::share`]) needs less memory than a copy.
const SHARED: usize = 1 << 7;

impl Leaf {
    /// One piece. `escaped`: it is the inside of a JSON string with escapes.
    pub fn of(piece: &[u8], escaped: bool) -> Self {
        Self { bytes: piece.to_vec(), escaped: escaped && !piece.is_empty(), ..Self::default() }
    }

    /// Adds a piece. `escaped`: it is the inside of a JSON string with escapes.
    pub fn push(&mut self, piece: &[u8], escaped: bool) {
        if piece.is_empty() {
            return;
        }
        if self.is_empty() {
            self.escaped = escaped;
        }
        match (self.escaped, escaped) {
            (own, other) if own == other => self.extend(piece),
            (true, _) => quote::inside(piece, &mut self.bytes),
            (false, _) => {
                let mut quoted = Vec::new();
                quote::inside(&self.whole(), &mut quoted);
                quoted.extend_from_slice(piece);
                *self = Self { bytes: quoted, escaped: true, ..Self::default() };
            }
        }
    }

    /// Adds bytes that are encoded as those before them.
    fn extend(&mut self, piece: &[u8]) {
        if self.bytes.len() + piece.len() < PART {
            return self.bytes.extend_from_slice(piece);
        }
        let end = piece.len() - text::incomplete(piece);
        match self.bytes.is_empty() {
            true => self.parts.push(piece[..end].into()),
            false => {
                // Of another piece, if that ended in the middle of a character.
                self.bytes.extend_from_slice(&piece[..end]);
                self.parts.push(std::mem::take(&mut self.bytes).into());
            }
        }
        self.bytes.extend_from_slice(&piece[end..]);
    }

    /// Adds another text.
    pub fn append(&mut self, other: &Leaf) {
        let alike = self.is_empty() || self.escaped == other.escaped;
        if other.parts.is_empty() || !alike || text::incomplete(&self.bytes) > 0 {
            return self.push(&other.whole(), other.escaped);
        }
        self.escaped = other.escaped;
        if !self.bytes.is_empty() {
            self.parts.push(std::mem::take(&mut self.bytes).into());
        }
        self.parts.extend_from_slice(&other.parts);
        self.bytes.extend_from_slice(&other.bytes);
    }

    /// The text is over: its copies, and what is written of it, share all of it, also if it is not long.
    pub fn share(&mut self) {
        if self.bytes.len() >= SHARED && text::incomplete(&self.bytes) == 0 {
            self.parts.reserve_exact(1);
            self.parts.push(std::mem::take(&mut self.bytes).into());
        }
    }

    /// Whether it has no character.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.parts.is_empty()
    }

    /// Whether it has no character but ASCII white space.
    pub fn is_blank(&self) -> bool {
        // A text is copied for that only if it begins with an escape.
        let mut all = self.parts.iter().map(|part| &part[..]).chain([self.bytes.as_slice()]);
        match all.find_map(|part| part.trim_ascii_start().first()) {
            Some(b'\\') if self.escaped => self.decoded().trim_ascii().is_empty(),
            found => found.is_none(),
        }
    }

    /// The text, as WTF-8.
    pub fn decoded(&self) -> Cow<'_, [u8]> {
        if self.escaped { Cow::Owned(text::decoded(&self.whole())) } else { self.whole() }
    }

    /// Its bytes. A long text is copied for that, unless it is a single part.
    pub fn whole(&self) -> Cow<'_, [u8]> {
        match (self.parts.as_slice(), self.bytes.as_slice()) {
            ([], bytes) => Cow::Borrowed(bytes),
            ([part], []) => Cow::Borrowed(part),
            (parts, bytes) => {
                let mut whole = Vec::with_capacity(self.len());
                parts.iter().for_each(|part| whole.extend_from_slice(part));
                whole.extend_from_slice(bytes);
                Cow::Owned(whole)
            }
        }
    }

    /// Its parts, and the bytes behind them.
    pub fn parts(&self) -> (&[Arc<[u8]>], &[u8]) {
        (&self.parts, &self.bytes)
    }

    /// Whether its bytes are the inside of a JSON string with escapes.
    pub fn is_escaped(&self) -> bool {
        self.escaped
    }

    /// Makes it empty, and returns the text, as WTF-8.
    pub fn take(&mut self) -> Vec<u8> {
        match std::mem::take(self) {
            Leaf { parts, bytes, escaped: false } if parts.is_empty() => bytes,
            text => text.decoded().into_owned(),
        }
    }

    /// Writes it as a JSON string.
    pub fn quote(&self, out: &mut Vec<u8>) {
        out.reserve(self.len() + 2);
        out.push(b'"');
        self.inside(out);
        out.push(b'"');
    }

    /// Writes it as the inside of a JSON string.
    pub fn inside(&self, out: &mut Vec<u8>) {
        self.parts.iter().for_each(|part| inside(part, self.escaped, out));
        inside(&self.bytes, self.escaped, out);
    }

    /// How many bytes it takes, about.
    pub fn len(&self) -> usize {
        self.bytes.len() + self.parts.iter().map(|part| part.len()).sum::<usize>()
    }

    /// How many of them are in no part, so that what is written of it has a copy.
    pub fn unshared(&self) -> usize {
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

/// Writes bytes as the inside of a JSON string. `escaped`: they are that already.
pub(super) fn inside(bytes: &[u8], escaped: bool, out: &mut Vec<u8>) {
    match escaped {
        true => out.extend_from_slice(bytes),
        false => quote::inside(bytes, out),
    }
}

impl From<Vec<u8>> for Leaf {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }
}

impl From<&[u8]> for Leaf {
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), ..Self::default() }
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

    /// A text that is over is shared from the length on from which that needs less memory.
    #[test]
    fn texts_that_are_over_are_shared() {
        for (bytes, parts) in [(vec![b'a'; SHARED], 1), (vec![b'a'; SHARED - 1], 0), (vec![0xC3; SHARED], 0)] {
            let mut text = Leaf::from(bytes.as_slice());
            text.share();
            assert_eq!((text.parts.len(), text.unshared()), (parts, bytes.len() * (1 - parts)));
            assert_eq!((&*text.decoded(), text.len()), (bytes.as_slice(), bytes.len()));
        }
    }

    /// A long text is the same text however it came, and whatever shares it.
    #[test]
    fn long_texts_are_the_sum_of_their_pieces() {
        let unit = "Wärme \u{10FFFF}\"\n";
        let long = unit.repeat(3 * PART / unit.len());
        let quoted = |text: &Leaf| {
            let mut out = Vec::new();
            text.quote(&mut out);
            String::from_utf8(out).unwrap()
        };
        let want = quoted(&Leaf::from(long.as_bytes()));
        for size in [7, PART - 1, PART, PART + 1, 2 * PART + 3, long.len()] {
            let mut text = Leaf::default();
            long.as_bytes().chunks(size).for_each(|piece| text.push(piece, false));
            assert!(!text.parts.is_empty(), "{size}");
            assert!(text.parts.iter().all(|part| std::str::from_utf8(part).is_ok()), "{size}");
            assert_eq!((text.len(), &*text.decoded()), (long.len(), long.as_bytes()), "{size}");
            assert!(quoted(&text) == want, "{size}");
            let copy = text.clone();
            assert!(std::ptr::eq(&*copy.parts[0], &*text.parts[0]), "{size}");
            // In front of another text, behind one, and together with one that came with escapes.
            let joined = Leaf::joined([&"a".as_bytes().into(), &text, &text], b"-");
            assert!(quoted(&joined) == format!("\"a-{0}-{0}\"", &want[1..want.len() - 1]), "{size}");
            text.push(br"\u0041", true);
            assert!(text.parts.is_empty() && text.is_escaped());
            assert!(quoted(&text) == format!("{}\\u0041\"", &want[..want.len() - 1]), "{size}");
            assert!(text.decoded() == [long.as_bytes(), b"A"].concat(), "{size}");
        }
        // A character that two texts have together is not parted.
        let (mut half, rest) = (Leaf::from(&"ä".as_bytes()[..1]), [&"ä".as_bytes()[1..], &[b'a'; PART]].concat());
        let mut other = Leaf::default();
        other.push(&rest, false);
        half.append(&other);
        assert!(half.parts.iter().all(|part| std::str::from_utf8(part).is_ok()));
        assert_eq!(half.decoded().len(), PART + 2);
    }
}
