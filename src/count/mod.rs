//! Counts the tokens of a text: an estimate by length or by words, or the exact count of a vocabulary.
//!
//! The exact counts are those of tiktoken's `encode_ordinary`: special tokens in the text count as plain text. An
//! unpaired half of a surrogate pair counts as U+FFFD there, as one UTF-16 unit in `chars4`, and as part of a word.

mod bpe;
mod class;
mod pattern;
mod words;

use crate::json::text;
use bpe::Bpe;
use std::fmt;
use std::str::FromStr;
use words::Words;

/// A method of counting tokens.
///
/// ```
/// use unthink::{Method, TokensOptions, tokens};
///
/// for method in Method::ALL {
///     let done = tokens(b"Rain by noon.", &TokensOptions::default().method(method))?;
///     assert!(done.report.total.raw() >= 3, "{}, {}", method.name(), method.about());
/// }
/// assert_eq!("cl100k".parse(), Ok(Method::Cl100k));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// A quarter of the UTF-16 code units, rounded up for each block.
    #[default]
    Chars4,
    /// Words: stretches between white space (Unicode's `White_Space`).
    Words,
    /// Tokens of the vocabulary `o200k_base`.
    O200k,
    /// Tokens of the vocabulary `cl100k_base`.
    Cl100k,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 4] = [Method::Chars4, Method::Words, Method::O200k, Method::Cl100k];

    /// The name on the command line and in every output.
    pub fn name(self) -> &'static str {
        match self {
            Method::Chars4 => "chars4",
            Method::Words => "words",
            Method::O200k => "o200k",
            Method::Cl100k => "cl100k",
        }
    }

    /// What it counts, in one line.
    pub fn about(self) -> &'static str {
        match self {
            Method::Chars4 => "A quarter of the UTF-16 code units of each block, rounded up",
            Method::Words => "Words between white space",
            Method::O200k => "The vocabulary o200k_base, exactly",
            Method::Cl100k => "The vocabulary cl100k_base, exactly",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        Self::ALL.into_iter().find(|m| m.name() == name).ok_or(UnknownMethod)
    }
}

/// The error for a name that no method has.
///
/// ```
/// use unthink::{Method, UnknownMethod};
///
/// let error: UnknownMethod = "chars".parse::<Method>().unwrap_err();
/// assert!(error.to_string().contains("chars4"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMethod;

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a method of counting tokens; there are {}", Method::ALL.map(Method::name).join(", "))
    }
}

impl std::error::Error for UnknownMethod {}

/// Counts the tokens of a text by a vocabulary of the user's.
pub type Given = Box<dyn Fn(&str) -> u64>;

/// Counts texts by one method.
pub struct Counter {
    method: Method,
    /// The user's own way to count, in place of the method.
    given: Option<Given>,
    /// The vocabulary, loaded for the first text.
    vocabulary: Option<Box<Bpe>>,
    /// Memory for the decoded text of a literal.
    scratch: Vec<u8>,
}

impl Counter {
    /// A counter. A vocabulary is loaded only when the first text is counted.
    pub fn new(method: Method) -> Self {
        Self { method, given: None, vocabulary: None, scratch: Vec::new() }
    }

    /// A counter by a vocabulary of the user's, which gets whole blocks.
    #[cfg(feature = "cli")]
    pub fn given(given: Given) -> Self {
        Self { given: Some(given), ..Self::new(Method::default()) }
    }

    /// Counts a block of text, in UTF-8 or WTF-8.
    pub fn text(&mut self, text: &[u8]) -> u64 {
        if let Some(given) = &self.given {
            return given(&text::utf8(text));
        }
        match self.method {
            Method::Chars4 => estimate(text),
            Method::Words => Words::default().push(text).end(),
            Method::O200k => self.vocabulary.get_or_insert_with(|| Box::new(Bpe::o200k())).count(&text::utf8(text)),
            Method::Cl100k => self.vocabulary.get_or_insert_with(|| Box::new(Bpe::cl100k())).count(&text::utf8(text)),
        }
    }

