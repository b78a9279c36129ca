//! A quick check whether the inside of a JSON string may hold a delimiter, escaped or not: it never misses one.

use super::label::behind_label;
use super::lost::{has_lost, is_bare};
use super::spelling::Spelling;
use super::{MAX_BYTES_TO_ESCAPE, MarkHit, Tags, search};
use crate::inline::headers;
use memchr::memchr;

impl Tags {
    /// Whether a message may begin with a delimiter that counts only at its start, given as the inside of a JSON
    /// string.
    fn may_start(&self, raw: &[u8]) -> bool {
        let rest = unblanked(raw);
        let as_far = |bytes: &[u8], rest: &[u8]| {
            let same = bytes.iter().zip(rest).take_while(|(a, b)| a == b).count();
            same == bytes.len() || rest.get(same) == Some(&b'\\')
        };
        let Some(labelled) = behind_label(rest).map(unblanked) else { return true };
        let opens = |rest: &[u8]| match rest.first() {
            Some(b'\\') => true,
            first => self.opening(first).any(|open| as_far(&open.bytes, rest)),
        };
        // A line end is part of no header.
        let may_be = |start: &[u8]| {
            let same = start.iter().zip(rest).take_while(|(a, b)| a == b).count();
            same == start.len() || rest[same..].starts_with(b"\\u")
        };
        let lost = is_bare(rest, true) == Some(true) && has_lost(rest);
        lost && !self.headers.is_empty()
            || opens(rest)
            || opens(labelled)
            || !self.headers.is_empty() && headers::STARTS.iter().any(|start| may_be(start))
    }

    /// Whether `raw`, the inside of a JSON string, may hold a delimiter, escaped or not. Never misses one.
    pub fn may_hold(&self, raw: &[u8], escaped: bool) -> bool {
        if (!self.prose.is_empty() || !self.headers.is_empty()) && self.may_start(raw) {
            return true;
        }
        let mut at = 0;
        while let Some(i) = search(&self.bytes.block, raw, at) {
            if self.may_begin(raw, i, escaped) {
                return true;
            }
            at = i + 1;
        }
        // Most texts have none of these characters.
        let from = self.bytes.wide_byte.map_or(Some(0), |b| memchr(b, raw));
        from.is_some_and(|from| {
            let mut wide = self.bytes.wide.iter().flat_map(|c| c.find_iter(&raw[from..]));
            wide.any(|i| self.may_begin(raw, from + i, escaped))
        }) || escaped && self.may_begin_escaped(raw)
    }

    /// Whether a delimiter may begin at `i` with an unescaped character.
    fn may_begin(&self, raw: &[u8], i: usize, escaped: bool) -> bool {
        let next = raw.get(i + 1).map(|b| usize::from(*b));
        if raw[i] == b'<' && next.is_some_and(|b| !self.bytes.follow[b]) {
            return false;
        }
        // What begins with another character has one spelling.
        let spelled = |b: usize| self.bytes.second[b].iter().any(|s| self.exact[usize::from(*s)].bytes[0] == raw[i]);
        if raw[i] != b'<' && raw[i].is_ascii() && next.is_some_and(|b| b != usize::from(b'\\') && !spelled(b)) {
            return false;
        }
        // If an escape follows closely, it is not decoded: the answer is yes.
        let near = &raw[i..raw.len().min(i + MAX_BYTES_TO_ESCAPE)];
        (escaped && self.may_go_on(near)) || matches!(self.at(raw, i, true), MarkHit::Yes(m) if !m.role.is_kept())
    }

    /// Whether a `\u` escape may be the first character of a delimiter.
    fn may_begin_escaped(&self, raw: &[u8]) -> bool {
        let mut at = 0;
        while let Some(n) = self.escape.find(&raw[at..]) {
            at += n;
            // In text that is not ASCII, escapes follow each other without a gap.
            while let Some([b'\\', b'u', a, b, c, _]) = raw.get(at..at + 6) {
                let unit = [a, b, c].iter().fold(0, |unit, digit| unit << 4 | hex_digit(**digit));
                if self.bytes.units[usize::from(unit)] {
                    return true;
                }
                at += 6;
            }
            at = at.max(raw.len().min(at + 1));
        }
        false
    }

    /// Whether the beginning of a delimiter is followed by an escape that may stand for the rest of it.
    fn may_go_on(&self, near: &[u8]) -> bool {
        let Some(n) = memchr(b'\\', near) else { return false };
        let begins = |s: &Spelling| s.is_block() && s.bytes.starts_with(&near[..n]);
        // Those with another second byte need no look.
        let any = |is: &dyn Fn(&Spelling) -> bool| match near.get(1).filter(|_| n > 1) {
            Some(second) => self.bytes.second[usize::from(*second)].iter().any(|i| is(&self.exact[usize::from(*i)])),
            None => self.exact.iter().any(is),
        };
        let exact = || any(&begins);
        let goes_on = |b: u8| any(&|s: &Spelling| s.bytes.get(n) == Some(&b) && begins(s));
        let word = || self.word_at(&near[..n], false) != MarkHit::No;
        match near.get(n + 1) {
            None | Some(b'u' | b'/') => exact() || word(),
            // White space and quotes may stand beside a name and in attributes.
            Some(b't') => goes_on(b'\t') || word(),
            Some(b'n') => goes_on(b'\n') || word(),
            Some(b'r') => goes_on(b'\r') || word(),
            Some(b'"') => goes_on(b'"') || word(),
            Some(b'\\') => goes_on(b'\\'),
            _ => false,
        }
    }
}

/// The inside of a JSON string without the white space that it begins with.
fn unblanked(raw: &[u8]) -> &[u8] {
    let mut rest = raw;
    loop {
        rest = rest.trim_ascii_start();
        match rest {
            [b'\\', b'n' | b't' | b'r', tail @ ..] => rest = tail,
            _ => return rest,
        }
    }
}

fn hex_digit(b: u8) -> u16 {
    char::from(b).to_digit(16).unwrap_or(0) as u16
}
