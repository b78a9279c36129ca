//! Decodes string literals to text, and maps offsets in the text to offsets in the raw bytes.
//!
//! Decoded text is for reading, raw bytes are for writing. Text is kept as WTF-8: an unpaired surrogate becomes the
//! three bytes that UTF-8 would give it, so that two halves in two deltas can still be joined. Only text that is shown
//! to the user is made UTF-8, with U+FFFD for halves that were not joined.

use super::units;
use aho_corasick::packed::Searcher;
use memchr::memmem::{self, Finder};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Where the quote of a string stands whose inside begins at an offset, or the end of the text.
pub fn end_of_string(text: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while let Some(n) = text.get(at..).and_then(|rest| memchr::memchr2(quote, b'\\', rest)) {
        at += n;
        if text[at] == quote {
            return at;
        }
        at += 2;
    }
    text.len()
}

/// Maps offsets in decoded text to raw offsets in its literal: one entry after each escape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Map {
    points: Vec<(usize, usize)>,
}

impl Map {
    /// The raw offset of decoded offset `at`, both from the start of the literal.
    pub fn raw(&self, at: usize) -> usize {
        let n = self.points.partition_point(|&(decoded, _)| decoded <= at);
        match n.checked_sub(1).map(|i| self.points[i]) {
            None => at,
            Some((decoded, raw)) => raw + (at - decoded),
        }
    }

    /// Adds an entry: text from the decoded offset on stands at the raw offset.
    pub fn push(&mut self, decoded: usize, raw: usize) {
        self.points.push((decoded, raw));
    }

    /// The entries: decoded offsets, each with the raw offset that it stands at.
    pub fn points(&self) -> &[(usize, usize)] {
        &self.points
    }

    /// Makes the raw offsets those that `outer` gives for them. It is linear but for the raw offsets in `breaks`, which
    /// are in order.
    pub fn through(&mut self, breaks: impl Iterator<Item = usize>, outer: impl Fn(usize) -> usize) {
        let own = std::mem::take(&mut self.points);
        // Where an escape ends, and where the next one begins, the decoded text goes on as the raw one does.
        let mut at = 0;
        let (mut decoded, mut raw) = (0, 0);
        for point in breaks {
            while let Some(next) = own.get(at).filter(|(_, end)| *end <= point) {
                (decoded, raw) = *next;
                self.points.push((decoded, outer(raw)));
                at += 1;
            }
            let here = decoded + (point - raw);
            // Inside of an escape there is no character.
            if own.get(at).is_none_or(|(next, _)| here < *next) && self.points.last().is_none_or(|last| last.0 < here) {
                self.points.push((here, outer(point)));
            }
        }
        self.points.extend(own[at..].iter().map(|(decoded, raw)| (*decoded, outer(*raw))));
    }

    fn clear(&mut self) {
        self.points.clear();
    }
}

/// A word that is looked for in many values: what finds it is made once.
#[derive(Debug)]
pub struct Needle {
    word: &'static str,
    finder: OnceLock<Finder<'static>>,
}

impl Needle {
    /// Finds this word.
    pub const fn new(word: &'static str) -> Self {
        Self { word, finder: OnceLock::new() }
    }

    /// The word.
    pub fn word(&self) -> &'static str {
        self.word
    }

    fn finder(&self) -> &Finder<'static> {
        self.finder.get_or_init(|| Finder::new(self.word))
    }

    /// Whether the word stands in a text.
    pub fn stands_in(&self, text: &[u8]) -> bool {
        self.finder().find(text).is_some()
    }

    /// Whether a key or a string in a value is the word, without escapes.
    pub fn is_in(&self, value: &[u8]) -> bool {
        let quoted = |at: usize| at > 0 && value[at - 1] == b'"' && value.get(at + self.word.len()) == Some(&b'"');
        self.finder().find_iter(value).any(quoted)
    }

    /// Whether a key or a string in a value may be the word. With escapes, one must stand for a character of it.
    pub fn may_be_in(&self, value: &[u8]) -> bool {
        self.is_in(value) || escapes_ascii(value)
    }
}

/// Words of which any is looked for in many values, all in one pass: what finds them is made once.
#[derive(Debug)]
pub struct Needles {
    words: &'static [&'static str],
    finder: OnceLock<Option<Searcher>>,
}

impl Needles {
    /// Finds these words.
    pub const fn new(words: &'static [&'static str]) -> Self {
        Self { words, finder: OnceLock::new() }
    }

    /// Whether one of the words stands in a text.
    pub fn stand_in(&self, text: &[u8]) -> bool {
        match self.finder.get_or_init(|| Searcher::new(self.words)) {
            Some(finder) => finder.find(text).is_some(),
            // A processor that cannot look at many bytes at once.
            None => self.words.iter().any(|word| memmem::find(text, word.as_bytes()).is_some()),
        }
    }
}

