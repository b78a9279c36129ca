//! JSON whose quotes are written otherwise: escaped once more, doubled as in a table, as entities of XML, coloured, or as
//! Python and JavaScript write their values.

use super::is_kind;
use super::plain::sequence;
use crate::json::scan::validate;
use crate::json::text;
use memchr::memchr;

/// How the quotes of a value are written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dialect) enum Quotes {
    /// As in JSON.
    Bare,
    /// With a backslash, or more.
    Escaped,
    /// Two for one.
    Doubled,
    /// `&quot;`
    Entities,
    /// Between colours of a terminal.
    Coloured,
    /// Single quotes, or keys without quotes.
    Foreign,
}

/// The longest name of a value that is not printed, in bytes.
const MAX_PLACEHOLDER_BYTES: usize = 200;

/// How far behind a bracket its first quote may stand, in bytes.
const NEAR: usize = 512;

/// Names of characters in XML.
const ENTITIES: [(&[u8], u8); 12] = [
    (b"&quot;", b'"'),
    (b"&#34;", b'"'),
    (b"&#x22;", b'"'),
    (b"&#39;", b'\''),
    (b"&apos;", b'\''),
    (b"&#x27;", b'\''),
    (b"&lt;", b'<'),
    (b"&gt;", b'>'),
    (b"&#60;", b'<'),
    (b"&#62;", b'>'),
    (b"&#10;", b'\n'),
    (b"&amp;", b'&'),
];

impl Quotes {
    /// How the first quote behind brackets is written that a text begins with. None: no value begins there.
    pub fn first(text: &[u8]) -> Option<Self> {
        let (mut rest, mut coloured) = (&text[..text.len().min(NEAR)], false);
        let found = loop {
            rest = match rest {
                [b' ' | b'\t' | b'\r' | b'\n' | b'[' | b'{', more @ ..] => more,
                [b'"', b'"', b, ..] if is_word(*b) => break Quotes::Doubled,
                [b'"', ..] => break Quotes::Bare,
                [b'\'', b, ..] if is_word(*b) => break Quotes::Foreign,
                [b'\\', ..] => {
                    let behind = &rest[rest.iter().take_while(|b| **b == b'\\').count()..];
                    match behind {
                        [b'n' | b't' | b'r', more @ ..] => more,
                        [b'"' | b'\'', ..] | [b'u', b'0', b'0', b'2', b'2' | b'7', ..] => break Quotes::Escaped,
                        _ => return None,
                    }
                }
                [b'&', ..] => {
                    let quote = ENTITIES[..6].iter().any(|(name, _)| rest.starts_with(name));
                    return (quote || rest.starts_with(b"&amp;quot;")).then_some(Quotes::Entities);
                }
                [0x1B, ..] => {
                    coloured = true;
                    &rest[sequence(rest).min(rest.len())..]
                }
                [b, ..] if is_word(*b) && !b.is_ascii_digit() => {
                    let key = rest.iter().take_while(|b| is_word(**b)).count();
                    return (rest[key..].trim_ascii_start().first() == Some(&b':')).then_some(Quotes::Foreign);
                }
                _ => return None,
            }
        };
        Some(if coloured { Quotes::Coloured } else { found })
    }

    /// The text with the quotes of JSON. Code has none.
    pub fn decode(self, raw: &[u8]) -> Vec<u8> {
        match self {
            Quotes::Bare => raw.to_vec(),
            Quotes::Escaped => text::decoded(raw),
            Quotes::Doubled => replaced(raw, b'"', |rest| rest.starts_with(b"\"\"").then_some((b'"', 2))),
            Quotes::Entities => replaced(raw, b'&', |rest| {
                let (name, byte) = ENTITIES.iter().find(|(name, _)| rest.starts_with(name))?;
                Some((*byte, name.len()))
            }),
            Quotes::Coloured => {
                let (mut out, mut at) = (Vec::with_capacity(raw.len()), 0);
                while at < raw.len() {
                    match raw[at] {
                        0x1B => at += sequence(&raw[at..]),
                        byte => {
                            out.push(byte);
                            at += 1;
                        }
                    }
                }
                out
            }
            Quotes::Foreign => {
                LiteralReader { raw, at: 0, out: Vec::with_capacity(raw.len()), code: false, printed: false }.read()
            }
        }
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$')
}

/// A text with other bytes for what begins with `first`.
fn replaced(raw: &[u8], first: u8, other: impl Fn(&[u8]) -> Option<(u8, usize)>) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(raw.len()), 0);
    while let Some(n) = memchr::memchr(first, &raw[at..]) {
        out.extend_from_slice(&raw[at..at + n]);
        at += n;
        let (byte, len) = other(&raw[at..]).unwrap_or((first, 1));
        out.push(byte);
        at += len;
    }
    out.extend_from_slice(&raw[at..]);
    out
}

