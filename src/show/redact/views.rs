//! The ways in which a text is read: as it stands, without escapes, without signs of emphasis, without the colours of a
//! terminal. Each knows where its characters stand in the text.

use super::MARK;
use crate::printable::is_hidden;
use std::ops::Range;
use unicode_normalization::char::decompose_canonical;

/// A text, read in one of the ways.
#[derive(Debug, Default)]
pub struct TextView {
    pub text: String,
    /// For each byte, where it stands in the original; behind them, where the original ends.
    places: Vec<u32>,
}

/// Stands for a mark in a folded text. Not a byte of UTF-8.
const BARRIER: u8 = 0xff;

fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl TextView {
    /// The text as it stands.
    pub fn plain(text: &str) -> Self {
        Self { text: text.to_string(), places: (0..=text.len()).map(place).collect() }
    }

    /// Adds text that stands at this place, byte for byte.
    pub fn copy(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.places.extend((at..at + text.len()).map(place));
    }

    /// Adds text that is read from something else at this place.
    pub fn push(&mut self, text: &str, at: usize) {
        self.text.push_str(text);
        self.places.extend(text.bytes().map(|_| place(at)));
    }

    /// Ends the view, where the original ends.
    pub fn end(mut self, at: usize) -> Self {
        self.places.push(place(at));
        self
    }

    /// Where a part of the view stands in the original.
    pub fn range(&self, part: Range<usize>) -> Range<usize> {
        range(&self.places, part)
    }

    /// The view, read once more in this way.
    pub fn then(&self, read: fn(&str) -> Option<TextView>) -> Option<TextView> {
        let TextView { text, places } = read(&self.text)?;
        let places = places.into_iter().filter_map(|at| self.places.get(at as usize).copied()).collect();
        Some(TextView { text, places })
    }
}

/// Where a part stands: up to the first byte that comes from behind it.
fn range(places: &[u32], part: Range<usize>) -> Range<usize> {
    let at = |i: usize| places.get(i).or(places.last()).copied().unwrap_or_default();
    let (start, last) = (at(part.start), at(part.end.saturating_sub(1)));
    let behind = places.get(part.end..).unwrap_or_default();
    let end = behind.iter().copied().find(|at| *at > last).unwrap_or_else(|| at(usize::MAX));
    start as usize..end as usize
}

/// A text in which white space, case, accents that are written in two ways, and invisible characters make no difference.
#[derive(Debug, Default)]
pub struct FlatText {
    pub bytes: Vec<u8>,
    places: Vec<u32>,
}

impl FlatText {
    pub fn of(text: &str) -> Self {
        let mut folded = Self::default();
        let mut at = 0;
        while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            if c == '‹' && text[at..].starts_with(MARK) {
                folded.push(&[BARRIER], at);
                at += MARK.len();
                continue;
            }
            if c.is_whitespace() {
                if folded.bytes.last() != Some(&b' ') {
                    folded.push(b" ", at);
                }
            } else if c.is_ascii() && !c.is_ascii_control() {
                folded.push(&[(c as u8).to_ascii_lowercase()], at);
            } else if !is_hidden(c) {
                for lower in c.to_lowercase() {
                    decompose_canonical(lower, |part| folded.push(part.encode_utf8(&mut [0; 4]).as_bytes(), at));
                }
            }
            at += c.len_utf8();
        }
        folded.places.push(place(text.len()));
        folded
    }

    fn push(&mut self, bytes: &[u8], at: usize) {
        self.bytes.extend_from_slice(bytes);
        self.places.extend(bytes.iter().map(|_| place(at)));
    }

    /// Where a part stands in the text.
    pub fn range(&self, part: Range<usize>) -> Range<usize> {
        range(&self.places, part)
    }
}

/// A pattern as it is searched for in a folded text.
pub fn folded_pattern(text: &str) -> Vec<u8> {
    FlatText::of(text).bytes.trim_ascii().to_vec()
}

/// Calls `each` with every way in which the text can be read.
pub fn views(text: &str, each: &mut dyn FnMut(&TextView)) {
    let mut more = |view: TextView| {
        each(&view);
        let Some(once) = view.then(unescaped) else { return };
        each(&once);
        once.then(unescaped).iter().for_each(&mut *each);
    };
    more(TextView::plain(text));
    for read in [without_colors, without_emphasis, decoded] {
        read(text).into_iter().for_each(&mut more);
    }
}

/// The views of the words of lists: what has a form has it in one of them, and only texts go across several.
pub fn word_views(text: &str, each: &mut dyn FnMut(&TextView)) {
    let Some(words) = joined(text) else { return };
    each(&words);
    words.then(unescaped).iter().for_each(each);
}

