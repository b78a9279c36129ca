//! Texts in which tokens are escaped that a reader would take for delimiters.

use crate::model::content::Unwritten;
use crate::model::{Leaf, Loss, Losses};
use std::borrow::Cow;

/// How much of a long text is searched at once: a copy of it is in lower case.
const AT_ONCE: usize = 1 << 16;

/// Whether a text holds one of these tokens.
pub(super) fn holds(mut text: &[u8], tokens: &[String]) -> bool {
    if !may_begin_in(text, tokens) {
        return false;
    }
    let longest = tokens.iter().map(String::len).max().unwrap_or(0);
    loop {
        let part = text[..text.len().min(AT_ONCE + longest)].to_ascii_lowercase();
        if tokens.iter().any(|token| memchr::memmem::find(&part, token.as_bytes()).is_some()) {
            return true;
        }
        if part.len() == text.len() {
            return false;
        }
        text = &text[AT_ONCE..];
    }
}

/// The offset behind the first character of every token in a text in parts.
pub(super) fn places_in(parts: &[&[u8]], tokens: &[String]) -> Vec<usize> {
    let longest = tokens.iter().map(String::len).max().unwrap_or(0);
    // The last bytes of the text so far, in lower case, and how many bytes stand before them.
    let (mut lower, mut from, mut places) = (Vec::new(), 0, Vec::new());
    for part in parts.iter().flat_map(|part| part.chunks(AT_ONCE)) {
        let read = lower.len();
        lower.extend(part.to_ascii_lowercase());
        for token in tokens {
            let found = memchr::memmem::find_iter(&lower, token.as_bytes());
            places.extend(found.filter(|at| at + token.len() > read).map(|at| from + at + 1));
        }
        let gone = lower.len().saturating_sub(longest.saturating_sub(1));
        lower.drain(..gone);
        from += gone;
    }
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether a text may have a token, or the beginning of one: a quick check for tokens with the same first byte, which is no
/// letter.
fn may_begin_in(text: &[u8], tokens: &[String]) -> bool {
    let mut firsts = tokens.iter().map(|token| token.as_bytes().first().filter(|byte| !byte.is_ascii_alphabetic()));
    let Some(Some(first)) = firsts.next() else { return true };
    firsts.any(|other| other != Some(first)) || memchr::memchr(*first, text).is_some()
}

/// Escapes tokens in a text. `refused`: the error if they may not be escaped.
pub(super) fn harmless(
    text: &Leaf,
    tokens: &[String],
    escape: bool,
    refused: Unwritten,
    losses: &mut Losses,
) -> Result<Leaf, Unwritten> {
    let mut escaped = Losses::default();
    let out = harmless_piece(&mut Vec::new(), text, tokens, &mut escaped);
    if !escape && !escaped.is_empty() {
        return Err(refused);
    }
    losses.append(&mut escaped);
    Ok(out)
}

/// The same for a piece of a text. `last`: the last bytes written, since a token may span several pieces.
pub(super) fn harmless_piece(last: &mut Vec<u8>, text: &Leaf, tokens: &[String], losses: &mut Losses) -> Leaf {
    let Some(harmless) = harmless_text(last, &text.decoded(), tokens) else { return text.clone() };
    losses.push(Loss::Escaped);
    harmless.into()
}

/// The same for a decoded piece; none if it has no token.
pub(super) fn harmless_text(last: &mut Vec<u8>, plain: &[u8], tokens: &[String]) -> Option<Vec<u8>> {
    if !may_begin_in(last, tokens) && !may_begin_in(plain, tokens) {
        last.clear();
        return None;
    }
    let (out, longest) = (last.len(), tokens.iter().map(String::len).max().unwrap_or(0));
    let joined = if out > 0 { Cow::Owned([last, plain].concat()) } else { Cow::Borrowed(plain) };
    let lower = joined.to_ascii_lowercase();
    let mut places: Vec<usize> = Vec::new();
    for token in tokens {
        let found = memchr::memmem::find_iter(&lower, token.as_bytes());
        places.extend(found.filter(|at| at + token.len() > out).map(|at| out.max(at + 1)));
    }
    places.sort_unstable();
    places.dedup();
    *last = joined[joined.len() - longest.min(joined.len())..].to_vec();
    if places.is_empty() {
        return None;
    }
    let (mut whole, mut from) = (Vec::with_capacity(plain.len() + places.len()), out);
    for place in places {
        whole.extend_from_slice(&joined[from..place]);
        whole.push(b'\\');
        from = place;
    }
    whole.extend_from_slice(&joined[from..]);
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token is found wherever it stands in a long text, in any case.
    #[test]
    fn a_long_text_holds_a_token() {
        let tokens = ["<|end|>".to_string(), "</x>".to_string()];
        let text = |before: usize| ["a".repeat(before), "<|END|>".to_string(), "b".repeat(AT_ONCE)].concat();
        for before in [0, 1, AT_ONCE - 7, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, AT_ONCE + 6, AT_ONCE + 7, 3 * AT_ONCE - 3]
        {
            assert!(holds(text(before).as_bytes(), &tokens), "{before}");
            assert!(!holds(text(before).replace("D|>", "D>").as_bytes(), &tokens), "{before}");
            // Wherever a part ends, each is found once.
            let text = text(before) + "</x><|end|>";
            for middle in [before, before + 1, before + 6, before + 7] {
                let (first, second) = text.as_bytes().split_at(middle);
                let want = [before + 1, text.len() - 10, text.len() - 6];
                assert_eq!(places_in(&[first, second], &tokens), want, "{before} {middle}");
            }
        }
        assert!(!holds(b"", &tokens));
    }
}
