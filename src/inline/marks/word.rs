//! Tags that are written like HTML elements.

use super::{Hit, Mark, Role, SPACES, Tags};
use memchr::{memchr, memchr2};

/// A colon with nothing behind it.
const NO_SUFFIX: u32 = 1;

impl Tags {
    /// What stands behind `word` in a name, if the row allows something there: as a number, the same for the same text.
    fn suffix(&self, word: &[u8], row: usize, name: &[u8]) -> Option<u32> {
        let (start, tail) = name.split_at_checked(word.len())?;
        let tail = tail.strip_prefix(b":").filter(|_| self.rows[row].suffix && folded(word, start))?;
        let hash = |hash: u32, b: &u8| (hash ^ u32::from(*b)).wrapping_mul(0x0100_0193);
        Some(if tail.is_empty() { NO_SUFFIX } else { tail.iter().fold(0x811C_9DC5, hash) | 2 })
    }

    pub(super) fn word_at(&self, rest: &[u8], eof: bool) -> Hit {
        if rest.first() == Some(&b'<') && !self.words.is_empty() { self.word(rest, eof) } else { Hit::No }
    }

    /// A word tag: `<`, spaces, `/`, spaces, name, spaces or attributes, `>`.
    fn word(&self, rest: &[u8], eof: bool) -> Hit {
        let more = if eof { Hit::No } else { Hit::Partial };
        let mut at = 1 + blanks(&rest[1..]);
        let close = rest.get(at) == Some(&b'/');
        if close {
            at += 1;
            at += blanks(&rest[at..]);
        }
        if at > 2 + 2 * SPACES {
            return Hit::No;
        }
        let name = &rest[at..];
        let len = name.iter().take(64).take_while(|b| is_name(**b)).count();
        if at + len == rest.len() {
            let begun = |(word, row): &(Vec<u8>, usize)| {
                starts_folded(word, &name[..len]) || self.suffix(word, *row, &name[..len]).is_some()
            };
            return if self.words.iter().any(begun) { more } else { Hit::No };
        }
        let whole = self.words.iter().find(|(word, _)| folded(word, &name[..len])).map(|(_, row)| (*row, 0));
        let longer = || self.words.iter().find_map(|(word, row)| Some((*row, self.suffix(word, *row, &name[..len])?)));
        let Some((row, suffix)) = whole.or_else(longer) else {
            return Hit::No;
        };
        if suffix == NO_SUFFIX {
            return Hit::No;
        }
        // `<REASONING>` with attributes or spaces is not the strict tag, and must not become its lower-case cousin.
        if name[..len] == *b"REASONING" && self.rows.iter().any(|r| r.strict) {
            return Hit::No;
        }
        let after = &name[len..];
        let role = if close { Role::Close } else { Role::Open };
        let spaces = blanks(after);
        match after.get(spaces) {
            None if spaces > SPACES => Hit::No,
            None => more,
            Some(b'>') => Hit::Yes(Mark { row, role, len: at + len + spaces + 1, suffix }),
            Some(_) if close || !after[0].is_ascii_whitespace() => Hit::No,
            Some(_) => match memchr2(b'<', b'>', after) {
                Some(n) if after[n] == b'>' && attributes(&after[..n]) => {
                    Hit::Yes(Mark { row, role, len: at + len + n + 1, suffix })
                }
                Some(_) => Hit::No,
                None if eof => Hit::No,
                None => Hit::Attributes,
            },
        }
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take(SPACES + 1).take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.')
}

fn folded(word: &[u8], name: &[u8]) -> bool {
    word.eq_ignore_ascii_case(name)
}

fn starts_folded(word: &[u8], name: &[u8]) -> bool {
    word.get(..name.len()).is_some_and(|w| folded(w, name))
}

/// `name="value"` and its unquoted and single-quoted forms, any number of them. Bare words are prose.
fn attributes(mut text: &[u8]) -> bool {
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
        text = &value[len..];
    }
}
