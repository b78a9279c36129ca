//! Word tags, which are written like HTML elements.

use super::{FoundMark, MarkHit, MarkRole, SPACES, Tags};
use memchr::{memchr, memchr2};

/// The suffix number of a colon with nothing behind it.
const NO_SUFFIX: u32 = 1;

/// How many hexadecimal digits a suffix has at least behind a hyphen, where the name has a hyphen, too.
const HEX: usize = 16;

impl Tags {
    /// A number for the suffix of a name behind `word`, the same for equal suffixes, if the row allows one.
    fn suffix(&self, word: &[u8], row: usize, name: &[u8]) -> Option<u32> {
        let (start, tail) = name.split_at_checked(word.len())?;
        let hex = |tail: &&[u8]| word.contains(&b'-') && tail.len() >= HEX && tail.iter().all(u8::is_ascii_hexdigit);
        let tail = tail.strip_prefix(b":").or(tail.strip_prefix(b"-").filter(hex));
        let tail = tail.filter(|_| self.rows[row].suffix && folded(word, start))?;
        let hash = |hash: u32, b: &u8| (hash ^ u32::from(*b)).wrapping_mul(0x0100_0193);
        Some(if tail.is_empty() { NO_SUFFIX } else { tail.iter().fold(0x811C_9DC5, hash) | 2 })
    }

    pub(super) fn word_at(&self, rest: &[u8], eof: bool) -> MarkHit {
        if rest.first() == Some(&b'<') && !self.words.is_empty() { self.word(rest, eof) } else { MarkHit::No }
    }

    /// A word tag: `<`, spaces, `/`, spaces, name, spaces or attributes, `>`.
    fn word(&self, rest: &[u8], eof: bool) -> MarkHit {
        let more = if eof { MarkHit::No } else { MarkHit::Partial };
        let mut at = 1 + blanks(&rest[1..]);
        let close = rest.get(at) == Some(&b'/');
        if close {
            at += 1;
            at += blanks(&rest[at..]);
        }
        if at > 2 + 2 * SPACES {
            return MarkHit::No;
        }
        let name = &rest[at..];
        let len = name.iter().take(64).take_while(|b| is_name(**b)).count();
        let suffixed = || self.suffixed.iter().map(|i| &self.words[*i]);
        if at + len == rest.len() {
            let begun = self.words.iter().any(|(word, _)| starts_folded(word, &name[..len]))
                || suffixed().any(|(word, row)| {
                    self.suffix(word, *row, &name[..len]).is_some() || begins_hex(word, &name[..len])
                });
            return if begun { more } else { MarkHit::No };
        }
        let whole = self.words.iter().find(|(word, _)| folded(word, &name[..len])).map(|(_, row)| (*row, 0));
        let longer = || suffixed().find_map(|(word, row)| Some((*row, self.suffix(word, *row, &name[..len])?)));
        let Some((row, suffix)) = whole.or_else(longer) else {
            return MarkHit::No;
        };
        if suffix == NO_SUFFIX {
            return MarkHit::No;
        }
        // `<REASONING>` with attributes or spaces is not the strict tag, and must not become its lower-case cousin.
        if name[..len] == *b"REASONING" && self.rows.iter().any(|r| r.strict) {
            return MarkHit::No;
        }
        let after = &name[len..];
        let role = if close { MarkRole::Close } else { MarkRole::Open };
        let spaces = blanks(after);
        match after.get(spaces) {
            None if spaces > SPACES => MarkHit::No,
            None => more,
            Some(b'>') => {
                let mark = FoundMark { row, role, len: at + len + spaces + 1, suffix };
                self.element(mark, rest, b"", eof)
            }
            Some(_) if close || !after[0].is_ascii_whitespace() => MarkHit::No,
            Some(_) => match memchr2(b'<', b'>', after) {
                Some(n) if after[n] == b'>' && attributes(&after[..n], &mut |_, _| ()) => {
                    let mark = FoundMark { row, role, len: at + len + n + 1, suffix };
                    self.element(mark, rest, &after[..n], eof)
                }
                Some(_) => MarkHit::No,
                None if eof => MarkHit::No,
                None => MarkHit::Attributes,
            },
        }
    }

