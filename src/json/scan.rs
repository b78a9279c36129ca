//! A validating pull scanner: one pass, no tree, no recursion, nesting limited by memory at one bit a level.
//!
//! It accepts exactly the grammar of RFC 8259, with any number spelling and unpaired surrogate escapes, which the
//! grammar allows. UTF-8 is checked by [`Scanner::new`], in one sweep, before any token is looked at.

mod steps;

use super::string;
use super::text::{Needle, decoded};
use crate::error::{Error, ErrorKind};
use std::borrow::Cow;

/// The inside of a string literal: the bytes between its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    /// First byte after the opening quote.
    pub start: usize,
    /// The closing quote.
    pub end: usize,
    /// Whether it has a backslash, so that the raw bytes are not the text.
    pub escaped: bool,
}

impl Literal {
    /// The raw bytes between the quotes.
    #[inline]
    pub fn raw(self, text: &[u8]) -> &[u8] {
        &text[self.start..self.end]
    }

    /// The decoded text.
    pub fn decoded(self, text: &[u8]) -> Cow<'_, [u8]> {
        match self.escaped {
            true => Cow::Owned(decoded(self.raw(text))),
            false => Cow::Borrowed(self.raw(text)),
        }
    }

    /// Whether the decoded text equals `word`.
    #[inline]
    pub fn is(self, text: &[u8], word: &str) -> bool {
        let raw = self.raw(text);
        raw == word.as_bytes() || self.escaped && decoded(raw) == word.as_bytes()
    }
}

/// Whether any object in a value has this key.
pub fn has_key(value: &[u8], key: &Needle) -> bool {
    let mut s = Scanner::within(value, 0);
    let mut tokens = std::iter::from_fn(|| s.token().ok().filter(|token| *token != Token::End));
    let is_it = |token| matches!(token, Token::Key(found) if found.is(value, key.word()));
    key.may_be_in(value) && tokens.any(is_it)
}

/// A token that was scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// The key of a member; its value comes next.
    Key(Literal),
    /// A string value.
    String(Literal),
    /// A number, in any spelling.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// The value and the text are complete.
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    KeyOrEnd,
    CommaOrEnd,
    Nothing,
}

/// One bit a level: set for an object, clear for an array.
#[derive(Default)]
struct Nest {
    /// The bits of the first levels. Most values have no others, so that a scanner needs no memory of its own.
    first: u64,
    /// Those of the next levels.
    more: Vec<u64>,
    depth: usize,
}

impl Nest {
    fn push(&mut self, object: bool) {
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word > self.more.len() {
            self.more.push(0);
        }
        let bits = if word == 0 { &mut self.first } else { &mut self.more[word - 1] };
        *bits = *bits & !(1 << bit) | u64::from(object) << bit;
        self.depth += 1;
    }

    fn pop(&mut self) {
        self.depth -= 1;
    }

    fn in_object(&self) -> bool {
        let Some(last) = self.depth.checked_sub(1) else { return false };
        let bits = if last < 64 { self.first } else { self.more[last / 64 - 1] };
        bits >> (last % 64) & 1 == 1
    }
}

