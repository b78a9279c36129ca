//! Lines of YAML: members of objects that are reasoning by their key, by a type or a flag beside them, or by the tags in
//! their text.

use super::Search;
use super::keys::{Duty, Vocabulary, is_flag, is_payload};
use super::members::{indent, next_line};
use super::named::{KEY, Look, Quoted, Until, is_part, weight};
use super::words::{Weight, is_content, is_prose};
use memchr::memchr;

/// The key and the value of a line that is a member of YAML, of a list or not.
pub(super) fn member(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let sign = memchr(b':', &line[..line.len().min(indent(line) + KEY + 8)])?;
    let key = line[..sign].trim_ascii_start();
    let key = key.strip_prefix(b"- ").unwrap_or(key).trim_ascii_start();
    let word = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-');
    let value = &line[sign + 1..];
    let parted = value.is_empty() || value[0].is_ascii_whitespace();
    let camel = key.first().is_some_and(|b| !b.is_ascii_uppercase());
    (parted && camel && key.iter().all(word)).then_some((key, value))
}

/// Whether a value of YAML says that its text stands in the lines below.
pub(super) fn is_block_header(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    matches!(value.first(), Some(b'|' | b'>')) && value[1..].iter().all(|b| b"+-0123456789".contains(b))
}

/// What the lines of an object of YAML say of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MemberLines {
    /// The last line was a member.
    after_member: bool,
    /// It is reasoning by one of its members so far: the column of these.
    reasoning: Option<usize>,
}

/// The most lines from a text of YAML to the member that says what it is.
const MAX_MEMBER_LINES: usize = 8;

impl MemberLines {
    /// Moves on behind a line that is not blank. One that is no member, and stands no deeper, ends the object.
    pub fn pass(&mut self, line: &[u8]) {
        let member = member(line);
        self.after_member = member.is_some();
        let says = member.filter(|member| says_reasoning(*member)).map(|member| column(line, member));
        let goes_on = |columns: &usize| indent(line) > *columns || indent(line) == *columns && self.after_member;
        self.reasoning = says.or(self.reasoning.filter(goes_on));
    }

    /// Whether the object so far is reasoning by one of its members.
    pub fn is_reasoning(&self) -> bool {
        self.reasoning.is_some()
    }

    /// Whether a line is a member of YAML that may be reasoning.
    pub fn look(&self, line: &[u8], rest: &[u8], last: bool) -> Look {
        let Some((key, value)) = member(line) else { return Look::Nothing };
        let (value, at) = (value.trim_ascii(), column(line, (key, value)));
        let Ok(name) = std::str::from_utf8(key) else { return Look::Nothing };
        let mut payload = Vocabulary::get().facts(name).payload;
        if payload && !self.holds(line, at) && weight(key).is_none() && !value.is_empty() {
            // What it is may be said below.
            let Some(says) = says_below(rest, at, last) else { return Look::Open };
            payload = says;
        } else {
            payload &= self.holds(line, at);
        }
        let weight = if payload { Some(Weight::Sure) } else { weight(key) };
        let Some(weight) = weight else { return Look::Nothing };
        let found = Quoted { at, key: name.into(), end: line.len(), until: Until::Indent(at) };
        let sure = weight == Weight::Sure;
        match value.first() {
            Some(b'|' | b'>') if is_block_header(value) => Look::Found(found),
            // The text begins with an empty line.
            Some(b'"' | b'\'') if value.len() == 1 => match next_line(rest, last) {
                None => Look::Open,
                Some(below) if is_prose(below.trim_ascii(), if sure { 2 } else { 4 }) => Look::Found(found),
                Some(_) => Look::Nothing,
            },
            Some(b'"' | b'\'') => {
                let text = std::str::from_utf8(within_quotes(value)).unwrap_or_default();
                match (sure || !is_code(value)) && is_content(weight, text) {
                    true => Look::Found(found),
                    false => Look::Nothing,
                }
            }
            // The value stands in the lines below.
            None => {
                let Some(below) = next_line(rest, last) else { return Look::Open };
                let deeper = indent(below) > at || below.trim_ascii_start().starts_with(b"- ");
                match deeper && (sure && !below.trim_ascii().ends_with(b"{") || is_prose(below.trim_ascii(), 4)) {
                    true => Look::Found(found),
                    false => Look::Nothing,
                }
            }
            Some(_) if sure && is_prose(value, 2) => Look::Found(found),
            Some(_) if is_prose(value, 4) => match self.after_member {
                true => Look::Found(found),
                false => match next_line(rest, last) {
                    None => Look::Open,
                    Some(below) if member(below).is_some() => Look::Found(found),
                    Some(_) => Look::Nothing,
                },
            },
            Some(_) => Look::Nothing,
        }
    }