    /// Checks a complete tag for the attribute that its row requires, and how much text goes with it.
    fn element(&self, mark: FoundMark, rest: &[u8], given: &[u8], eof: bool) -> MarkHit {
        let row = &self.rows[mark.row];
        let Some((name, value)) = row.element().1.filter(|_| mark.role == MarkRole::Open) else {
            return MarkHit::Yes(mark);
        };
        let mut has = false;
        attributes(given, &mut |n, v| has |= n.eq_ignore_ascii_case(name.as_bytes()) && v == value.as_bytes());
        if !has {
            return MarkHit::Yes(FoundMark { role: MarkRole::Nested, ..mark });
        }
        match heading(&rest[mark.len..], &row.heading, eof) {
            Some(len) => MarkHit::Yes(FoundMark { len: mark.len + len, ..mark }),
            None => MarkHit::Partial,
        }
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(SPACES + 1).take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.')
}

/// Whether a name may be `word` with a hyphen and digits, once more of it has come.
fn begins_hex(word: &[u8], name: &[u8]) -> bool {
    let split = name.split_at_checked(word.len()).filter(|(start, _)| word.contains(&b'-') && folded(word, start));
    let tail = split.map(|(_, tail)| tail);
    tail.and_then(|tail| tail.strip_prefix(b"-")).is_some_and(|tail| tail.iter().all(u8::is_ascii_hexdigit))
}

fn folded(word: &[u8], name: &[u8]) -> bool {
    word.eq_ignore_ascii_case(name)
}

fn starts_folded(word: &[u8], name: &[u8]) -> bool {
    word.get(..name.len()).is_some_and(|w| folded(w, name))
}

/// The longest heading that goes with its opening tag, in bytes.
const HEADING: usize = 512;

/// How many bytes of `text`, behind an opening tag, are white space and an element with this name, with its line end.
/// `None` while that is not known.
fn heading(text: &[u8], name: &str, eof: bool) -> Option<usize> {
    let near = &text[..text.len().min(HEADING)];
    let more = || if eof || near.len() == HEADING { Some(0) } else { None };
    let start = near.len() - near.trim_ascii_start().len();
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let rest = &near[start..];
    if name.is_empty() || !rest.starts_with(&open.as_bytes()[..open.len().min(rest.len())]) {
        return Some(newline(near));
    }
    if rest.len() < open.len() {
        return more();
    }
    match memchr::memmem::find(rest, close.as_bytes()) {
        None => more(),
        Some(n) => {
            let end = start + n + close.len();
            match near.get(end) {
                None if !eof => None,
                _ => Some(end + newline(&near[end..])),
            }
        }
    }
}

/// Length of the newline that `text` begins with.
fn newline(text: &[u8]) -> usize {
    usize::from(text.first() == Some(&b'\n'))
}

/// Reads any number of attributes (`name="value"`, unquoted or single-quoted), and gives them to `to`. Returns whether
/// that is all: words without a value are prose.
fn attributes(mut text: &[u8], to: &mut dyn FnMut(&[u8], &[u8])) -> bool {
    loop {
        text = text.trim_ascii_start();
        if text.is_empty() {
            return true;
        }
        let name = text.iter().take_while(|b| is_name(**b)).count();
        let Some(value) = text[name..].trim_ascii_start().strip_prefix(b"=") else {
            return false;
        };
        let value = value.trim_ascii_start();
        let len = match value.first() {
            Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &value[1..]) {
                Some(n) => n + 2,
                None => return false,
            },
            _ => value.iter().take_while(|b| !b.is_ascii_whitespace()).count(),
        };
        if name == 0 || len == 0 {
            return false;
        }
        let bare = value[..len].strip_prefix(b"\"").or(value[..len].strip_prefix(b"'"));
        to(&text[..name], bare.map_or(&value[..len], |inner| &inner[..inner.len() - 1]));
        text = &value[len..];
    }
}
