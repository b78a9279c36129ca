//! Keys of the vocabulary in text that is no JSON by itself: JSON that was cut or escaped, rows of a table, YAML, logs of
//! `key=value`, SQL, XML (behaviour.md, section 3).
//!
//! A key counts if it is quoted, and a text, a list or an object follows. Keys without quotes count at the start of a
//! line, as in YAML, and in a line that is a log of `key=value`.

use super::Search;
use super::coded::may_be_coded;
use super::fields::{field, may_be_field};
use super::hold::free;
use super::keys::{Duty, Vocabulary, is_payload};
use super::members::{argument, indent, is_insert, next_line, pairs, statement};
use super::named::{KEY, Look, Quoted, Until, is_part, weight};
use super::plain::Plain;
use super::value::{bracket_end, end_of_line, typed};
use super::words::{Weight, is_content, is_switch, may_name_reasoning};
use super::yaml::{self, MemberLines, is_block_header, member};
use crate::dialect::line::LineSigns;
use memchr::{memchr, memchr_iter, memchr3_iter, memrchr};

/// Searches the first line of texts.
#[derive(Default)]
pub(in crate::dialect) struct Keys {
    plain: Plain,
    record: Vec<u8>,
    /// What the lines before say, if they are YAML.
    yaml: MemberLines,
    /// How many bytes of lists and objects were looked at for the current line.
    spent: usize,
}

/// The most bytes of a list or an object that are looked at, of all of them in one line, and of a text.
const REACH: usize = 64 * 1024;
const SPENT: usize = 1 << 20;
const VALUE: usize = 4096;

impl Keys {
    /// Whether a line may have a key of the vocabulary: a quick check before the exact one.
    pub fn may_match(line: &[u8], signs: LineSigns) -> bool {
        let payload = || member(line).is_some_and(|(key, _)| is_payload(key));
        let quoted = |colon: usize| match line[..colon] {
            [.., b'"' | b'\'' | b';'] => true,
            [.., before, b' '] => before == b'"',
            _ => false,
        };
        signs.has(LineSigns::COLON) && (memchr_iter(b':', line).any(quoted) || payload())
            || (signs.has(LineSigns::COLON | LineSigns::PAIR) || is_insert(line)) && may_name_reasoning(line)
            || may_be_coded(line)
    }

    /// Whether [`Keys::may_match`] may say so of a line in which no sign stands between a key and its value.
    pub fn may_be_without_signs(line: &[u8]) -> bool {
        is_insert(line) || may_be_coded(line)
    }

    /// Whether a text may have any word of the vocabulary: a quick check before an exact one.
    pub fn may_be_in(text: &[u8]) -> bool {
        may_name_reasoning(text) || Vocabulary::get().is_in(text)
    }

    /// Moves on behind a line that was searched.
    pub fn pass(&mut self, line: &[u8]) {
        if !line.trim_ascii().is_empty() {
            self.yaml.pass(line);
        }
    }

    /// Whether the lines before are an object of YAML that says that it is reasoning.
    pub fn after_kind(&self) -> bool {
        self.yaml.is_reasoning()
    }

    /// Searches the first line of a text, whose end stands at `line`. `given`: the two bytes before it, if it began before.
    /// `last`: no more of the text comes.
    pub fn look(
        &mut self,
        text: &[u8],
        (line, given): (usize, Option<[u8; 2]>),
        last: bool,
        search: &mut Search,
    ) -> Look {
        let inside = given.is_some();
        if !inside {
            let (line, rest) = text.split_at(line);
            if let Some(found) = pairs(line) {
                return Look::Found(found);
            }
            let look = match self.yaml.look(line, rest, last) {
                Look::Nothing => yaml::tagged(line, rest, last, search),
                look => look,
            };
            if look != Look::Nothing {
                return look;
            }
        }
        let mut plain = std::mem::take(&mut self.plain);
        plain.read(&text[..line]);
        // What was given out before the rest of the line came is not looked at, so that the answer does not depend on that.
        let held = match may_be_field(&plain.text) {
            true => plain.until(free(&text[..line], given)),
            false => plain.text.len(),
        };
        self.spent = 0;
        let mut reach = line;
        let mut found = self.quoted(&plain, (plain.text.len(), last && line == text.len()), (inside, held), search);
        for most in [1024, REACH] {
            if found != Look::Open || line == text.len() {
                break;
            }
            // The value goes on in the next lines.
            let first = plain.until(line);
            reach = text.len().min(line + most);
            plain.read(&text[..reach]);
            let all = last && reach == text.len() || reach == line + REACH;
            found = self.quoted(&plain, (first, all), (inside, held), search);
        }
        if let Look::Found(found) = &mut found {
            found.at = plain.raw(found.at);
            found.end = if found.end < plain.text.len() { plain.raw(found.end) } else { reach };
        }
        self.plain = plain;
        found
    }

