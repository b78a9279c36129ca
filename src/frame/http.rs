//! The head of an HTTP response, as `curl -i` writes it before the body (RFC 9112, section 2).

/// The longest head, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// How many bytes of heads `buf` begins with. An interim response, or a redirection that was followed, has a head of
/// its own. `None`: more bytes are needed.
pub fn heads(buf: &[u8], eof: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        match head(&buf[at..]) {
            HttpHead::Yes(len) => at += len,
            HttpHead::Open if !eof && buf.len() - at < MAX_HEAD_BYTES => return None,
            HttpHead::Open | HttpHead::No => return Some(at),
        }
    }
}

enum HttpHead {
    Yes(usize),
    /// More bytes decide whether it is a head.
    Open,
    No,
}

fn head(buf: &[u8]) -> HttpHead {
    let mut at = 0;
    loop {
        let Some(n) = memchr::memchr(b'\n', &buf[at..]) else {
            let rest = &buf[at..];
            let open = if at == 0 { may_be_status(rest) } else { is_field(rest, false) };
            return if open { HttpHead::Open } else { HttpHead::No };
        };
        let line = &buf[at..at + n];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match (at, line) {
            (0, line) if !is_status(line) => return HttpHead::No,
            (0, _) => (),
            (_, b"") => return HttpHead::Yes(at + n + 1),
            (_, line) if !is_field(line, true) => return HttpHead::No,
            _ => (),
        }
        at += n + 1;
    }
}

/// Whether a line is a status line, such as `HTTP/1.1 200 OK`; the reason may be missing.
fn is_status(line: &[u8]) -> bool {
    let version = line.strip_prefix(b"HTTP/").and_then(|rest| {
        let len = rest.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
        (len > 0).then(|| &rest[len..])
    });
    matches!(version, Some([b' ', a, b, c]) | Some([b' ', a, b, c, b' ', ..]) if [a, b, c].iter().all(|b| b.is_ascii_digit()))
}

/// Whether the start of a line may be that of a status line.
fn may_be_status(line: &[u8]) -> bool {
    let name = b"HTTP/";
    if line.len() <= name.len() { name.starts_with(line) } else { line.starts_with(name) && line.len() < 256 }
}

/// Whether a line is a header field: `name: value`.
fn is_field(line: &[u8], whole: bool) -> bool {
    let token = |b: &u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(b);
    let len = line.iter().take_while(|b| token(b)).count();
    match line.get(len) {
        Some(b':') => len > 0,
        Some(b'\r') => !whole && line.len() == 1,
        Some(_) => false,
        None => !whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for (text, want) in [
            ("", 0),
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{\"a\":1}", 25),
            ("HTTP/2 200 \nA: b\n\nx", 18),
            ("HTTP/2 200\n\n", 12),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", 44),
            ("HTTP/1.1 is a protocol.\n\nx", 0),
            ("HTTP/1.1 200 OK\nNo field\n\n", 0),
            ("HTTP/1.1 200 OK\nA: b\n", 0),
            ("Hello", 0),
        ] {
            assert_eq!(heads(text.as_bytes(), true), Some(want), "{text:?}");
            let bytes = text.as_bytes();
            let early = (0..=bytes.len())
                .find_map(|n| heads(&bytes[..n], n == bytes.len()).filter(|_| n > 0 || bytes.is_empty()));
            assert!(early.is_some(), "{text:?}");
        }
        for text in ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1"] {
            assert_eq!(heads(text.as_bytes(), false), None, "{text:?}: the rest of the head may follow");
        }
    }
}
