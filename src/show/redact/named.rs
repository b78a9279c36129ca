//! Patterns with a name: what is not for others in most conversations. They know forms, not meanings: more is taken out
//! than must be, and what has no such form stays.

use std::ops::Range;

/// A pattern with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPattern {
    /// Absolute paths of files and folders, and those below the home of a user.
    Paths,
    /// Keys of programs: tokens by their known forms, what follows `Bearer`, values of `api_key=` and `password:`.
    Keys,
    /// Addresses of mail.
    Emails,
}

/// The least length of a key.
const KEY: usize = 16;

/// What keys begin with.
const BEGINNINGS: [&str; 29] = [
    "sk-",
    "pk-",
    "rk-",
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xoxa-",
    "xoxb-",
    "xoxp-",
    "xoxr-",
    "xoxs-",
    "xapp-",
    "AKIA",
    "ASIA",
    "AIza",
    "ya29.",
    "hf_",
    "npm_",
    "gsk_",
    "xai-",
    "pypi-",
    "dop_v1_",
];

/// What the names of secrets end with.
const SECRETS: [&str; 13] = [
    "api_key",
    "apikey",
    "api-key",
    "access_key",
    "secret_key",
    "private_key",
    "accesskey",
    "secretkey",
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
];

impl NamedPattern {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paths, Self::Keys, Self::Emails];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Paths => "paths",
            Self::Keys => "keys",
            Self::Emails => "emails",
        }
    }

    /// Calls `hit` with each part of a text that has the form.
    pub fn find(self, text: &str, hit: &mut dyn FnMut(Range<usize>)) {
        match self {
            Self::Paths => paths(text, hit),
            Self::Keys => keys(text, hit),
            Self::Emails => emails(text, hit),
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How many bytes at the start of the text are such characters.
fn run(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !is(c)).unwrap_or(text.len())
}

/// How many bytes at the end of the text are such characters.
fn run_back(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.len() - text.rfind(|c: char| !is(c)).map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))
}

fn paths(text: &str, hit: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find(['/', '\\', '~'])).map(|found| at + found) {
        let (before, rest) = (&text[..next], &text[next..]);
        let start = match rest.as_bytes() {
            [b'~', ..] if !before.ends_with(is_word) => home(rest).then_some(next),
            [b'/', ..] if before.ends_with("file:/") => Some(next - "file:/".len()),
            [b'/', b'/', ..] => None,
            [b'/' | b'\\', ..] if drive(before) => Some(next - 2),
            [b'/', ..] if ["/home/", "/Users/", "/root/"].iter().any(|home| rest.starts_with(home)) => Some(next),
            [b'/', ..] => (is_free(before) && has_two(rest)).then_some(next),
            [b'\\', b'\\', ..] => (!before.ends_with('\\') && has_two(&rest[1..])).then_some(next),
            _ => None,
        };
        at = next + 1;
        let Some(start) = start else { continue };
        let end = next + 1 + length(&rest[1..]);
        let end = next + text[next..end].trim_end_matches(['.', '\\', '-', '(', ')']).len();
        if end > next + 1 {
            hit(start..end);
            at = end;
        }
    }
}

/// Whether a path can begin behind this text: no word, address or tag ends there.
fn is_free(before: &str) -> bool {
    before
        .chars()
        .next_back()
        .is_none_or(|c| !is_word(c) && !matches!(c, '/' | '.' | '<' | ')' | ']' | '}' | '\\' | '~' | '-'))
        || before.ends_with("\\n")
}

/// Whether this text ends with a drive, as in `C:`.
fn drive(before: &str) -> bool {
    let mut back = before.chars().rev();
    back.next() == Some(':')
        && back.next().is_some_and(|c| c.is_ascii_alphabetic())
        && back.next().is_none_or(|c| !is_word(c) && c != '.')
}

/// `~/` and `~ann/`.
fn home(rest: &str) -> bool {
    let name = run(&rest[1..], |c| is_word(c) || c == '-');
    rest[1 + name..].starts_with(['/', '\\']) && rest[2 + name..].starts_with(|c| is_word(c) || c == '.')
}

/// Whether there are two names at least, each behind a separator.
fn has_two(rest: &str) -> bool {
    let is_name = |c: char| is_word(c) || matches!(c, '.' | '-' | '@' | '+' | '$');
    let mut names = rest.split(['/', '\\']).skip(1).take(2);
    let first = names.next().is_some_and(|name| !name.is_empty() && name.chars().all(is_name));
    first && names.next().is_some_and(|name| name.starts_with(is_name))
}

/// The length of the rest of a path. A space belongs to it if a separator follows soon: `Ann Lee/notes`.
fn length(rest: &str) -> usize {
    let is_part = |c: char| is_word(c) || matches!(c, '/' | '\\' | '.' | '-' | '+' | '@' | '%' | '~' | '=' | '$' | '#');
    let mut length = 0;
    loop {
        // A backslash before a quote or a line end is the escape of that.
        length += run(&rest[length..], is_part);
        let behind = &rest[length..];
        let escaped = rest[..length].ends_with('\\') && behind.starts_with(' ');
        let Some(words) = behind.strip_prefix(' ') else { return length };
        let soon = words.find(['/', '\\']).filter(|at| {
            let between = &words[..*at];
            *at > 0
                && !between.ends_with(' ')
                && between.split(' ').count() <= 2
                && between.chars().all(|c| is_word(c) || matches!(c, ' ' | '(' | ')' | '\'' | '.'))
        });
        match soon {
            Some(at) => length += 1 + at,
            None if escaped => length += 1,
            None => return length,
        }
    }
}