/// Whether an escape in a value stands for a character of ASCII that is seen, so that words may be spelled with it.
pub fn escapes_ascii(value: &[u8]) -> bool {
    static ASCII: Needle = Needle::new("\\u00");
    ASCII.finder().find_iter(value).any(|at| matches!(value.get(at + 4), Some(b'2'..=b'7')))
}

/// Whether `raw`, the inside of a valid literal, has a quote before a colon, as keys have that stand in it.
pub fn holds_key(raw: &[u8]) -> bool {
    static KEY: Needle = Needle::new("\\\":");
    static SPACED: Needle = Needle::new("\\\" :");
    static SINGLE: Needle = Needle::new("':");
    [&KEY, &SPACED, &SINGLE].iter().any(|sign| sign.stands_in(raw))
}

/// Appends the text of `raw`, the inside of a valid literal, to `out`.
pub fn decode(raw: &[u8], out: &mut Vec<u8>) {
    walk(raw, out, |_, _| ());
}

/// The decoded text of `raw`, the inside of a valid literal.
pub fn decoded(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    decode(raw, &mut out);
    out
}

/// As [`decode`], and fills `map`, in which offsets count from the end of `out` before the call.
pub fn decode_with_map(raw: &[u8], out: &mut Vec<u8>, map: &mut Map) {
    map.clear();
    let base = out.len();
    walk(raw, out, |decoded, at| map.points.push((decoded - base, at)));
}

fn walk(raw: &[u8], out: &mut Vec<u8>, mut point: impl FnMut(usize, usize)) {
    let mut at = 0;
    loop {
        // In text that is not ASCII, escapes follow each other without a gap.
        while let Some(b'\\') = raw.get(at) {
            at += match raw.get(at + 1) {
                Some(b'u') => unicode(&raw[at..], out),
                Some(&c) => {
                    out.push(plain(c));
                    2
                }
                None => 1,
            };
            point(out.len(), at);
        }
        let rest = &raw[at..];
        let n = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
        if n == 0 {
            return;
        }
        out.extend_from_slice(&rest[..n]);
        at += n;
    }
}

fn plain(c: u8) -> u8 {
    match c {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        other => other,
    }
}

/// Decodes one `\uXXXX`, or a pair of them. Returns how many raw bytes it took.
fn unicode(raw: &[u8], out: &mut Vec<u8>) -> usize {
    let Some(first) = hex(raw, 2) else {
        return raw.len().min(6);
    };
    if (0xD800..0xDC00).contains(&first)
        && raw.get(6..8) == Some(b"\\u")
        && let Some(second @ 0xDC00..0xE000) = hex(raw, 8)
    {
        push(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00), out);
        return 12;
    }
    push(first, out);
    6
}