/// Reads literals of Python and JavaScript.
struct LiteralReader<'a> {
    raw: &'a [u8],
    at: usize,
    out: Vec<u8>,
    /// There are names of other values: it is code, and no data.
    code: bool,
    /// An object of a class was printed, whose arguments have names.
    printed: bool,
}

impl LiteralReader<'_> {
    fn read(mut self) -> Vec<u8> {
        while let Some(byte) = self.raw.get(self.at).copied() {
            match byte {
                b'"' | b'\'' | b'`' => self.string(byte),
                _ if byte.is_ascii_digit() => self.number(),
                _ if is_word(byte) => self.word(),
                b'<' | b'[' | b'.' if self.placeholder() => (),
                // Less than infinity.
                b'-' if self.raw.get(self.at + 1).is_some_and(u8::is_ascii_alphabetic) => self.at += 1,
                // A comma behind the last element.
                b',' if matches!(self.raw[self.at + 1..].trim_ascii_start().first(), Some(b'}' | b']' | b')')) => {
                    self.at += 1;
                }
                _ => {
                    let of_list = match byte {
                        b'(' => b'[',
                        b')' => b']',
                        other => other,
                    };
                    self.out.push(of_list);
                    self.at += 1;
                }
            }
        }
        if self.code { Vec::new() } else { self.out }
    }

    /// A number, in any notation: `5e-05`, `0x1F`, `1_000`.
    fn number(&mut self) {
        let rest = &self.raw[self.at..];
        let sign = |at: usize| matches!(rest[at], b'+' | b'-') && matches!(rest[at - 1], b'e' | b'E');
        let part = |at: &usize| is_word(rest[*at]) || rest[*at] == b'.' || *at > 0 && sign(*at);
        let len = (0..rest.len()).take_while(part).count();
        let number = &rest[..len];
        self.out.extend_from_slice(if validate(number).is_ok() { number } else { b"0" });
        self.at += len;
    }

    /// What stands for a value that is not printed: `<object at 0x7f>`, `[Object]`, `... 3000 more characters`. Returns whether
    /// there is one.
    fn placeholder(&mut self) -> bool {
        let rest = &self.raw[self.at..self.raw.len().min(self.at + MAX_PLACEHOLDER_BYTES)];
        let plain = |b: &u8| !matches!(b, b'"' | b',' | b'{' | b'}' | b'\n');
        let end = match rest {
            [b'<', b, ..] if b.is_ascii_alphabetic() => memchr(b'>', rest).map(|end| end + 1),
            [b'[', b, ..] if b.is_ascii_uppercase() => memchr(b']', rest).map(|end| end + 1),
            [b'.', b'.', b'.', ..] => {
                Some(rest.iter().take_while(|b| !matches!(b, b',' | b'}' | b']' | b'\n')).count())
            }
            _ => None,
        };
        let Some(end) = end.filter(|end| rest[..*end].iter().all(plain)) else { return false };
        // Behind a string, it says how much of it is missing.
        if rest[0] != b'.' {
            self.out.extend_from_slice(b"null");
        }
        self.at += end;
        true
    }

    /// A string. In JSON, single quotes are not escaped.
    fn string(&mut self, quote: u8) {
        self.at += 1;
        self.out.push(b'"');
        while let Some(byte) = self.raw.get(self.at).copied() {
            self.at += 1;
            match byte {
                b'\\' => {
                    let next = self.raw.get(self.at).copied();
                    self.at += 1;
                    match next {
                        Some(b'x') => self.out.extend_from_slice(b"\\u00"),
                        Some(next @ (b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u')) => {
                            self.out.extend_from_slice(&[b'\\', next]);
                        }
                        Some(next) => self.out.push(next),
                        None => (),
                    }
                }
                b'\n' if quote == b'`' => self.out.extend_from_slice(b"\\n"),
                // A string does not go over lines: this was none.
                b'\n' | b'\r' => {
                    self.at -= 1;
                    break;
                }
                byte if byte == quote => break,
                b'"' => self.out.extend_from_slice(b"\\\""),
                byte => self.out.push(byte),
            }
        }
        self.out.push(b'"');
        // The call of a method: `"…".into()`.
        self.code |= matches!(self.raw.get(self.at..), Some([b'.', next, ..]) if next.is_ascii_alphabetic());
    }

    /// A key, a constant, or what stands before a string: `b'…'`.
    fn word(&mut self) {
        let word = &self.raw[self.at..];
        let word = &word[..word.iter().take_while(|b| is_word(**b)).count()];
        self.at += word.len();
        let rest = &self.raw[self.at..];
        // An object of a class, or an optional value: `Some("…")`, `Part { … }`.
        let named = word[0].is_ascii_uppercase() && matches!(rest, [b'(' | b'{', ..] | [b' ', b'{', ..]);
        match word {
            // What the class says of an object is its type.
            _ if named && is_kind(word) && rest.trim_ascii_start().first() == Some(&b'{') => {
                self.at += rest.len() - rest.trim_ascii_start().len() + 1;
                self.out.extend_from_slice(b"{\"type\":\"reasoning\",");
            }
            _ if named => self.printed = true,
            // A named argument of such an object.
            _ if self.printed && matches!(rest, [b'=', b, ..] if *b != b'=') => self.at += 1,
            _ if word.len() <= 2 && matches!(rest.first(), Some(b'\'' | b'"')) => (),
            _ if rest.trim_ascii_start().first() == Some(&b':') => {
                self.out.push(b'"');
                self.out.extend_from_slice(word);
                self.out.push(b'"');
            }
            b"True" | b"true" => self.out.extend_from_slice(b"true"),
            b"False" | b"false" => self.out.extend_from_slice(b"false"),
            _ => {
                const NOTHING: [&[u8]; 7] = [b"None", b"null", b"undefined", b"NaN", b"Infinity", b"nan", b"inf"];
                // A call makes a value: `datetime(2026, 3, 1)`; an object may be printed with a name: `TzInfo(UTC)`.
                let value = matches!(rest.first(), Some(b'(' | b'.')) || self.printed && rest.first() == Some(&b')');
                self.code |= !NOTHING.contains(&word) && !value;
                self.out.extend_from_slice(b"null");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoded() {
        for (text, quotes, want) in [
            (r#"{"a":1}"#, Some(Quotes::Bare), r#"{"a":1}"#),
            (r#"[ [{"":1}"#, Some(Quotes::Bare), r#"[ [{"":1}"#),
            (r#"{\"a\":\"\\\"\"}"#, Some(Quotes::Escaped), r#"{"a":"\""}"#),
            (r#"{\n  \"a\":1}"#, Some(Quotes::Escaped), "{\n  \"a\":1}"),
            (r#"{\u0022a\u0022:1}"#, Some(Quotes::Escaped), r#"{"a":1}"#),
            (r#"{""a"":""""}"#, Some(Quotes::Doubled), r#"{"a":""}"#),
            ("{&quot;a&quot;:&#34;&lt;&amp;lt;&#34;}", Some(Quotes::Entities), r#"{"a":"<&lt;"}"#),
            ("\u{1b}[1;39m{\u{1b}[0m\n\u{1b}[34;1m\"a\"\u{1b}[0m:1}", Some(Quotes::Coloured), "{\n\"a\":1}"),
            (
                r#"{'a': True, 'b': "it's", 'c': 'say "x"', 'd': (1, None,)}"#,
                Some(Quotes::Foreign),
                r#"{"a": true, "b": "it's", "c": "say \"x\"", "d": [1, null]}"#,
            ),
            (
                r#"{ a: Some("b"), c: D { e: "f" }, g: h("i") }"#,
                Some(Quotes::Foreign),
                r#"{ "a": ["b"], "c":  { "e": "f" }, "g": null["i"] }"#,
            ),
            (
                r#"{ a: Thinking { text: "b" } }"#,
                Some(Quotes::Foreign),
                r#"{ "a": {"type":"reasoning", "text": "b" } }"#,
            ),
            (r#"{ a: Some("b".into()) }"#, Some(Quotes::Foreign), ""),
            (
                "{'a': 5e-05, 'b': 0x1F, 'c': [nan, -inf], 'd': 1_000, 'e': <X at 0x7f>, 'f': <class 'int'>}",
                Some(Quotes::Foreign),
                r#"{"a": 5e-05, "b": 0, "c": [null, null], "d": 0, "e": null, "f": null}"#,
            ),
            (
                "{ a: Usage(total=5, tz=TzInfo(UTC)), b: [Object], c: 'x'... 30 more characters, d: [] }",
                Some(Quotes::Foreign),
                r#"{ "a": [5, [null]], "b": null, "c": "x", "d": [] }"#,
            ),
            ("{ a: f(b=1) }", Some(Quotes::Foreign), ""),
            (r"{ a: 'b\'s\x41', c: b'd', }", Some(Quotes::Foreign), r#"{ "a": "b's\u0041", "c": "d" }"#),
            ("{ braces }", None, ""),
            ("{}", None, ""),
            ("[1, 2]", None, ""),
            ("{% if %}", None, ""),
        ] {
            let found = Quotes::first(text.as_bytes());
            assert_eq!(found, quotes, "{text}");
            if let Some(found) = found {
                assert_eq!(String::from_utf8_lossy(&found.decode(text.as_bytes())), want, "{text}");
            }
        }
    }
}
