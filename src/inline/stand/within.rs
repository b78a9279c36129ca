//! Delimiters in a quotation or in code, with other text.

use super::{Around, closing, ends_sentence};

/// How patterns go on behind a tag: what a search for reasoning looks for.
const PATTERNS: [&[u8]; 9] = [b"[\\s\\S]", b"[^<]", b".*?", b".+?", b"(.*", b"(.+", b"([\\s\\S]", b"([^<]", b"(?:"];

impl Around<'_> {
    /// Whether the delimiter stands within a line, in a quotation or a code span that ends behind it on its line. `None` if the text
    /// behind it must come first.
    pub fn is_within_quotes(&mut self) -> Option<bool> {
        let first = self.text[self.at.0..].first().map_or('<', |b| *b as char);
        let quote = self.line.quotes(first).last().copied();
        let ticks = self.line.ticks();
        if quote.is_none() && ticks.is_none() {
            return Some(false);
        }
        let (rest, whole) = self.rest_of_line();
        // With nothing behind it on its line, it is where reasoning ends.
        if rest.trim_ascii().is_empty() {
            return whole.then_some(false);
        }
        let quoted = quote.is_some_and(|quote| closing(rest, quote, whole).is_some());
        // A run at the end of what has come may grow.
        let known = if whole { rest.len() } else { rest.iter().rposition(|b| *b != b'`').map_or(0, |at| at + 1) };
        let spanned = ticks.is_some_and(|ticks| ends_span(&rest[..known], ticks));
        (quoted || spanned || whole).then_some(quoted || spanned)
    }

    /// Whether quotation marks or ticks stand directly on both sides, around it.
    pub(super) fn is_between_quotes(&self) -> Option<bool> {
        if !self.line.last()[0].is_some_and(is_quote) {
            return Some(false);
        }
        match self.ahead() {
            [] => self.eof.then_some(false),
            ahead => Some(is_quote(self.char_at(ahead)?) && !self.parts_quotations()?),
        }
    }

    /// Whether one quotation ends right before it, and another one begins right behind it. `None` if the text behind it must come
    /// first.
    pub(super) fn parts_quotations(&self) -> Option<bool> {
        let ends = match self.line.last() {
            [Some(last), Some(before), _] => is_quote(last) && (before.is_alphanumeric() || ends_sentence(before)),
            _ => false,
        };
        if !ends {
            return Some(false);
        }
        let ahead = match self.ahead() {
            [] => return self.eof.then_some(false),
            ahead => ahead,
        };
        let next = self.char_at(ahead)?;
        match &ahead[next.len_utf8().min(ahead.len())..] {
            _ if !is_quote(next) => Some(false),
            [] => self.eof.then_some(false),
            behind => Some(self.char_at(behind)?.is_alphanumeric()),
        }
    }

    /// Whether a pattern stands behind the delimiter, without a closing one on the line. `None` if the text behind it must come
    /// first.
    pub(super) fn is_pattern(&self) -> Option<bool> {
        let ahead = self.ahead();
        if !PATTERNS.iter().any(|pattern| ahead.starts_with(pattern)) {
            let begun = |pattern: &&[u8]| pattern.starts_with(ahead) && !self.eof;
            return (!PATTERNS.iter().any(begun)).then_some(false);
        }
        let (rest, whole) = self.rest_of_line();
        match memchr::memmem::find(rest, b"</") {
            Some(_) => Some(false),
            None => whole.then_some(true),
        }
    }
}

/// Whether a run of so many backticks stands in the rest of a line.
fn ends_span(rest: &[u8], ticks: usize) -> bool {
    let mut runs = rest.split(|b| *b != b'`').map(<[u8]>::len);
    runs.any(|run| run == ticks)
}

/// Whether a character is a quotation mark, or a backtick.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '「' | '」' | '『' | '』')
}