    /// Whether a member in this column is one of that object. A line that begins an element of a list begins another.
    fn holds(&self, line: &[u8], column: usize) -> bool {
        self.reasoning == Some(column) && indent(line) == column
    }
}

/// The column in which the key of a member stands.
fn column(line: &[u8], (key, _): (&[u8], &[u8])) -> usize {
    key.as_ptr() as usize - line.as_ptr() as usize
}

/// Whether the lines below say that the object whose members stand in this column is reasoning. None if they have not come.
fn says_below(rest: &[u8], column: usize, last: bool) -> Option<bool> {
    let mut lines = rest.split_inclusive(|b| *b == b'\n').filter(|line| !line.trim_ascii().is_empty());
    for _ in 0..MAX_MEMBER_LINES {
        let Some(line) = lines.next() else { return last.then_some(false) };
        if !last && !line.ends_with(b"\n") {
            return None;
        }
        match (indent(line), member(line)) {
            (own, Some(found)) if own == column && !line.trim_ascii_start().starts_with(b"- ") => {
                if says_reasoning(found) {
                    return Some(true);
                }
            }
            (own, _) if own > column => (),
            _ => return Some(false),
        }
    }
    Some(false)
}

/// Whether a member of YAML says that what stands beside it is reasoning.
fn says_reasoning((key, value): (&[u8], &[u8])) -> bool {
    let word = within_quotes(value.trim_ascii());
    (is_part(key, Duty::Kind) || is_part(key, Duty::Role)) && Vocabulary::get().is_kind(word)
        || std::str::from_utf8(key).is_ok_and(is_flag) && word == b"true"
}

/// A value without its quotes. The text of one that goes on in the next lines has the first only.
fn within_quotes(value: &[u8]) -> &[u8] {
    match value {
        [quote @ (b'"' | b'\''), inner @ ..] => inner.strip_suffix(&[*quote]).unwrap_or(inner),
        value => value,
    }
}

/// Whether a value in quotes is code, and no YAML: something stands behind its quotes.
fn is_code(value: &[u8]) -> bool {
    matches!(value.last(), Some(b',' | b';' | b'{' | b'(' | b')'))
}

/// How far a line must be indented to be code in Markdown, where tags are mentions.
const CODE: usize = 4;

/// Whether a member of YAML has a text with tags, which would be a mention in quotes or so far indented.
pub(super) fn tagged(line: &[u8], rest: &[u8], last: bool, search: &Search) -> Look {
    let Some((key, value)) = member(line).filter(|(key, _)| is_payload(key)) else { return Look::Nothing };
    let (value, at) = (value.trim_ascii(), column(line, (key, value)));
    let is_tagged = match value.first() {
        Some(b'|' | b'>') if is_block_header(value) => {
            let Some(below) = next_line(rest, last) else { return Look::Open };
            indent(below) >= CODE && indent(below) > at && search.opens(below)
        }
        Some(quote @ (b'"' | b'\'')) => !is_code(value) && search.is_tagged_in_quotes(within_quotes(value), *quote),
        _ => false,
    };
    let key = String::from_utf8_lossy(key).into_owned();
    match is_tagged {
        true => Look::Found(Quoted { at, key, end: line.len(), until: Until::Indent(at) }),
        false => Look::Nothing,
    }
}
