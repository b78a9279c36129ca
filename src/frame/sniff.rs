//! What framing the first bytes show. The answer depends on the bytes alone, never on how many arrived at once.

use super::{Framing, sse};

/// How many bytes may be looked at before a decision is forced.
const WINDOW: usize = 64 * 1024;

/// The framing of an input that begins with `buf`, its byte order mark left out; `None` when more bytes are needed.
pub fn sniff(buf: &[u8], eof: bool) -> Option<Framing> {
    let all = eof || buf.len() >= WINDOW;
    let buf = &buf[..buf.len().min(WINDOW)];
    // NUL bytes in front are what a writer leaves whose log was cut away under it.
    let blank = buf.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
    let rest = &buf[blank..];
    match rest.first() {
        None if all => Some(Framing::Text),
        None => None,
        Some(b'{') => object(rest, all),
        Some(b'[') => array(rest, all),
        // RFC 7464, which is not read: a broken record, not text.
        Some(0x1E) => Some(Framing::Jsonl),
        Some(b'<') => Some(Framing::Text),
        Some(_) => match events(rest, all) {
            Some(Framing::Text) => prose(rest, all),
            other => other,
        },
    }
}

/// `{`: JSON only if a name or `}` follows. What comes close to it, such as the notation of Python or JavaScript, is
/// a broken record: it may hold what must not get through.
fn object(rest: &[u8], all: bool) -> Option<Framing> {
    let inner = rest[1..].trim_ascii_start();
    let word = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    match (inner.first(), inner.get(word)) {
        (Some(b'"' | b'}'), _) => lines_or_value(rest, all),
        // UTF-16.
        (Some(0 | b'\''), _) | (Some(_), Some(b':')) => Some(Framing::Jsonl),
        (None, _) | (_, None) if !all => None,
        _ => prose(rest, all),
    }
}