    /// Counts the text of `raw`, the inside of a valid JSON string literal. `escaped`: it may contain escapes.
    pub fn literal(&mut self, raw: &[u8], escaped: bool) -> u64 {
        if !escaped {
            return self.text(raw);
        }
        if self.method == Method::Chars4 && self.given.is_none() {
            return quarter(text::utf16_len_raw(raw));
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        text::decode(raw, &mut scratch);
        let count = self.text(&scratch);
        self.scratch = scratch;
        count
    }
}

/// The estimate for a text by its length: a quarter of its UTF-16 code units, rounded up. The text is UTF-8 or WTF-8.
pub fn estimate(text: impl AsRef<[u8]>) -> u64 {
    quarter(text::utf16_len(text))
}

fn quarter(units: usize) -> u64 {
    units.div_ceil(4) as u64
}

/// The same estimate for a text that comes in pieces of whole characters, without white space at its ends.
#[derive(Clone, Copy, Debug, Default)]
#[cfg(feature = "cli")]
pub struct Trimmed {
    /// UTF-16 code units of the text so far, without white space at its ends.
    units: usize,
    /// UTF-16 code units of white space at its end.
    blank: usize,
}

#[cfg(feature = "cli")]
impl Trimmed {
    /// Adds text.
    pub fn push(&mut self, text: &str) {
        let solid = text.trim_end();
        if solid.is_empty() {
            self.blank += if self.units > 0 { text::utf16_len(text) } else { 0 };
            return;
        }
        let first = if self.units == 0 { solid.trim_start() } else { solid };
        self.units += std::mem::take(&mut self.blank) + text::utf16_len(first);
        self.blank = text::utf16_len(&text[solid.len()..]);
    }

    /// The estimate for the text so far.
    pub fn tokens(&self) -> u64 {
        quarter(self.units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert_eq!("gpt2".parse::<Method>().unwrap_err().to_string().split(' ').next_back(), Some("cl100k"));
    }

    #[test]
    fn counts() {
        for (text, want) in [
            ("", [0, 0, 0, 0]),
            ("a", [1, 1, 1, 1]),
            ("hello world", [3, 2, 2, 2]),
            ("<|endoftext|>", [4, 1, 7, 7]),
            ("😀😀", [1, 1, 2, 4]),
        ] {
            assert_eq!(Method::ALL.map(|m| Counter::new(m).text(text.as_bytes())), want, "{text}");
        }
    }

    #[test]
    fn no_text_takes_long() {
        let n = 1 << 20;
        let letters = |i: u32| char::from(b'a' + (i.wrapping_mul(2_654_435_761) >> 13) as u8 % 26);
        for (name, text, want) in [
            ("letter", "a".repeat(n), 131_072),
            ("capital", "A".repeat(n), 131_072),
            ("space", " ".repeat(n), 8_192),
            ("line end", "\n".repeat(n), 65_536),
            ("punctuation", "!".repeat(n), 65_536),
            ("letters", (0..n as u32).map(letters).collect(), 574_195),
            ("marks", "\u{301}".repeat(n / 2), 524_288),
        ] {
            let start = std::time::Instant::now();
            assert_eq!(Counter::new(Method::O200k).text(text.as_bytes()), want, "{name}");
            assert!(start.elapsed().as_secs() < 10, "{name} took {:?}", start.elapsed());
        }
    }

    fn literals() -> impl Strategy<Value = Vec<String>> {
        let part = prop::sample::select(vec![
            r"\n",
            r"\\",
            r#"\""#,
            r"\u00e9",
            r"\u0020",
            r"\u00a0",
            r"\u2003",
            r"\ud83d",
            r"\ude00",
            r"\ud83d\ude00",
            "a",
            "B",
            "é",
            "文",
            "😀",
            " ",
            "\u{3000}",
            "\u{85}",
            "'s",
            "'LL",
            "12345",
            "/",
            "word",
            "0123456789abcdef",
        ]);
        prop::collection::vec(prop::collection::vec(part, 0..30).prop_map(|p| p.concat()), 0..6)
    }

    #[test]
    fn pieces_without_white_space_at_the_ends() {
        for text in ["", " \n", " a", "ab  cd \n", "\u{a0}𝒳 y\u{3000}", "a b c d e f"] {
            for n in 1..4 {
                let chars: Vec<char> = text.chars().collect();
                let mut all = Trimmed::default();
                chars.chunks(n).for_each(|piece| all.push(&piece.iter().collect::<String>()));
                assert_eq!(all.tokens(), estimate(text.trim()), "{text:?} in pieces of {n}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_literal_counts_as_its_text(raws in literals()) {
            for method in Method::ALL {
                let mut counter = Counter::new(method);
                for raw in &raws {
                    let mut text = Vec::new();
                    text::decode(raw.as_bytes(), &mut text);
                    prop_assert_eq!(counter.literal(raw.as_bytes(), true), counter.text(&text));
                }
            }
        }

        #[test]
        fn words_are_those_of_the_language(text in r"(?s)[a \t\n\u{85}\u{a0}\u{1680}\u{2000}-\u{2030}\u{205f}\u{3000}\u{e9}\u{6587}\u{1f600}]{0,200}") {
            let want = text.split_whitespace().count() as u64;
            prop_assert_eq!(Counter::new(Method::Words).text(text.as_bytes()), want);
        }
    }
}
