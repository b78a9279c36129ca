//! The rest of a value whose front was cut off, as the end of a pretty document is: what its brackets close is not there.

use super::{INSIDE, LineClass, MAX_WAITING_BYTES, TextLines};
use crate::dialect::line::blank;
use crate::dialect::reader::Suspect;
use crate::dialect::suspect::{Until, is_member, is_unclear};
use crate::json::text::end_of_string;
use memchr::memchr;

impl TextLines {
    /// A rest of a value that begins the first line, and goes on to its end.
    pub(super) fn rest(&mut self, text: &[u8], line: usize, offset: u64, last: bool) -> LineClass {
        if text[..line].trim_ascii().is_empty() {
            return LineClass::Text;
        }
        if !is_rest(&text[..line]) {
            return LineClass::Text;
        }
        let text = &text[..text.len().min(MAX_WAITING_BYTES)];
        let (closers, end) = match closers(text) {
            Some((_, None)) if !last && text.len() < MAX_WAITING_BYTES => return LineClass::Open,
            Some((closers, end)) => (closers, end.unwrap_or(text.len())),
            None => return LineClass::Text,
        };
        // Nobody knows the keys that are missing: what stands under them may be a text.
        let mut value = Vec::with_capacity(end + 16 * closers.len());
        let member = is_member(text.trim_ascii_start(), b'"');
        let inner = if member { Some(b'}') } else { None };
        let closers = if closers.is_empty() { inner.into_iter().collect() } else { closers };
        for (i, closer) in closers.iter().rev().enumerate() {
            match closer {
                b'}' if i + 1 < closers.len() => value.extend_from_slice(b"{\"content\":"),
                b'}' if !member => value.extend_from_slice(b"{\"content\":null"),
                b'}' => value.push(b'{'),
                _ => value.push(b'['),
            }
        }
        let begins = text[..end].trim_ascii_start();
        // Behind a bracket there is no comma; the missing value has a name.
        let begins = if value.ends_with(b"[") && begins.first() == Some(&b',') { &begins[1..] } else { begins };
        value.extend_from_slice(begins);
        let pieces = self.pieces.inside(&self.tags, &value);
        if !pieces && self.search.record(&value).is_none() && !(member && is_unclear(begins)) {
            self.front = false;
            return LineClass::Text;
        }
        // A line that is refused is judged again until its end has come.
        self.front = !last && memchr(b'\n', &text[end - 1..]).is_none();
        let until = if end == text.len() && !last { Until::Rest } else { Until::Line };
        LineClass::Refused(end, Suspect { offset, pointer: String::new(), what: INSIDE }, until)
    }
}

/// Whether a line may be the first one of such a rest, as far as it has come.
pub(super) fn may_be_rest(line: &[u8]) -> bool {
    matches!(line.get(blank(line)), None | Some(b'"' | b'}' | b']'))
}

/// Whether the next line may be the first whole one of such a rest: this one is blank, or is cut off itself.
pub(super) fn may_be_cut(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.is_empty() || line.ends_with(b"\",") || line.ends_with(b"{") || line.ends_with(b"[")
}

/// Whether a line is a member of an object, an element that is a string, or brackets that close.
fn is_rest(line: &[u8]) -> bool {
    let indented = matches!(line.first(), Some(b' ' | b'\t'));
    let line = line.trim_ascii();
    match line.first() {
        Some(b'"') => is_member(line, b'"') || indented && line.ends_with(b"\","),
        Some(b'}' | b']') => line.iter().all(|b| matches!(b, b'}' | b']' | b',' | b' ')),
        _ => false,
    }
}

/// The brackets that a text closes and did not open, and where the last one stands behind which nothing of the value
/// follows. None: it is no JSON.
fn closers(text: &[u8]) -> Option<(Vec<u8>, Option<usize>)> {
    let (mut missing, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        match text[at] {
            b'"' => {
                let end = text.len().min(end_of_string(text, at + 1, b'"') + 1);
                if memchr(b'\n', &text[at..end]).is_some() {
                    return None;
                }
                at = end;
                continue;
            }
            b @ (b'{' | b'[') => open.push(b),
            b @ (b'}' | b']') => {
                if open.pop().is_none() {
                    missing.push(b);
                    let next = text[at + 1..].iter().find(|b| !b.is_ascii_whitespace());
                    if next.is_some_and(|b| !matches!(b, b',' | b'}' | b']')) {
                        return Some((missing, Some(at + 1)));
                    }
                }
            }
            b => {
                let value = b.is_ascii_alphanumeric() || matches!(b, b',' | b':' | b'-' | b'+' | b'.');
                if !value && !b.is_ascii_whitespace() {
                    return None;
                }
            }
        }
        at += 1;
    }
    Some((missing, None))
}