/// The value of each hexadecimal digit; 16 of any other byte.
const DIGITS: [u8; 256] = {
    let mut digits = [16; 256];
    let mut i = 0;
    while i < 16 {
        digits[b"0123456789abcdef"[i] as usize] = i as u8;
        digits[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    digits
};

fn hex(raw: &[u8], at: usize) -> Option<u32> {
    let [a, b, c, d] = raw.get(at..)?.first_chunk::<4>()?.map(|digit| u32::from(DIGITS[usize::from(digit)]));
    ((a | b | c | d) < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}

/// UTF-8 for scalar values, the same pattern for surrogates.
fn push(code: u32, out: &mut Vec<u8>) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
    match code {
        0..0x80 => out.push(code as u8),
        0x80..0x800 => out.extend([0xC0 | (code >> 6) as u8, tail(0)]),
        0x800..0x10000 => out.extend([0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => out.extend([0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// The text as UTF-8: adjacent halves of a surrogate pair are joined; any other half or broken byte becomes U+FFFD.
pub fn utf8(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = simdutf8::basic::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while at < text.len() {
        if let (Some(high), Some(low)) = (half(text, at, 0xA0), half(text, at + 3, 0xB0)) {
            let code = 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
            out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            at += 6;
        } else if half(text, at, 0xA0).or(half(text, at, 0xB0)).is_some() {
            out.push(char::REPLACEMENT_CHARACTER);
            at += 3;
        } else {
            let end = memchr::memchr(0xED, &text[at + 1..]).map_or(text.len(), |n| at + 1 + n);
            out.push_str(&String::from_utf8_lossy(&text[at..end]));
            at = end;
        }
    }
    Cow::Owned(out)
}

/// The surrogate at `at`, if its second byte is one of the sixteen from `second`.
fn half(text: &[u8], at: usize, second: u8) -> Option<u32> {
    match text.get(at..at + 3) {
        Some(&[0xED, b, c]) if b & 0xF0 == second => Some(0xD000 | u32::from(b & 0x3F) << 6 | u32::from(c & 0x3F)),
        _ => None,
    }
}

/// How many bytes at the end are the beginning of a character, or the first half of a surrogate pair (the text is
/// WTF-8).
pub fn incomplete(text: &[u8]) -> usize {
    let n = text.len();
    if let [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF] = text {
        return 3;
    }
    // The first half and the beginning of the second.
    if let [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED] | [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF] = text {
        return if text[n - 1] == 0xED { 4 } else { 5 };
    }
    let back = text.iter().rev().take(3).position(|b| *b & 0xC0 != 0x80);
    match back.map(|back| (back + 1, text[n - 1 - back])) {
        Some((have, 0xC2..=0xDF)) if have < 2 => have,
        Some((have, 0xE0..=0xEF)) if have < 3 => have,
        Some((have, 0xF0..=0xF4)) if have < 4 => have,
        _ => 0,
    }
}

/// The length in UTF-16 code units, the unit of the `chars4` estimate. The text is UTF-8 or WTF-8; half of a surrogate
/// pair is one unit, so that the lengths of the parts of a text add up, wherever it is cut.
pub fn utf16_len(text: impl AsRef<[u8]>) -> usize {
    units::plain(text.as_ref())
}

/// As [`utf16_len`], for the text of `raw`, the inside of a valid literal, without decoding it.
pub fn utf16_len_raw(raw: &[u8]) -> usize {
    units::escaped(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(raw: &str) -> String {
        let mut out = Vec::new();
        decode(raw.as_bytes(), &mut out);
        utf8(&out).into_owned()
    }

    #[test]
    fn decodes() {
        for (raw, want) in [
            ("plain", "plain"),
            (r#"a\n\t\"\\\/b"#, "a\n\t\"\\/b"),
            (r"\u003cthink\u003E", "<think>"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d", "\u{fffd}"),
            (r"\ud83dx\ude00", "\u{fffd}x\u{fffd}"),
            (r"\ud83d\u0041", "\u{fffd}A"),
            (r"\u4e2d文", "中文"),
            (r"\u4E2D\u6587\u00e9\u007Fa\n\n", "中文é\u{7f}a\n\n"),
            (r"a\uD83D\uDE00\u0000", "a😀\0"),
        ] {
            assert_eq!(text(raw), want, "{raw}");
        }
    }

    #[test]
    fn needles() {
        static ERROR: Needle = Needle::new("error");
        for (value, is_in, may_be_in) in [
            (r#"{"a":1,"error":2}"#, true, true),
            (r#""error""#, true, true),
            (r#"error"#, false, false),
            (r#"{"errors":2,"an error":3}"#, false, false),
            (r#"{"an error":3,"error":2}"#, true, true),
            (r#"{"\u0065rror":2}"#, false, true),
            (r#"{"err\u006Fr":2}"#, false, true),
            (r#"{"a":"\u00e9\u001b\u0000"}"#, false, false),
            (r#"{"a":"\u00"#, false, false),
        ] {
            let found = (ERROR.is_in(value.as_bytes()), ERROR.may_be_in(value.as_bytes()));
            assert_eq!(found, (is_in, may_be_in), "{value}");
        }
    }

    #[test]
    fn halves_meet_across_literals() {
        let mut out = Vec::new();
        decode(br"\ud83d", &mut out);
        decode(br"\ude00", &mut out);
        assert_eq!(utf8(&out), "😀");
    }

    #[test]
    fn maps_back() {
        let raw = br"a\u003cb\nc";
        let (mut out, mut map) = (Vec::new(), Map::default());
        decode_with_map(raw, &mut out, &mut map);
        assert_eq!(out, b"a<b\nc");
        for (decoded, want) in [(0, 0), (1, 1), (2, 7), (3, 8), (4, 10), (5, 11)] {
            assert_eq!(map.raw(decoded), want, "{decoded}");
        }
    }

    #[test]
    fn utf16() {
        assert_eq!(utf16_len("𝒳𝒴 ü"), 6);
        assert_eq!(utf16_len(""), 0);
        let long = "a😀é".repeat(1000);
        assert_eq!(utf16_len(&long), long.encode_utf16().count());
    }
}