    /// Searches the first `line` bytes for a quoted key, and those from `held` on for an object that a program has printed.
    /// `last`: what is there of a value is all.
    fn quoted(
        &mut self,
        plain: &Plain,
        (line, last): (usize, bool),
        (inside, held): (bool, usize),
        search: &mut Search,
    ) -> Look {
        let (text, mut open) = (&plain.text[..], false);
        for sign in memchr3_iter(b':', b'=', b'>', &text[..line]) {
            let Some(key) = QuotedKey::before(text, sign) else { continue };
            let look = match text[sign] {
                b'>' => key.element(text, sign, line),
                _ => self.value(&key, text, (sign, line, last), search),
            };
            match look {
                Look::Nothing => (),
                Look::Open => open = true,
                found => return found,
            }
        }
        let found = statement(&text[..line], inside).or_else(|| argument(&text[..line]));
        let printed = || field(&text[held.min(line)..line]).map(|found| found.behind(held));
        let found = found.or_else(printed);
        if let Some(found) = found {
            return Look::Found(found);
        }
        if open { Look::Open } else { Look::Nothing }
    }

    /// Whether the value behind the sign at `sign` may be reasoning.
    fn value(
        &mut self,
        key: &QuotedKey<'_>,
        text: &[u8],
        (sign, line, last): (usize, usize, bool),
        search: &mut Search,
    ) -> Look {
        let arrow = usize::from(text[sign] == b'=' && text.get(sign + 1) == Some(&b'>'));
        let from = sign + 1 + arrow;
        let blank = text[from..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let at = from + blank;
        let at = match typed(&text[at..]) {
            Some(len) if arrow == 1 => at + len,
            None if arrow == 1 && !last => return Look::Open,
            _ => at,
        };
        let letters = text[at..].iter().take(3).take_while(|b| b"fFbBrRuUN".contains(b)).count();
        let quote = at + letters;
        // A string in a later line is looked at once that line has come.
        let comes = quote >= line && !last && memchr(b'\n', &text[quote.min(text.len())..]).is_none();
        match (text.get(at), text.get(quote)) {
            (None, _) if last => Look::Nothing,
            (None, _) => Look::Open,
            (_, Some(b'"' | b'\'' | b'`')) if comes && (key.weight.is_some() || key.is_kind) => Look::Open,
            (_, Some(b'"' | b'\'' | b'`')) if key.weight.is_some() => {
                let value = Quoting::new(text, quote, if quote < line { line } else { end_of_line(text, quote) }, key);
                match value.counts(key) {
                    true => Look::Found(key.found(value.end, value.until())),
                    false => Look::Nothing,
                }
            }
            (_, Some(b'"' | b'\'')) if key.is_kind => {
                let value = Quoting::new(text, quote, end_of_line(text, quote), key);
                match Vocabulary::get().is_kind(value.text) {
                    true => self.structure(key, text, (key.start, 1, last), search),
                    false => Look::Nothing,
                }
            }
            // A text of YAML in the lines below.
            (Some(b'|' | b'>'), _) if key.weight.is_some() && is_block_header(&text[at..line.max(at)]) => {
                // How far it is indented says how far the text goes: the front of the line may have been given out.
                match next_line(&text[line..], last) {
                    None => Look::Open,
                    Some(below) if indent(below) == 0 => Look::Nothing,
                    Some(below) => Look::Found(key.found(line, Until::Indent(indent(below) - 1))),
                }
            }
            (Some(b'{' | b'['), _) if key.weight.is_some() => self.structure(key, text, (at, 0, last), search),
            _ => Look::Nothing,
        }
    }

    /// Whether a list or an object that begins at `from`, in as many brackets, may be reasoning.
    fn structure(
        &mut self,
        key: &QuotedKey<'_>,
        text: &[u8],
        (from, depth, last): (usize, usize, bool),
        search: &mut Search,
    ) -> Look {
        let reach = text.len().min(from + REACH);
        let (end, until) = match bracket_end(&text[from..reach], depth, key.quote) {
            Some(len) => (from + len, Until::Line),
            None if last || reach < text.len() => (reach, Until::Rest),
            None => return Look::Open,
        };
        self.spent += end - from;
        if self.spent > SPENT {
            return Look::Found(key.found(end, Until::Rest));
        }
        self.record.clear();
        self.record.push(b'{');
        if depth == 0 {
            self.record.push(b'"');
            self.record.extend_from_slice(key.name);
            self.record.extend_from_slice(b"\":");
        }
        let mut doubled = false;
        for byte in &text[from..end] {
            let quote = *byte == key.quote;
            doubled = quote && key.doubled && !doubled;
            if !doubled {
                self.record.push(if quote { b'"' } else { *byte });
            }
        }
        match search.record(&self.record) {
            Some(_) => Look::Found(key.found(end, until)),
            None => Look::Nothing,
        }
    }
}

/// A quoted key before a colon or another sign.
struct QuotedKey<'a> {
    name: &'a [u8],
    /// Where its quote stands.
    start: usize,
    quote: u8,
    /// Its quotes are doubled, as in a table.
    doubled: bool,
    weight: Option<Weight>,
    /// Its value is the type of an object.
    is_kind: bool,
}