/// The scanner. ADVICE: `at` always stands right after the last token; `from` at its first byte.
pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    from: usize,
    nest: Nest,
    expect: Expect,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of `text`, which should contain one value and white space.
    ///
    /// # Errors
    /// When `text` is not UTF-8; the offset is that of the first wrong byte.
    pub fn new(text: &'a [u8]) -> Result<Self, Error> {
        if simdutf8::basic::from_utf8(text).is_err() {
            return Err(not_utf8(text));
        }
        Ok(Self { text, at: 0, from: 0, nest: Nest::default(), expect: Expect::Value })
    }

    /// The text that is scanned.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The offset right behind the last token.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The offset of the first byte of the last token; of a string, its opening quote.
    pub fn from(&self) -> usize {
        self.from
    }

    /// A scanner for the one value that begins at `at` in a text that was scanned before.
    pub fn within(text: &'a [u8], at: usize) -> Self {
        Self { text, at, from: at, nest: Nest::default(), expect: Expect::Value }
    }

    /// Where the next value begins.
    #[inline]
    pub fn next_value(&self) -> usize {
        let blank = self.text[self.at..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.at + blank
    }

    /// How many arrays and objects are open.
    pub fn depth(&self) -> usize {
        self.nest.depth
    }

    /// The next token.
    ///
    /// # Errors
    /// When the text leaves the grammar, at the first byte that does.
    #[inline]
    pub fn token(&mut self) -> Result<Token, Error> {
        let mut byte = self.blank()?;
        if self.expect == Expect::CommaOrEnd {
            if byte != b',' {
                return self.close(byte);
            }
            self.at += 1;
            byte = self.blank()?;
            if self.nest.in_object() {
                return self.key(byte);
            }
            self.expect = Expect::Value;
        }
        match self.expect {
            Expect::KeyOrEnd if byte == b'}' => self.close(byte),
            Expect::KeyOrEnd => self.key(byte),
            Expect::ValueOrEnd if byte == b']' => self.close(byte),
            Expect::Nothing if byte == 0 && self.at == self.text.len() => Ok(Token::End),
            Expect::Nothing => Err(self.wrong(self.at, self.behind())),
            _ => self.value(byte),
        }
    }

    /// The next byte that is not white space, without moving over it; 0 if the text may end here.
    #[inline]
    fn blank(&mut self) -> Result<u8, Error> {
        loop {
            match self.text.get(self.at) {
                Some(&b) if b > b' ' => return Ok(b),
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(0) => return Err(self.wrong(self.at, "NUL bytes where a value should be (an interrupted write?)")),
                Some(_) => return Err(self.wrong(self.at, "a control character between values")),
                None if self.expect == Expect::Nothing => return Ok(0),
                None => return Err(Error::of(ErrorKind::CutOff, self.at, "the value is cut off")),
            }
        }
    }

    fn value(&mut self, byte: u8) -> Result<Token, Error> {
        self.from = self.at;
        let token = match byte {
            b'"' => Token::String(self.string()?),
            b'{' => return Ok(self.open(true)),
            b'[' => return Ok(self.open(false)),
            b'-' | b'0'..=b'9' => self.number()?,
            b't' => self.word(b"true", Token::True)?,
            b'f' => self.word(b"false", Token::False)?,
            b'n' => self.word(b"null", Token::Null)?,
            _ => return Err(self.wrong(self.at, unexpected(&self.text[self.at..]))),
        };
        self.after_value();
        Ok(token)
    }

    fn after_value(&mut self) {
        self.expect = if self.nest.depth == 0 { Expect::Nothing } else { Expect::CommaOrEnd };
    }

    fn open(&mut self, object: bool) -> Token {
        self.nest.push(object);
        self.at += 1;
        self.expect = if object { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
        if object { Token::ObjectStart } else { Token::ArrayStart }
    }

    fn close(&mut self, byte: u8) -> Result<Token, Error> {
        let object = self.nest.in_object();
        if byte != if object { b'}' } else { b']' } {
            let what = if object { "a comma or } is missing" } else { "a comma or ] is missing" };
            return Err(self.wrong(self.at, what));
        }
        self.from = self.at;
        self.at += 1;
        self.nest.pop();
        self.after_value();
        Ok(if object { Token::ObjectEnd } else { Token::ArrayEnd })
    }

    fn key(&mut self, byte: u8) -> Result<Token, Error> {
        self.from = self.at;
        if byte != b'"' {
            return Err(self.wrong(self.at, "a member's name is missing"));
        }
        let name = self.string()?;
        self.expect = Expect::Value;
        if self.blank()? != b':' {
            return Err(self.wrong(self.at, "a colon is missing"));
        }
        self.at += 1;
        Ok(Token::Key(name))
    }

    #[inline]
    fn string(&mut self) -> Result<Literal, Error> {
        let start = self.at + 1;
        let (end, escaped) = string::end(self.text, start)?;
        self.at = end + 1;
        Ok(Literal { start, end, escaped })
    }

    fn number(&mut self) -> Result<Token, Error> {
        let at = self.at + usize::from(self.text[self.at] == b'-');
        let mut end = self.digits(at)?;
        if self.text[at] == b'0' && end > at + 1 {
            return Err(self.wrong(at, "a number with a leading zero"));
        }
        if self.text.get(end) == Some(&b'.') {
            end = self.digits(end + 1)?;
        }
        if matches!(self.text.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.text.get(end + 1), Some(b'+' | b'-')));
            end = self.digits(end + 1 + sign)?;
        }
        self.at = end;
        Ok(Token::Number)
    }

    fn digits(&self, at: usize) -> Result<usize, Error> {
        let rest = self.text.get(at..).unwrap_or_default();
        let n = rest.iter().position(|b| !b.is_ascii_digit()).unwrap_or(rest.len());
        if n == 0 {
            return Err(self.wrong(at.min(self.text.len()), "a number without a digit where one must be"));
        }
        Ok(at + n)
    }

    fn word(&mut self, word: &[u8], token: Token) -> Result<Token, Error> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.wrong(self.at, unexpected(&self.text[self.at..])));
        }
        self.at += word.len();
        Ok(token)
    }

    /// The error for text behind a whole value.
    #[cold]
    fn behind(&self) -> &'static str {
        match self.text[..self.at].last() {
            Some(b'\r') => "text after the value, behind a CR (lines end with LF)",
            _ => "text after the value",
        }
    }

    #[cold]
    fn wrong(&self, offset: usize, what: &'static str) -> Error {
        Error::of(ErrorKind::Invalid, offset, what)
    }
}

