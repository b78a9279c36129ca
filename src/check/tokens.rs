//! Finds service tokens in an answer, and remains of them where they were removed.

use super::tags::{CLOSE, OPEN_BRACKETS, angle};
use std::ops::Range;

/// The longest token, in characters between its bars.
const MAX_TOKEN_CHARS: usize = 64;

/// Words that a header leaves when its tokens are lost, joined with its role.
const GLUED: [&str; 3] = ["assistantfinal", "assistantcommentary", "assistantanalysis"];

/// Names of channels, behind a bar at the end of a line.
const MARKERS: [&str; 3] = ["|final", "|analysis", "|assistant"];

/// Service tokens in a text, and remains of them, in order.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    barred(text, "<|", "|>", &mut found);
    barred(text, "<｜", "｜>", &mut found);
    disguised(text, &mut found);
    remains(text, &mut found);
    markers(text, &mut found);
    found.sort_by_key(|at| at.start);
    found.dedup_by(|next, last| next.start < last.end);
    found
}

/// Adds the tokens between these bars.
fn barred(text: &str, open: &str, close: &str, found: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(n) = text[from..].find(open) {
        let start = from + n;
        from = start + open.len();
        // At most four bytes a character, and the closing bar.
        let mut most = (from + 4 * MAX_TOKEN_CHARS + close.len()).min(text.len());
        while !text.is_char_boundary(most) {
            most -= 1;
        }
        let len = text[from..most].find(close).filter(|len| {
            let inside = &text[from..from + len];
            (1..=MAX_TOKEN_CHARS).contains(&inside.chars().count()) && !inside.contains(['\n', '<', '>', '|'])
        });
        let Some(len) = len else { continue };
        let inside = &text[from..from + len];
        // Text that is no name is an operator of some programming language.
        if !inside.starts_with(' ') && !inside.ends_with(' ') {
            found.push(start..from + len + close.len());
            from += len + close.len();
        }
    }
}

/// Names of tokens that nothing else has between bars.
const NAMES: [&str; 16] = [
    "start",
    "end",
    "message",
    "channel",
    "constrain",
    "return",
    "call",
    "im_start",
    "im_end",
    "eot_id",
    "start_header_id",
    "end_header_id",
    "begin_of_text",
    "end_of_text",
    "endoftext",
    "endofprompt",
];

/// Adds tokens whose brackets are escaped for HTML or JSON, or that have white space in them.
fn disguised(text: &str, found: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(n) = memchr::memchr3(b'<', b'&', b'\\', &text.as_bytes()[from..]) {
        let start = from + n;
        from = start + 1;
        if let Some(len) = disguised_len(&text[start..]) {
            found.push(start..start + len);
            from = start + len;
        }
    }
}

/// The length of such a token at the start of a text.
fn disguised_len(text: &str) -> Option<usize> {
    let bar = |text: &str| -> Option<usize> {
        // Only a few blanks stand between the parts of a token.
        let blank = text.bytes().take(4).take_while(|b| matches!(b, b' ' | b'\t' | b'\n')).count();
        let bar = text[blank..].strip_prefix(['|', '｜'])?;
        Some(text.len() - bar.len())
    };
    let mut at = angle(text, &OPEN_BRACKETS)?;
    at += bar(&text[at..])?;
    at += text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
    let name = text[at..].bytes().take(MAX_TOKEN_CHARS).take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    if !NAMES.contains(&&text[at..at + name]) {
        return None;
    }
    at += name;
    at += bar(&text[at..])?;
    at += text[at..].bytes().take(4).take_while(|b| matches!(b, b' ' | b'\t' | b'\n')).count();
    Some(at + angle(&text[at..], &CLOSE)?)
}

/// Adds the remains of headers whose tokens were removed: `analysis` directly before a text, and `assistantfinal`
/// between two messages.
fn remains(text: &str, found: &mut Vec<Range<usize>>) {
    let lead = text.len() - text.trim_start().len();
    let rest = &text[lead..];
    if let Some(behind) = rest.strip_prefix("analysis")
        && behind.chars().next().is_some_and(|c| c.is_uppercase() || (c.is_alphabetic() && !c.is_ascii() && c != 'é'))
        && !is_identifier(behind)
    {
        found.push(lead..lead + "analysis".len());
    }
    let mut from = 0;
    while let Some(n) = memchr::memmem::find(&text.as_bytes()[from..], b"assistant") {
        let start = from + n;
        from = start + "assistant".len();
        let word = GLUED.iter().find(|word| text[start..].starts_with(*word));
        // "Finally" and similar words.
        let goes_on = |word: &&&str| ["ly", "iz", "is"].iter().any(|end| text[start + word.len()..].starts_with(end));
        if let Some(word) = word.filter(|word| !goes_on(word)) {
            found.push(start..start + word.len());
            from = start + word.len();
        }
    }
}

/// Whether the first word of a text is an identifier in a program, by the text behind it.
fn is_identifier(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').trim_start();
    rest.starts_with(['=', '(', '[', '{', ';']) || rest.starts_with("::")
}

/// Adds names of channels at the end of the text.
fn markers(text: &str, found: &mut Vec<Range<usize>>) {
    let shown = text.trim_end();
    let mut rest = shown;
    while let Some(shorter) = MARKERS.iter().find_map(|marker| rest.strip_suffix(marker)) {
        rest = shorter;
    }
    // A table has further bars, in this line or the one before it.
    let mut lines = rest.rsplit('\n');
    if rest.len() < shown.len() && !lines.by_ref().take(2).any(|line| line.contains('|')) {
        found.push(rest.len()..shown.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found() {
        for (text, want) in [
            ("a <|end|> b", vec!["<|end|>"]),
            ("<|start|>assistant<|channel|>final<|message|>Hi", vec!["<|start|>", "<|channel|>", "<|message|>"]),
            ("a <｜end▁of▁sentence｜>", vec!["<｜end▁of▁sentence｜>"]),
            ("a &lt;|channel|&gt;x", vec!["&lt;|channel|&gt;"]),
            ("a \\u003c|end|\\u003e", vec!["\\u003c|end|\\u003e"]),
            ("a < | end | > b", vec!["< | end | >"]),
            ("a < | b | > c &lt;|x|&gt;", vec![]),
            ("analysisWe need to.assistantfinalHi", vec!["analysis", "assistantfinal"]),
            ("analysis用户想要", vec!["analysis"]),
            ("x.assistantcommentary to=f", vec!["assistantcommentary"]),
            ("Rain by noon.|final", vec!["|final"]),
            ("Rain by noon.|final\n", vec!["|final"]),
            ("Rain.|final|analysis", vec!["|final|analysis"]),
            ("analysis of the data", vec![]),
            ("Analysis: the final exam", vec![]),
            ("the assistant final exam", vec![]),
            ("analysisResult = run()", vec![]),
            ("assistantfinally", vec![]),
            ("name|role\nbob|assistant", vec![]),
            ("| a |final", vec![]),
            ("a <| b |> c", vec![]),
            ("a<|b", vec![]),
            ("a || b", vec![]),
        ] {
            let found: Vec<&str> = tokens(text).into_iter().map(|at| &text[at]).collect();
            assert_eq!(found, want, "{text:?}");
        }
    }

    #[test]
    fn time_is_linear() {
        // A search for the end from each beginning would take minutes.
        assert!(tokens(&"<|".repeat(200_000)).is_empty());
        assert!(tokens(&format!("<|{}", " ".repeat(200_000)).repeat(2)).is_empty());
    }
}
