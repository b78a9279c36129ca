//! Stretches and characters around a delimiter: where a cell or a quotation ends, and what is punctuation.

use super::line::Quote;
use memchr::memchr;

/// Where a bar that parts cells stands in the rest of a line. Delimiters have bars, too, with letters on one side.
/// `whole`: the line ends with the text.
pub(super) fn bar(text: &[u8], whole: bool) -> Option<usize> {
    memchr::memchr_iter(b'|', text).find(|at| text.get(at + 1).map_or(whole, u8::is_ascii_whitespace))
}

/// Where a quotation that is open ends in this text. `whole`: what follows does not count.
pub(super) fn closing(text: &[u8], quote: Quote, whole: bool) -> Option<usize> {
    let mut buffer = [0; 4];
    let close = quote.close.encode_utf8(&mut buffer).as_bytes();
    let other = (quote.close == '“').then_some("”".as_bytes());
    let mut at = 0;
    loop {
        let found = |close: &[u8]| memchr::memmem::find(&text[at..], close);
        let n = found(close).into_iter().chain(other.and_then(found)).min()?;
        let end = at + n;
        let apostrophe = close == b"'" && text.get(end + 1).is_some_and(|b| b.is_ascii_alphanumeric() || *b >= 0x80);
        if close == b"'" && end + 1 == text.len() && !whole {
            // The next character tells whether it is one.
            return None;
        }
        let backslashes = text[..end].iter().rev().take_while(|b| **b == b'\\').count();
        let wrong = close == b"\"" && quote.escaped != (backslashes % 2 == 1);
        if !apostrophe && !wrong {
            return Some(end - if quote.escaped { backslashes } else { 0 });
        }
        at = end + 1;
    }
}

/// Whether a text begins with so many letters of a text, without its delimiters, escapes and names in braces. `near`: 1
/// if they must be joined to its beginning, 2 if they may stand anywhere in it.
pub(super) fn has_word(text: &[u8], near: u8) -> bool {
    let mut rest = text;
    let mut letters = 0;
    while let Some((b, tail)) = rest.split_first() {
        rest = match b {
            b'<' | b'{' | b'[' | b'(' | b'$' | b'%' => {
                let close = match b {
                    b'<' => b'>',
                    b'{' => b'}',
                    b'[' => b']',
                    b'(' => b')',
                    _ => b' ',
                };
                match memchr(close, tail) {
                    Some(n) if *b != b'$' && *b != b'%' => &tail[n + 1..],
                    _ => tail,
                }
            }
            b'\\' => tail.get(1..).unwrap_or_default(),
            b if b.is_ascii_alphanumeric() || *b >= 0x80 => {
                letters += 1;
                if letters >= near {
                    return true;
                }
                tail
            }
            _ if near == 1 => return false,
            _ => tail,
        };
    }
    false
}

/// Whether a character may follow a word in a sentence.
pub(super) fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        '.' | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | ')'
            | ']'
            | '}'
            | '…'
            | '–'
            | '—'
            | '/'
            | '|'
            | '='
            | '"'
            | '”'
            | '»'
            | '“'
            | '、'
            | '。'
            | '，'
            | '；'
            | '：'
            | '！'
            | '？'
            | '）'
            | '」'
            | '』'
            | '》'
            | '】'
            | '؟'
            | '،'
            | '؛'
            | '।'
            | '·'
            | '→'
            | '&'
            | '+'
            | '~'
            | '`'
    )
}

/// Whether a character belongs to a script that has no spaces between words, or joins its particles to them.
pub(super) fn is_wide(c: char) -> bool {
    matches!(u32::from(c),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x1100..=0x11FF | 0x3040..=0x30FF | 0x3130..=0x318F
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFF9D
        | 0x20000..=0x3FFFF)
}