fn keys(text: &str, hit: &mut dyn FnMut(Range<usize>)) {
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '=' | '~');
    for beginning in BEGINNINGS {
        apart(text, beginning, |at| {
            if text[..at].ends_with(is_word) {
                return at + 1;
            }
            let length = run(&text[at..], |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
            let is_key = text[at..at + length].bytes().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase());
            if length >= KEY && is_key {
                hit(at..at + length);
            }
            at + length
        });
    }
    apart(text, "eyJ", |at| {
        let length = run(&text[at..], is_key);
        if text[at..at + length].matches('.').count() >= 2 && length > 2 * KEY {
            hit(at..at + length);
        }
        at + length
    });
    apart(text, "-----BEGIN ", |at| {
        let head = text[at + 11..].split("-----").next().unwrap_or_default();
        if !head.ends_with("PRIVATE KEY") {
            return at + 1;
        }
        let end = text[at..].find("-----END ").map_or(text.len(), |end| at + end);
        let end = end + text[end..].find("KEY-----").map_or(0, |tail| tail + 8);
        hit(at..end);
        end
    });
    for scheme in ["Bearer ", "bearer ", "Basic "] {
        apart(text, scheme, |at| {
            let start = at + scheme.len();
            let length = run(&text[start..], is_key);
            if length >= KEY {
                hit(start..start + length);
            }
            start + length
        });
    }
    addresses(text, hit);
    assigned(text, hit);
}

/// Calls `each` with the places of a word, but for those before the place that it returned last: so nothing is read twice.
fn apart(text: &str, word: &str, mut each: impl FnMut(usize) -> usize) {
    let mut past = 0;
    for (at, _) in text.match_indices(word) {
        if at >= past {
            past = each(at);
        }
    }
}

/// What logs in, in an address: `https://ann:secret@host`.
fn addresses(text: &str, hit: &mut dyn FnMut(Range<usize>)) {
    for (at, _) in text.match_indices("://") {
        let start = at + 3;
        let length =
            run(&text[start..], |c| !c.is_whitespace() && !matches!(c, '/' | '"' | '\'' | '<' | '>' | '@' | '?'));
        if text[start + length..].starts_with('@') && text[start..start + length].contains(':') {
            hit(start..start + length);
        }
    }
}

/// The values of secrets: `api_key = "…"`, `"password": "…"`, `TOKEN=…`.
fn assigned(text: &str, hit: &mut dyn FnMut(Range<usize>)) {
    let mut past = 0;
    for (at, _) in text.match_indices([':', '=']) {
        if at < past {
            continue;
        }
        let before = text[..at].trim_end_matches([' ', '"', '\'', '\\', '`']);
        let name = before[before.len() - run_back(before, |c| is_word(c) || c == '-')..].to_ascii_lowercase();
        if !SECRETS.iter().any(|secret| name.ends_with(secret)) {
            continue;
        }
        let behind = &text[at + 1..];
        let open = behind.trim_start_matches(['=', ' ']);
        let quoted = open.trim_start_matches('\\');
        let start = text.len() - open.len();
        match quoted.chars().next() {
            Some(quote @ ('"' | '\'' | '`')) => {
                let start = text.len() - quoted.len() + 1;
                let length = run(&text[start..], |c| c != quote && c != '\n' && c != '\\');
                past = start + length;
                if length > 4 {
                    hit(start..start + length);
                }
            }
            _ => {
                let is_value =
                    |c: char| !c.is_whitespace() && !matches!(c, '"' | '\'' | '`' | ',' | ';' | '}' | '&' | ')' | '<');
                let length = run(&text[start..], is_value);
                past = start + length;
                let value = &text[start..start + length];
                if length >= 8 && value.bytes().any(|b| b.is_ascii_digit()) && !value.contains(['(', '[', '{', '‹']) {
                    hit(start..start + length);
                }
            }
        }
    }
}

fn emails(text: &str, hit: &mut dyn FnMut(Range<usize>)) {
    for (at, _) in text.match_indices('@') {
        let own = run_back(&text[..at], |c| c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-'));
        let host = run(&text[at + 1..], |c| c.is_alphanumeric() || matches!(c, '.' | '-'));
        let host = text[at + 1..at + 1 + host].trim_end_matches(['.', '-']);
        let (last, labels) = (host.rsplit('.').next().unwrap_or_default(), host.split('.').count());
        let is_host = labels > 1 && last.chars().count() > 1 && last.chars().all(char::is_alphabetic);
        if own > 0 && is_host {
            hit(at - own..at + 1 + host.len());
        }
    }
}