/// `[`: JSON only if a value or `]` follows; `[THINK]` and `[INFO]` are text.
fn array(rest: &[u8], all: bool) -> Option<Framing> {
    let inner = rest[1..].trim_ascii_start();
    let words = [&b"true"[..], b"false", b"null"];
    let word = words.iter().find(|w| w.starts_with(inner) || inner.starts_with(w));
    match inner.first() {
        Some(b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9') => lines_or_value(rest, all),
        Some(_) if word.is_some_and(|w| inner.len() < w.len()) && !all => None,
        Some(_) if word.is_some_and(|w| inner.starts_with(w)) => lines_or_value(rest, all),
        Some(_) => Some(Framing::Text),
        None if all => Some(Framing::Text),
        None => None,
    }
}

/// JSON Lines if the first line holds whole values, otherwise one value that goes on over lines.
fn lines_or_value(rest: &[u8], all: bool) -> Option<Framing> {
    match memchr::memchr(b'\n', rest) {
        None if !all => None,
        // No line end in sight: an array is taken apart, an object is one long record either way.
        None => Some(if rest[0] == b'[' { Framing::Json } else { Framing::Jsonl }),
        Some(n) if balanced(&rest[..n]) => Some(Framing::Jsonl),
        Some(n) => goes_on(&rest[..n], &rest[n..], all),
    }
}

/// Whether the line closes every bracket that it opens. A line that ends inside a string is broken, since a string
/// cannot go on over lines: it is no start of a longer value either.
fn balanced(line: &[u8]) -> bool {
    let (mut depth, mut string, mut escape) = (0i64, false, false);
    for &b in line {
        match (string, b) {
            (true, _) if escape => escape = false,
            (true, b'\\') => escape = true,
            (_, b'"') => string = !string,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => depth -= 1,
            _ => (),
        }
    }
    depth <= 0 || string
}

/// A value that goes on over lines, or a record that was cut off before the next one? A value breaks lines after a
/// bracket or a comma, or goes on with one.
fn goes_on(line: &[u8], after: &[u8], all: bool) -> Option<Framing> {
    if matches!(line.trim_ascii_end().last(), Some(b'{' | b'[' | b',' | b':')) {
        return Some(Framing::Json);
    }
    match after.trim_ascii_start().first() {
        Some(b'}' | b']' | b',' | b':' | b'"') => Some(Framing::Json),
        Some(_) => Some(Framing::Jsonl),
        None => all.then_some(Framing::Jsonl),
    }
}

/// Text, unless its second line is a whole JSON object: then the first one is a record that is broken, or no
/// conversation, and what follows must not get through as text.
fn prose(rest: &[u8], all: bool) -> Option<Framing> {
    let Some(n) = memchr::memchr(b'\n', rest) else { return all.then_some(Framing::Text) };
    let second = rest[n..].trim_ascii_start();
    let line = memchr::memchr(b'\n', second).map_or(second, |n| &second[..n]);
    match line {
        [] | [b'{'] if !all => None,
        [b'{', ..] if line.len() == second.len() && !all => None,
        [b'{', ..] if crate::json::scan::validate(line).is_ok() => Some(Framing::Jsonl),
        _ => Some(Framing::Text),
    }
}

/// An event stream if every line up to the first blank one looks like one of its lines; otherwise text.
fn events(rest: &[u8], all: bool) -> Option<Framing> {
    let mut at = 0;
    while at < rest.len() {
        let Some(n) = memchr::memchr2(b'\n', b'\r', &rest[at..]) else {
            let line = &rest[at..];
            return match (looks_like_event(line, all), all) {
                (false, _) => Some(Framing::Text),
                (true, true) => Some(Framing::Sse),
                (true, false) => None,
            };
        };
        let line = &rest[at..at + n];
        if line.is_empty() && at > 0 {
            break;
        }
        if !looks_like_event(line, true) {
            return Some(Framing::Text);
        }
        if is_data(line) {
            return Some(Framing::Sse);
        }
        at += n + 1 + usize::from(rest[at + n..].starts_with(b"\r\n"));
    }
    (at > 0 && (all || at < rest.len())).then_some(Framing::Sse)
}

/// A data line with JSON in it: no text begins like that.
fn is_data(line: &[u8]) -> bool {
    let (name, value) = sse::field(line);
    name == b"data" && matches!(value.trim_ascii_start().first(), Some(b'{' | b'[')) && value.len() > 1
}

fn looks_like_event(line: &[u8], whole: bool) -> bool {
    let (name, _) = sse::field(line);
    let named = [&b"data"[..], b"event", b"id", b"retry"].contains(&name) && (!whole || name.len() < line.len());
    let begun = !whole && [&b"data"[..], b"event", b"id", b"retry"].iter().any(|f| f.starts_with(line));
    named || begun || line.first() == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decides() {
        for (text, want) in [
            ("", Framing::Text),
            ("  \n", Framing::Text),
            ("hello", Framing::Text),
            ("{\"a\":1}\n{\"b\":2}\n", Framing::Jsonl),
            ("{\"a\":1}", Framing::Jsonl),
            ("\n\n{\"a\":1}\n", Framing::Jsonl),
            ("{\n  \"a\": 1\n}\n", Framing::Json),
            ("[\n {}\n]", Framing::Json),
            ("[{\"role\":\"user\"}]\n[]\n", Framing::Jsonl),
            ("[{\"role\":\"user\"}]", Framing::Json),
            ("{ this is prose", Framing::Text),
            ("[THINK]x[/THINK]", Framing::Text),
            ("[note] x", Framing::Text),
            ("[null]\n", Framing::Jsonl),
            ("[\nnul]", Framing::Text),
            ("[\nnull]", Framing::Json),
            ("data: {\"a\":1}\n\n", Framing::Sse),
            (": ping\n\ndata: x\n\n", Framing::Sse),
            ("event: e\ndata: x\n\n", Framing::Sse),
            ("data: is a word\n<think>x</think>y\n", Framing::Text),
            ("data: [DONE]", Framing::Sse),
            ("date: 1\n", Framing::Text),
            ("{\"a\":\"cut off\n{\"b\":1}\n", Framing::Jsonl),
            ("# c\n{\"a\":1}\n", Framing::Jsonl),
            ("null\n{\"a\":1}\n", Framing::Jsonl),
            ("Some prose.\n{\"a\": 1, and more\n", Framing::Text),
            ("Some prose.\n\nMore of it.\n", Framing::Text),
            ("{'role': 'assistant'}\n", Framing::Jsonl),
            ("{role: \"assistant\"}\n", Framing::Jsonl),
            ("\u{1e}{\"a\":1}\n", Framing::Jsonl),
            ("{\"a\":[1\n{\"b\":1}\n", Framing::Jsonl),
            ("{\"a\": 1\n}\n", Framing::Json),
            ("{\"a\": 1,\n\"b\":2}\n", Framing::Json),
        ] {
            assert_eq!(sniff(text.as_bytes(), true), Some(want), "{text:?}");
            // A decision that is made early is the one that is made late.
            let early = (0..=text.len()).find_map(|n| sniff(&text.as_bytes()[..n], n == text.len()));
            assert_eq!(early, Some(want), "{text:?} byte by byte");
        }
    }

    proptest::proptest! {
        #[test]
        fn early_and_late_agree(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "[", "{", "]", "}", "\n", "\r", " ", "nul", "null", "tr", "\"", "\"a\":1", ",", ":", "data", "data: ", "event: e",
                    "x", "\u{1e}", "\0", "{\"a\":1}", "'", "role:",
                ]),
                0..9,
            ),
        ) {
            let text = parts.concat().into_bytes();
            let early = (0..=text.len()).find_map(|n| sniff(&text[..n], n == text.len()));
            proptest::prop_assert_eq!(early, sniff(&text, true));
        }
    }
}
