//! JSON inside of strings and lines: as the whole of a text, on its lines, or behind a prefix, and quoted again.

use super::encoded::{MAX_STRING_DEPTH, UNQUOTED};
use super::level::Level;
use super::quotes::Quotes;
use super::search::Search;
use crate::json::scan::validate;
use crate::json::text;

impl Search {
    /// Whether a string is JSON, or has JSON in it that may hold reasoning: on a line of its own, in the data of an
    /// event, and, `anywhere`, also behind other text. The search goes on behind the value that it searched last, so
    /// that nothing is searched twice.
    pub(super) fn has_json(&mut self, plain: &[u8], depth: usize, anywhere: bool) -> bool {
        if depth >= MAX_STRING_DEPTH {
            return false;
        }
        if let Some(inner) = string_in(plain) {
            return anywhere && self.is_tagged(&inner) || self.has_json(&inner, depth + 1, anywhere);
        }
        let mut starts = Starts::new(plain, anywhere);
        while let Some(start) = starts.next() {
            let root = Level::new(true, self.facts_of_nothing(), None, false);
            let (found, end) = self.value(plain, start, root, depth + 1);
            if found.is_some() {
                return true;
            }
            starts.at = end.max(start + 1);
        }
        let others = starts.others.into_iter().flatten();
        others.into_iter().any(|(quotes, from)| {
            let decoded = quotes.decode(&plain[from..]);
            self.has_json(&decoded, depth + UNQUOTED, anywhere)
        })
    }

    /// Whether a string is an object whose front was cut off, and the rest of it may hold reasoning.
    pub(super) fn has_rest(&mut self, plain: &[u8], depth: usize) -> bool {
        without_front(plain).is_some_and(|mut rest| {
            if rest[1..].trim_ascii_start().starts_with(b"'") {
                rest = Quotes::Foreign.decode(&rest);
            }
            let root = Level::new(true, self.facts_of_nothing(), None, false);
            self.value(&rest, 0, root, depth + 1).0.is_some()
        })
    }
}

/// The text, if a text is one string of JSON.
pub(in crate::dialect) fn string_in(plain: &[u8]) -> Option<Vec<u8>> {
    match plain.trim_ascii() {
        [b'"', inner @ .., b'"'] if validate(plain).is_ok() => Some(text::decoded(inner)),
        _ => None,
    }
}

/// A text without the white space that it begins with, of any kind, and without a byte order mark.
pub(in crate::dialect) fn behind_blanks(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while rest.first().is_some_and(|b| !b.is_ascii()) {
        let near = &rest[..rest.len().min(4)];
        let valid = std::str::from_utf8(near).map_or_else(|e| e.valid_up_to(), |_| near.len());
        let first = std::str::from_utf8(&near[..valid]).ok().and_then(|text| text.chars().next());
        let Some(blank) = first.filter(|c| c.is_whitespace() || *c == '\u{FEFF}') else { break };
        rest = rest[blank.len_utf8()..].trim_ascii_start();
    }
    rest
}

/// What a text has of an object whose front was cut off, as an object: it begins with a member, or has one behind a comma, and no
/// value begins before it.
fn without_front(text: &[u8]) -> Option<Vec<u8>> {
    let front = &text[..memchr::memchr2(b'{', b'[', text).unwrap_or(text.len())];
    let commas = memchr::memchr_iter(b',', front).map(|at| at + 1);
    let begins = |at: &usize| {
        let rest = behind_blanks(&text[*at..]);
        is_member(rest, b'"') || is_member(rest, b'\'')
    };
    let member = [0].into_iter().chain(commas).find(begins)?;
    Some([b"{", &text[member..]].concat())
}

/// Whether a text begins with a key in such quotes.
pub(in crate::dialect) fn is_member(text: &[u8], quote: u8) -> bool {
    let Some(inner) = text.strip_prefix(&[quote]) else { return false };
    let end = memchr::memchr(quote, &inner[..inner.len().min(128)]);
    end.is_some_and(|end| {
        let key = &inner[..end];
        !key.contains(&b'\\') && !key.contains(&b'\n') && inner[end + 1..].trim_ascii_start().first() == Some(&b':')
    })
}

