//! Detects the framing by the first bytes. The result depends on the bytes alone, never on how many arrived at once.

use super::{Framing, csv, json::SEPARATOR, log, sse};

/// How many bytes may be examined before a decision is forced.
pub const MAX_SNIFFED_BYTES: usize = 64 * 1024;

/// What decides besides the bytes.
pub struct SniffHints<'a> {
    /// Whether a line is by itself a record: a dialect reads it, or it may contain reasoning.
    pub is_record: &'a mut dyn FnMut(&[u8]) -> bool,
    /// Whether a column of this name is reasoning.
    pub thinks: &'a mut dyn FnMut(&[u8]) -> bool,
    /// Text is written as it comes: input that does not begin with a record is text.
    pub streaming: bool,
}

/// The framing of an input that begins with `buf` (without a byte order mark). `None`: more bytes are needed.
pub fn sniff(buf: &[u8], eof: bool, look: &mut SniffHints<'_>) -> Option<Framing> {
    let all = eof || buf.len() >= MAX_SNIFFED_BYTES;
    let buf = &buf[..buf.len().min(MAX_SNIFFED_BYTES)];
    // A log that was truncated while its writer had it open begins with NUL bytes.
    let blank = buf.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0).count();
    let rest = &buf[blank..];
    let framing = match rest.first() {
        None if all => Some(Framing::Text),
        None => None,
        Some(b'{') => object(rest, all),
        Some(b'[') => array(rest, all),
        Some(&SEPARATOR) => Some(Framing::Jsonl),
        // What `curl -v` writes of a response; its first lines may be missing.
        Some(b'<') if rest.starts_with(HTTP) => events(rest, all),
        Some(b'<') if HTTP.starts_with(rest) && !all => None,
        Some(b'<') => return Some(Framing::Text),
        Some(_) => events(rest, all),
    };
    match framing {
        Some(Framing::Text) if !look.streaming => prose(rest, (all, eof && buf.len() < MAX_SNIFFED_BYTES), look),
        framing => framing,
    }
}

const HTTP: &[u8] = b"< HTTP/";

/// Input that begins with `{` is JSON only if a key or `}` follows. Similar input, such as Python or JavaScript
/// notation, is a broken record: it may hold reasoning, and must not pass.
fn object(rest: &[u8], all: bool) -> Option<Framing> {
    let inner = rest[1..].trim_ascii_start();
    let word = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    match (inner.first(), inner.get(word)) {
        (Some(b'"' | b'}'), _) => lines_or_value(rest, all),
        // UTF-16.
        (Some(0 | b'\''), _) | (Some(_), Some(b':')) => Some(Framing::Jsonl),
        (None, _) | (_, None) if !all => None,
        _ => Some(Framing::Text),
    }
}

