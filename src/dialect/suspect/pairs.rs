//! Pairs of a key and a text in quotes, wherever they stand in a line: logs (`INFO got reasoning="…" tokens=3`), and messages that
//! a program prints without brackets (`role='assistant' content='…' thinking='…'`).

use super::named::{KEY, Quoted, Until, weight};
use super::words::{BEGINNINGS, Weight, is_content};
use crate::json::text::end_of_string;
use memchr::{memchr_iter, memmem};

/// The first pair in a line whose text may be reasoning.
pub(super) fn pair(line: &[u8]) -> Option<Quoted> {
    memchr_iter(b'=', line).find_map(|sign| {
        let (quote, from) = quoted(line, sign + 1)?;
        let (at, weight) = key_before(line, sign)?;
        let text = &line[from..end_of_string(line, from, quote).min(line.len())];
        // Code that puts strings together: `'<p reasoning=' + text + '>'`.
        let counts = text.first().is_some_and(|b| *b != b' ') && is_content(weight, &String::from_utf8_lossy(text))
            || is_spoken(line, at, weight, text);
        let key = String::from_utf8_lossy(&line[at..sign]).into_owned();
        counts.then_some(Quoted { at, key, end: line.len(), until: Until::Line })
    })
}

/// The quote and the beginning of the text that stands at an offset, by itself or as an optional value of Rust or Swift.
fn quoted(line: &[u8], at: usize) -> Option<(u8, usize)> {
    let value = line.get(at..)?;
    let some = OPTIONAL.iter().find(|some| value.starts_with(some)).map_or(0, |some| some.len());
    let quote = *value.get(some).filter(|b| matches!(b, b'"' | b'\''))?;
    Some((quote, at + some + 1))
}

/// How values begin that may be missing, in Rust and in Swift.
pub(super) const OPTIONAL: [&[u8]; 2] = [b"Some(", b"Optional("];

/// Where the key begins that ends at an offset, and how sure it is that its text is reasoning. If its name is not one of the
/// vocabulary, as in `message.thinking`, the word for reasoning counts with what follows it. What stands before that may have
/// been given out.
fn key_before(line: &[u8], end: usize) -> Option<(usize, Weight)> {
    let len = line[..end].iter().rev().take(KEY).take_while(|b| is_key(**b)).count();
    let part = |at: usize| at.checked_sub(1).is_none_or(|before| may_stand_before_key(line[before]));
    if let Some(weight) = weight(&line[end - len..end]).filter(|_| part(end - len)) {
        return Some((end - len, weight));
    }
    let begins = |at: &usize| {
        let word = |word: &&[u8]| line[*at..end].get(..word.len()).is_some_and(|name| name.eq_ignore_ascii_case(word));
        part(*at) && BEGINNINGS.iter().any(word)
    };
    let at = (end - len..end).find(begins)?;
    weight(&line[at..end]).map(|_| (at, Weight::Likely))
}

/// Whether a byte may stand in a key without quotes.
pub(super) fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether a key may begin behind a byte. Options of commands, variables, addresses and code spans are none.
pub(super) fn may_stand_before_key(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'{' | b'[' | b'(' | b',' | b';' | b'|' | b'_' | b'.' | b'@')
}

/// Whether one word is a text, since the key at `at` stands in a message or in a piece of one: a setting of that name stands in
/// other objects.
pub(super) fn is_spoken(line: &[u8], at: usize, weight: Weight, text: &[u8]) -> bool {
    let near = &line[at.saturating_sub(MAX_NEAR_BYTES)..line.len().min(at + MAX_NEAR_BYTES)];
    weight == Weight::Likely
        && is_content(Weight::Sure, &String::from_utf8_lossy(text))
        && MESSAGES.iter().any(|sign| memmem::find(near, sign).is_some())
}

/// How far from a key the signs of its message are looked for, in bytes.
const MAX_NEAR_BYTES: usize = 4096;

/// How messages and their pieces are printed: their author, the classes of what OpenAI's and Anthropic's clients get of a stream, and
/// what Ollama's have beside a piece of reasoning.
const MESSAGES: [&[u8]; 6] = [
    b"role='assistant'",
    b"role=\"assistant\"",
    b"ChoiceDelta(",
    b"ThinkingDelta(",
    b"done=False response=''",
    b"type='thinking_delta'",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_logs() {
        for (line, want) in [
            ("12:00 INFO app: got reasoning=\"Low pressure from the west\" tokens=3", Some(20)),
            ("12:00 [info] got   message.thinking='Low pressure from the west'", Some(19)),
            ("INFO[0000] got chain_of_thought=\"Low pressure from the west\"", Some(15)),
            ("INFO got reasoning=Some(\"Low pressure from the west\")", Some(9)),
            ("role='assistant' content='By noon.' thinking='Hm' images=None", Some(36)),
            ("role='assistant' thinking='high'", None),
            ("model='m' done=False response='' thinking='Hm'", Some(33)),
            ("model='m' done=False response='' thinking=' ,'", None),
            ("UPDATE m SET content='', reasoning='removed' WHERE id=1;", None),
            ("def chat(content=None, thinking=\"deep\", stream=True):", None),
            ("#<Message:0x1 @role=\"model\", @reasoning=\"Low pressure from the west\">", Some(30)),
            ("INFO got reasoning='Hm'", None),
            ("INFO set reasoning_effort=\"as much as it can\"", None),
            ("f(x, keep_reasoning_content=\"include\")", None),
            ("run --thinking=\"as much as it can\"", None),
            ("`thinking=\"as much as it can\"`", None),
            ("s = '<p reasoning=' + text + '>'", None),
            ("see https://example.com/?thinking=\"as much as it can\"", None),
        ] {
            assert_eq!(pair(line.as_bytes()).map(|found| found.at), want, "{line}");
        }
    }
}