/// Whether a text is UTF-8.
pub fn is_utf8(text: &[u8]) -> bool {
    simdutf8::basic::from_utf8(text).is_ok()
}

/// Checks that `text` is one JSON value.
///
/// # Errors
/// When it is not UTF-8 or not JSON.
pub fn validate(text: &[u8]) -> Result<(), Error> {
    let mut scanner = Scanner::new(text)?;
    while scanner.token()? != Token::End {}
    Ok(())
}

#[cold]
fn not_utf8(text: &[u8]) -> Error {
    let Err(e) = std::str::from_utf8(text) else {
        return Error::of(ErrorKind::NotUtf8, 0, "not UTF-8");
    };
    let at = e.valid_up_to();
    match text.get(at..at + 2) {
        _ if e.error_len().is_none() => Error::of(ErrorKind::CutOff, at, "the text is cut off inside a character"),
        Some([0xED, 0xA0..=0xBF]) => Error::of(ErrorKind::NotUtf8, at, "not UTF-8: an encoded surrogate"),
        _ => Error::of(ErrorKind::NotUtf8, at, "not UTF-8"),
    }
}

#[cold]
fn unexpected(rest: &[u8]) -> &'static str {
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    match rest {
        [b'N', b'a', b'N', ..] | [b'I', b'n', b'f', ..] => {
            "NaN and Infinity are not JSON (Python's json.dumps writes them unless allow_nan is False)"
        }
        [b'\'', ..] => "a string in single quotes is not JSON",
        [0xEF, 0xBB, 0xBF, ..] => "a byte order mark that is not at the start of the input",
        _ => "not a JSON value",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<String, usize> {
        let mut scanner = Scanner::new(text.as_bytes()).map_err(|e| e.offset)?;
        let mut out = String::new();
        loop {
            let c = match scanner.token().map_err(|e| e.offset)? {
                Token::ObjectStart => '{',
                Token::ObjectEnd => '}',
                Token::ArrayStart => '[',
                Token::ArrayEnd => ']',
                Token::Key(k) => {
                    if k.escaped {
                        'K'
                    } else {
                        'k'
                    }
                }
                Token::String(s) => {
                    if s.escaped {
                        'S'
                    } else {
                        's'
                    }
                }
                Token::Number => '1',
                Token::True => 't',
                Token::False => 'f',
                Token::Null => 'n',
                Token::End => return Ok(out),
            };
            out.push(c);
        }
    }

    #[test]
    fn accepts() {
        for (text, want) in [
            ("{}", "{}"),
            (" [ ] ", "[]"),
            (r#"{"a":1,"b":[true,false,null],"c":{"d":"x"}}"#, "{k1k[tfn]k{ks}}"),
            (r#""\u00e9\\\"/""#, "S"),
            (r#"{"\u0061":"\ud800"}"#, "{KS}"),
            ("-0", "1"),
            ("1E400", "1"),
            ("0.10e-07", "1"),
            ("[[[[]]],[]]", "[[[[]]][]]"),
            ("\"0123456789abcdef0123456789\\n0123456789abcdef\"", "S"),
        ] {
            assert_eq!(tokens(text), Ok(want.to_string()), "{text}");
        }
    }

    #[test]
    fn rejects_at_the_first_wrong_byte() {
        for (text, at) in [
            ("", 0),
            ("[1,]", 3),
            ("{\"a\":1,}", 7),
            ("[1 2]", 3),
            ("{\"a\" 1}", 5),
            ("{1:2}", 1),
            ("01", 0),
            ("1.", 2),
            ("1e+", 3),
            ("-", 1),
            ("nul", 0),
            ("NaN", 0),
            ("\"a\nb\"", 2),
            ("\"a", 2),
            ("\"\\x\"", 1),
            ("\"\\u12g4\"", 1),
            ("[}", 1),
            ("{]", 1),
            ("1 1", 2),
            ("\u{feff}1", 0),
            ("[\u{1}]", 1),
        ] {
            assert_eq!(tokens(text), Err(at), "{text:?}");
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let n = 100_000;
        let text = "[".repeat(n) + &"]".repeat(n);
        assert!(validate(text.as_bytes()).is_ok());
        assert!(validate("[{\"a\":".repeat(n).as_bytes()).is_err());
    }

    #[test]
    fn every_level_is_an_object_or_an_array() {
        for n in (1..5).chain(61..68).chain(125..132) {
            let value = |wrong: usize| {
                let (mut open, mut close) = (String::new(), String::new());
                for level in 0..n {
                    let object = level % 3 == 1;
                    open += if object { "{\"a\":" } else { "[" };
                    close.insert(0, if object != (level == wrong) { '}' } else { ']' });
                }
                open + "1" + &close
            };
            assert!(validate(value(n).as_bytes()).is_ok(), "{n}");
            for wrong in 0..n {
                assert!(validate(value(wrong).as_bytes()).is_err(), "{n} {wrong}");
            }
        }
    }

    #[test]
    fn utf8_is_checked() {
        assert_eq!(validate(b"\"\xff\"").map_err(|e| e.offset), Err(1));
        assert_eq!(validate(b"\"\xed\xa0\x80\"").map_err(|e| e.what), Err("not UTF-8: an encoded surrogate".into()));
        assert_eq!(validate(b"\"\xe2\x82").map_err(|e| e.what), Err("the text is cut off inside a character".into()));
    }

    /// The tokens of a text by [`Scanner::member`] and [`Scanner::element`], or where it is wrong.
    fn read(s: &mut Scanner<'_>, token: Token, out: &mut String) -> Result<(), usize> {
        let wrong = |e: Error| e.offset;
        match token {
            Token::ObjectStart => {
                while let Some((key, start, token)) = s.member().map_err(wrong)? {
                    assert_eq!(s.from(), start);
                    out.push_str(if key.escaped { "K" } else { "k" });
                    read(s, token, out)?;
                }
                out.push('}');
            }
            Token::ArrayStart => {
                while let Some(token) = s.element().map_err(wrong)? {
                    read(s, token, out)?;
                }
                out.push(']');
            }
            _ => out.push('v'),
        }
        Ok(())
    }

    #[test]
    fn members_and_elements() {
        for (text, want) in [
            (r#"{}"#, Ok("}E")),
            (r#" { "a" : 1 , "b\n":[ ] , "c":{"d":"x"} } "#, Ok("kvK]kkv}}E")),
            (r#"[1,[true,{}],"s\\",null]"#, Ok("v[v}]vv]E")),
            (r#"{"a" 1}"#, Err(5)),
            (r#"{"a":1 "b":2}"#, Err(7)),
            (r#"{"a":1,}"#, Err(7)),
            (r#"{"a":}"#, Err(5)),
            (r#"{"a":1]"#, Err(6)),
            (r#"[1 2]"#, Err(3)),
            (r#"[1,]"#, Err(3)),
            (r#"[1}"#, Err(2)),
            (r#"[1"#, Err(2)),
            (r#"{"a":[1}"#, Err(7)),
            (r#"{"a":1}x"#, Err(7)),
        ] {
            let found = || {
                let (mut s, mut out) = (Scanner::new(text.as_bytes()).map_err(|e| e.offset)?, String::new());
                let token = s.token().map_err(|e| e.offset)?;
                read(&mut s, token, &mut out)?;
                s.token().map_err(|e| e.offset)?;
                Ok(out + "E")
            };
            let want = want.map(|want: &str| want.replace('[', ""));
            assert_eq!(found(), want, "{text}");
            // Both ways find the same error.
            assert_eq!(found().err(), tokens(text).err(), "{text}");
        }
    }
}
