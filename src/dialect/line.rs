//! What lines of text are made of: colours of a terminal, code fences, JSON values.

use super::suspect::sequence;
use crate::json::Scanner;
use crate::json::scan::Token;
use memchr::memchr;
use std::borrow::Cow;
use wide::u8x16;

/// Whether a value ends in a text.
pub(super) enum Ends {
    At(usize),
    /// More bytes decide.
    Open,
    /// It is no JSON from this offset on.
    Wrong(usize),
}

/// Where the value ends that begins a text.
pub(super) fn ends(text: &[u8]) -> Ends {
    let mut s = Scanner::within(text, 0);
    loop {
        match s.token() {
            Ok(Token::ObjectEnd | Token::ArrayEnd) if s.depth() == 0 => return Ends::At(s.at()),
            Ok(Token::End) => return Ends::At(s.at()),
            Ok(_) => (),
            Err(e) if e.offset >= text.len() || is_cut(&text[e.offset..]) => return Ends::Open,
            Err(e) => return Ends::Wrong(e.offset),
        }
    }
}

/// Whether a text is the beginning of a word, a number, an escape or a character of JSON, all of which is one token.
fn is_cut(text: &[u8]) -> bool {
    let word = |word: &str| word.as_bytes().starts_with(text);
    let number = || text.iter().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'+' | b'.' | b'e' | b'E'));
    let escape = || text.len() < 6 && text[0] == b'\\' && text[1..].iter().all(u8::is_ascii_alphanumeric);
    let character = || text.len() < 4 && std::str::from_utf8(text).is_err_and(|e| e.error_len().is_none());
    ["true", "false", "null"].into_iter().any(word) || text.len() < 32 && number() || escape() || character()
}

/// The text of the value that begins a text, without colours, and where the value ends in it.
pub(super) fn value(text: &[u8]) -> (Cow<'_, [u8]>, Ends) {
    match ends(text) {
        Ends::Wrong(at) if text.get(at) == Some(&0x1B) => (),
        ended => return (Cow::Borrowed(text), ended),
    }
    // Most values are short, and many may follow each other.
    for most in [4096, 64 * 1024] {
        let value = without_colours(&text[..text.len().min(most)]);
        match ends(&value) {
            Ends::Open if most < text.len() => (),
            ended => return (value, ended),
        }
    }
    let value = without_colours(text);
    let ended = ends(&value);
    (value, ended)
}

/// Whether a text begins like an object with a member, or a list of such objects or of texts.
pub(super) fn begins(text: &[u8]) -> bool {
    let inner = text[1..].iter().find(|b| !b.is_ascii_whitespace());
    matches!((text[0], inner), (b'{', Some(b'"')) | (b'[', Some(b'"' | b'{' | b'[')))
}

/// How many blanks and control sequences of a terminal a line begins with.
pub(super) fn blank(line: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match line.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(0x1B) => at += sequence(&line[at..]),
            _ => return at.min(line.len()),
        }
    }
}

/// A text without control sequences of a terminal.
pub(super) fn without_colours(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(0x1B, text).is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
    while let Some(n) = memchr(0x1B, &text[at..]) {
        out.extend_from_slice(&text[at..at + n]);
        at = text.len().min(at + n + sequence(&text[at + n..]));
    }
    out.extend_from_slice(&text[at..]);
    Cow::Owned(out)
}

/// Where so many bytes end that are no control sequences.
pub(super) fn raw_end(text: &[u8], count: usize) -> usize {
    let (mut at, mut seen) = (0, 0);
    while seen < count && at < text.len() {
        match text[at] {
            0x1B => at += sequence(&text[at..]),
            _ => (at, seen) = (at + 1, seen + 1),
        }
    }
    at.min(text.len())
}

/// The character of a code fence, how many of them, and whether nothing follows, if a line is one. It may stand in a
/// list or in a quotation.
pub(super) fn fence(line: &[u8]) -> Option<(u8, usize, bool)> {
    let quoted = |b: &u8| matches!(b, b' ' | b'\t' | b'>');
    let line = &line[line.iter().take_while(|b| quoted(b)).count()..];
    let mark = *line.first().filter(|b| matches!(b, b'`' | b'~'))?;
    let len = line.iter().take_while(|b| **b == mark).count();
    let rest = line[len..].trim_ascii();
    // What stands behind a fence of backticks has none.
    (len >= 3 && (mark == b'~' || !rest.contains(&b'`'))).then_some((mark, len, rest.is_empty()))
}

/// Where the line begins in a text that closes a fence. `last`: no more comes, so that the last line is whole.
pub(super) fn closes(text: &[u8], (open, least): (u8, usize), last: bool) -> Option<usize> {
    let mut at = 0;
    text.split_inclusive(|b| *b == b'\n').find_map(|line| {
        let start = at;
        at += line.len();
        let closing = fence(line).is_some_and(|(mark, len, bare)| mark == open && len >= least && bare);
        (closing && (last || line.ends_with(b"\n"))).then_some(start)
    })
}

