//! Lines that are neither JSON nor have a quoted key, and may still say that a text is reasoning: logs of
//! `key=value`, objects that a program prints, SQL, XML.

use super::coded::coded;
use super::named::{KEY, Quoted, Until, weight};
use super::pairs::{is_key, is_spoken, pair};
use super::words::{BEGINNINGS, Weight, is_content};
use crate::inline::TAGS;
use crate::json::text::end_of_string;
use memchr::{memchr, memmem};
use std::borrow::Cow;

/// A line of a stream with codes, or a pair in a log of `key=value` whose value is a text in quotes.
pub(super) fn pairs(line: &[u8]) -> Option<Quoted> {
    if let Some(code) = coded(line) {
        let key = String::from_utf8_lossy(code).into_owned();
        return Some(Quoted { at: 0, key, end: line.len(), until: Until::Line });
    }
    let log = line.trim_ascii_start();
    let first = log.iter().take_while(|b| is_key(**b)).count();
    let begins = first > 0 && log.get(first) == Some(&b'=') && !log[..first].iter().any(u8::is_ascii_uppercase);
    begins.then(|| pair(line)).flatten()
}

/// An element of XML with the name of a key that has no other use, or a statement of SQL that puts something in a column
/// of that name.
pub(super) fn statement(line: &[u8], inside: bool) -> Option<Quoted> {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let found = |at: usize, name: &[u8], until| {
        let key = String::from_utf8_lossy(name).into_owned();
        Some(Quoted { at, key, end: line.len(), until })
    };
    for open in memchr::memchr_iter(b'<', line) {
        let name = &line[open + 1..line.len().min(open + 1 + KEY)];
        let name = &name[..name.iter().take_while(|b| word(b)).count()];
        let inner = &line[open + 1 + name.len()..];
        if !is_element(name) || inner.first() != Some(&b'>') {
            continue;
        }
        let close = [b"</", name, b">"].concat();
        if !inner[1..].trim_ascii().starts_with(&close) {
            let until = if memmem::find(inner, &close).is_some() { Until::Line } else { Until::Text(close) };
            return found(open, name, until);
        }
    }
    let columns = memchr(b'(', line).filter(|_| !inside && is_insert(line))?;
    let list = &line[columns + 1..];
    let list = &list[..memchr(b')', list)?];
    let mut names = list.split(|b| *b == b',').map(|name| name.trim_ascii().trim_ascii_end());
    let quotes = |b: &u8| matches!(b, b'"' | b'`' | b'[' | b']');
    let name = names.find_map(|name| {
        let end = name.len() - usize::from(name.last().is_some_and(quotes));
        let name = &name[usize::from(name.first().is_some_and(quotes)).min(end)..end];
        weight(name).is_some().then_some(name)
    })?;
    found(columns + 1, name, if line.trim_ascii().ends_with(b";") { Until::Line } else { Until::Text(b";".to_vec()) })
}

/// An argument of an object as a program prints it: `name='text'`, behind a bracket or a comma.
pub(super) struct Argument<'t> {
    /// Where its name begins.
    pub at: usize,
    pub name: &'t [u8],
    /// Where its text begins.
    pub from: usize,
    /// The quote around its text, and where the text ends. None of a value without quotes.
    pub quoted: Option<(u8, usize)>,
}

impl<'t> Argument<'t> {
    /// The argument whose sign of equality stands at an offset.
    pub fn at(text: &'t [u8], sign: usize) -> Option<Self> {
        let name = word_before(text, sign);
        let at = sign - name.len();
        let before = text[..at].iter().rev().find(|b| !b.is_ascii_whitespace());
        let quote = text.get(sign + 1).copied().filter(|b| matches!(b, b'"' | b'\''));
        // Three quotes stand around a text of several lines.
        let long = quote.map(|quote| [quote; 3]).filter(|quotes| text[sign + 1..].starts_with(quotes));
        let from = sign + if long.is_some() { 4 } else { 2 };
        let end = |quote| match long {
            Some(quotes) => memmem::find(&text[from..], &quotes).map_or(text.len(), |len| from + len),
            None => end_of_string(text, from, quote),
        };
        let quoted = quote.map(|quote| (quote, end(quote)));
        (!name.is_empty() && matches!(before, Some(b'(' | b','))).then_some(Self { at, name, from, quoted })
    }

    /// Its text. Empty without quotes.
    pub fn value(&self, text: &'t [u8]) -> Cow<'t, str> {
        let end = self.quoted.map_or(0, |(_, end)| end);
        String::from_utf8_lossy(text.get(self.from..end).unwrap_or_default())
    }

    /// Whether its text is reasoning by its name.
    pub fn is_reasoning(&self, text: &[u8]) -> bool {
        let (weight, value) = (weight(self.name), self.value(text));
        weight.is_some_and(|weight| is_content(weight, &value) || is_spoken(text, self.at, weight, value.as_bytes()))
    }
}

/// The name that ends at an offset.
pub(super) fn word_before(text: &[u8], end: usize) -> &[u8] {
    let is_word = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
    &text[end - text[..end].iter().rev().take(KEY).take_while(is_word).count()..end]
}

/// An argument whose name begins with a word for reasoning, and whose value is a text in quotes, as a program prints an object:
/// `Block(thinking='…')`.
pub(super) fn argument(line: &[u8]) -> Option<Quoted> {
    for sign in memchr::memchr_iter(b'=', line) {
        let Some(found) = Argument::at(line, sign) else { continue };
        let Some((quote, end)) = found.quoted else { continue };
        if BEGINNINGS.iter().any(|first| found.name.starts_with(first)) && found.is_reasoning(line) {
            let until = if end < line.len() { Until::Line } else { Until::Text(vec![quote]) };
            let key = String::from_utf8_lossy(found.name).into_owned();
            return Some(Quoted { at: found.at, key, end: line.len(), until });
        }
    }
    None
}

/// Whether a line begins a statement that puts something in a table.
pub(super) fn is_insert(line: &[u8]) -> bool {
    let start = line.trim_ascii_start();
    INSERT.iter().any(|word| start.starts_with(word))
}

/// The first line of a text that is not blank. None if it has not come.
pub(super) fn next_line(rest: &[u8], last: bool) -> Option<&[u8]> {
    let mut lines = rest.split_inclusive(|b| *b == b'\n');
    let line = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
    (last || line.ends_with(b"\n")).then_some(line)
}

/// How many blanks a line begins with.
pub(in crate::dialect) fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// The first word of a statement that puts something in a table.
pub(super) const INSERT: [&[u8]; 2] = [b"INSERT", b"insert"];

/// Whether an element of XML has the name of a key without another use. A name of one word is a tag, and so are some of several.
pub(super) fn is_element(name: &[u8]) -> bool {
    let tag = || TAGS.iter().any(|row| row.word && row.element().0.as_bytes() == name);
    // The table is asked last: most names are of one word.
    name.iter().any(|b| !b.is_ascii_lowercase()) && weight(name) == Some(Weight::Sure) && !tag()
}
