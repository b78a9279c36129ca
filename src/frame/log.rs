//! Lines of a log: JSON behind a prefix with a time, the name of a container or of a file (behaviour.md, section 3).
//! The prefix stays as it is.

/// The longest prefix, in bytes.
const MAX_PREFIX_BYTES: usize = 160;

/// Where the JSON of a line begins that stands behind the prefix of a log. 0: it has none.
pub fn json(line: &[u8]) -> usize {
    if matches!(line.first(), None | Some(b'{' | b'[' | b'"' | b' ')) && !line.starts_with(b"[") {
        return 0;
    }
    let near = &line[..line.len().min(MAX_PREFIX_BYTES)];
    let Some(start) = near.windows(2).position(|pair| matches!(pair, b"{\"" | b"[{")) else { return 0 };
    let ends = matches!(line.trim_ascii_end().last(), Some(b'}' | b']'));
    if ends && is_prefix(&line[..start]) { start } else { 0 }
}

/// Whether a line is one of a log and has neither JSON nor tags in it.
pub fn is_plain(line: &[u8]) -> bool {
    if matches!(line.first(), Some(b'{')) {
        return false;
    }
    let odd = |b: &u8| matches!(b, b'{' | b'}' | b'"' | b'<' | b'\\' | 0 | 0x1B);
    !line.iter().any(odd) && is_prefix(line)
}

/// Whether a text begins like a line of a log: with a time, a container, a level, or a file and a line.
fn is_prefix(text: &[u8]) -> bool {
    if text.iter().any(|b| matches!(b, b'"' | b'<' | b'`' | 0)) || has_tag(text) {
        return false;
    }
    let text = text.strip_prefix(b"[").unwrap_or(text);
    is_time(text) || is_container(text) || is_level(text) || is_place(text)
}

/// Whether a text has a tag that is written with other signs than an element: what stands between tags is no prefix.
fn has_tag(text: &[u8]) -> bool {
    [&b"[THINK]"[..], b"[/THINK]", "◁".as_bytes()].iter().any(|tag| memchr::memmem::find(text, tag).is_some())
}

/// A date, or the time of a day.
fn is_time(text: &[u8]) -> bool {
    let digits =
        |range: std::ops::Range<usize>| text.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    let sign = |at: usize, of: &[u8]| text.get(at).is_some_and(|b| of.contains(b));
    let date = digits(0..4) && sign(4, b"-/") && digits(5..7) && sign(7, b"-/") && digits(8..10) && sign(10, b"T _");
    let clock = |at: usize| digits(at..at + 2) && sign(at + 2, b":") && digits(at + 3..at + 5) && sign(at + 5, b":");
    // `Jan  1 10:00:00`, as syslog writes it.
    let syslog = text.first().is_some_and(u8::is_ascii_uppercase) && sign(3, b" ") && clock(7);
    date || clock(0) || syslog
}

/// `web-1  | `
fn is_container(text: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
    let len = text.iter().take_while(|b| word(b)).count();
    let rest = text[len..].trim_ascii_start();
    len > 0 && rest.len() < text.len() - len && rest.starts_with(b"| ")
}

/// `INFO `, `INFO:root:`, `[INFO] `
fn is_level(text: &[u8]) -> bool {
    const LEVELS: [&[u8]; 10] =
        [b"TRACE", b"DEBUG", b"INFO", b"NOTICE", b"WARN", b"WARNING", b"ERROR", b"FATAL", b"CRITICAL", b"LOG"];
    let len = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
    LEVELS.contains(&&text[..len]) && matches!(text.get(len), Some(b' ' | b':' | b']'))
}

/// `path:12:`, as a search in files writes it.
fn is_place(text: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/' | b'\\');
    let len = text.iter().take_while(|b| word(b)).count();
    let Some(rest) = text[len..].strip_prefix(b":") else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    len > 0 && digits > 0 && rest.get(digits) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_json_begins() {
        for (line, want) in [
            ("{\"a\":1}", 0),
            ("2026-01-01 10:00:00 INFO {\"a\":1}", 25),
            ("2026-01-01T00:00:00.0Z stdout F {\"a\":1}\r", 32),
            ("[2026-01-01 10:00:00] {\"a\":1}", 22),
            ("web-1  | {\"a\":1}", 9),
            ("a/b.jsonl:12:[{\"a\":1}]", 13),
            ("Jan  1 10:00:00 host app[1]: {\"a\":1}", 29),
            ("INFO:root:{\"a\":1}", 10),
            ("[INFO] {\"a\":1}", 7),
            ("He said {\"a\":1}", 0),
            ("2026-01-01 10:00:00 \"x\" {\"a\":1}", 0),
            ("2026-01-01 10:00:00 {\"a\":1} and more", 0),
        ] {
            assert_eq!(json(line.as_bytes()), want, "{line}");
        }
        assert!(is_plain(b"2026-01-01 10:00:00 INFO started") && !is_plain(b"2026-01-01 10:00:00 <think>"));
    }
}
