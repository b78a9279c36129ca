//! Lines of the data stream that Vercel's AI SDK had before version 5: a code, a colon and JSON. The codes name no
//! reasoning, so that only the whole form of such a line tells it.

use crate::json::text::end_of_string;

/// How lines with reasoning, with one that is redacted and with a signature begin, up to the text.
const CODES: [&[u8]; 3] = [b"g:\"", b"i:{\"data\":\"", b"j:{\"signature\":\""];

/// Whether a line may be one of these, of which no more than the beginning may have come.
pub(super) fn may_be_coded(line: &[u8]) -> bool {
    CODES.iter().any(|code| line.starts_with(code) || code.starts_with(line) && !line.is_empty())
}

/// The code of a line that is one of these.
pub(super) fn coded(line: &[u8]) -> Option<&[u8]> {
    let code = CODES.iter().find(|code| line.starts_with(code))?;
    let text = &line[code.len()..];
    let end = end_of_string(text, 0, b'"');
    // The end of a stream that was cut off.
    let open = end >= text.len() && !line.ends_with(b"\n");
    let rest = text.get(end + 1..).map(<[u8]>::trim_ascii);
    let whole = rest == Some(if code.contains(&b'{') { &b"}"[..] } else { b"" });
    let whole = end > 0 && (open || whole);
    whole.then_some(&line[..1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_codes() {
        for (line, want) in [
            ("g:\"Low pressure\"\n", true),
            ("g:\"low\"\r\n", true),
            ("g:\" \\\"low\\\"\"", true),
            ("i:{\"data\":\"UzND\"}\n", true),
            ("j:{\"signature\":\"UzND\"}\n", true),
            ("g:\"\"\n", false),
            ("g:\"low\",\n", false),
            ("g:\"low\n", false),
            ("g:\"low", true),
            ("g:\"", false),
            (" g:\"low\"\n", false),
            ("0:\"By noon.\"\n", false),
            ("i:{\"data\":\"UzND\",\"n\":1}\n", false),
            ("j:{\"signature\":1}\n", false),
            ("so i:{\"data\":\"UzND\"}\n", false),
        ] {
            assert_eq!(coded(line.as_bytes()).is_some(), want, "{line}");
            assert!(!want || (1..=line.len()).all(|end| may_be_coded(&line.as_bytes()[..end])), "{line}");
        }
    }
}