impl<'a> QuotedKey<'a> {
    fn before(text: &'a [u8], sign: usize) -> Option<Self> {
        let blank = text[..sign].iter().rev().take(4).take_while(|b| **b == b' ').count();
        let end = (sign - blank).checked_sub(1)?;
        // `var_dump` of PHP: `["thinking"]=>`.
        let listed = text[end] == b']' && text[sign..].starts_with(b"=>");
        let end = end.checked_sub(usize::from(listed))?;
        let quote = text[end];
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let doubled = end > 0 && text[end - 1] == quote;
        let end = end - usize::from(doubled);
        let from = end.saturating_sub(KEY + 1);
        let start = from + memrchr(quote, &text[from..end])?;
        let name = &text[start + 1..end];
        let (weight, is_kind) = (weight(name), is_part(name, Duty::Kind));
        (weight.is_some() || is_kind).then_some(Self { name, start, quote, doubled, weight, is_kind })
    }

    fn found(&self, end: usize, until: Until) -> Quoted {
        Quoted { at: self.start, key: String::from_utf8_lossy(self.name).into_owned(), end, until }
    }

    /// The key is an attribute of an element of XML, whose text follows.
    fn element(&self, text: &[u8], sign: usize, line: usize) -> Look {
        let inner = &text[sign + 1..line];
        let end = memchr(b'<', inner);
        let inner = std::str::from_utf8(&inner[..end.unwrap_or(inner.len())]).unwrap_or_default();
        match self.weight == Some(Weight::Sure) && is_content(Weight::Sure, inner) {
            true => {
                let until = if end.is_some() { Until::Line } else { Until::Text(b"</".to_vec()) };
                Look::Found(self.found(line, until))
            }
            false => Look::Nothing,
        }
    }
}

/// A quoted text.
struct Quoting<'a> {
    text: &'a [u8],
    quote: u8,
    closed: bool,
    /// The first byte behind its line.
    end: usize,
}

impl<'a> Quoting<'a> {
    /// The text whose quote stands at `at`, in a line that ends at `line`.
    fn new(text: &'a [u8], at: usize, line: usize, key: &QuotedKey<'_>) -> Self {
        let quote = text[at];
        let run = text[at..line].iter().take(3).take_while(|b| **b == quote).count();
        let len = match run {
            3 => 3,
            2 if key.doubled => 2,
            _ => 1,
        };
        let from = line.min(at + len);
        let behind = |at: usize| {
            let rest = text[line.min(at)..line].trim_ascii_start();
            // A backtick ends a code span in Markdown that has a member and nothing else.
            matches!(rest.first(), None | Some(b',' | b'}' | b']' | b')' | b'>' | b';' | b':' | b'"' | b'\'' | b'`'))
        };
        let most = line.min(from + VALUE);
        let end = memchr::memchr_iter(quote, &text[from..most]).map(|n| from + n).find(|end| behind(end + len));
        Self { text: &text[from..end.unwrap_or(most)], quote, closed: end.is_some() || most < line, end: line }
    }

    fn counts(&self, key: &QuotedKey<'_>) -> bool {
        let text = String::from_utf8_lossy(self.text);
        // A sentence that names a setting goes on behind its value.
        let setting = text.split_once(char::from(self.quote)).is_some_and(|(value, _)| is_switch(value));
        !setting && key.weight.is_some_and(|weight| is_content(weight, &text))
    }

    fn until(&self) -> Until {
        // A text of JSON ends with its line.
        if self.closed || self.quote == b'"' { Until::Line } else { Until::Text(vec![self.quote]) }
    }
}