/// Without the escapes of JSON and of most languages; if there are any.
fn unescaped(text: &str) -> Option<TextView> {
    memchr::memchr(b'\\', text.as_bytes())?;
    let mut view = TextView::default();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\\')).map(|found| at + found) {
        view.copy(&text[at..next], at);
        let (c, length) = escape(&text[next..]);
        match c {
            Some(c) => view.push(c.encode_utf8(&mut [0; 4]), next),
            None => view.copy("\\", next),
        }
        at = next + length;
    }
    view.copy(text.get(at..).unwrap_or_default(), at);
    Some(view.end(text.len()))
}

/// The character that an escape stands for, and the length of the escape.
fn escape(text: &str) -> (Option<char>, usize) {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u32::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    if let Some(high) = unit(text) {
        if let Some(low) = text.get(6..).and_then(unit).filter(|low| (0xd800..0xdc00).contains(&high) && *low >= 0xdc00)
            && let Some(c) = char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low & 0x3ff))
        {
            return (Some(c), 12);
        }
        return (char::from_u32(high), if char::from_u32(high).is_some() { 6 } else { 1 });
    }
    match text.as_bytes().get(1) {
        Some(b'n' | b'r' | b't' | b'f' | b'b') => (Some(' '), 2),
        Some(c @ (b'"' | b'\\' | b'/' | b'\'' | b' ')) => (Some(char::from(*c)), 2),
        _ => (None, 1),
    }
}

/// The longest sequence with a text, such as the title of a terminal.
const TITLE: usize = 1 << 10;

/// Without escape sequences of a terminal; if there are any.
fn without_colors(text: &str) -> Option<TextView> {
    memchr::memchr(0x1b, text.as_bytes())?;
    let mut view = TextView::default();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('\u{1b}')).map(|found| at + found) {
        view.copy(&text[at..next], at);
        let rest = &text.as_bytes()[next..];
        at = next
            + match rest.get(1) {
                Some(b'[') => rest.iter().skip(2).position(|b| (0x40..0x7f).contains(b)).map_or(rest.len(), |n| n + 3),
                Some(b']') => rest.iter().take(TITLE).position(|b| *b == 0x07).map_or(2, |n| n + 1),
                _ => 1,
            };
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    view.copy(text.get(at..).unwrap_or_default(), at);
    Some(view.end(text.len()))
}

/// Without the signs of emphasis and of headings; if there are any.
fn without_emphasis(text: &str) -> Option<TextView> {
    let is_sign = |c: char| matches!(c, '*' | '_' | '~' | '`' | '#');
    text.contains(is_sign).then(|| {
        let mut view = TextView::default();
        for part in text.split_inclusive(is_sign) {
            view.copy(part.trim_end_matches(is_sign), part.as_ptr() as usize - text.as_ptr() as usize);
        }
        view.end(text.len())
    })
}

/// With the words of a list of strings as one text, as a command is shown; if there is one.
fn joined(text: &str) -> Option<TextView> {
    let is_list = text.trim_start().starts_with(['{', '[']);
    let mut view = TextView::default();
    let (mut at, mut from, mut some) = (0, 0, false);
    while let Some(quote) = text.get(at..).filter(|_| is_list).and_then(|rest| rest.find('"')).map(|found| at + found) {
        let rest = &text[quote + 1..];
        let behind = rest.trim_start().strip_prefix(',').and_then(|rest| rest.trim_start().strip_prefix('"'));
        at = quote + 1;
        if let Some(behind) = behind {
            view.copy(&text[from..quote], from);
            view.push(" ", quote);
            at = text.len() - behind.len();
            (from, some) = (at, true);
        }
    }
    view.copy(text.get(from..).unwrap_or_default(), from);
    some.then(|| view.end(text.len()))
}

/// Without the escapes of addresses; if there are any.
fn decoded(text: &str) -> Option<TextView> {
    let hex = |at: usize| {
        let digits = text.get(at..)?.strip_prefix('%')?.get(..2)?;
        u8::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let mut view = TextView::default();
    let (mut at, mut from, mut some) = (0, 0, false);
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('%')).map(|found| at + found) {
        let bytes: Vec<u8> = (0..4).map_while(|i| hex(next + 3 * i)).collect();
        let valid = std::str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), str::len);
        let read = std::str::from_utf8(&bytes[..valid]).ok().and_then(|read| read.chars().next());
        at = next + 1;
        if let Some(c) = read {
            view.copy(&text[from..next], from);
            view.push(c.encode_utf8(&mut [0; 4]), next);
            at = next + 3 * c.len_utf8();
            (from, some) = (at, true);
        }
    }
    view.copy(text.get(from..).unwrap_or_default(), from);
    some.then(|| view.end(text.len()))
}