/// The places in a text where JSON may begin.
pub(super) struct Starts<'t> {
    plain: &'t [u8],
    pub at: usize,
    anywhere: bool,
    /// Where the current line ends.
    line_end: Option<usize>,
    /// A code fence was not closed, so that no later one is.
    unfenced: bool,
    /// Other ways in which quotes are written, each with its first place.
    pub others: [Option<(Quotes, usize)>; 2],
}

impl<'t> Starts<'t> {
    pub fn new(plain: &'t [u8], anywhere: bool) -> Self {
        Self { plain, at: 0, anywhere, line_end: None, unfenced: false, others: [None; 2] }
    }

    pub fn next(&mut self) -> Option<usize> {
        while self.at < self.plain.len() {
            // A line may have many places: its end is looked for once.
            if self.line_end.is_none_or(|end| end < self.at) {
                let end = memchr::memchr(b'\n', &self.plain[self.at..]);
                self.line_end = Some(end.map_or(self.plain.len(), |n| self.at + n));
            }
            let end = self.line_end.unwrap_or(self.plain.len());
            if let Some(behind) = self.behind_fence(end) {
                // What stands in a code fence is quoted.
                self.at = behind;
                continue;
            }
            if let Some(start) = self.in_line(end) {
                return Some(start);
            }
            self.at = end + 1;
        }
        None
    }

    /// The next place in the rest of the line that ends at `end`.
    fn in_line(&mut self, end: usize) -> Option<usize> {
        let line = &self.plain[self.at..end];
        let start = behind_blanks(line);
        let start = start.strip_prefix(b"data:").map_or(start, <[u8]>::trim_ascii_start);
        if matches!(start.first(), Some(b'{' | b'[' | 0x1B)) {
            let start = end - start.len();
            match Quotes::first(&self.plain[start..]) {
                Some(quotes) if quotes != Quotes::Bare => self.note(quotes, start),
                _ if self.plain[start] != 0x1B => return Some(start),
                _ => (),
            }
        }
        let (from, mut at) = (self.at, 0);
        while let Some(n) = self.anywhere.then(|| memchr::memchr(b'{', &line[at..])).flatten() {
            at += n + 1;
            // In a code span it is quoted.
            let quoted = at > 1 && line[at - 2] == b'`';
            match Quotes::first(&self.plain[from + at..]) {
                _ if quoted => (),
                Some(Quotes::Bare) => return Some(from + at - 1),
                Some(other) => self.note(other, from + at - 1),
                None => (),
            }
        }
        None
    }

    fn note(&mut self, quotes: Quotes, at: usize) {
        let known = |other: &Option<(Quotes, usize)>| other.is_some_and(|(other, _)| other == quotes);
        if !self.others.iter().any(known)
            && let Some(free) = self.others.iter_mut().find(|other| other.is_none())
        {
            *free = Some((quotes, at));
        }
    }

    /// Where the line behind a code fence begins, if one opens in the line that ends at `end`, and is closed.
    fn behind_fence(&mut self, end: usize) -> Option<usize> {
        let begins = self.at == 0 || self.plain[self.at - 1] == b'\n';
        let line = self.plain[self.at..end].trim_ascii_start();
        let fence = line.get(..3).filter(|fence| begins && [b"```", b"~~~"].iter().any(|is| fence == is))?;
        if self.unfenced {
            return None;
        }
        let mut at = end + 1;
        while at < self.plain.len() {
            let end = memchr::memchr(b'\n', &self.plain[at..]).map_or(self.plain.len(), |n| at + n);
            if self.plain[at..end].trim_ascii_start().starts_with(fence) {
                return Some(end + 1);
            }
            at = end + 1;
        }
        self.unfenced = true;
        None
    }
}