/// How many brackets are open behind a line of JSON.
pub(super) fn brackets(line: &[u8], mut depth: usize) -> usize {
    let (mut string, mut escape) = (false, false);
    for b in line {
        match b {
            _ if escape => escape = false,
            b'\\' if string => escape = true,
            b'"' => string = !string,
            b'{' | b'[' if !string => depth += 1,
            b'}' | b']' if !string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return 0;
                }
            }
            _ => (),
        }
    }
    depth
}

/// The signs of a line, without which it is text. Most lines have none, and this is asked of every line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct LineSigns(u8);

impl LineSigns {
    /// A bracket of JSON.
    pub const BRACKET: u8 = 1;
    /// An escape.
    pub const ESCAPE: u8 = 2;
    /// What stands between a key and its value.
    pub const COLON: u8 = 4;
    /// The same in other formats.
    pub const PAIR: u8 = 8;
    /// The bracket of a call.
    pub const CALL: u8 = 16;
    /// The beginning of a colour.
    pub const COLOUR: u8 = 32;

    /// The signs of a line.
    pub fn of(line: &[u8]) -> Self {
        let mut found = [u8x16::splat(0); 6];
        let (chunks, last) = line.as_chunks::<16>();
        chunks.iter().for_each(|chunk| look_for_signs(*chunk, &mut found));
        match line.last_chunk::<16>() {
            _ if last.is_empty() => (),
            // The last bytes of most lines are looked at twice.
            Some(last) => look_for_signs(*last, &mut found),
            None => {
                let mut chunk = [0; 16];
                chunk[..last.len()].copy_from_slice(last);
                look_for_signs(chunk, &mut found);
            }
        }
        let any = found.iter().fold(u8x16::splat(0), |all, one| all | *one);
        if any.to_bitmask() == 0 {
            return Self(0);
        }
        let bit = |(i, found): (usize, &u8x16)| u8::from(found.to_bitmask() != 0) << i;
        Self(found.iter().enumerate().map(bit).sum())
    }

    /// Whether a line has none of them.
    pub fn none(self) -> bool {
        self.0 == 0
    }

    /// Whether a line has one of these.
    pub fn has(self, signs: u8) -> bool {
        self.0 & signs != 0
    }
}

fn look_for_signs(chunk: [u8; 16], found: &mut [u8x16; 6]) {
    let chunk = u8x16::new(chunk);
    let is = |sign: u8| chunk.simd_eq(u8x16::splat(sign));
    // Both brackets are one sign without this bit.
    found[0] |= (chunk | u8x16::splat(0x20)).simd_eq(u8x16::splat(b'{'));
    found[1] |= is(b'\\');
    found[2] |= is(b':');
    found[3] |= is(b'=') | is(b'>');
    found[4] |= is(b'(');
    found[5] |= is(0x1B);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_wherever_they_stand() {
        let signs = [
            (&b"{["[..], LineSigns::BRACKET),
            (b"\\", LineSigns::ESCAPE),
            (b":", LineSigns::COLON),
            (b"=>", LineSigns::PAIR),
            (b"(", LineSigns::CALL),
            (b"\x1B", LineSigns::COLOUR),
        ];
        for len in [1, 3, 15, 16, 17, 31, 32, 40] {
            let plain = vec![b'a'; len];
            assert!(LineSigns::of(&plain).none() && LineSigns::of("é ;9;|}])\"'<".as_bytes()).none());
            for (at, (sign, bit)) in (0..len).flat_map(|at| signs.map(|sign| (at, sign))) {
                for sign in sign {
                    let mut line = plain.clone();
                    line[at] = *sign;
                    assert_eq!(LineSigns::of(&line).0, bit, "{sign} at {at} of {len}");
                }
            }
        }
        assert!(LineSigns::of(b"").none() && LineSigns::of(b"a(b: {").has(LineSigns::CALL));
    }

    #[test]
    fn a_value_that_is_cut_is_open() {
        let text = r#"{"a":true,"b":[false,null,-1.5e+3,"\u00e9\"x é"],"c":{"d":12}}"#.as_bytes();
        for end in 1..text.len() {
            assert!(matches!(ends(&text[..end]), Ends::Open), "{:?}", String::from_utf8_lossy(&text[..end]));
        }
        assert!(matches!(ends(text), Ends::At(end) if end == text.len()));
        assert!(matches!(ends(b"{\"a\":tru}"), Ends::Wrong(_)) && matches!(ends(b"{a}"), Ends::Wrong(1)));
    }
}