/// Input that begins with `[` is JSON only if a value or `]` follows; `[THINK]`, `[INFO]` and a footnote `[1]` are
/// text.
fn array(rest: &[u8], all: bool) -> Option<Framing> {
    let inner = rest[1..].trim_ascii_start();
    match is_label(inner, all) {
        None => return None,
        Some(false) => (),
        // The label of a line of a log, whose record may stand behind it.
        Some(true) => match memchr::memchr(b'\n', rest) {
            None if !all => return None,
            end => {
                let line = rest[..end.unwrap_or(rest.len())].trim_ascii_end();
                return Some(if log::json(line) > 0 { Framing::Jsonl } else { Framing::Text });
            }
        },
    }
    let words = [&b"true"[..], b"false", b"null"];
    // `[[name]]`, as in TOML, is no list of lists.
    let deep = inner.iter().position(|b| !b.is_ascii_whitespace() && *b != b'[').map(|at| &inner[at..]);
    if let (b'[', Some(deep)) = (inner.first().unwrap_or(&0), deep)
        && deep[0].is_ascii_alphabetic()
    {
        match words.iter().find(|w| w.starts_with(deep) || deep.starts_with(w)) {
            Some(word) if deep.len() < word.len() && !all => return None,
            Some(_) => (),
            None => return Some(Framing::Text),
        }
    }
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

/// Whether a text is no list of JSON behind its bracket, but a time, a number or a box as lines of logs and of prose begin with:
/// `[10:00:00] x`, `[1/4] x`, `[ 50%] x`, `[1] x`, `[ ] x`. `None`: more bytes are needed.
fn is_label(inner: &[u8], all: bool) -> Option<bool> {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(inner);
    let fraction = inner.get(whole + 1..).filter(|_| whole > 0 && inner[whole] == b'.').map_or(0, digits);
    let number = whole + if fraction > 0 { 1 + fraction } else { 0 };
    let sign = match inner.get(number) {
        Some(b']') => false,
        _ if number == 0 => return Some(false),
        None => return if all { Some(false) } else { None },
        Some(b':' | b'/' | b'-' | b'%' | b'.') => true,
        Some(_) => return Some(false),
    };
    let line = &inner[..memchr::memchr(b'\n', inner).unwrap_or(inner.len())];
    let Some(end) = memchr::memchr(b']', line) else {
        return if all || line.len() < inner.len() { Some(false) } else { None };
    };
    let behind = &inner[end + 1..];
    let blank = behind.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    match behind.get(blank) {
        None if !all => None,
        None | Some(b'\n' | b',') => Some(false),
        Some(b'[' | b'{') => Some(sign),
        Some(_) => Some(true),
    }
}

/// JSON Lines if the first line holds whole values; if not, one value over several lines.
fn lines_or_value(rest: &[u8], all: bool) -> Option<Framing> {
    match memchr::memchr(b'\n', rest) {
        None if !all => None,
        // Without a line end so far: an array is split into its elements; an object is one long record in either
        // framing.
        None => Some(if rest[0] == b'[' { Framing::Json } else { Framing::Jsonl }),
        Some(n) if balanced(&rest[..n]) => Some(Framing::Jsonl),
        Some(n) => goes_on(&rest[..n], &rest[n..], all),
    }
}

/// Whether a line closes every bracket that it opens. A line that ends inside of a string is broken: it is no beginning
/// of a longer value, since strings do not span lines.
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

/// Whether an unbalanced first line begins a value over several lines, or is a record that was cut off. A value breaks
/// lines after a bracket or a comma, or before one.
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

/// Text, unless one of its first lines is a record by itself: then it is a log whose front was cut off. A record in a
/// fenced or indented block is an example in a text.
fn prose(rest: &[u8], (all, whole): (bool, bool), look: &mut SniffHints<'_>) -> Option<Framing> {
    let SniffHints { is_record, thinks, .. } = look;
    let (mut fence, mut at, mut stream) = (false, 0, true);
    let mut logged = false;
    while at < rest.len() {
        let line = match memchr::memchr(b'\n', &rest[at..]) {
            Some(n) => &rest[at..at + n + 1],
            None if !all => return None,
            None => &rest[at..],
        };
        let first = at == 0;
        at += line.len();
        if stream && is_data(line) && is_record(sse::field(line).1) {
            return Some(Framing::Sse);
        }
        if first {
            logged = log::json(line.trim_ascii_end()) > 0 || log::is_plain(line.trim_ascii_end());
        }
        stream &= if first { may_be_rest(line) } else { is_beside_events(line) };
        // A block of code in Markdown; no program indents the lines of a log.
        let indented = line.starts_with(b"    ") || line.starts_with(b"\t");
        let line = line.trim_ascii();
        if line.starts_with(b"```") || line.starts_with(b"~~~") {
            fence = !fence;
        }
        // A log, each of whose records has a prefix.
        let json = if logged && !fence && !indented { log::json(line) } else { 0 };
        if json > 0 && is_record(&line[json..]) {
            return Some(Framing::Jsonl);
        }
        // A frame of a stream begins with the name of the stream.
        if !fence && !indented && matches!(line, [b'{' | b'#', .., b'}'] | [b'[', .., b']']) && is_record(line) {
            return Some(Framing::Jsonl);
        }
    }
    all.then(|| match csv::delimiter(rest, whole, thinks) {
        Some(b'\t') => Framing::Tsv,
        Some(_) => Framing::Csv,
        None => Framing::Text,
    })
}

/// Whether the first line may be the rest of a line of an event stream: of its data, or of the name of an event.
fn may_be_rest(line: &[u8]) -> bool {
    let word = |b: &u8| b.is_ascii_alphanumeric() || b"_.-".contains(b);
    let line = line.trim_ascii_end();
    matches!(line.last(), Some(b'}' | b']')) || line.iter().all(word) || is_beside_events(line)
}

/// Whether a line may stand between events: a line of a stream, a blank one, or what `curl -v` writes of its connection.
fn is_beside_events(line: &[u8]) -> bool {
    let curl = [&b"* "[..], b"> ", b"< ", b"{ [", b"} ["];
    line.trim_ascii().is_empty()
        || looks_like_event(line.trim_ascii_end(), true)
        || curl.iter().any(|start| line.starts_with(start))
        || matches!(line.trim_ascii_end(), b"<" | b">" | b"*")
}

/// An event stream if every line before the first blank line is a valid line of one; if not, text.
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

/// Whether a line is a data line with JSON in it: no text begins with one.
fn is_data(line: &[u8]) -> bool {
    let (name, value) = sse::field(line);
    name == b"data" && matches!(value.trim_ascii_start().first(), Some(b'{' | b'[')) && value.len() > 1
}

fn looks_like_event(line: &[u8], whole: bool) -> bool {
    let (name, value) = sse::field(line);
    // A data URL (RFC 2397) has a media type right after the colon.
    let kind = value.iter().take_while(|b| b.is_ascii_alphanumeric() || b"/.+-".contains(b)).count();
    if line.starts_with(b"data:") && line.get(5) != Some(&b' ') && value[..kind].contains(&b'/') {
        return false;
    }
    let named = [&b"data"[..], b"event", b"id", b"retry"].contains(&name) && (!whole || name.len() < line.len());
    let begun = !whole && [&b"data"[..], b"event", b"id", b"retry"].iter().any(|f| f.starts_with(line));
    // A comment. In reStructuredText, a word between colons is the name of a field; a text may begin with a smiley.
    let comment = line.strip_prefix(b":").is_some_and(|rest| {
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
        let smiles = rest.first().is_some_and(u8::is_ascii_punctuation);
        !smiles && (word == 0 || rest.get(word) != Some(&b':'))
    });
    named || begun || comment
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line with the member `r` is a record.
    fn decided(text: &[u8], eof: bool) -> Option<Framing> {
        let mut is_record = |line: &[u8]| line.starts_with(b"{\"r\"");
        sniff(text, eof, &mut SniffHints { is_record: &mut is_record, thinks: &mut |_| false, streaming: false })
    }

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
            (":orphan:\n\nText.\n", Framing::Text),
            (":ok\n\n", Framing::Sse),
            ("data: is a word\n<think>x</think>y\n", Framing::Text),
            ("data: [DONE]", Framing::Sse),
            ("date: 1\n", Framing::Text),
            ("{\"a\":\"cut off\n{\"b\":1}\n", Framing::Jsonl),
            ("# c\n{\"a\":1}\n", Framing::Text),
            ("# c\n{\"r\":1}\n", Framing::Jsonl),
            ("null\n{\"r\":1}", Framing::Jsonl),
            ("ut off\"}\n\n  {\"r\":1} \n", Framing::Jsonl),
            ("```json\n{\"r\":1}\n```\n", Framing::Text),
            ("Look:\n\n    {\"r\":1}\n\nMore.\n", Framing::Text),
            ("Look:\n\n\t{\"r\":1}\n", Framing::Text),
            ("Look:\n\n    {\"a\":1}\n{\"r\":1}\n", Framing::Jsonl),
            ("```\nx\n```\n{\"r\":1}\n", Framing::Jsonl),
            ("<x>\n{\"r\":1}\n", Framing::Text),
            ("[1] Smith\n", Framing::Text),
            ("[2026-01-01 10:00:00] INFO up\nx\n", Framing::Text),
            ("[2026-01-01 10:00:00] INFO up\n[2026-01-01 10:00:01] {\"r\":1}\n", Framing::Jsonl),
            ("[2026-01-01 10:00:00] {\"a\":1}\nx\n", Framing::Jsonl),
            ("[10:00:00] x\n", Framing::Text),
            ("[1/4] x\n", Framing::Text),
            ("[ 50%] x\n", Framing::Text),
            ("[    0.000000] x\n", Framing::Text),
            ("[ ] x\n[x] y\n", Framing::Text),
            ("[]\n", Framing::Jsonl),
            ("[1.5]\n", Framing::Jsonl),
            ("[1.5,\n2]", Framing::Json),
            ("[1e5]\n", Framing::Jsonl),
            ("[1:2]\n", Framing::Jsonl),
            ("[2.e3]", Framing::Json),
            ("[10:00:00][x] y\n", Framing::Text),
            ("[1]\n[2]\n", Framing::Jsonl),
            ("[1, 2]", Framing::Json),
            ("[12]", Framing::Json),
            ("[[1], [2]]", Framing::Json),
            ("[[true]]", Framing::Json),
            ("[[test]]\nname = 1\n", Framing::Text),
            ("id,text\n1,a\n", Framing::Csv),
            ("id\ttext\n1\ta", Framing::Tsv),
            ("data:image/png;base64,AAAA", Framing::Text),
            ("data:x\n\n", Framing::Sse),
            ("data: a/b\n\n", Framing::Sse),
            ("Some prose.\n{\"a\": 1, and more\n", Framing::Text),
            ("Some prose.\n\nMore of it.\n", Framing::Text),
            ("{'role': 'assistant'}\n", Framing::Jsonl),
            ("{role: \"assistant\"}\n", Framing::Jsonl),
            ("\u{1e}{\"a\":1}\n", Framing::Jsonl),
            ("{\"a\":[1\n{\"b\":1}\n", Framing::Jsonl),
            ("{\"a\": 1\n}\n", Framing::Json),
            ("{\"a\": 1,\n\"b\":2}\n", Framing::Json),
            // A stream whose front was cut off, in its data or in the name of an event, and the output of curl.
            ("ut off\"}\n\ndata: {\"r\":1}\n\n", Framing::Sse),
            ("lta\ndata: {\"r\":1}\n\n", Framing::Sse),
            ("* Connected\n> GET /\n\ndata: {\"r\":1}\n\n", Framing::Sse),
            ("< HTTP/1.1 200 OK\n<\r\ndata: {\"r\":1}\n\n", Framing::Sse),
            ("< HTTP/1.1 is a protocol", Framing::Text),
            // A log with a prefix before each record.
            ("2026-01-01 10:00:00 INFO up\n2026-01-01 10:00:00 INFO {\"r\":1}\n", Framing::Jsonl),
            ("web-1  | {\"r\":1}\n", Framing::Jsonl),
            ("Look:\n2026-01-01 10:00:00 INFO {\"r\":1}\n", Framing::Text),
            // A text that shows a stream.
            ("# A stream\n\ndata: {\"r\":1}\n\n", Framing::Text),
            ("Look:\ndata: {\"r\":1}\n", Framing::Text),
            ("word\n\n    data: {\"r\":1}\n", Framing::Text),
            ("word\nprose\ndata: {\"r\":1}\n", Framing::Text),
        ] {
            assert_eq!(decided(text.as_bytes(), true), Some(want), "{text:?}");
            // A decision that is made early is the one that is made late.
            let early = (0..=text.len()).find_map(|n| decided(&text.as_bytes()[..n], n == text.len()));
            assert_eq!(early, Some(want), "{text:?} byte by byte");
        }
    }

    proptest::proptest! {
        #[test]
        fn early_and_late_agree(
            parts in proptest::collection::vec(
                proptest::sample::select(vec![
                    "[", "{", "]", "}", "\n", "\r", " ", "nul", "null", "tr", "\"", "\"a\":1", ",", ":", "data", "data: ", "event: e",
                    "x", "\u{1e}", "\0", "{\"a\":1}", "'", "role:", "{\"r\":1}", "```", "1", "2]", "data:", "image/",
                ]),
                0..9,
            ),
        ) {
            let text = parts.concat().into_bytes();
            let early = (0..=text.len()).find_map(|n| decided(&text[..n], n == text.len()));
            proptest::prop_assert_eq!(early, decided(&text, true));
        }
    }
}
